"""The storage network: what each node and target needs, how many switches, and what a lost path leaves."""

from __future__ import annotations

from dataclasses import dataclass

from planner.catalogue import Switch
from planner.core.quantity import Quantity, derive, given, total
from planner.core.tracing import decided
from planner.core.units import BITS_PER_BYTE, GIGA, counted
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Choice, Context, stated
from planner.sections.jobs import JobPlan
from planner.sections.links import LinkGroup, endpoint_links, link_group, port_equivalents
from planner.sections.tiers import TierPlan
from planner.sections.transport import TransportOption
from planner.sizing import burst, fabric, local, transport

SINGLE_LEAF_NODES = 64
"""Up to here the guide finds one leaf tier sufficient."""
PAIR = 2.0
"""Leaves that every network has at least, so that a switch may fail."""
SEPARATE_NODES = 32
"""Above this the guide advises a storage network of its own."""


@dataclass(frozen=True, slots=True)
class NetworkPlan:
    """Links, switches and what remains when a path is lost."""

    transport: Choice
    option: TransportOption
    switch: Switch
    topology: Choice
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
    fabric_bytes_per_s: Quantity
    endpoint_count: Quantity
    node_port_count: Quantity
    target_port_count: Quantity
    switch_port_count: Quantity
    leaf_count: Quantity
    spine_count: Quantity
    uplink_count: Quantity
    switch_count: Quantity
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
    paths = context.pick(
        "network.path_count",
        network.path_count,
        derive(fabric.paths_count, port_count=cluster.port_count, label="Paths per node"),
    )
    switch_id, field = (
        (network.fc_switch_id, "network.fc_switch_id")
        if choice.value == "fc"
        else (network.switch_id, "network.switch_id")
    )
    switch = context.catalogue.find("switches", switch_id, field=field)
    groups = endpoint_links(context, cluster, tiers, option)
    node_ports, target_ports = (
        groups[0].count,
        total([group.count for group in groups[1:]], "Ports of targets", unit="count"),
    )
    own = option.client_port_bytes_per_s
    endpoints = total([port_equivalents(group, own) for group in groups], "Endpoints", unit="count")
    radix = _ports_at_speed(switch, option.client_port_bytes_per_s.number)
    topology = _topology(context, cluster, endpoints, radix)
    down = derive(
        fabric.leaf_down_ports_count,
        radix_count=radix,
        oversubscription_ratio=network.client_oversubscription_ratio,
    )
    single = topology.value == "single-leaf"
    uplinks = derive(fabric.leaf_up_ports_count, radix_count=radix, down_count=down)
    leaves = _pair() if single else derive(fabric.leaf_count, endpoint_count=endpoints, down_count=down)
    if leaves.number < PAIR:
        leaves = _pair()
    spines = (
        given(0.0, "count", "Spines", source="one leaf tier", grade="seen")
        if single
        else derive(fabric.spine_count, leaf_count=leaves, up_count=uplinks, radix_count=radix)
    )
    links = (
        given(0.0, "count", "Leaf to spine links", source="one leaf tier", grade="seen")
        if single
        else derive(
            local.product_count, first_count=leaves, second_count=uplinks, label="Leaf to spine links"
        )
    )
    uplink_group = link_group(
        context, "leaf to spine", links, own, own_ends=2.0, fibre_channel=option.name == "fc"
    )
    return NetworkPlan(
        transport=choice,
        option=option,
        switch=switch,
        topology=topology,
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
        fabric_bytes_per_s=_fabric_limit(context, single, option, node_ports, links),
        endpoint_count=endpoints,
        node_port_count=node_ports,
        target_port_count=target_ports,
        switch_port_count=radix,
        leaf_count=leaves,
        spine_count=spines,
        uplink_count=links,
        switch_count=total([leaves, spines], "Switches", unit="count"),
        checklist=_checklist(context, choice, switch),
    )


def _pair() -> Quantity:
    return given(PAIR, "count", "Leaves", source="a pair, so that a switch may fail", grade="seen")


def _nodes_are(count: float) -> str:
    return f"{counted(count, 'node')} {'is' if count == 1 else 'are'}"


def _topology(context: Context, cluster: ClusterPlan, endpoints: Quantity, radix: Quantity) -> Choice:
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
    return Choice(
        manual, "one leaf pair" if manual == "single-leaf" else "leaf-spine", "stated by the architect"
    )


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


def _fabric_limit(
    context: Context, single: bool, option: TransportOption, node_ports: Quantity, uplinks: Quantity
) -> Quantity:
    """What the fabric carries from clients to targets: all ports, or the uplinks after hashing losses."""
    network = context.scenario.network
    loss = 0.0 if single or network.balancing == "adaptive" else network.hash_loss_fraction
    return derive(
        fabric.ecmp_bytes_per_s,
        link_count=node_ports if single else uplinks,
        link_bytes_per_s=derive(
            transport.path_bytes_per_s,
            path_count=1.0,
            port_bytes_per_s=option.client_port_bytes_per_s,
            wire_fraction=option.wire_fraction,
            label="Payload of a link",
        ),
        loss_fraction=loss,
        label="Bandwidth of the fabric",
    )


def _checklist(context: Context, choice: Choice, switch: Switch) -> tuple[tuple[str, bool, str], ...]:
    """The guide's four items for RoCE, each with whether it is stated; empty for the other transports."""
    network = context.scenario.network
    if choice.value != "rdma":
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
