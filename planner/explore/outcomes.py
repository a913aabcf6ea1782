"""What designs come to when their uncertain inputs are as they are: the results that ranges are asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.errors import PlannerError, nearest, shorten
from planner.core.units import YEAR_S
from planner.explore.limits import with_storage_fixed
from planner.explore.ranges import MIDDLE_PRICE, PRICE_LEVEL, Range, Samples
from planner.explore.results import LABELS, unit_of
from planner.explore.sweep import sweep_rows
from planner.plan import plan
from planner.scenario import Scenario
from planner.sizing import cost, term

if TYPE_CHECKING:
    import pandas as pd

Better = Literal["higher", "lower", ""]
Progress = Callable[[int, int], bool | None]
_BLOCK_ROWS = 4096
"""Designs between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Result:
    """One result of a design.

    Attributes:
        label: What it is called.
        unit: Key of its unit.
        better: Which of two values an architect would rather have; empty where it is no matter of better.
    """

    label: str
    unit: str
    better: Better


_OF_A_SWEEP: Mapping[str, Better] = {
    "lost_usd_per_year": "lower",
    "goodput_fraction": "higher",
    "stall_s": "lower",
    "save_s": "lower",
    "checkpoint_bytes": "",
    "write_bytes_per_s": "higher",
    "read_bytes_per_s": "higher",
    "usable_bytes": "",
    "raw_bytes": "",
    "drive_count": "lower",
    "unit_count": "lower",
    "typical_w": "lower",
    "rack_count": "lower",
    "planned_life_s": "higher",
    "wear_life_s": "higher",
    "loss_fraction": "lower",
}
"""Figures of a sweep that are results too, and which of two values is better."""
RESULTS: Mapping[str, Result] = {
    "capital_usd": Result("Cost of the equipment", "USD", "lower"),
    "term_usd": Result("Equipment, power and support over the term", "USD", "lower"),
    "whole_usd": Result("Cost over the term with idle GPU time", "USD", "lower"),
    **{column: Result(LABELS[column], unit_of(column), better) for column, better in _OF_A_SWEEP.items()},
}
"""Every result that is asked about, by its column."""
DECISIONS: Mapping[str, tuple[str, str]] = {
    "transport": ("Transport", "network.transport"),
    "architecture": ("Architecture", "storage.hot.architecture"),
    "platform": ("Platform", "storage.hot.platform_id"),
    "protection": ("Protection", "storage.hot.protection_id"),
}
"""What AUTO decides, by the column of a sweep: its name, and the input that states it instead."""


def result_of(column: str) -> Result:
    """The result of a column.

    Raises:
        PlannerError: There is no such result; the line names the closest one.
    """
    found = RESULTS.get(column) if isinstance(column, str) else None
    if found is None:
        close = nearest(column, RESULTS) or f"; one of {', '.join(RESULTS)}"
        raise PlannerError(f"no result “{shorten(column)}”{close}", field="result")
    return found


def inside(label: str) -> str:
    """A label as it stands inside a sentence: without its capital, unless it begins with an abbreviation."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def base_of(scenario: Scenario, catalogue: Catalogue, *, storage_fixed: bool) -> Scenario:
    """The design whose uncertain inputs vary: sized anew for each value, or with its storage as planned today.

    Raises:
        PlannerError: The design cannot be planned.
    """
    if not storage_fixed:
        return scenario
    return with_storage_fixed(scenario, plan(scenario, catalogue))


def outcomes(
    scenario: Scenario,
    ranges: Sequence[Range],
    values: Mapping[str, Samples],
    *,
    catalogue: Catalogue | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Designs with some values of the uncertain inputs, planned by a sweep.

    Args:
        scenario: The design.
        ranges: The uncertain inputs.
        values: A value for each design by the path of the range, all of one length; a range without values
            keeps its one value.
        catalogue: The rows to choose from; the shipped ones if not given.
        progress: As `sweep_rows` takes it.

    Returns:
        A row for each design in their order, with the columns of a sweep and those of `RESULTS`; fewer rows
        where the progress ended it.

    Raises:
        PlannerError: As `sweep_rows`.
    """
    count = len(next(iter(values.values())))
    columns: dict[str, Any] = {}
    for item in ranges:
        if item.path == PRICE_LEVEL:
            continue
        if item.path in values:
            columns[item.path] = values[item.path]
        elif item.value != item.today:
            columns[item.path] = np.full(count, item.value)
    if not columns:
        # Only the prices of equipment vary, which a sweep does not know: any input as it is makes its rows.
        path = "prices.gpu_usd_per_hour"
        columns[path] = np.full(count, scenario.prices.gpu_usd_per_hour)
    table = sweep_rows(
        scenario, columns, catalogue=chosen_catalogue(catalogue), progress=progress, block_rows=_BLOCK_ROWS
    )
    level = next((item.value for item in ranges if item.path == PRICE_LEVEL), MIDDLE_PRICE)
    levels = values.get(PRICE_LEVEL, np.full(count, level))[: len(table)]
    return _with_costs(table, levels, scenario.prices.term_years)


def _with_costs(table: pd.DataFrame, levels: Samples, term_years: float) -> pd.DataFrame:
    """The table with what it costs at the level that prices have in each row."""
    costs = {
        f"{kind}_usd": cost.between_usd(
            table[f"{kind}_low_usd"].to_numpy(float),
            high_usd=table[f"{kind}_high_usd"].to_numpy(float),
            level_fraction=levels,
        )
        for kind in ("capital", "term")
    }
    lost = term.over_term_usd(table["lost_usd_per_year"].to_numpy(float), term_s=term_years * YEAR_S)
    return table.assign(**{PRICE_LEVEL: levels}, **costs, whole_usd=costs["term_usd"] + lost)
