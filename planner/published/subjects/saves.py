"""Times, rates and stalls of checkpoint saves."""

from __future__ import annotations

from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.published.subjects.sizes import size_of
from planner.sizing import cadence, checkpoint, lost_time, term, transport


@by(checkpoint.required_write_bytes_per_s)
def save_rate(case: Case) -> Result:
    """Bandwidth that stores so much in that time."""
    return checkpoint.required_write_bytes_per_s(
        case.read("checkpoint", "bytes"), target_s=case.read("time", "s")
    )


@by(checkpoint.required_write_bytes_per_s, checkpoint.shard_bytes)
def node_save_rate(case: Case) -> Result:
    """Bandwidth of a node that stores its shard in that time."""
    shard = checkpoint.shard_bytes(case.read("checkpoint", "bytes"), writer_count=case.read("nodes"))
    return checkpoint.required_write_bytes_per_s(shard, target_s=case.read("time", "s"))


@by(checkpoint.required_write_bytes_per_s, checkpoint.size_bytes)
def model_save_rate(case: Case) -> Result:
    """Bandwidth that stores the checkpoint of a model in that time."""
    return checkpoint.required_write_bytes_per_s(size_of(case), target_s=case.read("save", "s"))


@by(checkpoint.write_s)
def save_time(case: Case) -> Result:
    """Time of a save at a bandwidth."""
    return checkpoint.write_s(
        case.read("checkpoint", "bytes"), bandwidth_bytes_per_s=case.read("bandwidth", "bytes/s")
    )


@by(checkpoint.write_s, checkpoint.size_bytes)
def model_save_time(case: Case) -> Result:
    """Time of a save of a model at a bandwidth."""
    return checkpoint.write_s(size_of(case), bandwidth_bytes_per_s=case.read("bandwidth", "bytes/s"))


@by(checkpoint.saved_s)
def time_saved(case: Case) -> Result:
    """Least and most time between a slow and a fast save."""
    slow, fast = case.several("slow", "s"), case.several("fast", "s")
    return [
        float(checkpoint.saved_s(min(slow), fast_s=max(fast))),
        float(checkpoint.saved_s(max(slow), fast_s=min(fast))),
    ]


@by(lost_time.stall_share_fraction)
def stall_share(case: Case) -> Result:
    """Share of the time that saves take."""
    return lost_time.stall_share_fraction(case.read("save", "s"), interval_s=case.read("interval", "s"))


@by(term.saves_count, checkpoint.saves_per_day)
def saves_in_run(case: Case) -> Result:
    """Saves of a run."""
    return term.saves_count(
        checkpoint.saves_per_day(case.read("interval", "s")), term_s=case.read("run", "s")
    )


@by(checkpoint.saves_per_day)
def saves_per_day(case: Case) -> Result:
    """Saves of a day."""
    return checkpoint.saves_per_day(case.read("interval", "s"))


@by(checkpoint.speedup_ratio)
def speedup(case: Case) -> Result:
    """Time of the slower over that of the faster."""
    return checkpoint.speedup_ratio(case.read("synchronous", "s"), fast_s=case.read("asynchronous", "s"))


@by(checkpoint.blocking_fraction)
def blocking_share(case: Case) -> Result:
    """Share of a save that blocks training."""
    return checkpoint.blocking_fraction(case.read("block", "s"), save_s=case.read("save", "s"))


@by(checkpoint.target_from_waste_s, cadence.young_interval_s)
def affordable_save(case: Case) -> Result:
    """Longest save inside a waste budget, and the best interval of that save.

    At the best interval half of the waste is saves, and the interval is the waste times the mean time.
    """
    waste, interruption = case.read("waste", "fraction"), case.read("M", "s")
    stall = checkpoint.target_from_waste_s(waste / 2, interval_s=waste * interruption)
    return [float(stall), float(cadence.young_interval_s(stall, interruption_s=interruption))]


@by(transport.nfs_save_s)
def front_end_save(case: Case) -> Result:
    """Time of a save through one front end, at its faster and at its slower rate."""
    return [
        float(
            transport.nfs_save_s(
                case.read("checkpoint", "bytes"),
                session_count=case.read("sessions"),
                session_bytes_per_s=case.read("session", "bytes/s"),
                front_end_bytes_per_s=rate,
            )
        )
        for rate in case.several("front end", "bytes/s")
    ]
