"""Steppers and gauges: one step is one part more, and a gauge is past its limit where the review says so."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from planner import Scenario, load_catalogue, plan
from planner.core.checks import Finding
from planner.explore.steps import INTERVALS_S, MOST_PORTS, gauges, limit_name, steps
from planner.inputs import flatten, input_at, nest
from planner.plan import Plan
from planner.scenario_json import scenario_from_dict
from planner.templates import template, templates

CATALOGUE = load_catalogue()
NAMES = [item.id for item in templates()]


def planned(name: str, **edits: Any) -> Plan:
    flat = flatten(template(name).scenario)
    return plan(scenario_from_dict(nest({**flat, **edits})), CATALOGUE)


def stepped(done: Plan, name: str, *, up: bool) -> Scenario:
    """The design with what a step sets, as the screen states it."""
    step = next(step for step in steps(done) if step.name == name)
    edits = step.more if up else step.less
    assert edits is not None
    return scenario_from_dict(nest({**flatten(done.scenario), **edits}))


def after(done: Plan, name: str, *, up: bool) -> Plan:
    return plan(stepped(done, name, up=up), CATALOGUE)


@pytest.mark.parametrize("name", NAMES)
def test_a_step_up_is_one_part_more_and_a_step_down_one_less(name: str) -> None:
    done = planned(name)
    units, drives = int(done.hot.unit_count.number), int(done.hot.drive_count.number)
    more = after(done, "drives", up=True).hot
    assert (more.drive_count.number, more.unit_count.number) == (drives + units, units)
    node = after(done, "nodes", up=True).hot
    assert node.unit_count.number == units + 1
    assert node.drive_count.number == math.ceil(drives / units) * (units + 1)
    links = after(done, "links", up=True).cluster.port_count.number
    assert links == done.cluster.port_count.number + 1
    if units > 1:
        assert after(done, "nodes", up=False).hot.unit_count.number == units - 1
    if drives > units:
        assert after(done, "drives", up=False).hot.drive_count.number == drives - units


@pytest.mark.parametrize("name", NAMES)
def test_up_and_down_again_is_where_it_was(name: str) -> None:
    first = after(planned(name), "drives", up=True)
    for stepper in ("drives", "nodes", "links"):
        there = after(after(first, stepper, up=True), stepper, up=False)
        assert there.hot.drive_count.number == first.hot.drive_count.number
        assert there.cluster.port_count.number == first.cluster.port_count.number


def test_intervals_step_to_the_next_that_people_name() -> None:
    done = planned("guide-256-evidence")
    assert after(done, "interval", up=True).main.job.checkpoint.interval_s.number == 45 * 60
    assert after(done, "interval", up=False).main.job.checkpoint.interval_s.number == 20 * 60
    between = planned("guide-256-evidence", **{"jobs.0.checkpoint.interval_s": 1000.0})
    assert after(between, "interval", up=True).main.job.checkpoint.interval_s.number == 20 * 60
    assert after(between, "interval", up=False).main.job.checkpoint.interval_s.number == 15 * 60
    entry = input_at("jobs.0.checkpoint.interval_s")
    assert entry is not None
    assert (INTERVALS_S[0], INTERVALS_S[-1]) == (entry.low, entry.high)
    assert list(INTERVALS_S) == sorted(set(INTERVALS_S))
    ports = input_at("cluster.storage_port_count")
    assert ports is not None
    assert ports.high == MOST_PORTS


def test_an_interval_in_steps_becomes_a_stated_one() -> None:
    inputs = {"jobs.0.checkpoint.interval_step_count": 100, "jobs.0.checkpoint.step_s": 10.0}
    done = planned("guide-256-evidence", **inputs)
    assert after(done, "interval", up=True).main.job.checkpoint.interval_s.number == 20 * 60


def test_a_stated_pool_is_stepped_in_drives() -> None:
    done = planned("guide-256-guide")
    more = stepped(done, "drives", up=True).storage.hot
    assert (more.drive_count, more.usable_bytes) == (6, None)


@pytest.mark.parametrize(
    ("edits", "name", "up"),
    [
        ({"storage.hot.unit_count": 1}, "nodes", False),
        ({"cluster.storage_port_count": 1}, "links", False),
        ({"cluster.storage_port_count": 64}, "links", True),
        ({"jobs.0.checkpoint.interval_s": 5.0}, "interval", False),
        (
            {"storage.hot.platform_id": "vast-ceres-3015", "storage.hot.architecture": "all-flash-array"},
            "drives",
            True,
        ),
    ],
)
def test_where_there_is_no_further_step_there_is_none(edits: dict[str, Any], name: str, up: bool) -> None:
    done = planned("guide-256-evidence", **edits)
    step = next(step for step in steps(done) if step.name == name)
    assert (step.more if up else step.less) is None


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("guide-256-evidence", "of the network not priced, and not in the cost"),
        ("guide-256-guide", "not priced: prices per TB have no links"),
    ],
)
def test_a_step_of_links_that_changes_no_price_says_that_they_are_not_priced(name: str, note: str) -> None:
    """The prices of 2026 have no 400G optics, and the guide's are per TB."""
    done = planned(name)
    assert after(done, "links", up=True).cost.capital_high_usd.number == done.cost.capital_high_usd.number
    notes = {step.name: step.note for step in steps(done)}
    assert note in notes.pop("links")
    assert set(notes.values()) == {""}


CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in NAMES),
    ("guide-256-evidence", {"storage.hot.usable_bytes": 1e12}),
    ("guide-256-evidence", {"jobs.0.checkpoint.interval_s": 10.0, "storage.hot.drive_count": 3}),
    ("guide-256-evidence", {"site.rack_limit_w": 900.0}),
    ("guide-256-evidence", {"storage.hot.protection_id": "12+4", "storage.hot.unit_count": 4}),
    ("guide-256-evidence", {"storage.hot.protection_id": "8+2", "storage.hot.protection_domain": "rack"}),
    ("vision-1024", {"storage.file_system.unit_count": 1}),
    ("frontier-16384", {"storage.object_store.unit_count": 4}),
]


@pytest.mark.parametrize(("name", "edits"), CASES)
def test_a_gauge_is_past_its_limit_where_the_review_says_so(name: str, edits: dict[str, Any]) -> None:
    done = planned(name, **edits)
    found = {f.code for f in done.findings}
    blocked = {f.code for f in done.findings if f.severity == "blocker"}
    past = {g.code for g in gauges(done) if g.check.verdict == "fail"}
    told = blocked & {"CAP-1", "BW-1", "DRN-2", "END-1", "PRT-1", "PRT-5", "NET-10", "PWR-1", "PWR-2"}
    assert told <= past
    assert past - {"BW-2"} <= found
    for code in ("BW-3", "CAP-2"):
        assert (code in past) == (code in found)


def test_the_endurance_gauge_is_the_guides_example() -> None:
    # The guide, 'Write Endurance Planning': 13.4 TB a day against 9 TB.
    gauge = next(g for g in gauges(planned("guide-256-guide")) if g.code == "END-1")
    assert gauge.used_fraction == pytest.approx(13.44 / 9, rel=1e-3)


def test_a_limit_has_its_name_beside_its_code() -> None:
    held = gauges(planned("guide-256-evidence"))
    slow = Finding("BW-4", "blocker", "too slow", "", "", "tiers")
    assert limit_name(slow, held) == "Hot tier, write bandwidth (BW-4)"
    assert limit_name(dataclasses.replace(slow, code="PLAN"), held) == "PLAN"
