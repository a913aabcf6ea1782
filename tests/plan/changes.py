"""Plans of worked designs with inputs changed."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from planner.catalogue import load_catalogue
from planner.core.checks import Finding
from planner.inputs import flatten, nest
from planner.plan import Plan, plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict
from planner.templates import template

EVIDENCE = "guide-256-evidence"
GUIDE = "guide-256-guide"
UNLIKE = (EVIDENCE, GUIDE, "lab-8-nodes", "vision-1024", "frontier-16384", "two-jobs")
"""The worked designs that differ in more than the model."""


def changed(name: str, changes: Mapping[str, Any]) -> Scenario:
    """A template's scenario with values at some paths replaced."""
    return scenario_from_dict(nest({**flatten(template(name).scenario), **changes}))


@functools.cache
def shipped(name: str) -> Plan:
    """Plan of a template as it is, made once: what it makes when it is first asked for is kept as well."""
    return plan(template(name).scenario, load_catalogue())


def planned(name: str, changes: Mapping[str, Any]) -> Plan:
    """Plan of a template with values at some paths replaced."""
    return plan(changed(name, changes), load_catalogue())


def on_evidence(changes: Mapping[str, Any]) -> Plan:
    """Plan of the design that a new one starts from, with values at some paths replaced."""
    return planned(EVIDENCE, changes)


def codes(result: Plan) -> set[str]:
    """Codes of everything that the review says."""
    return {finding.code for finding in result.findings}


def with_code(result: Plan, code: str) -> list[Finding]:
    """Findings of that code."""
    return [finding for finding in result.findings if finding.code == code]


def plain(text: str) -> str:
    """A text with ordinary spaces."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")
