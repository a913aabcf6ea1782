"""Vector pictures of a document: capacity of the tiers, save time by transport."""

from __future__ import annotations

import math
from typing import Any

from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import Color, HexColor

from planner.core.units import format_range
from planner.documents.page import WIDTH_PT
from planner.documents.text import BODY, BOLD
from planner.plan import Plan
from planner.sections.tiers import TierPlan

CHECKPOINT, DATASET, NETWORK = HexColor("#0072B2"), HexColor("#009E73"), HexColor("#CC79A7")
"""The colours that checkpoints, data and the network have on the screen."""
GREYS = tuple(HexColor(code) for code in ("#BDBDBD", "#8C8C8C", "#5F5F5F"))
INK = HexColor("#1F1F1F")
LABEL_PT, SIZE_PT, STEP_PT = 150.0, 7.5, 12.0
ROOM_PT = WIDTH_PT - LABEL_PT - 70
"""Width that bars have between their label and their figure."""


def tiers_picture(plan: Plan) -> Drawing:
    """Contents, safe, usable and raw capacity of each tier; the longest bar of a tier fills the width."""
    height = len(plan.tiers) * (4 * STEP_PT + 18)
    drawing = Drawing(WIDTH_PT, height)
    y = height
    for tier in plan.tiers:
        y -= 12
        _label(drawing, 0, y, tier.name, bold=True)
        bars = (
            ("contents", tier.demand.content_bytes, DATASET),
            ("safe", tier.safe_bytes, GREYS[0]),
            ("usable", tier.usable_bytes, GREYS[1]),
            ("raw", tier.raw_bytes, GREYS[2]),
        )
        longest = max((item.number for _, item, _ in bars if item.known), default=1.0) or 1.0
        for name, item, colour in bars:
            share = item.number / longest if item.known else 0.0
            _bar(drawing, y, (name, item.text()), share, colour)
            if name == "contents":
                drawing.add(_bar_box(y, checkpoint_bytes(tier) / longest, CHECKPOINT))
            y -= STEP_PT
        y -= 6
    return drawing


def _label(drawing: Drawing, x: float, y: float, words: str, *, bold: bool = False) -> None:
    font = BOLD if bold else BODY
    drawing.add(String(x, y, words, fontName=font, fontSize=SIZE_PT, fillColor=INK))


def _box(place: tuple[float, float, float, float], colour: Color) -> Rect:
    look: dict[str, Any] = {"fillColor": colour, "strokeColor": INK, "strokeWidth": 0.3}
    return Rect(*place, **look)


def _bar(drawing: Drawing, y: float, words: tuple[str, str], share: float, colour: Color) -> None:
    name, value = words
    drawing.add(
        String(LABEL_PT - 6, y, name, fontName=BODY, fontSize=SIZE_PT, fillColor=INK, textAnchor="end")
    )
    box = _bar_box(y, share, colour)
    drawing.add(box)
    _label(drawing, LABEL_PT + box.width + 4, y, value)


def _bar_box(y: float, share: float, colour: Color) -> Rect:
    return _box((LABEL_PT, y - 2, max(share * ROOM_PT, 0.5), STEP_PT - 3), colour)


def checkpoint_bytes(tier: TierPlan) -> float:
    """Bytes of checkpoints among the contents of a tier."""
    return sum(
        item.number
        for name, item in tier.demand.contents.items()
        if item.known and name.startswith(("checkpoints", "archived checkpoints"))
    )


def save_picture(plan: Plan) -> Drawing:
    """Save time over each transport on a logarithmic scale, with the target as a dashed line."""
    rows = [row for row in plan.transport if row.save_low_s.known and row.save_high_s.known]
    target = plan.jobs[0].job.checkpoint.target_s
    height = len(rows) * 18 + 26
    drawing = Drawing(WIDTH_PT, height)
    times = [item.number for row in rows for item in (row.save_low_s, row.save_high_s)] + [target.number]
    low, high = math.log10(min(times) / 1.5), math.log10(max(times) * 1.1)

    def place(seconds: float) -> float:
        return LABEL_PT + (math.log10(seconds) - low) / (high - low) * ROOM_PT

    at = place(target.number)
    drawing.add(Line(at, 0, at, height - 14, strokeColor=INK, strokeDashArray=[3, 2], strokeWidth=0.8))
    drawing.add(
        String(
            at, height - 10, f"target {target}", fontName=BODY, fontSize=SIZE_PT, fillColor=INK,
            textAnchor="middle",
        )
    )  # fmt: skip
    for number, row in enumerate(rows):
        y = height - 30 - number * 18
        own = row.name == plan.network.transport.value
        start, end = place(row.save_low_s.number), place(row.save_high_s.number)
        _label(drawing, 0, y, row.label.partition(",")[0] + (" (this design)" if own else ""), bold=own)
        drawing.add(_box((start - 3, y - 1, end - start + 6, 7), NETWORK))
        times_text = format_range(row.save_low_s.number, row.save_high_s.number, "s")
        _label(drawing, end + 8, y, times_text, bold=own)
    return drawing
