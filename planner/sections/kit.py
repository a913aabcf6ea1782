"""What the hot tier's pool is made of: nodes, drives and scheme, where protection is made, and what one node does."""

from __future__ import annotations

from planner.catalogue import Drive, Platform, ProtectionScheme
from planner.core.quantity import Quantity, derive, given
from planner.core.record import record
from planner.sections.context import Choice, Context, or_unknown
from planner.sections.tiers import TierPlan, one_times, target_ports_bytes_per_s
from planner.sections.transport import TransportOption
from planner.sizing import facility, tier_capacity, tier_rates

SPARES_COUNT = 1.0
"""Drives of a node that stand by for a lost one, where it makes groups of one width of its own."""
CLIENT_SIDE = ("host", "client")
"""Places of protection where parity or copies leave the GPU node and pass its ports too."""


@record(frozen=True, slots=True)
class Kit:
    """What a pool is made of, before it is known how much of it.

    Attributes:
        group_count: Drives of a group where every node makes groups of one width of its own, of which one drive
            more stands by; None where a stripe may lie on any drives.
    """

    platform: Platform
    drive: Drive
    scheme: ProtectionScheme
    domain: str
    made_at: str
    drive_bytes: Quantity
    write_bytes_per_s: Quantity
    read_bytes_per_s: Quantity
    unit_write_bytes_per_s: Quantity
    unit_read_bytes_per_s: Quantity
    protection_ratio: Quantity
    stack_fraction: Quantity
    group_count: Quantity | None


def compared(context: Context, platform: Platform) -> tuple[str, ...]:
    """Schemes that AUTO compares: a file-system server protects its own drives, a target pool its nodes."""
    if context.guide:
        return ("8+2",)
    return ("raid-z2",) if platform.category == "pfs" else ("2-way", "8+2")


def kit_of(
    context: Context,
    platform: Platform,
    drive: Drive,
    protection_id: str,
    stack: Quantity,
    option: TransportOption,
) -> Kit:
    """The kit of a platform, a drive and a scheme; where protection is made is noted as AUTO's.

    Args:
        context: Scenario and catalogue.
        platform: Storage nodes, which are no finished product.
        drive: Drives in them.
        protection_id: Scheme that protects them.
        stack: Share of the ports' rate that the client stack leaves.
        option: Transport that the nodes are reached by.

    Raises:
        PlannerError: The catalogue has no such scheme.
    """
    hot = context.scenario.storage.hot
    scheme = context.catalogue.find("protection", protection_id, field="storage.hot.protection_id")
    domain, made_at = _domain(context, scheme)
    unit_write, unit_read = unit_rates(platform, option)
    return Kit(
        platform=platform,
        drive=drive,
        scheme=scheme,
        domain=domain,
        made_at=made_at,
        drive_bytes=context.pick("storage.hot.drive_bytes", hot.drive_bytes, drive.capacity_bytes),
        write_bytes_per_s=or_unknown(drive.write_bytes_per_s, "bytes/s", "Sequential write of a drive"),
        read_bytes_per_s=or_unknown(drive.read_bytes_per_s, "bytes/s", "Sequential read of a drive"),
        unit_write_bytes_per_s=unit_write,
        unit_read_bytes_per_s=unit_read,
        protection_ratio=derive(
            tier_capacity.protection_ratio,
            data_count=float(scheme.data_chunk_count),
            parity_count=float(scheme.parity_chunk_count),
        ),
        stack_fraction=stack,
        group_count=_group(context, platform, scheme, domain, made_at),
    )


def _group(
    context: Context, platform: Platform, scheme: ProtectionScheme, domain: str, made_at: str
) -> Quantity | None:
    """Drives of a group that a node makes of its own drives; None where a stripe may lie on any.

    The guide divides raw capacity by the overhead alone, whatever the number of drives; so does its basis.
    A node with fewer bays than the scheme is wide makes one group of what it has, which the review refuses.
    """
    bays = platform.drives_per_unit_count
    if context.guide or not made_inside(domain, made_at) or scheme.data_chunk_count == 1 or bays is None:
        return None
    width = given(
        float(scheme.width_count),
        "count",
        f"Drives of a group, {scheme.label}",
        source="data and parity of the scheme",
        grade="seen",
    )
    return width if width.number <= bays.number else bays


def _domain(context: Context, scheme: ProtectionScheme) -> tuple[str, str]:
    """What may fail without loss, a drive or a node, and where protection is made."""
    hot = context.scenario.storage.hot
    domain = "drive" if context.guide or scheme.local else "node"
    context.auto["storage.hot.protection_domain"] = Choice(
        domain, domain, "the scheme works inside one node" if scheme.local else "a node may fail without loss"
    )
    chosen = hot.protection_domain or domain
    at = "controller" if chosen == "drive" else "server"
    context.auto["storage.hot.protection_at"] = Choice(
        at, at, "inside one node" if at == "controller" else "over nodes"
    )
    return chosen, hot.protection_at or at


def unit_rates(platform: Platform, option: TransportOption) -> tuple[Quantity, Quantity]:
    """Write and read rate of one target.

    A software target's own figures are its ports' already, with losses in them: the ports are taken,
    so that no efficiency counts twice. A file-system server is as fast as its own figure, or its ports.
    """
    ports = target_ports_bytes_per_s(platform, option)
    if platform.category == "software-defined":
        return ports, ports
    write = or_unknown(platform.write_bytes_per_s, "bytes/s", "Write rate of one unit")
    read = or_unknown(platform.read_bytes_per_s, "bytes/s", "Read rate of one unit")
    return (
        derive(
            tier_rates.smaller_bytes_per_s,
            first_bytes_per_s=ports,
            second_bytes_per_s=write,
            label="Write rate of one target",
        ),
        derive(
            tier_rates.smaller_bytes_per_s,
            first_bytes_per_s=ports,
            second_bytes_per_s=read,
            label="Read rate of one target",
        ),
    )


def width_of(kit: Kit) -> Quantity:
    """Domains that the scheme needs, and one more to heal itself; a scheme without redundancy needs none."""
    scheme, domains = kit.scheme, f"{kit.domain}s"
    spare = 1 if scheme.parity_chunk_count else 0
    return given(
        float(scheme.width_count + spare),
        "count",
        f"{scheme.label} over {domains}",
        source=f"{scheme.width_count} {domains}" + (" and one to rebuild in" if spare else ""),
        grade="seen",
    )


def made_inside(domain: str, made_at: str) -> bool:
    """Whether every node protects its own drives by itself: a stripe does not leave it."""
    return domain == "drive" and made_at == "controller"


def domains_of_a_stripe(tier: TierPlan) -> Quantity:
    """Domains that a stripe may lie on: drives or nodes of the tier; those of one node where it does not leave it.

    Racks count as nodes where it is not known how many there are; drives of a node are an average.
    """
    if tier.domain != "drive":
        return tier.unit_count
    if not made_inside(tier.domain, tier.protection_at):
        return tier.drive_count
    return derive(facility.drives_per_node_count, drive_count=tier.drive_count, unit_count=tier.unit_count)


def width_inside(kit: Kit) -> Quantity:
    """Drives that the scheme needs in one node, and one more to heal itself; never more than the node has bays."""
    width, bays = width_of(kit), kit.platform.drives_per_unit_count
    return width if bays is None or width.number <= bays.number else bays


def amplification_of(kit: Kit, units: Quantity | None) -> Quantity:
    """Bytes through the targets' ports for each client byte, by where protection is made.

    Before the number of nodes is known the bound for many nodes is taken.
    """
    if kit.made_at in CLIENT_SIDE:
        return kit.protection_ratio
    if kit.made_at == "controller":
        return one_times()
    if units is None:
        return derive(tier_rates.spread_amplification_ratio, protection_ratio=kit.protection_ratio)
    return derive(
        tier_rates.server_side_amplification_ratio, unit_count=units, protection_ratio=kit.protection_ratio
    )
