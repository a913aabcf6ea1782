"""The states of a revision's review, and what leads from one to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from planner.core.errors import PlannerError, nearest, shorten
from planner.review.roles import Role, allows

State = Literal["draft", "in review", "changes requested", "approved", "superseded"]
STATES: tuple[State, ...] = ("draft", "in review", "changes requested", "approved", "superseded")
ActionName = Literal["submit", "withdraw", "request changes", "approve", "supersede"]


@dataclass(frozen=True, slots=True)
class Action:
    """One step of a review.

    Attributes:
        name: What it is called.
        sources: States in which it can be done.
        target: State that it leads to.
        role: The least role that may do it.
        needs_note: Whether a reason has to be given.
    """

    name: ActionName
    sources: tuple[State, ...]
    target: State
    role: Role
    needs_note: bool = False


ACTIONS: dict[ActionName, Action] = {
    action.name: action
    for action in (
        Action("submit", ("draft", "changes requested"), "in review", "editor"),
        Action("withdraw", ("in review",), "draft", "editor"),
        Action("request changes", ("in review",), "changes requested", "approver", needs_note=True),
        Action("approve", ("in review",), "approved", "approver"),
        # A later approval does this by itself; by hand it takes back an approval that was wrong.
        Action("supersede", ("approved",), "superseded", "approver", needs_note=True),
    )
}
"""Every step; what is superseded stays so."""


def action_of(name: str) -> Action:
    """The step of that name.

    Raises:
        PlannerError: There is none.
    """
    for action in ACTIONS.values():
        if action.name == name:
            return action
    raise PlannerError(
        f"action: “{shorten(name)}” is not one of {', '.join(ACTIONS)}{nearest(name, ACTIONS)}",
        field="action",
    )


def after(state: str, name: str) -> State:
    """The state that a step leads to.

    Raises:
        PlannerError: There is no such step, or it does not start from that state.
    """
    action = action_of(name)
    if state not in action.sources:
        others = [other.name for other in ACTIONS.values() if state in other.sources]
        able = f"it can be: {', '.join(others)}" if others else "nothing leads on from there"
        raise PlannerError(
            f"action: a revision that is {shorten(state)} cannot be “{action.name}”, which starts from "
            f"{' or '.join(action.sources)}; {able}",
            field="action",
        )
    return action.target


def possible(state: str, role: Role) -> tuple[ActionName, ...]:
    """The steps that someone with that role can take from a state."""
    return tuple(a.name for a in ACTIONS.values() if state in a.sources and allows(role, a.role))
