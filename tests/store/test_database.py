"""Where the database is, how it is opened, and that it keeps what it was given."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Dialect, text
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.exc import IntegrityError

from planner.core.errors import PlannerError
from planner.store import NewRevision, Store, open_store
from planner.store.database import DEFAULT_FILE, Database, parsed_url
from planner.store.tables import Table, UtcTime
from tests.store.postgres import Server

DIALECTS: tuple[Dialect, ...] = (SQLiteDialect(), PGDialect())  # type: ignore[no-untyped-call]
ROOT = Path(__file__).resolve().parents[2]
CONTENT = NewRevision(scenario_json='{"a": 1}', author="ann", note="n")


def test_everything_is_there_after_reopening(url: str, path: Path) -> None:
    with open_store(url) as store:
        saved = store.create_design("kept", CONTENT)
        second = store.add_revision(1, NewRevision(scenario_json="{}"), base_revision=1)
        draft = store.save_draft(store.new_draft_key(), "{}", base_design_id=1, base_revision=2)
        design = store.design(1)
    assert not path.with_name("planner.db-wal").exists()
    with open_store(url) as store:
        assert store.revisions(1) == (second, saved)
        assert store.draft(draft.key) == draft
        assert store.designs().rows == (design,)


def test_write_ahead_log_is_on(file_store: Store, path: Path) -> None:
    with file_store.database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 5_000
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
    assert path.with_name("planner.db-wal").exists()


def test_foreign_keys_are_on(store: Store) -> None:
    with pytest.raises(IntegrityError), store.database.writing() as session:
        session.execute(
            text("INSERT INTO draft VALUES ('k', '{}', 7, 1, '2026-01-01 00:00:00.000000')"),
        )


def test_failure_inside_a_transaction_leaves_nothing(store: Store) -> None:
    store.create_design("a", CONTENT)

    def half() -> None:
        with store.database.writing() as session:
            session.execute(text("UPDATE design SET name = 'half'"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert store.design(1).name == "a"


def test_tables_are_those_of_the_code(store: Store) -> None:
    with store.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Table.metadata) == []


def test_times_are_utc_on_both_databases() -> None:
    east = datetime(2026, 3, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    utc = datetime(2026, 2, 28, 23, 30, tzinfo=UTC)
    column = UtcTime()
    for dialect in DIALECTS:
        bound = column.process_bind_param(east, dialect)
        assert bound == utc
        assert bound.utcoffset() == timedelta(0)
        assert column.process_result_value(utc.replace(tzinfo=None), dialect) == utc
        back = column.process_result_value(east, dialect)
        assert back is not None
        assert back.tzinfo is UTC
        assert (column.process_bind_param(None, dialect), column.process_result_value(None, dialect)) == (
            None,
            None,
        )


def test_default_file_is_beside_the_application_wherever_it_runs() -> None:
    assert ROOT / "planner.db" == DEFAULT_FILE


def test_variable_moves_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANNER_DATABASE_URL", f"sqlite:///{tmp_path}/moved 100% é.db")
    with open_store() as store:
        store.create_design("a", CONTENT)
    assert (tmp_path / "moved 100% é.db").stat().st_size > 0
    monkeypatch.setenv("PLANNER_DATABASE_URL", "")
    monkeypatch.setattr("planner.store.database.DEFAULT_FILE", tmp_path / "default.db")
    with open_store() as store:
        assert store.designs().total == 0
    assert (tmp_path / "default.db").exists()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true"])
def test_database_in_memory_makes_no_file(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store(url) as store:
        store.create_design("a", CONTENT)
        assert store.designs("A").total == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("planner.db", "“planner.db” is not an address; use sqlite:////folder/planner.db"),
        ("mysql://ann:secret@host/x", "“mysql” databases are not supported"),
        ("sqlit:///x.db", "did you mean sqlite?"),
        ("postgresql://ann:secret@host:port/x", "“postgresql://…” is not an address"),
        ("ann:secret@host", "“host” is not an address"),
        (
            "sqlite:////tmp/x.db?mod=ro&uri=true",
            "SQLite has no option “mod”; use one of cache, immutable, mode",
        ),
    ],
)
def test_wrong_address_is_one_line_without_password(url: str, told: str) -> None:
    with pytest.raises(PlannerError) as caught:
        open_store(url)
    assert told in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_server_addresses_get_the_driver_in_use() -> None:
    for url in ("postgres://a@h/x", "postgresql://a@h/x", "postgresql+psycopg://a@h/x"):
        assert parsed_url(url).drivername == "postgresql+psycopg"


def test_opening_an_open_database_changes_nothing(file_store: Store, path: Path) -> None:
    file_store.create_design("a", CONTENT)
    with sqlite3.connect(path) as direct:
        before = direct.execute("PRAGMA data_version").fetchone()
        other = Database(f"sqlite:///{path}")
        assert direct.execute("PRAGMA data_version").fetchone() == before
    direct.close()
    other.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request: pytest.FixtureRequest, path: Path) -> Iterator[str]:
    """Address of a database without any tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{path}"
        return
    server: Server = request.getfixturevalue("server")
    name = server.new_database()
    yield server.url(name)
    server.drop(name)


SIX_OPEN_AT_ONCE = """
import os, sys
from planner.store import NewRevision, open_store
wait, go = os.pipe()
children = []
for _ in range(6):
    children.append(os.fork())
    if not children[-1]:
        os.close(go)
        os.read(wait, 1)
        with open_store(sys.argv[1]) as store:
            store.create_design("a", NewRevision(scenario_json="{}"))
        sys.exit()
os.close(go)
sys.exit(sum(os.waitpid(child, 0)[1] != 0 for child in children))
"""


def test_many_processes_may_make_the_same_new_database(bare_url: str) -> None:
    command = [sys.executable, "-c", SIX_OPEN_AT_ONCE, bare_url]
    done = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    with open_store(bare_url) as store:
        # The list is by time of change, which two processes need not reach in the order of their numbers.
        assert sorted(row.id for row in store.designs().rows) == [1, 2, 3, 4, 5, 6]


def test_reader_sees_one_moment(store: Store) -> None:
    store.create_design("before", CONTENT)
    with store.database.reading() as session:
        assert session.execute(text("SELECT name FROM design")).scalar_one() == "before"
        store.rename_design(1, "after")
        assert session.execute(text("SELECT name FROM design")).scalar_one() == "before"
    assert store.design(1).name == "after"


def test_reader_on_a_server_cannot_write(server_url: str) -> None:
    with (
        open_store(server_url) as store,
        pytest.raises(PlannerError, match="is read-only"),
        store.database.reading() as session,
    ):
        session.execute(text("UPDATE design SET name = 'x'"))
