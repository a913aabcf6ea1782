"""Commands that need no design: formulas against published values, rules of the review, and parameters of models."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from planner.architectures import MAX_INDEX_BYTES, as_json, describe, library
from planner.commands.common import show
from planner.core.errors import PlannerError
from planner.core.units import counted
from planner.model_import import check_size, library_architecture, model_of_files, models_by_group
from planner.published.report import report
from planner.words import ReviewRule, find_rules, review_rules


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
        "rules", help="list the rules of the review: what each code checks, and what mends it"
    )
    command.add_argument(
        "words", nargs="*", help="codes, or words of a rule: END-1, endurance; none lists all"
    )
    command.add_argument("--json", action="store_true", help="the rules as one JSON object")
    command.set_defaults(run=_rules)
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


def _rules(arguments: argparse.Namespace) -> int:
    found = find_rules(" ".join(arguments.words))
    show({"rules": [asdict(rule) for rule in found]} if arguments.json else _rule_lines(found))
    return 0


def _rule_lines(found: Sequence[ReviewRule]) -> Iterator[str]:
    """Code, severities and title of each rule, below it what it checks and what mends it."""
    severities = [", ".join(rule.severities) for rule in found]
    widths = max(len(rule.code) for rule in found), max(map(len, severities))
    for rule, told in zip(found, severities, strict=True):
        yield f"{rule.code:{widths[0]}}  {told:{widths[1]}}  {rule.title}"
        yield f"  {rule.check}"
        yield f"  Mended by: {rule.mended_by}. Source: {rule.source}."
    yield ""
    yield f"{len(found)} of {counted(len(review_rules()), 'rule')}"


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
