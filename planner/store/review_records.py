"""What the store gives of a review: plain frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from planner.core.errors import PlannerError, shorten
from planner.review import Anchor, Decision, RegisterItem, Requirement, Role

EntryContent: TypeAlias = Requirement | Decision | RegisterItem
EntryKind = Literal["requirement", "decision", "question", "assumption", "constraint", "risk"]
ENTRY_KINDS: tuple[EntryKind, ...] = (
    "requirement",
    "decision",
    "question",
    "assumption",
    "constraint",
    "risk",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Who may do what.

    Attributes:
        subject: What the sign-in calls the person.
        name: What people call the person.
        role: "viewer", "editor" or "approver".
        updated: When the role was given, UTC.
    """

    subject: str
    name: str
    role: Role
    updated: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A link that shows one revision to whoever has it.

    Attributes:
        id: Its number.
        design_id: The design.
        revision: The revision.
        note: Whom it is for.
        name: Who made it.
        created: When, UTC.
        withdrawn: Since when it shows nothing any more; None while it does.
    """

    id: int
    design_id: int
    revision: int
    note: str
    name: str
    created: datetime
    withdrawn: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One line of the audit trail.

    Attributes:
        id: Its number; later ones are higher.
        created: When, UTC.
        subject: What the sign-in calls who did it; empty without accounts.
        name: What people call who did it.
        action: What was done, "save revision".
        design_id: The design, if it was done to one.
        revision: The revision, if it was done to one.
        detail: What else there is to know, by name.
    """

    id: int
    created: datetime
    subject: str
    name: str
    action: str
    design_id: int | None
    revision: int | None
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewStep:
    """One step of a review.

    Attributes:
        id: Its number.
        design_id: The design.
        revision: The revision.
        action: What was done, one of `planner.review.ACTIONS`.
        source: State before.
        target: State after.
        subject: What the sign-in calls who did it; empty without accounts.
        name: What people call who did it.
        note: Why.
        signed_hash: Of an approval, what was signed; empty otherwise.
        record: Of an approval, what held at that moment: requirements with their verdicts, waivers,
            key results, engine, catalogue and price set.
        created: When, UTC.
    """

    id: int
    design_id: int
    revision: int
    action: str
    source: str
    target: str
    subject: str
    name: str
    note: str
    signed_hash: str
    record: Mapping[str, Any]
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """One comment.

    Attributes:
        id: Its number.
        subject: What the sign-in calls its author; empty without accounts.
        name: What people call its author.
        text: What it says, plain text.
        created: When, UTC.
    """

    id: int
    subject: str
    name: str
    text: str
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """Comments on one thing.

    Attributes:
        id: Its number.
        design_id: The design.
        revision: The revision on which it was begun.
        anchor: What it is about.
        open: Whether it waits for an answer.
        changed_by: Who resolved or reopened it last; empty if nobody did.
        created: When it was begun, UTC.
        updated: When something was last added or changed, UTC.
        comments: The comments, oldest first.
    """

    id: int
    design_id: int
    revision: int
    anchor: Anchor
    open: bool
    changed_by: str
    created: datetime
    updated: datetime
    comments: tuple[Comment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One version of a requirement, a decision or a line of the register.

    Attributes:
        design_id: The design.
        kind: "requirement", "decision", "question", "assumption", "constraint" or "risk".
        number: Its number among those of its kind, from 1.
        version: Number of the version, from 1.
        content: What it says.
        withdrawn: Whether it no longer counts; it is kept all the same.
        subject: What the sign-in calls who wrote this version; empty without accounts.
        name: What people call who wrote this version.
        created: When this version was written, UTC.
    """

    design_id: int
    kind: EntryKind
    number: int
    version: int
    content: EntryContent
    withdrawn: bool
    subject: str
    name: str
    created: datetime


class EntryConflictError(PlannerError):
    """Someone changed an entry in the meantime; nothing was overwritten and all three are here.

    Attributes:
        mine: What was to be written; None if it was to be withdrawn.
        theirs: What someone else wrote.
        base: The version that the change started from.
    """

    def __init__(self, *, mine: EntryContent | None, theirs: Entry, base: Entry) -> None:
        """Keep all three versions, and say who was first."""
        super().__init__(
            f"version: {theirs.kind} {theirs.number} was changed by {shorten(theirs.name) or 'someone'} at "
            f"{theirs.created:%Y-%m-%d %H:%M} UTC (version {theirs.version}, yours starts from {base.version}); "
            "neither is lost: compare them and write again",
            field="version",
        )
        self.mine = mine
        self.theirs = theirs
        self.base = base


class RightsError(PlannerError):
    """The actor's role is not enough for what was asked; nothing was changed."""
