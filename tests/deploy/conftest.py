"""Designs whose bundles are looked at, made once."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from planner.catalogue import load_catalogue
from planner.core.errors import PlannerError
from planner.deploy.addressing import Addressing
from planner.deploy.bundle import Contents, contents
from planner.plan import Plan, plan
from planner.scenario_json import scenario_from_dict, scenario_to_json
from planner.templates import template
from tests.plan.changes import shipped


@cache
def made(name: str) -> Contents:
    """The bundle of a worked design with the default addresses."""
    return contents(shipped(name), Addressing())


def changed(design: str, /, **changes: Any) -> Plan:
    """A worked design with some inputs changed, by path with two underscores between the parts."""
    data = json.loads(scenario_to_json(template(design).scenario))
    for path, value in changes.items():
        *parts, last = path.split("__")
        node = data
        for part in parts:
            node = node.setdefault(part, {})
        node[last] = value
    return plan(scenario_from_dict(data), load_catalogue())


def tried(function: Callable[..., Any], *arguments: Any) -> tuple[Any, str]:
    """What a call gives, or the one line with which it is refused; every other exception is a defect."""
    try:
        return function(*arguments), ""
    except PlannerError as error:
        return None, error.message


@pytest.fixture(scope="session")
def lab() -> Contents:
    """8 nodes, TCP, one leaf pair."""
    return made("lab-8-nodes")


@pytest.fixture(scope="session")
def vision() -> Contents:
    """128 nodes, RoCE, leaf and spine."""
    return made("vision-1024")


@pytest.fixture(scope="session")
def roce_lab() -> Contents:
    """8 nodes, RoCE, one leaf pair."""
    return contents(changed("lab-8-nodes", network__transport="rdma"), Addressing())


@pytest.fixture(scope="session")
def fc_lab() -> Contents:
    """8 nodes, Fibre Channel, a switch on each fabric."""
    return contents(
        changed("lab-8-nodes", network__transport="fc", network__fc_switch_id="g720"), Addressing()
    )


@pytest.fixture(scope="session")
def design() -> Callable[[str], Contents]:
    """Any worked design by its id."""
    return made
