"""Paths of each machine to each subsystem beside the designed ones, and what a lost one costs."""

from __future__ import annotations

from collections.abc import Mapping

from planner.core.quantity import Quantity, derive, given
from planner.plan import Plan
from planner.review.as_built import PathState
from planner.sizing import burst, delivery
from planner.telemetry.newest import newest
from planner.telemetry.paths import LOCAL
from planner.telemetry.reading import Reading
from planner.telemetry.records import Record

_KINDS = {"paths": "Paths listed", "paths_live": "Paths live", "paths_usable": "Paths usable"}


def path_states(
    plan: Plan,
    readings: Mapping[str, Reading],
    nodes: Mapping[str, str],
    *,
    turns: Mapping[str, int] | None = None,
) -> tuple[PathState, ...]:
    """The paths of each machine, those with most lost first; its own drives are left out.

    Args:
        plan: The design.
        readings: What was read, by the name of the file.
        nodes: Machine by name of file.
        turns: Number of the set that each file is of: paths that were listed again later count as listed last.
    """
    sets = turns or {}
    found: list[PathState] = []
    for name, reading in readings.items():
        groups: dict[tuple[str, str, int], dict[str, Record]] = {}
        for record in reading.records:
            if record.quantity in _KINDS and LOCAL not in record.detail:
                key = (record.subject, record.host, record.run)
                groups.setdefault(key, {})[record.quantity] = record
        found += [
            _state(plan, nodes[name], subsystem, own, name)
            for (subsystem, _, _), own in groups.items()
            if len(own) == len(_KINDS)
        ]
    found, _ = newest(
        found,
        of=lambda state: (state.node, state.subsystem),
        turn=lambda state: sets.get(state.source, 0),
    )
    return tuple(sorted(found, key=lambda state: (-state.lost_count, state.node, state.subsystem)))


def _state(plan: Plan, node: str, subsystem: str, own: Mapping[str, Record], name: str) -> PathState:
    listed, live, usable = (
        given(own[kind].value, "count", label, source=name, grade="seen") for kind, label in _KINDS.items()
    )
    return PathState(
        node=node,
        subsystem=subsystem,
        designed=plan.network.path_count,
        listed=listed,
        live=live,
        usable=usable,
        save_s=_save(plan, plan.network.path_count.number - usable.number),
        source=name,
    )


def _save(plan: Plan, lost_count: float) -> Quantity | None:
    """Save time of the main job with a node that has lost so many paths; None where it has none left."""
    if not 0 < lost_count < plan.network.path_count.number:
        return None
    rate = derive(
        burst.path_loss_bytes_per_s,
        node_bytes_per_s=plan.network.node_bytes_per_s,
        path_count=plan.network.path_count,
        lost_count=lost_count,
    )
    return derive(
        delivery.measured_save_s,
        shard_bytes=plan.main.job.checkpoint.shard_bytes,
        measured_bytes_per_s=rate,
        designed_s=plan.main.save.save_s,
        label="Save with the paths that are left",
    )
