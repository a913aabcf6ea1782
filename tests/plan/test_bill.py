"""The whole bill: complete, priced where prices are known, and equal to the cost of the plan."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from planner.catalogue import load_catalogue
from planner.plan import plan
from planner.sections.racks import rack_numbers
from planner.summary import figures, headline
from planner.templates import templates
from tests.plan.changes import EVIDENCE, changed, plain, planned, shipped

NAMES = [item.id for item in templates()]
each_template = pytest.mark.parametrize("name", NAMES)


def lines(result, part):
    return [line for line in result.bill.lines if line.part_id == part]


def quantity(found):
    return sum(line.quantity.number for line in found)


@each_template
def test_the_bill_adds_up_to_the_cost_by_parts(name):
    result = shipped(name)
    bill = result.bill
    assert bill.low_usd.number == pytest.approx(result.cost.parts_low_usd.number)
    assert bill.high_usd.number == pytest.approx(result.cost.parts_high_usd.number)
    assert bill.low_usd.number <= bill.high_usd.number
    assert sum(len(group) for group in bill.groups.values()) == len(bill.lines)


def test_every_price_in_a_sum_names_its_line():
    """One part may stand in several lines; whoever asks why a cost is what it is has to tell them apart."""
    result = shipped(EVIDENCE)
    priced = [line for line in result.bom if line.priced]
    labels = {line.extended_low_usd.label for line in priced}
    assert len(labels) == len(priced)
    assert all(f"{line.group}, {line.title}" in line.extended_low_usd.label for line in priced)
    assert labels >= {item.label for item in result.cost.parts_low_usd.inputs.values()}


@each_template
def test_what_is_not_priced_is_unknown_and_counted(name):
    bill = shipped(name).bill
    for line in bill.lines:
        assert line.extended_low_usd.number > 0 or math.isnan(line.extended_low_usd.number)
    assert len(bill.not_priced) == sum(not line.priced for line in bill.lines) > 0
    assert bill.total_text.endswith(f" + {len(bill.not_priced)} lines of the bill not priced")


@each_template
def test_every_line_says_what_caused_it_and_which_group_it_is_in(name):
    for line in shipped(name).bill.lines:
        assert line.cause
        assert line.group
        assert line.description
        assert line.quantity.number > 0 or line.part_id == "blanking-panel"
        assert not line.priced or (line.price_source and line.price_as_of)


@each_template
def test_every_port_has_an_optic_and_a_cable(name):
    result = shipped(name)
    optics = [line for line in result.bill.lines if line.kind == "optic"]
    for group in result.network.links:
        if group.copper:
            continue
        own = [line for line in optics if line.cause.endswith(f": {group.name}") and "ends of" in line.cause]
        fibres = [line for line in result.bill.lines
                  if line.kind == "cable" and "fibre" in line.description and line.cause.endswith(f": {group.name}")]  # fmt: skip
        legs = group.fibre.breakout_count if group.fibre else 1
        between = group.name == "leaf to spine" and group.cage_optic is not None
        ends = 0 if between else 1 if group.cage_optic else 2
        assert quantity(own) == ends * group.count.number
        assert (
            group.count.number
            <= legs * quantity(fibres)
            < group.count.number + 2 * legs * (result.network.leaf_count.number)
        )
        if group.cage_optic:
            cages = [line for line in optics if group.name in line.cause.partition(": ")[2].split("; ")
                     and "split cages of leaves" in line.cause]  # fmt: skip
            assert quantity(cages) * group.cage_lane_count >= group.count.number


@each_template
def test_every_supply_has_a_cord_and_every_rack_an_a_and_a_b_feed(name):
    result = shipped(name)
    machines = sum(tier.unit_count.number for tier in result.tiers) + 2 + result.network.switch_count.number
    machines += quantity(lines(result, "management-switch"))
    cords = [line for line in result.bill.lines if line.part_id.startswith("cord-c")]
    assert quantity(cords) == 2 * machines  # two supplies in each: class assumption
    machines -= quantity(lines(result, "management-switch"))  # rails come with a switch of 1 U
    assert quantity(lines(result, "rail-kit")) == machines
    racks = result.racks.rack_count.number
    assert quantity(lines(result, "rack")) == racks
    assert quantity(lines(result, "pdu")) == quantity(lines(result, "circuit")) == 2 * racks


@each_template
def test_racks_are_full_once_panels_are_counted(name):
    result = shipped(name)
    used = result.facility.rack_units_ru.number
    panels = quantity(lines(result, "blanking-panel")) + quantity(lines(result, "cable-manager"))
    managing = quantity(lines(result, "management-switch"))  # of 1 U, in what is reserved
    assert used + panels + managing == 48 * result.racks.rack_count.number


def test_a_pdu_has_an_outlet_for_every_cord_of_its_rack():
    # The one rack: 11 storage nodes, 2 leaves and a management switch of two supplies each, on two PDUs.
    result = shipped("lab-8-nodes")
    (pdu,) = lines(result, "pdu")
    assert sum(len(rack.places) for rack in result.racks.racks) == 13
    assert "at least 14 C13 outlets" in pdu.description
    (switch,) = lines(result, "management-switch")
    assert switch.rack_units_ru.number == 1
    assert not switch.watts_w.known


def test_a_lustre_file_system_has_its_metadata_servers():
    result = shipped(EVIDENCE)
    servers = [line for line in result.bill.lines if line.description.startswith("Metadata server")]
    assert [(line.quantity.number, line.kind) for line in servers] == [(2, "node")]
    drives = next(
        line
        for line in result.bill.lines
        if line.description.endswith("for metadata") and line.kind == "drive"
    )
    # 2 % of 264 TB mirrored is 10.6 TB: two drives of 7.68 TB in each server hold it.
    assert drives.quantity.number == 4
    # Base 525 W (650 W at most), two drives of 11 to 14 W, one card of 2 × 200G, 10 % fans: not the watts of 24 drives.
    row = next(row for row in result.facility.rows if row.name.startswith("Metadata servers"))
    card = load_catalogue().nics["cx7-2x200"]
    assert row.typical_w.number == pytest.approx((525 + 2 * 11 + card.typical_w.number) * 1.1)
    assert row.max_w.number == pytest.approx((650 + 2 * 14 + card.max_w.number) * 1.1)
    assert {line.watts_w.number for line in servers} == {row.typical_w.number}
    narrow = planned(EVIDENCE, {"site.rack_limit_w": 5000.0})
    stand = [r for r in narrow.racks.racks if any(p.device.name.startswith("Metadata") for p in r.places)]
    bought = [line for line in narrow.bill.lines if line.description.startswith("Metadata server")]
    assert {line.racks for line in bought} == {rack_numbers(stand)}
    other = planned(EVIDENCE, {"storage.file_system.platform_id": "ddn-ai400x2t"})
    assert not any(line.description.startswith("Metadata server") for line in other.bill.lines)


def test_spares_follow_the_policy_and_are_priced_apart():
    none = dict.fromkeys(
        (f"prices.spares.{kind}_fraction" for kind in ("drive", "optic", "nic", "switch", "node")), 0.0
    )
    without, with_spares = planned(EVIDENCE, none).bill, shipped(EVIDENCE).bill
    assert without.spares_high_usd.number == 0
    assert with_spares.low_usd.number == without.low_usd.number
    drives = next(line for line in with_spares.lines if line.part_id == "minio-2u24-drive")
    assert (drives.quantity.number, drives.spare_count.number) == (96, 3)  # 3 % of 96, rounded up
    assert drives.spares_low_usd.number == pytest.approx(3 * 7.68 * 300)


# --- distances ----------------------------------------------------------------------------------------------------


def test_within_one_rack_links_go_over_copper_as_far_as_it_reaches():
    # Ports of the switch's own speed and split ones; copper of 3 m spans a rack of 48 U (2.93 m), not one of 52.
    near, far = (planned("lab-8-nodes", {"site.rack_height_ru": height}) for height in (48, 52))
    kinds = {group.name: group.optic.type for group in near.network.links}
    assert kinds["NVMe-oF hot tier"] == "DAC"
    assert kinds["Parallel file system"] == kinds["Object store"] == "DAC breakout"
    assert kinds["GPU nodes"] == "SR4"
    assert not any(group.copper for group in far.network.links)
    assert quantity(lines(near, "dac-400g")) == 6
    assert quantity(lines(near, "dac-400g-4x100")) == 2  # four links on two leaves: half a cable each
    assert near.facility.max_w.number < far.facility.max_w.number


def test_in_several_racks_a_group_keeps_one_kind_of_optic():
    result = planned("lab-8-nodes", {"site.rack_limit_w": 5000.0})
    assert result.racks.rack_count.number > 1
    assert not any(group.copper for group in result.network.links)


@pytest.mark.parametrize(
    ("metres", "optic"),
    # Reach of the optics: 50 m, 100 m, 500 m, 2 km; cages of 800 Gb/s split no SR8 of 400 that reaches 100.
    [(20.0, "sr4-400g"), (50.0, "sr4-400g"), (51.0, "dr4-400g"), (101.0, "dr4-400g"), (600.0, "fr4-400g")],
)
def test_the_distance_to_gpu_nodes_chooses_their_optics(metres, optic):
    result = planned("vision-1024", {"site.gpu_distance_m": metres})
    assert result.network.links[0].optic.id == optic
    fibre = {"dr4-400g": "trunk-os2-mtp12", "fr4-400g": "patch-os2-lc"}.get(optic, "trunk-om4-mtp12")
    found = [line for line in lines(result, fibre) if line.description.endswith("GPU nodes")]
    assert quantity(found) == 256
    length = float(found[0].description.split(" m,")[0].rpartition(" ")[2])
    assert metres <= length <= metres + 50


def test_cables_between_racks_are_longer_than_those_inside_one():
    result = planned("vision-1024", {"site.rack_pitch_m": 2.0})
    where = {(p.device.name, p.number - 1): rack.number for rack in result.racks.racks for p in rack.places}
    leaf = {number: rack for (name, number), rack in where.items() if name == "Leaf switches"}
    inside, across = set(), set()
    for cable in result.cabling.endpoints:
        if cable.start.role == "GPU nodes":
            continue
        same = where[cable.start.role, cable.start.unit] == leaf[cable.finish.switch]
        (inside if same else across).add(cable.length_m)
    assert max(inside) <= 3.0 < min(across)


# --- gaps ---------------------------------------------------------------------------------------------------------


def test_a_complete_bill_names_no_gap():
    # Ports of the switch's own speed, and nothing that a row leaves open.
    result = planned(EVIDENCE, {"network.switch_id": "sn3700", "storage.hot.platform_id": "nvmet-2u24-gen4",
                                "storage.object_store.platform_id": "s3-hdd-32"})  # fmt: skip
    assert [gap.part for gap in result.bill.gaps if not gap.minor] == []


def test_an_array_without_ports_and_height_is_asked_for():
    result = planned(
        EVIDENCE,
        {"storage.hot.architecture": "all-flash-array", "storage.hot.platform_id": "vast-ceres-3015"},
    )
    asked = [gap.text for gap in result.bill.gaps if gap.part == "NVMe-oF hot tier"]
    assert [text.partition(" of ")[0] for text in asked] == ["client ports", "power supplies"]


def test_more_drives_than_bays_are_a_gap():
    result = planned(EVIDENCE, {"storage.hot.drive_count": 30, "storage.hot.unit_count": 1})
    assert any("30 drives and 24 bays" in gap.text for gap in result.gaps)


def test_ports_that_do_not_fit_leave_cables_without_lengths():
    result = planned(EVIDENCE, {"network.switch_id": "sn3700"})
    assert result.cabling is None
    assert any(gap.part == "Cables" for gap in result.bill.gaps)
    cables = [line for line in result.bill.lines if line.kind == "cable"]
    assert quantity(cables) == sum(group.count.number for group in result.network.links)


def test_a_switch_of_too_few_ports_is_no_question_of_its_height():
    gaps = planned(EVIDENCE, {"cluster.node_count": 200_000}).bill.gaps
    assert any("need more than two tiers" in gap.text for gap in gaps)
    assert not any("height" in gap.text for gap in gaps)


def test_a_platform_without_bays_is_asked_for_them():
    catalogue = load_catalogue()
    kit = replace(catalogue.platforms["spdk-2u24-gen5"], drives_per_unit_count=None)
    own = replace(catalogue, platforms={**catalogue.platforms, kit.id: kit})
    (gap,) = [gap for gap in plan(changed(EVIDENCE, {}), own).bill.gaps if "bays" in gap.text]
    assert gap.minor
    assert "9 drives for 3 units" in plain(gap.text)
    assert not any("bays" in gap.text for gap in shipped(EVIDENCE).bill.gaps)


def test_figures_have_the_lives_and_the_losses_and_one_sum_over_the_term_only():
    result = shipped(EVIDENCE)
    found = figures(result)
    assert found["Life of the drives"]["Replace the drives after"] == result.lifetime.replace_after_s
    assert found["Durability"]["Chance if drives fail independently"].number == pytest.approx(
        result.durability.cases[0].loss_fraction.number
    )
    # What searches compare leaves out spare parts, space and worn drives, and says so by its name.
    less = found["Cost"]["Equipment, power and support over the term, low"]
    assert less.number + result.bill.spares_low_usd.number == pytest.approx(result.term.low_usd.number)
    assert "Over the term, low" not in found["Cost"]


# --- cords --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("site", "plug"),
    [
        ({"site.feed_volts": 208.0, "site.feed_amps": 60.0}, "C19 to C20"),  # 10 A x 208 V x 0.8 are 1,664 W
        ({"site.region": "emea", "site.feed_volts": 400.0, "site.feed_amps": 32.0}, "C13 to C14"),  # 2,309 W
        ({}, "C13 to C14"),  # 415 V between phases are 240 V: 1,917 W
    ],
)
def test_a_cord_is_as_strong_as_the_outlet_asks(site, plug):
    result = planned("guide-256-nodes", site)
    cords = next(line for line in result.bill.lines if line.description.endswith("for Spine switches"))
    spine = next(
        place.device for rack in result.racks.racks for place in rack.places if place.device.key == "spine"
    )
    assert 1664 < spine.max_w.number < 1917  # one of two supplies carries it with a feed lost
    assert plug in cords.description


def test_outlets_of_480_volts_are_no_place_for_usual_cords():
    gaps = [gap.text for gap in planned("lab-8-nodes", {"site.feed_volts": 480.0}).bill.gaps]
    assert any("outlets of 277\u00a0V" in text for text in gaps)


def test_cords_of_management_reach_the_switch_that_several_racks_share():
    (one,) = lines(shipped("lab-8-nodes"), "management-cord")
    (many,) = lines(shipped("frontier-16384"), "management-cord")
    # 48 U up and 0.8 m aside; with five racks a switch two racks further and 4 U down: 2.31 + 1.2 + 0.8 = 4.3 m.
    assert one.description.endswith("Cat 6, 3 m")
    assert many.description.endswith("Cat 6, 5 m")


def test_a_line_of_nothing_is_left_out():
    result = planned("lab-8-nodes", {"site.rack_height_ru": 28})
    assert [line.title for line in result.bill.lines if line.quantity.number == 0] == []
    assert lines(result, "blanking-panel") == []


def test_where_nothing_is_priced_the_cost_is_unknown_and_not_0():
    # A set that has prices of arrays alone, and a design of generic kit.
    result = planned("lab-8-nodes", {"prices.price_set_id": "budgetary-2025"})
    assert len(result.unpriced) == len(result.bill.lines)
    for item in (
        result.bill.low_usd,
        result.bill.spares_high_usd,
        result.cost.capital_low_usd,
        result.cost.term_high_usd,
    ):
        assert not item.known
    assert result.bill.total_text.startswith("unknown: none of ")
    assert f"cost unknown: {len(result.bill.lines)} lines of the bill not priced" in headline(result).replace(
        "\u00a0", " "
    )
    assert "Equipment" in result.term.not_priced


def test_a_price_per_tb_buys_the_capacity_of_a_unit():
    stated = {"storage.file_system.platform_id": "ddn-ai400x2t", "prices.price_set_id": "budgetary-2025"}
    line = next(line for line in planned(EVIDENCE, stated).bill.lines if line.part_id == "ddn-ai400x2t")
    # 1,000 USD/TB of a public planner, and 260.9 TB usable in an appliance: rows of the catalogue.
    assert line.price_low_usd.number == pytest.approx(260_900)


def test_the_makers_of_generic_servers_are_open():
    result = shipped(EVIDENCE)
    makers = {line.part_id: line.maker for line in result.bill.lines if line.kind == "node"}
    # MinIO makes the software that runs on such servers, and no servers.
    assert makers["minio-2u24"] == ""


def test_servers_of_two_ports_of_200g_have_a_card_whose_cages_take_the_planned_optics():
    result = shipped(EVIDENCE)
    group = next(group for group in result.network.links if group.name == "Parallel file system")
    assert "QSFP112" in group.optic.form_factor
    card = next(line for line in result.bill.lines if line.kind == "nic" and line.group == group.name)
    assert "QSFP112" in card.description
    assert card.quantity.number == 2


def test_supplies_and_fans_are_kept_as_spares_of_each_model():
    found = [line for line in shipped("two-jobs").bill.lines if line.group == "Spare parts"]
    # 9 switches and 12 servers of three models with two supplies each: one of 18, 6, 8 and 10 at 2 %.
    assert [line.quantity.number for line in found] == [1] * 8
    assert [line.part_id for line in found] == ["spare-supply", "spare-fan"] * 4
    many = shipped("frontier-16384").bill.lines
    switches = next(line for line in many if line.part_id == "spare-supply" and "SN5600" in line.description)
    count = next(line for line in many if line.kind == "switch").quantity.number
    assert switches.quantity.number == math.ceil(0.02 * 2 * count) > 1
    none = planned("two-jobs", {"prices.spares.supply_fraction": 0.0}).bill.lines
    assert not [line for line in none if line.group == "Spare parts"]


def test_management_switches_reach_the_network_of_the_site():
    for name in ("guide-256-evidence", "frontier-16384"):
        of_id = {line.part_id: line.quantity.number for line in shipped(name).bill.lines}
        assert of_id["management-uplink"] == 2 * of_id["management-switch"]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        (EVIDENCE, {"network.topology": "leaf-spine"}),
        ("two-jobs", {"cluster.storage_port_bytes_per_s": 25e9}),
    ],
)
def test_lines_that_are_not_cabled_have_titles_of_their_own(name, changes):
    result = planned(name, changes)
    titles = [(line.group, line.title) for line in result.bom]
    assert len(set(titles)) == len(titles)
    # Between two cages of 4 × 200 Gb/s runs a straight trunk with two links in it.
    (uplink,) = {
        line.part_id for line in result.bill.lines if line.kind == "cable" and "leaf to spine" in line.cause
    }
    assert uplink == "trunk-om4-mtp12"
    words = {line.description.partition(",")[0] for line in result.bom if line.part_id == uplink}
    assert words == {"fibre trunk"}


def test_a_longer_fibre_is_not_told_at_the_price_of_a_short_one():
    found = [line for line in shipped("guide-256-nodes").bill.lines if line.part_id == "trunk-om4-mtp12"]
    # The reference has one trunk of 1 m at 85 USD.
    graded = {"longer ones cost more" in line.price_source: line.price_grade for line in found}
    assert graded == {False: "seen", True: "inferred"}
    assert all(" 1 m," in line.description for line in found if line.price_grade == "seen")
