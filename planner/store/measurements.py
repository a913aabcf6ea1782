"""The part of the store that keeps what was measured on the delivery of a revision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from sqlmodel import Session, col, select

from planner.core.errors import PlannerError, shorten
from planner.store import rows
from planner.store.base import StoreBase
from planner.store.measurement_tables import MeasurementRow
from planner.store.text import MAX_NOTE_CHARS, checked_json, checked_text

_WHAT = "keeping measurements"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was measured on one revision at one time.

    Attributes:
        id: Its number; later ones are higher.
        design_id: The design.
        revision: The revision whose delivery it is of.
        measured_on: Day on which the counters were read.
        content_json: What was read, as the text that `planner.telemetry.kept` makes.
        note: What is worth knowing of it.
        name: Who kept it.
        created: When, UTC.
        withdrawn: Whether it counts no longer; it is kept all the same.
    """

    id: int
    design_id: int
    revision: int
    measured_on: date
    content_json: str
    note: str
    name: str
    created: datetime
    withdrawn: bool


class Measurements(StoreBase):
    """Measurements by design and revision; one that counts no longer is followed by a row that says so."""

    def add_measurements(
        self,
        design_id: int,
        revision: int,
        content_json: str,
        *,
        measured_on: date,
        note: str = "",
        author: str = "",
    ) -> Measured:
        """Keep what was measured; an approved revision takes it too, because it is what gets built.

        Args:
            design_id: The design.
            revision: The revision whose delivery it is of.
            content_json: What was read, a JSON object as text.
            measured_on: Day on which the counters were read.
            note: What is worth knowing of it.
            author: Who keeps it, where nobody is signed in.

        Raises:
            RightsError: The actor's role is not enough.
            PlannerError: The revision does not exist, or what was read cannot be stored.
        """
        content = checked_json(content_json, field="measurements")
        said = checked_text(note.strip(), field="note", max_chars=MAX_NOTE_CHARS)
        name = self._author(author)
        with self._writing("editor", _WHAT) as session:
            rows.revision(session, design_id, revision)
            now = self._clock()
            row = MeasurementRow(
                design_id=design_id, revision=revision, withdraws=None, measured_on=measured_on.isoformat(),
                content_json=content, note=said, subject=self.actor.subject, name=name, created=now,
            )  # fmt: skip
            session.add(row)
            session.flush()
            self._file(
                session, "keep measurements", now=now, name=name, design_id=design_id, revision=revision,
                number=row.id, measured_on=measured_on, note=said,
            )  # fmt: skip
            return _measured(row, withdrawn=False)

    def withdraw_measurements(self, number: int, *, author: str = "") -> Measured:
        """Let measurements count no longer; they are kept.

        Args:
            number: Their number.
            author: Who does it, where nobody is signed in.

        Raises:
            RightsError: The actor's role is not enough.
            PlannerError: They do not exist.
        """
        name = self._author(author)
        with self._writing("editor", "withdrawing measurements") as session:
            row = session.get(MeasurementRow, number) if 1 <= number <= rows.MAX_ID else None
            if row is None or row.withdraws is not None:
                raise PlannerError(f"measurements: {shorten(number)} do not exist", field="measurements")
            rows.locked_design(session, row.design_id)
            if number not in _withdrawn(session, row.design_id):
                now = self._clock()
                gone = MeasurementRow(
                    design_id=row.design_id, revision=row.revision, withdraws=number, measured_on=row.measured_on,
                    content_json="{}", note="", subject=self.actor.subject, name=name, created=now,
                )  # fmt: skip
                session.add(gone)
                self._file(
                    session, "withdraw measurements", now=now, name=name, design_id=row.design_id,
                    revision=row.revision, number=number,
                )  # fmt: skip
                session.flush()
            return _measured(row, withdrawn=True)

    def measurements(self, design_id: int, revision: int, *, withdrawn: bool = False) -> tuple[Measured, ...]:
        """What was measured on a revision, oldest first.

        Args:
            design_id: The design.
            revision: The revision.
            withdrawn: Give those that count no longer as well.

        Raises:
            PlannerError: The revision does not exist.
        """
        wanted = select(MeasurementRow).where(
            MeasurementRow.design_id == design_id,
            MeasurementRow.revision == revision,
            col(MeasurementRow.withdraws).is_(None),
        )
        with self._reading(design_id, revision) as session:
            rows.revision(session, design_id, revision)
            gone = _withdrawn(session, design_id)
            ordered = session.exec(wanted.order_by(col(MeasurementRow.id)))
            found = [_measured(row, withdrawn=row.id in gone) for row in ordered]
        return tuple(item for item in found if withdrawn or not item.withdrawn)


def _withdrawn(session: Session, design_id: int) -> set[int]:
    """Numbers of a design's measurements that count no longer."""
    wanted = select(MeasurementRow.withdraws).where(
        MeasurementRow.design_id == design_id, col(MeasurementRow.withdraws).is_not(None)
    )
    return {number for number in session.exec(wanted) if number is not None}


def _measured(row: MeasurementRow, *, withdrawn: bool) -> Measured:
    assert row.id is not None  # it was written before
    return Measured(
        id=row.id,
        design_id=row.design_id,
        revision=row.revision,
        measured_on=date.fromisoformat(row.measured_on),
        content_json=row.content_json,
        note=row.note,
        name=row.name,
        created=row.created,
        withdrawn=withdrawn,
    )
