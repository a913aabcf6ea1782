"""Commands that need no design: formulas against published values, and parameters of models."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from planner.architectures import MAX_INDEX_BYTES, as_json, describe, library
from planner.commands.common import show
from planner.core.errors import PlannerError
from planner.model_import import check_size, library_architecture, model_of_files, models_by_group
from planner.published.report import report


def add_commands(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands that need no design."""
    command = commands.add_parser(
        "checks",
        help="compare the formulas with published values and with second ways to them; exit status 1 if one is missed",
    )
    command.add_argument(
        "subject", nargs="?", default="", help="a subject or a formula: cadence, cadence.young_interval_s"
    )
    command.add_argument("--json", action="store_true", help="all checks as one JSON list")
    command.set_defaults(run=_checks)
    command = commands.add_parser(
        "params", help="count the parameters of a model; without a file, list the models that come with it"
    )
    command.add_argument(
        "files", nargs="*", metavar="FILE", help="config.json, *.index.json, params.json, or a model's id"
    )
    command.add_argument("--json", action="store_true", help="the counts as one JSON object")
    command.set_defaults(run=_params)


def _checks(arguments: argparse.Namespace) -> int:
    text, status = report(arguments.subject, machine=arguments.json)
    print(text)
    return status


def _params(arguments: argparse.Namespace) -> int:
    if not arguments.files:
        for group, entries in models_by_group().items():
            print(group)
            show(f"  {entry}  {name}" for entry, name in entries)
        return 0
    files = arguments.files
    known = len(files) == 1 and files[0] in library()
    found = library_architecture(files[0]) if known else model_of_files([_model_file(name) for name in files])
    if arguments.json:
        show(as_json(found))
        return 0
    rows = describe(found)
    width = max(len(label) for label, _ in rows)
    show(f"{label:{width}}  {value}" for label, value in rows)
    return 0


def _model_file(name: str) -> tuple[str, bytes]:
    """Name and content of a model's file, or standard input if the name is "-".

    Raises:
        PlannerError: The file cannot be read, or is too large to be read whole.
    """
    try:
        if name == "-":
            return "", sys.stdin.buffer.read(MAX_INDEX_BYTES + 1)
        check_size(name, Path(name).stat().st_size)
        return Path(name).name, Path(name).read_bytes()
    except OSError as error:
        raise PlannerError(f"{name}: {error.strerror or 'the file cannot be read'}") from None
