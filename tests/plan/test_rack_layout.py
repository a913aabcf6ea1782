"""Machines in racks: all of them, once, within the limits, and what they draw adds up to the feed."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.sections.placing import Piece, Room, arrange
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned, shipped

RULES = Path(__file__).parents[1] / "evidence" / "power_rules.csv"
NAMES = [item.id for item in templates()]
each_template = pytest.mark.parametrize("name", NAMES)


@each_template
def test_racks_add_up_to_the_feed(name):
    result = shipped(name)
    layout = result.racks
    assert layout.max_w.number + layout.unplaced_max_w.number == pytest.approx(result.facility.max_w.number)
    assert layout.typical_w.number == pytest.approx(result.facility.typical_w.number)
    assert layout.used_ru.number == result.facility.rack_units_ru.number
    assert sum(rack.max_w.number for rack in layout.racks) == pytest.approx(layout.max_w.number)
    assert layout.air_w.number + layout.liquid_w.number == pytest.approx(layout.max_w.number)


@each_template
def test_every_machine_stands_once_and_none_in_another(name):
    result = shipped(name)
    assert [rack.number for rack in result.racks.racks] == list(range(1, len(result.racks.racks) + 1))
    places = [place for rack in result.racks.racks for place in rack.places]
    labels = [place.name for place in places]
    assert len(set(labels)) == len(labels)
    wanted = {tier.name: tier.unit_count.number for tier in result.tiers}
    for tier_name, count in wanted.items():
        assert sum(place.device.name == tier_name for place in places) == count
    assert sum(place.device.kind == "network" for place in places) == result.network.switch_count.number
    assert sum(place.device.key.endswith("-metadata") for place in places) == 2
    for rack in result.racks.racks:
        units = [unit for place in rack.places for unit in range(place.bottom_ru, place.top_ru + 1)]
        assert len(set(units)) == len(units)
        assert all(1 <= unit <= rack.height_ru - result.scenario.site.rack_reserved_ru for unit in units)


@each_template
def test_storage_stands_low_with_the_heavy_ones_below_and_switches_on_top(name):
    for rack in shipped(name).racks.racks:
        storage = sorted((p for p in rack.places if p.device.kind == "storage"), key=lambda p: p.bottom_ru)
        switches = [p for p in rack.places if p.device.kind == "network"]
        assert [p.bottom_ru for p in storage] == sorted(
            itertools.accumulate([1, *(p.device.height_ru for p in storage[:-1])])
        )[: len(storage)]
        weights = [p.device.kg_per_ru for p in storage]
        assert weights == sorted(weights, reverse=True)
        if storage and switches:
            assert min(p.bottom_ru for p in switches) > max(p.top_ru for p in storage)


def racks_of(result, key):
    """Rack of each machine of a kind, by its number from 0."""
    return {
        place.number - 1: rack.number
        for rack in result.racks.racks
        for place in rack.places
        if place.device.key == key
    }


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        *((template.id, {}) for template in templates()),
        (EVIDENCE, {"site.rack_limit_w": 9000.0}),
        # Leaves of targets apart from those of nodes.
        (EVIDENCE, {"network.topology": "leaf-spine", "network.client_oversubscription_ratio": 3.0}),
        ("two-jobs", {"network.transport": "fc"}),
        ("vision-1024", {"network.topology": "rails"}),
    ],
)
def test_a_lost_rack_leaves_every_machine_a_path(name, changes):
    result = planned(name, changes)
    where, count = racks_of(result, "leaf"), result.racks.storage_rack_count.number
    leaves = {}
    for cable in result.cabling.endpoints:
        leaves.setdefault((cable.start.role, cable.start.unit), set()).add(cable.finish.switch)
    several = [of for of in leaves.values() if len(of) > 1]
    assert several
    apart = [len({where[leaf] for leaf in of}) > 1 for of in several]
    if count == 1:
        assert not any(apart)
    else:
        assert all(apart)


def test_switches_of_two_fabrics_are_in_racks_of_their_own():
    # 18 leaves and 16 core switches in four racks: two racks for each fabric.
    result = planned("guide-256-nodes", {"network.transport": "fc"})
    assert result.racks.storage_rack_count.number == 4
    of_fabric = [
        {
            rack
            for key in ("leaf", "spine")
            for number, rack in racks_of(result, key).items()
            if number % 2 == side
        }
        for side in (0, 1)
    ]
    assert [len(racks) for racks in of_fabric] == [2, 2]
    assert not of_fabric[0] & of_fabric[1]


@each_template
def test_no_rack_is_above_a_limit_and_there_are_no_fewer_than_planned(name):
    result = shipped(name)
    assert result.racks.rack_count.number >= result.facility.rack_count.number
    for rack in result.racks.racks:
        assert [check.name for check in rack.checks if not check.ok] == []


def test_a_limit_never_takes_the_place_of_a_sum():
    result = planned(EVIDENCE, {"site.rack_limit_w": 1000.0})
    assert result.racks.max_w.number == pytest.approx(result.facility.max_w.number)
    failed = [check for rack in result.racks.racks for check in rack.checks if check.verdict == "fail"]
    assert {check.name for check in failed} == {"Power"}
    assert all(check.required.number > 1000 for check in failed)


def test_weight_takes_more_racks():
    light, heavy = (planned("guide-7b", {"site.rack_limit_kg": kg}).racks for kg in (1000.0, 300.0))
    assert heavy.rack_count.number > light.rack_count.number
    assert heavy.heaviest_kg.number <= 300
    # Nine nodes of 32 kg, two switches of 22 and a rack of 160: class assumptions of the catalogue.
    assert light.heaviest_kg.number == 9 * 32 + 2 * 22 + 160


# --- circuits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("region", "amps"), [("north-america", 24.0), ("asia-pacific", 24.0), ("emea", 30.0)]
)
def test_continuous_load_follows_the_rule_of_the_region(region, amps):
    circuits = planned(EVIDENCE, {"site.region": region}).racks.circuits
    assert circuits.usable_amps.number == pytest.approx(amps)


def test_a_stated_share_is_kept():
    result = planned(EVIDENCE, {"site.region": "emea", "site.continuous_fraction": 0.8})
    assert result.racks.circuits.usable_amps.number == pytest.approx(24.0)


@pytest.mark.parametrize(
    ("volts", "amps", "phases", "words"),
    [
        (208.0, 30.0, 1, "NEMA L6-30R"), (230.0, 32.0, 1, "IEC 60309 32 A, 2P+E"), (400.0, 32.0, 3, "IEC 60309 32 A, 3P+N+E"),
        (123.0, 17.0, 1, "to be agreed with the provider"),
    ],
)  # fmt: skip
def test_the_outlet_follows_the_circuit(volts, amps, phases, words):
    site = {"site.feed_volts": volts, "site.feed_amps": amps, "site.feed_phase_count": phases}
    result = planned(EVIDENCE, site)
    assert result.racks.circuits.receptacle.startswith(words)
    asked = [gap for gap in result.bill.gaps if gap.part == "Circuits"]
    assert bool(asked) is words.startswith("to be agreed")


def test_one_feed_carries_what_both_share():
    for rack in shipped("vision-1024").racks.racks:
        assert rack.feed_alone_amps.number == pytest.approx(2 * rack.feed_a_amps.number)
        assert rack.feed_alone_amps.number <= 24.0
        assert rack.circuit_count.number == 2


def test_density_class_is_the_published_one():
    with RULES.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["id"].startswith("class-")]
    tops = {
        row["id"].removeprefix("class-").replace("-", " "): float(
            row["value"].replace("<=", "").split("-")[-1]
        )
        for row in rows
    }
    assert len(tops) == 6
    for name in NAMES:
        for rack in shipped(name).racks.racks:
            smallest = min((top, word) for word, top in tops.items() if rack.max_w.number <= top * 1e3)
            assert rack.density == smallest[1]


# --- GPU racks ----------------------------------------------------------------------------------------------------


def test_gpu_racks_are_beside_the_storage_and_alike():
    site = {"cluster.node_id": "dgx-b200", "site.rack_limit_w": 45_000.0, "site.feed_amps": 100.0}
    without, with_gpus = (
        planned(EVIDENCE, {**site, "site.place_gpu_nodes": on}).racks for on in (False, True)
    )
    assert with_gpus.storage_rack_count.number == without.rack_count.number
    # 14.3 kW and 10 U each: three in 45 kW and 44 U, so 64 nodes are 21 full racks and one of a single node.
    assert with_gpus.gpu_rack_count.number == 22
    assert [rack.count for rack in with_gpus.racks[-2:]] == [21, 1]
    assert [place.bottom_ru for place in with_gpus.racks[-2].places] == [1, 11, 21]
    assert with_gpus.max_w.number == pytest.approx(without.max_w.number + 64 * 14_300)
    assert with_gpus.liquid_w.number == 0


def test_a_rack_of_72_gpus_stands_alone_and_gives_most_heat_to_liquid():
    layout = planned(
        EVIDENCE, {"cluster.node_id": "gb200-nvl72", "cluster.node_count": 4, "site.place_gpu_nodes": True}
    ).racks
    own = layout.racks[-1]
    assert (own.count, own.density) == (4, "extreme")
    assert own.max_w.number == 120e3
    assert own.liquid_w.number == pytest.approx(0.85 * 120e3)
    assert {check.name for check in own.checks if not check.ok} >= {"Power", "One feed alone"}
    # It comes with a frame of its own: 1,360 kg in all, and no room of a provider's rack is asked for.
    assert own.weight_kg.number == 1360
    assert (own.height_ru, [check.name for check in own.checks]) == (
        48,
        ["Power", "One feed alone", "Weight"],
    )


# --- placing ------------------------------------------------------------------------------------------------------

pieces = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 8), st.floats(0.0, 3000.0), st.floats(1.0, 120.0), st.booleans()),
    min_size=1, max_size=5,
)  # fmt: skip


@settings(max_examples=60)
@given(pieces, st.integers(8, 44), st.floats(1000.0, 20_000.0), st.floats(100.0, 1000.0))
def test_everything_is_placed_and_only_single_machines_exceed_a_limit(drawn, height, watts, kg):
    room = Room(height, watts, kg)
    made = [
        Piece(f"p{number}", count, ru, w, weight, on_top=top)
        for number, (count, ru, w, weight, top) in enumerate(drawn)
    ]
    shelves = arrange(made, room, least_count=1)
    for piece in made:
        assert sum(shelf.held.get(piece.key, 0) for shelf in shelves) == piece.count
    for shelf in shelves:
        assert shelf.used_ru <= height
        if sum(shelf.held.values()) > 1:
            assert shelf.used_w <= watts * (1 + 1e-6)
            assert shelf.used_kg <= kg * (1 + 1e-6)


@settings(max_examples=25)
@given(st.floats(1.0, 4.0), st.floats(1.0, 3.0))
def test_more_data_never_takes_fewer_racks(size, more):
    few, many = (
        planned(EVIDENCE, {"jobs.0.ingest.dataset_bytes": 50e12 * times}).racks.rack_count.number
        for times in (size, size * more)
    )
    assert many >= few


def test_very_many_machines_fill_racks_of_their_own_kind():
    result = planned(EVIDENCE, {"storage.hot.unit_count": 30_000})
    layout = result.racks
    assert len(layout.racks) < 20
    # So many need a third tier of switches: those are not placed, and what they draw is told apart.
    assert layout.unplaced == ("NVIDIA SN5600: more than two tiers are needed",)
    assert layout.max_w.number + layout.unplaced_max_w.number == pytest.approx(result.facility.max_w.number)
    hot = [rack for rack in layout.racks if any(p.device.key == "hot" for p in rack.places)]
    assert sum(rack.count * len(rack.places) for rack in hot) == 30_000
    bought = next(line for line in result.bill.lines if line.part_id == "spdk-2u24-gen5")
    assert bought.racks == f"1 to {sum(rack.count for rack in hot)}"
    pdus = next(line for line in result.bill.lines if line.part_id == "pdu")
    assert pdus.quantity.number == 2 * layout.rack_count.number


def test_a_machine_of_unknown_power_is_counted_with_its_optics():
    result = planned(EVIDENCE, {"storage.file_system.platform_id": "vast-ebox-15"})
    device = next(
        p.device for rack in result.racks.racks for p in rack.places if p.device.key == "file-system"
    )
    assert not device.powered
    assert result.racks.max_w.number == pytest.approx(result.facility.max_w.number)
    assert any(finding.code == "PWR-3" for finding in result.findings)


def test_machines_beyond_counting_leave_the_sides_apart():
    # 25,000 object servers stand in racks of their own kind, which are alike; switches are still in racks by side.
    result = planned(
        "guide-256-nodes", {"network.transport": "fc", "storage.object_store.unit_count": 25_000}
    )
    numbers = {
        rack.number: {(place.device.key, place.number % 2) for place in rack.places}
        for rack in result.racks.racks
        if any(place.device.key in ("leaf", "spine") for place in rack.places)
    }
    assert sorted(*zip(*numbers.values(), strict=True)) == [
        ("leaf", 0),
        ("leaf", 1),
        ("spine", 0),
        ("spine", 1),
    ]
