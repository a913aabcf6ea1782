"""Remarks on save times, bandwidth, drains and host memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix
from planner.core.tracing import wording
from planner.core.units import DAY_S, counted, every
from planner.findings.rules import RULES_PAGE, TOLERANCE, each_job, resize, rule
from planner.sections.demand import STEADY_LIMIT_FRACTION

if TYPE_CHECKING:
    from planner.plan import JobResult, Plan


@rule
def save_times(plan: Plan) -> Iterator[Finding]:
    """BW-1, BW-2 and DRN-2: a save against its interval and its target."""
    for result, who in each_job(plan):
        save, target = result.save.save_s, result.job.checkpoint.target_s
        interval = result.job.checkpoint.interval_s
        asynchronous = result.job.policy.mode == "async"
        if save.number > interval.number:
            yield Finding(
                "DRN-2" if asynchronous else "BW-1",
                "blocker",
                f"{who}a save takes {save}, longer than the interval of {interval}; the slowest stage: {result.save.binding}.",
                f"Lengthen the interval above {save}, or provide {result.job.checkpoint.required_write_bytes_per_s}.",
                RULES_PAGE + ", 'Interval'",
                "checkpoint",
                _longer_interval(result),
            )
        elif save.number > target.number * TOLERANCE and not asynchronous:
            yield Finding(
                "BW-2",
                "warning",
                f"{who}a save takes {save}, longer than its target of {target}; the slowest stage: {result.save.binding}, then {result.save.following}.",
                f"The target needs {result.job.checkpoint.required_write_bytes_per_s}: widen {result.save.binding}, or relax the target.",
                RULES_PAGE + ", 'Save target'",
                "checkpoint",
                (
                    Fix(
                        f"{result.job.path}.checkpoint.target_s",
                        save.number * 1.001,
                        f"accept a target of {save}",
                    ),
                )
                if save.number * 1.001 <= DAY_S
                else (),
            )


@wording
def _longer_interval(result: JobResult) -> tuple[Fix, ...]:
    """The interval that a save just fits into, in the form in which the interval is stated."""
    policy, seconds = result.job.policy, result.save.save_s.number * 1.05
    words = f"save {every(seconds)}"
    path = f"{result.job.path}.checkpoint"
    if policy.interval_basis == "best":
        return ()
    if policy.interval_step_count is not None and policy.step_s is not None:
        return (Fix(f"{path}.interval_step_count", math.ceil(seconds / policy.step_s), words),)
    return (Fix(f"{path}.interval_s", seconds, words),) if seconds <= 30 * DAY_S else ()


@rule
def steady_load(plan: Plan) -> Iterator[Finding]:
    """BW-3: steady traffic above 80 % of what is provisioned; bursts are exempt."""
    for tier in plan.tiers:
        if tier.steady_fraction.known and tier.steady_fraction.number > STEADY_LIMIT_FRACTION:
            yield Finding(
                "BW-3",
                "warning",
                f"Steady traffic of {tier.demand.steady_bytes_per_s} takes {tier.steady_fraction} of the {tier.read_bytes_per_s} of the {tier.name}; the limit is 80 %.",
                "Provide more units or drives.",
                "the guide, 'Monitoring and Alerting'",
                "tiers",
                resize(plan, tier),
            )


@rule
def pool_bandwidth(plan: Plan) -> Iterator[Finding]:
    """BW-4: a tier whose own drives or units cannot supply the bandwidth asked of it."""
    for tier in plan.tiers:
        provided, required = tier.write_bytes_per_s, tier.demand.write_bytes_per_s
        need = tier.terms["write bandwidth"]
        parts = tier.working_count if tier.term_unit == "drives" else tier.unit_count
        held = counted(tier.drive_count.number, "drive")
        if tier.working_count.number < tier.drive_count.number:
            held += f", of which {tier.working_count} hold data,"
        short = need.known and parts.number * TOLERANCE < need.number
        if short or (provided.known and provided.number * TOLERANCE < required.number):
            yield Finding(
                "BW-4",
                "blocker",
                f"The {tier.name} takes {provided} when nothing is read; {required} are asked of it beside {tier.demand.read_bytes_per_s} of reads. It has {held} in {counted(tier.unit_count.number, 'unit')}.",
                f"Write bandwidth alone needs {counted(need.number, tier.term_unit[:-1])}.",
                "rules of the calculation, 'The binding constraint is always named'",
                "tiers",
                resize(plan, tier),
            )


@rule
def burst_rating(plan: Plan) -> Iterator[Finding]:
    """BW-5: only a platform's burst rating would meet the need, and its buffer is not known."""
    hot = plan.hot
    burst = hot.platform.burst_write_bytes_per_s
    if hot.drive is None and burst is not None:
        reach = burst.number * hot.unit_count.number * hot.stack_fraction.number
        if hot.write_bytes_per_s.number < hot.demand.write_bytes_per_s.number <= reach:
            yield Finding(
                "BW-5",
                "warning",
                f"Only the burst rating of {hot.platform.name} ({burst} a unit) meets {hot.demand.write_bytes_per_s}, and its buffer is not known.",
                "Ask the vendor for the size of the write buffer and its refill time.",
                RULES_PAGE + ", 'Burst and sustained'",
                "tiers",
            )


@rule
def unknown_rates(plan: Plan) -> Iterator[Finding]:
    """BW-6: a drive whose rates nobody has published, so that it takes no part in the save time."""
    drive = plan.hot.drive
    if drive is not None and (drive.write_bytes_per_s is None or drive.read_bytes_per_s is None):
        yield Finding(
            "BW-6",
            "blocker",
            f"The write or read rate of {drive.name} is not in the catalogue: the save of {plan.main.save.save_s} leaves the drives out.",
            "Choose a drive whose rates are known, or ask the vendor.",
            RULES_PAGE + ", 'When the catalogue is silent'",
            "tiers",
        )


@rule
def drain(plan: Plan) -> Iterator[Finding]:
    """DRN-1: checkpoints arrive faster than they leave for the colder tier."""
    cold = plan.tiers[-1]
    if cold.write_bytes_per_s.number < cold.demand.write_bytes_per_s.number:
        yield Finding(
            "DRN-1",
            "blocker",
            f"Checkpoints arrive at {cold.demand.write_bytes_per_s}, the {cold.name} takes {cold.write_bytes_per_s}: the backlog grows without end.",
            "Copy fewer checkpoints, or provide more units.",
            "reliability models, B4",
            "tiers",
            resize(plan, cold),
        )


@rule
def host_memory(plan: Plan) -> Iterator[Finding]:
    """MEM-1: asynchronous buffers and prefetch above what a node has."""
    memory = plan.cluster.host_memory_bytes
    for result, who in each_job(plan):
        buffers, prefetch = result.job.checkpoint.host_memory_bytes, result.job.ingest.prefetch_bytes
        if memory.known and buffers.number + prefetch.number > memory.number:
            yield Finding(
                "MEM-1",
                "blocker",
                f"{who}a node needs {buffers} for checkpoint buffers and {prefetch} for prefetch; it has {memory}.",
                "Use fewer loader workers, a smaller prefetch or a synchronous save.",
                RULES_PAGE,
                "ingest",
            )
