"""Two plans side by side: results, findings and lines of the bill of materials that differ."""

from __future__ import annotations

from dataclasses import dataclass

from planner.bom import BomLine
from planner.core.checks import Finding
from planner.core.quantity import Quantity
from planner.plan import Plan
from planner.review.anchors import finding_key, line_key, subjects
from planner.review.requirements import results
from planner.summary import difference


@dataclass(frozen=True, slots=True)
class ResultChange:
    """A result that moved, came or went.

    Attributes:
        key: Key of the result, as `result_key` makes it.
        old: The older figure; None if there was none.
        new: The newer figure; None if there is none.
    """

    key: str
    old: Quantity | None
    new: Quantity | None

    @property
    def text(self) -> str:
        """How far it moved."""
        if self.old is None or self.new is None:
            return "removed" if self.new is None else "added"
        return difference(self.new, self.old)


@dataclass(frozen=True, slots=True)
class FindingChange:
    """A finding that came, went, or says something else; None on the side that lacks it."""

    key: str
    old: Finding | None
    new: Finding | None


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line of the bill of materials with another quantity; None on the side that lacks it."""

    key: str
    old: BomLine | None
    new: BomLine | None

    @property
    def count_change(self) -> float:
        """How many more are bought; fewer if negative."""
        return (self.new.quantity.number if self.new else 0.0) - (
            self.old.quantity.number if self.old else 0.0
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that differs between two plans."""

    results: tuple[ResultChange, ...]
    findings: tuple[FindingChange, ...]
    lines: tuple[LineChange, ...]


def compare(old: Plan, new: Plan) -> Comparison:
    """What differs between two plans; what is alike is left out."""
    return Comparison(_results(old, new), _findings(old, new), _lines(old, new))


def _results(old: Plan, new: Plan) -> tuple[ResultChange, ...]:
    before, after = results(old), results(new)
    pairs = (ResultChange(key, before.get(key), after.get(key)) for key in {**before, **after})
    return tuple(change for change in pairs if change.text)


def _findings(old: Plan, new: Plan) -> tuple[FindingChange, ...]:
    before, after = (
        {finding_key(finding.code, subject): finding for subject, finding in subjects(plan)}
        for plan in (old, new)
    )
    pairs = (FindingChange(key, before.get(key), after.get(key)) for key in {**before, **after})
    return tuple(
        change
        for change in pairs
        if change.old is None
        or change.new is None
        or (change.old.severity, change.old.message) != (change.new.severity, change.new.message)
    )


def _lines(old: Plan, new: Plan) -> tuple[LineChange, ...]:
    before, after = ({line_key(line.group, line.title): line for line in plan.bom} for plan in (old, new))
    pairs = (LineChange(key, before.get(key), after.get(key)) for key in {**before, **after})
    return tuple(change for change in pairs if change.count_change)
