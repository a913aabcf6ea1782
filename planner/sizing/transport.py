"""What a transport costs: bytes on the wire, time per I/O, processor cores, and lost paths."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import BITS_PER_BYTE, GB, KIB, MIB, Number

_WIRE = "fabric facts, section 1.1: bytes per packet on the wire"
_LATENCY = "fabric facts, section 1.2: latency"
_CORES = "fabric facts, section 1.3: processor cores"
_GUIDE_NFS = "rules of the calculation, 'The guide's basis': NFS and iSCSI"
_GUIDE_PATHS = "the guide, 'Checkpoint Storage Design Pattern'"

FRAME_BYTES = 8.0 + 12.0 + 14.0 + 4.0
"""Preamble, gap, Ethernet header and checksum of a frame without VLAN tag."""
ROCE_PACKET_BYTES = FRAME_BYTES + 20.0 + 8.0 + 12.0 + 4.0
"""A RoCEv2 packet adds IPv4, UDP, the base transport header and the invariant checksum."""
ROCE_IO_BYTES = 16.0
"""Remote address and length, once for an RDMA write."""
TCP_HEADERS_BYTES = 20.0 + 20.0 + 12.0
"""IPv4, TCP and timestamps: inside the MTU, so they shorten the segment."""
NVME_TCP_PDU_BYTES = 24.0
"""Header of a data unit of NVMe/TCP, once for an I/O."""
ISCSI_PDU_BYTES, ISCSI_PDU_DATA_BYTES = 48.0, 256 * KIB
"""Header of an iSCSI data unit, and the data that follow one."""
NFS_RPC_BYTES, NFS_RPC_DATA_BYTES = 180.0, MIB
"""What NFS adds to a call, and the data of one call."""
FC_FRAME_DATA_BYTES, FC_FRAME_BYTES = 2112.0, 2112.0 + 4.0 + 24.0 + 4.0 + 4.0 + 24.0
"""Data of a full Fibre Channel frame; with its start, header, checksum, end and the gap before the next."""
INFINIBAND_PACKET_BYTES = 8.0 + 12.0 + 4.0 + 2.0
"""Local route header, base transport header and both checksums."""
LARGEST_PATH_MTU_BYTES = 4096.0
"""The largest packet of InfiniBand, and of RoCE after it."""
LARGE_PATH_MTU_FROM_BYTES = 4200.0
"""Ethernet MTU from which the largest InfiniBand path MTU fits."""


# --- bytes on the wire --------------------------------------------------------------------------------------


@formula(
    r"p = \begin{cases}1024 & m < 4200\\ 4096 & m \ge 4200\end{cases}",
    unit="bytes",
    label="RDMA path MTU",
    source=_WIRE,
    symbols={"mtu_bytes": "m"},
    validity="Ethernet MTU of 1,500 or more",
)
def path_mtu_bytes(mtu_bytes: Number) -> Number:
    """Payload of one RoCE packet: RDMA knows few sizes, so 9,000 carries no more than 4,200.

    Args:
        mtu_bytes: Ethernet MTU of the path.

    Example:
        >>> float(path_mtu_bytes(1500)), float(path_mtu_bytes(9000))
        (1024.0, 4096.0)
    """
    path: Number = elementwise.where(mtu_bytes < LARGE_PATH_MTU_FROM_BYTES, 1024.0, 4096.0)
    return path


@formula(
    r"\eta = \frac{b}{b + 82 \lceil b / p(m) \rceil + 16}",
    unit="fraction",
    label="Wire efficiency of RoCEv2",
    source=_WIRE,
    symbols={"io_bytes": "b", "mtu_bytes": "m"},
    validity="IPv4 without VLAN tag; the other direction is not counted",
)
def rdma_wire_fraction(io_bytes: Number, *, mtu_bytes: Number) -> Number:
    """Share of the line rate that is payload, for NVMe over RoCEv2.

    Args:
        io_bytes: Size of one I/O.
        mtu_bytes: Ethernet MTU of the path.

    Example:
        >>> round(float(rdma_wire_fraction(1048576, mtu_bytes=9000)), 5)
        0.98036
    """
    packets: Number = elementwise.ceil(io_bytes / path_mtu_bytes(mtu_bytes))
    return io_bytes / (io_bytes + packets * ROCE_PACKET_BYTES + ROCE_IO_BYTES)


def _segment_share(mtu_bytes: Number) -> Number:
    """Share of the line that TCP's byte stream gets; PDUs flow across segments, so no rounding."""
    return (mtu_bytes - TCP_HEADERS_BYTES) / (mtu_bytes + FRAME_BYTES)


@formula(
    r"\eta = \frac{b}{b + 24 + g} \cdot \frac{m - 52}{m + 38}",
    unit="fraction",
    label="Wire efficiency of NVMe/TCP",
    source=_WIRE,
    symbols={"io_bytes": "b", "mtu_bytes": "m", "digest_bytes": "g"},
    validity="IPv4 with timestamps, no VLAN tag; one data PDU per I/O; the other direction is not counted",
)
def tcp_wire_fraction(io_bytes: Number, *, mtu_bytes: Number, digest_bytes: Number = 0.0) -> Number:
    """Share of the line rate that is payload, for NVMe/TCP.

    Args:
        io_bytes: Size of one I/O.
        mtu_bytes: Ethernet MTU of the path.
        digest_bytes: 8 with header and data digest, 4 with one of them, 0 with neither.

    Example:
        >>> round(float(tcp_wire_fraction(1048576, mtu_bytes=9000)), 5)
        0.99002
    """
    return io_bytes / (io_bytes + NVME_TCP_PDU_BYTES + digest_bytes) * _segment_share(mtu_bytes)


@formula(
    r"\eta = \frac{b}{b + 48 \lceil b / 256\,\mathrm{KiB} \rceil} \cdot \frac{m - 52}{m + 38}",
    unit="fraction",
    label="Wire efficiency of iSCSI",
    source=_WIRE,
    symbols={"io_bytes": "b", "mtu_bytes": "m"},
    validity="IPv4 with timestamps, no VLAN tag, no digests",
)
def iscsi_wire_fraction(io_bytes: Number, *, mtu_bytes: Number) -> Number:
    """Share of the line rate that is payload, for iSCSI.

    Args:
        io_bytes: Size of one I/O.
        mtu_bytes: Ethernet MTU of the path.

    Example:
        >>> round(float(iscsi_wire_fraction(1048576, mtu_bytes=9000)), 5)
        0.98986
    """
    headers: Number = elementwise.ceil(io_bytes / ISCSI_PDU_DATA_BYTES) * ISCSI_PDU_BYTES
    return io_bytes / (io_bytes + headers) * _segment_share(mtu_bytes)


@formula(
    r"\eta = \frac{b}{b + 180 \lceil b / 1\,\mathrm{MiB} \rceil} \cdot \frac{m - 52}{m + 38}",
    unit="fraction",
    label="Wire efficiency of NFS over TCP",
    source=_WIRE,
    symbols={"io_bytes": "b", "mtu_bytes": "m"},
    validity="rsize and wsize of 1 MiB; IPv4 with timestamps, no VLAN tag",
)
def nfs_wire_fraction(io_bytes: Number, *, mtu_bytes: Number) -> Number:
    """Share of the line rate that is payload, for NFS over TCP.

    Args:
        io_bytes: Size of one I/O.
        mtu_bytes: Ethernet MTU of the path.

    Example:
        >>> round(float(nfs_wire_fraction(1048576, mtu_bytes=9000)), 5)
        0.98987
    """
    headers: Number = elementwise.ceil(io_bytes / NFS_RPC_DATA_BYTES) * NFS_RPC_BYTES
    return io_bytes / (io_bytes + headers) * _segment_share(mtu_bytes)


@formula(
    r"\eta = \frac{b}{b + 26 \lceil b / 4096 \rceil + 16}",
    unit="fraction",
    label="Wire efficiency of RDMA over InfiniBand",
    source="InfiniBand Architecture Specification, volume 1: LRH, BTH, ICRC and VCRC of a packet, RETH of a write",
    symbols={"io_bytes": "b"},
    validity="path MTU of 4,096 bytes, within one subnet; line rates are data rates, after coding",
)
def infiniband_wire_fraction(io_bytes: Number) -> Number:
    """Share of the line rate that is payload, for NVMe over RDMA on an InfiniBand storage fabric.

    Args:
        io_bytes: Size of one I/O.

    Example:
        >>> round(float(infiniband_wire_fraction(1048576)), 4)
        0.9937
    """
    packets: Number = elementwise.ceil(io_bytes / LARGEST_PATH_MTU_BYTES)
    return io_bytes / (io_bytes + packets * INFINIBAND_PACKET_BYTES + ROCE_IO_BYTES)


@formula(
    r"\eta = \frac{b}{b + 82 \lceil b / p(m) \rceil + (16 + 180) \lceil b / 1\,\mathrm{MiB} \rceil}",
    unit="fraction",
    label="Wire efficiency of NFS over RDMA",
    source=_WIRE,
    symbols={"io_bytes": "b", "mtu_bytes": "m"},
    validity="rsize and wsize of 1 MiB over RoCEv2; IPv4 without VLAN tag",
)
def nfs_rdma_wire_fraction(io_bytes: Number, *, mtu_bytes: Number) -> Number:
    """Share of the line rate that is payload, for NFS over RDMA; 93.3 % of 400 Gb/s have been measured.

    Args:
        io_bytes: Size of one I/O.
        mtu_bytes: Ethernet MTU of the path.

    Example:
        >>> round(float(nfs_rdma_wire_fraction(1048576, mtu_bytes=9000)), 4)
        0.9802
    """
    packets: Number = elementwise.ceil(io_bytes / path_mtu_bytes(mtu_bytes))
    calls: Number = elementwise.ceil(io_bytes / NFS_RPC_DATA_BYTES)
    return io_bytes / (io_bytes + packets * ROCE_PACKET_BYTES + calls * (ROCE_IO_BYTES + NFS_RPC_BYTES))


@formula(
    r"B = 100\,\mathrm{MB/s} \cdot g",
    unit="bytes/s",
    label="Nominal rate of a Fibre Channel port",
    source="fabric facts, section 1.1: Fibre Channel",
    symbols={"speed_class_count": "g"},
)
def fc_nominal_bytes_per_s(speed_class_count: Number) -> Number:
    """Payload one way of a Fibre Channel port by its name: 32GFC carries 3.2 GB/s, not 32 Gb/s.

    Args:
        speed_class_count: The number in the name: 32, 64 or 128.

    Example:
        >>> float(fc_nominal_bytes_per_s(64))
        6400000000.0
    """
    return speed_class_count * 100e6


@formula(
    r"B = \frac{r\,c}{8} \cdot \frac{2112}{2172}",
    unit="bytes/s",
    label="Largest payload of a Fibre Channel port",
    source="fabric facts, section 1.1: Fibre Channel",
    symbols={"line_bits_per_s": "r", "coding_fraction": "c"},
    validity="full frames, back to back",
)
def fc_max_bytes_per_s(line_bits_per_s: Number, *, coding_fraction: Number) -> Number:
    """Payload one way of a Fibre Channel port from its line rate and coding.

    Args:
        line_bits_per_s: Bits per second on the fibre: 28.05e9 for 32GFC, 57.8e9 for 64GFC.
        coding_fraction: Data over line bits: 64/66 for 32GFC; 256/257 x 514/544 for 64GFC.

    Example:
        >>> round(float(fc_max_bytes_per_s(28.05e9, coding_fraction=64 / 66)) / 1e9, 3)
        3.306
    """
    return line_bits_per_s * coding_fraction / BITS_PER_BYTE * (FC_FRAME_DATA_BYTES / FC_FRAME_BYTES)


# --- time of one I/O ----------------------------------------------------------------------------------------


@formula(
    r"t = b / B",
    unit="s",
    label="Serialisation",
    source=_LATENCY,
    symbols={"io_bytes": "b", "bandwidth_bytes_per_s": "B"},
)
def serialisation_s(io_bytes: Number, *, bandwidth_bytes_per_s: Number) -> Number:
    """Time that an I/O occupies the link.

    Args:
        io_bytes: Size of one I/O.
        bandwidth_bytes_per_s: Slowest of the link and the media.

    Example:
        >>> round(float(serialisation_s(1048576, bandwidth_bytes_per_s=12.5e9)) * 1e6, 1)
        83.9
    """
    return io_bytes / bandwidth_bytes_per_s


@formula(
    r"t = t_m + t_t + b / B",
    unit="s",
    label="Latency of one I/O",
    source=_LATENCY,
    symbols={"media_s": "t_m", "transport_s": "t_t", "io_bytes": "b", "bandwidth_bytes_per_s": "B"},
    validity="one I/O at a time, no queueing",
)
def latency_s(
    media_s: Number, *, transport_s: Number, io_bytes: Number, bandwidth_bytes_per_s: Number
) -> Number:
    """Time of one I/O on an idle path.

    Args:
        media_s: Latency of the drive, or of the cache that answers.
        transport_s: What the transport adds to a small I/O.
        io_bytes: Size of the I/O.
        bandwidth_bytes_per_s: Slowest of the link and the media.

    Example:
        >>> lat = latency_s(15e-6, transport_s=20e-6, io_bytes=1048576, bandwidth_bytes_per_s=12.5e9)
        >>> round(float(lat) * 1e6, 1)
        118.9
    """
    return media_s + transport_s + io_bytes / bandwidth_bytes_per_s


@formula(
    r"b^* = \max(t^* - t_m - t_t,\ 0)\,B",
    unit="bytes",
    label="Largest block within a latency target",
    source=_LATENCY,
    symbols={"budget_s": "t^*", "media_s": "t_m", "transport_s": "t_t", "bandwidth_bytes_per_s": "B"},
)
def block_limit_bytes(
    budget_s: Number, *, media_s: Number, transport_s: Number, bandwidth_bytes_per_s: Number
) -> Number:
    """Largest I/O that a latency target admits; larger ones take longer on the wire alone.

    Args:
        budget_s: Latency target.
        media_s: Latency of the drive.
        transport_s: What the transport adds.
        bandwidth_bytes_per_s: Slowest of the link and the media.

    Example:
        >>> float(block_limit_bytes(100e-6, media_s=0.0, transport_s=0.0, bandwidth_bytes_per_s=12.5e9))
        1250000.0
    """
    left: Number = elementwise.maximum(budget_s - media_s - transport_s, 0.0)
    return left * bandwidth_bytes_per_s


# --- time of a save or a load -------------------------------------------------------------------------------


@formula(
    r"t = \max\!\left(\frac{C}{B},\ \frac{C}{N b}\right)",
    unit="s",
    label="Load of a checkpoint",
    source="rules of the calculation, 'What an input means': restart",
    symbols={
        "checkpoint_bytes": "C",
        "array_bytes_per_s": "B",
        "node_count": "N",
        "node_bytes_per_s": "b",
    },
    validity="each node reads its own shard once",
)
def load_s(
    checkpoint_bytes: Number, *, array_bytes_per_s: Number, node_count: Number, node_bytes_per_s: Number
) -> Number:
    """Time to read the last checkpoint back after a failure.

    Args:
        checkpoint_bytes: Whole checkpoint.
        array_bytes_per_s: Read bandwidth of the tier.
        node_count: Nodes that read a shard each.
        node_bytes_per_s: Storage bandwidth of one node.

    Example:
        >>> float(load_s(280e9, array_bytes_per_s=56e9, node_count=64, node_bytes_per_s=25e9))
        5.0
    """
    slowest: Number = elementwise.minimum(array_bytes_per_s, node_count * node_bytes_per_s)
    return checkpoint_bytes / slowest


@formula(
    r"t = \frac{C}{\min(n\,b,\ B)}",
    unit="s",
    label="Save time over NFS or iSCSI",
    source=_GUIDE_NFS,
    symbols={
        "checkpoint_bytes": "C",
        "session_count": "n",
        "session_bytes_per_s": "b",
        "front_end_bytes_per_s": "B",
    },
)
def nfs_save_s(
    checkpoint_bytes: Number,
    *,
    session_count: Number,
    session_bytes_per_s: Number,
    front_end_bytes_per_s: Number,
) -> Number:
    """Save time over a front end that limits each session and all of them together.

    Args:
        checkpoint_bytes: Whole checkpoint.
        session_count: Connections in parallel, over all clients.
        session_bytes_per_s: What one connection carries: about 2 GB/s.
        front_end_bytes_per_s: What the controller carries: 0.93 to 2.33 GB/s for the guide's.

    Example:
        >>> float(nfs_save_s(280e9, session_count=64, session_bytes_per_s=2e9, front_end_bytes_per_s=2.0e9))
        140.0
    """
    carried: Number = elementwise.minimum(session_count * session_bytes_per_s, front_end_bytes_per_s)
    return checkpoint_bytes / carried


# --- cores and paths ----------------------------------------------------------------------------------------


@formula(
    r"n_c = \lceil B / b_c \rceil",
    unit="count",
    label="Processor cores for the transport",
    source=_CORES,
    symbols={"bandwidth_bytes_per_s": "B", "bytes_per_s_per_core": "b_c"},
    validity="large blocks, per side",
)
def cpu_core_count(bandwidth_bytes_per_s: Number, *, bytes_per_s_per_core: Number) -> Number:
    """Whole cores that a side spends on moving data.

    Args:
        bandwidth_bytes_per_s: Payload of the side at full load.
        bytes_per_s_per_core: What one core moves: 2.5 to 3.75 GB/s for TCP, many times that for RDMA.

    Example:
        >>> float(cpu_core_count(25e9, bytes_per_s_per_core=3e9))
        9.0
    """
    cores: Number = elementwise.ceil(bandwidth_bytes_per_s / bytes_per_s_per_core - elementwise.TOLERANCE)
    return cores


@formula(
    r"n_c = 1\,\mathrm{GB/s} / b_c",
    unit="count",
    label="Processor cores for each GB/s",
    source=_CORES,
    symbols={"bytes_per_s_per_core": "b_c"},
    validity="large blocks, per side",
)
def cores_per_gb_count(bytes_per_s_per_core: Number) -> Number:
    """Cores, or what of one, that a side spends on each GB/s.

    Args:
        bytes_per_s_per_core: What one core moves.

    Example:
        >>> float(cores_per_gb_count(2.5e9))
        0.4
    """
    return GB / bytes_per_s_per_core


@formula(
    r"n = \max\!\left(k,\ \left\lceil b^* / b_s \right\rceil\right)",
    unit="count",
    label="Sessions of a node",
    source=_WIRE,
    symbols={"needed_bytes_per_s": "b^*", "session_bytes_per_s": "b_s", "path_count": "k"},
    validity="one on each path at least",
)
def session_count(needed_bytes_per_s: Number, *, session_bytes_per_s: Number, path_count: Number) -> Number:
    """Connections with which a node reaches what it needs: a single one is capped by its core, or by its port.

    Args:
        needed_bytes_per_s: What the node moves.
        session_bytes_per_s: What one connection carries.
        path_count: Paths, each of which has one.

    Example:
        >>> float(session_count(25e9, session_bytes_per_s=2e9, path_count=2.0))
        13.0
    """
    sessions: Number = elementwise.ceil(needed_bytes_per_s / session_bytes_per_s - elementwise.TOLERANCE)
    return elementwise.maximum(sessions, path_count)


@formula(
    r"B = k\,p\,\eta",
    unit="bytes/s",
    label="Bandwidth over all paths",
    source=_GUIDE_PATHS,
    symbols={"path_count": "k", "port_bytes_per_s": "p", "wire_fraction": r"\eta"},
    validity="paths used in parallel: round-robin or queue-depth, not the default policy",
)
def path_bytes_per_s(path_count: Number, *, port_bytes_per_s: Number, wire_fraction: Number) -> Number:
    """Payload over equal paths that are used together.

    Args:
        path_count: Paths, each on a port of its own.
        port_bytes_per_s: Line rate of a port.
        wire_fraction: Payload over line rate.

    Example:
        >>> float(path_bytes_per_s(2, port_bytes_per_s=25e9, wire_fraction=0.98))
        49000000000.0
    """
    return path_count * port_bytes_per_s * wire_fraction


@formula(
    r"u = B / B_0",
    unit="fraction",
    label="Share of the line rate reached",
    source=_WIRE,
    symbols={"achieved_bytes_per_s": "B", "line_bytes_per_s": "B_0"},
)
def achieved_fraction(achieved_bytes_per_s: Number, *, line_bytes_per_s: Number) -> Number:
    """What a measured throughput is of the line rate; compare with the wire efficiency.

    Args:
        achieved_bytes_per_s: Payload measured.
        line_bytes_per_s: Line rate of all ports together.

    Example:
        >>> round(float(achieved_fraction(8e12, line_bytes_per_s=9e12)), 4)
        0.8889
    """
    return achieved_bytes_per_s / line_bytes_per_s
