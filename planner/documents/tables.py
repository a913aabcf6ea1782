"""Tables for spreadsheets: CSV and XLSX of the bill, the racks, the power and the cables.

Text of a design comes from people and from imported files. It never becomes a formula: a CSV cell that a
spreadsheet would calculate begins with an apostrophe, and an XLSX cell is written as a string.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

import xlsxwriter  # type: ignore[import-untyped]
from xlsxwriter.utility import xl_rowcol_to_cell  # type: ignore[import-untyped]

from planner.bom import Bill, BomLine
from planner.core.quantity import Quantity
from planner.documents.text import clean
from planner.plan import Plan

Cell: TypeAlias = str | float | None
"""What may stand in a table: a text, a number, or nothing."""

Book: TypeAlias = Any
Sheet: TypeAlias = Any
"""A workbook and a sheet of the spreadsheet library, which states no types."""

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters by which a spreadsheet takes a text for something to calculate."""
LONGEST_CELL = 2_000
NOT_PRICED, UNKNOWN = "not priced", "unknown"
_BILL_HEAD = (
    "No.", "Group", "Rack", "Maker", "Part", "Description", "Quantity", "Unit", "Spares",
    "Unit price low, USD", "Unit price high, USD", "Price low, USD", "Price high, USD",
    "Spares low, USD", "Spares high, USD", "Price as of", "Price grade", "Price source", "Lead time",
    "Weight each, kg", "Height each, U", "Power each, W", "Required by",
)  # fmt: skip
_WIDTHS = (6, 20, 9, 12, 20, 46, 9, 7, 7, 12, 12, 14, 14, 12, 12, 11, 15, 30, 12, 9, 9, 9, 40)
_QUANTITY, _SPARES, _UNIT_LOW, _LOW, _SPARES_LOW = 6, 8, 9, 11, 13


@dataclass(frozen=True, slots=True)
class Table:
    """One table: a name, a head, and rows of cells."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


# --- CSV ----------------------------------------------------------------------------------------------------


def safe_text(words: str) -> str:
    """A text as it may stand in a CSV: on one line, and never taken for a formula."""
    told = clean(words, limit=LONGEST_CELL)
    # Blanks before the sign are skipped by some spreadsheets.
    risky = told.lstrip().startswith(DANGEROUS) or words.startswith(DANGEROUS)
    return f"'{told}" if risky else told


def csv_bytes(table: Table) -> bytes:
    """A table as CSV in UTF-8 with a byte-order mark, so that every spreadsheet reads its accents."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([safe_text(name) for name in table.head])
    for row in table.rows:
        writer.writerow([safe_text(cell) if isinstance(cell, str) else _plain(cell) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def _plain(cell: float | None) -> str:
    return "" if cell is None else f"{cell:.12g}"


# --- tables of a plan ---------------------------------------------------------------------------------------


def bill_table(bill: Bill) -> Table:
    """Every line of the bill with its figures; a price that nobody knows is "not priced"."""
    rows: list[tuple[Cell, ...]] = []
    for number, (group, lines) in enumerate(bill.groups.items(), start=1):
        rows += [(f"{number}.{place:02d}", group, *_line(line)) for place, line in enumerate(lines, start=1)]
    return Table("Bill of materials", _BILL_HEAD, tuple(rows))


def _line(line: BomLine) -> tuple[Cell, ...]:
    money = (
        (line.price_low_usd, line.price_high_usd, line.extended_low_usd, line.extended_high_usd,
         line.spares_low_usd, line.spares_high_usd)
    )  # fmt: skip
    return (
        line.racks,
        line.maker,
        line.part_id,
        line.description,
        _number(line.quantity),
        line.unit,
        _number(line.spare_count),
        *(NOT_PRICED if not line.priced else _number(item) for item in money),
        line.price_as_of,
        line.price_grade,
        line.price_source if line.priced else "",
        line.lead_time or UNKNOWN,
        _number(line.weight_kg) or None,
        _number(line.rack_units_ru) or None,
        _number(line.watts_w) or None,
        line.cause,
    )


def _number(item: Quantity) -> Cell:
    return item.number if item.known else UNKNOWN


def racks_table(plan: Plan) -> Table:
    """One row a rack: height, power, weight, currents, circuits, heat and air."""
    head = (
        "Rack", "Racks alike", "Used, U", "Typical, W", "Maximum, W", "Apparent, VA", "Start-up, W", "Weight, kg",
        "Floor, kg/m²", "Each feed, A", "One feed alone, A", "Circuits", "Density", "Heat, BTU/h",
        "To air, W", "To liquid, W", "Air, m³/h", "Air, CFM", "Contents",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            rack.title,
            rack.count,
            *(
                _number(item)
                for item in (
                    rack.used_ru,
                    rack.typical_w,
                    rack.max_w,
                    rack.apparent_va,
                    rack.startup_w,
                    rack.weight_kg,
                    rack.floor_kg_per_m2,
                    rack.feed_a_amps,
                    rack.feed_alone_amps,
                    rack.circuit_count,
                )
            ),
            rack.density,
            *(
                _number(item)
                for item in (
                    rack.btu_per_hour,
                    rack.air_w,
                    rack.liquid_w,
                    rack.airflow_m3_per_hour,
                    rack.airflow_cfm,
                )
            ),
            "; ".join(f"{count} × {name}" for name, count in rack.held().items()),
        )
        for rack in plan.racks.racks
    ]
    return Table("Racks", head, tuple(rows))


def places_table(plan: Plan) -> Table:
    """One row a machine: its rack, its rack units, its label."""
    head = ("Rack", "From U", "To U", "Label", "Machine", "Part", "Maximum, W", "Weight, kg")
    rows: list[tuple[Cell, ...]] = [
        (
            rack.title, place.bottom_ru, place.top_ru, place.name, place.device.name, place.device.part_id,
            _number(place.device.max_w) if place.device.powered else UNKNOWN, _number(place.device.weight_kg),
        )
        for rack in plan.racks.racks
        for place in sorted(rack.places, key=lambda place: -place.top_ru)
    ]  # fmt: skip
    return Table("Places", head, tuple(rows))


def power_table(plan: Plan) -> Table:
    """Power and height of each kind of part; the rows add up to the feed."""
    head = ("Part", "Number", "Typical each, W", "Maximum each, W", "Height each, U", "Typical, W", "Maximum, W",
            "Height, U")  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            row.name,
            *(
                _number(item)
                for item in (
                    row.count,
                    row.typical_w,
                    row.max_w,
                    row.rack_units_ru,
                    row.total_typical_w,
                    row.total_max_w,
                    row.total_ru,
                )
            ),
        )
        for row in plan.facility.rows
    ]
    return Table("Power", head, tuple(rows))


def gaps_table(bill: Bill) -> Table:
    """What is missing before the bill can be quoted."""
    rows: list[tuple[Cell, ...]] = [
        (gap.part, gap.text, gap.ask, "to be named by the vendor" if gap.minor else "open")
        for gap in bill.gaps
    ]
    return Table("Gaps", ("Part", "What is missing", "What would close it", "State"), tuple(rows))


# --- XLSX ---------------------------------------------------------------------------------------------------


def plan_xlsx(plan: Plan, *, created: datetime) -> bytes:
    """A workbook of the plan: the bill with live prices, racks, places, power and gaps.

    Args:
        plan: The plan.
        created: Date of the file; the same plan and date give the same bytes.
    """
    out = io.BytesIO()
    book = _book(out, created)
    styles = _styles(book)
    _bill_sheet(book, styles, plan)
    for table in (racks_table(plan), places_table(plan), power_table(plan), gaps_table(plan.bill)):
        _sheet(book, styles, table)
    book.close()
    return out.getvalue()


def xlsx_bytes(tables: Iterable[Table], *, created: datetime) -> bytes:
    """Any tables as a workbook, a sheet each; no formulas."""
    out = io.BytesIO()
    book = _book(out, created)
    styles = _styles(book)
    for table in tables:
        _sheet(book, styles, table)
    book.close()
    return out.getvalue()


def _book(out: io.BytesIO, created: datetime) -> Book:
    """A workbook that takes no text for a formula, a link or a number."""
    book = xlsxwriter.Workbook(
        out,
        {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    )
    book.set_properties({"created": created.replace(tzinfo=None)})
    return book


def _styles(book: Book) -> dict[str, Any]:
    return {
        "head": book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1}),
        "text": book.add_format({"valign": "top", "text_wrap": True}),
        "number": book.add_format({"valign": "top", "num_format": "#,##0.##"}),
        "money": book.add_format({"valign": "top", "num_format": "#,##0.00"}),
        "sum": book.add_format({"bold": True, "num_format": "#,##0.00", "top": 1}),
        "group": book.add_format({"bold": True, "top": 1}),
    }


def _write(
    sheet: Sheet, row: int, column: int, cell: Cell, styles: dict[str, Any], style: str = "number"
) -> None:
    if cell is None:
        sheet.write_blank(row, column, None)
    elif isinstance(cell, str):
        sheet.write_string(row, column, clean(cell, limit=LONGEST_CELL), styles["text"])
    else:
        sheet.write_number(row, column, cell, styles[style])


def _sheet(book: Book, styles: dict[str, Any], table: Table) -> None:
    sheet = book.add_worksheet(table.name)
    sheet.freeze_panes(1, 0)
    for column, name in enumerate(table.head):
        sheet.write_string(0, column, name, styles["head"])
        longest = max((len(str(row[column] or "")) for row in table.rows), default=0)
        sheet.set_column(column, column, min(max(longest, len(name) / 2, 8), 60))
    for number, row in enumerate(table.rows, start=1):
        for column, cell in enumerate(row):
            _write(sheet, number, column, cell, styles)
    _print_wide(sheet)


def _print_wide(sheet: Sheet) -> None:
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)


def _bill_sheet(book: Book, styles: dict[str, Any], plan: Plan) -> None:
    """The bill: prices may be typed over, and every sum follows."""
    bill, table = plan.bill, bill_table(plan.bill)
    sheet = book.add_worksheet(table.name)
    sheet.freeze_panes(1, 6)
    for column, (name, width) in enumerate(zip(table.head, _WIDTHS, strict=True)):
        sheet.write_string(0, column, name, styles["head"])
        sheet.set_column(column, column, width)
    at, start = 1, 0
    sums: list[int] = []
    rows = iter(table.rows)
    for name, lines in bill.groups.items():
        start = at
        for _ in lines:
            _bill_row(sheet, styles, at, next(rows))
            at += 1
        _sum_row(sheet, styles, at, f"{name}, together", [(start, at - 1)], lines)
        sums.append(at)
        at += 1
    _total_row(sheet, styles, at, sums, bill)
    _print_wide(sheet)


def _bill_row(sheet: Sheet, styles: dict[str, Any], at: int, cells: Sequence[Cell]) -> None:
    for column, cell in enumerate(cells):
        if _LOW <= column < _LOW + 4:
            continue
        _write(sheet, at, column, cell, styles, "money" if column in (_UNIT_LOW, _UNIT_LOW + 1) else "number")
    for offset in range(2):
        price = xl_rowcol_to_cell(at, _UNIT_LOW + offset)
        for column, count in ((_LOW + offset, _QUANTITY), (_SPARES_LOW + offset, _SPARES)):
            amount = xl_rowcol_to_cell(at, count)
            formula = f'=IF(AND(ISNUMBER({price}),ISNUMBER({amount})),{amount}*{price},"{NOT_PRICED}")'
            sheet.write_formula(at, column, formula, styles["money"], cells[column])


def _sum_row(
    sheet: Sheet,
    styles: dict[str, Any],
    at: int,
    name: str,
    spans: list[tuple[int, int]],
    lines: Sequence[BomLine],
) -> None:
    """Sum of a group, and how many of its lines it leaves out."""
    sheet.write_string(at, 1, name, styles["group"])
    first, last = spans[0]
    for column in range(_LOW, _LOW + 4):
        span = f"{xl_rowcol_to_cell(first, column)}:{xl_rowcol_to_cell(last, column)}"
        sheet.write_formula(at, column, f"=SUM({span})", styles["sum"], _known_sum(lines, column))
    span = f"{xl_rowcol_to_cell(first, _LOW)}:{xl_rowcol_to_cell(last, _LOW)}"
    missing = sum(not line.priced for line in lines)
    sheet.write_formula(at, 5, f'=COUNTIF({span},"{NOT_PRICED}")', styles["group"], missing)
    sheet.write_string(at, _QUANTITY, "lines not priced", styles["group"])


def _known_sum(lines: Sequence[BomLine], column: int) -> float:
    name = ("extended_low_usd", "extended_high_usd", "spares_low_usd", "spares_high_usd")[column - _LOW]
    known: list[Quantity] = [getattr(line, name) for line in lines if line.priced]
    return sum(item.number for item in known)


def _total_row(sheet: Sheet, styles: dict[str, Any], at: int, sums: list[int], bill: Bill) -> None:
    """Total over the groups: it says how many lines it leaves out."""
    sheet.write_string(at, 1, "Total", styles["group"])
    for column in range(_LOW, _LOW + 4):
        parts = "+".join(xl_rowcol_to_cell(row, column) for row in sums)
        sheet.write_formula(at, column, f"={parts}", styles["sum"], _known_sum(bill.lines, column))
    parts = "+".join(xl_rowcol_to_cell(row, 5) for row in sums)
    text = f'="+ "&({parts})&" lines not priced"'
    shown = f"+ {len(bill.not_priced)} lines not priced"
    sheet.write_formula(at, 5, text, styles["group"], shown)
