"""Everything that measurements say of a design, in one value for page, document and command line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from planner.plan import Plan
from planner.review.as_built import AsBuilt, FileState
from planner.telemetry.acceptance import save_effects, short_nodes, verify
from planner.telemetry.feedback import feedback
from planner.telemetry.fleet import drive_states
from planner.telemetry.path_states import path_states
from planner.telemetry.reading import Reading
from planner.telemetry.watching import watch_states


def as_built(
    plan: Plan,
    readings: Mapping[str, Reading],
    *,
    measured_on: date,
    days: Mapping[str, date] | None = None,
    turns: Mapping[str, int] | None = None,
) -> AsBuilt:
    """Hold what was measured against a design, and say what follows.

    Args:
        plan: The design.
        readings: What was read, by the name of the file as it was given.
        measured_on: Day on which the counters were read; drives are due so long after it.
        days: The same by name of file, for those that were read on another day.
        turns: Number of the set that each file is of: what a later set measured again takes the place of what was
            measured before. All of one set if not given.
    """
    turns = turns or {}
    accepted = verify(plan, readings, turns=turns)
    drives = drive_states(plan, readings, accepted.nodes, measured_on=measured_on, days=days or {})
    paths = path_states(plan, readings, accepted.nodes, turns=turns)
    lost = plan.main.degraded.get("one path lost")
    return AsBuilt(
        measured_on=measured_on,
        files=tuple(
            FileState(name, accepted.nodes[name], reading.kind, len(reading.records), reading.remarks)
            for name, reading in readings.items()
        ),
        outcomes=accepted.outcomes,
        open=accepted.open,
        replaced=accepted.replaced,
        short=short_nodes(plan, accepted),
        saves=save_effects(plan, accepted),
        paths=paths,
        one_path_lost_s=lost.save_s if lost is not None else None,
        designed_save_s=plan.main.save.save_s,
        wear=drives,
        watches=watch_states(plan, readings, accepted.nodes, drives=drives, paths=paths, turns=turns),
        feedback=feedback(plan, accepted, drives),
    )
