"""Reading of a data file: strict, and every refusal names file, line and column."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, TypeVar

from planner.catalogue.columns import Cell, Column, columns_of, derived_of, identifier, text, words
from planner.core.errors import PlannerError, nearest, shorten

GRADES = ("seen", "inferred", "from memory", "class assumption", "guide")
LAST_COLUMNS = ("source", "confidence", "as_of")
_UNVERIFIED = "unverified_fields"
_DAY_PARTS = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")
_NOT_FIGURES = frozenset({"id", "notes", _UNVERIFIED, *LAST_COLUMNS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What every row of the catalogue has.

    Attributes:
        id: Key of the row inside its kind.
        notes: Short remarks: conflicts between sources, conditions of a figure.
        unverified: Columns whose cells are from memory although the row is not; "all" for every one.
        source: Where the row comes from, expanded.
        grade: How well the row is known, one of `GRADES`.
        as_of: Date or month of the source, or "undated".
    """

    id: Annotated[str, identifier()]
    notes: Annotated[str, text("notes")]
    unverified: Annotated[tuple[str, ...], words(_UNVERIFIED)]
    source: Annotated[str, text("source", required=True)]
    grade: Annotated[str, text("confidence", required=True)]
    as_of: Annotated[str, text("as_of", required=True)]


R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class Place:
    """A spot in a data file, for error lines."""

    file: str
    line: int
    column: str = ""

    def refusal(self, reason: str) -> PlannerError:
        """The error line for this place."""
        column = f" {self.column}" if self.column else ""
        return PlannerError(f"{self.file}:{self.line}{column}: {reason}", field=self.column)


def read_table(content: str, *, file: str) -> list[tuple[int, dict[str, str]]]:
    """Rows of a CSV text as line number and cells by column.

    Raises:
        PlannerError: No header, a repeated column, or a row with too many or too few cells.
    """
    reader = csv.reader(io.StringIO(content), strict=True)
    try:
        header = next(reader, [])
        if not header:
            raise Place(file, 1).refusal("the file is empty; its first line names the columns")
        repeated = sorted({name for name in header if header.count(name) > 1})
        if repeated:
            raise Place(file, 1, repeated[0]).refusal("the column is there twice")
        rows = []
        for cells in reader:
            if len(cells) != len(header):
                reason = f"{len(cells)} cells where the header has {len(header)} columns"
                raise Place(file, reader.line_num).refusal(reason)
            rows.append((reader.line_num, dict(zip(header, (cell.strip() for cell in cells), strict=True))))
    except csv.Error as error:
        raise Place(file, reader.line_num).refusal(f"not readable as CSV: {error}") from None
    return rows


def read_rows(
    row_type: type[R], content: str, *, file: str, sources: Mapping[str, str] | None = None
) -> dict[str, R]:
    """All rows of a file by id, in its order.

    Args:
        row_type: Dataclass whose fields declare the columns.
        content: Text of the file.
        file: Name of the file for error lines and sources.
        sources: Expansion of each source key; None takes what stands in the cell as the source itself.

    Raises:
        PlannerError: Something in the file is not as declared; the line names file, line and column.
    """
    _check_header(row_type, content, file)
    rows: dict[str, R] = {}
    for line, cells in read_table(content, file=file):
        row = read_row(row_type, cells, place=Place(file, line), sources=sources)
        if row.id in rows:
            raise Place(file, line, "id").refusal(f"“{row.id}” is there twice")
        rows[row.id] = row
    return rows


def read_row(
    row_type: type[R], cells: Mapping[str, str], *, place: Place, sources: Mapping[str, str] | None = None
) -> R:
    """One row from its cells by column; also the way in for a row that a user typed.

    Raises:
        PlannerError: A cell is not as declared, a required one is empty, or a column is unknown.
    """
    columns = columns_of(row_type)
    _check_names(cells, {column.name for column in columns.values()}, place)
    source = _source(cells, place, sources)
    values: dict[str, Any] = {}
    for attribute, column in columns.items():
        spot = Place(place.file, place.line, column.name)
        written = cells.get(column.name, "")
        if not written and column.required:
            raise spot.refusal("the cell is empty; this column must be filled in every row")
        grade = _grade(cells, column)
        told = f"{source} ({place.file} {cells['id']})"
        cell = Cell(written, column.name, attribute, cells, told, grade)
        try:
            values[attribute] = column.parse(cell) if written else column.empty
        except ValueError as error:
            raise spot.refusal(str(error)) from None
    values["source"] = source
    values |= {name: attribute.make(values) for name, attribute in derived_of(row_type).items()}
    return row_type(**values)


def _check_header(row_type: type[Row], content: str, file: str) -> None:
    header = next(csv.reader(io.StringIO(content)), [])
    place = Place(file, 1)
    if not header:
        raise place.refusal("the file is empty; its first line names the columns")
    known = {column.name for column in columns_of(row_type).values()}
    _check_names(dict.fromkeys(header, ""), known, place)
    missing = sorted(known - set(header))
    if missing:
        raise Place(file, 1, missing[0]).refusal("the column is missing")
    if header[0] != "id" or tuple(header[-3:]) != LAST_COLUMNS:
        raise place.refusal(f"id must be the first column and {', '.join(LAST_COLUMNS)} the last three")


def _check_names(cells: Mapping[str, str], known: set[str], place: Place) -> None:
    for name in cells:
        if name not in known:
            hint = nearest(name, known)
            raise Place(place.file, place.line, shorten(name)).refusal(f"the column is not known{hint}")
    unverified = [part.strip() for part in cells.get(_UNVERIFIED, "").split(";") if part.strip()]
    for name in unverified:
        if name != "all" and name not in known - _NOT_FIGURES:
            spot = Place(place.file, place.line, _UNVERIFIED)
            raise spot.refusal(f"“{shorten(name)}” is no column{nearest(name, known)}")


def _source(cells: Mapping[str, str], place: Place, sources: Mapping[str, str] | None) -> str:
    """Source of a row in words, once its grade, its date and its keys are found to be right."""
    written, confidence, as_of = (cells.get(name, "") for name in LAST_COLUMNS)
    if not written:
        raise Place(place.file, place.line, "source").refusal("the source is missing")
    if confidence not in GRADES:
        hint = nearest(confidence, GRADES)
        spot = Place(place.file, place.line, "confidence")
        raise spot.refusal(f"“{shorten(confidence)}” is none of {', '.join(GRADES)}{hint}")
    if not _is_date(as_of):
        spot = Place(place.file, place.line, "as_of")
        raise spot.refusal(f"“{shorten(as_of)}” is no date like 2026-09-22, 2026-09 or 2026, nor “undated”")
    if sources is None:
        return written
    keys = [key.strip() for key in written.split(";")]
    for key in keys:
        if key not in sources:
            spot = Place(place.file, place.line, "source")
            raise spot.refusal(f"“{shorten(key)}” is not in sources.csv{nearest(key, sources)}")
    return "; ".join(sources[key] for key in keys)


def _is_date(written: str) -> bool:
    """Whether it is a year, a month or a day that there is, two of them as "from..to", or "undated"."""
    ends = written.split("..")
    if written == "undated":
        return True
    if len(ends) > 2 or not all(map(_is_day, ends)):
        return False
    shared = min(map(len, ends))
    return ends[0][:shared] <= ends[-1][:shared]


def _is_day(written: str) -> bool:
    if _DAY_PARTS.fullmatch(written) is None:
        return False
    try:
        date.fromisoformat(written + "-01" * (2 - written.count("-")))
    except ValueError:
        return False
    return True


def _grade(cells: Mapping[str, str], column: Column) -> str:
    """Grade of one cell: the row's, or "from memory" where the row says so of this column."""
    named = {part.strip() for part in cells.get(_UNVERIFIED, "").split(";")}
    confidence = cells["confidence"]
    if confidence in ("seen", "inferred") and named & {"all", column.name}:
        return "from memory"
    return confidence
