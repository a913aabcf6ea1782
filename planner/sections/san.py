"""A Fibre Channel network beyond its links: zones, links between switches, and ports that have to be licensed."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given, total
from planner.sections.links import UPLINKS
from planner.sections.network import NetworkPlan
from planner.sizing import fabric, san, tier_counts

FABRICS = 2.0
"""A and B: a node and a target have ports on both, and nothing joins them."""
LICENCES: dict[str, tuple[float, float]] = {"g710": (8.0, 8.0), "g720": (24.0, 8.0), "g730": (48.0, 8.0)}
"""Ports that a switch is delivered with, and ports of one licence: the notes of the catalogue, seen with the maker."""


@dataclass(frozen=True, slots=True)
class SanPlan:
    """What is configured and licensed on the switches of a SAN.

    Attributes:
        zone_count: Zones: one for each port of a node, with the target ports on its side.
        pair_count: Pairs of an initiator's and a target's port that are zoned: the paths of all nodes.
        isl_count: Links between edge and core switches; none in one pair, whose switches are not joined.
        edge_port_count: Ports in use on the fullest edge switch, links to the core included.
        included_count: Ports licensed as delivered; unknown where the catalogue does not say.
        pack_port_count: Ports of one licence.
        licence_count: Licences for all switches.
    """

    fabric_count: Quantity
    zone_count: Quantity
    pair_count: Quantity
    isl_count: Quantity
    edge_port_count: Quantity
    core_port_count: Quantity
    included_count: Quantity
    pack_port_count: Quantity
    licence_count: Quantity


def san_plan(network: NetworkPlan) -> SanPlan | None:
    """Zones, links between switches and licences; None where the network is not Fibre Channel."""
    if network.option.name != "fc" or not network.switch_count.known:
        return None
    fabrics = given(FABRICS, "count", "Fabrics", source="A and B, which nothing joins", grade="seen")
    kinds = _edges(network)
    edge = max((kind.fullest for kind in kinds), key=lambda ports: ports.number)
    core = (
        derive(
            fabric.ports_per_switch_count,
            port_count=network.uplink_count,
            switch_count=network.spine_count,
            label="Ports in use on a core switch",
        )
        if network.spine_count.number
        else given(0.0, "count", "Ports in use on a core switch", source="no core switches", grade="seen")
    )
    included, pack = (_licence(network, place) for place in (0, 1))
    packs = [
        derive(
            san.edge_licence_count,
            link_count=links,
            leaf_count=kind.leaf_count,
            radix_count=network.switch_port_count,
            up_count=kind.up_count,
            included_count=included,
            pack_count=pack,
            label=f"Port licences of {kind.name}, {words}",
        )
        for kind in kinds
        for links, words in zip(kind.links, ("fabric A", "fabric B"), strict=True)
    ]
    if network.spine_count.number:
        each = derive(san.licence_pack_count, port_count=core, included_count=included, pack_count=pack)
        packs.append(
            derive(
                fabric.spine_link_count,
                leaf_count=network.spine_count,
                up_count=each,
                label="Port licences of core switches",
            )
        )
    return SanPlan(
        fabric_count=fabrics,
        zone_count=total([network.node_port_count], "Zones, one for each port of a node", unit="count"),
        pair_count=derive(
            san.zone_pair_count,
            initiator_port_count=network.node_port_count,
            target_port_count=network.target_port_count,
            fabric_count=fabrics,
        ),
        isl_count=network.uplink_count,
        edge_port_count=edge,
        core_port_count=core,
        included_count=included,
        pack_port_count=pack,
        licence_count=total(packs, "Port licences", unit="count"),
    )


@dataclass(frozen=True, slots=True)
class _Edges:
    """Edge switches of one kind: for all ports, or for those of nodes and of targets apart.

    Attributes:
        links: Ports that they connect on fabric A, and on fabric B.
        leaf_count: Switches of one fabric.
        fullest: Ports in use on the one that is filled first.
    """

    name: str
    links: tuple[Quantity, Quantity]
    leaf_count: Quantity
    up_count: Quantity
    fullest: Quantity


def _edges(network: NetworkPlan) -> list[_Edges]:
    """Edge switches by kind, each filled one after the other."""
    groups = [group for group in network.links if group.name != UPLINKS]
    kinds = (
        (
            ("edge switches of targets", network.target_leaves, groups[1:]),
            ("edge switches of nodes", network.client_leaves, groups[:1]),
        )
        if network.leaves_split
        else (("edge switches", network.client_leaves, groups),)
    )
    found = []
    for name, kind, own in kinds:
        ports = total([group.count for group in own], "Ports", unit="count")
        # Machines of each kind begin with fabric A, so that it has the odd port of every kind.
        on_a = total(
            [
                derive(fabric.ports_per_switch_count, port_count=group.count, switch_count=FABRICS)
                for group in own
            ],
            "Ports on fabric A",
            unit="count",
        )
        on_b = derive(
            tier_counts.remaining_count, whole_count=ports, lost_count=on_a, label="Ports on fabric B"
        )
        each = derive(
            fabric.ports_per_switch_count,
            port_count=kind.count,
            switch_count=FABRICS,
            label=f"{name.capitalize()} of a fabric",
        )
        fullest = derive(
            san.fullest_port_count,
            link_count=on_a,
            radix_count=network.switch_port_count,
            up_count=kind.up_count,
        )
        found.append(_Edges(name, (on_a, on_b), each, kind.up_count, fullest))
    return found


def _licence(network: NetworkPlan, place: int) -> Quantity:
    known = LICENCES.get(network.switch.id)
    label = ("Ports licensed as delivered", "Ports of one licence")[place]
    if known is None:
        return given(None, "count", label, source="not in the catalogue", grade="unknown")
    return given(known[place], "count", label, source=f"catalogue, note of {network.switch.id}", grade="seen")
