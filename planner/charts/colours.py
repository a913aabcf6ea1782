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
