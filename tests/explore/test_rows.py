"""Each row of a table of designs is what `plan` says of that design, whatever varies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from planner import PlannerError, plan
from planner.explore.designs import Designs
from planner.explore.results import FIGURE_COLUMNS, KEYS
from planner.inputs import Input, flatten, inputs_for, nest
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict
from planner.summary import key_figures
from planner.templates import template, templates
from tests.explore.rows import CATALOGUE, columns, differences, numeric
from tests.plan.changes import EVIDENCE, GUIDE, UNLIKE, changed

NAMES = [item.id for item in templates()]


@pytest.mark.parametrize("name", [EVIDENCE, GUIDE, "frontier-16384", "two-jobs"])
def test_every_number_alone_and_none_is_taken_apart_value_by_value(name: str) -> None:
    rng = np.random.default_rng(NAMES.index(name))
    scenario = template(name).scenario
    for entry in numeric(scenario):
        assert differences(scenario, columns(rng, scenario, [entry], 60), most=4, most_ways=20) == []


@pytest.mark.parametrize("name", UNLIKE)
def test_numbers_in_pairs_and_many_at_once(name: str) -> None:
    rng = np.random.default_rng(100 + NAMES.index(name))
    scenario = template(name).scenario
    entries = numeric(scenario)
    for size in (2, 2, 2, 2, 6, 12):
        picked = [entries[place] for place in rng.choice(len(entries), size, replace=False)]
        assert differences(scenario, columns(rng, scenario, picked, 24), most=10) == []


def another(rng: np.random.Generator, entry: Input) -> Any:
    """Some value of an input that takes words."""
    if entry.kind == "flag":
        return bool(rng.integers(2))
    known = list(getattr(CATALOGUE, entry.catalogue)) if entry.catalogue else list(entry.choices)
    return known[rng.integers(len(known))]


@pytest.mark.parametrize("seed", range(12))
def test_numbers_on_designs_with_other_choices(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    tried = 0
    while tried < 6:
        scenario = template(NAMES[rng.integers(len(NAMES))]).scenario
        entries = inputs_for(len(scenario.jobs))
        words = [entry for entry in entries if entry.catalogue or entry.kind in ("choice", "flag")]
        picked = [words[place] for place in rng.choice(len(words), 6, replace=False)]
        changes = {entry.path: another(rng, entry) for entry in picked}
        try:
            scenario = scenario_from_dict(nest({**flatten(scenario), **changes}))
            plan(scenario, CATALOGUE)
        except PlannerError:
            continue  # a platform without figures: another test has those
        numbers = numeric(scenario)
        chosen = [numbers[place] for place in rng.choice(len(numbers), 3, replace=False)]
        assert differences(scenario, columns(rng, scenario, chosen, 24), most=8) == [], changes
        tried += 1


@pytest.mark.parametrize("name", ["lab-8-nodes", "vision-1024"])
def test_numbers_on_other_designs(name: str) -> None:
    numbers_by_the_dozen(template(name).scenario)


@pytest.mark.parametrize(
    "changes",
    [
        {"jobs.0.checkpoint.mode": "async"},
        {"jobs.0.checkpoint.mode": "two-level"},
        {"network.transport": "fc"},
        {"network.fc_san_present": True, "network.lossless_possible": False},
        {"storage.dataset_on": "hot"},
        {"storage.hot.architecture": "parallel-file-system"},
        {"storage.hot.protection_at": "host"},
        {"jobs.0.model.recipe_id": "lora"},
        {"jobs.0.parallelism.file_layout": "rank-0"},
        {"jobs.0.parallelism.pipeline_parallel_count": 8, "jobs.0.model.layer_count": 80},
        {"jobs.0.ingest.basis": "preset"},
        {"basis": "guide"},
    ],
    ids=str,
)
def test_numbers_on_each_kind_of_design(changes: dict[str, Any]) -> None:
    numbers_by_the_dozen(changed(EVIDENCE, changes))


def numbers_by_the_dozen(scenario: Scenario) -> None:
    """Every number of a design, twelve of them changed at once."""
    rng = np.random.default_rng(300)
    entries = numeric(scenario)
    for begin in range(0, len(entries), 12):
        assert differences(scenario, columns(rng, scenario, entries[begin : begin + 12], 20), most=10) == []


def test_every_key_figure_is_a_column() -> None:
    assert list(key_figures(plan(Scenario(), CATALOGUE))) == list(KEYS)
    assert set(KEYS.values()) < set(FIGURE_COLUMNS)


def test_designs_that_cannot_be_computed_say_why_with_their_own_numbers() -> None:
    scenario = template("lab-8-nodes").scenario
    nodes, own = np.arange(20.0, 60.0), np.arange(50.0, 10.0, -1.0)
    numbers = {"cluster.node_count": nodes, "jobs.0.node_count": own}
    assert differences(scenario, numbers) == []
    table = Designs(scenario, CATALOGUE, {}, numbers).table(numbers, 40)
    for row in range(40):
        reason, refused = table.text("reason", row), own[row] > nodes[row]
        assert (reason != "") == refused == np.isnan(table.figures["stall_s"][row])
        if refused:
            assert f"uses {own[row]:.0f} nodes, the cluster has {nodes[row]:.0f}; set at most" in reason


def test_a_rack_without_room_is_a_row_with_its_reason() -> None:
    scenario = template("lab-8-nodes").scenario
    heights = {"site.rack_height_ru": np.arange(10.0, 31.0), "site.rack_reserved_ru": np.full(21, 20.0)}
    assert differences(scenario, heights) == []
    table = Designs(scenario, CATALOGUE, {}, heights).table(heights, 21)
    assert [table.text("reason", row) != "" for row in range(21)] == [
        height <= 20 for height in range(10, 31)
    ]
    assert "20 U leave nothing of a rack of 12 U; use at most 11" in table.text("reason", 2)
