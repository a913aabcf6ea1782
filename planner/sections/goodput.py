"""What saves and failures leave of the training time, and what the rest costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.core.quantity import Quantity, derive
from planner.sections.context import Context, stated
from planner.sections.jobs import JobPlan
from planner.sections.tiers import TierPlan
from planner.sections.transport import SavePlan, TransportOption
from planner.sizing import cadence, checkpoint, transport

SHORTEST_STALL_S = 1e-3
"""Stall that the best interval is computed with where saves stall for no time at all."""


@dataclass(frozen=True, slots=True)
class GoodputPlan:
    """Goodput of one job at its interval, and at the best one.

    Attributes:
        stall_s: Time that training stands still for one save.
        flush_s: Time until the save is on the hot tier; equal to the stall if synchronous.
        restart_s: Fixed restart time and the load of the last checkpoint.
    """

    stall_s: Quantity
    flush_s: Quantity
    load_s: Quantity
    restart_s: Quantity
    interruption_s: Quantity
    goodput_fraction: Quantity
    stall_fraction: Quantity
    best_work_s: Quantity
    best_goodput_fraction: Quantity
    young_interval_s: Quantity
    lost_usd_per_year: Quantity
    best_lost_usd_per_year: Quantity
    idle_usd: Quantity
    idle_usd_per_year: Quantity


def goodput_plan(
    context: Context, job: JobPlan, hot: TierPlan, option: TransportOption, save: SavePlan
) -> GoodputPlan:
    """Goodput by the exact formula for exponential failures, with the load in the restart."""
    policy, prices = job.policy, context.scenario.prices
    asynchronous = policy.mode == "async"
    stall = (
        stated(
            policy.async_stall_s, "async_stall_s", "Stall of a save", source="stated for asynchronous saves"
        )
        if asynchronous
        else Quantity(save.save_s.value, "s", "Stall of a save", save.save_s.formula, save.save_s.inputs)
    )
    drain = save.save_s if asynchronous else 0.0
    interruption = derive(
        cadence.mean_time_to_interruption_s,
        gpu_count=job.gpu_count,
        failures_per_1000_gpu_days=context.scenario.cluster.failures_per_1000_gpu_days,
    )
    load = derive(
        transport.load_s,
        checkpoint_bytes=job.checkpoint.size_bytes,
        array_bytes_per_s=hot.read_bytes_per_s,
        node_count=job.node_count,
        node_bytes_per_s=option.node_bytes_per_s,
    )
    restart = derive(cadence.restart_s, fixed_s=policy.restart_s, load_s=load)
    period = derive(cadence.wall_period_s, interval_s=job.checkpoint.interval_s, stall_s=stall)
    work = derive(cadence.work_s, interval_s=job.checkpoint.interval_s, stall_s=stall)
    common: dict[str, Any] = {
        "stall_s": stall,
        "interruption_s": interruption,
        "restart_s": restart,
        "drain_s": drain,
    }
    reached = derive(cadence.goodput_fraction, work_s=work, **common)
    # Saves that cost nothing would be best without end: they count as a millisecond.
    cost = stall if stall.number > 0 else stated(SHORTEST_STALL_S, "stall_s", "Shortest stall")
    best = derive(cadence.optimal_work_s, stall_s=cost, interruption_s=interruption)
    top = derive(cadence.goodput_fraction, work_s=best, label="Goodput at the best interval", **common)
    money: dict[str, Any] = {"gpu_count": job.gpu_count, "usd_per_hour": prices.gpu_usd_per_hour}
    return GoodputPlan(
        stall_s=stall,
        flush_s=save.save_s,
        load_s=load,
        restart_s=restart,
        interruption_s=interruption,
        goodput_fraction=reached,
        stall_fraction=derive(cadence.stall_share_fraction, stall_s=stall, interval_s=period),
        best_work_s=best,
        best_goodput_fraction=top,
        young_interval_s=derive(cadence.young_interval_s, stall_s=stall, interruption_s=interruption),
        lost_usd_per_year=derive(cadence.lost_usd_per_year, goodput_fraction=reached, **money),
        best_lost_usd_per_year=derive(
            cadence.lost_usd_per_year,
            goodput_fraction=top,
            label="Lost GPU time at the best interval",
            **money,
        ),
        idle_usd=derive(cadence.idle_usd_per_checkpoint, stall_s=stall, **money),
        idle_usd_per_year=derive(
            cadence.idle_usd_per_year,
            stall_s=stall,
            checkpoints_per_day=derive(checkpoint.saves_per_day, interval_s=period),
            **money,
        ),
    )
