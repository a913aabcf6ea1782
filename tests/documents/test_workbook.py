"""The workbook calculates what the planner does: LibreOffice opens it, calculates again, and agrees."""

from __future__ import annotations

import functools
import io
import math

import openpyxl
import pytest

from planner.catalogue import load_catalogue
from planner.documents.package import Identity, workbook
from planner.documents.sections import whole
from planner.plan import plan
from tests.documents.libreoffice import recalculated
from tests.documents.printed import CREATED, HASH
from tests.plan.changes import changed

DESIGNS = {
    "parts": ("guide-256-evidence", {"site.rack_usd_per_month": 950.0, "prices.term_years": 15.0}),
    "guide": ("guide-256-guide", {}),
    "all-in": ("two-jobs", {"site.energy_basis": "all-in", "name": "=SUM(A1:A9)", "jobs.0.name": "<b>模型</b>"}),
    "array": ("two-jobs", {"storage.hot.architecture": "all-flash-array", "storage.hot.platform_id": "vast-ceres-3015"}),
}  # fmt: skip
IDENTITY = Identity(
    title="A <b>design</b>",
    revision="design 1, revision 7",
    state="approved",
    created=CREATED,
    hash_text=HASH,
)
UNPRICED = "not priced"


@functools.cache
def planned(name):
    return plan(changed(*DESIGNS[name]), load_catalogue())


@functools.cache
def content(name):
    return workbook(planned(name), IDENTITY)


def edited(name):
    """The workbook with prices, quantities, watts and rates typed over, as a person would do it."""
    book = openpyxl.load_workbook(io.BytesIO(content(name)))
    bill, power, cost = book["Bill of materials"], book["Power"], book["Cost"]
    typed = {}
    for row in range(2, bill.max_row):
        if isinstance(bill.cell(row, 7).value, int | float) and bill.cell(row, 24).value == "yes":
            bill.cell(row, 7).value += 2
            bill.cell(row, 10).value, bill.cell(row, 11).value = 1000.0 + row, 1500.0 + row
            typed[row] = bill.cell(row, 7).value
    power.cell(2, 3).value = 12_345.0
    stated = {row[0].value: row[1] for row in cost.iter_rows(max_row=11)}
    stated["Term"].value, stated["Support in a year"].value = 4.0, 0.08
    stated["Price of a rack and month"].value = 1200.0
    out = io.BytesIO()
    book.save(out)
    return out.getvalue(), typed


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    files = {name: content(name) for name in DESIGNS}
    files["edited"] = edited("parts")[0]
    return recalculated(files, tmp_path_factory.mktemp("office"))


def costs(book):
    """Low and high of each row of the cost sheet, by its name."""
    return {row[0]: row[1:3] for row in book["Cost"].iter_rows(values_only=True) if row[0]}


def told(item):
    return pytest.approx(item.number, rel=1e-9) if math.isfinite(item.number) else UNPRICED


@pytest.mark.parametrize("name", DESIGNS)
def test_every_cell_is_the_same_after_it_was_calculated_again(name, office):
    before = openpyxl.load_workbook(io.BytesIO(content(name)), data_only=True)
    assert before.sheetnames == office[name].sheetnames
    live = 0
    for sheet in openpyxl.load_workbook(io.BytesIO(content(name))):
        for row in sheet.iter_rows():
            for cell in row:
                shown, again = (book[sheet.title][cell.coordinate].value for book in (before, office[name]))
                live += cell.data_type == "f"
                if isinstance(shown, int | float):
                    assert again == pytest.approx(shown, rel=1e-9), (sheet.title, cell.coordinate)
                else:
                    assert (again or None) == (shown or None), (sheet.title, cell.coordinate)
    assert live > 100


@pytest.mark.parametrize("name", DESIGNS)
def test_the_cost_is_the_planners(name, office):
    found, wanted = costs(office[name]), planned(name).term
    for line in wanted.lines:
        assert found[line.name] == (told(line.low_usd), told(line.high_usd))
    assert found["Together"] == (told(wanted.low_usd), told(wanted.high_usd))
    assert found["For each usable TB"] == (told(wanted.per_tb_low_usd), told(wanted.per_tb_high_usd))
    assert found["For each effective TB and month"] == (
        told(wanted.effective_low_usd_per_tb_month), told(wanted.effective_high_usd_per_tb_month),
    )  # fmt: skip
    assert found["For each GPU"] == (told(wanted.per_gpu_low_usd), told(wanted.per_gpu_high_usd))
    assert found["For each checkpoint"] == (told(wanted.per_save_low_usd), told(wanted.per_save_high_usd))


@pytest.mark.parametrize("name", DESIGNS)
def test_the_bill_and_the_power_are_the_planners(name, office):
    bill, site, sheet = planned(name).bill, planned(name).facility, office[name]["Bill of materials"]
    total = [cell.value for cell in sheet[sheet.max_row]]
    assert total[1] == "Total"
    ends = (bill.low_usd, bill.high_usd, bill.spares_low_usd, bill.spares_high_usd)
    assert total[11:15] == [pytest.approx(item.number) for item in ends]
    power = {row[0]: row[1:] for row in office[name]["Power"].iter_rows(values_only=True) if row[0]}
    assert power["All"][4:7] == tuple(
        pytest.approx(item.number) for item in (site.typical_w, site.max_w, site.rack_units_ru)
    )
    assert power["Energy of a year"][0] == pytest.approx(site.energy_kwh_per_year.number)
    assert power["Heat"][0] == pytest.approx(site.btu_per_hour.number)


def test_the_drives_of_one_design_are_replaced_within_its_term():
    replaced = planned("parts").term.lines[-1]
    assert replaced.low_usd.number > 0


def test_what_is_typed_over_moves_every_sum(office):
    _, typed = edited("parts")
    wanted = planned("parts")
    found = costs(office["edited"])
    low = sum(count * (1000.0 + row) for row, count in typed.items())
    high = sum(count * (1500.0 + row) for row, count in typed.items())
    assert len(typed) > 10
    assert found["Equipment"] == (pytest.approx(low), pytest.approx(high))
    assert found["Support"] == (pytest.approx(low * 0.08 * 4), pytest.approx(high * 0.08 * 4))
    assert found["Space"][0] == pytest.approx(wanted.racks.rack_count.number * 1200.0 * 12 * 4)
    first = wanted.facility.rows[0]
    load = wanted.facility.typical_w.number - first.total_typical_w.number + first.count.number * 12_345.0
    site = wanted.scenario.site
    assert found["Energy with cooling"][0] == pytest.approx(
        load / 1000 * 8760 * site.pue_ratio * site.usd_per_kwh * 4
    )
    kinds = [found[line.name] for line in wanted.term.lines]
    assert found["Together"] == tuple(pytest.approx(sum(kind[end] for kind in kinds)) for end in range(2))


def test_every_section_is_a_sheet_and_the_first_one_says_what_it_is_of():
    book = openpyxl.load_workbook(io.BytesIO(content("parts")))
    assert book.sheetnames[:4] == ["Design", "Bill of materials", "Power", "Cost"]
    first = dict(book["Design"].iter_rows(values_only=True))
    assert (first["Hash"], first["Revision"], first["Title"]) == (
        HASH,
        "design 1, revision 7",
        "A <b>design</b>",
    )
    in_tables = {"bom": "Bill of materials", "assumptions": "Inputs", "results": "Results"}
    for title, key, _ in whole():
        start = in_tables.get(key, title.partition(":")[0])[:18]
        assert any(name.startswith(start) for name in book.sheetnames), title


def test_every_figure_stands_with_its_unit_formula_and_source():
    head, *rows = openpyxl.load_workbook(io.BytesIO(content("parts")))["Results"].iter_rows(values_only=True)
    assert head == ("Section", "Result", "Value", "Unit", "As printed", "Formula", "With", "Source", "Grade")
    found = {(row[0], row[1]): row for row in rows}
    assert len(found) > 400
    typical = found["Power and racks", "Power, typical"]
    assert typical[2:4] == (pytest.approx(planned("parts").facility.typical_w.number, rel=1e-12), "W")
    computed = [row for row in rows if row[8] == "computed"]
    assert len(computed) > 200
    assert all(row[5] and row[7] for row in computed)
    assert all(row[3] for row in rows)


def test_no_text_of_a_design_becomes_a_formula():
    book = openpyxl.load_workbook(io.BytesIO(content("all-in")))
    assert book["Design"]["B1"].value == "=SUM(A1:A9)"
    assert book["Design"]["B1"].data_type == "s"
    live = {
        sheet.title for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "f"
    }
    assert live == {"Bill of materials", "Power", "Cost"}
