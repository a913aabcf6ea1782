"""Lines of what does the work: storage nodes and drives, cards, switches, optics and cables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from planner.bom.lines import NOT_PRICED, BomLine, Price, line_of, price_of
from planner.catalogue import Nic, Optic
from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import TB, scalar
from planner.sections.cages import CageOptics, cage_optics, sharing, sided_parts, uplink_parts
from planner.sections.context import Context
from planner.sections.cost import HARD_DISKS
from planner.sections.facility import FacilityPlan, PowerRow
from planner.sections.links import FC_ADAPTER, UPLINKS, LinkGroup, card_of, gbps_text, speed_text
from planner.sections.network import NetworkPlan
from planner.sections.san import san_plan
from planner.sections.tiers import TierPlan, metadata_drives, metadata_name, ports_per_unit
from planner.sizing import cost

NETWORK = "Network"
ALL_LICENSED = "all ports licensed"
"""Words of a price of a Fibre Channel switch that has its licences in it."""


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
    usable = platform.usable_bytes_per_unit
    price = (
        price_of(context, "servers", platform.id)
        if platform.generic
        else price_of(
            context, "platforms", platform.id, terabytes=None if usable is None else usable.number / TB
        )
    )
    return line_of(
        tier.name,
        platform.id,
        name + (", without drives" if platform.generic else ""),
        count,
        cause=cause,
        price=price,
        watts=row.typical_w,
        units=row.rack_units_ru,
        kind="node",
        maker="" if platform.generic else platform.vendor,  # of generic kit that is the software's
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
    drives = metadata_drives(context, tier, count)
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
        yield from _licence_lines(context, network)
        yield _adapter_line(context, network)
    for group in network.links:
        if not (group.name == UPLINKS and group.cage_optic is not None):
            yield _ends_line(context, network, group)
    for cages in cage_optics(network):
        yield _cages_line(context, network, cages)
    for (fibre, legs), groups in _fibres(network).items():
        yield line_of(
            NETWORK,
            fibre,
            f"{fibre_words(fibre, legs)}, one for {'each link' if legs == 1 else f'{legs} links'}",
            total(_fibre_counts(network, groups, legs), "Cables", unit="count"),
            cause="one for each link" if legs == 1 else f"one for {legs} links",
            price=price_of(context, "optics", fibre),
            kind="cable",
        )


def _licence_lines(context: Context, network: NetworkPlan) -> Iterator[BomLine]:
    """Port licences of Fibre Channel switches: how many, none if all ports come licensed, unknown if no one says."""
    san = san_plan(network)
    if san is None or san.licence_count.number == 0:
        return
    switch, pack, ports = network.switch, san.pack_port_count, san.edge_port_count
    words = (
        f"of {pack} ports, {switch.model}" if pack.known else f"for {switch.model}, as its maker counts them"
    )
    included = (
        f", {san.included_count} come licensed" if pack.known else "; what comes licensed is not published"
    )
    core = f", {san.core_port_count} of a core switch" if network.spine_count.number else ""
    yield line_of(
        NETWORK,
        f"{switch.id}-port-licence",
        f"port licence {words}",
        san.licence_count,
        cause=f"{ports} ports in use of a switch{core}{included}",
        price=_licence_price(context, switch.id),
        maker=switch.vendor,
    )


def _licence_price(context: Context, switch_id: str) -> Price:
    """Price of a licence: its own, or nothing where the switch is priced with all ports licensed."""
    whole = price_of(context, "switches", switch_id)
    if ALL_LICENSED not in whole.item:
        return price_of(context, "licences", f"{switch_id}-port-licence")
    free = given(
        0.0, "USD", "Unit price", source=f"in the price of the switch: {whole.item}", grade=whole.grade
    )
    return replace(whole, low=free, high=free)


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


def _ends_line(context: Context, network: NetworkPlan, group: LinkGroup) -> BomLine:
    """An optic at both ends of every link, or a copper cable; form factors follow the cages at each end."""
    optic, speed = group.optic, speed_text(group)
    price = price_of(context, "optics", optic.id) if optic else NOT_PRICED
    if optic is not None and group.copper:
        whole = optic.speed_bytes_per_s or network.switch.port_bytes_per_s
        words = (
            f"{gbps_text(whole.number)} to {group.lane_count} × {speed}" if group.lane_count > 1 else speed
        )
        return line_of(
            NETWORK,
            optic.id,
            f"{optic.type} cable, {words}",
            _copper_count(network, group),
            cause=f"links within the rack: {group.name}",
            price=price,
            kind="cable",
        )
    return line_of(
        NETWORK,
        optic.id if optic else "optic",
        _end_words(group),
        group.count
        if group.cage_optic
        else derive(cost.optic_ends_count, link_count=group.count, label=f"Optics, {group.name}"),
        cause=f"{'far' if group.cage_optic else 'both'} ends of the links: {group.name}",
        price=price,
        kind="optic",
    )


def _copper_count(network: NetworkPlan, group: LinkGroup) -> Quantity:
    """Copper cables of a group, each of them in one cage of one leaf."""
    return sided_parts(network, (group,), scalar(group.lane_count), label=f"Copper cables, {group.name}")


def _end_words(group: LinkGroup) -> str:
    """An optic by type and speed, and the speed of the links where they are slower than it is."""
    speed, optic = speed_text(group), group.optic
    if optic is None:
        return f"optic, {speed}"
    rate = optic.speed_bytes_per_s
    own = speed if rate is None or group.cage_optic is None else gbps_text(rate.number)
    return f"{optic.type} optic, {own}" + (f", run at {speed}" if own != speed else "")


def _cages_line(context: Context, network: NetworkPlan, cages: CageOptics) -> BomLine:
    """The optics in split cages: one for as many links as a cage serves."""
    optic, where = cages.optic, "spines" if cages.on_spines else "leaves"
    rate = optic.speed_bytes_per_s or network.switch.port_bytes_per_s
    each = optic.breakout_bytes_per_s or cages.speed_bytes_per_s
    return line_of(
        NETWORK,
        optic.id,
        f"{optic.type} optic, {gbps_text(rate.number)}, for {cages.lane_count} × {gbps_text(each.number)}",
        cages.count,
        cause=f"split cages of {where}: {'; '.join(cages.names)}",
        price=price_of(context, "optics", optic.id),
        kind="optic",
    )


STRAIGHT = ("trunk-om4-mtp12", "trunk-os2-mtp12", "patch-om4-lc", "patch-os2-lc")
"""Fibres that are not split."""
_ENDS = re.compile(r"(?<=mtp)[0-9]+|[0-9]xlc")


def trunk_of(optic: Optic | None) -> str:
    """The fibre between two optics: multimode or single-mode, many fibres or two."""
    if optic is None or "SMF" not in optic.media:
        return "patch-om4-lc" if optic is not None and "LC" in optic.media else "trunk-om4-mtp12"
    return "patch-os2-lc" if "LC" in optic.media else "trunk-os2-mtp12"


def fibre_words(part_id: str, legs: int) -> str:
    """A fibre by its form and mode: "fibre splitter 1:2, MTP-12, multimode OM4".

    What is a trunk stays one where it serves several links, as between two split cages.
    """
    mode = "single-mode" if "os2" in part_id else "multimode OM4"
    if part_id in STRAIGHT:
        return f"fibre {'patch' if 'patch' in part_id else 'trunk'}, {mode}"
    ends = [("LC" if "lc" in end else f"MTP-{end}") for end in _ENDS.findall(part_id)]
    plugs = " to ".join(dict.fromkeys(ends)) or part_id
    return f"fibre splitter 1:{legs}, {plugs}, {mode}"


def fibre_of(group: LinkGroup) -> str:
    """Part id of the fibre of a group's links: split where it serves several of them, else a trunk or a patch."""
    return group.fibre.id if group.fibre is not None and group.name != UPLINKS else trunk_of(group.optic)


def legs_of(group: LinkGroup) -> int:
    """Links of a group that one fibre serves: those between two split cages need none that is split."""
    return (group.fibre.breakout_count or 1) if group.fibre is not None else 1


def _fibre_counts(network: NetworkPlan, groups: list[LinkGroup], legs: int) -> list[Quantity]:
    """Fibres for links of one kind: one for each, or for as many as one serves out of the cages of a leaf."""
    if legs == 1:
        return [group.count for group in groups]
    return [
        uplink_parts(network, own[0], float(legs), f"Fibres, {UPLINKS}")
        if own[0].name == UPLINKS
        else sided_parts(network, own, float(legs), f"Fibres, {'; '.join([group.name for group in own])}")
        for own in sharing(network, groups)
    ]


def _fibres(network: NetworkPlan) -> dict[tuple[str, int], list[LinkGroup]]:
    """Groups of links by the fibre that connects them and how many of them it serves; copper needs none."""
    found: dict[tuple[str, int], list[LinkGroup]] = {}
    for group in network.links:
        if not group.copper:
            found.setdefault((fibre_of(group), legs_of(group)), []).append(group)
    return found
