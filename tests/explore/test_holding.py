"""What drives each choice: inside the span that is told a plan chooses as today, and just outside of it otherwise."""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner import PlannerError, Scenario, load_catalogue, plan
from planner.__main__ import main
from planner.commands import exploring
from planner.explore.holding import CHOSEN, Hold, Holding, holding, reach, sentence_of
from planner.explore.results import choices_of
from planner.inputs import inputs_for, value_at
from planner.scenario_json import scenario_to_json, with_value
from planner.templates import template
from tests.plan.changes import EVIDENCE, GUIDE

CATALOGUE = load_catalogue()
ENTRIES = {entry.path: entry for entry in inputs_for(2)}
NAMES = (EVIDENCE, "two-jobs")
RATE, WEIGHT = "cluster.failures_per_1000_gpu_days", "network.transport_weights.latency_weight_count"


@pytest.fixture(scope="module", params=NAMES)
def found(request: pytest.FixtureRequest) -> tuple[Scenario, Holding]:
    return template(request.param).scenario, looked(request.param)


@functools.cache
def looked(name: str) -> Holding:
    """What drives the choices of a template."""
    return holding(template(name).scenario)


def word_at(scenario: Scenario, path: str, value: Any, choice: str) -> str:
    """What a plan chooses with one input changed; empty where it cannot be computed."""
    if ENTRIES[path].kind == "count":
        value = int(value)
    try:
        return choices_of(plan(with_value(scenario, path, value), CATALOGUE))[choice]
    except PlannerError:
        return ""


def of(result: Holding, choice: str, path: str) -> Hold:
    (hold,) = (item for item in result.holds if (item.choice, item.path) == (choice, path))
    return hold


def test_just_outside_of_its_span_a_choice_is_another_and_just_inside_as_today(
    found: tuple[Scenario, Holding],
) -> None:
    scenario, result = found
    assert {item.choice for item in result.holds} >= {"transport", "interval_binding"}
    for item in result.holds:
        whole = ENTRIES[item.path].kind == "count"
        step = 0.0 if whole else 1e-6
        for point, towards, other in ((item.below, 1 + step, "before"), (item.above, 1 - step, "after")):
            if point is None:
                continue
            right, wrong = (point.above, point.below) if other == "before" else (point.below, point.above)
            assert abs(point.above - point.below) == 1 or not whole
            assert word_at(scenario, item.path, right * towards, item.choice) == item.now, item
            assert word_at(scenario, item.path, wrong / towards, item.choice) == getattr(point, other), item
            assert getattr(point, other) not in (item.now, "")


def test_inside_of_its_span_a_choice_is_as_today_and_what_is_not_listed_changes_none() -> None:
    scenario = template(EVIDENCE).scenario
    result, rng = looked(EVIDENCE), np.random.default_rng(3)
    spans = {(item.path, item.choice): item for item in result.holds}
    today = choices_of(plan(scenario, CATALOGUE))
    tried = 0
    for path, entry in ENTRIES.items():
        stated = None if path.startswith("jobs.1.") else value_at(scenario, path)
        if entry.kind not in ("number", "count") or not stated:
            continue
        values = reach(entry, float(stated), CATALOGUE)
        for value in rng.choice(values, 3):
            try:
                chosen = choices_of(
                    plan(
                        with_value(scenario, path, int(value) if entry.kind == "count" else float(value)),
                        CATALOGUE,
                    )
                )
            except PlannerError:
                continue
            for choice in CHOSEN:
                span = spans.get((path, choice))
                low = span.below.above if span and span.below else -math.inf
                high = span.above.below if span and span.above else math.inf
                if low <= value <= high:
                    assert chosen[choice] == today[choice], (path, value, choice)
                    tried += 1
    assert tried > 1000


def test_every_word_that_is_told_changes_the_choice(found: tuple[Scenario, Holding]) -> None:
    scenario, result = found
    assert result.turns
    for turn in result.turns:
        for text, word in turn.others:
            value = {"yes": True, "no": False}.get(text, text) if ENTRIES[turn.path].kind == "flag" else text
            assert word_at(scenario, turn.path, value, turn.choice) == word != turn.now


def test_tcp_is_the_choice_on_switches_that_are_shared_or_not_lossless() -> None:
    """The guide's own table of transports."""
    result = looked(EVIDENCE)
    others = {turn.path: dict(turn.others) for turn in result.turns if turn.choice == "transport"}
    assert others["network.lossless_possible"] == {"no": "tcp"}
    assert others["network.switches_shared"] == {"yes": "tcp"}


def test_the_interval_follows_from_the_waste_budget_where_the_best_one_has_longer_stalls() -> None:
    """At the flip the best interval is stall over budget, and the goodput is stationary there: (1 - τ/M) e^(T/M) = 1."""
    scenario = template(EVIDENCE).scenario
    hold = of(looked(EVIDENCE), "interval_binding", RATE)
    assert (hold.now, hold.above and hold.above.after) == ("failures", "waste budget")
    assert hold.above is not None
    done = plan(scenario, CATALOGUE)
    stall, budget = done.main.goodput.stall_s.number, done.main.job.policy.waste_budget_fraction
    mean = 1000 * 86_400 / (done.main.job.gpu_count.number * hold.above.above)
    interval = stall / budget
    assert (1 - (interval - stall) / mean) * math.exp(interval / mean) == pytest.approx(1.0, rel=1e-8)


def test_the_work_tells_how_far_it_is_and_stops() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, count: int) -> bool:
        told.append((done, count))
        return done < 5

    result = holding(template(EVIDENCE).scenario, progress=progress)
    assert [done for done, _ in told] == [1, 2, 3, 4, 5]
    assert (result.looked_count, result.input_count) == (5, told[0][1])


def test_the_command_prints_each_span_as_a_line_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = looked(EVIDENCE)
    file = tmp_path / "design.json"
    file.write_text(scenario_to_json(template(EVIDENCE).scenario), encoding="utf-8")
    monkeypatch.setattr(exploring, "holding", lambda *_, **__: result)
    assert main(["flips", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {f"  {sentence_of(hold, CATALOGUE)}" for hold in result.holds} <= set(lines)
    assert (
        "  NVMe-oF over RoCEv2 is right from 1 on of weight of latency (today 3); below it NVMe-oF over TCP."
        in lines
    )


def test_the_command_tells_what_drives_each_choice_and_that_nothing_moves_what_is_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = template(GUIDE).scenario
    assert scenario.storage.hot.protection_id
    file = tmp_path / "design.json"
    file.write_text(scenario_to_json(scenario), encoding="utf-8")
    assert main(["flips", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["choices"]
    assert list(told) == list(CHOSEN)
    assert [choice for choice, held in told.items() if held["stated"]] == ["protection"]
    assert told["protection"]["numbers"] == told["protection"]["words"] == []
    (weight,) = (item for item in told["transport"]["numbers"] if item["path"] == WEIGHT)
    assert weight["below"] == {"last_count": 0, "first_count": 1, "before": "tcp", "after": "rdma"}


def test_what_is_no_scenario_is_refused_in_one_line() -> None:
    wrong: Any = {"cluster": {}}
    with pytest.raises(PlannerError, match=r"^scenario: .* \(dict\) is not allowed"):
        holding(wrong)


def test_what_auto_came_to_beyond_what_may_be_stated_is_not_moved() -> None:
    """A model of a million parameters reads more tokens a second than anybody may state."""
    path = "jobs.0.ingest.tokens_per_s"
    scenario = with_value(template(EVIDENCE).scenario, "jobs.0.model.parameter_count", 1e6)
    most = ENTRIES[path].high
    assert most is not None
    assert plan(scenario, CATALOGUE).auto[path].number > most
    before, after = (
        holding(each, progress=lambda *_: False).input_count
        for each in (template(EVIDENCE).scenario, scenario)
    )
    assert after == before - 1
