"""Spreadsheets: the figures of the plan, live sums, and no text that becomes a formula."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime

import openpyxl
import pytest

from planner.documents.spreadsheet import new_book, styles_of, table_sheet
from planner.documents.tables import (
    Table,
    bill_table,
    csv_bytes,
    places_table,
    power_table,
    racks_table,
)
from planner.documents.text import clean
from planner.documents.workbook import plan_xlsx
from tests.plan.changes import EVIDENCE, planned

CREATED = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
HOSTILE = [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "=HYPERLINK(\"http://x\")", "＝1", "=cmd|' /C calc'!A0",
]  # fmt: skip


@pytest.fixture(scope="module")
def plan():
    return planned(EVIDENCE, {})


@pytest.fixture(scope="module")
def book(plan):
    return openpyxl.load_workbook(io.BytesIO(plan_xlsx(plan, created=CREATED)))


def read(table):
    return list(csv.reader(io.StringIO(csv_bytes(table).decode("utf-8-sig"))))


# --- the bill -----------------------------------------------------------------------------------------------------


def test_the_csv_holds_every_line_with_its_figures(plan):
    head, *rows = read(bill_table(plan))
    assert len(rows) == len(plan.bill.lines)
    for row, line in zip(rows, plan.bill.lines, strict=True):
        told = dict(zip(head, row, strict=True))
        assert told["Description"].replace("\u00a0", " ") == line.description.replace("\u00a0", " ")
        assert float(told["Quantity"]) == line.quantity.number
        assert float(told["Spares"]) == line.spare_count.number
        if line.priced:
            assert float(told["Price low, USD"]) == pytest.approx(line.extended_low_usd.number, rel=1e-9)
        else:
            assert told["Price low, USD"] == told["Unit price high, USD"] == "not priced"


def evaluate(sheet, cell):
    """What a spreadsheet would show: sums, products and counts of the sheet's own cells."""
    value = sheet[cell].value
    if not (isinstance(value, str) and value.startswith("=")):
        return value
    if product := re.fullmatch(
        r'=IF\(AND\(ISNUMBER\((\w+)\),ISNUMBER\((\w+)\)\),\2\*\1,"not priced"\)', value
    ):
        price, count = (evaluate(sheet, name) for name in product.groups())
        return count * price if isinstance(price, int | float) else "not priced"
    if span := re.fullmatch(r"=SUM\((\w+):(\w+)\)", value):
        cells = [cell.coordinate for row in sheet[f"{span[1]}:{span[2]}"] for cell in row]
        return sum(
            item for item in (evaluate(sheet, name) for name in cells) if isinstance(item, int | float)
        )
    assert re.fullmatch(r"=\w+(\+\w+)*", value), value
    return sum(evaluate(sheet, name) for name in value[1:].split("+"))


def test_sums_of_the_workbook_follow_its_prices(plan, book):
    sheet = book["Bill of materials"]
    last = sheet.max_row
    assert sheet.cell(last, 2).value == "Total"
    ends = (plan.bill.low_usd, plan.bill.high_usd, plan.bill.spares_low_usd, plan.bill.spares_high_usd)
    for letter, end in zip("LMNO", ends, strict=True):
        assert evaluate(sheet, f"{letter}{last}") == pytest.approx(end.number)


def test_a_price_that_is_typed_over_changes_the_total(plan):
    book = openpyxl.load_workbook(io.BytesIO(plan_xlsx(plan, created=CREATED)))
    sheet = book["Bill of materials"]
    before = evaluate(sheet, f"L{sheet.max_row}")
    row = next(row for row in range(2, sheet.max_row) if sheet.cell(row, 5).value == "rack")
    assert sheet.cell(row, 10).value == "not priced"
    sheet.cell(row, 10).value = 1500.0
    count = plan.racks.rack_count.number
    assert evaluate(sheet, f"L{sheet.max_row}") == pytest.approx(before + count * 1500.0)


def test_shown_sums_are_those_that_would_be_calculated(plan, book):
    shown = openpyxl.load_workbook(io.BytesIO(plan_xlsx(plan, created=CREATED)), data_only=True)
    sheet, live = shown["Bill of materials"], book["Bill of materials"]
    for row in range(2, sheet.max_row + 1):
        value = sheet.cell(row, 12).value
        if isinstance(value, int | float):
            assert value == pytest.approx(evaluate(live, f"L{row}"))
    assert sheet.cell(sheet.max_row, 6).value == f"+ {len(plan.bill.not_priced)} lines of the bill not priced"


def test_the_same_plan_and_date_give_the_same_bytes(plan):
    assert plan_xlsx(plan, created=CREATED) == plan_xlsx(plan, created=CREATED)


# --- racks and power ----------------------------------------------------------------------------------------------


def test_power_of_the_rows_is_power_of_the_racks(plan, book):
    power = [row[6] for row in power_table(plan).rows]
    racks = [row[4] * row[1] for row in book["Racks"].iter_rows(min_row=2, values_only=True)]
    places = [row[6] for row in book["Places"].iter_rows(min_row=2, values_only=True)]
    assert sum(power) == pytest.approx(plan.facility.max_w.number)
    assert sum(racks) == pytest.approx(sum(power))
    assert sum(places) == pytest.approx(sum(power))


@pytest.mark.parametrize("make", [racks_table, places_table, power_table])
def test_every_row_has_a_cell_for_each_column(plan, make):
    table = make(plan)
    assert table.rows
    assert {len(row) for row in table.rows} == {len(table.head)}


def test_gaps_stand_in_a_sheet_of_their_own():
    lacking = planned("lab-8-nodes", {})
    sheet = openpyxl.load_workbook(io.BytesIO(plan_xlsx(lacking, created=CREATED)))["Gaps"]
    told = [row[:3] for row in sheet.iter_rows(min_row=2, values_only=True)]
    assert told == [tuple(map(clean, (gap.part, gap.text, gap.ask))) for gap in lacking.bill.gaps]
    assert told


# --- hostile text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", HOSTILE)
def test_no_text_is_a_formula_in_csv(words):
    row = read(Table("x", (words,), ((words, 1.0),)))
    for cell in (row[0][0], row[1][0]):
        assert cell.startswith("'")
    assert row[1][1] == "1"


@pytest.mark.parametrize("words", [*HOSTILE, "\x00\x07bad", "a" * 40_000, "http://x"])
def test_no_text_is_a_formula_or_a_link_in_xlsx(words):
    out = io.BytesIO()
    book = new_book(out, CREATED)
    table_sheet(book, styles_of(book), Table("x", ("name",), ((words,),)))
    book.close()
    cell = openpyxl.load_workbook(out)["x"]["A2"]
    assert cell.data_type == "s"
    assert cell.hyperlink is None
    assert len(cell.value) <= 2000


def test_negative_numbers_stay_numbers():
    assert read(Table("x", ("n",), ((-5.5,), (None,))))[1:] == [["-5.5"], [""]]
