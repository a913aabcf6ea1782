"""What commands share: scenarios and files in and out, the catalogue that is asked for, and how an answer is printed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from planner.catalogue import Catalogue, load_catalogue
from planner.core.errors import PlannerError, shorten
from planner.files import part_of
from planner.scenario import Scenario
from planner.scenario_json import MAX_JSON_BYTES, scenario_from_json

FAILED = 2
"""Exit status where a request cannot be met."""
BLOCKED = 1
"""Exit status where the answer is no."""
GROWING = ("gpus", "parameters", "dataset")
"""What grows from year to year, in the order in which `Demand` takes the rates."""


def read_scenario(name: str) -> Scenario:
    """The scenario in a file, or on standard input if the name is "-".

    Raises:
        PlannerError: The file cannot be read or holds no valid scenario.
    """
    if not name.strip():
        raise PlannerError("file: the name of the file to read is empty")
    try:
        if name == "-":
            content = sys.stdin.buffer.read(MAX_JSON_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(MAX_JSON_BYTES + 1)
    except OSError as error:
        raise PlannerError(f"{name}: {error.strerror or 'the file cannot be read'}") from None
    return scenario_from_json(content)


def write_file(name: str, content: bytes) -> None:
    """Write a result whole, or not at all.

    Raises:
        PlannerError: The file cannot be written.
    """
    if not name.strip():
        raise PlannerError("-o: the name of the file to write is empty")
    try:
        path = Path(name).resolve()
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a pipe or a device is written to, never replaced
            return
        part = part_of(path)
        try:
            part.write_bytes(content)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise PlannerError(f"{name}: {error.strerror or 'the file cannot be written'}") from None


def catalogue_for(arguments: argparse.Namespace) -> Catalogue:
    """The shipped catalogue, or with the organisation's rows where they are asked for.

    Raises:
        PlannerError: A day is stated without the rows, or as `catalogue_of` of the store.
    """
    if arguments.own:
        # The database and its libraries take a third as long to load as all the rest.
        from planner.store.catalogue_command import catalogue_of  # noqa: PLC0415

        return catalogue_of(on=arguments.on, user=arguments.user)
    if arguments.on is not None:
        raise PlannerError("--on: a day says which rows of the organisation count; add --own")
    return load_catalogue()


def date_of(text: str | None, option: str = "--date") -> datetime:
    """The date to print: the stated one, or now.

    Raises:
        PlannerError: It is no date.
    """
    if text is None:
        return datetime.now(UTC)
    try:
        stated = datetime.fromisoformat(text)
    except ValueError:
        raise PlannerError(f"{option}: {shorten(text)} is no date; write it as 2026-11-29") from None
    return stated if stated.tzinfo else stated.replace(tzinfo=UTC)


def add_own(command: argparse.ArgumentParser) -> None:
    """Options of a command that plans with an organisation's catalogue rows where it is asked to."""
    command.add_argument(
        "--own",
        action="store_true",
        help="with the organisation's catalogue rows; the shipped ones alone if not given",
    )
    command.add_argument("--on", help="with --own: the day on which they count, 2026-11-30")
    add_user(command)


def add_user(command: argparse.ArgumentParser) -> None:
    """The option that says who acts."""
    command.add_argument("--user", help="who acts; PLANNER_USER if not given")


def show(told: dict[str, Any] | Iterable[str]) -> None:
    """Print an answer: lines to read, or one JSON object."""
    if isinstance(told, dict):
        print(json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False))
        return
    for line in told:
        print(line)


def refuse(lines: Iterable[str]) -> None:
    """Say what was refused where the rest is done."""
    for line in lines:
        print(line, file=sys.stderr)


def show_progress(done: int, count: int) -> None:
    """How far long work is, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r{done} of {count}", end="" if done < count else "\n", file=sys.stderr)
