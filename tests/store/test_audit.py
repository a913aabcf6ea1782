"""The audit trail: complete, in order, exportable, and not to be altered."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from planner.core.errors import PlannerError
from planner.review import Actor
from planner.store import NewRevision, Store, open_store
from planner.store.audit import COLUMNS, MAX_EVENTS
from tests.store.examples import ANN, content

EMPTY = NewRevision(scenario_json="{}")
KEPT = ("audit", "review_step", "comment", "entry", "revision", "catalogue_row", "measurement")
"""Tables whose rows are kept as they were written."""
CHANGED_ONCE = ("waiver", "share", "thread")
"""Tables of whose rows little may change: that a waiver is revoked, a link withdrawn, a thread resolved."""


def test_each_change_is_told_once_in_order_with_who_and_when(filled_store: Store) -> None:
    events = filled_store.audit()
    assert [(event.name, event.action) for event in events] == [
        ("", "give role"), ("Ann", "give role"), ("Ann", "give role"),
        ("Bob", "create design"), ("Bob", "comment"), ("Ann", "resolve"),
        ("Bob", "add requirement"), ("Bob", "add decision"), ("Bob", "add risk"),
        ("Bob", "submit"), ("Ann", "waive"), ("Ann", "waive"), ("Ann", "waive"), ("Ann", "approve"),
        ("Bob", "save revision"), ("Bob", "add catalogue row"), ("Bob", "make link"), ("Bob", "keep measurements"),
        ("Bob", "keep document settings"), ("Bob", "keep document settings"),
    ]  # fmt: skip
    assert [event.subject for event in events[:4]] == ["", "ann@x", "ann@x", "bob@x"]
    assert [event.id for event in events] == sorted({event.id for event in events})
    times = [event.created for event in events]
    assert times == sorted(times)
    assert all(time.tzinfo is UTC for time in times)
    assert [(event.design_id, event.revision) for event in events[-6:-2]] == [
        (1, 2),
        (None, None),
        (1, 1),
        (1, 1),
    ]
    assert events[1].detail == {"account": "bob@x", "role": "editor", "was": ""}


def test_what_changed_nothing_is_not_told(store: Store) -> None:
    store.create_design("a", EMPTY)
    before = store.audit()
    store.save_draft("k" * 22, "{}")
    store.designs()
    with pytest.raises(PlannerError):
        store.rename_design(1, "")
    with pytest.raises(PlannerError):
        store.take_step(1, 1, "withdraw")
    with pytest.raises(PlannerError):
        store.add_revision(1, EMPTY, base_revision=2)
    assert store.audit() == before


def test_trail_of_one_design_and_its_pages(store: Store) -> None:
    for name in ("a", "b"):
        store.create_design(name, EMPTY)
    for number in range(4):
        store.rename_design(2, f"b{number}")
    assert [event.action for event in store.audit(1)] == ["create design"]
    assert [event.detail["name_now"] for event in store.audit(2)[1:]] == ["b0", "b1", "b2", "b3"]
    assert [event.detail["was"] for event in store.audit(2)[1:]] == ["b", "b0", "b1", "b2"]
    first = store.audit(limit=4)
    assert first + store.audit(after=first[-1].id) == store.audit()
    assert store.audit(9) == store.audit(10**30) == store.audit(after=10**30) == ()


@pytest.mark.parametrize("limit", [0, -1, MAX_EVENTS + 1])
def test_limit_out_of_range_is_refused(store: Store, limit: int) -> None:
    with pytest.raises(PlannerError, match=r"^limit: .* is outside 1 to 1000"):
        store.audit(limit=limit)


def _refused(store: Store, table: str, statement: str) -> None:
    with (
        pytest.raises(DBAPIError, match=f"rows of {table} are kept as they were written"),
        store.database.writing() as session,
    ):
        session.execute(text(statement))


def test_the_database_keeps_every_row_of_a_table_that_may_only_grow(filled_store: Store) -> None:
    before = content(filled_store)
    for table in KEPT:
        column = "number" if table == "revision" else "created"
        for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
            _refused(filled_store, table, statement)
    assert content(filled_store) == before


def test_no_row_takes_the_place_of_one_that_is_kept(filled_file_store: Store) -> None:
    """SQLite replaces a row without asking the triggers against its removal."""
    before = content(filled_file_store)
    for table in (*KEPT, *CHANGED_ONCE):
        _refused(filled_file_store, table, f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")
    assert content(filled_file_store) == before


def test_what_was_accepted_signed_and_sent_stays_so_in_the_database(filled_store: Store) -> None:
    ann = filled_store.acting(ANN)
    ann.revoke_waiver(1)
    ann.withdraw_share(1)
    before = content(filled_store)
    for table, change in (
        ("waiver", "UPDATE waiver SET reason = 'forged'"),
        ("waiver", "UPDATE waiver SET message = 'forged'"),
        ("waiver", "DELETE FROM waiver"),
        ("waiver", "UPDATE waiver SET revoked = NULL WHERE revoked IS NOT NULL"),
        ("share", "UPDATE share SET revision = 2"),
        ("share", "DELETE FROM share"),
        ("share", "UPDATE share SET withdrawn = NULL WHERE withdrawn IS NOT NULL"),
        ("thread", "UPDATE thread SET key = 'other'"),
        ("thread", "DELETE FROM thread"),
        ("revision", "UPDATE revision SET state = 'draft' WHERE number = 1"),
        ("revision", "UPDATE revision SET state = 'changes requested' WHERE number = 1"),
        ("revision", "UPDATE revision SET scenario_json = '{}'"),
        ("revision", "UPDATE revision SET key_results = '{}', state = 'approved'"),
        ("revision", "UPDATE revision SET saved_by = 'eve'"),
    ):
        _refused(filled_store, table, change)
    assert content(filled_store) == before


def test_tables_on_a_server_cannot_be_emptied(server_url: str) -> None:
    with open_store(server_url) as store:
        store.create_design("a", EMPTY)
        for table in (*KEPT, *CHANGED_ONCE):
            with pytest.raises(DBAPIError, match="kept"), store.database.writing() as session:
                session.execute(text(f"TRUNCATE {table} CASCADE"))
        assert len(store.audit()) == 1


def test_exports_hold_every_event(store: Store) -> None:
    with store.database.writing() as session:
        session.execute(
            text(
                "INSERT INTO audit (created, subject, name, action, detail_json) "
                "VALUES (:created, '', 'x', 'filler', '{}')"
            ),
            [{"created": datetime(2026, 1, 1, tzinfo=UTC).isoformat(sep=" ")[:19]}] * (MAX_EVENTS + 5),
        )
    store.create_design("a", EMPTY)
    listed = json.loads(store.audit_json())
    assert len(listed) == MAX_EVENTS + 6
    assert listed[-1] == {
        "id": listed[-1]["id"], "created": "2026-01-01T00:00:01+00:00", "subject": "", "name": "",
        "action": "create design", "design_id": 1, "revision": 1,
        "detail": {"design": "a", "note": "", "scenario_hash": ""},
    }  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(store.audit_csv())))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == MAX_EVENTS + 6
    assert (rows[-1]["action"], rows[-1]["design_id"], rows[0]["design_id"]) == ("create design", "1", "")
    assert json.loads(rows[-1]["detail"]) == listed[-1]["detail"]
    assert [event["action"] for event in json.loads(store.audit_json(1))] == ["create design"]


@pytest.mark.parametrize("name", ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)"])
def test_no_cell_of_the_csv_is_a_formula(store: Store, name: str) -> None:
    store.acting(Actor(name=name, local=True)).create_design("a", EMPTY)
    cells = [cell for row in csv.reader(io.StringIO(store.audit_csv())) for cell in row]
    assert f"'{name}" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert json.loads(store.audit_json())[0]["name"] == name


def test_lines_and_quotes_in_a_note_stay_in_their_cell(store: Store) -> None:
    note = 'a,"b"\r\nc;\n=1+1'
    store.create_design("a", NewRevision(scenario_json="{}", note=note))
    rows = list(csv.reader(io.StringIO(store.audit_csv())))
    assert len(rows) == 2
    assert json.loads(rows[1][-1])["note"] == note
