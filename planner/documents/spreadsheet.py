"""What workbooks are made with: cells that take no text for a formula, and tables as sheets."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

import xlsxwriter  # type: ignore[import-untyped]

from planner.documents.tables import LONGEST_CELL, Cell, Table
from planner.documents.text import clean

Book: TypeAlias = Any
Sheet: TypeAlias = Any
"""A workbook and a sheet of the spreadsheet library, which states no types."""
Styles: TypeAlias = Mapping[str, Any]

WIDEST = 60
A4_PAPER = 9


def new_book(out: io.BytesIO, created: datetime) -> Book:
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


def styles_of(book: Book) -> Styles:
    """The formats of cells by their use."""
    return {
        "title": book.add_format({"bold": True, "font_size": 14}),
        "head": book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1}),
        "plain": book.add_format({"valign": "top"}),
        "text": book.add_format({"valign": "top", "text_wrap": True}),
        "number": book.add_format({"valign": "top", "num_format": "#,##0.##"}),
        "exact": book.add_format({"valign": "top", "num_format": "General"}),
        "input": book.add_format({"valign": "top", "num_format": "#,##0.####", "bg_color": "#FFF6D6"}),
        "money": book.add_format({"valign": "top", "num_format": "#,##0.00"}),
        "sum": book.add_format({"bold": True, "num_format": "#,##0.00", "top": 1}),
        "group": book.add_format({"bold": True, "top": 1}),
    }


def write(sheet: Sheet, at: tuple[int, int], cell: Cell, styles: Styles, style: str = "number") -> None:
    """One cell: nothing, a text that stays one, or a number."""
    if cell is None:
        sheet.write_blank(*at, None)
    elif isinstance(cell, str):
        sheet.write_string(*at, clean(cell, limit=LONGEST_CELL), styles["text"])
    else:
        sheet.write_number(*at, cell, styles[style])


def heads(sheet: Sheet, head: Sequence[str], styles: Styles, *, row: int = 0) -> None:
    """Titles of the columns."""
    for column, name in enumerate(head):
        sheet.write_string(row, column, name, styles["head"])


def table_sheet(book: Book, styles: Styles, table: Table, *, style: str = "number") -> None:
    """A table as a sheet of its own; no formulas."""
    sheet = book.add_worksheet(table.name)
    sheet.freeze_panes(1, 0)
    heads(sheet, table.head, styles)
    for column, name in enumerate(table.head):
        longest = max((len(str(row[column] or "")) for row in table.rows), default=0)
        sheet.set_column(column, column, min(max(longest, len(name) / 2, 8), WIDEST))
    for number, row in enumerate(table.rows, start=1):
        for column, cell in enumerate(row):
            write(sheet, (number, column), cell, styles, style)
    print_wide(sheet)


def print_wide(sheet: Sheet) -> None:
    """Printed on its side, as wide as the paper, with the titles on each page."""
    sheet.set_landscape()
    sheet.set_paper(A4_PAPER)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
