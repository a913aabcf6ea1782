"""Scripts that run from right to left: which way a text runs, and how it stands on the line.

Text is kept and broken into lines in the order in which it is read. Only a finished line is shaped (Arabic
letters join) and brought into the order in which it is drawn, because a break moves what stands beside it.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Literal

from arabic_reshaper import ArabicReshaper  # type: ignore[import-untyped]
from bidi.algorithm import get_display  # type: ignore[import-untyped]

Direction = Literal["L", "R"]

_ARABIC = "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff"
_RIGHT = re.compile(f"[\u0590-\u05ff\ufb1d-\ufdff\ufe70-\ufeff{_ARABIC}]")
_STRAY_JOINER = re.compile(f"(?<![{_ARABIC}])\u200c|\u200c(?![{_ARABIC}])")
_MARKS = {"L": "\u200e", "R": "\u200f"}
_PAIRS = {")": "(", "]": "[", "}": "{"}


def runs_right(text: str) -> bool:
    """Whether a text has a letter that is read from right to left."""
    return not text.isascii() and _RIGHT.search(text) is not None


def without_stray_joiners(text: str) -> str:
    """A text in which the sign that keeps Arabic letters apart stands between such letters alone."""
    return _STRAY_JOINER.sub("", text) if "\u200c" in text else text


def direction(text: str) -> Direction:
    """Which way a paragraph runs: that of its first letter, as Unicode's algorithm has it."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in ("R", "AL"):
            return "R"
        if kind == "L":
            return "L"
    return "L"


@functools.lru_cache(maxsize=4096)
def displayed(text: str, way: Direction) -> str:
    """A line as it is drawn from left to right: Arabic letters joined, right-to-left parts turned round.

    Args:
        text: One line, in the order in which it is read.
        way: Direction of the paragraph that it belongs to.
    """
    shaped = _shaper().reshape(text)
    turned: str = get_display(_with_marks(shaped, way), base_dir=way)
    return turned.translate(dict.fromkeys(map(ord, _MARKS.values())))


@functools.lru_cache(maxsize=1)
def _shaper() -> ArabicReshaper:
    # Vowel signs are part of the text. Of the ligatures only lam with alef is one that every font has to have.
    return ArabicReshaper({"delete_harakat": False, "ARABIC LIGATURE ALLAH": False})


def _with_marks(text: str, way: Direction) -> str:
    """The same with a direction mark on both sides of each paired bracket.

    Unicode's rule N0 keeps the brackets of a pair together; the library does without it and would set
    "(2026)" after a Latin word apart. Unpaired brackets are left to the other rules.
    """
    sides = _bracket_sides(text, way)
    if not sides:
        return text
    return "".join(
        f"{_MARKS[sides[at]]}{character}{_MARKS[sides[at]]}" if at in sides else character
        for at, character in enumerate(text)
    )


def _bracket_sides(text: str, way: Direction) -> dict[int, Direction]:
    """Direction of each bracket that has its partner, by its place in the text."""
    sides: dict[int, Direction] = {}
    opened: list[int] = []
    for at, character in enumerate(text):
        if character in _PAIRS.values():
            opened.append(at)
        elif character in _PAIRS and opened and text[opened[-1]] == _PAIRS[character]:
            start = opened.pop()
            side = _pair_side(text[:start], text[start + 1 : at], way)
            if side is not None:
                sides[start] = sides[at] = side
    return sides


def _pair_side(before: str, inside: str, way: Direction) -> Direction | None:
    """Direction of a pair: the paragraph's if anything inside has it, else that of what stands before."""
    context = [way, *_strong(before, way)]
    found = set(_strong(inside, context[-1]))
    if not found:
        return None
    if way in found:
        return way
    return context[-1]


def _strong(text: str, start: Direction) -> list[Direction]:
    """Directions of the letters and numbers; a European number has that of the letter before it."""
    found: list[Direction] = []
    last = start
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in ("L", "R", "AL"):
            last = "L" if kind == "L" else "R"
            found.append(last)
        elif kind in ("EN", "AN"):
            found.append(last if kind == "EN" else "R")
    return found
