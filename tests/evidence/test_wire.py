"""Every row of the published table of wire efficiency, by the public formulas."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from planner.core.units import GB, GBIT_PER_S, Number
from planner.sizing import transport

TABLE = Path(__file__).with_name("wire.csv")
WITH_DIGESTS = partial(transport.tcp_wire_fraction, digest_bytes=8)
RULES: dict[str, Callable[..., Number]] = {
    "nvme-rdma(RoCEv2,path mtu 1024)": transport.rdma_wire_fraction,
    "nvme-rdma(RoCEv2,path mtu 4096)": transport.rdma_wire_fraction,
    "nvme-tcp": transport.tcp_wire_fraction,
    "nvme-tcp+hdr+data digest": WITH_DIGESTS,
    "iscsi": transport.iscsi_wire_fraction,
    "nfs-tcp": transport.nfs_wire_fraction,
}
HALF_DIGIT = 0.5
"""The table is rounded: 5 decimals of the efficiency, 3 of the bandwidth."""


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def name_of(row: dict[str, str]) -> str:
    return f"{row['transport'].replace(' ', '')}-{row['eth_mtu']}-{row['io_bytes']}"


def efficiency(row: dict[str, str]) -> Number:
    return RULES[row["transport"]](float(row["io_bytes"]), mtu_bytes=float(row["eth_mtu"]))


@pytest.mark.parametrize("row", rows(), ids=name_of)
def test_efficiency_and_bandwidth(row):
    share = efficiency(row)
    assert float(share) == pytest.approx(float(row["efficiency"]), abs=HALF_DIGIT * 1.01e-5)
    for rate in ("100", "200", "400"):
        line = float(rate) * GBIT_PER_S
        carried = transport.path_bytes_per_s(1, port_bytes_per_s=line, wire_fraction=share)
        assert float(carried) / GB == pytest.approx(float(row[f"GBps_{rate}G"]), abs=HALF_DIGIT * 1.01e-3)


@pytest.mark.parametrize("row", [row for row in rows() if "path mtu" in row["transport"]], ids=name_of)
def test_path_mtu_is_the_one_in_the_table(row):
    stated = float(row["transport"].rpartition("path mtu ")[2].rstrip(")"))
    assert float(transport.path_mtu_bytes(float(row["eth_mtu"]))) == stated


def test_every_rule_is_in_the_table():
    assert {row["transport"] for row in rows()} == set(RULES)
