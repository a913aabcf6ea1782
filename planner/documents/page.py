"""The page: its size, its footer and watermark, and numbers that are known only at the end."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from planner.core.errors import PlannerError, nearest, shorten
from planner.core.units import sentence
from planner.documents.letterhead import Letterhead
from planner.documents.text import BODY, BOLD, LONGEST, clean, draw_text, fitted, width_pt

# Streams as bytes instead of letters: a fifth smaller, and no time for the letters.
rl_config.useA85 = 0

Paper = Literal["A4", "Letter"]
SIZES: dict[str, tuple[float, float]] = {"A4": A4, "Letter": LETTER}
SIDE_PT = 15 * mm
WIDTH_PT = A4[0] - 2 * SIDE_PT
"""Width that the text has on either paper: Letter is wider by what its margins are."""
FOOT_PT, TOP_PT = 20 * mm, 15 * mm
FOOTER_SIZE_PT, CONTENTS_SIZE_PT = 7.0, 9.0
APPROVED = "approved"
_TEXTS = ("title", "revision", "author", "hash_text")
_TOTAL = "page-total"
_PLACE_PT = 40
"""Room on either side of a number that is filled in at the end."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every page says about the document; any text prints: what cannot is taken out here.

    Attributes:
        title: On the cover and in every footer.
        revision: Number or name of the revision.
        author: Who made the design.
        created: Date on the cover and of the file.
        hash_text: Hash of scenario and catalogue, to tell whether two documents are of the same design.
        draft: Whether what is printed is not saved; each page then carries the word.
        status: State of the review of a saved revision; any but "approved" stands across each page. Empty where
            there is no review, which the cover says.
        paper: "A4" or "Letter".
        letterhead: Logo, contact, validity and disclaimer of the sender.

    Raises:
        PlannerError: The paper is unknown.
    """

    title: str
    revision: str | int
    author: str
    created: datetime
    hash_text: str
    draft: bool
    status: str = ""
    paper: Paper = "A4"
    letterhead: Letterhead = field(default_factory=Letterhead)

    def __post_init__(self) -> None:
        """Make every text printable, and the paper one that there is."""
        for name, limit in (*((name, LONGEST) for name in _TEXTS), ("status", 40)):
            words = clean(getattr(self, name), limit=limit)
            object.__setattr__(self, name, words.strip() if name in ("title", "status") else words)
        object.__setattr__(self, "paper", paper_of(self.paper))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the paper in points."""
        return SIZES[self.paper]

    @property
    def margin_pt(self) -> float:
        """Width of the margin on each side."""
        return (self.size[0] - WIDTH_PT) / 2

    @property
    def room_pt(self) -> float:
        """Height that the text has on a page."""
        return self.size[1] - TOP_PT - FOOT_PT

    @property
    def revision_words(self) -> str:
        """The revision as a sentence names it: "revision 7", and "design 1, revision 7" as it is."""
        name = str(self.revision)
        return name if "revision" in name else f"revision {name}"

    @property
    def state(self) -> str:
        """The state as it is printed in the footer and on the cover."""
        if self.draft:
            return "draft"
        return self.status or "saved, not signed off"

    @property
    def watermark(self) -> str:
        """Word across every page; none once the revision is approved."""
        if self.draft:
            return "DRAFT"
        return "" if self.status in ("", APPROVED) else self.status.upper()


def paper_of(name: str) -> Paper:
    """The paper of that name.

    Raises:
        PlannerError: There is none.
    """
    for paper in SIZES:
        if paper.casefold() == str(name).casefold():
            return "A4" if paper == "A4" else "Letter"
    known = " or ".join(SIZES)
    raise PlannerError(
        f"paper: “{shorten(name)}” is not {known}{nearest(str(name), SIZES) or f'; use {known}'}",
        field="paper",
    )


class DocumentCanvas(Canvas):
    """A canvas that leaves places for page numbers and fills them in when all pages are there.

    Attributes:
        places: Page on which each bookmark stands.
        asked: Bookmarks whose page number has a place somewhere.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - passed on as they come
        """Begin in a font that is embedded; a reader opens with the outline beside the page."""
        kwargs["initialFontName"] = BODY
        super().__init__(*args, **kwargs)
        self.showOutline()
        self.places: dict[str, int] = {}
        self.asked: set[str] = set()

    def page_number_of(self, key: str, at: tuple[float, float]) -> None:
        """Leave a place for the number of the page on which a bookmark stands; `at` is its right end."""
        self.asked.add(key)
        self._place(f"page-of-{key}", at)

    def page_total(self, at: tuple[float, float]) -> None:
        """Leave a place for the number of pages; `at` is its left end."""
        self._place(_TOTAL, at)

    def _place(self, name: str, at: tuple[float, float]) -> None:
        self.saveState()
        self.translate(*at)
        self.doForm(name)
        self.restoreState()

    def save(self) -> None:
        """Fill in the numbers and close the document."""
        total = self.getPageNumber() - 1
        self._fill(_TOTAL, str(total), FOOTER_SIZE_PT, left=True)
        for key in sorted(self.asked):
            self._fill(f"page-of-{key}", str(self.places.get(key, "–")), CONTENTS_SIZE_PT)
        super().save()

    def _fill(self, name: str, words: str, size_pt: float, *, left: bool = False) -> None:
        self.beginForm(name, -_PLACE_PT, -4, _PLACE_PT, 12)
        self.setFont(BODY, size_pt)
        (self.drawString if left else self.drawRightString)(0, 0, words)
        self.endForm()


def build(story: Sequence[Flowable], stamp: Stamp) -> bytes:
    """The story on pages; identical bytes for an identical story and stamp."""
    out = io.BytesIO()
    margin, paper = stamp.margin_pt, stamp.size
    document = BaseDocTemplate(
        out, pagesize=paper, invariant=1, title=stamp.title, author=stamp.author, creator="planner",
        subject=f"Storage design, {stamp.revision_words}", keywords=_keywords(stamp), lang="en", pageCompression=1,
        displayDocTitle=True, leftMargin=margin, rightMargin=margin, topMargin=TOP_PT, bottomMargin=FOOT_PT,
    )  # fmt: skip
    frame = Frame(
        margin, FOOT_PT, WIDTH_PT, stamp.room_pt,
        leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0,
    )  # fmt: skip

    def before(canvas: Canvas, _: object) -> None:
        """Before a page's text: date the file, and draw the mark of a draft."""
        _set_date(canvas, stamp.created)
        if stamp.watermark:
            _watermark(canvas, stamp)

    def after(canvas: Canvas, _: object) -> None:
        """After a page's text: draw its foot."""
        _footer(canvas, stamp)

    document.addPageTemplates([PageTemplate("page", [frame], onPage=before, onPageEnd=after)])
    document.build(list(story), canvasmaker=DocumentCanvas)
    return out.getvalue()


def _keywords(stamp: Stamp) -> list[str]:
    """What a search over files should find the document by."""
    letterhead = stamp.letterhead
    told = (
        "storage", "AI training", "bill of materials", stamp.state, stamp.hash_text,
        letterhead.customer, letterhead.classification,
    )  # fmt: skip
    return [clean(word, limit=LONGEST) for word in told if word]


def _set_date(canvas: Canvas, created: datetime) -> None:
    offset = created.strftime("%z")
    zone = f"{offset[:3]}'{offset[3:5]}'" if offset else "Z"
    canvas.setDateFormatter(lambda *_: f"D:{created:%Y%m%d%H%M%S}{zone}")


def _watermark(canvas: Canvas, stamp: Stamp) -> None:
    """The word from corner to corner, below everything else; as large as the page allows."""
    width, height = stamp.size
    word = clean(stamp.watermark, limit=40)
    size = min(120.0, 660.0 / max(width_pt(word, BOLD, 1.0), 1.0))
    canvas.saveState()
    canvas.setFillColor(HexColor("#EEEEEE"))
    canvas.translate(width / 2, height / 2)
    canvas.rotate(55)
    draw_text(canvas, (-width_pt(word, BOLD, size) / 2, -size / 3), word, BOLD, size)
    canvas.restoreState()


def _footer(canvas: Canvas, stamp: Stamp) -> None:
    """Design and page number; revision, state and hash; what the sender adds."""
    left, right = stamp.margin_pt, stamp.size[0] - stamp.margin_pt
    canvas.saveState()
    canvas.setStrokeColor(HexColor("#999999"))
    canvas.setFillColor(HexColor("#333333"))
    canvas.line(left, FOOT_PT - 4 * mm, right, FOOT_PT - 4 * mm)
    room = WIDTH_PT - 25 * mm
    ends = f" · {stamp.state} · {stamp.hash_text}"
    revision = fitted(
        sentence(stamp.revision_words), BODY, FOOTER_SIZE_PT, room - width_pt(ends, BODY, FOOTER_SIZE_PT)
    )
    for number, line in enumerate((stamp.title, revision + ends, _sender(stamp))):
        at = (left, FOOT_PT - (7.5 + 3.4 * number) * mm)
        draw_text(canvas, at, fitted(line, BODY, FOOTER_SIZE_PT, room), BODY, FOOTER_SIZE_PT)
    words = f"Page {canvas.getPageNumber()} of\u00a0"
    at = (right - 22 * mm, FOOT_PT - 7.5 * mm)
    draw_text(canvas, at, words, BODY, FOOTER_SIZE_PT)
    if isinstance(canvas, DocumentCanvas):
        canvas.page_total((at[0] + width_pt(words, BODY, FOOTER_SIZE_PT), at[1]))
    canvas.restoreState()


def _sender(stamp: Stamp) -> str:
    """Who may read it, that the figures are no offer, until when they hold, whom to ask."""
    letterhead = stamp.letterhead
    valid = f"valid until {letterhead.valid_until:%Y-%m-%d}" if letterhead.valid_until else ""
    parts = (
        clean(letterhead.classification, limit=60).upper(), clean(letterhead.disclaimer, limit=100), valid,
        clean(letterhead.contact, limit=100),
    )  # fmt: skip
    return " · ".join(part for part in parts if part)
