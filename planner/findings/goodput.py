"""Remarks on failures and on the cadence of saves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix
from planner.core.units import format_number
from planner.findings.rules import each_job, rule

if TYPE_CHECKING:
    from planner.plan import Plan

FLEET_GPUS = 4000
"""Below this a rate that was seen in a large fleet promises too much."""
SMALL_JOBS = "rsc-1024"
"""Published rate of small jobs, measured."""


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
            f"{who}{plan.cluster.failures_per_1000_gpu_days.text()} of a large fleet give {format_number(gpus)} GPUs "
            f"{result.goodput.interruption_s} between interruptions; jobs of 1,024 GPUs were measured to stop 3.7 times "
            "as often as a fleet's rate says, for other causes than hardware.",
            "State what this cluster has seen, or plan with the rate of small jobs.",
            "workload facts, section 7; Kokolis et al. 2024",
            "goodput",
            (Fix("cluster.failure_rate_id", SMALL_JOBS, "take the rate of jobs of 1,024 GPUs"),),
        )
