"""What lies in each tier against what it may safely hold, its usable and its raw capacity."""

from __future__ import annotations

import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import COLOURS, SHADES, Meaning
from planner.charts.frame import Frame, Look, linear_ticks
from planner.plan import Plan
from planner.sections.tiers import TierPlan

CAPACITIES = ("Raw", "Usable", "Safe")
"""Capacities of a tier from bottom to top; its contents lie above them."""
GAP = 0.36
"""Room between two tiers, for ticks and a name, in heights of a tier's share of the figure."""


def contents_by_meaning(tier: TierPlan) -> dict[Meaning, float]:
    """Bytes of checkpoints and of data in a tier; what is unknown counts as none."""
    sums: dict[Meaning, float] = {"checkpoint": 0.0, "dataset": 0.0}
    for name, item in tier.demand.contents.items():
        meaning: Meaning = (
            "checkpoint" if name.startswith(("checkpoints", "archived checkpoints")) else "dataset"
        )
        sums[meaning] += item.number if item.known else 0.0
    return {meaning: value for meaning, value in sums.items() if value}


def tiers_chart(plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True) -> go.Figure:
    """Contents, safe, usable and raw capacity of each tier, each tier on a scale of its own."""
    frame = Frame(Look(dark=dark, binary=binary, titled=titled))
    count = len(plan.tiers)
    shown: set[str] = set()
    for index, tier in enumerate(plan.tiers):
        axis = str(index + 1) if index else ""
        _capacities(frame, tier, axis)
        _contents(frame, tier, axis, shown)
        unit = f"capacity, {'binary' if binary else 'decimal'} units" if index == count - 1 else ""
        _axes(frame, tier, axis, _band(index, count), unit)
    frame.layout["barmode"] = "stack"
    return frame.figure(
        title=_title(plan, frame.look),
        alt=_alt(plan, frame.look),
        height=190 * count + 30,
        above=16,
    )


def _band(index: int, count: int) -> tuple[float, float]:
    """Lower and upper edge of a tier's axes as fractions of the figure, the first tier on top."""
    gap = GAP / count
    height = (1 - gap * (count - 1)) / count
    bottom = (count - 1 - index) * (height + gap)
    return bottom, bottom + height


def _axes(frame: Frame, tier: TierPlan, axis: str, band: tuple[float, float], title: str) -> None:
    """A scale of the tier's own, and its name above."""
    items = (tier.raw_bytes, tier.usable_bytes, tier.demand.content_bytes)
    top = max((item.number for item in items if item.known), default=1.0)
    values, texts = linear_ticks(top, "bytes", frame.look)
    frame.axis(
        f"xaxis{axis}",
        anchor=f"y{axis}",
        tickvals=values,
        ticktext=texts,
        range=[0, top * 1.25],
        title=title,
    )
    frame.axis(f"yaxis{axis}", anchor=f"x{axis}", domain=list(band), showgrid=False)
    frame.note(
        tier.name,
        x=0.5,
        y=band[1],
        xref="paper",
        yref="paper",
        xanchor="center",
        yanchor="bottom",
        font={"size": 16},
    )


def _capacities(frame: Frame, tier: TierPlan, axis: str) -> None:
    """Three bars of one trace: plotly checks a trace at a time, however many bars it has."""
    items = (tier.raw_bytes, tier.usable_bytes, tier.safe_bytes)
    texts = [item.text(binary=frame.look.binary) for item in items]
    frame.add(
        "bar",
        x=[item.number if item.known else 0.0 for item in items],
        y=list(CAPACITIES),
        orientation="h",
        name="capacity",
        text=texts,
        showlegend=False,
        hovertext=[f"{tier.name}, {level}: {text}" for level, text in zip(CAPACITIES, texts, strict=True)],
        marker={"color": list(SHADES)},
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
    )


def _contents(frame: Frame, tier: TierPlan, axis: str, shown: set[str]) -> None:
    parts = contents_by_meaning(tier)
    words = {"checkpoint": "checkpoints", "dataset": "data"}
    for index, (meaning, value) in enumerate(parts.items()):
        last = index == len(parts) - 1
        frame.add(
            "bar",
            x=[value],
            y=["Contents"],
            orientation="h",
            name=words[meaning],
            legendgroup=meaning,
            text=[tier.demand.content_bytes.text(binary=frame.look.binary) if last else ""],
            showlegend=meaning not in shown,
            hovertext=[f"{tier.name}, {words[meaning]}: {frame.look.text(value, 'bytes')}"],
            marker={"color": COLOURS[meaning]},
            xaxis=f"x{axis}",
            yaxis=f"y{axis}",
        )
        shown.add(meaning)


def _over(tier: TierPlan) -> bool:
    return bool(tier.demand.content_bytes.number > tier.safe_bytes.number * (1 + 1e-9))


def _title(plan: Plan, look: Look) -> str:
    full = [tier.name for tier in plan.tiers if _over(tier)]
    if full:
        return f"The {' and the '.join(full)} must hold more than is safe"
    hot = plan.hot
    contents, safe = (
        hot.demand.content_bytes.text(binary=look.binary),
        hot.safe_bytes.text(binary=look.binary),
    )
    return f"Every tier holds its contents: {contents} on the hot tier, where {safe} is safe"


def _alt(plan: Plan, look: Look) -> str:
    def one(tier: TierPlan) -> str:
        """The bars of one tier in a sentence."""
        figures = (tier.demand.content_bytes, tier.safe_bytes, tier.usable_bytes, tier.raw_bytes)
        contents, safe, usable, raw = (item.text(binary=look.binary) for item in figures)
        return f"{tier.name}: contents {contents}, safe {safe}, usable {usable}, raw {raw}."

    return "Bars of capacity for each tier. " + " ".join(one(tier) for tier in plan.tiers)
