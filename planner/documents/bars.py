"""Charts on paper with bars: power of a rack part by part, and ranges of cost."""

from __future__ import annotations

import math

from reportlab.graphics.shapes import Drawing
from reportlab.lib.colors import Color

from planner.bom import BomLine
from planner.core.units import format_range
from planner.documents.axes import Axis, linear_axis, log_axis
from planner.documents.drawing import GRID, MONEY, POWER, box, label, rule, tint
from planner.documents.page import WIDTH_PT
from planner.plan import Plan

LABEL_PT, VALUE_PT = 138.0, 112.0
"""Room for the names on the left and for the figures on the right."""
ROOM_PT = WIDTH_PT - LABEL_PT - VALUE_PT
ROW_PT, FOOT_PT = 15.0, 24.0


def rack_power_picture(plan: Plan) -> Drawing:
    """Typical and highest power of a rack, part on part, against the site's limit; one rack stands for all."""
    facility = plan.facility
    bars = {"typical": facility.rack_typical_w, "at most": facility.rack_max_w}
    limit = facility.rack_check.provided
    known = [item.number for item in (*bars.values(), limit) if item.known]
    axis = linear_axis(max(known, default=1.0), "W", "Power of a rack", room=1.02)
    parts = _parts(plan)
    legend_rows = math.ceil(len(parts) / 3)
    drawing = Drawing(WIDTH_PT, FOOT_PT + 2 * 22.0 + 14 + legend_rows * 11 + 4)
    top = FOOT_PT + 2 * 22.0
    _scale(drawing, axis, top)
    for row, (name, item) in enumerate(bars.items()):
        y = top - 19 - row * 22
        label(drawing, LABEL_PT - 6, y + 4, name, anchor="end")
        at = 0.0
        for number, pair in enumerate(parts.values()):
            wide = pair[row] / facility.rack_count.number
            start, end = axis.share(at), axis.share(at + wide)
            drawing.add(
                box((LABEL_PT + start * ROOM_PT, y, (end - start) * ROOM_PT, 15), _shade(number, len(parts)))
            )
            at += wide
        label(drawing, LABEL_PT + ROOM_PT + 8, y + 4, item, bold=True)
    if limit.known:
        at = LABEL_PT + axis.share(limit.number) * ROOM_PT
        drawing.add(rule((at, FOOT_PT, at, top + 4), dashed=True, wide=1.1))
        label(
            drawing,
            at,
            top + 6,
            f"limit {limit}",
            anchor="end" if axis.share(limit.number) > 0.8 else "middle",
        )
    for number, name in enumerate(parts):
        x, y = (number % 3) * WIDTH_PT / 3, drawing.height - 9 - (number // 3) * 11
        drawing.add(box((x, y - 1, 9, 8), _shade(number, len(parts))))
        label(drawing, x + 13, y, name, room_pt=WIDTH_PT / 3 - 18)
    return drawing


def _parts(plan: Plan) -> dict[str, tuple[float, float]]:
    """Typical and highest watts of each kind of part; optics of all kinds are one."""
    bars: dict[str, tuple[float, float]] = {}
    for row in plan.facility.rows:
        name = "Optics" if row.name.startswith("Optics ") else row.name
        typical, peak = bars.get(name, (0.0, 0.0))
        more = [item.number if item.known else 0.0 for item in (row.total_typical_w, row.total_max_w)]
        bars[name] = (typical + more[0], peak + more[1])
    return bars


def _shade(number: int, count: int) -> Color:
    """Tints of the colour of power, the first part darkest."""
    return tint(POWER, 1.0 - 0.85 * number / max(count - 1, 1))


def _scale(drawing: Drawing, axis: Axis, top: float) -> None:
    """Ticks below the bars with lines up through them, and what the axis shows."""
    for value, words in axis.ticks:
        at = LABEL_PT + axis.share(value) * ROOM_PT
        drawing.add(rule((at, FOOT_PT, at, top), colour=GRID, wide=0.5))
        label(drawing, at, FOOT_PT - 9, words, anchor="middle")
    label(drawing, LABEL_PT + ROOM_PT / 2, 3, axis.title, anchor="middle")


def cost_picture(plan: Plan) -> Drawing | None:
    """Low to high cost of each group of parts, and of each tier by the guide's prices; None if none is priced."""
    money = plan.cost
    parts = {name: pair for name, pair in cost_by_group(plan.bom).items() if _drawn(pair)}
    if money.parts_high_usd.number > 0:
        parts["All priced parts"] = (money.parts_low_usd.number, money.parts_high_usd.number)
    guide = {f"{row.tier}, guide": (row.low_usd.number, row.high_usd.number) for row in money.tiers}
    guide["All tiers, guide"] = (money.guide_low_usd.number, money.guide_high_usd.number)
    rows = {name: pair for name, pair in (*parts.items(), *guide.items()) if _drawn(pair)}
    if not rows:
        return None
    low, high = min(pair[0] for pair in rows.values()) / 1.3, max(pair[1] for pair in rows.values()) * 1.1
    axis = log_axis(low, high, "USD", "Capital cost")
    drawing = Drawing(WIDTH_PT, FOOT_PT + ROW_PT * len(rows) + 4)
    top = FOOT_PT + ROW_PT * len(rows)
    _scale(drawing, axis, top)
    for number, (name, pair) in enumerate(rows.items()):
        y = top - ROW_PT * (number + 1) + 3
        whole = name.startswith("All ")
        label(drawing, LABEL_PT - 6, y + 2, name, bold=whole, anchor="end", room_pt=LABEL_PT - 8)
        start, end = (axis.share(value) for value in pair)
        place = (LABEL_PT + start * ROOM_PT, y, max((end - start) * ROOM_PT, 2.0), 9.5)
        drawing.add(box(place, MONEY if name in parts else tint(MONEY, 0.35)))
        label(drawing, LABEL_PT + ROOM_PT + 8, y + 2, format_range(*pair, "USD"), bold=whole)
    return drawing


def _drawn(pair: tuple[float, float]) -> bool:
    return all(0 < end < math.inf for end in pair)


def cost_by_group(lines: tuple[BomLine, ...]) -> dict[str, tuple[float, float]]:
    """Low and high cost in USD of each group of the equipment that has a priced line."""
    groups: dict[str, tuple[float, float]] = {}
    for line in lines:
        if line.priced:
            low, high = groups.get(line.group, (0.0, 0.0))
            groups[line.group] = (low + line.extended_low_usd.number, high + line.extended_high_usd.number)
    return groups
