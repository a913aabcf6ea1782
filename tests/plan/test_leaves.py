"""Leaves and spines: NVIDIA's own counts, and leaves of targets that are never oversubscribed with the clients'."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.catalogue import load_catalogue
from planner.core.quantity import Quantity
from planner.core.quantity import given as stated
from planner.sections.cabling import Endpoint, SwitchPort
from planner.sections.context import Context
from planner.sections.leaves import Sides, leaf_spine
from planner.sections.links import LinkGroup
from tests.plan.changes import EVIDENCE, changed, planned, shipped

SUPERPOD = [(1, 8, 4, 256), (2, 16, 8, 512), (3, 24, 16, 768), (4, 32, 16, 1024)]
"""NVIDIA's DGX SuperPOD H100, compute fabric: scalable units, leaves, spines, cables between them."""
RATIO = "network.client_oversubscription_ratio"


def ports_of(number: int) -> Quantity:
    return stated(float(number), "count", "Ports", source="NVIDIA", grade="seen")


@pytest.mark.parametrize(("units", "leaves", "spines", "cables"), SUPERPOD)
def test_component_counts_are_those_that_nvidia_publishes(
    units: int, leaves: int, spines: int, cables: int
) -> None:
    """32 nodes of 8 ports in a scalable unit on switches of 64 ports, one node's place left to management."""
    context = Context(changed(EVIDENCE, {}), load_catalogue())
    ports = [ports_of(32 * 8 * units - 8), ports_of(8)]
    radix = ports_of(64)
    each = ports_of(128 * units)
    speed = stated(50e9, "bytes/s", "400 Gb/s", source="NVIDIA", grade="seen")
    links = LinkGroup("GPU nodes", ports[0], speed, ports_of(0), None)
    sides = Sides(ports_of(2), ((links, each),), speed, ports_of(1), each, apart=False)
    made = leaf_spine(context, radix, ports, sides)
    found = tuple(int(item.number) for item in (made.leaf_count, made.spine_count, made.uplink_count))
    assert found == (leaves, spines, cables)


@pytest.mark.parametrize("ratio", [2.0, 3.0, 4.0, 8.0, 16.0])
def test_targets_keep_leaves_that_block_nothing(ratio: float) -> None:
    net = planned("vision-1024", {RATIO: ratio}).network
    client, target = net.client_leaves, net.target_leaves
    assert net.leaves_split
    assert target.up_count.number >= target.down_count.number
    # Uplinks are counted in fours, so that no leaf is oversubscribed more than was asked for.
    assert 0.75 * ratio < client.down_count.number / client.up_count.number <= ratio
    assert net.leaf_count.number == client.count.number + target.count.number
    uplinks = sum(kind.count.number * kind.up_count.number for kind in (client, target))
    assert net.uplink_count.number == uplinks


def test_alike_they_share_leaves() -> None:
    net = shipped("vision-1024").network
    assert not net.leaves_split
    assert net.client_leaves.count.number == net.target_leaves.count.number == net.leaf_count.number


@settings(max_examples=25)
@given(
    nodes=st.integers(65, 600),
    of_clients=st.sampled_from([1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 16.0]),
    of_targets=st.sampled_from([1.0, 2.0, 3.0]),
    switch=st.sampled_from(["sn5600", "sn5400", "th5-generic"]),
)
def test_every_leaf_has_equally_many_links_to_each_spine(
    nodes: int, of_clients: float, of_targets: float, switch: str
) -> None:
    changes = {
        "cluster.node_count": nodes, "jobs.0.node_count": nodes, RATIO: of_clients,
        "network.target_oversubscription_ratio": of_targets, "network.switch_id": switch,
    }  # fmt: skip
    result = planned("lab-8-nodes", changes)
    net = result.network
    if not net.spine_count.known:
        return
    spines = net.spine_count.number
    for kind in (net.client_leaves, net.target_leaves):
        assert kind.up_count.number % spines == 0
        assert kind.count.number * kind.down_count.number >= kind.port_count.number
        assert kind.up_count.number + kind.down_count.number == net.switch_port_count.number
    assert net.uplink_count.number / spines <= net.switch_port_count.number
    assert spines >= 2 or net.client_leaves.up_count.number % 2


def test_each_kind_of_endpoint_is_plugged_into_its_own_leaves() -> None:
    result = planned("vision-1024", {RATIO: 4.0})
    cabling = result.cabling
    assert cabling is not None
    first = int(result.network.target_leaves.count.number)
    for cable in cabling.endpoints:
        assert isinstance(cable.start, Endpoint)
        assert (cable.finish.switch < first) == (cable.start.role != "GPU nodes")
    ups = Counter(cable.start.switch for cable in cabling.uplinks if isinstance(cable.start, SwitchPort))
    kinds = result.network.target_leaves, result.network.client_leaves
    for leaf, number in ups.items():
        assert number == kinds[leaf >= first].up_count.number
    assert sum(ups.values()) == result.network.uplink_count.number


def test_a_lone_spine_is_never_planned_where_two_can_be() -> None:
    net = planned(EVIDENCE, {"network.topology": "leaf-spine"}).network
    assert (net.leaf_count.number, net.spine_count.number) == (2, 2)


@pytest.mark.parametrize(("targets", "leaves", "spines"), [(70, 2, 0), (92, 2, 0), (93, 8, 4)])
def test_a_pair_without_uplinks_is_full_when_its_cages_are(targets: int, leaves: int, spines: int) -> None:
    """64 cages of 4 × 100 or 2 × 400 Gb/s: 64 nodes take 16 of a side, the other tiers 2, 92 targets the other 46."""
    changes = {
        "cluster.node_count": 64, "jobs.0.node_count": 64, "cluster.storage_port_bytes_per_s": 100e9 / 8,
        "network.switch_id": "sn5600", "storage.hot.unit_count": targets,
    }  # fmt: skip
    result = planned("lab-8-nodes", changes)
    net = result.network
    assert (net.leaf_count.number, net.spine_count.number) == (leaves, spines)
    assert result.cabling is not None
    cages = {(cable.finish.switch, cable.finish.cage) for cable in result.cabling.endpoints}
    assert leaves > 2 or len(cages) == 2 * net.side_port_count.number / 4
