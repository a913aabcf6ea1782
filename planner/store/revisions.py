"""The part of the store that keeps the revisions of a design."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

from planner import __version__
from planner.catalogue import Catalogue
from planner.core.errors import PlannerError
from planner.review import Staleness, staleness
from planner.store import rows
from planner.store.base import NEWEST, StoreBase
from planner.store.records import ConflictError, NewRevision, Revision
from planner.store.tables import RevisionRow
from planner.store.text import checked_revision
from planner.store.upgrades import upgraded_json


class Revisions(StoreBase):
    """Revisions: the next one, the history, and what an old one would be today."""

    def add_revision(self, design_id: int, content: NewRevision, *, base_revision: int) -> Revision:
        """Save a design again.

        Saving the very same content twice on the same revision, as a double click does, gives the
        revision that the first click made.

        Args:
            design_id: The design.
            content: What to save.
            base_revision: Number of the revision that the changes start from.

        Returns:
            The new revision, numbered one above its base; its review begins again as a draft.

        Raises:
            ConflictError: Someone else saved a revision on the same base; mine, theirs and the base are
                in the error.
            PlannerError: The design or the base does not exist, the design is archived, or the
                content cannot be stored.
        """
        checked_revision(content)
        owned = replace(content, author=self._author(content.author))
        saved = None
        try:
            with self._writing("editor", "saving a revision") as session:
                if rows.design(session, design_id).archived:
                    raise PlannerError(
                        f"design: {design_id} is archived; bring it back first, or save as a new design",
                        field="design",
                    )
                now = self._clock()
                saved = rows.append_revision(
                    session,
                    design_id,
                    owned,
                    base_revision=base_revision,
                    now=now,
                    saved_by=self.actor.subject,
                )
                if saved is not None:
                    self._file(
                        session, "save revision", now=now, name=owned.author, design_id=design_id,
                        revision=saved.number, note=owned.note, scenario_hash=owned.scenario_hash,
                    )  # fmt: skip
        except IntegrityError:
            # The number is taken although the design did not say so: the second lock held.
            saved = None
        return saved or self._same_or_conflict(design_id, owned, base_revision)

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
        with self._reading() as session:
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
        with self._reading(design_id, number or NEWEST) as session:
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

    def staleness(
        self,
        design_id: int,
        number: int | None = None,
        *,
        catalogue: Catalogue,
        engine_version: str = __version__,
    ) -> Staleness:
        """What a newer engine, catalogue or price set would move in a revision.

        Args:
            design_id: The design.
            number: Number of the revision; None for the newest.
            catalogue: Today's catalogue.
            engine_version: Version of this planner.

        Raises:
            PlannerError: The revision does not exist, or can no longer be read or computed.
        """
        opened = self.open_revision(design_id, number)
        return staleness(
            opened.scenario_json,
            catalogue,
            engine_version=engine_version,
            key_results=opened.key_results,
            saved_engine_version=opened.engine_version,
            saved_catalogue_hash=opened.catalogue_hash,
            saved_price_hash=opened.price_hash,
        )
