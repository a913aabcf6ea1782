"""The designs of a sweep: which inputs vary, over which values, checked before any work starts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.catalogue import Catalogue
from planner.core.errors import PlannerError, must_be, nearest, shorten
from planner.core.units import format_number
from planner.inputs import Input, flatten, inputs_for, nest
from planner.scenario import Scenario
from planner.scenario_json import InputError, must_be_scenario, scenario_from_dict

MOST_DESIGNS = 2_000_000
"""Designs of one sweep: what a table of them takes stays below 2 GB."""
NUMBERS = ("number", "count")


@dataclass(frozen=True, slots=True)
class Axis:
    """One input and the values that it takes.

    Attributes:
        entry: The input.
        values: Its values in their order; None is AUTO.
    """

    entry: Input
    values: tuple[Any, ...]

    @property
    def path(self) -> str:
        """Path of the input in the scenario."""
        return self.entry.path

    def followed(self, place: int) -> bool:
        """Whether the value at a place is a number that a calculation can follow."""
        return self.entry.kind in NUMBERS and self.values[place] is not None

    def numbers(self) -> Any:
        """The values as an array: numbers with NaN for AUTO, or whatever they are."""
        if self.entry.kind not in NUMBERS:
            return np.array(self.values, dtype=object)
        return np.array([np.nan if value is None else value for value in self.values], dtype=np.float64)

    def groups(self) -> list[Group]:
        """Values that one calculation can follow: all numbers together, any other value alone."""
        if self.entry.kind in NUMBERS and None not in self.values:
            everywhere = np.arange(len(self.values))
            return [Group(self.path, everywhere, None, np.array(self.values, dtype=np.float64))]
        alone: dict[Any, list[int]] = {}
        numbers: list[int] = []
        for place, value in enumerate(self.values):
            if self.followed(place):
                numbers.append(place)
            else:
                alone.setdefault(value, []).append(place)
        found = [Group(self.path, np.array(places), value, None) for value, places in alone.items()]
        if numbers:
            followed = np.array([float(self.values[place]) for place in numbers])
            found.append(Group(self.path, np.array(numbers), None, followed))
        return found


@dataclass(frozen=True, slots=True)
class Group:
    """Places on an axis that are computed together.

    Attributes:
        path: Path of the input.
        places: Where on the axis they are.
        value: The value at all of them, where it is not followed as a number.
        numbers: The number at each place; None where the value is one word, or AUTO.
    """

    path: str
    places: NDArray[np.intp]
    value: Any
    numbers: NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class Space:
    """All designs of a sweep, the last axis changing fastest."""

    axes: tuple[Axis, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Values on each axis."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def count(self) -> int:
        """How many designs there are."""
        return math.prod(self.shape)

    def parts(self) -> Iterator[Part]:
        """The designs in parts that one calculation can follow."""
        for groups in itertools.product(*(axis.groups() for axis in self.axes)):
            yield Part(self.shape, groups)

    def column(self, axis: int) -> Any:
        """The values of one axis, design by design."""
        inner = math.prod(self.shape[axis + 1 :])
        return np.tile(np.repeat(self.axes[axis].numbers(), inner), math.prod(self.shape[:axis]))


def pieces(count: int, rows: int, *, first: int) -> Iterator[tuple[int, int]]:
    """So many designs in pieces, each twice as long as the one before it until they have their full length."""
    start, length = 0, min(first, rows)
    while start < count:
        yield start, min(start + length, count)
        start, length = start + length, min(2 * length, rows)


@dataclass(frozen=True, slots=True)
class Part:
    """Designs of a sweep that differ in numbers alone."""

    shape: tuple[int, ...]
    groups: tuple[Group, ...]

    @property
    def count(self) -> int:
        """How many designs there are."""
        return math.prod(len(group.places) for group in self.groups)

    def blocks(self, rows: int, *, first: int) -> Iterator[tuple[Part, int, int]]:
        """The same designs in pieces of so many: the part, the first of a piece, and the first after it."""
        for start, stop in pieces(self.count, rows, first=first):
            yield self, start, stop

    @property
    def fixed(self) -> dict[str, Any]:
        """Values that are the same in all of them, by path."""
        return {group.path: group.value for group in self.groups if group.numbers is None}

    @property
    def paths(self) -> tuple[str, ...]:
        """Inputs that vary."""
        return tuple(group.path for group in self.groups if group.numbers is not None)

    def rows(self, start: int, stop: int) -> tuple[NDArray[np.intp], dict[str, NDArray[np.float64]]]:
        """Some of the designs: where they stand in the table, and the numbers of the inputs that vary."""
        steps = np.unravel_index(np.arange(start, stop), [len(group.places) for group in self.groups])
        places = np.ravel_multi_index(
            [group.places[step] for group, step in zip(self.groups, steps, strict=True)], self.shape
        )
        numbers = {
            group.path: group.numbers[step]
            for group, step in zip(self.groups, steps, strict=True)
            if group.numbers is not None
        }
        return places.astype(np.intp), numbers


@dataclass(frozen=True, slots=True)
class Rows:
    """Designs that are listed one by one and differ in numbers alone.

    Attributes:
        places: Where in the table they stand.
        fixed: Values that are the same in all of them, by path.
        numbers: The numbers of the inputs that vary.
    """

    places: NDArray[np.intp]
    fixed: dict[str, Any]
    numbers: dict[str, NDArray[np.float64]]

    @property
    def paths(self) -> tuple[str, ...]:
        """Inputs that vary."""
        return tuple(self.numbers)

    def blocks(self, rows: int, *, first: int) -> Iterator[tuple[Rows, int, int]]:
        """The same designs in pieces of so many, each by itself."""
        for start, stop in pieces(len(self.places), rows, first=first):
            places, numbers = self.rows(start, stop)
            yield Rows(places, self.fixed, numbers), 0, len(places)

    def rows(self, start: int, stop: int) -> tuple[NDArray[np.intp], dict[str, NDArray[np.float64]]]:
        """Some of the designs, as `Part.rows`."""
        return self.places[start:stop], {path: column[start:stop] for path, column in self.numbers.items()}


def listed(axes: Sequence[Axis]) -> Iterator[Rows]:
    """Designs whose values stand side by side on axes of one length, in parts that differ in numbers alone."""
    count = len(axes[0].values)
    kinds = np.zeros(count, dtype=np.intp)
    for groups in (axis.groups() for axis in axes):
        own = np.empty(count, dtype=np.intp)
        for place, group in enumerate(groups):
            own[group.places] = place
        kinds = np.unique(kinds * len(groups) + own, return_inverse=True)[1]
    columns = {axis.path: axis.numbers() for axis in axes}
    for kind in range(int(kinds.max()) + 1):
        places = np.flatnonzero(kinds == kind)
        first = int(places[0])
        alone = [axis for axis in axes if not axis.followed(first)]
        yield Rows(
            places,
            {axis.path: axis.values[first] for axis in alone},
            {axis.path: columns[axis.path][places] for axis in axes if axis not in alone},
        )


def space_of(scenario: Scenario, axes: Mapping[str, Sequence[Any]], catalogue: Catalogue) -> Space:
    """The designs that the axes span around a scenario.

    Raises:
        PlannerError: An axis names no input, is empty, holds a value that the input may not have, or the axes
            span more designs than one sweep computes.
    """
    space = Space(_axes(scenario, axes))
    _limit(space)
    for axis in space.axes:
        _check(scenario, axis, catalogue)
    return space


def side_by_side(
    scenario: Scenario, columns: Mapping[str, Sequence[Any]], catalogue: Catalogue
) -> tuple[Axis, ...]:
    """The inputs that vary from design to design, each with a value for every design.

    Raises:
        PlannerError: As `space_of`, or the columns are not of one length.
    """
    axes = _axes(scenario, columns)
    count = len(axes[0].values)
    for axis in axes:
        if len(axis.values) != count:
            raise PlannerError(
                f"{axis.path}: the column has {len(axis.values)} values, {axes[0].path} has {count}; each design "
                "needs one of both",
                field=axis.path,
            )
    if count > MOST_DESIGNS:
        raise PlannerError(
            f"{format_number(count, None)} designs are more than one table holds; give at most "
            f"{format_number(MOST_DESIGNS, None)}",
            field=axes[0].path,
        )
    for axis in axes:
        _check(scenario, axis, catalogue)
    return axes


def range_around(entry: Input, today: object) -> tuple[float, float]:
    """A first range for an axis: from a quarter to four times today's value, inside what is allowed.

    Args:
        entry: A numeric input.
        today: Its value in the design; without a number above zero, the least that is allowed.

    Returns:
        Both ends in the unit of the input, to three digits; whole for a count.
    """
    least = max(entry.low or 1.0, 1.0)
    middle = float(today) if isinstance(today, int | float) and today > 0 else least
    ends = []
    for end in (middle / 4, middle * 4):
        plain = float(f"{end:.3g}")
        inside = min(max(plain, entry.low or plain), entry.high or plain)
        ends.append(float(max(1, round(inside))) if entry.kind == "count" else inside)
    return ends[0], ends[1]


def must_tell(progress: object) -> None:
    """Refuse what cannot be told how far the work is.

    Raises:
        PlannerError: It is given and cannot be called.
    """
    if progress is not None and not callable(progress):
        raise PlannerError(
            f"progress: “{shorten(progress)}” ({type(progress).__name__}) is not allowed; give a function of how many "
            "are done and of how many",
            field="progress",
        )


def _axes(scenario: Scenario, axes: Mapping[str, Sequence[Any]]) -> tuple[Axis, ...]:
    must_be_scenario(scenario)
    must_be(axes, Mapping, field="axes", form="values by the path of an input")
    if not axes:
        raise PlannerError("a sweep needs an axis: the path of an input and its values")
    known = {item.path: item for item in inputs_for(len(scenario.jobs))}
    for path in axes:
        if path not in known:
            raise PlannerError(f"no input “{shorten(path)}”{nearest(str(path), known)}", field=str(path))
    return tuple(Axis(known[path], listed_values(path, values)) for path, values in axes.items())


def listed_values(path: str, values: Sequence[Any], *, what: str = "axis") -> tuple[Any, ...]:
    """Values that an input is to take, as they are given in a list, an array or a column.

    Args:
        path: Path of the input, or name of what is chosen.
        values: Numbers, words, flags; None is AUTO.
        what: What the values are of, in words.

    Raises:
        PlannerError: They are no list, there is none, or one is no value that an input can have.
    """
    if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__iter__"):
        raise PlannerError(f"{path}: its values are a list, not “{shorten(values)}”", field=path)
    column: Any = values
    whole = isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "fi"
    listed = (
        tuple(column.tolist())  # samples are columns of hundreds of thousands of numbers
        if whole
        else tuple(value.item() if isinstance(value, np.generic) else value for value in values)
    )
    if not listed:
        raise PlannerError(f"{path}: the {what} is empty; give it at least one value", field=path)
    if whole:
        return listed
    for value in listed:
        if not (value is None or isinstance(value, str | int | float)):
            raise PlannerError(f"{path}: “{shorten(value)}” is no value of an input", field=path)
    return listed


def _limit(space: Space) -> None:
    if space.count <= MOST_DESIGNS:
        return
    longest = max(space.axes, key=lambda axis: len(axis.values))
    count = len(longest.values)
    room = MOST_DESIGNS // (space.count // count)
    words = " × ".join(format_number(length, None) for length in space.shape)
    advice = (
        f"give {longest.path} at most {format_number(room, None)} values instead of {format_number(count, None)}"
        if room
        else f"leave out an axis, or shorten {longest.path} and the others"
    )
    raise PlannerError(
        f"{words} are {format_number(space.count, None)} designs; one sweep computes at most "
        f"{format_number(MOST_DESIGNS, None)}: {advice}",
        field=longest.path,
    )


def _check(scenario: Scenario, axis: Axis, catalogue: Catalogue) -> None:
    """Refuse the first value that the input may not have, in the words in which a scenario refuses it."""
    entry = axis.entry
    if entry.kind in NUMBERS and _within(entry, axis.values):
        return
    for value in dict.fromkeys(axis.values):
        if not _plainly_allowed(entry, value):
            _refuse(scenario, entry, value)
        if entry.catalogue and isinstance(value, str):
            catalogue.find(entry.catalogue, value, field=entry.path)


def _within(entry: Input, values: tuple[Any, ...]) -> bool:
    """Whether all values are numbers that are certainly allowed."""
    if not set(map(type, values)) <= {float, int}:
        return False
    numbers = np.array(values, dtype=np.float64)
    ends = (float(numbers.min()), float(numbers.max()))
    whole = entry.kind == "number" or bool((numbers == np.floor(numbers)).all())
    return whole and all(_plainly_allowed(entry, end) for end in ends)


def _plainly_allowed(entry: Input, value: Any) -> bool:
    """Whether a value is certainly allowed; what is not goes through the scenario's own check."""
    if value is None:
        return entry.auto
    if entry.kind not in NUMBERS:
        return False
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    inside = (entry.low is None or value >= entry.low) and (entry.high is None or value <= entry.high)
    return inside and (entry.kind != "count" or value == int(value))


def _refuse(scenario: Scenario, entry: Input, value: Any) -> None:
    """Raise what the scenario says of the value; nothing if it is allowed.

    Raises:
        PlannerError: The value is not allowed at this input.
    """
    try:
        scenario_from_dict(nest({**flatten(scenario), entry.path: value}))
    except InputError as error:
        for path, line in error.errors:
            if path == entry.path:
                raise PlannerError(line, field=path) from None
