"""Published cases: rows of `data/published`, each a figure that somebody printed with what it was made from."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from planner.catalogue import Row, default_folder, read_rows
from planner.catalogue.columns import Cell, Column, choice, text
from planner.core.errors import PlannerError, nearest
from planner.core.units import parse_value

ORIGINS = ("published", "derived", "independent")
"""Printed in the source; follows from figures printed there; worked out a second way, by another route."""
ORIGIN_WORDS = {
    "published": ("is printed in its source", "are printed in their source"),
    "derived": ("follows from figures printed there", "follow from figures printed there"),
    "independent": ("was worked out a second way", "were worked out a second way"),
}
"""How one value of an origin, and how several, came about."""
_BETWEEN_INPUTS, _BETWEEN_VALUES, _EQUALS = ";", ", ", "="


def _pairs(name: str) -> Column:
    """A column of `name=value` pairs parted by semicolons, in their order."""

    def parse(cell: Cell) -> Mapping[str, str]:
        """The cell's values by name."""
        pairs: dict[str, str] = {}
        for part in cell.value.split(_BETWEEN_INPUTS):
            key, equals, value = (piece.strip() for piece in part.partition(_EQUALS))
            if not (key and equals and value) or key in pairs:
                raise ValueError(f"“{part.strip()}” is not a name, an equals sign and a value, once each")
            pairs[key] = value
        return pairs

    return Column(name, parse, required=True)


def _values(name: str) -> Column:
    """A column of one value with its unit, or of several parted by a comma and a blank."""
    return Column(name, lambda cell: tuple(cell.value.split(_BETWEEN_VALUES)), required=True)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a result may lie from the published value; the wider of the two counts.

    Attributes:
        relative_fraction: Allowed difference as a share of the published value.
        absolute: Allowed difference as it is written, with its unit; "0" if there is none.
    """

    relative_fraction: float = 0.0
    absolute: str = "0"


ROUNDING_FRACTION = 1e-12
"""What "exact" leaves for the rounding of floating-point numbers."""


def _tolerance(name: str) -> Column:
    """A column that reads "exact", "rel 0.001" or "abs 0.05 min"."""

    def parse(cell: Cell) -> Tolerance:
        """The tolerance that the cell's words state."""
        kind, _, size = cell.value.partition(" ")
        if kind == "exact" and not size:
            return Tolerance(ROUNDING_FRACTION)
        if kind == "rel" and size:
            return Tolerance(float(size))
        if kind == "abs" and size:
            return Tolerance(ROUNDING_FRACTION, size)
        raise ValueError(f"“{cell.value}” is none of exact, rel NUMBER, abs NUMBER UNIT")

    return Column(name, parse, required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case(Row):
    """One published figure with its inputs.

    Attributes:
        origin: One of `ORIGINS`.
        quantity: What the figure is of.
        method: Name of the calculation in `planner.published.subjects`; empty if no formula answers it yet,
            and then the notes say why.
        inputs: Inputs as written, by name.
        published: Published value or values as written.
        tolerance: How far a result may lie from them.
    """

    origin: Annotated[str, choice("origin", ORIGINS, required=True)]
    quantity: Annotated[str, text("quantity", required=True)]
    method: Annotated[str, text("method")]
    inputs: Annotated[Mapping[str, str], _pairs("inputs")]
    published: Annotated[tuple[str, ...], _values("published")]
    tolerance: Annotated[Tolerance, _tolerance("tolerance")]

    def read(self, name: str, unit: str = "count") -> float:
        """The input of that name in the planner's unit.

        Raises:
            PlannerError: There is no such input, or it is not a number in a scale of the unit.
        """
        return parse_value(self._written(name), unit, field=f"{self.id} {name}")

    def several(self, name: str, unit: str = "count") -> list[float]:
        """The values of an input that lists several, in the planner's unit.

        Raises:
            PlannerError: As `read`.
        """
        return [
            parse_value(value, unit, field=f"{self.id} {name}")
            for value in self._written(name).split(_BETWEEN_VALUES)
        ]

    def expected(self, unit: str) -> tuple[float, ...]:
        """The published values in the planner's unit.

        Raises:
            PlannerError: One is not a number in a scale of the unit.
        """
        return tuple(parse_value(value, unit, field=f"{self.id} published") for value in self.published)

    def inputs_text(self) -> str:
        """The inputs as a reader sees them: "GPUs = 256, price = 3 $/h"."""
        return "; ".join(f"{name} = {value}" for name, value in self.inputs.items())

    def _written(self, name: str) -> str:
        if name not in self.inputs:
            raise PlannerError(f"{self.id}: there is no input {name}{nearest(name, self.inputs)}", field=name)
        return self.inputs[name]


def folder() -> Path:
    """Where the published cases lie."""
    return default_folder() / "published"


@functools.lru_cache(maxsize=1)
def cases_by_file() -> Mapping[str, Mapping[str, Case]]:
    """All cases by file and id.

    Raises:
        PlannerError: A row is not as declared, or an id is there twice; the line names file and line.
    """
    files = {
        path.name: read_rows(Case, path.read_text(encoding="utf-8"), file=f"published/{path.name}")
        for path in sorted(folder().glob("*.csv"))
    }
    seen: dict[str, str] = {}
    for name, rows in files.items():
        for case_id in rows:
            if case_id in seen:
                raise PlannerError(f"published/{name}: “{case_id}” is in {seen[case_id]} too", field="id")
            seen[case_id] = name
    return files


def cases() -> dict[str, Case]:
    """All cases by id, file after file."""
    return {case_id: case for rows in cases_by_file().values() for case_id, case in rows.items()}


def not_covered() -> tuple[Case, ...]:
    """Cases that no formula answers yet."""
    return tuple(case for case in cases().values() if not case.method)
