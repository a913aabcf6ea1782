"""Wear from counters: the published drives, the limits of a whole percentage, the odd drive of a group."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.sizing import endurance, wear
from planner.telemetry import QUANTITIES, Record, read_measurements
from planner.telemetry.wear import (
    DriveWear,
    Rating,
    deviating,
    drive_wear,
    replacement_date,
    write_amplification,
)

SAMPLES = Path(__file__).parent / "samples"
HOUR, DAY, YEAR = 3600.0, 86_400.0, 365 * 86_400.0

used = st.floats(0.01, 2.0)
powered = st.floats(HOUR, 20 * YEAR)
written = st.floats(1e9, 1e17)


def records(subject: str, **values: float) -> list[Record]:
    return [
        Record("smartctl", "7.4", subject, quantity, value, QUANTITIES[quantity].unit)
        for quantity, value in values.items()
    ]


def drive(subject: str, percent: int, days: float = 1000.0, **more: float) -> DriveWear:
    values = {"percentage_used": percent / 100, "power_on_time": days * DAY, "data_written": 1e15, **more}
    (found,) = drive_wear(records(subject, **values))
    return found


# --- formulas -------------------------------------------------------------------------------------


@given(powered=powered, percent=st.integers(1, 120))
def test_a_rounded_percentage_leaves_a_range_around_the_life_left(powered: float, percent: int) -> None:
    """The drive of today is somewhere within half a percent: with its true share its life lies between."""
    share = percent / 100
    high = float(wear.wear_life_left_s(wear.used_at_least_fraction(share), powered_s=powered))
    low = float(wear.wear_life_left_s(wear.used_at_most_fraction(share), powered_s=powered))
    for true in np.linspace(share - 0.005, share + 0.005, 7):
        assert low * (1 - 1e-9) <= float(wear.wear_life_left_s(true, powered_s=powered)) <= high * (1 + 1e-9)
    if percent <= 99:
        assert low < high


@given(share=st.floats(0.001, 0.999), powered=powered)
def test_life_so_far_and_life_left_are_as_used_and_unused(share: float, powered: float) -> None:
    left = float(wear.wear_life_left_s(share, powered_s=powered))
    assert powered / (powered + left) == pytest.approx(share)
    assert float(wear.yearly_used_fraction(share, powered_s=powered)) * (left / YEAR) == pytest.approx(
        1 - share
    )


def test_nothing_used_has_no_end_and_everything_used_has_no_life() -> None:
    left = wear.wear_life_left_s(np.array([0.0, 1.0, 1.04]), powered_s=YEAR)
    np.testing.assert_array_equal(left, [math.inf, 0.0, 0.0])
    assert float(wear.wear_life_left_s(0.8, powered_s=YEAR, limit_fraction=0.9)) == pytest.approx(YEAR / 8)


def test_next_to_no_use_lasts_without_end_and_warns_of_nothing() -> None:
    """A counter that is damaged gives figures such as 1e-300; every warning is a failure here."""
    assert float(wear.wear_life_left_s(np.float64(1e-300), powered_s=1e20)) == math.inf
    left = wear.rating_life_left_s(np.float64(0.0), rated_write_bytes=1e300, write_bytes_per_day=1e-300)
    assert float(left) == math.inf


@given(written=written, powered=powered, rated=written)
def test_the_rating_is_used_up_when_the_rest_of_it_is_written(
    written: float, powered: float, rated: float
) -> None:
    daily = float(wear.observed_write_bytes_per_day(written, powered_s=powered))
    left = float(wear.rating_life_left_s(written, rated_write_bytes=rated, write_bytes_per_day=daily))
    assert written + daily * left / DAY == pytest.approx(max(rated, written))


@given(share=used, rated=written, waf=st.floats(1.0, 10.0), rating_waf=st.floats(1.0, 10.0))
def test_wear_over_rating_is_write_amplification_over_the_ratings(
    share: float, rated: float, waf: float, rating_waf: float
) -> None:
    """A drive whose flash endures `rated * rating_waf` and that writes `waf` for each byte of its hosts."""
    hosts = share * rated * rating_waf / waf
    over = float(wear.wear_over_rating_ratio(share, rated_write_bytes=rated, written_bytes=hosts))
    assert over == pytest.approx(waf / rating_waf)
    life = float(endurance.wear_life_s(1.0, rated_waf_ratio=rating_waf, actual_waf_ratio=waf))
    assert over == pytest.approx(1 / life)


# --- drives ---------------------------------------------------------------------------------------


def test_the_wear_of_a_published_drive() -> None:
    """The sample of the index: 30 % used, 24,424 h, 987.486 TB written by hosts, 4.0 TB in size."""
    (found,) = drive_wear(
        read_measurements(SAMPLES / "nvme_v2.11_smart-log.json").records,
        rating=Rating(capacity_bytes=4.000787030016e12, rated_write_bytes=5.1e15),
    )
    hours = 24_424
    assert found.write_bytes_per_day.number == pytest.approx(987.486e12 / (hours / 24), rel=1e-5)
    assert found.seen_dwpd.number == pytest.approx(987.486 / (hours / 24) / 4.000787, rel=1e-5)
    assert found.life_left_s.number == pytest.approx(hours * HOUR * 70 / 30)
    assert found.life_left_low_s.number == pytest.approx(hours * HOUR * 69.5 / 30.5)
    assert found.life_left_high_s.number == pytest.approx(hours * HOUR * 70.5 / 29.5)
    daily = 987.486e12 / (hours / 24)
    assert found.rating_life_left_s.number == pytest.approx((5.1e15 - 987.486e12) / daily * DAY, rel=1e-5)
    assert found.wear_over_rating_ratio.number == pytest.approx(0.3 * 5.1e15 / 987.486e12, rel=1e-5)
    assert found.life_left_s.formula is not None
    assert found.life_left_s.formula.name == "wear.wear_life_left_s"


def test_a_capacity_in_the_records_comes_first() -> None:
    (found,) = drive_wear(
        read_measurements(SAMPLES / "smartctl_7.4_nvme.json").records, rating=Rating(capacity_bytes=1.0)
    )
    assert found.seen_dwpd.number == pytest.approx(39.154e12 / (8733 / 24) / 1000204886016, rel=1e-4)
    assert not found.rating_life_left_s.known
    assert not found.wear_over_rating_ratio.known


@pytest.mark.parametrize("missing", ["percentage_used", "power_on_time", "data_written"])
def test_what_is_not_there_is_unknown_and_nothing_else(missing: str) -> None:
    values = {"percentage_used": 0.3, "power_on_time": YEAR, "data_written": 1e15}
    del values[missing]
    (found,) = drive_wear(records("nvme0", **values))
    needs = {
        "write_bytes_per_day": {"power_on_time", "data_written"},
        "life_left_s": {"percentage_used", "power_on_time"},
        "life_left_low_s": {"percentage_used", "power_on_time"},
    }
    for name, needed in needs.items():
        assert getattr(found, name).known == (missing not in needed), name


def test_a_drive_without_an_hour_on_or_a_byte_written_has_no_rates() -> None:
    (found,) = drive_wear(records("nvme0", percentage_used=0.0, power_on_time=0.0, data_written=0.0))
    assert not found.write_bytes_per_day.known
    assert not found.life_left_s.known
    (found,) = drive_wear(
        records("nvme0", percentage_used=0.0, power_on_time=DAY, data_written=0.0),
        rating=Rating(rated_write_bytes=1e15),
    )
    assert found.write_bytes_per_day.number == 0
    assert math.isinf(found.life_left_s.number)
    assert found.life_left_low_s.number == pytest.approx(199 * DAY)
    assert not found.rating_life_left_s.known


def test_records_of_other_things_have_no_wear() -> None:
    assert drive_wear(read_measurements(SAMPLES / "nvme_v2.3_list.json").records) == ()
    assert drive_wear(read_measurements(SAMPLES / "fio_3.33_numjobs4.json").records) == ()


def test_write_amplification_against_the_design() -> None:
    observed, over = write_amplification(60e12, media_write_bytes=90e12, design_waf_ratio=1.2)
    assert (observed.number, over.number) == (1.5, 1.25)
    unknown, _ = write_amplification(0.0, media_write_bytes=90e12, design_waf_ratio=1.2)
    assert not unknown.known


@pytest.mark.parametrize(
    ("life_s", "due"),
    [
        (0.0, date(2026, 11, 29)),
        (1.99 * DAY, date(2026, 11, 30)),
        (YEAR, date(2027, 11, 29)),
        (math.inf, None),
        (math.nan, None),
        (1e14, None),
    ],
)
def test_the_date_on_which_a_drive_is_due(life_s: float, due: date | None) -> None:
    assert replacement_date(life_s, measured=date(2026, 11, 29)) == due


# --- groups ---------------------------------------------------------------------------------------


def test_the_drive_that_wears_unlike_its_group_is_found() -> None:
    group = [drive(f"nvme{i}", percent) for i, percent in enumerate((30, 31, 29, 30, 32, 31))]
    assert deviating(group) == ()
    (found,) = deviating([*group, drive("nvme9", 60)])
    assert (found.drive.subject, found.ratio) == ("nvme9", pytest.approx(60 / 31))
    (slow,) = deviating([*group, drive("nvme8", 3)])
    assert slow.drive.subject == "nvme8"


def test_drives_of_other_age_are_compared_by_their_rate() -> None:
    group = [drive("a", 30), drive("b", 31), drive("c", 15, days=500.0), drive("d", 60, days=2000.0)]
    assert deviating(group) == ()
    assert [found.drive.subject for found in deviating([*group, drive("e", 30, days=500.0)])] == ["e"]


def test_what_rounding_can_explain_is_no_deviation() -> None:
    young = [drive(f"nvme{i}", percent, days=100.0) for i, percent in enumerate((1, 1, 1, 1, 2))]
    assert deviating(young) == ()
    (found,) = deviating([*young[:4], drive("nvme9", 3, days=100.0)])
    assert found.ratio == pytest.approx(3.0)


def test_two_drives_are_no_group() -> None:
    assert deviating([drive("a", 10), drive("b", 90)]) == ()


@given(percents=st.lists(st.integers(0, 100), min_size=3, max_size=12), days=st.floats(10, 3000))
def test_no_majority_deviates_from_itself(percents: list[int], days: float) -> None:
    group = [drive(f"nvme{i}", percent, days=days) for i, percent in enumerate(percents)]
    assert len(deviating(group)) <= len(group) / 2
