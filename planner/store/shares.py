"""The part of the store that keeps links: who has one sees one revision, and needs no account."""

from __future__ import annotations

import secrets

from sqlmodel import col, select

from planner.core.errors import PlannerError, shorten
from planner.store import rows
from planner.store.base import StoreBase, digest, share_of
from planner.store.review_records import Share
from planner.store.share_tables import ShareRow
from planner.store.text import MAX_NAME_CHARS, checked_line

KEY_BYTES = 24
"""Random bytes of a link: nobody guesses 192 bits."""


class Shares(StoreBase):
    """Links to revisions: made, followed, listed, withdrawn."""

    def share(self, design_id: int, revision: int, *, note: str = "", author: str = "") -> str:
        """Make a link to a revision, which stays right for ever: a revision never changes.

        Args:
            design_id: The design.
            revision: The revision.
            note: Whom it is for.
            author: Who makes it, where nobody is signed in.

        Returns:
            The key of the link. It is told this once: the store keeps a digest of it alone.

        Raises:
            PlannerError: The revision does not exist, or the note cannot be stored.
        """
        said = checked_line(note, field="note", max_chars=MAX_NAME_CHARS)
        name = self._author(author)
        key = secrets.token_urlsafe(KEY_BYTES)
        with self._writing("editor", "making a link") as session:
            rows.revision(session, design_id, revision)
            now = self._clock()
            row = ShareRow(
                key_digest=digest(key), design_id=design_id, revision=revision, note=said,
                subject=self.actor.subject, name=name, created=now,
            )  # fmt: skip
            session.add(row)
            self._file(
                session, "make link", now=now, name=name, design_id=design_id, revision=revision, note=said
            )
        return key

    def shared(self, key: str) -> tuple[int, int]:
        """The design and the revision that a link shows.

        Raises:
            PlannerError: The link does not exist, or it was withdrawn.
        """
        with self.database.reading() as session:
            return share_of(session, key)

    def shares(self, design_id: int) -> tuple[Share, ...]:
        """The links to a design's revisions, oldest first, with those that were withdrawn.

        Raises:
            PlannerError: The design does not exist.
        """
        wanted = select(ShareRow).where(ShareRow.design_id == design_id).order_by(col(ShareRow.id))
        with self._reading() as session:
            rows.design(session, design_id)
            return tuple(_share(row) for row in session.exec(wanted))

    def withdraw_share(self, share_id: int, *, author: str = "") -> Share:
        """Let a link show nothing any more.

        Raises:
            PlannerError: The link does not exist.
        """
        name = self._author(author)
        with self._writing("editor", "withdrawing a link") as session:
            row = session.get(ShareRow, share_id) if 1 <= share_id <= rows.MAX_ID else None
            if row is None:
                raise PlannerError(f"share: link {shorten(share_id)} does not exist", field="share")
            if row.withdrawn is None:
                row.withdrawn = self._clock()
                session.add(row)
                self._file(
                    session, "withdraw link", now=row.withdrawn, name=name, design_id=row.design_id,
                    revision=row.revision, note=row.note,
                )  # fmt: skip
                session.flush()
            return _share(row)


def _share(row: ShareRow) -> Share:
    assert row.id is not None  # it was read from the database
    return Share(
        id=row.id,
        design_id=row.design_id,
        revision=row.revision,
        note=row.note,
        name=row.name,
        created=row.created,
        withdrawn=row.withdrawn,
    )
