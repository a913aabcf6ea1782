"""Flip points: on either side of one, the plan has the choices that it names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from planner import FlipPoint, PlannerError, Scenario, flip_points, load_catalogue, plan
from planner.explore.designs import Designs
from planner.explore.flips import Line
from planner.explore.results import choices_of
from planner.scenario import Network
from planner.scenario_json import with_value
from planner.templates import template
from tests.plan.changes import EVIDENCE, changed

CATALOGUE = load_catalogue()
SIZE, NODES = "jobs.0.model.parameter_count", "cluster.node_count"


def words(scenario: Scenario, point: FlipPoint, value: float) -> str:
    """What a plan chooses at a value."""
    whole = point.path.endswith("_count") and point.path != SIZE
    done = plan(with_value(scenario, point.path, int(value) if whole else value), CATALOGUE)
    if point.choice == "blockers":
        return " ".join(dict.fromkeys(f.code for f in done.findings if f.severity == "blocker"))
    return choices_of(done)[point.choice]


@pytest.mark.parametrize(
    ("scenario", "path", "low", "high"),
    [
        (template(EVIDENCE).scenario, SIZE, 1e9, 1e13),
        (template(EVIDENCE).scenario, "jobs.0.checkpoint.interval_s", 60.0, 86400.0),
        (template("vision-1024").scenario, "jobs.0.ingest.sample_bytes", 1e3, 1e7),
        (changed(EVIDENCE, {"storage.hot.drive_count": 24}), "jobs.0.checkpoint.target_s", 1.0, 600.0),
        (template("frontier-16384").scenario, NODES, 8, 20_000),
    ],
    ids=["parameters", "interval", "samples", "target", "nodes"],
)
def test_the_plan_changes_where_a_flip_point_says(
    scenario: Scenario, path: str, low: float, high: float
) -> None:
    found = flip_points(scenario, path, low, high)
    assert found
    assert [point.above for point in found] == sorted(point.above for point in found)
    for point in found:
        assert low <= point.below < point.above <= high
        assert words(scenario, point, point.below) == point.before != point.after
        assert words(scenario, point, point.above) == point.after
        if path == NODES:
            assert point.above == point.below + 1
        else:
            assert point.above / point.below - 1 <= 1e-9


def test_a_change_at_zero_is_found_in_the_end() -> None:
    """No share of 0 is small enough: halving towards it would never end."""
    point = FlipPoint("site.pue_ratio", "blockers", 0.0, 1.0, "", "BW-1")
    line, steps = Line(Designs(Scenario(), CATALOGUE, {}, []), point.path, whole=False), 0
    while not line.near(point):
        point, steps = replace(point, above=line.middle(point)), steps + 1
    assert (steps, point.above) == (60, 2.0**-60)


def test_the_guide_leaves_one_leaf_pair_above_64_nodes() -> None:
    found = flip_points(Scenario(), NODES, 1, 500)
    assert [(p.below, p.above, p.before, p.after) for p in found if p.choice == "topology"] == [
        (64, 65, "single-leaf", "leaf-spine")
    ]


def test_fibre_channel_is_the_choice_up_to_what_its_ports_carry() -> None:
    scenario = changed(
        EVIDENCE, {"network.fc_san_present": True, "network.lossless_possible": False, NODES: 4}
    )
    (point,) = (
        p for p in flip_points(scenario, "jobs.0.checkpoint.target_s", 0.5, 600.0) if p.choice == "transport"
    )
    assert (point.before, point.after) == ("tcp", "fc")
    done = plan(with_value(scenario, "jobs.0.checkpoint.target_s", point.above), CATALOGUE)
    ports = done.cluster.port_count.number * Network().fc_port_bytes_per_s
    assert done.main.job.checkpoint.node_write_bytes_per_s.number == pytest.approx(ports, rel=1e-6)


def test_nothing_flips_where_nothing_depends_on_it() -> None:
    assert flip_points(Scenario(), "prices.gpu_usd_per_hour", 0.0, 1000.0) == ()


@pytest.mark.parametrize(
    ("path", "low", "high", "line"),
    [
        ("jobs.0.model.parameters", 1e9, 1e10, "did you mean"),
        ("storage.hot.drive_id", 1.0, 2.0, "storage.hot.drive_id"),
        ("network.transport", "rdma", "tcp", "this is none"),
        (SIZE, 1.0, 1e10, "is not allowed"),
        (SIZE, 1e10, 1e9, "is empty"),
    ],
)
def test_bad_ranges_are_refused(path: str, low: Any, high: Any, line: str) -> None:
    with pytest.raises(PlannerError, match=line):
        flip_points(Scenario(), path, low, high)
