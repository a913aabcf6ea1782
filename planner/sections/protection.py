"""Endurance of the hot tier's drives, and what its protection survives."""

from __future__ import annotations

from dataclasses import dataclass

from planner.catalogue import ProtectionScheme
from planner.core.checks import Check
from planner.core.quantity import Quantity, derive
from planner.core.record import record
from planner.core.units import YEAR_S
from planner.sections.context import Context, or_unknown, stated
from planner.sections.jobs import JobPlan
from planner.sections.tiers import TierPlan
from planner.sizing import durability, endurance, rebuilds, stripes, tier_capacity

COMPARED = ("8+2", "12+3", "raid-z2", "2-way")
"""Schemes that the guide names, shown beside the chosen one."""
LONGEST_LIFE_S = 10 * YEAR_S
"""Life that is planned with at most, however little is written: reliability models, E3."""
DETECT_S = 900.0
"""Time until a rebuild begins: 15 minutes, as Google waits."""
SECTION = "the guide, 'Write Endurance Planning'"


@record(frozen=True, slots=True)
class EndurancePlan:
    """Writes against the rating.

    Attributes:
        needed_usable_bytes: Least usable capacity by the rating alone, without the margin.
        needed_raw_bytes: Least raw capacity by the rating alone, without the margin.
        sized_raw_bytes: Raw capacity that sizing asks for, with the margin: the tier's demand "endurance".
    """

    daily_write_bytes_per_day: Quantity
    yearly_write_bytes_per_year: Quantity
    drive_write_bytes_per_day: Quantity
    allowance_bytes_per_day: Quantity
    endurance_dwpd: Quantity
    basis: str
    rated_life_s: Quantity
    planned_life_s: Quantity
    wear_life_s: Quantity
    warranty_s: Quantity
    needed_usable_bytes: Quantity
    needed_raw_bytes: Quantity
    sized_raw_bytes: Quantity
    seen_dwpd: Quantity
    check: Check


@dataclass(frozen=True, slots=True)
class SchemeRow:
    """One protection scheme on the same data."""

    scheme: ProtectionScheme
    protection_ratio: Quantity
    raw_bytes: Quantity
    failures_count: int
    width_count: int
    rebuild_s: Quantity
    loss_fraction: Quantity


@dataclass(frozen=True, slots=True)
class StripePlan:
    """How the job's writes meet the stripes of the pool.

    Attributes:
        aligned_fraction: Share of a write that fills whole stripes.
        unaligned_ratio: Bytes on drives for each byte if writes begin anywhere in a stripe.
    """

    chunk_bytes: Quantity
    full_stripe_bytes: Quantity
    block_bytes: Quantity
    aligned_block_bytes: Quantity
    aligned_fraction: Quantity
    unaligned_ratio: Quantity


@dataclass(frozen=True, slots=True)
class ProtectionPlan:
    """The chosen scheme and the others beside it; no stripes where the platform makes its own."""

    scheme_label: str
    domain: str
    made_at: str
    survives: str
    rows: tuple[SchemeRow, ...]
    stripe: StripePlan | None


def endurance_plan(context: Context, hot: TierPlan) -> EndurancePlan:
    """Daily writes with parity, once, against raw capacity times the rating.

    The drive's own write amplification is inside the rating and is used for the wear life alone.
    """
    storage = context.scenario.storage
    daily = hot.demand.daily_write_bytes_per_day
    drive = hot.drive
    rating = or_unknown(drive.endurance_dwpd if drive else None, "DWPD", "Drive rating")
    warranty = or_unknown(drive.warranty_s if drive else None, "s", "Warranty")
    written = derive(
        endurance.drive_write_bytes_per_day,
        daily_write_bytes_per_day=daily,
        protection_ratio=hot.protection_ratio,
    )
    allowance = derive(
        endurance.daily_allowance_bytes_per_day, raw_bytes=hot.working_bytes, endurance_dwpd=rating
    )
    life = derive(
        endurance.rated_life_s,
        raw_bytes=hot.working_bytes,
        daily_write_bytes_per_day=daily,
        protection_ratio=hot.protection_ratio,
        endurance_dwpd=rating,
        warranty_s=warranty,
    )
    return EndurancePlan(
        daily_write_bytes_per_day=daily,
        yearly_write_bytes_per_year=derive(
            endurance.yearly_write_bytes_per_year, daily_write_bytes_per_day=daily
        ),
        drive_write_bytes_per_day=written,
        allowance_bytes_per_day=allowance,
        endurance_dwpd=rating,
        basis=drive.endurance_basis if drive else "",
        rated_life_s=life,
        planned_life_s=derive(endurance.planned_life_s, rated_life_s=life, cap_s=LONGEST_LIFE_S),
        wear_life_s=derive(
            endurance.wear_life_s,
            rated_life_s=life,
            rated_waf_ratio=storage.rated_waf_ratio,
            actual_waf_ratio=storage.actual_waf_ratio,
        ),
        warranty_s=warranty,
        needed_usable_bytes=derive(
            endurance.usable_for_endurance_bytes,
            daily_write_bytes_per_day=daily,
            endurance_dwpd=rating,
            margin_ratio=1.0,
            label="Usable capacity for endurance, without margin",
        ),
        needed_raw_bytes=_raw(hot, rating, 1.0, "without margin"),
        sized_raw_bytes=_raw(hot, rating, storage.endurance_margin_ratio, "with margin"),
        seen_dwpd=derive(endurance.seen_dwpd, drive_write_bytes_per_day=written, raw_bytes=hot.working_bytes),
        check=Check("Write endurance", provided=allowance, required=written, source=SECTION),
    )


def _raw(hot: TierPlan, rating: Quantity, margin: float, words: str) -> Quantity:
    """Raw capacity at which the rating allows the daily writes times a margin."""
    return derive(
        endurance.raw_for_endurance_bytes,
        daily_write_bytes_per_day=hot.demand.daily_write_bytes_per_day,
        protection_ratio=hot.protection_ratio,
        endurance_dwpd=rating,
        margin_ratio=margin,
        label=f"Raw capacity for endurance, {words}",
    )


def stripe_plan(context: Context, hot: TierPlan, job: JobPlan) -> StripePlan | None:
    """How a job's writes meet the stripes of the pool; None where the platform makes its own."""
    return None if hot.scheme is None else _stripe(context, hot.scheme, job)


def protection_plan(context: Context, hot: TierPlan, stripe: StripePlan | None) -> ProtectionPlan:
    """The chosen scheme, what it survives, and the others on the same usable capacity.

    Args:
        context: Scenario and catalogue.
        hot: The hot tier.
        stripe: What `stripe_plan` gives.
    """
    names = dict.fromkeys((hot.scheme.id, *COMPARED) if hot.scheme else COMPARED)
    rate = derive(
        durability.failure_per_s,
        failure_fraction=context.scenario.storage.annual_failure_fraction,
        label="Failure rate of a drive",
    )
    rebuild = derive(
        rebuilds.rebuild_s,
        drive_bytes=hot.drive_bytes,
        fill_fraction=context.scenario.storage.fill_limit_fraction,
        rebuild_bytes_per_s=context.scenario.storage.rebuild_bytes_per_s,
        detect_s=DETECT_S,
    )
    rows = tuple(_row(context, hot, context.catalogue.protection[name], rebuild, rate) for name in names)
    if hot.scheme is None:
        return ProtectionPlan(
            hot.platform.protection or "the platform's own",
            "platform",
            "controller",
            "see the vendor's data sheet",
            rows,
            None,
        )
    count = hot.scheme.parity_chunk_count
    thing = hot.domain if count == 1 else f"{hot.domain}s"
    survives = f"{count} {thing} may fail at once"
    return ProtectionPlan(hot.scheme.label, hot.domain, hot.protection_at, survives, rows, stripe)


def _stripe(context: Context, scheme: ProtectionScheme, job: JobPlan) -> StripePlan:
    chunk = stated(context.scenario.storage.hot.chunk_bytes, "chunk_bytes", "Stripe chunk")
    block = stated(job.policy.block_bytes, "block_bytes", "Write block")
    data = float(scheme.data_chunk_count)
    full = derive(stripes.full_stripe_bytes, chunk_bytes=chunk, data_chunk_count=data)
    return StripePlan(
        chunk_bytes=chunk,
        full_stripe_bytes=full,
        block_bytes=block,
        aligned_block_bytes=derive(stripes.aligned_block_bytes, block_bytes=block, full_stripe_bytes=full),
        aligned_fraction=derive(stripes.aligned_fraction, block_bytes=block, full_stripe_bytes=full),
        unaligned_ratio=derive(
            stripes.unaligned_write_ratio,
            write_bytes=block,
            data_count=data,
            parity_count=float(scheme.parity_chunk_count),
            chunk_bytes=chunk,
        ),
    )


def _row(
    context: Context, hot: TierPlan, scheme: ProtectionScheme, rebuild: Quantity, rate: Quantity
) -> SchemeRow:
    ratio = derive(
        tier_capacity.protection_ratio,
        data_count=float(scheme.data_chunk_count),
        parity_count=float(scheme.parity_chunk_count),
    )
    raw = derive(tier_capacity.raw_bytes, usable_bytes=hot.usable_bytes, protection_ratio=ratio)
    mean = derive(
        durability.loss_time_s,
        failure_per_s=rate,
        width_count=float(scheme.width_count),
        parity_count=scheme.parity_chunk_count,
        rebuild_s=rebuild,
        hazard_ratio=context.scenario.storage.failure_hazard_ratio,
    )
    groups = derive(
        tier_capacity.group_count,
        raw_bytes=raw,
        drive_bytes=hot.drive_bytes,
        width_count=float(scheme.width_count),
    )
    return SchemeRow(
        scheme=scheme,
        protection_ratio=ratio,
        raw_bytes=raw,
        failures_count=scheme.parity_chunk_count,
        width_count=scheme.width_count,
        rebuild_s=rebuild,
        loss_fraction=derive(durability.annual_loss_fraction, loss_time_s=mean, group_count=groups),
    )
