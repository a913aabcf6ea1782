"""A Fibre Channel network beyond its links: zones, links between switches, and ports that have to be licensed."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given, total
from planner.sections.network import NetworkPlan
from planner.sizing import fabric, san

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
    edge = derive(
        fabric.ports_per_switch_count,
        port_count=total(
            [network.endpoint_count, network.uplink_count], "Ports of edge switches", unit="count"
        ),
        switch_count=network.leaf_count,
        label="Ports in use on an edge switch",
    )
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
            fabric.spine_link_count,
            leaf_count=switches,
            up_count=derive(
                san.licence_pack_count, port_count=ports, included_count=included, pack_count=pack
            ),
            label=label,
        )
        for switches, ports, label in (
            (network.leaf_count, edge, "Port licences of edge switches"),
            (network.spine_count, core, "Port licences of core switches"),
        )
        if switches.number
    ]
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


def _licence(network: NetworkPlan, place: int) -> Quantity:
    known = LICENCES.get(network.switch.id)
    label = ("Ports licensed as delivered", "Ports of one licence")[place]
    if known is None:
        return given(None, "count", label, source="not in the catalogue", grade="unknown")
    return given(known[place], "count", label, source=f"catalogue, note of {network.switch.id}", grade="seen")
