"""Every row of the table of wire efficiencies, for every transport, MTU and block size in it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from planner.core.units import GB, GBIT_PER_S
from planner.sizing import transport

with (Path(__file__).parent / "wire.csv").open(encoding="utf-8") as _file:
    TABLE = list(csv.DictReader(_file))
RULES = {
    "nvme-rdma": transport.rdma_wire_fraction,
    "nvme-tcp": transport.tcp_wire_fraction,
    "nvme-tcp+hdr+data digest": lambda io, **mtu: transport.tcp_wire_fraction(io, digest_bytes=8.0, **mtu),
    "iscsi": transport.iscsi_wire_fraction,
    "nfs-tcp": transport.nfs_wire_fraction,
}


@pytest.mark.parametrize(
    "row", TABLE, ids=lambda row: f"{row['transport']}-{row['eth_mtu']}-{row['io_bytes']}"
)
def test_wire_efficiency_is_the_reference(row):
    rule = RULES[row["transport"].partition("(")[0]]
    share = float(rule(float(row["io_bytes"]), mtu_bytes=float(row["eth_mtu"])))
    assert share == pytest.approx(float(row["efficiency"]), abs=1.1e-5)
    for gbps in (100, 200, 400):
        carried = float(
            transport.path_bytes_per_s(1.0, port_bytes_per_s=gbps * GBIT_PER_S, wire_fraction=share)
        )
        assert carried / GB == pytest.approx(float(row[f"GBps_{gbps}G"]), abs=1.1e-3)


def test_the_table_has_every_transport_at_every_mtu():
    assert {row["transport"].partition("(")[0] for row in TABLE} == set(RULES)
    assert {row["eth_mtu"] for row in TABLE} >= {"1500", "4200", "9000"}


def test_rdma_over_infiniband_has_less_overhead_than_over_ethernet():
    for io in (4096.0, 1048576.0, 16777216.0):
        assert transport.infiniband_wire_fraction(io) > transport.rdma_wire_fraction(io, mtu_bytes=9000.0)


def test_nfs_over_rdma_cannot_have_been_measured_above_its_wire():
    """43.43 GiB/s over a port of 400 Gb/s have been measured: 93.3 % of its rate."""
    measured = 43.43 * 2**30 / (400 * GBIT_PER_S)
    assert measured == pytest.approx(0.933, abs=5e-4)
    assert measured < transport.nfs_rdma_wire_fraction(1048576.0, mtu_bytes=9000.0) < 0.981
