"""The part of the store that keeps drafts: work that is not a revision yet."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlmodel import Session, col, select

from planner.core.errors import PlannerError
from planner.store import rows
from planner.store.base import StoreBase
from planner.store.records import Draft
from planner.store.tables import DraftRow
from planner.store.text import checked_draft_key, checked_json

_WHAT = "keeping a draft"
DRAFT_DAYS = 90
"""A draft that nobody wrote for so long is given up."""


class DraftConflictError(PlannerError):
    """Two people write in one draft; what the second one has goes into a draft of its own."""

    def __init__(self) -> None:
        """State what happened, and what was not done."""
        super().__init__(
            "draft: someone else writes in this draft as well; theirs was left as it is: "
            "keep yours under a key of its own",
            field="draft",
        )


class Drafts(StoreBase):
    """Drafts under secret keys. They are nobody's record: the audit trail does not tell of them."""

    @staticmethod
    def new_draft_key() -> str:
        """A key that nobody can guess (128 random bits), fit for a link."""
        return secrets.token_urlsafe(16)

    def save_draft(
        self,
        key: str,
        content_json: str,
        *,
        base_design_id: int | None = None,
        base_revision: int | None = None,
        written: datetime | None = None,
    ) -> Draft:
        """Write a draft under its key, over what was there; doing it twice is the same as once.

        Args:
            key: Key of the draft, from `new_draft_key`.
            content_json: The inputs, a JSON object as text.
            base_design_id: Design that the work started from; None for a new one.
            base_revision: Revision that it started from; given together with the design.
            written: When it was written last as far as the caller knows; None to write over whatever is there.

        Raises:
            DraftConflictError: Someone else with its link wrote it since `written`; it is left as it is.
            PlannerError: The key or the content cannot be one, or the base does not exist.
        """
        checked_draft_key(key)
        checked_json(content_json, field="draft")
        if (base_design_id is None) != (base_revision is None):
            raise PlannerError(
                "draft: give both the design and the revision it starts from, or neither", field="draft"
            )
        with self._writing("editor", _WHAT) as session:
            if base_design_id is not None and base_revision is not None:
                rows.revision(session, base_design_id, base_revision)
            values = {
                "content_json": content_json,
                "base_design_id": base_design_id,
                "base_revision": base_revision,
                "updated": self._clock(),
            }
            as_known = None if written is None else col(DraftRow.updated) == written
            rows.put(session, DraftRow, {"key": key}, values, where=as_known)
            kept = rows.to_draft(_draft_row(session, key))
            if (kept.content_json, kept.updated) != (content_json, values["updated"]):
                raise DraftConflictError
            return kept

    def draft(self, key: str) -> Draft | None:
        """The draft under a key; None if there is none, or no longer.

        Raises:
            PlannerError: The key cannot be one.
        """
        checked_draft_key(key)
        with self.database.reading() as session:
            row = session.get(DraftRow, key)
            return None if row is None else rows.to_draft(row)

    def delete_draft(self, key: str) -> None:
        """Remove a draft, as after saving it; one that does not exist is no error.

        Raises:
            PlannerError: The key cannot be one.
        """
        checked_draft_key(key)
        with self._writing("editor", _WHAT) as session:
            session.execute(delete(DraftRow).where(col(DraftRow.key) == key))

    def drop_old_drafts(self) -> int:
        """Remove the drafts that nobody has written for `DRAFT_DAYS`; housekeeping, whoever asks for it.

        It takes no number, so that nobody without a right to write can remove more than what is given up.

        Returns:
            How many were removed.
        """
        before = self._clock() - timedelta(days=DRAFT_DAYS)
        with self.database.writing() as session:
            return rows.count(session, delete(DraftRow).where(col(DraftRow.updated) < before))


def _draft_row(session: Session, key: str) -> DraftRow:
    return session.exec(select(DraftRow).where(DraftRow.key == key)).one()
