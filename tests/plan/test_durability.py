"""The chance that a checkpoint is lost or out of reach, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from planner.core.quantity import Quantity
from planner.sections.durability import DurabilityPlan, odds, yearly_words
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned, shipped

ARRAY = {"storage.hot.architecture": "all-flash-array"}


def lost(name: str, changes: Mapping[str, Any]) -> DurabilityPlan:
    found = planned(name, changes).durability
    assert found is not None
    return found


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


@pytest.mark.parametrize("name", [item.id for item in templates()])
def test_chances_grow_with_what_is_assumed(name: str) -> None:
    found = lost(name, {})
    alone, own, measured, unreadable = (case.loss_fraction.number for case in found.cases)
    assert alone < own < measured
    assert own < unreadable
    assert [case.design for case in found.cases] == [False, True, False, False]
    assert shipped(name).schemes[0].loss_fraction.number == pytest.approx(own)


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
