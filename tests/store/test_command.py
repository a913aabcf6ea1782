"""What the command line does with the store, and that it is held to the user's role."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from planner.core.errors import PlannerError
from planner.review import LOCAL, Actor
from planner.store import RightsError, command, open_store


@pytest.fixture
def address(filled_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A filled database that the environment names."""
    monkeypatch.setenv("PLANNER_DATABASE_URL", filled_url)
    monkeypatch.delenv("PLANNER_USER", raising=False)
    return filled_url


def test_backup_and_restore_are_one_command_each(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "planner.backup"
    line = command.backup(str(file))
    assert line.startswith(f"{file}: ")
    assert line.endswith("rows backed up")
    with pytest.raises(PlannerError, match="this database has accounts"):
        command.restore(str(file))
    with pytest.raises(PlannerError, match="is not empty"):
        command.restore(str(file), user="ann@x")
    monkeypatch.setenv("PLANNER_DATABASE_URL", f"sqlite:///{tmp_path}/new.db")
    assert command.restore(str(file)) == line.replace(f"{file}: ", f"{tmp_path}/new.db: ").replace(
        "backed up", "restored"
    )
    with open_store() as restored, open_store(address) as original:
        assert restored.revisions(1) == original.revisions(1)
        assert restored.signature(1, 1) == original.signature(1, 1)


def test_user_is_the_argument_then_the_variable_then_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLANNER_USER", raising=False)
    assert command.actor_of() == LOCAL
    monkeypatch.setenv("PLANNER_USER", " bob@x ")
    assert command.actor_of() == Actor("bob@x")
    assert command.actor_of("ann@x") == Actor("ann@x")


def _renamed(user: str | None) -> None:
    with command.command_store(user) as store:
        store.rename_design(1, "x")


def _given(user: str | None) -> None:
    list(command.role("eve@x", "approver", user=user))


def test_viewer_cannot_write_from_the_command_line(address: str, tmp_path: Path) -> None:
    with open_store(address) as store:
        before = store.audit(), store.accounts()
    command.backup(str(tmp_path / "b"), user="ann@x")
    for user in ("eve@x", "nobody@x", None):
        calls: list[Callable[[], object]] = [
            partial(_given, user),
            partial(command.restore, str(tmp_path / "b"), user=user),
            partial(_renamed, user),
        ]
        if user is not None:
            calls.append(partial(command.backup, str(tmp_path / "c"), user=user))
        for call in calls:
            with pytest.raises(RightsError):
                call()
    with open_store(address) as store:
        assert (store.audit(), store.accounts()) == before
    assert not (tmp_path / "c").exists()


def test_approver_gives_roles(address: str) -> None:
    assert list(command.role("eve@x", "editor", user="ann@x")) == ["eve@x: editor"]
    with open_store(address) as store:
        assert store.acting(Actor("eve@x")).role() == "editor"


def test_what_the_first_account_changes_is_said_before_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANNER_DATABASE_URL", f"sqlite:///{tmp_path}/new.db")
    monkeypatch.delenv("PLANNER_USER", raising=False)
    told = command.role("ann@x", "approver")
    assert "Once the first is made, everyone who writes has to sign in and needs a role" in next(told)
    with command.command_store() as store:
        assert store.accounts() == ()
    assert list(told) == ["ann@x: approver"]
    assert list(command.role("bob@x", "editor", user="ann@x")) == ["bob@x: editor"]


def test_audit_trail_as_text(address: str) -> None:
    rows = list(csv.DictReader(io.StringIO(command.audit())))
    listed = json.loads(command.audit("json"))
    assert [int(row["id"]) for row in rows] == [event["id"] for event in listed]
    of_the_design = json.loads(command.audit("json", design_id=1))
    assert of_the_design == [event for event in listed if event["design_id"] == 1]
    assert 0 < len(of_the_design) < len(listed)
    with pytest.raises(PlannerError, match="“xml” is not one of csv, json"):
        command.audit("xml")


def test_empty_file_name_is_refused() -> None:
    for call, name in itertools.product((command.backup, command.restore), ("", " ")):
        with pytest.raises(PlannerError, match="the name of the backup file is empty"):
            call(name)


def test_a_user_that_no_database_can_look_up_is_refused_in_one_line() -> None:
    """Bytes of a terminal that are no text arrive as halves of pairs."""
    for call in (
        lambda: command.audit(user="\udcff"),
        lambda: list(command.role("x", "viewer", user="\udcff")),
    ):
        with pytest.raises(PlannerError, match=r"^subject: .*U\+DCFF, which cannot be stored"):
            call()
