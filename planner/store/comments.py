"""The part of the store that keeps comments: threads on one thing of a revision."""

from __future__ import annotations

from collections.abc import Iterable, Set
from datetime import datetime
from typing import cast

from sqlmodel import Session, col, select

from planner.core.errors import PlannerError, nearest, shorten
from planner.review import ANCHOR_KINDS, Anchor, AnchorKind
from planner.store import rows
from planner.store.base import StoreBase
from planner.store.review_records import Comment, Thread
from planner.store.review_tables import CommentRow, ThreadRow
from planner.store.text import MAX_KEY_CHARS, MAX_NOTE_CHARS, checked_filled, checked_line


class Comments(StoreBase):
    """Threads: begun, answered, resolved, reopened; never removed."""

    def begin_thread(
        self, design_id: int, revision: int, anchor: Anchor, text: str, *, author: str = ""
    ) -> Thread:
        """Comment on one thing of a revision.

        Args:
            design_id: The design.
            revision: The revision that is looked at.
            anchor: What the comment is about.
            text: The comment, plain text of several lines; it is never read as markup.
            author: Who says so; a sign-in's own name goes before it.

        Raises:
            PlannerError: The revision does not exist, the anchor cannot be one, or the text is empty.
        """
        checked_anchor(anchor)
        said = checked_filled(text, field="comment", max_chars=MAX_NOTE_CHARS)
        name = self._author(author)
        with self._writing("editor", "commenting") as session:
            rows.revision(session, design_id, revision)
            now = self._clock()
            row = ThreadRow(
                design_id=design_id, revision=revision, kind=anchor.kind, key=anchor.key, open=True,
                changed_by="", created=now, updated=now,
            )  # fmt: skip
            session.add(row)
            session.flush()
            self._add(session, row, said, name=name, now=now)
            self._tell(session, "comment", row, name=name, now=now)
            return _thread(session, row)

    def reply(self, thread_id: int, text: str, *, author: str = "") -> Thread:
        """Add a comment to a thread; a resolved one stays resolved until it is reopened.

        Raises:
            PlannerError: The thread does not exist, or the text is empty.
        """
        said = checked_filled(text, field="comment", max_chars=MAX_NOTE_CHARS)
        name = self._author(author)
        with self._writing("editor", "commenting") as session:
            row = _thread_row(session, thread_id)
            now = self._clock()
            row.updated = now
            self._add(session, row, said, name=name, now=now)
            self._tell(session, "reply", row, name=name, now=now)
            return _thread(session, row)

    def resolve_thread(self, thread_id: int, *, author: str = "") -> Thread:
        """Mark a thread as answered.

        Raises:
            PlannerError: The thread does not exist.
        """
        return self._turn(thread_id, open_now=False, author=author)

    def reopen_thread(self, thread_id: int, *, author: str = "") -> Thread:
        """Mark a thread as waiting for an answer again.

        Raises:
            PlannerError: The thread does not exist.
        """
        return self._turn(thread_id, open_now=True, author=author)

    def threads(
        self, design_id: int, revision: int, *, present: Set[Anchor] | None = None
    ) -> tuple[Thread, ...]:
        """The threads to show on a revision: its own, and those of earlier ones whose thing is still there.

        Args:
            design_id: The design.
            revision: The revision that is looked at.
            present: What the revision has, from `planner.review.anchors`; None for its own threads alone.

        Returns:
            The threads, oldest first. What was said on a later revision is not shown.

        Raises:
            PlannerError: The revision does not exist.
        """
        wanted = (
            select(ThreadRow)
            .where(ThreadRow.design_id == design_id, col(ThreadRow.revision) <= revision)
            .order_by(col(ThreadRow.id))
        )
        with self._reading(design_id, revision) as session:
            rows.revision(session, design_id, revision)
            found = [
                row
                for row in session.exec(wanted)
                if row.revision == revision or (present is not None and _anchor(row) in present)
            ]
            return _threads(session, found)

    def _turn(self, thread_id: int, *, open_now: bool, author: str) -> Thread:
        name = self._author(author)
        with self._writing("editor", "resolving or reopening a comment") as session:
            row = _thread_row(session, thread_id)
            if row.open != open_now:
                now = self._clock()
                row.open, row.changed_by, row.updated = open_now, name, now
                self._tell(session, "reopen" if open_now else "resolve", row, name=name, now=now)
            return _thread(session, row)

    def _add(self, session: Session, row: ThreadRow, text: str, *, name: str, now: datetime) -> None:
        assert row.id is not None  # the database gave it one at the flush
        session.add(
            CommentRow(thread_id=row.id, subject=self.actor.subject, name=name, text=text, created=now)
        )
        session.flush()

    def _tell(self, session: Session, action: str, row: ThreadRow, *, name: str, now: datetime) -> None:
        self._file(
            session, action, now=now, name=name, design_id=row.design_id, revision=row.revision,
            thread=row.id, on=f"{row.kind} {row.key}",
        )  # fmt: skip


def checked_anchor(anchor: Anchor) -> None:
    """Refuse what nothing can hang on.

    Raises:
        PlannerError: The kind is none, or the key is empty or too long.
    """
    if anchor.kind not in ANCHOR_KINDS:
        raise PlannerError(
            f"anchor: “{shorten(anchor.kind)}” is not one of {', '.join(ANCHOR_KINDS)}"
            f"{nearest(anchor.kind, ANCHOR_KINDS)}",
            field="anchor",
        )
    if not checked_line(anchor.key, field="anchor", max_chars=MAX_KEY_CHARS):
        raise PlannerError(
            f"anchor: the {anchor.kind} has no name; give 1 to {MAX_KEY_CHARS} characters", field="anchor"
        )


def _thread_row(session: Session, thread_id: int) -> ThreadRow:
    row = session.get(ThreadRow, thread_id, with_for_update=True) if 1 <= thread_id <= rows.MAX_ID else None
    if row is None:
        raise PlannerError(f"thread: {shorten(thread_id)} does not exist", field="thread")
    return row


def _anchor(row: ThreadRow) -> Anchor:
    return Anchor(cast("AnchorKind", row.kind), row.key)


def _thread(session: Session, row: ThreadRow) -> Thread:
    return _threads(session, [row])[0]


def _threads(session: Session, found: Iterable[ThreadRow]) -> tuple[Thread, ...]:
    threads = list(found)
    said: dict[int, list[Comment]] = {row.id: [] for row in threads if row.id is not None}
    wanted = select(CommentRow).where(col(CommentRow.thread_id).in_(said)).order_by(col(CommentRow.id))
    for item in session.exec(wanted):
        assert item.id is not None  # it was read from the database
        said[item.thread_id].append(
            Comment(id=item.id, subject=item.subject, name=item.name, text=item.text, created=item.created)
        )
    return tuple(
        Thread(
            id=row.id,
            design_id=row.design_id,
            revision=row.revision,
            anchor=_anchor(row),
            open=row.open,
            changed_by=row.changed_by,
            created=row.created,
            updated=row.updated,
            comments=tuple(said[row.id]),
        )
        for row in threads
        if row.id is not None
    )
