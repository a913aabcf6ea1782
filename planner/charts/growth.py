"""Growth as lines: how much of each limit is used, year by year, with what is built and added."""

from __future__ import annotations

import math

import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import COLOURS
from planner.charts.frame import Frame, Look, linear_ticks, literal
from planner.core.units import counted, format_value
from planner.explore.growth import Growth

MOST_LINES = 6
"""Limits that are drawn: the ones that come nearest."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MOST_SHOWN = 3.0
"""A limit that is passed by more than this is drawn at this height."""


def growth_figure(
    found: Growth, *, dark: bool = False, binary: bool = False, titled: bool = True
) -> go.Figure:
    """Share of each limit that is used in each year, before that year's expansion."""
    frame = Frame(Look(dark=dark, binary=binary, titled=titled))
    lines = _lines(found)
    colours = list(COLOURS.values())
    for place, (name, shares) in enumerate(lines.items()):
        frame.add(
            "scatter",
            x=list(shares),
            y=[min(share, MOST_SHOWN) for share in shares.values()],
            mode="lines+markers",
            name=literal(name),
            hoverinfo="text",
            hovertext=[
                f"{literal(name)}, {_year(year)}: {format_value(share, 'fraction')}"
                for year, share in shares.items()
            ],
            line={"color": colours[place], "dash": DASHES[place], "width": 3},
        )
    last = max((year.number for year in found.years), default=0)
    top = max((min(v, MOST_SHOWN) for shares in lines.values() for v in shares.values()), default=1.0)
    step = max(1, math.ceil(last / 6))
    years = list(range(0, last + 1, step))
    frame.axis(
        "xaxis", title="Years from today", tickvals=years, ticktext=[f"{year}" for year in years], tickangle=0
    )
    marks, texts = linear_ticks(max(top, 1.0), "fraction", frame.look)
    frame.axis(
        "yaxis", title="Share of the limit", tickvals=marks, ticktext=texts, range=[0, max(top, 1.0) * 1.1]
    )
    frame.limit(1.0, "limit", axis="y")
    title = _title(found)
    return frame.figure(title=title, alt=f"Share of each limit by year. {title}", above=4)


def _lines(found: Growth) -> dict[str, dict[int, float]]:
    """The limits that come nearest, each with its share in every year."""
    shares: dict[str, dict[int, float]] = {}
    for year in found.years:
        for gauge in year.gauges:
            if math.isfinite(gauge.used_fraction):
                shares.setdefault(gauge.check.name, {})[year.number] = gauge.used_fraction
    nearest = sorted(shares, key=lambda name: -max(shares[name].values()))[:MOST_LINES]
    return {name: shares[name] for name in shares if name in nearest}


def _year(number: int) -> str:
    return "today" if number == 0 else f"year {number}"


def _title(found: Growth) -> str:
    if not found.first:
        return f"No limit is passed within {counted(found.demand.years, 'year')}"
    number, finding = min(found.first.values(), key=lambda pair: pair[0])
    steps_text = counted(sum(year.expansion is not None for year in found.years), "expansion")
    when = "today" if number == 0 else f"in year {number}"
    return f"The first limit is passed {when}: {found.limit(finding)}; {steps_text} in all"
