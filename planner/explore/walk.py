"""Large spaces: walked one choice at a time from several designs, and what no design can be below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.bom import bill_of_materials
from planner.catalogue import Catalogue
from planner.core.errors import PlannerError
from planner.core.units import format_value
from planner.explore.designs import check_together, placed
from planner.explore.ranking import Group, Measure
from planner.explore.space import Part, Space
from planner.plan import Calculation, calculate
from planner.scenario import Scenario
from planner.sections.cost import cost_plan

if TYPE_CHECKING:
    from planner.explore.best import _Search

HARDWARE = ("platform", "drive", "protection")
"""Dimensions that change the hot tier alone: jobs, node ports and colder tiers are the same whatever they are."""
NAMED = (*HARDWARE, "transport", "cold", "link", "interval")
MOST_OTHERS = 4_000
"""Combinations of the other dimensions that a floor is computed for."""
STARTS = 6
"""Designs of each part that a walk begins from."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What no design of a space can be below in one objective.

    Attributes:
        value: The figure.
        reason: Why it holds.
    """

    measure: Measure
    value: float
    reason: str

    def __str__(self) -> str:
        """The floor in words."""
        return f"{self.measure.label} cannot be below {format_value(self.value, self.measure.unit)}: {self.reason}"


def walked(search: _Search) -> None:
    """Walk every part of the space from several designs, one choice at a time, until no choice is better."""
    first = 0
    known: dict[int, tuple[float, ...]] = {}
    for part in search.space.parts:
        for start in _starts(part):
            _walk(search, part, first, start, known)
            if search.stopped:
                return
        first += part.count


def _starts(part: Part) -> Iterator[tuple[int, ...]]:
    """Designs spread over a part: its first, its last, and some between."""
    spread = dict.fromkeys(np.linspace(0, part.count - 1, STARTS).astype(np.int64).tolist())
    for place in spread:
        yield tuple(int(step) for step in np.unravel_index(place, part.shape))


def _walk(
    search: _Search, part: Part, first: int, start: tuple[int, ...], known: dict[int, tuple[float, ...]]
) -> None:
    here = start
    best: tuple[float, ...] = (np.inf,)
    improved = True
    while improved and not search.stopped:
        improved = False
        for axis, dimension in enumerate(part.dimensions):
            line = [(*here[:axis], step, *here[axis + 1 :]) for step in range(len(dimension.options))]
            places = [first + int(np.ravel_multi_index(steps, part.shape)) for steps in line]
            for steps, place in zip(line, places, strict=True):
                if place not in known:
                    known[place] = _scores(search, part, place, steps)
            for place, steps in sorted(
                zip(places, line, strict=True), key=lambda pair: (known[pair[0]], pair[0])
            ):
                if not known[place] < best or search.stopped:
                    break
                if not isinstance(search.confirmed(place), str):
                    here, best, improved = steps, known[place], True
                    break


def _scores(search: _Search, part: Part, place: int, steps: tuple[int, ...]) -> tuple[float, ...]:
    """Objectives of one design; infinite where it cannot be ranked or breaks a limit."""
    options = [dimension.options[step] for dimension, step in zip(part.dimensions, steps, strict=True)]
    edits = {path: value for option in options for path, value in option.edits.items()}
    (scores,) = search.take(Group(place, edits, {}, 1))
    return tuple(np.where(np.isnan(scores), np.inf, scores).tolist())


# --- what no design can be below --------------------------------------------------------------------------------


def floor_of(space: Space, measure: Measure, catalogue: Catalogue) -> Floor | None:
    """What no design of a space can be below; None where that cannot be proved.

    Jobs, node ports and colder tiers do not depend on platform, drive and protection of the hot tier: the code
    computes them before it, from other inputs. So for every combination of the other dimensions they are computed
    once, and the least of them is below every design of the space.
    """
    parts = {"cost": _colder_cost, "power": _colder_power, "rack-units": _colder_units, "stall": _node_stages}
    unproved = any(dimension.name not in NAMED for dimension in space.dimensions)
    if measure.name not in parts or unproved:
        return None
    values = []
    for scenario in _others(space):
        try:
            check_together(scenario)
            values.append(parts[measure.name](calculate(scenario, catalogue)))
        except (PlannerError, ValueError):
            continue  # with another platform it may be computed: then nothing is proved
    if not values or len(values) < _count(space) or not np.isfinite(values).all():
        return None
    what = "copy and node ports alone" if measure.name == "stall" else "the colder tiers alone"
    return Floor(measure, float(min(values)), f"{what} take that much with any hot tier of the space")


def _other_dimensions(space: Space) -> list[Any]:
    return [dimension for dimension in space.dimensions if dimension.name not in HARDWARE]


def _count(space: Space) -> int:
    return int(np.prod([len(dimension.options) for dimension in _other_dimensions(space)], dtype=np.int64))


def _others(space: Space) -> Iterator[Scenario]:
    """The base with every combination of what is not the hot tier's hardware."""
    dimensions = _other_dimensions(space)
    if _count(space) > MOST_OTHERS:
        return
    for steps in np.ndindex(*(len(dimension.options) for dimension in dimensions)):
        scenario = space.base
        for dimension, step in zip(dimensions, steps, strict=True):
            for path, value in dimension.options[step].edits.items():
                scenario = placed(scenario, path.split("."), value)
        yield scenario


def _colder_cost(done: Calculation) -> float:
    lines = bill_of_materials(done.context, done.tiers, done.network, done.facility)
    names = {tier.name for tier in done.tiers[1:]}
    own = [line.extended_high_usd for line in lines if line.priced and line.group in names]
    money = cost_plan(done.context, done.tiers[1:], done.facility, ([], own, 0))
    return money.capital_high_usd.number


def _colder_power(done: Calculation) -> float:
    rows = done.facility.rows[1 : len(done.tiers)]
    return sum(row.total_typical_w.number for row in rows if row.total_typical_w.known)


def _colder_units(done: Calculation) -> float:
    rows = done.facility.rows[1 : len(done.tiers)]
    return sum(row.total_ru.number for row in rows if row.total_ru.known)


def _node_stages(done: Calculation) -> float:
    """Copy and node ports: a synchronous save is as slow as its slowest stage; another one stands still for less."""
    main = done.main
    if main.job.policy.mode != "sync" or done.context.scenario.storage.hot.protection_at is not None:
        return float("nan")
    stages = main.save.stages
    return max(stages["copy out of GPU memory"].number, stages["node ports"].number)
