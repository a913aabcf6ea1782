"""RDMA over an InfiniBand storage network: no Ethernet settings, one subnet a side, a sheet for the subnet manager."""

from __future__ import annotations

import csv
import io
import ipaddress
import json

import pytest

from planner.core.errors import PlannerError
from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from planner.deploy.readme import counts
from planner.deploy.site import site
from tests.deploy.conftest import changed
from tests.deploy.test_counts import check_access, check_plan


@pytest.fixture(scope="module")
def wide():
    """128 nodes on leaves and spines."""
    return contents(changed("vision-1024", network__switch_id="qm9700"), Addressing())


def rows(made, name):
    return list(csv.DictReader(io.StringIO(made.files[name])))


def test_switches_get_a_sheet_that_says_that_nothing_checks_it(wide):
    assert [path for path in wide.files if path.startswith("switches/")] == ["switches/infiniband.md"]
    sheet = wide.files["switches/infiniband.md"]
    assert "**Not machine-checked.**" in sheet
    assert "| `routing_engine` | ftree,updn |" in sheet
    assert "ipoib, mtu=5 : ALL=full ;" in sheet
    # The upper of 16 bits says full member.
    assert "0x7010, 0xf010 as its full members" in " ".join(sheet.split())
    assert (
        "`switches/infiniband.md` | subnet manager, partition, addresses | not machine-checked"
        in wide.files["README.md"]
    )


def test_leaves_that_are_not_joined_have_subnet_prefixes_of_their_own():
    made = contents(changed("guide-256-evidence", network__switch_id="qm9700"), Addressing())
    sheet = made.files["switches/infiniband.md"]
    prefixes = [line.split("|")[2].strip() for line in sheet.splitlines() if "`subnet_prefix`" in line]
    assert prefixes == ["0xfe80000000000001", "0xfe80000000000002"]
    assert all(len(prefix) == 18 for prefix in prefixes)  # 64 bits


def test_all_leaves_of_a_side_are_one_subnet_without_gateways(wide):
    assert wide.site.cabling.spine_count > 1
    sides: dict[str, set[str]] = {}
    for row in rows(wide, "addresses.csv"):
        assert row["gateway"] == ""
        network = ipaddress.ip_interface(f"{row['address']}/{row['prefix_length']}").network
        sides.setdefault(row["side"], set()).add(str(network))
    assert {side: len(networks) for side, networks in sides.items()} == {"A": 1, "B": 1}
    addresses = [row["address"] for row in rows(wide, "addresses.csv")]
    assert len(set(addresses)) == len(addresses)
    assert "[Route]" not in wide.files["hosts/gpu-001/systemd/network/20-st0.network"]


def test_a_side_too_small_for_all_of_its_leaves_is_refused():
    plan = changed("vision-1024", network__switch_id="qm9700")
    # 128 nodes and 3 targets on one side: 131 endpoints and three more addresses.
    with pytest.raises(PlannerError, match="need a /24 or larger"):
        site(plan, Addressing(fabric_b="10.0.0.0/25"))


def test_hosts_have_no_marks_or_pauses_of_ethernet(wide):
    assert not [path for path in wide.files if "storage-qos" in path]
    assert "storage-qos" not in wide.files["README.md"]
    assert "MTUBytes=4092" in wide.files["hosts/common/systemd/network/10-st0.link"]
    (host,) = json.loads(wide.files["hosts/gpu-001/nvme/config.json"])
    ports = [port for subsystem in host["subsystems"] for port in subsystem["ports"]]
    assert {port["transport"] for port in ports} == {"rdma"}
    assert not [port for port in ports if "tos" in port]
    assert "--tos=" not in wide.files["hosts/gpu-001/nvme/discovery.conf"]


def test_counts_and_access_agree(wide):
    found = counts(wide.site, wide.paths)
    check_plan(wide, found)
    exported = [
        space["device"]["uuid"]
        for path, text in wide.files.items()
        if path.endswith("nvmet/config.json")
        for subsystem in json.loads(text)["subsystems"]
        for space in subsystem["namespaces"]
    ]
    check_access(wide, exported)
    assert len(rows(wide, "cables.csv")) == found["Cables"]
