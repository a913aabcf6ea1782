"""Remarks on the endurance of drives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix
from planner.core.units import format_value
from planner.findings.rules import GUIDE_ENDURANCE, note_rule, rule

if TYPE_CHECKING:
    from planner.plan import Plan

CHECKPOINT_DWPD = 3.0


@rule
def daily_writes(plan: Plan) -> Iterator[Finding]:
    """END-1: daily writes above what the rating allows."""
    wear, ratio = plan.endurance, plan.hot.protection_ratio
    if wear.check.verdict == "fail":
        yield Finding(
            "END-1",
            "blocker",
            f"Daily writes of {wear.daily_write_bytes_per_day} exceed the allowance of "
            f"{format_value(plan.hot.working_bytes.number * wear.endurance_dwpd.number / ratio.number, 'bytes/day')} "
            f"({plan.hot.usable_bytes} usable at {wear.endurance_dwpd}). On the drives, {ratio} with protection, "
            f"{wear.drive_write_bytes_per_day} meet {wear.allowance_bytes_per_day} ({plan.hot.working_bytes} raw); "
            f"the rated life is {wear.rated_life_s}.",
            f"Provide at least {wear.needed_usable_bytes} usable ({wear.needed_raw_bytes} raw with {plan.protection.scheme_label}), "
            "a drive with a higher rating, or a longer interval."
            + (" The guide's 5+ TB hold as usable capacity only." if plan.scenario.basis == "guide" else ""),
            GUIDE_ENDURANCE,
            "endurance",
            _endurance_fixes(plan),
        )


def _endurance_fixes(plan: Plan) -> tuple[Fix, ...]:
    """A stated capacity grows to what the writes need; a stated number of drives is given up."""
    hot, needed = plan.scenario.storage.hot, plan.endurance.needed_usable_bytes
    found = []
    if hot.usable_bytes is not None:
        # A millionth more, so that rounding does not leave the pool short.
        found.append(
            Fix("storage.hot.usable_bytes", needed.number * 1.000001, f"make the pool {needed} usable")
        )
    if hot.drive_count is not None:
        found.append(Fix("storage.hot.drive_count", None, "let the planner size the pool"))
    return tuple(found)


@rule
def low_rating(plan: Plan) -> Iterator[Finding]:
    """END-2: a rating below 3 DWPD, on the guide's basis."""
    rating = plan.endurance.endurance_dwpd
    if plan.scenario.basis == "guide" and rating.known and rating.number < CHECKPOINT_DWPD:
        yield Finding(
            "END-2",
            "warning",
            f"The drives of the checkpoint tier are rated {rating}; the guide asks for 3 DWPD or higher.",
            "Choose a write-intensive or mixed-use drive.",
            GUIDE_ENDURANCE,
            "endurance",
        )


@note_rule
def unclear_rating(plan: Plan) -> Iterator[Finding]:
    """END-3: a rating without its basis or its years."""
    wear = plan.endurance
    if not wear.endurance_dwpd.known or not wear.basis or not wear.warranty_s.known:
        yield Finding(
            "END-3",
            "note",
            f"The endurance of {(plan.hot.drive or plan.hot.platform).name} is not known with its basis and years.",
            "Ask the vendor for DWPD, its workload (4K random or large sequential) and the warranty in years.",
            "reliability models, E1",
            "endurance",
        )
