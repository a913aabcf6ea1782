"""Which transport carries checkpoints, why, and how long a save takes over each of them."""

from __future__ import annotations

from typing import Any

from planner.core.quantity import Quantity, derive, largest
from planner.core.record import record
from planner.core.tracing import decided
from planner.core.units import scalar
from planner.scenario import Network, TransportName
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Choice, Context, stated
from planner.sections.jobs import JobPlan
from planner.sections.transport_scores import (
    CRITERIA,
    Amounts,
    Situation,
    best_of,
    situation_of,
    weights_of,
)
from planner.sizing import bandwidth, burst, checkpoint, tier_rates, transport

TRANSPORTS: tuple[TransportName, ...] = ("rdma", "tcp", "fc")
LABELS: dict[str, str] = {
    "rdma": "NVMe-oF over RoCEv2",
    "tcp": "NVMe-oF over TCP",
    "fc": "NVMe-oF over Fibre Channel",
    "nfs": "NFS or iSCSI",
}
INFINIBAND = "NVMe-oF over RDMA, InfiniBand"
"""The same verbs on switches that need neither PFC nor marking: a sender waits for the receiver's credits."""


@record(frozen=True, slots=True)
class TransportOption:
    """One transport on this design's ports.

    Attributes:
        name: Short name: rdma, tcp, fc.
        wire_fraction: Payload over line rate; 1 where the port's figure is payload already.
        stack_fraction: Share of an array's bandwidth that clients reach.
        client_port_bytes_per_s: Line rate of a node's port.
        node_bytes_per_s: Payload that one node can send over all its ports.
        medium: "ethernet", "fc", or "infiniband" where RDMA has such a switch.
    """

    name: TransportName
    label: str
    wire_fraction: Quantity
    stack_fraction: Quantity
    client_port_bytes_per_s: Quantity
    node_bytes_per_s: Quantity
    medium: str = "ethernet"

    @property
    def hot_alone(self) -> bool:
        """Whether the network is one for checkpoints: file and object platforms serve Ethernet."""
        return self.medium != "ethernet"


@record(frozen=True, slots=True)
class SavePlan:
    """How long a save takes, by stage.

    Attributes:
        stages: Time that each stage alone would take.
        save_s: Time of the whole, which is its slowest stage.
        binding: Name of the slowest stage.
        following: Name of the second slowest.
    """

    stages: dict[str, Quantity]
    save_s: Quantity
    binding: str
    following: str


def transport_options(
    context: Context, cluster: ClusterPlan, block_bytes: float
) -> dict[str, TransportOption]:
    """Every transport on the ports that the nodes have."""
    network, infiniband = context.scenario.network, on_infiniband(context)
    return {name: _option(network, cluster, name, block_bytes, infiniband) for name in TRANSPORTS}


def on_infiniband(context: Context) -> bool:
    """Whether the stated switch carries InfiniBand; an unknown one is refused where the network is planned."""
    switch = context.catalogue.switches.get(context.scenario.network.switch_id)
    return switch is not None and switch.fabric == "infiniband"


def _option(
    network: Network, cluster: ClusterPlan, name: TransportName, block_bytes: float, infiniband: bool
) -> TransportOption:
    mtu = scalar(network.mtu_bytes)
    if name == "fc":
        wire = stated(
            1.0, "wire_fraction", "Payload share", source="nominal FC rates are payload", grade="inferred"
        )
        port = stated(network.fc_port_bytes_per_s, "port_bytes_per_s", "Fibre Channel port")
        stack = network.fc_stack_fraction
    elif infiniband and name == "rdma":
        wire = derive(transport.infiniband_wire_fraction, io_bytes=block_bytes)
        port, stack = cluster.port_bytes_per_s, network.rdma_stack_fraction
    else:
        rule = transport.rdma_wire_fraction if name == "rdma" else transport.tcp_wire_fraction
        wire = derive(rule, io_bytes=block_bytes, mtu_bytes=mtu)
        port = cluster.port_bytes_per_s
        stack = network.rdma_stack_fraction if name == "rdma" else network.tcp_stack_fraction
    return TransportOption(
        name=name,
        label=INFINIBAND if infiniband and name == "rdma" else LABELS[name],
        wire_fraction=wire,
        stack_fraction=stated(
            stack, "stack_fraction", "Client stack", source="rules of the calculation", grade="inferred"
        ),
        client_port_bytes_per_s=port,
        node_bytes_per_s=derive(
            transport.path_bytes_per_s,
            path_count=cluster.port_count,
            port_bytes_per_s=port,
            wire_fraction=wire,
            label="Storage bandwidth of a node",
        ),
        medium="fc" if name == "fc" else "infiniband" if infiniband and name == "rdma" else "ethernet",
    )


def choose_transport(
    context: Context, cluster: ClusterPlan, options: dict[str, TransportOption], job: JobPlan
) -> Choice:
    """The transport with the most points of those that the network allows; see `transport_scores`."""
    network = context.scenario.network
    need = job.checkpoint.node_write_bytes_per_s
    situation = situation_of(network, infiniband=options["rdma"].medium == "infiniband")
    if network.path_count is None:
        paths = derive(bandwidth.paths_count, port_count=cluster.port_count).number
    else:
        paths = scalar(network.path_count)

    def best(*numbers: float) -> TransportName:
        """The transport, from the numbers that are traced below, in their order."""
        asked, rdma, tcp, fc, path_count, cores, *weights = numbers
        rates: dict[TransportName, float] = {"rdma": rdma, "tcp": tcp, "fc": fc}
        amounts = Amounts(asked, rates, max(path_count - 1.0, 0.0) / path_count, cores)
        return best_of(situation, amounts, dict(zip(CRITERIA, weights, strict=True)))

    name: TransportName = decided(
        best,
        need.number,
        *(options[name].node_bytes_per_s.number for name in TRANSPORTS),
        paths,
        scalar(network.transport_core_count),
        *(scalar(weight) for weight in weights_of(network.transport_weights).values()),
        key=("transport", situation),
    )
    choice = Choice(name, options[name].label, _reason(name, situation, need))
    context.auto["network.transport"] = choice
    if network.transport is None:
        return choice
    return Choice(network.transport, options[network.transport].label, "stated by the architect")


def _reason(name: TransportName, situation: Situation, need: Quantity) -> str:
    """Why it is the choice: what the network allows, or else the weights."""
    if name == "fc":
        return f"a SAN is there and its ports carry the {need.text()} that a node writes"
    if situation.infiniband:
        return "the stated switch is InfiniBand, which is lossless by credits and carries RDMA without PFC"
    if name == "rdma":
        if situation.shared:
            return (
                "lossless Ethernet is possible, and by the stated weights shared switches do not outweigh it"
            )
        return "lossless Ethernet is possible and its switches carry no other traffic"
    if situation.shared:
        why = "switches are shared with other traffic"
    elif not situation.lossless:
        why = "lossless Ethernet is not possible"
    else:
        why = "lossless Ethernet is possible, but TCP has more points by the stated weights"
    return f"{why}; TCP needs no PFC, for 30 to 60 µs more on each I/O"


def save_plan(
    job: JobPlan,
    *,
    node_bytes_per_s: Quantity,
    copy_bytes_per_s: Quantity,
    fabric_bytes_per_s: Quantity,
    ports_bytes_per_s: Quantity,
    drives_bytes_per_s: Quantity,
    jitter_ratio: Quantity,
) -> SavePlan:
    """Save time of a job alone on the tier, with the slowest stage named.

    The node's own stages are stretched by the spread between nodes; the array's are not, because
    a shared array serves the faster nodes while it waits for the slow ones.
    """
    written, shard = job.checkpoint.written_bytes, job.checkpoint.shard_bytes
    copy = derive(
        checkpoint.write_s,
        checkpoint_bytes=job.checkpoint.gpu_shard_bytes,
        bandwidth_bytes_per_s=copy_bytes_per_s,
        label="Copy out of GPU memory",
    )
    nic = derive(
        checkpoint.write_s,
        checkpoint_bytes=shard,
        bandwidth_bytes_per_s=_node_rate(job, node_bytes_per_s),
        label="Node ports",
    )
    stages = {
        "copy out of GPU memory": copy,
        "node ports": derive(
            burst.stretched_s, node_s=nic, jitter_ratio=jitter_ratio, label="Node ports, slowest node"
        ),
        "fabric": derive(
            checkpoint.write_s,
            checkpoint_bytes=written,
            bandwidth_bytes_per_s=fabric_bytes_per_s,
            label="Fabric",
        ),
        "target ports": derive(
            checkpoint.write_s,
            checkpoint_bytes=written,
            bandwidth_bytes_per_s=ports_bytes_per_s,
            label="Target ports",
        ),
        "drives": derive(
            checkpoint.write_s,
            checkpoint_bytes=written,
            bandwidth_bytes_per_s=drives_bytes_per_s,
            label="Drives",
        ),
    }
    binding, following = largest(stages)
    return SavePlan(stages, derive(burst.slowest_s, **_numbered(stages)), binding, following)


def _node_rate(job: JobPlan, ports: Quantity) -> Quantity:
    """What the busiest node writes: its ports, or its writing processes where they are slower."""
    processes = job.checkpoint.writer_bytes_per_s
    if processes is None:
        return ports
    return derive(
        tier_rates.smaller_bytes_per_s,
        first_bytes_per_s=ports,
        second_bytes_per_s=processes,
        label="Node ports or writing processes",
    )


def _numbered(stages: dict[str, Quantity]) -> dict[str, Any]:
    names = ("copy_s", "node_s", "fabric_s", "ports_s", "drives_s")
    return dict(zip(names, stages.values(), strict=True))
