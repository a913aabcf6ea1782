"""Databases of released planners come forward with all that is in them; a newer one is refused whole."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from planner.core.errors import PlannerError
from planner.store import NewRevision, Store, open_store
from planner.store.database import current_step
from tests.store.examples import content
from tests.store.postgres import Server, programs

RELEASED = Path(__file__).parent / "released"
STEPS = ("0001", "0002")
"""Steps of the tables that were released before today's; `released/` has a dump of each, of either kind."""
NEXT = 5
"""Steps that the next release brings together: nobody has a database between them."""

Loader = Callable[[str], str]


@pytest.fixture(params=["sqlite", "postgresql"])
def loaded(request: pytest.FixtureRequest, path: Path, server: Server) -> Iterator[Loader]:
    """Makes a database out of the dump of a released planner, and gives its address."""
    if request.param == "sqlite":

        def file(step: str) -> str:
            with closing(sqlite3.connect(path)) as direct:
                direct.executescript((RELEASED / f"{step}_sqlite.sql").read_text(encoding="utf-8"))
            return f"sqlite:///{path}"

        yield file
        return
    name = server.new_database()

    def database(step: str) -> str:
        psql = [
            str(programs() / "psql"),
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-f",
            str(RELEASED / f"{step}_postgresql.sql"),
        ]
        subprocess.run([*psql, server.url(name)], check=True, stdout=subprocess.DEVNULL)
        return server.url(name)

    yield database
    server.drop(name)


@pytest.mark.parametrize("step", STEPS)
def test_released_database_comes_forward_with_its_data(loaded: Loader, step: str) -> None:
    with open_store(loaded(step)) as store:
        assert [(row.name, row.status) for row in store.designs().rows] == [
            ("in review", "in review"),
            ('Größe "Pod" A; DROP TABLE design', "approved"),
        ]
        assert [row.name for row in store.designs(archived=True).rows] == ["put away"]
        newest, first = store.revisions(1)
        assert (first.note, first.author, first.state, first.saved_by) == (
            "first\nsecond 'line'", "ann", "draft", "",
        )  # fmt: skip
        assert (first.scenario_hash, first.catalogue_hash) == ("a" * 64, "b" * 64)
        assert first.key_results == {"Stall": 1.5, "Power": None}
        assert f"{first.created:%Y-%m-%d %H:%M:%S %Z}" == "2026-01-01 00:00:01 UTC"
        assert (newest.author, newest.note, newest.state) == ("bob", "ÄÖ ✓", "approved")
        assert (newest.scenario_json, newest.price_hash) == ('{"cluster": {}}', "")
        assert [revision.state for revision in store.revisions(2)] == ["in review"]
        draft = store.draft("k" * 22)
        assert draft is not None
        assert (draft.content_json, draft.base_design_id, draft.base_revision) == ('{"a": 1}', 1, 2)


@pytest.mark.parametrize("step", STEPS)
def test_released_database_can_be_worked_on(loaded: Loader, step: str) -> None:
    with open_store(loaded(step)) as store:
        assert store.add_revision(1, NewRevision(scenario_json="{}"), base_revision=2).number == 3
        assert store.create_design("new", NewRevision(scenario_json="{}")).design_id == 4
        store.take_step(2, 1, "withdraw")
        assert store.revision(2).state == "draft"
        with pytest.raises(DBAPIError), store.database.writing() as session:
            session.execute(text("UPDATE revision SET note = 'x'"))


def test_every_step_before_the_last_has_a_dump(store: Store) -> None:
    with store.database.reading() as session:
        last = current_step(session.connection())
    files = {path.name for path in RELEASED.iterdir()}
    assert files == {f"{step}_{kind}.sql" for step in STEPS for kind in ("sqlite", "postgresql")}
    assert int(last) == len(STEPS) + NEXT


def test_newer_database_is_refused_and_left_as_it_is(url: str) -> None:
    with open_store(url) as store:
        store.create_design("kept", NewRevision(scenario_json="{}"))
        with store.database.writing() as session:
            session.execute(text("UPDATE alembic_version SET version_num = '0099'"))
        before = content(store)
        with pytest.raises(
            PlannerError, match=r"made by a newer planner \(its tables are at step 0099\)"
        ) as caught:
            open_store(url)
        assert "\n" not in str(caught.value)
        assert content(store) == before
        with store.database.reading() as session:
            assert current_step(session.connection()) == "0099"


def test_server_database_of_another_application_is_left_as_it_is(server: Server) -> None:
    name = server.new_database()
    try:
        server.execute("CREATE TABLE bookmarks (id int)", name=name)
        with open_store(server.url(name)) as store:
            assert store.designs().total == 0
        server.execute("DROP TABLE alembic_version", name=name)
        with pytest.raises(
            PlannerError, match=r"belongs to another application \(it has a table “account”\)"
        ):
            open_store(server.url(name))
    finally:
        server.drop(name)


def test_archive_of_a_released_server_restores(loaded: Loader, new_store: Store, tmp_path: Path) -> None:
    """What an older planner backed up: its file, and today's program brings it forward."""
    with open_store(loaded("0001")) as store:
        store.backup(tmp_path / "b")
    new_store.restore(tmp_path / "b")
    assert new_store.design(1).status == "approved"
    assert new_store.revision(1).note == "ÄÖ ✓"


def test_file_of_a_released_planner_restores(new_store: Store, tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    with closing(sqlite3.connect(file)) as direct:
        direct.executescript((RELEASED / "0001_sqlite.sql").read_text(encoding="utf-8"))
    before = file.read_bytes()
    new_store.restore(file)
    assert new_store.design(2).status == "in review"
    assert file.read_bytes() == before
