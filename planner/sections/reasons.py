"""Why a tier has the size that it has, in one sentence."""

from __future__ import annotations

from planner.core.units import counted, format_number
from planner.sections.tiers import TierPlan

_FEWEST = "minimum"
"""What the plan says where nothing asks for more nodes than the fewest there can be."""


def because(tier: TierPlan) -> str:
    """How many drives or units a tier has and what asks for them: "14 drives because of write bandwidth (13.2); …".

    Demands are in drives or units that are not rounded; the largest decides, and the next says how near it is.
    """
    size = _size(tier)
    terms = sorted(((q.number, name) for name, q in tier.terms.items() if q.known), reverse=True)
    if not terms:
        return f"{size}: {tier.binding}"
    words = [f"{name} ({format_number(number)})" for number, name in terms]
    if tier.binding not in tier.terms:
        following = f", then {words[1]}" if len(words) > 1 else ""
        return f"{size}, stated by the architect; {words[0]} asks for most{following}"
    decides = f"{tier.binding} ({format_number(tier.terms[tier.binding].number)})"
    others = [word for word in words if word != decides]
    told = f"{size} because of {decides}" + (f"; next {others[0]}" if others else "")
    if tier.term_unit == "drives" and tier.unit_binding not in ("", _FEWEST, tier.binding):
        each = counted(tier.drive_count.number / tier.unit_count.number, "drive")
        told += f"; the number of nodes follows from {tier.unit_binding}, with {each} in each"
    return told


def _size(tier: TierPlan) -> str:
    units = tier.unit_count.number
    if tier.term_unit == "drives":
        return f"{counted(tier.drive_count.number, 'drive')} in {counted(units, 'node')}"
    return counted(units, "unit")
