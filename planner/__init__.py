"""Planner of NVMe-oF storage for AI training clusters.

>>> from planner import Scenario, load_catalogue, plan
>>> result = plan(Scenario(), load_catalogue())
>>> result.hot.name
'NVMe-oF hot tier'
"""

from planner.catalogue import Catalogue, load_catalogue
from planner.core.errors import PlannerError
from planner.explore import FlipPoint, flip_points, sweep, sweep_rows
from planner.plan import Plan, calculate, plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict, scenario_from_json, scenario_to_json
from planner.summary import headline, key_figures

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
