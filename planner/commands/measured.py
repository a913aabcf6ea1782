"""Commands on what storage tools measured: records of their outputs, and a design held against them."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

from planner import __version__
from planner.catalogue import Catalogue
from planner.commands.common import (
    BLOCKED,
    FAILED,
    add_own,
    catalogue_for,
    date_of,
    read_scenario,
    refuse,
    show,
    write_file,
)
from planner.documents import Stamp, as_built_page
from planner.plan import Plan, plan
from planner.review import signed_hash
from planner.review.as_built import AsBuilt
from planner.telemetry.as_built import as_built
from planner.telemetry.report import failures, measure, report_json, report_lines
from planner.telemetry.verdict import verdict_json, verdict_lines


def add_commands(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands on what storage tools measured."""
    command = commands.add_parser("measure", help="print what the outputs of storage tools measured")
    command.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="output of fio, nvme, smartctl, IOR, mdtest, elbencho, DLIO, or a folder",
    )
    command.add_argument("--json", action="store_true", help="all records as one JSON object")
    command.set_defaults(run=_measure)
    command = commands.add_parser(
        "verify", help="hold measurements against a design; exit status 1 if one falls short"
    )
    command.add_argument("file", help="the design as JSON")
    command.add_argument(
        "files", nargs="+", metavar="MEASURED", help="outputs of storage tools, or folders of them"
    )
    command.add_argument("--json", action="store_true", help="the verdict as one JSON object")
    command.add_argument(
        "--measured-on", help="day on which the counters were read, 2026-11-29; today if not given"
    )
    command.add_argument("-o", "--output", help="write the page for the report (PDF) here too")
    add_own(command)
    command.set_defaults(run=_verify)


def _measure(arguments: argparse.Namespace) -> int:
    files = measure(arguments.files)
    show(report_json(files) if arguments.json else report_lines(files))
    refused = failures(files)
    refuse(refused)
    return FAILED if refused else 0


def _verify(arguments: argparse.Namespace) -> int:
    catalogue = catalogue_for(arguments)
    result = plan(read_scenario(arguments.file), catalogue)
    files = measure(arguments.files)
    readings = {file.name: file.reading for file in files if file.reading is not None}
    built = as_built(result, readings, measured_on=date_of(arguments.measured_on, "--measured-on").date())
    show(verdict_json(built) if arguments.json else verdict_lines(built))
    if arguments.output:
        write_file(arguments.output, _report_page(result, built, catalogue))
    refused = failures(files)
    refuse(refused)
    # What falls short is the answer; a file that cannot be read is only a part of it that is missing.
    return BLOCKED if built.failed else FAILED if refused else 0


def _report_page(result: Plan, built: AsBuilt, catalogue: Catalogue) -> bytes:
    """What was built, as a page of its own for a report."""
    stamp = Stamp(
        title=result.scenario.name,
        revision="unsaved",
        author="",
        created=datetime.combine(built.measured_on, datetime.min.time(), UTC),
        hash_text=signed_hash(result.scenario, catalogue, engine_version=__version__),
        draft=True,
    )
    return as_built_page(result, built, stamp)
