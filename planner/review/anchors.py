"""What a comment can hang on, and whether it is still there in another revision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from planner.core.checks import Finding
from planner.core.parts import part_names
from planner.inputs import flatten
from planner.plan import Plan
from planner.summary import figures, key_figures

AnchorKind = Literal["field", "result", "finding", "line", "section"]
ANCHOR_KINDS: tuple[AnchorKind, ...] = ("field", "result", "finding", "line", "section")
KEY_FIGURES = "Key figures"


@dataclass(frozen=True, slots=True, order=True)
class Anchor:
    """One thing of a design.

    Attributes:
        kind: "field", "result", "finding", "line" (of the bill of materials) or "section".
        key: Path of a field; `result_key` of a result; `finding_key` of a finding; group and description
            of a line as `line_key` joins them; name of a section.
    """

    kind: AnchorKind
    key: str


def result_key(section: str, label: str) -> str:
    """The key of a result: its section and label as `planner.summary.figures` has them."""
    return f"{section} / {label}"


def finding_key(code: str, subject: str) -> str:
    """The key of a finding."""
    return f"{code} / {subject}"


def line_key(group: str, description: str) -> str:
    """The key of a line of the bill of materials."""
    return f"{group} / {description}"


def anchors(plan: Plan) -> frozenset[Anchor]:
    """Everything in a plan that a comment can hang on."""
    return frozenset(_anchors(plan))


def _anchors(plan: Plan) -> Iterator[Anchor]:
    for path in flatten(plan.scenario):
        yield Anchor("field", path)
    sections = {KEY_FIGURES: key_figures(plan), **figures(plan)}
    for section, items in sections.items():
        yield Anchor("section", section)
        for label in items:
            yield Anchor("result", result_key(section, label))
    for name in part_names(plan):
        yield Anchor("section", name)
    for subject, finding in subjects(plan):
        yield Anchor("finding", finding_key(finding.code, subject))
        yield Anchor("section", finding.section)
    for line in plan.bom:
        yield Anchor("line", line_key(line.group, line.title))


def subjects(plan: Plan) -> tuple[tuple[str, Finding], ...]:
    """Each finding with what it speaks of: a job, a tier, or else its section.

    A code that comes twice on one subject is numbered, so that code and subject name one finding.
    """
    jobs = [result.job.name for result in plan.jobs]
    tiers = [tier.name for tier in plan.tiers]
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for finding in plan.findings:
        subject = _subject(finding, jobs, tiers)
        seen[finding.code, subject] += 1
        count = seen[finding.code, subject]
        found.append((subject if count == 1 else f"{subject} ({count})", finding))
    return tuple(found)


def _subject(finding: Finding, jobs: list[str], tiers: list[str]) -> str:
    if len(jobs) > 1:
        for job in jobs:
            if finding.message.startswith(f"{job}: "):
                return job
    return next((tier for tier in tiers if tier in finding.message), finding.section)
