"""Planner of NVMe-oF storage for AI training clusters.

>>> from planner import Scenario, load_catalogue, plan
>>> result = plan(Scenario(), load_catalogue())
>>> result.hot.name
'NVMe-oF hot tier'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from planner.catalogue import Catalogue, load_catalogue
from planner.core.errors import PlannerError
from planner.plan import Plan, calculate, plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict, scenario_from_json, scenario_to_json
from planner.summary import headline, key_figures

if TYPE_CHECKING:
    from planner.explore import FlipPoint, flip_points, sweep, sweep_rows

__version__ = "0.1.0"

__all__ = [
    "Catalogue",
    "FlipPoint",
    "Plan",
    "PlannerError",
    "Scenario",
    "__version__",
    "calculate",
    "flip_points",
    "headline",
    "key_figures",
    "load_catalogue",
    "plan",
    "scenario_from_dict",
    "scenario_from_json",
    "scenario_to_json",
    "sweep",
    "sweep_rows",
]

_EXPLORING = ("FlipPoint", "flip_points", "sweep", "sweep_rows")


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever has that name
    """What takes many plans is loaded when it is first asked for: a single plan does without it."""
    if name in _EXPLORING:
        return getattr(importlib.import_module("planner.explore"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
