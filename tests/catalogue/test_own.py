"""Rows of an organisation's own over the shipped catalogue: checked alike, told apart, and never half in."""

from __future__ import annotations

import pickle
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from planner import Scenario, __version__, load_catalogue, plan
from planner.catalogue import OWN_KINDS, OwnRow, completeness, overlaid, overlay
from planner.catalogue.fields import fields_of, unit_of_column
from planner.catalogue.listing import changes, listed, matching
from planner.catalogue.own import PRICES
from planner.catalogue.own_csv import column_names, shipped_cells
from planner.core.errors import PlannerError
from planner.core.units import GB, format_number
from planner.review import basis
from planner.review.stale import staleness
from planner.scenario_json import with_value
from planner.summary import key_results

DRIVE = "m9550max-6400"
DAY = date(2026, 11, 30)
SHIPPED = load_catalogue()


def own(cells: dict[str, str], kind: str = "drives", **others: Any) -> OwnRow:
    """A row of ACME's, valid from the first of the year."""
    made = OwnRow(
        kind=kind, cells=cells, valid_from=date(2026, 1, 1), organisation="ACME", author="ann", entered=DAY
    )
    return replace(made, **others)


def drive(row_id: str = DRIVE, **cells: str) -> OwnRow:
    """The default drive restated under an id, with some cells written anew."""
    stated = {
        **shipped_cells("drives")[DRIVE],
        "source": "Quote 4711",
        "confidence": "seen",
        "as_of": "2026-11",
    }
    return own({**stated, "id": row_id, **cells})


def price(row_id: str = "drive-tb", price_set: str = "own-2026", **cells: str) -> OwnRow:
    """A price per TB of any drive."""
    stated = {
        "id": row_id, "item": "Drive", "kind": "drives", "metric": "per TB", "low_usd": "500", "high_usd": "600",
        "source": "Quote 4711", "confidence": "seen", "as_of": "2026-11",
    }  # fmt: skip
    return own({**stated, **cells}, PRICES, price_set=price_set)


def refusal(row: OwnRow) -> str:
    with pytest.raises(PlannerError) as caught:
        overlaid(SHIPPED, [row], on=DAY)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", [kind for kind in OWN_KINDS if kind != PRICES])
def test_every_shipped_row_can_be_restated_and_keeps_its_figures(kind: str) -> None:
    rows = [own(dict(cells), kind) for cells in shipped_cells(kind).values()]
    made = overlaid(SHIPPED, rows, on=DAY)
    assert len(made.own) == len(rows) == len(getattr(SHIPPED, kind))
    for row_id, before in getattr(SHIPPED, kind).items():
        after = getattr(made, kind)[row_id]
        assert after.source == f"{before.source}; overridden by ACME on 2026-11-30"
        for column in ("notes", "grade", "as_of", "unverified"):
            assert getattr(after, column) == getattr(before, column)
        assert completeness(kind, after) == completeness(kind, before)


@pytest.mark.parametrize("price_set", ["guide", "catalogue-2026", "budgetary-2025"])
def test_every_shipped_price_can_be_restated_in_a_set_of_ones_own(price_set: str) -> None:
    rows = [own(dict(cells), PRICES, price_set="mine") for cells in shipped_cells(PRICES, price_set).values()]
    made = overlaid(SHIPPED, rows, on=DAY)
    before, after = SHIPPED.price_sets[price_set], made.price_sets["mine"]
    assert {i: (r.low.number, r.high.number) for i, r in after.rows.items()} == {
        i: (r.low.number, r.high.number) for i, r in before.rows.items()
    }
    assert made.price_sets[price_set] is before


def test_nothing_stated_is_the_shipped_catalogue_itself() -> None:
    assert overlaid(SHIPPED, [], on=DAY) is SHIPPED
    assert overlaid(SHIPPED, [drive()], on=date(2025, 12, 31)) is SHIPPED
    assert overlaid(SHIPPED, [replace(drive(), valid_to=date(2025, 1, 1))], on=DAY) is SHIPPED


def test_override_is_used_and_opens_to_its_origin() -> None:
    made = overlaid(SHIPPED, [drive(write_gb_per_s="2.5")], on=DAY)
    figure = made.drives[DRIVE].write_bytes_per_s
    assert figure is not None
    assert figure.number == 2.5 * GB
    assert figure.source == f"Quote 4711; overridden by ACME on 2026-11-30 (own drives {DRIVE})"
    assert plan(Scenario(), made).hot.drive_count.number > plan(Scenario(), SHIPPED).hot.drive_count.number
    assert SHIPPED.drives[DRIVE].write_bytes_per_s != figure


def test_added_row_says_added() -> None:
    made = overlaid(SHIPPED, [drive("acme-1")], on=DAY)
    assert made.drives["acme-1"].source == "Quote 4711; added by ACME on 2026-11-30"
    assert made.own == {"drives/acme-1": "added by ACME on 2026-11-30"}
    assert plan(with_value(Scenario(), "storage.hot.drive_id", "acme-1"), made).hot.drive_count.known


def test_it_counts_from_its_first_day_to_its_last() -> None:
    row = replace(drive("acme-1"), valid_from=date(2026, 3, 1), valid_to=date(2026, 3, 31))
    days = [date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 31), date(2026, 4, 1)]
    assert ["acme-1" in overlaid(SHIPPED, [row], on=day).drives for day in days] == [False, True, True, False]


def test_own_price_set_is_a_choice_and_its_parts_are_priced() -> None:
    made = overlaid(SHIPPED, [price()], on=DAY)
    chosen = with_value(Scenario(), "prices.price_set_id", "own-2026")
    cost = plan(chosen, made).cost
    assert cost.price_set.value == "own-2026"
    line = next(line for line in plan(chosen, made).bom if line.part_id == DRIVE)
    assert line.price_low_usd is not None
    assert line.price_low_usd.number == pytest.approx(500 * 6.4)
    assert "added by ACME on 2026-11-30" in line.price_source
    with pytest.raises(PlannerError, match="no price set “own-2026”"):
        plan(chosen, SHIPPED)


def test_a_port_licence_can_be_priced() -> None:
    stated = price("lic", kind="licences", applies_to="g730-port-licence", metric="each")
    chosen = Scenario()
    for path, value in (
        ("network.transport", "fc"), ("network.fc_switch_id", "g730"), ("prices.price_set_id", "own-2026"),
    ):  # fmt: skip
        chosen = with_value(chosen, path, value)
    bom = plan(chosen, overlaid(SHIPPED, [stated], on=DAY)).bom
    (line,) = (line for line in bom if line.part_id == "g730-port-licence")
    assert (line.price_low_usd.number, line.price_high_usd.number) == (500, 600)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"capacity_tb": "6400"}, "capacity_tb: 6400 is outside the plausible range 0.1 to 1000; did you mean 6.4"),
        ({"max_w": "-5"}, "max_w: -5 is outside the plausible range 5 to 80; the nearest is 5"),
        ({"max_w": "500"}, "max_w: 500 is outside the plausible range 5 to 80; the nearest is 80"),
        ({"max_w": "nan"}, "max_w: “nan” is not a number"),
        ({"max_w": "1e999"}, "max_w: inf is outside the plausible range"),
        ({"max_w": "=1+1"}, "max_w: “=1+1” begins like a formula of a spreadsheet"),
        ({"notes": '=HYPERLINK("http://x")'}, "notes: “=HYPERLINK"),
        ({"notes": "+1"}, "notes: “+1” begins like a formula"),
        ({"notes": "-2+3+cmd|' /C calc'!A0"}, "begins like a formula"),
        ({"model": "@SUM(A1)"}, "model: “@SUM(A1)” begins like a formula"),
        ({"notes": "a\u202eb"}, "notes: “a b” holds the character U+202E"),
        ({"notes": "a\0b"}, "notes: “a b” holds the character U+0000"),
        ({"notes": "x" * 1001}, "notes: “xxxxxxxxxxxxxxxxxxx…” has 1001 characters; at most 1000 are allowed"),
        ({"idle_w": "25"}, "idle_w 25 is above"),
        # Eight bits are a byte, and no watts.
        ({"idle_w": "99"}, "idle_w: 99 is outside the plausible range 0.5 to 30; the nearest is 30"),
        ({"write_gb_per_s": "80"}, "did you mean 10, in the column's unit?"),
        ({"source": ""}, "source: the source is missing"),
        ({"confidence": "sure"}, "confidence: “sure” is none of seen"),
        ({"as_of": "tomorrow"}, "as_of: “tomorrow” is no date"),
        ({"as_of": "2026-13"}, "as_of: “2026-13” is no date"),
        ({"as_of": "2026-02-30"}, "as_of: “2026-02-30” is no date"),
        ({"as_of": "0000"}, "as_of: “0000” is no date"),
        ({"as_of": "٢٠٢٦"}, "is no date"),
        ({"as_of": "2026..2025-12"}, "as_of: “2026..2025-12” is no date"),
        ({"write": "3"}, "write: the column is not known"),
        ({"id": "a b"}, "id: “a b” is not an id"),
        ({"capacity_tb": ""}, "capacity_tb: the cell is empty"),
        ({"nand_class": "TLCC"}, "did you mean TLC?"),
    ],
)  # fmt: skip
def test_a_row_is_checked_like_a_shipped_one(cells: dict[str, str], reason: str) -> None:
    assert reason in refusal(drive(**cells))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (price(price_set="catalogue-2026"), "price_set: “catalogue-2026” is a shipped price set"),
        (price(price_set=""), "price_set: the price set has no name"),
        (price(price_set="a b"), "price_set: “a b” is not an id"),
        (price(low_usd="700"), "low_usd is above high_usd"),
        (own({**shipped_cells("switches")["sn5600"], "id": "s", "ports": "64.5"}, "switches"),
         "ports: 64.5 is not a whole number; the nearest is 64"),
        (price(applies_to="m9550max-6401"), "did you mean m9550max-6400?"),
        (replace(drive(), price_set="x"), "price_set: a row of drives belongs to no price set"),
        (replace(drive(), organisation=" "), "organisation: the organisation is missing"),
        (replace(drive(), organisation="=x"), "organisation: “=x” begins like a formula"),
        (replace(drive(), kind="recipes"), "kind: “recipes” is not one of gpus"),
        (own({"id": "s", "drive_id": "m9550", "capacity_tb": "1", "source": "x", "confidence": "seen",
              "as_of": "2026"}, "drive_sizes"), "drive_id “m9550” is not in the catalogue"),
    ],
)  # fmt: skip
def test_other_refusals(row: OwnRow, reason: str) -> None:
    assert reason in refusal(row)


def test_rows_that_need_each_other_fit_together_and_a_misfit_is_left_out_alone() -> None:
    size = own({"id": "s", "drive_id": "acme-1", "capacity_tb": "12.8", "source": "x", "confidence": "seen",
                "as_of": "2026"}, "drive_sizes")  # fmt: skip
    assert overlaid(SHIPPED, [size, drive("acme-1")], on=DAY).sizes_of_drive("acme-1") == (6.4e12, 12.8e12)
    bad = drive("acme-2", idle_w="25")
    made = overlay(SHIPPED, [size, bad, drive("acme-1"), price()], on=DAY)
    assert [row.id for row, _ in made.refused] == ["acme-2"]
    assert set(made.catalogue.own) == {"drives/acme-1", "drive_sizes/s", "prices/own-2026/drive-tb"}
    assert made.catalogue.hash == overlaid(SHIPPED, [size, drive("acme-1"), price()], on=DAY).hash


def test_hash_tells_content_day_and_organisation_and_not_the_order() -> None:
    rows = [drive("a"), drive("b")]
    made = overlaid(SHIPPED, rows, on=DAY).hash
    assert overlaid(SHIPPED, rows[::-1], on=DAY).hash == made
    others = [
        drive("b", notes="x"), replace(drive("b"), organisation="Other"), replace(drive("b"), entered=date(2026, 1, 2))
    ]  # fmt: skip
    assert len({overlaid(SHIPPED, [rows[0], row], on=DAY).hash for row in others} | {made, SHIPPED.hash}) == 5


def test_signed_hash_moves_with_a_used_row_alone_and_the_alarm_names_it() -> None:
    stated = Scenario()
    signed = basis(stated, SHIPPED, engine_version=__version__)
    elsewhere = overlaid(SHIPPED, [drive("acme-1")], on=DAY)
    used = overlaid(SHIPPED, [drive(write_gb_per_s="2.5")], on=DAY)
    assert basis(stated, elsewhere, engine_version=__version__).signed_hash == signed.signed_hash
    assert basis(stated, used, engine_version=__version__).signed_hash != signed.signed_hash
    kept: dict[str, Any] = {
        "engine_version": __version__,
        "key_results": key_results(plan(stated, SHIPPED)),
        "saved_engine_version": __version__,
        "saved_catalogue_hash": SHIPPED.hash,
        "saved_price_hash": signed.price_hash,
    }
    text = stated.model_dump_json()
    quiet = staleness(text, elsewhere, **kept)
    assert (quiet.stale, quiet.own, quiet.text) == (False, (), "Newer catalogue: no key figure moves.")
    alarm = staleness(text, used, **kept)
    assert alarm.stale
    assert alarm.text.startswith(
        f"Newer catalogue (it uses drives {DRIVE}, overridden by ACME on 2026-11-30): "
    )


def test_a_changed_price_of_ones_own_is_a_newer_price_set() -> None:
    stated = with_value(Scenario(), "prices.price_set_id", "own-2026")
    before, after = (overlaid(SHIPPED, [price(low_usd=low)], on=DAY) for low in ("500", "400"))
    alarm = staleness(
        stated.model_dump_json(), after, engine_version=__version__, key_results=key_results(plan(stated, before)),
        saved_engine_version=__version__, saved_catalogue_hash=before.hash,
        saved_price_hash=basis(stated, before, engine_version=__version__).price_hash,
    )  # fmt: skip
    assert alarm.causes == ("catalogue", "price set")
    assert alarm.own == ("price set own-2026 of the organisation's own",)
    assert [moved.name for moved in alarm.moved] == ["Cost, low"]


def test_a_drive_without_watts_can_be_planned_with_and_is_named() -> None:
    silent = drive("acme-1", max_w="", active_read_w="", active_write_w="", idle_w="")
    told = completeness("drives", overlaid(SHIPPED, [silent], on=DAY).drives["acme-1"])
    assert told is not None
    assert told.missing == ("active_read_w", "active_write_w", "max_w")
    made = plan(with_value(Scenario(), "storage.hot.drive_id", "acme-1"), overlaid(SHIPPED, [silent], on=DAY))
    assert made.facility.drive_max_w.known
    assert made.facility.drive_max_w.grade == "class assumption"


@pytest.mark.parametrize(
    ("kind", "row_id", "path", "gone", "code", "words"),
    [
        ("drives", DRIVE, "storage.hot.drive_id", ("write_gb_per_s",), "BW-6", "write or read rate of Micron 9550 MAX"),
        ("drives", DRIVE, "storage.hot.drive_id", ("warranty_years", "endurance_pbw", "endurance_pbw_basis"), "END-3",
         "endurance of Micron 9550 MAX is not known"),
        ("switches", "sn5600", "network.switch_id", ("max_w", "typical_w"), "PWR-3", "has no watts"),
        ("switches", "sn5600", "network.switch_id", ("buffer_mb",), "NET-7", "buffer of NVIDIA SN5600 is not in"),
        ("switches", "sn5600", "network.switch_id", ("rack_units",), "BOM-1", "rack units are not in the catalogue"),
        ("nics", "cx7-400", "network.nic_id", ("max_w", "typical_w"), "PWR-3", "has no watts"),
    ],
)  # fmt: skip
def test_a_part_without_a_needed_figure_is_named_in_the_findings(
    kind: str, row_id: str, path: str, gone: tuple[str, ...], code: str, words: str
) -> None:
    stated = with_value(Scenario(), path, "acme-x")
    whole = {**shipped_cells(kind)[row_id], "id": "acme-x"}
    silent = {name: cell for name, cell in whole.items() if name not in gone}
    codes = []
    for cells in (whole, silent):
        made = plan(stated, overlaid(SHIPPED, [own(cells, kind)], on=DAY))
        codes.append([f for f in made.findings if f.code == code and words in f.message])
    assert not codes[0]
    assert codes[1]


def test_a_catalogue_with_own_rows_can_be_sent_to_another_process() -> None:
    made = overlaid(SHIPPED, [drive(write_gb_per_s="2.5"), price()], on=DAY)
    again = pickle.loads(pickle.dumps(made))
    assert again.hash == made.hash
    assert plan(Scenario(), again).hot.drive_count.number == plan(Scenario(), made).hot.drive_count.number


@pytest.mark.parametrize("kind", OWN_KINDS)
def test_the_form_has_a_field_for_each_column_with_its_unit(kind: str) -> None:
    fields = {field.column: field for field in fields_of(kind)}
    assert tuple(fields) == column_names(kind)
    assert fields["id"].required
    assert fields["confidence"].choices[0] == "seen"
    for field in fields.values():
        assert field.label
        assert field.column in field.help


def test_units_of_columns() -> None:
    names = (
        "capacity_tb",
        "read_gb_per_s",
        "port_gbps",
        "read_latency_us",
        "dwpd",
        "max_kw",
        "rack_units",
        "vendor",
    )
    assert [unit_of_column(name) for name in names] == ["TB", "GB/s", "Gb/s", "µs", "DWPD", "kW", "U", ""]
    capacity = next(field for field in fields_of("drives") if field.column == "capacity_tb")
    assert capacity.label == "Capacity of a drive (TB)"
    assert capacity.help == f"Must be filled. 0.1 to {format_number(1000, None)} TB. Column capacity_tb."


def test_listing_filter_and_changes() -> None:
    made = overlaid(SHIPPED, [drive("acme-1", notes="For Berlin"), price()], on=DAY)
    rows = listed(made, "drives")
    assert [row.id for row in rows if row.own] == ["acme-1"]
    assert [row.id for row in matching(rows, "BERLIN acme")] == ["acme-1"]
    assert [row.id for row in listed(made, PRICES, price_set="own-2026")] == ["drive-tb"]
    assert len(matching(rows, "  ")) == len(rows) == len(SHIPPED.drives) + 1
    before, after = (
        drive("acme-1", notes="For Berlin"),
        replace(drive("acme-1", max_w="20", notes=""), valid_to=DAY),
    )
    was = before.cells["max_w"]
    told = {
        f"Maximum power of a drive (W): {was} → 20",
        "Notes: For Berlin → empty",
        "Valid to: empty → 2026-11-30",
    }
    assert set(changes(before, after)) == told
    assert changes(before, before) == ()
