"""Two ways to spread the ports of a node over leaves: the sides A and B, or a rail for each port."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given
from planner.sections.context import Context
from planner.sections.leaves import PAIR, dealt_sides, leaf_spine
from planner.sections.links import UPLINKS, port_equivalents
from planner.sections.network import SIDES, NetworkPlan, ports_per_cage
from planner.sections.topology import single_leaf_suffices
from planner.sizing import hops


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


def port_options(context: Context, network: NetworkPlan, target_ports: Quantity) -> tuple[PortOption, ...]:
    """Sides, and rails beside them where a node has more than two ports on Ethernet; one of them is planned.

    Args:
        context: Scenario and catalogue.
        network: The planned network.
        target_ports: Ports of one target of the hot tier.
    """
    railed = network.side_count.number != PAIR
    ports = network.ports_per_node_count
    sides = _sides(context, network, planned=not railed)
    if ports.number <= PAIR or network.option.name == "fc":
        return (sides,)
    return sides, _rails(context, network, target_ports, planned=railed)


def _sides(context: Context, network: NetworkPlan, *, planned: bool) -> PortOption:
    ports = network.ports_per_node_count
    return PortOption(
        "sides",
        "A and B, each a subnet of its own with native multipath",
        SIDES,
        network.leaf_count if planned else _leaves(context, network, SIDES),
        derive(hops.lost_fraction, left_fraction=derive(hops.leaf_loss_left_fraction, port_count=ports)),
        given(
            1.0, "fraction", "Met on its own side", source="targets have ports on both sides", grade="seen"
        ),
        planned,
        "Every target is reached on either side, so traffic passes a spine only where a side has several leaves.",
    )


def _leaves(context: Context, network: NetworkPlan, count: Quantity) -> Quantity:
    """Leaves that the same links would need on another number of sides or rails."""
    groups = tuple([group for group in network.links if group.name != UPLINKS])
    own, radix = network.option.client_port_bytes_per_s, network.switch_port_count
    per_cage = ports_per_cage(network.switch, radix)
    sides = dealt_sides(count, groups, own, per_cage, apart=False)
    if single_leaf_suffices(context, sides, radix):
        return count
    equivalents = [port_equivalents(group, own, per_cage) for group in groups]
    return leaf_spine(context, radix, equivalents, sides).leaf_count


def _rails(context: Context, network: NetworkPlan, target_ports: Quantity, *, planned: bool) -> PortOption:
    ports = network.ports_per_node_count
    return PortOption(
        "rails",
        "a rail for each storage port of a node",
        ports,
        network.leaf_count if planned else _leaves(context, network, ports),
        derive(hops.one_part_fraction, part_count=ports, label="Ports lost with a leaf"),
        derive(hops.met_fraction, port_count=target_ports, rail_count=ports),
        planned,
        "It loses fewer ports with a leaf; a target with fewer ports than there are rails is on as many of them, and "
        "a node reaches it by those.",
    )
