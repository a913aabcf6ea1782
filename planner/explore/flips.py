"""Flip points: the values of one input at which a choice changes, or what binds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.errors import PlannerError, must_be
from planner.explore.axes import NUMBERS, space_of
from planner.explore.designs import Designs, Table
from planner.scenario import Scenario

FLIPPING = (
    "transport",
    "architecture",
    "platform",
    "protection",
    "topology",
    "binding",
    "unit_binding",
    "file_system_binding",
    "object_binding",
    "save_binding",
    "interval_binding",
    "blockers",
)
"""Columns of a sweep whose changes are looked for."""
POINTS = 193
"""Values at which the range is looked at first: a choice that comes and goes between two of them is not seen."""
NEAR = 1e-9
"""How near a flip point is found, as a share of it; of one at 0, where no share ends the search, as a share of this."""
WIDE_RATIO = 10.0
"""A range over more than this is divided in ratios, not in differences."""


@dataclass(frozen=True, slots=True)
class FlipPoint:
    """Where a choice changes.

    Attributes:
        path: The input that is moved.
        choice: Column of a sweep: what changes there.
        below: Largest value found with the choice as it is before.
        above: Smallest value found with the choice as it is after; for a count the next one.
        before: The choice up to `below`.
        after: The choice from `above` on.
    """

    path: str
    choice: str
    below: float
    above: float
    before: str
    after: str


def flip_points(
    scenario: Scenario, path: str, low: float, high: float, *, catalogue: Catalogue | None = None
) -> tuple[FlipPoint, ...]:
    """Every value between two at which a choice of the plan changes, in the order of the values.

    Args:
        scenario: The design.
        path: A numeric input.
        low: Where the range begins.
        high: Where it ends.
        catalogue: The rows to choose from; the shipped ones if not given.

    Raises:
        PlannerError: There is no such input, it is no number, or the range leaves what is allowed or is empty.
    """
    rows = chosen_catalogue(catalogue)
    must_be(path, str, field="path", form="the path of an input")
    axis = space_of(scenario, {path: [low, high]}, rows).axes[0]
    if axis.entry.kind not in NUMBERS:
        raise PlannerError(f"{path}: flip points are looked for along a number, and this is none", field=path)
    if not low < high:
        raise PlannerError(f"{path}: the range from {low:g} to {high:g} is empty", field=path)
    line = Line(Designs(scenario, rows, {}, [path]), path, whole=axis.entry.kind == "count")
    values = line.spread(low, high)
    found, wide = [], list(_changes(path, values, line.table(values)))
    while wide:
        found += [point for point in wide if line.near(point)]
        wide = list(line.halved([point for point in wide if not line.near(point)]))
    return tuple(sorted(found, key=lambda point: (point.above, FLIPPING.index(point.choice))))


def _changes(path: str, values: NDArray[np.float64], table: Table) -> Iterator[FlipPoint]:
    """Changes from each value to the next."""
    for choice in FLIPPING:
        codes = table.texts[choice]
        for place in np.flatnonzero(codes[1:] != codes[:-1]).tolist():
            yield FlipPoint(
                path,
                choice,
                float(values[place]),
                float(values[place + 1]),
                table.text(choice, place),
                table.text(choice, place + 1),
            )


class Line:
    """The designs along one input."""

    def __init__(self, designs: Designs, path: str, *, whole: bool) -> None:
        """Designs with that input open; whole where it is a count."""
        self.designs = designs
        self.path = path
        self.whole = whole

    def table(self, values: NDArray[np.float64]) -> Table:
        """The designs at some values."""
        return self.designs.table({self.path: values}, len(values))

    def spread(self, low: float, high: float) -> NDArray[np.float64]:
        """Values over a range, its ends among them."""
        divide = np.geomspace if 0 < low * WIDE_RATIO <= high else np.linspace
        values = divide(low, high, POINTS)
        values[[0, -1]] = low, high
        return np.unique(np.rint(values) if self.whole else values)

    def near(self, point: FlipPoint) -> bool:
        """Whether nothing lies between the two values any more, or nothing that matters."""
        if self.whole:
            return point.above - point.below <= 1
        return point.above - point.below <= NEAR * max(abs(point.above), abs(point.below), NEAR)

    def halved(self, points: list[FlipPoint]) -> Iterator[FlipPoint]:
        """The half in which each change lies; both where there is a third choice between."""
        if not points:
            return
        middles = np.array([self.middle(point) for point in points])
        table = self.table(middles)
        for row, point in enumerate(points):
            middle, word = float(middles[row]), table.text(point.choice, row)
            if word != point.before:
                yield replace(point, above=middle, after=word)
            if word != point.after:
                yield replace(point, below=middle, before=word)

    def middle(self, point: FlipPoint) -> float:
        """A value between the two of a change, whole where the input is a count."""
        if 0 < point.below * WIDE_RATIO <= point.above:
            middle = (point.below * point.above) ** 0.5
        else:
            middle = (point.below + point.above) / 2
        return float(np.rint(middle)) if self.whole else middle
