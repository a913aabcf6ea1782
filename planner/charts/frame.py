"""What all charts share: ticks in people's units, the finding as title, the text alternative, the look.

A chart collects plain dicts in a `Frame`, and plotly sees them once, at the end: adding traces and
updating the layout of a figure one by one takes plotly four times as long.
"""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import grid, ink
from planner.core import ticks
from planner.core.units import format_value

TITLE_WIDTH = 46
"""Characters of a title's line: what fits a screen of 390 pixels."""
UNTITLED_TOP_PX = 12
"""Room above the axes of a figure without title: the upper half of the topmost tick's text."""
_AXIS_PX, _LETTER_PX, _GAP_PX = 270, 7, 10
"""Length of an axis along the bottom on a screen of 390 pixels, and what a letter and the gap to the next text take."""
_PICTURE_PX = 334
"""Width of a picture on that screen without its margins: names beside bars, the bars, and the texts behind them."""
FONT = "Source Sans Pro, DejaVu Sans, sans-serif"


@dataclass(frozen=True, slots=True)
class Look:
    """How a reader wants figures shown.

    Attributes:
        dark: The ground is dark.
        binary: Sizes in GiB and TiB.
        titled: The finding stands in the figure as its title; else the page says it.
    """

    dark: bool = False
    binary: bool = False
    titled: bool = True

    def text(self, value: float, unit: str) -> str:
        """A value with its unit, as it is printed everywhere."""
        return format_value(value, unit, binary=self.binary)


def linear_ticks(top: float, unit: str, look: Look, *, count: int = 4) -> tuple[list[float], list[str]]:
    """Round tick values from 0 to `top` in the scale that people read, and their texts.

    Args:
        top: Largest value to show, in the planner's unit; anything that is not above 0 counts as 1.
        unit: Key of the unit.
        look: Scale and ground.
        count: Intervals to aim for.
    """
    values = ticks.linear_ticks(top, unit, count=count, binary=look.binary)
    return values, [look.text(value, unit) for value in values]


def fitting(values: Sequence[float], texts: Sequence[str]) -> tuple[list[float], list[str]]:
    """Ticks along the bottom whose texts do not touch on the narrowest screen: every one, or every second, or fewer.

    Args:
        values: Where they stand, at about equal distances.
        texts: What they say.
    """
    step = max(1, math.ceil(len(texts) / room(texts)))
    return list(values[::step]), list(texts[::step])


def room(texts: Sequence[str]) -> int:
    """How many of the texts stand beside each other along the bottom on the narrowest screen; 2 at least."""
    each = max((len(text) for text in texts), default=1) * _LETTER_PX + _GAP_PX
    return max(2, _AXIS_PX // each)


def bar_end(values: Sequence[float], texts: Sequence[str], names: Sequence[str]) -> float:
    """Where the axis of lying bars ends, so that the picture cuts no text behind a bar on the narrowest screen.

    Args:
        values: Lengths of the bars.
        texts: What stands behind each.
        names: What stands beside the axis.
    """
    axis_px = max(_PICTURE_PX - max(map(len, names), default=0) * _LETTER_PX, _PICTURE_PX // 3)
    rests = [axis_px - len(text) * _LETTER_PX for text in texts]
    return max(value * axis_px / max(rest, 1) for value, rest in zip(values, rests, strict=True))


def log_ticks(
    low: float, high: float, unit: str, look: Look, *, most: int = 5
) -> tuple[list[float], list[str]]:
    """Ticks of a logarithmic axis: times that people name, or powers of ten.

    Args:
        low: Start of the axis, above 0.
        high: End of the axis.
        unit: Key of the unit.
        look: Scale and ground.
        most: Ticks that fit; nearer ones are left out.
    """
    values = ticks.log_ticks(low, high, unit, most=most)
    return values, [look.text(value, unit) for value in values]


@dataclass(slots=True)
class Frame:
    """A figure in the making.

    Attributes:
        look: Scale, ground and title.
        data: Traces, first drawn first.
        layout: What differs from the common layout, and the axes.
        shapes: Lines at limits.
        annotations: Texts at places of the figure.
    """

    look: Look
    data: list[dict[str, Any]] = field(default_factory=list)
    layout: dict[str, Any] = field(default_factory=dict)
    shapes: list[dict[str, Any]] = field(default_factory=list)
    annotations: list[dict[str, Any]] = field(default_factory=list)

    def add(self, kind: str, **properties: Any) -> None:  # noqa: ANN401 -- plotly's own vocabulary
        """Add a trace: its type and its properties; what all bars share is in the template."""
        self.data.append({"type": kind, **properties})

    def axis(self, name: str, *, title: str = "", **properties: Any) -> None:  # noqa: ANN401
        """Set an axis ("xaxis", "yaxis2", …) with the common look."""
        colour = ink(dark=self.look.dark)
        axis = {
            "automargin": True,
            "fixedrange": True,
            "gridcolor": grid(dark=self.look.dark),
            "zerolinecolor": colour,
            "linecolor": colour,
            **properties,
        }
        if title:
            axis["title"] = {"text": title, "standoff": 8} if name.startswith("x") else {"text": title}
        self.layout[name] = axis

    def log_axis(self, low: float, high: float, unit: str, title: str) -> None:
        """Set the axis along the bottom as a logarithmic one, with ticks that people name.

        Args:
            low: Its start, above 0, in the planner's unit.
            high: Its end.
            unit: Key of the unit.
            title: What it shows.
        """
        values, texts = log_ticks(low, high, unit, self.look)
        self.axis(
            "xaxis",
            type="log",
            range=[math.log10(low), math.log10(high)],
            tickvals=values,
            ticktext=texts,
            tickangle=0,
            title=title,
        )

    def note(self, text: str, **place: Any) -> None:  # noqa: ANN401
        """Write a text without an arrow at a place of the figure."""
        self.annotations.append({"text": text, "showarrow": False, **place})

    def limit(self, value: float, text: str, *, axis: str = "x", end: bool = False) -> None:
        """A dashed line at a limit with its text beside it; not drawn where the limit is unknown.

        The axis has to be set before: on a logarithmic one plotly places texts by the logarithm.

        Args:
            value: The limit.
            text: What it is.
            axis: The axis that it is a value of.
            end: The text stands at the right end of a level line, not at the left one.
        """
        if not math.isfinite(value):
            return
        line = {"color": ink(dark=self.look.dark), "dash": "dash", "width": 2}
        if axis == "x":
            at = math.log10(value) if self.layout["xaxis"].get("type") == "log" else value
            self.shapes.append(
                {"type": "line", "x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "paper", "line": line}
            )
            self.note(text, x=at, y=1, yref="paper", yanchor="bottom")
        else:
            self.shapes.append(
                {"type": "line", "y0": value, "y1": value, "x0": 0, "x1": 1, "xref": "paper", "line": line}
            )
            side = {"x": 1, "xanchor": "right"} if end else {"x": 0, "xanchor": "left"}
            self.note(text, y=value, xref="paper", yanchor="bottom", **side)

    def figure(self, *, title: str, alt: str, height: int = 360, above: int = 0) -> go.Figure:
        """The figure, with its finding and its text alternative.

        Args:
            title: The finding, one sentence; the figure's title, broken into lines here, if the look
                is titled; always kept as it is in `layout.meta["title"]`.
            alt: What the figure shows, for readers who cannot see it; kept in `layout.meta["alt"]`.
            height: Height in pixels without the title.
            above: Pixels between the title and the axes, for labels that stand there.
        """
        lines = textwrap.wrap(title, TITLE_WIDTH, break_on_hyphens=False) if self.look.titled else []
        top = (20 * len(lines) + 22 if lines else UNTITLED_TOP_PX) + above
        layout = {
            "template": {"data": {"bar": [_bar(self.look)]}},
            "meta": {"title": title, "alt": alt},
            "height": height + top,
            "margin": {"l": 8, "r": 16, "t": top, "b": 8},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": ink(dark=self.look.dark), "size": 13, "family": FONT},
            "legend": {
                "orientation": "h",
                "x": 0,
                # At the foot of the figure plotly makes room for it under the axis title, however many lines both take.
                "yref": "container",
                "y": 0,
                "yanchor": "bottom",
            },
            "hoverlabel": {"namelength": -1},
            "bargap": 0.3,
            "shapes": self.shapes,
            "annotations": self.annotations,
            **self.layout,
        }
        if lines:
            layout["title"] = _title(lines, height + top)
        # Plotly's own check of every property takes three quarters of the time of a chart and says the same
        # each time: tests/charts makes it, for every chart of every template.
        return go.Figure(data=self.data, layout=layout, _validate=False)


def literal(text: str) -> str:
    """A text that somebody gave, as plotly draws it letter by letter: it reads what looks like markup as markup."""
    return html.escape(text, quote=False)


def _title(lines: list[str], height: int) -> dict[str, Any]:
    # plotly places a title of several lines higher than one of a single line
    start = 10 if len(lines) == 1 else 24
    return {
        "text": "<br>".join(map(literal, lines)),
        "font": {"size": 15},
        "x": 0,
        "xref": "container",
        "xanchor": "left",
        "y": 1 - start / height,
        "yref": "container",
        "yanchor": "top",
        "pad": {"l": 8},
    }


def _bar(look: Look) -> dict[str, Any]:
    """What all bars share; the outline lets light colours stand off the ground.

    Made anew for each figure: plotly takes dicts apart while it reads them, which another thread would see.
    """
    return {
        "cliponaxis": False,
        "hoverinfo": "text",
        "textposition": "outside",
        "marker": {"line": {"color": ink(dark=look.dark), "width": 1}},
    }


def unknown_figure(title: str, *, look: Look) -> go.Figure:
    """A figure that says that there is nothing to draw, and why."""
    frame = Frame(look)
    frame.note("unknown", x=0.5, y=0.5, xref="paper", yref="paper")
    frame.axis("xaxis", visible=False)
    frame.axis("yaxis", visible=False)
    return frame.figure(title=title, alt=title, height=120)
