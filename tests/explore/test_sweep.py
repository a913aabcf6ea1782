"""The table of a sweep: its rows and their order, where it is computed, how it is stopped, and what it refuses."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from planner import PlannerError, Scenario, load_catalogue, plan, sweep, sweep_rows
from planner.core.tracing import Traced, TraceError
from planner.explore import designs
from planner.explore.axes import MOST_DESIGNS
from planner.explore.results import FIGURE_COLUMNS, LABELS, TEXT_COLUMNS, choices_of, figures_of, unit_of
from planner.findings.rules import NOTE_RULES, RULES
from planner.inputs import INPUTS, flatten, nest, value_at
from planner.plan import Plan, draft
from planner.scenario_json import scenario_from_dict
from planner.templates import template, templates
from tests.plan.changes import EVIDENCE

module = importlib.import_module("planner.explore.sweep")
ROOT = Path(__file__).parents[2]
CATALOGUE = load_catalogue()
INTERVAL, SIZE, NODES = "jobs.0.checkpoint.interval_s", "jobs.0.model.parameter_count", "cluster.node_count"
AXES = {
    "storage.hot.protection_id": [None, "8+2", "2-way"],
    INTERVAL: np.geomspace(300, 7200, 7),
    SIZE: np.geomspace(1e9, 2e12, 5),
    NODES: [16, 64, 65, 512],
}


@functools.cache
def whole() -> pd.DataFrame:
    """All combinations of the axes, computed in one block."""
    return sweep(template(EVIDENCE).scenario, AXES)


def planned(scenario: Scenario, changes: dict[str, Any]) -> Plan:
    return plan(scenario_from_dict(nest({**flatten(scenario), **changes})), CATALOGUE)


def assert_row(row: pd.Series, done: Plan) -> None:
    """The row says what the plan says."""
    for name, item in figures_of(done).items():
        assert row[name] == pytest.approx(item.number, rel=1e-9, nan_ok=True), name
    for name, word in choices_of(done).items():
        assert row[name] == word
    for column, severity in (("blockers", "blocker"), ("warnings", "warning")):
        codes = dict.fromkeys(f.code for f in done.findings if f.severity == severity)
        assert row[column] == " ".join(codes)
    assert bool(row["feasible"]) == all(f.severity != "blocker" for f in done.findings)
    assert row["reason"] == ""


def test_every_combination_is_a_row_and_the_last_axis_changes_fastest() -> None:
    scenario, table = template(EVIDENCE).scenario, whole()
    assert len(table) == 3 * 7 * 5 * 4
    assert list(table.columns[:4]) == list(AXES)
    assert set(table.columns[4:]) == {*FIGURE_COLUMNS, *TEXT_COLUMNS, "feasible"}
    place = 0
    for scheme in AXES["storage.hot.protection_id"]:
        for interval in AXES[INTERVAL]:
            for size in AXES[SIZE]:
                for nodes in AXES[NODES]:
                    row = table.iloc[place]
                    assert (row[INTERVAL], row[SIZE], row[NODES]) == (interval, size, nodes)
                    found = row["storage.hot.protection_id"]
                    assert found == scheme if scheme else pd.isna(found)
                    if place % 17 == 0:
                        changes = {"storage.hot.protection_id": scheme, INTERVAL: float(interval)}
                        assert_row(row, planned(scenario, {**changes, SIZE: float(size), NODES: nodes}))
                    place += 1


@pytest.mark.parametrize("entry", [e for e in INPUTS if e.catalogue], ids=lambda entry: entry.path)
def test_rows_of_the_catalogue_are_an_axis(entry: Any) -> None:
    scenario = template(EVIDENCE).scenario
    ids = list(getattr(CATALOGUE, entry.catalogue))[:8]
    table = sweep(scenario, {entry.path: ids, INTERVAL: np.linspace(600, 3600, 9)})
    for place in range(0, len(table), 4):
        row = table.iloc[place]
        changes = {entry.path: row[entry.path], INTERVAL: float(row[INTERVAL])}
        try:
            done, reason = planned(scenario, changes), ""
        except PlannerError as error:
            done, reason = None, error.message
        assert row["reason"] == reason
        if done is None:
            assert not row["feasible"]
            assert row[list(FIGURE_COLUMNS)].isna().all()
        else:
            assert_row(row, done)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("jobs.0.checkpoint.mode", ["sync", "async", "two-level"]),
        ("network.lossless_possible", [True, False]),
        ("jobs.0.parallelism.sharding_stage", [None, 0, 1, 2, 3]),
        ("storage.hot.drive_count", [None, 24, 48]),
        ("jobs.0.name", ["one", "another"]),
    ],
)
def test_words_flags_and_auto_are_an_axis(path: str, values: list[Any]) -> None:
    scenario = template(EVIDENCE).scenario
    table = sweep(scenario, {SIZE: np.geomspace(1e9, 1e12, 10), path: values})
    for place, (_, row) in enumerate(table.iterrows()):
        if place % 3 == 0:
            value = values[place % len(values)]
            assert_row(row, planned(scenario, {path: value, SIZE: float(row[SIZE])}))


@pytest.mark.parametrize("rows", [0, -1, 1.5, True])
def test_blocks_that_would_be_empty_are_refused_at_once(rows: Any) -> None:
    axes = {"cluster.node_count": [8, 16]}
    for ask in (sweep, sweep_rows):
        with pytest.raises(PlannerError, match=f"block_rows: {rows} is not allowed; use a whole number of 1"):
            ask(Scenario(), axes, block_rows=rows)


def test_blocks_make_no_difference() -> None:
    assert_frame_equal(sweep(template(EVIDENCE).scenario, AXES, block_rows=50), whole())


@pytest.mark.parametrize(
    "pool",
    [
        functools.partial(ThreadPoolExecutor, 2),
        functools.partial(ProcessPoolExecutor, 2, mp_context=get_context("spawn")),
    ],
    ids=["threads", "processes"],
)
def test_it_makes_no_difference_where_blocks_are_computed(pool: Callable[[], Executor]) -> None:
    with pool() as executor:
        table = sweep(template(EVIDENCE).scenario, AXES, block_rows=40, executor=executor)
    assert_frame_equal(table, whole())


def test_another_catalogue_goes_along() -> None:
    drive = CATALOGUE.drives["m9550max-6400"]
    own = CATALOGUE.extended("drives", {"mine": replace(drive, id="mine")})
    axes = {"storage.hot.drive_id": ["mine"], INTERVAL: np.linspace(600, 3600, 30)}
    table = sweep(Scenario(), axes, catalogue=own)
    assert_frame_equal(
        table.drop(columns="storage.hot.drive_id"),
        sweep(Scenario(), {INTERVAL: axes[INTERVAL]}),
    )
    with pytest.raises(PlannerError, match=r"storage\.hot\.drive_id: no drive “mine”"):
        sweep(Scenario(), axes)


def test_designs_can_be_listed_one_by_one() -> None:
    scenario, table = template(EVIDENCE).scenario, whole()
    order = np.random.default_rng(1).permutation(len(table))[:300]
    listed = {path: table[path].to_numpy(dtype=object)[order].tolist() for path in AXES}
    listed["storage.hot.protection_id"] = [
        None if pd.isna(v) else v for v in listed["storage.hot.protection_id"]
    ]
    for rows in (10_000, 33):
        found = sweep_rows(scenario, listed, block_rows=rows)
        for name in (*FIGURE_COLUMNS, "feasible"):
            assert found[name].tolist() == table[name].to_numpy()[order].tolist()
        for name in TEXT_COLUMNS:
            assert found[name].tolist() == table[name].astype(str).to_numpy()[order].tolist()
    with pytest.raises(PlannerError, match=r"cluster\.node_count: the column has 1 values, .* has 2"):
        sweep_rows(scenario, {INTERVAL: [600.0, 700.0], NODES: [8]})


def test_many_designs_start_processes_of_their_own_and_nothing_else_changes() -> None:
    script = (
        "import importlib, numpy as np\n"
        "from planner import Scenario, sweep\n"
        "module = importlib.import_module('planner.explore.workers')\n"
        f"axes = {{{INTERVAL!r}: np.linspace(600, 3600, 40), {NODES!r}: [8, 64, 65]}}\n"
        "here = sweep(Scenario(), axes)\n"
        "module.MANY_ROWS = 100\n"
        "used = []\n"
        "pool = module.ProcessPoolExecutor\n"
        "module.ProcessPoolExecutor = lambda *a, **k: used.append(1) or pool(*a, **k)\n"
        "there = sweep(Scenario(), axes, block_rows=30)\n"
        "print(here.equals(there), len(used))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    assert done.stdout.split() == ["True", "1" if cores > 1 else "0"]


# --- progress ------------------------------------------------------------------------------------------------


def test_progress_is_told_and_can_stop_the_work() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, count: int) -> bool:
        told.append((done, count))
        return done < 60

    values = np.linspace(600, 3600, 200)
    table = sweep(Scenario(), {INTERVAL: values}, block_rows=30, progress=progress)
    assert told == [(30, 200), (60, 200)]
    assert table[INTERVAL].tolist() == values[:60].tolist()
    assert_frame_equal(table, sweep(Scenario(), {INTERVAL: values[:60]}))
    with ThreadPoolExecutor(2) as pool:
        axes = {INTERVAL: values}
        some = sweep(Scenario(), axes, block_rows=30, progress=lambda *_: False, executor=pool)
    assert 20 <= len(some) <= 30


# --- threads -------------------------------------------------------------------------------------------------


def test_plans_and_sweeps_in_other_threads_are_as_ever() -> None:
    scenario = template(EVIDENCE).scenario
    alone = whole()
    before = figures_of(plan(scenario, CATALOGUE))
    wrong: list[str] = []
    stop = threading.Event()

    def planning() -> None:
        while not stop.is_set():
            found = figures_of(plan(scenario, CATALOGUE))
            wrong.extend(name for name, item in found.items() if item.value != before[name].value)

    def sweeping() -> None:
        wrong.extend(["sweep"] if not sweep(scenario, AXES, block_rows=100).equals(alone) else [])

    planner = threading.Thread(target=planning)
    sweepers = [threading.Thread(target=sweeping) for _ in range(2)]
    for thread in (planner, *sweepers):
        thread.start()
    for thread in sweepers:
        thread.join()
    stop.set()
    planner.join()
    assert wrong == []


# --- a trace that is lost ------------------------------------------------------------------------------------


def leaking(scenario: Scenario, catalogue: Any) -> Plan:
    """A plan that reads a number out of the interval behind its back, as a careless section might."""
    interval = value_at(scenario, INTERVAL)
    if interval.__class__ is Traced:
        policy = scenario.jobs[0].checkpoint.model_copy(
            update={"interval_s": interval.tracer.number(interval)}
        )
        job = scenario.jobs[0].model_copy(update={"checkpoint": policy})
        scenario = scenario.model_copy(update={"jobs": (job,)})
    return draft(scenario, catalogue)


def test_a_lost_trace_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(designs, "draft", leaking)
    with pytest.raises(TraceError, match=r"interval_s': .* is not what its plan says"):
        sweep(Scenario(name="leaking"), {INTERVAL: np.linspace(600, 3600, 20)})


def test_a_lost_trace_never_gives_a_wrong_number(monkeypatch: pytest.MonkeyPatch) -> None:
    right = sweep(Scenario(), {INTERVAL: np.linspace(600, 3600, 20)})
    monkeypatch.setattr(designs, "draft", leaking)
    monkeypatch.setattr(module, "STRICT", False)
    table = sweep(Scenario(name="leaking too"), {INTERVAL: np.linspace(600, 3600, 20)})
    assert_frame_equal(table, right, rtol=1e-9)


# --- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axes", "line"),
    [
        ({}, "a sweep needs an axis"),
        (
            {"jobs.0.checkpoint.intervals": [1]},
            "no input “jobs.0.checkpoint.intervals”; did you mean jobs.0.checkpoint.interval_s?",
        ),
        ({"jobs.1.checkpoint.interval_s": [60.0]}, "no input “jobs.1.checkpoint.interval_s”"),
        ({INTERVAL: []}, f"{INTERVAL}: the axis is empty"),
        ({INTERVAL: "600"}, f"{INTERVAL}: its values are a list, not “600”"),
        ({INTERVAL: 600.0}, f"{INTERVAL}: its values are a list, not “600.0”"),
        ({INTERVAL: [[600.0]]}, "is no value of an input"),
        (
            {INTERVAL: [600.0, 1.0]},
            "(Checkpoint interval): 1 s is not allowed; use 5 s to 30 days; the nearest is 5 s",
        ),
        ({INTERVAL: [600.0, float("nan")]}, f"{INTERVAL} (Checkpoint interval): nan is not allowed"),
        ({INTERVAL: [None]}, f"{INTERVAL} (Checkpoint interval): nothing is not allowed"),
        (
            {NODES: [1, 2.5]},
            f"{NODES} (GPU nodes): 2.5 is not allowed; use 1 to 200 000; the nearest are 2 and 3",
        ),
        ({NODES: [True]}, f"{NODES} (GPU nodes): True is not allowed"),
        ({"jobs.0.checkpoint.mode": ["sync", "asynch"]}, "did you mean async?"),
        ({"storage.hot.drive_id": ["cd9"]}, "storage.hot.drive_id: no drive “cd9”"),
        (
            {INTERVAL: np.linspace(60, 600, 2000), SIZE: np.linspace(1e9, 1e12, 1500)},
            f"2 000 × 1 500 are 3 000 000 designs; one sweep computes at most 2 000 000: give {INTERVAL} at most 1 333 "
            "values instead of 2 000",
        ),
        (
            {INTERVAL: np.linspace(60, 600, 2000), SIZE: np.linspace(1e9, 1e12, 1500), NODES: range(1, 1501)},
            "leave out an axis",
        ),
    ],
)
def test_bad_axes_are_refused_before_any_work(
    axes: dict[str, Any], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "compute", lambda _: pytest.fail("work began"))
    with pytest.raises(PlannerError) as refusal:
        sweep(Scenario(), axes)
    assert line in refusal.value.message.replace("\u202f", " ").replace("\u00a0", " ")
    assert "\n" not in refusal.value.message


def test_what_is_no_scenario_and_what_are_no_axes_are_refused_in_one_line() -> None:
    wrong: Any = {"cluster": {"node_count": 8}}
    with pytest.raises(PlannerError, match=r"^scenario: “.*” \(dict\) is not allowed; give a Scenario"):
        sweep(wrong, {NODES: [8]})
    listed: Any = [NODES]
    with pytest.raises(PlannerError, match=r"^axes: “.*” \(list\) is not allowed; give values by the path"):
        sweep(Scenario(), listed)


def test_the_limit_is_the_number_that_is_told() -> None:
    assert MOST_DESIGNS == 2_000_000


def test_the_scenario_is_left_alone() -> None:
    scenario = Scenario()
    sweep(scenario, {INTERVAL: np.linspace(600, 3600, 20)})
    assert scenario == Scenario()


def test_work_that_is_watched_shows_itself_at_once() -> None:
    told: list[int] = []
    values = np.linspace(600, 7200, 3000)
    table = sweep(Scenario(), {INTERVAL: values}, progress=lambda done, _: told.append(done))
    assert told == [256, 768, 1792, 3000]
    assert table.equals(sweep(Scenario(), {INTERVAL: values}))
    stopped = sweep(Scenario(), {INTERVAL: values}, progress=lambda *_: False)
    assert len(stopped) == 256


@pytest.mark.parametrize("name", [item.id for item in templates()])
def test_every_figure_of_a_row_has_a_name_and_the_unit_that_its_column_says(name: str) -> None:
    figures = figures_of(plan(template(name).scenario, load_catalogue()))
    assert set(LABELS) == set(FIGURE_COLUMNS) == set(figures)
    assert {column: unit_of(column) for column in figures} == {c: item.unit for c, item in figures.items()}


def test_rules_that_a_table_does_not_ask_remark_notes_alone() -> None:
    assert NOTE_RULES
    assert set(NOTE_RULES) <= set(RULES)
    for item in templates():
        done = plan(item.scenario, load_catalogue())
        for rule in NOTE_RULES:
            assert {finding.severity for finding in rule(done)} <= {"note"}, rule.__name__
    for rule in NOTE_RULES:
        told = inspect.getsource(rule)
        assert '"blocker"' not in told, rule.__name__
        assert '"warning"' not in told, rule.__name__
        assert "yield from" not in told, rule.__name__
