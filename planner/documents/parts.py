"""Headings, paragraphs and tables in the one style of the documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.graphics.shapes import Drawing
from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, LongTable, Spacer

from planner.documents.direction import runs_right
from planner.documents.lines import Lines
from planner.documents.page import WIDTH_PT
from planner.documents.text import BODY, BOLD, clean, fonts, runs, width_pt

SMALL_PT = 7.5
PADDING_PT = 3.0
TALLEST_PT = 550.0
"""Height of a row that fits on a page below a header for certain."""
WHOLE_PT = 150.0
"""Height up to which a table is not broken over pages, and up to which its first or last rows are kept together."""
EDGE_ROWS = 2
"""Rows that a broken table has at least on either page."""
ROW_TOP_PT, ROW_BOTTOM_PT, ROW_LEADING_PT = 2.0, 2.5, 9.5
TEXT = ParagraphStyle("text", fontName=BODY, fontSize=9, leading=13, spaceAfter=5, splitLongWords=1)
LEAD = ParagraphStyle("lead", parent=TEXT, fontSize=11, leading=16, spaceAfter=9)
CELL = ParagraphStyle("cell", parent=TEXT, fontSize=SMALL_PT, leading=9.5, spaceAfter=0)
HEAD = ParagraphStyle("head", parent=CELL, fontName=BOLD)
BULLET = ParagraphStyle("bullet", parent=TEXT, leftIndent=6, spaceAfter=2)
COVER = ParagraphStyle("cover", parent=TEXT, fontName=BOLD, fontSize=24, leading=31, spaceAfter=14)
LEVELS = (
    ParagraphStyle(
        "section", parent=TEXT, fontName=BOLD, fontSize=14, leading=18, spaceBefore=12, spaceAfter=7
    ),
    ParagraphStyle(
        "topic", parent=TEXT, fontName=BOLD, fontSize=10.5, leading=14, spaceBefore=9, spaceAfter=5
    ),
)
HEAD_GROUND, GROUP_GROUND, RULE = HexColor("#DDE6EE"), HexColor("#F1F1F1"), HexColor("#BBBBBB")

Cell = str | Flowable
"""Text in the font of its row, or anything that can be placed."""
Row = Sequence[object]


class Heading(Lines):
    """A heading that is also a bookmark in the outline and the aim of a link."""

    def __init__(self, text: str, *, key: str, level: int) -> None:
        """Keep the words for the outline, and the name to link to."""
        super().__init__(clean(text), LEVELS[level])
        self.key, self.level = key, level

    def split(self, *_: float) -> list[Flowable]:
        """A heading stays in one piece."""
        return []

    def draw(self) -> None:
        """Draw it and note where it is."""
        canvas: Any = self.canv
        canvas.bookmarkHorizontal(self.key, 0, self.height)
        canvas.addOutlineEntry(self.words, self.key, self.level, closed=self.level == 0)
        canvas.places[self.key] = canvas.getPageNumber()
        super().draw()


class Grid(LongTable):
    """A table that knows how much of it has to stand on one page.

    Attributes:
        least_pt: Height of its header and its first rows; of all of it where it is short.
    """

    least_pt: float = 0.0


def section(text: str, key: str) -> list[Flowable]:
    """Heading of a section, on a new page if little of this one is left."""
    return [CondPageBreak(130), Heading(text, key=key, level=0)]


def topic(text: str, key: str) -> list[Flowable]:
    """Heading inside a section."""
    return [CondPageBreak(80), Heading(text, key=key, level=1)]


def text(words: object, style: ParagraphStyle = TEXT) -> Lines:
    """A paragraph of plain words."""
    return Lines(clean(words), style)


def inside(part: Any, name: str) -> Sequence[Any]:  # noqa: ANN401 - the PDF library states no types
    """Parts of what is placed on pages, which have no public name: `_content`, `_cellvalues`."""
    found: Sequence[Any] = getattr(part, name)
    return found


def bullets(lines: Sequence[object]) -> list[Flowable]:
    """Lines with a dash before each."""
    return [Lines(f"–\u00a0{clean(line)}", BULLET) for line in lines]


def chart(title: str, key: str, words: str, drawing: Drawing | None) -> list[Flowable]:
    """A drawing with its title and what it says in words; "unknown" where there is nothing to draw."""
    shown = drawing if drawing is not None else text("unknown: a figure that it needs is missing")
    return [KeepTogether([*topic(title, key), text(words), shown, Spacer(1, 8)])]


def table(
    header: Sequence[str], rows: Sequence[Row], widths: Sequence[float], *, groups: Sequence[int] = ()
) -> list[Flowable]:
    """A table over the whole width that breaks between rows and repeats its header.

    Args:
        header: Titles of the columns; they are not printed if all are empty.
        rows: Cells, of which the text is printed; a flowable is placed as it is.
        widths: Shares of the width, one a column.
        groups: Numbers of the rows that are titles of a group: their first cell spans the table.
    """
    fonts()
    total = sum(widths)
    columns = [WIDTH_PT * width / total for width in widths]
    titled = any(header)
    cells = (
        [[_cell(title, width, HEAD) for title, width in zip(header, columns, strict=True)]] if titled else []
    )
    marked = set(groups)
    for number, row in enumerate(rows):
        style = HEAD if number in marked else CELL
        wide = [WIDTH_PT, *columns[1:]] if number in marked else columns
        cells.append([_cell(value, width, style) for value, width in zip(row, wide, strict=True)])
    if not rows:
        cells.append([_cell("none", columns[0], CELL), *[""] * (len(columns) - 1)])
    shift = 1 if titled else 0
    heights = [_height(row, columns) for row in cells]
    made = Grid(
        cells, colWidths=columns, repeatRows=shift, splitInRow=int(max(heights) > TALLEST_PT), hAlign="LEFT"
    )
    whole = sum(heights) <= WHOLE_PT
    made.least_pt = sum(heights if whole else heights[: shift + EDGE_ROWS])
    edges = ((0, -1),) if whole else ((0, shift + EDGE_ROWS - 1), (-EDGE_ROWS, -1))
    kept = [edge for edge in edges if sum(heights[edge[0] : edge[1] + 1 or None]) <= WHOLE_PT]
    made.setStyle(_style(titled, [number + shift for number in groups], kept))
    return [made, Spacer(1, 8)]


def _cell(value: object, width: float, style: ParagraphStyle) -> Cell:
    """The text itself where it fits on one line in one font, else a paragraph."""
    if isinstance(value, Flowable):
        return value
    words = clean(value)
    room = width - 2 * PADDING_PT
    single = not runs_right(words) and all(name == style.fontName for name, _ in runs(words, style.fontName))
    if single and width_pt(words, style.fontName, style.fontSize) <= room:
        return words
    return Lines(words, style)


def _height(row: Sequence[Cell], columns: Sequence[float]) -> float:
    """Height of a row in points; what is no text counts as one line."""
    lines = [
        cell.wrap(width - PADDING_PT - PADDING_PT, 0.0)[1] if isinstance(cell, Lines) else ROW_LEADING_PT
        for cell, width in zip(row, columns, strict=True)
    ]
    return max(lines) + ROW_TOP_PT + ROW_BOTTOM_PT


def _style(titled: bool, groups: Sequence[int], kept: Sequence[tuple[int, int]]) -> list[tuple[Any, ...]]:
    commands: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), BODY, SMALL_PT, ROW_LEADING_PT),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, RULE),
        ("LEFTPADDING", (0, 0), (-1, -1), PADDING_PT),
        ("RIGHTPADDING", (0, 0), (-1, -1), PADDING_PT),
        ("TOPPADDING", (0, 0), (-1, -1), ROW_TOP_PT),
        ("BOTTOMPADDING", (0, 0), (-1, -1), ROW_BOTTOM_PT),
        *(("NOSPLIT", (0, first), (-1, last)) for first, last in kept),
    ]
    if titled:
        commands += [
            ("FONT", (0, 0), (-1, 0), BOLD, SMALL_PT, ROW_LEADING_PT),
            ("BACKGROUND", (0, 0), (-1, 0), HEAD_GROUND),
        ]
    for row in groups:
        commands += [
            ("FONT", (0, row), (-1, row), BOLD, SMALL_PT, ROW_LEADING_PT),
            ("BACKGROUND", (0, row), (-1, row), GROUP_GROUND),
            ("SPAN", (0, row), (-1, row)),
            ("NOSPLIT", (0, row), (-1, row + 1)),
        ]
    return commands


def pairs(rows: Sequence[tuple[object, object]], *, split: float = 0.36) -> list[Flowable]:
    """A table of two columns without titles: what it is, and its value."""
    return table(("", ""), rows, (split, 1 - split))
