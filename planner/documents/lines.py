"""A paragraph of plain text in any script: broken as it is read, drawn as it is written.

Nothing in it is markup, so no name that someone typed can be taken for any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable

from planner.documents.direction import Direction, direction, runs_right
from planner.documents.text import draw_text, width_pt

_WIDE = "\u2e80-\u312f\u3190-\u31ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60\uff66-\uff9f"
"""Chinese and Japanese, between whose signs a line may break; Korean breaks between its words."""
_NEVER_FIRST = (
    "\\-、。，．：；？！）］｝」』】〕〉》〗〙〛ーぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ々〻ヽヾゝゞ・％…‥"  # noqa: RUF001
    ",.!?:;)\\]}”’"
)
_NEVER_LAST = "（［｛「『【〔〈《〖〘〚(\\[{“‘￥＄"  # noqa: RUF001
_HAS_WIDE = re.compile(f"[{_WIDE}]")
_BETWEEN = re.compile(
    f"(?<=[{_WIDE}])(?<![{_NEVER_LAST}])(?=[^{_NEVER_FIRST}])|(?<=[^{_NEVER_LAST}])(?=[{_WIDE}])(?![{_NEVER_FIRST}])"
)
_JOINTS = re.compile("(?<=[_./,;:\\-–\u00a0])(?=.)")
"""Where a word that is longer than the line is best broken."""


class Lines(Flowable):
    """Plain text that breaks into lines and over pages; from right to left where its first letter does."""

    def __init__(
        self, words: str | Sequence[str], style: ParagraphStyle, *, way: Direction | None = None
    ) -> None:
        """Keep the words.

        Args:
            words: Clean text; several are lines of their own.
            style: Font, size, leading, colour, indent and space around.
            way: Direction; None takes that of the text.
        """
        super().__init__()
        self.parts = (words,) if isinstance(words, str) else tuple(words)
        self.style = style
        self.way: Direction = way or direction(" ".join(self.parts))
        self.mixed = any(map(runs_right, self.parts))
        self.width = self.height = 0.0
        self.rows: list[str] = []

    @property
    def words(self) -> str:
        """The text as it is read."""
        return " ".join(self.parts)

    def wrap(self, available_width: float, _: float) -> tuple[float, float]:
        """Break into lines of that width."""
        if available_width != self.width or not self.rows:
            room = available_width - self.style.leftIndent
            self.rows = [
                line
                for part in self.parts
                for line in broken(part, self.style.fontName, self.style.fontSize, room)
            ]
        self.width, self.height = available_width, self.style.leading * len(self.rows)
        return self.width, self.height

    def split(self, available_width: float, available_height: float) -> list[Flowable]:
        """The lines that fit, and the others."""
        self.wrap(available_width, available_height)
        count = int((available_height + 1e-6) // self.style.leading)
        if count <= 0:
            return []
        if count >= len(self.rows):
            return [self]
        return [Lines(part, self.style, way=self.way) for part in (self.rows[:count], self.rows[count:])]

    def draw(self) -> None:
        """Draw line by line, each from the side on which its reader begins."""
        canvas: Any = self.canv
        style = self.style
        canvas.setFillColor(style.textColor)
        y = self.height - style.fontSize
        for row in self.rows:
            x = style.leftIndent
            if self.way == "R":
                x = self.width - width_pt(row, style.fontName, style.fontSize)
            way = self.way if self.mixed else None
            draw_text(canvas, (x, y), row, style.fontName, style.fontSize, way=way)
            y -= style.leading


def broken(text: str, font: str, size_pt: float, room_pt: float) -> list[str]:
    """A clean text in lines of at most that width, in the order in which they are read; at least one."""
    if width_pt(text, font, size_pt) <= room_pt:
        return [text]
    lines: list[str] = []
    line, used = "", 0.0
    for gap, piece, wide in _pieces(text, font, size_pt, room_pt):
        space = gap if line else ""
        more = (width_pt(space, font, size_pt) if space else 0.0) + wide
        if line and used + more > room_pt:
            lines.append(line)
            line, used = piece, wide
        else:
            line, used = line + space + piece, used + more
    return [*lines, line] if line or not lines else lines


def _pieces(text: str, font: str, size_pt: float, room_pt: float) -> Iterator[tuple[str, str, float]]:
    """What a line may not break: what stands before it in the text, itself, and its width."""
    wide_text = _HAS_WIDE.search(text) is not None
    for word in text.split(" "):
        gap = " "
        for unit in _BETWEEN.split(word) if wide_text else (word,):
            for piece in _cut(unit, font, size_pt, room_pt):
                if piece:
                    yield gap, piece, width_pt(piece, font, size_pt)
                    gap = ""


def _cut(word: str, font: str, size_pt: float, room_pt: float) -> Iterator[str]:
    """A word as it is, or in parts that fit where it is longer than a line."""
    if width_pt(word, font, size_pt) <= room_pt:
        yield word
        return
    for part in _JOINTS.split(word):
        if width_pt(part, font, size_pt) <= room_pt:
            yield part
            continue
        kept, used = "", 0.0
        for character in part:
            wide = width_pt(character, font, size_pt)
            if kept and used + wide > room_pt:
                yield kept
                kept, used = "", 0.0
            kept, used = kept + character, used + wide
        yield kept
