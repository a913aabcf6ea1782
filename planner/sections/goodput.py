"""What saves and failures leave of the training time, and what the rest costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.core.quantity import Quantity, derive
from planner.core.record import record
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Context, stated
from planner.sections.jobs import JobPlan
from planner.sections.tiers import TierPlan
from planner.sections.transport import SavePlan, TransportOption
from planner.sizing import cadence, checkpoint, failure_rates, lost_time, transport, worth

SHORTEST_STALL_S = 1e-3
"""Stall that the best interval is computed with where saves stall for no time at all."""


@dataclass(frozen=True, slots=True)
class LevelsPlan:
    """The fast level of two: own or peer memory, or local drives."""

    fast_stall_s: Quantity
    fast_interval_s: Quantity
    best_fast_interval_s: Quantity
    fast_fraction: float


@record(frozen=True, slots=True)
class GoodputPlan:
    """Goodput of one job at its interval, and at the best one.

    Attributes:
        stall_s: Time that training stands still for one save.
        flush_s: Time until the save is on the hot tier; equal to the stall if synchronous.
        restart_s: Fixed restart time and the load of the last checkpoint.
        best_work_s: Work between saves at the best interval; with two levels the best shared interval.
        levels: The fast level, where there are two.
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
    levels: LevelsPlan | None


def goodput_plan(
    context: Context,
    cluster: ClusterPlan,
    job: JobPlan,
    hot: TierPlan,
    option: TransportOption,
    save: SavePlan,
) -> GoodputPlan:
    """Goodput of one job: exact for exponential failures, to first order with two levels of saves."""
    policy = job.policy
    asynchronous = policy.mode == "async"
    stall = (
        stated(
            policy.async_stall_s, "async_stall_s", "Stall of a save", source="stated for asynchronous saves"
        )
        if asynchronous
        else Quantity(save.save_s.value, "s", "Stall of a save", save.save_s.formula, save.save_s.inputs)
    )
    interruption = derive(
        failure_rates.mean_time_to_interruption_s,
        gpu_count=job.gpu_count,
        failures_per_1000_gpu_days=cluster.failures_per_1000_gpu_days,
    )
    load = derive(
        transport.load_s,
        checkpoint_bytes=job.checkpoint.restart_bytes,
        array_bytes_per_s=hot.read_bytes_per_s,
        node_count=job.checkpoint.reader_count,
        node_bytes_per_s=option.node_bytes_per_s,
    )
    restart = derive(lost_time.restart_s, fixed_s=policy.restart_s, load_s=load)
    times = Times(stall, save.save_s if asynchronous else 0.0, interruption, restart)
    period = derive(cadence.wall_period_s, interval_s=times.period(job.checkpoint.interval_s), stall_s=stall)
    levels = _levels(context, job, save, times, period) if policy.mode == "two-level" else None
    cadences = _two_levels(times, levels, period) if levels else _one_level(job, times, period)
    return GoodputPlan(
        stall_s=stall,
        flush_s=save.save_s,
        load_s=load,
        restart_s=restart,
        interruption_s=interruption,
        goodput_fraction=cadences.goodput_fraction,
        stall_fraction=cadences.stall_fraction,
        best_work_s=cadences.best_work_s,
        best_goodput_fraction=cadences.best_goodput_fraction,
        young_interval_s=derive(cadence.young_interval_s, stall_s=stall, interruption_s=interruption),
        levels=levels,
        **_money(context, job, cadences, stall, period),
    )


@record(frozen=True, slots=True)
class Times:
    """The times that decide goodput: stall, drain, mean time to interruption, restart."""

    stall_s: Quantity
    drain_s: Quantity | float
    interruption_s: Quantity
    restart_s: Quantity

    def goodput(self, work: Quantity, label: str = "") -> Quantity:
        """Goodput with that much work between saves."""
        return derive(
            cadence.goodput_fraction,
            label=label,
            work_s=work,
            stall_s=self.stall_s,
            interruption_s=self.interruption_s,
            restart_s=self.restart_s,
            drain_s=self.drain_s,
        )

    def period(self, interval: Quantity) -> Quantity:
        """The interval, or the flush where that takes longer: the next save waits for it."""
        drain = self.drain_s
        if not isinstance(drain, Quantity) or drain.number <= interval.number:
            return interval
        return drain

    def best_work(self) -> Quantity:
        """Work between saves at which goodput is highest."""
        stall = self.stall_s
        best = unhindered_work(stall, self.interruption_s)
        drain = self.drain_s
        if not isinstance(drain, Quantity) or drain.number <= best.number + stall.number:
            return best
        # Saves more frequent than their flush would queue up.
        return derive(
            cadence.work_s, interval_s=drain, stall_s=stall, label="Best work between saves, after a flush"
        )


def unhindered_work(stall: Quantity, interruption: Quantity) -> Quantity:
    """Work between saves at which goodput is highest if nothing but failures and stalls counts."""
    # Saves that cost nothing would be best without end: they count as a millisecond.
    cost = stall if stall.number > 0 else stated(SHORTEST_STALL_S, "stall_s", "Shortest stall")
    return derive(cadence.optimal_work_s, stall_s=cost, interruption_s=interruption)


@record(frozen=True, slots=True)
class _Cadences:
    """Goodput as planned and at the best cadence."""

    goodput_fraction: Quantity
    stall_fraction: Quantity
    best_work_s: Quantity
    best_goodput_fraction: Quantity


def _one_level(job: JobPlan, times: Times, period: Quantity) -> _Cadences:
    work = derive(cadence.work_s, interval_s=times.period(job.checkpoint.interval_s), stall_s=times.stall_s)
    best = times.best_work()
    return _Cadences(
        times.goodput(work),
        derive(lost_time.stall_share_fraction, stall_s=times.stall_s, interval_s=period),
        best,
        times.goodput(best, "Goodput at the best interval"),
    )


def _levels(context: Context, job: JobPlan, save: SavePlan, times: Times, period: Quantity) -> LevelsPlan:
    """Stall and interval of the fast level; never more seldom than the shared one."""
    policy = job.policy
    copy = save.stages["copy out of GPU memory"]
    fast = context.pick(
        f"{job.path}.checkpoint.fast_stall_s",
        policy.fast_stall_s,
        Quantity(copy.value, "s", "Stall of a fast save", copy.formula, copy.inputs),
    )
    best = derive(
        cadence.fast_level_interval_s,
        fast_stall_s=fast,
        interruption_s=times.interruption_s,
        fast_fraction=policy.fast_fraction,
    )
    interval = context.pick(
        f"{job.path}.checkpoint.fast_interval_s",
        policy.fast_interval_s,
        best if best.number < period.number else period,
    )
    return LevelsPlan(fast, interval, best, policy.fast_fraction)


def _two_levels(times: Times, levels: LevelsPlan, period: Quantity) -> _Cadences:
    stalls: dict[str, Any] = {"fast_stall_s": levels.fast_stall_s, "shared_stall_s": times.stall_s}
    common: dict[str, Any] = {
        **stalls,
        "interruption_s": times.interruption_s,
        "restart_s": times.restart_s,
        "fast_fraction": levels.fast_fraction,
    }
    shared = derive(
        cadence.shared_level_interval_s,
        shared_stall_s=_no_less(times.stall_s, levels.fast_stall_s),
        fast_stall_s=levels.fast_stall_s,
        interruption_s=times.interruption_s,
        fast_fraction=levels.fast_fraction,
    )
    return _Cadences(
        derive(
            worth.two_level_goodput_fraction,
            fast_interval_s=levels.fast_interval_s,
            shared_interval_s=period,
            **common,
        ),
        derive(
            worth.two_level_stall_fraction,
            fast_interval_s=levels.fast_interval_s,
            shared_interval_s=period,
            **stalls,
        ),
        shared,
        derive(
            worth.two_level_goodput_fraction,
            label="Goodput at the best intervals",
            fast_interval_s=levels.best_fast_interval_s,
            shared_interval_s=shared,
            **common,
        ),
    )


def _no_less(shared: Quantity, fast: Quantity) -> Quantity:
    """A save to shared storage takes at least as long as one to the fast level."""
    return shared if shared.number > fast.number else Quantity(fast.number * (1 + 1e-9), "s", shared.label)


def _money(
    context: Context, job: JobPlan, cadences: _Cadences, stall: Quantity, period: Quantity
) -> dict[str, Quantity]:
    money: dict[str, Any] = {
        "gpu_count": job.gpu_count,
        "usd_per_hour": context.scenario.prices.gpu_usd_per_hour,
    }
    return {
        "lost_usd_per_year": derive(
            lost_time.lost_usd_per_year, goodput_fraction=cadences.goodput_fraction, **money
        ),
        "best_lost_usd_per_year": derive(
            lost_time.lost_usd_per_year,
            goodput_fraction=cadences.best_goodput_fraction,
            label="Lost GPU time at the best interval",
            **money,
        ),
        "idle_usd": derive(lost_time.idle_usd_per_checkpoint, stall_s=stall, **money),
        "idle_usd_per_year": derive(
            lost_time.idle_usd_per_year,
            stall_s=stall,
            checkpoints_per_day=derive(checkpoint.saves_per_day, interval_s=period),
            **money,
        ),
    }
