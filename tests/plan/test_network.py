"""What the storage network is sized for, which ports it takes, and the optics on its links."""

from __future__ import annotations

import pytest

from planner.plan import Plan
from tests.plan.changes import EVIDENCE, planned


def ends(result: Plan) -> dict[str, float]:
    """Optics of the bill of materials by the links that they are on."""
    before = "both ends of the links: "
    return {
        line.cause.removeprefix(before): line.quantity.number
        for line in result.bom
        if line.cause.startswith(before)
    }


def test_reads_decide_the_network_where_they_are_more_than_checkpoints() -> None:
    network = planned("vision-1024", {}).network
    # 8 GPUs of a node, 1,786 images a second each, of 114,660 bytes.
    assert network.node_need_bytes_per_s.number == pytest.approx(8 * 114_660 * 1786)
    assert network.node_need_bytes_per_s.number > network.node_write_bytes_per_s.number
    assert network.aggregate_bytes_per_s.number == pytest.approx(1024 * 114_660 * 1786)


def test_checkpoints_decide_the_network_where_they_are_more_than_reads() -> None:
    network = planned(EVIDENCE, {}).network
    # 14 bytes for each of 70.55e9 parameters, over 64 nodes, in 36 s.
    assert network.node_need_bytes_per_s.number == pytest.approx(70_553_706_496 * 14 / 64 / 36)
    assert network.node_read_bytes_per_s.number < network.node_need_bytes_per_s.number


METADATA = "Metadata servers, Parallel file system"


def test_a_faster_port_of_a_target_takes_the_place_of_several() -> None:
    network = planned(EVIDENCE, {}).network
    # At 200 Gb/s: 64 nodes x 2; 3 targets x 2 ports of 400; 2 servers and 2 for metadata x 2 of 200; 4 x 1 of 100.
    counts = {group.name: group.count.number for group in network.links}
    assert counts["GPU nodes"] == 128
    assert counts["NVMe-oF hot tier"] == 6
    slow = counts["Parallel file system"] + counts[METADATA] + counts["Object store"]
    assert counts[METADATA] == 4
    assert network.endpoint_count.number == 128 + 6 * 2 + slow
    assert network.target_port_count.number == 6 + slow


def test_optics_are_bought_for_both_ends_by_speed() -> None:
    result = planned(EVIDENCE, {})
    assert ends(result) == {
        "GPU nodes": 2 * 128, "NVMe-oF hot tier": 2 * 6, "Parallel file system": 2 * 4, METADATA: 2 * 4,
        "Object store": 2 * 4,
    }  # fmt: skip
    speeds = {group.name: group.optic.id for group in result.network.links if group.optic}
    assert speeds == {
        "GPU nodes": "sr4-200g", "NVMe-oF hot tier": "sr4-400g",
        "Parallel file system": "sr4-200g", METADATA: "sr4-200g", "Object store": "sr4-100g",
    }  # fmt: skip


def test_optics_draw_power_at_the_ends_that_are_the_storages() -> None:
    result = planned(EVIDENCE, {})
    watts = {row.name: row.total_typical_w.number for row in result.facility.rows}
    # The switch's end alone of 128 links to nodes, both ends of 4 to file-system and 4 to metadata servers, at 5 W.
    assert watts["Optics sr4-200g"] == pytest.approx((128 + 2 * 4 + 2 * 4) * 5)
    assert watts["Optics sr4-400g"] == pytest.approx(2 * 6 * 8)
    assert watts["Optics sr4-100g"] == pytest.approx(2 * 4 * 3.5)
    assert result.facility.typical_w.number == pytest.approx(sum(watts.values()))


def test_only_the_hot_tier_is_on_fibre_channel() -> None:
    result = planned(EVIDENCE, {"network.transport": "fc"})
    assert set(ends(result)) == {"GPU nodes", "NVMe-oF hot tier", "leaf to spine"}
    nodes, hot, _ = result.network.links
    assert {group.optic.id for group in result.network.links if group.optic} == {"fc-64g-sw"}
    assert nodes.count.number == 128
    assert hot.count.number == 2 * result.hot.unit_count.number
    assert result.network.endpoint_count.number == nodes.count.number + hot.count.number


def test_strong_oversubscription_never_leaves_a_single_leaf() -> None:
    net = planned(
        "lab-8-nodes", {"network.topology": "leaf-spine", "network.client_oversubscription_ratio": 16.0}
    ).network
    assert net.leaf_count.number == 2
