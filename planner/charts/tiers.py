"""What lies in each tier against what it may safely hold, its usable and its raw capacity."""

from __future__ import annotations

import plotly.graph_objects as go  # type: ignore[import-untyped]
from plotly.subplots import make_subplots  # type: ignore[import-untyped]

from planner.charts.colours import COLOURS, SHADES, Meaning
from planner.charts.frame import Look, framed, linear_ticks
from planner.plan import Plan
from planner.sections.tiers import TierPlan

LEVELS = ("Raw", "Usable", "Safe", "Contents")
"""Bars of a tier from bottom to top."""


def contents_by_meaning(tier: TierPlan) -> dict[Meaning, float]:
    """Bytes of checkpoints and of data in a tier; what is unknown counts as none."""
    sums: dict[Meaning, float] = {"checkpoint": 0.0, "dataset": 0.0}
    for name, item in tier.demand.contents.items():
        meaning: Meaning = (
            "checkpoint" if name.startswith(("checkpoints", "archived checkpoints")) else "dataset"
        )
        sums[meaning] += item.number if item.known else 0.0
    return {meaning: value for meaning, value in sums.items() if value}


def tiers_chart(plan: Plan, *, dark: bool = False, binary: bool = False) -> go.Figure:
    """Contents, safe, usable and raw capacity of each tier, each tier on a scale of its own."""
    look = Look(dark=dark, binary=binary)
    names = [tier.name for tier in plan.tiers]
    figure = make_subplots(rows=len(names), cols=1, subplot_titles=names, vertical_spacing=0.36 / len(names))
    shown: set[str] = set()
    for row, tier in enumerate(plan.tiers, start=1):
        _capacities(figure, tier, row, look)
        _contents(figure, tier, row, look, shown)
        top = max((v for v in (tier.raw_bytes.number, tier.usable_bytes.number) if v == v), default=1.0)  # noqa: PLR0124
        values, texts = linear_ticks(max(top, tier.demand.content_bytes.number), "bytes", look)
        figure.update_xaxes(tickvals=values, ticktext=texts, range=[0, top * 1.25], row=row, col=1)
    figure.update_layout(barmode="stack")
    framed(
        figure,
        title=_title(plan, look),
        alt=_alt(plan, look),
        look=look,
        height=190 * len(names) + 30,
        above=16,
    )
    figure.update_xaxes(
        title_text=f"capacity, {'binary' if binary else 'decimal'} units", row=len(names), col=1
    )
    figure.update_yaxes(showgrid=False)
    figure.update_layout(legend_y=-0.11)
    return figure


def _capacities(figure: go.Figure, tier: TierPlan, row: int, look: Look) -> None:
    for level, item, shade in zip(
        LEVELS, (tier.raw_bytes, tier.usable_bytes, tier.safe_bytes), SHADES, strict=False
    ):
        text = item.text(binary=look.binary)
        figure.add_bar(
            x=[item.number if item.known else 0.0],
            y=[level],
            orientation="h",
            text=[text],
            name=level,
            textposition="outside",
            cliponaxis=False,
            showlegend=False,
            hovertext=[f"{tier.name}, {level}: {text}"],
            hoverinfo="text",
            marker={"color": shade, "line": look.outline},
            row=row,
            col=1,
        )


def _contents(figure: go.Figure, tier: TierPlan, row: int, look: Look, shown: set[str]) -> None:
    parts = contents_by_meaning(tier)
    words = {"checkpoint": "checkpoints", "dataset": "data"}
    for index, (meaning, value) in enumerate(parts.items()):
        last = index == len(parts) - 1
        figure.add_bar(
            x=[value],
            y=["Contents"],
            orientation="h",
            name=words[meaning],
            legendgroup=meaning,
            text=[tier.demand.content_bytes.text(binary=look.binary) if last else ""],
            textposition="outside",
            cliponaxis=False,
            showlegend=meaning not in shown,
            hoverinfo="text",
            hovertext=[f"{tier.name}, {words[meaning]}: {look.text(value, 'bytes')}"],
            marker={"color": COLOURS[meaning], "line": look.outline},
            row=row,
            col=1,
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
        figures = (tier.demand.content_bytes, tier.safe_bytes, tier.usable_bytes, tier.raw_bytes)
        contents, safe, usable, raw = (item.text(binary=look.binary) for item in figures)
        return f"{tier.name}: contents {contents}, safe {safe}, usable {usable}, raw {raw}."

    return "Bars of capacity for each tier. " + " ".join(one(tier) for tier in plan.tiers)
