"""Zones, fabrics and licences of a SAN; rails beside sides and as the plan; RDMA over InfiniBand."""

from __future__ import annotations

from collections import Counter

import pytest

from planner.bom import BomLine
from planner.sections.cabling import SwitchPort
from planner.sections.context import Choice
from tests.plan.changes import EVIDENCE, codes, plain, planned, shipped, with_code

FC = {"network.transport": "fc"}


def test_every_initiator_is_zoned_with_every_target_of_its_fabric() -> None:
    result = planned(EVIDENCE, FC | {"network.fc_switch_id": "g730"})
    san = result.san
    assert san is not None
    nodes, targets = result.network.node_port_count.number, result.network.target_port_count.number
    # 64 initiators and half of the targets' ports on each of two fabrics.
    assert san.pair_count.number == 2 * (nodes / 2) * (targets / 2)
    assert san.zone_count.number == nodes == 128


@pytest.mark.parametrize(
    ("name", "switch", "included", "changes"),
    [
        (EVIDENCE, "g720", 24, {}),
        (EVIDENCE, "g730", 48, {}),
        # 257 ports of a fabric fill eight edge switches of nine: the mean is no measure of the full ones.
        ("guide-256-nodes", "g720", 24, {}),
        ("vision-1024", "g710", 8, {"storage.hot.unit_count": 20}),
        ("two-jobs", "g730", 48, {"storage.hot.unit_count": 20}),
    ],
)
def test_ports_beyond_those_delivered_are_licensed_by_eight(
    name: str, switch: str, included: int, changes: dict[str, int]
) -> None:
    result = planned(name, FC | {"network.fc_switch_id": switch} | changes)
    san, cabling = result.san, result.cabling
    assert san is not None
    assert cabling is not None
    assert (san.included_count.number, san.pack_port_count.number) == (included, 8)
    used = Counter(
        (end.role, end.switch)
        for cable in cabling.cables
        for end in (cable.start, cable.finish)
        if isinstance(end, SwitchPort)
    )
    expected = sum(max(-(-(ports - included) // 8), 0) for ports in used.values())
    assert san.licence_count.number == expected > 0
    assert san.edge_port_count.number == max(ports for (role, _), ports in used.items() if role == "leaf")


def test_switches_of_one_pair_are_not_joined_and_others_are() -> None:
    pair = planned(EVIDENCE, FC | {"network.fc_switch_id": "g730"}).san
    wide = planned(EVIDENCE, FC | {"network.fc_switch_id": "g720"})
    assert pair is not None
    assert wide.san is not None
    assert (pair.isl_count.number, pair.core_port_count.number) == (0, 0)
    assert wide.san.isl_count.number == wide.network.uplink_count.number > 0


def test_licences_of_other_switches_are_unknown() -> None:
    san = planned(EVIDENCE, FC | {"network.fc_switch_id": "x7-4"}).san
    assert san is not None
    assert not san.licence_count.known


def test_ethernet_has_no_zones() -> None:
    assert shipped(EVIDENCE).san is None


def test_a_rail_for_each_port_loses_fewer_of_them_with_a_leaf() -> None:
    sides, rails = planned(EVIDENCE, {"cluster.storage_port_count": 4}).port_options
    assert (sides.group_count.number, rails.group_count.number) == (2, 4)
    assert (sides.ports_lost_fraction.number, rails.ports_lost_fraction.number) == (0.5, 0.25)
    # A target with two ports is on two of the four rails.
    assert (sides.local_fraction.number, rails.local_fraction.number) == (1.0, 0.5)
    assert rails.leaf_count.number == 4
    assert sides.planned
    assert not rails.planned


def test_two_ports_are_on_two_sides_which_are_rails_already() -> None:
    assert [option.name for option in shipped(EVIDENCE).port_options] == ["sides"]


# --- the bill and the two fabrics ---------------------------------------------------------------------------


def network_lines(switch: str) -> dict[str, BomLine]:
    """Lines of the network by what they are for."""
    lines = planned(EVIDENCE, FC | {"network.fc_switch_id": switch}).bom
    return {line.title: line for line in lines if line.group == "Network"}


def test_licences_are_a_line_of_the_bill_with_their_cause() -> None:
    result = planned(EVIDENCE, FC | {"network.fc_switch_id": "g730"})
    assert result.san is not None
    (line,) = (line for line in result.bom if line.part_id == "g730-port-licence")
    assert (
        line.quantity.number == result.san.licence_count.number == 2 * 3
    )  # 71 ports in use of each of two, 48 come licensed, 8 a licence
    assert line.cause == "71 ports in use of a switch, 48 come licensed"
    assert not line.priced
    assert line.title in {each.title for each in result.bill.lines}


def test_a_price_with_all_ports_licensed_has_the_licences_in_it() -> None:
    (line,) = (line for line in network_lines("g720").values() if line.part_id == "g720-port-licence")
    assert line.quantity.number > 0
    assert (line.extended_low_usd.number, line.extended_high_usd.number) == (0, 0)
    assert "all ports licensed" in line.price_low_usd.source


@pytest.mark.parametrize("switch", ["x7-4", "mds-9148v", "g820"])
def test_a_switch_without_a_published_basis_has_a_line_of_unknown_quantity(switch: str) -> None:
    (line,) = (line for line in network_lines(switch).values() if line.part_id == f"{switch}-port-licence")
    assert not line.quantity.known
    assert not line.priced
    assert "not published" in line.cause


def test_links_between_switches_have_an_optic_at_both_ends_and_a_fibre() -> None:
    result = planned(EVIDENCE, FC | {"network.fc_switch_id": "g720"})
    assert result.san is not None
    isls = result.san.isl_count.number
    lines = network_lines("g720")
    assert lines["SW optic, 64G FC (leaf to spine)"].quantity.number == 2 * isls > 0
    patches = [
        line for line in result.bill.lines if line.kind == "cable" and line.title.endswith("(leaf to spine)")
    ]
    assert sum(line.quantity.number for line in patches) == isls
    assert {line.part_id for line in patches} == {"patch-om4-lc"}  # the optics have LC sockets


@pytest.mark.parametrize("switch", ["g710", "g720", "mds-9148v"])
def test_nothing_joins_the_two_fabrics(switch: str) -> None:
    result = planned(EVIDENCE, FC | {"network.fc_switch_id": switch})
    cabling = result.cabling
    assert cabling is not None
    assert cabling.spine_count % 2 == cabling.leaf_count % 2 == 0
    assert "AB" not in cabling.leaf_sides
    sides: dict[int, set[str]] = {}
    links: dict[int, Counter[int]] = {}
    for cable in cabling.uplinks:
        assert isinstance(cable.start, SwitchPort)
        sides.setdefault(cable.finish.switch, set()).add(cabling.leaf_sides[cable.start.switch])
        links.setdefault(cable.start.switch, Counter())[cable.finish.switch] += 1
    assert all(len(of) == 1 for of in sides.values())
    assert set(sides) == set(range(cabling.spine_count))
    for own in links.values():  # a leaf is linked to all spines of its fabric, to each alike
        assert len(own) == cabling.spine_count / 2
        assert len(set(own.values())) == 1


def test_a_core_switch_lost_takes_more_of_one_fabric_than_of_all() -> None:
    result = planned(EVIDENCE, FC | {"network.fc_switch_id": "g720"})
    lost = result.fabric_load.after("spine")
    assert lost is not None
    assert result.network.spine_count.number == 4
    whole, left = (
        state.hop("client uplinks").capacity_bytes_per_s.number for state in (result.fabric_load.whole, lost)
    )
    # Two core switches a fabric: one lost leaves its edge switches half of their links, and the other twice the load.
    assert left == whole / 2
    assert lost.hop("spine").loads["burst"].bytes_per_s.number == pytest.approx(
        2 * result.fabric_load.whole.hop("spine").loads["burst"].bytes_per_s.number
    )


# --- rails as the plan --------------------------------------------------------------------------------------

RAILS = {"cluster.storage_port_count": 4, "network.topology": "rails"}


def test_rails_can_be_planned_and_sides_stand_beside_them() -> None:
    result = planned(EVIDENCE, RAILS)
    sides, rails = result.port_options
    assert (sides.planned, rails.planned) == (False, True)
    assert (sides.leaf_count.number, rails.leaf_count.number) == (2, 4)
    net = result.network
    assert (net.topology.value, net.topology.label) == ("single-leaf", "4 rails of one leaf each")
    assert net.leaf_count.number == net.side_count.number == 4
    # AUTO is what it was: rails are never chosen unasked.
    auto = result.auto["network.topology"]
    assert isinstance(auto, Choice)
    assert auto.label == "one leaf pair"


@pytest.mark.parametrize("nodes", [60, 300])
@pytest.mark.parametrize("ratio", [1.0, 3.0])
def test_the_way_that_is_not_planned_has_the_leaves_that_it_would_have(nodes: int, ratio: float) -> None:
    changes = {
        "cluster.storage_port_count": 8, "cluster.storage_port_bytes_per_s": 50e9, "cluster.node_count": nodes,
        "jobs.0.node_count": nodes, "network.client_oversubscription_ratio": ratio,
    }  # fmt: skip
    on_sides, on_rails = (planned(EVIDENCE, changes | {"network.topology": way}) for way in (None, "rails"))
    for result in (on_sides, on_rails):
        sides, rails = result.port_options
        assert sides.leaf_count.number == on_sides.network.leaf_count.number
        assert rails.leaf_count.number == on_rails.network.leaf_count.number
    # What AUTO would choose does not depend on what is stated: on two sides 60 nodes of 8 ports need spines.
    auto = on_rails.auto["network.topology"]
    assert isinstance(auto, Choice)
    assert auto == on_sides.auto["network.topology"]
    assert auto.value == "leaf-spine"


def test_a_lost_leaf_takes_a_rail() -> None:
    lost = planned(EVIDENCE, RAILS).fabric_load.after("leaf")
    whole = planned(EVIDENCE, RAILS).fabric_load.whole
    assert lost is not None
    port = "client port"
    assert lost.hop(port).capacity_bytes_per_s.number == 0.75 * whole.hop(port).capacity_bytes_per_s.number


def test_ports_that_do_not_meet_the_node_s_own_target_carry_nothing() -> None:
    """Targets have two ports: a node's namespace is reached over two of four rails, a shared tree over all."""
    own = planned(EVIDENCE, RAILS).network
    tree = planned(EVIDENCE, RAILS | {"storage.access": "cluster-file-system"}).network
    assert own.path_count.number == 2
    assert own.fabric_bytes_per_s.number == pytest.approx(64 * 2 * own.link_payload_bytes_per_s.number)
    assert tree.fabric_bytes_per_s.number == pytest.approx(64 * 4 * tree.link_payload_bytes_per_s.number)


@pytest.mark.parametrize("lost", ["one path lost", "one leaf lost"])
def test_of_two_ports_that_meet_their_target_a_lost_path_or_leaf_leaves_one(lost: str) -> None:
    """Eight ports of 1 Gb/s, two of which meet the node's own target: the slowest node sends its share over one."""
    slow = RAILS | {
        "cluster.storage_port_count": 8, "cluster.storage_port_bytes_per_s": 1.25e8, "storage.hot.unit_count": 40,
    }  # fmt: skip
    result = planned("vision-1024", slow)
    port = result.network.link_payload_bytes_per_s.number
    assert result.network.topology.value == "leaf-spine"
    assert result.network.after_path_loss_bytes_per_s.number == pytest.approx(port)
    share = result.main.job.checkpoint.size_bytes.number / 128
    seconds = share / port * result.main.jitter_ratio.number
    assert result.main.degraded[lost].save_s.number == pytest.approx(seconds)


def test_each_rail_has_leaves_for_all_nodes_and_its_share_of_the_targets() -> None:
    # 128 nodes and a quarter of 34 targets' ports on leaves with 64 ports down: three a rail.
    net = planned("vision-1024", RAILS).network
    assert (net.client_leaves.down_count.number, net.leaf_count.number) == (64, 12)
    assert net.topology.value == "leaf-spine"


@pytest.mark.parametrize(
    "changes",
    [{"network.topology": "rails"}, RAILS | {"network.transport": "fc", "network.fc_switch_id": "g730"}],
)
def test_without_more_than_two_ports_of_ethernet_rails_are_sides_and_say_so(
    changes: dict[str, object],
) -> None:
    result = planned(EVIDENCE, changes)
    assert result.network.side_count.number == 2
    assert "rails need Ethernet and more than two storage ports" in result.network.topology.reason
    assert result.network.topology.value in ("single-leaf", "leaf-spine")


# --- InfiniBand ---------------------------------------------------------------------------------------------

IB = {"network.switch_id": "qm9700"}


def test_an_infiniband_switch_makes_rdma_the_choice_without_lossless_ethernet() -> None:
    for changes in (IB, IB | {"network.lossless_possible": False, "network.pfc": False}):
        result = planned(EVIDENCE, changes)
        net = result.network
        assert (net.transport.value, net.transport.label) == ("rdma", "NVMe-oF over RDMA, InfiniBand")
        assert net.checklist == ()
        assert not codes(result) & {"NET-5", "NET-6", "NET-7", "NET-13", "NET-16", "NET-17"}
        assert (
            result.transport_case.score("tcp").barred == "the stated switch carries InfiniBand, no Ethernet"
        )
        assert result.transport_case.lossy is None
        assert result.lossless is not None
        assert result.lossless.buffers == ()


def test_its_wire_is_that_of_infiniband_whatever_the_mtu() -> None:
    block = {"jobs.0.checkpoint.block_bytes": 2**20}
    small, large = (planned(EVIDENCE, IB | block | {"network.mtu_bytes": mtu}) for mtu in (1500, 9000))
    # 256 packets of 4,096 bytes with 26 bytes each, and 16 once.
    expected = 2**20 / (2**20 + 256 * 26 + 16)
    for result in (small, large):
        assert result.network.option.wire_fraction.number == pytest.approx(expected)


def test_it_carries_checkpoints_alone() -> None:
    result = planned(EVIDENCE, IB)
    assert [group.name for group in result.network.links] == ["GPU nodes", "NVMe-oF hot tier"]
    (told,) = with_code(result, "NET-12")
    assert told.message.startswith("InfiniBand carries checkpoints alone; ")


def test_cards_without_infiniband_and_tcp_are_refused_with_a_way_out() -> None:
    (card,) = with_code(planned(EVIDENCE, IB | {"network.nic_id": "thor2-400"}), "NET-13")
    assert (card.severity, card.fixes[0].path) == ("blocker", "network.nic_id")
    (tcp,) = with_code(planned(EVIDENCE, IB | {"network.transport": "tcp"}), "NET-13")
    assert "needs Ethernet at 200 Gb/s" in plain(tcp.message)
