"""Text that would do harm if anything read it as more than text: kept to the letter, never interpreted."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import inspect

from planner.core.errors import PlannerError
from planner.review import Actor, Anchor, Decision, RegisterItem
from planner.store import NewRevision, Store, open_store
from planner.store.tables import Table
from tests.store.examples import DECISION, REQUIREMENT, RISK

HOSTILE = (
    "'; DROP TABLE revision; --",
    '"); DELETE FROM audit; --',
    "%s %(x)s {0} {x} :name ? $1 \\' \\x00",
    "100%_[a-z]*",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "[link](javascript:alert(1)) **bold** $E=mc^2$ :material/delete: :red[x]",
    '=HYPERLINK("http://x","y")',
    "${jndi:ldap://x} $(rm -rf /) `id` {{7*7}} <%= 1 %>",
    "../../etc/passwd\\..\\..",
    "\u202egnp.exe \u2066x\u2069 \ufeff",
    "e\u0301 \u00e9 ﬁ ΣΊΣΥΦΟΣ İı 𝕏 👩‍👩‍👧",
    "null",
    '{"__class__": "x", "a": [1, 2]}',
)
STORABLE = (
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=60)
    .map(str.strip)
    .filter(lambda said: any(char.isalnum() for char in said))
)


def _told(store: Store, said: str) -> list[str]:
    """The text through every field that takes one, and back."""
    said = said.strip()
    hostile = store.acting(Actor(name=said[:200], local=True))
    saved = hostile.create_design(
        said[:200], NewRevision(scenario_json=json.dumps({said: said}), author=said[:200], note=said)
    )
    design_id = saved.design_id
    thread = hostile.begin_thread(design_id, 1, Anchor("line", said), said, author=said[:200])
    answered = hostile.reply(thread.id, said)
    requirement = hostile.add_entry(
        design_id, replace(REQUIREMENT, ref=said[:60], text=said, result=said)
    ).content
    decision = Decision(problem=said, options=said, choice=said, reason=said, consequence=said)
    hostile.add_entry(design_id, decision)
    item = RegisterItem(kind="risk", text=said, owner=said[:200], subject=said, outcome=said)
    hostile.add_entry(design_id, item)
    step = hostile.take_step(design_id, 1, "submit", note=said)
    assert [entry.content for entry in store.entries(design_id)] == [requirement, decision, item]
    assert [row.id for row in store.designs(said[:200]).rows][:1] == [design_id]
    return [
        store.design(design_id).name,
        store.revision(design_id).note,
        *next(iter(json.loads(store.revision(design_id).scenario_json).items())),
        store.threads(design_id, 1)[0].anchor.key,
        *(comment.text for comment in answered.comments),
        store.review_steps(design_id)[0].note,
        store.audit(design_id)[-1].name,
        step.author,
    ]


@pytest.mark.parametrize("said", HOSTILE)
def test_hostile_text_comes_back_to_the_letter(store: Store, said: str) -> None:
    assert set(_told(store, said)) == {said.strip()}
    names = inspect(store.database.engine).get_table_names()
    assert set(Table.metadata.tables) < set(names)
    assert len(store.audit()) == 7


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=STORABLE)
def test_any_text_comes_back_through_every_field(store: Store, said: str) -> None:
    assert set(_told(store, said)) == {said}


def test_hostile_text_survives_backup_and_restore(store: Store, new_store: Store, tmp_path: Path) -> None:
    for said in HOSTILE:
        _told(store, said)
    store.backup(tmp_path / "b")
    new_store.restore(tmp_path / "b")
    for design_id, said in enumerate(HOSTILE, start=1):
        assert new_store.design(design_id).name == said.strip()
        assert new_store.design(design_id) == store.design(design_id)
        assert new_store.entries(design_id) == store.entries(design_id)
        assert new_store.threads(design_id, 1) == store.threads(design_id, 1)


@pytest.mark.parametrize("said", HOSTILE)
def test_hostile_text_in_a_refusal_is_one_printable_line(store: Store, said: str) -> None:
    store.create_design("a", NewRevision(scenario_json="{}"))
    calls = (
        lambda: store.take_step(1, 1, said),
        lambda: store.set_account(said, said),
        lambda: store.begin_thread(1, 1, Anchor(said, "x"), "x"),  # type: ignore[arg-type]
        lambda: store.entries(1, said),  # type: ignore[arg-type]
        lambda: store.draft(said),
        lambda: store.designs(said * 200),
    )
    for call in calls:
        with pytest.raises(PlannerError) as caught:
            call()
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 400


def test_neither_text_nor_password_is_logged(
    server_url: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)
    with open_store(server_url.replace("postgres@", "postgres:secret-word@")) as store:
        _told(store, "hostile-word")
    with pytest.raises(PlannerError) as caught:
        open_store(server_url.replace("postgres@", "nobody:secret-word@"))
    shown = caplog.text + str(caught.value) + "".join(capfd.readouterr())
    assert "secret-word" not in shown
    assert "hostile-word" not in shown


def test_large_text_is_refused_before_it_is_written(store: Store) -> None:
    store.create_design("a", NewRevision(scenario_json="{}"))
    large = "x" * 10_001
    calls = (
        lambda: store.begin_thread(1, 1, Anchor("section", "Cost"), large),
        lambda: store.take_step(1, 1, "submit", note=large),
        lambda: store.add_entry(1, replace(DECISION, options=large)),
        lambda: store.add_entry(1, replace(RISK, outcome=large)),
    )
    for call in calls:
        with pytest.raises(PlannerError, match="has 10001 characters; at most 10000 are allowed"):
            call()
    assert len(store.audit()) == 1


@pytest.mark.parametrize("number", [-(10**30), -1, 0, 2**31, 10**30])
def test_a_number_that_no_database_holds_is_refused_in_one_line_or_finds_nothing(
    store: Store, number: int
) -> None:
    store.create_design("a", NewRevision(scenario_json="{}"))
    store.add_entry(1, RISK)
    calls = (
        lambda: store.withdraw_entry(1, "risk", number, version=1),
        lambda: store.withdraw_entry(1, "risk", 1, version=number),
        lambda: store.design(number),
        lambda: store.revision(1, number or -1),
        lambda: store.threads(1, number),
        lambda: store.shares(number),
        lambda: store.share(1, number),
        lambda: store.withdraw_share(number),
        lambda: store.document_settings(number),
        lambda: store.keep_document_settings("{}", design_id=number),
        lambda: store.take_step(number, 1, "submit"),
        lambda: store.revoke_waiver(number),
    )
    for call in calls:
        with pytest.raises(PlannerError, match="does not exist") as caught:
            call()
        assert "\n" not in str(caught.value)
    assert store.audit(number) == ()
    assert store.entry_history(1, "risk", number) == ()
    assert len(store.audit(1, after=number)) == (2 if number <= 0 else 0)
