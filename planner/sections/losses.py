"""What can be lost of a network and its targets, and what each loss leaves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from planner.core.quantity import Quantity, derive, given
from planner.core.units import counted
from planner.sections.context import Context
from planner.sections.kit import CLIENT_SIDE, drives_of_a_node
from planner.sections.leaves import PAIR
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan, ports_per_unit
from planner.sizing import fabric, hops, tier_counts


@dataclass(frozen=True, slots=True)
class Loss:
    """One loss: the share of each part that is left.

    Attributes:
        key: "path", "leaf", "spine", "target" or "drive"; "whole" for none.
        name: How it is called, as in `JobResult.degraded`.
        node_fraction: Of a node's ports.
        target_fraction: Of a target's ports.
        uplink_fraction: Of the uplinks of the leaf that is fullest then.
        spine_count: Spines that share the traffic.
        unit_count: Targets of the hot tier.
        rebuild_bytes_per_s: What rebuilding moves over the network in all.
        rebuild_one_bytes_per_s: What the busiest target receives of it.
        rebuild_write_bytes_per_s: Rebuilt data that is written.
        note: What is supposed.
    """

    key: str
    name: str
    node_fraction: Quantity
    target_fraction: Quantity
    uplink_fraction: Quantity
    spine_count: Quantity
    unit_count: Quantity
    rebuild_bytes_per_s: Quantity
    rebuild_one_bytes_per_s: Quantity
    rebuild_write_bytes_per_s: Quantity
    note: str


ALL = given(1.0, "fraction", "Left", source="nothing of it is lost", grade="seen")
_NEIGHBOUR = given(
    0.5,
    "fraction",
    "Uplinks left",
    source="the other leaf of the pair carries both leaves' traffic",
    grade="inferred",
)
_QUIET = given(0.0, "bytes/s", "Rebuild traffic", source="nothing is rebuilt over the network", grade="seen")


def path_fraction(network: NetworkPlan) -> Quantity:
    """Share of a node's bandwidth that a lost path leaves."""
    return derive(hops.one_lost_left_fraction, part_count=network.path_count, label="Paths left")


def leaf_node_fraction(network: NetworkPlan) -> Quantity:
    """Share of a node's ports that a lost leaf leaves."""
    if network.side_count.number != PAIR:
        return derive(
            hops.one_lost_left_fraction, part_count=network.side_count, label="Ports of a node left"
        )
    return derive(
        hops.leaf_loss_left_fraction, port_count=network.ports_per_node_count, label="Ports of a node left"
    )


def leaf_target_fraction(network: NetworkPlan, hot: TierPlan) -> Quantity:
    """Share of a target's ports that a lost leaf leaves: on rails they take turns, one after the other."""
    ports = ports_per_unit(hot.platform)
    if network.side_count.number != PAIR:
        rails = ports if ports.number < network.side_count.number else network.side_count
        return derive(hops.one_lost_left_fraction, part_count=rails, label="Ports of a target left")
    return derive(
        hops.leaf_loss_left_fraction, port_count=ports_per_unit(hot.platform), label="Ports of a target left"
    )


def leaf_uplink_fraction(network: NetworkPlan) -> Quantity:
    """Share of the way between leaves that a lost leaf leaves to whom it served; of the links in one leaf tier."""
    if network.topology.value == "single-leaf" or network.side_count.number != PAIR:
        return leaf_node_fraction(network)
    return _NEIGHBOUR


def spine_fraction(network: NetworkPlan) -> Quantity:
    """Share of every leaf's uplinks that a lost spine leaves."""
    return derive(hops.one_lost_left_fraction, part_count=_spines_of_leaf(network), label="Uplinks left")


def _spines_of_leaf(network: NetworkPlan) -> Quantity:
    """Spines that a leaf has links to: all, or those of its fabric on Fibre Channel."""
    if network.option.medium != "fc":
        return network.spine_count
    return derive(
        fabric.ports_per_switch_count,
        port_count=network.spine_count,
        switch_count=PAIR,
        label="Spines of a fabric",
    )


def can_lose_leaf(network: NetworkPlan, hot: TierPlan) -> bool:
    """Whether nodes and targets go on without a leaf: each has ports on two."""
    return network.ports_per_node_count.number >= 2 and ports_per_unit(hot.platform).number >= 2


def can_lose_spine(network: NetworkPlan) -> bool:
    """Whether there is another spine."""
    return network.spine_count.known and _spines_of_leaf(network).number > 1


def nothing_lost(network: NetworkPlan, hot: TierPlan) -> Loss:
    """The network whole."""
    return Loss(
        "whole", "as designed", ALL, ALL, ALL, network.spine_count, hot.unit_count, _QUIET, _QUIET, _QUIET, ""
    )


def losses_of(context: Context, network: NetworkPlan, reached: tuple[TierPlan, ...]) -> tuple[Loss, ...]:
    """Everything of which one may be lost without the design standing still, one at a time.

    Args:
        context: Scenario and catalogue.
        network: The planned network.
        reached: Tiers that the network reaches, the hot one first.
    """
    hot = reached[0]
    whole = nothing_lost(network, hot)
    found = []
    if network.path_count.number > 1:
        found.append(_path_lost(network, whole))
    if can_lose_leaf(network, hot):
        found.append(_leaf_lost(network, reached, whole))
    if can_lose_spine(network):
        found.append(_spine_lost(network, whole))
    if hot.unit_count.number > 1:
        found.append(_target_lost(context, hot, whole))
    if hot.drive is not None and hot.scheme is not None and hot.drive_count.number > 1:
        found.append(_drive_lost(context, hot, whole))
    return tuple(found)


def _path_lost(network: NetworkPlan, whole: Loss) -> Loss:
    return replace(
        whole,
        key="path",
        name="one path lost",
        node_fraction=path_fraction(network),
        note=f"Every node has lost one of its {counted(network.path_count.number, 'path')} at once.",
    )


def _leaf_lost(network: NetworkPlan, reached: tuple[TierPlan, ...], whole: Loss) -> Loss:
    if network.side_count.number != PAIR:
        note = "Machines on the lost leaf have the ports on their other rails left; the leaves there carry its traffic."
    else:
        note = "Machines on the lost leaf have the ports on their other leaf left, and the slowest of them decides"
        joined = network.topology.value != "single-leaf"
        note += "; that leaf's uplinks carry the traffic of both." if joined else "."
    return replace(
        whole,
        key="leaf",
        name="one leaf lost",
        node_fraction=leaf_node_fraction(network),
        target_fraction=leaf_target_fraction(network, reached[0]),
        uplink_fraction=leaf_uplink_fraction(network),
        note=note + _cut_off(reached),
    )


def _cut_off(reached: tuple[TierPlan, ...]) -> str:
    """Tiers whose machines have no port on another leaf, in a sentence; empty where there are none."""
    alone = [tier.name for tier in reached if ports_per_unit(tier.platform).number == 1]
    if not alone:
        return ""
    return f" Machines with one port ({', '.join(alone)}) are out of reach on that leaf; those on other leaves serve on."


def _spine_lost(network: NetworkPlan, whole: Loss) -> Loss:
    return replace(
        whole,
        key="spine",
        name="one spine lost",
        uplink_fraction=spine_fraction(network),
        spine_count=derive(
            tier_counts.remaining_count,
            whole_count=network.spine_count,
            lost_count=PAIR if network.option.medium == "fc" else 1.0,
            label="Spines left, as full as the fullest" if network.option.medium == "fc" else "Spines left",
        ),
        note=f"Every leaf{' of one fabric' if network.option.medium == 'fc' else ''} has lost its links to one of "
        f"{counted(_spines_of_leaf(network).number, 'spine')}.",
    )


def _target_lost(context: Context, hot: TierPlan, whole: Loss) -> Loss:
    units = derive(
        tier_counts.remaining_count, whole_count=hot.unit_count, lost_count=1.0, label="Targets left"
    )
    lost = replace(whole, key="target", name="one storage node lost", unit_count=units)
    if not _over_network(hot):
        note = (
            "The platform's own rebuild is inside its figures."
            if hot.scheme is None
            else "Its contents are not on other machines: nothing is rebuilt until it is back."
        )
        return replace(lost, note=note)
    read, written = _traffic(context, hot, drives_of_a_node(hot))
    each = derive(
        hops.carried_bytes_per_s,
        traffic_bytes_per_s=read,
        share_fraction=derive(hops.one_part_fraction, part_count=units, label="One of the targets left"),
        label="Rebuild traffic into a target",
    )
    return replace(
        lost,
        rebuild_bytes_per_s=read,
        rebuild_one_bytes_per_s=each,
        rebuild_write_bytes_per_s=written,
        note="Its drives are all rebuilt at once on the machines that are left. Its rebuild is in the loads; the save "
        "time is that of a save which the rebuild gives way to.",
    )


def _drive_lost(context: Context, hot: TierPlan, whole: Loss) -> Loss:
    lost = replace(whole, key="drive", name="one drive rebuilding")
    if not _over_network(hot):
        return replace(lost, note="The drive is rebuilt inside its machine: no traffic on the network.")
    one = given(1.0, "count", "Drives rebuilt", source="one drive", grade="seen")
    read, written = _traffic(context, hot, one)
    return replace(
        lost,
        rebuild_bytes_per_s=read,
        rebuild_one_bytes_per_s=read,
        rebuild_write_bytes_per_s=written,
        note="The machine of the drive reads the surviving chunks from others.",
    )


def _over_network(hot: TierPlan) -> bool:
    """Whether chunks of a stripe lie on several machines, so that a rebuild passes the network."""
    return (
        hot.scheme is not None
        and hot.scheme.parity_chunk_count > 0
        and hot.domain != "drive"
        and hot.protection_at != "controller"
    )


def _traffic(context: Context, hot: TierPlan, drives: Quantity) -> tuple[Quantity, Quantity]:
    """What a rebuild reads over the network, and what it writes."""
    rate = context.scenario.storage.rebuild_bytes_per_s
    chunks = float(hot.scheme.data_chunk_count if hot.scheme else 1)
    written = derive(
        hops.rebuild_traffic_bytes_per_s,
        rebuild_bytes_per_s=rate,
        drive_count=drives,
        read_chunk_count=1.0,
        label="Rebuilt data written",
    )
    return (
        derive(
            hops.rebuild_traffic_bytes_per_s,
            rebuild_bytes_per_s=rate,
            drive_count=drives,
            read_chunk_count=chunks,
        ),
        written,
    )


def host_side(hot: TierPlan) -> bool:
    """Whether GPU nodes rebuild themselves, over their own ports."""
    return hot.protection_at in CLIENT_SIDE
