"""Marks of a sweep's map that must stay whatever is chosen in it."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd
import pytest

from planner.charts.sweeps import Axis, Shown, sweep_line, sweep_map


def test_the_mark_of_this_design_stays_when_a_cell_is_chosen() -> None:
    axes = (
        Axis("a", "Nodes", "count", [1.0, 2.0], 1.0),
        Axis("b", "Interval", "s", [60.0, 120.0], 120.0),
    )
    table = pd.DataFrame(
        {
            "a": [1.0, 1.0, 2.0, 2.0],
            "b": [60.0, 120.0] * 2,
            "stall_s": [1.0, 2.0, 3.0, 4.0],
            "feasible": True,
            "blockers": "",
            "reason": "",
        }
    )
    drawn = sweep_map(table, *axes, Shown("stall_s", "Stall", "s"))
    (mark,) = [trace for trace in drawn.data if trace.name == "this design"]
    assert (mark.x[0], mark.y[0]) == (0.0, 1.0)
    assert mark.selected.marker.opacity == mark.unselected.marker.opacity == 1.0


def test_the_titles_keep_the_capitals_of_an_abbreviation() -> None:
    axes = (Axis("a", "GPU nodes", "count", [1.0, 2.0], 1.0), Axis("b", "Interval", "s", [60.0], 60.0))
    table = pd.DataFrame(
        {"a": [1.0, 2.0], "b": 60.0, "stall_s": [1.0, 2.0], "feasible": True, "blockers": "", "reason": ""}
    )
    shown = Shown("stall_s", "Stall", "s")
    assert "over GPU nodes and interval" in sweep_map(table, *axes, shown).layout.meta["title"]
    assert "along GPU nodes" in sweep_line(table, axes[0], shown).layout.meta["title"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([5.0, 5.0], "Stall is 5 s along GPU nodes"),
        ([9.0, 3.0], "Stall lies between 3 s and 9 s along GPU nodes"),
        ([math.nan, math.nan], "Stall cannot be computed along GPU nodes"),
    ],
)
def test_the_title_states_no_value_that_no_design_has(values: list[float], said: str) -> None:
    table = pd.DataFrame({"a": [1.0, 2.0], "stall_s": values, "feasible": True, "blockers": "", "reason": ""})
    drawn = sweep_line(
        table, Axis("a", "GPU nodes", "count", [1.0, 2.0], 1.0), Shown("stall_s", "Stall", "s")
    )
    assert drawn.layout.meta["title"].replace("\u00a0", " ").startswith(said)


@pytest.mark.parametrize(
    ("unit", "values", "texts"),
    [
        ("s", np.geomspace(300, 14_400, 60), ["5\u00a0min", "30\u00a0min", "2\u00a0h", "4\u00a0h"]),
        ("s", np.linspace(300, 14_400, 60), ["5\u00a0min", "1\u00a0h", "2\u00a0h", "3\u00a0h", "4\u00a0h"]),
        ("count", np.geomspace(7e9, 700e9, 200), ["7\u00a0B", "100\u00a0B", "700\u00a0B"]),
        ("count", range(8, 513, 8), ["8", "100", "200", "300", "400", "512"]),
        ("count", (1, 2, 4, 8), ["1", "2", "4", "8"]),
        ("count", range(1, 16), ["1", "5", "10", "15"]),
        ("count", range(10, 51), ["10", "20", "30", "40", "50"]),
        ("bytes/s", np.geomspace(1e9, 4e9, 3), ["1\u00a0GB/s", "2\u00a0GB/s", "4\u00a0GB/s"]),
    ],
)
def test_an_axis_names_its_ends_and_what_people_name_between(
    unit: str, values: Iterable[float], texts: list[str]
) -> None:
    axis = Axis("a", "Input", unit, [float(value) for value in values])
    places, named = axis.ticks()
    assert named == texts
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0.0, len(axis.values) - 1.0)
    assert len(axis.ticks(across=True)[0]) <= len(places)
