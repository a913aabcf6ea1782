"""Faults: killed while saving, a full disk, a lock that stays, a server that restarts. Nothing is lost."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from planner.core.errors import PlannerError
from planner.store import DesignSummary, NewRevision, Store, open_store
from tests.store.postgres import Server
from tests.store.saver import content

ROOT = Path(__file__).parents[2]
KILLS = 100
SMALL = NewRevision(scenario_json="{}")


def _whole(store: Store, design_id: int) -> int:
    """How many revisions a design has, after checking that none of it is half there."""
    design = store.design(design_id)
    revisions = store.revisions(design_id)
    assert [revision.number for revision in revisions] == list(range(design.latest_revision, 0, -1))
    for revision in revisions[:-1]:
        made = content(design_id, revision.number)
        assert (revision.scenario_json, revision.author, revision.note, revision.scenario_hash) == (
            made.scenario_json, made.author, made.note, made.scenario_hash,
        )  # fmt: skip
    told = [event.revision for event in store.audit(design_id)]
    assert told == list(range(1, design.latest_revision + 1))
    return design.latest_revision


def test_killed_while_saving_a_hundred_times(url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.store.saver", url, str(KILLS)],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    rounds: list[list[tuple[int, int]]] = json.loads(done.stdout)
    assert len(rounds) == KILLS + 1
    with open_store(url) as store:
        found = {row.id for row in _all_designs(store)}
        kept = {design_id: _whole(store, design_id) for design_id in found}
        for acknowledged in rounds:
            for design_id, number in acknowledged:
                assert kept[design_id] >= number
        # At most one save a round can be there without its acknowledgement: the one under the blow.
        told = {design_id: number for each in rounds for design_id, number in each}
        assert sum(kept.values()) - sum(told.values()) <= KILLS
        assert store.create_design("after", SMALL).number == 1


def _all_designs(store: Store) -> list[DesignSummary]:
    rows: list[DesignSummary] = []
    while page := store.designs(limit=500, offset=len(rows)).rows:
        rows += page
    return rows


def _line(call: Callable[[], object]) -> str:
    with pytest.raises(PlannerError) as caught:
        call()
    line = str(caught.value)
    assert line.startswith("database: postgresql+psycopg://postgres@127.0.0.1:")
    assert "\n" not in line
    return line


def _writes(store: Store) -> list[Callable[[], object]]:
    return [
        lambda: store.create_design("lost", SMALL),
        lambda: store.add_revision(1, content(1, 2), base_revision=1),
        lambda: store.rename_design(1, "lost"),
        lambda: store.take_step(1, 1, "submit"),
    ]


def test_lock_on_the_server_is_told_after_the_wait(server: Server, server_url: str) -> None:
    import psycopg  # noqa: PLC0415 - not there on a machine without a server

    with open_store(server_url, busy_s=0.05) as store, psycopg.connect(server_url) as other:
        store.create_design("kept", SMALL)
        other.execute("LOCK TABLE design IN ACCESS EXCLUSIVE MODE")
        for write in _writes(store):
            assert "in use by another program for more than 0.05 s; nothing was saved" in _line(write)
        other.rollback()
        assert store.design(1).name == "kept"
        assert store.add_revision(1, content(1, 2), base_revision=1).number == 2


def test_lock_on_the_server_is_waited_for(server_url: str) -> None:
    import psycopg  # noqa: PLC0415 - not there on a machine without a server

    with open_store(server_url, busy_s=30) as store, psycopg.connect(server_url) as other:
        store.create_design("kept", SMALL)
        other.execute("LOCK TABLE design IN ACCESS EXCLUSIVE MODE")
        timer = threading.Timer(0.3, other.rollback)
        timer.start()
        assert store.rename_design(1, "waited").name == "waited"
        timer.join()


def test_full_disk_of_the_server_saves_nothing_and_keeps_the_rest(server_url: str) -> None:
    """The server says so while the last row of a save is written, as it does when a file cannot grow."""
    with open_store(server_url) as store:
        store.create_design("kept", SMALL)
        before = store.design(1), store.revisions(1), store.audit()
        with store.database.writing() as session:
            session.execute(
                text(
                    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE "
                    "'could not extend file \"base/5/1\": No space left on device' USING ERRCODE = 'disk_full'; "
                    "END $$"
                )
            )
            session.execute(
                text("CREATE TRIGGER full_disk BEFORE INSERT ON audit EXECUTE FUNCTION full_disk()")
            )
        for write in _writes(store):
            assert "the disk of the server is full; nothing was saved, all that was saved before" in _line(
                write
            )
        assert (store.design(1), store.revisions(1), store.audit()) == before
        with store.database.writing() as session:
            session.execute(text("DROP TRIGGER full_disk ON audit"))
        assert store.add_revision(1, content(1, 2), base_revision=1).number == 2


def test_read_only_server_can_be_read_and_says_so(server: Server, server_url: str) -> None:
    with open_store(server_url) as store:
        store.create_design("kept", SMALL)
    name = server_url.rpartition("/")[2]
    server.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    with open_store(server_url) as store:
        assert store.design(1).name == "kept"
        for write in _writes(store):
            assert "is read-only; nothing was saved" in _line(write)
        assert store.design(1).name == "kept"


def test_user_of_the_server_without_rights_is_told(server: Server, server_url: str) -> None:
    with open_store(server_url) as store:
        store.create_design("kept", SMALL)
    name = server_url.rpartition("/")[2]
    server.execute("CREATE ROLE looker LOGIN")
    try:
        server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker", name=name)
        with open_store(server_url.replace("postgres@", "looker@")) as store:
            assert store.design(1).name == "kept"
            with pytest.raises(PlannerError, match="may not be used like this by the user in its address"):
                store.rename_design(1, "x")
    finally:
        server.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM looker", name=name)
        server.execute("DROP ROLE looker")


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_server_restarted_between_two_uses_is_not_noticed(server: Server, server_url: str, mode: str) -> None:
    with open_store(server_url) as store:
        store.create_design("a", SMALL)
        server.restart(mode)
        assert store.add_revision(1, content(1, 2), base_revision=1).number == 2
        server.restart(mode)
        assert [revision.number for revision in store.revisions(1)] == [2, 1]


def test_server_restarted_during_a_save_undoes_it_and_says_so(server: Server, server_url: str) -> None:
    with open_store(server_url) as store:
        store.create_design("kept", SMALL)

        def interrupted() -> None:
            with store.database.writing() as session:
                session.execute(text("UPDATE design SET name = 'half'"))
                server.restart("immediate")
                session.execute(text("UPDATE design SET author = 'half'"))

        assert "nothing was saved and nothing is lost: try later" in _line(interrupted)
        assert (store.design(1).name, store.design(1).author) == ("kept", "")


def test_server_lost_at_the_very_end_does_not_claim_that_nothing_was_saved(
    server: Server, server_url: str
) -> None:
    with open_store(server_url) as store:
        store.create_design("kept", SMALL)

        def interrupted() -> None:
            with store.database.writing() as session:
                session.execute(text("UPDATE design SET name = 'perhaps'"))
                server.restart("immediate")

        assert "look whether it was saved before you try again" in _line(interrupted)
        assert store.design(1).name == "kept"


def test_savers_go_on_through_restarts_and_lose_nothing(server: Server, server_url: str) -> None:
    acknowledged: list[int] = []
    refused: list[str] = []
    done = threading.Event()
    with open_store(server_url) as store:
        store.create_design("a", SMALL)

        def save() -> None:
            while not done.is_set():
                base = 0
                try:
                    base = store.design(1).latest_revision
                    acknowledged.append(
                        store.add_revision(1, content(1, base + 1), base_revision=base).number
                    )
                except PlannerError as error:
                    refused.append(str(error))

        def more() -> None:
            known = len(acknowledged)
            while saver.is_alive() and len(acknowledged) < known + 5:
                done.wait(0.01)

        saver = threading.Thread(target=save)
        saver.start()
        for mode in ("fast", "immediate", "fast"):
            more()
            server.restart(mode)
        more()
        done.set()
        saver.join()
        assert len(acknowledged) >= 20
        assert all(line.startswith("database: ") and "\n" not in line for line in refused)
        assert acknowledged == sorted(set(acknowledged))
        assert set(acknowledged) <= {revision.number for revision in store.revisions(1)}
        assert _whole(store, 1) >= acknowledged[-1]


def test_server_that_is_not_there_is_one_line(server: Server) -> None:
    url = server.url("postgres").replace("postgres@", "ann:secret@")
    server.stop()
    try:
        with pytest.raises(PlannerError) as caught:
            open_store(url)
    finally:
        server.start()
    assert "cannot be used (connection failed" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(PlannerError) as caught:
        open_store(server.url("nowhere"))
    assert 'database "nowhere" does not exist' in str(caught.value)
