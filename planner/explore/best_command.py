"""The search for the best design and growth from the command line: as they are typed, as lines and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.errors import PlannerError, shorten
from planner.core.quantity import Quantity
from planner.core.units import UNITS, format_number, format_range, parse_value
from planner.explore.best import AVOIDED, DEFAULT_OBJECTIVES, Best, Entry, Progress, Request, best
from planner.explore.command import axes_of
from planner.explore.growth import Growth, Year
from planner.explore.neighbours import Neighbour, neighbours
from planner.inputs import inputs_for
from planner.scenario import Scenario
from planner.scenario_json import scenario_to_json
from planner.summary import difference

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
        + f"; no blocker, none of {', '.join(found.request.avoid) or 'nothing'}"
    )
    yield f"today: {_figures(found.today.objectives)}; fails {' '.join(found.today.faults) or 'nothing'}"
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
        "gap_fraction": found.gap_fraction,
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
        m.name.replace("-", "_") + UNITS[m.unit].suffix: _number(entry.objectives[m.name])
        for m in found.measures
    }
    return {
        **figures,
        "chosen": dict(entry.candidate.labels) if entry.candidate else {},
        "inputs": dict(entry.candidate.edits) if entry.candidate else {},
        "drives_count": _number(entry.drives),
        "nodes_count": _number(entry.nodes),
        "not_priced_count": entry.not_priced_count,
        "findings": list(entry.codes),
        "fails": list(entry.faults),
    }


def _number(item: Quantity) -> float | None:
    return item.number if item.known else None


def optimum_json(found: Best) -> str:
    """The optimum as a scenario, which every other command takes.

    Raises:
        PlannerError: No design keeps all limits.
    """
    if found.optimum is None:
        raise PlannerError("no design of this space keeps all limits; relax one of them", field="limit")
    return scenario_to_json(found.optimum.scenario)


def ratio_of(text: str, name: str) -> float:
    """Growth of a year as it is typed: "30 %" is 1.3 times, "1.3" is too.

    Raises:
        PlannerError: It is no number.
    """
    return (
        1 + parse_value(text, "fraction", field=name)
        if "%" in text
        else parse_value(text, "count", field=name)
    )


def growth_lines(found: Growth) -> Iterator[str]:
    """Years of growth, a line each, and the first year of each limit."""
    for year in found.years:
        figures = ", ".join(f"{name} {item}" for name, item in year.figures.items())
        passed = year.reason or " ".join(f.code for f in year.passed) or "nothing"
        yield f"{_when(year.number)}: {figures}; passed: {passed}{_added(year)}"
    for code, (number, finding) in found.first.items():
        yield f"first passed {_when(number)} as built today: {code}: {finding.message}"


def _when(number: int) -> str:
    return "today" if number == 0 else f"year {number}"


def _added(year: Year) -> str:
    step = year.expansion
    if step is None:
        return ""
    added = "; ".join(map(str, step.additions)) or "more of the same does not mend it"
    money = format_range(step.low_usd.number, step.high_usd.number, "USD")
    left = f"; left: {' '.join(f.code for f in step.left)}" if step.left else ""
    return f"; add {added} ({money}){left}"


def growth_json(found: Growth) -> dict[str, Any]:
    """Years of growth as plain data."""
    return {
        "years": [_year(year) for year in found.years],
        "first_years": [
            {"code": code, "year": number, "message": finding.message}
            for code, (number, finding) in found.first.items()
        ],
    }


def _year(year: Year) -> dict[str, Any]:
    step = year.expansion
    figures = {name.lower() + UNITS[item.unit].suffix: _number(item) for name, item in year.figures.items()}
    return {
        "year": year.number,
        **figures,
        "passed": [finding.code for finding in year.passed],
        "limits": {
            g.check.name: None if g.used_fraction != g.used_fraction else g.used_fraction for g in year.gauges
        },
        "reason": year.reason,
        "expansion": None
        if step is None
        else {
            "additions": [
                {"path": a.path, "name": a.label, "before_count": a.before, "after_count": a.after}
                for a in step.additions
            ],
            "low_usd": _number(step.low_usd),
            "high_usd": _number(step.high_usd),
            "left": [finding.code for finding in step.left],
        },
    }
