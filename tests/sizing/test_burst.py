"""Bursts: fair shares, stragglers against exact integrals, and that more is never slower."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.special import gamma

from planner.sizing import burst, checkpoint, degraded, stragglers, tier_rates

rates = st.floats(1e8, 1e12)
sizes = st.floats(1e9, 1e14)
nodes = st.integers(1, 5000)


@given(size=sizes, rate=rates, count=nodes, more=st.floats(1.0, 10.0))
def test_more_bandwidth_and_more_writers_are_never_slower(
    size: float, rate: float, count: int, more: float
) -> None:
    """Each term falls as what serves it grows."""
    slow = checkpoint.write_s(size, bandwidth_bytes_per_s=rate)
    fast = checkpoint.write_s(size, bandwidth_bytes_per_s=rate * more)
    assert float(fast) == pytest.approx(float(slow) / more)
    few, many = (
        checkpoint.write_s(checkpoint.shard_bytes(size, writer_count=writers), bandwidth_bytes_per_s=rate)
        for writers in (count, count + 1)
    )
    assert float(many) < float(few)


LAWS = {
    "lognormal": (
        stragglers.straggler_ratio,
        lambda cv: stats.lognorm(np.sqrt(np.log1p(cv**2)), scale=1 / np.sqrt(1 + cv**2)),
    ),
    "gamma": (stragglers.straggler_gamma_ratio, lambda cv: stats.gamma(1 / cv**2, scale=cv**2)),
    "weibull": (stragglers.straggler_weibull_ratio, None),
}


def exact_maximum(law, count: int) -> float:
    """Expected maximum of equal writers: the integral of the chance that any is later, split at the mean."""

    def later(t: float) -> float:
        return float(-np.expm1(count * law.logcdf(t)))

    end = float(law.isf(1e-12 / count))
    middle = float(law.isf(1 - 0.5 ** (1 / count)))
    first, _ = integrate.quad(later, 0.0, middle, limit=200, epsabs=1e-9)
    rest, _ = integrate.quad(later, middle, end, limit=200, epsabs=1e-9)
    return first + rest


@pytest.mark.parametrize("count", [1, 2, 32, 2048, 100_000])
@pytest.mark.parametrize("variation", [0.05, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("name", ["lognormal", "gamma"])
def test_stragglers_against_the_exact_integral(name: str, variation: float, count: int) -> None:
    """The fixed nodes are exact to 0.1 %."""
    ratio, law = LAWS[name]
    assert float(ratio(count, variation_fraction=variation)) == pytest.approx(
        exact_maximum(law(variation), count), rel=1e-3
    )


@pytest.mark.parametrize("count", [1, 2, 32, 2048, 100_000])
@pytest.mark.parametrize("shape", [1.0, 2.0, 5.0, 20.0])
def test_weibull_stragglers_against_the_exact_integral(shape: float, count: int) -> None:
    """Given the variation of a known shape, the shape is found and the maximum is right to 0.1 %."""
    mean = gamma(1 + 1 / shape)
    variation = np.sqrt(gamma(1 + 2 / shape) / mean**2 - 1)
    exact = exact_maximum(stats.weibull_min(shape, scale=1 / mean), count)
    assert float(stragglers.straggler_weibull_ratio(count, variation_fraction=variation)) == pytest.approx(
        exact, rel=1e-3
    )


@given(few=nodes, more=st.integers(1, 5000), variation=st.floats(0.01, 1.0))
def test_the_slowest_of_more_writers_is_slower(few: int, more: int, variation: float) -> None:
    """Stragglers grow with writers, and the 99th percentile is above the mean of the slowest."""
    small, large = (
        float(stragglers.straggler_ratio(count, variation_fraction=variation)) for count in (few, few + more)
    )
    assert 1.0 - 1e-3 <= small < large
    tail = float(stragglers.straggler_quantile_ratio(few, variation_fraction=variation))
    assert tail > small


def test_percentile_of_the_slowest_against_its_definition() -> None:
    """Of 64 writers, the slowest stays below it in 99 % of saves."""
    limit = float(stragglers.straggler_quantile_ratio(64, variation_fraction=0.3))
    _, law = LAWS["lognormal"]
    assert float(law(0.3).cdf(limit)) ** 64 == pytest.approx(0.99, abs=1e-9)


@given(count=nodes, slow=st.floats(1e-9, 0.5))
def test_slow_writers_are_likelier_among_more(count: int, slow: float) -> None:
    """One writer is slow with its own probability; no more than the sum with many."""
    assert float(stragglers.slow_writer_fraction(1, slow_fraction=slow)) == pytest.approx(slow)
    some = float(stragglers.slow_writer_fraction(count, slow_fraction=slow))
    assert slow * (1 - 1e-9) <= some <= min(1.0, count * slow * (1 + 1e-9))


@given(caps=st.lists(st.floats(0.0, 1e3), min_size=1, max_size=12), pipe=st.floats(0.1, 1e4))
def test_fair_shares_use_the_pipe_and_nobody_could_gain(caps: list[float], pipe: float) -> None:
    """All is given that can be used; a flow that wants more gets at least what any other gets."""
    shares = np.asarray(burst.max_min_allocation(np.array(caps), pipe_bytes_per_s=pipe))
    assert float(shares.sum()) == pytest.approx(min(pipe, sum(caps)), rel=1e-9, abs=1e-9)
    assert (shares <= np.array(caps)).all()
    hungry = shares[shares < np.array(caps)]
    if hungry.size:
        assert hungry.min() >= shares.max() * (1 - 1e-9)


def test_fair_shares_of_several_designs_at_once() -> None:
    """Rows are designs, columns are flows."""
    caps = np.array([[2.0, 8.0, 10.0, 100.0], [5.0, 5.0, 5.0, 5.0], [1.0, 2.0, 3.0, 4.0]])
    shares = burst.max_min_allocation(caps, pipe_bytes_per_s=np.array([30.0, 12.0, 100.0]))
    assert shares.tolist() == [[2.0, 8.0, 10.0, 10.0], [3.0, 3.0, 3.0, 3.0], [1.0, 2.0, 3.0, 4.0]]


@given(reads=st.floats(0.0, 5e10), writers=st.integers(1, 50), readers=st.integers(1, 50))
def test_a_save_beside_reads_agrees_with_fair_shares(reads: float, writers: int, readers: int) -> None:
    """The closed form is max-min fairness between equal writers and equal readers."""
    pipe = 28e9
    closed = degraded.fair_write_bytes_per_s(
        pipe - reads, alone_bytes_per_s=pipe, writer_count=writers, reader_count=readers
    )
    flows = np.array([pipe] * writers + [reads / readers] * readers)
    shares = np.asarray(burst.max_min_allocation(flows, pipe_bytes_per_s=pipe))
    assert float(closed) == pytest.approx(shares[:writers].sum(), rel=1e-9)


def test_an_array_busy_with_reads_writes_next_to_nothing() -> None:
    """Reads at the rating leave a thousandth, never a negative rate."""
    left = tier_rates.flash_beside_reads_bytes_per_s(
        28e9, read_bytes_per_s=np.array([0.0, 30e9, 60e9, 90e9]), tier_read_bytes_per_s=60e9
    )
    assert left.tolist() == [28e9, 14e9, 28e6, 28e6]


def test_prefetch_is_never_negative() -> None:
    """Readers that get what they want need none."""
    assert float(burst.prefetch_bytes(10.0, wanted_bytes_per_s=5e9, given_bytes_per_s=7e9)) == 0.0


def test_drain_slack_is_added() -> None:
    """Published: 5.67 TB every 10 minutes need 9.45 GB/s; a fifth more to catch up."""
    assert float(burst.drain_bytes_per_s(5.67e12, interval_s=600.0)) == pytest.approx(9.45e9)
    slack = burst.drain_bytes_per_s(5.67e12, interval_s=600.0, slack_fraction=0.2)
    assert float(slack) == pytest.approx(11.34e9)


def test_what_is_left_after_losses() -> None:
    """A share for each path lost, and nothing when all are."""
    paths = burst.path_loss_bytes_per_s(8e9, path_count=4, lost_count=np.array([0.0, 1.0, 4.0, 5.0]))
    assert paths.tolist() == [8e9, 6e9, 0.0, 0.0]
