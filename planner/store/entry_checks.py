"""Checks of what people write into requirements, decisions and the register."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from planner.core.errors import PlannerError, nearest, shorten
from planner.review import MEASURES, Decision, RegisterItem, Requirement
from planner.review.register import REGISTER_KINDS
from planner.review.requirements import LEVELS
from planner.store.review_records import EntryContent
from planner.store.text import MAX_KEY_CHARS, MAX_NOTE_CHARS, checked_filled, checked_line, checked_text

MAX_REF_CHARS = 60


def checked_entry(content: EntryContent) -> EntryContent:
    """The content without blanks around its texts, if it can be stored.

    Raises:
        PlannerError: A text is empty where one is needed, too long, or cannot be stored; a word is not
            one of those allowed; or the target is no number.
    """
    if isinstance(content, Requirement):
        return _requirement(content)
    if isinstance(content, Decision):
        return _decision(content)
    return _register(content)


def _requirement(content: Requirement) -> Requirement:
    _check_word(content.measure, MEASURES, field="measure")
    _check_word(content.level, LEVELS, field="level")
    try:
        target = float(content.target)
    except OverflowError:  # a whole number may have any length
        target = math.inf
    if not math.isfinite(target):
        raise PlannerError(
            f"target: {shorten(content.target, 30)} is no number; give one in the base unit of the result",
            field="target",
        )
    return replace(
        content,
        ref=_line(content.ref, field="ref", max_chars=MAX_REF_CHARS),
        text=_filled(content.text, field="text"),
        result=_line(content.result, field="result", max_chars=MAX_KEY_CHARS),
        target=target,
    )


def _decision(content: Decision) -> Decision:
    return Decision(
        problem=_filled(content.problem, field="problem"),
        options=_text(content.options, field="options"),
        choice=_filled(content.choice, field="choice"),
        reason=_filled(content.reason, field="reason"),
        consequence=_text(content.consequence, field="consequence"),
    )


def _register(content: RegisterItem) -> RegisterItem:
    _check_word(content.kind, REGISTER_KINDS, field="kind")
    if not isinstance(content.open, bool):
        raise PlannerError(f"open: {shorten(content.open, 30)} is neither true nor false", field="open")
    return replace(
        content,
        text=_filled(content.text, field="text"),
        owner=checked_line(content.owner, field="owner"),
        subject=checked_line(content.subject, field="subject", max_chars=MAX_KEY_CHARS),
        outcome=_text(content.outcome, field="outcome"),
    )


def _check_word(word: str, known: Collection[str], *, field: str) -> None:
    if word not in known:
        raise PlannerError(
            f"{field}: “{shorten(word)}” is not one of {', '.join(known)}{nearest(word, known)}", field=field
        )


def _line(text: str, *, field: str, max_chars: int) -> str:
    line = checked_line(text, field=field, max_chars=max_chars)
    return checked_filled(line, field=field, max_chars=max_chars)


def _filled(text: str, *, field: str) -> str:
    return checked_filled(text, field=field, max_chars=MAX_NOTE_CHARS)


def _text(text: str, *, field: str) -> str:
    return checked_text(text.strip(), field=field, max_chars=MAX_NOTE_CHARS)
