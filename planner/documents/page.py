"""The page: footer with title, revision, hash and page number, draft mark, bookmarks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from planner.documents.text import BODY, BOLD, clean, fitted, runs

MARGIN_PT = 15 * mm
FOOT_PT = 20 * mm
WIDTH_PT = A4[0] - 2 * MARGIN_PT
"""Width that the text has."""
FOOTER_SIZE_PT = 7.0
_TOTAL = "page-total"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every page says about the document.

    Attributes:
        title: Title of the document, clean.
        revision: Name or number of the revision, clean.
        author: Who made it, clean.
        created: When it was made; the document's own date is this one.
        hash_text: Hash of what it was made from, clean.
        draft: Whether it is marked as a draft.
    """

    title: str
    revision: str
    author: str
    created: datetime
    hash_text: str
    draft: bool


class _Canvas(Canvas):
    """A canvas that leaves a place for the number of pages and fills it in at the end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - passed on as they come
        kwargs["initialFontName"] = BODY
        super().__init__(*args, **kwargs)

    def save(self) -> None:
        """Fill in the number of pages and close the document."""
        total = self.getPageNumber() - 1
        self.beginForm(_TOTAL)
        self.setFont(BODY, FOOTER_SIZE_PT)
        self.drawString(0, 0, str(total))
        self.endForm()
        super().save()


def draw_text(canvas: Canvas, at: tuple[float, float], text: str, font: str, size_pt: float) -> None:
    """A clean text on one line, from its left end, in the fonts that its characters need."""
    line = canvas.beginText(*at)
    for name, piece in runs(text, font):
        line.setFont(name, size_pt)
        line.textOut(piece)
    canvas.drawText(line)


def build(story: Sequence[Flowable], stamp: Stamp) -> bytes:
    """The story on pages; identical bytes for an identical story and stamp."""
    out = io.BytesIO()
    document = BaseDocTemplate(
        out, pagesize=A4, invariant=1, title=stamp.title, author=stamp.author, creator="planner",
        subject=f"Storage design, revision {stamp.revision}", lang="en", pageCompression=1,
        displayDocTitle=True,
        leftMargin=MARGIN_PT, rightMargin=MARGIN_PT, topMargin=MARGIN_PT, bottomMargin=FOOT_PT,
    )  # fmt: skip
    frame = Frame(
        MARGIN_PT, FOOT_PT, WIDTH_PT, A4[1] - MARGIN_PT - FOOT_PT,
        leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0,
    )  # fmt: skip

    def decorate(canvas: Canvas, _: object) -> None:
        _set_date(canvas, stamp.created)
        if stamp.draft:
            _draft_mark(canvas)
        _footer(canvas, stamp)

    document.addPageTemplates([PageTemplate("page", [frame], onPage=decorate)])
    document.build(list(story), canvasmaker=_Canvas)
    return out.getvalue()


def _set_date(canvas: Canvas, created: datetime) -> None:
    offset = created.strftime("%z")
    zone = f"{offset[:3]}'{offset[3:5]}'" if offset else "Z"
    canvas.setDateFormatter(lambda *_: f"D:{created:%Y%m%d%H%M%S}{zone}")


def _draft_mark(canvas: Canvas) -> None:
    canvas.saveState()
    canvas.setFillColor(HexColor("#EEEEEE"))
    canvas.translate(A4[0] / 2, A4[1] / 2)
    canvas.rotate(55)
    canvas.setFont(BOLD, 120)
    canvas.drawCentredString(0, -40, "DRAFT")
    canvas.restoreState()


def _footer(canvas: Canvas, stamp: Stamp) -> None:
    canvas.saveState()
    canvas.setStrokeColor(HexColor("#999999"))
    canvas.setFillColor(HexColor("#333333"))
    canvas.line(MARGIN_PT, FOOT_PT - 4 * mm, A4[0] - MARGIN_PT, FOOT_PT - 4 * mm)
    upper, lower = FOOT_PT - 8 * mm, FOOT_PT - 11.5 * mm
    room = WIDTH_PT - 25 * mm
    second = clean(
        f"{'Draft of revision' if stamp.draft else 'Revision'} {stamp.revision} · {stamp.hash_text}"
    )
    for height, text in ((upper, stamp.title), (lower, second)):
        draw_text(canvas, (MARGIN_PT, height), fitted(text, BODY, FOOTER_SIZE_PT, room), BODY, FOOTER_SIZE_PT)
    number = f"Page {canvas.getPageNumber()} of\u00a0"
    start = A4[0] - MARGIN_PT - 22 * mm
    draw_text(canvas, (start, upper), number, BODY, FOOTER_SIZE_PT)
    canvas.translate(start + canvas.stringWidth(number, BODY, FOOTER_SIZE_PT), upper)
    canvas.doForm(_TOTAL)
    canvas.restoreState()
