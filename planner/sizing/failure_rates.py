"""How often a cluster is interrupted: failure rates of GPUs, nodes and what was observed."""

from __future__ import annotations

from planner.core.formula import formula
from planner.core.units import DAY_S, Number

_C2 = "reliability models, C2"


@formula(
    r"M = \frac{86\,400 \cdot 1000}{N_g\,r}",
    unit="s",
    label="Mean time to interruption",
    source=_C2,
    symbols={"gpu_count": "N_g", "failures_per_1000_gpu_days": "r"},
    validity="rate above zero",
)
def mean_time_to_interruption_s(gpu_count: Number, *, failures_per_1000_gpu_days: Number) -> Number:
    """Mean time until something interrupts a job: one failed GPU, node or link stops all.

    Jobs below about 4,000 GPUs are seen to fail more often than this law says.

    Args:
        gpu_count: GPUs of the job.
        failures_per_1000_gpu_days: Interruptions for each 1,000 GPU-days.

    Example:
        >>> round(float(mean_time_to_interruption_s(16_384, failures_per_1000_gpu_days=0.8125)) / 3600, 2)
        1.8
    """
    return 1000.0 * DAY_S / (gpu_count * failures_per_1000_gpu_days)


@formula(
    r"r = 1000\,r_n / g",
    unit="per 1,000 GPU-days",
    label="Interruptions per 1,000 GPU-days",
    source=_C2,
    symbols={"node_failures_per_day": "r_n", "node_gpu_count": "g"},
)
def failures_per_1000_gpu_days(node_failures_per_day: Number, *, node_gpu_count: Number) -> Number:
    """Failure rate by GPU from a rate by node.

    Args:
        node_failures_per_day: Interruptions that one node causes in a day.
        node_gpu_count: GPUs in such a node.

    Example:
        >>> float(failures_per_1000_gpu_days(0.0064, node_gpu_count=8))
        0.8
    """
    return 1000.0 * node_failures_per_day / node_gpu_count


@formula(
    r"r_n = r\,g / 1000",
    unit="per day",
    label="Interruptions per node-day",
    source=_C2,
    symbols={"failures_per_1000_gpu_days": "r", "node_gpu_count": "g"},
)
def node_failures_per_day(failures_per_1000_gpu_days: Number, *, node_gpu_count: Number) -> Number:
    """Failure rate of one node from the rate by GPU, for trays of 4 and racks of 72 GPUs alike.

    Args:
        failures_per_1000_gpu_days: Interruptions for each 1,000 GPU-days.
        node_gpu_count: GPUs in one node.

    Example:
        >>> float(node_failures_per_day(0.5, node_gpu_count=8))
        0.004
    """
    return failures_per_1000_gpu_days * node_gpu_count / 1000.0


@formula(
    r"M = T / k",
    unit="s",
    label="Observed mean time to interruption",
    source=_C2,
    symbols={"interruption_count": "k", "observed_s": "T"},
)
def observed_interruption_s(interruption_count: Number, *, observed_s: Number) -> Number:
    """Mean time to interruption of a job that was watched.

    Args:
        interruption_count: Interruptions seen, above zero.
        observed_s: Time watched.

    Example:
        >>> round(float(observed_interruption_s(419, observed_s=54 * 86400)) / 3600, 2)
        3.09
    """
    return observed_s / interruption_count


@formula(
    r"r = \frac{1000\,k \cdot 86\,400}{N_g\,T}",
    unit="per 1,000 GPU-days",
    label="Observed interruptions per 1,000 GPU-days",
    source=_C2,
    symbols={"interruption_count": "k", "gpu_count": "N_g", "observed_s": "T"},
)
def observed_failures_per_1000_gpu_days(
    interruption_count: Number, *, gpu_count: Number, observed_s: Number
) -> Number:
    """Failure rate of a job that was watched.

    Args:
        interruption_count: Interruptions seen.
        gpu_count: GPUs of the job.
        observed_s: Time watched.

    Example:
        >>> round(float(observed_failures_per_1000_gpu_days(419, gpu_count=16_384, observed_s=54 * 86400)), 3)
        0.474
    """
    return 1000.0 * DAY_S * interruption_count / (gpu_count * observed_s)
