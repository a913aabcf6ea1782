"""Which input caused which change: one design turned into another, input by input."""

from __future__ import annotations

import functools

from pages._ui import answers, values
from pages._ui.fields import told_apart
from pages._ui.markup import bold, escaped
from planner.inputs import Input, inputs_for
from planner.review import Change, replay
from planner.scenario_json import scenario_from_json

_TOGETHER = "with the next one"
"""What stands for the effect of a change that cannot be computed without the one after it."""


@functools.lru_cache(maxsize=64)
def _changes(old_json: str, new_json: str, catalogue_hash: str) -> tuple[Change, ...]:
    del catalogue_hash  # part of the key
    return replay(scenario_from_json(old_json), scenario_from_json(new_json), answers.catalogue())


def lines(old_json: str, new_json: str) -> list[str]:
    """A line for each input that moved something, after those above it, and one for all that moved nothing.

    Raises:
        PlannerError: One of the two cannot be computed.
    """
    changes = _changes(old_json, new_json, answers.catalogue().hash)
    jobs = max(len(scenario_from_json(text).jobs) for text in (old_json, new_json))
    known = {item.path: item for item in inputs_for(jobs)}
    items = [known[change.path] for change in changes if change.path in known]
    names = dict(zip((item.path for item in items), told_apart(items), strict=True))
    idle = ", ".join(names.get(change.path, change.path) for change in changes if not _told(change))
    found = [
        f"{bold(names.get(change.path, change.path))} {escaped(_step(change, known.get(change.path)))}"
        for change in changes
        if _told(change)
    ]
    return [*found, f"Nothing is moved by {escaped(idle)}."] if idle else found


def _step(change: Change, item: Input | None) -> str:
    words = functools.partial(values.words, item) if item else str
    return f"{words(change.old)} → {words(change.new)}: {_told(change)}"


def _told(change: Change) -> str:
    """What a change moved; empty if neither a key figure nor a finding."""
    if not change.effects:
        return _TOGETHER
    moved = [f"{name} {effect.text}" for name, effect in change.moved.items()]
    moved += [f"new finding {key}" for key in change.findings_new]
    return "; ".join([*moved, *(f"finding gone {key}" for key in change.findings_gone)])
