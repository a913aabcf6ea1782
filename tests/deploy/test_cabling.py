"""Which port goes where, for any network that can be planned."""

from __future__ import annotations

import json
import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.bom.equipment import fibre_of, legs_of
from planner.core.errors import PlannerError
from planner.scenario_json import scenario_to_json
from planner.sections.cabling import Endpoint, SwitchPort, cabling_plan, per_cage
from planner.sections.cages import cage_optics
from planner.templates import template, templates
from tests.deploy.conftest import changed, tried
from tests.plan.changes import shipped


def first_job(design):
    return json.loads(scenario_to_json(template(design).scenario))["jobs"][0]


def cabled(plan):
    return cabling_plan(plan.network, plan.tiers, plan.scenario.cluster.node_count)


def check(plan, cabling):
    """What holds for every cabling."""
    network = plan.network
    assert Counter(cable.group for cable in cabling.cables) == Counter(
        {group.name: int(group.count.number) for group in network.links if group.count.number}
    )
    ends = [end for cable in cabling.cables for end in (cable.start, cable.finish)]
    assert len(set(ends)) == len(ends)
    cages = {}
    for cable in cabling.cables:
        for end in (cable.start, cable.finish):
            if isinstance(end, SwitchPort):
                assert 0 <= end.cage < network.switch.port_count.number
                assert 0 <= end.lane < end.lanes == per_cage(network.switch, cable.gbps)
                key = (end.role, end.switch, end.cage)
                assert cages.setdefault(key, cable.gbps) == cable.gbps  # a cage is broken out one way
    pairs = Counter((cable.start.switch, cable.finish.switch) for cable in cabling.uplinks)
    if pairs:
        assert len(pairs) == cabling.leaf_count * cabling.spine_count
        # Every leaf has as many links to one spine as to any other; two kinds of leaves may differ.
        for leaf in range(cabling.leaf_count):
            assert len({count for (start, _), count in pairs.items() if start == leaf}) == 1
    for cable in cabling.endpoints:
        assert cable.side in cabling.leaf_sides[cable.finish.switch]


@pytest.mark.parametrize("name", [item.id for item in templates()])
def test_every_worked_design_is_cabled(name):
    plan = shipped(name)
    cabling = cabled(plan)
    check(plan, cabling)
    on = {}
    for cable in cabling.endpoints:
        assert isinstance(cable.start, Endpoint)
        on.setdefault((cable.start.role, cable.start.unit), []).append(cable.finish.switch)
    assert not [key for key, leaves in on.items() if len(leaves) > 1 and len(set(leaves)) == 1]


@settings(max_examples=40)
@given(
    nodes=st.integers(1, 600),
    ports=st.integers(1, 4),
    ratio=st.sampled_from([1, 1.5, 2, 3]),
    switch=st.sampled_from(["sn5600", "sn5400", "7060x6-64pe", "9364d-gx2a", "th5-generic"]),
    speed=st.sampled_from([None, 25e9 / 8, 100e9 / 8, 200e9 / 8, 800e9 / 8]),
    objects=st.sampled_from(
        ["minio-2u24", "s3-hdd-32"]
    ),  # ports of 100 and of 25 Gb/s, which no cage is split into
)
def test_any_network_is_cabled_or_refused_in_one_line(nodes, ports, ratio, switch, speed, objects):
    plan = changed(
        "lab-8-nodes",
        cluster__node_count=nodes,
        cluster__storage_port_count=ports,
        cluster__storage_port_bytes_per_s=speed,
        storage__object_store__platform_id=objects,
        network__client_oversubscription_ratio=ratio,
        network__switch_id=switch,
    )
    cabling, refused = tried(cabled, plan)
    if refused:
        assert refused.startswith("network.switch_id: ")
        # Leaves are counted in whole cages: every port that the switch is fast enough for finds one.
        assert "need more than two tiers" in refused or "do not fit" in refused
        assert "\n" not in refused
        return
    check(plan, cabling)


@settings(max_examples=60)
@given(
    design=st.sampled_from(["lab-8-nodes", "guide-256-evidence", "two-jobs"]),
    nodes=st.integers(1, 500),
    ports=st.integers(1, 8),
    targets=st.integers(3, 160),
    ratios=st.tuples(st.sampled_from([1, 1.5, 2, 3]), st.sampled_from([1, 2])),
    topology=st.sampled_from([None, "rails", "leaf-spine"]),
    switch=st.sampled_from(["sn5600", "sn5400", "sn4700", "7060x6-64pe", "9364d-gx2a", "th5-generic"]),
)
def test_the_bill_has_the_parts_of_split_cages_that_the_cables_need(
    design, nodes, ports, targets, ratios, topology, switch
):
    """Optics and fibres that serve several links, counted by formulas and once more cage by cage."""
    plan = changed(
        design,
        cluster__node_count=nodes,
        cluster__storage_port_count=ports,
        jobs=[first_job(design) | {"node_count": None}],
        storage__hot__unit_count=targets,
        network__client_oversubscription_ratio=ratios[0],
        network__target_oversubscription_ratio=ratios[1],
        network__topology=topology,
        network__switch_id=switch,
    )
    cabling, refused = tried(cabled, plan)
    if refused:
        return
    groups = {group.name: group for group in plan.network.links}
    optics, fibres = {}, Counter()
    for cable in cabling.cables:
        group = groups[cable.group]
        if group.cage_optic is None:
            continue
        ends = [end for end in (cable.start, cable.finish) if isinstance(end, SwitchPort)]
        for end in ends:
            cage = (end.role, end.switch, end.cage)
            assert optics.setdefault(cage, group.cage_optic.id) == group.cage_optic.id
        if legs_of(group) > 1:
            end = ends[0]  # at a leaf
            fibres[fibre_of(group), legs_of(group), end.switch, end.cage] += 1
    needed = Counter((optic, role == "spine") for (role, *_), optic in optics.items())
    counted = Counter()
    for cages in cage_optics(plan.network):
        counted[cages.optic.id, cages.on_spines] += int(cages.count.number)
    assert +counted == needed
    whole = Counter()
    for (fibre, legs, *_), count in fibres.items():
        whole[fibre] += math.ceil(count / legs)
    bought = {line.part_id: int(line.quantity.number) for line in plan.bom if line.part_id in whole}
    assert bought == whole


@pytest.mark.parametrize(
    ("switch", "nodes", "told"),
    [
        ("sn3700", 8, "ports of 400 Gb/s (NVMe-oF hot tier) do not fit NVIDIA SN3700"),
        ("sn4700", 4000, "need more than two tiers of NVIDIA SN4700"),
    ],
)
def test_a_switch_that_cannot_is_refused_with_what_can(switch, nodes, told):
    plan = changed("lab-8-nodes", network__switch_id=switch, cluster__node_count=nodes)
    with pytest.raises(PlannerError) as caught:
        cabled(plan)
    assert told in caught.value.message
    assert "choose a switch with" in caught.value.message


@pytest.mark.parametrize(("nodes", "copper"), [(54, True), (55, False)])
def test_copper_in_one_rack_takes_no_cage_that_is_not_there(nodes, copper):
    """32 cages: with 55 nodes the links of two tiers share a cage, which two split cables could not."""
    plan = changed(
        "lab-8-nodes",
        cluster__node_count=nodes,
        cluster__storage_port_bytes_per_s=200e9 / 8,
        storage__hot__platform_id="nvmet-2u24-gen4",
        network__switch_id="sn4700",
        site__rack_limit_w=50_000,
        site__feed_amps=125,
        site__rack_limit_kg=3_000,
    )
    assert {group.copper for group in plan.network.links[1:]} == {copper}
    check(plan, cabled(plan))


def test_a_leaf_lost_takes_one_path_of_a_node(vision):
    for leaf in vision.site.switches[: vision.site.cabling.leaf_count]:
        lost = Counter(
            path.host.device
            for own in vision.paths.values()
            for path in own
            if leaf.name in (path.host.leaf, path.target.leaf)
        )
        assert max(lost.values(), default=0) <= 1
