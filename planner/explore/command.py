"""Sweeps from the command line: axes as they are typed, the table as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from planner.catalogue import Catalogue
from planner.core.errors import PlannerError, nearest, shorten
from planner.core.units import parse_count, parse_value
from planner.explore.axes import MOST_DESIGNS, NUMBERS
from planner.explore.sweep import Progress, sweep
from planner.inputs import Input, inputs_for
from planner.scenario import Scenario
from planner.scenario_json import must_be_in_range

FORM = "path=low:high:count, path=low:high:count:log or path=value,value"
AUTO = "auto"
FLAGS = {"true": True, "yes": True, "false": False, "no": False}


def sweep_csv(
    scenario: Scenario,
    axes: Sequence[str],
    *,
    catalogue: Catalogue | None = None,
    progress: Progress | None = None,
) -> bytes:
    """The table of a sweep as CSV, a line for each design.

    Args:
        scenario: The design around which the inputs vary.
        axes: Each as "path=low:high:count", with ":log" for equal ratios, or as "path=value,value,…"; numbers
            with or without units, "auto" for AUTO.
        catalogue: The rows to choose from; the shipped ones if not given.
        progress: As `sweep` takes it.

    Raises:
        PlannerError: An axis cannot be read, or `sweep` refuses it.
    """
    spread = axes_of(scenario, axes)
    table = sweep(scenario, spread, catalogue=catalogue, progress=progress)
    return table.to_csv(index=False, lineterminator="\n").encode()


def axes_of(scenario: Scenario, axes: Sequence[str]) -> dict[str, list[Any]]:
    """Values by path, as `sweep` takes them, out of axes as they are typed.

    Raises:
        PlannerError: An axis has another form, is there twice, or names no input or no number where one belongs.
    """
    known = {item.path: item for item in inputs_for(len(scenario.jobs))}
    found: dict[str, list[Any]] = {}
    for text in axes:
        path, equals, values = text.partition("=")
        path = path.strip()
        if not equals:
            raise PlannerError(f"--axis “{shorten(text)}”: write it as {FORM}", field="axis")
        if path not in known:
            raise PlannerError(f"no input “{shorten(path)}”{nearest(path, known)}", field=path)
        if path in found:
            raise PlannerError(f"{path}: the axis is there twice", field=path)
        found[path] = _values(known[path], values.strip())
    return found


def _values(entry: Input, text: str) -> list[Any]:
    if not text:
        raise PlannerError(f"{entry.path}: the axis is empty; write it as {FORM}", field=entry.path)
    if entry.kind in NUMBERS and ":" in text:
        return _range(entry, text)
    return [_value(entry, word.strip()) for word in text.split(",")]


def _value(entry: Input, word: str) -> Any:
    if entry.auto and word.casefold() == AUTO:
        return None
    if entry.kind in NUMBERS:
        return _number(entry, word)
    if entry.kind == "flag":
        return FLAGS.get(word.casefold(), word)
    return next((choice for choice in entry.choices if str(choice) == word), word)


def _number(entry: Input, word: str) -> float:
    unit = entry.unit or "count"
    if entry.kind == "count":
        return parse_count(word, unit, field=entry.path, low=entry.low, high=entry.high)
    return parse_value(word, unit, field=entry.path)


def _range(entry: Input, text: str) -> list[Any]:
    """Values from one end to the other, both among them; of a count the whole ones, each once."""
    low_text, high_text, *rest = (part.strip() for part in text.split(":"))
    if not rest or len(rest) > 2 or (len(rest) == 2 and rest[1] != "log"):
        raise PlannerError(
            f"{entry.path}: “{shorten(text)}” is no range; write it as {FORM}", field=entry.path
        )
    low, high = _number(entry, low_text), _number(entry, high_text)
    count = parse_count(rest[0], field=f"{entry.path}, number of values", low=2, high=MOST_DESIGNS)
    if not 2 <= count <= MOST_DESIGNS:
        raise PlannerError(
            f"{entry.path}: a range of {count} values is not allowed; use 2 to {MOST_DESIGNS}",
            field=entry.path,
        )
    if not low < high:
        raise PlannerError(
            f"{entry.path}: the range from {low_text} to {high_text} is empty; its low end comes first",
            field=entry.path,
        )
    if len(rest) == 2 and low <= 0:
        raise PlannerError(
            f"{entry.path}: equal ratios cannot begin at {low_text}; leave out “:log” or begin above 0",
            field=entry.path,
        )
    for end in (
        low,
        high,
    ):  # before they are spread: between ends that nothing may be lies nothing that was typed
        must_be_in_range(entry, end)
    values = (np.geomspace if len(rest) == 2 else np.linspace)(low, high, count)
    values[[0, -1]] = low, high
    if entry.kind == "count":
        return [int(value) for value in np.unique(np.rint(values))]
    return [float(value) for value in values]
