"""The part of the store that keeps where a review stands, what was waived, and what was signed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select, update

from planner import __version__
from planner.catalogue import Catalogue
from planner.core.errors import PlannerError, shorten
from planner.review import ACTIONS, Waiver, after
from planner.review.states import action_of
from planner.store import rows
from planner.store.assess import Assessment, acceptable_text, assess, check_approvable, signed_record
from planner.store.base import NEWEST
from planner.store.entries import Entries
from planner.store.records import Revision
from planner.store.review_records import ReviewStep, RightsError
from planner.store.review_tables import StepRow, WaiverRow
from planner.store.revisions import Revisions
from planner.store.tables import RevisionRow
from planner.store.text import MAX_NOTE_CHARS, checked_filled, checked_text

_FROZEN = ("approved", "superseded")


class Reviews(Revisions, Entries):
    """Steps of a review, waivers and signatures."""

    def take_step(
        self, design_id: int, revision: int, action: str, *, note: str = "", author: str = ""
    ) -> Revision:
        """Move a review on: submit, withdraw, request changes or supersede. `approve` is a method of its own.

        Args:
            design_id: The design.
            revision: The revision that was looked at.
            action: One of `planner.review.ACTIONS`.
            note: Why; needed to request changes and to supersede.
            author: Who does it; a sign-in's own name goes before it.

        Returns:
            The revision in its new state.

        Raises:
            RightsError: The actor's role is not enough.
            PlannerError: The revision does not exist, the step does not start from its state, the note
                is missing, or the step is "approve".
        """
        step = action_of(action)
        if step.name == "approve":
            raise PlannerError("action: an approval needs the catalogue; use approve", field="action")
        said = checked_text(note.strip(), field="note", max_chars=MAX_NOTE_CHARS)
        if step.needs_note:
            said = checked_filled(note, field="note", max_chars=MAX_NOTE_CHARS)
        name = self._author(author)
        with self._writing(step.role, f"to {step.name}") as session:
            rows.locked_design(session, design_id)
            rows.revision(session, design_id, revision)
            self._move(session, design_id, revision, action, note=said, name=name, now=self._clock())
            return rows.revision(session, design_id, revision)

    def assess(
        self,
        design_id: int,
        revision: int | None = None,
        *,
        catalogue: Catalogue,
        engine_version: str = __version__,
    ) -> Assessment:
        """Plan a revision again: its findings, the hash to sign, and what moved since it was saved.

        Raises:
            PlannerError: The revision does not exist, or can no longer be read or computed.
        """
        opened = self.open_revision(design_id, revision)
        stale = self.staleness(design_id, opened.number, catalogue=catalogue, engine_version=engine_version)
        return assess(opened, stale, catalogue, engine_version=engine_version)

    def approve(
        self,
        design_id: int,
        revision: int,
        *,
        catalogue: Catalogue,
        note: str = "",
        author: str = "",
        engine_version: str = __version__,
    ) -> ReviewStep:
        """Sign a revision. It is frozen from then on, and the approved one before it is superseded.

        The store plans the revision again by itself: nothing that a page shows is taken on trust.

        Args:
            design_id: The design.
            revision: The revision that was looked at.
            catalogue: The catalogue that it was looked at with.
            note: What goes with the signature.
            author: Who signs; a sign-in's own name goes before it. Who saved a revision under a sign-in
                does not approve it.
            engine_version: Version of this planner.

        Returns:
            The signature with the hash that the document prints.

        Raises:
            RightsError: The actor's role is not enough, or the actor saved the revision.
            PlannerError: It is not in review, nobody is named, a blocker or a required requirement is in the
                way, its results would move, or a later revision is approved already.
        """
        said = checked_text(note.strip(), field="note", max_chars=MAX_NOTE_CHARS)
        name = self._author(author)
        assessed = self.assess(design_id, revision, catalogue=catalogue, engine_version=engine_version)
        with self._writing(ACTIONS["approve"].role, "to approve") as session:
            if not name:
                raise PlannerError("author: a signature needs a name; type who approves this", field="author")
            rows.locked_design(session, design_id)
            current = rows.revision(session, design_id, revision)
            after(current.state, "approve")
            self._check_signer(current)
            earlier = _approved(session, design_id)
            if earlier and max(earlier) > revision:
                raise PlannerError(
                    f"approve: revision {max(earlier)} of design {design_id}, which is later, is approved already",
                    field="approve",
                )
            # Read inside the transaction: what is signed is what holds now, not when the page was drawn.
            requirements = self._requirements(session, design_id)
            waivers = _waivers(session, design_id, revision)
            check_approvable(assessed, requirements, waivers)
            now = self._clock()
            step = self._move(
                session, design_id, revision, "approve", note=said, name=name, now=now,
                signed=(assessed.basis.signed_hash, signed_record(assessed, requirements, waivers)),
            )  # fmt: skip
            for number in earlier:
                self._move(
                    session, design_id, number, "supersede", note=f"Revision {revision} was approved.",
                    name=name, now=now,
                )  # fmt: skip
            return step

    def review_steps(self, design_id: int, revision: int | None = None) -> tuple[ReviewStep, ...]:
        """The steps of a design's reviews, oldest first.

        Args:
            design_id: The design.
            revision: One revision alone; None for all.

        Raises:
            PlannerError: The design does not exist.
        """
        wanted = select(StepRow).where(StepRow.design_id == design_id).order_by(col(StepRow.id))
        with self._reading(design_id, revision or NEWEST) as session:
            rows.design(session, design_id)
            found = tuple(_step(row) for row in session.exec(wanted))
        return tuple(step for step in found if revision in (None, step.revision))

    def signature(self, design_id: int, revision: int) -> ReviewStep | None:
        """The approval of a revision with its hash; None if it never was approved."""
        signed = [step for step in self.review_steps(design_id, revision) if step.action == "approve"]
        return signed[-1] if signed else None

    def waive(
        self,
        design_id: int,
        revision: int,
        code: str,
        subject: str,
        *,
        reason: str,
        catalogue: Catalogue,
        author: str = "",
    ) -> Waiver:
        """Accept a finding, or a requirement that is not met, by name.

        It holds on this revision and on later ones for as long as the finding says the same, numbers
        included.

        Args:
            design_id: The design.
            revision: The revision that was looked at.
            code: Code of the finding; "REQ" for a requirement.
            subject: What the finding speaks of, from `planner.review.subjects`; the requirement's `ref`.
            reason: Why it is acceptable.
            catalogue: The catalogue that it was looked at with.
            author: Who accepts it; a sign-in's own name goes before it.

        Raises:
            RightsError: The actor's role is not enough.
            PlannerError: The revision has no such finding or is frozen, or the reason or the name is empty.
        """
        why = checked_filled(reason, field="reason", max_chars=MAX_NOTE_CHARS)
        name = self._author(author)
        assessed = self.assess(design_id, revision, catalogue=catalogue)
        with self._writing("approver", "waiving a finding") as session:
            if not name:
                raise PlannerError("author: a waiver needs a name; type who accepts this", field="author")
            rows.locked_design(session, design_id)
            _check_not_frozen(rows.revision(session, design_id, revision))
            message = acceptable_text(assessed, self._requirements(session, design_id), code, subject)
            now = self._clock()
            row = WaiverRow(
                design_id=design_id, revision=revision, code=code, subject=subject, message=message, reason=why,
                account=self.actor.subject, name=name, created=now, revoked=None,
            )  # fmt: skip
            session.add(row)
            session.flush()
            self._file(
                session, "waive", now=now, name=name, design_id=design_id, revision=revision,
                finding=f"{code} {subject}", message=message, reason=why,
            )  # fmt: skip
            return _waiver(row)

    def revoke_waiver(self, waiver_id: int, *, author: str = "") -> Waiver:
        """Take a waiver back; it is kept, and what was signed with it stays signed.

        Raises:
            PlannerError: It does not exist.
        """
        name = self._author(author)
        with self._writing("approver", "taking a waiver back") as session:
            row = session.get(WaiverRow, waiver_id) if 1 <= waiver_id <= rows.MAX_ID else None
            if row is None:
                raise PlannerError(f"waiver: {shorten(waiver_id)} does not exist", field="waiver")
            if row.revoked is None:
                row.revoked = now = self._clock()
                self._file(
                    session, "revoke waiver", now=now, name=name, design_id=row.design_id,
                    revision=row.revision, finding=f"{row.code} {row.subject}",
                )  # fmt: skip
                session.flush()
            return _waiver(row)

    def waivers(self, design_id: int, revision: int) -> tuple[Waiver, ...]:
        """The waivers of a revision and of those before it, oldest first, for `planner.review.accepted`.

        Raises:
            PlannerError: The revision does not exist.
        """
        with self._reading(design_id, revision) as session:
            rows.revision(session, design_id, revision)
            return _waivers(session, design_id, revision)

    def _check_signer(self, revision: Revision) -> None:
        if self.actor.signed_in and revision.saved_by == self.actor.subject:
            raise RightsError(
                f"role: {shorten(self.actor.shown)} saved revision {revision.number}; "
                "someone else has to approve it",
                field="role",
            )

    def _move(
        self,
        session: Session,
        design_id: int,
        revision: int,
        action: str,
        *,
        note: str,
        name: str,
        now: datetime,
        signed: tuple[str, Mapping[str, Any]] = ("", {}),
    ) -> ReviewStep:
        """Take a step in a transaction that holds the design, and tell of it."""
        source = rows.revision(session, design_id, revision).state
        target = after(source, action)
        signed_hash, record = signed
        row = StepRow(
            design_id=design_id, revision=revision, action=action, source=source, target=target,
            subject=self.actor.subject, name=name, note=note, signed_hash=signed_hash,
            record_json=json.dumps(record, ensure_ascii=False), created=now,
        )  # fmt: skip
        session.add(row)
        self._file(
            session, action, now=now, name=name, design_id=design_id, revision=revision, note=note,
            **({"signed_hash": signed_hash} if signed_hash else {}),
        )  # fmt: skip
        session.flush()
        step = _step(row)
        change = update(RevisionRow).where(
            col(RevisionRow.design_id) == design_id, col(RevisionRow.number) == revision
        )
        rows.count(session, change.values(state=target))
        rows.update_design(session, design_id, {"status": target, "updated": now}, if_latest=revision)
        return step


def _check_not_frozen(revision: Revision) -> None:
    if revision.state in _FROZEN:
        raise PlannerError(
            f"revision: revision {revision.number} is {revision.state} and frozen; save a new revision to change it",
            field="revision",
        )


def _approved(session: Session, design_id: int) -> list[int]:
    wanted = select(RevisionRow.number).where(
        RevisionRow.design_id == design_id, RevisionRow.state == "approved"
    )
    return list(session.exec(wanted.order_by(col(RevisionRow.number))))


def _waivers(session: Session, design_id: int, revision: int) -> tuple[Waiver, ...]:
    wanted = select(WaiverRow).where(WaiverRow.design_id == design_id, col(WaiverRow.revision) <= revision)
    return tuple(_waiver(row) for row in session.exec(wanted.order_by(col(WaiverRow.id))))


def _waiver(row: WaiverRow) -> Waiver:
    assert row.id is not None  # it was written before
    return Waiver(
        id=row.id,
        design_id=row.design_id,
        revision=row.revision,
        code=row.code,
        subject=row.subject,
        message=row.message,
        reason=row.reason,
        name=row.name,
        created=row.created,
        revoked=row.revoked,
    )


def _step(row: StepRow) -> ReviewStep:
    assert row.id is not None  # it was written before
    return ReviewStep(
        id=row.id,
        design_id=row.design_id,
        revision=row.revision,
        action=row.action,
        source=row.source,
        target=row.target,
        subject=row.subject,
        name=row.name,
        note=row.note,
        signed_hash=row.signed_hash,
        record=json.loads(row.record_json),
        created=row.created,
    )
