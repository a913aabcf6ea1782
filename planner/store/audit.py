"""The part of the store that tells who did what, when: written with each change, never altered."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from sqlmodel import col, select

from planner.core.cells import as_text
from planner.core.errors import PlannerError, shorten
from planner.store import rows
from planner.store.base import StoreBase
from planner.store.review_records import AuditEvent
from planner.store.review_tables import AuditRow

MAX_EVENTS = 1_000
COLUMNS = ("id", "created", "subject", "name", "action", "design_id", "revision", "detail")


class Audit(StoreBase):
    """The audit trail, to be read and exported."""

    def audit(
        self, design_id: int | None = None, *, after: int = 0, limit: int = MAX_EVENTS
    ) -> tuple[AuditEvent, ...]:
        """A part of the audit trail, oldest first.

        Args:
            design_id: The design; None for everything.
            after: Number of the last event that is known already.
            limit: Events to give, 1 to 1000.

        Raises:
            PlannerError: The limit is out of range.
        """
        if not 1 <= limit <= MAX_EVENTS:
            raise PlannerError(f"limit: {shorten(limit)} is outside 1 to {MAX_EVENTS}", field="limit")
        wanted = select(AuditRow).where(col(AuditRow.id) > max(0, min(after, rows.MAX_ID)))
        if design_id is not None:
            wanted = wanted.where(AuditRow.design_id == rows.possible_id(design_id))
        with self._reading() as session:
            return tuple(_event(row) for row in session.exec(wanted.order_by(col(AuditRow.id)).limit(limit)))

    def audit_json(self, design_id: int | None = None) -> str:
        """The audit trail as a JSON list, to the letter."""
        return json.dumps([_plain(event) for event in self._all(design_id)], ensure_ascii=False, indent=1)

    def audit_csv(self, design_id: int | None = None) -> str:
        """The audit trail as CSV. A text that a spreadsheet would calculate gets an apostrophe before it."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(COLUMNS)
        for event in self._all(design_id):
            plain = _plain(event)
            plain["detail"] = json.dumps(plain["detail"], ensure_ascii=False)
            writer.writerow([_cell(plain[name]) for name in COLUMNS])
        return out.getvalue()

    def _all(self, design_id: int | None) -> Iterator[AuditEvent]:
        after = 0
        while events := self.audit(design_id, after=after):
            yield from events
            after = events[-1].id


def _event(row: AuditRow) -> AuditEvent:
    assert row.id is not None  # it was read from the database
    return AuditEvent(
        id=row.id,
        created=row.created,
        subject=row.subject,
        name=row.name,
        action=row.action,
        design_id=row.design_id,
        revision=row.revision,
        detail=json.loads(row.detail_json),
    )


def _plain(event: AuditEvent) -> dict[str, object]:
    found: dict[str, object] = {name: getattr(event, name) for name in COLUMNS}
    return found | {"created": event.created.isoformat(), "detail": dict(event.detail)}


def _cell(value: object) -> object:
    if isinstance(value, str):
        return as_text(value)
    return "" if value is None else value
