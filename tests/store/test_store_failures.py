"""Bad conditions: one clear line each, and nothing lost."""

from __future__ import annotations

import functools
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DatabaseError, OperationalError

from planner.core.errors import PlannerError
from planner.store import NewRevision, Store, database, open_store
from planner.store.database import Database
from planner.store.failures import Place, explained

CONTENT = NewRevision(scenario_json='{"a": 1}')
NOBODY = 65_534


@functools.cache
def _seed() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        with open_store(f"sqlite:///{folder}/seed.db") as store:
            store.create_design("kept", CONTENT)
        return Path(folder, "seed.db").read_bytes()


def _seeded(path: Path) -> None:
    """Make a database with one design."""
    path.write_bytes(_seed())


def _line(call: Callable[[], object], path: Path) -> str:
    """The error line of a call; it names the file and is one line."""
    with pytest.raises(PlannerError) as caught:
        call()
    line = str(caught.value)
    assert line.startswith(f"database: {path} ")
    assert "\n" not in line
    assert caught.value.field == "database"
    return line


def _writes(store: Store) -> list[Callable[[], object]]:
    return [
        lambda: store.create_design("lost", CONTENT),
        lambda: store.add_revision(1, NewRevision(scenario_json="{}"), base_revision=1),
        lambda: store.duplicate_design(1),
        lambda: store.rename_design(1, "lost"),
        lambda: store.archive_design(1),
        lambda: store.save_draft("k" * 22, "{}"),
        store.drop_old_drafts,
    ]


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder; the test runs as a user that permissions bind, as root is not."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    folder = Path(tempfile.mkdtemp())
    try:
        yield folder
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)
        if is_root:
            os.seteuid(0)


def test_locked_database_waits_then_says_so(path: Path) -> None:
    _seeded(path)
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        Store(Database(f"sqlite:///{path}", busy_s=0.05)) as store,
    ):
        other.execute("BEGIN IMMEDIATE")
        for write in _writes(store):
            line = _line(write, path)
            assert "in use by another program for more than 0.05 s; nothing was saved" in line
        assert store.design(1).name == "kept"
        other.execute("ROLLBACK")
        assert store.add_revision(1, NewRevision(scenario_json="{}"), base_revision=1).number == 2


def test_lock_is_waited_for(path: Path) -> None:
    _seeded(path)
    with (
        closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other,
        Store(Database(f"sqlite:///{path}", busy_s=10)) as store,
    ):
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.3, lambda: other.execute("ROLLBACK"))
        timer.start()
        assert store.rename_design(1, "waited").name == "waited"
        timer.join()


def test_new_database_in_use_says_so(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        line = _line(lambda: open_store(f"sqlite:///{path}", busy_s=0.05), path)
    assert "in use by another program" in line


def test_database_opened_read_only_can_be_read_but_not_written(path: Path) -> None:
    _seeded(path)
    with open_store(f"sqlite:///file:{path}?mode=ro&uri=true") as store:
        assert [row.name for row in store.designs().rows] == ["kept"]
        assert store.open_revision(1).scenario_json == '{"a": 1}'
        for write in _writes(store):
            assert "is read-only; nothing was saved" in _line(write, path)
        assert [row.name for row in store.designs().rows] == ["kept"]


def test_file_without_write_permission_can_be_read(as_nobody: Path) -> None:
    path = as_nobody / "planner.db"
    _seeded(path)
    path.chmod(0o444)
    with open_store(f"sqlite:///{path}") as store:
        assert [row.name for row in store.designs().rows] == ["kept"]
        for write in _writes(store):
            assert "is read-only; nothing was saved" in _line(write, path)


def test_file_without_read_permission_says_so(as_nobody: Path) -> None:
    path = as_nobody / "planner.db"
    _seeded(path)
    path.chmod(0)
    assert "no permission to read and write it" in _line(lambda: open_store(f"sqlite:///{path}"), path)


def test_read_only_folder_says_so(as_nobody: Path) -> None:
    path = as_nobody / "planner.db"
    as_nobody.chmod(0o555)
    line = _line(lambda: open_store(f"sqlite:///{path}"), path)
    assert f"folder {as_nobody} is read-only" in line
    as_nobody.chmod(0o755)
    _seeded(path)
    as_nobody.chmod(0o555)
    line = _line(lambda: open_store(f"sqlite:///{path}"), path)
    assert "is read-only; nothing was saved, all that was saved before is kept: make the file and its" in line
    as_nobody.chmod(0o755)
    with open_store(f"sqlite:///{path}") as store:
        assert store.design(1).name == "kept"


def test_missing_folder_says_so(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "planner.db"
    line = _line(lambda: open_store(f"sqlite:///{path}"), path)
    assert f"folder {tmp_path / 'missing'} does not exist" in line


def test_folder_in_place_of_a_file_says_so(tmp_path: Path) -> None:
    assert "is a folder, not a file" in _line(lambda: open_store(f"sqlite:///{tmp_path}"), tmp_path)


@pytest.mark.parametrize("content", [b"hello", b"\x89PNG" + b"x" * 5_000, b"PK\x03\x04" * 2_000])
def test_file_that_is_no_database_is_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert "is not a database; it was left as it is" in _line(lambda: open_store(f"sqlite:///{path}"), path)
    assert path.read_bytes() == content


def test_damaged_table_says_so_once_it_is_read_and_is_left_as_it_is(path: Path) -> None:
    _seeded(path)
    with closing(sqlite3.connect(path)) as direct:
        (page,) = direct.execute("SELECT rootpage FROM sqlite_master WHERE name = 'revision'").fetchone()
        (size,) = direct.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(content)
    with open_store(f"sqlite:///{path}") as store:
        assert store.designs().total == 1
        for call in (lambda: store.revisions(1), lambda: store.add_revision(1, CONTENT, base_revision=1)):
            assert "is damaged; nothing was saved and the file was left as it is" in _line(call, path)
    assert path.read_bytes() == content


def test_damaged_schema_says_so_at_opening(path: Path) -> None:
    _seeded(path)
    content = bytearray(path.read_bytes())
    content[100:4_096] = b"\xff" * 3_996
    path.write_bytes(content)
    assert "is damaged" in _line(lambda: open_store(f"sqlite:///{path}"), path)
    assert path.read_bytes() == content


def test_full_disk_says_so_and_keeps_what_was_saved(path: Path) -> None:
    _seeded(path)
    large = NewRevision(scenario_json='{"a": "' + "x" * 300_000 + '"}')
    opened = Database(f"sqlite:///{path}")

    def limit(connection: sqlite3.Connection, record: object) -> None:
        connection.execute("PRAGMA max_page_count = 30")

    event.listen(opened.engine, "connect", limit)
    opened.engine.dispose()
    with Store(opened) as store:
        before = store.design(1), store.revisions(1)
        for write in (
            lambda: store.create_design("lost", large),
            lambda: store.add_revision(1, large, base_revision=1),
            lambda: store.save_draft("k" * 22, large.scenario_json),
        ):
            line = _line(write, path)
            assert "the disk is full; nothing was saved, all that was saved before is kept" in line
        assert (store.design(1), store.revisions(1)) == before
        assert store.designs().total == 1
        assert store.draft("k" * 22) is None
        assert store.add_revision(1, NewRevision(scenario_json="{}"), base_revision=1).number == 2
    with closing(sqlite3.connect(path)) as direct:
        assert direct.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_full_disk_while_the_tables_are_made_leaves_no_half_made_ones(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = database._prepare_sqlite

    def limited(connection: sqlite3.Connection, record: object) -> None:
        prepare(connection, record)
        connection.execute("PRAGMA max_page_count = 4")

    monkeypatch.setattr(database, "_prepare_sqlite", limited)
    assert "the disk is full" in _line(lambda: open_store(f"sqlite:///{path}"), path)
    with closing(sqlite3.connect(path)) as direct:
        assert direct.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    monkeypatch.undo()
    with open_store(f"sqlite:///{path}") as store:
        assert store.create_design("a", CONTENT).number == 1


def test_database_of_another_application_is_left_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as direct:
        direct.execute("CREATE TABLE bookmarks (id INTEGER)")
    line = _line(lambda: open_store(f"sqlite:///{path}"), path)
    assert "belongs to another application (it has a table “bookmarks”)" in line
    with closing(sqlite3.connect(path)) as direct:
        assert direct.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmarks",)]


@pytest.mark.parametrize("replaced", [False, True])
def test_file_deleted_or_replaced_while_in_use_says_so(path: Path, replaced: bool) -> None:
    _seeded(path)
    with open_store(f"sqlite:///{path}") as store:
        store.designs()
        for file in path.parent.glob("planner.db*"):
            file.rename(file.with_name("old-" + file.name))
        if replaced:
            _seeded(path)
        for call in (*_writes(store), store.designs):
            assert "was moved, deleted or replaced while in use; nothing was saved" in _line(call, path)
    with open_store(f"sqlite:///{path.with_name('old-planner.db')}") as store:
        assert [row.name for row in store.designs().rows] == ["kept"]


def test_server_out_of_reach_is_one_line_without_password() -> None:
    place = Place("postgresql+psycopg://ann:***@host/x", None, 5)
    with pytest.raises(PlannerError) as caught, explained(place):
        raise OperationalError("SELECT 1", None, Exception("connection refused\nIs the server running?"))
    assert str(caught.value) == (
        "database: postgresql+psycopg://ann:***@host/x cannot be used (connection refused); nothing was "
        "saved and nothing is lost: try later"
    )


def test_defect_of_ours_is_not_dressed_up(store: Store) -> None:
    with (
        pytest.raises(DatabaseError, match=r"no such table|does not exist"),
        store.database.reading() as session,
    ):
        session.execute(text("SELECT * FROM nonsense"))
