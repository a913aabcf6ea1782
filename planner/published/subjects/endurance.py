"""Ratings of drives, daily writes, and how long a pool lasts by its rating."""

from __future__ import annotations

from planner.core.units import DAY_S, Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.published.subjects.sizes import size_of
from planner.sizing import checkpoint, endurance, tier_capacity


@by(endurance.rated_write_bytes)
def rated_writes(case: Case) -> Result:
    """Bytes that a drive may take in its warranty."""
    return endurance.rated_write_bytes(
        case.read("capacity", "bytes"),
        endurance_dwpd=case.read("endurance", "DWPD"),
        warranty_s=case.read("warranty", "s"),
    )


@by(endurance.dwpd_of_rating)
def rating(case: Case) -> Result:
    """Drive writes a day of a rating in bytes."""
    return endurance.dwpd_of_rating(
        case.read("rated writes", "bytes"),
        capacity_bytes=case.read("capacity", "bytes"),
        warranty_s=case.read("warranty", "s"),
    )


@by(endurance.daily_write_bytes_per_day)
def daily_writes(case: Case) -> Result:
    """Writes of a day from size and interval."""
    return endurance.daily_write_bytes_per_day(
        case.read("checkpoint", "bytes"), interval_s=case.read("interval", "s")
    )


@by(endurance.daily_write_bytes_per_day, checkpoint.size_bytes)
def daily_writes_of_model(case: Case) -> Result:
    """Writes of a day from parameters and saves."""
    return endurance.daily_write_bytes_per_day(size_of(case), interval_s=DAY_S / case.read("saves of a day"))


@by(endurance.yearly_write_bytes_per_year, endurance.daily_write_bytes_per_day)
def yearly_writes(case: Case) -> Result:
    """Writes of a year from size and saves of a day."""
    daily = endurance.daily_write_bytes_per_day(
        case.read("checkpoint", "bytes"), interval_s=DAY_S / case.read("saves of a day")
    )
    return endurance.yearly_write_bytes_per_year(daily)


@by(endurance.daily_allowance_bytes_per_day)
def daily_allowance(case: Case) -> Result:
    """Writes of a day that a rating allows."""
    return endurance.daily_allowance_bytes_per_day(
        case.read("raw", "bytes"), endurance_dwpd=case.read("endurance", "DWPD")
    )


@by(endurance.write_load_ratio)
def write_load(case: Case) -> Result:
    """Writes over what the rating allows."""
    return endurance.write_load_ratio(
        case.read("writes", "bytes/day"),
        protection_ratio=case.read("protection", "1"),
        raw_bytes=case.read("raw", "bytes"),
        endurance_dwpd=case.read("endurance", "DWPD"),
    )


@by(endurance.raw_for_endurance_bytes)
def raw_for_endurance(case: Case) -> Result:
    """Raw capacity that may take the writes."""
    return endurance.raw_for_endurance_bytes(
        case.read("writes", "bytes/day"),
        protection_ratio=case.read("protection", "1"),
        endurance_dwpd=case.read("endurance", "DWPD"),
    )


def life_of(case: Case, *, protection_ratio: Number) -> Number:
    """Rated life of the raw capacity of a case."""
    return endurance.rated_life_s(
        case.read("raw", "bytes"),
        daily_write_bytes_per_day=case.read("writes", "bytes/day"),
        protection_ratio=protection_ratio,
        endurance_dwpd=case.read("endurance", "DWPD"),
        warranty_s=case.read("warranty", "s"),
    )


@by(endurance.rated_life_s)
def rated_life(case: Case) -> Result:
    """Life by the rating, with a stated overhead of protection."""
    return life_of(case, protection_ratio=case.read("protection", "1"))


@by(endurance.rated_life_s, tier_capacity.protection_ratio)
def rated_life_with_parity(case: Case) -> Result:
    """Life by the rating of a raw capacity that takes the parity too."""
    ratio = tier_capacity.protection_ratio(case.read("data"), parity_count=case.read("parity"))
    return life_of(case, protection_ratio=ratio)


@by(endurance.usable_for_endurance_bytes)
def usable_for_endurance(case: Case) -> Result:
    """Usable capacity that may take the writes; parity cancels."""
    return endurance.usable_for_endurance_bytes(
        case.read("writes", "bytes/day"), endurance_dwpd=case.read("endurance", "DWPD")
    )
