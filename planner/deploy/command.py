"""The command `bundle`: a scenario and, if there is one, a file of names and subnets."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.catalogue import Catalogue
from planner.core.errors import PlannerError
from planner.deploy.addressing import MAX_JSON_BYTES, Addressing, addressing_from_json
from planner.deploy.bundle import bundle
from planner.plan import plan
from planner.scenario import Scenario


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Arguments of `python -m planner bundle`."""
    command.add_argument("file", help="scenario as JSON, - for standard input")
    command.add_argument("-o", "--output", required=True, help="ZIP to write")
    add_addressing(command)


def add_addressing(command: argparse.ArgumentParser) -> None:
    """The argument for names and subnets, of each command that writes them."""
    command.add_argument(
        "--addressing", help="names and subnets of the site as JSON; private ranges if not given"
    )


def read_addressing(name: str | None) -> Addressing:
    """Names and subnets in a file, or the defaults.

    Raises:
        PlannerError: The file cannot be read, or a value in it is refused.
    """
    if name is None:
        return Addressing()
    try:
        with Path(name).open("rb") as file:
            content = file.read(MAX_JSON_BYTES + 1)
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or "the file cannot be read"
        raise PlannerError(f"--addressing {name}: {told}", field="addressing") from None
    return addressing_from_json(content)


def bundle_of(scenario: Scenario, addressing: Addressing, catalogue: Catalogue) -> bytes:
    """The bundle of a scenario with the rows of a catalogue.

    Raises:
        PlannerError: The scenario cannot be planned, or its ports and addresses do not fit.
    """
    return bundle(plan(scenario, catalogue), addressing)
