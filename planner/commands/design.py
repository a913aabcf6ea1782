"""Commands on one design: templates, its plan, its remarks, and the schema of its inputs."""

from __future__ import annotations

import argparse
import json
from typing import Any

from planner.commands.common import BLOCKED, add_own, catalogue_for, read_scenario, show
from planner.plan import Plan, plan
from planner.scenario_json import scenario_to_json, schema
from planner.summary import headline
from planner.templates import template, templates


def add_commands(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands on one design."""
    command = commands.add_parser("template", help="print a worked design as JSON; without a name, list them")
    command.add_argument("name", nargs="?")
    command.set_defaults(run=_template)
    command = commands.add_parser("plan", help="plan a scenario")
    command.add_argument("file", help="scenario as JSON, - for standard input")
    command.add_argument("--json", action="store_true", help="all figures as one JSON object")
    add_own(command)
    command.set_defaults(run=_plan)
    command = commands.add_parser("check", help="print the findings; exit status 1 if there is a blocker")
    command.add_argument("file")
    add_own(command)
    command.set_defaults(run=_check)
    command = commands.add_parser("schema", help="print the JSON schema of a scenario")
    command.set_defaults(run=_schema)


def _template(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        show(f"{item.id}  {item.name}: {item.purpose}" for item in templates())
    else:
        print(scenario_to_json(template(arguments.name).scenario), end="")
    return 0


def _plan(arguments: argparse.Namespace) -> int:
    result = _planned(arguments)
    if arguments.json:
        # The libraries that write documents are loaded with it, which a plan to read does without.
        from planner.documents import plan_json  # noqa: PLC0415

        show(plan_json(result))
        return 0
    print(headline(result))
    show(f"{item.severity} {item.code}: {item.message} {item.remedy}" for item in result.findings)
    return 0


def _check(arguments: argparse.Namespace) -> int:
    result = _planned(arguments)
    show(f"{item.severity} {item.code}: {item.message}" for item in result.findings)
    return BLOCKED if any(item.severity == "blocker" for item in result.findings) else 0


def _planned(arguments: argparse.Namespace) -> Plan:
    catalogue = catalogue_for(arguments)
    return plan(read_scenario(arguments.file), catalogue)


def _schema(_: argparse.Namespace) -> int:
    print(json.dumps(schema(), indent=2))
    return 0
