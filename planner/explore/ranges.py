"""Uncertain inputs: how far each may lie from what the design states, and how samples of it are drawn.

An input is either uncertain (nobody knows it exactly: a failure rate, a price) or a decision (somebody sets it:
a cadence, a drive, a protection). The rows of `data/rules/uncertainty.csv` name the uncertain ones; everything
else is a decision, which is swept and never drawn.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from planner.catalogue import Catalogue, Row, chosen_catalogue, default_folder, load_catalogue, read_rows
from planner.catalogue.columns import Column, choice, measure, text
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.core.units import format_range, format_value
from planner.inputs import Input, input_at, value_at
from planner.plan import plan
from planner.scenario import Scenario

Samples = NDArray[np.float64]

DISTRIBUTIONS = ("value", "uniform", "log-uniform", "triangular", "pert", "lognormal")
"""A value is not uncertain at all; the ends of a lognormal are its P10 and P90, those of all others bound it."""
PRICE_LEVEL = "prices.level"
"""Where between the low and the high price every line of the bill lies: no input of a scenario."""
MIDDLE_PRICE = 0.5
PRICES = "prices"
"""The factor of all prices: they rise and fall together, or the band of a sum of them would be too narrow."""
_ANY_JOB = "jobs.*."
_FILE = "rules/uncertainty.csv"
_P90_SIGMAS = 1.2815515655446004
"""Standard deviations between the median and P90 of a normal distribution."""
_STATE, _SIZE = ".model.bytes_per_parameter_bytes", ".model.parameter_count"
"""Ends of the paths of a job's bytes per parameter, and of the parameters by which the guide gives a range of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainRow(Row):
    """A row of the file: an uncertain input and its published range; a value where none is published."""

    path: Annotated[str, text("path", required=True)]
    distribution: Annotated[str, choice("distribution", DISTRIBUTIONS, required=True)]
    low: Annotated[Quantity | None, measure("low", "low", label_column="path")]
    typical: Annotated[Quantity | None, measure("typical", "", label_column="path")]
    high: Annotated[Quantity | None, measure("high", "high", label_column="path")]
    unit: Annotated[str, Column("unit", lambda cell: cell.value, required=True)]
    factor: Annotated[str, text("factor")]


@dataclass(frozen=True, slots=True)
class Range:
    """What is known of one uncertain input.

    Attributes:
        path: Path of the input, or `PRICE_LEVEL`.
        label: What it is called.
        unit: Key of its unit.
        today: Its value in the design.
        distribution: One of `DISTRIBUTIONS`.
        low: Low end.
        typical: Likeliest value, where the distribution has one.
        high: High end.
        factor: Inputs of one factor are drawn with the same numbers.
        measured: It has been measured: whoever asks what to measure first is not sent to it again.
        source: Where the range comes from.
        grade: How well it is known.
        note: Conditions of the range.
    """

    path: str
    label: str
    unit: str
    today: float
    distribution: str
    low: float
    typical: float
    high: float
    factor: str
    measured: bool = False
    source: str = ""
    grade: str = ""
    note: str = ""

    @property
    def certain(self) -> bool:
        """Whether there is one value alone."""
        return self.distribution == "value" or self.low == self.high

    @property
    def value(self) -> float:
        """The one value of a range that has no width, and else the value in the design."""
        if self.distribution == "value":
            return self.typical
        return self.low if self.certain else self.today

    def text(self, value: float) -> str:
        """A value of the input as it is printed."""
        return format_value(value, self.unit or "count")

    @property
    def span(self) -> str:
        """The range as it is printed: "5 to 20 min"."""
        return format_range(self.low, self.high, self.unit or "count")

    def quantiles(self, share: Samples) -> Samples:
        """Values below which these shares of all draws lie, inside what the input may be."""
        if self.certain:
            return np.full(np.shape(share), self.value)
        found = _QUANTILES[self.distribution](self, share)
        entry = input_at(self.path)
        if entry is None:
            return found
        lowest, highest = bounds(entry)
        found = np.clip(found, lowest, highest)
        return np.rint(found) if entry.kind == "count" else found


def bounds(entry: Input) -> tuple[float, float]:
    """The smallest and the largest number that an input may be."""
    low = -math.inf if entry.low is None else entry.low
    return low, math.inf if entry.high is None else entry.high


# --- shapes ---------------------------------------------------------------------------------------------------


def _uniform(item: Range, share: Samples) -> Samples:
    return item.low + share * (item.high - item.low)


def _log_uniform(item: Range, share: Samples) -> Samples:
    found: Samples = item.low * (item.high / item.low) ** share
    return found


def _triangular(item: Range, share: Samples) -> Samples:
    width, rise = item.high - item.low, item.typical - item.low
    rising = item.low + np.sqrt(share * width * rise)
    falling = item.high - np.sqrt((1.0 - share) * width * (item.high - item.typical))
    found: Samples = np.where(share * width < rise, rising, falling)
    return found


def _pert(item: Range, share: Samples) -> Samples:
    """A beta distribution whose mean is a sixth of both ends and four of the likeliest value."""
    # Half a second that no other shape needs.
    from scipy.special import betaincinv  # type: ignore[import-untyped]  # noqa: PLC0415

    width = item.high - item.low
    first = 1.0 + 4.0 * (item.typical - item.low) / width
    last = 1.0 + 4.0 * (item.high - item.typical) / width
    found: Samples = item.low + width * betaincinv(first, last, share)
    return found


def _lognormal(item: Range, share: Samples) -> Samples:
    from scipy.special import ndtri  # noqa: PLC0415 - as above

    low, high = math.log(item.low), math.log(item.high)
    found: Samples = np.exp((low + high) / 2 + (high - low) / 2 / _P90_SIGMAS * ndtri(share))
    return found


_QUANTILES: Mapping[str, Callable[[Range, Samples], Samples]] = {
    "uniform": _uniform,
    "log-uniform": _log_uniform,
    "triangular": _triangular,
    "pert": _pert,
    "lognormal": _lognormal,
}


# --- which inputs, and how far they reach ---------------------------------------------------------------------


@functools.lru_cache(maxsize=1)
def uncertain_rows() -> Mapping[str, UncertainRow]:
    """The rows of the file by id.

    Raises:
        PlannerError: A row is not as declared, or its ends are not in order; the line names file and row.
    """
    content = (default_folder() / _FILE).read_text(encoding="utf-8")
    rows = read_rows(UncertainRow, content, file=_FILE, sources=load_catalogue().sources)
    for row in rows.values():
        ends = (row.low, row.typical, row.high)
        if row.distribution == "value":
            wrong = any(ends)
        else:
            wrong = not all(ends) or [e.number for e in ends if e] != sorted(e.number for e in ends if e)
        if wrong:
            raise PlannerError(f"{_FILE} {row.id}: low, typical and high are not an ascending range")
    return rows


def uncertain_paths(scenario: Scenario) -> dict[str, UncertainRow]:
    """The uncertain inputs of a scenario by path, each job's own among them."""
    found: dict[str, UncertainRow] = {}
    for row in uncertain_rows().values():
        if row.path.startswith(_ANY_JOB):
            for index in range(len(scenario.jobs)):
                found[f"jobs.{index}.{row.path.removeprefix(_ANY_JOB)}"] = row
        else:
            found[row.path] = row
    return found


def default_ranges(scenario: Scenario, catalogue: Catalogue | None = None) -> tuple[Range, ...]:
    """Every uncertain input of a scenario with its published range around what the design states.

    A range is published for the usual value. Where the design states one outside of it, the range keeps its
    ratio to that value; on the guide's basis the state of a parameter has the guide's own range.

    Raises:
        PlannerError: The design cannot be planned.
    """
    rows = chosen_catalogue(catalogue)
    derived = plan(scenario, rows).auto
    found = []
    for path, row in uncertain_paths(scenario).items():
        today = _today(scenario, path, derived)
        if today is not None:
            found.append(_range(scenario, path, row, today, rows))
    return tuple(found)


def _today(scenario: Scenario, path: str, derived: Mapping[str, Any]) -> float | None:
    """The value of an input in the design: the stated one, or what AUTO came to; None if there is none."""
    if path == PRICE_LEVEL:
        return MIDDLE_PRICE
    stated = value_at(scenario, path)
    if stated is not None:
        return float(stated)
    item = derived.get(path)
    return item.number if isinstance(item, Quantity) and item.known else None


def _range(scenario: Scenario, path: str, row: UncertainRow, today: float, catalogue: Catalogue) -> Range:
    entry = input_at(path)
    label = "Equipment prices" if entry is None else entry.label
    if path.startswith("jobs.") and len(scenario.jobs) > 1:
        label += f", {scenario.jobs[int(path.split('.')[1])].name}"
    made = Range(
        path=path,
        label=label,
        unit="fraction" if entry is None else entry.unit,
        today=today,
        distribution=row.distribution,
        low=today,
        typical=today,
        high=today,
        factor=row.factor or row.id,
        source=row.source,
        grade=row.grade,
        note=row.notes,
    )
    if path.endswith(_STATE) and scenario.basis == "guide":
        return _guide_state(made, catalogue.guide_model(value_at(scenario, path.replace(_STATE, _SIZE))))
    if row.low is None or row.typical is None or row.high is None:
        return made
    low, high = row.low.number, row.high.number
    if not low <= today <= high:
        least, most = (-math.inf, math.inf) if entry is None else bounds(entry)
        scale = today / row.typical.number
        low, high = max(low * scale, least), min(high * scale, most)
        made = replace(made, note=f"the design's {made.text(today)} keeps the ratios of the published range")
    return replace(made, low=min(low, today), high=max(high, today))


def _guide_state(made: Range, model: Any) -> Range:
    low, high = model.low_bytes.number, model.high_bytes.number
    return replace(
        made,
        distribution="uniform",
        low=min(low, made.today),
        high=max(high, made.today),
        source=model.source,
        grade=model.grade,
        note=f"the guide's range for {model.label}",
    )
