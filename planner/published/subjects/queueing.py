"""Response times of queues, and Little's law."""

from __future__ import annotations

from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import hops, queueing


@by(queueing.mm1_mean_ratio)
def mm1_mean(case: Case) -> Result:
    """Mean response, random service."""
    return queueing.mm1_mean_ratio(case.read("load", "fraction"))


@by(queueing.mm1_quantile_ratio)
def mm1_quantile(case: Case) -> Result:
    """Quantile of the response, random service."""
    return queueing.mm1_quantile_ratio(
        case.read("load", "fraction"), quantile_fraction=case.read("quantile", "fraction")
    )


@by(queueing.md1_mean_ratio)
def md1_mean(case: Case) -> Result:
    """Mean response, equal service."""
    return queueing.md1_mean_ratio(case.read("load", "fraction"))


@by(queueing.md1_quantile_ratio)
def md1_quantile(case: Case) -> Result:
    """Quantile of the response, equal service."""
    return queueing.md1_quantile_ratio(
        case.read("load", "fraction"), quantile_fraction=case.read("quantile", "fraction")
    )


@by(queueing.mmc_mean_ratio)
def mmc_mean(case: Case) -> Result:
    """Mean response of channels side by side."""
    return queueing.mmc_mean_ratio(case.read("load", "fraction"), channel_count=case.read("channels"))


@by(queueing.little_outstanding_count)
def outstanding(case: Case) -> Result:
    """Requests under way at a bandwidth."""
    return queueing.little_outstanding_count(
        case.read("bandwidth", "bytes/s"),
        latency_s=case.read("latency", "s"),
        io_bytes=case.read("block", "bytes"),
    )


@by(queueing.little_bytes_per_s)
def bandwidth_of_depth(case: Case) -> Result:
    """Bandwidth of so many requests under way."""
    return queueing.little_bytes_per_s(
        case.read("queue depth"),
        latency_s=case.read("latency", "s"),
        io_bytes=case.read("block", "bytes"),
    )


@by(queueing.mg1_mean_ratio)
def mg1_mean(case: Case) -> Result:
    """Mean response, service of any variation."""
    return queueing.mg1_mean_ratio(
        case.read("load", "fraction"), service_variation_ratio=case.read("service variation", "1")
    )


@by(queueing.mm1_load_fraction)
def load_for_a_response(case: Case) -> Result:
    """Highest load at which the tail of the response keeps within a multiple of the service."""
    return queueing.mm1_load_fraction(
        case.read("response", "1"), quantile_fraction=case.read("quantile", "fraction")
    )


@by(hops.one_lost_left_fraction)
def survivable_load(case: Case) -> Result:
    """Highest load that one target less still carries."""
    return hops.one_lost_left_fraction(case.read("targets"))
