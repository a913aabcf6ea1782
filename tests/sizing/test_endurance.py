"""Endurance: ratings and demands invert each other, parity cancels, amplification has its limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.sizing import endurance, local, service, tier_rates

YEAR_S = 365 * 86400.0
capacities = st.floats(1e11, 1e16)
ratings = st.floats(0.1, 60.0)
loads = st.floats(1e9, 1e16)
protections = st.floats(1.0, 4.0)


@given(capacity=capacities, rating=ratings, years=st.floats(1.0, 10.0))
def test_dwpd_and_tbw_are_two_forms_of_one_rating(capacity: float, rating: float, years: float) -> None:
    """There and back; a day's share of the rated writes is the daily allowance."""
    rated = endurance.rated_write_bytes(capacity, endurance_dwpd=rating, warranty_s=years * YEAR_S)
    back = endurance.dwpd_of_rating(rated, capacity_bytes=capacity, warranty_s=years * YEAR_S)
    assert float(back) == pytest.approx(rating)
    daily = endurance.daily_allowance_bytes_per_day(capacity, endurance_dwpd=rating)
    assert float(daily) * 365 * years == pytest.approx(float(rated))


@given(size=st.floats(1e9, 1e13), interval=st.floats(60.0, 86400.0))
def test_half_the_interval_is_twice_the_writes(size: float, interval: float) -> None:
    """Daily and yearly writes."""
    once = endurance.daily_write_bytes_per_day(size, interval_s=interval)
    twice = endurance.daily_write_bytes_per_day(size, interval_s=interval / 2)
    assert float(twice) == pytest.approx(2 * float(once))
    assert float(endurance.yearly_write_bytes_per_year(once)) == pytest.approx(365 * size * 86400 / interval)


@given(load=loads, protection=protections, rating=ratings, margin=st.floats(1.0, 2.0))
def test_a_pool_as_large_as_needed_lasts_its_warranty(
    load: float, protection: float, rating: float, margin: float
) -> None:
    """At the needed raw capacity life is warranty times margin, and the load, a day or a year, one over the margin."""
    raw = endurance.raw_for_endurance_bytes(
        load, protection_ratio=protection, endurance_dwpd=rating, margin_ratio=margin
    )
    life = endurance.rated_life_s(
        raw,
        daily_write_bytes_per_day=load,
        protection_ratio=protection,
        endurance_dwpd=rating,
        warranty_s=5 * YEAR_S,
    )
    used = endurance.write_load_ratio(load, protection_ratio=protection, raw_bytes=raw, endurance_dwpd=rating)
    yearly = tier_rates.yearly_wear_fraction(
        load * protection, allowance_bytes_per_day=raw * rating, warranty_s=5 * YEAR_S
    )
    assert float(life) == pytest.approx(5 * YEAR_S * margin)
    assert float(used) == pytest.approx(1 / margin)
    assert float(yearly) * 5 == pytest.approx(1 / margin)


@given(load=loads, protection=protections, rating=ratings, margin=st.floats(1.0, 2.0))
def test_parity_cancels_for_a_usable_capacity(
    load: float, protection: float, rating: float, margin: float
) -> None:
    """Usable need times protection is the raw need."""
    usable = endurance.usable_for_endurance_bytes(load, endurance_dwpd=rating, margin_ratio=margin)
    raw = endurance.raw_for_endurance_bytes(
        load, protection_ratio=protection, endurance_dwpd=rating, margin_ratio=margin
    )
    assert float(usable) * protection == pytest.approx(float(raw))


@given(target=st.floats(1.0, 600.0), interval=st.floats(600.0, 86400.0), rate=st.floats(1e9, 2e10))
def test_duty_and_longest_save_invert_each_other(target: float, interval: float, rate: float) -> None:
    """The longest save of the rating that a target needs is that target."""
    drive = {"interval_s": interval, "drive_write_bytes_per_s": rate, "drive_capacity_bytes": 7.68e12}
    needed = endurance.duty_dwpd(target, **drive)
    assert float(endurance.longest_save_s(needed, **drive)) == pytest.approx(target)


@given(size=st.floats(1e10, 1e13), protection=protections)
def test_duty_is_what_a_bandwidth_sized_pool_sees(size: float, protection: float) -> None:
    """Writes over capacity of just enough drives: checkpoint size and parity cancel."""
    drives = size * protection / (10.0 * 5e9)
    daily = float(endurance.daily_write_bytes_per_day(size, interval_s=1800.0)) * protection
    duty = endurance.duty_dwpd(
        10.0, interval_s=1800.0, drive_write_bytes_per_s=5e9, drive_capacity_bytes=3.84e12
    )
    assert daily / (drives * 3.84e12) == pytest.approx(float(duty))


@given(spare=st.floats(0.02, 3.0), more=st.floats(1.05, 3.0))
def test_more_spare_means_less_amplification(spare: float, more: float) -> None:
    """At least one, falling with spare; the older estimate is lower up to a spare of a half."""
    waf = float(endurance.random_waf_ratio(spare))
    assert waf > float(endurance.random_waf_ratio(spare * more)) >= 1.0
    if spare < 0.5:
        assert float(endurance.older_waf_ratio(spare)) < waf


def test_amplification_solves_its_balance() -> None:
    """A block is cleaned with the share of live pages that random overwrites have left: 1 - 1/WAF."""
    spare = 0.3
    waf = float(endurance.random_waf_ratio(spare))
    assert np.exp(-(1 + spare) / waf) == pytest.approx(1 - 1 / waf, rel=1e-9)


def test_rounding_costs_no_drive() -> None:
    """3 × 0.1 is a little more than 0.3, and 0.3 / 0.1 a little less than 3."""
    assert float(service.drives_for_life_count(9.0, wanted_s=3 * 0.1, rated_life_s=0.3)) == 9.0
    assert float(local.retained_local_count(0.3, shard_bytes=0.1)) == 3.0
