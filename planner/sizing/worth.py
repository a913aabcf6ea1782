"""What another cadence, a second level or a larger tier would give, and what that is worth."""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import GB, Number

_C8 = "reliability models, C8: marginal value of bandwidth"
_C9 = "reliability models, C9: two levels, after Benoit et al. 2017"


@formula(
    r"t' = t / f",
    unit="s",
    label="Time of a larger stage",
    source="a stage that is f times as wide takes the f-th part of the time",
    symbols={"stage_s": "t", "size_ratio": "f"},
)
def scaled_s(stage_s: Number, *, size_ratio: Number) -> Number:
    """Time of one stage of a save if there were more of what it runs on.

    Args:
        stage_s: Time that the stage takes alone.
        size_ratio: How many times as much there would be.

    Example:
        >>> float(scaled_s(12.0, size_ratio=2.0))
        6.0
    """
    return stage_s / size_ratio


@formula(
    r"G = 1 - \frac{s_1}{\tau_1} - \frac{s_2 - s_1}{\tau_2} - \frac{p\,\tau_1 + (1 - p)\,\tau_2}{2 M} - \frac{R}{M}",
    unit="fraction",
    label="Goodput of two-level saves",
    source=_C9,
    symbols={
        "fast_interval_s": r"\tau_1",
        "shared_interval_s": r"\tau_2",
        "fast_stall_s": "s_1",
        "shared_stall_s": "s_2",
        "interruption_s": "M",
        "restart_s": "R",
        "fast_fraction": "p",
    },
    validity="small waste: first order in every term; not below 0",
)
def two_level_goodput_fraction(
    fast_interval_s: Number,
    *,
    shared_interval_s: Number,
    fast_stall_s: Number,
    shared_stall_s: Number,
    interruption_s: Number,
    restart_s: Number,
    fast_fraction: Number,
) -> Number:
    """Goodput with frequent saves to a fast level and rarer ones to shared storage.

    Args:
        fast_interval_s: Time between saves to the fast level.
        shared_interval_s: Time between saves to shared storage.
        fast_stall_s: Stall of a save to the fast level.
        shared_stall_s: Stall of a save that goes to shared storage.
        interruption_s: Mean time to interruption.
        restart_s: Time from a failure until training goes on.
        fast_fraction: Share of the failures after which the fast level can be read.

    Example:
        >>> levels = {"fast_stall_s": 2.0, "shared_stall_s": 28.35, "interruption_s": 11_137.0}
        >>> at = {"fast_interval_s": 236.0, "shared_interval_s": 1713.0, "fast_fraction": 0.8}
        >>> round(float(two_level_goodput_fraction(restart_s=0.0, **at, **levels)), 4)
        0.9523
    """
    stalled = two_level_stall_fraction(
        fast_interval_s,
        shared_interval_s=shared_interval_s,
        fast_stall_s=fast_stall_s,
        shared_stall_s=shared_stall_s,
    )
    lost = fast_fraction * fast_interval_s + (1.0 - fast_fraction) * shared_interval_s
    left = 1.0 - stalled - lost / (2.0 * interruption_s) - restart_s / interruption_s
    return elementwise.maximum(left, 0.0)


@formula(
    r"w = \frac{s_1}{\tau_1} + \frac{s_2 - s_1}{\tau_2}",
    unit="fraction",
    label="Share of time in saves, two levels",
    source=_C9,
    symbols={
        "fast_interval_s": r"\tau_1",
        "shared_interval_s": r"\tau_2",
        "fast_stall_s": "s_1",
        "shared_stall_s": "s_2",
    },
)
def two_level_stall_fraction(
    fast_interval_s: Number, *, shared_interval_s: Number, fast_stall_s: Number, shared_stall_s: Number
) -> Number:
    """Share of time that training stands still for saves to both levels, while nothing fails.

    Args:
        fast_interval_s: Time between saves to the fast level.
        shared_interval_s: Time between saves to shared storage, each of which is a fast one as well.
        fast_stall_s: Stall of a save to the fast level.
        shared_stall_s: Stall of a save that goes to shared storage.

    Example:
        >>> levels = {"fast_stall_s": 2.0, "shared_stall_s": 20.0, "shared_interval_s": 1800.0}
        >>> round(float(two_level_stall_fraction(200.0, **levels)), 3)
        0.02
    """
    return fast_stall_s / fast_interval_s + (shared_stall_s - fast_stall_s) / shared_interval_s


@formula(
    r"w = 1 - w_r",
    unit="fraction",
    label="Time that is not restarts",
    source="definition",
    symbols={"restart_fraction": "w_r"},
)
def other_fraction(restart_fraction: Number) -> Number:
    """Share of time that is not spent on restarts.

    Args:
        restart_fraction: Share of the time that is lost to restarts.

    Example:
        >>> float(other_fraction(0.25))
        0.75
    """
    return 1.0 - restart_fraction


@formula(
    r"w_r = \min(R / M,\ 1 - G)",
    unit="fraction",
    label="Time lost to restarts",
    source=_C9,
    symbols={"restart_s": "R", "interruption_s": "M", "goodput_fraction": "G"},
    validity="first order, as the goodput of two levels is",
)
def two_level_restart_fraction(
    restart_s: Number, *, interruption_s: Number, goodput_fraction: Number
) -> Number:
    """Share of the time in restarts, as the law of two levels counts it.

    Args:
        restart_s: Detect, reschedule, initialise and load.
        interruption_s: Mean time to interruption.
        goodput_fraction: Goodput of the same saves: no more than the rest can be lost.

    Example:
        >>> float(two_level_restart_fraction(600.0, interruption_s=10_000.0, goodput_fraction=0.9))
        0.06
    """
    return elementwise.minimum(restart_s / interruption_s, 1.0 - goodput_fraction)


@formula(
    r"w_s = \min(\sigma,\ 1 - G - w_r)",
    unit="fraction",
    label="Time lost to stalls",
    source=_C9,
    symbols={"stall_fraction": r"\sigma", "goodput_fraction": "G", "restart_fraction": "w_r"},
)
def two_level_stalled_fraction(
    stall_fraction: Number, *, goodput_fraction: Number, restart_fraction: Number
) -> Number:
    """Share of the time that saves to two levels stand still; no more than what is lost beside restarts.

    Args:
        stall_fraction: Share of time in the stalls of both levels.
        goodput_fraction: Goodput of the same saves.
        restart_fraction: Share of the time that is lost to restarts.

    Example:
        >>> float(two_level_stalled_fraction(0.02, goodput_fraction=0.9, restart_fraction=0.03))
        0.02
    """
    return elementwise.minimum(stall_fraction, 1.0 - goodput_fraction - restart_fraction)


@formula(
    r"w_l = \max(1 - G - w_r - w_s,\ 0)",
    unit="fraction",
    label="Time lost to repeated work",
    source=_C9,
    symbols={"goodput_fraction": "G", "restart_fraction": "w_r", "stalled_fraction": "w_s"},
)
def two_level_lost_work_fraction(
    goodput_fraction: Number, *, restart_fraction: Number, stalled_fraction: Number
) -> Number:
    """What neither stalls nor restarts of saves to two levels explain: work done again.

    Args:
        goodput_fraction: Goodput of these saves.
        restart_fraction: Share of the time that is lost to restarts.
        stalled_fraction: Share of the time that is lost to stalls.

    Example:
        >>> round(float(two_level_lost_work_fraction(0.9, restart_fraction=0.03, stalled_fraction=0.02)), 9)
        0.05
    """
    return elementwise.maximum(1.0 - goodput_fraction - restart_fraction - stalled_fraction, 0.0)


@formula(
    r"E = (G_2 - G_1)\,V",
    unit="USD/year",
    label="Saved in a year",
    source="reliability models, T4",
    symbols={"new_goodput_fraction": "G_2", "goodput_fraction": "G_1", "job_usd_per_year": "V"},
)
def saved_usd_per_year(
    new_goodput_fraction: Number, *, goodput_fraction: Number, job_usd_per_year: Number
) -> Number:
    """GPU time that a better goodput saves in a year, in money; below 0 if it is worse.

    Args:
        new_goodput_fraction: Goodput of the alternative.
        goodput_fraction: Goodput today.
        job_usd_per_year: GPUs times price times the hours of a year.

    Example:
        >>> round(float(saved_usd_per_year(0.99, goodput_fraction=0.98, job_usd_per_year=1e6)))
        10000
    """
    return (new_goodput_fraction - goodput_fraction) * job_usd_per_year


@formula(
    r"k = \frac{K}{t}\,\frac{\Delta B}{B}",
    unit="USD/year",
    label="Price of one GB/s for a year",
    source=_C8,
    symbols={
        "capital_usd": "K",
        "term_years": "t",
        "bandwidth_bytes_per_s": "B",
        "step_bytes_per_s": r"\Delta B",
    },
    validity="a tier that grows with its bandwidth",
)
def step_usd_per_year(
    capital_usd: Number,
    *,
    term_years: Number,
    bandwidth_bytes_per_s: Number,
    step_bytes_per_s: Number = GB,
) -> Number:
    """What one step of write bandwidth costs in a year, if it costs what the tier's own bandwidth does.

    Args:
        capital_usd: Price of the tier.
        term_years: Years over which it is written off.
        bandwidth_bytes_per_s: Write bandwidth of the tier.
        step_bytes_per_s: The step: 1 GB/s if not given.

    Example:
        >>> float(step_usd_per_year(600_000.0, term_years=5.0, bandwidth_bytes_per_s=100e9))
        1200.0
    """
    return capital_usd / term_years * step_bytes_per_s / bandwidth_bytes_per_s


@formula(
    r"B^* = \sqrt{\frac{2\,V\,C}{M\,k}},\quad k = K / \Delta B",
    unit="bytes/s",
    label="Bandwidth worth buying, asynchronous",
    source=_C8,
    symbols={
        "step_usd_per_year": "K",
        "checkpoint_bytes": "C",
        "interruption_s": "M",
        "job_usd_per_year": "V",
        "step_bytes_per_s": r"\Delta B",
    },
    validity="drain inside the interval; the load after a failure over the same path",
)
def async_bandwidth_bytes_per_s(
    step_usd_per_year: Number,
    *,
    checkpoint_bytes: Number,
    interruption_s: Number,
    job_usd_per_year: Number,
    step_bytes_per_s: Number = GB,
) -> Number:
    """Write bandwidth at which one more step costs what it saves, with asynchronous saves.

    It is where `economics.async_worth_usd_per_year` equals the price of the step.

    Args:
        step_usd_per_year: Yearly cost of one step of bandwidth.
        checkpoint_bytes: Whole checkpoint.
        interruption_s: Mean time to interruption.
        job_usd_per_year: GPUs times price times the hours of a year.
        step_bytes_per_s: The step: 1 GB/s if not given.

    Example:
        >>> job = {"checkpoint_bytes": 980e9, "interruption_s": 712_777.0, "job_usd_per_year": 256 * 3 * 8760}
        >>> round(float(async_bandwidth_bytes_per_s(1200.0, **job)) / 1e9, 2)
        3.93
    """
    best: Number = np.sqrt(
        2.0 * job_usd_per_year * checkpoint_bytes * step_bytes_per_s / (interruption_s * step_usd_per_year)
    )
    return best
