"""Failure rates, rebuilds, data loss and stripes out of reach."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from planner.core.units import DAY_S, Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import durability, rebuilds

WEEK_S = 7 * DAY_S


def _rate(case: Case) -> Number:
    return durability.failure_per_s(case.read("AFR", "fraction"))


class Width(TypedDict):
    """Chunks of a group and those of them that may fail, as the functions take them."""

    width_count: int
    parity_count: int


def _width(case: Case) -> Width:
    parity = int(case.read("parity"))
    return {"width_count": int(case.read("data")) + parity, "parity_count": parity}


@by(durability.annual_failure_fraction)
def failure_rate_of_data_sheet(case: Case) -> Result:
    """Share that fails in a year, from a mean time to failure."""
    return durability.annual_failure_fraction(case.read("MTTF", "s"))


@by(durability.observed_failure_fraction)
def observed_drive_failures(case: Case) -> Result:
    """Share that fails in a year, from a count."""
    return durability.observed_failure_fraction(case.read("failures"), observed_days=case.read("drive days"))


def _loss_time(case: Case, law: Callable[..., Number]) -> Number:
    return law(_rate(case), rebuild_s=case.read("rebuild", "s"), **_width(case))


@by(durability.loss_time_s, durability.failure_per_s)
def loss_time(case: Case) -> Result:
    """Mean time to data loss, one repair after another."""
    return _loss_time(case, durability.loss_time_s)


@by(durability.parallel_loss_time_s, durability.failure_per_s)
def parallel_loss_time(case: Case) -> Result:
    """Mean time to data loss, repairs side by side."""
    return _loss_time(case, durability.parallel_loss_time_s)


@by(durability.annual_loss_fraction, durability.loss_time_s, durability.failure_per_s)
def loss_probability(case: Case) -> Result:
    """Chance of a loss in a number of failure years."""
    return durability.annual_loss_fraction(
        _loss_time(case, durability.loss_time_s),
        group_count=case.read("groups"),
        period_s=case.read("failure years") * durability.FAILURE_YEAR_S,
    )


@by(rebuilds.rebuild_s)
def rebuild(case: Case) -> Result:
    """Time to refill a spare."""
    return rebuilds.rebuild_s(
        case.read("drive", "bytes"),
        fill_fraction=case.read("fill", "fraction"),
        rebuild_bytes_per_s=case.read("spare write", "bytes/s"),
        detect_s=case.read("detect", "s"),
    )


@by(rebuilds.declustered_rebuild_s)
def declustered_rebuild(case: Case) -> Result:
    """Time to rebuild in a pool that shares the work."""
    return rebuilds.declustered_rebuild_s(
        case.read("drive", "bytes"),
        fill_fraction=case.read("fill", "fraction"),
        drive_count=case.read("drives"),
        data_count=case.read("data"),
        drive_rebuild_bytes_per_s=case.read("drive rebuild", "bytes/s"),
        detect_s=case.read("detect", "s"),
    )


@by(
    durability.nines_count,
    durability.annual_loss_fraction,
    durability.loss_time_s,
    durability.failure_per_s,
)
def nines(case: Case) -> Result:
    """Nines of a pool of groups whose failures may come together."""
    time = durability.loss_time_s(
        _rate(case),
        rebuild_s=case.read("rebuild", "s"),
        hazard_ratio=case.read("hazard after a failure", "1"),
        **_width(case),
    )
    return durability.nines_count(durability.annual_loss_fraction(time, group_count=case.read("groups")))


@by(durability.hazard_ratio)
def hazard(case: Case) -> Result:
    """Failure rate after a failure over that before it."""
    return durability.hazard_ratio(
        case.read("in a week", "fraction"), after_fraction=case.read("after a failure", "fraction")
    )


@by(durability.annual_loss_fraction, durability.group_loss_time_s, durability.failure_per_s)
def loss_by_group_rates(case: Case) -> Result:
    """Chance of a loss in a year with measured weekly rates."""
    first, further = (
        durability.failure_per_s(case.read(name, "fraction"), period_s=WEEK_S)
        for name in ("in a week", "after a failure")
    )
    time = durability.group_loss_time_s(
        first,
        further_failure_per_s=further,
        parity_count=int(case.read("parity")),
        rebuild_s=case.read("rebuild", "s"),
    )
    return durability.annual_loss_fraction(time)


def _unreadable(case: Case) -> Number:
    return rebuilds.unreadable_fraction(
        case.read("data") * case.read("drive", "bytes"), bit_error_ratio=case.read("bit errors", "1")
    )


@by(rebuilds.unreadable_fraction)
def unreadable(case: Case) -> Result:
    """Chance of an unreadable sector while a group is read."""
    return _unreadable(case)


@by(
    durability.nines_count,
    durability.annual_loss_fraction,
    durability.loss_time_s,
    rebuilds.unreadable_fraction,
    durability.failure_per_s,
)
def nines_with_unreadable_sectors(case: Case) -> Result:
    """Nines of one group whose last repair may fail."""
    time = durability.loss_time_s(
        _rate(case),
        rebuild_s=case.read("rebuild", "s"),
        unreadable_fraction=_unreadable(case),
        **_width(case),
    )
    return durability.nines_count(durability.annual_loss_fraction(time))


@by(durability.unavailable_fraction, durability.tolerated_domains_count)
def unavailable(case: Case) -> Result:
    """Chance that too many nodes are away."""
    tolerated = durability.tolerated_domains_count(
        case.read("parity"), domain_chunk_count=case.read("chunks of a node")
    )
    return durability.unavailable_fraction(
        case.read("away", "fraction"), domain_count=case.read("nodes"), tolerated_count=tolerated
    )


@by(durability.lost_stripe_fraction)
def lost_stripes(case: Case) -> Result:
    """Share of the stripes that one failure too many takes."""
    return durability.lost_stripe_fraction(case.read("drives"), **_width(case))


@by(
    durability.nines_count,
    durability.annual_loss_fraction,
    durability.declustered_loss_time_s,
    durability.failure_per_s,
)
def declustered_nines(case: Case) -> Result:
    """Nines of a pool that mends what is critical first."""
    time = durability.declustered_loss_time_s(
        _rate(case),
        drive_count=case.read("drives"),
        parity_count=int(case.read("parity")),
        rebuild_s=case.read("rebuild", "s"),
        critical_rebuild_s=case.read("critical rebuild", "s"),
    )
    return durability.nines_count(durability.annual_loss_fraction(time))


@by(rebuilds.critical_rebuild_s)
def critical_rebuild(case: Case) -> Result:
    """Time to rebuild the stripes that cannot lose another chunk."""
    return rebuilds.critical_rebuild_s(
        case.read("rebuild", "s"),
        detect_s=case.read("detect", "s"),
        drive_count=case.read("drives"),
        **_width(case),
    )


@by(rebuilds.rebuild_traffic_bytes_per_s)
def rebuild_traffic(case: Case) -> Result:
    """Bandwidth that a rebuild takes from a pool."""
    return rebuilds.rebuild_traffic_bytes_per_s(
        case.read("drives"), drive_rebuild_bytes_per_s=case.read("drive rebuild", "bytes/s")
    )


@by(durability.outage_loss_fraction)
def loss_after_an_outage(case: Case) -> Result:
    """Chance that a stripe is lost when nodes do not return."""
    return durability.outage_loss_fraction(
        case.read("nodes"),
        lost_node_count=case.read("lost nodes"),
        stripe_count=case.read("stripes"),
        **_width(case),
    )
