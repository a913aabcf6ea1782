"""The bill as a sheet: prices and quantities may be typed over, and every sum follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xlsxwriter.utility import xl_rowcol_to_cell  # type: ignore[import-untyped]

from planner.bom import BomLine
from planner.bom.lines import not_priced
from planner.core.quantity import Quantity
from planner.documents.spreadsheet import Book, Sheet, Styles, heads, print_wide, write
from planner.documents.tables import NOT_PRICED, Cell, bill_table
from planner.plan import Plan

WIDTHS = (
    6,
    20,
    9,
    12,
    20,
    46,
    9,
    7,
    7,
    12,
    12,
    14,
    14,
    12,
    12,
    11,
    15,
    30,
    12,
    9,
    9,
    9,
    40,
    10,
    12,
    11,
    18,
    26,
    30,
)
QUANTITY, SPARES, UNIT_LOW, LOW, SPARES_LOW, COUNTED = 6, 8, 9, 11, 13, 23
NAME = "Bill of materials"


@dataclass(frozen=True, slots=True)
class BillCells:
    """Where other sheets find what they need of the bill.

    Attributes:
        last: Last row of the lines, from 0.
        total: Row of the total, from 0.
        drives: Rows of the hot tier's drives, from 0.
    """

    last: int
    total: int
    drives: tuple[int, ...]

    def column(self, column: int) -> str:
        """All lines of a column, as a reference from another sheet."""
        first, last = (xl_rowcol_to_cell(row, column, True, True) for row in (1, self.last))
        return f"'{NAME}'!{first}:{last}"

    def cell(self, row: int, column: int) -> str:
        """One cell, as a reference from another sheet."""
        return f"'{NAME}'!{xl_rowcol_to_cell(row, column, True, True)}"


def bill_sheet(book: Book, styles: Styles, plan: Plan) -> BillCells:
    """The bill group by group with its sums; where other sheets find them."""
    bill, table = plan.bill, bill_table(plan)
    sheet = book.add_worksheet(NAME)
    sheet.freeze_panes(1, 6)
    heads(sheet, table.head, styles)
    for column, width in enumerate(WIDTHS):
        sheet.set_column(column, column, width)
    at = 1
    sums: list[int] = []
    drives: list[int] = []
    rows = iter(table.rows)
    for name, lines in bill.groups.items():
        start = at
        for line in lines:
            if line.kind == "drive" and line.group == plan.hot.name:
                drives.append(at)
            _line_row(sheet, styles, at, next(rows))
            at += 1
        _sum_row(sheet, styles, f"{name}, together", (start, at - 1), lines)
        sums.append(at)
        at += 1
    _total_row(sheet, styles, at, sums, plan)
    print_wide(sheet)
    return BillCells(at - 1, at, tuple(drives))


def _line_row(sheet: Sheet, styles: Styles, at: int, cells: Sequence[Cell]) -> None:
    for column, cell in enumerate(cells):
        if LOW <= column < LOW + 4:
            continue
        priced = column in (UNIT_LOW, UNIT_LOW + 1)
        typed = priced or column in (QUANTITY, SPARES)
        write(sheet, (at, column), cell, styles, "input" if typed else "number")
    for offset in range(2):
        price = xl_rowcol_to_cell(at, UNIT_LOW + offset)
        for column, count in ((LOW + offset, QUANTITY), (SPARES_LOW + offset, SPARES)):
            amount = xl_rowcol_to_cell(at, count)
            formula = f'=IF(AND(ISNUMBER({price}),ISNUMBER({amount})),{amount}*{price},"{NOT_PRICED}")'
            sheet.write_formula(at, column, formula, styles["money"], cells[column])


def _sum_row(
    sheet: Sheet, styles: Styles, name: str, span: tuple[int, int], lines: Sequence[BomLine]
) -> None:
    """Sum of a group below its lines, and how many of them it leaves out."""
    first, last = span
    at = last + 1
    sheet.write_string(at, 1, name, styles["group"])
    for column in range(LOW, LOW + 4):
        cells = f"{xl_rowcol_to_cell(first, column)}:{xl_rowcol_to_cell(last, column)}"
        sheet.write_formula(at, column, f"=SUM({cells})", styles["sum"], _known_sum(lines, column))
    cells = f"{xl_rowcol_to_cell(first, LOW)}:{xl_rowcol_to_cell(last, LOW)}"
    missing = sum(not line.priced for line in lines)
    sheet.write_formula(at, 5, f'=COUNTIF({cells},"{NOT_PRICED}")', styles["group"], missing)
    sheet.write_string(at, QUANTITY, "lines not priced", styles["group"])


def _known_sum(lines: Sequence[BomLine], column: int) -> float:
    name = ("extended_low_usd", "extended_high_usd", "spares_low_usd", "spares_high_usd")[column - LOW]
    known: list[Quantity] = [getattr(line, name) for line in lines if line.priced]
    return sum(item.number for item in known)


def _total_row(sheet: Sheet, styles: Styles, at: int, sums: list[int], plan: Plan) -> None:
    """Total over the groups: it says how many lines it leaves out."""
    sheet.write_string(at, 1, "Total", styles["group"])
    for column in range(LOW, LOW + 4):
        parts = "+".join(xl_rowcol_to_cell(row, column) for row in sums)
        sheet.write_formula(at, column, f"={parts}", styles["sum"], _known_sum(plan.bill.lines, column))
    parts = "+".join(xl_rowcol_to_cell(row, 5) for row in sums)
    shown = f"+ {not_priced(len(plan.bill.not_priced))}"
    words = f'="+ "&({parts})&IF(({parts})=1," line"," lines")&" of the bill not priced"'
    sheet.write_formula(at, 5, words, styles["group"], shown)
