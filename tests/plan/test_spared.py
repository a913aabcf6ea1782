"""Bandwidth that has to hold with storage nodes missing decides the size of a pool where it is asked for."""

from __future__ import annotations

import pytest
from pandas.testing import assert_frame_equal

from planner import load_catalogue, plan, sweep
from planner.plan import Plan
from planner.scenario_json import with_value
from planner.templates import Template, template, templates

SPARED, INTERVAL = "storage.hot.spared_unit_count", "jobs.0.checkpoint.interval_s"


def planned(item: Template, count: int) -> Plan:
    return plan(with_value(item.scenario, SPARED, count), load_catalogue())


def test_the_drives_are_those_of_the_nodes_that_are_left() -> None:
    """6.14 drives for the save in 2 of 3 nodes are 9.21 in all three, and 12 where each node has as many."""
    item = template("guide-256-evidence")
    asked = planned(item, 0).hot.terms["write bandwidth"].number
    hot = planned(item, 1).hot
    assert round(asked, 2) == 6.14
    assert hot.terms["write bandwidth with nodes missing"].number == pytest.approx(asked * 3 / 2, rel=1e-12)
    assert (hot.unit_count.number, hot.drive_count.number) == (3.0, 12.0)
    assert (hot.binding, hot.following) == ("write bandwidth with nodes missing", "write bandwidth")


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_a_save_still_takes_no_longer_than_its_target(item: Template) -> None:
    made = planned(item, 1)
    lost = made.main.degraded.get("one storage node lost")
    if (
        made.scenario.storage.hot.drive_count is not None
        or made.scenario.storage.hot.usable_bytes is not None
    ):
        assert made.hot.binding == "stated by the architect"
    else:
        assert lost is not None
        assert lost.save_s.number <= made.main.job.checkpoint.target_s.number * (1 + 1e-9)


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_more_that_may_be_missing_never_needs_less(item: Template) -> None:
    sizes = [planned(item, count).hot for count in range(4)]
    assert [h.drive_count.number for h in sizes] == sorted(h.drive_count.number for h in sizes)
    assert [h.unit_count.number for h in sizes] == sorted(h.unit_count.number for h in sizes)


def test_a_sweep_says_what_plans_say() -> None:
    scenario = template("guide-405b").scenario
    axes = {SPARED: [0, 1, 2], INTERVAL: [600.0, 1800.0, 3600.0]}
    whole = sweep(scenario, axes)
    alone = [sweep(with_value(scenario, SPARED, count), {INTERVAL: axes[INTERVAL]}) for count in axes[SPARED]]
    for count, table in zip(axes[SPARED], alone, strict=True):
        part = whole[whole[SPARED] == count].drop(columns=SPARED).reset_index(drop=True)
        assert_frame_equal(part, table, check_categorical=False)
