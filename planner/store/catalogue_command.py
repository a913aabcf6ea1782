"""An organisation's catalogue rows from the command line: out to a file, in from one, and a list of them.

The commands that plan take the shipped catalogue alone unless they are asked for the organisation's rows: what a
script printed yesterday has to be what it prints tomorrow, whatever database it finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from planner.catalogue import Catalogue, OwnRow, load_catalogue, overlaid
from planner.catalogue.own import PRICES, row_type_of
from planner.catalogue.own_csv import MAX_BYTES, own_csv, read_own_csv, shipped_cells
from planner.core.errors import PlannerError, nearest, shorten
from planner.core.units import counted
from planner.store.catalogue_records import CatalogueVersion, NewCatalogueRow
from planner.store.command import command_store


@dataclass(frozen=True, slots=True, kw_only=True)
class Importing:
    """Whose rows a file holds and when they count, where its lines do not say.

    Attributes:
        organisation: Whose rows they are.
        author: Who states them.
        price_set: Their price set, if they are prices.
        valid_from: First day, as 2026-11-30; today if not given.
        valid_to: Last day; no end if not given.
        dry_run: Check only.
        accepted: Save the accepted lines although others are refused.
        note: Why.
    """

    organisation: str
    author: str = ""
    price_set: str = ""
    valid_from: str | None = None
    valid_to: str | None = None
    dry_run: bool = False
    accepted: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file.

    Attributes:
        lines: Lines to print.
        refused: Lines that say what was refused.
    """

    lines: tuple[str, ...]
    refused: tuple[str, ...]


def day_of(text: str | None, *, option: str) -> date | None:
    """The day that an option states; None if it is not given.

    Raises:
        PlannerError: It is no day.
    """
    if text is None:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise PlannerError(f"{option}: “{shorten(text)}” is no day; write it as 2026-11-30") from None


def today() -> date:
    """The day, in UTC."""
    return datetime.now(UTC).date()


def catalogue_of(*, on: str | None = None, user: str | None = None) -> Catalogue:
    """The catalogue of a command that is asked to plan with the organisation's rows: those over the shipped ones.

    Args:
        on: The day on which they have to be valid; today if not given.
        user: Who acts.

    Raises:
        PlannerError: The day is none, a row does not fit, or the database cannot be used.
    """
    day = day_of(on, option="--on") or today()
    with command_store(user) as store:
        return overlaid(load_catalogue(), store.own_rows(day), on=day)


def export(kind: str, *, price_set: str = "", own: bool = False, user: str | None = None) -> str:
    """Rows of a kind as CSV: the shipped ones with the organisation's in their place, or those alone.

    Raises:
        PlannerError: There is no such kind or price set, or the database cannot be used.
    """
    row_type_of(kind)
    with command_store(user) as store:
        rows = [row for row in store.own_rows(today()) if row.kind == kind and row.price_set == price_set]
    shipped = {} if own else shipped_cells(kind, price_set)
    if kind == PRICES and not rows and not shipped:
        known = list(load_catalogue().price_sets)
        raise PlannerError(
            f"--price-set: no prices in “{shorten(price_set)}”; one of {', '.join(known)}, or one of your own"
            f"{nearest(price_set, known)}"
        )
    return own_csv(kind, rows, shipped=shipped)


def bring_in(kind: str, name: str, asked: Importing, *, user: str | None = None) -> Imported:
    """Write the rows of a file as versions, none of them if a line is refused and nothing else was asked for.

    Raises:
        PlannerError: The file cannot be read or is no such file, the actor may not, or the database cannot be used.
    """
    row_type_of(kind)
    content = _content(name)
    template = OwnRow(
        kind=kind,
        price_set=asked.price_set,
        cells={},
        valid_from=day_of(asked.valid_from, option="--valid-from") or today(),
        valid_to=day_of(asked.valid_to, option="--valid-to"),
        organisation=asked.organisation,
        author=asked.author,
        entered=today(),
    )
    with command_store(user) as store:
        newest = {version.row.key: version for version in store.catalogue_rows()}
        counting = [version.row for version in newest.values() if not version.withdrawn]
        checked = read_own_csv(
            content, template, catalogue=load_catalogue(), counting=counting, file=Path(name).name
        )
        wanted = [
            _new(line.row, newest, asked.note) for line in checked if line.row is not None and line.counts
        ]
        refused = tuple(line.said for line in checked if line.status == "refused")
        lines = tuple(f"{line.status} {line.said}" for line in checked if line.counts)
        if asked.dry_run or not wanted or (refused and not asked.accepted):
            return Imported((*lines, "nothing was written"), refused)
        store.write_catalogue_rows(wanted, shipped=load_catalogue(), author=asked.author)
    return Imported((*lines, f"{counted(len(wanted), 'row')} written"), refused)


def _new(row: OwnRow, newest: dict[tuple[str, str, str], CatalogueVersion], note: str) -> NewCatalogueRow:
    last = newest.get(row.key)
    return NewCatalogueRow(row, last.version if last else 0, note)


def _content(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise PlannerError(f"{name}: {error.strerror or 'the file cannot be read'}") from None


def listing(kind: str | None = None, *, user: str | None = None) -> tuple[str, ...]:
    """A line for each own row: what it is, its version, when it counts, and who stated it.

    Raises:
        PlannerError: There is no such kind, or the database cannot be used.
    """
    if kind is not None:
        row_type_of(kind)
    with command_store(user) as store:
        return tuple(_line(version) for version in store.catalogue_rows(kind))


def _line(version: CatalogueVersion) -> str:
    row = version.row
    name = "/".join(part for part in row.key if part)
    end = f" to {row.valid_to}" if row.valid_to else ""
    what = f"withdrawn from {row.valid_from}" if version.withdrawn else f"valid from {row.valid_from}{end}"
    return f"{name} version {version.version}, {what}, {row.organisation}, {row.author} on {row.entered}"
