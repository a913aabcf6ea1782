"""Random designs within the bounds of their inputs, computed together and one by one."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from planner import load_catalogue
from planner.core.tracing import Tree
from planner.explore.designs import Designs, Table
from planner.explore.results import FIGURE_COLUMNS, TEXT_COLUMNS
from planner.inputs import Input, flatten, inputs_for
from planner.scenario import Scenario

CATALOGUE = load_catalogue()
SAME = 1e-9
NUMBERS = ("number", "count")
OUTCOMES = [name for name in TEXT_COLUMNS if name != "reason"]
"""Columns of words that are the same for all designs that went the same way."""


def numeric(scenario: Scenario) -> list[Input]:
    """Every input that takes a number."""
    return [entry for entry in inputs_for(len(scenario.jobs)) if entry.kind in NUMBERS]


def drawn(rng: np.random.Generator, entry: Input, today: float | None, count: int) -> NDArray[np.float64]:
    """Values of an input: both ends, half of the rest within 20 times of today's, half anywhere."""
    low, high = entry.low or 0.0, entry.high or 1e6
    near = today or math.sqrt(max(low, high * 1e-9) * high)
    half = (count - 2) // 2
    values = np.concatenate(
        [
            [low, high],
            near * np.exp(rng.uniform(-math.log(20), math.log(20), half)),
            np.exp(rng.uniform(math.log(max(low, high * 1e-9)), math.log(high), count - 2 - half)),
        ]
    )
    if entry.kind == "count":
        values, low = np.rint(values), math.ceil(low)
    return np.clip(values, low, high)


def columns(
    rng: np.random.Generator, scenario: Scenario, entries: list[Input], count: int
) -> dict[str, NDArray[np.float64]]:
    """Values of several inputs, row by row."""
    today = flatten(scenario)
    return {entry.path: rng.permutation(drawn(rng, entry, today[entry.path], count)) for entry in entries}


def telling(table: Table, count: int, values: NDArray[np.float64]) -> list[int]:
    """Rows that tell most: those of the least and the largest value, and one of each outcome.

    Rows with the same words went the same way through the plan, so that one formula made all their figures.
    """
    outcomes: dict[tuple[object, ...], int] = {}
    for row in range(count):
        words = (table.text("reason", row) != "", *(table.text(name, row) for name in OUTCOMES))
        outcomes.setdefault(words, row)
    rows = [int(values.argmin()), int(values.argmax()), *(outcomes[words] for words in sorted(outcomes))]
    return list(dict.fromkeys(rows))


def differences(
    scenario: Scenario,
    numbers: Mapping[str, NDArray[np.float64]],
    *,
    most: int | None = None,
    most_ways: int | None = None,
) -> list[str]:
    """What of a block of designs is not as their plans say.

    Args:
        scenario: What the designs have in common.
        numbers: What they differ in.
        most: So many rows are planned by themselves, those that tell most; all if not given.
        most_ways: More plans than that should not be followed for all of them.
    """
    designs = Designs(scenario, CATALOGUE, {}, numbers)
    first = next(iter(numbers.values()))
    count = len(first)
    together, found = designs.table(numbers, count), []
    if most_ways is not None and (ways := ends_of(designs.tree)) > most_ways:
        found.append(f"{list(numbers)}: {ways} ways")
    for row in range(count) if most is None else telling(together, count, first)[:most]:
        found += unlike(designs, numbers, together, row)
    return found


def ends_of(tree: Tree) -> int:
    """How many plans were followed."""
    return 1 if tree.end else sum(map(ends_of, tree.branches.values()))


def unlike(
    designs: Designs, numbers: Mapping[str, NDArray[np.float64]], together: Table, row: int
) -> list[str]:
    """What of one row is not as its plan says."""
    alone, changes = Table.empty(1), designs.changes(numbers, row)
    designs.plan_one(alone, 0, changes)
    found = []
    for name in FIGURE_COLUMNS:
        ours, plans = together.figures[name][row], alone.figures[name][0]
        if not np.isclose(ours, plans, rtol=SAME, atol=0, equal_nan=True):
            found.append(f"{changes}: {name} {ours} for {plans}")
    for name in TEXT_COLUMNS:
        if together.text(name, row) != alone.text(name, 0):
            found.append(f"{changes}: {name} {together.text(name, row)} for {alone.text(name, 0)}")
    return found
