"""Every figure of a plan that the document prints: those of its summary, and those that explain the design."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from planner.catalogue import Row
from planner.core.parts import part_names
from planner.core.quantity import Quantity
from planner.plan import Plan
from planner.sections.traffic import CASE_LABELS
from planner.summary import figures, labelled


def every_figure(plan: Plan) -> dict[str, dict[str, Quantity]]:
    """Every figure by section and label: the summary's, then those of the parts that are made when they are asked for."""
    return {**figures(plan), **explaining(plan)}


def explaining(plan: Plan) -> dict[str, dict[str, Quantity]]:
    """Figures of ladders, hops, racks, the site's limits, the bill and the term."""
    found = {
        "From raw to safe": _ladders(plan),
        "Load of the hops": _hops(plan),
        "Racks": labelled(plan.racks),
        "Limits of the site": {
            f"{line.check.name}, {end}": item
            for line in plan.site_lines
            for end, item in (("needed", line.check.required), ("allowed", line.check.provided))
        },
        "Bill of materials": labelled(plan.bill),
        "Cost over the term": _term(plan),
    }
    return {name: members for name, members in found.items() if members}


def _ladders(plan: Plan) -> dict[str, Quantity]:
    found: dict[str, Quantity] = {}
    for ladder in plan.ladders:
        found[f"{ladder.tier}: raw"] = ladder.raw_bytes
        for step in ladder.steps:
            found[f"{ladder.tier}: {step.name} takes"] = step.taken_bytes
            found[f"{ladder.tier}: after {step.name}"] = step.left_bytes
    return found


def _hops(plan: Plan) -> dict[str, Quantity]:
    return {
        f"{hop.name}, {CASE_LABELS[case]}": load.fraction
        for hop in plan.fabric_load.hops
        for case, load in hop.loads.items()
    }


def _term(plan: Plan) -> dict[str, Quantity]:
    found: dict[str, Quantity] = {}
    for line in plan.term.lines:
        found[f"{line.name}, low"], found[f"{line.name}, high"] = line.low_usd, line.high_usd
    return found | labelled(plan.term)


def used_figures(plan: Plan) -> Iterator[Quantity]:
    """Every quantity of a plan and every quantity that it was computed from, each once."""
    seen: set[int] = set()
    roots = (
        every_figure(plan),
        plan,
    )  # kept, or the place of what is freed could be taken for one seen before
    waiting: list[Any] = list(roots)
    while waiting:
        place = waiting.pop()
        if place is None or isinstance(place, str | int | float | Row) or id(place) in seen:
            continue
        seen.add(id(place))
        if isinstance(place, Quantity):
            yield place
            waiting.extend((place.inputs or {}).values())
        elif isinstance(place, Mapping):
            waiting.extend(place.values())
        elif isinstance(place, tuple | list):
            waiting.extend(place)
        elif dataclasses.is_dataclass(place):
            waiting.extend(getattr(place, name) for name in part_names(place))
