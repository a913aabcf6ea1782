"""What is bought for split cages is what the cable schedule plugs in, also where leaves are not alike."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from planner.plan import Plan
from planner.sections.cabling import SwitchPort
from planner.sections.links import UPLINKS
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned, shipped

HUNDRED = {"cluster.storage_port_bytes_per_s": 12.5e9}
COPPER: list[tuple[str, dict[str, Any]]] = [
    ("lab-8-nodes", {}),
    # One rack with six leaves: copper to two of them.
    (EVIDENCE, {"network.switch_id": "z9432f"}),
]
SHAPES: list[tuple[str, dict[str, Any]]] = [
    *((item.id, {}) for item in templates()),
    ("guide-256-nodes", {"network.client_oversubscription_ratio": 2.0}),
    ("guide-256-nodes", {"network.client_oversubscription_ratio": 5.0, "network.target_oversubscription_ratio": 1.5}),
    ("vision-1024", {"cluster.storage_port_count": 3}),
    ("vision-1024", {"cluster.storage_port_count": 4, "network.topology": "rails"}),
    ("two-jobs", {"cluster.storage_port_bytes_per_s": 25e9}),
    (EVIDENCE, {"storage.hot.platform_id": "minio-2u24"}),
    (EVIDENCE, {"network.topology": "leaf-spine", "network.client_oversubscription_ratio": 3.0, **HUNDRED}),
    # Single-mode to nodes 60 m away, multimode to targets of the same speed beside the leaves: no cage holds both.
    (EVIDENCE, {"site.gpu_distance_m": 60.0, "cluster.storage_port_count": 1, "cluster.storage_port_bytes_per_s": 50e9}),
    COPPER[1],
]  # fmt: skip


def cages(result: Plan, group: str, end: str) -> set[tuple[int, int]]:
    """Cages of one kind of switch that links of a group end in."""
    assert result.cabling is not None
    found = set()
    for cable in result.cabling.cables:
        for port in (cable.start, cable.finish):
            if cable.group == group and isinstance(port, SwitchPort) and port.role == end:
                found.add((port.switch, port.cage))
    return found


@pytest.mark.parametrize(("name", "changes"), SHAPES)
def test_a_split_cage_that_is_plugged_has_one_optic(name: str, changes: dict[str, Any]) -> None:
    result = planned(name, changes) if changes else shipped(name)
    plugged: dict[tuple[str, str], set[tuple[int, int]]] = defaultdict(set)
    for group in result.network.links:
        if group.cage_optic is None:
            continue
        kind = "uplinks" if group.name == UPLINKS else "endpoints"
        plugged[group.cage_optic.id, f"leaves, {kind}"] |= cages(result, group.name, "leaf")
        if group.name == UPLINKS:
            plugged[group.cage_optic.id, "spines, uplinks"] |= cages(result, UPLINKS, "spine")
    bought: dict[tuple[str, str], float] = defaultdict(float)
    for line in result.bill.lines:
        where, _, links = line.cause.partition(": ")
        if where.startswith("split cages of "):
            kind = "uplinks" if links == UPLINKS else "endpoints"
            bought[line.part_id, f"{where.removeprefix('split cages of ')}, {kind}"] += line.quantity.number
    assert plugged
    assert dict(bought) == {key: float(len(places)) for key, places in plugged.items()}


@pytest.mark.parametrize(("name", "changes"), COPPER)
def test_a_cage_with_copper_has_one_cable(name: str, changes: dict[str, Any]) -> None:
    result = planned(name, changes)
    plugged = {g.name: len(cages(result, g.name, "leaf")) for g in result.network.links if g.copper}
    bought: dict[str, float] = defaultdict(float)
    for line in result.bill.lines:
        where, _, links = line.cause.partition(": ")
        if where == "links within the rack":
            bought[links] += line.quantity.number
    assert plugged
    assert dict(bought) == plugged


def test_ten_leaves_take_258_optics_for_514_ports() -> None:
    # 256 nodes and a target of two ports each: 257 ports on a side of five leaves, two in a cage.
    result = shipped("guide-256-nodes")
    assert result.network.leaf_count.number == 10
    line = next(
        line
        for line in result.bill.lines
        if line.cause.startswith("split cages of leaves: GPU nodes; NVMe-oF")
    )
    assert line.quantity.number == 258


def test_weight_that_takes_more_racks_takes_optics() -> None:
    one = shipped("lab-8-nodes")
    assert one.racks.rack_count.number == 1
    assert any(group.copper for group in one.network.links)
    # 13 machines of 374 kg together in racks of 300 kg, which weigh 160 themselves: copper of 3 m reaches no other rack.
    three = planned("lab-8-nodes", {"site.rack_limit_kg": 300.0})
    assert three.racks.rack_count.number == 3
    assert not any(group.copper for group in three.network.links)
    assert [gap.text for gap in three.bill.gaps] == []
