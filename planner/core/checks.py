"""A check is a value, and so is a remark of the review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from planner.core.quantity import Quantity
from planner.core.record import record

Severity = Literal["blocker", "warning", "note"]
Verdict = Literal["pass", "fail", "unknown"]
SEVERITIES: tuple[Severity, ...] = ("blocker", "warning", "note")


@record(frozen=True, slots=True)
class Check:
    """What is provided against what is required.

    Attributes:
        name: What is checked.
        provided: What the design has.
        required: What it needs; the same unit.
        source: Where the requirement comes from.
    """

    name: str
    provided: Quantity
    required: Quantity
    source: str

    @property
    def utilisation(self) -> float:
        """Required over provided: above 1 the check fails. NaN if either is unknown."""
        provided = self.provided.number
        required = self.required.number
        if provided == 0:
            return 0.0 if required == 0 else float("inf")
        return required / provided

    @property
    def verdict(self) -> Verdict:
        """Pass, fail, or unknown where a figure is missing."""
        if not (self.provided.known and self.required.known):
            return "unknown"
        return "pass" if self.utilisation <= 1 + 1e-9 else "fail"

    @property
    def ok(self) -> bool:
        """Whether the check passes."""
        return self.verdict == "pass"


@dataclass(frozen=True, slots=True)
class Fix:
    """The one input that mends a finding: its path in the scenario and the value to set."""

    path: str
    value: float | int | str | bool | None
    label: str


@record(frozen=True, slots=True)
class Finding:
    """One remark of the review.

    Attributes:
        code: Stable code of the rule, e.g. "END-1".
        severity: Blocker, warning or note.
        message: What is wrong, with the numbers.
        remedy: What would mend it, with the numbers.
        source: Where the rule comes from.
        section: Section of the plan that it speaks of.
        fixes: Inputs that mend it with one click; empty where a person has to decide.
    """

    code: str
    severity: Severity
    message: str
    remedy: str
    source: str
    section: str
    fixes: tuple[Fix, ...] = ()


def ordered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings with the worst first, otherwise as they were found."""
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))
