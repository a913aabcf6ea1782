"""What the choices of the Compare screen start with."""

from __future__ import annotations

from pages._ui import session
from planner.store import DesignSummary

HERE = 0
"""Stands for the design on the Plan screen where a design's number is asked for."""
LEAST, MOST = 2, 4
"""How many designs stand side by side."""


def proposed(slot: int, designs: dict[int, DesignSummary]) -> tuple[int, int]:
    """What a choice starts with, design and revision: before on the left, after on the right.

    That is the open revision and what was changed of it on the Plan screen; else the two designs saved last, or the
    last two revisions of the only one; else the only one and what is on the Plan screen.
    """
    newest = [(row.id, row.latest_revision) for row in designs.values()]
    opened, here = session.link(), (HERE, 0)
    if opened.design in designs and session.changed():
        first = [(opened.design or HERE, opened.revision or 0), here]
    elif len(newest) >= LEAST:
        first = newest[1::-1]
    elif opened.design in designs and newest[0][1] > 1:
        first = [(newest[0][0], newest[0][1] - 1), newest[0]]
    else:
        first = [*newest, here][:LEAST]
    others = [one for one in newest if one not in first]
    return ([*first, *others] + [here] * MOST)[slot]
