"""Power of a rack against its limit, and the range of cost by parts and by the guide's prices."""

from __future__ import annotations

import itertools
import math

import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.bom import cost_by_group
from planner.bom.lines import not_priced
from planner.charts.colours import COLOURS, PATTERNS
from planner.charts.frame import Frame, Look, linear_ticks, log_ticks, unknown_figure
from planner.core.units import format_range
from planner.plan import Plan
from planner.sections.racks import Rack
from planner.sections.rows import fullest, fullest_words, power_checks, watts_in


def rack_power_chart(
    plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True
) -> go.Figure:
    """Typical and maximum power of the fullest rack, kind on kind of machine, against what the site allows."""
    frame = Frame(Look(dark=dark, binary=binary, titled=titled))
    rack, limit = fullest(plan.racks), power_checks(plan.racks)[0].provided
    for (name, watts), pattern in zip(watts_in(rack).items(), itertools.cycle(PATTERNS), strict=False):
        texts = [frame.look.text(value, "W") for value in watts]
        frame.add(
            "bar",
            x=["typical", "maximum"],
            y=list(watts),
            name=name,
            hovertext=[f"{name}, with optics: {text} in the rack" for text in texts],
            marker={"color": COLOURS["power"], "pattern": {"shape": pattern, "solidity": 0.25}},
        )
    top = max(rack.max_w.number, limit.number)
    values, ticks = linear_ticks(top, "W", frame.look)
    bars = {"typical": rack.typical_w, "maximum": rack.max_w}
    # Below the bars: above them a sum would cross the limit that it comes near to.
    frame.axis("xaxis", tickvals=list(bars), ticktext=[f"{name}<br>{item}" for name, item in bars.items()])
    frame.axis("yaxis", range=[0, top * 1.15], tickvals=values, ticktext=ticks, title="power of the rack")
    frame.limit(limit.number, f"limit {limit}", axis="y")
    frame.layout["barmode"] = "stack"
    return frame.figure(title=fullest_words(plan.racks), alt=_power_alt(plan, rack))


def _power_alt(plan: Plan, rack: Rack) -> str:
    parts = "; ".join(
        f"{row.count} × {row.name}: {row.total_typical_w} typical, {row.total_max_w} at most"
        for row in plan.facility.rows
    )
    held = ", ".join(f"{count} × {name}" for name, count in rack.held().items())
    told = fullest_words(plan.racks)
    return f"Stacked bars of the power of {rack.title.lower()}: {held}. {told}. All racks together: {parts}."


def cost_chart(plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True) -> go.Figure:
    """Low to high cost of each group of parts, and of each tier by the guide's prices per TB."""
    look = Look(dark=dark, binary=binary, titled=titled)
    parts, guide = _parts(plan), _guide(plan)
    ends = [end for pair in (*parts.values(), *guide.values()) for end in pair if 0 < end < math.inf]
    if not ends:
        return unknown_figure("Not priced: no line of the bill of materials has a price", look=look)
    frame = Frame(look)
    _ranges(frame, guide, "the guide's prices per TB", "/")
    _ranges(frame, parts, "dated part prices", "")
    low, high = math.log10(min(ends) / 1.3), math.log10(max(ends))
    values, texts = log_ticks(10**low, 10**high * 2, "USD", look)
    frame.axis(
        "xaxis",
        type="log",
        range=[low, high + 0.08 * (high - low)],
        tickvals=values,
        ticktext=texts,
        title="capital cost (log)",
    )
    frame.axis("yaxis", showgrid=False)
    frame.layout["barmode"] = "overlay"
    return frame.figure(
        title=_cost_title(plan),
        alt=_cost_alt(plan, parts, guide),
        height=110 + 48 * (len(parts) + len(guide)),
    )


def _parts(plan: Plan) -> dict[str, tuple[float, float]]:
    parts, cost = cost_by_group(plan.bom), plan.cost
    if cost.parts_high_usd.number > 0:
        parts["All priced parts"] = (cost.parts_low_usd.number, cost.parts_high_usd.number)
    return parts


def _guide(plan: Plan) -> dict[str, tuple[float, float]]:
    cost = plan.cost
    tiers = {row.tier: (row.low_usd.number, row.high_usd.number) for row in cost.tiers}
    return tiers | {"All tiers": (cost.guide_low_usd.number, cost.guide_high_usd.number)}


def _ranges(frame: Frame, ranges: dict[str, tuple[float, float]], name: str, pattern: str) -> None:
    """Floating bars from low to high; a range without width still shows as a thin bar.

    The range stands with the name: beside the bar it would leave a narrow screen.
    """
    known = {
        label: pair for label, pair in reversed(ranges.items()) if all(0 < end < math.inf for end in pair)
    }
    texts = [format_range(low, high, "USD") for low, high in known.values()]
    word = "guide" if pattern else "parts"
    frame.add(
        "bar",
        x=[high - low for low, high in known.values()],
        base=[low for low, _ in known.values()],
        y=[f"{label}<br>{word} {text}" for label, text in zip(known, texts, strict=True)],
        orientation="h",
        name=name,
        hovertext=[f"{label}, {name}: {text}" for label, text in zip(known, texts, strict=True)],
        marker={"color": COLOURS["money"], "pattern": {"shape": pattern, "solidity": 0.35}},
    )


def _cost_title(plan: Plan) -> str:
    cost, lines = plan.cost, not_priced(len(plan.unpriced))
    if not cost.capital_low_usd.known:
        return f"The cost of the design is unknown by {cost.price_set.label}: {lines}"
    money = format_range(cost.capital_low_usd.number, cost.capital_high_usd.number, "USD")
    return f"The design costs {money}{f' + {lines}' if plan.unpriced else ''}, by {cost.price_set.label}"


def _cost_alt(
    plan: Plan, parts: dict[str, tuple[float, float]], guide: dict[str, tuple[float, float]]
) -> str:
    told = [f"{label}: {format_range(*pair, 'USD')}" for label, pair in parts.items()]
    other = [f"{label}: {format_range(*pair, 'USD')}" for label, pair in guide.items()]
    return (
        f"{_cost_title(plan)}. Ranges by part prices: {'; '.join(told) or 'none priced'}. "
        f"By the guide's prices per TB: {'; '.join(other)}."
    )
