"""Pictures of what is not known: a tornado of the inputs, and how a result spreads over all draws."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]
from numpy.typing import NDArray

from planner.charts.colours import COLOURS, PATTERNS, ink
from planner.charts.frame import Frame, Look, literal, unknown_figure
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
"""Letters of a line of an axis title: what fits the narrowest screen."""
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
    if not found.today.known:
        return unknown_figure(f"{found.label} of this design is unknown", look=look)
    if not bars:
        return unknown_figure(f"No uncertain input moves {inside(found.label)} in its range", look=look)
    frame = Frame(look)
    today, unit = found.today.number, found.today.unit
    labels = ["<br>".join(map(literal, textwrap.wrap(bar.range.label, _LABEL_WIDTH))) for bar in bars]
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
    _result_axis(frame, found.label, unit, (low, high), 0.04 * (high - low))
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


def _hover(bar: Bar, place: int, look: Look) -> str:
    item, end = bar.range, (bar.low, bar.high)[place]
    value = (item.low, item.high)[place]
    return f"{literal(f'{item.label} {item.text(value)}')}: {look.text(end.number, end.unit)}"


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
    for place, (item, values) in enumerate(known):
        _share_curve(frame, item, values, place)
        _percentiles(frame, item, place, named=len(known) == 1)
    today = first.today.number
    ends = [float(end(values)) for _, values in known for end in (np.min, np.max)]
    ends += [today] if math.isfinite(today) else []
    low, high = min(ends), max(ends)
    room = 0.04 * (high - low) or abs(high) * 0.05 or 1.0
    _result_axis(frame, first.label, first.today.unit, (low, high), room)
    frame.axis(
        "yaxis",
        range=[-0.03, 1.03],
        tickvals=[0.0, *(percent / 100 for percent in PERCENTILES), 1.0],
        ticktext=["0 %", *(f"P{percent}" for percent in PERCENTILES), "100 %"],
        title="Share of draws at or below",
    )
    frame.limit(today, f"today {look.text(today, first.today.unit)}")
    return frame.figure(title=_spread_title(known, look), alt=_spread_alt(known, look), above=18)


def _share_curve(frame: Frame, item: Spread, values: NDArray[np.float64], place: int) -> None:
    """The share of the draws that come to at most a value, over the value."""
    shares = np.linspace(0.0, 1.0, _POINTS)
    at, unit = np.quantile(values, shares), item.band.today.unit
    frame.add(
        "scatter",
        x=at.tolist(),
        y=shares.tolist(),
        mode="lines",
        name=literal(item.name),
        line={"color": _SHADES[place % 2], "width": 4, "dash": _DASHES[place % 2]},
        hoverinfo="text",
        hovertext=[
            f"{literal(item.name)}: at most {frame.look.text(float(value), unit)} in "
            f"{frame.look.text(float(share), 'fraction')} of the draws"
            for value, share in zip(at, shares, strict=True)
        ],
    )


def _percentiles(frame: Frame, item: Spread, place: int, *, named: bool) -> None:
    """P10, P50 and P90 as marks on the curve; named in the legend where there is one curve."""
    found = (item.band.p10, item.band.p50, item.band.p90)
    frame.add(
        "scatter",
        x=[value.number for value in found],
        y=[percent / 100 for percent in PERCENTILES],
        mode="markers",
        name=f"{literal(item.name)}: P10, P50, P90",
        marker={"size": 12, "symbol": ("circle", "square")[place % 2], "color": ink(dark=frame.look.dark)},
        hoverinfo="text",
        hovertext=[
            f"{literal(item.name)}, P{percent}: {frame.look.text(value.number, value.unit)}"
            for percent, value in zip(PERCENTILES, found, strict=True)
        ],
        showlegend=named,
    )


def _result_axis(frame: Frame, label: str, unit: str, ends: tuple[float, float], room: float) -> None:
    """The values of a result along the bottom, marked at both ends and in the middle."""
    low, high = ends
    marks = np.linspace(low, high, 3)
    frame.axis(
        "xaxis",
        range=[low - room, high + room],
        tickvals=marks.tolist(),
        ticktext=[frame.look.text(float(mark), unit) for mark in marks],
        title="<br>".join(map(literal, textwrap.wrap(label, _TITLE_WIDTH))),
    )


def _known(item: Spread) -> NDArray[np.float64]:
    """The draws in which the result can be computed."""
    values: NDArray[np.float64] = item.study.values(item.band.column)
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
