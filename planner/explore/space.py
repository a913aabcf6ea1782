"""The space of a search: dimensions with their options, the parts that they span, and one design of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.inputs import flatten, nest
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a dimension.

    Attributes:
        key: How it is named in a request.
        label: What it is called.
        edits: Values by path that the choice sets; None is AUTO.
    """

    key: str
    label: str
    edits: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Dimension:
    """One thing that the search chooses."""

    name: str
    label: str
    options: tuple[Option, ...]

    @property
    def number_path(self) -> str:
        """The path of the one number in which the options differ; empty if they differ in more."""
        first = self.options[0].edits
        differing = {
            path
            for option in self.options
            for path, value in option.edits.items()
            if value != first.get(path)
        }
        if len(differing) != 1 or any(option.edits.keys() != first.keys() for option in self.options):
            return ""
        (path,) = differing
        numbers = (option.edits[path] for option in self.options)
        plain = all(isinstance(value, int | float) and not isinstance(value, bool) for value in numbers)
        return path if plain else ""


@dataclass(frozen=True, slots=True)
class Part:
    """Designs that every combination of some dimensions makes; those that differ in numbers come last."""

    dimensions: tuple[Dimension, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Options of each dimension."""
        return tuple(len(dimension.options) for dimension in self.dimensions)

    @property
    def count(self) -> int:
        """How many designs there are."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One design of a space: the option that each dimension has in it."""

    picks: tuple[tuple[Dimension, Option], ...]

    @property
    def edits(self) -> dict[str, Any]:
        """Values by path that make it out of the space's base."""
        return {path: value for _, option in self.picks for path, value in option.edits.items()}

    @property
    def labels(self) -> dict[str, str]:
        """What was chosen, by what it is called."""
        return {dimension.label: option.label for dimension, option in self.picks}

    def option(self, name: str) -> Option | None:
        """The option of a dimension; None where it does not apply."""
        return next((option for dimension, option in self.picks if dimension.name == name), None)


@dataclass(frozen=True, slots=True)
class Space:
    """Everything that is searched.

    Attributes:
        base: The design that candidates are made of, its stated sizes given up.
        parts: Kits whose drives and protection are chosen, and platforms that come whole.
        released: Paths of the sizes that were given up.
        left_out: Candidates of the catalogue that are not tried, with the reason.
    """

    base: Scenario
    parts: tuple[Part, ...]
    released: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def count(self) -> int:
        """How many designs there are."""
        return sum(part.count for part in self.parts)

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """All dimensions, with the options of all parts."""
        found: dict[str, Dimension] = {}
        for part in self.parts:
            for dimension in part.dimensions:
                held = found.get(dimension.name)
                options = {o.key: o for o in (*(held.options if held else ()), *dimension.options)}
                found[dimension.name] = Dimension(dimension.name, dimension.label, tuple(options.values()))
        return tuple(found.values())

    def scenario(self, candidate: Candidate) -> Scenario:
        """The design of a candidate, checked as a whole.

        Raises:
            PlannerError: Its values do not go together.
        """
        return scenario_from_dict(nest({**flatten(self.base), **candidate.edits}))
