"""How long the slowest of many writers takes: jitter of their times, and the chance of a slow one."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, gammainccinv, gammaln, ndtri  # type: ignore[import-untyped]

from planner.core.formula import formula
from planner.core.units import Number

_B5 = "reliability models, B5"


def _barrier_nodes(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes -ln v and weights for the integral over v of a quantile of the maximum.

    With 1 - v = t^2 the logarithmic end of the integrand is smooth enough for Gauss-Legendre: 12
    nodes give the mean maximum to 0.03 % from 1 to 100,000 writers.
    """
    points, weights = np.polynomial.legendre.leggauss(count)
    t = (points + 1.0) / 2.0
    return -np.log1p(-(t**2)), weights * t


_MINUS_LOG_V, _WEIGHTS = _barrier_nodes(12)


def _exceedance(node_count: Number) -> NDArray[np.float64]:
    """Probability that one writer exceeds the v-quantile of the maximum, at each node: 1 - v^(1/N)."""
    exceedance: NDArray[np.float64] = -np.expm1(-_MINUS_LOG_V / np.asarray(node_count)[..., None])
    return exceedance


@formula(
    r"j = \int_0^1 F^{-1}\!\left(v^{1/N}\right)dv,\quad F \text{ lognormal, mean } 1,\ \mathrm{CV}",
    unit="1",
    label="Straggler factor",
    source=_B5,
    symbols={"node_count": "N", "variation_fraction": r"\mathrm{CV}"},
    validity="0.03 % for 1 to 100,000 writers and CV up to 1",
)
def straggler_ratio(node_count: Number, *, variation_fraction: Number) -> Number:
    """Expected time of the slowest of many writers over the mean one, with lognormal times.

    Args:
        node_count: Writers that must all finish, at least 1.
        variation_fraction: Standard deviation over mean of one writer's time, lasting for a whole save.

    Example:
        >>> round(float(straggler_ratio(32, variation_fraction=0.2)), 2)
        1.48
    """
    if node_count.__class__ is float and variation_fraction.__class__ is float:
        return _straggler_of_one(node_count, variation_fraction)
    return _straggler(node_count, variation_fraction)


def _straggler(node_count: Number, variation_fraction: Number) -> Number:
    variance = np.log1p(np.square(variation_fraction))
    spread = np.sqrt(variance)[..., None]
    times = np.exp(-spread * ndtri(_exceedance(node_count)))
    # A sum, not a product of matrices: one number and an array of them agree to the last bit.
    ratio: Number = np.exp(-variance / 2.0) * np.sum(times * _WEIGHTS, axis=-1)
    return ratio


@functools.lru_cache(maxsize=4096)
def _straggler_of_one(node_count: float, variation_fraction: float) -> float:
    """The same for one number of writers, kept: plans that vary something else ask for it again."""
    return float(_straggler(node_count, variation_fraction))


@formula(
    r"j = \int_0^1 F^{-1}\!\left(v^{1/N}\right)dv,\quad F \text{ gamma, mean } 1,\ \mathrm{CV}",
    unit="1",
    label="Straggler factor, gamma",
    source=_B5,
    symbols={"node_count": "N", "variation_fraction": r"\mathrm{CV}"},
    validity="0.1 % for 1 to 100,000 writers and CV up to 1",
)
def straggler_gamma_ratio(node_count: Number, *, variation_fraction: Number) -> Number:
    """Expected time of the slowest of many writers over the mean one, with gamma-distributed times.

    Args:
        node_count: Writers that must all finish, at least 1.
        variation_fraction: Standard deviation over mean of one writer's time, above zero.

    Example:
        >>> round(float(straggler_gamma_ratio(256, variation_fraction=0.2)), 2)
        1.66
    """
    shape = 1.0 / np.square(variation_fraction)
    ratio: Number = (gammainccinv(shape[..., None], _exceedance(node_count)) @ _WEIGHTS) / shape
    return ratio


def _weibull_inverse_shape(variation: Number) -> Number:
    """Inverse shape of the Weibull law with this coefficient of variation, by Newton's method.

    Four steps from the power-law estimate reach machine precision for variations of 0.01 to 2.
    """
    target = np.log1p(np.square(variation))
    inverse: Number = np.power(variation, 1.086)
    for _ in range(4):
        error = gammaln(1.0 + 2.0 * inverse) - 2.0 * gammaln(1.0 + inverse) - target
        slope = 2.0 * (digamma(1.0 + 2.0 * inverse) - digamma(1.0 + inverse))
        inverse = inverse - error / slope
    return inverse


@formula(
    r"j = \int_0^1 F^{-1}\!\left(v^{1/N}\right)dv,\quad F \text{ Weibull, mean } 1,\ \mathrm{CV}",
    unit="1",
    label="Straggler factor, Weibull",
    source=_B5,
    symbols={"node_count": "N", "variation_fraction": r"\mathrm{CV}"},
    validity="0.1 % for 1 to 100,000 writers and CV up to 1",
)
def straggler_weibull_ratio(node_count: Number, *, variation_fraction: Number) -> Number:
    """Expected time of the slowest of many writers over the mean one, with Weibull-distributed times.

    Args:
        node_count: Writers that must all finish, at least 1.
        variation_fraction: Standard deviation over mean of one writer's time, above zero.

    Example:
        >>> round(float(straggler_weibull_ratio(256, variation_fraction=0.3)), 2)
        1.8
    """
    inverse = np.asarray(_weibull_inverse_shape(variation_fraction))
    times = np.power(-np.log(_exceedance(node_count)), inverse[..., None])
    ratio: Number = (times @ _WEIGHTS) / np.exp(gammaln(1.0 + inverse))
    return ratio


@formula(
    r"j_p = F^{-1}\!\left(p^{1/N}\right),\quad F \text{ lognormal, mean } 1,\ \mathrm{CV}",
    unit="1",
    label="Straggler factor, percentile",
    source=_B5,
    symbols={"node_count": "N", "variation_fraction": r"\mathrm{CV}", "quantile_fraction": "p"},
)
def straggler_quantile_ratio(
    node_count: Number, *, variation_fraction: Number, quantile_fraction: Number = 0.99
) -> Number:
    """Time of the slowest of many writers that a share of saves stays below, with lognormal times.

    Args:
        node_count: Writers that must all finish, at least 1.
        variation_fraction: Standard deviation over mean of one writer's time.
        quantile_fraction: Share of saves, in (0, 1).

    Example:
        >>> round(float(straggler_quantile_ratio(2048, variation_fraction=0.2)), 2)
        2.35
    """
    variance = np.log1p(np.square(variation_fraction))
    normal = -ndtri(-np.expm1(np.log(quantile_fraction) / node_count))
    ratio: Number = np.exp(-variance / 2.0 + np.sqrt(variance) * normal)
    return ratio


@formula(
    r"\mathrm{CV}_n = \mathrm{CV} / \sqrt{n}",
    unit="fraction",
    label="Jitter left after many blocks",
    source=_B5,
    symbols={"variation_fraction": r"\mathrm{CV}", "block_count": "n"},
)
def averaged_variation_fraction(variation_fraction: Number, *, block_count: Number) -> Number:
    """Variation of a shard's time when its blocks vary independently: short jitter averages out.

    Args:
        variation_fraction: Standard deviation over mean of one block's time.
        block_count: Blocks of a shard.

    Example:
        >>> float(averaged_variation_fraction(0.5, block_count=100))
        0.05
    """
    left: Number = variation_fraction / np.sqrt(block_count)
    return left


@formula(
    r"P = 1 - (1 - q)^N",
    unit="fraction",
    label="Saves that meet a slow writer",
    source=_B5,
    symbols={"node_count": "N", "slow_fraction": "q"},
)
def slow_writer_fraction(node_count: Number, *, slow_fraction: Number) -> Number:
    """Probability that at least one of many writers is slow, or degraded, at a given moment.

    Args:
        node_count: Writers.
        slow_fraction: Share of time that one writer is slow: rate times the time until it is found.

    Example:
        >>> round(float(slow_writer_fraction(2048, slow_fraction=1.2e-4)), 3)
        0.218
    """
    some: Number = -np.expm1(node_count * np.log1p(-slow_fraction))
    return some
