"""The storage network: what each node and target needs, how many switches, and what a lost path leaves."""

from __future__ import annotations

from planner.catalogue import Switch
from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.core.tracing import decided
from planner.core.units import BITS_PER_BYTE, GIGA, counted
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Choice, Context, stated
from planner.sections.jobs import JobPlan
from planner.sections.leaves import (
    PAIR,
    LeafKind,
    Rails,
    client_limit,
    fabric_limit,
    leaf_spine,
    one_pair,
    rail_limit,
    rails_of,
)
from planner.sections.links import UPLINKS, LinkGroup, endpoint_links, link_group, port_equivalents
from planner.sections.tiers import TierPlan, ports_per_unit
from planner.sections.transport import TransportOption
from planner.sizing import burst, fabric, transport

SINGLE_LEAF_NODES = 64
"""Up to here the guide finds one leaf tier sufficient."""
SEPARATE_NODES = 32
"""Above this the guide advises a storage network of its own."""
SIDES = given(PAIR, "count", "Sides", source="a pair, so that a leaf may fail", grade="seen")


@record(frozen=True, slots=True)
class NetworkPlan:
    """Links, switches and what remains when a path is lost.

    Attributes:
        side_count: Sides that the ports of a machine take turns on, each a subnet of its own: A and B, or as many
            as there are rails. On Fibre Channel they are fabrics, which have spines of their own.
        leaves_split: Whether targets have leaves of their own, which are not oversubscribed as client leaves are.
        client_fabric_bytes_per_s: What the links or the uplinks of client leaves carry, either way.
        fabric_bytes_per_s: Client bandwidth between GPU nodes and the hot tier, uplinks of its leaves included.
    """

    transport: Choice
    option: TransportOption
    switch: Switch
    topology: Choice
    side_count: Quantity
    separate: Choice
    links: tuple[LinkGroup, ...]
    node_write_bytes_per_s: Quantity
    node_read_bytes_per_s: Quantity
    node_need_bytes_per_s: Quantity
    links_needed_count: Quantity
    node_bytes_per_s: Quantity
    path_count: Quantity
    after_path_loss_bytes_per_s: Quantity
    read_bytes_per_s: Quantity
    aggregate_bytes_per_s: Quantity
    fabric_bits_per_s: Quantity
    link_payload_bytes_per_s: Quantity
    hash_loss_fraction: Quantity
    client_fabric_bytes_per_s: Quantity
    fabric_bytes_per_s: Quantity
    endpoint_count: Quantity
    ports_per_node_count: Quantity
    node_port_count: Quantity
    target_port_count: Quantity
    switch_port_count: Quantity
    leaf_count: Quantity
    spine_count: Quantity
    uplink_count: Quantity
    switch_count: Quantity
    leaves_split: bool
    client_leaves: LeafKind
    target_leaves: LeafKind
    checklist: tuple[tuple[str, bool, str], ...]


def _ports_at_speed(switch: Switch, speed_bytes_per_s: float) -> Quantity:
    """Ports that a switch has at the endpoints' speed, by breakout."""

    def ports_at(speed_bytes_per_s: float) -> int:
        gbps = round(speed_bytes_per_s * BITS_PER_BYTE / GIGA)
        return switch.ports_by_gbps.get(gbps, int(switch.port_count.number))

    return given(
        float(decided(ports_at, speed_bytes_per_s, key=("ports", switch.id))),
        "count",
        f"Ports of {switch.model} at the endpoints' speed",
        source=switch.port_count.source,
        grade=switch.port_count.grade,
    )


def network_plan(
    context: Context,
    cluster: ClusterPlan,
    jobs: tuple[JobPlan, ...],
    tiers: tuple[TierPlan, ...],
    choice: Choice,
    option: TransportOption,
) -> NetworkPlan:
    """The network for the burst of the hot tier and the reads of the others; Fibre Channel for the burst alone."""
    network = context.scenario.network
    write = max((job.checkpoint.node_write_bytes_per_s for job in jobs), key=lambda q: q.number)
    read = max((job.ingest.node_read_bytes_per_s for job in jobs), key=lambda q: q.number)
    need = derive(
        fabric.larger_bytes_per_s,
        write_bytes_per_s=write,
        read_bytes_per_s=read,
        label="Bandwidth of a node, needed",
    )
    reads = total([job.ingest.read_bytes_per_s for job in jobs], "Reads of all nodes", unit="bytes/s")
    aggregate = derive(
        fabric.larger_bytes_per_s,
        write_bytes_per_s=tiers[0].demand.write_bytes_per_s,
        read_bytes_per_s=reads,
        label="Bandwidth to the targets, needed",
    )
    rail_count = _rail_count(context, cluster, choice)
    paths = context.pick(
        "network.path_count",
        network.path_count,
        derive(
            fabric.paths_count, port_count=_meeting(cluster, tiers[0], rail_count), label="Paths per node"
        ),
    )
    switch_id, field = (
        (network.fc_switch_id, "network.fc_switch_id")
        if choice.value == "fc"
        else (network.switch_id, "network.switch_id")
    )
    switch = context.catalogue.find("switches", switch_id, field=field)
    groups = endpoint_links(context, cluster, tiers, option, switch)
    node_ports, target_ports = (
        groups[0].count,
        total([group.count for group in groups[1:]], "Ports of targets", unit="count"),
    )
    own = option.client_port_bytes_per_s
    equivalents = [port_equivalents(group, own) for group in groups]
    endpoints = total(equivalents, "Endpoints", unit="count")
    radix = _ports_at_speed(switch, option.client_port_bytes_per_s.number)
    rails = None if rail_count is None else rails_of(rail_count, groups, own)
    parts = rails_of(SIDES, groups, own, apart=True) if option.medium == "fc" else rails
    topology = _topology(context, cluster, endpoints, radix, rails)
    single = topology.value == "single-leaf"
    made = one_pair(radix, equivalents, rails) if single else leaf_spine(context, radix, equivalents, parts)
    links = made.uplink_count
    payload = derive(
        transport.path_bytes_per_s,
        path_count=1.0,
        port_bytes_per_s=option.client_port_bytes_per_s,
        wire_fraction=option.wire_fraction,
        label="Payload of a link",
    )
    loss = _hash_loss(context, single)
    from_clients = client_limit(single, tiers[0], made, node_ports, payload, loss)
    if rails is not None and context.scenario.storage.access == "namespace-per-node":
        from_clients = rail_limit(tiers[0], rails, node_ports, payload, from_clients)
    uplink_group = link_group(
        context, UPLINKS, links, own, switch=switch, own_ends=2.0, fibre_channel=option.name == "fc"
    )
    return NetworkPlan(
        transport=choice,
        option=option,
        switch=switch,
        topology=topology,
        side_count=SIDES if rail_count is None else rail_count,
        separate=_separate(context),
        links=groups if single else (*groups, uplink_group),
        node_write_bytes_per_s=write,
        node_read_bytes_per_s=read,
        node_need_bytes_per_s=need,
        links_needed_count=derive(
            fabric.links_per_node_count,
            needed_bytes_per_s=need,
            link_bytes_per_s=option.client_port_bytes_per_s,
            efficiency_fraction=option.wire_fraction,
        ),
        node_bytes_per_s=option.node_bytes_per_s,
        path_count=paths,
        after_path_loss_bytes_per_s=derive(
            burst.path_loss_bytes_per_s,
            node_bytes_per_s=option.node_bytes_per_s,
            path_count=paths,
            lost_count=1.0,
        ),
        read_bytes_per_s=reads,
        aggregate_bytes_per_s=aggregate,
        fabric_bits_per_s=derive(fabric.fabric_bits_per_s, aggregate_bytes_per_s=aggregate),
        link_payload_bytes_per_s=payload,
        hash_loss_fraction=loss,
        client_fabric_bytes_per_s=from_clients,
        fabric_bytes_per_s=from_clients
        if single
        else fabric_limit(tiers[0], made, equivalents[1], from_clients, payload, loss),
        endpoint_count=endpoints,
        ports_per_node_count=cluster.port_count,
        node_port_count=node_ports,
        target_port_count=target_ports,
        switch_port_count=radix,
        leaf_count=made.leaf_count,
        spine_count=made.spine_count,
        uplink_count=links,
        switch_count=total([made.leaf_count, made.spine_count], "Switches", unit="count"),
        leaves_split=made.split,
        client_leaves=made.client,
        target_leaves=made.target,
        checklist=_checklist(context, choice, switch),
    )


def _nodes_are(count: float) -> str:
    return f"{counted(count, 'node')} {'is' if count == 1 else 'are'}"


def _rail_count(context: Context, cluster: ClusterPlan, choice: Choice) -> Quantity | None:
    """Rails, one for each storage port of a node; None without them: two ports are on two sides already."""
    if context.scenario.network.topology != "rails" or choice.value == "fc":
        return None
    return cluster.port_count if cluster.port_count.number > PAIR else None


def _meeting(cluster: ClusterPlan, hot: TierPlan, rail_count: Quantity | None) -> Quantity:
    """Ports of a node that meet a port of one target: all of them on two sides, as many as it has on rails."""
    ports = ports_per_unit(hot.platform)
    return ports if rail_count is not None and ports.number < rail_count.number else cluster.port_count


def _topology(
    context: Context, cluster: ClusterPlan, endpoints: Quantity, radix: Quantity, rails: Rails | None
) -> Choice:
    """One leaf pair while the guide's 64 nodes and the ports of the pair allow it, else leaf-spine."""
    nodes = cluster.node_count.number
    fits = endpoints.number <= 2 * radix.number
    if nodes <= SINGLE_LEAF_NODES and fits:
        auto = Choice(
            "single-leaf",
            "one leaf pair",
            f"{_nodes_are(nodes)} at most 64 and {endpoints} endpoints fit on two switches",
        )
    elif fits:
        auto = Choice(
            "leaf-spine", "leaf-spine", f"the guide advises it above 64 nodes; there are {cluster.node_count}"
        )
    else:
        auto = Choice(
            "leaf-spine",
            "leaf-spine",
            f"{endpoints} endpoints exceed the {radix} ports of each of two switches",
        )
    context.auto["network.topology"] = auto
    manual = context.scenario.network.topology
    if manual is None:
        return auto
    if manual == "rails":
        return _railed(cluster, radix, rails, auto)
    return Choice(
        manual, "one leaf pair" if manual == "single-leaf" else "leaf-spine", "stated by the architect"
    )


def _railed(cluster: ClusterPlan, radix: Quantity, rails: Rails | None, auto: Choice) -> Choice:
    """Rails as stated, with one leaf each while nodes and ports allow it; without them what AUTO chooses."""
    if rails is None:
        why = "rails need Ethernet and more than two storage ports a node, so ports are on the sides A and B"
        return Choice(auto.value, auto.label, f"{why}; {auto.reason}")
    ports = rails.client_count.number + rails.target_count.number
    stated = "rails are stated by the architect: each port of a node is on a rail, a subnet of its own, and native multipath joins them"
    if cluster.node_count.number <= SINGLE_LEAF_NODES and ports <= radix.number:
        return Choice("single-leaf", f"{rails.count} rails of one leaf each", stated)
    return Choice("leaf-spine", f"leaf-spine with {rails.count} rails", stated)


def _separate(context: Context) -> Choice:
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


def _hash_loss(context: Context, single: bool) -> Quantity:
    """Share of a leaf's uplinks that stays idle: by the input, and none without uplinks or with adaptive routing."""
    network = context.scenario.network
    if single or network.balancing == "adaptive":
        why = "one leaf tier has no uplinks" if single else "adaptive routing"
        return given(0.0, "fraction", "Loss by hashing", source=why, grade="seen")
    return given(
        network.hash_loss_fraction,
        "fraction",
        "Loss by hashing",
        source="network.hash_loss_fraction",
        grade="input",
    )


def _checklist(context: Context, choice: Choice, switch: Switch) -> tuple[tuple[str, bool, str], ...]:
    """The guide's four items for RoCE, each with whether it is stated; empty for the other transports."""
    network = context.scenario.network
    if choice.value != "rdma" or switch.fabric == "infiniband":
        return ()
    buffer = switch.buffer_bytes.text() if switch.buffer_bytes is not None else "unknown"
    return (
        ("Priority flow control on the storage class", network.pfc, "priority 3, watchdog on"),
        ("Explicit congestion notification", network.ecn, "marking begins before PFC pauses"),
        (
            "DSCP and PCP mapping",
            network.dscp,
            "data DSCP 26 to priority 3, CNP DSCP 48 to priority 6, on host, leaf and spine",
        ),
        (
            "Buffer for the lossless class",
            switch.buffer_bytes is not None,
            f"shared buffer of {switch.model}: {buffer}",
        ),
    )


def copy_rate(context: Context) -> Quantity:
    """Rate at which one GPU's state reaches host memory."""
    return stated(
        context.scenario.cluster.gpu_copy_bytes_per_s,
        "gpu_copy_bytes_per_s",
        "GPU to host copy",
        source="about half of a PCIe Gen5 x16 link",
        grade="from memory",
    )
