"""Worked designs to start from, each a scenario under `data/templates`."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass

from planner.catalogue import default_folder
from planner.core.errors import PlannerError, nearest, shorten
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict


@dataclass(frozen=True, slots=True)
class Template:
    """A worked design: what it is called, what it is for, and its scenario."""

    id: str
    name: str
    purpose: str
    scenario: Scenario


@functools.lru_cache(maxsize=1)
def templates() -> tuple[Template, ...]:
    """All templates, in the order of their files."""
    found = []
    for path in sorted((default_folder() / "templates").glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        scenario = scenario_from_dict(content["scenario"])
        found.append(Template(path.stem.partition("-")[2], scenario.name, content["purpose"], scenario))
    return tuple(found)


def template(template_id: str) -> Template:
    """The template of that id.

    Raises:
        PlannerError: There is none; the line names the closest.
    """
    for item in templates():
        if item.id == template_id:
            return item
    known = [item.id for item in templates()]
    hint = nearest(template_id, known) or f"; one of {', '.join(known)}"
    raise PlannerError(f"no template “{shorten(template_id)}”{hint}", field="template")
