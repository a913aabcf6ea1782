"""What is lost: stalls, work done again, restarts, what the idle GPUs cost, and what several jobs have left."""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import DAY_S, HOUR_S, YEAR_S, Number

_C3 = "Daly, FGCS 22 (2006); reliability models, C3"
_C4 = "reliability models, C3 and C4: renewal argument, checked by simulation"
_C7 = "reliability models, C7"


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
        >>> round(float(lost_work_fraction(0.9950083, work_s=1800.0, **times)), 4)
        0.005
    """
    running = interruption_s * np.exp(-restart_s / interruption_s) / (interruption_s + down_s)
    lost: Number = running - goodput_fraction * (work_s + stall_s) / work_s
    return lost


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


# --- several jobs ---------------------------------------------------------------------------------------------


@formula(
    r"g' = g\,G",
    unit="count",
    label="GPUs at work",
    source="definition",
    symbols={"gpu_count": "g", "goodput_fraction": "G"},
)
def useful_gpu_count(gpu_count: Number, *, goodput_fraction: Number) -> Number:
    """GPUs whose time is not lost, on average.

    Args:
        gpu_count: GPUs of the job.
        goodput_fraction: Share of the time that training goes forward.

    Example:
        >>> float(useful_gpu_count(256.0, goodput_fraction=0.75))
        192.0
    """
    return gpu_count * goodput_fraction


@formula(
    r"G = \frac{\sum_j g_j\,G_j}{\sum_j g_j}",
    unit="fraction",
    label="Goodput, weighted by GPUs",
    source="definition",
    symbols={"useful_gpu_count": r"\sum_j g_j\,G_j", "gpu_count": r"\sum_j g_j"},
)
def cluster_goodput_fraction(useful_gpu_count: Number, *, gpu_count: Number) -> Number:
    """Share of all jobs' GPU time that ends up as kept work.

    Args:
        useful_gpu_count: GPUs of each job times its goodput, summed.
        gpu_count: GPUs of all jobs.

    Example:
        >>> float(cluster_goodput_fraction(240.0, gpu_count=256.0))
        0.9375
    """
    return useful_gpu_count / gpu_count
