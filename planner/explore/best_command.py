"""The search for the best design from the command line: as it is typed, as lines and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.errors import PlannerError, shorten
from planner.core.quantity import Quantity
from planner.core.units import UNITS, format_number, parse_value
from planner.explore.best import AVOIDED, DEFAULT_OBJECTIVES, Best, Entry, Progress, Request, best
from planner.explore.command import axes_of
from planner.explore.neighbours import Neighbour, neighbours
from planner.explore.results import plain_number
from planner.inputs import inputs_for
from planner.scenario import Scenario
from planner.summary import difference
from planner.words import failing

AS_TODAY = "as-today"
"""The limit that no more GPU time is lost than today, which holds where no limit is stated."""
NUMBERS = {"link": "bytes/s", "interval": "s"}


def request_of(
    scenario: Scenario,
    *,
    objectives: Sequence[str] = (),
    limits: Sequence[str] = (),
    searched: Sequence[str] = (),
    avoid: str | None = None,
    wide: bool = False,
) -> Request:
    """A request as it is typed.

    Args:
        scenario: The design: the paths of its inputs may be searched too.
        objectives: Names of figures, the leading one first.
        limits: Each as "power<=20 kW"; "as-today" for no more GPU time lost than today, which holds by itself where no
            limit is stated.
        searched: Each as "drive=id,id", "link=100 Gb/s,200 Gb/s", or an axis of a sweep.
        avoid: Codes of warnings that no design may have, with commas between; an empty text for none.
        wide: As `Request`.

    Raises:
        PlannerError: Something has another form.
    """
    paths = {item.path for item in inputs_for(len(scenario.jobs))}
    choices: dict[str, Sequence[Any]] = {}
    for text in searched:
        name, equals, values = text.partition("=")
        if not equals:
            raise PlannerError(
                f"--search “{shorten(text)}”: write it as drive=id,id or interval=15min,1h", field="search"
            )
        if name in choices:
            raise PlannerError(f"{shorten(name)}: the choices are there twice", field=name)
        if name in paths:
            choices |= axes_of(scenario, [text])
        else:
            words = [word.strip() for word in values.split(",") if word.strip()]
            unit = NUMBERS.get(name)
            choices[name] = [parse_value(word, unit, field=name) for word in words] if unit else words
    codes = AVOIDED if avoid is None else tuple(code.strip() for code in avoid.split(",") if code.strip())
    stated = tuple(limit for limit in limits if limit != AS_TODAY)
    as_today = not limits or AS_TODAY in limits
    return Request(tuple(objectives) or DEFAULT_OBJECTIVES, stated, as_today, choices, codes, wide)


def search(
    scenario: Scenario,
    request: Request,
    *,
    catalogue: Catalogue | None = None,
    progress: Progress | None = None,
) -> tuple[Best, tuple[Neighbour, ...]]:
    """What a search found, and why the neighbours of its optimum lost.

    Raises:
        PlannerError: As `best`.
    """
    rows = chosen_catalogue(catalogue)
    found = best(scenario, request, catalogue=rows, progress=progress)
    return found, neighbours(found, found.optimum, catalogue=rows) if found.optimum else ()


def best_lines(found: Best, around: Sequence[Neighbour]) -> Iterator[str]:
    """What a search found, a line each."""
    yield (
        f"{format_number(found.computed, None)} of {format_number(found.space.count, None)} designs computed; "
        f"{_reach(found)}"
    )
    yield (
        "limits: "
        + ("; ".join(map(str, found.bounds)) or "none")
        + f"; no blocker, none of {failing(found.request.avoid)}"
    )
    yield f"today: {_figures(found.today.objectives)}; fails {failing(found.today.faults)}"
    if found.optimum is None:
        yield "no design of this space keeps all limits"
    for number, entry in enumerate(found.front, start=1):
        leading = found.measures[0].name
        change = difference(entry.objectives[leading], found.today.objectives[leading])
        chosen = ", ".join(entry.candidate.labels.values()) if entry.candidate else ""
        yield f"{number}. {_figures(entry.objectives)}; {change or 'no change'} against today: {chosen}"
    for item in around:
        yield f"lost: {item.dimension} {item.option}: {item.why}: {item.reason}"
    for reason, count in found.rejected.items():
        if count:
            yield f"set aside: {format_number(count, None)}: {reason}"
    for name, reason in found.space.left_out:
        yield f"not tried: {name}: {reason}"


def _reach(found: Best) -> str:
    if found.exact:
        return "the front is exact"
    if found.stopped:
        return "stopped before the end"
    gap = found.gap_fraction
    if gap is None:
        return "walked one choice at a time, no bound"
    return f"walked one choice at a time, at most {format_number(gap * 100)} % above what is possible: {found.floor}"


def _figures(objectives: Mapping[str, Quantity]) -> str:
    return ", ".join(f"{name} {item}" for name, item in objectives.items())


def best_json(found: Best, around: Sequence[Neighbour]) -> dict[str, Any]:
    """What a search found as plain data; every number stands under a key that ends in its unit."""
    return {
        "designs_count": found.space.count,
        "computed_count": found.computed,
        "exact": found.exact,
        "stopped": found.stopped,
        "gap_fraction": None if found.gap_fraction is None else plain_number(found.gap_fraction),
        "objectives": [measure.name for measure in found.measures],
        "limits": [str(bound) for bound in found.bounds],
        "released": list(found.space.released),
        "today": _entry(found, found.today),
        "front": [_entry(found, entry) for entry in found.front],
        "neighbours": [
            {"dimension": n.dimension, "option": n.option, "why": n.why, "reason": n.reason} for n in around
        ],
        "set_aside": {reason: count for reason, count in found.rejected.items() if count},
        "not_tried": [{"name": name, "reason": reason} for name, reason in found.space.left_out],
    }


def _entry(found: Best, entry: Entry) -> dict[str, Any]:
    figures = {
        m.name.replace("-", "_") + UNITS[m.unit].suffix: plain_number(entry.objectives[m.name].number)
        for m in found.measures
    }
    return {
        **figures,
        "chosen": dict(entry.candidate.labels) if entry.candidate else {},
        "inputs": dict(entry.candidate.edits) if entry.candidate else {},
        "drives_count": plain_number(entry.drives.number),
        "nodes_count": plain_number(entry.nodes.number),
        "not_priced_count": entry.not_priced_count,
        "findings": list(entry.codes),
        "fails": list(entry.faults),
    }
