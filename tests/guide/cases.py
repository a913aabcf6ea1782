"""The guide's figures as its file states them, and what holds a plan against them."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from planner.core.units import GB, GBIT_PER_S, KB, MB, PB, TB
from planner.guide import GuideRow
from planner.plan import Plan
from planner.sections.saves import TransportRow
from tests.plan import changes as plans

with (Path(__file__).parent / "guide_cases.csv").open(encoding="utf-8", newline="") as file:
    CASES = {row["id"]: row for row in csv.DictReader(file)}

FACTOR = {
    "GB/s": GB, "us": 1e-6, "s": 1.0, "Gb/s": GBIT_PER_S, "drives": 1.0, "TB": TB, "GB": GB, "MB": MB,
    "percent": 0.01, "KB": KB, "paths": 1.0, "workers": 1.0, "Tb/s": 1000 * GBIT_PER_S, "tiers": 1.0,
    "USD/TB": 1.0, "USD": 1.0, "per day": 1.0, "TB/day": TB, "PB/year": PB, "raw/usable": 1.0, "W": 1.0,
    "DWPD": 1.0, "oversubscription": 1.0,
}  # fmt: skip
"""Planner's unit for each unit of the file."""

EXACT = 1e-9
PRINTED = {"G62": 1e-3}
"""Where the file itself is rounded: how far."""


def ends(number: str) -> tuple[float, float]:
    """Low and high of a row in the planner's unit; open ends are infinite."""
    row = CASES[number]
    factor = FACTOR[row["unit"]]
    low = float(row["low"]) * factor if row["low"] else -math.inf
    return low, float(row["high"]) * factor if row["high"] else math.inf


def planned(name: str = plans.GUIDE, **changes: Any) -> Plan:
    """Plan of a template with inputs changed; a path is written with `__` for its dots."""
    if not changes:
        return plans.shipped(name)
    return plans.planned(name, {key.replace("__", "."): value for key, value in changes.items()})


def reaches(number: str, low: float, high: float) -> None:
    """The planner's range is the guide's."""
    tolerance = PRINTED.get(number, EXACT)
    assert (low, high) == (
        pytest.approx(ends(number)[0], rel=tolerance),
        pytest.approx(ends(number)[1], rel=tolerance),
    )


def inside(number: str, *values: float) -> None:
    """Every value lies in the guide's range."""
    low, high = ends(number)
    for value in values:
        assert low * (1 - EXACT) <= value <= high * (1 + EXACT)


def row_of(result: Plan, number: str) -> GuideRow:
    """What the guide check of a plan says of a figure."""
    return next(row for row in result.guide if row.id == number)


def transport_row(result: Plan, name: str) -> TransportRow:
    """A transport in the plan's table of all."""
    return next(row for row in result.transport if row.name == name)


def turns_at(number: str, subject: str, make: Callable[[float], Plan], *, step: float = 0.01) -> None:
    """The guide check of a design turns from inside to outside just where the file says it does.

    Args:
        number: Row of the file that holds the range.
        subject: Row of the guide check that is looked at.
        make: Plan of a design whose figure is the given value.
        step: How far beyond an end is outside, as a share of it.
    """
    for end, beyond in zip(ends(number), (1 - step, 1 + step), strict=True):
        if math.isinf(end):
            continue
        at, off = row_of(make(end), subject), row_of(make(end * beyond), subject)
        assert at.design.number == pytest.approx(end, rel=1e-6)
        assert (at.verdict, at.ratio) == ("inside", 1.0)
        assert off.verdict == "outside"
        assert off.ratio == pytest.approx(beyond, rel=1e-6)


def counts_turn_at(number: str, subject: str, make: Callable[[int], Plan]) -> None:
    """As `turns_at`, for whole numbers."""
    low, high = ends(number)
    verdicts = {count: row_of(make(count), subject).verdict for count in (low - 1, low, high, high + 1)}
    assert list(verdicts.values()) == ["outside", "inside", "inside", "outside"]
