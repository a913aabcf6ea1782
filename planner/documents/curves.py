"""Charts on paper with a curve: goodput over the interval, bytes written over the years."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from reportlab.graphics.shapes import Drawing

from planner.core.units import DAY_S, YEAR_S, every, format_value
from planner.documents.axes import Axis, Plot, linear_axis, log_axis
from planner.documents.drawing import CHECKPOINT, INK, NETWORK
from planner.plan import JobResult, Plan
from planner.sizing import cadence

POINTS = 121
SPAN = 20.0
"""A curve goes from a twentieth of the design's own value to twenty times it, as on the screen."""
MOST_YEARS = 12.0
"""The endurance chart ends here if neither warranty nor life end before."""


def goodput_picture(plan: Plan) -> Drawing | None:
    """Goodput over the interval, synchronous and asynchronous, with the best and the design's own; None if unknown."""
    main = plan.main
    good = main.goodput
    if not (main.save.save_s.known and good.goodput_fraction.known and good.best_goodput_fraction.known):
        return None
    today, best = main.job.checkpoint.interval_s.number, _best_interval_s(main)
    low, high = min(today, best) / SPAN, max(today, best) * SPAN
    plot = Plot(log_axis(low, high, "s", "Interval from save to save"), _goodput_axis(main))
    intervals = np.geomspace(low, high, POINTS)
    save = main.save.save_s.number
    for words, stall, drain in (
        ("synchronous", save, 0.0),
        ("asynchronous", main.job.policy.async_stall_s, save),
    ):
        kept = intervals[intervals >= max(stall * 1.02, drain)]
        curve = _goodput(main, kept - stall, stall, drain)
        plot.curve(kept, curve, CHECKPOINT, words, dashed=words == "asynchronous")
    plot.mark(today, good.goodput_fraction.number, NETWORK, f"this design: {good.goodput_fraction}")
    plot.mark(
        best,
        good.best_goodput_fraction.number,
        NETWORK,
        f"best interval: {good.best_goodput_fraction}",
        round_one=True,
    )
    return plot.drawing


def _best_interval_s(main: JobResult) -> float:
    """The best interval from start to start; with two levels the best one is that already."""
    work = main.goodput.best_work_s.number
    return work if main.goodput.levels else work + main.goodput.stall_s.number


def _goodput(main: JobResult, work: NDArray[np.float64], stall: float, drain: float) -> NDArray[np.float64]:
    values: NDArray[np.float64] = np.asarray(
        cadence.goodput_fraction(
            work,
            stall_s=stall,
            interruption_s=main.goodput.interruption_s.number,
            restart_s=main.goodput.restart_s.number,
            drain_s=drain,
        )
    )
    return values


def _goodput_axis(main: JobResult) -> Axis:
    """From four times the waste of the worse point up to 100 %: the differences are what is asked."""
    worse = min(main.goodput.goodput_fraction.number, main.goodput.best_goodput_fraction.number)
    low = max(0.0, 1.0 - 4.0 * (1.0 - worse))
    return linear_axis(1.0, "fraction", "Goodput", low=low, room=1.04)


def goodput_words(plan: Plan) -> str:
    """What the chart of goodput shows, in a sentence."""
    main = plan.main
    good, interval = main.goodput, main.job.checkpoint.interval_s
    if good.best_goodput_fraction.text() == good.goodput_fraction.text():
        return f"Saving {every(interval.number)} is as good as it gets: goodput {good.goodput_fraction}."
    best = _best_interval_s(main)
    return (
        f"Saving {every(interval.number)} gives a goodput of {good.goodput_fraction}; {every(best)} would give "
        f"{good.best_goodput_fraction}."
    )


def endurance_picture(plan: Plan) -> Drawing | None:
    """Bytes written to the drives over the years against rating and warranty; None where one is unknown."""
    wear = plan.endurance
    needed = (
        wear.drive_write_bytes_per_day,
        wear.allowance_bytes_per_day,
        wear.warranty_s,
        wear.rated_life_s,
    )
    if not all(item.known for item in needed):
        return None
    per_year = wear.drive_write_bytes_per_day.number * YEAR_S / DAY_S
    rating = wear.allowance_bytes_per_day.number * wear.warranty_s.number / DAY_S
    warranty, life = wear.warranty_s.number / YEAR_S, wear.rated_life_s.number / YEAR_S
    years = max(1.3 * warranty, min(1.25 * life, MOST_YEARS))
    step = max(1, round(years / 6))
    marks = tuple((float(year), str(year)) for year in range(0, math.floor(years) + 1, step))
    plot = Plot(
        Axis(0.0, years, "Years of use", marks),
        linear_axis(max(per_year * years, rating), "bytes", "Bytes written"),
        height=170.0,
    )
    plot.curve(
        (0.0, years), (0.0, per_year * years), CHECKPOINT, f"written; worn out after {wear.wear_life_s}"
    )
    if life <= years:
        plot.mark(life, rating, INK, f"rating used up after {wear.rated_life_s}")
    # The line of the bytes written climbs through the left end of a rating that is used up early.
    plot.limit_across(rating, f"rating {format_value(rating, 'bytes')}", end=life < 0.45 * years)
    # A flat line would run through words at the foot.
    flat = per_year * warranty < 0.3 * max(per_year * years, rating)
    plot.limit_up(warranty, f"warranty {wear.warranty_s}", share=0.45 if flat else 0.0)
    return plot.drawing


def endurance_words(plan: Plan) -> str:
    """What the chart of endurance shows, in a sentence."""
    wear = plan.endurance
    word = "outlast" if wear.rated_life_s.number >= wear.warranty_s.number else "do not outlast"
    return (
        f"The drives {word} their warranty of {wear.warranty_s}: {wear.drive_write_bytes_per_day} use up the rating in "
        f"{wear.rated_life_s}."
    )
