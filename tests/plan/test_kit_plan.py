"""Reasons of sizes, lives of drives, chances of a loss, rows of racks, usual sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from planner import load_catalogue
from planner.core.quantity import Quantity, given
from planner.core.units import YEAR_S
from planner.explore.sites import compare_sites, usual_sites
from planner.scenario import Site
from planner.sections.durability import DurabilityPlan, odds, yearly_words
from planner.sections.lifetime import LifetimePlan, date_after
from planner.sections.reasons import because
from planner.sections.rows import alike, rack_rows
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned

NAMES = [item.id for item in templates()]
ARRAY = {"storage.hot.architecture": "all-flash-array"}


def lived(name: str, changes: Mapping[str, Any]) -> LifetimePlan:
    life = planned(name, changes).lifetime
    assert life is not None
    return life


def lost(name: str, changes: Mapping[str, Any]) -> DurabilityPlan:
    found = planned(name, changes).durability
    assert found is not None
    return found


# --- reasons ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_reason_names_the_largest_demand_and_the_next(name: str) -> None:
    for tier in planned(name, {}).tiers:
        told = because(tier)
        ordered = sorted(tier.terms, key=lambda term: -tier.terms[term].number)
        assert told.index(ordered[0]) < told.index(ordered[1])
        assert (tier.binding in tier.terms) == ("because of" in told)


def test_the_reason_of_the_start_design() -> None:
    tier = planned(EVIDENCE, {}).hot
    write, wear = (tier.terms[name] for name in ("write bandwidth", "endurance"))
    assert because(tier).startswith(
        f"9 drives in 3 nodes because of write bandwidth ({write}); next endurance ({wear})"
    )


def test_a_stated_size_says_what_it_would_need() -> None:
    told = because(planned(EVIDENCE, {"storage.hot.drive_count": 30}).hot)
    assert ", stated by the architect; " in told
    assert "asks for most" in told


# --- lives --------------------------------------------------------------------------------------------------


def test_the_law_of_the_duty_as_published() -> None:
    """Reliability models, 0.2: 10 s every 30 min on drives of 3.84 TB and 5 GB/s are 0.625 DWPD, 3 cover 48 s."""
    changes = {
        "jobs.0.checkpoint.target_s": 10.0,
        "jobs.0.checkpoint.interval_s": 1800.0,
        "storage.hot.drive_id": "m9550max-6400",
    }
    life = lived(EVIDENCE, changes)
    rate, size = 10e9, 6.4e12  # the drive's row
    assert life.duty_dwpd.number == pytest.approx(0.625 * (rate / size) / (5e9 / 3.84e12))
    assert life.longest_save_s.number == pytest.approx(48.0 * (5e9 / 3.84e12) / (rate / size))
    assert life.bandwidth_covers


def test_the_duty_depends_on_neither_size_nor_scheme() -> None:
    fixed = {"jobs.0.checkpoint.target_s": 10.0}
    first = lived(EVIDENCE, fixed)
    other = lived(
        EVIDENCE,
        {**fixed, "jobs.0.model.parameter_count": 7e9, "storage.hot.protection_id": "8+2"},
    )
    assert first.duty_dwpd.number == other.duty_dwpd.number


def test_the_guides_own_pool_needs_drives_for_its_term() -> None:
    """The guide's 3 TB last 3.35 years of 5 (reliability models, E3): half as many drives again."""
    result = planned("guide-256-guide", {})
    assert result.endurance.rated_life_s.number / YEAR_S == pytest.approx(3.35, abs=0.005)
    life, held = lived("guide-256-guide", {}), result.hot.drive_count.number
    assert life.added_count.number == life.needed_count.number - held > 0
    # with so many the rating lasts the term, and with one less it does not
    per_drive = result.endurance.rated_life_s.number / held
    assert life.needed_count.number * per_drive >= 5 * YEAR_S > (life.needed_count.number - 1) * per_drive


def test_a_platform_without_named_drives_has_no_life() -> None:
    assert planned(EVIDENCE, ARRAY).lifetime is None


@pytest.mark.parametrize(
    ("start", "years", "day"),
    [
        (date(2026, 11, 30), 5.0, date(2031, 11, 30)),
        (date(2024, 2, 29), 1.0, date(2025, 2, 28)),
        (date(2026, 1, 1), 0.5, date(2026, 7, 2)),
    ],
)
def test_dates_follow_the_calendar(start: date, years: float, day: date) -> None:
    assert date_after(start, Quantity(years * YEAR_S, "s", "Life")) == day


@pytest.mark.parametrize("seconds", [None, float("inf"), 1e13])
def test_a_life_without_end_has_no_date(seconds: float | None) -> None:
    assert date_after(date(2026, 1, 1), given(seconds, "s", "Life", source="", grade="")) is None


# --- loss ---------------------------------------------------------------------------------------------------


def chance(value: float) -> Quantity:
    return Quantity(value, "fraction", "Loss")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1e-12, "under 1 in 1 billion"),
        (2.03e-6, "1 in 490\u202f000"),
        (3.6e-4, "1 in 2\u202f800"),
        (0.25, "1 in 4"),
        (0.8, "80\u00a0%"),
        (float("nan"), "unknown"),
    ],
)
def test_a_chance_is_told_with_no_more_than_the_model_carries(value: float, words: str) -> None:
    assert odds(chance(value)) == words


def test_cents_are_not_told() -> None:
    assert yearly_words(Quantity(0.02, "USD/year", "Loss")) == "under $1/year"
    assert yearly_words(Quantity(18.0, "USD/year", "Loss")) == "$18/year"


@pytest.mark.parametrize("name", NAMES)
def test_chances_grow_with_what_is_assumed(name: str) -> None:
    found = lost(name, {})
    alone, own, measured, unreadable = (case.loss_fraction.number for case in found.cases)
    assert alone < own < measured
    assert own < unreadable
    assert [case.design for case in found.cases] == [False, True, False, False]
    assert planned(name, {}).schemes[0].loss_fraction.number == pytest.approx(own)


def test_two_copies_as_published() -> None:
    """Reliability models, D4: two-way copies of 48 drives of 7.68 TB lose with 2.03e-6 a year, 5.69 nines."""
    changes = {
        "storage.hot.drive_id": "m9550max-6400",
        "storage.hot.protection_id": "2-way",
        "storage.hot.drive_count": 48,
        "storage.hot.unit_count": 3,
        "storage.hot.drive_bytes": 7.68e12,
        "storage.failure_hazard_ratio": 1.0,
    }
    found = lost(EVIDENCE, changes)
    assert found.cases[0].loss_fraction.number == pytest.approx(2.03e-6, rel=0.01)


def test_any_two_of_ten_nodes_as_published() -> None:
    """Reliability models, D7: 8+2 over 10 nodes that are away 1e-3 of the time is out of reach 1.19e-7 of it."""
    changes = {
        "storage.hot.protection_id": "8+2",
        "storage.hot.unit_count": 10,
        "storage.hot.drive_count": 40,
        "storage.hot.protection_domain": "node",
    }
    found = lost(EVIDENCE, changes)
    assert found.domains_lost_count.number == 2
    assert found.unavailable_fraction.number == pytest.approx(1.19e-7, rel=0.01)
    assert found.away_s.number == pytest.approx(1.19e-7 * 8766 * 3600, rel=0.01)


def test_protection_inside_a_node_survives_no_lost_node() -> None:
    found = lost("guide-7b", {})
    assert found.domains_lost_count.number == 0
    assert found.unavailable_fraction.number == pytest.approx(1e-3)


def test_the_vendor_answers_for_his_own_protection() -> None:
    assert planned(EVIDENCE, ARRAY).durability is None


def test_a_loss_costs_the_time_back_to_the_copy() -> None:
    rare = {"jobs.0.checkpoint.cold_every_count": 4}
    result = planned(EVIDENCE, rare)
    found, day = lost(EVIDENCE, rare), result.drain_day(0)
    assert day.period_s.number == 4 * 1800
    assert found.rollback_s.number == day.period_s.number + day.drain_s.number
    hours, price = found.rollback_s.number / 3600, result.scenario.prices.gpu_usd_per_hour
    assert found.loss_usd.number == pytest.approx(hours * price * result.together.gpu_count.number)


# --- rows and sites -----------------------------------------------------------------------------------------


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
    layout = planned(EVIDENCE, {}).racks
    many = replace(layout, racks=(replace(layout.racks[0], count=10**12 + 3),))
    rows = rack_rows(many, 10)
    assert [(row.count, row.rack_count.number) for row in rows] == [(10**11, 10.0), (1, 3.0)]
    assert rows[1].racks.endswith(f" to {10**12 + 2 + layout.racks[0].number}")


@pytest.mark.parametrize("name", NAMES)
def test_every_rack_is_of_one_kind(name: str) -> None:
    layout = planned(name, {}).racks
    assert sorted(rack.number for racks in alike(layout) for rack in racks) == [
        rack.number for rack in layout.racks
    ]


def test_usual_sites_have_the_published_rating_of_their_circuit() -> None:
    catalogue = load_catalogue()
    sites = usual_sites(catalogue, Site())
    rated = {row.label: row for name, row in catalogue.power_rules.items() if name.startswith("pdu-")}
    assert len(sites) == len(rated)
    scenario = planned(EVIDENCE, {}).scenario
    chosen = {name: sites[name] for name in sites if name.startswith(("208 V 30 A three", "400 V 32 A"))}
    for column in compare_sites(scenario, chosen, catalogue):
        row = rated[f"{column.name.rpartition(',')[0]}, usable"]
        assert row.low is not None
        assert column.plan.racks.circuits.usable_va.number == pytest.approx(row.low.number, rel=0.002)
