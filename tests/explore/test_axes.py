"""What an axis starts with: a range around today's value that can be read and that is allowed."""

from __future__ import annotations

import pytest

from planner.explore.axes import range_around
from planner.inputs import Input, input_at

INTERVAL, NODES, PARAMETERS = (
    "jobs.0.checkpoint.interval_s",
    "cluster.node_count",
    "jobs.0.model.parameter_count",
)


def entry(path: str) -> Input:
    found = input_at(path)
    assert found is not None
    return found


def test_a_quarter_to_four_times_today() -> None:
    assert range_around(entry(INTERVAL), 1800.0) == (450.0, 7200.0)
    assert range_around(entry(NODES), 64) == (16.0, 256.0)


def test_ends_are_short_to_read() -> None:
    assert range_around(entry(PARAMETERS), 70_553_706_496) == (17.6e9, 282e9)


@pytest.mark.parametrize("path", [INTERVAL, NODES, "site.pue_ratio", "network.rdma_stack_fraction"])
@pytest.mark.parametrize("today", [None, 0, 1e-9, 1.0, 1e18])
def test_both_ends_are_allowed(path: str, today: float | None) -> None:
    found = entry(path)
    for end in range_around(found, today):
        assert found.low is None or end >= found.low
        assert found.high is None or end <= found.high
