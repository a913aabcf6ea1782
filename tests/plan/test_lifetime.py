"""How long the drives last, how many are needed for the term, and the day on which they are worn."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from planner.core.quantity import Quantity, given
from planner.core.units import YEAR_S
from planner.sections.lifetime import LifetimePlan, date_after
from tests.plan.changes import EVIDENCE, UNLIKE, plain, planned, shipped

ARRAY = {"storage.hot.architecture": "all-flash-array"}


def lived(name: str, changes: Mapping[str, Any]) -> LifetimePlan:
    life = planned(name, changes).lifetime
    assert life is not None
    return life


@pytest.mark.parametrize("reached", [1.0, 0.9])
def test_the_law_of_the_duty_as_published(reached: float) -> None:
    """Reliability models, 0.2: 10 s every 30 min on drives of 3.84 TB and 5 GB/s are 0.625 DWPD, 3 cover 48 s.

    Where clients reach a share of the drives, that share of their rate is written: more of them are bought.
    """
    changes = {
        "jobs.0.checkpoint.target_s": 10.0,
        "jobs.0.checkpoint.interval_s": 1800.0,
        "storage.hot.drive_id": "m9550max-6400",
        "network.rdma_stack_fraction": reached,
    }
    life = lived(EVIDENCE, changes)
    rate, size = 10e9 * reached, 6.4e12  # the drive's row
    assert life.duty_dwpd.number == pytest.approx(0.625 * (rate / size) / (5e9 / 3.84e12))
    assert life.longest_save_s.number == pytest.approx(48.0 * (5e9 / 3.84e12) / (rate / size))
    assert life.bandwidth_covers


@pytest.mark.parametrize("name", UNLIKE[:2])
def test_the_duty_is_that_of_the_drives_that_write_bandwidth_asks_for(name: str) -> None:
    """What the drives take in a day, over the drives that the tier names; drains beside saves need a few more."""
    result = shipped(name)
    hot, wear = result.hot, result.endurance
    duty = wear.drive_write_bytes_per_day.number / (
        hot.terms["write bandwidth"].number * hot.drive_bytes.number
    )
    assert lived(name, {}).duty_dwpd.number == pytest.approx(duty, rel=0.02)


def test_endurance_asks_for_one_capacity_with_and_one_without_its_margin_and_says_which() -> None:
    """The tier's 5.93 drives of 6.4 TB are 37.9 TB with the margin of 1.2; the bare rating would do with 31.6 TB."""
    result = shipped(EVIDENCE)
    hot, wear = result.hot, result.endurance
    told = [(item.label, plain(item.text())) for item in (wear.needed_raw_bytes, wear.sized_raw_bytes)]
    assert told == [
        ("Raw capacity for endurance, without margin", "31.6 TB"),
        ("Raw capacity for endurance, with margin", "37.9 TB"),
    ]
    term = hot.terms["endurance"]
    assert term.label == "Drives for endurance, with margin"
    assert term.number * hot.drive_bytes.number == pytest.approx(wear.sized_raw_bytes.number)


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
    result = shipped("guide-256-guide")
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
