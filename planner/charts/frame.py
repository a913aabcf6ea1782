"""What all charts share: ticks in people's units, the finding as title, the text alternative, the look."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import grid, ink
from planner.core.units import UNITS, format_value

TITLE_WIDTH = 46
"""Characters of a title's line: what fits a screen of 390 pixels."""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TIMES = (1e-3, 1e-2, 0.1, 1.0, 3.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0, 43_200.0, 86_400.0, 604_800.0)


@dataclass(frozen=True, slots=True)
class Look:
    """How a reader wants figures shown.

    Attributes:
        dark: The ground is dark.
        binary: Sizes in GiB and TiB.
    """

    dark: bool = False
    binary: bool = False

    def text(self, value: float, unit: str) -> str:
        """A value with its unit, as it is printed everywhere."""
        return format_value(value, unit, binary=self.binary)

    @property
    def outline(self) -> dict[str, Any]:
        """Outline of a bar, so that light colours stand off the ground."""
        return {"color": ink(dark=self.dark), "width": 1}


def linear_ticks(top: float, unit: str, look: Look, *, count: int = 4) -> tuple[list[float], list[str]]:
    """Round tick values from 0 to `top` in the scale that people read, and their texts.

    Args:
        top: Largest value to show, in the planner's unit; anything that is not above 0 counts as 1.
        unit: Key of the unit.
        look: Scale and ground.
        count: Intervals to aim for.
    """
    top = top if math.isfinite(top) and top > 0 else 1.0
    known = UNITS[unit]
    scales = known.binary_scales if look.binary and known.binary_scales else known.scales
    factor = max((f for f, _ in scales if f <= top), default=scales[0][0])
    raw = top / factor / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = factor * power * next(s for s in _STEPS if s * power >= raw * (1 - 1e-9))
    values = [step * index for index in range(math.floor(top / step * (1 + 1e-9)) + 1)]
    return values, [look.text(value, unit) for value in values]


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
    marks = _TIMES if unit == "s" else tuple(10.0**power for power in range(-3, 16))
    gap = (math.log10(high) - math.log10(low)) / most
    values: list[float] = []
    for value in marks:
        if low <= value <= high and (not values or math.log10(value / values[-1]) >= gap):
            values.append(value)
    return values, [look.text(value, unit) for value in values]


def framed(
    figure: go.Figure, *, title: str, alt: str, look: Look, height: int = 360, above: int = 0
) -> go.Figure:
    """The figure with its finding as title, the common look and the text alternative.

    Args:
        figure: Figure with its traces.
        title: The finding, one sentence; broken into lines here.
        alt: What the figure shows, for readers who cannot see it; kept in `layout.meta["alt"]`.
        look: Scale and ground.
        height: Height in pixels without the title.
        above: Pixels between the title and the axes, for labels that stand there.
    """
    lines = textwrap.wrap(title, TITLE_WIDTH, break_on_hyphens=False) or [""]
    top = 20 * len(lines) + 22 + above
    # plotly places a title of several lines higher than one of a single line
    start = 10 if len(lines) == 1 else 24
    figure.update_layout(
        template=go.layout.Template(),
        title={
            "text": "<br>".join(lines),
            "font": {"size": 15},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 1 - start / (height + top),
            "yref": "container",
            "yanchor": "top",
            "pad": {"l": 8},
        },
        meta={"alt": alt},
        height=height + top,
        margin={"l": 8, "r": 16, "t": top, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": ink(dark=look.dark), "size": 13, "family": "Source Sans Pro, DejaVu Sans, sans-serif"},
        legend={"orientation": "h", "y": -78 / height, "yanchor": "top", "x": 0},
        hoverlabel={"namelength": -1},
        bargap=0.3,
    )
    colours = {
        "gridcolor": grid(dark=look.dark),
        "zerolinecolor": ink(dark=look.dark),
        "linecolor": ink(dark=look.dark),
    }
    figure.update_xaxes(automargin=True, fixedrange=True, title_standoff=8, **colours)
    figure.update_yaxes(automargin=True, fixedrange=True, **colours)
    return figure


def unknown_figure(title: str, *, look: Look) -> go.Figure:
    """A figure that says that there is nothing to draw, and why."""
    figure = go.Figure()
    figure.add_annotation(text="unknown", showarrow=False, x=0.5, y=0.5, xref="paper", yref="paper")
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return framed(figure, title=title, alt=title, look=look, height=120)


def limit_line(figure: go.Figure, value: float, text: str, look: Look, *, axis: str = "x") -> None:
    """A dashed line at a limit with its text beside it; not drawn where the limit is unknown."""
    if not math.isfinite(value):
        return
    at = math.log10(value) if axis == "x" and figure.layout.xaxis.type == "log" else value
    line = {"color": ink(dark=look.dark), "dash": "dash", "width": 2}
    if axis == "x":
        figure.add_shape(type="line", x0=value, x1=value, y0=0, y1=1, yref="paper", line=line)
        figure.add_annotation(x=at, y=1, yref="paper", text=text, showarrow=False, yanchor="bottom")
    else:
        figure.add_shape(type="line", y0=value, y1=value, x0=0, x1=1, xref="paper", line=line)
        figure.add_annotation(
            x=0, y=value, xref="paper", text=text, showarrow=False, xanchor="left", yanchor="bottom"
        )
