"""Lines of what does the work: storage nodes and drives, cards, switches, optics and cables."""

from __future__ import annotations

from collections.abc import Iterator

from planner.bom.lines import NOT_PRICED, BomLine, line_of, price_of
from planner.catalogue import Nic, Optic
from planner.core.quantity import Quantity, derive, total
from planner.core.units import BITS_PER_BYTE, GIGA, TB, scalar
from planner.sections.context import Context, or_unknown
from planner.sections.cost import HARD_DISKS
from planner.sections.facility import FacilityPlan, PowerRow
from planner.sections.links import FC_ADAPTER, LinkGroup, card_of
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan, metadata_name, ports_per_unit
from planner.sizing import cost, racks

NETWORK = "Network"


def bill_of_materials(
    context: Context, tiers: tuple[TierPlan, ...], network: NetworkPlan, facility: FacilityPlan
) -> tuple[BomLine, ...]:
    """Every line of equipment, tier by tier, then the network."""
    rows = {row.name: row for row in facility.rows}
    fibre_channel = network.transport.value == "fc"
    lines: list[BomLine] = []
    for tier in tiers:
        lines.extend(_tier_lines(context, tier, rows[tier.name], fibre_channel=fibre_channel))
        metadata = tier.platform.metadata_units_count
        if metadata is not None:
            lines.extend(
                _metadata_lines(
                    context, tier, metadata, rows[metadata_name(tier)], fibre_channel=fibre_channel
                )
            )
    lines.extend(_network_lines(context, network, rows["Switches"]))
    return tuple(lines)


def _server_line(
    context: Context, tier: TierPlan, count: Quantity, row: PowerRow, words: tuple[str, str]
) -> BomLine:
    """The servers of a tier, which have drives in them where the platform is no generic kit."""
    name, cause = words
    platform = tier.platform
    return line_of(
        tier.name,
        platform.id,
        name + (", without drives" if platform.generic else ""),
        count,
        cause=cause,
        price=price_of(context, "servers" if platform.generic else "platforms", platform.id),
        watts=row.typical_w,
        units=row.rack_units_ru,
        kind="node",
        maker="" if platform.vendor == "generic" else platform.vendor,
    )


def _tier_lines(context: Context, tier: TierPlan, row: PowerRow, *, fibre_channel: bool) -> Iterator[BomLine]:
    cause = f"{tier.unit_binding} of the {tier.name}"
    yield _server_line(context, tier, tier.unit_count, row, (tier.platform.name, cause))
    if not (tier.platform.generic or tier.drive):
        return
    yield _drive_line(context, tier, tier.drive_count, f"{tier.binding} of the {tier.name}")
    card = card_of(context, tier, fibre_channel=fibre_channel)
    yield _card_line(context, tier, tier.unit_count, card, f"ports of the {tier.name}")


def _metadata_lines(
    context: Context, tier: TierPlan, count: Quantity, row: PowerRow, *, fibre_channel: bool
) -> Iterator[BomLine]:
    """Metadata servers: machines of the same kind with few drives, in a pair that takes over for each other."""
    cause = f"metadata of the {tier.name}"
    name = f"Metadata server, hardware of {tier.platform.name}"
    yield _server_line(context, tier, count, row, (name, cause))
    share = context.catalogue.assumptions["metadata-share"].typical
    drives = derive(
        racks.metadata_drive_count,
        usable_bytes=tier.usable_bytes,
        metadata_fraction=or_unknown(share, "fraction", "Metadata"),
        drive_bytes=tier.drive_bytes,
        unit_count=count,
    )
    yield _drive_line(context, tier, drives, cause, of=", for metadata")
    card = card_of(context, tier, fibre_channel=fibre_channel)
    yield _card_line(
        context, tier, count, card, f"ports of the metadata servers, {tier.name}", of=", for metadata"
    )


def _drive_line(context: Context, tier: TierPlan, count: Quantity, cause: str, *, of: str = "") -> BomLine:
    drive, disks = tier.drive, tier.platform.id == HARD_DISKS
    kind = drive.name if drive else "hard disk" if disks else "enterprise NVMe"
    terabytes = tier.drive_bytes.number / TB
    return line_of(
        tier.name,
        drive.id if drive else f"{tier.platform.id}-drive",
        f"{kind}, {tier.drive_bytes.text()}{of}",
        count,
        cause=cause,
        price=price_of(
            context, "hdds" if disks else "drives", drive.id if drive else "", terabytes=terabytes
        ),
        kind="drive",
        maker=drive.vendor if drive else "",
    )


def _card_line(
    context: Context, tier: TierPlan, count: Quantity, card: Nic, cause: str, *, of: str = ""
) -> BomLine:
    return line_of(
        tier.name,
        card.id,
        f"{card.name}{of}",
        derive(
            cost.cards_count,
            unit_count=count,
            port_count=ports_per_unit(tier.platform),
            ports_per_card_count=card.port_count,
        ),
        cause=cause,
        price=price_of(context, "nics", card.id),
        kind="nic",
        maker=card.vendor,
    )


def _network_lines(context: Context, network: NetworkPlan, row: PowerRow) -> Iterator[BomLine]:
    switch = network.switch
    yield line_of(
        NETWORK,
        switch.id,
        switch.name,
        network.switch_count,
        cause=network.topology.reason,
        price=price_of(context, "switches", switch.id),
        watts=row.typical_w,
        units=row.rack_units_ru,
        kind="switch",
        maker=switch.vendor,
    )
    if network.transport.value == "fc":
        yield _adapter_line(context, network)
    for group in network.links:
        yield _ends_line(context, network, group)
    for trunk, groups in _trunks(network).items():
        yield line_of(
            NETWORK,
            trunk,
            "fibre trunk, one a link",
            total([group.count for group in groups], "Cables", unit="count"),
            cause="one for each link",
            price=price_of(context, "optics", trunk),
            kind="cable",
        )


def _adapter_line(context: Context, network: NetworkPlan) -> BomLine:
    adapter = context.catalogue.nics[FC_ADAPTER]
    node_count = scalar(context.scenario.cluster.node_count)
    return line_of(
        NETWORK,
        adapter.id,
        f"{adapter.name}, for GPU nodes",
        derive(
            cost.cards_count,
            unit_count=node_count,
            port_count=network.node_port_count.number / node_count,
            ports_per_card_count=adapter.port_count,
        ),
        cause="ports of GPU nodes",
        price=price_of(context, "nics", adapter.id),
        kind="nic",
        maker=adapter.vendor,
    )


def speed_text(group: LinkGroup) -> str:
    """Speed of a group's links, as optics are named."""
    return f"{group.speed_bytes_per_s.number * BITS_PER_BYTE / GIGA:.0f} Gb/s"


def _ends_line(context: Context, network: NetworkPlan, group: LinkGroup) -> BomLine:
    """An optic at both ends of every link, or a copper cable; form factors follow the cages at each end."""
    optic, speed = group.optic, speed_text(group)
    price = price_of(context, "optics", optic.id) if optic else NOT_PRICED
    if optic is not None and group.copper:
        split = f", split into {group.lane_count}" if group.lane_count > 1 else ""
        return line_of(
            NETWORK,
            optic.id,
            f"{optic.type} cable, {speed}{split}",
            derive(
                racks.breakout_cables_count,
                link_count=group.count,
                leaf_count=network.leaf_count,
                lane_count=scalar(group.lane_count),
                label=f"Copper cables, {group.name}",
            ),
            cause=f"links within the rack: {group.name}",
            price=price,
            kind="cable",
        )
    return line_of(
        NETWORK,
        optic.id if optic else "optic",
        f"{optic.type} optic, {speed}" if optic else f"optic, {speed}",
        derive(cost.optic_ends_count, link_count=group.count, label=f"Optics, {group.name}"),
        cause=f"both ends of the links: {group.name}",
        price=price,
        kind="optic",
    )


def trunk_of(optic: Optic | None) -> str:
    """The fibre between two optics: multimode or single-mode, many fibres or two."""
    if optic is None or "SMF" not in optic.media:
        return "trunk-om4-mtp12"
    return "patch-os2-lc" if "LC" in optic.media else "trunk-os2-mtp12"


def _trunks(network: NetworkPlan) -> dict[str, list[LinkGroup]]:
    """Groups of links by the fibre that connects them; those over copper need none."""
    found: dict[str, list[LinkGroup]] = {}
    for group in network.links:
        if not group.copper:
            found.setdefault(trunk_of(group.optic), []).append(group)
    return found
