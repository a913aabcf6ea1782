"""What a backup may hold: a row that no planner would have written is not brought into a database.

A file is somebody's, and one bad cell in it would break every screen that reads its row.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from sqlalchemy import Boolean, Connection, Integer, Table, func, select, text
from sqlalchemy.types import TypeEngine
from sqlmodel import Session, col

from planner.catalogue import OWN_KINDS
from planner.core.errors import PlannerError, shorten
from planner.review import ACTIONS, ANCHOR_KINDS, ROLES, STATES
from planner.store.entries import entry_of, kind_of
from planner.store.entry_checks import checked_entry
from planner.store.review_records import ENTRY_KINDS
from planner.store.review_tables import AccountRow, EntryRow
from planner.store.review_tables import Table as Tables
from planner.store.rows import MAX_ID
from planner.store.tables import DesignRow, RevisionRow, UtcTime
from planner.store.text import MAX_JSON_CHARS, checked_name, checked_text

_WORDS: Mapping[str, tuple[str, ...]] = {
    "design.status": STATES,
    "revision.state": STATES,
    "review_step.source": STATES,
    "review_step.target": STATES,
    "review_step.action": tuple(ACTIONS),
    "account.role": ROLES,
    "thread.kind": ANCHOR_KINDS,
    "entry.kind": ENTRY_KINDS,
    "catalogue_row.kind": tuple(OWN_KINDS),
}
"""Columns that hold one of a few words."""
_RECORDED = {
    "requirements": ("ref", "text", "level", "verdict", "outcome"),
    "waivers": ("code", "subject", "message", "reason", "name", "date"),
}
"""What a signature keeps of each requirement and each waiver, as text."""


def _is_signed_record(content: Mapping[str, Any]) -> bool:
    """Whether documents can tell what an approval keeps; other steps keep nothing."""
    for name, keys in _RECORDED.items():
        items = content.get(name, [])
        if not isinstance(items, list):
            return False
        if not all(isinstance(item, dict) and all(type(item.get(k)) is str for k in keys) for item in items):
            return False
    return True


def _are_results(content: Mapping[str, Any]) -> bool:
    """Whether they are figures that can be computed with, or unknown."""
    return all(value is None or _is_figure(value) for value in content.values())


def _is_figure(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) <= sys.float_info.max
        and math.isfinite(value)
    )


_CONTENTS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "review_step.record_json": _is_signed_record,
    "design.key_results": _are_results,
    "revision.key_results": _are_results,
    "catalogue_row.cells_json": lambda content: all(isinstance(cell, str) for cell in content.values()),
}
"""Columns with JSON whose contents screens and documents rely on."""
_DAYS = {"measurement.measured_on", "catalogue_row.valid_from", "catalogue_row.valid_to"}


def check_rows(connection: Connection) -> None:
    """Refuse what no planner would have written.

    Args:
        connection: A SQLite database with today's tables.

    Raises:
        PlannerError: The first thing in it that cannot be, in a line without the name of the file.
    """
    if connection.execute(text("SELECT 1 FROM sqlite_master WHERE type = 'view'")).first():
        raise PlannerError("a view is in the place of a table")
    for table in Tables.metadata.sorted_tables:
        _check_cells(connection, table)
        try:
            for _ in connection.execute(select(table)):
                pass
        except ValueError as error:  # a time that is none
            raise PlannerError(f"{table.name}: {shorten(error)}") from None
    with Session(connection) as session:
        _check_whole(session)


def _check_cells(connection: Connection, table: Table) -> None:
    """Refuse a cell that is not of its column's kind: SQLite takes any value in any column."""
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    for row in connection.execute(text(f'SELECT {names} FROM "{table.name}"')).mappings():
        for column in table.columns:
            value = row[column.name]
            if value is None and column.nullable:
                continue
            place = f"{table.name}.{column.name}"
            try:
                _check_cell(place, column.type, value)
            except (ValueError, RecursionError) as error:
                told = "" if isinstance(error, PlannerError) else f"{place}: “{shorten(value, 20)}”: "
                raise PlannerError(f"{told}{shorten(error, 160)}") from None


def _check_cell(place: str, kind: TypeEngine[object], value: object) -> None:
    if isinstance(kind, Boolean):
        _expect(value in (0, 1), "is neither true nor false")
    elif isinstance(kind, Integer):
        _expect(isinstance(value, int) and 0 <= value <= MAX_ID, f"is no number from 0 to {MAX_ID}")
    elif not isinstance(value, str):
        raise ValueError("is no text")
    elif not isinstance(kind, UtcTime):
        _check_text(place, value)


def _check_text(place: str, value: str) -> None:
    checked_text(value, field=place, max_chars=MAX_JSON_CHARS)
    if place in _WORDS:
        _expect(value in _WORDS[place], f"is not one of {', '.join(_WORDS[place])}")
    elif place in _DAYS:
        _expect((not value and place.endswith("valid_to")) or bool(date.fromisoformat(value)), "is no day")
    elif place == "design.name":
        checked_name(value)
    elif place.endswith(("_json", ".key_results")):
        content = json.loads(value)
        _expect(isinstance(content, dict), "is no JSON object")
        if place in _CONTENTS:
            _expect(_CONTENTS[place](content), "does not hold what it should")


def _expect(holds: bool, told: str) -> None:
    if not holds:
        raise ValueError(told)


def _check_whole(session: Session) -> None:
    """Refuse rows that do not fit together, each of which could be."""
    numbers = select(col(RevisionRow.design_id), func.count(), func.max(RevisionRow.number))
    held = {
        found[0]: tuple(found[1:]) for found in session.execute(numbers.group_by(col(RevisionRow.design_id)))
    }
    for design_id, latest in session.execute(select(col(DesignRow.id), col(DesignRow.latest_revision))):
        if held.get(design_id) != (latest, latest):
            raise PlannerError(f"design {design_id} has not the revisions 1 to {latest}")
    roles = set(session.execute(select(col(AccountRow.role))).scalars())
    if roles and "approver" not in roles:
        raise PlannerError("none of the accounts is an approver's")
    _check_states(session)
    _check_entries(session)


def _check_states(session: Session) -> None:
    """Refuse a list that shows another state than the newest revision has, and two approved revisions of a design."""
    newest = select(col(DesignRow.id), col(DesignRow.status), col(RevisionRow.state)).where(
        col(RevisionRow.design_id) == col(DesignRow.id),
        col(RevisionRow.number) == col(DesignRow.latest_revision),
    )
    for design_id, status, state in session.execute(newest):
        if status != state:
            raise PlannerError(f"design {design_id} is {status}, but its newest revision {state}")
    approved = select(col(RevisionRow.design_id)).where(col(RevisionRow.state) == "approved")
    several = approved.group_by(col(RevisionRow.design_id)).having(func.count() > 1)
    for (design_id,) in session.execute(several):
        raise PlannerError(f"design {design_id} has more than one approved revision")


def _check_entries(session: Session) -> None:
    order = (col(EntryRow.design_id), col(EntryRow.kind), col(EntryRow.number), col(EntryRow.version))
    last: dict[tuple[int, str, int], int] = {}
    for row in session.execute(select(EntryRow).order_by(*order)).scalars():
        place = f"{row.kind} {row.number} of design {row.design_id}"
        key = (row.design_id, row.kind, row.number)
        if row.version != last.get(key, 0) + 1:
            raise PlannerError(f"{place} has no version {last.get(key, 0) + 1}")
        last[key] = row.version
        try:
            content = checked_entry(entry_of(row).content)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise PlannerError(f"{place}: {shorten(error, 100)}") from None
        if kind_of(content) != row.kind:
            raise PlannerError(f"{place} holds a {kind_of(content)}")
