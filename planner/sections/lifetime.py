"""How long the hot tier's drives serve: the law of the duty, two lives, and what a longer life takes."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from planner.core.quantity import Quantity, derive, given
from planner.core.units import DAY_S, YEAR_S
from planner.sections.context import Context, or_unknown
from planner.sections.jobs import JobPlan
from planner.sections.protection import LONGEST_LIFE_S, EndurancePlan
from planner.sections.tiers import TierPlan
from planner.sizing import endurance, service, tier_rates

LAST_YEAR = 9000
"""No date is named beyond it."""


@dataclass(frozen=True, slots=True)
class LifetimePlan:
    """The drives' life against what is wanted.

    Attributes:
        target_s: Save target of the job with the largest checkpoint.
        duty_dwpd: Drive writes a day of a pool just large enough for the save target.
        longest_save_s: Save target up to which such a pool lasts its warranty, by the rating without a margin.
        wanted_s: Time that the drives have to last: the term.
        replace_after_s: When they are replaced: rating or flash used up, or too old.
        needed_count: Drives with which the rating lasts as long as wanted.
        added_count: How many more those are.
    """

    target_s: Quantity
    duty_dwpd: Quantity
    longest_save_s: Quantity
    wanted_s: Quantity
    replace_after_s: Quantity
    needed_count: Quantity
    added_count: Quantity

    @property
    def bandwidth_covers(self) -> bool:
        """Whether a pool that is sized by write bandwidth alone lasts its warranty too."""
        return self.target_s.number <= self.longest_save_s.number


def lifetime_plan(context: Context, hot: TierPlan, job: JobPlan, wear: EndurancePlan) -> LifetimePlan | None:
    """Lives of the hot tier's drives; None where the platform does not say which drives it has.

    Args:
        context: Scenario and catalogue.
        hot: The hot tier.
        job: The job with the largest checkpoint.
        wear: Writes against the rating.
    """
    drive = hot.drive
    if drive is None:
        return None
    # A pool that is just fast enough is bought for what clients reach of it: so much is written to each drive.
    rate = derive(
        tier_rates.flash_bytes_per_s,
        drive_count=1.0,
        drive_bytes_per_s=or_unknown(drive.write_bytes_per_s, "bytes/s", "Sequential write of a drive"),
        protection_ratio=1.0,
        stack_fraction=hot.stack_fraction,
        label="Writes of a drive during a save",
    )
    duty = derive(
        endurance.duty_dwpd,
        target_s=job.checkpoint.target_s,
        interval_s=job.checkpoint.interval_s,
        drive_write_bytes_per_s=rate,
        drive_capacity_bytes=hot.drive_bytes,
    )
    longest = derive(
        endurance.longest_save_s,
        endurance_dwpd=wear.endurance_dwpd,
        interval_s=job.checkpoint.interval_s,
        drive_write_bytes_per_s=rate,
        drive_capacity_bytes=hot.drive_bytes,
    )
    wanted = given(
        context.scenario.prices.term_years * YEAR_S, "s", "Term", source="prices.term_years", grade="input"
    )
    needed = derive(
        service.drives_for_life_count,
        drive_count=hot.working_count,
        wanted_s=wanted,
        rated_life_s=wear.rated_life_s,
    )
    return LifetimePlan(
        target_s=job.checkpoint.target_s,
        duty_dwpd=duty,
        longest_save_s=longest,
        wanted_s=wanted,
        replace_after_s=derive(
            service.replace_after_s,
            rated_life_s=wear.rated_life_s,
            wear_life_s=wear.wear_life_s,
            cap_s=LONGEST_LIFE_S,
        ),
        needed_count=needed,
        added_count=derive(service.added_drives_count, needed_count=needed, drive_count=hot.working_count),
    )


def date_after(start: date, span: Quantity) -> date | None:
    """The day on which a time has passed since another day; None where it is unknown or never comes.

    Whole years go by the calendar, what is left of a year by its days.

    Args:
        start: First day of operation.
        span: The time.
    """
    years = span.number / YEAR_S
    if not start.year + years < LAST_YEAR:
        return None
    whole = int(years)
    same = date(
        start.year + whole, start.month, min(start.day, monthrange(start.year + whole, start.month)[1])
    )
    return same + timedelta(days=int((years - whole) * YEAR_S / DAY_S))
