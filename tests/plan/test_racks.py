"""Racks are filled by whole units within the site's limit and one feed, stand in rows, and fit usual sites."""

from __future__ import annotations

from dataclasses import replace

import pytest

from planner import load_catalogue
from planner.explore.sites import compare_sites, usual_sites
from planner.scenario import Site
from planner.sections.rows import alike, rack_rows
from planner.sizing import feeds
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned, shipped


@pytest.mark.parametrize(
    ("limit_w", "racks"),
    # One unit of 2.2 kW fits into 4 kW, three into 7, four into 8.8, and a rack has one at least.
    [(4000.0, 10), (7000.0, 4), (8800.0, 3), (22_000.0, 1), (2000.0, 10)],
)
def test_ten_units_of_2_2_kw(limit_w: float, racks: int) -> None:
    fill = feeds.rack_fill_w(limit_w, unit_w=2200.0)
    found = feeds.rack_count(
        20.0, rack_height_ru=42.0, reserved_ru=2.0, load_w=10 * 2200.0, rack_limit_w=fill
    )
    assert float(found) == racks


@pytest.mark.parametrize("limit_w", [4000.0, 8000.0, 17_000.0])
def test_a_rack_holds_whole_units(limit_w: float) -> None:
    facility = planned(EVIDENCE, {"site.rack_limit_w": limit_w}).facility
    heaviest = max(row.max_w.number for row in facility.rows)
    budget = min(limit_w, facility.circuit_w.number)
    full = heaviest * max(budget // heaviest, 1)
    by_power = -(-facility.max_w.number // full)
    by_height = -(-facility.rack_units_ru.number // 42)
    assert facility.rack_count.number == max(by_power, by_height)
    assert facility.rack_max_w.number <= budget


@pytest.mark.parametrize("placed", [False, True])
@pytest.mark.parametrize("name", ["lab-8-nodes", "frontier-16384", "guide-256-nodes"])
def test_rows_add_up_to_the_racks(name: str, placed: bool) -> None:
    result = planned(name, {"site.place_gpu_nodes": placed, "site.row_rack_count": 7})
    rows, racks = result.rack_rows, result.racks
    assert sum(row.count * row.rack_count.number for row in rows) == racks.rack_count.number
    for attribute in ("typical_w", "max_w", "weight_kg", "btu_per_hour"):
        total = sum(row.count * getattr(row, attribute).number for row in rows)
        assert total == pytest.approx(getattr(racks, attribute).number)
    assert all(row.rack_count.number <= 7 for row in rows)


def test_more_rows_than_can_be_counted_one_by_one() -> None:
    layout = shipped(EVIDENCE).racks
    many = replace(layout, racks=(replace(layout.racks[0], count=10**12 + 3),))
    rows = rack_rows(many, 10)
    assert [(row.count, row.rack_count.number) for row in rows] == [(10**11, 10.0), (1, 3.0)]
    assert rows[1].racks.endswith(f" to {10**12 + 2 + layout.racks[0].number}")


@pytest.mark.parametrize("name", [item.id for item in templates()])
def test_every_rack_is_of_one_kind(name: str) -> None:
    layout = shipped(name).racks
    assert sorted(rack.number for racks in alike(layout) for rack in racks) == [
        rack.number for rack in layout.racks
    ]


def test_usual_sites_have_the_published_rating_of_their_circuit() -> None:
    catalogue = load_catalogue()
    sites = usual_sites(catalogue, Site())
    rated = {row.label: row for name, row in catalogue.power_rules.items() if name.startswith("pdu-")}
    assert len(sites) == len(rated)
    scenario = shipped(EVIDENCE).scenario
    chosen = {name: sites[name] for name in sites if name.startswith(("208 V 30 A three", "400 V 32 A"))}
    for column in compare_sites(scenario, chosen, catalogue):
        row = rated[f"{column.name.rpartition(',')[0]}, usable"]
        assert row.low is not None
        assert column.plan.racks.circuits.usable_va.number == pytest.approx(row.low.number, rel=0.002)
