"""What the inputs state, and the planner's answer to it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pages._ui import answers, held, values
from pages._ui.session import auto_key, binary, get, inputs, put
from planner.core.errors import PlannerError
from planner.inputs import flatten, nest
from planner.plan import Plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_to_json


@dataclass(frozen=True, slots=True)
class Answer:
    """What the planner says to the inputs.

    Attributes:
        plan: The plan; the last good one if there are errors, None if there never was one.
        errors: Path and line of everything that keeps the inputs from being computed.
    """

    plan: Plan | None
    errors: tuple[tuple[str, str], ...] = ()

    @property
    def scenario_json(self) -> str:
        """The scenario of the plan; empty if there is none."""
        return scenario_to_json(self.plan.scenario) if self.plan else ""


def stated() -> tuple[dict[str, Any], dict[str, str]]:
    """Every value by path, and the line for each text that is no value; such a field keeps its last one."""
    loaded: dict[str, Any] = get("_loaded", {})
    now = held.everything()
    flat: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for item in inputs():
        if item.auto and now[auto_key(item.path)]:
            flat[item.path] = None
            continue
        before = loaded.get(item.path, item.default)
        try:
            flat[item.path] = values.read(item, now[item.path], before)
            held.settle(item.path, values.settled(item, now[item.path], flat[item.path]))
        except PlannerError as error:
            flat[item.path] = before
            errors[item.path] = error.message
    return flat, errors


def answer(*, afresh: bool = False) -> Answer:
    """The plan of the inputs as they stand, or the last good one with what is wrong.

    Args:
        afresh: Read the inputs again, as a callback has to: it runs before `begin` does.
    """
    if afresh:
        held.take_in()
        put("_answered", None)
        put("_stated", stated())
    if get("_answered") is None:
        put("_answered", _answered(*get("_stated")))
    text, errors = get("_answered")
    return Answer(answers.plan_of(text, binary=binary()) if text else None, errors)


def _answered(flat: dict[str, Any], lines: dict[str, str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The scenario whose plan is the answer, and what keeps it from being the answer to the inputs."""
    errors = list(lines.items())
    if not errors:
        try:
            text = json.dumps(nest(flat))
            answers.plan_of(text, binary=binary())
            put("_good", text)
            return text, ()
        except PlannerError as error:
            errors = values.error_lines(error, held.everything())
    return _last_good(), tuple(errors)


def _last_good() -> str:
    """The last inputs that had a plan; empty if there are none, or a row they name is no longer there."""
    good = str(get("_good", ""))
    try:
        if good:
            answers.plan_of(good)
    except PlannerError:
        put("_good", "")
        return ""
    return good


def set_value(path: str, value: values.Value) -> None:
    """Set one input, as the remedy of a finding does; None is AUTO."""
    for item in inputs():
        if item.path == path:
            held.put(path, values.shown(item, item.default if value is None and not item.auto else value))
            if item.auto:
                held.put(auto_key(path), value is None)


def take(scenario: Scenario) -> None:
    """Put other values into the inputs of what is open, as if they had been typed."""
    flat = flatten(scenario)
    put("_jobs", len(scenario.jobs))
    held.fill(shown(flat))
    put("_loaded", dict(flat))


def shown(flat: dict[str, Any]) -> dict[str, values.Raw]:
    """What the widgets hold for values by path."""
    raw: dict[str, values.Raw] = {}
    for item in inputs():
        if item.path in flat:
            raw[item.path] = values.shown(item, flat[item.path])
            if item.auto:
                raw[auto_key(item.path)] = flat[item.path] is None
    return raw
