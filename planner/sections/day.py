"""A day of saves and drains: what lies on the hot tier, what is copied down, and how the cold tier grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.core.quantity import Quantity, derive
from planner.core.units import DAY_S, scalar
from planner.scenario import CheckpointPolicy
from planner.sections.jobs import JobPlan
from planner.sections.tiers import TierPlan
from planner.sizing import checkpoint, ladder

Line = NDArray[np.float64]
MOST_SAVES = 2_000
"""Saves that are shown at most; of a job that saves more often a part of the day is shown."""


@dataclass(frozen=True, slots=True)
class DrainDay:
    """One job's day, as lines for a chart; all arrays are as long as `time_s`.

    Attributes:
        shown_s: Length of the time that is shown: a day, or less for a job that saves very often.
        hot_bytes: Checkpoints on the hot tier, the one in flight included.
        cold_bytes: Bytes copied down since the day began.
        drain_bytes_per_s: Rate of the copies; 0 between them.
        period_s: Time between copies.
        needed_bytes_per_s: Least rate at which copies keep up.
        rate_bytes_per_s: Rate at which they run: the cold tier's writes, or what the hot tier has left to read.
        drain_s: Time of one copy.
        read_share_fraction: Share of the hot tier's reads that a copy takes while it runs.
        growth_bytes_per_day: What stays on the cold tier each day, of all jobs.
        month_bytes: The same in 30 days.
        behind: Whether copies fall behind: a blocker.
    """

    shown_s: float
    time_s: Line
    hot_bytes: Line
    cold_bytes: Line
    drain_bytes_per_s: Line
    period_s: Quantity
    needed_bytes_per_s: Quantity
    rate_bytes_per_s: Quantity
    drain_s: Quantity
    read_share_fraction: Quantity
    growth_bytes_per_day: Quantity
    month_bytes: Quantity
    behind: bool


def drain_day(
    job: JobPlan, policy: CheckpointPolicy, tiers: tuple[TierPlan, ...], *, save: Quantity, growth: Quantity
) -> DrainDay:
    """When a save is complete it is copied down, and the oldest on the hot tier is deleted.

    Args:
        job: The job.
        policy: What it keeps and copies.
        tiers: The hot tier first, the cold one last.
        save: Time of one save.
        growth: Bytes a day that stay on the cold tier, of all jobs.
    """
    hot, cold = tiers[0], tiers[-1]
    size = job.checkpoint.size_bytes
    reads = max(hot.demand.steady_read_bytes_per_s.number - job.checkpoint.drain_bytes_per_s.number, 0.0)
    rate = derive(
        ladder.drain_rate_bytes_per_s,
        cold_write_bytes_per_s=cold.write_bytes_per_s,
        hot_read_bytes_per_s=hot.read_bytes_per_s,
        reads_bytes_per_s=reads,
    )
    period = derive(
        checkpoint.interval_from_steps_s,
        step_count=scalar(policy.cold_every_count),
        step_s=job.checkpoint.interval_s,
        label="Time between copies to the cold tier",
    )
    drain = derive(
        checkpoint.write_s, checkpoint_bytes=size, bandwidth_bytes_per_s=rate, label="Time of a drain"
    )
    lines = _lines(job, policy, save.number, rate.number)
    return DrainDay(
        shown_s=float(lines[0][-1]),
        time_s=lines[0],
        hot_bytes=lines[1],
        cold_bytes=lines[2],
        drain_bytes_per_s=lines[3],
        period_s=period,
        needed_bytes_per_s=job.checkpoint.drain_bytes_per_s,
        rate_bytes_per_s=rate,
        drain_s=drain,
        read_share_fraction=derive(
            ladder.read_share_fraction, rate_bytes_per_s=rate, hot_read_bytes_per_s=hot.read_bytes_per_s
        ),
        growth_bytes_per_day=growth,
        month_bytes=derive(ladder.month_bytes, growth_bytes_per_day=growth),
        behind=not drain.number <= period.number * (1 + 1e-9),
    )


def _lines(
    job: JobPlan, policy: CheckpointPolicy, save_s: float, rate: float
) -> tuple[Line, Line, Line, Line]:
    """Times, bytes on the hot tier, bytes copied down and the rate of copies."""
    interval, written = job.checkpoint.interval_s.number, job.checkpoint.written_bytes.number
    shown = min(DAY_S, interval * MOST_SAVES)
    starts = np.arange(0.0, shown, interval)
    lasts = min(save_s, interval * 0.999)
    hot_time, hot = _hot(starts, lasts, written, policy.retained_count)
    done = (starts + lasts)[:: policy.cold_every_count]
    cold_time, cold = _copied(done, job.checkpoint.size_bytes.number, rate, shown)
    time = np.unique(np.concatenate([hot_time[hot_time <= shown], cold_time, [shown]]))
    moved = np.interp(time, cold_time, cold)
    steps = np.diff(time)
    rates = np.append(np.diff(moved) / steps, 0.0)
    return time, np.interp(time, hot_time, hot), moved, rates


def _hot(starts: Line, lasts_s: float, size: float, retained: int) -> tuple[Line, Line]:
    """What is kept, and beside it the one that is written, until the oldest is deleted."""
    kept, moment = size * retained, 1e-3
    time = np.column_stack([starts, starts + lasts_s, starts + lasts_s + moment]).ravel()
    return time, np.tile([kept, kept + size, kept], starts.size)


def _copied(done: Line, size: float, rate: float, shown_s: float) -> tuple[Line, Line]:
    """Bytes copied down: a copy begins when its save is complete and the copy before it is done."""
    if not rate > 0:
        return np.array([0.0, shown_s]), np.zeros(2)
    lasts = size / rate
    # The end of a copy is the latest of: its own save, or any save before it with all copies since.
    number = np.arange(done.size)
    begins = np.maximum.accumulate(done - number * lasts) + number * lasts
    time = np.column_stack([begins, begins + lasts]).ravel()
    level = np.column_stack([number * size, (number + 1) * size]).ravel()
    time, level = np.append(0.0, time), np.append(0.0, level)
    inside = time <= shown_s
    end = float(np.interp(shown_s, time, level))
    return np.append(time[inside], shown_s), np.append(level[inside], end)
