"""Catalogue rows of an organisation: versions that may only grow, days, rights, conflicts, and a whole file or none."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from planner import load_catalogue
from planner.catalogue import OwnRow, overlaid
from planner.catalogue.own_csv import shipped_cells
from planner.core.errors import PlannerError
from planner.review import GUEST
from planner.store import CatalogueConflictError, NewCatalogueRow, NewRevision, RightsError, Store
from tests.store.conftest import Clock
from tests.store.examples import ANN, BOB, EVE, OWN_OPTIC, scenario, scenario_content, with_accounts

SHIPPED = load_catalogue()
DRIVE = "m9550max-6400"
FIRST = date(2026, 1, 1)


def drive(row_id: str = DRIVE, **cells: str) -> OwnRow:
    """The default drive restated."""
    stated = {**shipped_cells("drives")[DRIVE], "source": "Quote 4711", "id": row_id, **cells}
    return OwnRow(
        kind="drives", cells=stated, valid_from=FIRST, organisation="ACME", author="eve", entered=date(1999, 1, 1)
    )  # fmt: skip


def size(drive_id: str, row_id: str = "size-1") -> OwnRow:
    """A size of a drive."""
    cells = {"id": row_id, "drive_id": drive_id, "capacity_tb": "12.8", "source": "x", "confidence": "seen",
             "as_of": "2026"}  # fmt: skip
    return replace(drive(), kind="drive_sizes", cells=cells)


def write(store: Store, *rows: OwnRow, version: int = 0, author: str = "ann", note: str = "") -> None:
    """Write rows."""
    new = [NewCatalogueRow(row, version, note) for row in rows]
    store.write_catalogue_rows(new, shipped=SHIPPED, author=author)


def ids(store: Store, on: date) -> list[str]:
    """Ids of the rows that count on a day."""
    return [row.id for row in store.own_rows(on)]


def test_a_row_comes_back_with_who_and_when(store: Store) -> None:
    (written,) = store.write_catalogue_rows(
        [NewCatalogueRow(drive(notes=""), note=" why ")], shipped=SHIPPED, author="ann"
    )
    assert store.catalogue_rows() == (written,)
    assert (written.version, written.withdrawn, written.note) == (1, False, "why")
    assert (written.row.author, written.row.entered, written.row.organisation) == ("ann", FIRST, "ACME")
    assert written.row.cells == {name: cell for name, cell in drive(notes="").cells.items() if cell}
    assert store.own_rows(FIRST) == (written.row,)
    made = overlaid(SHIPPED, store.own_rows(FIRST), on=FIRST)
    assert made.own == {f"drives/{DRIVE}": "overridden by ACME on 2026-01-01"}


def test_a_change_is_a_version_and_so_is_a_withdrawal(store: Store) -> None:
    write(store, drive(max_w="20"))
    write(store, drive(max_w="21"), version=1, author="bob", note="measured")
    last = store.withdraw_catalogue_row(
        "drives", DRIVE, shipped=SHIPPED, version=2, author="carl", note="wrong"
    )
    assert (last.version, last.withdrawn, last.note) == (3, True, "wrong")
    history = store.catalogue_history("drives", DRIVE)
    assert [(v.version, v.row.cells["max_w"], v.row.author, v.withdrawn) for v in history] == [
        (3, "21", "carl", True), (2, "21", "bob", False), (1, "20", "ann", False),
    ]  # fmt: skip
    assert ids(store, FIRST) == []
    write(store, drive(max_w="22"), version=3)
    assert [row.cells["max_w"] for row in store.own_rows(FIRST)] == ["22"]
    assert [event.action for event in store.audit()] == [
        "add catalogue row", "change catalogue row", "withdraw catalogue row", "change catalogue row",
    ]  # fmt: skip
    assert store.audit()[1].detail == {
        "kind": "drives", "row": DRIVE, "price_set": "", "version": 2, "organisation": "ACME", "note": "measured",
    }  # fmt: skip


def test_a_version_takes_the_place_of_those_before_it_from_its_first_day_on(store: Store) -> None:
    write(store, drive(max_w="20"))
    july = replace(drive(max_w="21"), valid_from=date(2026, 7, 1), valid_to=date(2026, 12, 31))
    write(store, july, version=1)
    days = [
        date(2025, 12, 31),
        FIRST,
        date(2026, 6, 30),
        date(2026, 7, 1),
        date(2026, 12, 31),
        date(2027, 1, 1),
    ]
    assert [[row.cells["max_w"] for row in store.own_rows(day)] for day in days] == [
        [], ["20"], ["20"], ["21"], ["21"], [],
    ]  # fmt: skip


def test_the_past_stays_as_it_was_after_a_withdrawal(store: Store, clock: Clock) -> None:
    write(store, drive("acme-1"))
    clock.now += timedelta(days=60)
    store.withdraw_catalogue_row("drives", "acme-1", shipped=SHIPPED, version=1, author="ann")
    assert ids(store, date(2026, 3, 1)) == ["acme-1"]
    assert ids(store, date(2026, 3, 2)) == []


def test_stamp_grows_with_every_version(store: Store) -> None:
    stamps = [store.catalogue_stamp()]
    for step in (
        lambda: write(store, drive(), drive("acme-1")),
        lambda: write(store, drive(max_w="20"), version=1),
        lambda: store.withdraw_catalogue_row("drives", DRIVE, shipped=SHIPPED, version=2, author="ann"),
    ):
        step()
        stamps.append(store.catalogue_stamp())
    assert stamps == [0, 2, 3, 4]


def test_all_rows_of_a_file_or_none(store: Store) -> None:
    with pytest.raises(PlannerError, match="max_w: 500 is outside the plausible range 5 to 80"):
        write(store, drive("a"), drive("b", max_w="500"))
    with pytest.raises(PlannerError, match=r"drives b: idle_w 25 is above"):
        write(store, drive("a"), drive("b", idle_w="25"))
    with pytest.raises(PlannerError, match="one of them is there twice"):
        write(store, drive("a"), drive("a", max_w="20"))
    with pytest.raises(PlannerError, match="drive_id “nobody” is not in the catalogue"):
        write(store, size("nobody"))
    assert store.catalogue_rows() == ()
    assert store.audit() == ()


@pytest.mark.parametrize(
    ("row", "author", "reason"),
    [
        (drive(), " ", "author: the name is missing"),
        (drive(), "a\nb", "author: “a b” holds the control character"),
        (replace(drive(), organisation=""), "ann", "organisation is missing"),
        (replace(drive(), organisation="x" * 101), "ann", "organisation: .* at most 100 are allowed"),
        (drive(notes="a\0b"), "ann", r"notes: .* U\+0000"),
        (replace(drive(), kind="recipes"), "ann", "kind: “recipes” is not one of"),
        (replace(drive(), valid_to=date(2025, 1, 1)), "ann", "valid_to: “2025-01-01” is before valid_from"),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_refused(store: Store, row: OwnRow, author: str, reason: str) -> None:
    with pytest.raises(PlannerError, match=reason) as caught:
        write(store, row, author=author)
    assert "\n" not in str(caught.value)
    assert store.catalogue_rows() == ()


def test_no_rows_and_too_many_are_refused(store: Store) -> None:
    for count in (0, 2_001):
        with pytest.raises(PlannerError, match=f"rows: {count} is outside 1 to 2000"):
            write(store, *[drive(f"a{i}") for i in range(count)])


def test_second_writer_is_told_who_was_first(store: Store) -> None:
    write(store, drive(max_w="20"))
    write(store, drive(max_w="21"), version=1, author="bob")
    for call in (
        lambda: write(store, drive(max_w="22"), version=1),
        lambda: write(store, drive(max_w="22")),
        lambda: store.withdraw_catalogue_row("drives", DRIVE, shipped=SHIPPED, version=1, author="ann"),
    ):
        with pytest.raises(
            CatalogueConflictError, match=r"changed by bob at .* \(version 2\); nothing was written"
        ) as caught:
            call()
        assert caught.value.theirs.row.cells["max_w"] == "21"
    with pytest.raises(PlannerError, match="version: 5 of a row that has none"):
        write(store, drive("acme-1"), version=5)
    assert len(store.catalogue_history("drives", DRIVE)) == 2


def test_a_version_that_is_taken_at_the_same_moment_is_a_conflict_too(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server lets two transactions look at once; the key refuses the second."""
    write(store, drive(max_w="20"))
    write(store, drive(max_w="21"), version=1, author="bob")
    monkeypatch.setattr("planner.store.catalogue._check_base", lambda *_: None)
    for call in (
        lambda: write(store, drive(max_w="22"), version=1),
        lambda: store.withdraw_catalogue_row("drives", DRIVE, shipped=SHIPPED, version=1, author="ann"),
    ):
        with pytest.raises(CatalogueConflictError, match=r"changed by bob at .* \(version 2\)"):
            call()
    assert len(store.catalogue_history("drives", DRIVE)) == 2


def test_of_many_writers_at_once_one_wins(store: Store) -> None:
    write(store, drive())

    def change(watts: int) -> str:
        try:
            write(store, drive(max_w=str(watts)), version=1)
        except CatalogueConflictError as error:
            return error.theirs.row.cells["max_w"]
        return "won"

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(change, range(20, 36)))
    assert outcomes.count("won") == 1
    (winner,) = store.own_rows(FIRST)
    assert set(outcomes) == {"won", winner.cells["max_w"]}


def test_a_row_that_another_needs_is_not_withdrawn(store: Store) -> None:
    write(store, drive("acme-1"), size("acme-1"))
    with pytest.raises(PlannerError, match="drives acme-1 cannot be withdrawn before drive_sizes size-1"):
        store.withdraw_catalogue_row("drives", "acme-1", shipped=SHIPPED, version=1, author="ann")
    store.withdraw_catalogue_row("drive_sizes", "size-1", shipped=SHIPPED, version=1, author="ann")
    store.withdraw_catalogue_row("drives", "acme-1", shipped=SHIPPED, version=1, author="ann")
    assert ids(store, FIRST) == []


@pytest.mark.parametrize(
    ("kind", "row_id", "reason"),
    [
        ("drives", "nobody", "drives nobody is no own row"),
        ("drives", "a\0b", "is no own row"),
        ("recipes", "x", "kind: “recipes” is not one of"),
    ],
)
def test_withdrawing_what_is_not_there(store: Store, kind: str, row_id: str, reason: str) -> None:
    with pytest.raises(PlannerError, match=reason):
        store.withdraw_catalogue_row(kind, row_id, shipped=SHIPPED, version=1, author="ann")


def test_withdrawing_twice_and_history_of_nothing(store: Store) -> None:
    write(store, drive())
    store.withdraw_catalogue_row("drives", DRIVE, shipped=SHIPPED, version=1, author="ann")
    with pytest.raises(PlannerError, match="is withdrawn already"):
        store.withdraw_catalogue_row("drives", DRIVE, shipped=SHIPPED, version=2, author="ann")
    assert store.catalogue_history("drives", "nobody") == ()
    with pytest.raises(PlannerError, match=r"row: .* U\+0000"):
        store.catalogue_history("drives", "a\0")


def test_only_editors_and_approvers_write(store: Store) -> None:
    with_accounts(store)
    for actor in (EVE, GUEST, store.actor):
        with pytest.raises(RightsError, match="writing catalogue rows needs an editor"):
            write(store.acting(actor), drive())
    write(store.acting(BOB), drive(), author="someone else")
    assert store.catalogue_rows()[0].row.author == "Bob"
    assert store.catalogue_rows()[0].subject == "bob@x"
    with pytest.raises(RightsError, match="withdrawing a catalogue row needs an editor"):
        store.acting(EVE).withdraw_catalogue_row("drives", DRIVE, shipped=SHIPPED, version=1)
    store.acting(ANN).withdraw_catalogue_row("drives", DRIVE, shipped=SHIPPED, version=1)
    assert store.acting(EVE).catalogue_history("drives", DRIVE)[0].row.author == "Ann"


def test_backup_brings_every_version_back(store: Store, new_store: Store, tmp_path: Path) -> None:
    write(store, drive(max_w="20", notes="Größe ✓ <b>"))
    write(store, drive(max_w="21"), version=1)
    write(store, OWN_OPTIC)
    store.withdraw_catalogue_row("optics", "own-400g", shipped=SHIPPED, version=1, author="ann")
    store.backup(tmp_path / "b")
    new_store.restore(tmp_path / "b")
    assert new_store.catalogue_rows() == store.catalogue_rows()
    assert new_store.catalogue_history("drives", DRIVE) == store.catalogue_history("drives", DRIVE)
    assert new_store.catalogue_stamp() == 4


def test_an_override_of_a_used_row_makes_an_approved_design_stale(store: Store) -> None:
    store.create_design("a", scenario_content())
    store.create_design("b", NewRevision(scenario_json=scenario_content().scenario_json))
    before = store.assess(1, catalogue=SHIPPED)
    write(store, drive(write_gb_per_s="2.5"))
    now = overlaid(SHIPPED, store.own_rows(FIRST), on=FIRST)
    after = store.assess(1, catalogue=now)
    assert scenario().storage.hot.drive_id == DRIVE
    assert before.staleness.text == ""
    assert after.staleness.stale
    assert f"it uses drives {DRIVE}, overridden by ACME on 2026-01-01" in after.staleness.text
    assert after.basis.signed_hash != before.basis.signed_hash
