"""Drafts: keys, writing over, base, purge."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from planner.core.errors import PlannerError
from planner.store import Draft, NewRevision, Store

KEY = "k" * 22
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def test_keys_are_long_url_safe_and_never_the_same(store: Store) -> None:
    keys = {store.new_draft_key() for _ in range(2_000)}
    assert len(keys) == 2_000
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", key) for key in keys)


def test_draft_comes_back_and_unknown_one_is_none(store: Store) -> None:
    saved = store.save_draft(KEY, '{"cluster.nodes_count": 256}')
    assert saved == Draft(
        key=KEY,
        content_json='{"cluster.nodes_count": 256}',
        base_design_id=None,
        base_revision=None,
        updated=NEW_YEAR + timedelta(seconds=1),
    )
    assert store.draft(KEY) == saved
    assert store.draft(store.new_draft_key()) is None


def test_saving_again_writes_over(store: Store) -> None:
    store.create_design("a", NewRevision(scenario_json="{}"))
    first = store.save_draft(KEY, '{"a": 1}')
    second = store.save_draft(KEY, '{"a": 2}', base_design_id=1, base_revision=1)
    third = store.save_draft(KEY, '{"a": 2}', base_design_id=1, base_revision=1)
    assert (second.content_json, second.base_design_id, second.base_revision) == ('{"a": 2}', 1, 1)
    assert first.updated < second.updated < third.updated
    assert store.draft(KEY) == third
    assert store.save_draft(KEY, "{}").base_design_id is None
    assert store.purge_drafts(unused_days=0) == 1


@pytest.mark.parametrize(
    "key", ["", "short", "k" * 21, "k" * 65, "k" * 22 + "/", "k" * 21 + "\0", "é" * 22, KEY + "\n"]
)
def test_key_that_could_be_guessed_is_refused(store: Store, key: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: store.save_draft(key, "{}"),
        lambda: store.draft(key),
        lambda: store.delete_draft(key),
    ]
    for call in calls:
        with pytest.raises(PlannerError, match="is not a draft key"):
            call()


@pytest.mark.parametrize("content", ["", "[]", "null", "{", '{"a": "\ud800"}'])
def test_content_that_is_no_json_object_keeps_the_older_draft(store: Store, content: str) -> None:
    before = store.save_draft(KEY, '{"a": 1}')
    with pytest.raises(PlannerError, match=r"^draft: "):
        store.save_draft(KEY, content)
    assert store.draft(KEY) == before


def test_half_a_base_is_refused(store: Store) -> None:
    with pytest.raises(PlannerError, match="give both the design and the revision"):
        store.save_draft(KEY, "{}", base_design_id=1)
    with pytest.raises(PlannerError, match="give both the design and the revision"):
        store.save_draft(KEY, "{}", base_revision=1)
    assert store.draft(KEY) is None


def test_delete_removes_one_and_forgives_none(store: Store) -> None:
    other = store.new_draft_key()
    store.save_draft(KEY, "{}")
    store.save_draft(other, "{}")
    store.delete_draft(KEY)
    store.delete_draft(KEY)
    assert store.draft(KEY) is None
    assert store.draft(other) is not None


def test_purge_removes_the_unused_only(store: Store) -> None:
    def after(days: int) -> Store:
        return Store(store.database, clock=lambda: NEW_YEAR + timedelta(days=days))

    other = store.new_draft_key()
    after(0).save_draft(KEY, "{}")
    after(20).save_draft(other, "{}")
    assert after(35).purge_drafts(unused_days=40) == 0
    assert after(35).purge_drafts(unused_days=30) == 1
    assert store.draft(KEY) is None
    assert store.draft(other) is not None


@pytest.mark.parametrize("days", [-1, 1e9, float("nan"), float("inf")])
def test_purge_with_senseless_days_is_refused(store: Store, days: float) -> None:
    store.save_draft(KEY, "{}")
    with pytest.raises(PlannerError, match=r"unused_days: .* is outside 0 to 36500"):
        store.purge_drafts(unused_days=days)
    assert store.draft(KEY) is not None
