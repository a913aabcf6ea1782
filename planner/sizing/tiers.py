"""How large a tier must be: capacity, bandwidth, endurance and protection, each in drives or units.

A tier is as large as the largest of these demands; every demand is kept as a real number, so that
the result can say which one binds and how far the next one is.
"""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_E3 = "reliability models, E3 and E7: drives = the largest of capacity, bandwidth and endurance"
_RULES = "rules of the calculation, 'Never twice'"
_SMALLEST = 1e-300
"""Stands for nothing in a divisor, so that nothing of nothing is nothing."""
_TOLERANCE = 1e-9
"""Keeps a demand that is whole but for rounding from costing one more drive."""


@formula(
    r"U = \left(\textstyle\sum C\right) q",
    unit="bytes",
    label="Usable capacity needed",
    source=_RULES,
    symbols={"content_bytes": r"\sum C", "reserve_ratio": "q"},
)
def usable_needed_bytes(content_bytes: Number, *, reserve_ratio: Number) -> Number:
    """Usable capacity for what a tier holds, with the reserve counted once.

    Args:
        content_bytes: All that lies on the tier.
        reserve_ratio: 1.3 on the guide's basis; 1 / fill limit on evidence.

    Example:
        >>> float(usable_needed_bytes(1.68e12, reserve_ratio=1 / 0.8))
        2100000000000.0
    """
    return content_bytes * reserve_ratio


@formula(
    r"q = 1 / \varphi",
    unit="1",
    label="Reserve",
    source=_RULES,
    symbols={"fill_limit_fraction": r"\varphi"},
)
def reserve_of_fill_ratio(fill_limit_fraction: Number) -> Number:
    """Usable capacity to have for each byte stored, if only a share of it may be filled.

    Example:
        >>> float(reserve_of_fill_ratio(0.8))
        1.25
    """
    return 1.0 / fill_limit_fraction


@formula(
    r"f = r\,(k + m) / k",
    unit="1",
    label="Raw over usable",
    source="the guide, 'Data Protection'",
    symbols={"data_count": "k", "parity_count": "m", "copies_count": "r"},
)
def protection_ratio(data_count: Number, *, parity_count: Number, copies_count: Number = 1.0) -> Number:
    """Raw bytes for each usable byte, which is also the write amplification of full stripes.

    Example:
        >>> float(protection_ratio(8, parity_count=2)), float(protection_ratio(1, parity_count=0, copies_count=2))
        (1.25, 2.0)
    """
    return copies_count * (data_count + parity_count) / data_count


@formula(
    r"R = U f",
    unit="bytes",
    label="Raw capacity",
    source=_E3,
    symbols={"usable_bytes": "U", "protection_ratio": "f"},
)
def raw_bytes(usable_bytes: Number, *, protection_ratio: Number) -> Number:
    """Capacity to buy for a usable capacity.

    Example:
        >>> float(raw_bytes(4.48e12, protection_ratio=1.25))
        5600000000000.0
    """
    return usable_bytes * protection_ratio


@formula(
    r"U = n\,c / f",
    unit="bytes",
    label="Usable capacity",
    source=_E3,
    symbols={"drive_count": "n", "drive_bytes": "c", "protection_ratio": "f"},
)
def usable_of_drives_bytes(drive_count: Number, *, drive_bytes: Number, protection_ratio: Number) -> Number:
    """Capacity that is left after protection, before the reserve.

    Example:
        >>> float(usable_of_drives_bytes(10, drive_bytes=3.84e12, protection_ratio=1.25))
        30720000000000.0
    """
    return drive_count * drive_bytes / protection_ratio


@formula(
    r"R = n\,c",
    unit="bytes",
    label="Raw capacity",
    source="definition",
    symbols={"drive_count": "n", "drive_bytes": "c"},
)
def raw_of_drives_bytes(drive_count: Number, *, drive_bytes: Number) -> Number:
    """Capacity as bought.

    Example:
        >>> float(raw_of_drives_bytes(10, drive_bytes=3.84e12))
        38400000000000.0
    """
    return drive_count * drive_bytes


@formula(
    r"S = U / q",
    unit="bytes",
    label="Safe capacity",
    source=_RULES,
    symbols={"usable_bytes": "U", "reserve_ratio": "q"},
)
def safe_bytes(usable_bytes: Number, *, reserve_ratio: Number) -> Number:
    """What may be stored: usable capacity without the reserve.

    Example:
        >>> float(safe_bytes(2.1e12, reserve_ratio=1.25))
        1680000000000.0
    """
    return usable_bytes / reserve_ratio


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

    Example:
        >>> float(whole_count(43.1)), float(whole_count(3.0000000000001))
        (44.0, 3.0)
    """
    return elementwise.ceil(count - _TOLERANCE)


@formula(
    r"n = N \left\lceil \max(x, N) / N \right\rceil",
    unit="count",
    label="Drives, equal in every node",
    source="one type and number of drives in every node of a pool",
    symbols={"drive_count": "x", "unit_count": "N"},
)
def level_drive_count(drive_count: Number, *, unit_count: Number) -> Number:
    """Whole drives, the same number in each node and at least one.

    Example:
        >>> float(level_drive_count(43.1, unit_count=11.0))
        44.0
    """
    return unit_count * elementwise.ceil(
        elementwise.maximum(drive_count, unit_count) / unit_count - _TOLERANCE
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
    return elementwise.ceil(unit_count - _TOLERANCE) + spared_count


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
    r"a = 1 + f\,\frac{n-1}{n}",
    unit="1",
    label="Load of a target's ports",
    source="rules of the calculation, 'Where protection is made'",
    symbols={"unit_count": "n", "protection_ratio": "f"},
)
def server_side_amplification_ratio(unit_count: Number, *, protection_ratio: Number) -> Number:
    """Bytes through the targets' ports for each client byte if servers spread chunks over nodes.

    Example:
        >>> float(server_side_amplification_ratio(10.0, protection_ratio=1.25))
        2.125
    """
    return 1.0 + protection_ratio * (unit_count - 1.0) / unit_count


@formula(
    r"B = \min\!\left(\frac{N b}{a},\ \frac{n\,w}{f}\right)\eta",
    unit="bytes/s",
    label="Write bandwidth of the tier",
    source="rules of the calculation, 'The binding constraint is always named'",
    symbols={
        "unit_count": "N",
        "unit_bytes_per_s": "b",
        "amplification_ratio": "a",
        "drive_count": "n",
        "drive_bytes_per_s": "w",
        "protection_ratio": "f",
        "stack_fraction": r"\eta",
    },
)
def pool_bytes_per_s(
    unit_count: Number,
    *,
    unit_bytes_per_s: Number,
    amplification_ratio: Number,
    drive_count: Number,
    drive_bytes_per_s: Number,
    protection_ratio: Number,
    stack_fraction: Number,
) -> Number:
    """Bandwidth that clients get from a pool: the nodes' ports or the drives, whichever is less.

    Example:
        >>> float(pool_bytes_per_s(2.0, unit_bytes_per_s=45e9, amplification_ratio=1.0, drive_count=10.0,
        ...     drive_bytes_per_s=5e9, protection_ratio=1.25, stack_fraction=0.9))
        36000000000.0
    """
    ports = unit_count * unit_bytes_per_s / amplification_ratio
    return elementwise.minimum(ports, drive_count * drive_bytes_per_s / protection_ratio) * stack_fraction


@formula(
    r"B = N b\,\eta",
    unit="bytes/s",
    label="Bandwidth of the tier",
    source="catalogue figure of one unit",
    symbols={"unit_count": "N", "unit_bytes_per_s": "b", "stack_fraction": r"\eta"},
)
def units_bytes_per_s(unit_count: Number, *, unit_bytes_per_s: Number, stack_fraction: Number) -> Number:
    """Bandwidth that clients get from whole units of a platform.

    Example:
        >>> float(units_bytes_per_s(4.0, unit_bytes_per_s=20e9, stack_fraction=0.7))
        56000000000.0
    """
    return unit_count * unit_bytes_per_s * stack_fraction


@formula(
    r"A = C\,\bigl(g\,\min(d, t) + p\,t\bigr)",
    unit="bytes",
    label="Archived checkpoints",
    source="rules of the calculation, 'Retention'",
    symbols={
        "checkpoint_bytes": "C",
        "copies_per_day": "g",
        "keep_days": "d",
        "run_days": "t",
        "milestones_per_day": "p",
    },
)
def archived_bytes(
    checkpoint_bytes: Number,
    *,
    copies_per_day: Number,
    keep_days: Number,
    milestones_per_day: Number,
    run_days: Number,
) -> Number:
    """Checkpoints on the cold tier at the end of a run: the last days' copies and all milestones.

    Example:
        >>> float(archived_bytes(1e12, copies_per_day=48.0, keep_days=1.0, milestones_per_day=1.0, run_days=90.0))
        138000000000000.0
    """
    return checkpoint_bytes * (
        copies_per_day * elementwise.minimum(keep_days, run_days) + milestones_per_day * run_days
    )


@formula(
    r"U = N u",
    unit="bytes",
    label="Usable capacity",
    source="catalogue figure of one unit",
    symbols={"unit_count": "N", "unit_usable_bytes": "u"},
)
def usable_of_units_bytes(unit_count: Number, *, unit_usable_bytes: Number) -> Number:
    """Usable capacity of whole units of a platform.

    Example:
        >>> float(usable_of_units_bytes(4.0, unit_usable_bytes=132e12))
        528000000000000.0
    """
    return unit_count * unit_usable_bytes


@formula(
    r"V = 86400\,B",
    unit="bytes/day",
    label="Bytes per day",
    source="definition",
    symbols={"rate_bytes_per_s": "B"},
)
def per_day_bytes_per_day(rate_bytes_per_s: Number) -> Number:
    """Bytes that a steady rate moves in a day.

    Example:
        >>> float(per_day_bytes_per_day(1e9))
        86400000000000.0
    """
    return rate_bytes_per_s * 86_400.0


@formula(
    r"a = 1 + f",
    unit="1",
    label="Load of a target's ports, bound",
    source="rules of the calculation, 'Where protection is made'",
    symbols={"protection_ratio": r"f"},
)
def spread_amplification_ratio(protection_ratio: Number) -> Number:
    """Bytes through the targets' ports for each client byte, however many nodes there are.

    Example:
        >>> float(spread_amplification_ratio(1.25))
        2.25
    """
    return 1.0 + protection_ratio


@formula(
    r"b = \min(b_1, b_2)",
    unit="bytes/s",
    label="Rate of one target",
    source="rules of the calculation, 'The binding constraint is always named'",
    symbols={"first_bytes_per_s": r"b_1", "second_bytes_per_s": r"b_2"},
)
def smaller_bytes_per_s(first_bytes_per_s: Number, *, second_bytes_per_s: Number) -> Number:
    """The smaller of two rates; an unknown one is passed over.

    Example:
        >>> float(smaller_bytes_per_s(2.0, second_bytes_per_s=1.0))
        1.0
    """
    return elementwise.known_minimum(first_bytes_per_s, second_bytes_per_s)


@formula(
    r"N = n / s",
    unit="count",
    label="Nodes for the drives",
    source="definition",
    symbols={"drive_count": r"n", "bay_count": r"s"},
)
def units_for_drives_count(drive_count: Number, *, bay_count: Number) -> Number:
    """Nodes whose bays hold the drives, not rounded.

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

    Example:
        >>> float(drives_of_units_count(4.0, drives_per_unit_count=24.0))
        96.0
    """
    return unit_count * drives_per_unit_count


@formula(
    r"f = R / U",
    unit="1",
    label="Raw over usable",
    source="definition",
    symbols={"raw_bytes": r"R", "usable_bytes": r"U"},
)
def ratio_of_capacities_ratio(raw_bytes: Number, *, usable_bytes: Number) -> Number:
    """Raw bytes for each usable byte of a platform.

    Example:
        >>> float(ratio_of_capacities_ratio(10e12, usable_bytes=8e12))
        1.25
    """
    return raw_bytes / usable_bytes


@formula(
    r"b = \alpha\,B",
    unit="bytes/s",
    label="Alarm threshold",
    source="the guide, 'Monitoring and Alerting'",
    symbols={"provisioned_bytes_per_s": "B", "alarm_fraction": r"\alpha"},
)
def alarm_bytes_per_s(provisioned_bytes_per_s: Number, *, alarm_fraction: Number) -> Number:
    """Steady rate at which more bandwidth is called for.

    Example:
        >>> float(alarm_bytes_per_s(100e9, alarm_fraction=0.8))
        80000000000.0
    """
    return provisioned_bytes_per_s * alarm_fraction


@formula(
    r"w = \frac{W}{A} \cdot \frac{365\ \mathrm{days}}{t_w}",
    unit="fraction",
    label="Endurance used per year",
    source="reliability models, E3",
    symbols={"drive_write_bytes_per_day": "W", "allowance_bytes_per_day": "A", "warranty_s": "t_w"},
)
def yearly_wear_fraction(
    drive_write_bytes_per_day: Number, *, allowance_bytes_per_day: Number, warranty_s: Number
) -> Number:
    """Share of the rated writes that a year uses.

    Example:
        >>> round(float(yearly_wear_fraction(9e12, allowance_bytes_per_day=9e12, warranty_s=5 * 365 * 86400.0)), 2)
        0.2
    """
    return drive_write_bytes_per_day / allowance_bytes_per_day * 365 * 86_400.0 / warranty_s


@formula(
    r"n = N - x",
    unit="count",
    label="Units left",
    source="definition",
    symbols={"whole_count": "N", "lost_count": "x"},
)
def remaining_count(whole_count: Number, *, lost_count: Number) -> Number:
    """What is left when some are lost, at least none.

    Example:
        >>> float(remaining_count(11.0, lost_count=1.0))
        10.0
    """
    return elementwise.maximum(whole_count - lost_count, 0.0)


@formula(
    r"n' = n\,\frac{N - x}{N}",
    unit="count",
    label="Drives left",
    source="reliability models, B6",
    symbols={"drive_count": "n", "unit_count": "N", "lost_count": "x"},
)
def remaining_share_count(drive_count: Number, *, unit_count: Number, lost_count: Number) -> Number:
    """Drives that are left when whole nodes are lost, drives being spread evenly.

    Example:
        >>> float(remaining_share_count(44.0, unit_count=11.0, lost_count=1.0))
        40.0
    """
    return drive_count * elementwise.maximum(unit_count - lost_count, 0.0) / unit_count


@formula(
    r"B = \frac{N b}{a}\,\eta",
    unit="bytes/s",
    label="Target ports",
    source="rules of the calculation, 'Where protection is made'",
    symbols={
        "unit_count": "N",
        "unit_bytes_per_s": "b",
        "amplification_ratio": "a",
        "stack_fraction": r"\eta",
    },
)
def ports_bytes_per_s(
    unit_count: Number, *, unit_bytes_per_s: Number, amplification_ratio: Number, stack_fraction: Number
) -> Number:
    """Client bandwidth that the targets' ports carry, with the back-end traffic that shares them.

    Example:
        >>> float(ports_bytes_per_s(2.0, unit_bytes_per_s=90e9, amplification_ratio=2.0, stack_fraction=0.9))
        81000000000.0
    """
    return unit_count * unit_bytes_per_s / amplification_ratio * stack_fraction


@formula(
    r"B = \frac{n w}{f}\,\eta",
    unit="bytes/s",
    label="Drives",
    source="reliability models, E7",
    symbols={
        "drive_count": "n",
        "drive_bytes_per_s": "w",
        "protection_ratio": "f",
        "stack_fraction": r"\eta",
    },
)
def flash_bytes_per_s(
    drive_count: Number, *, drive_bytes_per_s: Number, protection_ratio: Number, stack_fraction: Number
) -> Number:
    """Client bandwidth that the drives take after protection.

    Example:
        >>> float(flash_bytes_per_s(10.0, drive_bytes_per_s=5e9, protection_ratio=1.25, stack_fraction=0.9))
        36000000000.0
    """
    return drive_count * drive_bytes_per_s / protection_ratio * stack_fraction


@formula(
    r"x = C\,K",
    unit="bytes",
    label="Retained checkpoints",
    source="the guide, 'Sizing Checkpoint Storage'",
    symbols={"checkpoint_bytes": "C", "retained_count": "K"},
)
def kept_bytes(checkpoint_bytes: Number, *, retained_count: Number) -> Number:
    """Retained checkpoints without the one in flight.

    Example:
        >>> float(kept_bytes(280e9, retained_count=5.0))
        1400000000000.0
    """
    return checkpoint_bytes * retained_count


@formula(
    r"B_{256} = B \cdot 256 / N",
    unit="bytes/s",
    label="Read demand of 256 GPUs",
    source="the guide, 'Data Ingestion Requirements'",
    symbols={"read_bytes_per_s": "B", "gpu_count": "N"},
)
def per_256_bytes_per_s(read_bytes_per_s: Number, *, gpu_count: Number) -> Number:
    """A cluster's read demand scaled to the 256 GPUs of which the guide speaks.

    Example:
        >>> float(per_256_bytes_per_s(2e9, gpu_count=512.0))
        1000000000.0
    """
    return read_bytes_per_s * 256.0 / gpu_count


@formula(
    r"g = \left\lceil \frac{R}{c\,n} \right\rceil",
    unit="count",
    label="Groups",
    source="reliability models, D3",
    symbols={"raw_bytes": "R", "drive_bytes": "c", "width_count": "n"},
)
def group_count(raw_bytes: Number, *, drive_bytes: Number, width_count: Number) -> Number:
    """Protection groups of a raw capacity, each as wide as its scheme.

    Example:
        >>> float(group_count(184.32e12, drive_bytes=7.68e12, width_count=10.0))
        3.0
    """
    return elementwise.ceil(raw_bytes / (drive_bytes * width_count) - _TOLERANCE)


@formula(
    r"b' = b / f",
    unit="bytes/s",
    label="Client bytes that a node sends",
    source="rules of the calculation, 'Where protection is made': with host-side mirroring the ports carry twice",
    symbols={"node_bytes_per_s": "b", "protection_ratio": "f"},
)
def client_share_bytes_per_s(node_bytes_per_s: Number, *, protection_ratio: Number) -> Number:
    """What is left of a node's ports for its own data if it makes the protection itself.

    Example:
        >>> float(client_share_bytes_per_s(50e9, protection_ratio=2.0))
        25000000000.0
    """
    return node_bytes_per_s / protection_ratio


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


@formula(
    r"u = B_r / R + B_w / W",
    unit="fraction",
    label="Steady load",
    source="the guide, 'Monitoring and Alerting': 80 %; reliability models, B2",
    symbols={
        "read_bytes_per_s": "B_r",
        "write_bytes_per_s": "B_w",
        "tier_read_bytes_per_s": "R",
        "tier_write_bytes_per_s": "W",
    },
)
def steady_load_fraction(
    read_bytes_per_s: Number,
    *,
    write_bytes_per_s: Number,
    tier_read_bytes_per_s: Number,
    tier_write_bytes_per_s: Number,
) -> Number:
    """Share of a tier that steady reads and writes take together; no traffic is 0, also of nothing.

    Example:
        >>> float(steady_load_fraction(8e9, write_bytes_per_s=1e9, tier_read_bytes_per_s=16e9,
        ...     tier_write_bytes_per_s=4e9))
        0.75
    """
    reading = read_bytes_per_s / elementwise.maximum(tier_read_bytes_per_s, _SMALLEST)
    load: Number = reading + write_bytes_per_s / elementwise.maximum(tier_write_bytes_per_s, _SMALLEST)
    return load


@formula(
    r"B = B_0 \max\!\left(1 - B_r / R,\ \epsilon\right)",
    unit="bytes/s",
    label="Drives beside reads",
    source="reliability models, B1 and B2: ratings of reads and writes do not add",
    symbols={"write_bytes_per_s": "B_0", "read_bytes_per_s": "B_r", "tier_read_bytes_per_s": "R"},
    validity="a thousandth is left where reads take all: the review stops such a design",
)
def flash_beside_reads_bytes_per_s(
    write_bytes_per_s: Number, *, read_bytes_per_s: Number, tier_read_bytes_per_s: Number
) -> Number:
    """Write bandwidth that drives have left while reads go on.

    Example:
        >>> float(flash_beside_reads_bytes_per_s(28e9, read_bytes_per_s=15e9, tier_read_bytes_per_s=60e9))
        21000000000.0
    """
    return write_bytes_per_s * elementwise.maximum(1.0 - read_bytes_per_s / tier_read_bytes_per_s, 1e-3)


@formula(
    r"\dot A = C\,p",
    unit="bytes/day",
    label="Growth of the cold tier",
    source="rules of the calculation, 'Retention'",
    symbols={"checkpoint_bytes": "C", "copies_per_day": "p"},
)
def growth_bytes_per_day(checkpoint_bytes: Number, *, copies_per_day: Number) -> Number:
    """Bytes that stay on the cold tier each day.

    Example:
        >>> float(growth_bytes_per_day(280e9, copies_per_day=48.0))
        13440000000000.0
    """
    return checkpoint_bytes * copies_per_day


@formula(
    r"t = 86400\,\frac{\max(S - F,\,0)}{\dot A}",
    unit="s",
    label="Cold tier full after",
    source="rules of the calculation, 'Retention'",
    symbols={"capacity_bytes": "S", "fixed_bytes": "F", "growth_bytes_per_day": r"\dot A"},
)
def full_after_s(capacity_bytes: Number, *, fixed_bytes: Number, growth_bytes_per_day: Number) -> Number:
    """Time until a cold tier is full; without growth it is never full.

    Args:
        capacity_bytes: What may be stored.
        fixed_bytes: What lies there from the start or stays constant.
        growth_bytes_per_day: Bytes that stay each day.

    Example:
        >>> round(float(full_after_s(200e12, fixed_bytes=0.0, growth_bytes_per_day=13.44e12)) / 86400, 1)
        14.9
    """
    none = growth_bytes_per_day == 0.0
    room = elementwise.maximum(capacity_bytes - fixed_bytes, 0.0) * 86_400.0
    full: Number = elementwise.where(none, np.inf, room / elementwise.where(none, 1.0, growth_bytes_per_day))
    return full


@formula(
    r"h = q - 1",
    unit="fraction",
    label="Reserve over what is stored",
    source=_RULES,
    symbols={"reserve_ratio": "q"},
)
def reserve_fraction(reserve_ratio: Number) -> Number:
    """Capacity kept free for each byte stored.

    Example:
        >>> round(float(reserve_fraction(1.3)), 3)
        0.3
    """
    return reserve_ratio - 1.0


@formula(
    r"t = t_0\,q",
    unit="s",
    label="Latency of the tail",
    source="reliability models, Q2",
    symbols={"target_s": "t_0", "quantile_ratio": "q"},
)
def tail_s(target_s: Number, *, quantile_ratio: Number) -> Number:
    """Latency that a share of requests stays below, from the time of one alone.

    Example:
        >>> float(tail_s(1e-4, quantile_ratio=10.0))
        0.001
    """
    return target_s * quantile_ratio
