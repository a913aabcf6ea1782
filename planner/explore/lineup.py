"""Designs that differ in their drive and in numbers: one calculation followed with the drive's figures left open.

A drive enters the figures of a design by its own figures alone. Where all drives of some designs state the same
figures, one drive whose figures are open stands for them, and the formulas are applied to arrays. What is no figure
and differs between them (a form factor, a class of flash) is not on that drive at all: a calculation that asks for
it cannot be followed, and the designs are computed one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from planner.catalogue import Catalogue, Drive
from planner.core.quantity import Quantity, given
from planner.core.tracing import TraceError, Tracer
from planner.explore.designs import Table, same_figures
from planner.explore.ranking import Group, Sized, table_of
from planner.explore.space import Space
from planner.scenario import Scenario
from planner.sections.context import Context
from planner.sections.cost import parts_price_set
from planner.sections.drive_power import watts_of

DRIVE = "storage.hot.drive_id"
FEWEST = 3
"""So many groups that differ in their drive pay to be followed together."""
NAMES = ("id", "vendor", "name")
"""What texts alone say of a drive: that of the first stands for all."""
WATTS = ("active_write_w", "active_read_w", "max_w", "idle_w")
"""Figures that are those of a drive's class where its row has none, in the order of `watts_of`."""
RATED = ("read_bytes_per_s", "write_bytes_per_s", "endurance_dwpd", "warranty_s")
"""Figures that decide by being stated: a drive without one is not followed with those that have it."""


class OpenDrive(Drive):
    """A drive whose figures are open; what its drives do not share is not on it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse what differs between the drives.

        Raises:
            TraceError: Always: what is on the row is found before this is asked.
        """
        raise TraceError(f"{name} differs between the drives")


def lineups(groups: Iterable[Group], scenario: Scenario, catalogue: Catalogue) -> list[tuple[Group, ...]]:
    """Groups of a space that one calculation can stand for, in the order of the first of each."""
    found: dict[Any, list[Group]] = {}
    for group in groups:
        drive = catalogue.drives.get(group.fixed.get(DRIVE, ""))
        others = tuple((path, value) for path, value in group.fixed.items() if path != DRIVE)
        key: Any = (others, _kind(drive, scenario, catalogue)) if drive is not None else group.first
        found.setdefault(key, []).append(group)
    return [tuple(each) for each in found.values()]


def _kind(drive: Drive, scenario: Scenario, catalogue: Catalogue) -> tuple[Any, ...]:
    """What drives share that are followed together: the row of their price, and which of the ratings are stated."""
    prices = catalogue.price_sets.get(parts_price_set(scenario.prices.price_set_id))
    row = prices.price("drives", drive.id) if prices is not None else None
    return (row.id if row is not None else "", *(getattr(drive, name) is None for name in RATED))


def tables_of(space: Space, groups: tuple[Group, ...], catalogue: Catalogue) -> list[Table]:
    """The measures of groups that differ in their drive, one table for each group.

    One design of every drive is computed by itself as well, and must be the same; else all of them are.
    """
    if len(groups) < FEWEST:
        return [table_of(space, group, catalogue) for group in groups]
    try:
        found = _followed(space, groups, catalogue)
    except (TraceError, TypeError):
        found = None
    return found or [table_of(space, group, catalogue) for group in groups]


def _followed(space: Space, groups: tuple[Group, ...], catalogue: Catalogue) -> list[Table] | None:
    """The same by one calculation; None where it does not say what each drive's own design says."""
    designs = Lineup(space.base, catalogue, groups)
    whole = designs.table(designs.numbers, designs.count)
    for place in range(len(groups)):
        row = place * groups[0].count + place % groups[0].count
        alone = Table.empty(1)
        designs.plan_one(alone, 0, designs.changes(designs.numbers, row))
        failed = bool(whole.texts["reason"][row]), bool(alone.texts["reason"][0])
        if failed[0] != failed[1] or not same_figures(whole, row, alone):
            return None
    each = groups[0].count
    return [_rows(whole, slice(place * each, (place + 1) * each)) for place in range(len(groups))]


class Lineup(Sized):
    """Designs that differ in their drive and in numbers, by their measures."""

    def __init__(self, base: Scenario, catalogue: Catalogue, groups: tuple[Group, ...]) -> None:
        """Groups of one shape and one count."""
        first, each = groups[0], groups[0].count
        super().__init__(base, catalogue, first.fixed, first.numbers)
        self.count = each * len(groups)
        context = Context(base, catalogue)
        self._drives = [_complete(context, catalogue.drives[group.fixed[DRIVE]]) for group in groups]
        self._each = each
        self._own = frozenset(first.numbers)
        figures = _figures(self._drives)
        self.numbers = {path: np.tile(column, len(groups)) for path, column in first.numbers.items()}
        self.numbers |= {name: np.repeat(column, each) for name, column in figures.items()}
        for name in figures:
            self.tracer.inputs[name] = self.tracer.node(None, (name,))
        self.paths = tuple(self.numbers)
        drive = _open_drive(self._drives, figures, self.tracer)
        self._rows = replace(catalogue, drives={**catalogue.drives, drive.id: drive})

    @property
    def rows(self) -> Catalogue:
        """The catalogue that is followed: with the open drive in the place of the first."""
        return self._rows

    def changes(self, numbers: Mapping[str, NDArray[np.float64]], row: int) -> dict[str, Any]:
        """The open numbers of a row, and its drive."""
        own = {path: column for path, column in numbers.items() if path in self._own}
        return {**super().changes(own, row), DRIVE: self._drives[row // self._each].id}


def _complete(context: Context, drive: Drive) -> Drive:
    """A drive with the watts that the calculation takes for it."""
    watts: dict[str, Any] = dict(zip(WATTS, watts_of(context, drive), strict=True))
    return replace(drive, **watts)


def _figures(drives: list[Drive]) -> dict[str, NDArray[np.float64]]:
    """Figures that all drives state and in which they differ, one of each drive."""
    found = {}
    for name in (item.name for item in fields(Drive)):
        values = [getattr(drive, name) for drive in drives]
        if all(isinstance(value, Quantity) for value in values):
            column = np.array([value.number for value in values])
            if not (column == column[0]).all():
                found[name] = column
    return found


def _open_drive(drives: list[Drive], figures: Mapping[str, Any], tracer: Tracer) -> OpenDrive:
    """One drive for all of them."""
    drive, first = object.__new__(OpenDrive), drives[0]
    for name in (item.name for item in fields(Drive)):
        value = getattr(first, name)
        if name in figures:
            number: Any = tracer.inputs[name]
            value = given(number, value.unit, value.label, source=value.source, grade=value.grade)
        elif name not in NAMES and not isinstance(value, Quantity):
            if any(getattr(other, name) != value for other in drives):
                continue
        elif isinstance(value, Quantity) and any(getattr(other, name) is None for other in drives):
            continue
        object.__setattr__(drive, name, value)
    return drive


def _rows(table: Table, rows: slice) -> Table:
    """Some designs of a table."""
    return Table(
        {name: column[rows] for name, column in table.figures.items()},
        {name: column[rows] for name, column in table.texts.items()},
        table.words,
    )
