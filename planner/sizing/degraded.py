"""What a save gets of a pool while a drive is mended, or while others read."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

NEXT_TO_NOTHING = 5e-324
"""What is left where nothing is: a save over it takes for ever, which is a number; over 0 it is none."""


@formula(
    r"B' = B\,\frac{n - 1}{n}\left(1 - \frac{k\,R}{(n - 1)\,r}\right)",
    unit="bytes/s",
    label="Drives while one is rebuilt",
    source="reliability models, D4 and B6: a degraded save also gives up the rebuild's reads",
    symbols={
        "pool_bytes_per_s": "B",
        "drive_count": "n",
        "read_chunk_count": "k",
        "rebuild_bytes_per_s": "R",
        "drive_read_bytes_per_s": "r",
    },
    validity="two drives at least; the rebuild's reads spread over all that are left; never quite 0",
)
def rebuilding_bytes_per_s(
    pool_bytes_per_s: Number,
    *,
    drive_count: Number,
    read_chunk_count: Number,
    rebuild_bytes_per_s: Number,
    drive_read_bytes_per_s: Number,
) -> Number:
    """Write bandwidth of a pool that has lost a drive and fills a spare.

    Args:
        pool_bytes_per_s: Write bandwidth with every drive.
        drive_count: Drives of the pool.
        read_chunk_count: Chunks that are read for one that is rebuilt: the data chunks of a code, 1 of copies.
        rebuild_bytes_per_s: Rate at which the spare is filled.
        drive_read_bytes_per_s: Sequential read of a drive.

    Example:
        >>> pool = {"read_chunk_count": 8.0, "rebuild_bytes_per_s": 0.5e9, "drive_read_bytes_per_s": 10e9}
        >>> round(float(rebuilding_bytes_per_s(100e9, drive_count=41.0, **pool)) / 1e9, 2)
        96.59
    """
    left = drive_count - 1.0
    reads = read_chunk_count * rebuild_bytes_per_s / (elementwise.maximum(left, 1.0) * drive_read_bytes_per_s)
    return pool_bytes_per_s * left / drive_count * elementwise.maximum(1.0 - reads, NEXT_TO_NOTHING)


@formula(
    r"B_w = \max\!\left(B_r,\ B\,\frac{n_w}{n_w + n_r}\right)",
    unit="bytes/s",
    label="Drives, fair share with readers",
    source="reliability models, B1: max-min shares of one pipe",
    symbols={
        "beside_bytes_per_s": "B_r",
        "alone_bytes_per_s": "B",
        "writer_count": "n_w",
        "reader_count": "n_r",
    },
)
def fair_write_bytes_per_s(
    beside_bytes_per_s: Number, *, alone_bytes_per_s: Number, writer_count: Number, reader_count: Number
) -> Number:
    """What a save gets of a pool whose readers are not served first: never less than its fair share.

    Args:
        beside_bytes_per_s: What is left if every read is served.
        alone_bytes_per_s: What the pool writes while nothing is read.
        writer_count: Nodes that write.
        reader_count: Nodes that read meanwhile.

    Example:
        >>> share = {"alone_bytes_per_s": 28e9, "writer_count": 32.0, "reader_count": 32.0}
        >>> float(fair_write_bytes_per_s(8e9, **share)) / 1e9, float(fair_write_bytes_per_s(23e9, **share)) / 1e9
        (14.0, 23.0)
    """
    share = alone_bytes_per_s * writer_count / (writer_count + reader_count)
    return elementwise.maximum(beside_bytes_per_s, share)
