"""Charts on paper with bars: power of the fullest rack part by part, and ranges of cost."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reportlab.graphics.shapes import Drawing
from reportlab.lib.colors import Color

from planner.bom import cost_by_group
from planner.core.units import format_range
from planner.documents.axes import Axis, linear_axis, log_axis
from planner.documents.drawing import GRID, MONEY, POWER, Anchor, box, label, rule, tint
from planner.documents.page import WIDTH_PT
from planner.plan import Plan
from planner.sections.rows import fullest, power_checks, watts_in

LABEL_PT, VALUE_PT = 138.0, 112.0
"""Room for the names on the left and for the figures on the right."""
ROOM_PT = WIDTH_PT - LABEL_PT - VALUE_PT
ROW_PT, FOOT_PT = 15.0, 24.0


def rack_power_picture(plan: Plan) -> Drawing:
    """Typical and highest power of the fullest rack, kind on kind of machine, against the site's limit."""
    rack, limit = fullest(plan.racks), power_checks(plan.racks)[0].provided
    bars = {"typical": rack.typical_w, "at most": rack.max_w}
    axis = linear_axis(max(rack.max_w.number, limit.number), "W", "Power of the fullest rack", room=1.02)
    parts = watts_in(rack)
    legend_rows = math.ceil(len(parts) / 3)
    drawing = Drawing(WIDTH_PT, FOOT_PT + 2 * 22.0 + 14 + legend_rows * 11 + 4)
    top = FOOT_PT + 2 * 22.0
    _scale(drawing, axis, top)
    for row, (name, item) in enumerate(bars.items()):
        y = top - 19 - row * 22
        label(drawing, LABEL_PT - 6, y + 4, name, anchor="end")
        _stack(drawing, axis, y, [pair[row] for pair in parts.values()])
        label(drawing, LABEL_PT + ROOM_PT + 8, y + 4, item, bold=True)
    at = LABEL_PT + axis.share(limit.number) * ROOM_PT
    drawing.add(rule((at, FOOT_PT, at, top + 4), dashed=True, wide=1.1))
    anchor: Anchor = "end" if axis.share(limit.number) > 0.8 else "middle"
    label(drawing, at, top + 6, f"limit {limit}", anchor=anchor)
    for number, name in enumerate(parts):
        x, y = (number % 3) * WIDTH_PT / 3, drawing.height - 9 - (number // 3) * 11
        drawing.add(box((x, y - 1, 9, 8), _shade(number, len(parts))))
        label(drawing, x + 13, y, name, room_pt=WIDTH_PT / 3 - 18)
    return drawing


def _stack(drawing: Drawing, axis: Axis, y: float, watts: Sequence[float]) -> None:
    """One bar of parts, each beginning where the one before ends."""
    at = 0.0
    for number, part in enumerate(watts):
        start, end = axis.share(at) * ROOM_PT, axis.share(at + part) * ROOM_PT
        drawing.add(box((LABEL_PT + start, y, end - start, 15), _shade(number, len(watts))))
        at += part


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
