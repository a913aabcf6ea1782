"""Two ways to spread the ports of a node over leaves: the sides A and B, or a rail for each port."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given
from planner.sections.leaves import PAIR
from planner.sections.network import SIDES, NetworkPlan
from planner.sizing import fabric, hops


@dataclass(frozen=True, slots=True)
class PortOption:
    """One way.

    Attributes:
        name: "sides" or "rails".
        group_count: Sides or rails.
        leaf_count: Leaves that it needs.
        ports_lost_fraction: Share of a node's ports that a lost leaf takes.
        local_fraction: Share of a node's ports that meet a port of one target on their own side or rail.
        planned: Whether the network is planned so.
        note: When it is the better one.
    """

    name: str
    label: str
    group_count: Quantity
    leaf_count: Quantity
    ports_lost_fraction: Quantity
    local_fraction: Quantity
    planned: bool
    note: str


def port_options(network: NetworkPlan, target_ports: Quantity) -> tuple[PortOption, ...]:
    """Sides, and rails beside them where a node has more than two ports on Ethernet; one of them is planned.

    Args:
        network: The planned network.
        target_ports: Ports of one target of the hot tier.
    """
    railed = network.side_count.number != PAIR
    ports = network.ports_per_node_count
    sides = _sides(network, planned=not railed)
    if ports.number <= PAIR or network.option.name == "fc":
        return (sides,)
    return sides, _rails(network, target_ports, planned=railed)


def _sides(network: NetworkPlan, *, planned: bool) -> PortOption:
    ports = network.ports_per_node_count
    return PortOption(
        "sides",
        "A and B, each a subnet of its own with native multipath",
        SIDES,
        network.leaf_count if planned else _side_leaves(network),
        derive(hops.lost_fraction, left_fraction=derive(hops.leaf_loss_left_fraction, port_count=ports)),
        given(
            1.0, "fraction", "Met on its own side", source="targets have ports on both sides", grade="seen"
        ),
        planned,
        "Every target is reached on either side, so traffic passes a spine only where a side has several leaves.",
    )


def _side_leaves(network: NetworkPlan) -> Quantity:
    """Leaves of a network of two sides, beside one that is planned on rails."""
    on_one = derive(
        fabric.ports_per_switch_count,
        port_count=network.node_port_count,
        switch_count=SIDES,
        label="Ports of nodes on one side",
    )
    return derive(
        fabric.rail_leaf_count,
        node_count=on_one,
        target_port_count=network.target_leaves.port_count,
        rail_count=SIDES,
        down_count=network.client_leaves.down_count,
    )


def _rails(network: NetworkPlan, target_ports: Quantity, *, planned: bool) -> PortOption:
    ports = network.ports_per_node_count
    nodes = derive(hops.nodes_of_ports_count, port_count=network.node_port_count, ports_per_node_count=ports)
    return PortOption(
        "rails",
        "a rail for each storage port of a node",
        ports,
        network.leaf_count
        if planned
        else derive(
            fabric.rail_leaf_count,
            node_count=nodes,
            target_port_count=network.target_leaves.port_count,
            rail_count=ports,
            down_count=network.client_leaves.down_count,
        ),
        derive(hops.one_part_fraction, part_count=ports, label="Ports lost with a leaf"),
        derive(hops.met_fraction, port_count=target_ports, rail_count=ports),
        planned,
        "It loses fewer ports with a leaf; a target with fewer ports than there are rails is on as many of them, and "
        "a node reaches it by those.",
    )
