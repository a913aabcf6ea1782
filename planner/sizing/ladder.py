"""From raw to safe capacity, step by step, and what drains to a colder tier take over a day."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_LADDER = "rules of the calculation, 'raw, usable, safe'"


@formula(
    r"U = R\,\frac{k}{k + m}",
    unit="bytes",
    label="After protection",
    source=_LADDER,
    symbols={"raw_bytes": "R", "data_count": "k", "parity_count": "m"},
)
def protected_bytes(raw_bytes: Number, *, data_count: Number, parity_count: Number) -> Number:
    """Capacity that is left for data after parity or copies.

    Args:
        raw_bytes: Capacity before.
        data_count: Data chunks of a stripe; 1 for copies.
        parity_count: Parity chunks, or further copies.

    Example:
        >>> float(protected_bytes(184.32e12, data_count=10.0, parity_count=2.0)) / 1e12
        153.6
    """
    return raw_bytes * data_count / (data_count + parity_count)


@formula(
    r"D = A - B",
    unit="bytes",
    label="Deduction",
    source=_LADDER,
    symbols={"before_bytes": "A", "after_bytes": "B"},
)
def deduction_bytes(before_bytes: Number, *, after_bytes: Number) -> Number:
    """What one step of the ladder takes away.

    Args:
        before_bytes: Capacity before it.
        after_bytes: Capacity after the deduction.

    Example:
        >>> float(deduction_bytes(10e12, after_bytes=8e12)) / 1e12
        2.0
    """
    return before_bytes - after_bytes


@formula(
    r"H = R / n",
    unit="bytes",
    label="Space to rebuild a lost domain",
    source="width of the protection scheme plus a domain to rebuild in",
    symbols={"raw_bytes": "R", "domain_count": "n"},
    validity="data spread evenly over the domains",
)
def heal_bytes(raw_bytes: Number, *, domain_count: Number) -> Number:
    """Raw capacity that the rebuild of one lost domain needs elsewhere.

    Args:
        raw_bytes: Raw capacity of the tier.
        domain_count: Drives, nodes or racks that the scheme spreads over.

    Example:
        >>> float(heal_bytes(60e12, domain_count=3.0)) / 1e12
        20.0
    """
    return raw_bytes / domain_count


# --- drains over a day ----------------------------------------------------------------------------------------


@formula(
    r"B_d = \min(B_c,\ B_h - r)",
    unit="bytes/s",
    label="Rate of a drain",
    source="rules of the calculation: a drain's reads join the same pipe as the loaders'",
    symbols={"cold_write_bytes_per_s": "B_c", "hot_read_bytes_per_s": "B_h", "reads_bytes_per_s": "r"},
)
def drain_rate_bytes_per_s(
    cold_write_bytes_per_s: Number, *, hot_read_bytes_per_s: Number, reads_bytes_per_s: Number
) -> Number:
    """What a drain can run at: the colder tier's writes, or what is left of the hot tier's reads.

    Args:
        cold_write_bytes_per_s: Write bandwidth of the colder tier.
        hot_read_bytes_per_s: Read bandwidth of the hot tier.
        reads_bytes_per_s: What others read from it meanwhile.

    Example:
        >>> float(drain_rate_bytes_per_s(20e9, hot_read_bytes_per_s=60e9, reads_bytes_per_s=50e9)) / 1e9
        10.0
    """
    return elementwise.minimum(
        cold_write_bytes_per_s, elementwise.maximum(hot_read_bytes_per_s - reads_bytes_per_s, 0.0)
    )


@formula(
    r"\phi = B_d / B_h",
    unit="fraction",
    label="Share of the reads that a drain takes",
    source="reliability models, B4: the drain's reads count",
    symbols={"rate_bytes_per_s": "B_d", "hot_read_bytes_per_s": "B_h"},
)
def read_share_fraction(rate_bytes_per_s: Number, *, hot_read_bytes_per_s: Number) -> Number:
    """Share of a tier's read bandwidth that a copy takes while it runs.

    Args:
        rate_bytes_per_s: Reads of the tier in question.
        hot_read_bytes_per_s: Reads of the hot tier, all together.

    Example:
        >>> float(read_share_fraction(10e9, hot_read_bytes_per_s=40e9))
        0.25
    """
    return rate_bytes_per_s / hot_read_bytes_per_s


@formula(
    r"G = 30\,g",
    unit="bytes",
    label="Growth in 30 days",
    source="definition",
    symbols={"growth_bytes_per_day": "g"},
)
def month_bytes(growth_bytes_per_day: Number) -> Number:
    """What stays on a tier in 30 days.

    Args:
        growth_bytes_per_day: Bytes that the tier grows by in a day.

    Example:
        >>> float(month_bytes(2e12)) / 1e12
        60.0
    """
    return growth_bytes_per_day * 30.0
