"""Values of others beside ours, as text and as JSON for the command line."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict

from planner.core.units import counted
from planner.published.cases import not_covered
from planner.published.checking import Check, checks, origins_text

COLUMNS = ("", "id", "ours", "compared with", "difference", "source")
FAILED = 1


def rows(found: Sequence[Check]) -> list[tuple[str, ...]]:
    """One row a check, as `COLUMNS`; the first cell marks what is outside its tolerance."""
    return [
        (
            "" if check.passes else "FAILS",
            check.id,
            check.ours_text(),
            check.published_text(),
            check.difference_text(),
            check.source_text(),
        )
        for check in found
    ]


def table(found: Sequence[Check]) -> str:
    """The checks as lines of aligned columns, their count below."""
    lines = [COLUMNS, *rows(found)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(COLUMNS))]
    shown = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True) if width).rstrip()
        for line in lines
    ]
    return "\n".join((*shown, "", summary(found)))


def summary(found: Sequence[Check]) -> str:
    """How many checks pass, which do not, how their values came about, and which no formula answers yet."""
    failing = [check.id for check in found if not check.passes]
    line = f"{len(found) - len(failing)} of {counted(len(found), 'value')} within the tolerance"
    if failing:
        line += f"; outside: {', '.join(failing)}"
    line += f"; {origins_text(found)}"
    missing = [case.id for case in not_covered()]
    return line + (f"; no formula yet for {', '.join(missing)}" if missing else "")


def as_json(found: Sequence[Check]) -> str:
    """The checks as a JSON list; numbers are in the planner's unit that stands beside them."""
    items = [
        asdict(check)
        | {
            "ours": [_number(value) for value in check.ours],
            "difference_fraction": _number(check.difference_fraction),
            "ours_text": check.ours_text(),
            "published_text": check.published_text(),
        }
        for check in found
    ]
    return json.dumps(items, ensure_ascii=False, indent=2, allow_nan=False)


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def report(subject: str = "", *, machine: bool = False) -> tuple[str, int]:
    """The text to print and the exit status: 1 if a value is outside its tolerance, else 0.

    Args:
        subject: Only this subject or formula; all if empty.
        machine: As JSON.

    Raises:
        PlannerError: Nothing is published about that subject.
    """
    found = checks(subject)
    status = 0 if all(check.passes for check in found) else FAILED
    return (as_json(found) if machine else table(found)), status
