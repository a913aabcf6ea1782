"""What it costs to run, what one save costs, and what more bandwidth is worth.

The worth of bandwidth is the GPU time that it saves, each alternative at its own best interval; at a
fixed interval it looks several times larger than it is.
"""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import DAY_S, GB, HOUR_S, KW, TB, YEAR_S, Number

_C8 = "reliability models, C8: derivative of the first-order waste"
_D = "reliability models, D, 'Consequence model'"
_T2 = "reliability models, T2"
_T3 = "reliability models, T3"
_T4 = "reliability models, T4"
_YEAR_HOURS = YEAR_S / HOUR_S


# --- running costs ------------------------------------------------------------------------------------------


@formula(
    r"E = \frac{P}{1000} \cdot 8760\,\mathrm{PUE}\,p",
    unit="USD/year",
    label="Energy cost",
    source=_T2,
    symbols={"load_w": "P", "pue_ratio": r"\mathrm{PUE}", "usd_per_kwh": "p"},
)
def energy_usd_per_year(load_w: Number, *, pue_ratio: Number, usd_per_kwh: Number) -> Number:
    """Yearly price of the energy of a load, cooling included by the PUE.

    Args:
        load_w: Mean electrical load.
        pue_ratio: Energy of the site over energy of its equipment, at least 1.
        usd_per_kwh: Price of energy.

    Example:
        >>> round(float(energy_usd_per_year(1000.0, pue_ratio=1.25, usd_per_kwh=0.1)), 6)
        1095.0
    """
    return load_w / KW * _YEAR_HOURS * pue_ratio * usd_per_kwh


@formula(
    r"K_w = \frac{p}{E\,y}\,W",
    unit="USD",
    label="Wear of the flash",
    source=_T3,
    symbols={"write_bytes": "W", "usd_per_tb": "p", "endurance_dwpd": "E", "warranty_s": "y"},
)
def wear_usd(
    write_bytes: Number, *, usd_per_tb: Number, endurance_dwpd: Number, warranty_s: Number
) -> Number:
    """Price of the rated writes that some bytes use up; a view of the purchase, never added to it.

    Args:
        write_bytes: Bytes that reach the drives, parity included.
        usd_per_tb: Price of the drives by raw capacity.
        endurance_dwpd: Drive writes per day of the drives.
        warranty_s: Time for which the rating is given.

    Example:
        >>> rating = {"endurance_dwpd": 3.0, "warranty_s": 5 * 365 * 86400.0}
        >>> round(float(wear_usd(350e9, usd_per_tb=350.0, **rating)), 4)
        0.0224
    """
    return write_bytes / TB * usd_per_tb / (endurance_dwpd * (warranty_s / DAY_S))


# --- risk ---------------------------------------------------------------------------------------------------


@formula(
    r"K = P\,\frac{t_b}{3600}\,N_g\,p",
    unit="USD/year",
    label="Expected cost of data loss",
    source=_D,
    symbols={
        "annual_loss_fraction": "P",
        "rollback_s": "t_b",
        "gpu_count": "N_g",
        "usd_per_hour": "p",
    },
)
def data_loss_usd_per_year(
    annual_loss_fraction: Number, *, rollback_s: Number, gpu_count: Number, usd_per_hour: Number
) -> Number:
    """GPU time that a loss of the hot tier would cost in a year, weighed by its probability.

    Args:
        annual_loss_fraction: Probability of a loss in a year.
        rollback_s: Training that has to be repeated from an older copy.
        gpu_count: GPUs of the job.
        usd_per_hour: Price of one GPU for one hour.

    Example:
        >>> risk = data_loss_usd_per_year(3.6e-4, rollback_s=86_400.0, gpu_count=256, usd_per_hour=3.0)
        >>> round(float(risk), 1)
        6.6
    """
    # what never happens costs nothing, also where no copy is ever complete and the roll-back has no end
    repeated_s = elementwise.where(annual_loss_fraction == 0.0, 0.0, rollback_s)
    return annual_loss_fraction * (repeated_s / HOUR_S) * gpu_count * usd_per_hour


@formula(
    r"K = q \cdot 8760\,N_g\,p",
    unit="USD/year",
    label="Expected cost of outages",
    source=_D,
    symbols={"unavailable_fraction": "q", "gpu_count": "N_g", "usd_per_hour": "p"},
)
def outage_usd_per_year(unavailable_fraction: Number, *, gpu_count: Number, usd_per_hour: Number) -> Number:
    """GPU time that waits in a year because storage is out of reach.

    Args:
        unavailable_fraction: Share of time that storage is out of reach.
        gpu_count: GPUs of the job.
        usd_per_hour: Price of one GPU for one hour.

    Example:
        >>> round(float(outage_usd_per_year(1e-4, gpu_count=100, usd_per_hour=2.0)), 6)
        175.2
    """
    return unavailable_fraction * _YEAR_HOURS * gpu_count * usd_per_hour


# --- what bandwidth is worth --------------------------------------------------------------------------------


@formula(
    r"\Delta K = V\left[\sqrt{\frac{C}{2 M B^3}} + \frac{C}{M B^2}\right]\Delta B",
    unit="USD/year",
    label="Worth of one GB/s more, best interval",
    source=_C8,
    symbols={
        "bandwidth_bytes_per_s": "B",
        "checkpoint_bytes": "C",
        "interruption_s": "M",
        "job_usd_per_year": "V",
        "step_bytes_per_s": r"\Delta B",
    },
    validity="synchronous, small step, restart load over the same path",
)
def bandwidth_worth_usd_per_year(
    bandwidth_bytes_per_s: Number,
    *,
    checkpoint_bytes: Number,
    interruption_s: Number,
    job_usd_per_year: Number,
    step_bytes_per_s: Number = GB,
) -> Number:
    """GPU time that one step more of write bandwidth saves in a year, saving at the best interval.

    Args:
        bandwidth_bytes_per_s: Bandwidth that is there.
        checkpoint_bytes: Whole checkpoint.
        interruption_s: Mean time to interruption.
        job_usd_per_year: GPUs times price times the hours of a year.
        step_bytes_per_s: The step: 1 GB/s if not given.

    Example:
        >>> job = {"checkpoint_bytes": 980e9, "interruption_s": 712_777.0, "job_usd_per_year": 256 * 3 * 8760}
        >>> round(float(bandwidth_worth_usd_per_year(28e9, **job)))
        1202
    """
    stall = checkpoint_bytes / bandwidth_bytes_per_s
    lost = np.sqrt(stall / (2.0 * interruption_s)) + stall / interruption_s
    worth: Number = job_usd_per_year * lost * step_bytes_per_s / bandwidth_bytes_per_s
    return worth


@formula(
    r"\Delta K = V\left[\frac{C}{B^2 \tau (1 + \delta/\tau)^2} + \frac{C}{M B^2}\right]\Delta B,\quad"
    r" \delta = C / B",
    unit="USD/year",
    label="Worth of one GB/s more, same work",
    source=_C8,
    symbols={
        "bandwidth_bytes_per_s": "B",
        "checkpoint_bytes": "C",
        "work_s": r"\tau",
        "interruption_s": "M",
        "job_usd_per_year": "V",
        "step_bytes_per_s": r"\Delta B",
    },
    validity="synchronous, small step, restart load over the same path",
)
def fixed_cadence_worth_usd_per_year(
    bandwidth_bytes_per_s: Number,
    *,
    checkpoint_bytes: Number,
    work_s: Number,
    interruption_s: Number,
    job_usd_per_year: Number,
    step_bytes_per_s: Number = GB,
) -> Number:
    """GPU time that one step more of write bandwidth saves in a year if the work between saves stays.

    Args:
        bandwidth_bytes_per_s: Bandwidth that is there.
        checkpoint_bytes: Whole checkpoint.
        work_s: Work between saves.
        interruption_s: Mean time to interruption.
        job_usd_per_year: GPUs times price times the hours of a year.
        step_bytes_per_s: The step: 1 GB/s if not given.

    Example:
        >>> job = {"checkpoint_bytes": 980e9, "interruption_s": 712_777.0, "job_usd_per_year": 256 * 3 * 8760}
        >>> round(float(fixed_cadence_worth_usd_per_year(28e9, work_s=1800.0, **job)) / 1000, 1)
        4.5
    """
    stall = checkpoint_bytes / bandwidth_bytes_per_s
    lost = stall * work_s / (work_s + stall) ** 2 + stall / interruption_s
    worth: Number = job_usd_per_year * lost * step_bytes_per_s / bandwidth_bytes_per_s
    return worth


@formula(
    r"\Delta K = V\,\frac{2\,C}{M B^2}\,\Delta B",
    unit="USD/year",
    label="Worth of one GB/s more, asynchronous",
    source=_C8,
    symbols={
        "bandwidth_bytes_per_s": "B",
        "checkpoint_bytes": "C",
        "interruption_s": "M",
        "job_usd_per_year": "V",
        "step_bytes_per_s": r"\Delta B",
    },
    validity="drain inside the interval, small step",
)
def async_worth_usd_per_year(
    bandwidth_bytes_per_s: Number,
    *,
    checkpoint_bytes: Number,
    interruption_s: Number,
    job_usd_per_year: Number,
    step_bytes_per_s: Number = GB,
) -> Number:
    """GPU time that one step more of write bandwidth saves in a year with asynchronous saves.

    Only the drain, after which a save counts, and the load after a failure grow shorter.

    Args:
        bandwidth_bytes_per_s: Bandwidth that is there.
        checkpoint_bytes: Whole checkpoint.
        interruption_s: Mean time to interruption.
        job_usd_per_year: GPUs times price times the hours of a year.
        step_bytes_per_s: The step: 1 GB/s if not given.

    Example:
        >>> job = {"checkpoint_bytes": 980e9, "interruption_s": 712_777.0, "job_usd_per_year": 256 * 3 * 8760}
        >>> round(float(async_worth_usd_per_year(10e9, **job)))
        185
    """
    saved = 2.0 * checkpoint_bytes / (interruption_s * bandwidth_bytes_per_s**2)
    worth: Number = job_usd_per_year * saved * step_bytes_per_s
    return worth


@formula(
    r"B^* = \left(\frac{V \sqrt{2 C / M}}{2\,k}\right)^{2/3},\quad k = K / \Delta B",
    unit="bytes/s",
    label="Bandwidth worth buying, best interval",
    source=_C8,
    symbols={
        "step_usd_per_year": "K",
        "checkpoint_bytes": "C",
        "interruption_s": "M",
        "job_usd_per_year": "V",
        "step_bytes_per_s": r"\Delta B",
    },
    validity="synchronous; the load after a failure is left out",
)
def best_bandwidth_bytes_per_s(
    step_usd_per_year: Number,
    *,
    checkpoint_bytes: Number,
    interruption_s: Number,
    job_usd_per_year: Number,
    step_bytes_per_s: Number = GB,
) -> Number:
    """Write bandwidth at which one more step costs what it saves, saving at the best interval.

    Args:
        step_usd_per_year: Yearly cost of one step of bandwidth.
        checkpoint_bytes: Whole checkpoint.
        interruption_s: Mean time to interruption.
        job_usd_per_year: GPUs times price times the hours of a year.
        step_bytes_per_s: The step: 1 GB/s if not given.

    Example:
        >>> job = {"checkpoint_bytes": 980e9, "interruption_s": 712_777.0, "job_usd_per_year": 256 * 3 * 8760}
        >>> round(float(best_bandwidth_bytes_per_s(1200.0, **job)) / 1e9, 2)
        27.85
    """
    slope = job_usd_per_year * np.sqrt(2.0 * checkpoint_bytes / interruption_s)
    best: Number = np.cbrt(np.square(slope * step_bytes_per_s / (2.0 * step_usd_per_year)))
    return best


@formula(
    r"B^* = \sqrt{\frac{V C}{\tau\,k}},\quad k = K / \Delta B",
    unit="bytes/s",
    label="Bandwidth worth buying, same work",
    source=_C8,
    symbols={
        "step_usd_per_year": "K",
        "checkpoint_bytes": "C",
        "work_s": r"\tau",
        "job_usd_per_year": "V",
        "step_bytes_per_s": r"\Delta B",
    },
    validity="stall much shorter than the work between saves",
)
def fixed_cadence_bandwidth_bytes_per_s(
    step_usd_per_year: Number,
    *,
    checkpoint_bytes: Number,
    work_s: Number,
    job_usd_per_year: Number,
    step_bytes_per_s: Number = GB,
) -> Number:
    """Write bandwidth at which one more step costs what it saves if the work between saves stays.

    Args:
        step_usd_per_year: Yearly cost of one step of bandwidth.
        checkpoint_bytes: Whole checkpoint.
        work_s: Work between saves.
        job_usd_per_year: GPUs times price times the hours of a year.
        step_bytes_per_s: The step: 1 GB/s if not given.

    Example:
        >>> job = {"checkpoint_bytes": 900e9, "work_s": 1800.0, "job_usd_per_year": 2e6}
        >>> float(fixed_cadence_bandwidth_bytes_per_s(1000.0, **job)) / 1e9
        31.622776601683793
    """
    best: Number = np.sqrt(
        job_usd_per_year * checkpoint_bytes * step_bytes_per_s / (work_s * step_usd_per_year)
    )
    return best


@formula(
    r"t = \frac{K - S}{E} \cdot 365\,\mathrm{d};\quad \infty \text{ if } E \le 0",
    unit="s",
    label="Break-even",
    source=_T4,
    symbols={"extra_usd": "K", "saving_usd_per_year": "E", "salvage_usd": "S"},
)
def break_even_s(extra_usd: Number, *, saving_usd_per_year: Number, salvage_usd: Number = 0.0) -> Number:
    """Time until a purchase has paid for itself; unlimited where it saves nothing.

    Args:
        extra_usd: What it costs more.
        saving_usd_per_year: What it saves in a year, its own running cost taken off.
        salvage_usd: What the replaced equipment still brings.

    Example:
        >>> float(break_even_s(31_000.0, saving_usd_per_year=31_000.0)) / 86400
        365.0
    """
    paid: Number = elementwise.maximum(extra_usd - salvage_usd, 0.0) * YEAR_S
    pays = np.greater(saving_usd_per_year, 0.0)
    with np.errstate(over="ignore"):  # what saves next to nothing never pays: unlimited as well
        time: Number = np.where(pays, paid / np.where(pays, saving_usd_per_year, 1.0), np.inf)[()]
    return time
