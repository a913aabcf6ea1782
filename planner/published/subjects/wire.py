"""Share of a link that carries payload."""

from __future__ import annotations

from collections.abc import Callable

from planner.core.units import Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import transport


def _share(case: Case, law: Callable[..., Number], **more: float) -> Number:
    return law(case.read("block", "bytes"), mtu_bytes=case.read("MTU", "bytes"), **more)


def _payload(case: Case, share: Number) -> list[float]:
    """What is left of each line rate of the case."""
    return [
        float(transport.path_bytes_per_s(1.0, port_bytes_per_s=line, wire_fraction=share))
        for line in case.several("line", "bytes/s")
    ]


@by(transport.path_mtu_bytes)
def path_mtu(case: Case) -> Result:
    """Payload of a RoCE packet."""
    return transport.path_mtu_bytes(case.read("MTU", "bytes"))


@by(transport.rdma_wire_fraction)
def rdma_share(case: Case) -> Result:
    """Payload share of NVMe over RDMA."""
    return _share(case, transport.rdma_wire_fraction)


@by(transport.tcp_wire_fraction)
def tcp_share(case: Case) -> Result:
    """Payload share of NVMe over TCP, with so many bytes of digests."""
    return _share(case, transport.tcp_wire_fraction, digest_bytes=case.read("digests", "bytes"))


@by(transport.iscsi_wire_fraction)
def iscsi_share(case: Case) -> Result:
    """Payload share of iSCSI."""
    return _share(case, transport.iscsi_wire_fraction)


@by(transport.nfs_wire_fraction)
def nfs_share(case: Case) -> Result:
    """Payload share of NFS over TCP."""
    return _share(case, transport.nfs_wire_fraction)


@by(transport.path_bytes_per_s, transport.rdma_wire_fraction)
def rdma_payload(case: Case) -> Result:
    """Payload of NVMe over RDMA at each line rate."""
    return _payload(case, _share(case, transport.rdma_wire_fraction))


@by(transport.path_bytes_per_s, transport.tcp_wire_fraction)
def tcp_payload(case: Case) -> Result:
    """Payload of NVMe over TCP at each line rate."""
    digests = case.read("digests", "bytes")
    return _payload(case, _share(case, transport.tcp_wire_fraction, digest_bytes=digests))


@by(transport.path_bytes_per_s, transport.iscsi_wire_fraction)
def iscsi_payload(case: Case) -> Result:
    """Payload of iSCSI at each line rate."""
    return _payload(case, _share(case, transport.iscsi_wire_fraction))


@by(transport.path_bytes_per_s, transport.nfs_wire_fraction)
def nfs_payload(case: Case) -> Result:
    """Payload of NFS over TCP at each line rate."""
    return _payload(case, _share(case, transport.nfs_wire_fraction))


@by(transport.path_bytes_per_s)
def nic_bandwidth(case: Case) -> Result:
    """Line rate of all cards together."""
    return transport.path_bytes_per_s(
        case.read("nodes") * case.read("NICs"),
        port_bytes_per_s=case.read("NIC", "bytes/s"),
        wire_fraction=1.0,
    )


@by(transport.achieved_fraction)
def achieved_share(case: Case) -> Result:
    """Measured over line rate."""
    return transport.achieved_fraction(
        case.read("achieved", "bytes/s"), line_bytes_per_s=case.read("line", "bytes/s")
    )


@by(transport.serialisation_s)
def serialisation(case: Case) -> Result:
    """Time of a block on a link."""
    return transport.serialisation_s(
        case.read("block", "bytes"), bandwidth_bytes_per_s=case.read("line", "bytes/s")
    )


@by(transport.fc_nominal_bytes_per_s)
def fibre_channel_nominal(case: Case) -> Result:
    """Rate that goes with the name of a Fibre Channel speed."""
    return transport.fc_nominal_bytes_per_s(case.read("speed class"))


@by(transport.fc_max_bytes_per_s)
def fibre_channel_payload(case: Case) -> Result:
    """Payload of full frames on a Fibre Channel line."""
    return transport.fc_max_bytes_per_s(
        case.read("line", "bits/s"), coding_fraction=case.read("coding", "fraction")
    )
