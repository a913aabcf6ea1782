"""Commands on one design: templates, its plan, its remarks, its files, and the schema of its inputs."""

from __future__ import annotations

import argparse
import json
from typing import Any

from planner import __version__
from planner.commands.common import (
    BLOCKED,
    add_own,
    catalogue_for,
    date_of,
    read_scenario,
    show,
    write_file,
)
from planner.deploy import Addressing
from planner.deploy import command as deploy
from planner.deploy.handover import handover
from planner.documents import Identity, plan_json
from planner.documents import command as documents
from planner.inputs import scenario_to_json, schema
from planner.plan import Plan, plan
from planner.review import signed_hash
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
    _add_documents(commands)
    command = commands.add_parser(
        "bundle",
        help="write the configuration of switches, hosts, targets, monitoring and acceptance as a ZIP",
    )
    deploy.add_arguments(command)
    command.set_defaults(run=_bundle)
    command = commands.add_parser("schema", help="print the JSON schema of a scenario")
    command.set_defaults(run=_schema)


def _add_documents(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    endings = ", ".join(f"{ending}: {what}" for ending, what in documents.ENDINGS.items())
    for name, told, ends, kind in (
        ("pdf", "write the design document", "file to write", ".pdf"),
        ("xlsx", "write the design's workbook", "file to write", ".xlsx"),
        ("document", "write a file of the design: document, workbook, bill, plan, or all", endings, ""),
    ):
        command = commands.add_parser(name, help=told)
        command.add_argument("file")
        command.add_argument("-o", "--output", required=True, help=ends)
        command.add_argument("--author", default="")
        command.add_argument("--customer", default="", help="for whom it is; printed on the cover")
        command.add_argument(
            "--classification", default="", help="who may read it, like confidential; printed on each page"
        )
        command.add_argument("--date", help="date to print on the cover, 2026-11-29; now if not given")
        add_own(command)
        command.set_defaults(run=_document, kind=kind)


def _template(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        show(f"{item.id}  {item.name}: {item.purpose}" for item in templates())
    else:
        print(scenario_to_json(template(arguments.name).scenario), end="")
    return 0


def _plan(arguments: argparse.Namespace) -> int:
    result = _planned(arguments)
    if arguments.json:
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


def _document(arguments: argparse.Namespace) -> int:
    name = f"design{arguments.kind}" if arguments.kind else arguments.output
    documents.ending_of(name)
    scenario = read_scenario(arguments.file)
    catalogue = catalogue_for(arguments)
    digest = signed_hash(scenario, catalogue, engine_version=__version__)
    planned = plan(scenario, catalogue)
    identity = Identity(
        title=scenario.name,
        revision="unsaved",
        state=documents.DRAFT,
        created=date_of(arguments.date),
        hash_text=digest,
        customer=arguments.customer,
        classification=arguments.classification,
    )
    content = documents.document(
        planned,
        identity,
        name=name,
        author=arguments.author,
        scenario_json=scenario_to_json(scenario),
        handover=lambda: handover(
            planned, Addressing(), mark=identity.mark, revision=identity.revision, hash_text=digest
        ),
    )
    write_file(arguments.output, content)
    return 0


def _bundle(arguments: argparse.Namespace) -> int:
    addressing = deploy.read_addressing(arguments.addressing)
    write_file(arguments.output, deploy.bundle_of(read_scenario(arguments.file), addressing))
    return 0


def _schema(_: argparse.Namespace) -> int:
    print(json.dumps(schema(), indent=2))
    return 0
