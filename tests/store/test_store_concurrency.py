"""Many threads on one store, and many stores on one file."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from planner.store import ConflictError, NewRevision, Revision, Store, open_store

THREADS = 20


@pytest.fixture(params=["file", "memory", "server"])
def any_url(request: pytest.FixtureRequest) -> str:
    """Address of an empty database: a file, in memory, or on a server."""
    if request.param == "file":
        return f"sqlite:///{request.getfixturevalue('path')}"
    return "sqlite://" if request.param == "memory" else str(request.getfixturevalue("server_url"))


def _content(author: str) -> NewRevision:
    return NewRevision(scenario_json=json.dumps({"author": author}), author=author)


def _saved_once(store: Store, author: str, base_revision: int, barrier: Barrier) -> Revision | ConflictError:
    barrier.wait()
    try:
        return store.add_revision(1, _content(author), base_revision=base_revision)
    except ConflictError as conflict:
        return conflict


@pytest.mark.parametrize("shared", [True, False], ids=["one store", "a store each"])
def test_one_of_twenty_wins_each_number(url: str, shared: bool) -> None:
    with open_store(url, busy_s=30) as store, ThreadPoolExecutor(THREADS) as pool:
        store.create_design("a", _content("nobody"))
        stores = [store if shared else open_store(url, busy_s=30) for _ in range(THREADS)]
        for base in range(1, 4):
            barrier = Barrier(THREADS)
            done = list(
                pool.map(lambda i, b=base, w=barrier: _saved_once(stores[i], f"t{i}", b, w), range(THREADS))
            )
            won = [result for result in done if isinstance(result, Revision)]
            lost = [result for result in done if isinstance(result, ConflictError)]
            assert (len(won), len(lost)) == (1, THREADS - 1)
            assert won[0].number == base + 1
            assert all(conflict.current == won[0] for conflict in lost)
            assert won[0] == store.revision(1)
        for each in stores:
            each.close()
        assert [revision.number for revision in store.revisions(1)] == [4, 3, 2, 1]


def _saved_in_the_end(store: Store, author: str) -> int:
    while True:
        base = store.design(1).latest_revision
        try:
            return store.add_revision(1, _content(author), base_revision=base).number
        except ConflictError:
            continue


def test_twenty_who_try_again_all_get_a_number_and_none_is_lost(any_url: str) -> None:
    with open_store(any_url, busy_s=30) as store, ThreadPoolExecutor(THREADS) as pool:
        store.create_design("a", _content("nobody"))
        numbers = list(pool.map(lambda i: _saved_in_the_end(store, f"t{i}"), range(THREADS)))
        assert sorted(numbers) == list(range(2, THREADS + 2))
        times = [revision.created for revision in store.revisions(1)]
        assert times == sorted(times, reverse=True)
        authors = {revision.number: revision.author for revision in store.revisions(1)}
        assert {numbers[i]: f"t{i}" for i in range(THREADS)} | {1: "nobody"} == authors


def test_readers_and_writers_together(any_url: str) -> None:

    def work(store: Store, number: int) -> int:
        key = store.new_draft_key()
        for step in range(3):
            store.save_draft(key, json.dumps({"step": step}))
            store.create_design(f"design {number}", _content("x"))
            page = store.designs(f"design {number}", limit=500)
            assert page.total == len(page.rows)
        draft = store.draft(key)
        assert draft is not None
        return int(json.loads(draft.content_json)["step"])

    with open_store(any_url, busy_s=30) as store, ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda i: work(store, i), range(THREADS))) == [2] * THREADS
        page = store.designs(limit=500)
        assert page.total == THREADS * 3
        assert Counter(row.name for row in page.rows) == {f"design {i}": 3 for i in range(THREADS)}
        assert len({row.id for row in page.rows}) == THREADS * 3


def test_one_draft_key_written_by_many_is_one_draft(url: str) -> None:
    with open_store(url, busy_s=30) as store, ThreadPoolExecutor(THREADS) as pool:
        key = store.new_draft_key()
        list(pool.map(lambda i: store.save_draft(key, json.dumps({"i": i})), range(THREADS)))
        draft = store.draft(key)
        assert draft is not None
        assert json.loads(draft.content_json)["i"] in range(THREADS)
        store.delete_draft(key)
        assert store.draft(key) is None
