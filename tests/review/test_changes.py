"""Which input caused which change."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import Scenario, load_catalogue, plan
from planner.core.errors import PlannerError
from planner.inputs import flatten, nest
from planner.review import Change, merged, partings, replay
from planner.review.changes import ABSENT
from planner.scenario_json import scenario_from_dict, with_value
from planner.summary import key_figures

CATALOGUE = load_catalogue()
BASE = Scenario()
CHANGES: dict[str, tuple[object, ...]] = {
    "cluster.node_count": (32, 128),
    "jobs.0.checkpoint.interval_s": (900.0, 3_600.0),
    "jobs.0.checkpoint.retained_count": (2, 9),
    "storage.hot.drive_id": ("pm1753-15360",),
    "storage.hot.drive_count": (40, 80),
    "name": ("x",),
}
PATHS = st.dictionaries(
    st.sampled_from(sorted(CHANGES)), st.integers(0, 1), min_size=1
)  # by path, which of its values


def _changed(values: dict[str, object], start: Scenario = BASE) -> Scenario:
    return scenario_from_dict(nest({**flatten(start), **values}))


def _jobs(*names: str) -> Scenario:
    first = BASE.jobs[0].model_dump(mode="json")
    data = BASE.model_dump(mode="json")
    data["jobs"] = [{**first, "name": name} for name in names]
    return scenario_from_dict(data)


def test_nothing_changed_is_no_change() -> None:
    assert replay(BASE, BASE, CATALOGUE) == ()


def test_each_input_is_told_with_what_it_did() -> None:
    new = _changed({"jobs.0.checkpoint.interval_s": 900.0, "name": "x", "cluster.node_count": 128})
    found = {change.path: change for change in replay(BASE, new, CATALOGUE)}
    assert {path: (change.old, change.new) for path, change in found.items()} == {
        "name": (BASE.name, "x"),
        "cluster.node_count": (64, 128),
        "jobs.0.checkpoint.interval_s": (1_800.0, 900.0),
    }
    assert found["name"].moved == {}
    assert "Checkpoint" not in found["jobs.0.checkpoint.interval_s"].moved
    assert {"Stall", "Goodput"} <= found["jobs.0.checkpoint.interval_s"].moved.keys()
    alone = replay(BASE, with_value(BASE, "name", "x"), CATALOGUE)
    assert [change.path for change in alone] == ["name"]


@settings(max_examples=12)
@given(PATHS)
def test_effects_follow_on_each_other_and_add_up(chosen: dict[str, int]) -> None:
    new = _changed({path: CHANGES[path][which % len(CHANGES[path])] for path, which in chosen.items()})
    found = [change for change in replay(BASE, new, CATALOGUE) if change.effects]
    start, end = key_figures(plan(BASE, CATALOGUE)), key_figures(plan(new, CATALOGUE))
    for name in start:
        steps = [change.effects[name] for change in found]
        assert steps[0].before.number == start[name].number
        assert steps[-1].after.number == end[name].number
        for earlier, later in itertools.pairwise(steps):
            assert earlier.after.number == later.before.number
        moved = math.fsum(step.after.number - step.before.number for step in steps)
        whole = end[name].number - start[name].number
        assert moved == pytest.approx(whole, rel=1e-9, abs=1e-6 * abs(start[name].number))


def test_findings_are_laid_to_the_input_that_caused_them() -> None:
    new = _changed({"name": "x", "storage.hot.drive_count": 15})
    by_path = {change.path: change for change in replay(BASE, new, CATALOGUE)}
    assert by_path["name"].findings_new == ()
    assert "PRT-1" in " ".join(by_path["storage.hot.drive_count"].findings_new)
    back = {change.path: change for change in replay(new, BASE, CATALOGUE)}
    assert back["storage.hot.drive_count"].findings_gone == by_path["storage.hot.drive_count"].findings_new


def test_what_cannot_be_computed_alone_is_told_together() -> None:
    old = _jobs("a")
    fewer = _changed(
        {"cluster.node_count": 32, "jobs.0.node_count": 32},
        start=_changed({"jobs.0.node_count": 64}, start=old),
    )
    found = replay(_changed({"jobs.0.node_count": 64}, start=old), fewer, CATALOGUE)
    assert [(change.path, change.together) for change in found] == [
        ("cluster.node_count", ("jobs.0.node_count",)),
        ("jobs.0.node_count", ("cluster.node_count",)),
    ]
    assert found[0].effects == {}
    assert found[1].effects.keys() == key_figures(plan(BASE, CATALOGUE)).keys()


@pytest.mark.parametrize(("old", "new"), [(("a",), ("a", "b", "c")), (("a", "b", "c"), ("a",))])
def test_jobs_come_and_go(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    found = replay(_jobs(*old), _jobs(*new), CATALOGUE)
    assert {change.path.split(".")[1] for change in found} == {"1", "2"}
    names = {
        change.path: (change.old, change.new)
        for change in found
        if change.path.count(".") == 2 and change.path.endswith(".name")
    }
    expected = {"jobs.1.name": (ABSENT, "b"), "jobs.2.name": (ABSENT, "c")}
    assert names == (expected if len(new) > 1 else {path: pair[::-1] for path, pair in expected.items()})
    told = [change for change in found if change.effects]
    assert len(told) == 2
    assert told[-1].effects["Power"].after.number == plan(_jobs(*new), CATALOGUE).facility.typical_w.number


def test_design_that_cannot_be_computed_is_refused() -> None:
    with pytest.raises(PlannerError, match="nothing-like-it"):
        replay(BASE, with_value(BASE, "storage.hot.drive_id", "nothing-like-it"), CATALOGUE)


def test_change_is_a_plain_record() -> None:
    change = replay(BASE, with_value(BASE, "name", "x"), CATALOGUE)[0]
    assert isinstance(change, Change)
    assert {effect.text for effect in change.effects.values()} == {""}


def test_three_ways_say_who_changed_what() -> None:
    mine = _changed({"name": "mine", "cluster.node_count": 128, "jobs.0.checkpoint.retained_count": 9})
    theirs = _changed({"name": "theirs", "cluster.node_count": 128, "jobs.0.checkpoint.interval_s": 900.0})
    found = {
        parting.path: (parting.base, parting.mine, parting.theirs, parting.side)
        for parting in partings(BASE, mine, theirs)
    }
    assert found == {
        "name": (BASE.name, "mine", "theirs", "both"),
        "cluster.node_count": (64, 128, 128, "same"),
        "jobs.0.checkpoint.retained_count": (5, 9, 5, "mine"),
        "jobs.0.checkpoint.interval_s": (1_800.0, 1_800.0, 900.0, "theirs"),
    }
    both = merged(BASE, mine, theirs)
    assert (both.name, both.jobs[0].checkpoint.interval_s, both.jobs[0].checkpoint.retained_count) == (
        "mine", 900.0, 9,
    )  # fmt: skip


def test_a_job_that_one_added_is_merged() -> None:
    assert [job.name for job in merged(_jobs("a"), _jobs("a", "b"), _jobs("z")).jobs] == ["z", "b"]
    assert [job.name for job in merged(_jobs("a", "b"), _jobs("a"), _jobs("z", "b")).jobs] == ["z"]
    assert partings(_jobs("a", "b"), _jobs("a"), _jobs("a", "b"))[0].mine is ABSENT
