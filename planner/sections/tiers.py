"""The storage tiers: what lies in each, how large it must be, and what decides that."""

from __future__ import annotations

from planner.catalogue import Drive, Platform, ProtectionScheme
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity, derive, given, largest, term_of
from planner.core.record import record
from planner.core.units import Number
from planner.scenario import BulkTier, HotTier
from planner.sections.context import Context, or_unknown, stated
from planner.sections.demand import STEADY_LIMIT_FRACTION, Demand
from planner.sections.transport import TransportOption
from planner.sizing import racks, tier_capacity, tier_counts, tier_rates, transport


@record(frozen=True, slots=True)
class TierPlan:
    """One tier as it is planned.

    Attributes:
        terms: Every demand in drives or units, not rounded; the largest one binds.
        term_unit: What the terms count: "drives" or "units".
        binding: Name of the term that decides; "stated by the architect" where he fixed the size.
        following: Name of the next one.
        group_width_count: Drives of a group where every node makes groups of one width of its own; else None.
        working_count: Drives that hold data; where nodes make groups, those outside of one stand by.
        working_bytes: Raw capacity of those.
        unit_binding: What decides the number of units, which in a pool may be another demand.
        amplification_ratio: Bytes through the targets' ports for each client byte.
        unit_write_bytes_per_s: What one unit's ports or the vendor's figure allow.
    """

    role: str
    name: str
    platform: Platform
    drive: Drive | None
    scheme: ProtectionScheme | None
    domain: str
    protection_at: str
    demand: Demand
    terms: dict[str, Quantity]
    term_unit: str
    binding: str
    following: str
    unit_binding: str
    unit_count: Quantity
    drive_count: Quantity
    group_width_count: Quantity | None
    working_count: Quantity
    drive_bytes: Quantity
    protection_ratio: Quantity
    raw_bytes: Quantity
    working_bytes: Quantity
    usable_bytes: Quantity
    reserve_ratio: Quantity
    safe_bytes: Quantity
    needed_bytes: Quantity
    amplification_ratio: Quantity
    unit_write_bytes_per_s: Quantity
    unit_read_bytes_per_s: Quantity
    stack_fraction: Quantity
    write_bytes_per_s: Quantity
    read_bytes_per_s: Quantity
    steady_fraction: Quantity


def reserve(context: Context) -> Quantity:
    """The reserve over what is stored: the guide's headroom or the fill limit, never both."""
    storage = context.scenario.storage
    if context.guide:
        own = storage.guide_headroom_ratio != type(storage).model_fields["guide_headroom_ratio"].default
        told = {} if own else {"source": "the guide", "grade": "guide"}
        return stated(storage.guide_headroom_ratio, "headroom_ratio", "Headroom", **told)
    return derive(tier_capacity.reserve_of_fill_ratio, fill_limit_fraction=storage.fill_limit_fraction)


def steady_fraction(demand: Demand, read: Quantity, write: Quantity) -> Quantity:
    """Share of a tier that its steady reads and writes take together."""
    return derive(
        tier_rates.steady_load_fraction,
        read_bytes_per_s=demand.steady_read_bytes_per_s,
        write_bytes_per_s=demand.steady_write_bytes_per_s,
        tier_read_bytes_per_s=read,
        tier_write_bytes_per_s=write,
    )


def one_times() -> Quantity:
    """Load of a target's ports where protection adds no traffic to them."""
    return given(
        1.0, "1", "Load of a target's ports", source="protection is made inside the node", grade="seen"
    )


def ports_per_unit(platform: Platform) -> Quantity:
    """Client ports of a unit; two where the catalogue says nothing, so that a path may fail."""
    if platform.front_end_port_count is not None:
        return platform.front_end_port_count
    return given(
        2.0, "count", "Ports of a unit", source="two, so that a path may fail", grade="class assumption"
    )


def metadata_name(tier: TierPlan) -> str:
    """What the metadata servers beside a tier's units are called."""
    return f"Metadata servers, {tier.name}"


def metadata_drives(context: Context, tier: TierPlan, count: Quantity) -> Quantity:
    """Drives of so many metadata servers of a tier, mirrored."""
    share = context.catalogue.assumptions["metadata-share"].typical
    return derive(
        racks.metadata_drive_count,
        usable_bytes=tier.usable_bytes,
        metadata_fraction=or_unknown(share, "fraction", "Metadata"),
        drive_bytes=tier.drive_bytes,
        unit_count=count,
    )


def target_ports_bytes_per_s(platform: Platform, option: TransportOption) -> Quantity:
    """Payload that one target's ports carry on a transport; FC ports replace Ethernet ports one for one."""
    port = (
        option.client_port_bytes_per_s
        if option.name == "fc"
        else (platform.front_end_bytes_per_s or option.client_port_bytes_per_s)
    )
    return derive(
        transport.path_bytes_per_s,
        path_count=ports_per_unit(platform),
        port_bytes_per_s=port,
        wire_fraction=option.wire_fraction,
        label="Ports of one target",
    )


@record(frozen=True, slots=True)
class _Unit:
    """What one unit of a platform brings."""

    write_bytes_per_s: Quantity
    read_bytes_per_s: Quantity
    usable_bytes: Quantity
    least_count: Quantity
    stack_fraction: Quantity


def unit_tier(
    context: Context,
    role: str,
    name: str,
    platform: Platform,
    demand: Demand,
    stack: Quantity,
    asked: BulkTier | HotTier,
) -> TierPlan:
    """A tier in whole units of a platform, by the platform's own figures.

    Args:
        context: Scenario and catalogue.
        role: "hot", "file-system" or "object".
        name: What the tier is called.
        platform: Row of the catalogue.
        demand: What the tier is asked for.
        stack: Share of the platform's bandwidth that clients reach.
        asked: The tier as the architect states it: its size, and the vendor's figures where he has them.

    Raises:
        PlannerError: A figure that the sizing needs is not in the catalogue and was not stated.
    """
    field = _FIELDS[role]
    unit = _unit(platform, field, stack, asked)
    factor = reserve(context)
    needed = derive(
        tier_capacity.usable_needed_bytes, content_bytes=demand.content_bytes, reserve_ratio=factor
    )
    terms = _unit_terms(unit, demand, needed, beside_reads=role == "hot")
    binding, following = largest(terms)
    auto = derive(tier_counts.whole_count, count=term_of(terms, binding))
    units, usable = _unit_size(context, field, unit, auto, asked)
    if asked.usable_bytes is not None or asked.unit_count is not None:
        binding, following = "stated by the architect", binding
    drives, drive_bytes, raw = _unit_drives(platform, units)
    read = _of_units(units, unit.read_bytes_per_s, stack, "Read bandwidth of the tier")
    write = _of_units(units, unit.write_bytes_per_s, stack, "Write bandwidth of the tier")
    return TierPlan(
        role=role,
        name=name,
        platform=platform,
        drive=None,
        scheme=None,
        domain="platform",
        protection_at="controller",
        demand=demand,
        terms=terms,
        term_unit="units",
        binding=binding,
        following=following,
        unit_binding=binding,
        unit_count=units,
        drive_count=drives,
        group_width_count=None,
        working_count=drives,
        drive_bytes=drive_bytes,
        protection_ratio=derive(tier_capacity.ratio_of_capacities_ratio, raw_bytes=raw, usable_bytes=usable),
        raw_bytes=raw,
        working_bytes=raw,
        usable_bytes=usable,
        reserve_ratio=factor,
        safe_bytes=derive(tier_capacity.safe_bytes, usable_bytes=usable, reserve_ratio=factor),
        needed_bytes=needed,
        amplification_ratio=one_times(),
        unit_write_bytes_per_s=unit.write_bytes_per_s,
        unit_read_bytes_per_s=unit.read_bytes_per_s,
        stack_fraction=stack,
        write_bytes_per_s=write,
        read_bytes_per_s=read,
        steady_fraction=steady_fraction(demand, read, write),
    )


_FIELDS = {"hot": "storage.hot", "file-system": "storage.file_system", "object": "storage.object_store"}
"""Path of the input that states each tier."""


def _unit(platform: Platform, field: str, stack: Quantity, asked: BulkTier | HotTier) -> _Unit:
    """What one unit brings, by the architect's own figures where he states them."""
    return _Unit(
        write_bytes_per_s=_figure(platform, field, "write_bytes_per_s", "write rate", asked),
        read_bytes_per_s=_figure(platform, field, "read_bytes_per_s", "read rate", asked),
        usable_bytes=_figure(platform, field, "usable_bytes", "usable capacity", asked),
        least_count=platform.min_units_count
        or given(1.0, "count", "Smallest cluster", source="one unit at least", grade="class assumption"),
        stack_fraction=stack,
    )


def _unit_terms(unit: _Unit, demand: Demand, needed: Quantity, *, beside_reads: bool) -> dict[str, Quantity]:
    """Every demand on the tier in units, not rounded.

    Args:
        unit: What one unit brings.
        demand: What the tier is asked for.
        needed: Usable capacity that it has to have.
        beside_reads: Whether its writes are bursts, which have to fit beside what is read meanwhile.
    """
    return {
        "capacity": derive(
            tier_counts.units_for_capacity_count, usable_bytes=needed, unit_usable_bytes=unit.usable_bytes
        ),
        "write bandwidth": derive(
            tier_counts.parts_for_burst_count,
            write_bytes_per_s=demand.write_bytes_per_s,
            read_bytes_per_s=demand.read_bytes_per_s,
            part_write_bytes_per_s=unit.write_bytes_per_s,
            part_read_bytes_per_s=unit.read_bytes_per_s,
            stack_fraction=unit.stack_fraction,
            label="Units for write bandwidth",
        )
        if beside_reads
        else derive(
            tier_counts.units_for_bandwidth_count,
            bandwidth_bytes_per_s=demand.write_bytes_per_s,
            unit_bytes_per_s=unit.write_bytes_per_s,
            stack_fraction=unit.stack_fraction,
            label="Units for write bandwidth",
        ),
        "read bandwidth": derive(
            tier_counts.parts_for_steady_count,
            read_bytes_per_s=demand.steady_read_bytes_per_s,
            write_bytes_per_s=demand.steady_write_bytes_per_s,
            part_read_bytes_per_s=unit.read_bytes_per_s,
            part_write_bytes_per_s=unit.write_bytes_per_s,
            stack_fraction=unit.stack_fraction,
            limit_fraction=STEADY_LIMIT_FRACTION,
            label="Units for read bandwidth, steady traffic at 80 %",
        ),
        "smallest cluster": unit.least_count,
    }


def _unit_size(
    context: Context, field: str, unit: _Unit, auto: Quantity, asked: BulkTier | HotTier
) -> tuple[Quantity, Quantity]:
    """Units and usable capacity: as stated, or as many as AUTO takes."""
    units = (
        auto
        if asked.usable_bytes is not None
        else context.pick(f"{field}.unit_count", asked.unit_count, auto)
    )
    usable = derive(
        tier_capacity.usable_of_units_bytes, unit_count=units, unit_usable_bytes=unit.usable_bytes
    )
    context.auto[f"{field}.usable_bytes"] = usable
    if asked.usable_bytes is None:
        return units, usable
    fixed = derive(
        tier_counts.units_for_capacity_count,
        usable_bytes=asked.usable_bytes,
        unit_usable_bytes=unit.usable_bytes,
    )
    least = unit.least_count
    holding = derive(tier_counts.whole_count, count=fixed if fixed.number >= least.number else least)
    return (
        context.pick(f"{field}.unit_count", asked.unit_count, holding),
        stated(asked.usable_bytes, "usable_bytes", "Usable capacity"),
    )


def _unit_drives(platform: Platform, units: Quantity) -> tuple[Quantity, Quantity, Quantity]:
    """Drives of so many units, the size of one, and what they hold raw."""
    drives = derive(
        tier_counts.drives_of_units_count,
        unit_count=units,
        drives_per_unit_count=or_unknown(platform.drives_per_unit_count, "count", "Drives of a unit"),
    )
    each = or_unknown(platform.drive_bytes, "bytes", "Drive of the unit")
    return drives, each, derive(tier_capacity.raw_of_drives_bytes, drive_count=drives, drive_bytes=each)


def _of_units(units: Quantity, rate: Quantity, stack: Quantity, label: str) -> Quantity:
    return derive(
        tier_rates.units_bytes_per_s,
        unit_count=units,
        unit_bytes_per_s=rate,
        stack_fraction=stack,
        label=label,
    )


def _figure(platform: Platform, field: str, name: str, words: str, asked: BulkTier | HotTier) -> Quantity:
    """A platform's figure: the architect's own, else the catalogue's; never a guess."""
    manual: Number | None = getattr(asked, f"manual_{name}") if isinstance(asked, HotTier) else None
    if manual is not None:
        return stated(manual, name, f"{words.capitalize()} of one unit", source=f"{field}.manual_{name}")
    cell: Quantity | None = getattr(platform, "usable_bytes_per_unit" if name == "usable_bytes" else name)
    if cell is None:
        hint = (
            f"enter the vendor's figure as {field}.manual_{name}"
            if field == "storage.hot"
            else "choose another platform"
        )
        raise PlannerError(
            f"{field}.platform_id: the {words} of {platform.name} is not in the catalogue; {hint}",
            field=f"{field}.platform_id",
        )
    return cell
