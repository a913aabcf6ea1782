"""Stripes: what of a write fills whole ones, and what the rest costs on the drives."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_GUIDE_PATTERN = "the guide, 'Checkpoint Storage Design Pattern'"
_E4 = "reliability models, E4"


# --- blocks -------------------------------------------------------------------------------------------------


@formula(
    r"F = c\,k",
    unit="bytes",
    label="Full stripe",
    source=_GUIDE_PATTERN,
    symbols={"chunk_bytes": "c", "data_chunk_count": "k"},
)
def full_stripe_bytes(chunk_bytes: Number, *, data_chunk_count: Number) -> Number:
    """Data of one stripe: writes of this size need no parity to be read first.

    Args:
        chunk_bytes: Bytes of a stripe on one drive, 256 KB to 1 MB by the guide.
        data_chunk_count: Data chunks of the protection scheme: 8 of 8+2.

    Example:
        >>> float(full_stripe_bytes(262144, data_chunk_count=8))
        2097152.0
    """
    return chunk_bytes * data_chunk_count


@formula(
    r"\alpha = \frac{F}{b} \left\lfloor \frac{b}{F} \right\rfloor",
    unit="fraction",
    label="Share written in full stripes",
    source=_GUIDE_PATTERN,
    symbols={"block_bytes": "b", "full_stripe_bytes": "F"},
    validity="writes start at a stripe boundary and are not merged on the way",
)
def aligned_fraction(block_bytes: Number, *, full_stripe_bytes: Number) -> Number:
    """Share of a write that fills whole stripes; the rest costs a read of old data or parity.

    Args:
        block_bytes: Size of one write.
        full_stripe_bytes: Data of a stripe.

    Example:
        >>> float(aligned_fraction(4194304, full_stripe_bytes=2097152))
        1.0
        >>> float(aligned_fraction(3145728, full_stripe_bytes=2097152)) == 2 / 3
        True
    """
    stripes: Number = elementwise.floor(block_bytes / full_stripe_bytes + elementwise.TOLERANCE)
    share: Number = elementwise.minimum(stripes * full_stripe_bytes / block_bytes, 1.0)
    return share


@formula(
    r"b^* = F \left\lceil b / F \right\rceil",
    unit="bytes",
    label="Aligned block",
    source=_GUIDE_PATTERN,
    symbols={"block_bytes": "b", "full_stripe_bytes": "F"},
)
def aligned_block_bytes(block_bytes: Number, *, full_stripe_bytes: Number) -> Number:
    """Smallest write that is no smaller than the given one and fills whole stripes.

    Args:
        block_bytes: Size of one write.
        full_stripe_bytes: Data of a stripe.

    Example:
        >>> float(aligned_block_bytes(3145728, full_stripe_bytes=2097152))
        4194304.0
    """
    stripes: Number = elementwise.ceil(block_bytes / full_stripe_bytes - elementwise.TOLERANCE)
    return stripes * full_stripe_bytes


# --- write amplification above the drive --------------------------------------------------------------------


@formula(
    r"f_u = 1 + \frac{m}{k} + \frac{m\,c}{S}\ (S \ge c);\quad 1 + m\ (S < c)",
    unit="1",
    label="Write amplification of unaligned writes",
    source=_E4 + ", checked by simulation",
    symbols={"write_bytes": "S", "data_count": "k", "parity_count": "m", "chunk_bytes": "c"},
)
def unaligned_write_ratio(
    write_bytes: Number, *, data_count: Number, parity_count: Number, chunk_bytes: Number
) -> Number:
    """Bytes that reach drives for each byte written when writes begin anywhere in a stripe.

    Every stripe that a write touches rewrites its parity. Aligned full stripes cost (k + m) / k.

    Args:
        write_bytes: Size of one write.
        data_count: Data chunks of a stripe.
        parity_count: Parity chunks of a stripe.
        chunk_bytes: Size of a chunk.

    Example:
        >>> float(unaligned_write_ratio(2.0**20, data_count=8, parity_count=2, chunk_bytes=2.0**17))
        1.5
    """
    large = 1.0 + parity_count / data_count + parity_count * chunk_bytes / write_bytes
    ratio: Number = elementwise.where(write_bytes < chunk_bytes, 1.0 + parity_count, large)
    return ratio


@formula(
    r"f_s = \frac{j + m}{j}",
    unit="1",
    label="Write amplification of changed chunks",
    source=_E4,
    symbols={"changed_count": "j", "parity_count": "m"},
)
def changed_chunk_write_ratio(changed_count: Number, *, parity_count: Number) -> Number:
    """Chunks written for each chunk changed in place.

    Args:
        changed_count: Chunks of one stripe that a write changes, at least 1.
        parity_count: Parity chunks of a stripe.

    Example:
        >>> float(changed_chunk_write_ratio(1, parity_count=2))
        3.0
    """
    return (changed_count + parity_count) / changed_count


@formula(
    r"n = j + m + \min(j + m,\,k - j)",
    unit="count",
    label="Drive accesses of a change in place",
    source=_E4,
    symbols={"changed_count": "j", "data_count": "k", "parity_count": "m"},
)
def changed_chunk_access_count(changed_count: Number, *, data_count: Number, parity_count: Number) -> Number:
    """Reads and writes of chunks for a change in place, by the cheaper way to the new parity.

    Either the changed chunks and the parity are read, or all the others.

    Args:
        changed_count: Chunks of one stripe that a write changes.
        data_count: Data chunks of a stripe.
        parity_count: Parity chunks of a stripe.

    Example:
        >>> float(changed_chunk_access_count(1, data_count=8, parity_count=2))
        6.0
    """
    written = changed_count + parity_count
    accesses: Number = written + elementwise.minimum(written, data_count - changed_count)
    return accesses


@formula(
    r"a = \frac{(p + 1)\left\lceil \frac{D + p\lceil D / (n - p) \rceil}{p + 1} \right\rceil}{D},\quad"
    r" D = \lceil S / s \rceil",
    unit="1",
    label="Allocated over stored in RAID-Z",
    source="OpenZFS block layout (parity per block, multiples of p + 1); reliability models, E5",
    symbols={"record_bytes": "S", "sector_bytes": "s", "drive_count": "n", "parity_count": "p"},
)
def raidz_allocation_ratio(
    record_bytes: Number, *, sector_bytes: Number, drive_count: Number, parity_count: Number
) -> Number:
    """Sectors that a RAID-Z group allocates for each sector of data; the padding costs space, not wear.

    Args:
        record_bytes: Record size.
        sector_bytes: Sector size of the drives.
        drive_count: Drives of the group, parity included.
        parity_count: Parity of the group: 1, 2 or 3.

    Example:
        >>> float(raidz_allocation_ratio(131_072, sector_bytes=4096, drive_count=10, parity_count=2))
        1.3125
    """
    data = elementwise.ceil(record_bytes / sector_bytes)
    written = data + parity_count * elementwise.ceil(data / (drive_count - parity_count))
    unit = parity_count + 1
    ratio: Number = unit * elementwise.ceil(written / unit) / data
    return ratio
