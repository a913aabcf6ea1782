"""Own rows as a file: what stands in the shipped files, a template to fill, and an upload checked line by line."""

from __future__ import annotations

import csv
import functools
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from planner.catalogue.catalogue import FILES, Catalogue, default_folder
from planner.catalogue.columns import columns_of
from planner.catalogue.own import PRICES, OwnRow, overlay, parse, row_type_of
from planner.catalogue.reading import Place, read_table
from planner.core.cells import as_text
from planner.core.errors import PlannerError, nearest, shorten

MAX_BYTES = 2_000_000
MAX_LINES = 2_000
DATES = ("valid_from", "valid_to")
Status = Literal["add", "override", "change", "unchanged", "refused"]


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """What a line of an upload would do.

    Attributes:
        line: Number of the line in the file.
        status: "add" a row, "override" a shipped one, "change" an own one, "unchanged", or "refused".
        row: The row; None if its line was refused.
        said: The row's id; for a refused line the reason, with file, line, column, value and what is allowed.
    """

    line: int
    status: Status
    row: OwnRow | None
    said: str

    @property
    def counts(self) -> bool:
        """Whether saving it would write a version."""
        return self.row is not None and self.status != "unchanged"


def column_names(kind: str) -> tuple[str, ...]:
    """Columns of a file of a kind in the order of the shipped one, without the dates.

    Raises:
        PlannerError: No own rows of that kind can be stated.
    """
    names = list(dict.fromkeys(column.name for column in columns_of(row_type_of(kind)).values()))
    last = ["notes", "unverified_fields", "source", "confidence", "as_of"]
    return ("id", *(name for name in names if name not in ("id", *last)), *last)


@functools.cache
def shipped_cells(kind: str, price_set: str = "") -> Mapping[str, Mapping[str, str]]:
    """Cells of the shipped rows of a kind as they stand in the file, by id; none of a price set of one's own.

    Raises:
        PlannerError: No own rows of that kind can be stated.
    """
    row_type_of(kind)
    file = f"prices/{price_set}.csv" if kind == PRICES else FILES[kind][0]
    path = default_folder() / file
    if kind == PRICES and price_set not in {
        known.stem for known in (default_folder() / "prices").glob("*.csv")
    }:
        return {}
    content = path.read_text(encoding="utf-8")
    return {cells["id"]: cells for _, cells in read_table(content, file=file)}


def own_csv(
    kind: str, rows: Sequence[OwnRow], *, shipped: Mapping[str, Mapping[str, str]] | None = None
) -> str:
    """A file of a kind: the shipped rows, own rows in their place, and the dates of the own ones.

    A text that a spreadsheet would calculate gets an apostrophe before it; no row that was checked has one.

    Args:
        kind: Kind of the rows.
        rows: Own rows of that kind.
        shipped: Cells of shipped rows by id; none for own rows alone.

    Raises:
        PlannerError: No own rows of that kind can be stated.
    """
    names = column_names(kind)
    lines: dict[str, dict[str, str]] = {row_id: dict(cells) for row_id, cells in (shipped or {}).items()}
    for row in rows:
        end = row.valid_to.isoformat() if row.valid_to else ""
        lines[row.id] = {**row.cells, "valid_from": row.valid_from.isoformat(), "valid_to": end}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*names, *DATES])
    for cells in lines.values():
        writer.writerow([as_text(cells.get(name, "")) for name in (*names, *DATES)])
    return out.getvalue()


def read_own_csv(
    content: bytes,
    template: OwnRow,
    *,
    catalogue: Catalogue,
    counting: Sequence[OwnRow] = (),
    file: str = "upload.csv",
) -> tuple[CheckedLine, ...]:
    """Each line of an upload with what saving it would do, or why it is refused.

    Args:
        content: The file.
        template: Kind, price set, organisation, author and day of every line, and the dates of those that state
            none; its cells are not used.
        catalogue: The shipped catalogue.
        counting: Own rows that are there already, which lines may name and which they change.
        file: Name of the file for the error lines.

    Raises:
        PlannerError: The file is too large, is no CSV in UTF-8, has a wrong header, or holds no row.
    """
    name = shorten(file, 40)
    table = _table(_text(content, name), name)
    header = next(table)[1]
    _check_header(header, template.kind, name)
    now = {row.key: row for row in counting}
    lines: list[CheckedLine] = []
    seen: dict[str, int] = {}
    for line, cells in table:
        if len(lines) >= MAX_LINES:
            raise PlannerError(
                f"{name}:{line}: the file has more than {MAX_LINES} rows; part it into several"
            )
        lines.append(_checked(Place(name, line), header, cells, template, catalogue, now, seen))
    if not lines:
        raise PlannerError(f"{name}:1: the file has a header and no rows; write one row a line under it")
    return _held_together(lines, catalogue, counting, name)


def _text(content: bytes, name: str) -> str:
    if len(content) > MAX_BYTES:
        raise PlannerError(
            f"{name}: {len(content)} bytes; at most {MAX_BYTES} are read: part it into several files"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PlannerError(
            f"{name}: byte {error.start} is not UTF-8; save the file as CSV in UTF-8"
        ) from None


def _table(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        if not any(header):
            raise PlannerError(f"{name}:1: the file is empty; its first line names the columns")
        yield reader.line_num, [cell.strip() for cell in header]
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise PlannerError(f"{name}:{reader.line_num}: not readable as CSV: {error}") from None


def _check_header(header: Sequence[str], kind: str, name: str) -> None:
    columns = columns_of(row_type_of(kind)).values()
    known = [*column_names(kind), *DATES]
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        raise PlannerError(
            f"{name}:1: the columns are not parted by commas; save the file as CSV with commas"
        )
    for column in header:
        if header.count(column) > 1:
            raise Place(name, 1, shorten(column)).refusal("the column is there twice")
        if column not in known:
            raise Place(name, 1, shorten(column)).refusal(f"the column is not known{nearest(column, known)}")
    for needed in columns:
        if needed.required and needed.name not in header:
            raise Place(name, 1, needed.name).refusal(f"the column is missing; rows of {kind} need it")


def _checked(
    place: Place, header: Sequence[str], cells: Sequence[str], template: OwnRow, catalogue: Catalogue,
    now: Mapping[tuple[str, str, str], OwnRow], seen: dict[str, int],
) -> CheckedLine:  # fmt: skip
    """One line by itself."""
    try:
        if len(cells) != len(header):
            raise place.refusal(f"{len(cells)} cells where the header has {len(header)} columns")
        row = _row(dict(zip(header, cells, strict=True)), template, place)
        parse(row, catalogue, place=place)
        if row.id in seen:
            spot = Place(place.file, place.line, "id")
            raise spot.refusal(f"“{shorten(row.id)}” is there twice, on line {seen[row.id]} too")
    except PlannerError as error:
        return CheckedLine(place.line, "refused", None, error.message)
    seen[row.id] = place.line
    return CheckedLine(place.line, status_of(row, now.get(row.key)), row, row.id)


def _row(cells: dict[str, str], template: OwnRow, place: Place) -> OwnRow:
    dates = {name: read_day(cells.pop(name, ""), place=Place(place.file, place.line, name)) for name in DATES}
    return replace(
        template,
        cells={name: text for name, text in cells.items() if text},
        valid_from=dates["valid_from"] or template.valid_from,
        valid_to=dates["valid_to"] or template.valid_to,
    )


def read_day(text: str, *, place: Place) -> date | None:
    """A day as it stands in a cell; None if the cell is empty.

    Raises:
        PlannerError: It is no day.
    """
    if not text.strip():
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise place.refusal(f"“{shorten(text)}” is no day; write it as 2026-11-30") from None


def status_of(row: OwnRow, before: OwnRow | None) -> Status:
    """What stating a row would do, beside the own row with its key that counts already."""
    stated = {name: text for name, text in row.cells.items() if text}
    shipped = shipped_cells(row.kind, row.price_set).get(row.id)
    if before is not None:
        same = stated == {name: text for name, text in before.cells.items() if text}
        return "unchanged" if same and _days(row) == _days(before) else "change"
    if shipped is None:
        return "add"
    return "unchanged" if stated == {name: text for name, text in shipped.items() if text} else "override"


def _days(row: OwnRow) -> tuple[date, date | None]:
    return row.valid_from, row.valid_to


def _held_together(
    lines: Sequence[CheckedLine], catalogue: Catalogue, counting: Sequence[OwnRow], name: str
) -> tuple[CheckedLine, ...]:
    """The lines, those refused that contradict themselves or others, or name what is not there.

    Each is looked at on its own first day, because it has to fit from then on.
    """
    why: dict[int, str] = {}
    rows = {id(line.row): line for line in lines if line.row is not None}
    for day in sorted({line.row.valid_from for line in lines if line.row is not None}):
        stated = [line.row for line in lines if line.row is not None and line.row.valid_from == day]
        for row, reason in overlay(catalogue, [*counting, *stated], on=day).refused:
            line = rows.get(id(row))
            if line is not None:
                why[line.line] = Place(name, line.line).refusal(reason).message
    return tuple(
        CheckedLine(line.line, "refused", None, why[line.line]) if line.line in why else line
        for line in lines
    )
