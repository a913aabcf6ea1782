"""Settings of documents outlive the process, one set for the organisation and one for each design."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.core.errors import PlannerError
from planner.store import NewRevision, Store, open_store


def test_nothing_was_kept_at_first(store: Store) -> None:
    store.create_design("a", NewRevision(scenario_json="{}"))
    assert store.document_settings() == store.document_settings(1) == ("{}", "{}")


def test_each_design_has_its_own_and_the_last_ones_count(store: Store) -> None:
    for name in ("a", "b"):
        store.create_design(name, NewRevision(scenario_json="{}"))
    store.keep_document_settings('{"paper": "Letter"}', author="Ann")
    store.keep_document_settings('{"customer": "x"}', design_id=1)
    store.keep_document_settings('{"customer": "株式会社"}', design_id=1)
    assert store.document_settings(1) == ('{"paper": "Letter"}', '{"customer": "株式会社"}')
    assert store.document_settings(2) == ('{"paper": "Letter"}', "{}")
    assert [(line.action, line.design_id) for line in store.audit()[-3:]] == [
        ("keep document settings", None), ("keep document settings", 1), ("keep document settings", 1),
    ]  # fmt: skip


def test_they_are_there_when_the_store_is_opened_again_and_in_a_backup(
    url: str, new_store: Store, tmp_path: Path
) -> None:
    with open_store(url) as first:
        first.create_design("a", NewRevision(scenario_json="{}"))
        first.keep_document_settings('{"customer": "x"}', design_id=1)
    with open_store(url) as again:
        assert again.document_settings(1)[1] == '{"customer": "x"}'
        again.backup(tmp_path / "b")
    new_store.restore(tmp_path / "b")
    assert new_store.document_settings(1)[1] == '{"customer": "x"}'


@pytest.mark.parametrize("content", ["", "[]", "{", "[" * 100_000])
def test_what_is_no_json_object_is_not_kept(store: Store, content: str) -> None:
    with pytest.raises(PlannerError, match=r"^document settings: ") as refused:
        store.keep_document_settings(content)
    assert "\n" not in refused.value.message
    assert store.document_settings() == ("{}", "{}")
