"""Queues: special cases of one another, published values, and what happens at full load."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.sizing import queueing

loads = st.floats(0.01, 0.99)


@given(load=loads)
def test_the_general_law_holds_the_special_ones(load: float) -> None:
    """Random sizes, one size, and one channel."""
    random = float(queueing.mm1_mean_ratio(load))
    fixed = float(queueing.md1_mean_ratio(load))
    assert float(queueing.mg1_mean_ratio(load, service_variation_ratio=1.0)) == pytest.approx(random)
    assert float(queueing.mg1_mean_ratio(load, service_variation_ratio=0.0)) == pytest.approx(fixed)
    assert float(queueing.mmc_mean_ratio(load, channel_count=1)) == pytest.approx(random)
    assert fixed < random


@given(load=loads, channels=st.integers(1, 200))
def test_parallel_channels_against_the_recursion(load: float, channels: int) -> None:
    """Erlang B by its recursion, channel by channel."""
    offered, blocked = load * channels, 1.0
    for channel in range(1, channels + 1):
        blocked = offered * blocked / (channel + offered * blocked)
    waits = blocked / (1 - load * (1 - blocked))
    mean = queueing.mmc_mean_ratio(load, channel_count=channels)
    assert float(mean) == pytest.approx(1 + waits / (channels * (1 - load)), rel=1e-9)


def simulated_percentile(load: float, sizes: np.ndarray, seed: int) -> float:
    """99th percentile of the response of a single queue, by Lindley's recursion as a running maximum."""
    arrivals = np.random.default_rng(seed).exponential(1 / load, sizes.size)
    steps = np.concatenate(([0.0], sizes[:-1] - arrivals[1:]))
    walk = np.cumsum(steps)
    waits = walk - np.minimum.accumulate(walk)
    return float(np.percentile((waits + sizes)[1000:], 99))


def test_percentiles_against_a_simulation() -> None:
    """A million requests at 70 % load, of one size and of random sizes."""
    count = 1_000_000
    fixed = simulated_percentile(0.7, np.ones(count), seed=1)
    assert float(queueing.md1_quantile_ratio(0.7)) == pytest.approx(fixed, rel=0.02)
    sizes = np.random.default_rng(2).exponential(1.0, count)
    random = simulated_percentile(0.7, sizes, seed=3)
    assert float(queueing.mm1_quantile_ratio(0.7)) == pytest.approx(random, rel=0.03)


@given(load=st.floats(0.2, 0.98), more=st.floats(1.001, 1.02))
def test_responses_grow_with_load(load: float, more: float) -> None:
    """Every law."""
    for law in (
        queueing.mm1_mean_ratio,
        queueing.md1_mean_ratio,
        queueing.mm1_quantile_ratio,
        queueing.md1_quantile_ratio,
        lambda rho: queueing.mg1_mean_ratio(rho, service_variation_ratio=2.0, arrival_variation_ratio=3.0),
        lambda rho: queueing.mmc_mean_ratio(rho, channel_count=8),
    ):
        assert 1.0 <= float(law(load)) < float(law(load * more))


def test_full_load_is_unlimited() -> None:
    """At and above full load nothing answers in time; below it all is finite."""
    load = np.array([0.5, 0.999999, 1.0, 1.3])
    for response in (
        queueing.mm1_mean_ratio(load),
        queueing.md1_mean_ratio(load),
        queueing.mm1_quantile_ratio(load),
        queueing.md1_quantile_ratio(load),
        queueing.mg1_mean_ratio(load, service_variation_ratio=1.0),
        queueing.mmc_mean_ratio(load, channel_count=4),
    ):
        assert np.isinf(response).tolist() == [False, False, True, True]


@given(ratio=st.floats(5.0, 1000.0))
def test_the_allowed_load_just_meets_its_percentile(ratio: float) -> None:
    """Inverse of the M/M/1 percentile."""
    load = queueing.mm1_load_fraction(ratio)
    assert float(queueing.mm1_quantile_ratio(load)) == pytest.approx(ratio)


def test_a_percentile_below_that_of_an_idle_queue_allows_no_load() -> None:
    """An idle M/M/1 already has ln(100) = 4.6 service times."""
    assert float(queueing.mm1_load_fraction(4.6)) == 0.0


@given(rate=st.floats(1e8, 1e12), latency=st.floats(1e-6, 1e-2), size=st.floats(4096, 1e8))
def test_little_both_ways(rate: float, latency: float, size: float) -> None:
    """Requests for a bandwidth give that bandwidth."""
    count = queueing.little_outstanding_count(rate, latency_s=latency, io_bytes=size)
    assert float(queueing.little_bytes_per_s(count, latency_s=latency, io_bytes=size)) == pytest.approx(rate)
