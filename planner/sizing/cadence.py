"""How often to save: the best interval, what two levels ask for, and the goodput that is left.

Failures are independent and exponential; a restart may itself be interrupted. With failures that
cluster or wear out (Weibull shape 0.6 to 1.5) goodput moves by less than 0.7 points, so the simpler
law is kept. All formulas hold for a failure rate above zero.
"""

from __future__ import annotations

import numpy as np
from scipy.special import lambertw  # type: ignore[import-untyped]

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_C1 = "Daly, FGCS 22 (2006); reliability models, C1"
_C4 = "reliability models, C3 and C4: renewal argument, checked by simulation"
_C9 = "Benoit et al., IEEE TC 66 (2017); reliability models, C9"
_ALL_RESTARTS = 100.0
"""Restart over mean time to interruption from which nothing but restarts happens: no budget is as large."""
_SERIES_BELOW = 0.05
"""Below this the Lambert function loses digits near its branch point and its series is exact to 1e-11."""


@formula(
    r"\tau = \sqrt{2\,\delta\,M}",
    unit="s",
    label="Interval by Young",
    source="Young, CACM 17 (1974)",
    symbols={"stall_s": r"\delta", "interruption_s": "M"},
    validity="stall much shorter than M",
)
def young_interval_s(stall_s: Number, *, interruption_s: Number) -> Number:
    """Best time between saves, to first order.

    Args:
        stall_s: Time that training stands still for a save.
        interruption_s: Mean time to interruption.

    Example:
        >>> float(young_interval_s(50.0, interruption_s=10_000.0))
        1000.0
    """
    interval: Number = np.sqrt(2.0 * stall_s * interruption_s)
    return interval


@formula(
    r"\tau = \sqrt{2\delta M}\left[1 + \tfrac13\sqrt{\tfrac{\delta}{2M}} + \tfrac19\tfrac{\delta}{2M}\right]"
    r" - \delta;\quad \tau = M \text{ if } \delta \ge 2M",
    unit="s",
    label="Best work by Daly",
    source=_C1,
    symbols={"stall_s": r"\delta", "interruption_s": "M"},
)
def daly_interval_s(stall_s: Number, *, interruption_s: Number) -> Number:
    """Best work between saves by Daly's higher-order form; the save itself is not in it.

    Args:
        stall_s: Time that training stands still for a save.
        interruption_s: Mean time to interruption.

    Example:
        >>> round(float(daly_interval_s(5.0, interruption_s=360.0)))
        57
    """
    half = stall_s / (2.0 * interruption_s)
    root = np.sqrt(half)
    work = 2.0 * interruption_s * root * (1.0 + root / 3.0 + half / 9.0) - stall_s
    chosen: Number = elementwise.where(half < 1.0, work, interruption_s)
    return chosen


@formula(
    r"\tau^* = M\left(1 + W_0\!\left(-e^{-1-\delta/M}\right)\right)",
    unit="s",
    label="Best work between saves",
    source="stationary point of the goodput formula; reliability models, C1",
    symbols={"stall_s": r"\delta", "interruption_s": "M"},
)
def optimal_work_s(stall_s: Number, *, interruption_s: Number) -> Number:
    """Work between two saves at which goodput is highest, exact for exponential failures.

    Restart, down time and drain do not move it: they scale goodput. The interval from start to start
    is this plus the stall.

    Args:
        stall_s: Time that training stands still for a save, synchronous or not.
        interruption_s: Mean time to interruption.

    Example:
        >>> round(float(optimal_work_s(20.0, interruption_s=712_777.0)))
        5326
    """
    ratio = stall_s / interruption_s
    root = np.sqrt(-2.0 * np.expm1(-ratio))

    def series() -> Number:
        """Work over interruption by the series around 0, where the direct form would lose its digits."""
        part: Number = 1 / 3 - root * (11 / 72 - root * (43 / 540 - root * (769 / 17280 - root * 221 / 8505)))
        return root * (1 - root * part)

    def direct() -> Number:
        """Work over interruption by Lambert's function."""
        value: Number = 1.0 + lambertw(-np.exp(-1.0 - ratio)).real
        return value

    work: Number = interruption_s * elementwise.either(root < _SERIES_BELOW, series, direct)
    return work


@formula(
    r"\delta = M\,(-\ln(1 - y) - y),\quad y = \max\!\left(1 - (1 - w)\,e^{R/M},\,0\right)",
    unit="s",
    label="Longest stall inside the waste budget",
    source="goodput formula at its best interval, solved for the stall; reliability models, C6",
    symbols={"waste_fraction": "w", "interruption_s": "M", "restart_s": "R"},
)
def affordable_stall_s(waste_fraction: Number, *, interruption_s: Number, restart_s: Number = 0.0) -> Number:
    """Longest stall that keeps stalls, lost work and restarts inside a budget, at the best interval.

    At the best interval goodput is (1 - y) e^(-R/M) with y = work / M, which makes the solution exact.
    Zero where restarts alone use the budget up.

    Args:
        waste_fraction: Share of time that may be lost, in (0, 1).
        interruption_s: Mean time to interruption.
        restart_s: Restart after a failure, if the budget is to cover it.

    Example:
        >>> round(float(affordable_stall_s(0.10, interruption_s=11_134.9, restart_s=300.0)), 1)
        33.4
    """
    restarts = np.exp(elementwise.minimum(restart_s / interruption_s, _ALL_RESTARTS))
    share = elementwise.maximum(1.0 - (1.0 - waste_fraction) * restarts, 0.0)
    stall: Number = interruption_s * (-np.log1p(-share) - share)
    return stall


@formula(
    r"\tau_1 = \sqrt{2\,s_1 M / p}",
    unit="s",
    label="Interval of the fast level",
    source=_C9,
    symbols={"fast_stall_s": "s_1", "interruption_s": "M", "fast_fraction": "p"},
)
def fast_level_interval_s(fast_stall_s: Number, *, interruption_s: Number, fast_fraction: Number) -> Number:
    """Interval of saves to a fast level (own or peer memory, local drive) that mends part of the failures.

    Args:
        fast_stall_s: Stall of a save to the fast level.
        interruption_s: Mean time to interruption.
        fast_fraction: Share of the failures after which the fast level can be read, in (0, 1).

    Example:
        >>> round(float(fast_level_interval_s(2.0, interruption_s=11_137.0, fast_fraction=0.8)))
        236
    """
    interval: Number = np.sqrt(2.0 * fast_stall_s * interruption_s / fast_fraction)
    return interval


@formula(
    r"\tau_2 = \sqrt{2\,(s_2 - s_1)\,M / (1 - p)}",
    unit="s",
    label="Interval of the shared level",
    source=_C9,
    symbols={"shared_stall_s": "s_2", "fast_stall_s": "s_1", "interruption_s": "M", "fast_fraction": "p"},
    validity="shared stall not below the fast one",
)
def shared_level_interval_s(
    shared_stall_s: Number, *, fast_stall_s: Number, interruption_s: Number, fast_fraction: Number
) -> Number:
    """Interval of saves to shared storage beside a fast level.

    Args:
        shared_stall_s: Stall of a save that goes to shared storage.
        fast_stall_s: Stall of a save to the fast level.
        interruption_s: Mean time to interruption.
        fast_fraction: Share of the failures that the fast level mends, in (0, 1).

    Example:
        >>> levels = {"fast_stall_s": 2.0, "interruption_s": 10_000.0, "fast_fraction": 0.8}
        >>> round(float(shared_level_interval_s(12.0, **levels)))
        1000
    """
    interval: Number = np.sqrt(2.0 * (shared_stall_s - fast_stall_s) * interruption_s / (1.0 - fast_fraction))
    return interval


@formula(
    r"t = s / w",
    unit="s",
    label="Shortest interval inside the waste budget",
    source="definition of the waste budget, solved for the interval",
    symbols={"stall_s": "s", "waste_budget_fraction": "w"},
    validity="budget above zero",
)
def budget_interval_s(stall_s: Number, *, waste_budget_fraction: Number) -> Number:
    """Shortest time from save to save at which stalls take no more than their share of the time.

    Args:
        stall_s: Time that training stands still for a save.
        waste_budget_fraction: Share of the time that may be spent on saves, above zero.

    Example:
        >>> float(budget_interval_s(36.0, waste_budget_fraction=0.02))
        1800.0
    """
    return stall_s / waste_budget_fraction


@formula(
    r"G = \frac{\tau\,e^{-d/M}}{(M + D)\,e^{R/M}\left(e^{(\tau + s)/M} - 1\right)}",
    unit="fraction",
    label="Goodput",
    source=_C4,
    symbols={
        "work_s": r"\tau",
        "stall_s": "s",
        "interruption_s": "M",
        "restart_s": "R",
        "drain_s": "d",
        "down_s": "D",
    },
    validity="drain no longer than work plus stall",
)
def goodput_fraction(
    work_s: Number,
    *,
    stall_s: Number,
    interruption_s: Number,
    restart_s: Number,
    drain_s: Number = 0.0,
    down_s: Number = 0.0,
) -> Number:
    """Share of wall time that ends up as kept training work, exact for exponential failures.

    A synchronous save is durable when its stall ends (drain 0); an asynchronous one a drain later.
    Valid while the drain is no longer than work plus stall: else saves queue up.

    Args:
        work_s: Work between saves, above zero: interval minus stall.
        stall_s: Time that training stands still for a save.
        interruption_s: Mean time to interruption.
        restart_s: Detect, reschedule, initialise and load; may itself be interrupted.
        drain_s: Time from the end of the stall until the save is durable.
        down_s: Time after a failure in which no further failure can strike.

    Example:
        >>> round(float(goodput_fraction(1800.0, stall_s=20.0, interruption_s=712_777.0, restart_s=600.0)), 6)
        0.986918
    """
    segment = (work_s + stall_s) / interruption_s
    # written with negative exponents: a segment of many M gives 0, not an overflow
    kept = np.exp(-segment - (drain_s + restart_s) / interruption_s)
    goodput: Number = work_s * kept / (-np.expm1(-segment) * (interruption_s + down_s))
    return goodput


@formula(
    r"\tau = \max(t - \delta,\ 0)",
    unit="s",
    label="Work between saves",
    source="rules of the calculation, 'Interval'",
    symbols={"interval_s": "t", "stall_s": r"\delta"},
)
def work_s(interval_s: Number, *, stall_s: Number) -> Number:
    """Useful work between two saves, from the wall time between their starts.

    Args:
        interval_s: From the start of one save to the start of the next.
        stall_s: Time that training stands still for one; beyond the interval no work is left.

    Example:
        >>> float(work_s(1800.0, stall_s=20.0))
        1780.0
    """
    return elementwise.maximum(interval_s - stall_s, 0.0)


@formula(
    r"T = \max(t,\ \delta)",
    unit="s",
    label="Time from save to save",
    source="rules of the calculation, 'Interval'",
    symbols={"interval_s": "t", "stall_s": r"\delta"},
)
def wall_period_s(interval_s: Number, *, stall_s: Number) -> Number:
    """Wall time from the start of one save to the next that can begin: never less than the stall.

    Args:
        interval_s: Interval as planned.
        stall_s: Time that training stands still for a save.

    Example:
        >>> float(wall_period_s(1800.0, stall_s=20.0)), float(wall_period_s(10.0, stall_s=20.0))
        (1800.0, 20.0)
    """
    return elementwise.maximum(interval_s, stall_s)
