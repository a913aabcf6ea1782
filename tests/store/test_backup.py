"""Backup and restore: whole, checked by restoring, into either kind of database."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from planner.commands.common import write_file
from planner.core.errors import PlannerError
from planner.review import Actor, Anchor, Decision
from planner.store import RightsError, Store, open_store
from planner.store.database import current_step
from tests.store.examples import content, scenario_content
from tests.store.postgres import Server


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A second, empty store of either kind."""
    if request.param == "sqlite":
        yield request.getfixturevalue("new_store")
        return
    with open_store(request.getfixturevalue("server_url")) as opened:
        yield opened


def test_everything_comes_back_from_either_kind_into_either(
    filled_store: Store, other: Store, tmp_path: Path
) -> None:
    file = tmp_path / "all.backup"
    before = content(filled_store)
    count = filled_store.backup(file)
    assert count == sum(len(rows) for rows in before.values())
    assert all(before.values())
    assert other.restore(file) == count
    assert other.audit()[-1].action == "restore"
    restored = content(other)
    assert restored | {"audit": restored["audit"][:-1]} == before
    assert list(tmp_path.glob("*.part")) == []


def test_what_was_restored_can_be_worked_on(store: Store, other: Store, tmp_path: Path) -> None:
    store.create_design("a", scenario_content())
    store.begin_thread(1, 1, Anchor("section", "Cost"), "why?", author="ann")
    store.add_entry(1, Decision(problem="p", options="", choice="c", reason="r", consequence=""))
    store.backup(tmp_path / "b")
    other.restore(tmp_path / "b")
    assert other.create_design("b", scenario_content()).design_id == 2
    assert other.begin_thread(2, 1, Anchor("section", "Cost"), "again?", author="ann").id == 2
    assert [event.action for event in other.audit()][-3:] == ["restore", "create design", "comment"]


def test_restoring_into_a_database_that_is_not_empty_touches_nothing(store: Store, tmp_path: Path) -> None:
    store.create_design("kept", scenario_content())
    store.backup(tmp_path / "b")
    store.rename_design(1, "newer")
    with pytest.raises(PlannerError, match=r"is not empty \(rows: .*1 in design, .*nothing was touched"):
        store.restore(tmp_path / "b")
    assert store.design(1).name == "newer"


def test_backup_goes_on_beside_a_writer(store: Store, new_store: Store, tmp_path: Path) -> None:
    store.create_design("a", scenario_content())
    with store.database.writing() as session:
        session.execute(text("UPDATE design SET name = 'half'"))
        store.backup(tmp_path / "b")
    new_store.restore(tmp_path / "b")
    assert new_store.design(1).name == "a"


def test_backup_replaces_the_older_file_at_the_end_only(store: Store, tmp_path: Path) -> None:
    older = tmp_path / "b"
    older.mkdir()
    (older / "kept").write_bytes(b"older")
    with pytest.raises(PlannerError, match=r"/b: "):
        store.backup(older)
    assert (older / "kept").read_bytes() == b"older"
    assert list(tmp_path.glob(".b*")) == []
    with pytest.raises(PlannerError, match=r"the folder .*/none does not exist"):
        store.backup(tmp_path / "none" / "b")


def test_a_file_of_the_user_beside_a_backup_is_left_alone(store: Store, tmp_path: Path) -> None:
    (tmp_path / "b.part").write_bytes(b"mine")
    store.backup(tmp_path / "b")
    write_file(str(tmp_path / "b"), b"a result")
    assert (tmp_path / "b.part").read_bytes() == b"mine"
    assert {path.name for path in tmp_path.glob("*b*") if "planner.db" not in path.name} == {"b", "b.part"}


def test_an_archive_that_unpacks_to_too_much_is_refused_before_it_is(
    archive: Path, new_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Zeros pack a thousandfold: the lines of a table may be short, and still fill a disk."""
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("zeros.jsonl", b"\0" * 5_000_000)
    assert archive.stat().st_size < 1_000_000
    monkeypatch.setattr("planner.store.backup.MAX_UNPACKED_BYTES", 4_000_000)
    with pytest.raises(
        PlannerError, match=r"unpacks to 5.*, above the 4\u00a0MB that are read; nothing was restored"
    ):
        new_store.restore(archive)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (b"", "is no backup of the planner"),
        (b"hello", "is no backup of the planner"),
        (b"SQLite format 3\0" + b"x" * 5_000, "damaged|is not a database"),
        (b"PK\x03\x04" + b"x" * 100, "is no backup of the planner"),
    ],
)
def test_what_is_no_backup_is_refused(store: Store, tmp_path: Path, made: bytes, told: str) -> None:
    file = tmp_path / "b"
    file.write_bytes(made)
    with pytest.raises(PlannerError, match=told) as caught:
        store.restore(file)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert store.designs().total == 0
    with pytest.raises(PlannerError, match="No such file"):
        store.restore(tmp_path / "none")


@pytest.fixture(scope="module")
def archived(server: Server, server_template: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a server with a design in it, to be copied."""
    file = tmp_path_factory.mktemp("archived") / "b"
    with open_store(server.url(server.new_database(server_template))) as store:
        store.create_design("a", scenario_content())
        store.save_draft("k" * 22, '{"a": 1}', base_design_id=1, base_revision=1)
        store.backup(file)
    return file


@pytest.fixture
def archive(archived: Path, tmp_path: Path) -> Path:
    """Such a backup, to be damaged."""
    return Path(shutil.copy(archived, tmp_path / "b"))


def _changed(archive: Path, name: str, old: str, new: str) -> None:
    with zipfile.ZipFile(archive) as read:
        members = {item: read.read(item) for item in read.namelist()}
    assert old.encode() in members[name]
    members[name] = members[name].replace(old.encode(), new.encode())
    with zipfile.ZipFile(archive, "w") as written:
        for item, data in members.items():
            written.writestr(item, data)


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("planner-backup.json", '"format": 1', '"format": 2', "has format 2, newer than this planner reads"),
        ("planner-backup.json", '"step": "0', '"step": "9', "was made by a newer planner"),
        ("planner-backup.json", '"design": 1', '"design": 2', "is damaged: design has 1 rows of 2"),
        ("planner-backup.json", '"design": 1', '"desing": 1', "has a table “desing” that no planner made"),
        ("planner-backup.json", "{", "[", "is no backup of the planner"),
        ("design.jsonl", '"latest_revision": 1', '"latest_revision": "x"', "is damaged in design"),
        ("design.jsonl", '"archived": false', '"archived": "=1"', "is damaged in design"),
        ("design.jsonl", '"name":', '"nome":', "other columns"),
        ("design.jsonl", '"id": 1', '"id": 7', "is damaged"),
        ("design.jsonl", '"created": "20', '"created": "xx', "is damaged in design"),
        ("draft.jsonl", '"base_revision": 1', '"base_revision": 9', "is damaged"),
        ("revision.jsonl", "}", "", "is damaged in revision"),
    ],
)
def test_damaged_archive_restores_nothing(
    store: Store, archive: Path, name: str, old: str, new: str, told: str
) -> None:
    _changed(archive, name, old, new)
    with pytest.raises(PlannerError, match=told) as caught:
        store.restore(archive)
    assert "\n" not in str(caught.value)
    assert str(archive) in str(caught.value)
    assert store.designs().total == 0


def test_member_names_are_never_paths(archive: Path, new_store: Store) -> None:
    with zipfile.ZipFile(archive) as read:
        names = read.namelist()
        manifest = json.loads(read.read("planner-backup.json"))
    assert set(names) == {"planner-backup.json", *(f"{name}.jsonl" for name in manifest["rows"])}
    _changed(archive, "planner-backup.json", '"design": 1', '"../design": 1')
    with pytest.raises(PlannerError, match="that no planner made"):
        new_store.restore(archive)


def test_only_an_approver_takes_and_restores_backups(store: Store, new_store: Store, tmp_path: Path) -> None:
    store.create_design("a", scenario_content())
    with pytest.raises(RightsError, match="it needs an approver"):
        store.acting(Actor("eve")).backup(tmp_path / "b")
    store.set_account("ann@x", "approver")
    store.backup(tmp_path / "by-the-machine")
    store.acting(Actor("ann@x")).backup(tmp_path / "b")
    with pytest.raises(RightsError, match="restoring a backup needs an approver"):
        new_store.acting(Actor("eve")).restore(tmp_path / "b")
    new_store.restore(tmp_path / "b")
    assert new_store.design(1).name == "a"


HOSTILE_ROWS = {
    "results that are no JSON": "UPDATE design SET key_results = 'nope'",
    "results that are a list": "UPDATE revision SET key_results = '[1]'",
    "a state that is none": "UPDATE revision SET state = 'hacked'",
    "a role that is none": "UPDATE account SET role = 'god'",
    "nobody who gives roles": "UPDATE account SET role = 'editor'",
    "an entry of no kind": "UPDATE entry SET kind = 'god' WHERE kind = 'risk'",
    "an entry of other fields": "UPDATE entry SET content_json = '{\"a\": 1}'",
    "a time that is none": "UPDATE design SET created = 'yesterday'",
    "a number that is a text": "UPDATE design SET latest_revision = 'abc'",
    "a number that no server holds": "UPDATE thread SET revision = 99999999999999",
    "a revision that is missing": "UPDATE design SET latest_revision = 77",
    "bytes for a text": "UPDATE design SET name = x'ff00'",
    "a name that cannot be stored": "UPDATE design SET name = char(0) || 'x'",
    "a name that is too long": "UPDATE design SET name = printf('%.*c', 100000, 'x')",
    "a signature of other fields": 'UPDATE review_step SET record_json = \'{"requirements": [{"ref": 5}]}\'',
    "a signature of no list": 'UPDATE review_step SET record_json = \'{"waivers": "x"}\'',
    "cells that are no text": "UPDATE catalogue_row SET cells_json = '{\"id\": [1]}'",
    "a row of no kind": "UPDATE catalogue_row SET kind = 'x'",
    "a result that is a text": 'UPDATE design SET key_results = \'{"Stall": "x"}\'',
    "a result without end": "UPDATE design SET key_results = '{\"Stall\": 1e999}'",
    "a result too long for a number": f"UPDATE revision SET key_results = '{{\"Stall\": {'9' * 400}}}'",
    "a target too long for a number": f"UPDATE entry SET content_json = replace(content_json, '30.0', '{'9' * 400}')",
    "a risk that is neither open nor closed": "UPDATE entry SET content_json = replace(content_json, 'true', '5')",
    "a question among the risks": "UPDATE entry SET content_json = replace(content_json, '\"risk\"', '\"question\"')",
    "an entry without its first version": "UPDATE entry SET version = 5",
    "a state that the list does not show": "UPDATE design SET status = 'approved'",
    "two approved revisions": "UPDATE revision SET state = 'approved'; UPDATE design SET status = 'approved'",
    "a day that is none": "UPDATE catalogue_row SET valid_from = 'x'",
    "a trail that is no JSON": "UPDATE audit SET detail_json = 'x'",
    "a comment on nothing": "UPDATE comment SET thread_id = 999",
    "a step that was not taken": "UPDATE alembic_version SET version_num = '0001'",
    "two steps at once": "INSERT INTO alembic_version VALUES ('0002')",
    "a table that is missing": "DROP TABLE comment",
    "a view for a table": "DROP TABLE share; CREATE VIEW share AS SELECT 1 AS id",
    "a trigger against the next step": "UPDATE alembic_version SET version_num = '0004'; DROP TABLE measurement; "
    "CREATE TRIGGER t BEFORE UPDATE ON alembic_version BEGIN SELECT RAISE(ABORT, 'ha'); END",
}


@pytest.fixture(scope="module")
def backed_up(filled_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a file with a row in every table, without the triggers that keep them."""
    file = tmp_path_factory.mktemp("backed-up") / "b"
    with open_store(f"sqlite:///{shutil.copy(filled_database, file.with_name('planner.db'))}") as store:
        store.backup(file)
    with closing(sqlite3.connect(file)) as hostile:
        for (name,) in hostile.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            hostile.execute(f"DROP TRIGGER {name}")
    return file


@pytest.mark.parametrize("harm", HOSTILE_ROWS)
def test_a_backup_that_no_planner_wrote_restores_nothing(
    backed_up: Path, new_store: Store, tmp_path: Path, harm: str
) -> None:
    file = Path(shutil.copy(backed_up, tmp_path / "b"))
    with closing(sqlite3.connect(file)) as hostile:
        hostile.executescript(HOSTILE_ROWS[harm])
    with pytest.raises(PlannerError, match=r"is damaged \(.+\); nothing was restored") as caught:
        new_store.restore(file)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500
    assert not any(content(new_store).values())


def test_the_same_backup_without_harm_is_restored(backed_up: Path, new_store: Store) -> None:
    """The refusals above are for the harm alone."""
    assert new_store.restore(backed_up) == sum(len(rows) for rows in content(new_store).values()) - 1


def test_a_number_that_no_database_holds_is_refused_in_an_archive(new_store: Store, tmp_path: Path) -> None:
    with new_store.database.reading() as session:
        step = current_step(session.connection())
    row: dict[str, object] = {"id": 10**30, "latest_revision": 10**30, "archived": False}
    row |= dict.fromkeys(("name", "name_folded", "status", "author", "key_results"), "x")
    row |= dict.fromkeys(("created", "updated"), "2026-01-01T00:00:00+00:00")
    with zipfile.ZipFile(tmp_path / "b", "w") as archive:
        manifest = {"format": 1, "step": step, "rows": {"design": 1}}
        archive.writestr("planner-backup.json", json.dumps(manifest))
        archive.writestr("design.jsonl", json.dumps(row))
    with pytest.raises(PlannerError, match="is damaged"):
        new_store.restore(tmp_path / "b")


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_a_backup_never_takes_the_place_of_the_database(file_store: Store, path: Path, ending: str) -> None:
    file_store.create_design("a", scenario_content())
    aside = path.parent / "aside"
    aside.symlink_to(path.parent)
    for target in (Path(f"{path}{ending}"), aside / f"{path.name}{ending}"):
        with pytest.raises(PlannerError, match="this is the database itself"):
            file_store.backup(target)
    file_store.create_design("b", scenario_content())
    assert file_store.designs().total == 2


def test_a_database_in_use_is_no_backup(file_store: Store, path: Path, new_store: Store) -> None:
    """Its file alone lacks what is in the log beside it: designs would be missing without a word."""
    file_store.create_design("a", scenario_content())
    assert Path(f"{path}-wal").stat().st_size
    with pytest.raises(PlannerError, match=r"has a write-ahead log beside it .*; nothing was restored"):
        new_store.restore(path)
    assert new_store.designs().total == 0


def test_an_empty_log_beside_a_backup_holds_nothing_back(
    backed_up: Path, new_store: Store, tmp_path: Path
) -> None:
    """Whoever looked into a backup with another program may leave one behind."""
    file = Path(shutil.copy(backed_up, tmp_path / "b"))
    Path(f"{file}-wal").touch()
    assert new_store.restore(file) == sum(len(rows) for rows in content(new_store).values()) - 1
    assert new_store.designs().total > 0
