"""How many drives and units a tier needs for its capacity, bandwidth and endurance, and how many are left.

A tier is as large as the largest of these demands; every demand is kept as a real number, so that
the result can say which one binds and how far the next one is.
"""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_E3 = "reliability models, E3 and E7: drives = the largest of capacity, bandwidth and endurance"


@formula(
    r"n = U f / c",
    unit="count",
    label="Drives for capacity",
    source=_E3,
    symbols={"usable_bytes": "U", "protection_ratio": "f", "drive_bytes": "c"},
)
def drives_for_capacity_count(
    usable_bytes: Number, *, protection_ratio: Number, drive_bytes: Number
) -> Number:
    """Drives that hold a usable capacity, not rounded.

    Args:
        usable_bytes: Capacity after protection.
        protection_ratio: Bytes on drives for each client byte.
        drive_bytes: Capacity of a drive.

    Example:
        >>> float(drives_for_capacity_count(30.72e12, protection_ratio=1.25, drive_bytes=3.84e12))
        10.0
    """
    return usable_bytes * protection_ratio / drive_bytes


@formula(
    r"n = \frac{B_w f}{\eta\,w} + \frac{B_r}{\eta\,r}",
    unit="count",
    label="Drives for write bandwidth",
    source=_E3 + "; reads and writes share a drive linearly (B2)",
    symbols={
        "write_bytes_per_s": "B_w",
        "read_bytes_per_s": "B_r",
        "protection_ratio": "f",
        "drive_write_bytes_per_s": "w",
        "drive_read_bytes_per_s": "r",
        "stack_fraction": r"\eta",
    },
)
def drives_for_write_count(
    write_bytes_per_s: Number,
    *,
    read_bytes_per_s: Number,
    protection_ratio: Number,
    drive_write_bytes_per_s: Number,
    drive_read_bytes_per_s: Number,
    stack_fraction: Number,
) -> Number:
    """Drives that take a burst while the reads of the same time go on, not rounded.

    Args:
        write_bytes_per_s: What clients must be able to write.
        read_bytes_per_s: What is read from the tier meanwhile.
        protection_ratio: Bytes on drives for each byte written.
        drive_write_bytes_per_s: Sustained sequential write of a drive.
        drive_read_bytes_per_s: Sequential read of a drive.
        stack_fraction: Share of the array that clients reach.

    Example:
        >>> float(drives_for_write_count(28e9, read_bytes_per_s=0.0, protection_ratio=1.25,
        ...     drive_write_bytes_per_s=5e9, drive_read_bytes_per_s=7e9, stack_fraction=1.0))
        7.0
    """
    writing = write_bytes_per_s * protection_ratio / drive_write_bytes_per_s
    return (writing + read_bytes_per_s / drive_read_bytes_per_s) / stack_fraction


@formula(
    r"N = \frac{1}{\eta} \left( \frac{B_w}{w} + \frac{B_r}{r} \right)",
    unit="count",
    label="Units for write bandwidth",
    source=_E3 + "; ratings of reads and writes of an array do not add (B2)",
    symbols={
        "write_bytes_per_s": "B_w",
        "read_bytes_per_s": "B_r",
        "part_write_bytes_per_s": "w",
        "part_read_bytes_per_s": "r",
        "stack_fraction": r"\eta",
    },
)
def parts_for_burst_count(
    write_bytes_per_s: Number,
    *,
    read_bytes_per_s: Number,
    part_write_bytes_per_s: Number,
    part_read_bytes_per_s: Number,
    stack_fraction: Number,
) -> Number:
    """Units of a platform that take a burst while the reads of the same time go on, not rounded.

    Args:
        write_bytes_per_s: What clients must be able to write.
        read_bytes_per_s: What is read from the tier meanwhile.
        part_write_bytes_per_s: What one unit writes when nothing is read.
        part_read_bytes_per_s: What one unit reads when nothing is written.
        stack_fraction: Share of it that clients reach.

    Example:
        >>> float(parts_for_burst_count(28e9, read_bytes_per_s=20e9, part_write_bytes_per_s=28e9,
        ...     part_read_bytes_per_s=40e9, stack_fraction=1.0))
        1.5
    """
    return (
        write_bytes_per_s / part_write_bytes_per_s + read_bytes_per_s / part_read_bytes_per_s
    ) / stack_fraction


@formula(
    r"n = \frac{V f\,h}{\mathrm{DWPD}\;c}",
    unit="count",
    label="Drives for endurance",
    source=_E3,
    symbols={
        "daily_write_bytes_per_day": "V",
        "protection_ratio": "f",
        "margin_ratio": "h",
        "endurance_dwpd": r"\mathrm{DWPD}",
        "drive_bytes": "c",
    },
)
def drives_for_endurance_count(
    daily_write_bytes_per_day: Number,
    *,
    protection_ratio: Number,
    margin_ratio: Number,
    endurance_dwpd: Number,
    drive_bytes: Number,
) -> Number:
    """Drives whose rating allows the daily writes, not rounded.

    Parity is counted here and the drive's own amplification is not: the rating contains it.

    Args:
        daily_write_bytes_per_day: Bytes that clients write in a day.
        protection_ratio: Bytes on drives for each client byte.
        margin_ratio: Margin over the writes of a day.
        endurance_dwpd: Drive writes per day of its rating.
        drive_bytes: Capacity of a drive.

    Example:
        >>> float(drives_for_endurance_count(13.44e12, protection_ratio=1.25, margin_ratio=1.0,
        ...     endurance_dwpd=3.0, drive_bytes=5.6e12))
        1.0
    """
    return daily_write_bytes_per_day * protection_ratio * margin_ratio / (endurance_dwpd * drive_bytes)


@formula(
    r"N = x / u",
    unit="count",
    label="Units for capacity",
    source=_E3,
    symbols={"usable_bytes": "x", "unit_usable_bytes": "u"},
)
def units_for_capacity_count(usable_bytes: Number, *, unit_usable_bytes: Number) -> Number:
    """Units of a platform that hold a usable capacity, not rounded.

    Args:
        usable_bytes: Capacity after protection.
        unit_usable_bytes: Usable capacity of a unit.

    Example:
        >>> float(units_for_capacity_count(100e12, unit_usable_bytes=40e12))
        2.5
    """
    return usable_bytes / unit_usable_bytes


@formula(
    r"N = \frac{B a}{\eta\,b}",
    unit="count",
    label="Units for bandwidth",
    source=_E3,
    symbols={
        "bandwidth_bytes_per_s": "B",
        "amplification_ratio": "a",
        "unit_bytes_per_s": "b",
        "stack_fraction": r"\eta",
    },
)
def units_for_bandwidth_count(
    bandwidth_bytes_per_s: Number,
    *,
    unit_bytes_per_s: Number,
    stack_fraction: Number,
    amplification_ratio: Number = 1.0,
) -> Number:
    """Units of a platform that carry a bandwidth, not rounded.

    Args:
        bandwidth_bytes_per_s: What clients need.
        unit_bytes_per_s: What one unit carries.
        stack_fraction: Share of it that clients reach.
        amplification_ratio: Bytes through a unit's ports for each client byte.

    Example:
        >>> float(units_for_bandwidth_count(72e9, unit_bytes_per_s=90e9, stack_fraction=0.8))
        1.0
    """
    return bandwidth_bytes_per_s * amplification_ratio / (unit_bytes_per_s * stack_fraction)


@formula(
    r"N = \left\lceil \max_i x_i \right\rceil",
    unit="count",
    label="Whole units",
    source=_E3,
    symbols={"count": r"\max_i x_i"},
)
def whole_count(count: Number) -> Number:
    """The next whole number: parts are bought whole.

    Args:
        count: A number of parts as it was computed.

    Example:
        >>> float(whole_count(43.1)), float(whole_count(3.0000000000001))
        (44.0, 3.0)
    """
    return elementwise.ceil(count - elementwise.TOLERANCE)


@formula(
    r"n = N \left\lceil \max(x, N) / N \right\rceil",
    unit="count",
    label="Drives, equal in every node",
    source="one type and number of drives in every node of a pool",
    symbols={"drive_count": "x", "unit_count": "N"},
)
def level_drive_count(drive_count: Number, *, unit_count: Number) -> Number:
    """Whole drives, the same number in each node and at least one.

    Args:
        drive_count: Drives that are asked for, not rounded.
        unit_count: Nodes that they are spread over.

    Example:
        >>> float(level_drive_count(43.1, unit_count=11.0))
        44.0
    """
    return unit_count * elementwise.ceil(
        elementwise.maximum(drive_count, unit_count) / unit_count - elementwise.TOLERANCE
    )


@formula(
    r"N = \left\lceil x \right\rceil + s",
    unit="count",
    label="Units of which some may be missing",
    source="what is left has to carry the whole load",
    symbols={"unit_count": "x", "spared_count": "s"},
)
def units_with_missing_count(unit_count: Number, *, spared_count: Number) -> Number:
    """Units that carry a load after some of them are lost.

    Args:
        unit_count: Units that carry it, not rounded.
        spared_count: Units that may be missing.

    Example:
        >>> float(units_with_missing_count(2.3, spared_count=1.0))
        4.0
    """
    return elementwise.ceil(unit_count - elementwise.TOLERANCE) + spared_count


@formula(
    r"n' = n\,\frac{N}{\max(N - s, 1)}",
    unit="count",
    label="Drives of which some may be missing",
    source="drives stand equally in all units, and go with theirs",
    symbols={"drive_count": "n", "unit_count": "N", "spared_count": "s"},
)
def drives_with_missing_count(drive_count: Number, *, unit_count: Number, spared_count: Number) -> Number:
    """Drives of a pool whose remaining units still hold those that carry a load; not rounded.

    Args:
        drive_count: Drives that carry it, not rounded.
        unit_count: Units of the pool.
        spared_count: Units that may be missing.

    Example:
        >>> float(drives_with_missing_count(6.0, unit_count=4.0, spared_count=1.0))
        8.0
    """
    left = elementwise.maximum(unit_count - spared_count, 1.0)
    return drive_count * unit_count / left


@formula(
    r"N = n / s",
    unit="count",
    label="Nodes for the drives",
    source="definition",
    symbols={"drive_count": r"n", "bay_count": r"s"},
)
def units_for_drives_count(drive_count: Number, *, bay_count: Number) -> Number:
    """Nodes whose bays hold the drives, not rounded.

    Args:
        drive_count: Drives of the tier.
        bay_count: Bays of a unit.

    Example:
        >>> float(units_for_drives_count(36.0, bay_count=24.0))
        1.5
    """
    return drive_count / bay_count


@formula(
    r"n = N s",
    unit="count",
    label="Drives",
    source="definition",
    symbols={"unit_count": r"N", "drives_per_unit_count": r"s"},
)
def drives_of_units_count(unit_count: Number, *, drives_per_unit_count: Number) -> Number:
    """Drives in whole units of a platform.

    Args:
        unit_count: Units of the tier.
        drives_per_unit_count: Drives in a unit.

    Example:
        >>> float(drives_of_units_count(4.0, drives_per_unit_count=24.0))
        96.0
    """
    return unit_count * drives_per_unit_count


@formula(
    r"n = N - x",
    unit="count",
    label="Units left",
    source="definition",
    symbols={"whole_count": "N", "lost_count": "x"},
)
def remaining_count(whole_count: Number, *, lost_count: Number) -> Number:
    """What is left when some are lost, at least none.

    Args:
        whole_count: Units before.
        lost_count: Units lost.

    Example:
        >>> float(remaining_count(11.0, lost_count=1.0))
        10.0
    """
    return elementwise.maximum(whole_count - lost_count, 0.0)


@formula(
    r"n = N - w \left\lfloor N / w \right\rfloor\ \mathrm{for}\ N > w,\ \mathrm{else}\ 0",
    unit="count",
    label="Drives left over",
    source="OpenZFS, RAID-Z: a group has one width, and a pool's groups the same",
    symbols={"drive_count": "N", "width_count": "w"},
    validity="groups of drives of one width inside a server; fewer drives than a group is wide make one of their own",
)
def left_over_drives_count(drive_count: Number, *, width_count: Number) -> Number:
    """Drives of a server that fill no group of the scheme's width, and only stand by.

    Args:
        drive_count: Drives of the server.
        width_count: Drives of a group, parity included.

    Example:
        >>> float(left_over_drives_count(24.0, width_count=10.0))
        4.0
        >>> float(left_over_drives_count(8.0, width_count=10.0))
        0.0
    """
    groups = elementwise.floor(drive_count / width_count + elementwise.TOLERANCE)
    rest: Number = elementwise.where(drive_count > width_count, drive_count - width_count * groups, 0.0)
    return rest


@formula(
    r"n' = (N - r)\,g(a) + r\,g(a + 1),\quad a = \lfloor n / N \rfloor,\ r = n - N a,"
    r"\quad g(d) = w \lfloor d / w \rfloor\ \mathrm{for}\ d > w,\ \mathrm{else}\ d",
    unit="count",
    label="Drives in groups",
    source="OpenZFS, RAID-Z: a group has one width, and a pool's groups the same",
    symbols={"drive_count": "n", "unit_count": "N", "width_count": "w"},
    validity="drives spread over the servers as evenly as they go, in groups of one width; what fills no group stands by",
)
def grouped_drives_count(drive_count: Number, *, unit_count: Number, width_count: Number) -> Number:
    """Drives that hold data where every server makes groups of one width of its own.

    Args:
        drive_count: Drives of the tier.
        unit_count: Servers that they are in.
        width_count: Drives of a group, parity included.

    Example:
        >>> float(grouped_drives_count(48.0, unit_count=2.0, width_count=10.0))
        40.0
        >>> float(grouped_drives_count(16.0, unit_count=2.0, width_count=10.0))
        16.0
        >>> float(grouped_drives_count(39.0, unit_count=2.0, width_count=10.0))
        30.0
    """
    least = elementwise.floor(drive_count / unit_count + elementwise.TOLERANCE)
    more = drive_count - unit_count * least
    fewer, larger = (
        each - left_over_drives_count(each, width_count=width_count) for each in (least, least + 1.0)
    )
    return (unit_count - more) * fewer + more * larger


@formula(
    r"n = N\,(g + \min(s, \max(b - g, 0))),\quad g = w \left\lceil x / (N w) \right\rceil",
    unit="count",
    label="Drives in whole groups, equal in every node",
    source="OpenZFS, RAID-Z: a group has one width; a drive that stands by takes the place of a lost one",
    symbols={
        "drive_count": "x",
        "unit_count": "N",
        "width_count": "w",
        "spare_count": "s",
        "bay_count": "b",
    },
    validity="groups of one width inside every server; without a bay for it there is no drive that stands by",
)
def drives_of_groups_count(
    drive_count: Number, *, unit_count: Number, width_count: Number, spare_count: Number, bay_count: Number
) -> Number:
    """Whole groups of drives and what stands by for them, the same in each server.

    Args:
        drive_count: Drives that have to hold data, not rounded.
        unit_count: Servers that they are spread over.
        width_count: Drives of a group, parity included.
        spare_count: Drives of a server that stand by where it has bays for them.
        bay_count: Bays of a server.

    Example:
        >>> float(drives_of_groups_count(43.1, unit_count=2.0, width_count=10.0, spare_count=1.0, bay_count=36.0))
        62.0
        >>> float(drives_of_groups_count(43.1, unit_count=2.0, width_count=10.0, spare_count=1.0, bay_count=30.0))
        60.0
    """
    groups = elementwise.ceil(drive_count / (unit_count * width_count) - elementwise.TOLERANCE)
    held = width_count * elementwise.maximum(groups, 1.0)
    return unit_count * (held + elementwise.minimum(spare_count, elementwise.maximum(bay_count - held, 0.0)))


@formula(
    r"n' = n\,\frac{N - x}{N}",
    unit="count",
    label="Drives left",
    source="reliability models, B6",
    symbols={"drive_count": "n", "unit_count": "N", "lost_count": "x"},
)
def remaining_share_count(drive_count: Number, *, unit_count: Number, lost_count: Number) -> Number:
    """Drives that are left when whole nodes, or other domains, are lost, drives being spread evenly.

    Args:
        drive_count: Drives of the tier.
        unit_count: Units of the tier, or the drives or racks that count as one.
        lost_count: Units lost, with their drives.

    Example:
        >>> float(remaining_share_count(44.0, unit_count=11.0, lost_count=1.0))
        40.0
    """
    return drive_count * elementwise.maximum(unit_count - lost_count, 0.0) / unit_count


@formula(
    r"n = \frac{1}{\alpha\,\eta} \left( \frac{B_r}{r} + \frac{B_w f}{w} \right)",
    unit="count",
    label="Parts for steady traffic",
    source="the guide, 'Monitoring and Alerting': 80 %; reads and writes share a part linearly (B2)",
    symbols={
        "read_bytes_per_s": "B_r",
        "write_bytes_per_s": "B_w",
        "part_read_bytes_per_s": "r",
        "part_write_bytes_per_s": "w",
        "protection_ratio": "f",
        "stack_fraction": r"\eta",
        "limit_fraction": r"\alpha",
    },
)
def parts_for_steady_count(
    read_bytes_per_s: Number,
    *,
    write_bytes_per_s: Number,
    part_read_bytes_per_s: Number,
    part_write_bytes_per_s: Number,
    stack_fraction: Number,
    limit_fraction: Number,
    protection_ratio: Number = 1.0,
) -> Number:
    """Drives or units that carry steady traffic within its limit, not rounded.

    Args:
        read_bytes_per_s: Steady reads.
        write_bytes_per_s: Steady writes.
        part_read_bytes_per_s: What one part reads.
        part_write_bytes_per_s: What one part writes.
        stack_fraction: Share of it that clients reach.
        limit_fraction: Share of what is provisioned that steady traffic may take.
        protection_ratio: Bytes on parts for each byte written.

    Example:
        >>> float(parts_for_steady_count(56e9, write_bytes_per_s=0.0, part_read_bytes_per_s=7e9,
        ...     part_write_bytes_per_s=5e9, stack_fraction=1.0, limit_fraction=0.8))
        10.0
    """
    reading = read_bytes_per_s / part_read_bytes_per_s
    writing = write_bytes_per_s * protection_ratio / part_write_bytes_per_s
    return (reading + writing) / (stack_fraction * limit_fraction)
