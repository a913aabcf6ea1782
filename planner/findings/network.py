"""Remarks on the network and the transport."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix
from planner.core.tracing import decided, wording
from planner.core.units import counted, format_value
from planner.findings.rules import TOLERANCE, each_job, note_rule, resize, rule
from planner.sections.hops import Hop, hops_in, reached_tiers
from planner.sections.links import gbps_of, speed_text
from planner.sections.network import meeting_ports
from planner.sections.topology import SEPARATE_NODES, SINGLE_LEAF_NODES
from planner.sections.transport_model import GUIDE_LATENCY_S
from planner.sizing import transport

if TYPE_CHECKING:
    from planner.plan import Plan

FC_KIND = "FC HBA"
"""Kind of an adapter for Fibre Channel in the catalogue."""
GENEROUS_RATIO = 8.0
"""A fabric this many times larger than needed is remarked."""
LARGEST_OVERSUBSCRIPTION = 16.0
"""The input's upper bound: no more can be offered."""


@rule
def network_shape(plan: Plan) -> Iterator[Finding]:
    """NET-1 and NET-2: separation, leaf tier and its ports."""
    network = plan.network
    nodes = plan.cluster.node_count
    topology = "the guide, 'Network Topology'"
    if nodes.number > SEPARATE_NODES and network.separate.value == "shared":
        yield Finding(
            "NET-1",
            "warning",
            f"{nodes} nodes share the storage network with GPU traffic; the guide separates them above 32.",
            "Use separate NICs and switches.",
            topology,
            "network",
            (Fix("network.separate_network", None, "separate it"),),
        )
    if network.topology.value == "single-leaf":
        if network.side_port_count.number > network.switch_port_count.number:
            yield Finding(
                "NET-2",
                "blocker",
                f"{network.endpoint_count} endpoints take {network.side_port_count} ports on a side; one leaf has "
                f"{network.switch_port_count}.",
                "Use leaf-spine or a larger switch.",
                topology,
                "network",
                (Fix("network.topology", "leaf-spine", "use leaf-spine"),),
            )
        elif nodes.number > SINGLE_LEAF_NODES:
            yield Finding(
                "NET-2",
                "warning",
                f"{nodes} nodes on one leaf pair; the guide stops at 64.",
                "Use leaf-spine.",
                topology,
                "network",
                (Fix("network.topology", None, "let the planner choose"),),
            )


@rule
def network_paths(plan: Plan) -> Iterator[Finding]:
    """NET-3 and NET-4: oversubscribed target leaves, too few paths, a target missed with one lost."""
    network, stated = plan.network, plan.scenario.network
    if stated.target_oversubscription_ratio > 1:
        yield Finding(
            "NET-3",
            "blocker",
            f"Leaves of the targets are oversubscribed {stated.target_oversubscription_ratio:g} to 1; they must be non-blocking.",
            "Provide uplinks for all target ports.",
            "the guide, 'Bandwidth Planning'",
            "network",
            (Fix("network.target_oversubscription_ratio", 1.0, "make it non-blocking"),),
        )
    ports = plan.cluster.port_count
    meeting = meeting_ports(network, plan.cluster, plan.hot)
    if network.path_count.number < 2 or meeting.number < network.path_count.number:
        few = ports.number < 2
        some = f", of which {meeting} meet one target on its rails," if meeting is not ports else ""
        yield Finding(
            "NET-4",
            "warning",
            f"A node has {counted(ports.number, 'storage port')}{some} and {counted(network.path_count.number, 'path')} to its checkpoints; the guide asks for 2 to 4 "
            "paths, and two on one port fail together.",
            "Give each node two ports or more." if few else "Use a port for each path.",
            "the guide, 'Checkpoint Storage Design Pattern'",
            "network",
            (
                Fix(
                    "cluster.storage_port_count",
                    max(2, int(network.path_count.number)),
                    "give each node a port for each path",
                ),
            )
            if few
            else (Fix("network.path_count", None, "a path for each port"),),
        )
    for result, who in each_job(plan):
        target = result.job.checkpoint.target_s.number
        lost = result.path_lost if result.save.save_s.number <= target else None
        if lost is not None and target < lost.save_s.number:
            yield Finding(
                "NET-4",
                "warning",
                f"{who}with one path lost a save takes {lost.save_s}, longer than its target of {result.job.checkpoint.target_s}.",
                "Add a path or accept it.",
                "the guide, 'Monitoring and Alerting': path health",
                "network",
            )


@note_rule
def one_port(plan: Plan) -> Iterator[Finding]:
    """NET-18: machines of one cluster with a single port each, on leaves that nothing joins."""
    network = plan.network
    if network.topology.value != "single-leaf":
        return
    for tier in reached_tiers(network, plan.tiers):
        ports = tier.platform.front_end_port_count
        if ports is not None and ports.number == 1 and tier.unit_count.number > 1:
            yield Finding(
                "NET-18",
                "note",
                f"The {counted(tier.unit_count.number, 'machine')} of the {tier.name.lower()} have one port each and "
                f"stand on {min(tier.unit_count.number, network.side_count.number):g} leaves without a link between "
                "them: each reaches only those on its own leaf.",
                "Join the leaves (MLAG), give each machine a second port, or put them all on one leaf.",
                "fabric facts, section 3: two sides are two networks",
                "network",
            )


@rule
def network_bandwidth(plan: Plan) -> Iterator[Finding]:
    """NET-10, NET-11 and NET-14: reads above the ports, a fabric that cannot be built, or far too large a one."""
    network = plan.network
    if network.node_bytes_per_s.number * TOLERANCE < network.node_read_bytes_per_s.number:
        yield Finding(
            "NET-10",
            "blocker",
            f"A node reads {network.node_read_bytes_per_s}; its storage ports carry {network.node_bytes_per_s}.",
            "Use more or faster storage ports, or cache the dataset on the nodes.",
            "the guide, 'Multi-Tier Data Pipeline'",
            "network",
        )
    between = network.client_fabric_bytes_per_s
    short = between.number * TOLERANCE < network.aggregate_bytes_per_s.number
    if network.topology.value == "leaf-spine" and short:
        yield Finding(
            "NET-10",
            "blocker",
            f"The fabric carries {between}; {network.aggregate_bytes_per_s} are needed to the targets.",
            "Lower the oversubscription of client leaves.",
            "the guide, 'Bandwidth Planning'",
            "network",
            (Fix("network.client_oversubscription_ratio", 1.0, "make it non-blocking"),)
            if plan.scenario.network.client_oversubscription_ratio > 1
            else (),
        )
    if not network.switch_count.known:
        yield Finding(
            "NET-11",
            "blocker",
            f"{network.endpoint_count} endpoints exceed two tiers of {network.switch.name} ({network.switch_port_count} ports each at this speed).",
            "Use a larger switch, oversubscribed client leaves, or fewer ports for storage.",
            "fabric facts, section 3",
            "network",
        )
    yield from _generous_fabric(plan)


def _generous_fabric(plan: Plan) -> Iterator[Finding]:
    """NET-14: the fabric carries many times what the targets deliver."""
    network = plan.network
    ratio = network.client_fabric_bytes_per_s.number / max(network.aggregate_bytes_per_s.number, 1.0)
    present = plan.scenario.network.client_oversubscription_ratio
    step = min(present * ratio // 2, LARGEST_OVERSUBSCRIPTION)
    if (
        network.topology.value == "leaf-spine"
        and network.switch_count.known
        and ratio >= GENEROUS_RATIO
        and step > present
    ):
        # Two spines stay, so that one may fail.
        spines = network.spine_count.number
        saved = f"most of the {counted(spines, 'spine')}" if spines > 2 else "uplinks"
        yield Finding(
            "NET-14",
            "note",
            f"The fabric carries {network.client_fabric_bytes_per_s}, {ratio:.0f} times the {network.aggregate_bytes_per_s} that are needed: "
            "client leaves may be oversubscribed without harm.",
            f"Oversubscribe client leaves {step:g} to 1 and save {saved}.",
            "fabric facts, section 3: harmless down to what the targets deliver",
            "network",
            (
                Fix(
                    "network.client_oversubscription_ratio",
                    step,
                    f"oversubscribe client leaves {step:g} to 1",
                ),
            ),
        )


TOLD_ELSEWHERE = "client uplinks"
"""The hop on which NET-10 speaks."""
HASHED = ("client uplinks", "target uplinks")
MOST_PORTS = 64
"""The input's upper bound."""


def _fullest(*loads: float) -> int:
    """Place of the largest load, an unknown one being none; of equal ones the first."""
    known = [load if load == load else 0.0 for load in loads]  # noqa: PLR0124 - unknown is not equal to itself
    return max(range(len(known)), key=known.__getitem__)


@rule
def network_hops(plan: Plan) -> Iterator[Finding]:
    """NET-15: the fullest hop cannot carry a burst beside steady traffic."""
    network = plan.network
    hops = [
        hop
        for hop in hops_in(network, plan.tiers, "both")
        if hop.key != TOLD_ELSEWHERE and hop.kind != "back end"
    ]
    fullest = hops[decided(_fullest, *(hop.loads["both"].fraction.number for hop in hops))]
    load = fullest.loads["both"]
    reads_told = (
        fullest.key == "client port" and load.bytes_per_s.number == network.node_read_bytes_per_s.number
    )
    if load.fraction.number > TOLERANCE and not reads_told:
        yield Finding(
            "NET-15",
            "warning",
            f"{fullest.name}: a burst beside steady traffic asks for {load.bytes_per_s}, {load.fraction} of the "
            f"{fullest.capacity_bytes_per_s} that they carry.",
            HOP_REMEDIES[fullest.kind],
            "the guide, 'Bandwidth Planning'",
            "network",
            _hop_fixes(plan, fullest),
        )


HOP_REMEDIES = {
    "client": "Give each node more or faster storage ports.",
    "leaf": "Give the leaves more uplinks: no oversubscription, and adaptive routing.",
    "spine": "Use less oversubscription, or a larger switch.",
    "target": "Use more storage nodes.",
}


@wording
def _hop_fixes(plan: Plan, hop: Hop) -> tuple[Fix, ...]:
    """The input that gives a hop more."""
    stated, fixes = plan.scenario.network, []
    if hop.kind == "client":
        ports = math.ceil(hop.count.number * hop.loads["both"].fraction.number - 1e-9)
        if ports <= MOST_PORTS:
            fixes.append(Fix("cluster.storage_port_count", ports, f"give each node {ports} storage ports"))
    if hop.key in HASHED and stated.balancing == "hash" and stated.hash_loss_fraction > 0:
        fixes.append(Fix("network.balancing", "adaptive", "use adaptive routing"))
    if hop.key == "target uplinks" and stated.target_oversubscription_ratio > 1:
        fixes.append(Fix("network.target_oversubscription_ratio", 1.0, "make target leaves non-blocking"))
    if hop.kind == "target":
        tier = next((tier for tier in plan.tiers if hop.key.endswith(f" {tier.role}")), plan.hot)
        fixes.extend(resize(plan, tier))
    return tuple(fixes)


@rule
def network_kind(plan: Plan) -> Iterator[Finding]:
    """NET-12 and NET-13: tiers that Fibre Channel does not reach; a switch of another kind or speed."""
    network = plan.network
    switch = network.switch
    fibre_channel = network.transport.value == "fc"
    infiniband = network.option.medium == "infiniband"
    if network.option.hot_alone and len(plan.tiers) > 1:
        others = " and ".join(tier.name for tier in plan.tiers[1:])
        yield Finding(
            "NET-12",
            "warning",
            f"{'InfiniBand' if infiniband else 'Fibre Channel'} carries checkpoints alone; {others} need an Ethernet network, which is not in this bill of materials.",
            "Plan it beside this design, or use RoCEv2 or TCP for all.",
            "catalogue: file and object platforms serve Ethernet",
            "network",
        )
    gbps = gbps_of(network.option.client_port_bytes_per_s.number)
    fits = fibre_channel or gbps in switch.ports_by_gbps
    if infiniband:
        yield from _infiniband_cards(plan)
    if not fibre_channel:
        yield from _fibre_channel_cards(plan)
    if (switch.fabric == "fc") != fibre_channel or (switch.fabric == "infiniband") != infiniband or not fits:
        field = "network.fc_switch_id" if fibre_channel else "network.switch_id"
        default = "g720" if fibre_channel else "sn5600"
        yield Finding(
            "NET-13",
            "blocker",
            f"{switch.name} is a switch for {switch.fabric} with ports of {', '.join(f'{s} Gb/s' for s in sorted(switch.ports_by_gbps))}; "
            f"{network.transport.label} needs {'Fibre Channel' if fibre_channel else f'{_medium(network.option.medium)} at {gbps} Gb/s'}.",
            "Choose another switch, or other ports.",
            "catalogue",
            "network",
            (Fix(field, default, f"use {default}"),)
            if getattr(plan.scenario.network, field.rpartition(".")[2]) != default
            else (),
        )
    elif not fibre_channel:
        yield from _fast_targets(plan)


def _medium(name: str) -> str:
    return "InfiniBand" if name == "infiniband" else "Ethernet"


def _fast_targets(plan: Plan) -> Iterator[Finding]:
    """NET-13: targets with faster ports than the switch has, which takes those of nodes."""
    network, switch = plan.network, plan.network.switch
    own, fastest = network.option.client_port_bytes_per_s, switch.port_bytes_per_s.number
    faster = [
        f"{group.name}: ports of {speed_text(group)}"
        for group in network.links
        if group.speed_bytes_per_s is not own and fastest * TOLERANCE < group.speed_bytes_per_s.number
    ]
    if faster:
        yield Finding(
            "NET-13",
            "blocker",
            f"{'; '.join(faster)}; those of {switch.name} run at {gbps_of(fastest)} Gb/s.",
            "Choose a switch with faster ports.",
            "catalogue",
            "network",
            (Fix("network.switch_id", "sn5600", "use sn5600"),)
            if switch.fabric == "ethernet" and switch.id != "sn5600"
            else (),
        )


def _infiniband_cards(plan: Plan) -> Iterator[Finding]:
    """NET-13: the card of the targets knows no InfiniBand."""
    card = plan.calculation().context.catalogue.nics.get(plan.scenario.network.nic_id)
    if card is None or "IB" in card.rdma:
        return
    yield Finding(
        "NET-13",
        "blocker",
        f"{card.name}, the card of the targets, knows no InfiniBand; {plan.network.switch.name} carries nothing else.",
        "Choose another card, or an Ethernet switch.",
        "catalogue",
        "network",
        (Fix("network.nic_id", "cx7-400", "use cx7-400"),),
    )


def _fibre_channel_cards(plan: Plan) -> Iterator[Finding]:
    """NET-13: the card of the targets is an adapter for Fibre Channel."""
    card = plan.calculation().context.catalogue.nics.get(plan.scenario.network.nic_id)
    if plan.hot.drive is None or card is None or card.kind != FC_KIND:
        return
    yield Finding(
        "NET-13",
        "blocker",
        f"{card.name}, the card of the targets, is an adapter for Fibre Channel; {plan.network.transport.label} needs another.",
        "Choose a network card.",
        "catalogue",
        "network",
        (Fix("network.nic_id", "cx7-400", "use cx7-400"),),
    )


@rule
def lossless(plan: Plan) -> Iterator[Finding]:
    """NET-5, NET-6 and NET-8: RoCE without its set-up, on shared switches; FC by its name."""
    network, stated = plan.network, plan.scenario.network
    if network.transport.value == "rdma" and network.option.medium == "ethernet":
        missing = [
            name
            for name, there in (("PFC", stated.pfc), ("ECN", stated.ecn), ("DSCP mapping", stated.dscp))
            if not there
        ]
        if missing:
            yield Finding(
                "NET-5",
                "warning",
                f"RoCEv2 without {', '.join(missing)}: packets are lost under a checkpoint burst.",
                "Configure them on hosts, leaves and spines.",
                "the guide, 'RoCEv2 Configuration'",
                "network",
                tuple(
                    Fix(f"network.{key}", True, f"state that {name} is configured")
                    for key, name in (("pfc", "PFC"), ("ecn", "ECN"), ("dscp", "DSCP mapping"))
                    if name in missing
                ),
            )
        if stated.switches_shared:
            yield Finding(
                "NET-6",
                "warning",
                "RoCEv2 on switches that carry other traffic.",
                "Use TCP, or switches of its own.",
                "the guide, 'Transport Options'",
                "network",
                (Fix("network.transport", "tcp", "use TCP"),),
            )
    if network.transport.value == "fc":
        yield Finding(
            "NET-8",
            "note",
            f"Fibre Channel is sized at its nominal payload of {network.option.client_port_bytes_per_s} a port, not at its name.",
            "Nothing to do.",
            "fabric facts 1.1",
            "network",
        )
    served = plan.hot.platform.transports
    if served and network.transport.value not in served:
        yield Finding(
            "NET-9",
            "blocker",
            f"{plan.hot.platform.name} does not serve {network.transport.label}; it serves {', '.join(sorted(served))}.",
            "Choose another platform or transport.",
            "catalogue",
            "network",
            tuple(
                Fix("network.transport", name, f"use {name}")
                for name in ("rdma", "tcp", "fc")
                if name in served
            )[:1],
        )


@note_rule
def local_only(plan: Plan) -> Iterator[Finding]:
    """LOC-1: local NVMe alone, with the guide's four reasons in numbers."""
    local = plan.local
    if (
        plan.local.retained_count.number
        < plan.main.job.policy.retained_count + plan.main.job.policy.in_flight_count
        or local.dataset_fraction.number < 1
    ):
        yield Finding(
            "LOC-1",
            "note",
            f"Local NVMe alone would not do: a node holds {local.free_bytes} or {local.dataset_fraction} of the dataset; copies for every node are "
            f"{local.duplicated_bytes} more; {local.failures_count} failures in the run would each make a checkpoint unreadable; "
            f"{local.stranded_fraction} of a node's space would be stranded.",
            "Use it as a cache only.",
            "the guide, 'Why Not Just Use Local NVMe?'",
            "local",
        )


@note_rule
def latency_target(plan: Plan) -> Iterator[Finding]:
    """TRN-1: the guide's 100 µs cannot hold for large blocks on slow ports."""
    block = plan.main.job.policy.block_bytes
    takes_s = float(
        transport.serialisation_s(block, bandwidth_bytes_per_s=plan.network.link_payload_bytes_per_s.number)
    )
    if takes_s > GUIDE_LATENCY_S:
        yield Finding(
            "TRN-1",
            "note",
            f"A block of {format_value(block, 'bytes')} takes {format_value(takes_s, 's')} on one port: the guide's 100 µs is a first-byte figure.",
            "Watch throughput for checkpoints, latency for small reads.",
            "fabric facts 1.2",
            "transport",
        )
