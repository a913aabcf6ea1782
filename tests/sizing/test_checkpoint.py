"""Checkpoint size, cadence and what is kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.units import GB, TB
from planner.sizing import checkpoint

sizes = st.floats(1e9, 1e14)
counts = st.integers(1, 4096).map(float)
times = st.floats(1.0, 1e5)


def test_guide_capacity_that_is_whole_is_not_rounded_up_again():
    """Six checkpoints of 0.1 TB at a ratio of 5/3 are 1 TB but for the last bit."""
    capacity = checkpoint.guide_capacity_bytes(0.1 * TB, retained_count=5, headroom_ratio=5 / 3)
    assert float(capacity) == 1.0 * TB


def test_waste_target_of_half_an_hour_at_two_percent():
    target = checkpoint.target_from_waste_s(0.02, interval_s=1800.0)
    assert float(target) == 36.0
    assert float(checkpoint.required_write_bytes_per_s(980 * GB, target_s=target)) / GB == pytest.approx(
        27.222, rel=1e-4
    )


def test_interval_in_steps_gives_the_bloom_cadence():
    """100 steps of 105 s are just under three hours, hence about eight saves a day."""
    interval = checkpoint.interval_from_steps_s(100, step_s=105.0)
    assert float(checkpoint.saves_per_day(interval)) == pytest.approx(8.2286, rel=1e-4)


@given(size=sizes, few=counts, more=counts)
def test_more_writers_never_have_larger_shards(size, few, more):
    few, more = sorted((few, more))
    assert checkpoint.shard_bytes(size, writer_count=more) <= checkpoint.shard_bytes(size, writer_count=few)


@given(size=sizes, kept=counts, flight=st.integers(0, 3).map(float))
def test_retained_is_the_sum_of_kept_and_in_flight(size, kept, flight):
    together = checkpoint.retained_bytes(size, retained_count=kept, in_flight_count=flight)
    apart = size * kept + size * flight
    assert float(together) == pytest.approx(apart, rel=1e-12)


@given(size=sizes, target=times)
def test_write_time_at_the_required_bandwidth_is_the_target(size, target):
    bandwidth = checkpoint.required_write_bytes_per_s(size, target_s=target)
    assert float(checkpoint.write_s(size, bandwidth_bytes_per_s=bandwidth)) == pytest.approx(
        target, rel=1e-12
    )


@given(size=sizes, kept=counts, ratio=st.floats(1.0, 2.0))
def test_guide_capacity_holds_its_content_within_a_step(size, kept, ratio):
    capacity = float(checkpoint.guide_capacity_bytes(size, retained_count=kept, headroom_ratio=ratio))
    content = (kept + 1) * size * ratio
    assert content - 1e-6 * TB <= capacity * (1 + 1e-9)
    assert capacity < (content + 0.5 * TB) * (1 + 1e-9)


@given(ranks=st.integers(1, 1024).map(float), more=st.integers(1, 1024).map(float))
def test_sharded_state_falls_towards_what_is_replicated(ranks, more):
    few, many = sorted((ranks, more))
    state = checkpoint.rank_state_bytes(
        6.0, sharded_bytes=12.0, data_parallel_count=np.array([1.0, few, many])
    )
    assert state[0] == 18.0
    assert 6.0 < state[2] <= state[1] <= 18.0


@given(size=sizes, nodes=counts, buffers=st.floats(0.0, 2.0))
def test_host_memory_of_all_nodes_is_the_buffers_of_the_checkpoint(size, nodes, buffers):
    memory = checkpoint.async_host_memory_bytes(size, node_count=nodes, buffer_count=buffers)
    assert float(memory) * nodes == pytest.approx(size * buffers, rel=1e-12)


def test_a_save_over_next_to_nothing_takes_for_ever_without_a_warning() -> None:
    size, left = np.float64(1e13), np.float64(5e-313)
    assert checkpoint.write_s(size, bandwidth_bytes_per_s=left) == np.inf
    both = checkpoint.write_s(size, bandwidth_bytes_per_s=np.array([left, 1e10]))
    assert both.tolist() == [np.inf, 1e3]  # type: ignore[union-attr]
