"""By what designs are ranked and limited, and the figures of a design without what only explains it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.bom import bill_of_materials
from planner.catalogue import Catalogue
from planner.core.errors import PlannerError, nearest, shorten
from planner.core.quantity import Quantity
from planner.core.tracing import TraceError
from planner.core.units import format_value, parse_value
from planner.explore.designs import Designs, Failure, Outcome, Table, check_together, placed
from planner.explore.results import FIGURE_COLUMNS, LABELS, unit_of
from planner.explore.space import Dimension, Part, Space
from planner.inputs import input_at
from planner.plan import Plan, calculate
from planner.scenario import Scenario
from planner.sections.cost import cost_plan
from planner.sections.together import together_plan

LOOPED_ROWS = 12
"""So many designs that differ in numbers alone are computed one by one before following one pays."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure that designs are ranked or limited by.

    Attributes:
        name: How it is named in a request.
        column: Column of a sweep.
        figure: Where it stands in a plan.
        objective: Whether designs can be ranked by it: less is better.
    """

    name: str
    column: str
    figure: Callable[[Plan], Quantity]
    objective: bool = True

    @property
    def label(self) -> str:
        """What it is called."""
        return LABELS[self.column]

    @property
    def unit(self) -> str:
        """Key of its unit."""
        return unit_of(self.column)


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("cost", "capital_high_usd", lambda p: p.cost.capital_high_usd),
        Measure("cost-low", "capital_low_usd", lambda p: p.cost.capital_low_usd),
        Measure(
            "term",
            "term_high_usd",
            lambda p: p.cost.term_high_usd,
        ),
        Measure("power", "typical_w", lambda p: p.facility.typical_w),
        Measure("peak-power", "max_w", lambda p: p.facility.max_w),
        Measure("stall", "stall_s", lambda p: p.main.goodput.stall_s),
        Measure("save", "save_s", lambda p: p.main.save.save_s),
        Measure("rack-units", "rack_units_ru", lambda p: p.facility.rack_units_ru),
        Measure("racks", "rack_count", lambda p: p.facility.rack_count),
        Measure("lost", "lost_usd_per_year", lambda p: p.together.lost_usd_per_year),
        Measure("drives", "drive_count", lambda p: p.hot.drive_count),
        Measure("nodes", "unit_count", lambda p: p.hot.unit_count),
        Measure(
            "goodput",
            "goodput_fraction",
            lambda p: p.main.goodput.goodput_fraction,
            False,
        ),
        Measure("usable", "usable_bytes", lambda p: p.hot.usable_bytes, False),
    )
}
OBJECTIVES = tuple(name for name, measure in MEASURES.items() if measure.objective)
COLUMNS = tuple(measure.column for measure in MEASURES.values())
MONEY = ("capital_low_usd", "capital_high_usd", "term_low_usd", "term_high_usd")
_LIMIT = re.compile(r"\s*([a-z-]+)\s*(<=|>=|<|>|=)\s*(.+?)\s*")


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit that a design must keep: a figure at most, or at least, so much."""

    measure: Measure
    value: float
    at_most: bool = True

    def __str__(self) -> str:
        """The limit in words: "Power at most 20 kW"."""
        word = "at most" if self.at_most else "at least"
        return f"{self.measure.label} {word} {format_value(self.value, self.measure.unit)}"

    def broken(self, number: Any) -> Any:
        """Where figures break it; a figure that is not known breaks it too. Takes a number or an array."""
        slack = 1e-9 * abs(self.value)
        return np.logical_not(number <= self.value + slack if self.at_most else number >= self.value - slack)


def objectives_of(names: Sequence[str]) -> tuple[Measure, ...]:
    """Objectives by name, the leading one first.

    Raises:
        PlannerError: There is none, one is not known, or one stands there twice.
    """
    if not names:
        raise PlannerError(
            f"a search needs an objective; use one of {', '.join(OBJECTIVES)}", field="objective"
        )
    for name in names:
        if name not in OBJECTIVES:
            raise PlannerError(
                f"no objective “{shorten(name)}”{nearest(name, OBJECTIVES)}; use one of {', '.join(OBJECTIVES)}",
                field="objective",
            )
    if len(set(names)) != len(names):
        raise PlannerError("the same objective stands there twice", field="objective")
    return tuple(MEASURES[name] for name in names)


def bounds_of(texts: Iterable[str]) -> tuple[Bound, ...]:
    """Limits as they are typed: "power<=20 kW", "goodput>=97 %".

    Raises:
        PlannerError: A text has another form, names no figure, or its value is no number above 0.
    """
    return tuple(_bound(text) for text in texts)


def _bound(text: str) -> Bound:
    match = _LIMIT.fullmatch(text[:200])
    if match is None or match.group(2) == "=":
        raise PlannerError(
            f"limit “{shorten(text)}”: write it as power<=20 kW or goodput>=97 %", field="limit"
        )
    name, sign, typed = match.groups()
    if name not in MEASURES:
        raise PlannerError(
            f"limit “{shorten(text)}”: no figure “{shorten(name)}”{nearest(name, MEASURES)}; use one of "
            f"{', '.join(MEASURES)}",
            field="limit",
        )
    measure = MEASURES[name]
    value = parse_value(typed, measure.unit, field=f"limit {name}")
    most = 1.0 if measure.unit == "fraction" else math.inf
    if not 0 < value <= most:
        allowed = "above 0" + (" to 100 %" if most == 1.0 else "")
        raise PlannerError(
            f"limit {name}: {format_value(value, measure.unit)} is not allowed; use {allowed}", field="limit"
        )
    return Bound(measure, value, sign.startswith("<"))


# --- figures ---------------------------------------------------------------------------------------------------


def sized(scenario: Scenario, catalogue: Catalogue) -> dict[str, Any]:
    """All measures of a design by column, as its plan has them; without what only explains the plan.

    Where a part of the hot tier has no price, no watts or no height, the sums of the plan leave it out: such a
    design cannot be ranked by them, and they are unknown here.

    Raises:
        PlannerError: The design cannot be computed.
    """
    done = calculate(scenario, catalogue)
    lines = bill_of_materials(done.context, done.tiers, done.network, done.facility)
    priced = [line for line in lines if line.priced]
    prices = [line.extended_low_usd for line in priced], [line.extended_high_usd for line in priced]
    money = cost_plan(done.context, done.tiers, done.facility, (*prices, len(lines) - len(priced)))
    facility, main, hot = done.facility, done.main, done.tiers[0]
    found = {
        "capital_low_usd": money.capital_low_usd,
        "capital_high_usd": money.capital_high_usd,
        "term_high_usd": money.term_high_usd,
        "typical_w": facility.typical_w,
        "max_w": facility.max_w,
        "rack_units_ru": facility.rack_units_ru,
        "rack_count": facility.rack_count,
        "stall_s": main.goodput.stall_s,
        "save_s": main.save.save_s,
        "goodput_fraction": main.goodput.goodput_fraction,
        "lost_usd_per_year": together_plan(done.jobs).lost_usd_per_year,
        "drive_count": hot.drive_count,
        "unit_count": hot.unit_count,
        "usable_bytes": hot.usable_bytes,
    }
    own = [line for line in lines if line.group == hot.name]
    unpriced = money.price_set.value != "guide" and not all(line.priced for line in own)
    return {name: item.value for name, item in found.items()} | dict.fromkeys(
        _unknown(done.facility.rows[0], unpriced=unpriced), math.nan
    )


def _unknown(row: Any, *, unpriced: bool) -> list[str]:
    """Columns whose sums leave a part of the hot tier out."""
    missing = list(MONEY[:2] + MONEY[3:]) if unpriced else []
    if not (row.total_typical_w.known and row.total_max_w.known):
        missing += ["typical_w", "max_w", "rack_count"]
    return missing + ([] if row.total_ru.known else ["rack_units_ru", "rack_count"])


class Sized(Designs):
    """Designs that differ in numbers alone, by their measures: one calculation followed for all of them."""

    def _run(self) -> Outcome | Failure:
        try:
            check_together(self.open_scenario)
            return Outcome(sized(self.open_scenario, self.rows), {}, ())
        except (PlannerError, ValueError) as error:
            return Failure(str(error))

    @property
    def rows(self) -> Catalogue:
        """The catalogue of the calculation that is followed."""
        return self.catalogue

    def plan_one(self, table: Table, row: int, changes: Mapping[str, Any]) -> None:
        """The measures of one design by itself."""
        scenario = self.open_scenario
        for path, value in changes.items():
            scenario = placed(scenario, path.split("."), value)
        table.put(row, dict.fromkeys(FIGURE_COLUMNS, math.nan), {"reason": ""})
        try:
            check_together(scenario)
            table.put(row, sized(scenario, self.catalogue), {})
        except (PlannerError, ValueError) as error:
            table.put(row, {}, {"reason": str(error)})


@dataclass(frozen=True, slots=True)
class Group:
    """Designs of a part that differ in numbers alone.

    Attributes:
        first: Place of the first in the space; the others follow it.
        fixed: Values by path that all have.
        numbers: The numbers by path, one for each design.
        count: How many there are.
    """

    first: int
    fixed: dict[str, Any]
    numbers: dict[str, NDArray[np.float64]]
    count: int


def groups(space: Space) -> Iterable[Group]:
    """All designs of a space in their order, in groups that differ in numbers alone."""
    first = 0
    for part in space.parts:
        words = [dimension for dimension in part.dimensions if not dimension.number_path]
        numbers = _spread(part)
        count = math.prod(len(d.options) for d in part.dimensions if d.number_path)
        shared = {p: v for d in part.dimensions if d.number_path for p, v in d.options[0].edits.items()}
        for options in product(*(dimension.options for dimension in words)):
            fixed = {path: value for option in options for path, value in option.edits.items()}
            fixed |= {path: value for path, value in shared.items() if path not in numbers}
            yield Group(first, fixed, numbers, count)
            first += count


def _spread(part: Part) -> dict[str, NDArray[np.float64]]:
    """Numbers by path for every combination of the dimensions that are numbers, the last changing fastest."""
    open_ones: list[Dimension] = [dimension for dimension in part.dimensions if dimension.number_path]
    if not open_ones:
        return {}
    columns = [[float(o.edits[d.number_path]) for o in d.options] for d in open_ones]
    grids = np.meshgrid(*columns, indexing="ij")
    return {d.number_path: grid.ravel() for d, grid in zip(open_ones, grids, strict=True)}


def table_of(space: Space, group: Group, catalogue: Catalogue) -> Table:
    """The measures of a group of designs."""
    if group.count > LOOPED_ROWS and group.numbers:
        designs = Sized(space.base, catalogue, group.fixed, group.numbers)
        try:
            return designs.table(group.numbers, group.count)
        except (TraceError, TypeError):
            return designs.one_by_one(group.numbers, group.count)
    return _one_by_one(space.base, group, catalogue)


def _one_by_one(base: Scenario, group: Group, catalogue: Catalogue) -> Table:
    table, checked = Table.empty(group.count), base
    for path, value in group.fixed.items():
        base = placed(base, path.split("."), value)
    whole = {
        path for path in group.numbers if (entry := input_at(path)) is not None and entry.kind == "count"
    }
    for row in range(group.count):
        scenario = base
        for path, column in group.numbers.items():
            number = int(column[row]) if path in whole else float(column[row])
            scenario = placed(scenario, path.split("."), number)
        try:
            check_together(scenario, checked=checked)
            table.put(row, sized(scenario, catalogue), {})
        except (PlannerError, ValueError) as error:
            table.put(row, {}, {"reason": str(error)})
    return table
