"""Help on an input: its usual range, how to measure it or whom to ask, and where its default comes from.

The rows of `data/rules/input_help.csv` hold what is published or known; a range that the catalogue spans is worked
out from its rows, so that it can never say something else than they do. Where nobody states a range there is none.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from planner.catalogue import Catalogue, Row, default_folder, read_rows
from planner.catalogue.columns import READ_UNITS, Column, measure, text
from planner.catalogue.reading import Place
from planner.core.errors import nearest
from planner.core.quantity import Quantity
from planner.core.units import format_range
from planner.inputs import INPUTS, Input

_FILE = "rules/input_help.csv"
_ANY_JOB, _JOBS = "jobs.*.", "jobs."


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpRow(Row):
    """Help on one input, or on the same input of every job.

    Attributes:
        path: Path of the input; "jobs.*." stands for any job.
        low: Low end of the usual range, in the input's unit.
        high: High end of it.
        unit: Unit of the ends in the file.
        catalogue: Kind and attribute of the rows that span the range, "drives.capacity_bytes", instead of ends.
        usual: The usual range in words, or on what it depends.
        measure: How to measure the input, where it stands, or whom to ask.
        default_from: Where the default comes from, if the input itself does not say.
    """

    path: Annotated[str, text("path", required=True)]
    low: Annotated[Quantity | None, measure("low", "low", label_column="path")]
    high: Annotated[Quantity | None, measure("high", "high", label_column="path")]
    unit: Annotated[str, Column("unit", lambda cell: cell.value, empty="")]
    catalogue: Annotated[str, text("catalogue")]
    usual: Annotated[str, text("usual")]
    measure: Annotated[str, text("measure", required=True)]
    default_from: Annotated[str, text("default_from")]


def pattern(path: str) -> str:
    """The path for any job: "jobs.3.name" gives "jobs.*.name"; others stay as they are."""
    if not path.startswith(_JOBS):
        return path
    return _ANY_JOB + path.split(".", 2)[2]


def read_help(content: str) -> Mapping[str, HelpRow]:
    """The rows of a file by path pattern.

    Raises:
        PlannerError: A row names no input, or an input twice; its ends are in another unit, turned around or not
            allowed in the input; it names no attribute of the catalogue; or it states a source of the default
            where the input states one. The line names file and column.
    """
    inputs = {pattern(item.path): item for item in INPUTS}
    rows: dict[str, HelpRow] = {}
    for line, row in enumerate(read_rows(HelpRow, content, file=_FILE).values(), start=2):
        if row.path not in inputs:
            raise Place(_FILE, line, "path").refusal(f"no input “{row.path}”{nearest(row.path, inputs)}")
        if row.path in rows:
            raise Place(_FILE, line, "path").refusal(f"“{row.path}” is there twice")
        _check_ends(row, inputs[row.path], line)
        _check_words(row, inputs[row.path], line)
        rows[row.path] = row
    return rows


def _check_ends(row: HelpRow, item: Input, line: int) -> None:
    """Refuse ends that cannot stand in the input."""
    place = Place(_FILE, line, "low")
    if row.low is None and row.high is None:
        return
    if row.low is None or row.high is None:
        raise place.refusal("a range has two ends")
    unit = READ_UNITS.get(row.unit, ("", 1.0))[0]
    if unit != (item.unit or "count"):
        raise Place(_FILE, line, "unit").refusal(f"“{row.unit}” is no unit of {row.path}")
    if row.low.number > row.high.number:
        raise place.refusal("the low end is above the high end")
    for end in (row.low.number, row.high.number):
        if (item.low is not None and end < item.low) or (item.high is not None and end > item.high):
            raise place.refusal(f"{row.path} allows {item.allowed()}")


def _check_words(row: HelpRow, item: Input, line: int) -> None:
    """Refuse two statements of one thing, and a column of the catalogue that is not there."""
    if row.catalogue and row.low is not None:
        raise Place(_FILE, line, "catalogue").refusal("the range is stated already by low and high")
    if row.default_from and (item.source or item.default is None):
        raise Place(_FILE, line, "default_from").refusal("the input has no default, or states its source")
    kind, _, attribute = row.catalogue.partition(".")
    if row.catalogue:
        fields = _row_types().get(kind, frozenset())
        if attribute not in fields:
            hint = nearest(attribute, fields)
            raise Place(_FILE, line, "catalogue").refusal(f"“{row.catalogue}” is not in the catalogue{hint}")


def _row_types() -> Mapping[str, frozenset[str]]:
    """Attributes of a row of each kind of the catalogue."""
    from planner.catalogue.catalogue import FILES  # noqa: PLC0415 - only the check of the file needs it

    return {kind: frozenset(row_type.__slots__) for kind, (_, row_type) in FILES.items()}


@functools.lru_cache(maxsize=1)
def help_rows() -> Mapping[str, HelpRow]:
    """Help by path pattern, read once from the planner's own file."""
    return read_help((default_folder() / _FILE).read_text(encoding="utf-8"))


def help_of(path: str) -> HelpRow | None:
    """Help on the input at a path; None where a name says all there is to say."""
    return help_rows().get(pattern(path))


def usual(item: Input, catalogue: Catalogue) -> str:
    """The usual range of an input in its unit, in words, or both; empty where no source gives one."""
    row = help_of(item.path)
    if row is None:
        return ""
    return "; ".join(part for part in (_range(row, item, catalogue), row.usual) if part)


def usual_source(item: Input) -> str:
    """Where the usual range comes from; empty where the catalogue's own rows span it, or there is none."""
    row = help_of(item.path)
    stated = row is not None and not row.catalogue and (row.low is not None or bool(row.usual))
    return row.source if row is not None and stated else ""


def usual_ends(item: Input, catalogue: Catalogue) -> tuple[float, float] | None:
    """Ends of the usual range of an input in the planner's unit; None where no source gives one."""
    row = help_of(item.path)
    if row is None:
        return None
    if row.low is not None and row.high is not None:
        return row.low.number, row.high.number
    known = _spanned(row, catalogue)
    return (min(known), max(known)) if known else None


def _spanned(row: HelpRow, catalogue: Catalogue) -> list[float]:
    """What the catalogue's rows say of the attribute that spans the range."""
    if not row.catalogue:
        return []
    kind, _, attribute = row.catalogue.partition(".")
    found = [getattr(entry, attribute) for entry in getattr(catalogue, kind).values()]
    return [entry.number for entry in found if isinstance(entry, Quantity) and entry.known]


def _range(row: HelpRow, item: Input, catalogue: Catalogue) -> str:
    """Ends of the usual range with their unit."""
    ends = usual_ends(item, catalogue)
    if ends is None:
        return ""
    (low, unit), (high, _) = map(item.read_as, ends)
    span = format_range(low, high, unit)
    return f"{span} in {len(_spanned(row, catalogue))} rows of the catalogue" if row.catalogue else span


def measuring(item: Input) -> str:
    """How an input is measured, where it is found, or whom to ask; empty for a name."""
    row = help_of(item.path)
    return row.measure if row is not None else ""


def default_source(item: Input) -> tuple[str, str]:
    """Source and grade of an input's default; both empty if it has none."""
    row = help_of(item.path)
    if item.default is None:
        return "", ""
    if item.source:
        return item.source, item.grade
    return (row.default_from if row is not None else ""), ""
