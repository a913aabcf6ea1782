"""Power of a rack against its limit, and the range of cost by parts and by the guide's prices."""

from __future__ import annotations

import math

import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.bom import BomLine
from planner.charts.colours import COLOURS, PATTERNS
from planner.charts.frame import Frame, Look, linear_ticks, log_ticks, unknown_figure
from planner.core.units import format_range
from planner.plan import Plan
from planner.sections.facility import PowerRow


def rack_power_chart(
    plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True
) -> go.Figure:
    """Typical and maximum power of a rack, part on part, against what the site allows.

    The plan spreads its equipment evenly, so one rack stands for all.
    """
    frame = Frame(Look(dark=dark, binary=binary, titled=titled))
    facility = plan.facility
    racks = facility.rack_count.number
    for (name, totals), pattern in zip(_drawn(facility.rows).items(), PATTERNS, strict=False):
        watts = [total / racks for total in totals]
        texts = [frame.look.text(value, "W") for value in watts]
        frame.add(
            "bar",
            x=["typical", "maximum"],
            y=watts,
            name=name,
            hovertext=[f"{name}: {text} in a rack" for text in texts],
            marker={"color": COLOURS["power"], "pattern": {"shape": pattern, "solidity": 0.25}},
        )
    limit = facility.rack_check.provided.number
    top = max(facility.rack_max_w.number, limit)
    values, ticks = linear_ticks(top, "W", frame.look)
    bars = {"typical": facility.rack_typical_w, "maximum": facility.rack_max_w}
    # Below the bars: above them a sum would cross the limit that it comes near to.
    frame.axis("xaxis", tickvals=list(bars), ticktext=[f"{name}<br>{item}" for name, item in bars.items()])
    frame.axis("yaxis", range=[0, top * 1.15], tickvals=values, ticktext=ticks, title="power of a rack")
    frame.limit(limit, f"limit {facility.rack_check.provided}", axis="y")
    frame.layout["barmode"] = "stack"
    return frame.figure(title=_power_title(plan), alt=_power_alt(plan), legend_y=-0.18)


def _drawn(rows: tuple[PowerRow, ...]) -> dict[str, tuple[float, float]]:
    """Typical and maximum watts of each bar; optics of every kind are one, whatever their number of kinds."""
    bars: dict[str, tuple[float, float]] = {}
    for row in rows:
        name = "Optics" if row.name.startswith("Optics ") else row.name
        typical, peak = bars.get(name, (0.0, 0.0))
        known = [item.number if item.known else 0.0 for item in (row.total_typical_w, row.total_max_w)]
        bars[name] = (typical + known[0], peak + known[1])
    return bars


def _racks(plan: Plan) -> str:
    return (
        "The one rack"
        if plan.facility.rack_count.number == 1
        else f"Each of {plan.facility.rack_count} racks"
    )


def _power_title(plan: Plan) -> str:
    facility = plan.facility
    word = "more than" if facility.rack_check.verdict == "fail" else "of"
    return (
        f"{_racks(plan)} draws {facility.rack_typical_w}, at most {facility.rack_max_w}, "
        f"{word} the {facility.rack_check.provided} allowed"
    )


def _power_alt(plan: Plan) -> str:
    parts = "; ".join(
        f"{row.count} × {row.name}: {row.total_typical_w} typical, {row.total_max_w} at most"
        for row in plan.facility.rows
    )
    return f"Stacked bars of the power of a rack. {_power_title(plan)}. All racks together: {parts}."


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
        legend_y=-0.13,
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


def cost_by_group(lines: tuple[BomLine, ...]) -> dict[str, tuple[float, float]]:
    """Low and high cost in USD of each group of the bill of materials that has a priced line."""
    groups: dict[str, tuple[float, float]] = {}
    for line in lines:
        if line.priced:
            low, high = groups.get(line.group, (0.0, 0.0))
            groups[line.group] = (low + line.extended_low_usd.number, high + line.extended_high_usd.number)
    return groups


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
    cost = plan.cost
    money = format_range(cost.capital_low_usd.number, cost.capital_high_usd.number, "USD")
    count = len(plan.unpriced)
    more = f" + {count} line{'' if count == 1 else 's'} not priced" if count else ""
    return f"The design costs {money}{more}, by {cost.price_set.label}"


def _cost_alt(
    plan: Plan, parts: dict[str, tuple[float, float]], guide: dict[str, tuple[float, float]]
) -> str:
    told = [f"{label}: {format_range(*pair, 'USD')}" for label, pair in parts.items()]
    other = [f"{label}: {format_range(*pair, 'USD')}" for label, pair in guide.items()]
    return (
        f"{_cost_title(plan)}. Ranges by part prices: {'; '.join(told) or 'none priced'}. "
        f"By the guide's prices per TB: {'; '.join(other)}."
    )
