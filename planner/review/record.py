"""What the document tells of a review: who did what when, what was asked, accepted, decided and left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from planner.review.register import Decision, RegisterItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """The approval of a revision.

    Attributes:
        name: Who signed; empty for the one user of a machine without accounts.
        created: When, UTC.
        signed_hash: What was signed.
    """

    name: str
    created: datetime
    signed_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the review, in words: when (UTC), who, what was done, the state after it, and why."""

    created: datetime
    name: str
    action: str
    target: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A decision or a line of the register as it stood: its number and version, who wrote it and when (UTC)."""

    number: int
    version: int
    content: Decision | RegisterItem
    name: str
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A thread of comments: what it is about, whether it waits for an answer, and who said what when."""

    kind: str
    key: str
    open: bool
    said: tuple[tuple[str, datetime, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRecord:
    """The review of one revision, for its document.

    Attributes:
        state: Where the revision stands.
        signed: Its approval; None if it never was approved.
        requirements: Each with ref, text, level, verdict and outcome: as signed, or as it is now.
        waivers: Each with code, subject, message, reason, name and date: as signed, or those that hold now.
        steps: What was done, oldest first.
        decisions: The decision log; of a signed revision as it stood then.
        register: Open questions, assumptions, constraints and risks, likewise.
        questions: Open questions that the design itself raises and nobody has written about.
        remarks: Threads of comments; of a signed revision those begun before the signature.
    """

    state: str
    signed: Signed | None
    requirements: tuple[Mapping[str, str], ...]
    waivers: tuple[Mapping[str, str], ...]
    steps: tuple[Step, ...]
    decisions: tuple[Written, ...]
    register: tuple[Written, ...]
    remarks: tuple[Remark, ...]
    questions: tuple[RegisterItem, ...] = ()
