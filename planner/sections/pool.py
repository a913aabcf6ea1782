"""The hot tier as a pool of drives in storage nodes, sized by whatever asks for most."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planner.core.errors import PlannerError
from planner.core.quantity import Quantity, derive, largest, term_of
from planner.core.record import record
from planner.core.tracing import decided
from planner.core.units import scalar
from planner.sections.context import Choice, Context, or_unknown, stated
from planner.sections.demand import STEADY_LIMIT_FRACTION, Demand
from planner.sections.kit import (
    Kit,
    amplification_of,
    compared,
    kit_of,
    level_drives,
    made_inside,
    width_inside,
    width_of,
)
from planner.sections.tiers import TierPlan, reserve, steady_fraction, unit_tier
from planner.sections.transport import TransportOption
from planner.sizing import counts, tier_capacity, tier_counts, tier_rates

PLATFORM_OF = {
    "all-flash-array": "vast-ceres-3015",
    "software-defined": "spdk-2u24-gen5",
    "parallel-file-system": "lustre-oss-generic",
}

BANDWIDTHS = ("write bandwidth", "read bandwidth")
MISSING = " with nodes missing"
"""End of the name of a demand that has to be met after a loss."""


@record(frozen=True, slots=True)
class Size:
    """How much of a kit the demand asks for."""

    kit: Kit
    reserve_ratio: Quantity
    needed_bytes: Quantity
    terms: dict[str, Quantity]
    binding: tuple[str, str]
    unit_count: Quantity
    unit_binding: str
    drive_count: Quantity


@record(frozen=True, slots=True)
class Held:
    """A pool of a size: what is bought, and what of it holds data.

    Attributes:
        working_count: Drives that hold data; the others stand by.
    """

    unit_count: Quantity
    unit_binding: str
    drive_count: Quantity
    working_count: Quantity
    raw_bytes: Quantity
    working_bytes: Quantity
    usable_bytes: Quantity


def hot_tier(context: Context, demand: Demand, architecture: Choice, option: TransportOption) -> TierPlan:
    """The NVMe-oF tier, with AUTO protection where none is stated.

    AUTO protection on evidence compares 8+2 with two copies over nodes and takes the one that
    needs fewer nodes, then fewer drives; on the guide's basis it is 8+2 over drives.
    """
    hot = context.scenario.storage.hot
    derived = PLATFORM_OF[architecture.value]
    platform = context.catalogue.find(
        "platforms", hot.platform_id or derived, field="storage.hot.platform_id"
    )
    context.auto["storage.hot.platform_id"] = Choice(
        derived,
        context.catalogue.find("platforms", derived, field="platform").name,
        f"generic kit: {architecture.label}",
    )
    stack = (
        stated(
            context.scenario.network.posix_stack_fraction,
            "stack_fraction",
            "Client stack, parallel file system",
        )
        if architecture.value == "parallel-file-system"
        else option.stack_fraction
    )
    if not platform.generic:
        return unit_tier(context, "hot", "NVMe-oF hot tier", platform, demand, stack, hot)
    drive = context.catalogue.find("drives", hot.drive_id, field="storage.hot.drive_id")
    candidates = compared(context, platform)
    sizes: dict[str, Size] = {}
    records: dict[str, dict[str, Quantity | Choice]] = {}
    for name in dict.fromkeys((*candidates, hot.protection_id) if hot.protection_id else candidates):
        trial = replace(context, auto={})
        sizes[name] = _size(trial, kit_of(trial, platform, drive, name, stack, option), demand)
        records[name] = trial.auto
    asked = [number for name in candidates for number in _asked(sizes[name])]
    best = candidates[decided(_least, *asked)]
    context.auto["storage.hot.protection_id"] = Choice(
        best,
        context.catalogue.protection[best].label,
        "the guide's example"
        if context.guide
        else "inside each file-system server"
        if platform.category == "pfs"
        else "fewest nodes, then fewest drives, that survive the loss of a node",
    )
    chosen = hot.protection_id or best
    context.auto.update(records[chosen])  # what AUTO derived for the others is not this design's
    return _pool(context, sizes[chosen], demand)


def _asked(size: Size) -> tuple[float, float]:
    """Nodes and drives of a size."""
    return size.unit_count.number, size.drive_count.number


def _least(*asked: float) -> int:
    """Place of the fewest nodes, then the fewest drives, among pairs of both; the first of equal ones."""
    pairs = list(zip(asked[::2], asked[1::2], strict=True))
    return min(range(len(pairs)), key=pairs.__getitem__)


def _terms(context: Context, kit: Kit, demand: Demand, needed: Quantity) -> dict[str, Quantity]:
    """Every demand on the pool, in drives."""
    return {
        "capacity": derive(
            tier_counts.drives_for_capacity_count,
            usable_bytes=needed,
            protection_ratio=kit.protection_ratio,
            drive_bytes=kit.drive_bytes,
        ),
        "write bandwidth": derive(
            tier_counts.drives_for_write_count,
            write_bytes_per_s=demand.write_bytes_per_s,
            read_bytes_per_s=demand.read_bytes_per_s,
            protection_ratio=kit.protection_ratio,
            drive_write_bytes_per_s=kit.write_bytes_per_s,
            drive_read_bytes_per_s=kit.read_bytes_per_s,
            stack_fraction=kit.stack_fraction,
        ),
        "read bandwidth": derive(
            tier_counts.parts_for_steady_count,
            read_bytes_per_s=demand.steady_read_bytes_per_s,
            write_bytes_per_s=demand.steady_write_bytes_per_s,
            part_read_bytes_per_s=kit.read_bytes_per_s,
            part_write_bytes_per_s=kit.write_bytes_per_s,
            protection_ratio=kit.protection_ratio,
            stack_fraction=kit.stack_fraction,
            limit_fraction=STEADY_LIMIT_FRACTION,
            label="Drives for read bandwidth, steady traffic at 80 %",
        ),
        "endurance": derive(
            tier_counts.drives_for_endurance_count,
            daily_write_bytes_per_day=demand.daily_write_bytes_per_day,
            protection_ratio=kit.protection_ratio,
            margin_ratio=context.scenario.storage.endurance_margin_ratio,
            endurance_dwpd=or_unknown(kit.drive.endurance_dwpd, "DWPD", "Drive rating"),
            drive_bytes=kit.drive_bytes,
            label="Drives for endurance, with margin",
        ),
        "protection width": kit.group_width_count or width_of(kit),
    }


def _missing_terms(context: Context, terms: dict[str, Quantity], units: Quantity) -> dict[str, Quantity]:
    """Drives for bandwidth with nodes missing, with their drives. More nodes than these only ask for fewer."""
    spared = stated(
        scalar(context.scenario.storage.hot.spared_unit_count), "spared_count", "Nodes that may be missing"
    )
    return {
        name + MISSING: derive(
            tier_counts.drives_with_missing_count,
            drive_count=terms[name],
            unit_count=units,
            spared_count=spared,
        )
        for name in BANDWIDTHS
    }


def _stated_pool(context: Context, kit: Kit, demand: Demand, terms: dict[str, Quantity]) -> Held | None:
    """The pool where the architect fixed its drives or its usable capacity; None if AUTO sizes it.

    On the guide's basis raw capacity is what the stated one takes; on evidence it is that of the whole drives that are
    bought for it.
    """
    hot = context.scenario.storage.hot
    if hot.drive_count is not None:
        drives = stated(scalar(hot.drive_count), "drive_count", "Drives")
        return _held(kit, drives, *_units(context, kit, demand, terms, drives, True))
    if hot.usable_bytes is None:
        return None
    usable = stated(hot.usable_bytes, "usable_bytes", "Usable capacity")
    needed = derive(
        tier_counts.drives_for_capacity_count,
        usable_bytes=usable,
        protection_ratio=kit.protection_ratio,
        drive_bytes=kit.drive_bytes,
    )
    # Level over one node: whole drives, and one at least.
    drives = derive(tier_counts.level_drive_count, drive_count=needed, unit_count=1.0, label="Drives")
    units, binding = _units(context, kit, demand, terms, drives, True)
    if kit.group_width_count is not None:
        drives = level_drives(kit, needed, units)
    held = replace(_held(kit, drives, units, binding), usable_bytes=usable)
    if not context.guide:
        return held
    raw = derive(tier_capacity.raw_bytes, usable_bytes=usable, protection_ratio=kit.protection_ratio)
    return replace(held, raw_bytes=raw, working_bytes=raw)


def _held(kit: Kit, drives: Quantity, units: Quantity, unit_binding: str) -> Held:
    """What so many drives in so many nodes hold: those in groups, where nodes make groups."""
    raw = derive(tier_capacity.raw_of_drives_bytes, drive_count=drives, drive_bytes=kit.drive_bytes)
    working, grouped = drives, raw
    if kit.group_width_count is not None:
        working = derive(
            tier_counts.grouped_drives_count,
            drive_count=drives,
            unit_count=units,
            width_count=kit.group_width_count,
        )
        grouped = derive(
            tier_capacity.raw_of_drives_bytes,
            drive_count=working,
            drive_bytes=kit.drive_bytes,
            label="Raw capacity in groups",
        )
    return Held(
        unit_count=units,
        unit_binding=unit_binding,
        drive_count=drives,
        working_count=working,
        raw_bytes=raw,
        working_bytes=grouped,
        usable_bytes=derive(
            tier_capacity.usable_of_drives_bytes,
            drive_count=working,
            drive_bytes=kit.drive_bytes,
            protection_ratio=kit.protection_ratio,
        ),
    )


def _units(
    context: Context, kit: Kit, demand: Demand, terms: dict[str, Quantity], drives: Quantity, fixed: bool
) -> tuple[Quantity, str]:
    """Storage nodes and what decides their number: bays, ports, protection width, the platform's minimum.

    A pool whose size is stated gets the nodes that hold it; whether they suffice is for the review.
    """
    bays = or_unknown(kit.platform.drives_per_unit_count, "count", "Drive bays of a node")
    if kit.group_width_count is not None and context.scenario.storage.hot.drive_count is None:
        bays = derive(
            tier_counts.grouped_drives_count,
            drive_count=bays,
            unit_count=1.0,
            width_count=kit.group_width_count,
            label="Bays in whole groups",
        )
    needs = {
        "bays": derive(tier_counts.units_for_drives_count, drive_count=drives, bay_count=bays),
        "minimum": or_unknown(kit.platform.min_units_count, "count", "Smallest cluster"),
    }
    if not fixed:
        bound = amplification_of(kit, None)
        needs["write bandwidth"] = derive(
            tier_counts.units_for_bandwidth_count,
            bandwidth_bytes_per_s=demand.write_bytes_per_s,
            unit_bytes_per_s=kit.unit_write_bytes_per_s,
            stack_fraction=kit.stack_fraction,
            amplification_ratio=bound,
        )
        needs["read bandwidth"] = derive(
            tier_counts.parts_for_steady_count,
            read_bytes_per_s=demand.steady_read_bytes_per_s,
            write_bytes_per_s=demand.steady_write_bytes_per_s,
            part_read_bytes_per_s=kit.unit_read_bytes_per_s,
            part_write_bytes_per_s=kit.unit_write_bytes_per_s,
            protection_ratio=bound,
            stack_fraction=kit.stack_fraction,
            limit_fraction=STEADY_LIMIT_FRACTION,
            label="Units for read bandwidth, steady traffic at 80 %",
        )
        if kit.domain != "drive":
            needs["protection width"] = terms["protection width"]
        spared = context.scenario.storage.hot.spared_unit_count
        if spared:
            for name in BANDWIDTHS:
                needs[name + MISSING] = derive(
                    tier_counts.units_with_missing_count,
                    unit_count=needs[name],
                    spared_count=stated(scalar(spared), "spared_count", "Nodes that may be missing"),
                )
    decides = largest(needs)[0]
    units = derive(tier_counts.whole_count, count=term_of(needs, decides), label="Storage nodes")
    manual = context.scenario.storage.hot.unit_count
    return (
        context.pick("storage.hot.unit_count", manual, units),
        decides if manual is None else "stated by the architect",
    )


def _rates(kit: Kit, units: Quantity, drives: Quantity, amplification: Quantity) -> tuple[Quantity, Quantity]:
    """Write and read bandwidth that clients get from the pool."""
    pool: dict[str, Any] = {
        "unit_count": units,
        "drive_count": drives,
        "stack_fraction": kit.stack_fraction,
    }
    return (
        derive(
            tier_rates.pool_bytes_per_s,
            unit_bytes_per_s=kit.unit_write_bytes_per_s,
            amplification_ratio=amplification,
            drive_bytes_per_s=kit.write_bytes_per_s,
            protection_ratio=kit.protection_ratio,
            **pool,
        ),
        derive(
            tier_rates.pool_bytes_per_s,
            unit_bytes_per_s=kit.unit_read_bytes_per_s,
            amplification_ratio=1.0,
            drive_bytes_per_s=kit.read_bytes_per_s,
            protection_ratio=1.0,
            label="Read bandwidth of the tier",
            **pool,
        ),
    )


def _size(context: Context, kit: Kit, demand: Demand) -> Size:
    """Nodes and drives that the demand asks for, whether or not the architect stated others."""
    factor = reserve(context)
    needed = derive(
        tier_capacity.usable_needed_bytes, content_bytes=demand.content_bytes, reserve_ratio=factor
    )
    terms = _terms(context, kit, demand, needed)
    binding = largest(terms)
    asked = _drives_asked(terms, binding[0])
    units, decides = _units(context, kit, demand, terms, asked, False)
    if context.scenario.storage.hot.spared_unit_count:
        terms |= _missing_terms(context, terms, units)
        binding = largest(terms)
        asked = _drives_asked(terms, binding[0])
        units, decides = _units(context, kit, demand, terms, asked, False)
    if made_inside(kit.domain, kit.made_at):
        terms["protection width"] = derive(
            counts.product_count,
            first_count=units,
            second_count=kit.group_width_count or width_inside(kit),
            label=f"{kit.scheme.label} inside every node",
        )
        binding = largest(terms)
        asked = _drives_asked(terms, binding[0])
    return Size(kit, factor, needed, terms, binding, units, decides, level_drives(kit, asked, units))


def _pool(context: Context, size: Size, demand: Demand) -> TierPlan:
    kit, terms = size.kit, size.terms
    binding, following = size.binding
    pool = _held(kit, size.drive_count, size.unit_count, size.unit_binding)
    context.auto.update(
        {"storage.hot.drive_count": pool.drive_count, "storage.hot.usable_bytes": pool.usable_bytes}
    )
    fixed = _stated_pool(context, kit, demand, terms)
    if fixed is not None:
        pool = fixed
        if context.scenario.storage.hot.drive_count is None:  # left to AUTO: what holds the stated capacity
            context.auto["storage.hot.drive_count"] = pool.drive_count
        else:
            context.auto["storage.hot.usable_bytes"] = pool.usable_bytes
    if fixed is not None or context.scenario.storage.hot.unit_count is not None:
        binding, following = "stated by the architect", binding
    exact = amplification_of(kit, pool.unit_count)
    write, read = _rates(kit, pool.unit_count, pool.working_count, exact)
    return TierPlan(
        role="hot",
        name="NVMe-oF hot tier",
        platform=kit.platform,
        drive=kit.drive,
        scheme=kit.scheme,
        domain=kit.domain,
        protection_at=kit.made_at,
        demand=demand,
        terms=terms,
        term_unit="drives",
        binding=binding,
        following=following,
        unit_binding=pool.unit_binding,
        unit_count=pool.unit_count,
        drive_count=pool.drive_count,
        group_width_count=kit.group_width_count,
        working_count=pool.working_count,
        drive_bytes=kit.drive_bytes,
        protection_ratio=kit.protection_ratio,
        raw_bytes=pool.raw_bytes,
        working_bytes=pool.working_bytes,
        usable_bytes=pool.usable_bytes,
        reserve_ratio=size.reserve_ratio,
        safe_bytes=derive(
            tier_capacity.safe_bytes, usable_bytes=pool.usable_bytes, reserve_ratio=size.reserve_ratio
        ),
        needed_bytes=size.needed_bytes,
        amplification_ratio=exact,
        unit_write_bytes_per_s=kit.unit_write_bytes_per_s,
        unit_read_bytes_per_s=kit.unit_read_bytes_per_s,
        stack_fraction=kit.stack_fraction,
        write_bytes_per_s=write,
        read_bytes_per_s=read,
        steady_fraction=steady_fraction(demand, read, write),
    )


def _drives_asked(terms: dict[str, Quantity], binding: str) -> Quantity:
    """The largest demand, named after what asks for it.

    Raises:
        PlannerError: No figure of the drive is known.
    """
    if not binding:
        raise PlannerError(
            "storage.hot.drive_id: nothing is known of this drive that could size the tier; choose another",
            field="storage.hot.drive_id",
        )
    top = term_of(terms, binding)
    return Quantity(
        top.value, "count", f"Drives for {binding}", top.formula, top.inputs, top.source, top.grade
    )
