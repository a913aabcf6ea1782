"""The part of the store that keeps the list of designs."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from planner.core.errors import PlannerError, shorten
from planner.store import rows
from planner.store.base import StoreBase
from planner.store.records import DesignPage, DesignSummary, NewRevision, Revision
from planner.store.tables import DesignRow
from planner.store.text import MAX_NAME_CHARS, checked_name, checked_revision, checked_text, folded

MAX_PAGE_ROWS = 500
COUNT_AHEAD = 500
"""Designs that are counted on from a page of the list; beyond, the list says that there are more."""


class Designs(StoreBase):
    """Designs: new ones, copies, the list, names, archive."""

    def create_design(self, name: str, content: NewRevision) -> Revision:
        """Save a new design.

        Args:
            name: One line of 1 to 200 characters; blanks around it are dropped.
            content: What to save.

        Returns:
            Its first revision, which carries the number of the design.

        Raises:
            PlannerError: The name or the content cannot be stored.
        """
        line = checked_name(name)
        checked_revision(content)
        with self._writing("editor", "saving a design") as session:
            return self._insert_design(session, line, content, action="create design")

    def _insert_design(self, session: Session, name: str, content: NewRevision, *, action: str) -> Revision:
        author = self._author(content.author)
        now = self._clock()
        owned = replace(content, author=author)
        saved = rows.insert_design(session, name, owned, now=now, saved_by=self.actor.subject)
        self._file(
            session, action, now=now, name=author, design_id=saved.design_id, revision=1, design=name,
            note=content.note, scenario_hash=content.scenario_hash,
        )  # fmt: skip
        return saved

    def duplicate_design(self, design_id: int, *, author: str = "", name: str | None = None) -> Revision:
        """Start a new design from the newest revision of another.

        Args:
            design_id: The design to copy.
            author: Who copies it.
            name: Name of the copy; by default the other's with " (copy)".

        Returns:
            The first revision of the new design; its note says what it was copied from.

        Raises:
            PlannerError: The design does not exist, or the name or the author cannot be stored.
        """
        wanted = None if name is None else checked_name(name)
        with self._writing("editor", "copying a design") as session:
            design = rows.design(session, design_id)
            latest = rows.revision(session, design_id, design.latest_revision)
            note = f"Copy of design {design_id}, revision {latest.number}"
            content = replace(latest, author=author, note=note)
            checked_revision(content)
            ending = " (copy)"
            copied_name = checked_name(design.name[: MAX_NAME_CHARS - len(ending)] + ending)
            return self._insert_design(session, wanted or copied_name, content, action="copy design")

    def designs(
        self, search: str = "", *, archived: bool = False, limit: int = 50, offset: int = 0
    ) -> DesignPage:
        """A page of the list of designs, the one changed last first.

        Args:
            search: Part of the name, in any case; empty for all designs.
            archived: List the designs that are put away, instead of the others.
            limit: Rows of a page, 1 to 500.
            offset: Rows to pass over.

        Raises:
            PlannerError: The search text cannot be one, or the page is out of range.
        """
        needle = folded(checked_text(search.strip(), field="search", max_chars=MAX_NAME_CHARS))
        if not 1 <= limit <= MAX_PAGE_ROWS:
            raise PlannerError(f"limit: {limit} is outside 1 to {MAX_PAGE_ROWS}", field="limit")
        if not 0 <= offset <= rows.MAX_ID:
            raise PlannerError(f"offset: {shorten(offset)} is outside 0 to {rows.MAX_ID}", field="offset")
        wanted: list[ColumnElement[bool]] = [col(DesignRow.archived) == archived]
        if needle:
            wanted.append(col(DesignRow.name_folded).contains(needle, autoescape=True))
        page = (
            select(DesignRow)
            .where(*wanted)
            .order_by(col(DesignRow.updated).desc(), col(DesignRow.id).desc())
            .limit(limit)
            .offset(offset)
        )
        with self._reading() as session:
            found = tuple(rows.to_summary(row) for row in session.exec(page))
            total, more = self._count(session, wanted, offset, found_count=len(found), limit=limit)
            return DesignPage(found, total, more)

    @staticmethod
    def _count(
        session: Session, wanted: list[ColumnElement[bool]], offset: int, *, found_count: int, limit: int
    ) -> tuple[int, bool]:
        """How many designs there are, and whether there are more than were counted.

        Counting every row would make the list slower with each design saved, so the count goes on from
        the page by so many rows only; a page past the end counts them all, to say where the end is.
        """
        if 0 < found_count < limit or (not found_count and not offset):
            return offset + found_count, False
        if not found_count:
            return session.exec(select(func.count()).select_from(DesignRow).where(*wanted)).one(), False
        ahead = select(col(DesignRow.id)).where(*wanted).limit(COUNT_AHEAD + 1).offset(offset).subquery()
        counted = session.exec(select(func.count()).select_from(ahead)).one()
        return offset + min(counted, COUNT_AHEAD), counted > COUNT_AHEAD

    def design(self, design_id: int) -> DesignSummary:
        """One design as the list shows it; without results for a guest, because they are of its newest revision.

        Raises:
            PlannerError: The design does not exist.
        """
        with self._reading(design_id) as session:
            found = rows.design(session, design_id)
        return found if self.actor.local or self.actor.signed_in else replace(found, key_results={})

    def rename_design(self, design_id: int, name: str) -> DesignSummary:
        """Give a design another name.

        Raises:
            PlannerError: The design does not exist, or the name is none.
        """
        line = checked_name(name)
        return self._change(design_id, "rename design", name=line, name_folded=folded(line))

    def archive_design(self, design_id: int) -> DesignSummary:
        """Put a design away: it leaves the list but keeps its links and revisions.

        Raises:
            PlannerError: The design does not exist.
        """
        return self._change(design_id, "archive design", archived=True)

    def unarchive_design(self, design_id: int) -> DesignSummary:
        """Bring a design back into the list.

        Raises:
            PlannerError: The design does not exist.
        """
        return self._change(design_id, "unarchive design", archived=False)

    def _change(self, design_id: int, action: str, **values: str | bool) -> DesignSummary:
        with self._writing("editor", "changing a design") as session:
            now = self._clock()
            before = rows.locked_design(session, design_id)
            rows.update_design(session, design_id, {**values, "updated": now})
            after = rows.design(session, design_id)
            self._file(session, action, now=now, design_id=design_id, was=before.name, name_now=after.name)
            return after
