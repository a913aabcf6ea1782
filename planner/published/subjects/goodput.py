"""Share of the time that trains, and what the rest costs."""

from __future__ import annotations

from planner.core.units import Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.published.subjects.cadence import interruption_s
from planner.sizing import cadence, checkpoint, failure_rates, lost_time


def _goodput(case: Case, *, work_s: Number, stall_s: Number, drain_s: Number = 0.0) -> Number:
    return cadence.goodput_fraction(
        work_s,
        stall_s=stall_s,
        interruption_s=case.read("M", "s"),
        restart_s=case.read("restart", "s"),
        drain_s=drain_s,
    )


def _best_work(case: Case, stall_s: Number) -> Number:
    return cadence.optimal_work_s(stall_s, interruption_s=case.read("M", "s"))


@by(cadence.goodput_fraction)
def goodput_of_work(case: Case) -> Result:
    """Goodput at given work between saves."""
    return _goodput(case, work_s=case.read("work", "s"), stall_s=case.read("stall", "s"))


@by(cadence.goodput_fraction, cadence.optimal_work_s)
def best_goodput(case: Case) -> Result:
    """Goodput at the best work between saves."""
    stall = case.read("stall", "s")
    return _goodput(case, work_s=_best_work(case, stall), stall_s=stall)


@by(cadence.goodput_fraction, checkpoint.write_s)
def goodput_of_bandwidth(case: Case) -> Result:
    """Goodput with the stall that a bandwidth gives."""
    stall = checkpoint.write_s(
        case.read("checkpoint", "bytes"), bandwidth_bytes_per_s=case.read("bandwidth", "bytes/s")
    )
    return _goodput(case, work_s=case.read("work", "s"), stall_s=stall)


@by(cadence.goodput_fraction)
def asynchronous_goodput(case: Case) -> Result:
    """Goodput with saves that drain while training goes on."""
    return _goodput(
        case,
        work_s=case.read("work", "s"),
        stall_s=case.read("stall", "s"),
        drain_s=case.read("drain", "s"),
    )


@by(
    lost_time.meta_ettr_fraction,
    failure_rates.mean_time_to_interruption_s,
    failure_rates.failures_per_1000_gpu_days,
)
def effective_time(case: Case) -> Result:
    """Effective training time ratio, of first order."""
    return lost_time.meta_ettr_fraction(
        case.read("interval", "s"),
        stall_s=case.read("stall", "s"),
        interruption_s=interruption_s(case, case.read("node failures", "per day")),
        restart_s=case.read("restart", "s"),
    )


@by(lost_time.idle_usd_per_checkpoint)
def idle_cost_of_a_save(case: Case) -> Result:
    """What GPUs that wait for one save cost."""
    return lost_time.idle_usd_per_checkpoint(
        case.read("stall", "s"),
        gpu_count=case.read("GPUs"),
        usd_per_hour=case.read("GPU price", "USD/h"),
    )


@by(lost_time.idle_usd_per_year)
def idle_cost(case: Case) -> Result:
    """What GPUs that wait for saves cost in a year."""
    return lost_time.idle_usd_per_year(
        case.read("stall", "s"),
        gpu_count=case.read("GPUs"),
        usd_per_hour=case.read("GPU price", "USD/h"),
        checkpoints_per_day=case.read("saves of a day"),
    )


def _lost_usd(case: Case, goodput_fraction: Number) -> Number:
    return lost_time.lost_usd_per_year(
        goodput_fraction,
        gpu_count=case.read("GPUs"),
        usd_per_hour=case.read("GPU price", "USD/h"),
    )


@by(lost_time.lost_usd_per_year, cadence.goodput_fraction)
def worth_of_shorter_stalls(case: Case) -> Result:
    """What shorter stalls save in a year at the same work between saves."""
    work = case.read("work", "s")
    slow, fast = (
        _lost_usd(case, _goodput(case, work_s=work, stall_s=stall)) for stall in case.several("stalls", "s")
    )
    return slow - fast


@by(lost_time.lost_usd_per_year, cadence.goodput_fraction, cadence.optimal_work_s)
def worth_of_shorter_stalls_at_best(case: Case) -> Result:
    """What shorter stalls save in a year, each at its own best work between saves."""
    slow, fast = (
        _lost_usd(case, _goodput(case, work_s=_best_work(case, stall), stall_s=stall))
        for stall in case.several("stalls", "s")
    )
    return slow - fast
