"""Why each neighbour of a design lost: the designs that differ from it in one choice, each planned, each with its reason."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.errors import PlannerError, must_be
from planner.core.quantity import Quantity
from planner.explore.best import Best, Entry, entry_of
from planner.explore.ranking import sized
from planner.explore.space import Candidate, Dimension, Option
from planner.plan import Plan, plan
from planner.summary import difference

Why = Literal[
    "cannot be computed", "not known", "blocker", "warning", "limit", "worse", "the same", "other trade"
]
"""Why a neighbour is not the better design."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A design that differs from another in one choice.

    Attributes:
        dimension: What is chosen otherwise.
        option: What is chosen.
        why: The kind of reason.
        reason: The reason in one line, with its numbers.
        candidate: The design.
        objectives: Its figures; empty where it cannot be computed.
    """

    dimension: str
    option: str
    why: Why
    reason: str
    candidate: Candidate
    objectives: dict[str, Quantity]


def neighbours(result: Best, entry: Entry, *, catalogue: Catalogue | None = None) -> tuple[Neighbour, ...]:
    """Every design of the space that differs from one of the front in one choice, and why it lost.

    Args:
        result: What the search found.
        entry: A design of its front.
        catalogue: The rows to choose from; the shipped ones if not given.
    """
    must_be(result, Best, field="result", form="what best gives")
    must_be(entry, Entry, field="entry", form="a design of its front")
    rows = chosen_catalogue(catalogue)
    if entry.candidate is None:
        return ()
    return tuple(
        _neighbour(result, entry, dimension, option, candidate, rows)
        for dimension, option, candidate in _around(result, entry.candidate)
    )


def _around(result: Best, candidate: Candidate) -> Iterator[tuple[Dimension, Option, Candidate]]:
    """Designs one choice away; another kind of platform takes or leaves drive and protection with it."""
    for part in result.space.parts:
        own = {dimension.name for dimension, _ in candidate.picks}
        same_kind = {dimension.name for dimension in part.dimensions} == own
        for dimension in part.dimensions:
            now = candidate.option(dimension.name)
            if not same_kind and dimension.name != "platform":
                continue
            for option in dimension.options:
                if now is None or option.key == now.key:
                    continue
                if same_kind and not _offers(part.dimensions, candidate, dimension.name):
                    continue
                yield dimension, option, _moved(part.dimensions, candidate, dimension.name, option)


def _offers(dimensions: tuple[Dimension, ...], candidate: Candidate, besides: str) -> bool:
    """Whether a part has all other options of a design."""
    return all(
        (now := candidate.option(d.name)) is not None and now.key in {option.key for option in d.options}
        for d in dimensions
        if d.name != besides
    )


def _moved(dimensions: tuple[Dimension, ...], candidate: Candidate, name: str, option: Option) -> Candidate:
    """The candidate with one option changed, with the dimensions of that part; what it lacks is the part's first."""
    picks = []
    for dimension in dimensions:
        now = candidate.option(dimension.name)
        held = next(
            (o for o in dimension.options if now is not None and o.key == now.key), dimension.options[0]
        )
        picks.append((dimension, option if dimension.name == name else held))
    return Candidate(tuple(picks))


def _neighbour(
    result: Best,
    entry: Entry,
    dimension: Dimension,
    option: Option,
    candidate: Candidate,
    catalogue: Catalogue,
) -> Neighbour:
    try:
        scenario = result.space.scenario(candidate)
        done, ranked = plan(scenario, catalogue), sized(scenario, catalogue)
    except PlannerError as error:
        return Neighbour(dimension.label, option.label, "cannot be computed", error.message, candidate, {})
    other = entry_of(candidate, scenario, done, result.request, result.measures, result.bounds)
    why, reason = (
        _unknown(result, ranked)
        or _objected(other, done)
        or _over(result, done)
        or _compared(result, entry, other)
    )
    return Neighbour(dimension.label, option.label, why, reason, candidate, other.objectives)


def _unknown(result: Best, ranked: Mapping[str, Any]) -> tuple[Why, str] | None:
    """The first objective that a part without price, watts or height leaves open."""
    for measure in result.measures:
        if math.isnan(ranked[measure.column]):
            what = "price" if measure.unit == "USD" else "watts or height"
            return "not known", f"{measure.label}: the hot tier's parts have no {what} in the catalogue"
    return None


def _objected(other: Entry, done: Plan) -> tuple[Why, str] | None:
    """The first blocker, or else the first warning that is to be avoided."""
    for finding in done.findings:
        if finding.severity != "note" and finding.code in other.faults:
            return finding.severity, f"{finding.code}: {finding.message}"
    return None


def _over(result: Best, done: Plan) -> tuple[Why, str] | None:
    """The first limit that is broken, and by how much."""
    for bound in result.bounds:
        figure = bound.measure.figure(done)
        if bool(bound.broken(figure.number)):
            limit = Quantity(bound.value, figure.unit, figure.label)
            return (
                "limit",
                f"{bound.measure.label} {figure}: {difference(figure, limit)} against the limit of {limit}",
            )
    return None


def _compared(result: Best, entry: Entry, other: Entry) -> tuple[Why, str]:
    """What a design that keeps all limits is worse in, and what it is better in."""
    worse: list[str] = []
    better: list[str] = []
    for measure in result.measures:
        new, old = other.objectives[measure.name], entry.objectives[measure.name]
        if abs(new.number - old.number) > 1e-9 * abs(old.number):
            words = f"{measure.label} {difference(new, old)}".strip()
            (worse if new.number > old.number else better).append(words)
    if worse and better:
        return "other trade", f"{'; '.join(worse)} for {'; '.join(better)}"
    if worse:
        return "worse", "; ".join(worse) + "; nothing better"
    return (
        ("other trade", f"better here: {'; '.join(better)}")
        if better
        else ("the same", "equal in every objective")
    )
