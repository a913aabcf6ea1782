"""What the tests of uncertain inputs share: ranges made by hand, one input's range alone, designs on an edge."""

from __future__ import annotations

import functools
from dataclasses import replace

from planner import Scenario, load_catalogue, plan
from planner.explore.own_ranges import with_ranges
from planner.explore.ranges import Range, default_ranges
from planner.explore.sensitivity import Ends, ends_of
from planner.scenario_json import with_value
from planner.templates import template
from tests.plan.changes import EVIDENCE, changed

START = template(EVIDENCE).scenario
FAILURES, STATE = "cluster.failures_per_1000_gpu_days", "jobs.0.model.bytes_per_parameter_bytes"


def made(
    low: float, high: float, typical: float | None = None, *, kind: str = "uniform", path: str = "x"
) -> Range:
    """A range of no particular input; its factor is its path, so that it is drawn by itself."""
    middle = (low + high) / 2 if typical is None else typical
    return Range(path, path, "count", middle, kind, low, middle, high, path)


def only(scenario: Scenario, *typed: str) -> tuple[Range, ...]:
    """The ranges that are typed, and no other."""
    fixed = tuple(
        replace(item, distribution="value", low=item.today, typical=item.today, high=item.today)
        for item in default_ranges(scenario)
    )
    return with_ranges(fixed, typed, scenario)


@functools.cache
def usual_ends(scenario: Scenario) -> Ends:
    """A design at both ends of all its usual ranges."""
    return ends_of(scenario)


def fibre_channel(times: float) -> Scenario:
    """Four nodes with a Fibre Channel SAN, whose ports carry `times` the shard inside the target."""
    scenario = changed(
        EVIDENCE,
        {"network.fc_san_present": True, "network.lossless_possible": False, "cluster.node_count": 4},
    )
    done = plan(scenario, load_catalogue())
    ports = done.cluster.port_count.number * scenario.network.fc_port_bytes_per_s
    target = times * done.main.job.checkpoint.size_bytes.number / 4 / ports
    return with_value(scenario, "jobs.0.checkpoint.target_s", target)
