"""What a column of a data file holds, declared on the attribute that it fills.

A row type is a frozen dataclass whose attributes are annotated with what the functions here return:
`Annotated[Quantity, figure("capacity_tb", TB, …)]` says which column fills the attribute, in which of
people's units the file has it, and what is plausible there. `planner.catalogue.reading` does the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from planner.core.errors import nearest, shorten
from planner.core.quantity import Quantity, given
from planner.core.units import (
    DAY_S,
    GB,
    GBIT_PER_S,
    HOUR_S,
    KB,
    KW,
    MB,
    MINUTE_S,
    PB,
    TB,
    UNITS,
    US,
    YEAR_S,
    unit_of_name,
)

_NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_WHOLE = re.compile(r"\d{1,9}")
_LIST_MARK = ";"

READ_UNITS: dict[str, tuple[str, float]] = {
    **{key: (key, 1.0) for key in UNITS},
    "percent": ("fraction", 0.01),
    "ratio": ("1", 1.0),
    "raw/usable": ("1", 1.0),
    "oversubscription": ("1", 1.0),
    "KB": ("bytes", KB),
    "MB": ("bytes", MB),
    "GB": ("bytes", GB),
    "TB": ("bytes", TB),
    "GB/s": ("bytes/s", GB),
    "Gb/s": ("bytes/s", GBIT_PER_S),
    "Tb/s": ("bytes/s", 1e3 * GBIT_PER_S),
    "TB/day": ("bytes/day", TB),
    "PB/year": ("bytes/year", PB),
    "us": ("s", US),
    "min": ("s", MINUTE_S),
    "h": ("s", HOUR_S),
    "days": ("s", DAY_S),
    "years": ("s", YEAR_S),
    "kW": ("W", KW),
    "kVA": ("VA", 1e3),
    "C": ("°C", 1.0),
    "mm": ("m", 1e-3),
}
"""Units that a row may name in a cell of its own, with the planner's unit and the factor to it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell with what a parser needs to know about its row.

    Attributes:
        value: Text of the cell, never empty.
        column: Name of its column.
        attribute: Name of the attribute that it fills.
        row: All cells of the row by column.
        source: Expanded source of the row, with file and id.
        grade: How well this cell is known.
    """

    value: str
    column: str
    attribute: str
    row: Mapping[str, str]
    source: str
    grade: str


@dataclass(frozen=True, slots=True)
class Column:
    """Column of a file: its name, how a cell of it is read, and what an empty one means.

    Attributes:
        name: Name in the header.
        parse: Reads a cell that is not empty.
        required: Whether a row without it is refused.
        empty: What an empty cell gives.
        form: What a cell holds: "text", "id", "choice", "words", "flag", "whole", "figure".
        label: What a figure is called where it is shown; empty for the others.
        known: Words that are allowed; empty for any.
        low: Smallest plausible number in the file's unit; None for no number or any.
        high: Largest plausible number, likewise.
    """

    name: str
    parse: Callable[[Cell], object]
    required: bool = False
    empty: object = None
    form: str = "text"
    label: str = ""
    known: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Derived:
    """Attribute that is worked out from the row's other attributes when the row is built."""

    make: Callable[[Mapping[str, Any]], object]


_MARKS: dict[type[object], dict[str, object]] = {}
"""What each row type declares, kept because working it out takes longer than reading a row."""


def columns_of(row_type: type[object]) -> dict[str, Column]:
    """Columns of a row type by the attribute that each fills, in the order of declaration."""
    return {name: mark for name, mark in _marks(row_type).items() if isinstance(mark, Column)}


def derived_of(row_type: type[object]) -> dict[str, Derived]:
    """Attributes of a row type that are worked out from the others."""
    return {name: mark for name, mark in _marks(row_type).items() if isinstance(mark, Derived)}


def _marks(row_type: type[object]) -> dict[str, object]:
    """What the attributes of a row type are annotated with."""
    if row_type in _MARKS:
        return _MARKS[row_type]
    hints = get_type_hints(row_type, include_extras=True)
    marks = {name: getattr(hint, "__metadata__", (None,))[0] for name, hint in hints.items()}
    bare = [name for name, mark in marks.items() if not isinstance(mark, Column | Derived)]
    if bare:
        raise TypeError(f"{row_type.__name__}.{bare[0]} does not say what fills it")
    _MARKS[row_type] = marks
    return marks


def derived(make: Callable[[Mapping[str, Any]], object]) -> Derived:
    """An attribute computed by `make` from the attributes that the columns filled."""
    return Derived(make)


def text(name: str, *, required: bool = False) -> Column:
    """A column of words; an empty cell is an empty string."""
    return Column(name, lambda cell: cell.value, required, "")


def identifier(name: str = "id") -> Column:
    """A column of ids: printable, without blanks, at most 60 characters."""

    def parse(cell: Cell) -> str:
        """The cell's text, if it is an id."""
        if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,59}", cell.value) is None:
            raise ValueError(f"“{shorten(cell.value)}” is not an id of letters, digits and . + _ -")
        return cell.value

    return Column(name, parse, required=True, form="id")


def choice(name: str, known: tuple[str, ...], *, required: bool = False) -> Column:
    """A column that holds one of the `known` words."""

    def parse(cell: Cell) -> str:
        """The cell's word, if it is a known one."""
        if cell.value not in known:
            hint = nearest(cell.value, known)
            raise ValueError(f"“{shorten(cell.value)}” is none of {', '.join(known)}{hint}")
        return cell.value

    return Column(name, parse, required, "", "choice", known=tuple(word for word in known if word))


def words(name: str, known: tuple[str, ...] = ()) -> Column:
    """A column of words parted by semicolons, as a tuple; restricted to `known` if that is given."""

    def parse(cell: Cell) -> tuple[str, ...]:
        """The cell's words in their order."""
        found = tuple(part.strip() for part in cell.value.split(_LIST_MARK))
        if "" in found or len(set(found)) != len(found):
            raise ValueError(f"“{shorten(cell.value)}” has an empty or repeated part")
        for part in found:
            if known and part not in known:
                raise ValueError(f"“{shorten(part)}” is none of {', '.join(known)}{nearest(part, known)}")
        return found

    return Column(name, parse, empty=(), form="words", known=known)


def flag(name: str, *, required: bool = False) -> Column:
    """A column of yes or no; an empty cell is None, which means that nobody said."""

    def parse(cell: Cell) -> bool:
        """Whether the cell says yes."""
        if cell.value not in ("yes", "no"):
            raise ValueError(f"“{shorten(cell.value)}” is neither yes nor no")
        return cell.value == "yes"

    return Column(name, parse, required, form="flag", known=("yes", "no"))


def whole(name: str, *, low: int, high: int, required: bool = False) -> Column:
    """A column of whole numbers that name a thing, like a PCIe generation."""

    def parse(cell: Cell) -> int:
        """The cell's whole number, if it is plausible."""
        if _WHOLE.fullmatch(cell.value) is None:
            raise ValueError(f"“{shorten(cell.value)}” is not a whole number")
        _check_range(int(cell.value), low, high)
        return int(cell.value)

    return Column(name, parse, required, form="whole", low=low, high=high)


def figure(
    name: str,
    factor: float,
    label: str,
    *,
    low: float,
    high: float,
    unit: str = "",
    required: bool = False,
    grade: str = "",
) -> Column:
    """A column of numbers, read as a quantity in the planner's unit.

    Args:
        name: Name of the column; it ends in people's unit.
        factor: Planner's units in one of the column's.
        label: What the figure is called where it is shown.
        low: Smallest plausible number in the file's unit.
        high: Largest plausible number in the file's unit.
        unit: Planner's unit; taken from the end of the attribute's name if not given.
        required: Whether a row without it is refused.
        grade: Grade of every cell of the column, if it is not the row's.
    """

    def parse(cell: Cell) -> Quantity:
        """The cell's number in the planner's unit, with the source and grade of its row."""
        number = read_number(cell.value)
        _check_range(number, low, high, rate=name.endswith("_per_s"))
        known = unit or unit_of_name(cell.attribute)
        if not known:
            raise TypeError(f"{cell.attribute} ends in no unit")
        if known == "count" and not (number * factor).is_integer():
            raise ValueError(f"{number:g} is not a whole number; the nearest is {round(number)}")
        return given(number * factor, known, label, source=cell.source, grade=grade or cell.grade)

    return Column(name, parse, required, None, "figure", label, (), low, high)


def measure(name: str, label: str, *, unit_column: str = "unit", label_column: str = "") -> Column:
    """A column of numbers whose unit stands in another cell of the row.

    Args:
        name: Name of the column.
        label: What the figure is called; what stands in `label_column` is put before it.
        unit_column: Column that holds the unit, one of `READ_UNITS`. A unit that is not in it is kept
            as a plain number with the unit in its label.
        label_column: Column that says what is measured.
    """

    def parse(cell: Cell) -> Quantity:
        """The cell's number in the unit that its row names, with its row's source and grade."""
        number = read_number(cell.value)
        written = cell.row[unit_column]
        unit, factor = READ_UNITS.get(written, ("count", 1.0))
        subject = cell.row[label_column] if label_column else ""
        parts = [part for part in (subject, label) if part]
        told = ", ".join(parts) if written in READ_UNITS or not written else f"{', '.join(parts)} ({written})"
        return given(number * factor, unit, told, source=cell.source, grade=cell.grade)

    return Column(name, parse)


def plain(name: str) -> Column:
    """A column of numbers kept as printed, without a unit; an empty cell is None."""
    return Column(name, lambda cell: read_number(cell.value))


def read_number(written: str) -> float:
    """The number in a cell.

    Raises:
        ValueError: It is not one plain decimal number.
    """
    if _NUMBER.fullmatch(written) is None:
        raise ValueError(f"“{shorten(written)}” is not a number")
    return float(written)


def _check_range(number: float, low: float, high: float, *, rate: bool = False) -> None:
    if not low <= number <= high:
        hint = _nearest_number(number, low, high, rate=rate)
        raise ValueError(f"{number:g} is outside the plausible range {low:g} to {high:g}{hint}")


def _nearest_number(number: float, low: float, high: float, *, rate: bool) -> str:
    """What was meant: the same figure in the next unit up or down if that is plausible, else the closer end.

    A rate may have been stated in bits.
    """
    for factor in (1e-3, 1e3, 0.125, 8) if rate else (1e-3, 1e3):
        if low <= number * factor <= high:
            return f"; did you mean {number * factor:g}, in the column's unit?"
    return f"; the nearest is {low if number < low else high:g}"
