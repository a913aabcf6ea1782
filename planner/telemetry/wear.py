"""Wear of drives from their own counters: writes per day, life left with its uncertainty, odd drives out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from planner.core.quantity import Quantity, derive, given
from planner.core.units import DAY_S
from planner.sizing import endurance, wear
from planner.telemetry.records import Record

STEP_FRACTION = 0.01
"""Drives print the share of their life that is used in whole percent: half a step either way is unknown."""
SMALLEST_GROUP = 3
"""Of two drives that differ nobody can say which one is odd."""
_MAD_TO_SIGMA = 1.4826
"""Median deviation to standard deviation of normally distributed values."""
_SIGMAS = 3.0


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a kind of drive beyond its counters; NaN for what is not.

    Attributes:
        capacity_bytes: Capacity of one drive.
        rated_write_bytes: Rated host writes (TBW).
        design_waf_ratio: Write amplification that the design assumed.
    """

    capacity_bytes: float = math.nan
    rated_write_bytes: float = math.nan
    design_waf_ratio: float = math.nan


@dataclass(frozen=True, slots=True)
class DriveWear:
    """One drive; what cannot be known is NaN, which prints as "unknown".

    Attributes:
        subject: The drive.
        host: Its host, if the log says.
        run: Which log of the file it is from.
        used_fraction: Share of its life that is used, as printed.
        powered_s: Time with power.
        written_bytes: All that hosts have written.
        write_bytes_per_day: What hosts write in a day.
        seen_dwpd: How often a day the drive is written whole.
        life_left_s: Time with power until its life is used; without end where nothing is used yet.
        life_left_low_s: The same if half a percent more is used than printed.
        life_left_high_s: The same if half a percent less is used.
        rating_life_left_s: Time with power until the rated writes are used up.
        wear_over_rating_ratio: Wear for each byte over the rating's.
    """

    subject: str
    host: str
    run: int
    used_fraction: Quantity
    powered_s: Quantity
    written_bytes: Quantity
    write_bytes_per_day: Quantity
    seen_dwpd: Quantity
    life_left_s: Quantity
    life_left_low_s: Quantity
    life_left_high_s: Quantity
    rating_life_left_s: Quantity
    wear_over_rating_ratio: Quantity


_COUNTERS = {
    "percentage_used": "Life used",
    "power_on_time": "Time with power",
    "data_written": "Data written",
}


def drive_wear(records: Iterable[Record], *, rating: Rating | None = None) -> tuple[DriveWear, ...]:
    """The wear of each drive that has a health log among the records.

    Args:
        records: Records of one file; those of other things are passed over.
        rating: What else is known of these drives; a capacity in the records comes first.
    """
    drives: dict[tuple[str, str, str, int], dict[str, Record]] = {}
    for record in records:
        key = (record.tool, record.host, record.subject, record.run)
        drives.setdefault(key, {})[record.quantity] = record
    return tuple(
        _wear(found, rating or Rating())
        for found in drives.values()
        if not _COUNTERS.keys().isdisjoint(found)
    )


def _wear(found: dict[str, Record], rating: Rating) -> DriveWear:
    some = next(iter(found.values()))
    used, powered, written = (_counter(found.get(name), name, label) for name, label in _COUNTERS.items())
    # A drive without an hour on has no rate yet.
    hours = powered if powered.number > 0 else _unknown("s", powered.label)
    daily = derive(wear.observed_write_bytes_per_day, written_bytes=written, powered_s=hours)
    capacity = found["capacity"].value if "capacity" in found else rating.capacity_bytes
    rated = _rated(rating.rated_write_bytes, "bytes", "Rated writes")
    wrote = written if written.number > 0 else _unknown("bytes", written.label)
    rate = daily if daily.number > 0 else _unknown("bytes/day", daily.label)
    most = derive(wear.used_at_most_fraction, used_fraction=used, step_fraction=STEP_FRACTION)
    least = derive(wear.used_at_least_fraction, used_fraction=used, step_fraction=STEP_FRACTION)
    return DriveWear(
        subject=some.subject,
        host=some.host,
        run=some.run,
        used_fraction=used,
        powered_s=powered,
        written_bytes=written,
        write_bytes_per_day=daily,
        seen_dwpd=derive(
            endurance.seen_dwpd,
            drive_write_bytes_per_day=daily,
            raw_bytes=_rated(capacity, "bytes", "Capacity"),
        ),
        life_left_s=_left(used, hours),
        life_left_low_s=_left(most, hours),
        life_left_high_s=_left(least, hours),
        rating_life_left_s=derive(
            wear.rating_life_left_s, written_bytes=written, rated_write_bytes=rated, write_bytes_per_day=rate
        ),
        wear_over_rating_ratio=derive(
            wear.wear_over_rating_ratio, used_fraction=used, rated_write_bytes=rated, written_bytes=wrote
        ),
    )


def _left(used: Quantity, powered: Quantity) -> Quantity:
    return derive(wear.wear_life_left_s, used_fraction=used, powered_s=powered, limit_fraction=1.0)


_UNITS = {"percentage_used": "fraction", "power_on_time": "s", "data_written": "bytes"}


def _counter(record: Record | None, name: str, label: str) -> Quantity:
    if record is None:
        return _unknown(_UNITS[name], label)
    return given(record.value, record.unit, label, source=record.tool, grade="input")


def _rated(value: float, unit: str, label: str) -> Quantity:
    return given(value if value > 0 else None, unit, label, source="rating", grade="input")


def _unknown(unit: str, label: str) -> Quantity:
    return given(None, unit, label, source="", grade="")


def write_amplification(
    host_write_bytes: float, *, media_write_bytes: float, design_waf_ratio: float
) -> tuple[Quantity, Quantity]:
    """Write amplification in use, and over the design's, where a drive's own log says what it wrote to flash.

    Args:
        host_write_bytes: What hosts have written; without any, both are unknown.
        media_write_bytes: What the drive has written to flash.
        design_waf_ratio: What the design assumed, at least 1.
    """
    host = _rated(host_write_bytes, "bytes", "Data written")
    observed = derive(wear.observed_waf_ratio, media_write_bytes=media_write_bytes, host_write_bytes=host)
    return observed, derive(
        wear.waf_over_design_ratio, observed_waf_ratio=observed, design_waf_ratio=design_waf_ratio
    )


def replacement_date(life_left_s: float, *, measured: date) -> date | None:
    """The day on which a drive that stays on is due; None where none can be named.

    Args:
        life_left_s: Time with power that is left.
        measured: The day on which the counters were read.
    """
    if not math.isfinite(life_left_s):
        return None
    try:
        return measured + timedelta(days=math.floor(life_left_s / DAY_S))
    except OverflowError:
        return None


@dataclass(frozen=True, slots=True)
class Deviation:
    """A drive that wears unlike its group.

    Attributes:
        drive: The drive.
        yearly_fraction: Share of its life that a year uses.
        group_yearly_fraction: Median of the group.
    """

    drive: DriveWear
    yearly_fraction: float
    group_yearly_fraction: float

    @property
    def ratio(self) -> float:
        """Its wear over the group's; without end where the group does not wear."""
        return self.yearly_fraction / self.group_yearly_fraction if self.group_yearly_fraction else math.inf


def deviating(drives: Sequence[DriveWear]) -> tuple[Deviation, ...]:
    """Drives that wear faster or slower than their group, by more than three of its standard deviations.

    The spread is taken from the median, which one odd drive does not move. What a rounded percentage can
    explain is no deviation.

    Args:
        drives: Drives of one kind under one load; those without hours or share used are passed over.
    """
    known = [d for d in drives if d.used_fraction.known and d.powered_s.known and d.powered_s.number > 0]
    if len(known) < SMALLEST_GROUP:
        return ()
    used = np.array([d.used_fraction.number for d in known])
    powered = np.array([d.powered_s.number for d in known])
    rate = np.asarray(wear.yearly_used_fraction(used, powered_s=powered))
    rounding = np.asarray(wear.yearly_used_fraction(np.full_like(used, STEP_FRACTION / 2), powered_s=powered))
    centre = float(np.median(rate))
    spread = float(np.median(np.abs(rate - centre)))
    explained = _SIGMAS * _MAD_TO_SIGMA * spread + rounding + float(np.median(rounding))
    odd = np.abs(rate - centre) > explained * (1 + 1e-9)
    return tuple(
        Deviation(drive, float(r), centre) for drive, r, o in zip(known, rate, odd, strict=True) if o
    )
