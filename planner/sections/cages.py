"""Optics in split cages of switches: how many there are, and for which links."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.catalogue import Optic
from planner.core.quantity import Quantity, derive, total
from planner.sections.leaves import PAIR
from planner.sections.links import NODES, UPLINKS, LinkGroup, gbps_text
from planner.sections.network import NetworkPlan
from planner.sizing import counts, fabric, racks, tier_counts


@dataclass(slots=True)
class CageOptics:
    """Optics of one kind in cages of one kind of switch; each serves several links of one speed.

    Treated as immutable; not a frozen dataclass because every calculation makes some of them.

    Attributes:
        lane_count: Links that one of them serves.
        names: Groups of links that they are for: one optic may serve links of several groups.
        on_spines: Whether the cages are those of spines.
        count: Optics in all of these switches.
    """

    optic: Optic
    speed_bytes_per_s: Quantity
    lane_count: int
    names: tuple[str, ...]
    on_spines: bool
    count: Quantity


def cage_optics(network: NetworkPlan) -> tuple[CageOptics, ...]:
    """Every kind of optic in split cages, with its number: a cage serves links of one speed."""
    found = []
    for groups in sharing(network, network.links):
        first, names = groups[0], tuple([group.name for group in groups])
        optic, lanes, speed = first.cage_optic, float(first.cage_lane_count), first.speed_bytes_per_s
        assert optic is not None  # it is what they are gathered by
        places: tuple[tuple[bool, Quantity], ...]
        if first.name == UPLINKS:  # spread evenly over the switches of each kind
            places = (
                (False, uplink_parts(network, first, lanes)),
                (
                    True,
                    derive(
                        racks.breakout_cables_count,
                        link_count=first.count,
                        leaf_count=network.spine_count,
                        lane_count=lanes,
                    ),
                ),
            )
        else:  # ports of a machine take turns on the two sides
            places = ((False, sided_parts(network, groups, lanes)),)
        for on_spines, count in places:
            found.append(CageOptics(optic, speed, first.cage_lane_count, names, on_spines, count))
    return tuple(found)


def sharing(network: NetworkPlan, groups: Iterable[LinkGroup]) -> list[list[LinkGroup]]:
    """Groups of links in split cages, those together that share optics: of one kind, on leaves that both go to."""
    found: dict[tuple[str, str], list[LinkGroup]] = {}
    for group in groups:
        if group.cage_optic is not None:
            found.setdefault((group.cage_optic.id, _kind(network, group)), []).append(group)
    return list(found.values())


def uplink_parts(network: NetworkPlan, uplinks: LinkGroup, lane_count: float, label: str = "") -> Quantity:
    """Parts at the leaves that serve several uplinks of one leaf; leaves of targets may have more than others."""
    kinds = (network.client_leaves, network.target_leaves)
    spread = (
        [
            (derive(counts.product_count, first_count=kind.count, second_count=kind.up_count), kind.count)
            for kind in kinds
        ]
        if network.leaves_split
        else [(uplinks.count, network.leaf_count)]
    )
    return total(
        [
            derive(racks.breakout_cables_count, link_count=links, leaf_count=leaves, lane_count=lane_count)
            for links, leaves in spread
        ],
        label or "Parts at the leaves",
        unit="count",
    )


def sided_parts(
    network: NetworkPlan, groups: Sequence[LinkGroup], lane_count: float, label: str = ""
) -> Quantity:
    """Parts that serve several links of some groups, each of them on one leaf of one side, or of one rail."""
    if network.side_count.number != PAIR:
        return derive(
            racks.dealt_parts_count,
            link_count=total([group.count for group in groups], "Links", unit="count"),
            side_count=network.side_count,
            lane_count=lane_count,
            label=label,
        )
    first = [
        derive(
            fabric.ports_per_switch_count, port_count=group.count, switch_count=PAIR, label="Links of side A"
        )
        for group in groups
    ]
    second = [
        derive(tier_counts.remaining_count, whole_count=group.count, lost_count=half, label="Links of side B")
        for group, half in zip(groups, first, strict=True)
    ]
    return derive(
        racks.sided_parts_count,
        first_count=total(first, "Links of side A", unit="count"),
        second_count=total(second, "Links of side B", unit="count"),
        lane_count=lane_count,
        label=label,
    )


def _kind(network: NetworkPlan, group: LinkGroup) -> str:
    """Which switches the links of a group go to: cages are shared on those alone."""
    if group.name == UPLINKS:
        return UPLINKS
    if not network.leaves_split:
        return ""
    return "client" if group.name == NODES else "target"


@functools.cache
def _words(kind: str, speed_bytes_per_s: float) -> str:
    return f"{kind}, {gbps_text(speed_bytes_per_s)}"


def optic_words(optic: Optic) -> str:
    """An optic by type and speed: "SR4, 200 Gb/s"."""
    rate = optic.speed_bytes_per_s
    return optic.type if rate is None else _words(optic.type, rate.number)


@functools.cache
def _split(kind: str, speed_bytes_per_s: float, lane_count: int, lane_bytes_per_s: float) -> str:
    return f"{_words(kind, speed_bytes_per_s)} in {lane_count} × {gbps_text(lane_bytes_per_s)}"


def split_words(cages: CageOptics) -> str:
    """The same of one in a split cage: "SR8 / 2xSR4, 800 Gb/s in 2 × 400 Gb/s"."""
    optic = cages.optic
    rate, each = optic.speed_bytes_per_s, optic.breakout_bytes_per_s
    assert rate is not None  # it was chosen by both
    assert each is not None
    return _split(optic.type, rate.number, cages.lane_count, each.number)
