"""A customer's requirements, each bound to a result, and what a plan makes of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from planner.core.quantity import Quantity
from planner.core.units import UNITS, format_value
from planner.plan import Plan
from planner.review.anchors import KEY_FIGURES, result_key
from planner.review.waivers import REQUIREMENT_CODE, Waiver
from planner.summary import figures, key_figures

Measure = Literal["at most", "at least", "equal to"]
Level = Literal["must", "should"]
RequirementVerdict = Literal["pass", "fail", "waived", "unknown"]
MEASURES: tuple[Measure, ...] = ("at most", "at least", "equal to")
LEVELS: tuple[Level, ...] = ("must", "should")
_TOLERANCE = 1e-9
"""Share by which a figure may miss its target: the rounding of binary fractions, no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What a customer asks for.

    Attributes:
        ref: The customer's own number, unique in the design.
        text: The customer's own words.
        result: Key of the result that it is bound to, as `result_key` makes it.
        measure: How the result is compared with the target.
        target: The target in the base unit of the result; a fraction for percent.
        level: Whether it must or should be met.
    """

    ref: str
    text: str
    result: str
    measure: Measure
    target: float
    level: Level


@dataclass(frozen=True, slots=True)
class RequirementCheck:
    """A requirement on one plan.

    Attributes:
        requirement: The requirement.
        actual: The result that it is bound to; None if the plan has no such result.
        verdict: "unknown" where the result is missing or not known.
        waiver: The waiver that accepts a miss, if one does.
    """

    requirement: Requirement
    actual: Quantity | None
    verdict: RequirementVerdict
    waiver: Waiver | None

    @property
    def text(self) -> str:
        """The outcome with its numbers: "at most 10 s; the design has 12 s"."""
        stated = self.requirement
        unit = self.actual.unit if self.actual is not None else ""
        # Decimal for every reader: a waiver accepts this very text.
        target = format_value(stated.target, unit, binary=False) if unit in UNITS else f"{stated.target:g}"
        has = "no such result" if self.actual is None else self.actual.text(binary=False)
        return f"{stated.measure} {target}; the design has {has}"

    @property
    def told(self) -> str:
        """The same with what was measured: the words of the customer need not say which result they are bound to."""
        return f"{self.requirement.result}: {self.text}"

    @property
    def blocks(self) -> bool:
        """Whether it stands in the way of an approval: a must that is not met and not waived."""
        return self.requirement.level == "must" and self.verdict in ("fail", "unknown")


def results(plan: Plan) -> dict[str, Quantity]:
    """Every result of a plan by the key that requirements and comments use."""
    sections = {KEY_FIGURES: key_figures(plan), **figures(plan)}
    return {
        result_key(name, label): item for name, items in sections.items() for label, item in items.items()
    }


def evaluate(
    requirements: Sequence[Requirement], plan: Plan, waivers: Sequence[Waiver] = ()
) -> tuple[RequirementCheck, ...]:
    """Each requirement on a plan: pass, fail, waived or unknown.

    A waiver counts only while the outcome is the one that was accepted, numbers included.
    """
    found = results(plan)
    newest = {
        waiver.subject: waiver
        for waiver in sorted(waivers, key=lambda waiver: waiver.id)
        if waiver.code == REQUIREMENT_CODE and waiver.revoked is None
    }
    return tuple(_check(stated, found.get(stated.result), newest.get(stated.ref)) for stated in requirements)


def _check(stated: Requirement, actual: Quantity | None, waiver: Waiver | None) -> RequirementCheck:
    verdict = _verdict(stated, actual)
    check = RequirementCheck(stated, actual, verdict, None)
    if verdict in ("fail", "unknown") and waiver is not None and waiver.message == check.text:
        return RequirementCheck(stated, actual, "waived", waiver)
    return check


def _verdict(stated: Requirement, actual: Quantity | None) -> RequirementVerdict:
    if actual is None or not actual.known:
        return "unknown"
    number, room = actual.number, abs(stated.target) * _TOLERANCE
    if stated.measure == "at most":
        met = number <= stated.target + room
    elif stated.measure == "at least":
        met = number >= stated.target - room
    else:
        met = math.isclose(number, stated.target, rel_tol=_TOLERANCE)
    return "pass" if met else "fail"
