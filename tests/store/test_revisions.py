"""Revisions: what is kept, the optimistic lock, and what cannot be stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, replace
from datetime import UTC

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from planner.core.errors import PlannerError
from planner.store import ConflictError, NewRevision, Store

FULL = NewRevision(
    scenario_json='{ "cluster": {"nodes_count": 256},\n"b":1.50 }',
    author="ann@example.org",
    note="first\nsecond line",
    schema_version=1,
    key_results={"size_bytes": 988e9, "ok": True, "tier": "hot", "none": None, "list": [1, 2]},
    scenario_hash="a" * 64,
    catalogue_hash="b" * 64,
    engine_version="0.1.0",
)
storable = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=300)


def _content(number: int, author: str = "ann") -> NewRevision:
    return NewRevision(scenario_json=json.dumps({"n": number}), author=author)


def test_revision_comes_back_to_the_letter(store: Store) -> None:
    saved = store.create_design("a", FULL)
    read = store.revision(1, 1)
    assert read == saved
    assert {f.name: getattr(read, f.name) for f in fields(FULL)} == {
        f.name: getattr(FULL, f.name) for f in fields(FULL)
    }
    assert read.created.tzinfo is UTC


def test_records_cannot_be_changed(store: Store) -> None:
    saved = store.create_design("a", FULL)
    with pytest.raises(FrozenInstanceError):
        saved.note = "x"  # type: ignore[misc]


def test_history_is_newest_first_and_latest_is_the_default(store: Store) -> None:
    store.create_design("a", _content(1))
    store.add_revision(1, _content(2), base_revision=1)
    third = store.add_revision(1, replace(FULL, author=" ann "), base_revision=2)
    assert [revision.number for revision in store.revisions(1)] == [3, 2, 1]
    assert [json.loads(revision.scenario_json).get("n") for revision in store.revisions(1)] == [None, 2, 1]
    assert store.revision(1) == third == store.revision(1, 3)
    row = store.design(1)
    assert (row.latest_revision, row.author, row.updated) == (3, "ann", third.created)
    assert row.key_results == FULL.key_results


def test_saving_on_an_outdated_revision_keeps_and_shows_both(store: Store) -> None:
    base = store.create_design("a", _content(1))
    theirs = store.add_revision(1, _content(2, "bob"), base_revision=1)
    yours = _content(3)
    with pytest.raises(ConflictError) as caught:
        store.add_revision(1, yours, base_revision=1)
    assert (caught.value.yours, caught.value.base, caught.value.current) == (yours, base, theirs)
    assert caught.value.field == "revision"
    assert str(caught.value) == (
        "revision: your changes start from revision 1 of design 1, but bob saved revision 2 at "
        "2026-01-01 00:00 UTC; neither is lost: compare them and save again on revision 2, "
        "or save yours as a new design"
    )
    assert store.revisions(1) == (theirs, base)
    assert store.add_revision(1, yours, base_revision=2).number == 3


def test_double_click_is_one_revision(store: Store) -> None:
    store.create_design("a", _content(1))
    first = store.add_revision(1, FULL, base_revision=1)
    assert store.add_revision(1, FULL, base_revision=1) == first
    assert store.design(1).latest_revision == 2
    with pytest.raises(ConflictError):
        store.add_revision(1, replace(FULL, author="bob"), base_revision=1)
    with pytest.raises(ConflictError):
        store.add_revision(1, replace(FULL, key_results={}), base_revision=1)


def test_taken_number_is_a_conflict_even_if_the_design_does_not_know(store: Store) -> None:
    store.create_design("a", _content(1))
    store.add_revision(1, _content(2, "bob"), base_revision=1)
    with store.database.writing() as session:
        session.execute(text("UPDATE design SET latest_revision = 1"))
    with pytest.raises(ConflictError) as caught:
        store.add_revision(1, _content(3), base_revision=1)
    assert (caught.value.current.number, caught.value.current.author) == (2, "bob")
    assert store.revision(1, 2).author == "bob"
    assert store.design(1).latest_revision == 1


@pytest.mark.parametrize("number", [0, -1, 3, 2**31 - 1, 2**31, 10**30])
def test_unknown_revision_is_told_with_the_known_ones(store: Store, number: int) -> None:
    store.create_design("a", _content(1))
    store.add_revision(1, _content(2), base_revision=1)
    calls: list[Callable[[], object]] = [
        lambda: store.revision(1, number),
        lambda: store.open_revision(1, number),
        lambda: store.add_revision(1, _content(3), base_revision=number),
        lambda: store.save_draft(store.new_draft_key(), "{}", base_design_id=1, base_revision=number),
    ]
    for call in calls:
        with pytest.raises(PlannerError, match=r"^revision: .* does not exist; choose one of 1 to 2$"):
            call()
    assert store.design(1).latest_revision == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"scenario_json": ""}, "scenario"),
        ({"scenario_json": "[1]"}, "scenario"),
        ({"scenario_json": '{"a": 1'}, "scenario"),
        ({"scenario_json": "[" * 100_000}, "scenario"),
        ({"scenario_json": '{"a": ' + "9" * 5_000 + "}"}, "scenario"),
        ({"scenario_json": '{"a": "' + "x" * 5_000_000 + '"}'}, "scenario"),
        ({"scenario_json": '{"a": "\ud83d"}'}, "scenario"),
        ({"author": "a\nb"}, "author"),
        ({"author": "a" * 201}, "author"),
        ({"note": "a\0"}, "note"),
        ({"note": "a" * 10_001}, "note"),
        ({"note": "\udc00"}, "note"),
        ({"scenario_hash": "\0"}, "scenario_hash"),
        ({"schema_version": 0}, "schema_version"),
    ],
)
def test_what_cannot_be_stored_is_one_line_and_saves_nothing(
    store: Store, change: dict[str, str], field: str
) -> None:
    bad = replace(FULL, **change)  # type: ignore[arg-type]
    store.create_design("kept", FULL)
    calls: list[Callable[[], object]] = [
        lambda: store.create_design("a", bad),
        lambda: store.add_revision(1, bad, base_revision=1),
    ]
    for save in calls:
        with pytest.raises(PlannerError) as caught:
            save()
        assert caught.value.field == field
        assert str(caught.value).startswith(f"{field}: ")
        assert "\n" not in str(caught.value)
        assert len(str(caught.value).encode()) < 300
    assert store.designs().total == 1
    assert store.design(1).latest_revision == 1


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(note=storable, value=storable)
def test_any_note_and_any_json_text_come_back(store: Store, note: str, value: str) -> None:
    scenario_json = json.dumps({value: value}, ensure_ascii=False)
    saved = store.create_design(
        "a", NewRevision(scenario_json=scenario_json, note=note, key_results={"k": value})
    )
    read = store.revision(saved.design_id, 1)
    assert (read.note, read.scenario_json, read.key_results) == (note, scenario_json, {"k": value})


def test_results_that_are_not_finite_are_kept_as_unknown(store: Store) -> None:
    results = {"a": float("nan"), "b": [float("inf"), 1.5], "c": {"d": float("-inf")}, "e": np.float64(2.5)}
    store.create_design("a", NewRevision(scenario_json="{}", key_results=results))
    assert store.revision(1).key_results == {"a": None, "b": [None, 1.5], "c": {"d": None}, "e": 2.5}


def test_results_that_are_no_json_are_a_defect_and_save_nothing(store: Store) -> None:
    with pytest.raises(TypeError):
        store.create_design("a", NewRevision(scenario_json="{}", key_results={"a": object()}))
    assert store.designs().total == 0


def test_restoring_an_old_revision_makes_a_new_one(store: Store) -> None:
    first = store.create_design("a", FULL)
    store.add_revision(1, _content(2), base_revision=1)
    restored = store.add_revision(1, replace(first, author="bob", note="restored 1"), base_revision=2)
    assert (restored.number, restored.author, restored.note) == (3, "bob", "restored 1")
    assert restored.scenario_json == FULL.scenario_json
    assert restored.created > first.created
