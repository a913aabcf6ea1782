"""Wear of drives in use: what their own counters say of the writes so far and of the life that is left.

A drive counts the bytes that hosts wrote, its hours with power, and the share of its life that is used, in
whole percent. Time is time with power: a drive that was off half the time lives twice as long by the calendar.
"""

from __future__ import annotations

import numpy as np

from planner.core.formula import formula
from planner.core.units import DAY_S, YEAR_S, Number

_LOG = "NVM Express Base Specification, SMART / Health Information log"
_E1 = "definition of DWPD and TBW; reliability models, E1"
_E8 = "reliability models, E8"


# --- writes -------------------------------------------------------------------------------------------------


@formula(
    r"V = 86\,400\,\frac{W}{t}",
    unit="bytes/day",
    label="Writes per day in use",
    source=_LOG + " (data units written, power on hours)",
    symbols={"written_bytes": "W", "powered_s": "t"},
)
def observed_write_bytes_per_day(written_bytes: Number, *, powered_s: Number) -> Number:
    """Bytes that hosts wrote in a day, over the drive's life so far.

    Args:
        written_bytes: All that hosts have written.
        powered_s: Time with power, above zero.

    Example:
        >>> round(float(observed_write_bytes_per_day(50.568e15, powered_s=17_520 * 3600.0)) / 1e12, 2)
        69.27
    """
    return written_bytes / powered_s * DAY_S


@formula(
    r"a = W_m / W",
    unit="1",
    label="Write amplification in use",
    source=_E8,
    symbols={"media_write_bytes": "W_m", "host_write_bytes": "W"},
)
def observed_waf_ratio(media_write_bytes: Number, *, host_write_bytes: Number) -> Number:
    """Bytes written to flash for each byte that hosts wrote.

    Args:
        media_write_bytes: What the drive has written to its flash, from the maker's own or the endurance
            group's log.
        host_write_bytes: What hosts have written, above zero.

    Example:
        >>> float(observed_waf_ratio(90e12, host_write_bytes=60e12))
        1.5
    """
    return media_write_bytes / host_write_bytes


@formula(
    r"d = a / a_d",
    unit="1",
    label="Write amplification over design",
    source=_E8,
    symbols={"observed_waf_ratio": "a", "design_waf_ratio": "a_d"},
)
def waf_over_design_ratio(observed_waf_ratio: Number, *, design_waf_ratio: Number) -> Number:
    """Write amplification as it is over what the design assumed: above 1 the flash wears sooner.

    Args:
        observed_waf_ratio: Write amplification in use.
        design_waf_ratio: The one that the design assumed, at least 1.

    Example:
        >>> round(float(waf_over_design_ratio(1.5, design_waf_ratio=1.2)), 2)
        1.25
    """
    return observed_waf_ratio / design_waf_ratio


@formula(
    r"g = \frac{u\,T}{W}",
    unit="1",
    label="Wear over rating",
    source=_E8 + ": the share used is proportional to writes to flash",
    symbols={"used_fraction": "u", "rated_write_bytes": "T", "written_bytes": "W"},
    validity="even wear",
)
def wear_over_rating_ratio(
    used_fraction: Number, *, rated_write_bytes: Number, written_bytes: Number
) -> Number:
    """Wear for each byte written over the wear that the rating allows for.

    It is the write amplification in use over the one inside the rating, for drives that do not say what
    they write to their flash.

    Args:
        used_fraction: Share of the life that is used.
        rated_write_bytes: Rated host writes (TBW).
        written_bytes: All that hosts have written, above zero.

    Example:
        >>> round(float(wear_over_rating_ratio(0.3, rated_write_bytes=5.1e15, written_bytes=0.98748e15)), 2)
        1.55
    """
    return used_fraction * rated_write_bytes / written_bytes


@formula(
    r"a = g\,a_r",
    unit="1",
    label="Write amplification in use, from wear",
    source=_E8 + ": the share used is proportional to writes to flash",
    symbols={"wear_over_rating_ratio": "g", "rated_waf_ratio": "a_r"},
    validity="even wear",
)
def implied_waf_ratio(wear_over_rating_ratio: Number, *, rated_waf_ratio: Number) -> Number:
    """Write amplification that a drive's wear speaks of, where it does not say what it writes to its flash.

    Args:
        wear_over_rating_ratio: Wear for each byte over the wear that the rating allows for.
        rated_waf_ratio: Write amplification that the rating allows for, at least 1.

    Example:
        >>> round(float(implied_waf_ratio(0.5, rated_waf_ratio=2.3)), 2)
        1.15
    """
    return wear_over_rating_ratio * rated_waf_ratio


# --- life left ----------------------------------------------------------------------------------------------


@formula(
    r"L = t\,\frac{\max(u_l - u,\,0)}{u}",
    unit="s",
    label="Life left by wear",
    source=_LOG + " (percentage used)",
    symbols={"used_fraction": "u", "powered_s": "t", "limit_fraction": "u_l"},
    validity="use as so far; without end where nothing is used yet",
)
def wear_life_left_s(used_fraction: Number, *, powered_s: Number, limit_fraction: Number = 1.0) -> Number:
    """Time with power until the share used reaches a limit, if the drive is used as it was so far.

    Args:
        used_fraction: Share of the life that is used; may be above 1.
        powered_s: Time with power so far.
        limit_fraction: Share at which the drive is replaced.

    Example:
        >>> round(float(wear_life_left_s(0.3, powered_s=24_424 * 3600.0)) / (365 * 86400), 2)
        6.51
    """
    unused = np.less_equal(used_fraction, 0.0)
    with np.errstate(over="ignore"):  # what uses next to nothing lasts without end as well
        per_used = np.maximum(limit_fraction - used_fraction, 0.0) / np.where(unused, 1.0, used_fraction)
        left: Number = np.where(unused, np.inf, per_used)[()] * powered_s
    return left


@formula(
    r"u_+ = u + s / 2",
    unit="fraction",
    label="Most that can be used",
    source=_LOG + ": percentage used is a whole number",
    symbols={"used_fraction": "u", "step_fraction": "s"},
)
def used_at_most_fraction(used_fraction: Number, *, step_fraction: Number = 0.01) -> Number:
    """The largest share used that a drive prints as this one.

    Args:
        used_fraction: Share of the life that is used, as printed.
        step_fraction: From one printed value to the next.

    Example:
        >>> round(float(used_at_most_fraction(0.02)), 6)
        0.025
    """
    return used_fraction + step_fraction / 2


@formula(
    r"u_- = \max(u - s / 2,\,0)",
    unit="fraction",
    label="Least that can be used",
    source=_LOG + ": percentage used is a whole number",
    symbols={"used_fraction": "u", "step_fraction": "s"},
)
def used_at_least_fraction(used_fraction: Number, *, step_fraction: Number = 0.01) -> Number:
    """The smallest share used that a drive prints as this one.

    Args:
        used_fraction: Share of the life that is used, as printed.
        step_fraction: From one printed value to the next.

    Example:
        >>> round(float(used_at_least_fraction(0.02)), 6)
        0.015
        >>> float(used_at_least_fraction(0.0))
        0.0
    """
    least: Number = np.maximum(used_fraction - step_fraction / 2, 0.0)
    return least


@formula(
    r"L_r = 86\,400\,\frac{\max(T - W,\,0)}{V}",
    unit="s",
    label="Life left by the rating",
    source=_E1,
    symbols={"written_bytes": "W", "rated_write_bytes": "T", "write_bytes_per_day": "V"},
)
def rating_life_left_s(
    written_bytes: Number, *, rated_write_bytes: Number, write_bytes_per_day: Number
) -> Number:
    """Time with power until the rated writes are used up, which is what a vendor honours.

    Args:
        written_bytes: All that hosts have written.
        rated_write_bytes: Rated host writes (TBW).
        write_bytes_per_day: What hosts write in a day, above zero.

    Example:
        >>> rating = {"rated_write_bytes": 16_425e12, "write_bytes_per_day": 9e12}
        >>> float(rating_life_left_s(0.0, **rating)) / (365 * 86400)
        5.0
    """
    with np.errstate(over="ignore"):  # what writes next to nothing lasts without end
        left: Number = np.maximum(rated_write_bytes - written_bytes, 0.0) / write_bytes_per_day * DAY_S
    return left


@formula(
    r"v = V_p / n",
    unit="bytes/day",
    label="Designed writes of a drive",
    source=_E8 + ": even load of all drives",
    symbols={"pool_write_bytes_per_day": "V_p", "drive_count": "n"},
)
def each_drive_bytes_per_day(pool_write_bytes_per_day: Number, *, drive_count: Number) -> Number:
    """Writes a day to one drive of a pool that is loaded evenly.

    Args:
        pool_write_bytes_per_day: Writes to all drives, parity included.
        drive_count: Drives of the pool.

    Example:
        >>> each_drive_bytes_per_day(9e12, drive_count=30.0)
        300000000000.0
    """
    return pool_write_bytes_per_day / drive_count


@formula(
    r"y = 31\,536\,000\,\frac{u}{t}",
    unit="fraction",
    label="Life used in a year",
    source=_LOG + " (percentage used, power on hours)",
    symbols={"used_fraction": "u", "powered_s": "t"},
)
def yearly_used_fraction(used_fraction: Number, *, powered_s: Number) -> Number:
    """Share of a drive's life that a year with power uses, as so far; it compares drives of different age too.

    Args:
        used_fraction: Share of the life that is used.
        powered_s: Time with power, above zero.

    Example:
        >>> round(yearly_used_fraction(0.05, powered_s=182.5 * 86400.0), 6)
        0.1
    """
    return used_fraction / powered_s * YEAR_S


@formula(
    r"u_d = u_0 + y\,\frac{t}{31\,536\,000}",
    unit="fraction",
    label="Life used by design",
    source="acceptance of drives: what is new, and the design's yearly wear from there on",
    symbols={"new_fraction": "u_0", "yearly_fraction": "y", "powered_s": "t"},
)
def designed_used_fraction(new_fraction: Number, *, yearly_fraction: Number, powered_s: Number) -> Number:
    """Share of a drive's life that the design explains after some time with power.

    Args:
        new_fraction: Share that a drive still counts as new with.
        yearly_fraction: Share of its life that a year uses in the design.
        powered_s: Time with power so far.

    Example:
        >>> round(float(designed_used_fraction(0.02, yearly_fraction=0.05, powered_s=2 * 31_536_000.0)), 2)
        0.12
    """
    return new_fraction + yearly_fraction * powered_s / YEAR_S
