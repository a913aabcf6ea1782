"""A customer's list of requirements as CSV: read line by line, and written back."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from planner.core.cells import as_text, as_written
from planner.core.errors import PlannerError, nearest, shorten
from planner.core.quantity import Quantity
from planner.core.units import UNITS, format_value, parse_value
from planner.review.anchors import KEY_FIGURES
from planner.review.requirements import LEVELS, MEASURES, Measure, Requirement

COLUMNS = ("id", "text", "result", "measure", "target", "level")
MAX_BYTES = 1_000_000
MAX_LINES = 1_000
_SIGNS: dict[str, Measure] = {
    "<=": "at most",
    "≤": "at most",
    ">=": "at least",
    "≥": "at least",
    "=": "equal to",
}


@dataclass(frozen=True, slots=True)
class RequirementList:
    """What a file says.

    Attributes:
        found: The requirements, in the order of the file.
        refused: A line for each that cannot be one, with its number in the file.
    """

    found: tuple[Requirement, ...]
    refused: tuple[str, ...]


def read_requirements(content: bytes, results: Mapping[str, Quantity]) -> RequirementList:
    """Read a list of requirements.

    Args:
        content: CSV in UTF-8 with a header: id, text, result, measure, target, level. Comma or semicolon.
        results: Results that a requirement can be bound to, by key; the target is read in the unit of its own.

    Returns:
        What was read, and why the other lines were not.

    Raises:
        PlannerError: It is too large, no text in UTF-8, or a column is missing.
    """
    rows = _rows(content)
    found: list[Requirement] = []
    refused: list[str] = []
    seen: set[str] = set()
    for number, row in rows:
        try:
            read = _requirement(row, results)
            if read.ref in seen:
                raise PlannerError(
                    f"id: “{shorten(read.ref)}” is in the file already; use another", field="id"
                )
        except PlannerError as error:
            refused.append(f"line {number}: {error.message}")
            continue
        seen.add(read.ref)
        found.append(read)
    return RequirementList(tuple(found), tuple(refused))


def requirements_csv(requirements: Sequence[Requirement], results: Mapping[str, Quantity]) -> str:
    """Requirements as a file that `read_requirements` takes; targets with their unit and all digits."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for item in requirements:
        row = (item.ref, item.text, item.result, item.measure, target_text(item, results), item.level)
        writer.writerow(map(as_text, row))
    return out.getvalue()


def target_text(item: Requirement, results: Mapping[str, Quantity]) -> str:
    """The target as people type it, in the unit of its result."""
    return format_value(item.target, unit_of(item.result, results), digits=None, binary=False)


def unit_of(result: str, results: Mapping[str, Quantity]) -> str:
    """Key of the unit in which a target for a result is typed."""
    bound = results.get(result)
    return bound.unit if bound is not None and bound.unit in UNITS else "count"


def _rows(content: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """Number and cells of each line, by the name of its column."""
    if len(content) > MAX_BYTES:
        raise PlannerError(
            f"file: {len(content)} bytes is above {MAX_BYTES}; take a smaller list", field="file"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PlannerError("file: it is no text in UTF-8; save it as CSV in UTF-8", field="file") from None
    first = text.partition("\n")[0]
    reader = csv.reader(
        io.StringIO(text.replace("\0", ""), newline=""),
        delimiter=";" if first.count(";") > first.count(",") else ",",
    )
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        missing = [name for name in COLUMNS if name not in header and name != "level"]
        if missing:
            raise PlannerError(
                f"file: the column {missing[0]} is missing; the first line is {','.join(COLUMNS)}",
                field="file",
            )
        filled = ((reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells))
        lines = [
            (number, dict(zip(header, (as_written(cell.strip()) for cell in cells), strict=False)))
            for number, cells in itertools.islice(filled, MAX_LINES + 1)
        ]
    except csv.Error as error:
        raise PlannerError(f"file: line {reader.line_num} is no CSV ({error})", field="file") from None
    if len(lines) > MAX_LINES:
        raise PlannerError(f"file: it has more than {MAX_LINES} lines; split the list", field="file")
    return iter(lines)


def _requirement(row: Mapping[str, str], results: Mapping[str, Quantity]) -> Requirement:
    for name in ("id", "text"):
        if not row.get(name):
            raise PlannerError(f"{name}: it is empty; every requirement needs one", field=name)
    result = _result(row.get("result", ""), results)
    measure = row.get("measure", "").lower()
    measure = _SIGNS.get(measure, measure)
    if measure not in MEASURES:
        raise PlannerError(
            f"measure: “{shorten(measure)}” is not one of {', '.join(MEASURES)}{nearest(measure, MEASURES)}",
            field="measure",
        )
    level = row.get("level", "").lower() or "must"
    if level not in LEVELS:
        raise PlannerError(
            f"level: “{shorten(level)}” is not one of {', '.join(LEVELS)}{nearest(level, LEVELS)}",
            field="level",
        )
    target = parse_value(row.get("target", ""), unit_of(result, results), field="target")
    return Requirement(
        ref=row["id"], text=row["text"], result=result, measure=measure,
        target=target, level=level,
    )  # fmt: skip


def _result(said: str, results: Mapping[str, Quantity]) -> str:
    """The key of a result that is named whole, or by its label alone: a key figure's, or where only one has it."""
    folded = said.casefold()
    for key in results:
        if key.casefold() == folded:
            return key
    named = [key for key in results if key.rpartition(" / ")[2].casefold() == folded]
    chief = [key for key in named if key.startswith(f"{KEY_FIGURES} / ")]
    if len(named) == 1 or len(chief) == 1:
        return (chief or named)[0]
    if named:
        raise PlannerError(
            f"result: “{shorten(said)}” is {' or '.join(named[:4])}; name one of them", field="result"
        )
    raise PlannerError(
        f"result: the design has no “{shorten(said)}”{nearest(said, results)}; the list above names them",
        field="result",
    )
