"""Durability and availability: how likely data is lost or out of reach.

Drives fail independently unless a hazard ratio says that one failure makes the next likelier; that
ratio and unreadable sectors decide more than the code does. Figures beyond nine nines rank schemes,
they promise nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import betainc, betaln  # type: ignore[import-untyped]

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import DAY_S, FAILURE_YEAR_HOURS, HOUR_S, YEAR_S, Number

FAILURE_YEAR_S = FAILURE_YEAR_HOURS * HOUR_S
"""The year of a failure rate: 365.25 days."""
_SMALLEST = 1e-300

_D1 = "reliability models, D1"
_D2 = "absorbing birth-death chain; reliability models, D2"
_D3 = "reliability models, D3"
_D5 = "Maneas et al., FAST 2020; reliability models, D5"
_D7 = "reliability models, D7"
_D8 = "reliability models, D8"
_CHAIN = (
    r"T = \sum_{i=0}^{m} h_i,\quad h_0 = \frac{1}{\lambda_0},\quad h_i = \frac{1 + \mu_i h_{i-1}}{\lambda_i}"
)
_UNREADABLE = r",\quad h_m = \frac{1 + \mu_m (1 - p)\,h_{m-1}}{\lambda_m + \mu_m\,p}"


# --- rates --------------------------------------------------------------------------------------------------


@formula(
    r"\mathrm{AFR} = 1 - e^{-8766\,\mathrm{h} / \mathrm{MTTF}}",
    unit="fraction",
    label="Annual failure rate",
    source=_D1,
    symbols={"mean_life_s": r"\mathrm{MTTF}"},
)
def annual_failure_fraction(mean_life_s: Number) -> Number:
    """Share of drives that fail in a year, from a data sheet's mean time to failure.

    Args:
        mean_life_s: Mean time to failure.

    Example:
        >>> round(float(annual_failure_fraction(2e6 * 3600)), 5)
        0.00437
    """
    share: Number = -np.expm1(-FAILURE_YEAR_S / mean_life_s)
    return share


@formula(
    r"\mathrm{AFR} = 365\,k / d",
    unit="fraction",
    label="Observed annual failure rate",
    source=_D1,
    symbols={"failure_count": "k", "observed_days": "d"},
)
def observed_failure_fraction(failure_count: Number, *, observed_days: Number) -> Number:
    """Share of drives that fail in a year, from a fleet that was watched.

    Args:
        failure_count: Failures seen.
        observed_days: Days watched, summed over the drives.

    Example:
        >>> float(observed_failure_fraction(10, observed_days=365_000.0))
        0.01
    """
    return failure_count * (YEAR_S / DAY_S) / observed_days


@formula(
    r"\lambda = -\frac{\ln(1 - p)}{t}",
    unit="per s",
    label="Failure rate",
    source=_D1,
    symbols={"failure_fraction": "p", "period_s": "t"},
)
def failure_per_s(failure_fraction: Number, *, period_s: Number = FAILURE_YEAR_S) -> Number:
    """Constant rate at which a given share fails within a period.

    Args:
        failure_fraction: Share that fails, in [0, 1).
        period_s: Period; a year of 365.25 days if not given.

    Example:
        >>> round(float(failure_per_s(0.01)) * 8766 * 3600, 5)
        0.01005
    """
    rate: Number = -np.log1p(-failure_fraction) / period_s
    return rate


@formula(
    r"\kappa = \frac{\ln(1 - p_1)}{\ln(1 - p_0)}",
    unit="1",
    label="Hazard after a failure",
    source=_D5,
    symbols={"base_fraction": "p_0", "after_fraction": "p_1"},
)
def hazard_ratio(base_fraction: Number, *, after_fraction: Number) -> Number:
    """How much likelier a failure is after one in the same group.

    Args:
        base_fraction: Share that fails in a period.
        after_fraction: Share that fails in such a period after a failure.

    Example:
        >>> round(float(hazard_ratio(0.000504, after_fraction=0.0939)))
        196
    """
    ratio: Number = np.log1p(-after_fraction) / np.log1p(-base_fraction)
    return ratio


# --- mean time to data loss ---------------------------------------------------------------------------------


def _chain_s(
    fail_per_s: Sequence[Number], mend_per_s: Sequence[Number], unreadable_fraction: Number
) -> Number:
    """Mean time until the chain leaves its last state, from first-passage times.

    Sums and products of positive terms only, so nothing cancels. In the last state a share of the
    repairs meets an unreadable sector and loses data instead.
    """
    step: Number = 1.0 / fail_per_s[0]
    total = step
    last = len(fail_per_s) - 1
    for state in range(1, last + 1):
        spoiled = unreadable_fraction if state == last else 0.0
        mend = mend_per_s[state]
        step = (1.0 + mend * (1.0 - spoiled) * step) / (fail_per_s[state] + mend * spoiled)
        total = total + step
    return total


def _drive_rates(rate_per_s: Number, drive_count: Number, states: int, hazard: Number) -> list[Number]:
    return [(drive_count - i) * rate_per_s * (hazard if i else 1.0) for i in range(states)]


@formula(
    _CHAIN + _UNREADABLE + r",\quad \lambda_i = (n - i)\,\kappa\,\lambda,\ \mu_i = 1/t",
    unit="s",
    label="Mean time to data loss of a group",
    source=_D2,
    symbols={
        "failure_per_s": r"\lambda",
        "width_count": "n",
        "parity_count": "m",
        "rebuild_s": "t",
        "hazard_ratio": r"\kappa",
        "unreadable_fraction": "p",
    },
    validity="kappa from the first failure on; p turns a share of the last repairs into losses",
)
def loss_time_s(
    failure_per_s: Number,
    *,
    width_count: Number,
    parity_count: int,
    rebuild_s: Number,
    hazard_ratio: Number = 1.0,
    unreadable_fraction: Number = 0.0,
) -> Number:
    """Mean time until a group loses data, one repair at a time: the careful bound.

    Args:
        failure_per_s: Failure rate of one drive, above zero.
        width_count: Drives of the group, parity included.
        parity_count: Drives that may fail together.
        rebuild_s: Mean time to rebuild one drive, above zero.
        hazard_ratio: How much likelier a failure is after the first.
        unreadable_fraction: Share of critical rebuilds that meet an unreadable sector.

    Example:
        >>> rate = failure_per_s(0.01)
        >>> mirror = loss_time_s(rate, width_count=2, parity_count=1, rebuild_s=6 * 3600.0)
        >>> round(float(mirror) / 3600 / 8766 / 1e6, 2)
        7.23
    """
    states = int(parity_count) + 1
    mend = 1.0 / rebuild_s
    rates = _drive_rates(failure_per_s, width_count, states, hazard_ratio)
    return _chain_s(rates, [mend] * states, unreadable_fraction)


@formula(
    _CHAIN + _UNREADABLE + r",\quad \lambda_i = (n - i)\,\kappa\,\lambda,\ \mu_i = i/t",
    unit="s",
    label="Mean time to data loss, spares for all",
    source=_D2,
    symbols={
        "failure_per_s": r"\lambda",
        "width_count": "n",
        "parity_count": "m",
        "rebuild_s": "t",
        "hazard_ratio": r"\kappa",
        "unreadable_fraction": "p",
    },
    validity="kappa from the first failure on; p turns a share of the last repairs into losses",
)
def parallel_loss_time_s(
    failure_per_s: Number,
    *,
    width_count: Number,
    parity_count: int,
    rebuild_s: Number,
    hazard_ratio: Number = 1.0,
    unreadable_fraction: Number = 0.0,
) -> Number:
    """Mean time until a group loses data, each failed drive rebuilt on its own spare at once.

    Args:
        failure_per_s: Failure rate of one drive, above zero.
        width_count: Drives of the group, parity included.
        parity_count: Drives that may fail together.
        rebuild_s: Mean time to rebuild one drive, above zero.
        hazard_ratio: How much likelier a failure is after the first.
        unreadable_fraction: Share of critical rebuilds that meet an unreadable sector.

    Example:
        >>> group = {"width_count": 10, "parity_count": 2, "rebuild_s": 6 * 3600.0}
        >>> rate = failure_per_s(0.01)
        >>> round(float(parallel_loss_time_s(rate, **group)) / float(loss_time_s(rate, **group)), 3)
        2.0
    """
    states = int(parity_count) + 1
    mend = [i / rebuild_s for i in range(states)]
    rates = _drive_rates(failure_per_s, width_count, states, hazard_ratio)
    return _chain_s(rates, mend, unreadable_fraction)


@formula(
    _CHAIN + r",\quad \lambda_{i \ge 1} = \lambda_1,\ \mu_i = 1/t",
    unit="s",
    label="Mean time to data loss by measured group rates",
    source=_D5,
    symbols={
        "first_failure_per_s": r"\lambda_0",
        "further_failure_per_s": r"\lambda_1",
        "parity_count": "m",
        "rebuild_s": "t",
    },
)
def group_loss_time_s(
    first_failure_per_s: Number, *, further_failure_per_s: Number, parity_count: int, rebuild_s: Number
) -> Number:
    """Mean time until a group loses data, from failure rates measured for whole groups.

    Args:
        first_failure_per_s: Rate of a first failure in the group, above zero.
        further_failure_per_s: Rate of each further one while the group is not whole.
        parity_count: Drives that may fail together.
        rebuild_s: Mean time to rebuild one drive, above zero.

    Example:
        >>> float(group_loss_time_s(1e-3, further_failure_per_s=1e-2, parity_count=1, rebuild_s=10.0))
        11100.0
    """
    states = int(parity_count) + 1
    rates = [first_failure_per_s] + [further_failure_per_s] * (states - 1)
    return _chain_s(rates, [1.0 / rebuild_s] * states, 0.0)


@formula(
    _CHAIN + r",\quad \lambda_i = (N - i)\,\lambda,\ \mu_{i<m} = 1/t,\ \mu_m = 1/t_c",
    unit="s",
    label="Mean time to data loss of a declustered pool",
    source=_D8,
    symbols={
        "failure_per_s": r"\lambda",
        "drive_count": "N",
        "parity_count": "m",
        "rebuild_s": "t",
        "critical_rebuild_s": "t_c",
    },
    validity="any m + 1 drives failed together lose data",
)
def declustered_loss_time_s(
    failure_per_s: Number,
    *,
    drive_count: Number,
    parity_count: int,
    rebuild_s: Number,
    critical_rebuild_s: Number,
) -> Number:
    """Mean time until a pool that spreads its stripes over all drives loses any of them.

    Args:
        failure_per_s: Failure rate of one drive, above zero.
        drive_count: Drives of the pool.
        parity_count: Drives that may fail together.
        rebuild_s: Mean time to rebuild one drive, above zero.
        critical_rebuild_s: Mean time to rebuild what has no redundancy left, which goes first.

    Example:
        >>> times = {"rebuild_s": 6800.0, "critical_rebuild_s": 2050.0}
        >>> pool = declustered_loss_time_s(failure_per_s(0.01), drive_count=48, parity_count=2, **times)
        >>> round(float(nines_count(annual_loss_fraction(pool))), 1)
        8.8
    """
    states = int(parity_count) + 1
    mend = [1.0 / rebuild_s] * (states - 1) + [1.0 / critical_rebuild_s]
    return _chain_s(_drive_rates(failure_per_s, drive_count, states, 1.0), mend, 0.0)


@formula(
    r"P = 1 - e^{-g\,t / T}",
    unit="fraction",
    label="Probability of data loss",
    source=_D3,
    symbols={"loss_time_s": "T", "group_count": "g", "period_s": "t"},
    validity="rebuild much shorter than T",
)
def annual_loss_fraction(
    loss_time_s: Number, *, group_count: Number = 1, period_s: Number = FAILURE_YEAR_S
) -> Number:
    """Probability that any of the groups loses data within a period.

    Args:
        loss_time_s: Mean time to data loss of one group.
        group_count: Groups of the pool.
        period_s: Period; a year of 365.25 days if not given.

    Example:
        >>> round(float(annual_loss_fraction(8766 * 3600.0 * 1e6, group_count=3)) * 1e6, 3)
        3.0
    """
    loss: Number = -np.expm1(-group_count * period_s / loss_time_s)
    return loss


@formula(
    r"-\log_{10} P",
    unit="count",
    label="Nines",
    source=_D3,
    symbols={"loss_fraction": "P"},
    validity="above nine the model, not the system, is the limit",
)
def nines_count(loss_fraction: Number) -> Number:
    """Nines of durability or availability; 300 stands for a loss that cannot happen.

    Args:
        loss_fraction: Probability of loss, or share of time out of reach.

    Example:
        >>> float(nines_count(1e-6))
        6.0
    """
    nines: Number = -np.log10(elementwise.maximum(loss_fraction, _SMALLEST))
    return nines


# --- nodes --------------------------------------------------------------------------------------------------


@formula(
    r"t = \lfloor m / c \rfloor",
    unit="count",
    label="Domains that may be lost",
    source=_D7,
    symbols={"parity_count": "m", "domain_chunk_count": "c"},
)
def tolerated_domains_count(parity_count: Number, *, domain_chunk_count: Number) -> Number:
    """Nodes or racks that may be away while stripes stay readable.

    Args:
        parity_count: Parity chunks of a stripe.
        domain_chunk_count: Chunks of a stripe that lie in one domain, at least 1.

    Example:
        >>> float(tolerated_domains_count(3, domain_chunk_count=2))
        1.0
    """
    tolerated: Number = np.floor_divide(parity_count, domain_chunk_count)
    return tolerated


@formula(
    r"P(X > t) = \sum_{x=t+1}^{D} \binom{D}{x} q^x (1 - q)^{D - x}",
    unit="fraction",
    label="Out of reach",
    source=_D7,
    symbols={"domain_fraction": "q", "domain_count": "D", "tolerated_count": "t"},
    validity="independent domains, t below D",
)
def unavailable_fraction(domain_fraction: Number, *, domain_count: Number, tolerated_count: Number) -> Number:
    """Share of time that a stripe cannot be read because too many domains are away.

    Args:
        domain_fraction: Share of time that one node or rack is away.
        domain_count: Domains that a stripe lies on.
        tolerated_count: Domains that may be away.

    Example:
        >>> round(float(unavailable_fraction(1e-3, domain_count=10, tolerated_count=2)) * 1e7, 2)
        1.19
    """
    share: Number = betainc(tolerated_count + 1.0, domain_count - tolerated_count, domain_fraction)
    return share


@formula(
    r"\prod_{j=0}^{m} \frac{n - j}{N - j}",
    unit="fraction",
    label="Stripes lost",
    source=_D8,
    symbols={"drive_count": "N", "width_count": "n", "parity_count": "m"},
)
def lost_stripe_fraction(drive_count: Number, *, width_count: Number, parity_count: int) -> Number:
    """Share of a declustered pool's stripes that one drive loss too many destroys.

    A sharded checkpoint needs all its stripes, so any loss counts in full.

    Args:
        drive_count: Drives of the pool.
        width_count: Chunks of a stripe, parity included.
        parity_count: Parity chunks of a stripe.

    Example:
        >>> round(float(lost_stripe_fraction(48, width_count=10, parity_count=2)), 4)
        0.0069
    """
    share: Number = 1.0
    for j in range(int(parity_count) + 1):
        share = share * (width_count - j) / (drive_count - j)
    return share


def _log_choose(total: Number, chosen: Number) -> Number:
    log: Number = -np.log1p(total) - betaln(total - chosen + 1.0, chosen + 1.0)
    return log


@formula(
    r"P = 1 - (1 - p)^S,\quad p = \sum_{x=m+1}^{n} \binom{n}{x}\binom{N-n}{F-x} \Big/ \binom{N}{F}",
    unit="fraction",
    label="Data loss in a power outage",
    source="Cidon et al., ATC 2013; reliability models, D7",
    symbols={
        "node_count": "N",
        "lost_node_count": "F",
        "width_count": "n",
        "parity_count": "m",
        "stripe_count": "S",
    },
    validity="stripes on random nodes; F at most N minus n",
)
def outage_loss_fraction(
    node_count: Number, *, lost_node_count: Number, width_count: int, parity_count: int, stripe_count: Number
) -> Number:
    """Probability that a power outage after which some nodes do not return destroys any stripe.

    Args:
        node_count: Storage nodes.
        lost_node_count: Nodes that do not return; 0.5 to 1 % is seen.
        width_count: Chunks of a stripe, parity included, each on a node of its own.
        parity_count: Parity chunks of a stripe.
        stripe_count: Stripes of the pool.

    Example:
        >>> code = {"width_count": 15, "parity_count": 3}
        >>> round(float(outage_loss_fraction(1000, lost_node_count=10, **code, stripe_count=1e5)), 2)
        0.48
    """
    lost: Number = 0.0
    for x in range(int(parity_count) + 1, int(width_count) + 1):
        others = elementwise.maximum(lost_node_count - x, 0.0)
        ways = (
            _log_choose(width_count, x)
            + _log_choose(node_count - width_count, others)
            - _log_choose(node_count, lost_node_count)
        )
        lost = lost + np.where(np.greater_equal(lost_node_count, x), np.exp(ways), 0.0)[()]
    any_lost: Number = -np.expm1(stripe_count * np.log1p(-elementwise.minimum(lost, 1.0 - 1e-16)))
    return any_lost
