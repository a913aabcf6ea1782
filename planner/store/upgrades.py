"""Lifting a scenario that an older planner saved to today's fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from planner.core.errors import PlannerError, shorten

Upgrade: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

SCHEMA_VERSION = 1
"""Version of the scenario's fields that this planner writes."""

UPGRADES: Mapping[int, Upgrade] = {}
"""By version, the pure function that lifts a scenario from it to the next one; 1 is the first version."""


def upgraded_json(
    scenario_json: str,
    *,
    from_version: int,
    to_version: int = SCHEMA_VERSION,
    upgrades: Mapping[int, Upgrade] = UPGRADES,
    what: str = "this scenario",
) -> str:
    """The scenario with the fields of `to_version`; untouched if it has them already.

    Args:
        scenario_json: The scenario as it was saved, a JSON object.
        from_version: Version of its fields.
        to_version: Version wanted.
        upgrades: By version, the function that lifts a scenario from it to the next version. It also
            sets the version that the scenario itself states, if it states one.
        what: What is opened, for the error line.

    Raises:
        PlannerError: The scenario is newer than `to_version`, or a step is missing or fails. It is
            then refused whole: nothing is dropped or guessed.
    """
    if from_version > to_version:
        raise PlannerError(
            f"schema_version: {what} was saved by a newer planner (schema version {from_version}; this one "
            f"reads up to {to_version}); update the planner to open it. It is stored unchanged",
            field="schema_version",
        )
    if from_version == to_version:
        return scenario_json
    scenario = json.loads(scenario_json)
    for version in range(from_version, to_version):
        scenario = _lifted(scenario, version=version, upgrades=upgrades, what=what)
    return json.dumps(scenario, ensure_ascii=False)


def _lifted(
    scenario: dict[str, Any], *, version: int, upgrades: Mapping[int, Upgrade], what: str
) -> dict[str, Any]:
    step = upgrades.get(version)
    if step is None:
        oldest = min(upgrades, default=version + 1)
        raise PlannerError(
            f"schema_version: {what} has schema version {version}, which this planner can no longer read "
            f"(the oldest is {max(oldest, version + 1)}); open and save it with an older planner first. "
            "It is stored unchanged",
            field="schema_version",
        )
    try:
        return step(scenario)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        reason = shorten(f"{type(error).__name__}: {error}")
        raise PlannerError(
            f"schema_version: {what} could not be brought from schema version {version} to {version + 1} "
            f"({reason}); it is stored unchanged",
            field="schema_version",
        ) from error
