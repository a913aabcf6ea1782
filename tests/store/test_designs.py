"""Designs: names, the list, copies, archive, status."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, insert, text
from sqlalchemy.exc import StatementError

from planner.core.errors import PlannerError
from planner.store import MAX_NAME_CHARS, NewRevision, Store
from planner.store.store import COUNT_AHEAD
from planner.store.tables import DesignRow
from planner.store.text import folded

EMPTY = NewRevision(scenario_json="{}")
names = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=200).filter(
    lambda name: any(unicodedata.category(char) not in ("Cf", "Zs") for char in name)
)


def _names(store: Store, search: str = "", *, archived: bool = False) -> list[str]:
    return [row.name for row in store.designs(search, archived=archived).rows]


def test_create_gives_first_revision_and_list_shows_it(store: Store) -> None:
    saved = store.create_design(
        "  Pod A ", NewRevision(scenario_json="{}", author="ann", key_results={"cost_usd": 5.0})
    )
    page = store.designs()
    row = page.rows[0]
    assert (saved.design_id, saved.number, page.total) == (1, 1, 1)
    assert (row.id, row.name, row.latest_revision, row.status) == (1, "Pod A", 1, "draft")
    assert (row.author, row.key_results, row.archived) == ("ann", {"cost_usd": 5.0}, False)
    assert row.created == row.updated == saved.created == datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert store.design(1) == row


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "is empty; type 1 to 200"),
        (" \t ", "is empty; type 1 to 200"),
        ("\u200b\u2060", "is empty; type 1 to 200"),
        ("x" * 201, "has 201 characters; at most 200"),
        ("a\0b", "U+0000"),
        ("a\ud800b", "U+D800"),
        ("a\nb", "U+000A"),
        ("a\u2028b", "U+2028"),
    ],
)
def test_bad_name_is_refused_and_nothing_is_saved(store: Store, name: str, told: str) -> None:
    store.create_design("kept", EMPTY)
    with pytest.raises(PlannerError, match=r"^name: ") as caught:
        store.create_design(name, EMPTY)
    with pytest.raises(PlannerError, match=r"^name: "):
        store.rename_design(1, name)
    with pytest.raises(PlannerError, match=r"^name: "):
        store.duplicate_design(1, name=name)
    assert told in str(caught.value)
    assert caught.value.field == "name"
    assert "\n" not in str(caught.value)
    assert str(caught.value).encode()
    assert _names(store) == ["kept"]


def test_longest_name_fits(store: Store) -> None:
    store.create_design("é" * MAX_NAME_CHARS, EMPTY)
    assert _names(store) == ["é" * MAX_NAME_CHARS]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=names)
def test_any_name_comes_back_and_is_found(store: Store, name: str) -> None:
    design_id = store.create_design(name, EMPTY).design_id
    assert store.design(design_id).name == name.strip()
    first = name.strip()[:20]
    found = store.designs(first, limit=500)
    assert folded(first.strip()) in folded(name)
    assert design_id in [row.id for row in found.rows]


@pytest.mark.parametrize(
    ("name", "search"),
    [
        ("Größe MÜNCHEN", "münchen"),
        ("Straße", "STRASSE"),
        ("ПЛАН Москва", "план"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("caf\u0065\u0301", "CAF\u00c9"),
        ("ＧＰＵ ポッド", "gpu"),
        ("100%_sure", "%_S"),
        ("back\\slash", "K\\S"),
        ('o\'neil "x"; DROP TABLE design', '\'NEIL "X";'),
    ],
)
def test_search_ignores_case_in_any_script(store: Store, name: str, search: str) -> None:
    store.create_design(name, EMPTY)
    store.create_design("other", EMPTY)
    assert _names(store, search) == [name]


def test_search_takes_wildcards_as_letters(store: Store) -> None:
    store.create_design("plain", EMPTY)
    assert _names(store, "%") == []
    assert _names(store, "p_ain") == []


@pytest.mark.parametrize("search", ["x" * 201, "a\0", "\udfff"])
def test_bad_search_is_refused(store: Store, search: str) -> None:
    with pytest.raises(PlannerError, match=r"^search: "):
        store.designs(search)


def test_pages_cover_the_list_once_last_changed_first(store: Store) -> None:
    for number in range(7):
        store.create_design(f"d{number}", EMPTY)
    store.add_revision(3, NewRevision(scenario_json='{"a": 1}'), base_revision=1)
    pages = [store.designs(limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert [row.id for page in pages for row in page.rows] == [3, 7, 6, 5, 4, 2, 1]
    assert [page.total for page in pages] == [7, 7, 7, 7]
    assert [len(page.rows) for page in pages] == [3, 3, 1, 0]


@pytest.mark.parametrize(("limit", "offset"), [(0, 0), (-1, 0), (501, 0), (50, -1), (50, 10**30)])
def test_page_out_of_range_is_refused(store: Store, limit: int, offset: int) -> None:
    with pytest.raises(PlannerError, match="is outside"):
        store.designs(limit=limit, offset=offset)


def test_archive_moves_between_the_lists(store: Store) -> None:
    for name in ("a", "b"):
        store.create_design(name, EMPTY)
    assert store.archive_design(1).archived is True
    assert (_names(store), _names(store, archived=True)) == (["b"], ["a"])
    with pytest.raises(PlannerError, match="design: 1 is archived; bring it back"):
        store.add_revision(1, EMPTY, base_revision=1)
    assert store.unarchive_design(1).archived is False
    assert (_names(store), _names(store, archived=True)) == (["a", "b"], [])


def test_rename_changes_name_search_and_time_only(store: Store) -> None:
    before = store.design(store.create_design("old", EMPTY).design_id)
    after = store.rename_design(1, " New ")
    assert (after.name, after.latest_revision, after.created) == ("New", 1, before.created)
    assert after.updated > before.updated
    assert (_names(store, "OLD"), _names(store, "NEW")) == ([], ["New"])


def test_duplicate_copies_the_newest_revision_as_a_first_one(store: Store) -> None:
    store.create_design("x" * MAX_NAME_CHARS, EMPTY)
    newest = NewRevision(
        scenario_json='{"a": [1, 2.50]}',
        author="ann",
        note="second",
        schema_version=3,
        key_results={"drives_count": 4},
        scenario_hash="s",
        catalogue_hash="c",
        engine_version="e",
    )
    store.add_revision(1, newest, base_revision=1)
    copy = store.duplicate_design(1, author="bob")
    assert (copy.design_id, copy.number, copy.author) == (2, 1, "bob")
    assert copy.note == "Copy of design 1, revision 2"
    assert (copy.scenario_json, copy.schema_version) == ('{"a": [1, 2.50]}', 3)
    assert (copy.key_results, copy.scenario_hash) == ({"drives_count": 4}, "s")
    assert store.design(2).name == "x" * 193 + " (copy)"
    assert store.design(store.duplicate_design(1, name="named").design_id).name == "named"
    store.add_revision(2, EMPTY, base_revision=1)
    assert [revision.number for revision in store.revisions(1)] == [2, 1]


@pytest.mark.parametrize("design_id", [0, -1, 3, 2**31, 10**30])
def test_unknown_design_is_told_with_the_known_ones(store: Store, design_id: int) -> None:
    with pytest.raises(PlannerError, match="does not exist; there are no designs yet"):
        store.design(design_id)
    store.create_design("a", EMPTY)
    store.create_design("b", EMPTY)
    calls: list[Callable[[], object]] = [
        lambda: store.design(design_id),
        lambda: store.revisions(design_id),
        lambda: store.revision(design_id),
        lambda: store.revision(design_id, 1),
        lambda: store.open_revision(design_id, 1),
        lambda: store.duplicate_design(design_id),
        lambda: store.archive_design(design_id),
        lambda: store.unarchive_design(design_id),
        lambda: store.rename_design(design_id, "x"),
        lambda: store.take_step(design_id, 1, "submit"),
        lambda: store.add_revision(design_id, EMPTY, base_revision=1),
        lambda: store.save_draft(store.new_draft_key(), "{}", base_design_id=design_id, base_revision=1),
    ]
    for call in calls:
        with pytest.raises(PlannerError, match=r"^design: -?[0-9]+ does not exist; choose one of 1 to 2$"):
            call()


def test_list_shows_the_state_of_the_newest_revision(store: Store) -> None:
    store.create_design("a", EMPTY)
    store.take_step(1, 1, "submit")
    assert store.design(1).status == "in review"
    store.add_revision(1, NewRevision(scenario_json='{"a": 1}'), base_revision=1)
    assert store.design(1).status == "draft"
    store.take_step(1, 1, "request changes", note="too small")
    assert (store.revision(1, 1).state, store.design(1).status) == ("changes requested", "draft")


def _fill(store: Store, count: int) -> None:
    when = datetime(2026, 1, 1, tzinfo=UTC)
    shown = '{"cost_usd": 1.0, "drives_count": 24, "note": "' + "x" * 400 + '"}'
    with store.database.writing() as session:
        session.execute(
            insert(DesignRow),
            [
                {
                    "name": f"Design {i}",
                    "name_folded": f"design {i}",
                    "latest_revision": 1,
                    "status": "draft",
                    "archived": i % 4 == 0,
                    "author": "ann",
                    "key_results": shown,
                    "created": when,
                    "updated": when,
                }
                for i in range(count)
            ],
        )


def test_a_page_counts_on_from_where_it_stands(store: Store) -> None:
    _fill(store, 10_060)
    listed = 45 + 7_500
    first = store.designs(limit=20)
    assert (first.total, first.more) == (COUNT_AHEAD, True)
    deep = store.designs(limit=20, offset=listed - COUNT_AHEAD)
    assert (deep.total, deep.more) == (listed, False)
    last = store.designs(limit=20, offset=listed - 5)
    assert (len(last.rows), last.total, last.more) == (5, listed, False)
    past = store.designs(limit=20, offset=listed + 100)
    assert (past.rows, past.total, past.more) == ((), listed, False)
    assert store.designs("nothing is called so").total == 0


def test_page_is_two_statements_and_both_use_the_index(file_store: Store) -> None:
    store = file_store
    _fill(store, 100)
    seen: list[tuple[str, object]] = []

    def note(*call: object) -> None:
        seen.append((str(call[2]), call[3]))

    event.listen(store.database.engine, "before_cursor_execute", note)
    store.designs()
    event.remove(store.database.engine, "before_cursor_execute", note)
    queries = [(sql, values) for sql, values in seen if sql.startswith("SELECT")]
    assert len(queries) == 2
    with store.database.engine.connect() as connection:
        plans = [
            " / ".join(row[3] for row in connection.exec_driver_sql("EXPLAIN QUERY PLAN " + sql, values))  # type: ignore[arg-type]
            for sql, values in queries
        ]
    assert "USING INDEX ix_design_list" in plans[0]
    assert "USING COVERING INDEX ix_design_list" in plans[1]
    assert not any("TEMP B-TREE" in plan for plan in plans)


def test_clock_without_zone_is_a_defect(store: Store) -> None:
    naive = Store(store.database, clock=lambda: datetime(2026, 1, 1))  # noqa: DTZ001
    with pytest.raises(StatementError, match="has no zone"):
        naive.create_design("a", EMPTY)
    with store.database.reading() as session:
        assert session.execute(text("SELECT count(*) FROM design")).scalar_one() == 0
