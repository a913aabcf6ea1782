"""Failure rates of jobs, and how often to save."""

from __future__ import annotations

from planner.core.units import Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import burst, cadence, failure_rates


@by(failure_rates.observed_interruption_s)
def observed_interruption(case: Case) -> Result:
    """Mean time between interruptions of a run."""
    return failure_rates.observed_interruption_s(
        case.read("interruptions"), observed_s=case.read("observed", "s")
    )


@by(failure_rates.node_failures_per_day, failure_rates.observed_failures_per_1000_gpu_days)
def observed_node_rate(case: Case) -> Result:
    """Failures of a node in a day, from a count."""
    each = case.read("GPUs of a node")
    rate = failure_rates.observed_failures_per_1000_gpu_days(
        case.read("interruptions"),
        gpu_count=case.read("nodes") * each,
        observed_s=case.read("observed", "s"),
    )
    return failure_rates.node_failures_per_day(rate, node_gpu_count=each)


def interruption_s(case: Case, node_failures_per_day: Number) -> Number:
    """Mean time to interruption of the job of a case, from a rate of its nodes."""
    each = case.read("GPUs of a node")
    rate = failure_rates.failures_per_1000_gpu_days(node_failures_per_day, node_gpu_count=each)
    return failure_rates.mean_time_to_interruption_s(
        case.read("nodes") * each, failures_per_1000_gpu_days=rate
    )


@by(failure_rates.mean_time_to_interruption_s, failure_rates.failures_per_1000_gpu_days)
def job_interruption(case: Case) -> Result:
    """Mean time to interruption of a job on so many nodes."""
    return interruption_s(case, case.read("node failures", "per day"))


@by(failure_rates.mean_time_to_interruption_s, failure_rates.observed_failures_per_1000_gpu_days)
def accelerator_interruption(case: Case) -> Result:
    """Mean time to interruption from the mean time of one accelerator."""
    rate = failure_rates.observed_failures_per_1000_gpu_days(
        1.0, gpu_count=1.0, observed_s=case.read("accelerator MTTF", "s")
    )
    return failure_rates.mean_time_to_interruption_s(
        case.read("accelerators"), failures_per_1000_gpu_days=rate
    )


@by(cadence.young_interval_s)
def young(case: Case) -> Result:
    """Best interval by Young."""
    return cadence.young_interval_s(case.read("stall", "s"), interruption_s=case.read("M", "s"))


@by(cadence.daly_interval_s)
def daly(case: Case) -> Result:
    """Best interval by Daly, of higher order."""
    return cadence.daly_interval_s(case.read("stall", "s"), interruption_s=case.read("M", "s"))


@by(cadence.optimal_work_s)
def best_work(case: Case) -> Result:
    """Best work between saves, exact."""
    return cadence.optimal_work_s(case.read("stall", "s"), interruption_s=case.read("M", "s"))


@by(cadence.affordable_stall_s)
def affordable_stall(case: Case) -> Result:
    """Longest stall at a goodput that is asked for."""
    return cadence.affordable_stall_s(
        1.0 - case.read("goodput", "fraction"),
        interruption_s=case.read("M", "s"),
        restart_s=case.read("restart", "s"),
    )


@by(cadence.fast_level_interval_s)
def fast_level(case: Case) -> Result:
    """Interval of the fast one of two levels."""
    return cadence.fast_level_interval_s(
        case.read("fast stall", "s"),
        interruption_s=case.read("M", "s"),
        fast_fraction=case.read("mended by the fast level", "fraction"),
    )


@by(burst.drain_bytes_per_s, cadence.optimal_work_s)
def least_drain(case: Case) -> Result:
    """Least bandwidth of the drain at the best interval."""
    stall = case.read("stall", "s")
    work = cadence.optimal_work_s(stall, interruption_s=case.read("M", "s"))
    return burst.drain_bytes_per_s(case.read("checkpoint", "bytes"), interval_s=work + stall)
