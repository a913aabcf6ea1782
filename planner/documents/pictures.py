"""Vector pictures of a document: capacity of the tiers, save time by transport."""

from __future__ import annotations

import math

from reportlab.graphics.shapes import Drawing, Rect
from reportlab.lib.colors import Color

from planner.core.units import format_range
from planner.documents.drawing import CHECKPOINT, DATASET, GREYS, NETWORK, box, label, rule
from planner.documents.page import WIDTH_PT
from planner.plan import Plan
from planner.sections.tiers import TierPlan

LABEL_PT, STEP_PT = 150.0, 12.0
ROOM_PT = WIDTH_PT - LABEL_PT - 70
"""Width that bars have between their label and their figure."""
SPAN_PT = 90.0
"""Width of the longest span of time at the right end of a row, with the gap before it."""


def tiers_picture(plan: Plan) -> Drawing:
    """Contents, safe, usable and raw capacity of each tier; the longest bar of a tier fills the width."""
    height = len(plan.tiers) * (4 * STEP_PT + 18)
    drawing = Drawing(WIDTH_PT, height)
    y = height
    for tier in plan.tiers:
        y -= 12
        label(drawing, 0, y, tier.name, bold=True)
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


def _bar(drawing: Drawing, y: float, words: tuple[str, str], share: float, colour: Color) -> None:
    name, value = words
    label(drawing, LABEL_PT - 6, y, name, anchor="end")
    bar = _bar_box(y, share, colour)
    drawing.add(bar)
    label(drawing, LABEL_PT + bar.width + 4, y, value)


def _bar_box(y: float, share: float, colour: Color) -> Rect:
    return box((LABEL_PT, y - 2, max(share * ROOM_PT, 0.5), STEP_PT - 3), colour)


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
    target = plan.main.job.checkpoint.target_s
    height = len(rows) * 18 + 26
    drawing = Drawing(WIDTH_PT, height)
    times = [item.number for row in rows for item in (row.save_low_s, row.save_high_s)] + [target.number]
    low, high = math.log10(min(times) / 1.5), math.log10(max(times) * 1.1)

    def place(seconds: float) -> float:
        """How far to the right a time stands, in points."""
        return LABEL_PT + (math.log10(seconds) - low) / (high - low) * (WIDTH_PT - LABEL_PT - SPAN_PT)

    at = place(target.number)
    drawing.add(rule((at, 0, at, height - 14), dashed=True))
    label(drawing, at, height - 10, f"target {target}", anchor="middle")
    for number, row in enumerate(rows):
        y = height - 30 - number * 18
        own = row.name == plan.network.transport.value
        start, end = place(row.save_low_s.number), place(row.save_high_s.number)
        label(drawing, 0, y, row.label.partition(",")[0] + (" (this design)" if own else ""), bold=own)
        drawing.add(box((start - 3, y - 1, end - start + 6, 7), NETWORK))
        times_text = format_range(row.save_low_s.number, row.save_high_s.number, "s")
        label(drawing, WIDTH_PT, y, times_text, bold=own, anchor="end")
    return drawing


def save_words(plan: Plan) -> str:
    """What the picture of save times shows, in a sentence."""
    own = next((row for row in plan.transport if row.name == plan.network.transport.value), None)
    if own is None or not own.save_high_s.known:
        return "The save over the chosen transport is unknown; others on a logarithmic scale."
    span = format_range(own.save_low_s.number, own.save_high_s.number, "s")
    word = "meets" if own.meets_target else "misses"
    return f"{own.label} saves in {span} and {word} the target of {plan.main.job.checkpoint.target_s}; the scale is logarithmic."
