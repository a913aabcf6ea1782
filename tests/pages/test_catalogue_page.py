"""The catalogue page: what it shows of each row, and rows and prices of one's own by form and file."""

from __future__ import annotations

from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import answers, people, session
from planner.catalogue import OwnRow, load_catalogue
from planner.catalogue.own import own_price_sets
from planner.catalogue.own_csv import own_csv, shipped_cells
from planner.review import GUEST, Actor
from planner.scenario_json import scenario_to_json
from planner.store import NewCatalogueRow, NewRevision
from planner.templates import template
from tests.pages.visitor import cells, clean, figure, lines, open_panel, press, press_named, show, visit

DRIVE = "m9550max-6400"
PRICE = {
    "id": "drive-tb", "item": "Drive", "kind": "drives", "metric": "per TB", "low_usd": "500", "high_usd": "600",
    "source": "Quote 4711", "confidence": "seen", "as_of": "2026-11",
}  # fmt: skip


def own(cells: dict[str, str], kind: str = "drives", price_set: str = "") -> OwnRow:
    """A row of ACME's."""
    return OwnRow(
        kind=kind, price_set=price_set, cells=cells, valid_from=date(2026, 1, 1), organisation="ACME",
        author="ann", entered=date(2026, 1, 1),
    )  # fmt: skip


def changed(row_id: str, **cells: str) -> dict[str, str]:
    """Cells of a shipped drive with some of them written anew, and a source."""
    return {
        **shipped_cells("drives")[row_id],
        "source": "Quote 4711",
        "confidence": "seen",
        "as_of": "2026-11",
        **cells,
    }


def write(*rows: OwnRow) -> None:
    """Put rows into the store behind the visitor's back."""
    answers.store().write_catalogue_rows(
        [NewCatalogueRow(row) for row in rows], shipped=load_catalogue(), author="ann"
    )


def form_key(at: AppTest, column: str) -> str:
    """Key of a field of the form that is in view."""
    keys = [str(item.key) for item in (*at.text_input, *at.selectbox)]
    return next(key for key in keys if key.startswith("own.form") and key.endswith(f".{column}"))


def test_the_catalogue_lists_every_row() -> None:
    at = visit("catalogue")
    for kind in (
        "drives",
        "platforms",
        "switches",
        "gpu_nodes",
        "guide",
        "protection",
        "recipes",
        "transports",
    ):
        clean(at.selectbox(key="catalogue.kind").set_value(kind).run())
        table = at.dataframe[0].value
        assert list(table["Id"]) == list(getattr(load_catalogue(), kind))
        assert "Source" in table.columns
        assert not any("_" in title or title.islower() for title in table.columns)


def test_completeness_and_origin_of_each_row() -> None:
    at = visit("catalogue")
    table = at.dataframe[0].value.set_index("Id")
    assert set(table["Origin"]) == {"shipped"}
    assert table.loc["pm1733-7680", "Complete"] == "6 of 8"
    assert table.loc["pm1733-7680", "Missing"] == "Drive power while reading; Drive power while writing"
    assert table.loc[DRIVE, "Complete"] == "8 of 8"


def test_filter_and_incomplete_rows() -> None:
    at = visit("catalogue")
    clean(at.text_input(key="catalogue.filter").set_value("pm9a3 SAMSUNG").run())
    assert list(at.dataframe[0].value["Id"]) == ["pm9a3-3840", "pm9a3-7680"]
    clean(at.text_input(key="catalogue.filter").set_value("").run())
    show(at, "catalogue.show", "Incomplete")
    assert DRIVE not in set(at.dataframe[0].value["Id"])
    assert "pm1733-7680" in set(at.dataframe[0].value["Id"])
    show(at, "catalogue.show", "Own")
    assert any("No row is left" in item.value for item in at.info)


def test_a_row_by_the_form_is_seen_by_every_session_at_once() -> None:
    other = visit("plan")
    before, began = figure(other, "Hot tier, usable"), session.today()
    at = visit("catalogue")
    open_panel(at, "own.open.form")
    clean(at.selectbox(key="own.start.drives.").set_value(DRIVE).run())
    assert at.text_input(key=form_key(at, "source")).value == ""
    at.text_input(key=form_key(at, "write_gb_per_s")).set_value("2.5")
    at.text_input(key=form_key(at, "source")).set_value("Measured in our laboratory")
    at.selectbox(key=form_key(at, "confidence")).set_value("seen")
    at.text_input(key=form_key(at, "as_of")).set_value("2026-11-30")
    at.text_input(key="catalogue.organisation").set_value("ACME")
    at.text_input(key="save.author").set_value("ann")
    clean(next(b for b in at.button if b.label == "Check and save").click().run())
    assert [item.value for item in at.error] == []
    assert any("1 row saved" in item.value for item in at.success)
    table = at.dataframe[0].value.set_index("Id").astype(str)
    days = (began, session.today())  # two, if midnight passes meanwhile
    assert table.loc[DRIVE, "Origin"] in [f"overridden by ACME on {day}" for day in days]
    assert "Measured in our laboratory; overridden by ACME" in str(table.loc[DRIVE, "Source"])
    clean(other.run())
    assert figure(other, "Hot tier, usable") != before


def test_the_form_refuses_in_one_line_and_keeps_what_was_typed() -> None:
    at = visit("catalogue")
    open_panel(at, "own.open.form")
    clean(at.selectbox(key="own.start.drives.").set_value(DRIVE).run())
    at.text_input(key=form_key(at, "capacity_tb")).set_value("6400")
    at.text_input(key=form_key(at, "source")).set_value("x")
    at.selectbox(key=form_key(at, "confidence")).set_value("seen")
    at.text_input(key=form_key(at, "as_of")).set_value("2026")
    at.text_input(key="catalogue.organisation").set_value("ACME")
    at.text_input(key="save.author").set_value("ann")
    clean(next(b for b in at.button if b.label == "Check and save").click().run())
    assert lines(at) == [
        "own drives:1 capacity_tb: 6400 is outside the plausible range 0.1 to 1000; did you mean 6.4, in the column's unit?"
    ]
    assert at.text_input(key=form_key(at, "capacity_tb")).value == "6400"
    assert answers.store().catalogue_rows() == ()


def test_a_file_is_looked_at_line_by_line_before_it_is_saved() -> None:
    rows = {
        DRIVE: changed(DRIVE, write_gb_per_s="2.5"),
        "acme-1": changed(DRIVE, id="acme-1"),
        "acme-2": changed(DRIVE, id="acme-2", max_w="nan"),
        "pm9a3-3840": dict(shipped_cells("drives")["pm9a3-3840"]),
    }
    content = own_csv("drives", [], shipped=rows)
    at = visit("catalogue")
    open_panel(at, "own.open.file")
    at.text_input(key="catalogue.organisation").set_value("ACME")
    at.text_input(key="save.author").set_value("ann")
    clean(at.file_uploader[0].set_value(("rows.csv", content.encode(), "text/csv")).run())
    said = {
        row["Line"]: (row["What saving does"], row["Row or reason"].replace("\\", ""))
        for row in at.table[0].value.to_dict("records")
    }
    assert said["4"] == (":red[■] refused", "rows.csv:4 max_w: “nan” is not a number")
    assert said["2"][0].endswith("overrides the shipped row")
    assert said["3"] == (":green[✔] adds", "acme-1")
    assert said["5"][0] == "as it is already"
    assert at.button(key="own.file.save").label == "Save 2 rows, leave 1 refused line out"
    press(at, "own.file.save")
    assert [version.row.id for version in answers.store().catalogue_rows()] == ["acme-1", DRIVE]
    assert set(at.dataframe[0].value["Id"]) >= {"acme-1", DRIVE}


def test_one_row_is_read_from_top_to_bottom() -> None:
    at = visit("catalogue")
    clean(at.selectbox(key="catalogue.row").set_value(DRIVE).run())
    shown = dict(at.dataframe[0].value.set_index("Id").loc[DRIVE])
    read = {row["Figure"]: row["Value"].replace("\u200b", "") for row in cells(at, 0)}
    assert read == {title: value.replace("\u200b", "") for title, value in shown.items() if value != ""}
    assert len(read) > 10
    assert "Micron 9550 MAX (m9550max-6400)" in at.selectbox(key="catalogue.row").options
    # A row that the filter leaves out is no longer shown.
    clean(at.text_input(key="catalogue.filter").set_value("kioxia").run())
    assert at.selectbox(key="catalogue.row").value is None
    assert len(at.table) == 0


def test_figures_from_memory_are_called_as_their_columns_are() -> None:
    at = visit("catalogue")
    clean(at.selectbox(key="catalogue.kind").set_value("switches").run())
    grid = at.dataframe[0].value
    told = {name for cell in grid["Columns from memory"] if cell for name in cell.split("; ")}
    assert len(told) > 1
    assert told <= {*grid.columns, "all"}


def test_a_refusal_stays_with_its_kind_of_rows() -> None:
    at = visit("catalogue")
    open_panel(at, "own.open.form")
    press_named(at, "Check and save")
    assert len(at.error) == 1
    clean(at.selectbox(key="catalogue.kind").set_value("switches").run())
    open_panel(at, "own.open.form")
    assert len(at.error) == 0


def test_own_prices_are_a_price_set_to_choose() -> None:
    write(own(PRICE, "prices", "own-2026"))
    at = visit("catalogue")
    clean(at.selectbox(key="catalogue.kind").set_value("prices").run())
    clean(at.selectbox(key="catalogue.set").set_value("own-2026").run())
    assert list(at.dataframe[0].value["Id"]) == ["drive-tb"]
    assert "own-2026" in answers.catalogue().price_sets


def test_versions_and_withdrawal() -> None:
    write(own(changed(DRIVE, write_gb_per_s="2.5")))
    at = visit("catalogue")
    open_panel(at, "own.open.versions")
    assert at.table[0].value["Version"].to_list() == ["1"]
    assert "Sequential write of a drive (GB/s): 10.0 → 2.5" in at.table[0].value["Changed"][0].replace(
        "\\", ""
    )
    at.text_input(key="own.withdraw.name").set_value("bob")
    press(at, "own.withdraw")
    assert at.table[0].value["Version"].to_list() == ["2", "1"]
    assert set(at.dataframe[0].value["Origin"]) == {"shipped"}
    assert answers.store().catalogue_rows()[0].withdrawn


def test_a_viewer_sees_rows_and_versions_and_no_form() -> None:
    write(own(changed(DRIVE, write_gb_per_s="2.5")))
    answers.store().set_account("ann@x", "approver", name="Ann")
    at = visit("catalogue")
    labels = [item.label for item in at.expander]
    assert "Versions and withdrawal" in labels
    assert "Add or override a row" not in labels
    open_panel(at, "own.open.versions")
    assert "own.withdraw" not in [item.key for item in at.button]


def test_a_design_whose_row_was_withdrawn_says_so_and_shows_no_traceback() -> None:
    write(own(changed(DRIVE, id="acme-1")))
    at = show(visit(), "ui.group", "Storage")
    clean(at.selectbox(key="storage.hot.drive_id").set_value("acme-1").run())
    assert lines(at) == []
    answers.store().withdraw_catalogue_row(
        "drives", "acme-1", shipped=load_catalogue(), version=1, author="ann"
    )
    clean(at.run())
    assert any("acme-1" in line for line in lines(at))


def test_texts_of_others_are_shown_as_they_are() -> None:
    hostile = ("<b>x</b>", "**bold** $x$", "[link](http://x.example)")
    for version, text in enumerate(hostile):
        row = own(changed(DRIVE, notes=text))
        answers.store().write_catalogue_rows(
            [NewCatalogueRow(row, version)], shipped=load_catalogue(), author="ann"
        )
    at = visit("catalogue")
    assert at.dataframe[0].value.set_index("Id").loc[DRIVE, "Notes"] == hostile[-1]
    open_panel(at, "own.open.versions")
    told = "\n".join(at.table[0].value["Changed"])
    assert all(text in told.replace("\\", "").replace("\u2060", "") for text in hostile)
    assert not any(text in told for text in hostile)


def test_actor_is_not_taken_from_the_page() -> None:
    """The form's name stands beside a row only where no sign-in vouches for another."""
    answers.store().set_account("ann@x", "approver", name="Ann")
    signed = answers.store().acting(Actor("ann@x", "Ann"))
    signed.write_catalogue_rows(
        [NewCatalogueRow(own(changed(DRIVE, write_gb_per_s="2.5")))], shipped=load_catalogue(), author="eve"
    )
    assert answers.store().catalogue_rows()[0].row.author == "Ann"


def test_a_guest_sees_the_shipped_rows_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    write(own(changed(DRIVE, write_gb_per_s="2.5")))
    answers.store().set_account("ann@x", "approver", name="Ann")
    monkeypatch.setattr(people, "actor", lambda: GUEST)
    at = visit("catalogue")
    assert set(at.dataframe[0].value["Origin"]) == {"shipped"}
    assert not [item for item in at.expander if item.label == "Versions and withdrawal"]
    assert answers.catalogue() is load_catalogue()


@pytest.mark.parametrize(("used", "seen"), [("own-a", {"own-a"}), (None, set())])
def test_a_guest_sees_of_own_prices_those_that_the_design_is_priced_with(
    monkeypatch: pytest.MonkeyPatch, used: str | None, seen: set[str]
) -> None:
    write(
        own(PRICE, "prices", "own-a"),
        own(PRICE, "prices", "own-b"),
        own(changed(DRIVE, write_gb_per_s="2.5")),
    )
    answers.store().set_account("ann@x", "approver", name="Ann")
    signed = answers.store().acting(Actor("ann@x", "Ann"))
    start = template("lab-8-nodes").scenario
    priced = start.model_copy(update={"prices": start.prices.model_copy(update={"price_set_id": used})})
    made = signed.create_design("Lab", NewRevision(scenario_json=scenario_to_json(priced)))
    key = signed.share(made.design_id, made.number)
    monkeypatch.setattr(people, "actor", lambda: Actor(name=GUEST.name, share=key))
    answers.look_again()
    assert own_price_sets(answers.catalogue()) == seen
    assert f"drives/{DRIVE}" in answers.catalogue().own
