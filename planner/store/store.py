"""The store: designs with their revisions, and drafts."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self

from sqlalchemy import ColumnElement, delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from planner.core.errors import PlannerError, nearest, shorten
from planner.store import rows
from planner.store.database import BUSY_S, Database
from planner.store.records import (
    STATUSES,
    ConflictError,
    DesignPage,
    DesignSummary,
    Draft,
    NewRevision,
    Revision,
)
from planner.store.tables import DesignRow, DraftRow, RevisionRow
from planner.store.text import (
    MAX_NAME_CHARS,
    checked_draft_key,
    checked_json,
    checked_name,
    checked_revision,
    checked_text,
    folded,
)
from planner.store.upgrades import SCHEMA_VERSION, UPGRADES, Upgrade, upgraded_json

MAX_PAGE_ROWS = 500
COUNT_AHEAD = 500
"""Designs that are counted on from a page of the list; beyond, the list says that there are more."""
_INSERT: dict[str, Callable[[type[DraftRow]], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def _now() -> datetime:
    return datetime.now(UTC)


class Store:
    """Designs and drafts in one database; safe to share between threads.

    Each method is one transaction: it is done whole, or it raises and nothing has changed. Besides
    what a method states itself, each raises `PlannerError` when the database is locked, read-only,
    full, damaged or out of reach.

    Args:
        database: The open database.
        schema_version: Version of the scenario's fields that this planner reads and writes.
        upgrades: By version, the function that lifts a scenario from it to the next version.
        clock: Gives the time of each change, UTC.
    """

    def __init__(
        self,
        database: Database,
        *,
        schema_version: int = SCHEMA_VERSION,
        upgrades: Mapping[int, Upgrade] = UPGRADES,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        """Keep the database and how old scenarios are lifted."""
        self.database = database
        self._schema_version = schema_version
        self._upgrades = upgrades
        self._clock = clock

    def __enter__(self) -> Self:
        """The store itself; it is closed at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the database."""
        self.close()

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    # Designs

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
        with self.database.writing() as session:
            return rows.insert_design(session, line, content, now=self._clock())

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
        with self.database.writing() as session:
            design = rows.design(session, design_id)
            latest = rows.revision(session, design_id, design.latest_revision)
            note = f"Copy of design {design_id}, revision {latest.number}"
            content = replace(latest, author=author, note=note)
            checked_revision(content)
            ending = " (copy)"
            copied_name = checked_name(design.name[: MAX_NAME_CHARS - len(ending)] + ending)
            return rows.insert_design(session, wanted or copied_name, content, now=self._clock())

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
        with self.database.reading() as session:
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
        """One design as the list shows it.

        Raises:
            PlannerError: The design does not exist.
        """
        with self.database.reading() as session:
            return rows.design(session, design_id)

    def rename_design(self, design_id: int, name: str) -> DesignSummary:
        """Give a design another name.

        Raises:
            PlannerError: The design does not exist, or the name is none.
        """
        line = checked_name(name)
        return self._change(design_id, name=line, name_folded=folded(line))

    def archive_design(self, design_id: int) -> DesignSummary:
        """Put a design away: it leaves the list but keeps its links and revisions.

        Raises:
            PlannerError: The design does not exist.
        """
        return self._change(design_id, archived=True)

    def unarchive_design(self, design_id: int) -> DesignSummary:
        """Bring a design back into the list.

        Raises:
            PlannerError: The design does not exist.
        """
        return self._change(design_id, archived=False)

    def set_status(self, design_id: int, status: str, *, revision: int) -> DesignSummary:
        """Give the newest revision a review status; the next revision starts as a draft again.

        Args:
            design_id: The design.
            status: "draft", "in review" or "approved".
            revision: The revision that was looked at; it has to be the newest one still.

        Raises:
            PlannerError: The design does not exist, the status is none, or there is a newer revision.
        """
        if status not in STATUSES:
            hint = nearest(status, STATUSES)
            raise PlannerError(
                f"status: “{shorten(status)}” is not one of {', '.join(STATUSES)}{hint}", field="status"
            )
        with self.database.writing() as session:
            done = rows.update_design(
                session, design_id, {"status": status, "updated": self._clock()}, if_latest=revision
            )
            design = rows.design(session, design_id)
            if not done:
                raise PlannerError(
                    f"status: design {design_id} is at revision {design.latest_revision}, not "
                    f"{shorten(revision)}; look at revision {design.latest_revision} first",
                    field="status",
                )
            return design

    def _change(self, design_id: int, **values: str | bool) -> DesignSummary:
        with self.database.writing() as session:
            rows.update_design(session, design_id, {**values, "updated": self._clock()})
            return rows.design(session, design_id)

    # Revisions

    def add_revision(self, design_id: int, content: NewRevision, *, base_revision: int) -> Revision:
        """Save a design again.

        Saving the very same content twice on the same revision, as a double click does, gives the
        revision that the first click made.

        Args:
            design_id: The design.
            content: What to save.
            base_revision: Number of the revision that the changes start from.

        Returns:
            The new revision, numbered one above its base.

        Raises:
            ConflictError: Someone else saved a revision on the same base; both are in the error.
            PlannerError: The design or the base does not exist, the design is archived, or the
                content cannot be stored.
        """
        checked_revision(content)
        saved = None
        try:
            with self.database.writing() as session:
                if rows.design(session, design_id).archived:
                    raise PlannerError(
                        f"design: {design_id} is archived; bring it back first, or save as a new design",
                        field="design",
                    )
                saved = rows.append_revision(
                    session, design_id, content, base_revision=base_revision, now=self._clock()
                )
        except IntegrityError:
            # The number is taken although the design did not say so: the second lock held.
            saved = None
        return saved or self._same_or_conflict(design_id, content, base_revision)

    def _same_or_conflict(self, design_id: int, content: NewRevision, base_revision: int) -> Revision:
        with self.database.reading() as session:
            base = rows.revision(session, design_id, base_revision)
            current = rows.latest_revision(session, design_id)
        if current.number == base.number + 1 and rows.same_content(current, content):
            return current
        raise ConflictError(yours=content, base=base, current=current)

    def revisions(self, design_id: int) -> tuple[Revision, ...]:
        """All revisions of a design as they were saved, the newest first.

        Raises:
            PlannerError: The design does not exist.
        """
        history = (
            select(RevisionRow)
            .where(RevisionRow.design_id == design_id)
            .order_by(col(RevisionRow.number).desc())
        )
        with self.database.reading() as session:
            rows.design(session, design_id)
            return tuple(rows.to_revision(row) for row in session.exec(history))

    def revision(self, design_id: int, number: int | None = None) -> Revision:
        """A revision as it was saved, whatever its schema version.

        Args:
            design_id: The design.
            number: Number of the revision; None for the newest.

        Raises:
            PlannerError: The design or the revision does not exist.
        """
        with self.database.reading() as session:
            if number is None:
                number = rows.design(session, design_id).latest_revision
            return rows.revision(session, design_id, number)

    def open_revision(self, design_id: int, number: int | None = None) -> Revision:
        """A revision with the scenario in the fields of this planner, to be shown and worked on.

        The stored revision stays as it is, and the hash is that of the stored scenario.

        Args:
            design_id: The design.
            number: Number of the revision; None for the newest.

        Raises:
            PlannerError: The design or the revision does not exist, or its schema version is newer
                than this planner's or too old to be lifted.
        """
        stored = self.revision(design_id, number)
        lifted = upgraded_json(
            stored.scenario_json,
            from_version=stored.schema_version,
            to_version=self._schema_version,
            upgrades=self._upgrades,
            what=f"revision {stored.number} of design {design_id}",
        )
        return replace(stored, scenario_json=lifted, schema_version=self._schema_version)

    # Drafts

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
    ) -> Draft:
        """Write a draft under its key, over what was there; doing it twice is the same as once.

        Args:
            key: Key of the draft, from `new_draft_key`.
            content_json: The inputs, a JSON object as text.
            base_design_id: Design that the work started from; None for a new one.
            base_revision: Revision that it started from; given together with the design.

        Raises:
            PlannerError: The key or the content cannot be one, or the base does not exist.
        """
        checked_draft_key(key)
        checked_json(content_json, field="draft")
        if (base_design_id is None) != (base_revision is None):
            raise PlannerError(
                "draft: give both the design and the revision it starts from, or neither", field="draft"
            )
        with self.database.writing() as session:
            if base_design_id is not None and base_revision is not None:
                rows.revision(session, base_design_id, base_revision)
            values = {
                "content_json": content_json,
                "base_design_id": base_design_id,
                "base_revision": base_revision,
                "updated": self._clock(),
            }
            insert = _INSERT[self.database.engine.dialect.name](DraftRow).values(key=key, **values)
            session.execute(insert.on_conflict_do_update(index_elements=["key"], set_=values))
            return rows.to_draft(_draft_row(session, key))

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
        with self.database.writing() as session:
            session.execute(delete(DraftRow).where(col(DraftRow.key) == key))

    def purge_drafts(self, *, unused_days: float) -> int:
        """Remove the drafts that nobody has written for so many days.

        Returns:
            How many were removed.

        Raises:
            PlannerError: The number of days is negative or too large.
        """
        if not 0 <= unused_days <= 36_500:
            raise PlannerError(f"unused_days: {unused_days:g} is outside 0 to 36500", field="unused_days")
        before = self._clock() - timedelta(days=unused_days)
        with self.database.writing() as session:
            return rows.count(session, delete(DraftRow).where(col(DraftRow.updated) < before))


def _draft_row(session: Session, key: str) -> DraftRow:
    return session.exec(select(DraftRow).where(DraftRow.key == key)).one()


def open_store(
    url: str | None = None,
    *,
    schema_version: int = SCHEMA_VERSION,
    upgrades: Mapping[int, Upgrade] = UPGRADES,
    busy_s: float = BUSY_S,
) -> Store:
    """Open the store, and make or update its tables.

    Args:
        url: Address of the database; None for `PLANNER_DATABASE_URL`, or else the file `planner.db`
            beside the application.
        schema_version: Version of the scenario's fields that this planner reads and writes.
        upgrades: By version, the function that lifts a scenario from it to the next version.
        busy_s: How long an operation waits for others to finish.

    Raises:
        PlannerError: The address is wrong, or the database cannot be used.
    """
    return Store(Database(url, busy_s=busy_s), schema_version=schema_version, upgrades=upgrades)
