"""Ranges that a reader states in place of the published ones, and what no range may be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from planner.catalogue import load_catalogue
from planner.core.errors import PlannerError, must_be, must_be_number, nearest, shorten
from planner.core.units import parse_value
from planner.explore.axes import NUMBERS, side_by_side
from planner.explore.ranges import DISTRIBUTIONS, PRICE_LEVEL, Range, uncertain_paths
from planner.inputs import inputs_for
from planner.scenario import Scenario
from planner.scenario_json import must_be_scenario

FORM = "path=low:high, path=low:typical:high, path=distribution:low:high or path=value"


def with_ranges(ranges: Sequence[Range], typed: Sequence[str], scenario: Scenario) -> tuple[Range, ...]:
    """Ranges with some replaced as they are typed: "site.pue_ratio=pert:1.2:1.3:1.5".

    Raises:
        PlannerError: One cannot be read, is there twice, names no uncertain input, or cannot be (see `checked`).
    """
    found = {item.path: item for item in ranges}
    seen = set()
    for line in typed:
        path, equals, words = (part.strip() for part in line.partition("="))
        if not equals or not words:
            raise PlannerError(f"--range “{shorten(line)}”: write it as {FORM}", field="range")
        known_range(path, found, scenario)
        if path in seen:
            raise PlannerError(f"{path}: the range is there twice", field=path)
        seen.add(path)
        found[path] = _typed(found[path], [word.strip() for word in words.split(":")])
    return checked(tuple(found.values()), scenario)


def _typed(item: Range, words: list[str]) -> Range:
    named = len(words) > 1 and words[0][:1].isalpha()
    distribution, *numbers = words if named else ("", *words)
    if not 1 <= len(numbers) <= 3:
        raise PlannerError(
            f"{item.path}: “{shorten(':'.join(words))}” is no range; write it as {FORM}", field=item.path
        )
    values = [number_of(item, word, item.path) for word in numbers]
    usual = {1: "value", 2: "uniform", 3: "triangular"}[len(values)]
    middle = values[1] if len(values) == 3 else min(max(item.today, values[0]), values[-1])
    return replace(
        item,
        distribution=distribution or usual,
        low=values[0],
        typical=middle if len(values) > 1 else values[0],
        high=values[-1],
        source="stated by the architect",
        grade="input",
        note="",
    )


def number_of(item: Range, word: str, field: str) -> float:
    """The number that a person typed for an end of a range.

    Raises:
        PlannerError: It is no number in a unit of the input.
    """
    return parse_value(word, item.unit or "count", field=field)


def known_range(path: str, ranges: Mapping[str, Range], scenario: Scenario) -> Range:
    """The range of an uncertain input.

    Raises:
        PlannerError: There is none: the input is a decision, is no number, has no value, or does not exist.
    """
    if path in ranges:
        return ranges[path]
    entries = {entry.path: entry for entry in inputs_for(len(scenario.jobs))}
    entry = entries.get(path)
    if entry is None:
        raise PlannerError(
            f"no uncertain input “{shorten(path)}”{nearest(path, [*ranges, *entries])}", field=path
        )
    if path in uncertain_paths(scenario):
        raise PlannerError(f"{path} ({entry.label}): the design has no value of it to vary", field=path)
    if entry.kind not in NUMBERS:
        raise PlannerError(f"{path} ({entry.label}): it is no number; only numbers have a range", field=path)
    raise PlannerError(
        f"{path} ({entry.label}): this is a decision and has no range; sweep it instead "
        f"(--axis {path}=low:high:count)",
        field=path,
    )


def must_be_ranges(ranges: object) -> None:
    """Refuse what is no list of ranges.

    Raises:
        PlannerError: It is none.
    """
    if not isinstance(ranges, Sequence) or not all(isinstance(item, Range) for item in ranges):
        raise PlannerError(f"ranges: “{shorten(ranges)}” is no list of ranges", field="ranges")


def checked(ranges: Sequence[Range], scenario: Scenario) -> tuple[Range, ...]:
    """The ranges, if every one of them can be.

    Raises:
        PlannerError: A path is there twice or is no uncertain input, a distribution is not known, the ends are
            not in order or outside of what the input may be.
    """
    must_be_scenario(scenario)
    must_be_ranges(ranges)
    for item in ranges:
        must_be(item.path, str, field="ranges", form="the path of an input")
        for end in (item.low, item.typical, item.high):
            must_be_number(end, field=item.path)
    allowed = uncertain_paths(scenario)
    seen: set[str] = set()
    for item in ranges:
        if item.path in seen:
            raise PlannerError(f"{item.path}: the range is there twice", field=item.path)
        seen.add(item.path)
    for item in ranges:
        if item.path not in allowed:
            known_range(item.path, {}, scenario)
        _check_shape(item)
        _check_bounds(item, scenario)
    return tuple(ranges)


def _check_shape(item: Range) -> None:
    head = f"{item.path} ({item.label})"
    if not isinstance(item.distribution, str) or item.distribution not in DISTRIBUTIONS:
        raise PlannerError(
            f"{head}: no distribution “{shorten(item.distribution)}”; use one of {', '.join(DISTRIBUTIONS)}"
            f"{nearest(item.distribution, DISTRIBUTIONS)}",
            field=item.path,
        )
    if not all(map(math.isfinite, (item.low, item.typical, item.high))):
        raise PlannerError(f"{head}: the ends of a range are finite numbers", field=item.path)
    if item.distribution == "value":
        return
    low, high = item.text(item.low), item.text(item.high)
    if item.low > item.high:
        raise PlannerError(
            f"{head}: the low end {low} is above the high end {high}; exchange them", field=item.path
        )
    if item.distribution in ("triangular", "pert") and not item.low <= item.typical <= item.high:
        raise PlannerError(
            f"{head}: the likeliest value {item.text(item.typical)} is outside of {low} to {high}",
            field=item.path,
        )
    if item.distribution in ("log-uniform", "lognormal") and item.low <= 0:
        raise PlannerError(
            f"{head}: a {item.distribution} range begins above 0, not at {low}", field=item.path
        )


def _check_bounds(item: Range, scenario: Scenario) -> None:
    """Refuse an end that the input may not have, in the words in which a scenario refuses it."""
    ends = [item.typical] if item.distribution == "value" else [item.low, item.high]
    if item.path != PRICE_LEVEL:
        side_by_side(scenario, {item.path: ends}, load_catalogue())
        return
    for end in ends:
        if not 0.0 <= end <= 1.0:
            raise PlannerError(
                f"{item.path} ({item.label}): {item.text(end)} is not allowed; use 0 to 100 %, which are the low and "
                "the high price of every line",
                field=item.path,
            )
