"""Which shape the storage network has, and whether it is one of its own: what AUTO chooses, and why."""

from __future__ import annotations

from planner.core.quantity import Quantity
from planner.core.units import counted
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Choice, Context
from planner.sections.leaves import Sides

SINGLE_LEAF_NODES = 64
"""Up to here the guide finds one leaf tier sufficient."""
SEPARATE_NODES = 32
"""Above this the guide advises a storage network of its own."""


def single_leaf_suffices(context: Context, sides: Sides, radix: Quantity) -> bool:
    """Whether one leaf for each side or rail will do: up to the guide's 64 nodes, if it has the ports."""
    return (
        context.scenario.cluster.node_count <= SINGLE_LEAF_NODES and sides.cage_count.number <= radix.number
    )


def topology_of(
    context: Context,
    cluster: ClusterPlan,
    endpoints: Quantity,
    radix: Quantity,
    pair: Sides,
    rails: Sides | None,
) -> Choice:
    """One leaf for each side while the guide's 64 nodes and the ports of a leaf allow it, else leaf-spine.

    Args:
        context: Scenario and catalogue; what AUTO chooses is recorded in it.
        cluster: The nodes.
        endpoints: Ports of nodes and targets.
        radix: Ports of a leaf.
        pair: The ports dealt to sides A and B, as AUTO does.
        rails: The same dealt to rails, where they are stated and possible.
    """
    nodes = cluster.node_count.number
    if single_leaf_suffices(context, pair, radix):
        auto = Choice(
            "single-leaf",
            "one leaf pair",
            f"{_nodes_are(nodes)} at most 64 and {endpoints} endpoints fit on two switches",
        )
    elif pair.cage_count.number <= radix.number:
        auto = Choice(
            "leaf-spine", "leaf-spine", f"the guide advises it above 64 nodes; there are {cluster.node_count}"
        )
    else:
        auto = Choice(
            "leaf-spine",
            "leaf-spine",
            f"{pair.cage_count} ports on a side exceed the {radix} of one switch",
        )
    context.auto["network.topology"] = auto
    manual = context.scenario.network.topology
    if manual is None:
        return auto
    if manual == "rails":
        return _railed(context, radix, rails, auto)
    return Choice(
        manual, "one leaf pair" if manual == "single-leaf" else "leaf-spine", "stated by the architect"
    )


def _railed(context: Context, radix: Quantity, rails: Sides | None, auto: Choice) -> Choice:
    """Rails as stated, with one leaf each while nodes and ports allow it; without them what AUTO chooses."""
    if rails is None:
        why = "rails need Ethernet and more than two storage ports a node, so ports are on the sides A and B"
        return Choice(auto.value, auto.label, f"{why}; {auto.reason}")
    stated = "rails are stated by the architect: each port of a node is on a rail, a subnet of its own, and native multipath joins them"
    if single_leaf_suffices(context, rails, radix):
        return Choice("single-leaf", f"{rails.count} rails of one leaf each", stated)
    return Choice("leaf-spine", f"leaf-spine with {rails.count} rails", stated)


def separation_of(context: Context) -> Choice:
    """A storage network of its own above the guide's 32 nodes, or as the architect states."""
    nodes = context.scenario.cluster.node_count
    needed = nodes > SEPARATE_NODES
    auto = Choice(
        "separate" if needed else "shared",
        "separate network" if needed else "no separate network needed",
        f"{_nodes_are(nodes)} {'above' if needed else 'at most'} 32",
    )
    context.auto["network.separate_network"] = auto
    manual = context.scenario.network.separate_network
    if manual is None:
        return auto
    return Choice(
        "separate" if manual else "shared",
        "separate network" if manual else "network shared with GPU traffic",
        "stated by the architect",
    )


def _nodes_are(count: float) -> str:
    return f"{counted(count, 'node')} {'is' if count == 1 else 'are'}"
