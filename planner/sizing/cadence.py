"""How often to save: failures, the best interval, goodput, and where the lost time goes.

Failures are independent and exponential; a restart may itself be interrupted. With failures that
cluster or wear out (Weibull shape 0.6 to 1.5) goodput moves by less than 0.7 points, so the simpler
law is kept. All formulas hold for a failure rate above zero.
"""

from __future__ import annotations

import numpy as np
from scipy.special import lambertw  # type: ignore[import-untyped]

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import DAY_S, HOUR_S, YEAR_S, Number

_C1 = "Daly, FGCS 22 (2006); reliability models, C1"
_C2 = "reliability models, C2"
_C3 = "Daly, FGCS 22 (2006); reliability models, C3"
_C4 = "reliability models, C3 and C4: renewal argument, checked by simulation"
_C7 = "reliability models, C7"
_C9 = "Benoit et al., IEEE TC 66 (2017); reliability models, C9"
_SERIES_BELOW = 0.05
"""Below this the Lambert function loses digits near its branch point and its series is exact to 1e-11."""


# --- failures -----------------------------------------------------------------------------------------------


@formula(
    r"M = \frac{86\,400 \cdot 1000}{N_g\,r}",
    unit="s",
    label="Mean time to interruption",
    source=_C2,
    symbols={"gpu_count": "N_g", "failures_per_1000_gpu_days": "r"},
    validity="rate above zero",
)
def mean_time_to_interruption_s(gpu_count: Number, *, failures_per_1000_gpu_days: Number) -> Number:
    """Mean time until something interrupts a job: one failed GPU, node or link stops all.

    Jobs below about 4,000 GPUs are seen to fail more often than this law says.

    Args:
        gpu_count: GPUs of the job.
        failures_per_1000_gpu_days: Interruptions for each 1,000 GPU-days.

    Example:
        >>> round(float(mean_time_to_interruption_s(16_384, failures_per_1000_gpu_days=0.8125)) / 3600, 2)
        1.8
    """
    return 1000.0 * DAY_S / (gpu_count * failures_per_1000_gpu_days)


@formula(
    r"r = 1000\,r_n / g",
    unit="per 1,000 GPU-days",
    label="Interruptions per 1,000 GPU-days",
    source=_C2,
    symbols={"node_failures_per_day": "r_n", "node_gpu_count": "g"},
)
def failures_per_1000_gpu_days(node_failures_per_day: Number, *, node_gpu_count: Number) -> Number:
    """Failure rate by GPU from a rate by node.

    Args:
        node_failures_per_day: Interruptions that one node causes in a day.
        node_gpu_count: GPUs in such a node.

    Example:
        >>> float(failures_per_1000_gpu_days(0.0064, node_gpu_count=8))
        0.8
    """
    return 1000.0 * node_failures_per_day / node_gpu_count


@formula(
    r"r_n = r\,g / 1000",
    unit="per day",
    label="Interruptions per node-day",
    source=_C2,
    symbols={"failures_per_1000_gpu_days": "r", "node_gpu_count": "g"},
)
def node_failures_per_day(failures_per_1000_gpu_days: Number, *, node_gpu_count: Number) -> Number:
    """Failure rate of one node from the rate by GPU, for trays of 4 and racks of 72 GPUs alike.

    Args:
        failures_per_1000_gpu_days: Interruptions for each 1,000 GPU-days.
        node_gpu_count: GPUs in one node.

    Example:
        >>> float(node_failures_per_day(0.5, node_gpu_count=8))
        0.004
    """
    return failures_per_1000_gpu_days * node_gpu_count / 1000.0


@formula(
    r"M = T / k",
    unit="s",
    label="Observed mean time to interruption",
    source=_C2,
    symbols={"interruption_count": "k", "observed_s": "T"},
)
def observed_interruption_s(interruption_count: Number, *, observed_s: Number) -> Number:
    """Mean time to interruption of a job that was watched.

    Args:
        interruption_count: Interruptions seen, above zero.
        observed_s: Time watched.

    Example:
        >>> round(float(observed_interruption_s(419, observed_s=54 * 86400)) / 3600, 2)
        3.09
    """
    return observed_s / interruption_count


@formula(
    r"r = \frac{1000\,k \cdot 86\,400}{N_g\,T}",
    unit="per 1,000 GPU-days",
    label="Observed interruptions per 1,000 GPU-days",
    source=_C2,
    symbols={"interruption_count": "k", "gpu_count": "N_g", "observed_s": "T"},
)
def observed_failures_per_1000_gpu_days(
    interruption_count: Number, *, gpu_count: Number, observed_s: Number
) -> Number:
    """Failure rate of a job that was watched.

    Args:
        interruption_count: Interruptions seen.
        gpu_count: GPUs of the job.
        observed_s: Time watched.

    Example:
        >>> round(float(observed_failures_per_1000_gpu_days(419, gpu_count=16_384, observed_s=54 * 86400)), 3)
        0.474
    """
    return 1000.0 * DAY_S * interruption_count / (gpu_count * observed_s)


# --- the best interval --------------------------------------------------------------------------------------


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
        part: Number = 1 / 3 - root * (11 / 72 - root * (43 / 540 - root * (769 / 17280 - root * 221 / 8505)))
        return root * (1 - root * part)

    def direct() -> Number:
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
    share = elementwise.maximum(1.0 - (1.0 - waste_fraction) * np.exp(restart_s / interruption_s), 0.0)
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
    r"w = \sqrt{2\,s_1\,p / M} + \sqrt{2\,(s_2 - s_1)(1 - p) / M}",
    unit="fraction",
    label="Waste of two-level saves",
    source=_C9,
    symbols={"shared_stall_s": "s_2", "fast_stall_s": "s_1", "interruption_s": "M", "fast_fraction": "p"},
    validity="small waste; restarts not included",
)
def two_level_waste_fraction(
    shared_stall_s: Number, *, fast_stall_s: Number, interruption_s: Number, fast_fraction: Number
) -> Number:
    """Share of time that stalls and lost work take when both levels save at their best intervals.

    Args:
        shared_stall_s: Stall of a save that goes to shared storage.
        fast_stall_s: Stall of a save to the fast level.
        interruption_s: Mean time to interruption.
        fast_fraction: Share of the failures that the fast level mends.

    Example:
        >>> levels = {"fast_stall_s": 2.0, "interruption_s": 40_000.0, "fast_fraction": 0.5}
        >>> round(float(two_level_waste_fraction(10.0, **levels)), 4)
        0.0212
    """
    fast = np.sqrt(2.0 * fast_stall_s * fast_fraction / interruption_s)
    shared = np.sqrt(2.0 * (shared_stall_s - fast_stall_s) * (1.0 - fast_fraction) / interruption_s)
    waste: Number = fast + shared
    return waste


@formula(
    r"B_\min = \frac{C}{\tau + s}",
    unit="bytes/s",
    label="Least write bandwidth of asynchronous saves",
    source="reliability models, C10",
    symbols={"checkpoint_bytes": "C", "work_s": r"\tau", "stall_s": "s"},
)
def min_drain_bytes_per_s(checkpoint_bytes: Number, *, work_s: Number, stall_s: Number) -> Number:
    """Bandwidth below which one asynchronous save is not stored before the next begins.

    Args:
        checkpoint_bytes: Whole checkpoint.
        work_s: Work between saves.
        stall_s: Stall of a save.

    Example:
        >>> round(float(min_drain_bytes_per_s(980e9, work_s=1794.0, stall_s=6.0)), 1)
        544444444.4
    """
    return checkpoint_bytes / (work_s + stall_s)


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


# --- goodput and where the rest of the time goes ------------------------------------------------------------


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
    r"E = \frac{1 - (R + \Delta / 2) / M}{1 + s / \Delta}",
    unit="fraction",
    label="ETTR by Meta, first order",
    source="Kokolis et al., arXiv 2410.21680; reliability models, C5",
    symbols={"interval_s": r"\Delta", "stall_s": "s", "interruption_s": "M", "restart_s": "R"},
    validity="interval much shorter than M",
)
def meta_ettr_fraction(
    interval_s: Number, *, stall_s: Number, interruption_s: Number, restart_s: Number
) -> Number:
    """Effective training time ratio as Meta estimates it, for comparison; pessimistic at short M.

    Args:
        interval_s: Time between saves.
        stall_s: Time that training stands still for a save.
        interruption_s: Mean time to interruption.
        restart_s: Time to start again after a failure.

    Example:
        >>> ettr = meta_ettr_fraction(3600.0, stall_s=400.0, interruption_s=36_000.0, restart_s=180.0)
        >>> round(float(ettr), 4)
        0.8505
    """
    lost = (restart_s + interval_s / 2.0) / interruption_s
    ettr: Number = elementwise.maximum(1.0 - lost, 0.0) / (1.0 + stall_s / interval_s)
    return ettr


@formula(
    r"\frac{s}{T}",
    unit="fraction",
    label="Share of time in saves, without failures",
    source="definition",
    symbols={"stall_s": "s", "interval_s": "T"},
)
def stall_share_fraction(stall_s: Number, *, interval_s: Number) -> Number:
    """Share of time that training stands still for saves while nothing fails.

    Args:
        stall_s: Time that training stands still for a save.
        interval_s: From the start of one save to the start of the next.

    Example:
        >>> float(stall_share_fraction(36.0, interval_s=1800.0))
        0.02
    """
    return stall_s / interval_s


@formula(
    r"w_s = G\,s / \tau",
    unit="fraction",
    label="Time lost to stalls",
    source=_C4,
    symbols={"goodput_fraction": "G", "stall_s": "s", "work_s": r"\tau"},
)
def stalled_fraction(goodput_fraction: Number, *, stall_s: Number, work_s: Number) -> Number:
    """Share of wall time in the stalls of saves whose work was kept.

    With `lost_work_fraction` and `restart_fraction` it sums to one minus goodput, exactly: each kept
    piece of work carries one stall, stalls of work that was lost count as lost work.

    Args:
        goodput_fraction: Goodput of the same work, stall and failure rate.
        stall_s: Time that training stands still for a save.
        work_s: Work between saves.

    Example:
        >>> float(stalled_fraction(0.9, stall_s=20.0, work_s=1800.0))
        0.01
    """
    return goodput_fraction * stall_s / work_s


@formula(
    r"w_r = 1 - \frac{M\,e^{-R/M}}{M + D}",
    unit="fraction",
    label="Time lost to restarts",
    source=_C4,
    symbols={"restart_s": "R", "interruption_s": "M", "down_s": "D"},
)
def restart_fraction(restart_s: Number, *, interruption_s: Number, down_s: Number = 0.0) -> Number:
    """Share of wall time in recovery: down time and restarts, the interrupted ones included.

    It does not depend on saves: the job runs for M on average, then recovers for
    (M + D)(e^(R/M) - 1) + D.

    Args:
        restart_s: Detect, reschedule, initialise and load.
        interruption_s: Mean time to interruption.
        down_s: Time after a failure in which no further failure can strike.

    Example:
        >>> round(float(restart_fraction(100.0, interruption_s=10_000.0)), 5)
        0.00995
    """
    recovering = down_s - interruption_s * np.expm1(-restart_s / interruption_s)
    share: Number = recovering / (interruption_s + down_s)
    return share


@formula(
    r"w_l = \frac{M\,e^{-R/M}}{M + D} - G\,\frac{\tau + s}{\tau}",
    unit="fraction",
    label="Time lost to repeated work",
    source=_C4,
    symbols={
        "goodput_fraction": "G",
        "stall_s": "s",
        "work_s": r"\tau",
        "interruption_s": "M",
        "restart_s": "R",
        "down_s": "D",
    },
)
def lost_work_fraction(
    goodput_fraction: Number,
    *,
    stall_s: Number,
    work_s: Number,
    interruption_s: Number,
    restart_s: Number,
    down_s: Number = 0.0,
) -> Number:
    """Share of wall time in work and stalls that a failure undid: time running minus time kept.

    Args:
        goodput_fraction: Goodput of the same times.
        stall_s: Time that training stands still for a save.
        work_s: Work between saves.
        interruption_s: Mean time to interruption.
        restart_s: Detect, reschedule, initialise and load.
        down_s: Time after a failure in which no further failure can strike.

    Example:
        >>> times = {"stall_s": 0.0, "interruption_s": 180_000.0, "restart_s": 0.0}
        >>> good = goodput_fraction(1800.0, **times)
        >>> round(float(lost_work_fraction(good, work_s=1800.0, **times)), 4)
        0.005
    """
    running = interruption_s * np.exp(-restart_s / interruption_s) / (interruption_s + down_s)
    lost: Number = running - goodput_fraction * (work_s + stall_s) / work_s
    return lost


# --- GPU time and money -------------------------------------------------------------------------------------


@formula(
    r"t = (1 - G)\,N_g\,T",
    unit="s",
    label="GPU time lost",
    source=_C7,
    symbols={"goodput_fraction": "G", "gpu_count": "N_g", "period_s": "T"},
)
def lost_gpu_time_s(goodput_fraction: Number, *, gpu_count: Number, period_s: Number = YEAR_S) -> Number:
    """GPU time that does not end up as training, in a period: GPU-seconds.

    Args:
        goodput_fraction: Goodput.
        gpu_count: GPUs of the job.
        period_s: Period; a year if not given.

    Example:
        >>> float(lost_gpu_time_s(0.75, gpu_count=256, period_s=3600.0)) / 3600
        64.0
    """
    return (1.0 - goodput_fraction) * gpu_count * period_s


@formula(
    r"K = (1 - G)\,N_g \cdot 8760\,p",
    unit="USD/year",
    label="Cost of lost GPU time",
    source=_C7,
    symbols={"goodput_fraction": "G", "gpu_count": "N_g", "usd_per_hour": "p"},
)
def lost_usd_per_year(goodput_fraction: Number, *, gpu_count: Number, usd_per_hour: Number) -> Number:
    """Yearly price of the GPU time that does not end up as training.

    The fair value of faster storage is the difference of two such costs, each at its own best interval.

    Args:
        goodput_fraction: Goodput.
        gpu_count: GPUs of the job.
        usd_per_hour: Price of one GPU for one hour.

    Example:
        >>> float(lost_usd_per_year(0.75, gpu_count=100, usd_per_hour=3.0))
        657000.0
    """
    return (1.0 - goodput_fraction) * gpu_count * (YEAR_S / HOUR_S) * usd_per_hour


@formula(
    r"K_s = N_g\,\frac{s}{3600}\,p",
    unit="USD",
    label="Idle GPUs of one save",
    source=_C7,
    symbols={"stall_s": "s", "gpu_count": "N_g", "usd_per_hour": "p"},
)
def idle_usd_per_checkpoint(stall_s: Number, *, gpu_count: Number, usd_per_hour: Number) -> Number:
    """Price of the GPU time that one save leaves idle.

    Args:
        stall_s: Time that training stands still for a save.
        gpu_count: GPUs of the job.
        usd_per_hour: Price of one GPU for one hour.

    Example:
        >>> round(float(idle_usd_per_checkpoint(180.0, gpu_count=256, usd_per_hour=3.0)), 2)
        38.4
    """
    return gpu_count * stall_s * usd_per_hour / HOUR_S


@formula(
    r"K_y = 365\,n\,N_g\,\frac{s}{3600}\,p",
    unit="USD/year",
    label="Idle GPUs of all saves",
    source=_C7,
    symbols={"stall_s": "s", "gpu_count": "N_g", "usd_per_hour": "p", "checkpoints_per_day": "n"},
    validity="gross: not what faster storage would save",
)
def idle_usd_per_year(
    stall_s: Number, *, gpu_count: Number, usd_per_hour: Number, checkpoints_per_day: Number
) -> Number:
    """Yearly price of the GPU time that saves leave idle, gross.

    Args:
        stall_s: Time that training stands still for a save.
        gpu_count: GPUs of the job.
        usd_per_hour: Price of one GPU for one hour.
        checkpoints_per_day: Saves in a day.

    Example:
        >>> round(float(idle_usd_per_year(180.0, gpu_count=256, usd_per_hour=3.0, checkpoints_per_day=48)))
        672768
    """
    return gpu_count * stall_s * usd_per_hour / HOUR_S * checkpoints_per_day * (YEAR_S / DAY_S)


@formula(
    r"R = R_0 + t_r",
    unit="s",
    label="Restart",
    source=_C3,
    symbols={"fixed_s": "R_0", "load_s": "t_r"},
)
def restart_s(fixed_s: Number, *, load_s: Number) -> Number:
    """Time from a failure until training goes on.

    Args:
        fixed_s: Detect, reschedule and initialise.
        load_s: Read of the last checkpoint.

    Example:
        >>> float(restart_s(600.0, load_s=30.0))
        630.0
    """
    return fixed_s + load_s


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
