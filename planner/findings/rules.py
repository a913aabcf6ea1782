"""What every rule stands on: the list of rules, the limits that several share, and common fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix

if TYPE_CHECKING:
    from planner.plan import JobResult, Plan
    from planner.sections.tiers import TierPlan

Rule = Callable[["Plan"], Iterator[Finding]]
RULES: list[Rule] = []
NOTE_RULES: list[Rule] = []
"""Those of them whose remarks are notes alone: a table of designs, which counts no notes, need not ask them."""
LATE_RULES: list[Rule] = []
"""Rules that need the bill or the placed racks: notes, asked when somebody reads the remarks of one plan."""
TOLERANCE = 1 + 1e-9
GUIDE_ENDURANCE = "the guide, 'Write Endurance Planning'"
RULES_PAGE = "rules of the calculation"


def rule(function: Rule) -> Rule:
    """Put a rule on the list that `review` goes through."""
    RULES.append(function)
    return function


def note_rule(function: Rule) -> Rule:
    """Put a rule on the list that `review` goes through whose remarks are notes alone."""
    NOTE_RULES.append(function)
    return rule(function)


def late_rule(function: Rule) -> Rule:
    """Put a rule on the list that `review_late` goes through; its remarks are notes, which no search counts."""
    LATE_RULES.append(function)
    return function


_PLACES = {"hot": "storage.hot", "file-system": "storage.file_system", "object": "storage.object_store"}


def resize(plan: Plan, tier: TierPlan) -> tuple[Fix, ...]:
    """What to give up so that the planner sizes a tier: each size of it that is stated."""
    part = {
        "hot": plan.scenario.storage.hot,
        "file-system": plan.scenario.storage.file_system,
        "object": plan.scenario.storage.object_store,
    }[tier.role]
    return tuple(
        Fix(f"{_PLACES[tier.role]}.{name}", None, "let the planner size it")
        for name in ("usable_bytes", "drive_count", "unit_count")
        if getattr(part, name, None) is not None
    )


def each_job(plan: Plan) -> Iterator[tuple[JobResult, str]]:
    """Every job, with the words that name it where there are several."""
    for result in plan.jobs:
        yield result, (f"{result.job.name}: " if len(plan.jobs) > 1 else "")
