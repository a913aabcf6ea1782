"""Zones, links between switches and licences of a SAN; rails beside sides."""

from __future__ import annotations

import pytest

from tests.plan.changes import EVIDENCE, planned

FC = {"network.transport": "fc"}


def test_every_initiator_is_zoned_with_every_target_of_its_fabric() -> None:
    result = planned(EVIDENCE, FC | {"network.fc_switch_id": "g730"})
    san = result.san
    assert san is not None
    nodes, targets = result.network.node_port_count.number, result.network.target_port_count.number
    # 64 initiators and half of the targets' ports on each of two fabrics.
    assert san.zone_count.number == 2 * (nodes / 2) * (targets / 2)


@pytest.mark.parametrize(("switch", "included"), [("g720", 24), ("g730", 48)])
def test_ports_beyond_those_delivered_are_licensed_by_eight(switch: str, included: int) -> None:
    result = planned(EVIDENCE, FC | {"network.fc_switch_id": switch})
    san, net = result.san, result.network
    assert san is not None
    assert (san.included_count.number, san.pack_port_count.number) == (included, 8)
    expected = 0
    for switches, ports in ((net.leaf_count, san.edge_port_count), (net.spine_count, san.core_port_count)):
        expected += int(switches.number) * max(-(-(int(ports.number) - included) // 8), 0)
    assert san.licence_count.number == expected > 0


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
    assert planned(EVIDENCE, {}).san is None


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
    assert [option.name for option in planned(EVIDENCE, {}).port_options] == ["sides"]
