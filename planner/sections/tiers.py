"""The storage tiers: what lies in each, how large it must be, and what decides that."""

from __future__ import annotations

from dataclasses import dataclass

from planner.catalogue import Drive, Platform, ProtectionScheme
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity, derive, given, largest
from planner.core.units import Number
from planner.scenario import BulkTier
from planner.sections.context import Choice, Context, or_unknown, stated
from planner.sections.jobs import JobPlan
from planner.sections.transport import TransportOption
from planner.sizing import tiers, transport

PLATFORM_OF = {
    "all-flash-array": "vast-ceres-3015",
    "software-defined": "spdk-2u24-gen5",
    "parallel-file-system": "lustre-oss-generic",
}


@dataclass(frozen=True, slots=True)
class Demand:
    """What a tier is asked for."""

    contents: dict[str, Quantity]
    content_bytes: Quantity
    write_bytes_per_s: Quantity
    read_bytes_per_s: Quantity
    steady_bytes_per_s: Quantity
    daily_write_bytes_per_day: Quantity


@dataclass(frozen=True, slots=True)
class TierPlan:
    """One tier as it is planned.

    Attributes:
        terms: Every demand in drives or units, not rounded; the largest one binds.
        term_unit: What the terms count: "drives" or "units".
        binding: Name of the term that decides; "stated" where the architect fixed the size.
        following: Name of the next one.
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
    unit_count: Quantity
    drive_count: Quantity
    drive_bytes: Quantity
    protection_ratio: Quantity
    raw_bytes: Quantity
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
        return stated(storage.guide_headroom_ratio, "headroom_ratio", "Headroom", source="the guide", grade="guide")
    return derive(tiers.reserve_of_fill_ratio, fill_limit_fraction=storage.fill_limit_fraction)


def total(items: list[Quantity], unit: str, label: str) -> Quantity:
    """Sum of quantities of one unit, kept open to its parts."""
    rule = {"bytes": tiers.sum_bytes, "bytes/s": tiers.sum_bytes_per_s, "bytes/day": tiers.sum_bytes_per_day}[unit]
    value: Quantity = items[0]
    for item in items[1:]:
        value = derive(rule, **{_ARGUMENTS[unit][0]: value, _ARGUMENTS[unit][1]: item})
    return Quantity(value.value, unit, label, value.formula, value.inputs, value.source, value.grade)


_ARGUMENTS = {
    "bytes": ("first_bytes", "second_bytes"),
    "bytes/s": ("first_bytes_per_s", "second_bytes_per_s"),
    "bytes/day": ("first_bytes_per_day", "second_bytes_per_day"),
}


def _zero(unit: str, label: str) -> Quantity:
    return given(0.0, unit, label, source="nothing of this kind", grade="input")


STEADY_LIMIT_FRACTION = 0.8
"""Steady traffic may take this share of what is provisioned: the guide, 'Monitoring and Alerting'."""


def steady_needed(demand: Demand) -> Quantity:
    """Read bandwidth to provide so that steady traffic stays within its limit."""
    return derive(
        tiers.steady_needed_bytes_per_s, steady_bytes_per_s=demand.steady_bytes_per_s,
        limit_fraction=STEADY_LIMIT_FRACTION,
    )


def burst_write(context: Context, jobs: tuple[JobPlan, ...]) -> Quantity:
    """Write bandwidth of the burst: the largest job's, or all jobs' at once."""
    needs = [job.checkpoint.required_write_bytes_per_s for job in jobs]
    if context.scenario.burst_coincidence == "all":
        return total(needs, "bytes/s", "Write bandwidth, all jobs at once")
    return max(needs, key=lambda need: need.number)


def hot_demand(context: Context, jobs: tuple[JobPlan, ...]) -> Demand:
    """What the hot tier holds and carries."""
    on_hot = context.scenario.storage.dataset_on == "hot"
    contents = {f"checkpoints of {job.name}": job.checkpoint.retained_bytes for job in jobs}
    drains = [job.checkpoint.drain_bytes_per_s for job in jobs]
    reads = list(drains)
    daily = [job.checkpoint.daily_write_bytes_per_day for job in jobs]
    steady = list(drains)
    if on_hot:
        contents |= {f"dataset of {job.name}": job.ingest.dataset_bytes for job in jobs}
        reads += [job.ingest.read_bytes_per_s for job in jobs]
        daily += [job.ingest.staging_bytes_per_day for job in jobs]
        steady = reads + [job.ingest.staging_write_bytes_per_s for job in jobs]
    return Demand(
        contents=contents,
        content_bytes=total(list(contents.values()), "bytes", "Contents of the hot tier"),
        write_bytes_per_s=burst_write(context, jobs),
        read_bytes_per_s=total(reads, "bytes/s", "Reads from the hot tier"),
        steady_bytes_per_s=total(steady, "bytes/s", "Steady traffic on the hot tier"),
        daily_write_bytes_per_day=total(daily, "bytes/day", "Daily writes to the hot tier"),
    )


def file_system_demand(context: Context, jobs: tuple[JobPlan, ...]) -> Demand | None:
    """What the file-system tier holds and carries; None if nothing lies there."""
    if context.scenario.storage.dataset_on == "hot":
        return None
    contents = {f"dataset of {job.name}": job.ingest.dataset_bytes for job in jobs}
    reads = [job.ingest.read_bytes_per_s for job in jobs]
    staged = [job.ingest.staging_write_bytes_per_s for job in jobs]
    return Demand(
        contents=contents,
        content_bytes=total(list(contents.values()), "bytes", "Contents of the file system"),
        write_bytes_per_s=total(staged, "bytes/s", "Staging, written"),
        read_bytes_per_s=total(reads, "bytes/s", "Reads by data loaders"),
        steady_bytes_per_s=total(reads + staged, "bytes/s", "Steady traffic on the file system"),
        daily_write_bytes_per_day=total(
            [job.ingest.staging_bytes_per_day for job in jobs], "bytes/day", "Daily writes to the file system"
        ),
    )


def object_demand(jobs: tuple[JobPlan, ...]) -> Demand:
    """What the object store holds and carries."""
    contents = {f"raw data of {job.name}": job.ingest.raw_dataset_bytes for job in jobs}
    contents |= {f"archived checkpoints of {job.name}": job.checkpoint.archived_bytes for job in jobs}
    drains = [job.checkpoint.drain_bytes_per_s for job in jobs]
    reads = [job.ingest.staging_read_bytes_per_s for job in jobs]
    return Demand(
        contents=contents,
        content_bytes=total(list(contents.values()), "bytes", "Contents of the object store"),
        write_bytes_per_s=total(drains, "bytes/s", "Drain from the hot tier"),
        read_bytes_per_s=total(reads, "bytes/s", "Raw data read for staging"),
        steady_bytes_per_s=total(drains + reads, "bytes/s", "Steady traffic on the object store"),
        daily_write_bytes_per_day=total(
            [derive(tiers.per_day_bytes_per_day, rate_bytes_per_s=drain) for drain in drains],
            "bytes/day", "Daily writes to the object store",
        ),
    )


def hot_tier(
    context: Context, demand: Demand, architecture: Choice, option: TransportOption
) -> TierPlan:
    """The NVMe-oF tier, with AUTO protection where none is stated.

    AUTO protection on evidence compares 8+2 with two copies over nodes and takes the one that
    needs fewer nodes, then fewer drives; on the guide's basis it is 8+2 over drives.
    """
    hot = context.scenario.storage.hot
    derived = PLATFORM_OF[architecture.value]
    platform = context.catalogue.find("platforms", hot.platform_id or derived, field="storage.hot.platform_id")
    context.auto["storage.hot.platform_id"] = Choice(
        derived, context.catalogue.find("platforms", derived, field="platform").name, f"generic kit: {architecture.label}"
    )
    stack = (
        stated(context.scenario.network.posix_stack_fraction, "stack_fraction", "Client stack, parallel file system")
        if architecture.value == "parallel-file-system"
        else option.stack_fraction
    )
    if not platform.generic:
        return unit_tier(context, "hot", "NVMe-oF hot tier", platform, demand, stack, hot)
    drive = context.catalogue.find("drives", hot.drive_id, field="storage.hot.drive_id")
    candidates = ("8+2",) if context.guide else ("2-way", "8+2")
    plans = {
        name: _pool(context, platform, drive, name, demand, stack, option)
        for name in dict.fromkeys((*candidates, hot.protection_id) if hot.protection_id else candidates)
    }
    best = min(candidates, key=lambda name: (plans[name].unit_count.number, plans[name].drive_count.number))
    context.auto["storage.hot.protection_id"] = Choice(
        best, context.catalogue.protection[best].label,
        "the guide's example" if context.guide else "fewest nodes, then fewest drives, that survive the loss of a node",
    )
    return plans[hot.protection_id or best]


def _domain(context: Context, scheme: ProtectionScheme) -> tuple[str, str]:
    hot = context.scenario.storage.hot
    domain = "drive" if context.guide or scheme.local else "node"
    context.auto["storage.hot.protection_domain"] = Choice(
        domain, domain, "the scheme works inside one node" if scheme.local else "a node may fail without loss"
    )
    chosen = hot.protection_domain or domain
    at = "controller" if chosen == "drive" else "server"
    context.auto["storage.hot.protection_at"] = Choice(at, at, "inside one node" if at == "controller" else "over nodes")
    return chosen, hot.protection_at or at


def _pool(  # noqa: PLR0913 - one argument for each choice that a pool is made of
    context: Context,
    platform: Platform,
    drive: Drive,
    protection_id: str,
    demand: Demand,
    stack: Quantity,
    option: TransportOption,
) -> TierPlan:
    storage, hot = context.scenario.storage, context.scenario.storage.hot
    scheme = context.catalogue.find("protection", protection_id, field="storage.hot.protection_id")
    domain, made_at = _domain(context, scheme)
    drive_bytes = context.pick("storage.hot.drive_bytes", hot.drive_bytes, drive.capacity_bytes)
    ratio = derive(
        tiers.protection_ratio, data_count=float(scheme.data_chunk_count), parity_count=float(scheme.parity_chunk_count)
    )
    factor = reserve(context)
    needed = derive(tiers.usable_needed_bytes, content_bytes=demand.content_bytes, reserve_ratio=factor)
    write, read = _drive_rates(drive)
    terms = {
        "capacity": derive(
            tiers.drives_for_capacity_count, usable_bytes=needed, protection_ratio=ratio, drive_bytes=drive_bytes
        ),
        "write bandwidth": derive(
            tiers.drives_for_write_count, write_bytes_per_s=demand.write_bytes_per_s,
            read_bytes_per_s=demand.read_bytes_per_s, protection_ratio=ratio, drive_write_bytes_per_s=write,
            drive_read_bytes_per_s=read, stack_fraction=stack,
        ),
        "read bandwidth": derive(
            tiers.drives_for_read_count, read_bytes_per_s=steady_needed(demand), drive_read_bytes_per_s=read,
            stack_fraction=stack,
        ),
        "endurance": derive(
            tiers.drives_for_endurance_count, daily_write_bytes_per_day=demand.daily_write_bytes_per_day,
            protection_ratio=ratio, margin_ratio=storage.endurance_margin_ratio,
            endurance_dwpd=or_unknown(drive.endurance_dwpd, "DWPD", "Drive rating"), drive_bytes=drive_bytes,
        ),
        "protection width": _width(scheme, domain),
    }
    return _finish_pool(
        context, platform, drive, scheme, (domain, made_at), demand, terms, ratio, factor, needed, drive_bytes,
        (write, read), stack, option,
    )


def _drive_rates(drive: Drive) -> tuple[Quantity, Quantity]:
    return (
        or_unknown(drive.write_bytes_per_s, "bytes/s", "Sequential write of a drive"),
        or_unknown(drive.read_bytes_per_s, "bytes/s", "Sequential read of a drive"),
    )


def _width(scheme: ProtectionScheme, domain: str) -> Quantity:
    """Domains that the scheme needs, and one more to heal itself; a scheme without redundancy needs none."""
    spare = 1 if scheme.parity_chunk_count else 0
    return given(
        float(scheme.width_count + spare), "count", f"{scheme.label} over {domain}s",
        source=f"{scheme.width_count} {domain}s" + (" and one to rebuild in" if spare else ""), grade="seen",
    )


def _finish_pool(  # noqa: PLR0913
    context: Context,
    platform: Platform,
    drive: Drive,
    scheme: ProtectionScheme,
    protection: tuple[str, str],
    demand: Demand,
    terms: dict[str, Quantity],
    ratio: Quantity,
    factor: Quantity,
    needed: Quantity,
    drive_bytes: Quantity,
    rates: tuple[Quantity, Quantity],
    stack: Quantity,
    option: TransportOption,
) -> TierPlan:
    hot = context.scenario.storage.hot
    domain, made_at = protection
    unit_write, unit_read = _unit_rates(platform, option)
    bound = derive(tiers.spread_amplification_ratio, protection_ratio=ratio) if made_at == "server" else _one_times()
    units = _units_of_pool(context, platform, demand, terms, domain, (unit_write, unit_read), bound, stack)
    drives = derive(tiers.level_drive_count, drive_count=_largest_of(terms, "drive_count"), unit_count=units)
    binding, following = largest(terms)
    if hot.usable_bytes is not None or hot.drive_count is not None or hot.unit_count is not None:
        binding, following = "stated by the architect", binding
    raw = derive(tiers.raw_of_drives_bytes, drive_count=drives, drive_bytes=drive_bytes)
    usable = derive(tiers.usable_of_drives_bytes, drive_count=drives, drive_bytes=drive_bytes, protection_ratio=ratio)
    if hot.usable_bytes is not None:
        usable = stated(hot.usable_bytes, "usable_bytes", "Usable capacity")
        raw = derive(tiers.raw_bytes, usable_bytes=usable, protection_ratio=ratio)
        drives = derive(tiers.whole_count, count=derive(
            tiers.drives_for_capacity_count, usable_bytes=usable, protection_ratio=ratio, drive_bytes=drive_bytes
        ), label="Drives")
    if hot.drive_count is not None:
        drives = stated(float(hot.drive_count), "drive_count", "Drives")
        raw = derive(tiers.raw_of_drives_bytes, drive_count=drives, drive_bytes=drive_bytes)
        usable = derive(
            tiers.usable_of_drives_bytes, drive_count=drives, drive_bytes=drive_bytes, protection_ratio=ratio
        )
    exact = (
        derive(tiers.server_side_amplification_ratio, unit_count=units, protection_ratio=ratio)
        if made_at == "server"
        else _one_times()
    )
    pool = {"unit_count": units, "drive_count": drives, "stack_fraction": stack}
    read_rate = derive(
        tiers.pool_bytes_per_s, unit_bytes_per_s=unit_read, amplification_ratio=1.0, drive_bytes_per_s=rates[1],
        protection_ratio=1.0, label="Read bandwidth of the tier", **pool,
    )
    write_rate = derive(
        tiers.pool_bytes_per_s, unit_bytes_per_s=unit_write, amplification_ratio=exact, drive_bytes_per_s=rates[0],
        protection_ratio=ratio, **pool,
    )
    return TierPlan(
        role="hot", name="NVMe-oF hot tier", platform=platform, drive=drive, scheme=scheme, domain=domain,
        protection_at=made_at, demand=demand, terms=terms, term_unit="drives", binding=binding, following=following,
        unit_count=units, drive_count=drives, drive_bytes=drive_bytes, protection_ratio=ratio, raw_bytes=raw,
        usable_bytes=usable, reserve_ratio=factor,
        safe_bytes=derive(tiers.safe_bytes, usable_bytes=usable, reserve_ratio=factor), needed_bytes=needed,
        amplification_ratio=exact, unit_write_bytes_per_s=unit_write, unit_read_bytes_per_s=unit_read,
        stack_fraction=stack, write_bytes_per_s=write_rate, read_bytes_per_s=read_rate,
        steady_fraction=derive(
            tiers.load_fraction, load_bytes_per_s=demand.steady_bytes_per_s, provisioned_bytes_per_s=read_rate
        ),
    )


def _one_times() -> Quantity:
    return given(1.0, "1", "Load of a target's ports", source="protection is made inside the node", grade="seen")


def _largest_of(terms: dict[str, Quantity], name: str) -> Quantity:
    top = largest(terms)[0]
    if not top:
        raise PlannerError("the hot tier cannot be sized: no figure of its drive is known; choose another drive",
                           field="storage.hot.drive_id")
    chosen = terms[top]
    return Quantity(chosen.value, "count", f"Drives for {top}", chosen.formula, chosen.inputs, chosen.source, chosen.grade)


def ports_per_unit(platform: Platform) -> Quantity:
    """Client ports of a unit; two where the catalogue says nothing, so that a path may fail."""
    if platform.front_end_port_count is not None:
        return platform.front_end_port_count
    return given(2.0, "count", "Ports of a unit", source="two, so that a path may fail", grade="class assumption")


def target_ports_bytes_per_s(platform: Platform, option: TransportOption) -> Quantity:
    """Payload that one target's ports carry on a transport; FC ports replace Ethernet ports one for one."""
    port = option.client_port_bytes_per_s if option.name == "fc" else (
        platform.front_end_bytes_per_s or option.client_port_bytes_per_s
    )
    return derive(
        transport.path_bytes_per_s, path_count=ports_per_unit(platform), port_bytes_per_s=port,
        wire_fraction=option.wire_fraction, label="Ports of one target",
    )


def _unit_rates(platform: Platform, option: TransportOption) -> tuple[Quantity, Quantity]:
    """What one target carries: its ports times the wire, or the platform's own figure if that is less."""
    ports = target_ports_bytes_per_s(platform, option)
    write = or_unknown(platform.write_bytes_per_s, "bytes/s", "Write rate of one unit")
    read = or_unknown(platform.read_bytes_per_s, "bytes/s", "Read rate of one unit")
    return (
        derive(tiers.smaller_bytes_per_s, first_bytes_per_s=ports, second_bytes_per_s=write, label="Write rate of one target"),
        derive(tiers.smaller_bytes_per_s, first_bytes_per_s=ports, second_bytes_per_s=read, label="Read rate of one target"),
    )


def _units_of_pool(  # noqa: PLR0913
    context: Context,
    platform: Platform,
    demand: Demand,
    terms: dict[str, Quantity],
    domain: str,
    rates: tuple[Quantity, Quantity],
    amplification: Quantity,
    stack: Quantity,
) -> Quantity:
    """Storage nodes: bays, port bandwidth, protection width and the platform's minimum."""
    hot = context.scenario.storage.hot
    bays = or_unknown(platform.drives_per_unit_count, "count", "Drive bays of a node")
    needs = {
        "bays": derive(tiers.units_for_drives_count, drive_count=_largest_of(terms, "drive_count"), bay_count=bays),
        "write bandwidth": derive(
            tiers.units_for_bandwidth_count, bandwidth_bytes_per_s=demand.write_bytes_per_s,
            unit_bytes_per_s=rates[0], stack_fraction=stack, amplification_ratio=amplification,
        ),
        "read bandwidth": derive(
            tiers.units_for_bandwidth_count, bandwidth_bytes_per_s=steady_needed(demand),
            unit_bytes_per_s=rates[1], stack_fraction=stack,
        ),
        "minimum": or_unknown(platform.min_units_count, "count", "Smallest cluster"),
    }
    if domain != "drive":
        needs["protection width"] = terms["protection width"]
    top = needs[largest(needs)[0]]
    units = derive(tiers.whole_count, count=top, label="Storage nodes")
    return context.pick("storage.hot.unit_count", hot.unit_count, units)


def unit_tier(  # noqa: PLR0913
    context: Context,
    role: str,
    name: str,
    platform: Platform,
    demand: Demand,
    stack: Quantity,
    stated_tier: BulkTier | object,
) -> TierPlan:
    """A tier in whole units of a platform, by the platform's own figures.

    Raises:
        PlannerError: A figure that the sizing needs is not in the catalogue and was not stated.
    """
    field = {"hot": "storage.hot", "file-system": "storage.file_system", "object": "storage.object_store"}[role]
    rate_write = _figure(platform, field, "write_bytes_per_s", "write rate", stated_tier)
    rate_read = _figure(platform, field, "read_bytes_per_s", "read rate", stated_tier)
    unit_usable = _figure(platform, field, "usable_bytes", "usable capacity", stated_tier)
    factor = reserve(context)
    needed = derive(tiers.usable_needed_bytes, content_bytes=demand.content_bytes, reserve_ratio=factor)
    terms = {
        "capacity": derive(tiers.units_for_capacity_count, usable_bytes=needed, unit_usable_bytes=unit_usable),
        "write bandwidth": derive(
            tiers.units_for_bandwidth_count, bandwidth_bytes_per_s=demand.write_bytes_per_s,
            unit_bytes_per_s=rate_write, stack_fraction=stack, label="Units for write bandwidth",
        ),
        "read bandwidth": derive(
            tiers.units_for_bandwidth_count, bandwidth_bytes_per_s=steady_needed(demand),
            unit_bytes_per_s=rate_read, stack_fraction=stack, label="Units for read bandwidth",
        ),
        "smallest cluster": or_unknown(platform.min_units_count, "count", "Smallest cluster"),
    }
    binding, following = largest(terms)
    units = derive(tiers.whole_count, count=terms[binding])
    manual_units = getattr(stated_tier, "unit_count", None)
    manual_usable = getattr(stated_tier, "usable_bytes", None)
    if manual_usable is not None:
        fixed = derive(
            tiers.units_for_capacity_count, usable_bytes=manual_usable, unit_usable_bytes=unit_usable
        )
        least = or_unknown(platform.min_units_count, "count", "Smallest cluster")
        units = derive(tiers.whole_count, count=fixed if fixed.number >= (least.number if least.known else 1) else least)
    units = context.pick(f"{field}.unit_count", manual_units, units)
    if manual_usable is not None or manual_units is not None:
        binding, following = "stated by the architect", binding
    usable = (
        stated(manual_usable, "usable_bytes", "Usable capacity")
        if manual_usable is not None
        else derive(tiers.usable_of_units_bytes, unit_count=units, unit_usable_bytes=unit_usable)
    )
    drives_each = or_unknown(platform.drives_per_unit_count, "count", "Drives of a unit")
    drive_bytes = or_unknown(platform.drive_bytes, "bytes", "Drive of the unit")
    drives = derive(tiers.drives_of_units_count, unit_count=units, drives_per_unit_count=drives_each)
    raw = derive(tiers.raw_of_drives_bytes, drive_count=drives, drive_bytes=drive_bytes)
    read = derive(
        tiers.units_bytes_per_s, unit_count=units, unit_bytes_per_s=rate_read, stack_fraction=stack,
        label="Read bandwidth of the tier",
    )
    return TierPlan(
        role=role, name=name, platform=platform, drive=None, scheme=None, domain="platform",
        protection_at="controller", demand=demand, terms=terms, term_unit="units", binding=binding,
        following=following, unit_count=units, drive_count=drives, drive_bytes=drive_bytes,
        protection_ratio=derive(tiers.ratio_of_capacities_ratio, raw_bytes=raw, usable_bytes=usable), raw_bytes=raw,
        usable_bytes=usable, reserve_ratio=factor,
        safe_bytes=derive(tiers.safe_bytes, usable_bytes=usable, reserve_ratio=factor), needed_bytes=needed,
        amplification_ratio=_one_times(), unit_write_bytes_per_s=rate_write, unit_read_bytes_per_s=rate_read,
        stack_fraction=stack,
        write_bytes_per_s=derive(
            tiers.units_bytes_per_s, unit_count=units, unit_bytes_per_s=rate_write, stack_fraction=stack,
            label="Write bandwidth of the tier",
        ),
        read_bytes_per_s=read,
        steady_fraction=derive(
            tiers.load_fraction, load_bytes_per_s=demand.steady_bytes_per_s, provisioned_bytes_per_s=read
        ),
    )


def _figure(platform: Platform, field: str, name: str, words: str, stated_tier: object) -> Quantity:
    """A platform's figure: the architect's own, else the catalogue's; never a guess."""
    manual: Number | None = getattr(stated_tier, f"manual_{name}", None)
    if manual is not None:
        return stated(manual, name, f"{words.capitalize()} of one unit", source=f"{field}.manual_{name}")
    cell: Quantity | None = getattr(platform, "usable_bytes_per_unit" if name == "usable_bytes" else name)
    if cell is None:
        hint = f"enter the vendor's figure as {field}.manual_{name}" if field == "storage.hot" else "choose another platform"
        raise PlannerError(
            f"{field}.platform_id: the {words} of {platform.name} is not in the catalogue; {hint}",
            field=f"{field}.platform_id",
        )
    return cell
