"""Decisions, open questions, assumptions, constraints and risks; and what a plan does not know."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Literal

from planner.plan import Plan
from planner.review.anchors import line_key, result_key
from planner.summary import figures

RegisterKind = Literal["question", "assumption", "constraint", "risk"]
REGISTER_KINDS: tuple[RegisterKind, ...] = ("question", "assumption", "constraint", "risk")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision of the design.

    Attributes:
        problem: What had to be decided.
        options: What there was to choose from, one a line.
        choice: What was chosen.
        reason: Why.
        consequence: What follows from it.
    """

    problem: str
    options: str
    choice: str
    reason: str
    consequence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterItem:
    """One open question, assumption, constraint or risk.

    Attributes:
        kind: Which of the four.
        text: What it says.
        owner: Who looks after it; may be empty.
        due: By when; None if no date is set.
        subject: Key of the result, line or field that it speaks of; may be empty.
        outcome: The answer, the proof or the mitigation, once there is one.
        open: Whether it still stands.
    """

    kind: RegisterKind
    text: str
    owner: str = ""
    due: date | None = None
    subject: str = ""
    outcome: str = ""
    open: bool = True


@dataclass(frozen=True, slots=True)
class Unknown:
    """A figure that a design needs and nobody knows.

    Attributes:
        subject: Key of the result or of the line.
        text: The question that it raises.
    """

    subject: str
    text: str


def unknowns(plan: Plan) -> tuple[Unknown, ...]:
    """Everything that a plan prints as unknown, each as a question."""
    found = [
        Unknown(
            result_key(section, label), f"What is “{label}” ({section})? The design prints it as unknown."
        )
        for section, items in figures(plan).items()
        for label, item in items.items()
        if not item.known
    ]
    found += [
        Unknown(line_key(line.group, line.title), f"What does “{line.title}” cost? It has no price.")
        for line in plan.bom
        if not line.priced
    ]
    return tuple({item.subject: item for item in found}.values())


def unasked(plan: Plan, asked: Collection[str]) -> tuple[RegisterItem, ...]:
    """The open questions that the design itself raises: one about each thing that it prints as unknown.

    Args:
        plan: The plan of the revision.
        asked: Subjects of the questions that people have written: what is asked once is not asked twice.
    """
    return tuple(
        RegisterItem(kind="question", text=item.text, subject=item.subject)
        for item in unknowns(plan)
        if item.subject not in asked
    )
