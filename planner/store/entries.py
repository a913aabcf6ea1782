"""The part of the store that keeps requirements, decisions and the register, in versions."""

from __future__ import annotations

import dataclasses
import json
from datetime import date, datetime
from typing import Any, cast

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from planner.core.errors import PlannerError, nearest, shorten
from planner.review import Decision, RegisterItem, Requirement
from planner.store import rows
from planner.store.base import StoreBase, share_of
from planner.store.entry_checks import checked_entry
from planner.store.review_records import (
    ENTRY_KINDS,
    Entry,
    EntryConflictError,
    EntryContent,
    EntryKind,
)
from planner.store.review_tables import EntryRow, StepRow
from planner.store.tables import RevisionRow

_WHAT = "writing requirements, decisions or the register"


class Entries(StoreBase):
    """Numbered entries of a design; each change is a new version, and every version is kept.

    A guest reads them as they stood when the revision of his link was left behind: signed, or followed by another.
    What is asked and decided of later revisions is none of his; on the newest revision the work goes on, and he sees
    it as it is.
    """

    def add_entry(self, design_id: int, content: EntryContent, *, author: str = "") -> Entry:
        """Write a new requirement, decision, question, assumption, constraint or risk.

        Args:
            design_id: The design; its entries count on all of its revisions.
            content: What it says.
            author: Who says so; a sign-in's own name goes before it.

        Raises:
            PlannerError: The design does not exist, or the content cannot be stored.
        """
        kind = kind_of(content)
        checked = checked_entry(content)
        with self._writing("editor", _WHAT) as session:
            rows.locked_design(session, design_id)
            _check_ref(session, design_id, checked)
            _check_subject(session, design_id, checked)
            numbers = select(func.max(EntryRow.number)).where(
                EntryRow.design_id == design_id, EntryRow.kind == kind
            )
            number = (session.exec(numbers).one() or 0) + 1
            return self._write(session, (design_id, kind, number), 1, checked, author=author)

    def change_entry(
        self,
        design_id: int,
        kind: EntryKind,
        number: int,
        content: EntryContent,
        *,
        version: int,
        author: str = "",
    ) -> Entry:
        """Write an entry anew.

        Args:
            design_id: The design.
            kind: Kind of the entry.
            number: Its number.
            content: What it says now; of the same kind.
            version: The version that the change starts from.
            author: Who says so.

        Raises:
            EntryConflictError: Someone changed it in the meantime; mine, theirs and the base are in it.
            PlannerError: The entry or the version does not exist, or the content cannot be stored.
        """
        if kind_of(content) != kind:
            raise PlannerError(
                f"kind: {kind} {number} cannot become a {kind_of(content)}; write a new one", field="kind"
            )
        return self._next(design_id, kind, number, checked_entry(content), version=version, author=author)

    def withdraw_entry(
        self, design_id: int, kind: EntryKind, number: int, *, version: int, author: str = ""
    ) -> Entry:
        """Let an entry count no longer; it is kept, and `change_entry` brings it back.

        Raises:
            EntryConflictError: Someone changed it in the meantime.
            PlannerError: The entry or the version does not exist.
        """
        return self._next(design_id, kind, number, None, version=version, author=author)

    def entries(
        self, design_id: int, kind: EntryKind | None = None, *, withdrawn: bool = False
    ) -> tuple[Entry, ...]:
        """The newest version of each entry, by kind and number.

        Args:
            design_id: The design.
            kind: Kind of entry; None for all.
            withdrawn: Give those that count no longer as well.

        Raises:
            PlannerError: The design does not exist, or the kind is none.
        """
        if kind is not None and kind not in ENTRY_KINDS:
            raise PlannerError(
                f"kind: “{shorten(kind)}” is not one of {', '.join(ENTRY_KINDS)}{nearest(kind, ENTRY_KINDS)}",
                field="kind",
            )
        with self._reading(design_id) as session:
            rows.design(session, design_id)
            found = _current(session, design_id, kind, until=self._until(session))
        return tuple(entry for entry in found if withdrawn or not entry.withdrawn)

    def requirements(self, design_id: int) -> tuple[Requirement, ...]:
        """The requirements that count, ready for `planner.review.evaluate`."""
        with self._reading(design_id) as session:
            rows.design(session, design_id)
            return self._requirements(session, design_id)

    def _requirements(self, session: Session, design_id: int) -> tuple[Requirement, ...]:
        return tuple(
            cast("Requirement", entry.content)
            for entry in _current(session, design_id, "requirement", until=self._until(session))
            if not entry.withdrawn
        )

    def _until(self, session: Session) -> datetime | None:
        """When the revision of a guest's link was left behind; None where everything is shown.

        The link is the actor's own: which design it shows was asked when the reading began.
        """
        if self.actor.local or self.actor.signed_in:
            return None
        design_id, revision = share_of(session, self.actor.share)
        signed = select(func.max(StepRow.created)).where(
            StepRow.design_id == design_id, StepRow.revision == revision, StepRow.action == "approve"
        )
        followed = select(RevisionRow.created).where(
            RevisionRow.design_id == design_id, RevisionRow.number == revision + 1
        )
        return session.exec(signed).one() or session.exec(followed).first()

    def entry_history(self, design_id: int, kind: EntryKind, number: int) -> tuple[Entry, ...]:
        """All versions of an entry, the newest first; none if it does not exist."""
        wanted = (
            select(EntryRow)
            .where(
                EntryRow.design_id == design_id,
                EntryRow.kind == kind,
                EntryRow.number == rows.possible_id(number),
            )
            .order_by(col(EntryRow.version).desc())
        )
        with self._reading(design_id) as session:
            rows.design(session, design_id)
            until = self._until(session)
            return tuple(
                entry_of(row) for row in session.exec(wanted) if until is None or row.created <= until
            )

    def _next(
        self,
        design_id: int,
        kind: EntryKind,
        number: int,
        content: EntryContent | None,
        *,
        version: int,
        author: str,
    ) -> Entry:
        name = self._author(author)
        try:
            with self._writing("editor", _WHAT) as session:
                rows.locked_design(session, design_id)
                base = _version(session, design_id, kind, number, version)
                newest = _version(session, design_id, kind, number, None)
                if newest.version != version:
                    raise EntryConflictError(mine=content, theirs=newest, base=base)
                if content is not None:
                    _check_ref(session, design_id, content, number=number)
                return self._write(
                    session, (design_id, kind, number), version + 1, content or base.content,
                    author=name, withdrawn=content is None,
                )  # fmt: skip
        except IntegrityError:  # the version is taken: the second lock held
            with self.database.reading() as session:
                base = _version(session, design_id, kind, number, version)
                newest = _version(session, design_id, kind, number, None)
            raise EntryConflictError(mine=content, theirs=newest, base=base) from None

    def _write(
        self,
        session: Session,
        key: tuple[int, EntryKind, int],
        version: int,
        content: EntryContent,
        *,
        author: str,
        withdrawn: bool = False,
    ) -> Entry:
        (design_id, kind, number), name, now = key, self._author(author), self._clock()
        row = EntryRow(
            design_id=design_id, kind=kind, number=number, version=version, withdrawn=withdrawn,
            content_json=json.dumps(dataclasses.asdict(content), ensure_ascii=False, default=date.isoformat),
            subject=self.actor.subject, name=name, created=now,
        )  # fmt: skip
        session.add(row)
        session.flush()
        action = f"{'withdraw' if withdrawn else 'add' if version == 1 else 'change'} {kind}"
        self._file(session, action, now=now, name=name, design_id=design_id, number=number, version=version)
        return entry_of(row)


def kind_of(content: EntryContent) -> EntryKind:
    """The kind of entry that a content makes."""
    if isinstance(content, Requirement):
        return "requirement"
    return "decision" if isinstance(content, Decision) else content.kind


def _check_ref(session: Session, design_id: int, content: EntryContent, *, number: int = 0) -> None:
    """Refuse a second requirement with the customer's number of another."""
    if not isinstance(content, Requirement):
        return
    for entry in _current(session, design_id, "requirement"):
        stated = cast("Requirement", entry.content)
        if stated.ref == content.ref and entry.number != number and not entry.withdrawn:
            raise PlannerError(
                f"ref: “{shorten(content.ref)}” is requirement {entry.number} already; use another",
                field="ref",
            )


def _check_subject(session: Session, design_id: int, content: EntryContent) -> None:
    """Refuse a second question about one thing: two people may have answered the same one at once."""
    if not isinstance(content, RegisterItem) or content.kind != "question" or not content.subject:
        return
    for entry in _current(session, design_id, "question"):
        if cast("RegisterItem", entry.content).subject == content.subject:
            raise PlannerError(
                f"subject: question {entry.number} is about “{shorten(content.subject)}” already; change that one",
                field="subject",
            )


def _current(
    session: Session, design_id: int, kind: EntryKind | None, *, until: datetime | None = None
) -> list[Entry]:
    """The newest version of each entry, of those that were there at a time; None for now."""
    wanted = select(EntryRow).where(EntryRow.design_id == design_id)
    if until is not None:
        wanted = wanted.where(col(EntryRow.created) <= until)
    if kind is not None:
        wanted = wanted.where(EntryRow.kind == kind)
    newest: dict[tuple[str, int], EntryRow] = {}
    for row in session.exec(wanted.order_by(col(EntryRow.version))):
        newest[row.kind, row.number] = row
    order = sorted(newest, key=lambda key: (ENTRY_KINDS.index(cast("EntryKind", key[0])), key[1]))
    return [entry_of(newest[key]) for key in order]


def _version(session: Session, design_id: int, kind: EntryKind, number: int, version: int | None) -> Entry:
    wanted = select(EntryRow).where(
        EntryRow.design_id == design_id, EntryRow.kind == kind, EntryRow.number == rows.possible_id(number)
    )
    if version is not None:
        wanted = wanted.where(EntryRow.version == rows.possible_id(version))
    row = session.exec(wanted.order_by(col(EntryRow.version).desc()).limit(1)).first()
    if row is None:
        what = "" if version is None else f", version {shorten(version)},"
        raise PlannerError(
            f"number: {shorten(kind)} {shorten(number)}{what} of design {design_id} does not exist",
            field="number",
        )
    return entry_of(row)


def entry_of(row: EntryRow) -> Entry:
    """The record of a version of an entry."""
    kind = cast("EntryKind", row.kind)
    return Entry(
        design_id=row.design_id,
        kind=kind,
        number=row.number,
        version=row.version,
        content=_content(kind, json.loads(row.content_json)),
        withdrawn=row.withdrawn,
        subject=row.subject,
        name=row.name,
        created=row.created,
    )


def _content(kind: EntryKind, values: dict[str, Any]) -> EntryContent:
    if kind == "requirement":
        return Requirement(**values)
    if kind == "decision":
        return Decision(**values)
    due = values.pop("due")
    return RegisterItem(**values, due=None if due is None else date.fromisoformat(due))
