"""Axes of a chart on paper: ticks in people's units, curves, marks and limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from reportlab.graphics.shapes import Circle, Drawing, Polygon, PolyLine
from reportlab.lib.colors import Color

from planner.core.ticks import linear_ticks, log_ticks
from planner.core.units import format_value
from planner.documents.drawing import GRID, INK, PAPER, SIZE_PT, box, label, rule
from planner.documents.page import WIDTH_PT

LEFT_PT, RIGHT_PT, BELOW_PT, ABOVE_PT = 62.0, 14.0, 30.0, 26.0
"""Room around the axes: for ticks, for the title of the axis, and above for the legend."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: its ends in the planner's unit, what it is called, and whether it is logarithmic.

    Attributes:
        ticks: Values that are marked, with their texts.
    """

    low: float
    high: float
    title: str
    ticks: tuple[tuple[float, str], ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Where a value is between the ends, from 0 to 1."""
        if self.log:
            return math.log10(value / self.low) / math.log10(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def linear_axis(
    top: float, unit: str, title: str, *, low: float = 0.0, room: float = 1.1, count: int = 4
) -> Axis:
    """An axis from `low` with round ticks in the scale that people read.

    Args:
        top: Largest value to show; anything that is not above `low` counts as 1 more.
        unit: Key of the unit.
        title: What the axis shows.
        low: Where it begins.
        room: How far it goes beyond the largest value.
        count: Intervals to aim for.
    """
    span = top - low if math.isfinite(top) and top > low else 1.0
    values = linear_ticks(top, unit, low=low, count=count)
    ticks = tuple((value, format_value(value, unit)) for value in values)
    return Axis(low, low + span * room, title, ticks)


def log_axis(low: float, high: float, unit: str, title: str, *, most: int = 7) -> Axis:
    """A logarithmic axis with ticks at times that people name, or at powers of ten.

    Args:
        low: Start, above 0.
        high: End, above the start.
        unit: Key of the unit.
        title: What the axis shows.
        most: Ticks that fit; nearer ones are left out.
    """
    ticks = tuple((value, format_value(value, unit)) for value in log_ticks(low, high, unit, most=most))
    return Axis(low, high, f"{title}, logarithmic", ticks, log=True)


class Plot:
    """A drawing with two axes; what is drawn outside of them is cut off."""

    def __init__(self, x: Axis, y: Axis, *, height: float = 190.0) -> None:
        """Draw the axes with their ticks and titles."""
        self.x, self.y = x, y
        self.drawing = Drawing(WIDTH_PT, height)
        self.wide = WIDTH_PT - LEFT_PT - RIGHT_PT
        self.high = height - BELOW_PT - ABOVE_PT
        self._legend_x = LEFT_PT
        drawing = self.drawing
        drawing.add(box((LEFT_PT, BELOW_PT, self.wide, self.high), PAPER))
        for value, words in x.ticks:
            at = self.across(value)
            drawing.add(rule((at, BELOW_PT, at, BELOW_PT + self.high), colour=GRID, wide=0.5))
            label(drawing, at, BELOW_PT - 9, words, anchor="middle")
        for value, words in y.ticks:
            at = self.up(value)
            drawing.add(rule((LEFT_PT, at, LEFT_PT + self.wide, at), colour=GRID, wide=0.5))
            label(drawing, LEFT_PT - 4, at - 2.5, words, anchor="end")
        label(drawing, LEFT_PT + self.wide / 2, 4, x.title, anchor="middle")
        label(drawing, 0, height - 8, y.title)

    def across(self, value: float) -> float:
        """Place of a value of the level axis."""
        return LEFT_PT + self.x.share(value) * self.wide

    def up(self, value: float) -> float:
        """Place of a value of the upright axis."""
        return BELOW_PT + self.y.share(value) * self.high

    def curve(
        self, x: Iterable[float], y: Iterable[float], colour: Color, words: str, *, dashed: bool = False
    ) -> None:
        """A curve with its name in the legend; it stops where it leaves the axes."""
        look: dict[str, Any] = {"strokeColor": colour, "strokeWidth": 1.8}
        if dashed:
            look["strokeDashArray"] = [5, 3]
        for part in self._inside(list(x), list(y)):
            if len(part) > 2:
                self.drawing.add(PolyLine(part, **look))
        at = self._legend(words, 22)
        height = self.drawing.height - 19
        self.drawing.add(PolyLine([at, height + 2.5, at + 18, height + 2.5], **look))

    def _inside(self, x: Sequence[float], y: Sequence[float]) -> list[list[float]]:
        """Runs of points that are within the upright axis."""
        parts: list[list[float]] = [[]]
        for across, up in zip(x, y, strict=True):
            if math.isfinite(up) and self.y.low <= up <= self.y.high:
                parts[-1] += [self.across(across), self.up(up)]
            elif parts[-1]:
                parts.append([])
        return parts

    def mark(self, x: float, y: float, colour: Color, words: str, *, round_one: bool = False) -> None:
        """A point with its name in the legend."""
        self._point(self.across(x), self.up(min(max(y, self.y.low), self.y.high)), colour, round_one)
        at = self._legend(words, 12)
        self._point(at + 4, self.drawing.height - 16.5, colour, round_one)

    def _point(self, x: float, y: float, colour: Color, round_one: bool) -> None:
        look: dict[str, Any] = {"fillColor": colour, "strokeColor": INK, "strokeWidth": 0.8}
        if round_one:
            self.drawing.add(Circle(x, y, 3.6, **look))
        else:
            self.drawing.add(Polygon([x, y + 4.6, x + 4.6, y, x, y - 4.6, x - 4.6, y], **look))

    def limit_across(self, y: float, words: str, *, end: bool = False) -> None:
        """A level dashed line with its text above the left end, or the right one."""
        if math.isfinite(y) and self.y.low <= y <= self.y.high:
            at = self.up(y)
            self.drawing.add(rule((LEFT_PT, at, LEFT_PT + self.wide, at), dashed=True))
            x = LEFT_PT + (self.wide - 4 if end else 4)
            label(self.drawing, x, at + 3, words, anchor="end" if end else "start")

    def limit_up(self, x: float, words: str, *, share: float = 0.0) -> None:
        """An upright dashed line with its text beside it: at its foot, or at a share of its height."""
        if math.isfinite(x) and self.x.low <= x <= self.x.high:
            at = self.across(x)
            self.drawing.add(rule((at, BELOW_PT, at, BELOW_PT + self.high), dashed=True))
            late = self.x.share(x) > 0.75
            y = BELOW_PT + 5 + share * self.high
            label(self.drawing, at + (-4 if late else 4), y, words, anchor="end" if late else "start")

    def _legend(self, words: str, sign_pt: float) -> float:
        """Add a name to the legend; where its sign has to be drawn."""
        at = self._legend_x
        wide = label(self.drawing, at + sign_pt, self.drawing.height - 19, words, size_pt=SIZE_PT)
        self._legend_x = at + sign_pt + wide + 12
        return at
