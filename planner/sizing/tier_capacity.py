"""What a tier holds: content, reserve, protection, and the capacity of drives and units."""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_E3 = "reliability models, E3 and E7: drives = the largest of capacity, bandwidth and endurance"
_RULES = "rules of the calculation, 'Never twice'"


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
        reserve_ratio: Usable capacity over content: 1.3 on the guide's basis, 1 / fill limit on evidence.

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

    Args:
        fill_limit_fraction: Share of the usable capacity that may be filled.

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

    Args:
        data_count: Data chunks of a stripe.
        parity_count: Parity chunks of a stripe.
        copies_count: Copies of each byte where there is no parity, else 1.

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

    Args:
        usable_bytes: Capacity after protection.
        protection_ratio: Bytes on drives for each client byte.

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

    Args:
        drive_count: Drives of the tier.
        drive_bytes: Capacity of a drive.
        protection_ratio: Bytes on drives for each client byte.

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

    Args:
        drive_count: Drives of the tier.
        drive_bytes: Capacity of a drive.

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

    Args:
        usable_bytes: Capacity after protection.
        reserve_ratio: Usable capacity over content: the reserve.

    Example:
        >>> float(safe_bytes(2.1e12, reserve_ratio=1.25))
        1680000000000.0
    """
    return usable_bytes / reserve_ratio


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

    Args:
        checkpoint_bytes: Whole checkpoint.
        copies_per_day: Checkpoints a day that are copied to the tier.
        keep_days: Days that a copy is kept.
        milestones_per_day: Copies a day that are kept for the whole run.
        run_days: Length of the run.

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

    Args:
        unit_count: Units of the tier.
        unit_usable_bytes: Usable capacity of a unit.

    Example:
        >>> float(usable_of_units_bytes(4.0, unit_usable_bytes=132e12))
        528000000000000.0
    """
    return unit_count * unit_usable_bytes


@formula(
    r"f = R / U",
    unit="1",
    label="Raw over usable",
    source="definition",
    symbols={"raw_bytes": r"R", "usable_bytes": r"U"},
)
def ratio_of_capacities_ratio(raw_bytes: Number, *, usable_bytes: Number) -> Number:
    """Raw bytes for each usable byte of a platform.

    Args:
        raw_bytes: Capacity as bought.
        usable_bytes: Capacity after protection.

    Example:
        >>> float(ratio_of_capacities_ratio(10e12, usable_bytes=8e12))
        1.25
    """
    return raw_bytes / usable_bytes


@formula(
    r"x = C\,K",
    unit="bytes",
    label="Retained checkpoints",
    source="the guide, 'Sizing Checkpoint Storage'",
    symbols={"checkpoint_bytes": "C", "retained_count": "K"},
)
def kept_bytes(checkpoint_bytes: Number, *, retained_count: Number) -> Number:
    """Retained checkpoints without the one in flight.

    Args:
        checkpoint_bytes: Whole checkpoint.
        retained_count: Checkpoints kept.

    Example:
        >>> float(kept_bytes(280e9, retained_count=5.0))
        1400000000000.0
    """
    return checkpoint_bytes * retained_count


@formula(
    r"g = \left\lceil \frac{R}{c\,n} \right\rceil",
    unit="count",
    label="Groups",
    source="reliability models, D3",
    symbols={"raw_bytes": "R", "drive_bytes": "c", "width_count": "n"},
)
def group_count(raw_bytes: Number, *, drive_bytes: Number, width_count: Number) -> Number:
    """Protection groups of a raw capacity, each as wide as its scheme.

    Args:
        raw_bytes: Capacity as bought.
        drive_bytes: Capacity of a drive.
        width_count: Chunks of a stripe, parity included.

    Example:
        >>> float(group_count(184.32e12, drive_bytes=7.68e12, width_count=10.0))
        3.0
    """
    return elementwise.ceil(raw_bytes / (drive_bytes * width_count) - elementwise.TOLERANCE)


@formula(
    r"\dot A = C\,p",
    unit="bytes/day",
    label="Growth of the cold tier",
    source="rules of the calculation, 'Retention'",
    symbols={"checkpoint_bytes": "C", "copies_per_day": "p"},
)
def growth_bytes_per_day(checkpoint_bytes: Number, *, copies_per_day: Number) -> Number:
    """Bytes that stay on the cold tier each day.

    Args:
        checkpoint_bytes: Whole checkpoint.
        copies_per_day: Checkpoints a day that are copied to the tier.

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

    Args:
        reserve_ratio: Usable capacity over content.

    Example:
        >>> round(float(reserve_fraction(1.3)), 3)
        0.3
    """
    return reserve_ratio - 1.0
