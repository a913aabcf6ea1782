"""Leaves and spines: how many of each, which of them the targets have, and what their uplinks let through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.sections.context import Context
from planner.sections.links import LinkGroup, port_equivalents
from planner.sections.pool import CLIENT_SIDE
from planner.sections.tiers import TierPlan, ports_per_unit
from planner.sizing import fabric, hops, local, tier_counts, tier_rates

PAIR = 2.0
"""Leaves that every network has at least, so that a switch may fail."""
ONCE = given(1.0, "1", "Load of a node's ports", source="protection is made behind the network", grade="seen")


@record(frozen=True, slots=True)
class LeafKind:
    """Leaves of one kind.

    Attributes:
        count: Leaves; where clients and targets share leaves, all of them.
        port_count: Links of the endpoints that these leaves are counted for, as ports of the endpoints' speed.
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
class Rails:
    """Leaves of its own for each storage port of a node, or for each of two fabrics that nothing joins.

    Attributes:
        count: Rails, or fabrics.
        client_count: Ports of nodes on one of them, at the endpoints' speed.
        target_count: Ports of targets on the fullest of them.
        apart: Whether each has spines of its own.
    """

    count: Quantity
    client_count: Quantity
    target_count: Quantity
    apart: bool = False


def rails_of(
    count: Quantity, groups: tuple[LinkGroup, ...], port_bytes_per_s: Quantity, *, apart: bool = False
) -> Rails:
    """How the links of nodes, which come first, and of targets are dealt to rails.

    Args:
        count: Rails.
        groups: Links of nodes, then those of each kind of target.
        port_bytes_per_s: Speed of the endpoints.
        apart: Each has spines of its own as well.
    """

    def on_one(group: LinkGroup) -> Quantity:
        links = derive(
            fabric.ports_per_switch_count,
            port_count=group.count,
            switch_count=count,
            label=f"Ports on a rail, {group.name}",
        )
        return port_equivalents(replace(group, count=links), port_bytes_per_s)

    nodes, *targets = [on_one(group) for group in groups]
    return Rails(count, nodes, total(targets, "Ports of targets on a rail", unit="count"), apart)


def _pair() -> Quantity:
    return given(PAIR, "count", "Leaves", source="a pair, so that a switch may fail", grade="seen")


def _none(label: str) -> Quantity:
    return given(0.0, "count", label, source="one leaf tier", grade="seen")


def one_pair(radix: Quantity, equivalents: Sequence[Quantity], rails: Rails | None = None) -> Leaves:
    """One pair of leaves for all, or one leaf for each rail, without spines."""
    pair, none = _pair() if rails is None else rails.count, _none("Ports of a leaf to spines")
    client = LeafKind(pair, equivalents[0], radix, none)
    target = LeafKind(pair, _targets(equivalents), radix, none)
    return Leaves(False, client, target, pair, _none("Spines"), _none("Leaf to spine links"))


def _targets(equivalents: Sequence[Quantity]) -> Quantity:
    return total(equivalents[1:], "Ports of targets, at the endpoints' speed", unit="count")


def leaf_spine(
    context: Context, radix: Quantity, equivalents: Sequence[Quantity], rails: Rails | None = None
) -> Leaves:
    """Leaves and spines; clients and targets get leaves of their own where they are not oversubscribed alike."""
    network = context.scenario.network
    of_clients, of_targets = network.client_oversubscription_ratio, network.target_oversubscription_ratio
    if of_clients == of_targets:
        return _alike(radix, equivalents, of_clients, rails)
    most = _up(radix, max(of_clients, of_targets))[1]
    client = _finer(radix, most, of_clients, equivalents[0], "client", rails)
    target = _finer(radix, most, of_targets, _targets(equivalents), "target", rails)
    uplinks = total(
        [
            _uplinks(client, "Links from client leaves to spines"),
            _uplinks(target, "Links from target leaves to spines"),
        ],
        "Leaf to spine links",
        unit="count",
    )
    alike = derive(fabric.leaf_equivalent_count, uplink_count=uplinks, up_count=most)
    spines = _spines(alike, most, radix, rails)
    leaves = total([client.count, target.count], "Leaves", unit="count")
    return Leaves(True, client, target, leaves, spines, uplinks)


def _alike(radix: Quantity, equivalents: Sequence[Quantity], ratio: float, rails: Rails | None) -> Leaves:
    """One kind of leaf for clients and targets."""
    down, up = _up(radix, ratio)
    if rails is None:
        leaves = _leaves(total(equivalents, "Endpoints", unit="count"), down, "Leaves")
    else:
        each = total([rails.client_count, rails.target_count], "Ports on a rail", unit="count")
        leaves = _rail_leaves(rails, each, down, "Leaves")
    client = LeafKind(leaves, equivalents[0], down, up)
    target = LeafKind(leaves, _targets(equivalents), down, up)
    spines = _spines(leaves, up, radix, rails)
    return Leaves(False, client, target, leaves, spines, _uplinks(client, "Leaf to spine links"))


def _spines(leaves: Quantity, up: Quantity, radix: Quantity, rails: Rails | None) -> Quantity:
    """Spines that join the leaves: two at least, so that a switch may fail, where a leaf's uplinks can be halved."""
    if rails is not None and rails.apart:
        each = derive(
            fabric.ports_per_switch_count,
            port_count=leaves,
            switch_count=rails.count,
            label="Leaves of a fabric",
        )
        own = derive(
            fabric.spine_count, leaf_count=each, up_count=up, radix_count=radix, label="Spines of a fabric"
        )
        return derive(local.product_count, first_count=rails.count, second_count=own, label="Spines")
    spines = derive(fabric.spine_count, leaf_count=leaves, up_count=up, radix_count=radix)
    if spines.number == 1 and up.number % PAIR == 0:
        return given(PAIR, "count", "Spines", source="a pair, so that a switch may fail", grade="seen")
    return spines


def _up(radix: Quantity, ratio: float) -> tuple[Quantity, Quantity]:
    """Ports of a leaf to endpoints and to spines."""
    down = derive(fabric.leaf_down_ports_count, radix_count=radix, oversubscription_ratio=ratio)
    up = derive(fabric.leaf_up_ports_count, radix_count=radix, down_count=down)
    if ratio == 1:
        return down, up
    up = derive(fabric.even_up_count, up_count=up)
    return derive(
        tier_counts.remaining_count, whole_count=radix, lost_count=up, label="Leaf ports to endpoints"
    ), up


def _finer(
    radix: Quantity, most: Quantity, ratio: float, ports: Quantity, name: str, rails: Rails | None
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
    if rails is None:
        return LeafKind(_leaves(ports, down, label), ports, down, up)
    each = rails.client_count if name == "client" else rails.target_count
    return LeafKind(_rail_leaves(rails, each, down, label), ports, down, up)


def _rail_leaves(rails: Rails, each: Quantity, down: Quantity, label: str) -> Quantity:
    """Leaves of all rails, each with as many as the ports of the fullest one take."""
    own = derive(fabric.leaf_count, endpoint_count=each, down_count=down, label="Leaves of a rail")
    return derive(local.product_count, first_count=rails.count, second_count=own, label=label)


def _leaves(ports: Quantity, down: Quantity, label: str) -> Quantity:
    leaves = derive(fabric.leaf_count, endpoint_count=ports, down_count=down, label=label)
    return _pair() if leaves.number < PAIR else leaves


def _uplinks(leaves: LeafKind, label: str) -> Quantity:
    return derive(local.product_count, first_count=leaves.count, second_count=leaves.up_count, label=label)


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
    hot: TierPlan, rails: Rails, node_ports: Quantity, payload: Quantity, limit: Quantity
) -> Quantity:
    """The same where a node's own target has fewer ports than there are rails: the others do not meet it."""
    met = derive(hops.met_fraction, port_count=ports_per_unit(hot.platform), rail_count=rails.count)
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
