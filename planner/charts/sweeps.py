"""Pictures of a sweep: a figure along one axis, or over two, with where designs fail and where today's stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import COLOURS, ink
from planner.charts.frame import Frame, Look, literal, room
from planner.core import ticks
from planner.core.units import counted, format_number, format_value, sentence
from planner.explore.outcomes import inside

SCALE = "Cividis"
"""Even steps of lightness, the same for every kind of colour vision."""
MOST_TICKS = 6


BILLION = 1e9
"""From here a count, such as that of parameters, is written in billions: its digits would fill the picture."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a sweep as a reader sees it.

    Attributes:
        path: Column of the table.
        label: What it is called.
        unit: Key of its unit; empty for words.
        values: Its values in order.
        today: The value of the design; None where it has none.
    """

    path: str
    label: str
    unit: str
    values: Sequence[Any]
    today: Any = None

    def text(self, value: Any) -> str:  # noqa: ANN401 - a number, a word or AUTO
        """A value as it is printed."""
        if value is None or isinstance(value, bool | str):
            return "AUTO" if value is None else str(value)
        unit = self.unit or "count"
        if unit == "count" and abs(value) >= BILLION:
            return f"{format_number(float(value) / BILLION)}\u00a0B"
        return format_value(float(value), unit)

    def named(self, value: Any) -> str:  # noqa: ANN401
        """A value with the name of its input before it, in words that stand alone."""
        return f"{self.label} {self.text(value)}"

    def place(self, value: Any) -> float | None:  # noqa: ANN401
        """Where a value stands between the steps of the axis, which are drawn at equal distances."""
        if value in self.values:
            return float(list(self.values).index(value))
        numbers = [v for v in self.values if isinstance(v, int | float) and not isinstance(v, bool)]
        if len(numbers) != len(self.values) or not isinstance(value, int | float) or len(numbers) < 2:
            return None
        if not min(numbers) <= value <= max(numbers):
            return None
        return float(np.interp(value, numbers, np.arange(len(numbers))))

    def nearest(self, value: Any) -> int:  # noqa: ANN401
        """The step that is nearest to a value; the first where it cannot be compared with the steps."""
        place = self.place(value)
        if place is not None:
            return round(place)
        numbers = [v for v in self.values if isinstance(v, int | float) and not isinstance(v, bool)]
        if len(numbers) != len(self.values) or not isinstance(value, int | float):
            return 0
        return int(np.argmin(np.abs(np.asarray(numbers, dtype=float) - value)))

    def ticks(self, *, across: bool = False) -> tuple[list[float], list[str]]:
        """The ends and what people name between them, and their texts; along the bottom as many as fit.

        Where there are few steps, or nothing round between them, they are steps at equal distances.
        """
        last = len(self.values) - 1
        most = min(MOST_TICKS, room([self.text(value) for value in self.values])) if across else MOST_TICKS
        named = self._named(most) if last >= MOST_TICKS else []
        if named:
            marks = [(0.0, self.values[0]), *named, (float(last), self.values[last])]
            return [place for place, _ in marks], [self.text(value) for _, value in marks]
        places = np.unique(np.rint(np.linspace(0, last, min(most, last + 1))).astype(int)).tolist()
        return [float(place) for place in places], [self.text(self.values[place]) for place in places]

    def _named(self, most: int) -> list[tuple[float, float]]:
        """Round values between the ends that do not touch each other or an end, each with its place."""
        numbers = [v for v in self.values if isinstance(v, int | float) and not isinstance(v, bool)]
        if len(numbers) != len(self.values) or not numbers[0] < numbers[-1]:
            return []
        low, high, unit = float(numbers[0]), float(numbers[-1]), self.unit or "count"
        values = (
            ticks.log_ticks(low, high, unit, most=most)
            if _by_ratios(numbers)
            else ticks.linear_ticks(high, unit, low=low, count=most)
        )
        if unit == "count" and all(float(number).is_integer() for number in numbers):  # no half of a node
            values = [value for value in values if value.is_integer()]
        gap, last = (len(numbers) - 1) / most, len(numbers) - 1.0
        kept: list[tuple[float, float]] = []
        for value in values:
            place = self.place(value)
            before = kept[-1][0] if kept else 0.0
            if place is not None and place - before >= gap and last - place >= gap:
                kept.append((place, value))
        return kept


def _by_ratios(numbers: Sequence[float]) -> bool:
    """Whether rising steps grow by a ratio: the middle one is nearer to that than to steps of one size."""
    low, high, middle = float(numbers[0]), float(numbers[-1]), len(numbers) // 2
    if low <= 0:
        return False
    share = middle / (len(numbers) - 1)
    by_ratio, by_size = low * (high / low) ** share, low + (high - low) * share
    return bool(abs(numbers[middle] - by_ratio) < abs(numbers[middle] - by_size))


@dataclass(frozen=True, slots=True)
class Shown:
    """The figure that is drawn: its column, what it is called, its unit, and a value to mark."""

    column: str
    label: str
    unit: str
    target: float | None = None


def sweep_line(
    table: pd.DataFrame,
    axis: Axis,
    shown: Shown,
    *,
    dark: bool = False,
    binary: bool = False,
    titled: bool = True,
) -> go.Figure:
    """A figure along one axis; designs that fail are marked, today's value is a dashed line."""
    frame = Frame(Look(dark=dark, binary=binary, titled=titled))
    places = np.arange(len(table))
    values = table[shown.column].to_numpy(float)
    texts = _hover(table, (axis,), shown, frame.look)
    frame.add(
        "scatter",
        x=places.tolist(),
        y=_known(values),
        mode="lines",
        name=shown.label,
        hoverinfo="text",
        hovertext=texts,
        line={"color": COLOURS["checkpoint"], "width": 4},
    )
    fails = ~table["feasible"].to_numpy(bool) & np.isfinite(values)
    frame.add(
        "scatter",
        x=places[fails].tolist(),
        y=_known(values[fails]),
        mode="markers",
        name="has a blocker",
        hoverinfo="text",
        hovertext=[text for text, failing in zip(texts, fails, strict=True) if failing],
        marker={"symbol": "x", "size": 9, "color": ink(dark=dark)},
    )
    marks, names = axis.ticks(across=True)
    frame.axis(
        "xaxis", tickvals=marks, ticktext=list(map(literal, names)), tickangle=0, title=literal(axis.label)
    )
    _value_axis(frame, values, shown)
    place = axis.place(axis.today)
    if place is not None:
        frame.limit(place, literal(f"today {axis.text(axis.today)}"))
    if shown.target is not None and math.isfinite(shown.target):
        frame.limit(shown.target, f"target {frame.look.text(shown.target, shown.unit)}", axis="y")
    return frame.figure(
        title=_line_title(table, axis, shown, frame.look),
        alt=_alt(table, (axis,), shown, frame.look),
        above=18,
    )


def sweep_map(
    table: pd.DataFrame,
    across: Axis,
    up: Axis,
    shown: Shown,
    *,
    dark: bool = False,
    binary: bool = False,
    titled: bool = True,
) -> go.Figure:
    """A figure over two axes as a heat map: failing designs crossed, the target as a contour, today's as a diamond.

    The table has the second axis changing fastest, as a sweep gives it.
    """
    look = Look(dark=dark, binary=binary, titled=titled)
    frame = Frame(look)
    shape = (len(across.values), len(up.values))
    values = table[shown.column].to_numpy(float).reshape(shape).T
    low, high = _ends(values)
    bar = np.linspace(low, high, 4)
    frame.add(
        "heatmap",
        z=_cells_of(values),
        x=list(range(shape[0])),
        y=list(range(shape[1])),
        zmin=low,
        zmax=high,
        colorscale=SCALE,
        hoverinfo="skip",
        colorbar={
            "title": {"text": shown.label, "side": "bottom"},
            "orientation": "h",
            "yref": "container",
            "y": 0,
            "yanchor": "bottom",
            "xpad": 24,  # half a text, or plotly leaves out the last one
            "thickness": 12,
            "tickvals": bar.tolist(),
            "ticktext": [look.text(float(value), shown.unit) for value in bar],
        },
    )
    fails = ~table["feasible"].to_numpy(bool).reshape(shape).T
    _crosses(frame, fails)
    if shown.target is not None and low < shown.target < high:
        _contour(frame, values, shown, look)
    _cells(frame, table, (across, up), shown, shape)
    _today(frame, across, up)
    for name, axis in (("xaxis", across), ("yaxis", up)):
        marks, names = axis.ticks(across=name == "xaxis")
        frame.axis(
            name,
            tickvals=marks,
            ticktext=list(map(literal, names)),
            tickangle=0,
            title=literal(axis.label),
            showgrid=False,
            zeroline=False,  # the first step is no zero
        )
    frame.layout["showlegend"] = False
    title = _map_title(table, across, up, shown)
    return frame.figure(title=title, alt=_alt(table, (across, up), shown, look), height=470)


def _crosses(frame: Frame, fails: Any) -> None:  # noqa: ANN401 - an array of truths
    """A grey cover over designs that fail: seen without colours, and without drawing every cell."""
    if not fails.any():
        return
    frame.add(
        "heatmap",
        z=[[1.0 if failing else None for failing in row] for row in fails],
        colorscale=[[0, "rgba(120,120,120,0.72)"], [1, "rgba(120,120,120,0.72)"]],
        showscale=False,
        hoverinfo="skip",
        name="has a blocker",
    )


def _contour(frame: Frame, values: Any, shown: Shown, look: Look) -> None:  # noqa: ANN401 - an array
    frame.add(
        "contour",
        z=_cells_of(values),
        autocontour=False,
        contours={
            "coloring": "lines",
            "start": shown.target,
            "end": shown.target,
            "size": 1,
            "showlabels": False,
        },
        colorscale=[[0, ink(dark=look.dark)], [1, ink(dark=look.dark)]],
        line={"width": 4, "dash": "dash"},
        showscale=False,
        hoverinfo="skip",
        name=f"target {look.text(shown.target or 0.0, shown.unit)}",
    )


def _cells(
    frame: Frame, table: pd.DataFrame, axes: tuple[Axis, Axis], shown: Shown, shape: tuple[int, int]
) -> None:
    """Unseen marks over the cells, so that one can be pointed at and chosen."""
    across, up = np.divmod(np.arange(len(table)), shape[1])
    frame.add(
        "scattergl",
        x=across.tolist(),
        y=up.tolist(),
        mode="markers",
        name="designs",
        marker={"size": 10, "opacity": 0.0, "symbol": "square"},
        hoverinfo="text",
        hovertext=_hover(table, axes, shown, frame.look),
    )


def _today(frame: Frame, across: Axis, up: Axis) -> None:
    x, y = across.place(across.today), up.place(up.today)
    if x is None or y is None:
        return
    frame.add(
        "scatter",
        x=[x],
        y=[y],
        mode="markers",
        name="this design",
        hoverinfo="name",
        marker={
            "symbol": "diamond",
            "size": 16,
            "color": "#FFFFFF",
            "line": {"color": "#000000", "width": 3},
        },
        # A chosen cell fades every other mark of the picture, but this one is what all are compared with.
        selected={"marker": {"opacity": 1.0}},
        unselected={"marker": {"opacity": 1.0}},
    )


def _hover(table: pd.DataFrame, axes: Sequence[Axis], shown: Shown, look: Look) -> list[str]:
    columns = [table[axis.path].tolist() for axis in axes]
    blockers = table["blockers"].astype(str).tolist()
    reasons = table["reason"].astype(str).tolist()
    told = []
    for row, value in enumerate(table[shown.column].to_numpy(float)):
        where = ", ".join(
            f"{axis.label} {axis.text(column[row])}" for axis, column in zip(axes, columns, strict=True)
        )
        what = look.text(float(value), shown.unit) if math.isfinite(value) else reasons[row] or "unknown"
        told.append(literal(f"{where}: {what}" + (f"; {blockers[row]}" if blockers[row] else "")))
    return told


def _known(values: Any) -> list[float | None]:  # noqa: ANN401 - an array
    return [float(value) if math.isfinite(value) else None for value in values]


def _cells_of(values: Any) -> list[list[float | None]]:  # noqa: ANN401 - an array
    """Rows of a map; what is not known is left open."""
    return [_known(row) for row in values]


def _ends(values: Any) -> tuple[float, float]:  # noqa: ANN401 - an array
    """Ends of a scale that holds all values, apart from each other even where the values are not."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    return (low, high) if high > low else (low, low + (abs(low) or 1.0))


def _value_axis(frame: Frame, values: Any, shown: Shown) -> None:  # noqa: ANN401 - an array
    low, high = _ends(values)
    margin = 0.06 * (high - low)
    marks = np.linspace(low, high, 4)
    frame.axis(
        "yaxis",
        range=[low - margin, high + margin],
        tickvals=marks.tolist(),
        ticktext=[frame.look.text(float(mark), shown.unit) for mark in marks],
        title=shown.label,
    )


def _line_title(table: pd.DataFrame, axis: Axis, shown: Shown, look: Look) -> str:
    return f"{shown.label} {_spanned(table, shown, look)} along {inside(axis.label)}; {_failing(table)}"


def _spanned(table: pd.DataFrame, shown: Shown, look: Look) -> str:
    """Between what a figure lies over all designs of a sweep, in words."""
    values = table[shown.column].to_numpy(float)
    finite = values[np.isfinite(values)]
    if not finite.size:
        return "cannot be computed"
    low, high = (look.text(float(end), shown.unit) for end in (finite.min(), finite.max()))
    return f"is {low}" if low == high else f"lies between {low} and {high}"


def _map_title(table: pd.DataFrame, across: Axis, up: Axis, shown: Shown) -> str:
    return f"{shown.label} over {inside(across.label)} and {inside(up.label)}: {_failing(table)}"


def _failing(table: pd.DataFrame) -> str:
    """How many designs of a sweep have a blocker, in words."""
    count = int((~table["feasible"].to_numpy(bool)).sum())
    if not count:
        return "no design fails"
    return f"{format_number(count)} of {counted(len(table), 'design')} {'has' if count == 1 else 'have'} a blocker"


def _alt(table: pd.DataFrame, axes: Sequence[Axis], shown: Shown, look: Look) -> str:
    spans = " and ".join(
        f"{axis.label} from {axis.text(axis.values[0])} to {axis.text(axis.values[-1])}" for axis in axes
    )
    return (
        f"{counted(len(table), 'design')} over {spans}. {shown.label} {_spanned(table, shown, look)}. "
        f"{sentence(_failing(table))}."
    )
