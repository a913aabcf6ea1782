"""Durability: the chain against its closed forms and its generator, availability against counting."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from planner.sizing import durability, rebuilds

HOUR_S = 3600.0
failure_rates = st.floats(1e-10, 1e-7)
rebuild_times = st.floats(600.0, 1e6)


@given(rate=failure_rates, rebuild=rebuild_times)
def test_two_copies_have_their_closed_form(rate: float, rebuild: float) -> None:
    """(3 lambda + mu) / (2 lambda^2)."""
    time = durability.loss_time_s(rate, width_count=2, parity_count=1, rebuild_s=rebuild)
    assert float(time) == pytest.approx((3 * rate + 1 / rebuild) / (2 * rate**2), rel=1e-12)


@given(rate=failure_rates, rebuild=rebuild_times)
def test_three_copies_have_their_closed_form(rate: float, rebuild: float) -> None:
    """(11 lambda^2 + 4 lambda mu + mu^2) / (6 lambda^3)."""
    mu = 1 / rebuild
    time = durability.loss_time_s(rate, width_count=3, parity_count=2, rebuild_s=rebuild)
    assert float(time) == pytest.approx((11 * rate**2 + 4 * rate * mu + mu**2) / (6 * rate**3), rel=1e-12)


def solved_time(
    width: int, parity: int, rate: float, mend: list[float], hazard: float, spoiled: float
) -> float:
    """Mean time to absorption by solving the chain's generator, for parameters where that is well posed."""
    states = parity + 1
    generator = np.zeros((states, states))
    for i in range(states):
        out = (width - i) * rate * (hazard if i else 1.0)
        generator[i, i] -= out
        if i + 1 < states:
            generator[i, i + 1] += out
        if i:
            generator[i, i] -= mend[i]
            generator[i, i - 1] += mend[i] * (1 - (spoiled if i == parity else 0.0))
    return float(np.linalg.solve(generator, -np.ones(states))[0])


@given(
    data=st.integers(1, 12),
    parity=st.integers(1, 4),
    rebuild=st.floats(1e5, 1e7),
    hazard=st.floats(1.0, 200.0),
    spoiled=st.floats(0.0, 1.0),
)
def test_the_chain_against_its_generator(
    data: int, parity: int, rebuild: float, hazard: float, spoiled: float
) -> None:
    """One repair at a time and one spare for each failure, with hazard and unreadable sectors."""
    rate, width = 1e-7, data + parity
    options = {
        "width_count": width,
        "parity_count": parity,
        "rebuild_s": rebuild,
        "hazard_ratio": hazard,
        "unreadable_fraction": spoiled,
    }
    serial = [1 / rebuild] * (parity + 1)
    parallel = [i / rebuild for i in range(parity + 1)]
    assert float(durability.loss_time_s(rate, **options)) == pytest.approx(
        solved_time(width, parity, rate, serial, hazard, spoiled), rel=1e-6
    )
    assert float(durability.parallel_loss_time_s(rate, **options)) == pytest.approx(
        solved_time(width, parity, rate, parallel, hazard, spoiled), rel=1e-6
    )


@given(rate=failure_rates, rebuild=rebuild_times, parity=st.integers(1, 4), hazard=st.floats(1.0, 100.0))
def test_what_lengthens_life(rate: float, rebuild: float, parity: int, hazard: float) -> None:
    """More parity and spares for all do; hazard, unreadable sectors and slow rebuilds do not."""
    group = {"width_count": 14, "parity_count": parity, "rebuild_s": rebuild}
    base = float(durability.loss_time_s(rate, **group))
    assert float(durability.parallel_loss_time_s(rate, **group)) >= base * (1 - 1e-12)
    assert float(durability.loss_time_s(rate, **{**group, "parity_count": parity + 1})) > base
    assert float(durability.loss_time_s(rate, **group, hazard_ratio=hazard)) <= base * (1 + 1e-12)
    assert float(durability.loss_time_s(rate, **group, unreadable_fraction=0.1)) < base
    assert float(durability.loss_time_s(rate, **{**group, "rebuild_s": 2 * rebuild})) < base


def test_without_parity_the_first_failure_is_the_loss() -> None:
    """Ten drives without parity last a tenth of one."""
    time = durability.loss_time_s(1e-8, width_count=10, parity_count=0, rebuild_s=3600.0)
    assert float(time) == pytest.approx(1e7)


def test_a_declustered_pool_as_wide_as_its_stripes_is_a_group() -> None:
    """With equal rebuild times the pool's chain is the group's."""
    pool = durability.declustered_loss_time_s(
        1e-9, drive_count=10, parity_count=2, rebuild_s=2e4, critical_rebuild_s=2e4
    )
    group = durability.loss_time_s(1e-9, width_count=10, parity_count=2, rebuild_s=2e4)
    assert float(pool) == pytest.approx(float(group), rel=1e-12)
    without_priority = durability.declustered_loss_time_s(
        float(durability.failure_per_s(0.01)),
        drive_count=48,
        parity_count=2,
        rebuild_s=1.88404 * HOUR_S,
        critical_rebuild_s=1.88404 * HOUR_S,
    )
    nines = durability.nines_count(durability.annual_loss_fraction(without_priority))
    assert float(nines) == pytest.approx(8.31, abs=0.01)  # published


def test_group_rates_of_one_parity() -> None:
    """Published: 4.03 nines for a group with one parity at NetApp's weekly rates."""
    week = 7 * 86400.0
    first = durability.failure_per_s(0.000504, period_s=week)
    further = durability.failure_per_s(0.0939, period_s=week)
    time = durability.group_loss_time_s(
        first, further_failure_per_s=further, parity_count=1, rebuild_s=6 * HOUR_S
    )
    assert float(durability.nines_count(durability.annual_loss_fraction(time))) == pytest.approx(
        4.03, abs=0.01
    )


@given(share=st.floats(1e-6, 0.9))
def test_failure_rate_gives_back_the_annual_share(share: float) -> None:
    """A drive whose mean life is one over the rate fails with the share it came from."""
    rate = durability.failure_per_s(share)
    assert float(durability.annual_failure_fraction(1 / rate)) == pytest.approx(share)
    assert float(durability.hazard_ratio(share, after_fraction=share)) == pytest.approx(1.0)


def test_a_watched_fleet_and_a_data_sheet_agree_for_rare_failures() -> None:
    """One failure in 100 drive-years is about 1 % a year."""
    assert float(durability.observed_failure_fraction(1, observed_days=36_500.0)) == pytest.approx(0.01)


@given(mean=st.floats(1e9, 1e30), groups=st.integers(1, 1000))
def test_loss_of_many_groups(mean: float, groups: int) -> None:
    """Keeps its digits where it is tiny, and more groups lose more."""
    one = float(durability.annual_loss_fraction(mean))
    many = float(durability.annual_loss_fraction(mean, group_count=groups))
    assert many == pytest.approx(-np.expm1(groups * np.log1p(-one)), rel=1e-9)
    assert float(durability.nines_count(one)) == pytest.approx(-np.log10(one))


def test_a_loss_that_cannot_happen_has_a_finite_count_of_nines() -> None:
    """No division by zero."""
    assert float(durability.nines_count(0.0)) == 300.0


@given(drives=st.integers(20, 500), parity=st.integers(1, 4), detect=st.floats(0.0, 3600.0))
def test_critical_stripes_are_rebuilt_sooner(drives: int, parity: int, detect: float) -> None:
    """With one parity all is critical at once; with more only the stripes that lost two and more."""
    whole = detect + 6000.0
    critical = rebuilds.critical_rebuild_s(
        whole, detect_s=detect, drive_count=drives, width_count=12, parity_count=parity
    )
    share = np.prod([(12 - j) / (drives - j) for j in range(1, parity)])
    assert float(critical) == pytest.approx(detect + 6000.0 * share)


@given(read=st.floats(1e9, 1e16), errors=st.floats(1e-20, 1e-15))
def test_unreadable_sectors(read: float, errors: float) -> None:
    """The chance that none of the bits fails, for few and for many bits."""
    share = float(rebuilds.unreadable_fraction(read, bit_error_ratio=errors))
    assert share == pytest.approx(1 - np.exp(-8 * read * errors), rel=1e-6, abs=1e-12)
    assert 0 < share <= 1


@given(count=st.integers(2, 20), away=st.floats(1e-4, 0.5), data=st.data())
def test_availability_against_the_sum(count: int, away: float, data: st.DataObject) -> None:
    """The tail of the binomial law, term by term."""
    tolerated = data.draw(st.integers(0, count - 1))
    terms = [comb(count, x) * away**x * (1 - away) ** (count - x) for x in range(tolerated + 1, count + 1)]
    share = durability.unavailable_fraction(away, domain_count=count, tolerated_count=tolerated)
    assert float(share) == pytest.approx(sum(terms), rel=1e-9)


def test_domains_that_may_be_lost() -> None:
    """Whole domains only."""
    parity, chunks = np.array([2.0, 2.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0, 3.0])
    tolerated = durability.tolerated_domains_count(parity, domain_chunk_count=chunks)
    assert tolerated.tolist() == [2.0, 1.0, 0.0, 1.0]


def test_lost_stripes_against_counting() -> None:
    """Of all stripes of 5 among 12 drives, those that hold three given drives: published as 0.0455."""
    share = durability.lost_stripe_fraction(12, width_count=5, parity_count=2)
    assert float(share) == pytest.approx(comb(9, 2) / comb(12, 5))
    assert float(share) == pytest.approx(0.0455, abs=5e-5)


@pytest.mark.parametrize(
    ("width", "parity", "expected"), [(3, 2, 0.07), (15, 3, 0.48), (10, 2, 1.0), (2, 1, 1.0)]
)
def test_a_power_outage_against_the_hypergeometric_law(width: int, parity: int, expected: float) -> None:
    """Published for 1,000 nodes, 10 of which stay away, and 100,000 stripes."""
    loss = float(
        durability.outage_loss_fraction(
            1000, lost_node_count=10, width_count=width, parity_count=parity, stripe_count=1e5
        )
    )
    one = stats.hypergeom(1000, 10, width).sf(parity)
    assert loss == pytest.approx(-np.expm1(1e5 * np.log1p(-one)), rel=1e-6)
    assert loss == pytest.approx(expected, abs=0.005)


def test_an_outage_within_the_parity_loses_nothing() -> None:
    """Two nodes away, three may be."""
    loss = durability.outage_loss_fraction(
        100, lost_node_count=2, width_count=15, parity_count=3, stripe_count=1e9
    )
    assert float(loss) == 0.0
