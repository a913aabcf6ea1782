"""What the storage network is sized for, which ports it takes, and the optics on its links."""

from __future__ import annotations

import pytest

from planner.plan import Plan
from tests.plan.changes import EVIDENCE, planned, shipped


def ends(result: Plan) -> dict[str, float]:
    """Optics of the bill of materials by the links that they are on, or whose split cages they are in."""
    return {
        line.cause.partition(": ")[2]: line.quantity.number for line in result.bom if line.kind == "optic"
    }


def test_reads_decide_the_network_where_they_are_more_than_checkpoints() -> None:
    network = shipped("vision-1024").network
    # 8 GPUs of a node, 1,786 images a second each, of 114,660 bytes.
    assert network.node_need_bytes_per_s.number == pytest.approx(8 * 114_660 * 1786)
    assert network.node_need_bytes_per_s.number > network.node_write_bytes_per_s.number
    assert network.aggregate_bytes_per_s.number == pytest.approx(1024 * 114_660 * 1786)


def test_checkpoints_decide_the_network_where_they_are_more_than_reads() -> None:
    network = shipped(EVIDENCE).network
    # 14 bytes for each of 70.55e9 parameters, over 64 nodes, in 36 s.
    assert network.node_need_bytes_per_s.number == pytest.approx(70_553_706_496 * 14 / 64 / 36)
    assert network.node_read_bytes_per_s.number < network.node_need_bytes_per_s.number


METADATA = "Metadata servers, Parallel file system"


def test_a_faster_port_of_a_target_takes_the_place_of_several() -> None:
    network = shipped(EVIDENCE).network
    # At 200 Gb/s: 64 nodes x 2; 3 targets x 2 ports of 400; 2 servers and 2 for metadata x 2 of 200; 4 x 1 of 100.
    counts = {group.name: group.count.number for group in network.links}
    assert counts["GPU nodes"] == 128
    assert counts["NVMe-oF hot tier"] == 6
    slow = counts["Parallel file system"] + counts[METADATA] + counts["Object store"]
    assert counts[METADATA] == 4
    assert network.endpoint_count.number == 128 + 6 + slow
    assert network.target_leaves.port_count.number == 6 * 2 + slow
    assert network.target_port_count.number == 6 + slow


def test_a_split_cage_has_one_optic_for_several_links() -> None:
    result = shipped(EVIDENCE)
    # Four links of 200 Gb/s, two of 400 or four of 100 in a cage of 800, on each of two sides.
    assert ends(result) == {
        "GPU nodes": 128, "NVMe-oF hot tier": 2 * 2, "Parallel file system": 4, METADATA: 4, "Object store": 2,
        f"GPU nodes; Parallel file system; {METADATA}": 2 * 17,
    }  # fmt: skip
    near = {group.name: group.cage_optic.id for group in result.network.links if group.cage_optic}
    assert near == {
        "GPU nodes": "sr8-800g-4x200", "NVMe-oF hot tier": "sr8-800g", "Parallel file system": "sr8-800g-4x200",
        METADATA: "sr8-800g-4x200", "Object store": "dr8-800g-8x100",
    }  # fmt: skip
    far = {group.name: group.optic.id for group in result.network.links if group.optic}
    assert far == {
        "GPU nodes": "sr4-400g", "NVMe-oF hot tier": "sr4-400g", "Parallel file system": "sr4-400g",
        METADATA: "sr4-400g", "Object store": "dr1-100g",
    }  # fmt: skip
    # Two legs of a splitter on each port of the twin, four of a harness; straight fibres for two links a cage.
    fibres = {line.part_id: line.quantity.number for line in result.bom if line.kind == "cable"}
    assert fibres == {
        "splitter-om4-mtp12-1x2": 64 + 2 + 2, "trunk-om4-mtp12": 6, "harness-os2-mtp12-4xlc": 2
    }  # fmt: skip


def test_optics_are_bought_for_both_ends_where_no_cage_is_split() -> None:
    result = planned(EVIDENCE, {"network.switch_id": "sn4600"})
    assert ends(result) == {
        "GPU nodes": 2 * 128, "NVMe-oF hot tier": 2 * 6, "Parallel file system": 2 * 4, METADATA: 2 * 4,
        "Object store": 2 * 4, "leaf to spine": 2 * result.network.uplink_count.number,
    }  # fmt: skip
    speeds = {group.name: group.optic.id for group in result.network.links if group.optic}
    assert speeds == {
        "GPU nodes": "sr4-200g", "NVMe-oF hot tier": "sr4-400g",
        "Parallel file system": "sr4-200g", METADATA: "sr4-200g", "Object store": "sr4-100g",
        "leaf to spine": "sr4-200g",
    }  # fmt: skip


def test_optics_draw_power_at_the_ends_that_are_the_storages() -> None:
    result = shipped(EVIDENCE)
    watts = {row.name: row.total_typical_w.number for row in result.facility.rows}
    # The far ends of 6 links to targets, 4 to file-system and 4 to metadata servers; those of nodes are the nodes'.
    assert watts["Optics SR4/VR4, 400 Gb/s"] == pytest.approx((6 + 4 + 4) * 8)
    assert watts["Optics DR1, 100 Gb/s"] == pytest.approx(4 * 4.5)
    # The switches' cages: 34 with four links each, 4 with two, 2 with four of the object store.
    assert watts["Optics SR8 / 2xSR4, 800 Gb/s in 4 × 200 Gb/s"] == pytest.approx(34 * 15)
    assert watts["Optics SR8 / 2xSR4, 800 Gb/s in 2 × 400 Gb/s"] == pytest.approx(4 * 15)
    assert watts["Optics DR8 / 2xDR4, 800 Gb/s in 4 × 100 Gb/s"] == pytest.approx(2 * 16)
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
    assert net.client_leaves.count.number == net.target_leaves.count.number == 2


@pytest.mark.parametrize(
    "changes", [{"network.transport": "fc", "network.fc_san_present": True}, {"network.switch_id": "qm9700"}]
)
def test_a_network_for_checkpoints_alone_carries_no_reads_of_a_dataset_elsewhere(
    changes: dict[str, object],
) -> None:
    result = planned("vision-1024", changes)
    net = result.network
    assert result.jobs[0].job.ingest.read_bytes_per_s.number > 100e9
    assert net.read_bytes_per_s.number == net.node_read_bytes_per_s.number == 0
    assert net.aggregate_bytes_per_s.number == result.hot.demand.write_bytes_per_s.number
    assert result.fabric_load.whole.hop("client port").loads["both"].to_clients_bytes_per_s.number == 0
    on_hot = planned("vision-1024", {**changes, "storage.dataset_on": "hot"}).network
    assert on_hot.aggregate_bytes_per_s.number == on_hot.read_bytes_per_s.number > 100e9


def test_paths_of_all_nodes_are_those_of_each() -> None:
    watches = {watch.subject: watch for watch in planned(EVIDENCE, {"network.path_count": 4}).monitoring}
    assert watches["paths to the pool, all nodes"].threshold.number == 64 * 4


def test_a_namespace_opens_to_what_makes_its_size() -> None:
    (space,) = planned(EVIDENCE, {"storage.access": "namespace-per-node"}).architecture.namespaces
    inputs = space.size_bytes.inputs
    assert inputs is not None
    shard, kept, in_flight = (
        getattr(inputs[name], "number", inputs[name])
        for name in ("checkpoint_bytes", "retained_count", "in_flight_count")
    )
    assert shard == pytest.approx(988e9 / 64, rel=1e-2)
    assert space.size_bytes.number == shard * (kept + in_flight)
