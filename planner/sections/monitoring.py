"""What to watch in operation, with this design's thresholds."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given
from planner.sections.demand import STEADY_LIMIT_FRACTION
from planner.sections.network import NetworkPlan
from planner.sections.protection import EndurancePlan
from planner.sections.tiers import TierPlan
from planner.sizing import counts, queueing, tier_rates

GUIDE = "the guide, 'Monitoring and Alerting'"


@dataclass(frozen=True, slots=True)
class Watch:
    """One thing to watch: what, where the alarm is set, and why."""

    group: str
    subject: str
    threshold: Quantity
    meaning: str


def monitoring_plan(
    tiers: tuple[TierPlan, ...], network: NetworkPlan, nodes: Quantity, endurance: EndurancePlan
) -> tuple[Watch, ...]:
    """The guide's four groups for this design.

    Args:
        tiers: The tiers, the hot one first.
        network: The planned network.
        nodes: GPU nodes.
        endurance: Writes against the rating.
    """
    return (*_latency(), *_throughput(tiers), *_drive_health(endurance), *_paths(tiers[0], network, nodes))


def _latency() -> list[Watch]:
    """Median and tails of a write and of a read."""
    return [
        Watch(
            "Latency",
            f"{kind} latency {percentile}",
            _latency_limit(kind, target_s, percentile, share),
            f"{why}; {'median' if share is None else 'tail of equal requests at 80 % load'}",
        )
        for kind, target_s, why in (
            ("write", 100e-6, "first byte of a checkpoint write, large blocks add their transfer time"),
            ("read", 200e-6, "first byte of a data loader's read"),
        )
        for percentile, share in (("p50", None), ("p99", 0.99), ("p99.9", 0.999))
    ]


def _latency_limit(kind: str, target_s: float, percentile: str, share: float | None) -> Quantity:
    """The guide's target for the median; for the tail what queueing adds to it at the guide's 80 % load."""
    target = given(target_s, "s", f"{kind} latency, the guide's target", source=GUIDE, grade="guide")
    if share is None:
        return target
    tail = derive(
        queueing.md1_quantile_ratio, utilisation_fraction=STEADY_LIMIT_FRACTION, quantile_fraction=share
    )
    return derive(
        tier_rates.tail_s, alone_s=target, quantile_ratio=tail, label=f"{kind} latency {percentile}"
    )


def _throughput(tiers: tuple[TierPlan, ...]) -> list[Watch]:
    """Steady reads of each tier against what is provisioned."""
    return [
        Watch(
            "Throughput",
            f"{tier.name}, reads",
            derive(
                tier_rates.alarm_bytes_per_s,
                provisioned_bytes_per_s=tier.read_bytes_per_s,
                alarm_fraction=STEADY_LIMIT_FRACTION,
                label=f"Steady reads of the {tier.name}",
            ),
            "80 % of the reads that are provisioned; bursts are exempt",
        )
        for tier in tiers
    ]


def _drive_health(endurance: EndurancePlan) -> list[Watch]:
    """Wear, spare, errors and temperature of a drive."""
    return [
        Watch(
            "Drive health",
            "endurance used per year",
            derive(
                tier_rates.yearly_wear_fraction,
                drive_write_bytes_per_day=endurance.drive_write_bytes_per_day,
                allowance_bytes_per_day=endurance.allowance_bytes_per_day,
                warranty_s=endurance.warranty_s,
            ),
            "a faster rise of percentage_used means more writes than planned",
        ),
        Watch(
            "Drive health",
            "available spare",
            given(0.1, "fraction", "Available spare", source="NVMe threshold", grade="from memory"),
            "replace the drive",
        ),
        Watch(
            "Drive health",
            "media errors",
            given(0.0, "count", "Media errors", source=GUIDE, grade="guide"),
            "any increase",
        ),
        Watch(
            "Drive health",
            "composite temperature",
            given(70.0, "°C", "Temperature", source="drive warning threshold", grade="seen"),
            "warning threshold",
        ),
    ]


def _paths(hot: TierPlan, network: NetworkPlan, nodes: Quantity) -> list[Watch]:
    """Paths of each node, and of all nodes to the pool."""
    return [
        Watch(
            "Paths",
            "live paths of each node",
            network.path_count,
            "fewer than designed: bandwidth is reduced",
        ),
        Watch(
            "Paths",
            "paths to the pool, all nodes",
            derive(
                counts.product_count,
                first_count=nodes,
                second_count=network.path_count,
                label="Paths of all nodes",
            ),
            f"targets: {hot.unit_count}",
        ),
    ]
