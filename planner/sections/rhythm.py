"""How often a job saves and how long a save may take: stated, or the best interval for its target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import scalar
from planner.scenario import CheckpointPolicy
from planner.sections.context import Context, stated
from planner.sizing import cadence, checkpoint, failure_rates

if TYPE_CHECKING:
    from planner.sections.cluster import ClusterPlan

GUIDE_TARGET_S = 10.0
"""Save target on the guide's basis; its range is 10 to 30 s."""


def rhythm(
    context: Context, cluster: ClusterPlan, policy: CheckpointPolicy, path: str, gpus: Quantity
) -> tuple[Quantity, Quantity]:
    """Interval and save target of a job.

    Stated, the target follows from the interval; at the best interval, the interval follows from the target,
    and AUTO's target is the longest stall inside the waste budget.
    """
    if policy.interval_basis == "stated":
        interval = _stated_interval(policy)
        return interval, context.pick(
            f"{path}.checkpoint.target_s", policy.target_s, _share_of(context, policy, interval)
        )
    interruption = derive(
        failure_rates.mean_time_to_interruption_s,
        gpu_count=gpus,
        failures_per_1000_gpu_days=cluster.failures_per_1000_gpu_days,
    )
    if policy.mode == "async":
        stall = stated(policy.async_stall_s, "async_stall_s", "Stall of a save")
        interval = _best_interval(stall, interruption)
        return interval, context.pick(
            f"{path}.checkpoint.target_s", policy.target_s, _share_of(context, policy, interval)
        )
    target = context.pick(
        f"{path}.checkpoint.target_s", policy.target_s, _affordable(context, policy, interruption)
    )
    if policy.mode == "two-level":
        return _best_shared(policy, target, interruption), target
    return _best_interval(target, interruption), target


def _stated_interval(policy: CheckpointPolicy) -> Quantity:
    if policy.interval_step_count is not None and policy.step_s is not None:
        return derive(
            checkpoint.interval_from_steps_s,
            step_count=scalar(policy.interval_step_count),
            step_s=policy.step_s,
        )
    return stated(policy.interval_s, "interval_s", "Checkpoint interval")


def _share_of(context: Context, policy: CheckpointPolicy, interval: Quantity) -> Quantity:
    """The guide's target, the whole interval of an asynchronous save, or the waste budget's share of it."""
    if context.guide:
        return _guide_target()
    return derive(
        checkpoint.target_from_waste_s,
        waste_budget_fraction=1.0 if policy.mode == "async" else policy.waste_budget_fraction,
        interval_s=interval,
        label="Save target",
    )


def _guide_target() -> Quantity:
    return given(GUIDE_TARGET_S, "s", "Save target", source="the guide: 10 to 30 s", grade="guide")


def _affordable(context: Context, policy: CheckpointPolicy, interruption: Quantity) -> Quantity:
    """The longest stall inside the budget; where restarts alone use it up, the budget is for saves alone."""
    if context.guide:
        return _guide_target()
    with_restarts = derive(
        cadence.affordable_stall_s,
        waste_fraction=policy.waste_budget_fraction,
        interruption_s=interruption,
        restart_s=policy.restart_s,
        label="Save target",
    )
    if with_restarts.number > 0:
        return with_restarts
    return derive(
        cadence.affordable_stall_s,
        waste_fraction=policy.waste_budget_fraction,
        interruption_s=interruption,
        label="Save target, restarts left out",
    )


def _best_interval(stall: Quantity, interruption: Quantity) -> Quantity:
    """From start to start: the best work between saves and the stall."""
    work = derive(cadence.optimal_work_s, stall_s=stall, interruption_s=interruption)
    return total([work, stall], "Checkpoint interval, best for the target", unit="s")


def _best_shared(policy: CheckpointPolicy, stall: Quantity, interruption: Quantity) -> Quantity:
    """The best interval of the shared level; a fast save that is not stated counts as nothing beside it."""
    fast = policy.fast_stall_s or 0.0
    return derive(
        cadence.shared_level_interval_s,
        shared_stall_s=stall,
        fast_stall_s=fast if fast < stall.number else 0.0,
        interruption_s=interruption,
        fast_fraction=policy.fast_fraction,
        label="Checkpoint interval, best for the target",
    )
