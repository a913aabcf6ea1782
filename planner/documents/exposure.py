"""What could upset the design although the review found nothing: limits nearly reached, figures nobody measured."""

from __future__ import annotations

import math
from collections.abc import Iterator

from planner.core.errors import PlannerError
from planner.documents.requirements import asked
from planner.documents.text import clean
from planner.explore.sensitivity import ends_of, tornado
from planner.plan import Plan
from planner.review.record import ReviewRecord
from planner.review.register import RegisterItem
from planner.sections.durability import odds

MOST_REGISTERED, MOST_LIMITS = 3, 2
LONGEST_RISK = 160
"""Characters of an entry of the register: the summary is one page."""


def exposure(plan: Plan, reviewed: ReviewRecord | None) -> Iterator[str]:
    """Open risks of the register, the tightest limits, the least certain input, and the loss of a checkpoint.

    Args:
        plan: The plan.
        reviewed: The review of a saved revision, with its register.
    """
    yield from _registered(reviewed)
    yield from _tightest(plan)
    yield from _uncertain(plan)
    yield from _loss(plan)


def _registered(reviewed: ReviewRecord | None) -> Iterator[str]:
    risks = [
        f"Risk {item.number} of the register: {clean(content.text, limit=LONGEST_RISK)}"
        for item in (reviewed.register if reviewed is not None else ())
        if isinstance(content := item.content, RegisterItem) and content.kind == "risk" and content.open
    ]
    yield from risks[:MOST_REGISTERED]
    if len(risks) > MOST_REGISTERED:
        yield f"{len(risks) - MOST_REGISTERED} more open in the register: see “Risks”."


def _tightest(plan: Plan) -> Iterator[str]:
    """The limits of which most is used, so that the least growth breaks them."""
    kept = [row for row in asked(plan) if row.verdict == "PASS" and math.isfinite(row.utilisation)]
    tight = sorted(kept, key=lambda row: -row.utilisation)[:MOST_LIMITS]
    if tight:
        told = "; ".join(f"{row.name}: {row.provided} against {row.required} asked" for row in tight)
        yield f"Tightest limits: {told}."


def _uncertain(plan: Plan) -> Iterator[str]:
    """The input without a measurement that moves goodput most, with what its range would make of it."""
    try:
        ends = ends_of(plan.scenario, catalogue=plan.calculation().context.catalogue)
        yield clean(tornado(ends, "goodput_fraction").advice)
    except PlannerError:
        return


def _loss(plan: Plan) -> Iterator[str]:
    found = plan.durability
    if found is None:
        return
    own = next(case for case in found.cases if case.design)
    yield (
        f"Loss of a checkpoint on the hot tier: {odds(own.loss_fraction)} in a year; training then repeats at most "
        f"{found.rollback_s}, {found.loss_usd} of GPU time."
    )
