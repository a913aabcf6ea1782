"""The storage network: what each node and target needs, how many switches, and what a lost path leaves."""

from __future__ import annotations

from planner.catalogue import Switch
from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.core.tracing import decided
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Choice, Context
from planner.sections.jobs import JobPlan
from planner.sections.leaves import (
    PAIR,
    LeafKind,
    Leaves,
    Sides,
    client_limit,
    dealt_sides,
    fabric_limit,
    leaf_spine,
    one_pair,
    rail_limit,
)
from planner.sections.links import (
    UPLINKS,
    LinkGroup,
    endpoint_links,
    gbps_of,
    link_group,
    port_equivalents,
)
from planner.sections.tiers import TierPlan, ports_per_unit
from planner.sections.topology import separation_of, topology_of
from planner.sections.transport import TransportOption
from planner.sizing import bandwidth, burst, fabric, hops, transport

ELSEWHERE = given(
    0.0,
    "bytes/s",
    "Reads over this network",
    source="the dataset is on tiers that this network does not reach",
    grade="inferred",
)
"""What data loaders read over a network for checkpoints alone whose hot tier has no dataset."""
SIDES = given(PAIR, "count", "Sides", source="a pair, so that a leaf may fail", grade="seen")


@record(frozen=True, slots=True)
class NetworkPlan:
    """Links, switches and what remains when a path is lost.

    Attributes:
        side_count: Sides that the ports of a machine take turns on, each a subnet of its own: A and B, or as many
            as there are rails. On Fibre Channel they are fabrics, which have spines of their own.
        side_port_count: Switch ports of the nodes' speed that endpoints take on the fullest side, in whole cages and
            however fast they run.
        endpoint_count: Ports of nodes and targets together.
        switch_port_count: Ports of the switch at the nodes' speed.
        leaves_split: Whether targets have leaves of their own, which are not oversubscribed as client leaves are.
        client_fabric_bytes_per_s: What the links or the uplinks of client leaves carry, either way.
        fabric_bytes_per_s: Client bandwidth between GPU nodes and the hot tier, uplinks of its leaves included.
    """

    transport: Choice
    option: TransportOption
    switch: Switch
    topology: Choice
    side_count: Quantity
    side_port_count: Quantity
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
        """Ports at a speed; those of the switch's own speed where no breakout is listed."""
        return switch.ports_by_gbps.get(gbps_of(speed_bytes_per_s), int(switch.port_count.number))

    return given(
        float(decided(ports_at, speed_bytes_per_s, key=("ports", switch.id))),
        "count",
        f"Ports of {switch.model} at the endpoints' speed",
        source=switch.port_count.source,
        grade=switch.port_count.grade,
    )


def ports_per_cage(switch: Switch, radix: Quantity) -> Quantity:
    """Ports at the nodes' speed in one cage of a switch that has so many of them."""
    return derive(fabric.port_per_cage_count, radix_count=radix, cage_count=switch.port_count)


def network_plan(
    context: Context,
    cluster: ClusterPlan,
    jobs: tuple[JobPlan, ...],
    tiers: tuple[TierPlan, ...],
    choice: Choice,
    option: TransportOption,
) -> NetworkPlan:
    """The network for the burst of the hot tier and all reads; one for checkpoints alone for what the hot tier has."""
    needs = _needs(jobs, tiers, reads=not option.hot_alone or context.scenario.storage.dataset_on == "hot")
    rail_count = _rail_count(context, cluster, choice)
    paths = _paths(context, cluster, tiers[0], rail_count)
    switch = _switch(context, choice)
    ports = _ports(context, cluster, tiers, option, switch)
    topology, sides, made = _leaves(context, cluster, option, ports, rail_count)
    limits = _limits(context, tiers[0], option, ports, topology, made, rail_count)
    return NetworkPlan(
        transport=choice,
        option=option,
        switch=switch,
        topology=topology,
        side_count=sides.count,
        side_port_count=sides.cage_count,
        separate=separation_of(context),
        links=_links(context, option, switch, ports, topology, made),
        node_write_bytes_per_s=needs.node_write_bytes_per_s,
        node_read_bytes_per_s=needs.node_read_bytes_per_s,
        node_need_bytes_per_s=needs.node_bytes_per_s,
        links_needed_count=_links_needed(needs, option),
        node_bytes_per_s=option.node_bytes_per_s,
        path_count=paths,
        after_path_loss_bytes_per_s=derive(
            burst.path_loss_bytes_per_s,
            node_bytes_per_s=own_target_bytes_per_s(context, tiers[0], option.node_bytes_per_s, rail_count),
            path_count=paths,
            lost_count=1.0,
        ),
        read_bytes_per_s=needs.read_bytes_per_s,
        aggregate_bytes_per_s=needs.aggregate_bytes_per_s,
        fabric_bits_per_s=derive(
            bandwidth.fabric_bits_per_s, aggregate_bytes_per_s=needs.aggregate_bytes_per_s
        ),
        link_payload_bytes_per_s=limits.link_bytes_per_s,
        hash_loss_fraction=limits.hash_loss_fraction,
        client_fabric_bytes_per_s=limits.client_bytes_per_s,
        fabric_bytes_per_s=limits.fabric_bytes_per_s,
        endpoint_count=ports.endpoint_count,
        ports_per_node_count=cluster.port_count,
        node_port_count=ports.node_count,
        target_port_count=ports.target_count,
        switch_port_count=ports.radix_count,
        leaf_count=made.leaf_count,
        spine_count=made.spine_count,
        uplink_count=made.uplink_count,
        switch_count=total([made.leaf_count, made.spine_count], "Switches", unit="count"),
        leaves_split=made.split,
        client_leaves=made.client,
        target_leaves=made.target,
        checklist=_checklist(context, choice, switch),
    )


# --- what is asked of it ------------------------------------------------------------------------------------


@record(frozen=True, slots=True)
class _Needs:
    """What nodes write and read: the busiest one, and all of them together."""

    node_write_bytes_per_s: Quantity
    node_read_bytes_per_s: Quantity
    node_bytes_per_s: Quantity
    read_bytes_per_s: Quantity
    aggregate_bytes_per_s: Quantity


def _needs(jobs: tuple[JobPlan, ...], tiers: tuple[TierPlan, ...], *, reads: bool) -> _Needs:
    """Bandwidth of the busiest node, and that of all nodes to the targets; reads where they take this network."""
    write = max((job.checkpoint.node_write_bytes_per_s for job in jobs), key=lambda q: q.number)
    read = every = ELSEWHERE
    if reads:
        read = max((job.ingest.node_read_bytes_per_s for job in jobs), key=lambda q: q.number)
        every = total([job.ingest.read_bytes_per_s for job in jobs], "Reads of all nodes", unit="bytes/s")
    return _Needs(
        write,
        read,
        derive(
            bandwidth.larger_bytes_per_s,
            write_bytes_per_s=write,
            read_bytes_per_s=read,
            label="Bandwidth of a node, needed",
        ),
        every,
        derive(
            bandwidth.larger_bytes_per_s,
            write_bytes_per_s=tiers[0].demand.write_bytes_per_s,
            read_bytes_per_s=every,
            label="Bandwidth to the targets, needed",
        ),
    )


def _links_needed(needs: _Needs, option: TransportOption) -> Quantity:
    return derive(
        bandwidth.links_per_node_count,
        needed_bytes_per_s=needs.node_bytes_per_s,
        link_bytes_per_s=option.client_port_bytes_per_s,
        efficiency_fraction=option.wire_fraction,
    )


# --- ports and switches -------------------------------------------------------------------------------------


@record(frozen=True, slots=True)
class _Ports:
    """Links of all endpoints, those of nodes first.

    Attributes:
        equivalents: Switch ports of the nodes' speed in whose place each group of links stands.
        radix_count: Ports of the switch at that speed.
        per_cage_count: Ports of that speed in one of its cages.
    """

    groups: tuple[LinkGroup, ...]
    node_count: Quantity
    target_count: Quantity
    equivalents: tuple[Quantity, ...]
    endpoint_count: Quantity
    radix_count: Quantity
    per_cage_count: Quantity


def _paths(context: Context, cluster: ClusterPlan, hot: TierPlan, rail_count: Quantity | None) -> Quantity:
    """Paths of a node as stated, or one for each port that meets the target."""
    ports = _met(cluster, hot, rail_count)
    auto = derive(bandwidth.paths_count, port_count=ports, label="Paths per node")
    return context.pick("network.path_count", context.scenario.network.path_count, auto)


def _switch(context: Context, choice: Choice) -> Switch:
    """The stated switch for Fibre Channel, or for all else."""
    network = context.scenario.network
    stated_id, field = (
        (network.fc_switch_id, "network.fc_switch_id")
        if choice.value == "fc"
        else (network.switch_id, "network.switch_id")
    )
    found: Switch = context.catalogue.find("switches", stated_id, field=field)
    return found


def _ports(
    context: Context,
    cluster: ClusterPlan,
    tiers: tuple[TierPlan, ...],
    option: TransportOption,
    switch: Switch,
) -> _Ports:
    """The links of nodes and targets, and the ports that they take on switches."""
    groups = endpoint_links(context, cluster, tiers, option, switch)
    own = option.client_port_bytes_per_s
    radix = _ports_at_speed(switch, own.number)
    per_cage = ports_per_cage(switch, radix)
    return _Ports(
        groups,
        groups[0].count,
        total([group.count for group in groups[1:]], "Ports of targets", unit="count"),
        tuple([port_equivalents(group, own, per_cage) for group in groups]),
        total([group.count for group in groups], "Endpoints", unit="count"),
        radix,
        per_cage,
    )


def _leaves(
    context: Context,
    cluster: ClusterPlan,
    option: TransportOption,
    ports: _Ports,
    rail_count: Quantity | None,
) -> tuple[Choice, Sides, Leaves]:
    """The topology, how ports are dealt to sides or rails, and leaves and spines."""
    radix, apart = ports.radix_count, option.medium == "fc"

    def dealt(count: Quantity) -> Sides:
        """The endpoints dealt to so many sides or rails."""
        own = option.client_port_bytes_per_s
        return dealt_sides(count, ports.groups, own, ports.per_cage_count, apart=apart)

    pair = dealt(SIDES)
    rails = None if rail_count is None else dealt(rail_count)
    topology = topology_of(context, cluster, ports.endpoint_count, radix, pair, rails)
    sides = rails or pair
    if topology.value == "single-leaf":
        return topology, sides, one_pair(radix, ports.equivalents, sides)
    return topology, sides, leaf_spine(context, radix, ports.equivalents, sides)


def _links(
    context: Context,
    option: TransportOption,
    switch: Switch,
    ports: _Ports,
    topology: Choice,
    made: Leaves,
) -> tuple[LinkGroup, ...]:
    """The links of endpoints, and between leaves and spines if there are spines."""
    if topology.value == "single-leaf":
        return ports.groups
    uplinks = link_group(
        context,
        UPLINKS,
        made.uplink_count,
        option.client_port_bytes_per_s,
        switch=switch,
        own_ends=2.0,
        fibre_channel=option.name == "fc",
    )
    return (*ports.groups, uplinks)


def has_cages_for(network: NetworkPlan, links: tuple[LinkGroup, ...]) -> bool:
    """Whether the planned leaves have a cage for every one of some other links: split copper cables share none."""
    sides = dealt_sides(
        network.side_count,
        tuple([group for group in links if group.name != UPLINKS]),
        network.option.client_port_bytes_per_s,
        ports_per_cage(network.switch, network.switch_port_count),
        apart=False,
    )
    if network.leaves_split:
        needs = [
            (network.client_leaves, sides.client_count()),
            (network.target_leaves, sides.target_count()),
        ]
    else:
        single = network.topology.value == "single-leaf"
        needs = [(network.client_leaves, sides.cage_count if single else sides.all_count())]
    return all(
        need.number * sides.count.number <= leaves.count.number * leaves.down_count.number
        for leaves, need in needs
    )


# --- what it carries ----------------------------------------------------------------------------------------


@record(frozen=True, slots=True)
class _Limits:
    """Payload of a link, what hashing loses, and what links and uplinks carry of client traffic."""

    link_bytes_per_s: Quantity
    hash_loss_fraction: Quantity
    client_bytes_per_s: Quantity
    fabric_bytes_per_s: Quantity


def _limits(
    context: Context,
    hot: TierPlan,
    option: TransportOption,
    ports: _Ports,
    topology: Choice,
    made: Leaves,
    rail_count: Quantity | None,
) -> _Limits:
    """Client bandwidth between nodes and the hot tier, by the ports that meet and by the uplinks of leaves."""
    single = topology.value == "single-leaf"
    payload = derive(
        transport.path_bytes_per_s,
        path_count=1.0,
        port_bytes_per_s=option.client_port_bytes_per_s,
        wire_fraction=option.wire_fraction,
        label="Payload of a link",
    )
    loss = _hash_loss(context, single)
    clients = client_limit(single, hot, made, ports.node_count, payload, loss)
    if rail_count is not None and context.scenario.storage.access == "namespace-per-node":
        clients = rail_limit(hot, rail_count, ports.node_count, payload, clients)
    whole = clients if single else fabric_limit(hot, made, ports.equivalents[1], clients, payload, loss)
    return _Limits(payload, loss, clients, whole)


def _rail_count(context: Context, cluster: ClusterPlan, choice: Choice) -> Quantity | None:
    """Rails, one for each storage port of a node; None without them: two ports are on two sides already."""
    if context.scenario.network.topology != "rails" or choice.value == "fc":
        return None
    return cluster.port_count if cluster.port_count.number > PAIR else None


def meeting_ports(network: NetworkPlan, cluster: ClusterPlan, hot: TierPlan) -> Quantity:
    """Ports of a node that meet a port of one target of the hot tier: no more paths can be made between both."""
    return _met(cluster, hot, rails_of(network))


def _met(cluster: ClusterPlan, hot: TierPlan, rail_count: Quantity | None) -> Quantity:
    """Ports of a node that meet a port of one target: all of them on two sides, as many as it has on rails."""
    ports = ports_per_unit(hot.platform)
    return ports if rail_count is not None and ports.number < rail_count.number else cluster.port_count


def own_target_bytes_per_s(
    context: Context, hot: TierPlan, node_bytes_per_s: Quantity, rail_count: Quantity | None
) -> Quantity:
    """What a node's ports carry to the target that it saves to: on rails those that meet it, where it has its own.

    Args:
        context: Scenario and catalogue.
        hot: The hot tier.
        node_bytes_per_s: What all its ports carry.
        rail_count: Rails; None on two sides.
    """
    if rail_count is None or context.scenario.storage.access != "namespace-per-node":
        return node_bytes_per_s
    met = derive(hops.met_fraction, port_count=ports_per_unit(hot.platform), rail_count=rail_count)
    if met.number == 1:
        return node_bytes_per_s
    return derive(
        hops.left_bytes_per_s,
        capacity_bytes_per_s=node_bytes_per_s,
        left_fraction=met,
        label="Bandwidth of a node to its own target",
    )


def rails_of(network: NetworkPlan) -> Quantity | None:
    """Rails; None where ports are on two sides."""
    return network.side_count if network.side_count.number != PAIR else None


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
