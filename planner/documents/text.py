"""Fonts of the documents, and what makes any text printable in them."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from planner.catalogue import default_folder
from planner.documents.direction import Direction, direction, displayed, runs_right, without_stray_joiners

BODY, BOLD, WIDE = "Body", "Body-Bold", "Wide"
FILES = {BODY: "DejaVuSans.ttf", BOLD: "DejaVuSans-Bold.ttf", WIDE: "DroidSansFallback.ttf"}
"""Latin, Greek, Cyrillic, Hebrew, Arabic and signs in two weights; Chinese, Japanese and Korean in one."""
REPLACEMENT = "\ufffd"
LONGEST = 200
"""Characters that are kept of a text which a user typed."""
_LAST_PLAIN = 0xFFFF


@functools.lru_cache(maxsize=1)
def fonts() -> dict[str, frozenset[int]]:
    """Register the fonts once; the characters that each of them has."""
    covered = {}
    for name, file in FILES.items():
        # Shaping is done here, line by line; the library's own would need a further package.
        font = TTFont(name, str(default_folder() / "fonts" / file), shapable=False)
        pdfmetrics.registerFont(font)
        covered[name] = frozenset(font.face.charToGlyph)
    pdfmetrics.registerFontFamily(BODY, normal=BODY, bold=BOLD, italic=BODY, boldItalic=BOLD)
    return covered


def clean(text: object, *, limit: int | None = None) -> str:
    """A text that prints: composed, on one line, without characters that control or have no glyph.

    Args:
        text: Anything; its text is taken.
        limit: Characters to keep; what is cut off shows as an ellipsis.
    """
    raw = str(text)
    if limit is not None and len(raw) > limit:
        raw = raw[: limit - 1] + "…"
    if raw.isascii() and raw.isprintable():
        return raw
    composed = unicodedata.normalize("NFC", raw.encode("utf-8", "ignore").decode("utf-8"))
    return without_stray_joiners("".join(map(_printable, composed)))


@functools.lru_cache(maxsize=4096)
def _printable(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\u00a0\u202f\u2007":
        return "\u00a0"
    if category in ("Zs", "Zl", "Zp") or character in "\t\n\r\v\f":
        return " "
    if character == "\u200c":
        return character
    if category in ("Cc", "Cf", "Cs") or "\ufe00" <= character <= "\ufe0f":
        return ""
    has_glyph = any(ord(character) in covered for covered in fonts().values())
    if has_glyph and ord(character) <= _LAST_PLAIN:
        return character
    return _named(character, category)


def _named(character: str, category: str) -> str:
    """A sign that no font has: an emoji by its name, its skin colour not at all, anything else as a mark."""
    if category == "Sk":
        return ""
    name = unicodedata.name(character, "") if category == "So" else ""
    return f"[{name.lower()}]" if name else REPLACEMENT


def shown(text: str, way: Direction | None = None) -> str:
    """A clean line as it is drawn: itself, unless it or its paragraph runs from right to left.

    Args:
        text: One line, in the order in which it is read.
        way: Direction of its paragraph; None takes the line's own.
    """
    if way != "R" and not runs_right(text):
        return text
    drawn = displayed(text, way or direction(text))
    covered = fonts()[BODY] | fonts()[WIDE]
    if covered.issuperset(map(ord, drawn)):
        return drawn
    return "".join(c if ord(c) in covered else unicodedata.normalize("NFKC", c) for c in drawn)


def runs(text: str, font: str = BODY) -> Iterator[tuple[str, str]]:
    """Pieces of a clean text with the font of each: the wanted one, or the first that has the glyphs."""
    covered = fonts()
    if text.isascii() or covered[font].issuperset(map(ord, text)):
        yield font, text
        return
    order = (font, BODY, WIDE)

    def choose(character: str) -> str:
        """The first font that has a character; the wanted one where none has."""
        return next((name for name in order if ord(character) in covered[name]), font)

    for name, characters in groupby(text, key=choose):
        yield name, "".join(characters)


@functools.lru_cache(maxsize=16_384)
def width_pt(text: str, font: str, size_pt: float) -> float:
    """Width of a clean text on one line, in points."""
    return float(sum(pdfmetrics.stringWidth(piece, name, size_pt) for name, piece in runs(shown(text), font)))


def fitted(text: str, font: str, size_pt: float, room_pt: float) -> str:
    """A clean text cut to a width in points; what is cut off shows as an ellipsis."""
    if width_pt(text, font, size_pt) <= room_pt:
        return text
    kept = text
    while kept and width_pt(kept + "…", font, size_pt) > room_pt:
        kept = kept[:-1]
    return kept + "…"


def draw_text(
    canvas: Canvas,
    at: tuple[float, float],
    text: str,
    font: str,
    size_pt: float,
    *,
    way: Direction | None = None,
) -> None:
    """A clean text on one line, from its left end, in the fonts that its characters need."""
    line = canvas.beginText(*at)
    for name, piece in runs(shown(text, way), font):
        line.setFont(name, size_pt)
        line.textOut(piece)
    canvas.drawText(line)
