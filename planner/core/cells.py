"""Cells of a CSV that a spreadsheet opens: what it would calculate stays a text."""

from __future__ import annotations

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters by which a spreadsheet takes a text for something to calculate, those of full width too."""


def as_text(cell: str) -> str:
    """The cell with an apostrophe before what a spreadsheet would calculate; blanks before the sign hide nothing."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) or cell.lstrip().startswith(FORMULA_STARTS) else cell


def as_written(cell: str) -> str:
    """The cell without the apostrophe that `as_text` put before it."""
    return cell[1:] if cell.startswith("'") and as_text(cell[1:]) != cell[1:] else cell
