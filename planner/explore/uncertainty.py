"""Uncertainty: many designs with all uncertain inputs drawn at once, and what can be said of their results.

The same seed draws the same numbers for an input whatever the design and whatever else is uncertain, so that two
designs meet the same world in each draw. Draws are a Latin hypercube: of so many draws of an input one lies in
each of so many equal shares of its range. Inputs of one factor, such as all prices, share their draws.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.errors import PlannerError, shorten
from planner.core.units import counted, format_number
from planner.explore.outcomes import Progress, base_of, outcomes, result_of
from planner.explore.own_ranges import checked, must_be_ranges
from planner.explore.ranges import Range, Samples, default_ranges
from planner.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd

SEED = 1
COUNT = 10_000
LEAST_COUNT, MOST_COUNT = 100, 200_000
"""Draws of a study: fewer say nothing of a tenth, more take longer than they say more."""
MOST_SEED = 2**32 - 1


@dataclass(frozen=True, slots=True)
class Study:
    """Designs at the draws of all uncertain inputs.

    Attributes:
        scenario: The design, with its storage stated where it is kept.
        ranges: The uncertain inputs.
        seed: What the draws follow from.
        asked_count: Draws that were asked for; the table has fewer where the work was stopped.
        table: A row for each draw.
        today: The results of the design as it stands, with prices in the middle of their ranges, and its choices.
        storage_fixed: The storage is kept as it is planned today.
    """

    scenario: Scenario
    ranges: tuple[Range, ...]
    seed: int
    asked_count: int
    table: pd.DataFrame
    today: pd.Series
    storage_fixed: bool

    @property
    def count(self) -> int:
        """Draws that were computed."""
        return len(self.table)

    @property
    def told(self) -> str:
        """Where its figures come from."""
        return f"{counted(self.count, 'draw')} of the uncertain inputs, seed {self.seed}"

    def values(self, column: str) -> Samples:
        """A result in every draw; NaN where it cannot be computed.

        Raises:
            PlannerError: There is no such result.
        """
        result_of(column)
        found: Samples = self.table[column].to_numpy(float)
        return found


# --- drawing --------------------------------------------------------------------------------------------------


def draws(ranges: Sequence[Range], *, seed: int, count: int) -> dict[str, Samples]:
    """Values of every range that has a width, by its path.

    Args:
        ranges: The uncertain inputs.
        seed: What the draws follow from.
        count: How many there are.

    Raises:
        PlannerError: The seed or the count is outside of what is allowed.
    """
    _check_size(seed, count)
    shares: dict[str, Samples] = {}
    found = {}
    for item in ranges:
        if not item.certain:
            if item.factor not in shares:
                shares[item.factor] = _shares(item.factor, seed, count)
            found[item.path] = item.quantiles(shares[item.factor])
    return found


def _shares(factor: str, seed: int, count: int) -> Samples:
    """Numbers between 0 and 1, one in each of so many equal parts, in an order of the factor's own."""
    rng = np.random.default_rng([seed, zlib.crc32(factor.encode())])
    found: Samples = (rng.permutation(count) + rng.random(count)) / count
    return found


def _check_size(seed: int, count: int) -> None:
    for name, value, low, high in (
        ("seed", seed, 0, MOST_SEED),
        ("samples", count, LEAST_COUNT, MOST_COUNT),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise PlannerError(
                f"{name}: {shorten(value)} is not allowed; use a whole number from {format_number(low, None)} to "
                f"{format_number(high, None)}",
                field=name,
            )


def study(
    scenario: Scenario,
    ranges: Sequence[Range] | None = None,
    *,
    seed: int = SEED,
    count: int = COUNT,
    catalogue: Catalogue | None = None,
    storage_fixed: bool = False,
    progress: Progress | None = None,
) -> Study:
    """The design at many draws of all its uncertain inputs.

    Args:
        scenario: The design.
        ranges: The uncertain inputs; the published ranges if not given.
        seed: What the draws follow from: the same seed gives the same study.
        count: Draws.
        catalogue: The rows to choose from; the shipped ones if not given.
        storage_fixed: Keep the storage as it is planned today: how will what is bought perform. Else each draw is
            sized anew: what will have to be bought.
        progress: Told after each block how many draws are done; the study ends with what it has when it
            returns False.

    Raises:
        PlannerError: A range, the seed or the count cannot be, or the design cannot be planned. Nothing has been
            computed then.
    """
    rows = chosen_catalogue(catalogue)
    known = default_ranges(scenario, rows) if ranges is None else checked(ranges, scenario)
    values = draws(known, seed=seed, count=count)
    if not values:
        raise PlannerError("no input has a range; give one of them a low and a high end", field="range")
    base = base_of(scenario, rows, storage_fixed=storage_fixed)
    today = {item.path: np.full(1, item.value) for item in known if not item.certain}
    now = outcomes(base, known, today, catalogue=rows).iloc[0]
    if str(now["reason"]):
        raise PlannerError(str(now["reason"]))
    table = outcomes(base, known, values, catalogue=rows, progress=progress)
    return Study(base, tuple(known), seed, count, table, now, storage_fixed)


def shared_ranges(
    ranges: Sequence[Range], scenario: Scenario, catalogue: Catalogue | None = None
) -> tuple[Range, ...]:
    """The ranges of one design for another one: the same world, and what only the other has as published.

    An input that is one value in the first keeps the other's own value.

    Raises:
        PlannerError: The other design cannot be planned.
    """
    must_be_ranges(ranges)
    own = {item.path: item for item in default_ranges(scenario, catalogue)}
    for item in ranges:
        if item.path in own:
            mine = own[item.path]
            kept = mine.today if item.distribution == "value" and item.typical == item.today else item.typical
            own[item.path] = Range(
                **{name: getattr(item, name) for name in Range.__slots__}
                | {"today": mine.today, "label": mine.label, "typical": kept}
            )
    return tuple(own.values())
