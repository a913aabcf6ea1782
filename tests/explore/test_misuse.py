"""Arguments of a wrong type: every public function says in one line what is wrong, and never how it broke."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from planner import (
    PlannerError,
    Scenario,
    calculate,
    flip_points,
    headline,
    key_figures,
    load_catalogue,
    plan,
    scenario_from_dict,
    scenario_from_json,
    scenario_to_json,
    sweep,
    sweep_rows,
)
from planner.explore import all_limits, limits
from planner.explore.best import Request, best
from planner.explore.growth import Demand, growth
from planner.explore.holding import holding
from planner.explore.neighbours import neighbours
from planner.explore.ranges import default_ranges
from planner.explore.sensitivity import ends_of, tornado
from planner.explore.steps import gauges, steps
from planner.explore.uncertainty import shared_ranges, study
from planner.explore.verdicts import against, band, bands, blockers, drivers, feasible, verdicts

START, ROWS = Scenario(), load_catalogue()
NODES, INTERVAL, DRIVE = "cluster.node_count", "jobs.0.checkpoint.interval_s", "storage.hot.drive_id"
DONE = plan(START, ROWS)
RANGES = default_ranges(START, ROWS)
ODD: dict[str, Any] = {
    "nothing": None,
    "number": -3.5,
    "nan": float("nan"),
    "flag": True,
    "text": "no such thing",
    "bytes": b"8",
    "empty list": [],
    "list of texts": ["cluster.node_count"],
    "tuple": (1, 2),
    "mapping": {"node_count": 8},
    "empty mapping": {},
    "object": object(),
    "array": np.array([1.0, 2.0]),
    "column": pd.Series([1.0, 2.0]),
    "function": lambda: 1,
}


def ranged(**changes: Any) -> Any:
    return [replace(RANGES[1], **changes), *RANGES[2:]]


SCENARIO_FIRST: dict[str, Callable[[Any], object]] = {
    "plan": lambda odd: plan(odd, ROWS),
    "calculate": lambda odd: calculate(odd, ROWS),
    "sweep": lambda odd: sweep(odd, {NODES: [8]}),
    "sweep_rows": lambda odd: sweep_rows(odd, {NODES: [8]}),
    "flip_points": lambda odd: flip_points(odd, NODES, 8, 16),
    "holding": holding,
    "limits": lambda odd: limits(odd, ROWS),
    "all_limits": lambda odd: all_limits(odd, ROWS),
    "best": best,
    "growth": lambda odd: growth(odd, Demand(2)),
    "ends_of": ends_of,
    "study": study,
    "default_ranges": default_ranges,
    "scenario_to_json": scenario_to_json,
}
CATALOGUE_SECOND: dict[str, Callable[[Any], object]] = {
    "plan": lambda odd: plan(START, odd),
    "calculate": lambda odd: calculate(START, odd),
    "limits": lambda odd: limits(START, odd),
    "all_limits": lambda odd: all_limits(START, odd),
}
CATALOGUE_OR_SHIPPED: dict[str, Callable[[Any], object]] = {
    "sweep": lambda odd: sweep(START, {NODES: [8]}, catalogue=odd),
    "sweep_rows": lambda odd: sweep_rows(START, {NODES: [8]}, catalogue=odd),
    "flip_points": lambda odd: flip_points(START, NODES, 8, 16, catalogue=odd),
    "holding": lambda odd: holding(START, catalogue=odd),
    "best": lambda odd: best(START, catalogue=odd),
    "growth": lambda odd: growth(START, Demand(2), catalogue=odd),
    "ends_of": lambda odd: ends_of(START, catalogue=odd),
    "study": lambda odd: study(START, catalogue=odd),
    "default_ranges": lambda odd: default_ranges(START, odd),
}
AXES: dict[str, Callable[[Any], object]] = {
    "axes": lambda odd: sweep(START, odd),
    "columns": lambda odd: sweep_rows(START, odd),
    "value of a count": lambda odd: sweep(START, {NODES: [8, odd]}),
    "value of a number": lambda odd: sweep(START, {INTERVAL: [odd]}),
    "value of a row": lambda odd: sweep(START, {DRIVE: [odd]}),
    "value of a flag": lambda odd: sweep(START, {"network.lossless_possible": [None, odd]}),
    "value of a word": lambda odd: sweep(START, {"jobs.0.checkpoint.mode": [odd]}),
    "value listed": lambda odd: sweep_rows(START, {NODES: [8, odd]}),
    "block_rows": lambda odd: sweep(START, {NODES: [8]}, block_rows=odd),
}
FLIPS: dict[str, Callable[[Any], object]] = {
    "path": lambda odd: flip_points(START, odd, 8, 16),
    "low": lambda odd: flip_points(START, NODES, odd, 16),
    "high": lambda odd: flip_points(START, INTERVAL, 60.0, odd),
    "job": lambda odd: limits(START, ROWS, job=odd),
}
STUDIES: dict[str, Callable[[Any], object]] = {
    "seed": lambda odd: study(START, seed=odd),
    "count": lambda odd: study(START, count=odd),
    "low": lambda odd: ends_of(START, ranged(low=odd)),
    "typical": lambda odd: ends_of(START, ranged(typical=odd, distribution="triangular")),
    "high": lambda odd: ends_of(START, ranged(high=odd, low=100.0)),
    "distribution": lambda odd: ends_of(START, ranged(distribution=odd)),
    "path": lambda odd: ends_of(START, ranged(path=odd)),
    "result": lambda odd: tornado(ends_of(START), odd),
    "ends": lambda odd: tornado(odd, "stall_s"),
    "band": lambda odd: band(odd, "stall_s"),
    "bands": bands,
    "blockers": blockers,
    "drivers": lambda odd: drivers(odd, "stall_s"),
    "feasible": feasible,
    "verdicts": verdicts,
    "against": lambda odd: against(odd, odd, "stall_s"),
}
PLANS: dict[str, Callable[[Any], object]] = {
    "headline": headline,
    "key_figures": key_figures,
    "steps": steps,
    "gauges": gauges,
}
SEARCHES: dict[str, Callable[[Any], object]] = {
    "demand": lambda odd: growth(START, odd),
    "years": lambda odd: growth(START, Demand(odd)),
    "gpu_ratio": lambda odd: growth(START, Demand(1, odd)),
    "dataset_ratio": lambda odd: growth(START, Demand(1, 1.0, 1.0, odd)),
    "neighbours": lambda odd: neighbours(odd, odd),
    "from_json": scenario_from_json,
}
NOT_GIVEN: dict[str, Callable[[Any], object]] = {
    "request": lambda odd: best(START, odd),
    "ranges": lambda odd: ends_of(START, odd),
    "ranges of another": lambda odd: shared_ranges(odd, START, ROWS),
    "choices": lambda odd: best(START, Request(choices={"drive": odd})),
    "executor": lambda odd: sweep(START, {NODES: [8]}, executor=odd),
}
ALL = {
    f"{group}, {name}": call
    for group, calls in (
        ("scenario", SCENARIO_FIRST),
        ("catalogue", CATALOGUE_SECOND),
        ("axes", AXES),
        ("flips", FLIPS),
        ("study", STUDIES),
        ("plan", PLANS),
        ("search", SEARCHES),
    )
    for name, call in calls.items()
}
OPTIONAL = {
    f"{group}, {name}": call
    for group, calls in (("catalogue", CATALOGUE_OR_SHIPPED), ("argument", NOT_GIVEN))
    for name, call in calls.items()
}


def refused(call: Callable[[Any], object], odd: Any) -> str:
    with pytest.raises(PlannerError) as refusal:
        call(odd)
    line = refusal.value.message
    assert line.isprintable() or "\u202f" in line or "\u00a0" in line
    assert "\n" not in line
    assert 10 < len(line) < 600
    return line


@pytest.mark.parametrize("name", ALL)
def test_what_is_of_a_wrong_type_is_one_line(name: str) -> None:
    for odd in ODD.values():
        refused(ALL[name], odd)


@pytest.mark.parametrize("name", OPTIONAL)
def test_what_need_not_be_given_is_checked_where_it_is(name: str) -> None:
    for odd in ODD.values():
        empty = (
            isinstance(odd, list) and not odd and name in ("argument, ranges", "argument, ranges of another")
        )
        if odd is not None and not empty:
            refused(OPTIONAL[name], odd)


@pytest.mark.parametrize(
    "call",
    [
        lambda odd: sweep(START, {NODES: [8]}, progress=odd),
        lambda odd: holding(START, progress=odd),
        lambda odd: best(START, progress=odd),
        lambda odd: growth(START, Demand(1), progress=odd),
        lambda odd: study(START, progress=odd),
    ],
    ids=["sweep", "holding", "best", "growth", "study"],
)
def test_progress_that_cannot_be_told_is_refused_before_the_work(call: Callable[[Any], object]) -> None:
    for odd in ODD.values():
        if odd is not None and not callable(odd):
            assert refused(call, odd).startswith("progress: ")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"jobs": {"0": {}}}, "jobs"),
        ({"jobs": "one"}, "jobs"),
        ({"cluster": [8]}, "cluster"),
        ({"cluster": {"node_count": "eight"}}, "node_count"),
        ({"cluster": {"node_count": True}}, "node_count"),
        ({"cluster": {"node_count": float("nan")}}, "node_count"),
        ({1: 2}, "1"),
    ],
)
def test_plain_data_of_a_wrong_shape_is_one_line_that_names_the_field(data: Any, says: str) -> None:
    assert says in refused(scenario_from_dict, data)
