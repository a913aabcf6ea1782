"""Sensitivity: each uncertain input at both of its ends while all others stay as they are, the widest swing first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.errors import PlannerError, must_be
from planner.core.quantity import Quantity, given
from planner.core.units import format_value
from planner.explore.outcomes import DECISIONS, RESULTS, Progress, base_of, inside, outcomes, result_of
from planner.explore.own_ranges import checked
from planner.explore.ranges import PRICES, Range, default_ranges
from planner.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd

_COUNTS = {"drive_count": "Drives", "unit_count": "Storage nodes", "rack_count": "Racks"}
_WORDS = {
    "binding": "The hot tier is sized by",
    "save_binding": "The save is as slow as",
    "blockers": "Blockers",
}


@dataclass(frozen=True, slots=True)
class Ends:
    """Designs at the ends of all ranges, one pair of rows for each range after today's.

    Attributes:
        ranges: The uncertain inputs.
        table: First row as today, then the low and the high end of each range.
        storage_fixed: The storage is kept as it is planned today.
    """

    ranges: tuple[Range, ...]
    table: pd.DataFrame
    storage_fixed: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """One input of a tornado.

    Attributes:
        range: The input.
        low: The result with the input at its low end.
        high: The result with it at its high end.
        swing: How far the lowest and the highest of these two and today's lie apart; unknown where one of them
            cannot be computed.
        changes: What else is decided or counted otherwise between the two ends.
    """

    range: Range
    low: Quantity
    high: Quantity
    swing: Quantity
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tornado:
    """How far each uncertain input alone moves one result.

    Attributes:
        column: Column of the result.
        label: What it is called.
        today: The result as the design stands, with prices in the middle of their ranges.
        bars: The inputs that have a range, the widest swing first.
        measure_first: The widest one that nobody has measured and that moves the result at all.
    """

    column: str
    label: str
    today: Quantity
    bars: tuple[Bar, ...]
    measure_first: Bar | None

    @property
    def advice(self) -> str:
        """What to measure first and what it would change, as one sentence or two."""
        bar = self.measure_first
        if bar is None:
            return f"No unmeasured input moves {inside(self.label)} in its range."
        item = bar.range
        first = "Ask for quotes first" if item.factor == PRICES else "Measure first"
        told = (
            f"{first}: {item.label}. Over its range of {item.span} {inside(self.label)} is {bar.low} at the low end, "
            f"{bar.high} at the high one, and {self.today} today."
        )
        if bar.changes:
            told += f" It would also change: {'; '.join(bar.changes)}."
        return told


def ends_of(
    scenario: Scenario,
    ranges: Sequence[Range] | None = None,
    *,
    catalogue: Catalogue | None = None,
    storage_fixed: bool = False,
    progress: Progress | None = None,
) -> Ends:
    """The design with each uncertain input at its low and at its high end, the others as they are.

    Args:
        scenario: The design.
        ranges: The uncertain inputs; the published ranges if not given.
        catalogue: The rows to choose from; the shipped ones if not given.
        storage_fixed: Keep the storage as it is planned today instead of sizing it anew.
        progress: As `sweep_rows` takes it.

    Raises:
        PlannerError: A range cannot be, or the design cannot be planned. Nothing has been computed then.
    """
    rows = chosen_catalogue(catalogue)
    known = default_ranges(scenario, rows) if ranges is None else checked(ranges, scenario)
    wide = [item for item in known if not item.certain]
    count = 1 + 2 * len(wide)
    values = {item.path: np.full(count, item.value) for item in wide}
    for place, item in enumerate(wide):
        values[item.path][1 + 2 * place] = item.low
        values[item.path][2 + 2 * place] = item.high
    base = base_of(scenario, rows, storage_fixed=storage_fixed)
    if not values:
        raise PlannerError("no input has a range; give one of them a low and a high end", field="range")
    table = outcomes(base, known, values, catalogue=rows, progress=progress)
    return Ends(tuple(known), table, storage_fixed)


def tornado(ends: Ends, column: str) -> Tornado:
    """How far each input moves one result, sorted.

    Raises:
        PlannerError: There is no such result.
    """
    must_be(ends, Ends, field="ends", form="what ends_of gives")
    result = result_of(column)
    table = ends.table
    today = _figure(table, 0, column, "as the design stands")
    bars = []
    wide = [item for item in ends.ranges if not item.certain]
    for place, item in enumerate(wide):
        low, high = 1 + 2 * place, 2 + 2 * place
        if high < len(table):
            bars.append(_bar(table, item, low, high, (column, today)))
    bars.sort(key=lambda bar: -bar.swing.number if bar.swing.known else math.inf)
    first = next((bar for bar in bars if not bar.range.measured and _moves(bar, today)), None)
    return Tornado(column, result.label, today, tuple(bars), first)


def _moves(bar: Bar, today: Quantity) -> bool:
    """Whether an input moves the result by more than the rounding of its numbers."""
    size = abs(today.number) if today.known else 0.0
    return not bar.swing.known or bar.swing.number > 1e-9 * size


def _bar(table: pd.DataFrame, item: Range, low: int, high: int, asked: tuple[str, Quantity]) -> Bar:
    column, today = asked
    ends = [
        _figure(table, row, column, f"{item.label} {item.text(value)}, all else as it is")
        for row, value in ((low, item.low), (high, item.high))
    ]
    result = RESULTS[column]
    three = np.array([today.number, *(end.number for end in ends)])
    swing = given(
        float(np.max(three) - np.min(three)),
        result.unit,
        f"Swing by {item.label}",
        source=f"{inside(result.label)} at both ends and today, the largest less the smallest",
        grade="inferred",
    )
    return Bar(item, ends[0], ends[1], swing, tuple(_changes(table, low, high)))


def _figure(table: pd.DataFrame, row: int, column: str, told: str) -> Quantity:
    result = RESULTS[column]
    source = f"the plan, {told}"
    return given(float(table[column].iloc[row]), result.unit, result.label, source=source, grade="inferred")


def _changes(table: pd.DataFrame, low: int, high: int) -> list[str]:
    """What is decided otherwise at the two ends."""
    found = []
    names = {column: name for column, (name, _) in DECISIONS.items()} | _WORDS
    for column, name in names.items():
        words = [str(table[column].iloc[row]) or "none" for row in (low, high)]
        if words[0] != words[1]:
            found.append(f"{name} {words[0]} at the low end, {words[1]} at the high one")
    for column, name in _COUNTS.items():
        numbers = [float(table[column].iloc[row]) for row in (low, high)]
        if numbers[0] != numbers[1] and all(map(math.isfinite, numbers)):
            shown = [format_value(number, "count") for number in numbers]
            found.append(f"{name} {shown[0]} at the low end, {shown[1]} at the high one")
    for row, end in ((low, "low"), (high, "high")):
        if str(table["reason"].iloc[row]):
            found.append(f"no plan at the {end} end: {table['reason'].iloc[row]}")
    return found
