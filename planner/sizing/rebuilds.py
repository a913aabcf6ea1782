"""How long a lost drive is missing: its rebuild on a spare or in a declustered pool, and what the rebuild meets."""

from __future__ import annotations

import numpy as np

from planner.core.formula import formula
from planner.core.units import Number

_D4 = "reliability models, D4"
_D8 = "reliability models, D8"


@formula(
    r"t = \frac{\varphi\,c}{w} + t_d",
    unit="s",
    label="Rebuild time",
    source=_D4,
    symbols={
        "drive_bytes": "c",
        "fill_fraction": r"\varphi",
        "rebuild_bytes_per_s": "w",
        "detect_s": "t_d",
    },
)
def rebuild_s(
    drive_bytes: Number, *, fill_fraction: Number, rebuild_bytes_per_s: Number, detect_s: Number
) -> Number:
    """Time until a failed drive's content stands on a dedicated spare.

    Args:
        drive_bytes: Capacity of the drive.
        fill_fraction: Share of it in use.
        rebuild_bytes_per_s: Rate at which the spare is written, the throttle included.
        detect_s: Time until the rebuild begins.

    Example:
        >>> float(rebuild_s(7.2e12, fill_fraction=0.5, rebuild_bytes_per_s=0.5e9, detect_s=900.0))
        8100.0
    """
    return drive_bytes * fill_fraction / rebuild_bytes_per_s + detect_s


@formula(
    r"t = \frac{(k + 1)\,\varphi\,c}{(N - 1)\,b} + t_d",
    unit="s",
    label="Rebuild time in a declustered pool",
    source=_D4,
    symbols={
        "drive_bytes": "c",
        "fill_fraction": r"\varphi",
        "drive_count": "N",
        "data_count": "k",
        "drive_rebuild_bytes_per_s": "b",
        "detect_s": "t_d",
    },
)
def declustered_rebuild_s(
    drive_bytes: Number,
    *,
    fill_fraction: Number,
    drive_count: Number,
    data_count: Number,
    drive_rebuild_bytes_per_s: Number,
    detect_s: Number,
) -> Number:
    """Time until a failed drive's content is spread over the others: k reads and a write for each chunk.

    Args:
        drive_bytes: Capacity of a drive.
        fill_fraction: Share of it in use.
        drive_count: Drives of the pool, at least 2.
        data_count: Chunks that are read to rebuild one; 1 for copies.
        drive_rebuild_bytes_per_s: What each drive spends on the rebuild, reads and writes together.
        detect_s: Time until the rebuild begins.

    Example:
        >>> pool = {"drive_count": 48, "data_count": 8, "drive_rebuild_bytes_per_s": 0.2e9}
        >>> round(float(declustered_rebuild_s(7.68e12, fill_fraction=0.8, **pool, detect_s=900.0)) / 3600, 2)
        1.88
    """
    moved = (data_count + 1.0) * fill_fraction * drive_bytes
    return moved / ((drive_count - 1.0) * drive_rebuild_bytes_per_s) + detect_s


@formula(
    r"t_c = t_d + (t - t_d)\prod_{j=1}^{m-1}\frac{n - j}{N - j}",
    unit="s",
    label="Rebuild of what is critical",
    source=_D8,
    symbols={
        "rebuild_s": "t",
        "detect_s": "t_d",
        "drive_count": "N",
        "width_count": "n",
        "parity_count": "m",
    },
)
def critical_rebuild_s(
    rebuild_s: Number, *, detect_s: Number, drive_count: Number, width_count: Number, parity_count: int
) -> Number:
    """Time to rebuild the stripes that have no redundancy left, if they go first.

    Args:
        rebuild_s: Rebuild of one whole drive.
        detect_s: Time until a rebuild begins.
        drive_count: Drives of the pool.
        width_count: Chunks of a stripe, parity included.
        parity_count: Parity chunks of a stripe, at least 1.

    Example:
        >>> pool = {"drive_count": 46, "width_count": 10, "parity_count": 2}
        >>> float(critical_rebuild_s(6000.0, detect_s=1000.0, **pool))
        2000.0
    """
    share: Number = 1.0
    for j in range(1, int(parity_count)):
        share = share * (width_count - j) / (drive_count - j)
    return detect_s + (rebuild_s - detect_s) * share


@formula(
    r"(N - 1)\,b",
    unit="bytes/s",
    label="Rebuild traffic",
    source=_D4,
    symbols={"drive_count": "N", "drive_rebuild_bytes_per_s": "b"},
)
def rebuild_traffic_bytes_per_s(drive_count: Number, *, drive_rebuild_bytes_per_s: Number) -> Number:
    """Drive bandwidth that a declustered rebuild takes from saves and reads.

    Args:
        drive_count: Drives of the pool.
        drive_rebuild_bytes_per_s: What each drive spends on the rebuild.

    Example:
        >>> float(rebuild_traffic_bytes_per_s(48, drive_rebuild_bytes_per_s=0.2e9))
        9400000000.0
    """
    return (drive_count - 1.0) * drive_rebuild_bytes_per_s


@formula(
    r"p = 1 - e^{-8\,b\,V}",
    unit="fraction",
    label="Rebuild meets an unreadable sector",
    source="JESD218 bit error rate; reliability models, D6",
    symbols={"read_bytes": "V", "bit_error_ratio": "b"},
    validity="a stress test: field data do not follow it",
)
def unreadable_fraction(read_bytes: Number, *, bit_error_ratio: Number) -> Number:
    """Probability that reading so much data meets a sector that cannot be read.

    Args:
        read_bytes: All that a rebuild reads.
        bit_error_ratio: Unrecoverable errors for each bit read (UBER).

    Example:
        >>> round(float(unreadable_fraction(8 * 15.36e12, bit_error_ratio=1e-17)), 4)
        0.0098
    """
    share: Number = -np.expm1(-8.0 * bit_error_ratio * read_bytes)
    return share
