"""Reading and writing rows inside a transaction, and turning them into records."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, CursorResult, Delete, Update, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, func, select

from planner.core.errors import PlannerError, shorten
from planner.store.records import STATUSES, DesignSummary, Draft, NewRevision, Revision
from planner.store.tables import DesignRow, DraftRow, RevisionRow, Table
from planner.store.text import folded, results_to_json

MAX_ID = 2**31 - 1  # PostgreSQL's integer; a larger number cannot be an id

_INSERT: dict[str, Callable[[type[Table]], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
_DESIGN = tuple(f.name for f in fields(DesignSummary) if f.name != "key_results")
_REVISION = tuple(f.name for f in fields(Revision) if f.name != "key_results")
_DRAFT = tuple(f.name for f in fields(Draft))
_CONTENT = tuple(f.name for f in fields(NewRevision) if f.name != "key_results")


def to_summary(row: DesignRow) -> DesignSummary:
    """The record of a design."""
    return DesignSummary(key_results=json.loads(row.key_results), **_values(row, _DESIGN))


def to_revision(row: RevisionRow) -> Revision:
    """The record of a revision."""
    return Revision(key_results=json.loads(row.key_results), **_values(row, _REVISION))


def to_draft(row: DraftRow) -> Draft:
    """The record of a draft."""
    return Draft(**_values(row, _DRAFT))


def _values(item: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(item, name) for name in names}


def same_content(saved: Revision, content: NewRevision) -> bool:
    """Whether saving `content` would give the very revision that is saved."""
    return _values(saved, _CONTENT) == _values(content, _CONTENT) | {"author": content.author.strip()} and (
        results_to_json(saved.key_results) == results_to_json(content.key_results)
    )


def design(session: Session, design_id: int) -> DesignSummary:
    """One design.

    Raises:
        PlannerError: It does not exist.
    """
    row = session.get(DesignRow, design_id) if 1 <= design_id <= MAX_ID else None
    if row is None:
        last = session.exec(select(func.max(DesignRow.id))).one()
        known = "there are no designs yet" if last is None else f"choose one of 1 to {last}"
        raise PlannerError(f"design: {shorten(design_id)} does not exist; {known}", field="design")
    return to_summary(row)


def revision(session: Session, design_id: int, number: int) -> Revision:
    """One revision.

    Raises:
        PlannerError: It or its design does not exist.
    """
    latest = design(session, design_id).latest_revision
    row = session.get(RevisionRow, (design_id, number)) if 1 <= number <= MAX_ID else None
    if row is None:
        raise PlannerError(
            f"revision: {shorten(number)} of design {design_id} does not exist; choose one of 1 to {latest}",
            field="revision",
        )
    return to_revision(row)


def latest_revision(session: Session, design_id: int) -> Revision:
    """The newest revision of a design that exists."""
    history = select(RevisionRow).where(RevisionRow.design_id == design_id)
    newest = history.order_by(col(RevisionRow.number).desc()).limit(1)
    return to_revision(session.exec(newest).one())


def locked_design(session: Session, design_id: int) -> DesignSummary:
    """One design, kept from all other writers until the transaction ends.

    Raises:
        PlannerError: It does not exist.
    """
    # Where a database takes one writer at a time it is kept already, and this reads it only.
    session.exec(select(DesignRow.id).where(DesignRow.id == possible_id(design_id)).with_for_update())
    session.expire_all()
    return design(session, design_id)


def possible_id(number: int) -> int:
    """The number, or one that no row has where a database could not hold it."""
    return number if 1 <= number <= MAX_ID else 0


def insert_design(
    session: Session, name: str, content: NewRevision, *, now: datetime, saved_by: str
) -> Revision:
    """Add a design with its first revision; both are checked before."""
    row = DesignRow(
        name=name,
        name_folded=folded(name),
        latest_revision=1,
        status=STATUSES[0],
        author=content.author.strip(),
        key_results=results_to_json(content.key_results),
        created=now,
        updated=now,
    )
    session.add(row)
    session.flush()
    assert row.id is not None  # the database gave it one at the flush
    return _insert_revision(session, row.id, 1, content, now=now, saved_by=saved_by)


def append_revision(
    session: Session,
    design_id: int,
    content: NewRevision,
    *,
    base_revision: int,
    now: datetime,
    saved_by: str,
) -> Revision | None:
    """Add the revision after `base_revision`, or do nothing and return None if that is not the newest."""
    values = {
        "latest_revision": base_revision + 1,
        "status": STATUSES[0],
        "author": content.author.strip(),
        "key_results": results_to_json(content.key_results),
        "updated": now,
    }
    if not update_design(session, design_id, values, if_latest=base_revision):
        return None
    return _insert_revision(session, design_id, base_revision + 1, content, now=now, saved_by=saved_by)


def _insert_revision(
    session: Session, design_id: int, number: int, content: NewRevision, *, now: datetime, saved_by: str
) -> Revision:
    values = _values(content, _CONTENT) | {
        "author": content.author.strip(),
        "key_results": results_to_json(content.key_results),
    }
    values |= {"created": now, "saved_by": saved_by, "state": STATUSES[0]}
    row = RevisionRow(design_id=design_id, number=number, **values)
    session.add(row)
    session.flush()
    return to_revision(row)


def update_design(
    session: Session, design_id: int, values: dict[str, Any], *, if_latest: int | None = None
) -> bool:
    """Change a design in place; with `if_latest`, only while that is its newest revision.

    Returns:
        Whether a row was changed.
    """
    if not (1 <= design_id <= MAX_ID and (if_latest is None or 1 <= if_latest < MAX_ID)):
        return False
    # The condition and the change are one statement, so that nobody can come between them.
    change = update(DesignRow).where(col(DesignRow.id) == design_id).values(values)
    if if_latest is not None:
        change = change.where(col(DesignRow.latest_revision) == if_latest)
    return count(session, change) == 1


def put(
    session: Session,
    table: type[Table],
    key: dict[str, Any],
    values: dict[str, Any],
    *,
    where: ColumnElement[bool] | None = None,
) -> None:
    """Write a row under its key, over one that is there; with `where`, only over one that fulfils it."""
    insert = _INSERT[session.get_bind().dialect.name](table).values(**key, **values)
    session.execute(insert.on_conflict_do_update(index_elements=list(key), set_=values, where=where))


def count(session: Session, statement: Update | Delete) -> int:
    """Carry a change out, and say how many rows it met."""
    result = session.execute(statement.execution_options(synchronize_session=False))
    session.expire_all()
    return cast("CursorResult[Any]", result).rowcount
