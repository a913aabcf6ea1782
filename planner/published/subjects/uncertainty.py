"""The same formulas on the corners of ranges and on samples, with the seed that the case states."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from planner.core.units import Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.published.subjects.cadence import interruption_s
from planner.sizing import burst, cadence, checkpoint, cost, failure_rates, lost_time

Samples = NDArray[np.float64]
PERCENTILES = (10, 50, 90)
LOG_UNIFORM = {"node failures": "per day", "bandwidth": "bytes/s"}
"""Inputs that are drawn evenly in their logarithm between a low and a high value, with their units."""
TRIANGULAR = {"checkpoint": "bytes", "restart": "s", "GPU price": "USD/h", "jitter": "1"}
"""Inputs that are drawn from a triangle of low, likeliest and high value, with their units."""
DRAWN = (*LOG_UNIFORM, *TRIANGULAR)


@by(lost_time.stall_share_fraction)
def working_share_by_corners(case: Case) -> Result:
    """Tight range of the share that works: monotone, so that the corners are enough."""
    work, stall = np.meshgrid(case.several("work", "s"), case.several("stall", "s"))
    share = 1.0 - lost_time.stall_share_fraction(stall, interval_s=work + stall)
    return [float(np.min(share)), float(np.max(share))]


@by(cost.tier_usd)
def sampled_media_cost(case: Case) -> Result:
    """Percentiles of the price of tiers whose prices are independent and uniform."""
    rng = np.random.default_rng(int(case.read("seed")))
    count = int(case.read("samples"))
    total: Number = 0.0
    for size, low, high in zip(
        case.several("capacity", "bytes"),
        case.several("low price", "USD/TB"),
        case.several("high price", "USD/TB"),
        strict=True,
    ):
        total = total + cost.tier_usd(size, price_usd_per_tb=rng.uniform(low, high, count))
    percentiles: list[float] = np.percentile(total, PERCENTILES).tolist()
    return percentiles


def _drawn(case: Case, unit: Mapping[str, Samples]) -> dict[str, Samples]:
    """The inputs of the lost-GPU model from numbers in (0, 1), one array an input."""
    drawn: dict[str, Samples] = {}
    for name, scale in LOG_UNIFORM.items():
        low, high = case.several(name, scale)
        drawn[name] = low * (high / low) ** unit[name]
    for name, scale in TRIANGULAR.items():
        low, mode, high = case.several(name, scale)
        drawn[name] = _triangular(unit[name], low=low, mode=mode, high=high)
    return drawn


def _triangular(share: Samples, *, low: float, mode: float, high: float) -> Samples:
    """Quantiles of a triangle."""
    width = high - low
    rising = low + np.sqrt(share * width * (mode - low))
    falling = high - np.sqrt((1.0 - share) * width * (high - mode))
    quantiles: Samples = np.where(share * width < mode - low, rising, falling)
    return quantiles


def _lost_usd(case: Case, sample: Samples) -> Number:
    """Yearly cost of lost GPU time at each point of a sample, one row an input."""
    drawn = _drawn(case, dict(zip(DRAWN, sample, strict=True)))
    save = checkpoint.write_s(drawn["checkpoint"], bandwidth_bytes_per_s=drawn["bandwidth"])
    good = cadence.goodput_fraction(
        case.read("work", "s"),
        stall_s=burst.stretched_s(save, jitter_ratio=drawn["jitter"]),
        interruption_s=interruption_s(case, drawn["node failures"]),
        restart_s=drawn["restart"],
    )
    gpus = case.read("nodes") * case.read("GPUs of a node")
    return lost_time.lost_usd_per_year(good, gpu_count=gpus, usd_per_hour=drawn["GPU price"])


_LOST_USD = (
    lost_time.lost_usd_per_year,
    cadence.goodput_fraction,
    failure_rates.mean_time_to_interruption_s,
    failure_rates.failures_per_1000_gpu_days,
    checkpoint.write_s,
    burst.stretched_s,
)


@by(*_LOST_USD)
def sampled_lost_cost(case: Case) -> Result:
    """Percentiles of the yearly cost of lost GPU time."""
    rng = np.random.default_rng(int(case.read("seed")))
    costs = _lost_usd(case, rng.random((len(DRAWN), int(case.read("samples")))))
    percentiles: list[float] = np.percentile(costs, PERCENTILES).tolist()
    return percentiles


@by(*_LOST_USD, unit="fraction")
def bandwidth_share_of_variance(case: Case) -> Result:
    """Total Sobol index of the bandwidth in the yearly cost of lost GPU time."""
    # Half a second that no other case needs.
    from scipy import stats  # type: ignore[import-untyped]  # noqa: PLC0415

    indices = stats.sobol_indices(
        func=lambda sample: np.atleast_2d(_lost_usd(case, sample)),
        n=int(case.read("samples")),
        dists=[stats.uniform()] * len(DRAWN),
        rng=np.random.default_rng(int(case.read("seed"))),
    )
    share: Number = np.ravel(indices.total_order)[DRAWN.index("bandwidth")]
    return share
