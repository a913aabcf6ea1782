"""The table of contents: each entry with the page on which it stands, and a link to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable

from planner.documents.drawing import GREYS
from planner.documents.lines import Lines
from planner.documents.parts import LEAD, TEXT
from planner.documents.text import BODY, clean, width_pt

NUMBER_PT = 26.0
"""Room for the number of the page."""
ENTRY = ParagraphStyle("entry", parent=TEXT, fontSize=9, leading=16, spaceAfter=0)


class Entry(Flowable):
    """One line of the contents: title, dots, page."""

    def __init__(self, title: str, key: str) -> None:
        """Keep what it leads to."""
        super().__init__()
        self.title, self.key = clean(title), key
        self.width, self.height = 0.0, ENTRY.leading

    def wrap(self, available_width: float, _: float) -> tuple[float, float]:
        """A line of the whole width."""
        self.width = available_width
        return available_width, self.height

    def draw(self) -> None:
        """Draw it; the number of the page is filled in when the document is whole."""
        canvas: Any = self.canv
        title = Lines(self.title, ENTRY)
        title.wrap(self.width - NUMBER_PT, self.height)
        title.drawOn(canvas, 0, 0)
        base = self.height - ENTRY.fontSize
        start = width_pt(self.title, BODY, ENTRY.fontSize) + 5
        canvas.saveState()
        canvas.setStrokeColor(GREYS[0])
        canvas.setDash([0.6, 2.4])
        canvas.line(start, base, self.width - NUMBER_PT, base)
        canvas.restoreState()
        canvas.page_number_of(self.key, (self.width, base))
        canvas.linkRect("", self.key, (0, 0, self.width, self.height), relative=1, thickness=0)


def contents(entries: Sequence[tuple[str, str]]) -> list[Flowable]:
    """Title and page of every section.

    Args:
        entries: Title and bookmark of each, in order.
    """
    return [Lines("Contents", LEAD), *(Entry(title, key) for title, key in entries)]
