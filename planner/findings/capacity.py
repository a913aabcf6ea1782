"""Remarks on capacity: what must lie on a tier, and what a unit holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding
from planner.core.units import counted, format_value
from planner.findings.rules import RULES_PAGE, TOLERANCE, resize, rule

if TYPE_CHECKING:
    from planner.plan import Plan
    from planner.sections.tiers import TierPlan


@rule
def hot_capacity(plan: Plan) -> Iterator[Finding]:
    """CAP-1: safe capacity below what must lie on the hot tier."""
    hot = plan.hot
    if hot.safe_bytes.number * TOLERANCE < hot.demand.content_bytes.number:
        yield Finding(
            "CAP-1",
            "blocker",
            f"The hot tier may safely hold {hot.safe_bytes} of its {hot.usable_bytes} usable; it must hold "
            f"{hot.demand.content_bytes} (retained checkpoints and the one in flight).",
            f"Provide {hot.needed_bytes} usable, or keep fewer checkpoints.",
            RULES_PAGE + ", 'Retention'",
            "tiers",
            resize(plan, hot),
        )


@rule
def bays(plan: Plan) -> Iterator[Finding]:
    """CAP-3: more drives or capacity than the stated number of units holds."""
    for tier in plan.tiers:
        bay_count, unit_bytes = tier.platform.drives_per_unit_count, tier.platform.usable_bytes_per_unit
        if tier.drive is not None and bay_count is not None:
            drives, room = tier.drive_count, bay_count.number * tier.unit_count.number
            if drives.number > room * TOLERANCE:
                yield _does_not_fit(plan, tier, counted(drives.number, "drive"), counted(room, "bay"))
        elif tier.drive is None and unit_bytes is not None:
            space = unit_bytes.number * tier.unit_count.number
            if tier.usable_bytes.number > space * TOLERANCE:
                yield _does_not_fit(plan, tier, f"{tier.usable_bytes}", format_value(space, "bytes"))


@rule
def cluster_limits(plan: Plan) -> Iterator[Finding]:
    """CAP-4: more units than one cluster of a platform has."""
    for tier in plan.tiers:
        most = tier.platform.max_units_count
        if most is not None and tier.unit_count.number > most.number * TOLERANCE:
            yield Finding(
                "CAP-4",
                "warning",
                f"The {tier.name} takes {counted(tier.unit_count.number, 'unit')} of {tier.platform.name}; one cluster has {most} at most.",
                "Plan several clusters, each with a namespace of its own, or larger units.",
                "catalogue: largest cluster",
                "tiers",
                resize(plan, tier),
            )


def _does_not_fit(plan: Plan, tier: TierPlan, what: str, room: str) -> Finding:
    return Finding(
        "CAP-3",
        "blocker",
        f"{what} {'does' if what.startswith('1 ') else 'do'} not fit into the {room} of {tier.unit_count} × {tier.platform.name}.",
        "Provide more units, or larger ones.",
        "catalogue: what one unit holds",
        "tiers",
        tuple(fix for fix in resize(plan, tier) if fix.path.endswith("unit_count")),
    )


@rule
def bulk_capacity(plan: Plan) -> Iterator[Finding]:
    """CAP-2: a file system or cold tier that is full before the run ends."""
    for tier in plan.tiers[1:]:
        if tier.safe_bytes.number * TOLERANCE < tier.demand.content_bytes.number:
            yield Finding(
                "CAP-2",
                "warning",
                f"The {tier.name} may safely hold {tier.safe_bytes}; at the end of the run {tier.demand.content_bytes} lie there.",
                f"Provide {tier.needed_bytes} usable, or keep less.",
                RULES_PAGE + ", 'Retention'",
                "tiers",
                resize(plan, tier),
            )
