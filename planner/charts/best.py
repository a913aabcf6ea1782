"""Pictures of a search: the front over two objectives, with the optimum and today's design marked."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import COLOURS, ink
from planner.charts.frame import Frame, Look, fitting, literal
from planner.core.units import counted
from planner.explore.best import Best, Entry
from planner.explore.ranking import Measure

ROOM = 0.08
"""Space around the outermost designs, as a share of their range."""


def front_figure(
    found: Best, across: str, up: str, *, dark: bool = False, binary: bool = False, titled: bool = True
) -> go.Figure:
    """The front as a scatter over two of its objectives.

    Args:
        found: What a search found.
        across: Name of the objective along the bottom.
        up: Name of the objective up the side.
        dark: The ground is dark.
        binary: Sizes in GiB and TiB.
        titled: The finding stands in the figure as its title.
    """
    frame = Frame(Look(dark=dark, binary=binary, titled=titled))
    measures = {measure.name: measure for measure in found.measures}
    x, y = measures[across], measures[up]
    frame.add(
        "scatter",
        x=[entry.objectives[across].number for entry in found.front],
        y=[entry.objectives[up].number for entry in found.front],
        mode="markers",
        name="on the front",
        hoverinfo="text",
        hovertext=[_hover(found, entry, frame.look) for entry in found.front],
        marker={"size": 12, "color": COLOURS["checkpoint"], "line": {"color": ink(dark=dark), "width": 1}},
    )
    if found.optimum is not None:
        _mark(
            frame,
            found,
            found.optimum,
            (across, up),
            "best by the first objective",
            "star",
            COLOURS["dataset"],
        )
    _mark(frame, found, found.today, (across, up), "this design", "diamond", "#FFFFFF")
    for name, measure in (("xaxis", x), ("yaxis", y)):
        _axis(frame, found, name, measure)
    title = _title(found)
    return frame.figure(title=title, alt=f"{x.label} against {y.label}. {title}", above=6)


def _mark(
    frame: Frame, found: Best, entry: Entry, axes: tuple[str, str], name: str, symbol: str, colour: str
) -> None:
    values = [entry.objectives[axis].number for axis in axes]
    if not all(map(math.isfinite, values)):
        return
    frame.add(
        "scatter",
        x=[values[0]],
        y=[values[1]],
        mode="markers",
        name=name,
        hoverinfo="text",
        hovertext=[f"{name}: {_hover(found, entry, frame.look)}"],
        marker={
            "symbol": symbol,
            "size": 17,
            "color": colour,
            "line": {"color": ink(dark=frame.look.dark), "width": 2},
        },
        selected={"marker": {"opacity": 1.0}},
        unselected={"marker": {"opacity": 1.0}},
    )


def _axis(frame: Frame, found: Best, name: str, measure: Measure) -> None:
    values = [e.objectives[measure.name].number for e in (*found.front, found.today)]
    known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    span = high - low or abs(high) or 1.0
    marks = np.linspace(low, low + span, 4).tolist() if high > low else [low]
    texts = [frame.look.text(mark, measure.unit) for mark in marks]
    if name == "xaxis":
        marks, texts = fitting(marks, texts)
    frame.axis(
        name,
        title=measure.label,
        range=[low - ROOM * span, high + ROOM * span],
        tickvals=marks,
        ticktext=texts,
        tickangle=0,
    )


def _hover(found: Best, entry: Entry, look: Look) -> str:
    figures = ", ".join(
        f"{measure.label} {look.text(entry.objectives[measure.name].number, measure.unit)}"
        for measure in found.measures
    )
    chosen = ", ".join(entry.candidate.labels.values()) if entry.candidate else entry.scenario.name
    return f"{literal(chosen)}<br>{figures}"


def _title(found: Best) -> str:
    if found.optimum is None:
        return "No design of this space keeps all limits"
    leading = found.measures[0]
    return (
        f"{counted(len(found.front), 'design')} that no other one beats in every objective; the least of "
        f"“{leading.label}” is {found.optimum.objectives[leading.name]}"
    )
