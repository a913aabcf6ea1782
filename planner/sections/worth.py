"""What the cadence costs a job, and what other cadences, levels and tiers would give and be worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.core.quantity import Quantity, derive, given
from planner.sections.context import Context, stated
from planner.sections.goodput import GoodputPlan, Times
from planner.sections.jobs import JobPlan
from planner.sections.tiers import TierPlan
from planner.sections.transport import SavePlan, TransportOption
from planner.sizing import burst, cadence, checkpoint, economics, lost_time, transport, worth

BUDGETS = (0.005, 0.01, 0.02, 0.03, 0.05)
"""Waste budgets that the table answers: what does so much waste cost in GB/s."""
LARGER = 2.0
"""How many times the hot tier that the table of alternatives tries."""


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """The write bandwidth that a waste budget asks for.

    Attributes:
        budget_fraction: Share of time.
        fixed_bytes_per_s: Bandwidth if stalls alone may take that share at the interval as it is.
        stall_s: Longest stall with which stalls, lost work and restarts stay inside the budget at the best
            interval; 0 where restarts alone use it up.
        best_bytes_per_s: Bandwidth for that stall.
    """

    budget_fraction: Quantity
    fixed_bytes_per_s: Quantity
    stall_s: Quantity
    best_bytes_per_s: Quantity


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to lose less time.

    Attributes:
        name: What would be done.
        extra_usd: What it costs at the high price; None where it costs nothing.
        pays_back_s: Time until it has paid for itself; None where it costs nothing.
        remark: Where it does not hold.
    """

    name: str
    work_s: Quantity
    stall_s: Quantity
    goodput_fraction: Quantity
    saved_usd_per_year: Quantity
    extra_usd: Quantity | None = None
    pays_back_s: Quantity | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class WorthPlan:
    """Where the time goes, and what more bandwidth or another cadence is worth.

    Attributes:
        array_bytes_per_s: Write bandwidth that the save sees: its bytes over its time.
        worth_fixed_usd_per_year: Worth of one GB/s more if the work between saves stays.
        worth_best_usd_per_year: The same, saving at the best interval.
        worth_async_usd_per_year: The same with asynchronous saves.
        step_usd_per_year: What one GB/s of the hot tier costs in a year, at the high price.
        best_bytes_per_s: Bandwidth at which one GB/s more costs what it saves, at the best interval.
        best_fixed_bytes_per_s: The same if the work between saves stays.
        best_async_bytes_per_s: The same with asynchronous saves.
    """

    stalled_fraction: Quantity
    lost_work_fraction: Quantity
    restart_fraction: Quantity
    daly_work_s: Quantity
    ettr_fraction: Quantity
    array_bytes_per_s: Quantity
    job_usd_per_year: Quantity
    worth_fixed_usd_per_year: Quantity
    worth_best_usd_per_year: Quantity
    worth_async_usd_per_year: Quantity
    step_usd_per_year: Quantity
    best_bytes_per_s: Quantity
    best_fixed_bytes_per_s: Quantity
    best_async_bytes_per_s: Quantity
    budgets: tuple[BudgetRow, ...]
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """A job on its tiers, with the price of its hot tier."""

    context: Context
    job: JobPlan
    hot: TierPlan
    option: TransportOption
    save: SavePlan
    goodput: GoodputPlan
    hot_usd: Quantity

    @property
    def times(self) -> Times:
        """The times of a synchronous save as planned."""
        good = self.goodput
        return Times(self.save.save_s, 0.0, good.interruption_s, good.restart_s)

    @property
    def work_s(self) -> Quantity:
        """Work between saves of the design as it is."""
        good = self.goodput
        drain = self.save.save_s if self.job.policy.mode == "async" else 0.0
        return self.work_of(Times(good.stall_s, drain, good.interruption_s, good.restart_s))

    def work_of(self, times: Times) -> Quantity:
        """Work that the interval leaves to saves of another kind."""
        return derive(
            cadence.work_s, interval_s=times.period(self.job.checkpoint.interval_s), stall_s=times.stall_s
        )


def worth_plan(setting: Setting) -> WorthPlan:
    """The split of a job's time, the price of waste in bandwidth, and the alternatives."""
    good, job, work = setting.goodput, setting.job, setting.work_s
    split: dict[str, Any] = {
        "goodput_fraction": good.goodput_fraction,
        "stall_s": good.stall_s,
        "work_s": _some(work),
    }
    failing: dict[str, Any] = {"interruption_s": good.interruption_s, "restart_s": good.restart_s}
    written = job.checkpoint.written_bytes
    seen = derive(
        checkpoint.required_write_bytes_per_s,
        checkpoint_bytes=written,
        target_s=setting.save.save_s,
        label="Write bandwidth of the save",
    )
    year = derive(
        lost_time.lost_usd_per_year,
        goodput_fraction=0.0,
        gpu_count=job.gpu_count,
        usd_per_hour=setting.context.scenario.prices.gpu_usd_per_hour,
        label="GPU time of the job in a year",
    )
    step = derive(
        worth.step_usd_per_year,
        capital_usd=setting.hot_usd,
        term_years=setting.context.scenario.prices.term_years,
        bandwidth_bytes_per_s=setting.hot.write_bytes_per_s,
    )
    asked: dict[str, Any] = {"checkpoint_bytes": written, "job_usd_per_year": year}
    moving: dict[str, Any] = {**asked, "interruption_s": good.interruption_s}
    at: dict[str, Any] = {"bandwidth_bytes_per_s": seen}
    return WorthPlan(
        **_split(good, work, split, failing),
        daly_work_s=derive(cadence.daly_interval_s, stall_s=good.stall_s, interruption_s=good.interruption_s),
        ettr_fraction=derive(
            lost_time.meta_ettr_fraction,
            interval_s=job.checkpoint.interval_s,
            stall_s=good.stall_s,
            **failing,
        ),
        array_bytes_per_s=seen,
        job_usd_per_year=year,
        worth_fixed_usd_per_year=derive(
            economics.fixed_cadence_worth_usd_per_year, work_s=_some(work), **at, **moving
        ),
        worth_best_usd_per_year=derive(economics.bandwidth_worth_usd_per_year, **at, **moving),
        worth_async_usd_per_year=derive(economics.async_worth_usd_per_year, **at, **moving),
        step_usd_per_year=step,
        best_bytes_per_s=derive(economics.best_bandwidth_bytes_per_s, step_usd_per_year=step, **moving),
        best_fixed_bytes_per_s=derive(
            economics.fixed_cadence_bandwidth_bytes_per_s, step_usd_per_year=step, work_s=_some(work), **asked
        ),
        best_async_bytes_per_s=derive(worth.async_bandwidth_bytes_per_s, step_usd_per_year=step, **moving),
        budgets=tuple(_budget(setting, budget) for budget in BUDGETS),
        alternatives=_alternatives(setting, year),
    )


def _split(
    good: GoodputPlan, work: Quantity, split: dict[str, Any], failing: dict[str, Any]
) -> dict[str, Quantity]:
    """Where the time goes; where saves leave no work, all of it that is not restarts goes to stalls."""
    if good.levels is not None:
        return _split_of_levels(good, failing)
    restarts = derive(lost_time.restart_fraction, **failing)
    if work.number > 0:
        return {
            "stalled_fraction": derive(lost_time.stalled_fraction, **split),
            "lost_work_fraction": derive(lost_time.lost_work_fraction, **split, **failing),
            "restart_fraction": restarts,
        }
    return {
        "stalled_fraction": derive(
            worth.other_fraction, restart_fraction=restarts, label="Time lost to stalls"
        ),
        "lost_work_fraction": given(
            0.0,
            "fraction",
            "Time lost to repeated work",
            source="no work is done between saves",
            grade="seen",
        ),
        "restart_fraction": restarts,
    }


def _split_of_levels(good: GoodputPlan, failing: dict[str, Any]) -> dict[str, Quantity]:
    """The same of saves to two levels, each part as their law has it."""
    restarts = derive(worth.two_level_restart_fraction, goodput_fraction=good.goodput_fraction, **failing)
    shares: dict[str, Any] = {"goodput_fraction": good.goodput_fraction, "restart_fraction": restarts}
    stalled = derive(worth.two_level_stalled_fraction, stall_fraction=good.stall_fraction, **shares)
    return {
        "stalled_fraction": stalled,
        "lost_work_fraction": derive(worth.two_level_lost_work_fraction, stalled_fraction=stalled, **shares),
        "restart_fraction": restarts,
    }


def _some(work: Quantity) -> Quantity:
    """Work to divide by: a save longer than its interval leaves none, and then a millisecond counts."""
    if work.number > 0:
        return work
    return given(1e-3, "s", "Shortest work", source="no work is left between saves", grade="seen")


def _budget(setting: Setting, budget: float) -> BudgetRow:
    share = given(budget, "fraction", "Waste", source="a row of the table", grade="input")
    own, good = setting.job.checkpoint, setting.goodput
    stall = derive(
        cadence.affordable_stall_s,
        waste_fraction=share,
        interruption_s=good.interruption_s,
        restart_s=good.restart_s,
    )
    return BudgetRow(
        share,
        derive(
            checkpoint.required_write_bytes_per_s,
            checkpoint_bytes=own.written_bytes,
            target_s=derive(
                checkpoint.target_from_waste_s, waste_budget_fraction=share, interval_s=own.interval_s
            ),
            label="Bandwidth, stalls at this interval",
        ),
        stall,
        derive(
            checkpoint.required_write_bytes_per_s,
            checkpoint_bytes=own.written_bytes,
            target_s=stall,
            label="Bandwidth, all waste at the best interval",
        )
        if stall.number > 0
        else given(
            None,
            "bytes/s",
            "Bandwidth, all waste at the best interval",
            source="restarts alone take more than this budget: no bandwidth attains it",
            grade="unknown",
        ),
    )


def _alternatives(setting: Setting, year: Quantity) -> tuple[Alternative, ...]:
    """The same job saving otherwise: first what costs nothing, then twice the hot tier."""
    sync = setting.times
    stall = setting.job.policy.async_stall_s
    later = Times(
        stated(stall, "stall_s", "Stall of a save", source="stated for asynchronous saves"),
        setting.save.save_s,
        sync.interruption_s,
        sync.restart_s,
    )
    larger, price = _larger(setting), setting.hot_usd
    rows = [
        (name, times, work, cost)
        for kind, times, cost in (
            ("Synchronous", sync, None),
            ("Asynchronous", later, None),
            ("Twice the hot tier", larger, price),
        )
        for name, work in (
            (f"{kind}, same interval", setting.work_of(times)),
            (f"{kind}, best interval", times.best_work()),
        )
    ]
    found = [_alternative(setting, year, *row) for row in rows]
    found.insert(4, _two_levels(setting, year))
    return tuple(found)


def _alternative(
    setting: Setting, year: Quantity, name: str, times: Times, work: Quantity, price: Quantity | None
) -> Alternative:
    reached = times.goodput(work)
    saved = derive(
        worth.saved_usd_per_year,
        new_goodput_fraction=reached,
        goodput_fraction=setting.goodput.goodput_fraction,
        job_usd_per_year=year,
    )
    flush = times.drain_s if isinstance(times.drain_s, Quantity) else None
    interval = setting.job.checkpoint.interval_s.number
    queued = flush is not None and "same" in name and flush.number > interval
    return Alternative(
        name,
        work,
        times.stall_s,
        reached,
        saved,
        price,
        derive(economics.break_even_s, extra_usd=price, saving_usd_per_year=saved)
        if price is not None
        else None,
        f"The flush of {flush} is longer than the interval, so that saves wait for it." if queued else "",
    )


def _two_levels(setting: Setting, year: Quantity) -> Alternative:
    """Two levels at their best intervals; the fast one is the copy out of GPU memory."""
    policy, times = setting.job.policy, setting.times
    fast = (
        setting.goodput.levels.fast_stall_s
        if setting.goodput.levels
        else setting.save.stages["copy out of GPU memory"]
    )
    levels: dict[str, Any] = {
        "fast_stall_s": fast,
        "interruption_s": times.interruption_s,
        "fast_fraction": policy.fast_fraction,
    }
    if times.stall_s.number <= fast.number:
        return _alternative(setting, year, "Two levels, best intervals", times, times.best_work(), None)
    shared = derive(cadence.shared_level_interval_s, shared_stall_s=times.stall_s, **levels)
    reached = derive(
        worth.two_level_goodput_fraction,
        fast_interval_s=derive(cadence.fast_level_interval_s, **levels),
        shared_interval_s=shared,
        shared_stall_s=times.stall_s,
        restart_s=times.restart_s,
        **levels,
    )
    saved = derive(
        worth.saved_usd_per_year,
        new_goodput_fraction=reached,
        goodput_fraction=setting.goodput.goodput_fraction,
        job_usd_per_year=year,
    )
    share = given(policy.fast_fraction, "fraction", "Mended", source="input", grade="input")
    remark = f"First order; a copy in memory or on a local drive mends {share} of the failures."
    return Alternative("Two levels, best intervals", shared, times.stall_s, reached, saved, remark=remark)


def _larger(setting: Setting) -> Times:
    """The save and the restart on twice the hot tier: its ports and drives take half the time."""
    stages = setting.save.stages
    save = derive(
        burst.slowest_s,
        copy_s=stages["copy out of GPU memory"],
        node_s=stages["node ports"],
        fabric_s=stages["fabric"],
        ports_s=derive(
            worth.scaled_s, stage_s=stages["target ports"], size_ratio=LARGER, label="Target ports, twice"
        ),
        drives_s=derive(worth.scaled_s, stage_s=stages["drives"], size_ratio=LARGER, label="Drives, twice"),
        label="Save on twice the hot tier",
    )
    load = derive(
        transport.load_s,
        checkpoint_bytes=setting.job.checkpoint.restart_bytes,
        array_bytes_per_s=setting.hot.read_bytes_per_s.number * LARGER,
        node_count=setting.job.checkpoint.reader_count,
        node_bytes_per_s=setting.option.node_bytes_per_s,
        label="Load on twice the hot tier",
    )
    restart = derive(lost_time.restart_s, fixed_s=setting.job.policy.restart_s, load_s=load)
    good, policy = setting.goodput, setting.job.policy
    if policy.mode == "async":
        return Times(good.stall_s, save, good.interruption_s, restart)
    return Times(save, 0.0, good.interruption_s, restart)
