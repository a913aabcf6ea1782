"""Commands that write the files of a design: document, workbook, bill, and the bundle of configuration."""

from __future__ import annotations

import argparse
from typing import Any

from planner import __version__
from planner.commands.common import GROWING, add_own, catalogue_for, date_of, read_scenario, show, write_file
from planner.core.errors import PlannerError, shorten
from planner.core.units import parse_count
from planner.deploy import command as deploy
from planner.deploy.address_plan import address_plan
from planner.deploy.handover import handover
from planner.documents import Beside, Identity
from planner.documents import command as documents
from planner.documents.why import why_lines
from planner.explore.growth import MOST_YEARS, Demand, growth
from planner.explore.growth_command import ratio_of
from planner.plan import plan
from planner.review import signed_hash
from planner.scenario_json import scenario_to_json

MOST_DEPTH = 20
"""Steps back that a figure can be opened: more than any formula has."""


def add_commands(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands that write files."""
    _add_documents(commands)
    _add_why(commands)
    command = commands.add_parser(
        "bundle",
        help="write the configuration of switches, hosts, targets, monitoring and acceptance as a ZIP",
    )
    deploy.add_arguments(command)
    add_own(command)
    command.set_defaults(run=_bundle)


def _add_why(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    command = commands.add_parser(
        "why", help="open a figure of the plan to its formula, its inputs and their sources"
    )
    command.add_argument("file")
    command.add_argument("words", nargs="*", help="words of the figure's name; none names all figures")
    command.add_argument("--depth", default="1", help="steps back that are opened as well; 1 if not given")
    add_own(command)
    command.set_defaults(run=_why)


def _why(arguments: argparse.Namespace) -> int:
    depth = parse_count(arguments.depth, field="--depth", low=0, high=MOST_DEPTH)
    result = plan(read_scenario(arguments.file), catalogue_for(arguments))
    show(why_lines(result, " ".join(arguments.words), depth=depth))
    return 0


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
        command.add_argument(
            "--growth",
            metavar="YEARS,GPUS,PARAMETERS,DATASET",
            default="",
            help="with years of growth, each rate as 30 %% or 1.3: 5,25%%,40%%,30%%",
        )
        command.add_argument("--date", help="date to print on the cover, 2026-11-29; now if not given")
        deploy.add_addressing(command)
        add_own(command)
        command.set_defaults(run=_document, kind=kind)


def _document(arguments: argparse.Namespace) -> int:
    name = f"design{arguments.kind}" if arguments.kind else arguments.output
    documents.ending_of(name)
    scenario = read_scenario(arguments.file)
    catalogue = catalogue_for(arguments)
    digest = signed_hash(scenario, catalogue, engine_version=__version__)
    addressing = deploy.read_addressing(arguments.addressing)
    planned = plan(scenario, catalogue)
    demand = _demand(arguments.growth)
    grown = growth(scenario, demand, catalogue=catalogue) if demand else None
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
            planned, addressing, mark=identity.mark, revision=identity.revision, hash_text=digest
        ),
        beside=Beside(**address_plan(planned, addressing), grown=grown),
    )
    write_file(arguments.output, content)
    return 0


def _demand(words: str) -> Demand | None:
    """Years and rates of growth as they were written; None where none were.

    Raises:
        PlannerError: They are no four figures, or one is refused.
    """
    if not words.strip():
        return None
    years, *rates = [part.strip() for part in words.split(",")]
    if len(rates) != len(GROWING):
        raise PlannerError(
            f"--growth: {shorten(words)} has {1 + len(rates)} parts; use 4: years, and the growth of GPUs, parameters and "
            "dataset, such as 5,25%,40%,30%",
            field="growth",
        )
    ratios = (ratio_of(rate, name) for rate, name in zip(rates, GROWING, strict=True))
    return Demand(parse_count(years, field="--growth, years", low=1, high=MOST_YEARS), *ratios)


def _bundle(arguments: argparse.Namespace) -> int:
    addressing = deploy.read_addressing(arguments.addressing)
    content = deploy.bundle_of(read_scenario(arguments.file), addressing, catalogue_for(arguments))
    write_file(arguments.output, content)
    return 0
