"""How far a design reaches: the value found carries, the next one does not, and the limit is named."""

from __future__ import annotations

from typing import Any

import pytest

from planner import load_catalogue, plan
from planner.explore import all_limits, limits
from planner.explore.limits import WARNINGS, with_storage_fixed
from planner.scenario_json import with_value
from planner.templates import template, templates
from tests.plan.changes import EVIDENCE, changed

CATALOGUE = load_catalogue()


def limiting(scenario: Any) -> set[str]:
    return {
        f.code for f in plan(scenario, CATALOGUE).findings if f.severity == "blocker" or f.code in WARNINGS
    }


@pytest.mark.parametrize("name", [EVIDENCE, "guide-70b", "vision-1024", "frontier-16384"])
def test_the_limit_is_between_what_carries_and_what_does_not(name: str) -> None:
    scenario = template(name).scenario
    fixed = with_storage_fixed(scenario, plan(scenario, CATALOGUE))
    known = limiting(fixed)
    for limit in limits(scenario, CATALOGUE):
        assert limit.finding is not None
        value = limit.reached.number
        whole = limit.path == "cluster.node_count"
        step = 1 if whole else value * 2e-4 * (-1 if "interval" in limit.path else 1)
        at = with_value(fixed, limit.path, round(value) if whole else value)
        beyond = with_value(fixed, limit.path, round(value) + 1 if whole else value + step)
        assert limiting(at) <= known
        assert limit.finding.code in limiting(beyond) - known


def test_storage_that_is_fixed_plans_as_it_was_sized() -> None:
    for item in templates():
        before = plan(item.scenario, CATALOGUE)
        after = plan(with_storage_fixed(item.scenario, before), CATALOGUE)
        for old, new in zip(before.tiers, after.tiers, strict=True):
            assert new.unit_count.number == old.unit_count.number
            assert new.drive_count.number == old.drive_count.number
            assert new.write_bytes_per_s.number == pytest.approx(old.write_bytes_per_s.number)
        assert after.main.save.save_s.number == pytest.approx(before.main.save.save_s.number)


def test_more_drives_allow_shorter_intervals_and_larger_models() -> None:
    wide = {
        "storage.hot.unit_count": 8,
        "storage.object_store.unit_count": 500,
        "jobs.0.checkpoint.target_s": 60.0,
    }
    few, many = (
        limits(changed(EVIDENCE, {"storage.hot.drive_count": count, **wide}), CATALOGUE) for count in (48, 96)
    )
    assert many[0].reached.number > few[0].reached.number
    assert many[1].reached.number < few[1].reached.number


def test_an_interval_in_steps_is_moved_as_an_interval() -> None:
    steps = changed(
        EVIDENCE, {"jobs.0.checkpoint.interval_step_count": 100, "jobs.0.checkpoint.step_s": 18.0}
    )
    seconds = changed(EVIDENCE, {"jobs.0.checkpoint.interval_s": 1800.0})
    ours, theirs = (limits(scenario, CATALOGUE)[1].reached.number for scenario in (steps, seconds))
    assert ours == pytest.approx(theirs)


def test_each_job_is_moved_alone() -> None:
    scenario = template("two-jobs").scenario
    first, second = (limits(scenario, CATALOGUE, job=index)[0] for index in (0, 1))
    assert (first.path, second.path) == ("jobs.0.model.parameter_count", "jobs.1.model.parameter_count")
    assert first.today.number != second.today.number


def test_a_design_beyond_a_limit_is_said_to_be() -> None:
    broken = changed(EVIDENCE, {"storage.hot.drive_count": 2})
    for limit in limits(broken, CATALOGUE):
        assert limit.already
        assert limit.reached.number == limit.today.number
        assert limit.finding is not None
        assert limit.finding.severity == "blocker"


def test_jobs_grow_with_the_cluster() -> None:
    nodes = all_limits(template("two-jobs").scenario, CATALOGUE)[-1]
    assert nodes.path == "cluster.node_count"
    # The file system is at 62.6 % of what it may carry; its 80 % are reached before twice the nodes.
    assert 128 < nodes.reached.number < 256
    assert nodes.finding is not None
    assert nodes.finding.code == "BW-3"


def test_every_job_is_answered_by_its_name() -> None:
    found = all_limits(template("two-jobs").scenario, CATALOGUE)
    assert len(found) == 5
    assert len({limit.question for limit in found}) == 5
