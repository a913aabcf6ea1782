"""Remarks on failures and on the cadence of saves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix
from planner.core.units import counted, every, format_number
from planner.findings.rules import each_job, rule

if TYPE_CHECKING:
    from planner.plan import Plan

FLEET_GPUS = 4000
"""Below this a rate that was seen in a large fleet promises too much."""
SMALL_JOBS = "rsc-1024"
"""Published rate of small jobs, measured."""
SMALL_GPUS = 1024
"""GPUs of those jobs."""


@rule
def fleet_rates(plan: Plan) -> Iterator[Finding]:
    """FLR-1: the failure rate of a large fleet taken for a small job."""
    cluster = plan.scenario.cluster
    if cluster.failures_per_1000_gpu_days is not None or cluster.failure_rate_id == SMALL_JOBS:
        return
    for result, who in each_job(plan):
        gpus = result.job.gpu_count.number
        if gpus >= FLEET_GPUS:
            continue
        yield Finding(
            "FLR-1",
            "warning",
            f"{who}{plan.cluster.failures_per_1000_gpu_days.text()} of a large fleet give {counted(gpus, 'GPU')} "
            f"{result.goodput.interruption_s} between interruptions; jobs of {counted(SMALL_GPUS, 'GPU')} were "
            "measured to stop 3.7 times as often as a fleet's rate says, for other causes than hardware.",
            "State what this cluster has seen, or plan with the rate of small jobs.",
            "workload facts, section 7; Kokolis et al. 2024",
            "goodput",
            (
                Fix(
                    "cluster.failure_rate_id",
                    SMALL_JOBS,
                    f"take the rate of jobs of {counted(SMALL_GPUS, 'GPU')}",
                ),
            ),
        )


@rule
def nodes_of_jobs(plan: Plan) -> Iterator[Finding]:
    """JOB-1: jobs that together use more nodes than the cluster has."""
    used = sum(result.job.node_count.number for result in plan.jobs)
    there = plan.cluster.node_count.number
    if used > there:
        stated = [index for index, job in enumerate(plan.scenario.jobs) if job.node_count is not None]
        yield Finding(
            "JOB-1",
            "blocker",
            f"The jobs use {counted(used, 'node')} together; the cluster has {format_number(there)}.",
            f"Give the jobs at most {counted(there, 'node')} together, or plan a cluster of {format_number(used)}.",
            "rules of the calculation, 'Jobs'",
            "cluster",
            (
                Fix("cluster.node_count", int(used), f"a cluster of {counted(used, 'node')}"),
                *(
                    Fix(f"jobs.{index}.node_count", None, f"job {index + 1} takes what is left")
                    for index in stated[-1:]
                ),
            ),
        )


@rule
def stalls(plan: Plan) -> Iterator[Finding]:
    """BW-1: asynchronous saves whose stall alone is as long as the interval."""
    for result, who in each_job(plan):
        stall, interval = result.goodput.stall_s, result.job.checkpoint.interval_s
        if result.job.policy.mode != "async" or stall.number < interval.number:
            continue
        yield Finding(
            "BW-1",
            "blocker",
            f"{who}training stands still for {stall} at each save and saves {every(interval.number)}: no time is left to train.",
            f"Lengthen the interval well above {stall}, or shorten the copy to host memory.",
            "rules of the calculation, 'Interval'",
            "checkpoint",
            (
                ()
                if result.job.policy.interval_basis == "best" or result.job.policy.step_s is not None
                else (
                    Fix(
                        f"{result.job.path}.checkpoint.interval_s",
                        round(max(stall.number * 20, 60.0)),
                        "save twenty stalls apart",
                    ),
                )
            ),
        )
