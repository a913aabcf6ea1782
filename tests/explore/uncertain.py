"""Ranges for the tests of uncertainty, made by hand."""

from __future__ import annotations

from planner.explore.ranges import Range


def made(
    low: float, high: float, typical: float | None = None, *, kind: str = "uniform", path: str = "x"
) -> Range:
    """A range of no particular input; its factor is its path, so that it is drawn by itself."""
    middle = (low + high) / 2 if typical is None else typical
    return Range(path, path, "count", middle, kind, low, middle, high, path)
