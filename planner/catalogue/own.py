"""Rows of an organisation's own laid over the shipped catalogue: checked like a file's, and told apart from it.

An own row takes the place of the shipped one with its id, or is added; it counts on the days for which it is
stated. Shipped price sets are never changed: own prices make price sets of their own.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from planner.catalogue.catalogue import FILES, Catalogue
from planner.catalogue.checks import check_rows
from planner.catalogue.columns import columns_of
from planner.catalogue.prices import PriceRow, PriceSet
from planner.catalogue.reading import Place, Row, read_row
from planner.core.cells import FORMULA_STARTS
from planner.core.errors import PlannerError, nearest, shorten

PRICES = "prices"
"""Kind of a row of a price set; every other kind is a part of the catalogue."""
OWN_KINDS: dict[str, str] = {
    "gpus": "GPUs",
    "gpu_nodes": "GPU nodes",
    "drives": "Drives",
    "drive_sizes": "Sizes of drives",
    "platforms": "Storage platforms",
    "switches": "Switches",
    "nics": "NICs",
    "optics": "Optics and cables",
    PRICES: "Prices",
}
"""What an organisation may add to or override, in an order in which no row names one of a later kind."""
_ORDER = tuple(OWN_KINDS)
_END = date.max
MAX_CELL_CHARS = 1_000
MAX_NAME_CHARS = 100
_NEGATIVE = re.compile(r"-[0-9]*\.?[0-9]+")
_NO_TEXT = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Kinds of characters that show nothing, turn text around, or are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRow:
    """A row that an organisation states.

    Attributes:
        kind: One of `OWN_KINDS`.
        price_set: Name of the organisation's price set; empty for every other kind.
        cells: Text of each cell by column, as in a file of that kind; columns left out are empty.
        valid_from: First day on which it counts.
        valid_to: Last day; None for no end.
        organisation: Whose row it is, as it is shown beside the source.
        author: Who stated it.
        entered: The day on which it was stated.
    """

    kind: str
    cells: Mapping[str, str]
    valid_from: date
    organisation: str
    author: str
    entered: date
    valid_to: date | None = None
    price_set: str = ""

    @property
    def id(self) -> str:
        """Id of the row."""
        return self.cells.get("id", "")

    @property
    def key(self) -> tuple[str, str, str]:
        """Kind, price set and id: two rows with the same are one row."""
        return self.kind, self.price_set, self.id

    def valid_on(self, day: date) -> bool:
        """Whether it counts on a day."""
        return self.valid_from <= day <= (self.valid_to or _END)


@dataclass(frozen=True, slots=True)
class Overlay:
    """A catalogue with an organisation's rows in it.

    Attributes:
        catalogue: The catalogue to plan with.
        refused: Rows that do not fit into it, each with the line that says why; the catalogue is without them.
    """

    catalogue: Catalogue
    refused: tuple[tuple[OwnRow, str], ...] = ()


def row_type_of(kind: str) -> type[Row]:
    """Type of the rows of a kind.

    Raises:
        PlannerError: No own rows of that kind can be stated.
    """
    if kind not in OWN_KINDS:
        known = ", ".join(OWN_KINDS)
        raise PlannerError(
            f"kind: “{shorten(kind)}” is not one of {known}{nearest(kind, OWN_KINDS)}", field="kind"
        )
    return PriceRow if kind == PRICES else FILES[kind][1]


def overlaid(catalogue: Catalogue, rows: Sequence[OwnRow], *, on: date) -> Catalogue:
    """The catalogue with the rows that are valid on a day.

    Args:
        catalogue: The shipped catalogue.
        rows: Own rows; of two with one key the later one counts.
        on: The day.

    Raises:
        PlannerError: A row does not fit; the line names it, the column and the value.
    """
    made = overlay(catalogue, rows, on=on)
    if made.refused:
        row, line = made.refused[0]
        raise PlannerError(line, field=row.kind)
    return made.catalogue


def overlay(catalogue: Catalogue, rows: Sequence[OwnRow], *, on: date) -> Overlay:
    """The catalogue with as many of the rows as fit, and the others with the reason.

    A row that fitted when it was stated may not later: what it names was withdrawn, or has ended.

    Args:
        catalogue: The shipped catalogue.
        rows: Own rows; of two with one key the later one counts.
        on: The day on which they have to be valid.
    """
    newest = {row.key: row for row in rows if row.valid_on(on)}
    parsed: list[tuple[OwnRow, Row]] = []
    refused: list[tuple[OwnRow, str]] = []
    for row in sorted(newest.values(), key=_place_in_order):
        try:
            parsed.append((row, parse(row, catalogue)))
        except PlannerError as error:
            refused.append((row, error.message))
    made, misfits = _fitted(catalogue, parsed)
    out = {id(row) for row, _ in misfits}
    kept = [row for row, _ in parsed if id(row) not in out]
    hashed = replace(made, hash=_hash(catalogue, kept)) if kept else catalogue
    return Overlay(hashed, (*refused, *misfits))


def _hash(catalogue: Catalogue, rows: Sequence[OwnRow]) -> str:
    """Hash of the shipped catalogue with rows in it: another text, day or organisation gives another."""
    digest = hashlib.sha256(catalogue.hash.encode())
    for row in rows:
        cells = {column: text for column, text in row.cells.items() if text}
        told = [row.key, cells, origin(row, catalogue)]
        digest.update(json.dumps(told, sort_keys=True).encode())
    return digest.hexdigest()


def parse(row: OwnRow, catalogue: Catalogue, *, place: Place | None = None) -> Row:
    """The typed row, its source naming the organisation and the day.

    Args:
        row: The own row.
        catalogue: The shipped catalogue.
        place: Where it stands, for the error line; "own KIND" if it stands in no file.

    Raises:
        PlannerError: A cell is not as declared, the dates are out of order, or the price set is a shipped one.
    """
    where = place or Place(f"own {row.kind}", 1)
    row_type = row_type_of(row.kind)
    check_texts(row, place=where)
    check_dates(row, place=where)
    _check_set(row, catalogue, where)
    cells = {column.name: row.cells.get(column.name, "").strip() for column in columns_of(row_type).values()}
    strange = [name for name in row.cells if name not in cells]
    if strange:
        hint = nearest(strange[0], cells)
        raise Place(where.file, where.line, shorten(strange[0])).refusal(f"the column is not known{hint}")
    told = "; ".join(
        catalogue.sources.get(part.strip(), part.strip())
        for part in cells["source"].split(";")
        if part.strip()
    )
    if told:
        cells["source"] = f"{told}; {origin(row, catalogue)}"
    return read_row(row_type, cells, place=where)


def origin(row: OwnRow, catalogue: Catalogue) -> str:
    """What stands beside the source of an own row: whose it is, since when, and whether it replaces a shipped one."""
    shipped: Mapping[str, Any] = {} if row.kind == PRICES else getattr(catalogue, row.kind)
    done = "overridden" if row.id in shipped else "added"
    return f"{done} by {row.organisation} on {row.entered.isoformat()}"


def own_name(kind: str, price_set: str, row_id: str) -> str:
    """What `Catalogue.own` calls a row: "drives/x", or "prices/own-2026/x"."""
    return "/".join(part for part in (kind, price_set, row_id) if part)


def check_dates(row: OwnRow, *, place: Place) -> None:
    """Refuse a last day before the first.

    Raises:
        PlannerError: It ends before it begins.
    """
    if row.valid_to is not None and row.valid_to < row.valid_from:
        raise Place(place.file, place.line, "valid_to").refusal(
            f"“{row.valid_to}” is before valid_from {row.valid_from}; "
            f"the nearest is {row.valid_from}, or leave it empty for no end"
        )


def check_texts(row: OwnRow, *, place: Place) -> None:
    """Refuse texts that a page, a spreadsheet or a database would take as something else.

    Raises:
        PlannerError: A cell is too long, holds a control character, turns the text around, or begins like a formula.
    """
    told = {"organisation": row.organisation, "author": row.author}
    if not row.organisation.strip():
        raise Place(place.file, place.line, "organisation").refusal(
            "the organisation is missing: whose row is it?"
        )
    for column, text in {**row.cells, **told}.items():
        spot = Place(place.file, place.line, shorten(column))
        limit = MAX_CELL_CHARS if column not in told else MAX_NAME_CHARS
        if len(text) > limit:
            raise spot.refusal(
                f"“{shorten(text, 20)}” has {len(text)} characters; at most {limit} are allowed"
            )
        strange = next((c for c in text if unicodedata.category(c) in _NO_TEXT), "")
        if strange:
            raise spot.refusal(
                f"“{shorten(text, 20)}” holds the character U+{ord(strange):04X}; use plain text"
            )
        if text.strip().startswith(FORMULA_STARTS) and _NEGATIVE.fullmatch(text.strip()) is None:
            raise spot.refusal(
                f"“{shorten(text, 20)}” begins like a formula of a spreadsheet; begin with a letter or a digit"
            )


def _check_set(row: OwnRow, catalogue: Catalogue, place: Place) -> None:
    """Refuse a price without a set, a set that is shipped, and a set on a row that is no price."""
    spot = Place(place.file, place.line, "price_set")
    if row.kind != PRICES:
        if row.price_set:
            raise spot.refusal(
                f"a row of {row.kind} belongs to no price set; leave “{shorten(row.price_set)}” out"
            )
        return
    if not row.price_set:
        raise spot.refusal("the price set has no name; give it one, such as own-2026")
    if row.price_set in catalogue.price_sets and row.price_set not in own_price_sets(catalogue):
        raise spot.refusal(
            f"“{row.price_set}” is a shipped price set, and those are never changed; "
            f"choose a name of your own, such as own-{row.price_set}"[:200]
        )
    id_column = columns_of(Row)["id"]
    checked = {"id": row.price_set, "source": "x", "confidence": "seen", "as_of": "undated"}
    try:
        read_row(Row, checked, place=Place(place.file, place.line))
    except PlannerError as error:
        raise spot.refusal(error.message.partition(f"{id_column.name}: ")[2] or error.message) from None


def own_price_sets(catalogue: Catalogue) -> frozenset[str]:
    """Names of the price sets of an organisation's own that a catalogue holds."""
    return frozenset(
        key.partition("/")[2].partition("/")[0] for key in catalogue.own if key.startswith(f"{PRICES}/")
    )


def _place_in_order(row: OwnRow) -> tuple[int, str, str]:
    return _ORDER.index(row.kind) if row.kind in _ORDER else len(_ORDER), row.price_set, row.id


def _fitted(
    catalogue: Catalogue, rows: Sequence[tuple[OwnRow, Row]]
) -> tuple[Catalogue, list[tuple[OwnRow, str]]]:
    """All rows at once if they fit, else each half by itself: few misfits are found with few checks."""
    if not rows:
        return catalogue, []
    wider = _with(catalogue, rows)
    try:
        check_rows(wider)
    except PlannerError as error:
        if len(rows) == 1:
            return catalogue, [(rows[0][0], error.message)]
        middle = len(rows) // 2
        left, first = _fitted(catalogue, rows[:middle])
        both, second = _fitted(left, rows[middle:])
        return both, first + second
    return wider, []


def _with(catalogue: Catalogue, rows: Sequence[tuple[OwnRow, Row]]) -> Catalogue:
    """The catalogue with rows put in, unchecked."""
    changed: dict[str, Any] = {}
    own = dict(catalogue.own)
    for row, made in rows:
        own[own_name(*row.key)] = origin(row, catalogue)
        if row.kind != PRICES:
            changed.setdefault(row.kind, dict(getattr(catalogue, row.kind)))[made.id] = made
    changed["price_sets"] = dict(catalogue.price_sets) | dict(_sets(catalogue, rows))
    return replace(catalogue, **changed, own=own)


def _sets(catalogue: Catalogue, rows: Sequence[tuple[OwnRow, Row]]) -> Iterator[tuple[str, PriceSet]]:
    """The price sets of the own prices, with those rows in them that were there before."""
    by_set: dict[str, dict[str, PriceRow]] = {}
    for row, made in rows:
        if isinstance(made, PriceRow):
            known = catalogue.price_sets.get(row.price_set)
            by_set.setdefault(row.price_set, dict(known.rows) if known else {})[made.id] = made
    for name, prices in by_set.items():
        yield name, PriceSet(name, prices)
