"""Findings that someone accepted by name, and the blockers that nobody did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from planner.core.checks import Finding
from planner.plan import Plan
from planner.review.anchors import subjects

REQUIREMENT_CODE = "REQ"
"""Code under which a requirement that is not met is waived; its subject is the requirement's reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """One finding, accepted.

    Attributes:
        id: Its number.
        design_id: The design.
        revision: The revision on which it was accepted; it holds on later ones too while nothing moved.
        code: Code of the finding.
        subject: What the finding speaks of, from `subjects`.
        message: The finding as it stood when it was accepted, with its numbers.
        reason: Why it is acceptable.
        name: Who accepted it.
        created: When, UTC.
        revoked: When it was taken back, UTC; None while it holds.
    """

    id: int
    design_id: int
    revision: int
    code: str
    subject: str
    message: str
    reason: str
    name: str
    created: datetime
    revoked: datetime | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding of a plan beside its waiver.

    Attributes:
        finding: The finding.
        subject: What it speaks of.
        waiver: The newest waiver of that code and subject; None if there is none.
        holds: Whether the finding still says what was accepted. Other numbers need a new waiver.
    """

    finding: Finding
    subject: str
    waiver: Waiver | None
    holds: bool


def accepted(plan: Plan, waivers: Sequence[Waiver]) -> tuple[Accepted, ...]:
    """Every finding of a plan with the waiver that covers it.

    Args:
        plan: A plan whose sentences state decimal sizes, as those that were accepted do.
        waivers: Waivers of the design up to the revision at hand; revoked ones are passed over.
    """
    newest = {
        (waiver.code, waiver.subject): waiver
        for waiver in sorted(waivers, key=lambda waiver: waiver.id)
        if waiver.revoked is None
    }
    found = []
    for subject, finding in subjects(plan):
        waiver = newest.get((finding.code, subject))
        holds = waiver is not None and waiver.message == finding_text(finding)
        found.append(Accepted(finding, subject, waiver, holds))
    return tuple(found)


def finding_text(finding: Finding) -> str:
    """What a waiver accepts: severity and sentence."""
    return f"{finding.severity}: {finding.message}"


def unwaived_blockers(plan: Plan, waivers: Sequence[Waiver]) -> tuple[Accepted, ...]:
    """The blockers that stand in the way of an approval."""
    return tuple(a for a in accepted(plan, waivers) if a.finding.severity == "blocker" and not a.holds)
