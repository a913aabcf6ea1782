"""Rails: port n of every node on rail n, in the cabling, the bundle, the drawing and the bill alike."""

from __future__ import annotations

import ipaddress
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import PlannerError
from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from planner.deploy.readme import counts
from planner.deploy.site import site
from planner.sections.cabling import cabling_plan, side_name
from planner.sections.fabric_drawing import side_of
from tests.deploy.conftest import changed, tried
from tests.deploy.test_cabling import check
from tests.deploy.test_counts import (
    check_access,
    check_bill,
    check_drawing,
    check_files,
    check_plan,
    check_tables,
)

RAILED = {
    "one leaf each": ("guide-256-evidence", {"cluster__storage_port_count": 4}),
    "more rails than target ports": ("lab-8-nodes", {"cluster__storage_port_count": 8}),
    "several leaves each": ("vision-1024", {"cluster__storage_port_count": 4}),
    "leaves of targets apart": (
        "vision-1024",
        {"cluster__storage_port_count": 8, "network__client_oversubscription_ratio": 4.0},
    ),
}


@pytest.fixture(scope="module", params=RAILED)
def railed(request):
    name, changes = RAILED[request.param]
    return contents(changed(name, network__topology="rails", **changes), Addressing())


def test_drawing_plan_cabling_bundle_and_bill_of_materials_agree_on_rails(railed):
    found = counts(railed.site, railed.paths)
    check_plan(railed, found)
    check_bill(railed, found)
    check_tables(railed, found)
    check_access(railed, check_files(railed, found))
    network = railed.site.plan.network
    if not network.leaves_split:
        check_drawing(railed, found)
    assert (
        f"rails A to {side_name(int(network.side_count.number) - 1)}"
        in railed.site.plan.fabric_drawing().words
    )


def test_port_n_of_every_node_is_on_rail_n(railed):
    network = railed.site.plan.network
    assert network.side_count.number == len(railed.site.nodes[0].ports)
    for node in railed.site.nodes:
        assert [port.side for port in node.ports] == [side_name(number) for number in range(len(node.ports))]
        assert len({port.leaf for port in node.ports}) == len(node.ports)
    for target in railed.site.targets:
        rails = Counter(port.side for port in target.ports)
        assert len(rails) == min(len(target.ports), int(network.side_count.number))


def test_a_leaf_serves_one_rail_and_rails_have_equally_many(railed):
    cabling = railed.site.cabling
    rails = int(railed.site.plan.network.side_count.number)
    assert len(set(Counter(cabling.leaf_sides).values())) == 1
    assert set(cabling.leaf_sides) == {side_name(number) for number in range(rails)}
    if not railed.site.plan.network.leaves_split:
        drawn = tuple(side_of(number, rails) for number in range(1, len(cabling.leaf_sides) + 1))
        assert drawn == cabling.leaf_sides


def test_every_rail_is_a_subnet_of_its_own(railed):
    wholes = {}
    for machine in railed.site.machines:
        for port in machine.ports:
            assert wholes.setdefault(port.side, port.subnet.whole) == port.subnet.whole
            assert ipaddress.ip_address(port.address) in port.subnet.network
            assert port.subnet.network.subnet_of(port.subnet.whole)
    networks = list(wholes.values())
    assert not [1 for i, a in enumerate(networks) for b in networks[i + 1 :] if a.overlaps(b)]
    vlans = {port.subnet.side: port.subnet.vlan for machine in railed.site.machines for port in machine.ports}
    assert len(set(vlans.values())) == len(vlans)


def test_paths_stay_on_their_rail_and_are_as_many_as_a_target_has_ports(railed):
    designed = int(railed.site.plan.network.path_count.number)
    assert designed == min(4, len(railed.site.nodes[0].ports), len(railed.site.targets[0].ports))
    for own in railed.paths.values():
        assert all(path.host.side == path.target.side for path in own)
        assert len({path.host.side for path in own}) == len(own) == designed


def test_a_leaf_lost_takes_one_rail(railed):
    for leaf in railed.site.switches[: railed.site.cabling.leaf_count]:
        lost = Counter(port.device for port in leaf.endpoints if port.cable.group == "GPU nodes")
        assert max(lost.values(), default=0) <= 1


def test_rails_of_one_side_share_its_subnet_and_say_when_it_is_too_small():
    plan = changed("guide-256-evidence", cluster__storage_port_count=4, network__topology="rails")
    # 64 nodes and a few targets need 128 addresses a rail; two rails lie in each subnet.
    with pytest.raises(PlannerError) as caught:
        site(plan, Addressing(fabric_a="10.0.0.0/25"))
    assert "2 rails of one leaf with its 69 endpoints" in caught.value.message
    assert "need a /24 or larger" in caught.value.message
    site(plan, Addressing(fabric_a="10.0.0.0/24"))


@settings(max_examples=30)
@given(
    nodes=st.integers(1, 400),
    ports=st.integers(1, 12),
    ratio=st.sampled_from([1, 2, 3]),
    switch=st.sampled_from(["sn5600", "sn5400", "7060x6-64pe", "th5-generic"]),
    transport=st.sampled_from(["rdma", "tcp", "fc"]),
    topology=st.sampled_from(["rails", None]),
)
def test_any_network_on_rails_or_fabrics_is_cabled_or_refused(
    nodes, ports, ratio, switch, transport, topology
):
    plan = changed(
        "lab-8-nodes",
        cluster__node_count=nodes,
        cluster__storage_port_count=ports,
        network__client_oversubscription_ratio=ratio,
        network__switch_id=switch,
        network__fc_switch_id="g730",
        network__transport=transport,
        network__topology=topology,
    )
    cabling, refused = tried(cabling_plan, plan.network, plan.tiers, nodes)
    if refused:
        assert refused.startswith("network.fc_switch_id: " if transport == "fc" else "network.switch_id: ")
        assert "\n" not in refused
        return
    if transport != "fc":
        check(plan, cabling)
        return
    assert "AB" not in cabling.leaf_sides
    for cable in cabling.uplinks:  # what is on fabric A never meets fabric B
        assert cabling.leaf_sides[cable.start.switch] == cable.side == side_name(cable.finish.switch % 2)
