"""Every way from a node to its storage, modelled alike: wire, latency, cores, queue depth, sessions, ports.

Made for readers after the calculation. The planner designs with three of these ways; the others stand beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.catalogue import Catalogue, Transport
from planner.core.quantity import Quantity, derive, given
from planner.core.units import KIB, MB, MIB, format_value, scalar
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Context, or_unknown
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan
from planner.sections.transport import on_infiniband
from planner.sections.transport_scores import CORE_BYTES_PER_S
from planner.sizing import delivery, queueing, transport

WAYS: dict[str, str] = {
    "rdma": "NVMe-oF over RoCEv2",
    "ib": "NVMe-oF over RDMA, InfiniBand",
    "tcp": "NVMe-oF over TCP",
    "fc": "NVMe-oF over Fibre Channel",
    "nfs": "NFS over TCP",
    "nfsrdma": "NFS over RDMA",
    "iscsi": "iSCSI",
    "local": "Local NVMe",
}
SIZES_BYTES = (4 * KIB, 128 * KIB, MIB, 16 * MIB)
"""Blocks that are looked at, beside the save's own."""
GUIDE_LATENCY_S = 100e-6
"""The guide's target for blocks of 1 to 16 MB."""
GUIDE_BLOCK_BYTES = 16 * MB
_GUIDE_TARGET = given(
    GUIDE_LATENCY_S,
    "s",
    "Latency target",
    source="the guide, 'Checkpoint Storage Design Pattern'",
    grade="guide",
)
_NOTHING_S = given(
    0.0, "s", "Added by the transport", source="no transport: the drive is in the node", grade="seen"
)
DIRECT: dict[str, tuple[bool, str]] = {
    "rdma": (True, "the adapter reads and writes GPU memory by RDMA"),
    "ib": (True, "the adapter reads and writes GPU memory by RDMA"),
    "tcp": (False, "the kernel's TCP stack copies through host memory"),
    "fc": (False, "data passes through host memory"),
    "nfs": (False, "data passes through the page cache"),
    "nfsrdma": (True, "the server's replies go to GPU memory by RDMA"),
    "iscsi": (False, "data passes through host memory"),
    "local": (True, "the drive and the GPU talk over PCIe"),
}
"""GPUDirect Storage, and why."""
RELATIVES = {"ib": "rdma", "nfsrdma": "rdma", "nfs": "tcp", "iscsi": "tcp"}
"""Ways whose cores are taken to be those of another: the same verbs, or the same TCP stack."""


@dataclass(frozen=True, slots=True)
class BlockRow:
    """One block size over a transport.

    Attributes:
        wire_fraction: Payload over line rate.
        serialisation_s: Time that the block takes on one port, or on the drive's PCIe link.
        latency_low_s: Drive, transport at its least, and serialisation.
        within: Whether the guide's 100 µs holds at all.
        depth_count: Blocks under way at once that fill a port.
    """

    io_bytes: Quantity
    wire_fraction: Quantity
    serialisation_s: Quantity
    latency_low_s: Quantity
    latency_high_s: Quantity
    within: bool
    depth_count: Quantity


@dataclass(frozen=True, slots=True)
class TransportModel:
    """One way to the storage.

    Attributes:
        rows: Block sizes, the save's own last.
        media_s: Write latency of the drive.
        limit_bytes: Largest block within the guide's 100 µs.
        port_bytes_per_s: Line rate of a port on this design.
        core_bytes_per_s: What a core moves; unknown where nobody measured it.
        cores_count: Cores for each GB/s.
        session_count: Connections of a node that carry what it writes or reads.
        guide_latency_low_s: The guide's range beside it.
        shipping_bytes_per_s: Fastest port that ships.
        statement: What the guide's 100 µs means here.
        designed: Whether the planner designs with it.
    """

    name: str
    label: str
    rows: tuple[BlockRow, ...]
    media_s: Quantity
    limit_bytes: Quantity
    port_bytes_per_s: Quantity
    core_bytes_per_s: Quantity
    cores_count: Quantity
    session_count: Quantity
    guide_latency_low_s: Quantity
    guide_latency_high_s: Quantity
    guide_port_low_bytes_per_s: Quantity
    guide_port_high_bytes_per_s: Quantity
    shipping_bytes_per_s: Quantity
    direct: bool
    direct_reason: str
    statement: str
    designed: bool


def transport_models(
    context: Context, cluster: ClusterPlan, network: NetworkPlan, hot: TierPlan, block_bytes: float
) -> tuple[TransportModel, ...]:
    """All ways to the storage on the ports of this design.

    Args:
        context: Scenario and catalogue.
        cluster: The GPU nodes and their ports.
        network: The planned network, for what a node needs and its paths.
        hot: The hot tier, for the latency of its drive.
        block_bytes: Block of a save.
    """
    made = _Making(context, cluster, network, _media(hot), tuple(dict.fromkeys((*SIZES_BYTES, block_bytes))))
    return tuple(made.model(name) for name in WAYS)


def _media(hot: TierPlan) -> Quantity:
    drive = hot.drive
    return or_unknown(drive.write_latency_s if drive else None, "s", "Write latency of the drive")


@dataclass(frozen=True, slots=True)
class _Making:
    """What every model is made of."""

    context: Context
    cluster: ClusterPlan
    network: NetworkPlan
    media: Quantity
    sizes: tuple[float, ...]

    def model(self, name: str) -> TransportModel:
        """Times of a transport over the sizes of a request, with the range in which they lie."""
        facts = facts_of(self.context.catalogue, name)
        port = self._port(name)
        low, high = self._measured(name, port) or self._added(name, facts)
        rows = tuple(self._row(name, size, port, low, high) for size in self.sizes)
        limit = derive(
            transport.block_limit_bytes,
            budget_s=_GUIDE_TARGET,
            media_s=self.media if self.media.known else 0.0,
            transport_s=low if low.known else 0.0,
            bandwidth_bytes_per_s=self._payload(name, port, MIB),
        )
        core = self._core(name)
        return TransportModel(
            name=name,
            label=WAYS[name],
            rows=rows,
            media_s=self.media,
            limit_bytes=limit,
            port_bytes_per_s=port,
            core_bytes_per_s=core,
            cores_count=derive(transport.cores_per_gb_count, bytes_per_s_per_core=core),
            session_count=derive(
                transport.session_count,
                needed_bytes_per_s=self.network.node_need_bytes_per_s,
                session_bytes_per_s=self._session(name, port, core),
                path_count=1.0 if name == "local" else self.network.path_count,
            ),
            guide_latency_low_s=or_unknown(facts.guide_latency_low_s if facts else None, "s", "Latency, low"),
            guide_latency_high_s=or_unknown(
                facts.guide_latency_high_s if facts else None, "s", "Latency, high"
            ),
            guide_port_low_bytes_per_s=_port_of(facts, "low"),
            guide_port_high_bytes_per_s=_port_of(facts, "high"),
            shipping_bytes_per_s=shipping(self.context.catalogue, name, facts),
            direct=DIRECT[name][0],
            direct_reason=DIRECT[name][1],
            statement=self._statement(name, limit, port),
            designed=name in ("tcp", "fc", "ib" if on_infiniband(self.context) else "rdma"),
        )

    def _measured(self, name: str, port: Quantity) -> tuple[Quantity, Quantity] | None:
        """What the chosen transport adds by a measurement of the whole request; None where there is none."""
        measured_s = self.context.scenario.network.measured_latency_s
        if measured_s is None or name != chosen_way(self.context, self.network):
            return None
        added = derive(
            delivery.measured_transport_s,
            measured_s=given(
                measured_s,
                "s",
                "Latency of a small write",
                source="network.measured_latency_s",
                grade="input",
            ),
            media_s=self.media if self.media.known else 0.0,
            io_bytes=4 * KIB,
            bandwidth_bytes_per_s=self._payload(name, port, 4 * KIB),
        )
        return added, added

    def _port(self, name: str) -> Quantity:
        """Line rate of a port: the node's, an FC port, or for a local drive what the drive writes."""
        if name == "fc":
            return given(
                self.context.scenario.network.fc_port_bytes_per_s,
                "bytes/s",
                "Fibre Channel port",
                source="network.fc_port_bytes_per_s",
                grade="input",
            )
        if name == "local":
            return given(None, "bytes/s", "Port", source="no port: the drive is in the node", grade="unknown")
        return self.cluster.port_bytes_per_s

    def _wire(self, name: str, size: float) -> Quantity:
        mtu = scalar(self.context.scenario.network.mtu_bytes)
        rules = {
            "rdma": transport.rdma_wire_fraction,
            "tcp": transport.tcp_wire_fraction,
            "nfs": transport.nfs_wire_fraction,
            "nfsrdma": transport.nfs_rdma_wire_fraction,
            "iscsi": transport.iscsi_wire_fraction,
        }
        if name == "ib":
            return derive(transport.infiniband_wire_fraction, io_bytes=size)
        rule = rules.get(name)
        if rule is not None:
            return derive(rule, io_bytes=size, mtu_bytes=mtu)
        why = "nominal FC rates are payload" if name == "fc" else "no wire"
        return given(1.0, "fraction", "Payload share", source=why, grade="inferred")

    def _payload(self, name: str, port: Quantity, size: float) -> Quantity:
        if name == "local":
            return self._drive()
        return derive(
            transport.path_bytes_per_s,
            path_count=1.0,
            port_bytes_per_s=port,
            wire_fraction=self._wire(name, size),
            label="Payload of a port",
        )

    def _drive(self) -> Quantity:
        """What a node's own drive writes; a drive of the hot tier stands for it."""
        drive = self.context.catalogue.drives.get(self.context.scenario.storage.hot.drive_id)
        return or_unknown(
            drive.write_bytes_per_s if drive else None, "bytes/s", "Sequential write of a drive"
        )

    def _added(self, name: str, facts: Transport | None) -> tuple[Quantity, Quantity]:
        """What the transport adds to a small I/O, by the guide's range; InfiniBand is taken to be as RoCEv2."""
        if name == "local":
            return _NOTHING_S, _NOTHING_S
        return (
            or_unknown(facts.guide_latency_low_s if facts else None, "s", "Added by the transport, low"),
            or_unknown(facts.guide_latency_high_s if facts else None, "s", "Added by the transport, high"),
        )

    def _row(self, name: str, size: float, port: Quantity, low: Quantity, high: Quantity) -> BlockRow:
        rate = self._payload(name, port, size)
        parts: dict[str, Any] = {"media_s": self.media, "io_bytes": size, "bandwidth_bytes_per_s": rate}
        latencies = [
            derive(transport.latency_s, transport_s=added, label=f"Latency, {end}", **parts)
            for added, end in ((low, "low"), (high, "high"))
        ]
        alone = derive(transport.serialisation_s, io_bytes=size, bandwidth_bytes_per_s=rate)
        least = latencies[0] if latencies[0].known else alone
        return BlockRow(
            io_bytes=given(size, "bytes", "Block", source="block of the row", grade="seen"),
            wire_fraction=self._wire(name, size),
            serialisation_s=alone,
            latency_low_s=latencies[0],
            latency_high_s=latencies[1],
            within=bool(least.number <= GUIDE_LATENCY_S),
            depth_count=derive(
                queueing.little_outstanding_count,
                bandwidth_bytes_per_s=rate,
                latency_s=latencies[1],
                io_bytes=size,
                label="Blocks under way that fill a port",
            ),
        )

    def _core(self, name: str) -> Quantity:
        """What a core moves in large blocks."""
        rate = CORE_BYTES_PER_S.get(RELATIVES.get(name, name))
        relative = RELATIVES.get(name)
        source = f"as {WAYS[relative]}" if relative else "fabric facts, section 1.3"
        grade = "unknown" if rate is None else "class assumption" if relative else "inferred"
        return given(rate, "bytes/s", "Bandwidth of a core", source=source, grade=grade)

    def _session(self, name: str, port: Quantity, core: Quantity) -> Quantity:
        """What one connection carries: a queue pair its port, a TCP connection a core or its measured cap."""
        if name in ("nfs", "iscsi"):
            return given(
                self.context.scenario.network.nfs_session_bytes_per_s,
                "bytes/s",
                "Cap of one session",
                source="network.nfs_session_bytes_per_s",
                grade="input",
            )
        if name == "tcp":
            return core
        return self._drive() if name == "local" else self._payload(name, port, MIB)

    def _statement(self, name: str, limit: Quantity, port: Quantity) -> str:
        """Whether the guide's 100 µs can hold for its largest block, and what is meant by it."""
        rate = self._payload(name, port, GUIDE_BLOCK_BYTES)
        if not rate.known:
            return "Nothing is known of its port."
        takes = derive(transport.serialisation_s, io_bytes=GUIDE_BLOCK_BYTES, bandwidth_bytes_per_s=rate)
        what = "on the drive" if name == "local" else "on one port"
        block = format_value(GUIDE_BLOCK_BYTES, "bytes")
        if takes.number <= GUIDE_LATENCY_S:
            return f"A block of {block} takes {takes} {what}, within the guide's 100 µs."
        up_to = f"holds for blocks up to {limit}" if limit.number > 0 else "holds for no block at all"
        return (
            f"A block of {block} takes {takes} {what} alone, so the guide's 100 µs cannot hold for it: it {up_to} and is "
            "meant of small I/O, or of the first byte of a large one."
        )


def chosen_way(context: Context, network: NetworkPlan) -> str:
    """The way that the design takes: its transport, over InfiniBand where the switches are."""
    name = network.transport.value
    return "ib" if name == "rdma" and on_infiniband(context) else name


def facts_of(catalogue: Catalogue, name: str) -> Transport | None:
    """The catalogue's row of a transport; InfiniBand carries the same verbs as RoCEv2 and has no row of its own."""
    rows: Mapping[str, Transport] = catalogue.transports
    return rows.get("rdma" if name == "ib" else name)


def _port_of(facts: Transport | None, end: str) -> Quantity:
    rate: Quantity | None = getattr(facts, f"guide_port_{end}_bytes_per_s") if facts else None
    return or_unknown(rate, "bytes/s", f"Port by the guide, {end}")


def shipping(catalogue: Catalogue, name: str, facts: Transport | None) -> Quantity:
    """Fastest port that ships: by the transport's row, or for InfiniBand by the switches of the catalogue."""
    if name != "ib":
        return or_unknown(
            facts.shipping_port_bytes_per_s if facts else None, "bytes/s", "Fastest port that ships"
        )
    rates = [
        switch.port_bytes_per_s for switch in catalogue.switches.values() if switch.fabric == "infiniband"
    ]
    best = max(rates, key=lambda rate: rate.number, default=None)
    return or_unknown(best, "bytes/s", "Fastest port that ships")
