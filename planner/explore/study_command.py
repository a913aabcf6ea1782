"""Sensitivity and uncertainty from the command line: as lines to read, and as one JSON object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.quantity import Quantity
from planner.core.units import UNITS, format_value
from planner.explore.outcomes import RESULTS, result_of
from planner.explore.own_ranges import with_ranges
from planner.explore.ranges import Range, default_ranges
from planner.explore.results import plain_number
from planner.explore.sensitivity import Bar, Tornado, ends_of, tornado
from planner.explore.uncertainty import COUNT, SEED, Study, shared_ranges, study
from planner.explore.verdicts import Duel, against, bands, blockers, drivers, feasible, verdicts
from planner.scenario import Scenario

RESULT = "whole_usd"
"""What is asked about where nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of a design.

    Attributes:
        typed: Ranges as they are typed, in place of the published ones.
        column: Column of the result that is asked about.
        storage_fixed: Keep the storage as it is planned today.
        seed: What the draws follow from.
        count: Draws.
    """

    typed: tuple[str, ...] = ()
    column: str = RESULT
    storage_fixed: bool = False
    seed: int = SEED
    count: int = COUNT


def tornado_of(scenario: Scenario, question: Question, *, catalogue: Catalogue | None = None) -> Tornado:
    """The tornado that a question asks for.

    Raises:
        PlannerError: A range or the result cannot be, or the design cannot be planned.
    """
    result_of(question.column)
    rows = chosen_catalogue(catalogue)
    ranges = with_ranges(default_ranges(scenario, rows), question.typed, scenario)
    ends = ends_of(scenario, ranges, catalogue=rows, storage_fixed=question.storage_fixed)
    return tornado(ends, question.column)


@dataclass(frozen=True, slots=True)
class Answer:
    """A study of a design, and the second design on the same draws if there is one."""

    column: str
    study: Study
    duel: Duel | None


def study_of(
    scenario: Scenario,
    question: Question,
    *,
    other: Scenario | None = None,
    catalogue: Catalogue | None = None,
) -> Answer:
    """The study that a question asks for.

    Raises:
        PlannerError: A range, the result, the seed or the count cannot be, or a design cannot be planned.
    """
    result_of(question.column)
    rows = chosen_catalogue(catalogue)
    ranges = with_ranges(default_ranges(scenario, rows), question.typed, scenario)
    asked: dict[str, Any] = {
        "seed": question.seed,
        "count": question.count,
        "catalogue": rows,
        "storage_fixed": question.storage_fixed,
    }
    done = study(scenario, ranges, **asked)
    if other is None:
        return Answer(question.column, done, None)
    second = study(other, shared_ranges(ranges, other, rows), **asked)
    return Answer(question.column, done, against(done, second, question.column))


# --- lines ----------------------------------------------------------------------------------------------------


def tornado_lines(found: Tornado) -> list[str]:
    """A tornado as lines to read."""
    lines = [f"{found.label}: {found.today} as the design stands"]
    for bar in found.bars:
        item = bar.range
        lines.append(f"{bar.swing}  {item.label} ({item.path}) {item.span}: {bar.low} to {bar.high}")
    return [*lines, found.advice]


def study_lines(answer: Answer) -> list[str]:
    """A study as lines to read."""
    done, column, duel = answer.study, answer.column, answer.duel
    lines = [done.told]
    lines += [
        f"{item.label}: P10 {item.p10}, P50 {item.p50}, P90 {item.p90} (today {item.today})"
        for item in bands(done)
        if item.p50.known
    ]
    told = ", ".join(f"{code} in {format_value(part, 'fraction')}" for code, part in blockers(done).items())
    lines.append(f"{feasible(done).label}: {feasible(done)}" + (f"; {told}" if told else ""))
    lines += [verdict.text for verdict in verdicts(done)]
    lines.append(f"What moves {RESULTS[column].label}:")
    lines += [f"{item.share}  {item.label}" for item in drivers(done, column) if item.share.number > 0]
    if duel is not None:
        low, middle, high = duel.gain
        lines += [
            f"A is better in {duel.a_fraction}, B in {duel.b_fraction}, the same in {duel.equal_fraction}",
            f"A over B: P10 {low}, P50 {middle}, P90 {high}",
            duel.text,
        ]
        lines += [f"Drawn alike for both, though they state it otherwise: {name}" for name in duel.stated]
    return lines


# --- JSON -----------------------------------------------------------------------------------------------------


def _figures(**items: Quantity) -> dict[str, float | None]:
    """Numbers under names that end in their unit."""
    return {f"{name}{UNITS[item.unit].suffix}": plain_number(item.number) for name, item in items.items()}


def _range_json(item: Range) -> dict[str, Any]:
    suffix = UNITS[item.unit or "count"].suffix
    ends = {"low": item.low, "typical": item.typical, "high": item.high, "today": item.today}
    return {
        "path": item.path,
        "label": item.label,
        "distribution": item.distribution,
        **{f"{name}{suffix}": value for name, value in ends.items()},
        "factor": item.factor,
        "source": item.source,
        "grade": item.grade,
        "note": item.note,
    }


def _bar_json(bar: Bar) -> dict[str, Any]:
    figures = _figures(result_low=bar.low, result_high=bar.high, swing=bar.swing)
    return {"input": _range_json(bar.range), **figures, "changes": list(bar.changes)}


def tornado_json(found: Tornado) -> dict[str, Any]:
    """A tornado as plain data, every number under a name that ends in its unit."""
    return {
        "result": found.column,
        "label": found.label,
        **_figures(today=found.today),
        "inputs": [_bar_json(bar) for bar in found.bars],
        "measure_first": found.measure_first.range.path if found.measure_first else None,
        "advice": found.advice,
    }


def study_json(answer: Answer) -> dict[str, Any]:
    """A study as plain data, every number under a name that ends in its unit."""
    done, column, duel = answer.study, answer.column, answer.duel
    told: dict[str, Any] = {
        "seed": done.seed,
        "draws_count": done.count,
        "storage_fixed": done.storage_fixed,
        "inputs": [_range_json(item) for item in done.ranges if not item.certain],
        "results": {
            item.column: _figures(today=item.today, p10=item.p10, p50=item.p50, p90=item.p90)
            for item in bands(done)
        },
        "feasible_fraction": feasible(done).number,
        "blockers_fraction": blockers(done),
        "choices": {
            verdict.name.lower(): {
                "today": verdict.today,
                "auto": verdict.auto,
                "shares_fraction": dict(verdict.shares),
                "fragile": verdict.fragile,
            }
            for verdict in verdicts(done)
        },
        "drivers_of": column,
        "drivers_fraction": {item.factor: item.share.number for item in drivers(done, column)},
    }
    if duel is not None:
        low, middle, high = duel.gain
        told["against"] = {
            "result": duel.column,
            **_figures(a_better=duel.a_fraction, b_better=duel.b_fraction, same=duel.equal_fraction),
            "draws_count": duel.count,
            **_figures(gain_p10=low, gain_p50=middle, gain_p90=high),
            "fragile": duel.fragile,
            "stated_otherwise": list(duel.stated),
            "verdict": duel.text,
        }
    return told
