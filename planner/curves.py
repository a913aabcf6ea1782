"""Curves that the screen and the document draw alike: goodput over the interval, bytes written over the years."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.core.units import DAY_S, YEAR_S
from planner.plan import JobResult, Plan
from planner.sizing import cadence

Line = NDArray[np.float64]
SPAN = 20.0
"""A curve goes from a twentieth of the design's own value to twenty times it."""
LEAST_WORK_RATIO = 1.02
"""A curve begins where the interval is this many times the stall: below it hardly any time is left to train."""
SHOWN_WASTE = 4.0
"""An axis of goodput shows this many times the waste of the worse point: the differences are what is asked."""
MOST_YEARS = 12.0
"""The years of use end here if neither warranty nor life end before."""


def goodput_known(main: JobResult) -> bool:
    """Whether goodput can be drawn over the interval: the save, the design's goodput and the best one are known."""
    good = main.goodput
    return all(item.known for item in (main.save.save_s, good.goodput_fraction, good.best_goodput_fraction))


def best_interval_s(main: JobResult) -> float:
    """The best interval from start to start; with two levels the best one is that already."""
    work = main.goodput.best_work_s.number
    return work if main.goodput.levels else work + main.goodput.stall_s.number


def intervals_s(main: JobResult, count: int) -> Line:
    """So many intervals around the design's own and the best one, at equal ratios."""
    ends = main.job.checkpoint.interval_s.number, best_interval_s(main)
    return np.geomspace(min(ends) / SPAN, max(ends) * SPAN, count)


def goodput_over(main: JobResult, intervals: Line) -> dict[str, tuple[Line, Line]]:
    """Goodput over the interval if saves are synchronous and if they are not.

    Args:
        main: A job whose save is known.
        intervals: From the start of one save to that of the next, in seconds.

    Returns:
        By mode, the intervals that it can keep and the goodput at each, as a fraction.
    """
    good, save = main.goodput, main.save.save_s.number
    found = {}
    for mode, stall, drain in (
        ("synchronous", save, 0.0),
        ("asynchronous", main.job.policy.async_stall_s, save),
    ):
        kept = intervals[intervals >= max(stall * LEAST_WORK_RATIO, drain)]
        values: Line = np.asarray(
            cadence.goodput_fraction(
                kept - stall,
                stall_s=stall,
                interruption_s=good.interruption_s.number,
                restart_s=good.restart_s.number,
                drain_s=drain,
            )
        )
        found[mode] = kept, values
    return found


def goodput_floor_fraction(main: JobResult) -> float:
    """Where an axis of goodput begins: above 0 unless so much is lost that all of it is needed."""
    worse = min(main.goodput.goodput_fraction.number, main.goodput.best_goodput_fraction.number)
    return max(0.0, 1.0 - SHOWN_WASTE * (1.0 - worse))


@dataclass(frozen=True, slots=True)
class WrittenYears:
    """Bytes written to the drives over the years, against what their rating allows.

    Attributes:
        year_bytes: Written in one year.
        rating_bytes: May be written in all, by the rating over its warranty.
        warranty_years: Length of the warranty.
        life_years: Years until the rating is used up.
        shown_years: Years that are drawn.
    """

    year_bytes: float
    rating_bytes: float
    warranty_years: float
    life_years: float
    shown_years: float

    @property
    def top_bytes(self) -> float:
        """The larger of what is written by the end, and the rating."""
        return max(self.year_bytes * self.shown_years, self.rating_bytes)

    @property
    def wears_early(self) -> bool:
        """Whether the line of the bytes written climbs through the rating in the left half of the picture."""
        return self.life_years < 0.45 * self.shown_years

    @property
    def marks(self) -> list[int]:
        """Whole years for the axis, about six of them."""
        return list(range(0, int(self.shown_years) + 1, max(1, round(self.shown_years / 6))))


def written_years(plan: Plan) -> WrittenYears | None:
    """Bytes written to the drives over the years; None if writes, rating, warranty or life are unknown."""
    wear = plan.endurance
    allowed = wear.allowance_bytes_per_day
    needed = (wear.drive_write_bytes_per_day, allowed, wear.warranty_s, wear.rated_life_s)
    if not all(item.known for item in needed):
        return None
    warranty, life = wear.warranty_s.number / YEAR_S, wear.rated_life_s.number / YEAR_S
    return WrittenYears(
        year_bytes=wear.drive_write_bytes_per_day.number * YEAR_S / DAY_S,
        rating_bytes=allowed.number * wear.warranty_s.number / DAY_S,
        warranty_years=warranty,
        life_years=life,
        shown_years=max(1.3 * warranty, min(1.25 * life, MOST_YEARS)),
    )
