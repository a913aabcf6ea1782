"""Mine, theirs and what both started from: who changed which input."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from planner.inputs import flatten, nest
from planner.review.changes import ABSENT
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict

Side = Literal["mine", "theirs", "same", "both"]


@dataclass(frozen=True, slots=True)
class Parting:
    """One input that one of two people changed.

    Attributes:
        path: Path of the input.
        base: What both started from.
        mine: What one has now.
        theirs: What the other has saved.
        side: Who changed it: "mine", "theirs", both to the "same" value, or "both" to different ones.
    """

    path: str
    base: Any
    mine: Any
    theirs: Any
    side: Side


def partings(base: Scenario, mine: Scenario, theirs: Scenario) -> tuple[Parting, ...]:
    """Every input that at least one of the two changed, in the order of the scenario."""
    flat_base, flat_mine, flat_theirs = flatten(base), flatten(mine), flatten(theirs)
    found = []
    for path in {**flat_base, **flat_mine, **flat_theirs}:
        was, own, other = (flat.get(path, ABSENT) for flat in (flat_base, flat_mine, flat_theirs))
        if not was == own == other:
            found.append(Parting(path, was, own, other, _side(was, own, other)))
    return tuple(found)


def _side(base: object, mine: object, theirs: object) -> Side:
    if mine == theirs:
        return "same"
    if theirs == base:
        return "mine"
    return "theirs" if mine == base else "both"


def merged(
    base: Scenario, mine: Scenario, theirs: Scenario, *, keep_theirs: Collection[str] = ()
) -> Scenario:
    """Their scenario with what only I changed on top; where both changed an input, mine counts.

    Args:
        base: What both started from.
        mine: What one has now.
        theirs: What the other has saved.
        keep_theirs: Paths of inputs that both changed and where theirs counts.

    Raises:
        PlannerError: The two sets of changes do not go together.
    """
    flat = flatten(theirs)
    for parting in partings(base, mine, theirs):
        if parting.side not in ("mine", "both") or (parting.side == "both" and parting.path in keep_theirs):
            continue
        if parting.mine is ABSENT:
            flat.pop(parting.path, None)
        else:
            flat[parting.path] = parting.mine
    return scenario_from_dict(nest(flat))
