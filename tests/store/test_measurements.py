"""What was measured belongs to a revision, is only ever added to, and is told in the audit trail."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from planner.core.errors import PlannerError
from planner.review import GUEST
from planner.store import RightsError, Store
from tests.store.examples import BOB, EVE, scenario_content, with_accounts

DAY = date(2026, 11, 30)
HOSTILE = '{"name": "<script>\\n=1+1</script> Größe ✓ \'; DROP TABLE measurement --"}'


def started(store: Store) -> Store:
    """A store with one design of two revisions."""
    store.create_design("pod", scenario_content())
    store.add_revision(1, scenario_content(note="second"), base_revision=1)
    return store


def test_they_come_back_to_the_letter_in_their_order(store: Store) -> None:
    started(store)
    first = store.add_measurements(1, 1, HOSTILE, measured_on=DAY, note="  rack 7\nrow 2 ", author="Ann")
    store.add_measurements(1, 2, "{}", measured_on=DAY)
    second = store.add_measurements(1, 1, '{"b": 2}', measured_on=date(2026, 12, 1))
    assert store.measurements(1, 1) == (first, second)
    assert (first.content_json, first.note, first.name, first.measured_on) == (
        HOSTILE,
        "rack 7\nrow 2",
        "Ann",
        DAY,
    )
    assert [item.revision for item in store.measurements(1, 2)] == [2]


def test_what_is_withdrawn_counts_no_longer_and_is_kept(store: Store) -> None:
    started(store)
    kept = store.add_measurements(1, 1, "{}", measured_on=DAY)
    other = store.add_measurements(1, 1, '{"b": 2}', measured_on=DAY)
    assert store.withdraw_measurements(kept.id, author="Bob").withdrawn
    assert store.withdraw_measurements(kept.id).withdrawn  # twice is once
    assert store.measurements(1, 1) == (other,)
    everything = store.measurements(1, 1, withdrawn=True)
    assert [(item.id, item.withdrawn) for item in everything] == [(kept.id, True), (other.id, False)]
    assert everything[0].content_json == "{}"


def test_each_change_is_in_the_audit_trail(store: Store) -> None:
    started(store)
    kept = store.add_measurements(1, 2, "{}", measured_on=DAY, note="rack 7", author="Ann")
    store.withdraw_measurements(kept.id, author="Bob")
    store.withdraw_measurements(kept.id, author="Eve")
    told = [(e.action, e.name, e.revision, e.detail["number"]) for e in store.audit(1)[2:]]
    assert told == [("keep measurements", "Ann", 2, kept.id), ("withdraw measurements", "Bob", 2, kept.id)]
    assert store.audit(1)[2].detail["measured_on"] == "2026-11-30"


def test_who_may_not_write_changes_nothing(store: Store) -> None:
    started(store)
    with_accounts(store)
    kept = store.acting(BOB).add_measurements(1, 1, "{}", measured_on=DAY)
    assert kept.name == "Bob"
    for actor in (EVE, GUEST):
        with pytest.raises(RightsError):
            store.acting(actor).add_measurements(1, 1, "{}", measured_on=DAY)
        with pytest.raises(RightsError):
            store.acting(actor).withdraw_measurements(kept.id)
    assert store.acting(EVE).measurements(1, 1) == (kept,)


def test_an_approved_revision_takes_them(filled_file_store: Store) -> None:
    store = filled_file_store.acting(BOB)
    assert store.revision(1, 1).state == "approved"
    assert store.add_measurements(1, 1, "{}", measured_on=DAY).revision == 1


@pytest.mark.parametrize("content", ["", "[1]", "nothing", "{", "1", '{"a": 1}\0', "[" * 100_000])
def test_what_is_no_object_is_refused_in_one_line(file_store: Store, content: str) -> None:
    started(file_store)
    with pytest.raises(PlannerError, match=r"^measurements: ") as caught:
        file_store.add_measurements(1, 1, content, measured_on=DAY)
    assert "\n" not in caught.value.message
    assert file_store.measurements(1, 1) == ()


def test_what_does_not_exist_is_said(file_store: Store) -> None:
    started(file_store)
    kept = file_store.add_measurements(1, 1, "{}", measured_on=DAY)
    file_store.withdraw_measurements(kept.id)
    for number in (-1, 0, 2, 99, 10**30):
        with pytest.raises(PlannerError, match="do not exist"):
            file_store.withdraw_measurements(number)
    for revision in (0, 3, 10**30):
        with pytest.raises(PlannerError, match=r"^revision: "):
            file_store.add_measurements(1, revision, "{}", measured_on=DAY)
        with pytest.raises(PlannerError, match=r"^revision: "):
            file_store.measurements(1, revision)


def test_a_backup_brings_them_back(store: Store, new_store: Store, tmp_path: Path) -> None:
    started(store)
    kept = store.add_measurements(1, 1, HOSTILE, measured_on=DAY)
    gone = store.add_measurements(1, 1, "{}", measured_on=DAY)
    store.withdraw_measurements(gone.id)
    store.backup(tmp_path / "b")
    new_store.restore(tmp_path / "b")
    assert new_store.measurements(1, 1) == (kept,)
    assert len(new_store.measurements(1, 1, withdrawn=True)) == 2
