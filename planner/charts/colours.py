"""One colour for each meaning, the same in every chart: the palette of Okabe and Ito, told apart by all."""

from __future__ import annotations

from typing import Literal

Meaning = Literal["checkpoint", "dataset", "cache", "network", "power", "money"]

COLOURS: dict[Meaning, str] = {
    "checkpoint": "#0072B2",
    "dataset": "#009E73",
    "cache": "#56B4E9",
    "network": "#CC79A7",
    "power": "#E69F00",
    "money": "#D55E00",
}
"""Colour of a bar or line that shows this; every bar also has an outline in the colour of the text."""

VERDICTS: dict[str, tuple[str, str]] = {
    "pass": ("#117733", "#44BB99"),
    "warning": ("#7A6A00", "#EEDD88"),
    "fail": ("#882255", "#FFAABB"),
    "unknown": ("#555555", "#BBBBBB"),
}
"""Colour of a verdict on a light and on a dark ground; a verdict is always written as a word too."""

SHADES: tuple[str, ...] = ("#5F5F5F", "#8C8C8C", "#BDBDBD")
"""Greys for capacity that holds nothing yet, darkest first."""

PATTERNS: tuple[str, ...] = ("", "/", ".", "x", "-", "+")
"""Fill patterns that part bars of one colour."""


def ink(*, dark: bool) -> str:
    """Colour of text, axes and outlines."""
    return "#F2F2F2" if dark else "#1F1F1F"


def grid(*, dark: bool) -> str:
    """Colour of grid lines."""
    return "#4A4A4A" if dark else "#D9D9D9"


def verdict_colour(verdict: str, *, dark: bool) -> str:
    """Colour of a verdict on this ground."""
    return VERDICTS[verdict][1 if dark else 0]
