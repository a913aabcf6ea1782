"""How far each uncertain input alone moves the cost and the goodput, and what would be decided otherwise."""

from __future__ import annotations

import math

from reportlab.graphics.shapes import Drawing
from reportlab.platypus import Flowable

from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.documents.axes import Axis, linear_axis
from planner.documents.drawing import CHECKPOINT, GRID, MONEY, box, label, rule
from planner.documents.page import WIDTH_PT
from planner.documents.parts import Row, bullets, chart, section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.explore.sensitivity import Bar, Tornado, ends_of, tornado
from planner.plan import Plan

COLUMNS = {"term_usd": MONEY, "goodput_fraction": CHECKPOINT}
"""Results that are asked about, with the colour of their bars."""
MOST_BARS = 8
"""Bars of a picture; the further ones hardly move the result, and stand in the table."""
LABEL_PT, ENDS_PT, ROW_PT, FOOT_PT = 160.0, 120.0, 15.0, 26.0
ROOM_PT = WIDTH_PT - LABEL_PT - ENDS_PT


def sensitivity(plan: Plan) -> list[Flowable]:
    """A tornado for the cost over the term and one for the goodput, with every range that was asked."""
    heading = section("Sensitivity", "sensitivity")
    try:
        ends = ends_of(plan.scenario, catalogue=plan.calculation().context.catalogue)
        found = [tornado(ends, column) for column in COLUMNS]
    except PlannerError as error:
        return [*heading, text(f"Not computed: {clean(error.message, limit=2 * LONGEST)}.")]
    parts: list[Flowable] = []
    for item in found:
        parts += chart(
            f"{item.label}: each input alone",
            f"tornado-{item.column}",
            clean(item.advice),
            tornado_picture(item),
        )
    return [
        *heading,
        text(
            "One uncertain input at a time goes to both ends of its published range, all others stay; the storage is "
            "sized anew. Prices are in the middle of their ranges."
        ),
        *parts,
        *topic("Ranges, and what each end gives", "ranges"),
        *table(
            ("Input", "Range", *(f"{item.label}, low to high" for item in found), "Source of the range"),
            _rows(found),
            (0.16, 0.15, 0.17, 0.15, 0.37),
        ),
        *topic("What would be decided otherwise", "flip-points"),
        *bullets(_changes(found[0]) or ["Nothing: inside all ranges the same parts are chosen."]),
    ]


def _rows(found: list[Tornado]) -> list[Row]:
    others = [{bar.range.path: bar for bar in item.bars} for item in found]
    return [
        (
            clean(bar.range.label), bar.range.span,
            *(_span(bars.get(bar.range.path)) for bars in others),
            clean(bar.range.source, limit=LONGEST),
        )
        for bar in found[0].bars
    ]  # fmt: skip


def _span(bar: Bar | None) -> str:
    return "unknown" if bar is None else f"{bar.low} to {bar.high}"


def _changes(found: Tornado) -> list[str]:
    return [
        f"{clean(bar.range.label)}: {clean('; '.join(bar.changes))}." for bar in found.bars if bar.changes
    ]


def tornado_picture(found: Tornado) -> Drawing | None:
    """Bars from the result at the low end of each input to that at its high end, the widest on top; None if unknown."""
    bars = [bar for bar in found.bars if _drawn(bar)][:MOST_BARS]
    if not bars or not found.today.known:
        return None
    axis = _axis(found, bars)
    top = FOOT_PT + ROW_PT * len(bars)
    drawing = Drawing(WIDTH_PT, top + 14)
    for value, words in axis.ticks:
        at = _across(axis, value)
        drawing.add(rule((at, FOOT_PT, at, top), colour=GRID, wide=0.5))
        label(drawing, at, FOOT_PT - 9, words, anchor="middle")
    label(drawing, LABEL_PT + ROOM_PT / 2, 3, axis.title, anchor="middle")
    for number, bar in enumerate(bars):
        y = top - ROW_PT * (number + 1) + 3
        start, end = sorted(_across(axis, item.number) for item in (bar.low, bar.high))
        label(drawing, LABEL_PT - 6, y + 2, bar.range.label, anchor="end", room_pt=LABEL_PT - 8)
        drawing.add(box((start, y, max(end - start, 1.0), 9.5), COLUMNS[found.column]))
        label(drawing, LABEL_PT + ROOM_PT + 8, y + 2, _span(bar), room_pt=ENDS_PT - 8)
    at = _across(axis, found.today.number)
    drawing.add(rule((at, FOOT_PT, at, top + 3), dashed=True, wide=1.1))
    label(drawing, at, top + 5, f"today {found.today}", anchor="middle")
    return drawing


def _drawn(bar: Bar) -> bool:
    return all(math.isfinite(item.number) for item in (bar.low, bar.high)) and bar.swing.number > 0


def _axis(found: Tornado, bars: list[Bar]) -> Axis:
    every: list[Quantity] = [found.today, *(item for bar in bars for item in (bar.low, bar.high))]
    low, high = min(item.number for item in every), max(item.number for item in every)
    spare = (high - low) * 0.05 or abs(high) * 0.05 or 1.0
    return linear_axis(high + spare, found.today.unit, found.label, low=low - spare, room=1.0)


def _across(axis: Axis, value: float) -> float:
    return LABEL_PT + axis.share(value) * ROOM_PT
