"""What `python -m planner verify` prints: every promise with what was measured, and what that means."""

from __future__ import annotations

import math
from collections.abc import Iterator

from planner.core.units import counted, format_number
from planner.plan import Plan
from planner.telemetry.acceptance import Acceptance, Outcome
from planner.telemetry.feedback import feedback


def verdict_lines(plan: Plan, acceptance: Acceptance) -> Iterator[str]:
    """The verdict as people read it."""
    for outcome in acceptance.outcomes:
        yield _line(outcome)
    for promise in acceptance.open:
        yield f"open  {promise.id}: {promise.what}, expected {promise.bound} {promise.expected}; {promise.command}"
    for outcome in acceptance.deviating:
        yield f"odd   {outcome.subject}: {outcome.measured} in {outcome.promise.id}, clearly below its peers"
    if acceptance.save_s is not None:
        yield f"A save takes {acceptance.save_s} with the slowest node; the design says {plan.main.save.save_s}."
    for item in feedback(plan, acceptance):
        yield f"To take over: {item.path} = {format_number(item.value)} ({item.origin}; today {format_number(item.today)})"
    failed = len(acceptance.failed)
    yield (
        f"{counted(len(acceptance.outcomes), 'measurement')}, {failed} short of the design, "
        f"{counted(len(acceptance.open), 'promise')} open."
    )


def _line(outcome: Outcome) -> str:
    promise = outcome.promise
    return (
        f"{outcome.result}  {promise.id} {outcome.subject}: {outcome.measured}, expected {promise.bound} "
        f"{promise.expected}, ratio {format_number(outcome.ratio)}"
    )


def verdict_json(plan: Plan, acceptance: Acceptance) -> dict[str, object]:
    """The same as one object, numbers in the planner's own units."""
    return {
        "outcomes": [
            {
                "promise": o.promise.id,
                "subject": o.subject,
                "measured": o.measured.number,
                "expected": o.promise.expected.number,
                "unit": o.measured.unit,
                "ratio": o.ratio if math.isfinite(o.ratio) else None,
                "result": o.result,
                "file": o.source,
            }
            for o in acceptance.outcomes
        ],
        "open": [promise.id for promise in acceptance.open],
        "deviating": [o.subject for o in acceptance.deviating],
        "save_s": acceptance.save_s.number if acceptance.save_s else None,
        "designed_save_s": plan.main.save.save_s.number,
        "feedback": [
            {"path": item.path, "value": item.value, "today": item.today, "origin": item.origin}
            for item in feedback(plan, acceptance)
        ],
    }
