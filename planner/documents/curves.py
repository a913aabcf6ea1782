"""Charts on paper with a curve: goodput over the interval, bytes written over the years."""

from __future__ import annotations

from reportlab.graphics.shapes import Drawing

from planner.core.units import every, format_value
from planner.curves import (
    best_interval_s,
    goodput_floor_fraction,
    goodput_known,
    goodput_over,
    intervals_s,
    written_years,
)
from planner.documents.axes import Axis, Plot, linear_axis, log_axis
from planner.documents.drawing import CHECKPOINT, INK, NETWORK
from planner.plan import Plan

POINTS = 121
"""Points of a curve: smooth at the width of a page."""


def goodput_picture(plan: Plan) -> Drawing | None:
    """Goodput over the interval, synchronous and asynchronous, with the best and the design's own; None if unknown."""
    main = plan.main
    good = main.goodput
    if not goodput_known(main):
        return None
    intervals = intervals_s(main, POINTS)
    plot = Plot(
        log_axis(float(intervals[0]), float(intervals[-1]), "s", "Interval from save to save"),
        linear_axis(1.0, "fraction", "Goodput", low=goodput_floor_fraction(main), room=1.04),
    )
    for mode, (kept, values) in goodput_over(main, intervals).items():
        plot.curve(kept, values, CHECKPOINT, mode, dashed=mode == "asynchronous")
    today = main.job.checkpoint.interval_s.number
    plot.mark(today, good.goodput_fraction.number, NETWORK, f"this design: {good.goodput_fraction}")
    plot.mark(
        best_interval_s(main),
        good.best_goodput_fraction.number,
        NETWORK,
        f"best interval: {good.best_goodput_fraction}",
        round_one=True,
    )
    return plot.drawing


def goodput_words(plan: Plan) -> str:
    """What the chart of goodput shows, in a sentence."""
    main = plan.main
    good, interval = main.goodput, main.job.checkpoint.interval_s
    if good.best_goodput_fraction.text() == good.goodput_fraction.text():
        return f"Saving {every(interval.number)} is as good as it gets: goodput {good.goodput_fraction}."
    return (
        f"Saving {every(interval.number)} gives a goodput of {good.goodput_fraction}; {every(best_interval_s(main))} would give "
        f"{good.best_goodput_fraction}."
    )


def endurance_picture(plan: Plan) -> Drawing | None:
    """Bytes written to the drives over the years against rating and warranty; None where one is unknown."""
    wear, drawn = plan.endurance, written_years(plan)
    if drawn is None:
        return None
    years, rating, warranty = drawn.shown_years, drawn.rating_bytes, drawn.warranty_years
    plot = Plot(
        Axis(0.0, years, "Years of use", tuple((float(year), str(year)) for year in drawn.marks)),
        linear_axis(drawn.top_bytes, "bytes", "Bytes written"),
        height=170.0,
    )
    plot.curve(
        (0.0, years),
        (0.0, drawn.year_bytes * years),
        CHECKPOINT,
        f"written; worn out after {wear.wear_life_s}",
    )
    if drawn.life_years <= years:
        plot.mark(drawn.life_years, rating, INK, f"rating used up after {wear.rated_life_s}")
    plot.limit_across(rating, f"rating {format_value(rating, 'bytes')}", end=drawn.wears_early)
    # A flat line would run through words at the foot.
    flat = drawn.year_bytes * warranty < 0.3 * drawn.top_bytes
    plot.limit_up(warranty, f"warranty {wear.warranty_s}", share=0.45 if flat else 0.0)
    return plot.drawing


def endurance_words(plan: Plan) -> str:
    """What the chart of endurance shows, in a sentence."""
    wear = plan.endurance
    if not (wear.rated_life_s.known and wear.warranty_s.known):
        return f"{wear.drive_write_bytes_per_day} are written; whether the drives outlast their warranty is unknown."
    word = "outlast" if wear.rated_life_s.number >= wear.warranty_s.number else "do not outlast"
    return (
        f"The drives {word} their warranty of {wear.warranty_s}: {wear.drive_write_bytes_per_day} use up the rating in "
        f"{wear.rated_life_s}."
    )
