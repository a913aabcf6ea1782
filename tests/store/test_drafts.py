"""Drafts: keys, writing over, base, purge."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from planner.core.errors import PlannerError
from planner.review import GUEST
from planner.store import Draft, DraftConflictError, NewRevision, Store
from planner.store.drafts import DRAFT_DAYS
from tests.store.examples import with_accounts

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


def test_what_is_given_up_goes_whoever_opens_the_application(store: Store) -> None:
    def after(days: int) -> Store:
        return Store(store.database, clock=lambda: NEW_YEAR + timedelta(days=days), actor=GUEST)

    other = store.new_draft_key()
    Store(store.database, clock=lambda: NEW_YEAR).save_draft(KEY, "{}")
    Store(store.database, clock=lambda: NEW_YEAR + timedelta(days=20)).save_draft(other, "{}")
    with_accounts(store)
    assert after(DRAFT_DAYS).drop_old_drafts() == 0
    assert after(DRAFT_DAYS + 15).drop_old_drafts() == 1
    assert after(DRAFT_DAYS + 15).drop_old_drafts() == 0
    assert store.draft(KEY) is None
    assert store.draft(other) is not None


def test_a_draft_that_someone_else_wrote_is_left_as_it_is(store: Store) -> None:
    first = store.save_draft(KEY, '{"a": 1}')
    second = store.save_draft(KEY, '{"a": 2}', written=first.updated)
    with pytest.raises(DraftConflictError, match="someone else writes in this draft as well"):
        store.save_draft(KEY, '{"a": 3}', written=first.updated)
    assert store.draft(KEY) == second
    assert store.save_draft(KEY, '{"a": 4}', written=second.updated).content_json == '{"a": 4}'
    store.delete_draft(KEY)
    assert store.save_draft(KEY, '{"a": 5}', written=first.updated).content_json == '{"a": 5}'
    assert store.save_draft(KEY, '{"a": 6}').content_json == '{"a": 6}'
