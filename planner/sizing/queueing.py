"""Queueing: how response times grow with utilisation, and what concurrency a bandwidth needs.

Response times are given over the service time. At a utilisation of 1 or more they are unlimited.
During a synchronous save utilisation is 1 by design: these laws speak of sustained load.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, lambertw, pdtr  # type: ignore[import-untyped]

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_Q1 = "M/M/1 queue; reliability models, Q1"
_Q2 = "M/D/1 queue; reliability models, Q2"
_Q3 = "Pollaczek-Khinchine, Kingman; reliability models, Q3"
_Q4 = "Erlang C; reliability models, Q4"
_Q5 = "Little's law; reliability models, Q5"
_RULE = "reliability models, Q, 'The 80 % rule'"
_LEAST_IDLE = 1e-12
"""Idle share of a server at full load, so that its queue is very long and not undefined."""


def _stable(utilisation: Number) -> Number:
    """Utilisation kept below one, so that the laws can be evaluated everywhere."""
    kept: Number = elementwise.minimum(utilisation, 1.0 - _LEAST_IDLE)
    return kept


def _or_unlimited(utilisation: Number, response: Number) -> Number:
    limited: Number = elementwise.where(utilisation < 1.0, response, np.inf)
    return limited


@formula(
    r"\frac{1}{1 - \rho}",
    unit="1",
    label="Mean response, M/M/1",
    source=_Q1,
    symbols={"utilisation_fraction": r"\rho"},
)
def mm1_mean_ratio(utilisation_fraction: Number) -> Number:
    """Mean response over service time with random sizes of requests.

    Args:
        utilisation_fraction: Load over capacity.

    Example:
        >>> round(float(mm1_mean_ratio(0.8)), 6)
        5.0
    """
    return _or_unlimited(utilisation_fraction, 1.0 / (1.0 - _stable(utilisation_fraction)))


@formula(
    r"\frac{-\ln(1 - p)}{1 - \rho}",
    unit="1",
    label="Response percentile, M/M/1",
    source=_Q1,
    symbols={"utilisation_fraction": r"\rho", "quantile_fraction": "p"},
)
def mm1_quantile_ratio(utilisation_fraction: Number, *, quantile_fraction: Number = 0.99) -> Number:
    """Percentile of the response over service time with random sizes of requests.

    Args:
        utilisation_fraction: Load over capacity.
        quantile_fraction: Share of requests that are faster, in (0, 1).

    Example:
        >>> round(float(mm1_quantile_ratio(0.8)), 2)
        23.03
    """
    response = -np.log1p(-quantile_fraction) / (1.0 - _stable(utilisation_fraction))
    return _or_unlimited(utilisation_fraction, response)


@formula(
    r"1 + \frac{\rho}{2(1 - \rho)}",
    unit="1",
    label="Mean response, M/D/1",
    source=_Q2,
    symbols={"utilisation_fraction": r"\rho"},
)
def md1_mean_ratio(utilisation_fraction: Number) -> Number:
    """Mean response over service time with requests of one size.

    Args:
        utilisation_fraction: Load over capacity.

    Example:
        >>> round(float(md1_mean_ratio(0.8)), 6)
        3.0
    """
    load = _stable(utilisation_fraction)
    return _or_unlimited(utilisation_fraction, 1.0 + load / (2.0 * (1.0 - load)))


@formula(
    r"1 + \frac{1}{\theta}\ln\frac{1 - \rho}{(1 - p)(\rho\,e^\theta - 1)},\quad"
    r" \theta = -\rho - W_{-1}(-\rho\,e^{-\rho})",
    unit="1",
    label="Response percentile, M/D/1",
    source=_Q2,
    symbols={"utilisation_fraction": r"\rho", "quantile_fraction": "p"},
    validity="tail of the waiting time: load from about 0.2 at the 99th percentile",
)
def md1_quantile_ratio(utilisation_fraction: Number, *, quantile_fraction: Number = 0.99) -> Number:
    """Percentile of the response over service time with requests of one size.

    The exact series loses all digits in floating point above half load; its leading term does not
    and is within 0.1 % there.

    Args:
        utilisation_fraction: Load over capacity, above zero.
        quantile_fraction: Share of requests that are faster, in (0, 1).

    Example:
        >>> round(float(md1_quantile_ratio(0.8)), 2)
        11.36
    """
    # so near to full load that the root theta = 2 (1 - rho) would drown in rounding
    load = elementwise.minimum(utilisation_fraction, 1.0 - 1e-6)
    decay = -load - lambertw(-load * np.exp(-load), -1).real
    weight = (1.0 - load) / (load * np.expm1(decay) + load - 1.0)
    wait = np.log(weight / (1.0 - quantile_fraction)) / decay
    return _or_unlimited(utilisation_fraction, 1.0 + elementwise.maximum(wait, 0.0))


@formula(
    r"1 + \frac{\rho\,(c_a^2 + c_s^2)}{2(1 - \rho)}",
    unit="1",
    label="Mean response, general",
    source=_Q3,
    symbols={
        "utilisation_fraction": r"\rho",
        "service_variation_ratio": "c_s",
        "arrival_variation_ratio": "c_a",
    },
    validity="exact for random arrivals (1), an approximation for others",
)
def mg1_mean_ratio(
    utilisation_fraction: Number, *, service_variation_ratio: Number, arrival_variation_ratio: Number = 1.0
) -> Number:
    """Mean response over service time with any sizes of requests; arrivals in step count as far above 1.

    Args:
        utilisation_fraction: Load over capacity.
        service_variation_ratio: Standard deviation over mean of the service time.
        arrival_variation_ratio: Standard deviation over mean of the time between arrivals.

    Example:
        >>> round(float(mg1_mean_ratio(0.5, service_variation_ratio=2.0)), 6)
        3.5
    """
    load = _stable(utilisation_fraction)
    spread = np.square(service_variation_ratio) + np.square(arrival_variation_ratio)
    return _or_unlimited(utilisation_fraction, 1.0 + load * spread / (2.0 * (1.0 - load)))


@formula(
    r"1 + \frac{E_c}{c\,(1 - \rho)},\quad E_c = \frac{b}{1 - \rho(1 - b)},\quad"
    r" b = \frac{(c\rho)^c / c!}{\sum_{k=0}^{c} (c\rho)^k / k!}",
    unit="1",
    label="Mean response of parallel channels",
    source=_Q4,
    symbols={"utilisation_fraction": r"\rho", "channel_count": "c"},
)
def mmc_mean_ratio(utilisation_fraction: Number, *, channel_count: Number) -> Number:
    """Mean response over service time when several drives or channels share one queue.

    Args:
        utilisation_fraction: Load over the capacity of all channels, above zero.
        channel_count: Channels, at least 1.

    Example:
        >>> round(float(mmc_mean_ratio(0.8, channel_count=4)), 2)
        1.75
    """
    load = _stable(utilisation_fraction)
    offered = channel_count * load
    all_busy = np.exp(channel_count * np.log(offered) - offered - gammaln(channel_count + 1.0))
    blocked = all_busy / pdtr(channel_count, offered)
    waits = blocked / (1.0 - load * (1.0 - blocked))
    return _or_unlimited(utilisation_fraction, 1.0 + waits / (channel_count * (1.0 - load)))


@formula(
    r"\rho_\max = \max\!\left(1 + \frac{\ln(1 - p)}{x},\,0\right)",
    unit="fraction",
    label="Load that a percentile allows",
    source=_RULE,
    symbols={"response_ratio": "x", "quantile_fraction": "p"},
    validity="M/M/1",
)
def mm1_load_fraction(response_ratio: Number, *, quantile_fraction: Number = 0.99) -> Number:
    """Largest sustained load at which a percentile of the response stays within a multiple of the service.

    Args:
        response_ratio: Response allowed over the service time.
        quantile_fraction: Share of requests that must be faster, in (0, 1).

    Example:
        >>> round(float(mm1_load_fraction(10.0)), 2)
        0.54
    """
    load: Number = elementwise.maximum(1.0 + np.log1p(-quantile_fraction) / response_ratio, 0.0)
    return load


@formula(
    r"n = \frac{B\,t}{s}",
    unit="count",
    label="Requests outstanding",
    source=_Q5,
    symbols={"bandwidth_bytes_per_s": "B", "latency_s": "t", "io_bytes": "s"},
)
def little_outstanding_count(bandwidth_bytes_per_s: Number, *, latency_s: Number, io_bytes: Number) -> Number:
    """Requests that must be under way at once to reach a bandwidth.

    Args:
        bandwidth_bytes_per_s: Bandwidth wanted.
        latency_s: Time of one request.
        io_bytes: Size of one request.

    Example:
        >>> round(float(little_outstanding_count(28e9, latency_s=100e-6, io_bytes=2.0**20)), 2)
        2.67
    """
    return bandwidth_bytes_per_s * latency_s / io_bytes


@formula(
    r"B = \frac{n\,s}{t}",
    unit="bytes/s",
    label="Bandwidth of a queue depth",
    source=_Q5,
    symbols={"outstanding_count": "n", "latency_s": "t", "io_bytes": "s"},
)
def little_bytes_per_s(outstanding_count: Number, *, latency_s: Number, io_bytes: Number) -> Number:
    """Bandwidth that a number of requests under way can reach at most.

    Args:
        outstanding_count: Requests under way at once.
        latency_s: Time of one request.
        io_bytes: Size of one request.

    Example:
        >>> round(float(little_bytes_per_s(1, latency_s=300e-6, io_bytes=2.0**20)) / 1e9, 2)
        3.5
    """
    return outstanding_count * io_bytes / latency_s
