"""Write endurance: what is written, what the rating allows, and how long the drives last.

A DWPD rating already contains write amplification inside the drive, so host writes are compared with
it as they are. Parity multiplies writes and raw capacity alike: it cancels for a usable capacity.
"""

from __future__ import annotations

import numpy as np
from scipy.special import lambertw  # type: ignore[import-untyped]

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import DAY_S, YEAR_S, Number

_E1 = "definition of DWPD and TBW; reliability models, E1"
_E2 = "the guide, 'Write Endurance Planning'; reliability models, E2"
_E3 = "the guide, 'Write Endurance Planning'; reliability models, E3"
_E7 = "reliability models, E7"
_E8 = "reliability models, E8"


# --- what is written ----------------------------------------------------------------------------------------


@formula(
    r"V = C\,\frac{86\,400}{T}",
    unit="bytes/day",
    label="Daily writes",
    source=_E2,
    symbols={"checkpoint_bytes": "C", "interval_s": "T"},
)
def daily_write_bytes_per_day(checkpoint_bytes: Number, *, interval_s: Number) -> Number:
    """Bytes that checkpoints write in a day, before protection.

    Args:
        checkpoint_bytes: Whole checkpoint.
        interval_s: From the start of one save to the start of the next.

    Example:
        >>> float(daily_write_bytes_per_day(280e9, interval_s=1800.0))
        13440000000000.0
    """
    return checkpoint_bytes * (DAY_S / interval_s)


@formula(
    r"V_y = 365\,V",
    unit="bytes/year",
    label="Yearly writes",
    source=_E2,
    symbols={"daily_write_bytes_per_day": "V"},
)
def yearly_write_bytes_per_year(daily_write_bytes_per_day: Number) -> Number:
    """Bytes written in a year of 365 days.

    Args:
        daily_write_bytes_per_day: Bytes written in a day.

    Example:
        >>> float(yearly_write_bytes_per_year(13.44e12)) / 1e15
        4.9056
    """
    return daily_write_bytes_per_day * (YEAR_S / DAY_S)


# --- ratings ------------------------------------------------------------------------------------------------


@formula(
    r"W = E\,c\,y",
    unit="bytes",
    label="Rated writes",
    source=_E1,
    symbols={"capacity_bytes": "c", "endurance_dwpd": "E", "warranty_s": "y"},
)
def rated_write_bytes(capacity_bytes: Number, *, endurance_dwpd: Number, warranty_s: Number) -> Number:
    """All that may be written within the warranty (TBW).

    Args:
        capacity_bytes: Raw capacity of the drive or the pool.
        endurance_dwpd: Drive writes per day.
        warranty_s: Time for which the rating is given.

    Example:
        >>> float(rated_write_bytes(3e12, endurance_dwpd=3.0, warranty_s=5 * 365 * 86400.0)) / 1e12
        16425.0
    """
    return endurance_dwpd * capacity_bytes * (warranty_s / DAY_S)


@formula(
    r"E = \frac{W}{c\,y}",
    unit="DWPD",
    label="Rating in drive writes per day",
    source=_E1,
    symbols={"rated_write_bytes": "W", "capacity_bytes": "c", "warranty_s": "y"},
)
def dwpd_of_rating(rated_write_bytes: Number, *, capacity_bytes: Number, warranty_s: Number) -> Number:
    """Drive writes per day of a drive that is rated in bytes written.

    Args:
        rated_write_bytes: All that may be written within the warranty (TBW).
        capacity_bytes: Raw capacity of the drive.
        warranty_s: Time for which the rating is given.

    Example:
        >>> float(dwpd_of_rating(8760e12, capacity_bytes=1.6e12, warranty_s=5 * 365 * 86400.0))
        3.0
    """
    return rated_write_bytes / (capacity_bytes * (warranty_s / DAY_S))


@formula(
    r"A = E\,c",
    unit="bytes/day",
    label="Daily write allowance",
    source=_E3,
    symbols={"raw_bytes": "c", "endurance_dwpd": "E"},
)
def daily_allowance_bytes_per_day(raw_bytes: Number, *, endurance_dwpd: Number) -> Number:
    """What a pool may take in a day and still last its warranty.

    Args:
        raw_bytes: Raw capacity of the pool.
        endurance_dwpd: Drive writes per day of its drives.

    Example:
        >>> float(daily_allowance_bytes_per_day(3e12, endurance_dwpd=3.0))
        9000000000000.0
    """
    return raw_bytes * endurance_dwpd


# --- load against rating ------------------------------------------------------------------------------------


@formula(
    r"u = \frac{V f}{E\,c}",
    unit="1",
    label="Daily writes over allowance",
    source=_E3,
    symbols={
        "daily_write_bytes_per_day": "V",
        "protection_ratio": "f",
        "raw_bytes": "c",
        "endurance_dwpd": "E",
    },
)
def write_load_ratio(
    daily_write_bytes_per_day: Number, *, protection_ratio: Number, raw_bytes: Number, endurance_dwpd: Number
) -> Number:
    """Daily writes to the drives over what they are rated for: above 1 they do not last the warranty.

    Args:
        daily_write_bytes_per_day: Bytes written in a day, before protection.
        protection_ratio: Bytes that reach drives for each byte written.
        raw_bytes: Raw capacity of the pool.
        endurance_dwpd: Drive writes per day of its drives.

    Example:
        >>> load = write_load_ratio(13.44e12, protection_ratio=1.0, raw_bytes=3e12, endurance_dwpd=3.0)
        >>> round(float(load), 3)
        1.493
    """
    return daily_write_bytes_per_day * protection_ratio / (raw_bytes * endurance_dwpd)


@formula(
    r"c = \frac{V f h}{E}",
    unit="bytes",
    label="Raw capacity for endurance",
    source=_E3,
    symbols={
        "daily_write_bytes_per_day": "V",
        "protection_ratio": "f",
        "endurance_dwpd": "E",
        "margin_ratio": "h",
    },
)
def raw_for_endurance_bytes(
    daily_write_bytes_per_day: Number,
    *,
    protection_ratio: Number,
    endurance_dwpd: Number,
    margin_ratio: Number = 1.0,
) -> Number:
    """Raw capacity at which the daily writes, parity included, stay inside the rating.

    Args:
        daily_write_bytes_per_day: Bytes written in a day, before protection.
        protection_ratio: Bytes that reach drives for each byte written.
        endurance_dwpd: Drive writes per day of the drives.
        margin_ratio: Allowance wanted over daily writes.

    Example:
        >>> raw = raw_for_endurance_bytes(13.44e12, protection_ratio=1.25, endurance_dwpd=3.0)
        >>> round(float(raw) / 1e12, 6)
        5.6
    """
    return daily_write_bytes_per_day * protection_ratio * margin_ratio / endurance_dwpd


@formula(
    r"U = \frac{V h}{E}",
    unit="bytes",
    label="Usable capacity for endurance",
    source=_E3,
    symbols={"daily_write_bytes_per_day": "V", "endurance_dwpd": "E", "margin_ratio": "h"},
    validity="writes in full stripes, so that parity cancels",
)
def usable_for_endurance_bytes(
    daily_write_bytes_per_day: Number, *, endurance_dwpd: Number, margin_ratio: Number = 1.0
) -> Number:
    """Usable capacity at which the daily writes stay inside the rating, whatever the protection.

    Args:
        daily_write_bytes_per_day: Bytes written in a day, before protection.
        endurance_dwpd: Drive writes per day of the drives.
        margin_ratio: Allowance wanted over daily writes.

    Example:
        >>> round(float(usable_for_endurance_bytes(13.44e12, endurance_dwpd=3.0)) / 1e12, 6)
        4.48
    """
    return daily_write_bytes_per_day * margin_ratio / endurance_dwpd


@formula(
    r"L = y\,\frac{E\,c}{V f}",
    unit="s",
    label="Life by the rating",
    source=_E3,
    symbols={
        "raw_bytes": "c",
        "daily_write_bytes_per_day": "V",
        "protection_ratio": "f",
        "endurance_dwpd": "E",
        "warranty_s": "y",
    },
)
def rated_life_s(
    raw_bytes: Number,
    *,
    daily_write_bytes_per_day: Number,
    protection_ratio: Number,
    endurance_dwpd: Number,
    warranty_s: Number,
) -> Number:
    """Time until the rated writes are used up, which is what a vendor honours.

    Args:
        raw_bytes: Raw capacity of the pool.
        daily_write_bytes_per_day: Bytes written in a day, before protection; above zero.
        protection_ratio: Bytes that reach drives for each byte written.
        endurance_dwpd: Drive writes per day of the drives.
        warranty_s: Time for which the rating is given.

    Example:
        >>> load = {"daily_write_bytes_per_day": 13.44e12, "protection_ratio": 1.25}
        >>> life = rated_life_s(5e12, **load, endurance_dwpd=3.0, warranty_s=5 * 365 * 86400.0)
        >>> round(float(life) / (365 * 86400), 2)
        4.46
    """
    return warranty_s * raw_bytes * endurance_dwpd / (daily_write_bytes_per_day * protection_ratio)


@formula(
    r"L' = \min(L,\ L_{\max})",
    unit="s",
    label="Life to plan with",
    source=_E3,
    symbols={"rated_life_s": "L", "cap_s": r"L_{\max}"},
)
def planned_life_s(rated_life_s: Number, *, cap_s: Number) -> Number:
    """Life by the rating, but no longer than anyone keeps a drive.

    Args:
        rated_life_s: Life by the rating.
        cap_s: Longest life that is planned with.

    Example:
        >>> float(planned_life_s(40.0, cap_s=10.0))
        10.0
    """
    return elementwise.minimum(rated_life_s, cap_s)


@formula(
    r"L_w = L\,\frac{a_r}{a}",
    unit="s",
    label="Life by wear",
    source=_E8,
    symbols={"rated_life_s": "L", "rated_waf_ratio": "a_r", "actual_waf_ratio": "a"},
    validity="even wear",
)
def wear_life_s(rated_life_s: Number, *, rated_waf_ratio: Number, actual_waf_ratio: Number) -> Number:
    """Time until the flash is worn, if it is written more kindly than the rating assumes.

    Args:
        rated_life_s: Life by the rating.
        rated_waf_ratio: Write amplification that the rating contains.
        actual_waf_ratio: Write amplification of the load, at least 1.

    Example:
        >>> float(wear_life_s(100.0, rated_waf_ratio=2.4, actual_waf_ratio=1.2))
        200.0
    """
    return rated_life_s * rated_waf_ratio / actual_waf_ratio


# --- duty of a pool that is sized by bandwidth --------------------------------------------------------------


@formula(
    r"E_d = \frac{T_s}{T} \cdot \frac{86\,400\,w}{c}",
    unit="DWPD",
    label="Drive writes of a bandwidth-sized pool",
    source=_E7,
    symbols={
        "target_s": "T_s",
        "interval_s": "T",
        "drive_write_bytes_per_s": "w",
        "drive_capacity_bytes": "c",
    },
)
def duty_dwpd(
    target_s: Number, *, interval_s: Number, drive_write_bytes_per_s: Number, drive_capacity_bytes: Number
) -> Number:
    """Drive writes per day that drives see when there are just enough of them to meet the save target.

    Checkpoint size and parity cancel: only the share of time spent writing counts.

    Args:
        target_s: Time that a save takes.
        interval_s: From the start of one save to the start of the next.
        drive_write_bytes_per_s: What one drive takes while a save is written: the share of its sustained writes
            that clients reach.
        drive_capacity_bytes: Its capacity.

    Example:
        >>> drive = {"drive_write_bytes_per_s": 5e9, "drive_capacity_bytes": 3.84e12}
        >>> float(duty_dwpd(10.0, interval_s=1800.0, **drive))
        0.625
    """
    return target_s * DAY_S * drive_write_bytes_per_s / (interval_s * drive_capacity_bytes)


@formula(
    r"T_s^* = \frac{E\,c\,T}{86\,400\,w}",
    unit="s",
    label="Longest save that bandwidth sizing covers",
    source=_E7,
    symbols={
        "endurance_dwpd": "E",
        "interval_s": "T",
        "drive_write_bytes_per_s": "w",
        "drive_capacity_bytes": "c",
    },
    validity="the rating alone, without a margin",
)
def longest_save_s(
    endurance_dwpd: Number,
    *,
    interval_s: Number,
    drive_write_bytes_per_s: Number,
    drive_capacity_bytes: Number,
) -> Number:
    """Save target up to which a pool sized by bandwidth also lasts; above it endurance needs more drives.

    Args:
        endurance_dwpd: Drive writes per day of the drives.
        interval_s: From the start of one save to the start of the next.
        drive_write_bytes_per_s: What one drive takes while a save is written: the share of its sustained writes
            that clients reach.
        drive_capacity_bytes: Its capacity.

    Example:
        >>> drive = {"drive_write_bytes_per_s": 5e9, "drive_capacity_bytes": 3.84e12}
        >>> float(longest_save_s(3.0, interval_s=1800.0, **drive))
        48.0
    """
    return endurance_dwpd * drive_capacity_bytes * interval_s / (DAY_S * drive_write_bytes_per_s)


# --- write amplification inside the drive -------------------------------------------------------------------


@formula(
    r"\mathrm{WAF} = \frac{a}{a + W_0(-a\,e^{-a})},\quad a = 1 + \rho",
    unit="1",
    label="Write amplification inside the drive",
    source="Xiang and Kurkoski 2011; reliability models, E6",
    symbols={"spare_ratio": r"\rho"},
    validity="uniform random writes; sequential ones come to 1",
)
def random_waf_ratio(spare_ratio: Number) -> Number:
    """Write amplification inside a drive under uniform random writes, the worst that a load does.

    Args:
        spare_ratio: Spare capacity over user capacity, above zero.

    Example:
        >>> round(float(random_waf_ratio(0.3)), 2)
        2.36
    """
    size = 1.0 + spare_ratio
    waf: Number = size / (size + lambertw(-size * np.exp(-size)).real)
    return waf


@formula(
    r"\mathrm{WAF} = \frac{1 + \rho}{2\,\rho}",
    unit="1",
    label="Write amplification, older estimate",
    source="Agarwal and Marrow 2010; reliability models, E6",
    symbols={"spare_ratio": r"\rho"},
    validity="for comparison only: about 10 % too low",
)
def older_waf_ratio(spare_ratio: Number) -> Number:
    """The older estimate that vendors' papers still quote, to compare with; nothing is sized by it.

    Args:
        spare_ratio: Spare capacity over user capacity, above zero.

    Example:
        >>> round(float(older_waf_ratio(0.3)), 2)
        2.17
    """
    return (1.0 + spare_ratio) / (2.0 * spare_ratio)


@formula(
    r"a_r = W_1 / W",
    unit="1",
    label="Write amplification in a rating",
    source=_E8,
    symbols={"flash_write_bytes": "W_1", "rated_write_bytes": "W"},
)
def rated_waf_ratio(flash_write_bytes: Number, *, rated_write_bytes: Number) -> Number:
    """Write amplification that a vendor's rating has already allowed for.

    Args:
        flash_write_bytes: What the flash itself endures: writes at an amplification of 1.
        rated_write_bytes: Rated host writes (TBW).

    Example:
        >>> round(float(rated_waf_ratio(43_980e12, rated_write_bytes=8_400e12)), 2)
        5.24
    """
    return flash_write_bytes / rated_write_bytes


@formula(
    r"W = V f",
    unit="bytes/day",
    label="Daily writes on the drives",
    source=_E3,
    symbols={"daily_write_bytes_per_day": "V", "protection_ratio": "f"},
)
def drive_write_bytes_per_day(daily_write_bytes_per_day: Number, *, protection_ratio: Number) -> Number:
    """Bytes that reach the drives in a day, parity or copies included.

    Args:
        daily_write_bytes_per_day: Bytes that hosts write.
        protection_ratio: Bytes on drives for each byte written.

    Example:
        >>> float(drive_write_bytes_per_day(13.44e12, protection_ratio=1.25))
        16800000000000.0
    """
    return daily_write_bytes_per_day * protection_ratio


@formula(
    r"d = W / R",
    unit="DWPD",
    label="Drive writes per day",
    source=_E7,
    symbols={"drive_write_bytes_per_day": "W", "raw_bytes": "R"},
)
def seen_dwpd(drive_write_bytes_per_day: Number, *, raw_bytes: Number) -> Number:
    """How often a day the drives of a pool are written whole, to compare with their rating.

    Args:
        drive_write_bytes_per_day: Bytes on the drives in a day, parity or copies included.
        raw_bytes: Capacity of all drives.

    Example:
        >>> float(seen_dwpd(16.8e12, raw_bytes=5.6e12))
        3.0
    """
    return drive_write_bytes_per_day / raw_bytes
