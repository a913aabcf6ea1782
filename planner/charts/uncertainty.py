"""Pictures of what is not known: a tornado of the inputs, and how a result spreads over all draws."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import COLOURS, PATTERNS, ink
from planner.charts.frame import Frame, Look, unknown_figure
from planner.core.units import format_number
from planner.explore.outcomes import inside
from planner.explore.sensitivity import Bar, Tornado
from planner.explore.uncertainty import Study
from planner.explore.verdicts import PERCENTILES, Band

MOST_BARS = 8
"""Bars of a tornado; the further ones hardly move the result."""
_POINTS = 201
_LABEL_WIDTH = 18
_TITLE_WIDTH = 26
_ROW_PX = 44
_SHADES = (COLOURS["checkpoint"], COLOURS["money"])
_DASHES = ("solid", "dash")


def tornado_chart(
    found: Tornado, *, dark: bool = False, binary: bool = False, titled: bool = True
) -> go.Figure:
    """Bars from the result at the low end of each input to that at its high end, the widest on top.

    Args:
        found: The tornado.
        dark: The ground is dark.
        binary: Sizes in GiB and TiB.
        titled: The finding stands in the figure.
    """
    look = Look(dark=dark, binary=binary, titled=titled)
    bars = [bar for bar in found.bars if bar.swing.known and bar.swing.number > 0][:MOST_BARS]
    if not bars or not found.today.known:
        return unknown_figure(f"No uncertain input moves {inside(found.label)} in its range", look=look)
    frame = Frame(look)
    today, unit = found.today.number, found.today.unit
    labels = ["<br>".join(textwrap.wrap(bar.range.label, _LABEL_WIDTH)) for bar in bars]
    for place, name in enumerate(("low end", "high end")):
        ends = [(bar.low, bar.high)[place].number for bar in bars]
        frame.add(
            "bar",
            orientation="h",
            x=[end - today for end in ends],
            base=today,
            y=list(range(len(bars))),
            name=f"input at its {name}",
            offsetgroup="all",
            width=0.6,
            hovertext=[_hover(bar, place, look) for bar in bars],
            marker={
                "color": _SHADES[place],
                "pattern": {"shape": PATTERNS[place]},
                "line": {"color": ink(dark=dark), "width": 1},
            },
        )
    numbers = [end.number for bar in bars for end in (bar.low, bar.high)]
    low, high = min(*numbers, today), max(*numbers, today)
    room = 0.04 * (high - low)
    marks = np.linspace(low, high, 3)
    frame.axis(
        "xaxis",
        range=[low - room, high + room],
        tickvals=marks.tolist(),
        ticktext=[look.text(float(mark), unit) for mark in marks],
        title=_wrapped(found.label),
    )
    frame.axis(
        "yaxis",
        tickvals=list(range(len(bars))),
        ticktext=labels,
        range=[len(bars) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    frame.layout["barmode"] = "overlay"
    frame.limit(today, f"today {look.text(today, unit)}")
    height = 110 + _ROW_PX * len(bars)
    return frame.figure(
        title=_title(bars[0], found, look), alt=_alt(found, bars, look), height=height, above=18
    )


def _wrapped(label: str) -> str:
    """A label in lines that fit the narrowest screen."""
    return "<br>".join(textwrap.wrap(label, _TITLE_WIDTH))


def _hover(bar: Bar, place: int, look: Look) -> str:
    item, end = bar.range, (bar.low, bar.high)[place]
    value = (item.low, item.high)[place]
    return f"{item.label} {item.text(value)}: {look.text(end.number, end.unit)}"


def _title(bar: Bar, found: Tornado, look: Look) -> str:
    low, high = (look.text(end.number, end.unit) for end in (bar.low, bar.high))
    return f"{found.label}, the widest swing: {low} to {high} by {inside(bar.range.label)}"


def _alt(found: Tornado, bars: list[Bar], look: Look) -> str:
    told = "; ".join(
        f"{bar.range.label} {bar.range.span}: "
        f"{look.text(bar.low.number, bar.low.unit)} to {look.text(bar.high.number, bar.high.unit)}"
        for bar in bars
    )
    today = look.text(found.today.number, found.today.unit)
    return f"{found.label} is {today} as the design stands. Each input alone moves it: {told}."


@dataclass(frozen=True, slots=True)
class Spread:
    """One design whose result is drawn.

    Attributes:
        name: What it is called: "A".
        study: Its draws.
        band: Its result.
    """

    name: str
    study: Study
    band: Band


def spread_chart(
    spreads: Sequence[Spread], *, dark: bool = False, binary: bool = False, titled: bool = True
) -> go.Figure:
    """The share of the draws in which a result is at most so much, with P10, P50 and P90.

    Args:
        spreads: The design, or two on the same draws.
        dark: The ground is dark.
        binary: Sizes in GiB and TiB.
        titled: The finding stands in the figure.
    """
    look = Look(dark=dark, binary=binary, titled=titled)
    frame = Frame(look)
    known = [(item, _known(item)) for item in spreads]
    known = [(item, values) for item, values in known if values.size]
    first = spreads[0].band
    if not known:
        return unknown_figure(f"{first.label} cannot be computed in any draw", look=look)
    unit = first.today.unit
    shares = np.linspace(0.0, 1.0, _POINTS)
    for place, (item, values) in enumerate(known):
        at = np.quantile(values, shares)
        look_line = {"color": _SHADES[place % 2], "width": 4, "dash": _DASHES[place % 2]}
        frame.add(
            "scatter",
            x=at.tolist(),
            y=shares.tolist(),
            mode="lines",
            name=item.name,
            line=look_line,
            hoverinfo="text",
            hovertext=[
                f"{item.name}: at most {look.text(float(value), unit)} in {share:.0%} of the draws"
                for value, share in zip(at, shares, strict=True)
            ],
        )
        frame.add(
            "scatter",
            x=[item.band.p10.number, item.band.p50.number, item.band.p90.number],
            y=[name / 100 for name in PERCENTILES],
            mode="markers",
            name=f"{item.name}: P10, P50, P90",
            marker={"size": 12, "symbol": ("circle", "square")[place % 2], "color": ink(dark=dark)},
            hoverinfo="x+name",
            showlegend=len(known) == 1,
        )
    low = min(float(np.min(values)) for _, values in known)
    high = max(float(np.max(values)) for _, values in known)
    today = first.today.number
    if math.isfinite(today):
        low, high = min(low, today), max(high, today)
    room = 0.04 * (high - low) or abs(high) * 0.05 or 1.0
    marks = np.linspace(low, high, 3)
    frame.axis(
        "xaxis",
        range=[low - room, high + room],
        tickvals=marks.tolist(),
        ticktext=[look.text(float(mark), unit) for mark in marks],
        title=_wrapped(first.label),
    )
    levels = (0.0, 0.1, 0.5, 0.9, 1.0)
    frame.axis(
        "yaxis",
        range=[-0.03, 1.03],
        tickvals=list(levels),
        ticktext=["0 %", "P10", "P50", "P90", "100 %"],
        title="Share of draws at or below",
    )
    frame.limit(today, f"today {look.text(today, unit)}")
    return frame.figure(title=_spread_title(known, look), alt=_spread_alt(known, look), above=18)


def _known(item: Spread) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    values = item.study.values(item.band.column)
    return values[np.isfinite(values)]


def _told(item: Band, look: Look) -> str:
    return (
        f"{look.text(item.p10.number, item.p10.unit)} to {look.text(item.p90.number, item.p90.unit)}, "
        f"median {look.text(item.p50.number, item.p50.unit)}"
    )


def _spread_title(known: Sequence[tuple[Spread, object]], look: Look) -> str:
    bands = [(item.name, item.band) for item, _ in known]
    label = bands[0][1].label
    if len(bands) == 1:
        return f"{label} lies between P10 and P90 at {_told(bands[0][1], look)}"
    return f"{label}: " + "; ".join(f"{name} {_told(item, look)}" for name, item in bands)


def _spread_alt(known: Sequence[tuple[Spread, object]], look: Look) -> str:
    parts = []
    for item, _ in known:
        today = look.text(item.band.today.number, item.band.today.unit)
        count = format_number(item.study.count, None)
        parts.append(
            f"{item.name}: P10 to P90 {_told(item.band, look)}, as the design stands {today}, over {count} draws"
        )
    return f"Cumulative share of draws over {inside(known[0][0].band.label)}. {'. '.join(parts)}."
