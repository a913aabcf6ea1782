"""What the hot tier's pool is made of: nodes, drives and scheme, where protection is made, and what one node does."""

from __future__ import annotations

from planner.catalogue import Drive, Platform, ProtectionScheme
from planner.core.quantity import Quantity, derive, given
from planner.core.record import record
from planner.sections.context import Choice, Context, or_unknown
from planner.sections.tiers import TierPlan, one_times, target_ports_bytes_per_s
from planner.sections.transport import TransportOption
from planner.sizing import facility, tier_capacity, tier_counts, tier_rates

SPARES_COUNT = 1.0
"""Drives of a node that stand by for a lost one, where it makes groups of one width of its own."""
CLIENT_SIDE = ("host", "client")
"""Places of protection where parity or copies leave the GPU node and pass its ports too."""


@record(frozen=True, slots=True)
class Kit:
    """What a pool is made of, before it is known how much of it.

    Attributes:
        group_width_count: Drives of a group where every node makes groups of one width of its own, beside which AUTO
            has one drive stand by; None where a stripe may lie on any drives.
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
    group_width_count: Quantity | None


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
        group_width_count=_group(context, platform, scheme, inside=made_inside(domain, made_at)),
    )


def in_groups(context: Context, platform: Platform, scheme: ProtectionScheme, *, inside: bool) -> bool:
    """Whether nodes make groups of one width, so that drives that fill none stand by; elsewhere all hold data.

    The guide divides raw capacity by the overhead alone, whatever the number of drives; so does its basis.
    How many groups go into a node is not known where its bays are not.

    Args:
        context: Scenario and catalogue.
        platform: Storage nodes.
        scheme: Scheme that protects them.
        inside: Whether every node protects its own drives by itself.
    """
    return (
        not context.guide
        and inside
        and scheme.data_chunk_count > 1
        and platform.drives_per_unit_count is not None
    )


def _group(
    context: Context, platform: Platform, scheme: ProtectionScheme, *, inside: bool
) -> Quantity | None:
    """Drives of a group that a node makes of its own drives; None where a stripe may lie on any.

    A node with fewer bays than the scheme is wide makes one group of what it has, which the review refuses.
    """
    bays = platform.drives_per_unit_count
    if bays is None or not in_groups(context, platform, scheme, inside=inside):
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


def domains_of(tier: TierPlan) -> Quantity:
    """Domains that the tier has: drives, or nodes; a rack counts as a node here, which knows of no racks."""
    return tier.drive_count if tier.domain == "drive" else tier.unit_count


def drives_of_a_node(tier: TierPlan) -> Quantity:
    """Drives of a node of the tier, on average."""
    return derive(facility.drives_per_node_count, drive_count=tier.drive_count, unit_count=tier.unit_count)


def domains_of_a_stripe(tier: TierPlan) -> Quantity:
    """Domains that a stripe may lie on: those of the tier, or the drives of one node where it does not leave it."""
    inside = made_inside(tier.domain, tier.protection_at)
    return drives_of_a_node(tier) if inside else domains_of(tier)


def width_inside(kit: Kit) -> Quantity:
    """Drives that the scheme needs in one node, and one more to heal itself; never more than the node has bays."""
    width, bays = width_of(kit), kit.platform.drives_per_unit_count
    return width if bays is None or width.number <= bays.number else bays


def level_drives(of: Kit | TierPlan, asked: Quantity, units: Quantity) -> Quantity:
    """Drives that hold what is asked for, as many in every node: in whole groups where nodes make groups.

    Args:
        of: What the nodes are made of.
        asked: Drives that have to hold data, not rounded.
        units: Nodes that they are spread over.
    """
    if of.group_width_count is None or of.scheme is None:
        return derive(tier_counts.level_drive_count, drive_count=asked, unit_count=units)
    return derive(
        tier_counts.drives_of_groups_count,
        drive_count=asked,
        unit_count=units,
        width_count=of.group_width_count,
        spare_count=SPARES_COUNT if of.scheme.parity_chunk_count else 0.0,
        bay_count=or_unknown(of.platform.drives_per_unit_count, "count", "Drive bays of a node"),
    )


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
