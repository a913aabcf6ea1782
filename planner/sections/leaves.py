"""Leaves and spines: how many of each, which of them the targets have, and what their uplinks let through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.sections.context import Context
from planner.sections.kit import CLIENT_SIDE
from planner.sections.links import LinkGroup, cage_ports
from planner.sections.tiers import TierPlan, ports_per_unit
from planner.sizing import counts, fabric, hops, tier_counts, tier_rates

PAIR = 2.0
"""Leaves that every network has at least, so that a switch may fail."""
ONCE = given(1.0, "1", "Load of a node's ports", source="protection is made behind the network", grade="seen")


@record(frozen=True, slots=True)
class LeafKind:
    """Leaves of one kind.

    Attributes:
        count: Leaves; where clients and targets share leaves, all of them.
        port_count: Links of the endpoints that these leaves are counted for, as ports of the nodes' speed.
        down_count: Ports of a leaf to endpoints.
        up_count: Ports of a leaf to spines; 0 with one leaf pair.
    """

    count: Quantity
    port_count: Quantity
    down_count: Quantity
    up_count: Quantity


@record(frozen=True, slots=True)
class Leaves:
    """Leaves of both kinds with their spines."""

    split: bool
    client: LeafKind
    target: LeafKind
    leaf_count: Quantity
    spine_count: Quantity
    uplink_count: Quantity


@dataclass(frozen=True, slots=True)
class Sides:
    """How the ports of every machine are dealt: to side A and side B, or to rails. Each has leaves of its own.

    Attributes:
        count: Sides, or rails.
        dealt: Groups of links, that of nodes first, each with how many are on the fullest of them.
        port_bytes_per_s: The nodes' speed, at which ports are counted.
        port_per_cage_count: Ports of that speed in one cage of the switch.
        cage_count: Ports that the cages of all links could be, however fast they run: what a leaf without uplinks,
            which blocks nothing, must have.
        apart: Whether each has spines of its own, as the two fabrics of Fibre Channel have.
    """

    count: Quantity
    dealt: tuple[tuple[LinkGroup, Quantity], ...]
    port_bytes_per_s: Quantity
    port_per_cage_count: Quantity
    cage_count: Quantity
    apart: bool

    def all_count(self) -> Quantity:
        """Ports that nodes and targets take on leaves with uplinks that they share, and so cages: a faster link more."""
        return _in_cages(self.dealt, self.port_bytes_per_s, self.port_per_cage_count, "Ports on one side")

    def client_count(self) -> Quantity:
        """Ports that nodes take on leaves of their own, in whole cages."""
        return _in_cages(
            self.dealt[:1], self.port_bytes_per_s, self.port_per_cage_count, "Ports of nodes on one side"
        )

    def target_count(self) -> Quantity:
        """The same of targets."""
        return _in_cages(
            self.dealt[1:], self.port_bytes_per_s, self.port_per_cage_count, "Ports of targets on one side"
        )


def dealt_sides(
    count: Quantity,
    groups: tuple[LinkGroup, ...],
    port_bytes_per_s: Quantity,
    port_per_cage_count: Quantity,
    *,
    apart: bool,
) -> Sides:
    """How the links of nodes, which come first, and of targets are dealt to sides or rails.

    Args:
        count: Sides or rails.
        groups: Links of nodes, then those of each kind of target.
        port_bytes_per_s: The nodes' speed.
        port_per_cage_count: Ports of that speed in one cage of the switch.
        apart: Each has spines of its own as well.
    """
    dealt = tuple(
        [
            (
                group,
                derive(
                    fabric.ports_per_switch_count,
                    port_count=group.count,
                    switch_count=count,
                    label=f"Ports on one side, {group.name}",
                ),
            )
            for group in groups
        ]
    )
    taken = _in_cages(dealt, None, port_per_cage_count, "Ports on one side")
    return Sides(count, dealt, port_bytes_per_s, port_per_cage_count, taken, apart)


def _in_cages(
    dealt: Sequence[tuple[LinkGroup, Quantity]],
    port_bytes_per_s: Quantity | None,
    port_per_cage_count: Quantity,
    label: str,
) -> Quantity:
    """Ports of the nodes' speed that links take away, by bandwidth where that is given: a cage serves links of one kind."""
    shared: dict[str, list[tuple[LinkGroup, Quantity]]] = {}
    for group, count in dealt:
        # A split copper cable and an optic that is not in the catalogue share with their own group alone. Speeds are
        # not compared: a whole number taken out of one would be a case of its own in every sweep.
        optic = group.cage_optic if group.lane_count == 1 else None
        shared.setdefault(f"links {group.name}" if optic is None else optic.id, []).append((group, count))
    taken = [
        derive(
            fabric.whole_cages_port_count,
            link_count=total([count for _, count in own], "Links of one kind", unit="count"),
            lane_count=float(own[0][0].cage_lane_count),
            cage_port_count=port_per_cage_count
            if port_bytes_per_s is None
            else cage_ports(own[0][0], port_bytes_per_s, port_per_cage_count),
        )
        for own in shared.values()
    ]
    return total(taken, label, unit="count")


def _none(label: str) -> Quantity:
    return given(0.0, "count", label, source="one leaf tier", grade="seen")


def one_pair(radix: Quantity, equivalents: Sequence[Quantity], sides: Sides) -> Leaves:
    """One leaf for each side or rail, without spines."""
    pair, none = sides.count, _none("Ports of a leaf to spines")
    client = LeafKind(pair, equivalents[0], radix, none)
    target = LeafKind(pair, _targets(equivalents), radix, none)
    return Leaves(False, client, target, pair, _none("Spines"), _none("Leaf to spine links"))


def _targets(equivalents: Sequence[Quantity]) -> Quantity:
    return total(equivalents[1:], "Ports of targets, at the nodes' speed", unit="count")


def leaf_spine(context: Context, radix: Quantity, equivalents: Sequence[Quantity], sides: Sides) -> Leaves:
    """Leaves and spines; clients and targets get leaves of their own where they are not oversubscribed alike."""
    network = context.scenario.network
    of_clients, of_targets = network.client_oversubscription_ratio, network.target_oversubscription_ratio
    if of_clients == of_targets:
        return _alike(radix, equivalents, of_clients, sides)
    most = _up(radix, max(of_clients, of_targets), sides)[1]
    client = _finer(radix, most, of_clients, equivalents[0], "client", sides)
    target = _finer(radix, most, of_targets, _targets(equivalents), "target", sides)
    uplinks = total(
        [
            _uplinks(client, "Links from client leaves to spines"),
            _uplinks(target, "Links from target leaves to spines"),
        ],
        "Leaf to spine links",
        unit="count",
    )
    alike = derive(fabric.leaf_equivalent_count, uplink_count=uplinks, up_count=most)
    spines = _spines(alike, most, radix, sides)
    leaves = total([client.count, target.count], "Leaves", unit="count")
    return Leaves(True, client, target, leaves, spines, uplinks)


def _alike(radix: Quantity, equivalents: Sequence[Quantity], ratio: float, sides: Sides) -> Leaves:
    """One kind of leaf for clients and targets."""
    down, up = _up(radix, ratio, sides)
    leaves = _leaves(sides, sides.all_count(), down, "Leaves")
    client = LeafKind(leaves, equivalents[0], down, up)
    target = LeafKind(leaves, _targets(equivalents), down, up)
    spines = _spines(leaves, up, radix, sides)
    return Leaves(False, client, target, leaves, spines, _uplinks(client, "Leaf to spine links"))


def _spines(leaves: Quantity, up: Quantity, radix: Quantity, sides: Sides) -> Quantity:
    """Spines that join the leaves: two at least, so that a switch may fail, where a leaf's uplinks can be halved."""
    if sides.apart:
        each = derive(
            fabric.ports_per_switch_count,
            port_count=leaves,
            switch_count=sides.count,
            label="Leaves of a fabric",
        )
        own = derive(
            fabric.spine_count, leaf_count=each, up_count=up, radix_count=radix, label="Spines of a fabric"
        )
        return derive(counts.product_count, first_count=sides.count, second_count=own, label="Spines")
    spines = derive(fabric.spine_count, leaf_count=leaves, up_count=up, radix_count=radix)
    if spines.number == 1 and up.number % PAIR == 0:
        return given(PAIR, "count", "Spines", source="a pair, so that a switch may fail", grade="seen")
    return spines


def _up(radix: Quantity, ratio: float, sides: Sides) -> tuple[Quantity, Quantity]:
    """Ports of a leaf to endpoints and to spines."""
    down = derive(fabric.leaf_down_ports_count, radix_count=radix, oversubscription_ratio=ratio)
    up = derive(fabric.leaf_up_ports_count, radix_count=radix, down_count=down)
    if ratio == 1:
        return down, up
    up = derive(fabric.even_up_count, up_count=up, port_per_cage_count=sides.port_per_cage_count)
    return derive(
        tier_counts.remaining_count, whole_count=radix, lost_count=up, label="Leaf ports to endpoints"
    ), up


def _finer(
    radix: Quantity, most: Quantity, ratio: float, ports: Quantity, name: str, sides: Sides
) -> LeafKind:
    """Leaves of one kind beside another, with a multiple of the uplinks of the more oversubscribed one."""
    up = derive(
        fabric.finer_leaf_up_count,
        up_count=most,
        radix_count=radix,
        oversubscription_ratio=ratio,
        label=f"Ports of a {name} leaf to spines",
    )
    down = derive(
        tier_counts.remaining_count,
        whole_count=radix,
        lost_count=up,
        label=f"Ports of a {name} leaf to endpoints",
    )
    label = f"{name.capitalize()} leaves"
    each = sides.client_count() if name == "client" else sides.target_count()
    return LeafKind(_leaves(sides, each, down, label), ports, down, up)


def _leaves(sides: Sides, each: Quantity, down: Quantity, label: str) -> Quantity:
    """Leaves of all sides, each with as many as the ports of the fullest one take."""
    own = derive(fabric.leaf_count, endpoint_count=each, down_count=down, label="Leaves of one side")
    return derive(counts.product_count, first_count=sides.count, second_count=own, label=label)


def _uplinks(leaves: LeafKind, label: str) -> Quantity:
    return derive(counts.product_count, first_count=leaves.count, second_count=leaves.up_count, label=label)


# --- what they let through ----------------------------------------------------------------------------------


def client_ratio(hot: TierPlan) -> Quantity:
    """Bytes that leave a GPU node for each byte that it saves: more where it makes copies or parity itself."""
    if hot.protection_at in CLIENT_SIDE:
        return hot.protection_ratio
    return ONCE


def client_limit(
    single: bool, hot: TierPlan, made: Leaves, node_ports: Quantity, payload: Quantity, loss: Quantity
) -> Quantity:
    """What clients send or receive at most: their links together, or the uplinks of their leaves after hashing."""
    if single:
        return derive(
            hops.uplink_limit_bytes_per_s,
            uplink_count=node_ports,
            link_bytes_per_s=payload,
            loss_fraction=loss,
            leaf_fraction=1.0,
            load_ratio=client_ratio(hot),
            label="Bandwidth of the fabric",
        )
    return _leaf_limit(made.client, made.client.port_count, payload, loss, client_ratio(hot), "client leaves")


def rail_limit(
    hot: TierPlan, rail_count: Quantity, node_ports: Quantity, payload: Quantity, limit: Quantity
) -> Quantity:
    """The same where a node's own target has fewer ports than there are rails: the others do not meet it."""
    met = derive(hops.met_fraction, port_count=ports_per_unit(hot.platform), rail_count=rail_count)
    if met.number == 1:
        return limit
    ports = derive(
        hops.uplink_limit_bytes_per_s,
        uplink_count=node_ports,
        link_bytes_per_s=payload,
        loss_fraction=derive(
            hops.lost_fraction, left_fraction=met, label="Ports that do not meet their target"
        ),
        leaf_fraction=1.0,
        load_ratio=client_ratio(hot),
        label="Bandwidth of ports that meet their target",
    )
    return derive(
        tier_rates.smaller_bytes_per_s,
        first_bytes_per_s=limit,
        second_bytes_per_s=ports,
        label="Bandwidth of the fabric",
    )


def _leaf_limit(
    leaves: LeafKind, ports: Quantity, payload: Quantity, loss: Quantity, ratio: Quantity, name: str
) -> Quantity:
    share = derive(
        hops.fullest_leaf_fraction,
        link_count=ports,
        leaf_link_count=leaves.down_count,
        label=f"Links on the fullest of the {name}",
    )
    return derive(
        hops.uplink_limit_bytes_per_s,
        uplink_count=leaves.up_count,
        link_bytes_per_s=payload,
        loss_fraction=loss,
        leaf_fraction=share,
        load_ratio=ratio,
        label=f"Bandwidth of the fabric, {name}",
    )


def target_ratio(hot: TierPlan, share: Quantity) -> Quantity:
    """Bytes through the uplinks of target leaves for each client byte."""
    if hot.protection_at in CLIENT_SIDE:
        return hot.protection_ratio
    return derive(
        hops.target_uplink_ratio,
        amplification_ratio=hot.amplification_ratio,
        between_fraction=derive(hops.between_leaves_fraction, leaf_fraction=share),
    )


def fabric_limit(
    hot: TierPlan, made: Leaves, ports: Quantity, from_clients: Quantity, payload: Quantity, loss: Quantity
) -> Quantity:
    """What passes from clients to the hot tier: the uplinks of client leaves or of the leaves of its targets."""
    share = derive(hops.fullest_leaf_fraction, link_count=ports, leaf_link_count=made.target.down_count)
    limit = _leaf_limit(made.target, ports, payload, loss, target_ratio(hot, share), "target leaves")
    return derive(
        tier_rates.smaller_bytes_per_s,
        first_bytes_per_s=from_clients,
        second_bytes_per_s=limit,
        label="Bandwidth of the fabric",
    )
