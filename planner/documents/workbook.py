"""The workbook of a plan: live bill, power and cost, tables to work with, and every section as it is printed."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from reportlab.platypus import Flowable, KeepTogether, LongTable

from planner.documents.bill_sheet import bill_sheet
from planner.documents.cost_sheet import cost_sheet
from planner.documents.lines import Lines
from planner.documents.parts import Heading, inside
from planner.documents.power_sheet import power_sheet
from planner.documents.sections import Section
from planner.documents.spreadsheet import Book, Styles, new_book, print_wide, styles_of, table_sheet, write
from planner.documents.tables import (
    cables_table,
    gaps_table,
    inputs_table,
    places_table,
    racks_table,
    results_table,
)
from planner.documents.text import fonts
from planner.plan import Plan
from planner.sections.machines import NO_PREFIXES

LONGEST_NAME = 31
"""Letters that a sheet's name may have."""
_FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\", " "))
_TABLES = frozenset(("bom", "assumptions", "results"))
"""Sections whose figures stand in a table of their own, by bookmark."""
_WIDE, _MOST_COLUMNS = 34, 12


def plan_xlsx(
    plan: Plan,
    *,
    created: datetime,
    identity: Mapping[str, str] | None = None,
    sections: Sequence[Section] = (),
    prefixes: Mapping[str, str] = NO_PREFIXES,
) -> bytes:
    """A workbook of the plan.

    Args:
        plan: The plan.
        created: Date of the file; the same arguments give the same bytes.
        identity: What tells the design from another one: title, revision, state, hash; the first sheet.
        sections: Sections of the document that are sheets as well, as they are printed.
        prefixes: How the site begins the names of machines, by how the planner begins them.
    """
    fonts()
    out = io.BytesIO()
    book = new_book(out, created)
    styles = styles_of(book)
    _first_sheet(book, styles, identity or {}, plan)
    bill = bill_sheet(book, styles, plan)
    power = power_sheet(book, styles, plan)
    cost_sheet(book, styles, plan, bill, power)
    for table in (
        racks_table(plan),
        places_table(plan, prefixes),
        cables_table(plan),
        gaps_table(plan.bill),
        inputs_table(plan),
    ):
        table_sheet(book, styles, table)
    table_sheet(book, styles, results_table(plan), style="exact")
    for title, key, make in sections:
        if key not in _TABLES:
            _printed_sheet(book, styles, title, make(plan))
    book.close()
    return out.getvalue()


def _first_sheet(book: Book, styles: Styles, identity: Mapping[str, str], plan: Plan) -> None:
    """What the workbook is of, and how to use it."""
    sheet = book.add_worksheet("Design")
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 100)
    rows = {
        "Design": plan.scenario.name,
        **identity,
        "Live": "Bill of materials, Power and Cost: type over a coloured cell, and every sum follows.",
        "Other sheets": "Results has every figure in full precision with its formula and source; the sheets after it are "
        "the sections of the document as they are printed.",
        "Units": "They stand in the titles of the columns or beside the value. TB and GB are decimal; money is US dollars.",
    }
    for at, (name, value) in enumerate(rows.items()):
        write(sheet, (at, 0), name, styles)
        write(sheet, (at, 1), value, styles)


def _printed_sheet(book: Book, styles: Styles, title: str, story: Sequence[Flowable]) -> None:
    """A section as it is printed: headings, paragraphs and tables below each other; pictures are left out."""
    sheet = book.add_worksheet(_name(book, title))
    sheet.set_column(0, _MOST_COLUMNS, _WIDE)
    for at, (style, cells) in enumerate(_rows(story)):
        for column, words in enumerate(cells):
            sheet.write_string(at, column, words, styles[style])
    print_wide(sheet)


def _rows(story: Sequence[Flowable]) -> Iterator[tuple[str, Sequence[str]]]:
    """Format and texts of each row."""
    for part in story:
        if isinstance(part, KeepTogether):
            yield from _rows(inside(part, "_content"))
        elif isinstance(part, Heading):
            yield ("title" if part.level == 0 else "head"), (part.words,)
        elif isinstance(part, Lines):
            yield "plain", (part.words,)
        elif isinstance(part, LongTable):
            repeated: int = part.repeatRows
            for number, row in enumerate(inside(part, "_cellvalues")):
                titled = number < repeated
                yield ("head" if titled else "text"), [_words(cell) for cell in row]
            yield "plain", ()


def _words(cell: object) -> str:
    return cell.words if isinstance(cell, Lines) else str(cell)


def _name(book: Book, title: str) -> str:
    """A name for a sheet: short enough, of allowed letters, and not taken."""
    taken = {sheet.get_name().casefold() for sheet in book.worksheets()}
    plain = " ".join(title.partition(":")[0].translate(_FORBIDDEN).split())
    name = plain if len(plain) <= LONGEST_NAME else plain[: LONGEST_NAME + 1].rpartition(" ")[0]
    return f"{name[: LONGEST_NAME - 9]}, printed" if name.casefold() in taken else name
