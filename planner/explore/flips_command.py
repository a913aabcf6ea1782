"""Flip points from the command line: up to where each choice is right, as lines to read and as one JSON object."""

from __future__ import annotations

from typing import Any

from planner.catalogue import Catalogue
from planner.core.units import UNITS
from planner.explore.flips import FlipPoint
from planner.explore.holding import CHOSEN, Hold, Holding, called, named, sentence_of, turn_of


def holding_lines(found: Holding, catalogue: Catalogue) -> list[str]:
    """What drives each choice as lines to read."""
    lines = []
    for column, name in CHOSEN.items():
        now = named(column, found.now[column], catalogue)
        stated = ", stated: no input moves it" if column in found.stated else ""
        lines.append(f"{name}: {now}{stated}")
        lines += [f"  {sentence_of(item, catalogue)}" for item in found.holds if item.choice == column]
        lines += [
            f"  {item.label}, today {called(item, item.today, catalogue)}; {turn_of(item, catalogue)}"
            for item in found.turns
            if item.choice == column
        ]
    return lines


def holding_json(found: Holding) -> dict[str, Any]:
    """What drives each choice as plain data, every number under a name that ends in its unit."""
    return {
        "choices": {
            column: {
                "today": found.now[column],
                "stated": column in found.stated,
                "numbers": [_hold_json(item) for item in found.holds if item.choice == column],
                "words": [
                    {"path": item.path, "label": item.label, "others": dict(item.others)}
                    for item in found.turns
                    if item.choice == column
                ],
            }
            for column in CHOSEN
        },
        "looked_count": found.looked_count,
        "input_count": found.input_count,
    }


def _hold_json(item: Hold) -> dict[str, Any]:
    suffix = UNITS[item.unit or "count"].suffix
    return {
        "path": item.path,
        "label": item.label,
        f"today{suffix}": item.today,
        f"low{suffix}": item.low,
        f"high{suffix}": item.high,
        "below": _side_json(item.below, suffix),
        "above": _side_json(item.above, suffix),
    }


def _side_json(point: FlipPoint | None, suffix: str) -> dict[str, Any] | None:
    if point is None:
        return None
    return {
        f"last{suffix}": point.below,
        f"first{suffix}": point.above,
        "before": point.before,
        "after": point.after,
    }
