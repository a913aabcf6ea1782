"""Which input caused which change: one design turned into another, input by input."""

from __future__ import annotations

import functools

from pages._ui import answers, values
from pages._ui.markup import escaped
from planner.inputs import Input, inputs_for
from planner.review import Change, replay
from planner.scenario_json import scenario_from_json

_TOGETHER = "with the next one"
"""What stands for the effect of a change that cannot be computed without the one after it."""


@functools.lru_cache(maxsize=64)
def _changes(old_json: str, new_json: str, catalogue_hash: str) -> tuple[Change, ...]:
    del catalogue_hash  # part of the key
    return replay(scenario_from_json(old_json), scenario_from_json(new_json), answers.catalogue())


def rows(old_json: str, new_json: str) -> list[dict[str, str]]:
    """A line for each input that differs, with what it moved after those above it.

    Raises:
        PlannerError: One of the two cannot be computed.
    """
    changes = _changes(old_json, new_json, answers.catalogue().hash)
    jobs = max(len(scenario_from_json(text).jobs) for text in (old_json, new_json))
    known = {item.path: item for item in inputs_for(jobs)}
    return [_row(change, known) for change in changes]


def _row(change: Change, known: dict[str, Input]) -> dict[str, str]:
    item = known.get(change.path)
    words = functools.partial(values.words, item) if item else str
    moved = "; ".join(f"{name} {effect.text}" for name, effect in change.moved.items())
    findings = [f"+ {key}" for key in change.findings_new] + [f"- {key}" for key in change.findings_gone]
    waits = not change.effects
    return {
        "Input": escaped(item.label if item else change.path),
        "From": escaped(words(change.old)),
        "To": escaped(words(change.new)),
        "Moved": _TOGETHER if waits else escaped(moved or "no key figure"),
        "Findings": escaped(", ".join(findings)),
    }
