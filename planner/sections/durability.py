"""Durability and availability of the hot tier in words that the model can carry, and what a loss costs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner.catalogue import ProtectionScheme
from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import format_number
from planner.sections.context import Context, or_unknown
from planner.sections.day import DrainDay
from planner.sections.protection import DETECT_S
from planner.sections.tiers import TierPlan
from planner.sizing import durability, economics, lost_time, rebuilds, service, tier_capacity

LEAST_FRACTION = 1e-9
"""Nine nines: below it the model is the limit and not the system (reliability models, D3)."""
NODE_AWAY = given(
    1e-3,
    "fraction",
    "Share of time that one storage node is away",
    source="reliability models, D7: an example, repairs and restarts of about 9 h a year",
    grade="class assumption",
)


@dataclass(frozen=True, slots=True)
class LossCase:
    """The chance of a loss under one assumption.

    Attributes:
        name: What is assumed.
        design: Whether it is the assumption that the design is stated with.
        cost_usd_per_year: What a loss costs, times its chance.
    """

    name: str
    design: bool
    loss_fraction: Quantity
    cost_usd_per_year: Quantity


@dataclass(frozen=True, slots=True)
class DurabilityPlan:
    """What the hot tier's protection promises.

    Attributes:
        cases: From independent failures to the worst that was measured.
        rollback_s: Training that a loss makes repeat, at most: from the copy on the cold tier.
        loss_usd: What one loss costs in GPU time.
        domains_lost_count: Nodes that may be away while every checkpoint can be read.
        unavailable_fraction: Share of time with more of them away.
        away_s: The same as a time in a year.
        outage_usd_per_year: What it costs in idle GPUs, if it all falls into training.
    """

    cases: tuple[LossCase, ...]
    rollback_s: Quantity
    loss_usd: Quantity
    node_away_fraction: Quantity
    domains_lost_count: Quantity
    unavailable_fraction: Quantity
    away_s: Quantity
    outage_usd_per_year: Quantity


def durability_plan(
    context: Context, hot: TierPlan, day: DrainDay, gpu_count: Quantity
) -> DurabilityPlan | None:
    """Chance and cost of a loss; None where the platform has protection of its own, which its vendor answers for.

    Args:
        context: Scenario and catalogue.
        hot: The hot tier.
        day: Copies of the main job to the cold tier: what is left after a loss.
        gpu_count: GPUs that stand still.
    """
    if hot.scheme is None:
        return None
    price = context.scenario.prices.gpu_usd_per_hour
    rollback = total([day.period_s, day.drain_s], "Training that a loss makes repeat, at most", unit="s")
    share, lost_nodes = _unavailable(hot, hot.scheme)
    return DurabilityPlan(
        cases=tuple(
            LossCase(
                name,
                design,
                loss,
                derive(
                    economics.data_loss_usd_per_year,
                    annual_loss_fraction=loss,
                    rollback_s=rollback,
                    gpu_count=gpu_count,
                    usd_per_hour=price,
                ),
            )
            for name, design, loss in _cases(context, hot, hot.scheme)
        ),
        rollback_s=rollback,
        loss_usd=derive(
            lost_time.idle_usd_per_checkpoint,
            stall_s=rollback,
            gpu_count=gpu_count,
            usd_per_hour=price,
            label="GPU time that one loss costs",
        ),
        node_away_fraction=NODE_AWAY,
        domains_lost_count=lost_nodes,
        unavailable_fraction=share,
        away_s=derive(service.away_s, unavailable_fraction=share),
        outage_usd_per_year=derive(
            economics.outage_usd_per_year, unavailable_fraction=share, gpu_count=gpu_count, usd_per_hour=price
        ),
    )


def _cases(context: Context, hot: TierPlan, scheme: ProtectionScheme) -> list[tuple[str, bool, Quantity]]:
    """Independent failures, the design's own hazard, the highest that was measured, and unreadable sectors."""
    rows, own = context.catalogue.assumptions, context.scenario.storage.failure_hazard_ratio
    measured = or_unknown(rows["failure-hazard"].high, "1", "Hazard after a failure, as measured").number
    hazards = sorted({1.0, own, measured})
    found = [
        (_hazard_words(hazard), hazard == own, _loss(context, hot, scheme, hazard, 0.0)) for hazard in hazards
    ]
    bits = or_unknown(rows["uber"].typical, "1", "Unreadable bits for each bit read")
    read = derive(
        tier_capacity.raw_of_drives_bytes,
        drive_count=float(scheme.data_chunk_count),
        drive_bytes=hot.drive_bytes,
    )
    unreadable = derive(rebuilds.unreadable_fraction, read_bytes=read, bit_error_ratio=bits)
    name = f"{_hazard_words(own)}, and sectors that cannot be read ({format_number(bits.number)} of all bits)"
    return [*found, (name, False, _loss(context, hot, scheme, own, unreadable))]


def _hazard_words(hazard: float) -> str:
    if hazard == 1:
        return "drives fail independently"
    return f"a failure makes the next {format_number(hazard)} times as likely"


def _loss(
    context: Context, hot: TierPlan, scheme: ProtectionScheme, hazard: float, unreadable: Quantity | float
) -> Quantity:
    storage = context.scenario.storage
    mean = derive(
        durability.loss_time_s,
        failure_per_s=derive(durability.failure_per_s, failure_fraction=storage.annual_failure_fraction),
        width_count=float(scheme.width_count),
        parity_count=scheme.parity_chunk_count,
        rebuild_s=derive(
            rebuilds.rebuild_s,
            drive_bytes=hot.drive_bytes,
            fill_fraction=storage.fill_limit_fraction,
            rebuild_bytes_per_s=storage.rebuild_bytes_per_s,
            detect_s=DETECT_S,
        ),
        hazard_ratio=hazard,
        unreadable_fraction=unreadable,
    )
    groups = derive(
        tier_capacity.group_count,
        raw_bytes=hot.working_bytes,
        drive_bytes=hot.drive_bytes,
        width_count=float(scheme.width_count),
    )
    return derive(durability.annual_loss_fraction, loss_time_s=mean, group_count=groups)


def _unavailable(hot: TierPlan, scheme: ProtectionScheme) -> tuple[Quantity, Quantity]:
    """Share of time in which more nodes are away than the scheme tolerates, and how many it does.

    A sharded checkpoint needs all of its stripes, so every node of the pool counts.
    """
    nodes = max(hot.unit_count.number, 1.0)
    inside = scheme.local or hot.protection_at == "controller"
    chunks = float(scheme.width_count) if inside else float(math.ceil(scheme.width_count / nodes))
    tolerated = derive(
        durability.tolerated_domains_count,
        parity_count=float(scheme.parity_chunk_count),
        domain_chunk_count=chunks,
        label="Storage nodes that may be away",
    )
    if (
        tolerated.number >= nodes
    ):  # more than there are: narrower pools than the scheme are a blocker elsewhere
        tolerated = given(nodes - 1, "count", tolerated.label, source="nodes of the pool", grade="inferred")
    share = derive(
        durability.unavailable_fraction,
        domain_fraction=NODE_AWAY,
        domain_count=hot.unit_count,
        tolerated_count=tolerated,
    )
    return share, tolerated


def odds(fraction: Quantity) -> str:
    """A small chance as people say it: "1 in 280,000"; no more than nine nines, which the model carries."""
    if not fraction.known:
        return "unknown"
    value = fraction.number
    if value < LEAST_FRACTION:
        return "under 1 in 1 billion"
    if value > 0.5:
        return fraction.text(digits=2)
    times = 1.0 / value
    places = max(math.floor(math.log10(times)) - 1, 0)
    return f"1 in {format_number(round(times / 10**places) * 10**places)}"


def yearly_words(usd_per_year: Quantity) -> str:
    """An expected cost as it can be told: below a dollar a year it is nothing."""
    return "under $1/year" if usd_per_year.number < 1.0 else usd_per_year.text()
