"""The rows of a kind as they are shown: where each is from, how complete it is, and each cell as text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from planner.catalogue.catalogue import Catalogue
from planner.catalogue.columns import columns_of
from planner.catalogue.completeness import Completeness, completeness
from planner.catalogue.fields import fields_of, title_of, words_of
from planner.catalogue.own import PRICES, OwnRow, own_name
from planner.catalogue.reading import Row
from planner.core.quantity import Quantity

SHIPPED = "shipped"
_LIMITS = {"valid_from": "Valid from", "valid_to": "Valid to", "organisation": "Organisation"}
_TWICE = ("read_low_usd", "read_high_usd", "ports_by_gbps")
"""Attributes that hold again what other attributes of the row hold."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of the catalogue as it is shown.

    Attributes:
        id: Its id.
        origin: "shipped", or who added or overrode it and when.
        completeness: What a plan needs of it and what is missing; None of a kind that needs no figures.
        cells: Its other attributes as text, empty where nobody knows.
    """

    id: str
    origin: str
    completeness: Completeness | None
    cells: Mapping[str, str]

    @property
    def own(self) -> bool:
        """Whether an organisation stated it."""
        return self.origin != SHIPPED


def listed(catalogue: Catalogue, kind: str, *, price_set: str = "") -> tuple[Listed, ...]:
    """The rows of a kind in their order.

    Args:
        catalogue: The catalogue, with the organisation's rows in it.
        kind: A part of the catalogue, or "prices".
        price_set: Which prices; of the other kinds it says nothing.

    Raises:
        PlannerError: There is no such price set.
    """
    place = price_set if kind == PRICES else ""
    titles = titles_of(catalogue, kind, price_set=price_set)
    return tuple(
        Listed(
            row_id,
            catalogue.own.get(own_name(kind, place, row_id), SHIPPED),
            completeness(kind, row),
            {
                field.name: _cell(row, field.name, titles)
                for field in dataclasses.fields(row)
                if field.name != "id" and field.name not in _TWICE
            },
        )
        for row_id, row in _rows(catalogue, kind, price_set).items()
    )


def titles_of(catalogue: Catalogue, kind: str, *, price_set: str = "") -> Mapping[str, str]:
    """What to call the cells of a kind, by attribute and by column of its file; no two attributes alike.

    Raises:
        PlannerError: There is no such price set.
    """
    row_type = type(next(iter(_rows(catalogue, kind, price_set).values())))
    columns = columns_of(row_type)
    titles = {field.name: words_of(field.name) for field in dataclasses.fields(row_type)}
    for name, column in columns.items():
        title = title_of(column)
        titles[name] = title if title not in titles.values() else titles[name]
    return {column.name: title_of(column) for column in columns.values()} | titles


def _rows(catalogue: Catalogue, kind: str, price_set: str) -> Mapping[str, Row]:
    """The rows of a kind by id."""
    rows: Mapping[str, Row]
    rows = catalogue.find("price_sets", price_set).rows if kind == PRICES else getattr(catalogue, kind)
    return rows


def _cell(row: Row, name: str, titles: Mapping[str, str]) -> str:
    """An attribute as text; columns whose figures are from memory are called as a table of the rows calls them."""
    if name == "unverified":
        return "; ".join(titles.get(column, column) for column in row.unverified)
    return cell_text(getattr(row, name))


def cell_text(value: object) -> str:
    """A cell as text; empty where nobody knows."""
    if value is None:
        return ""
    if isinstance(value, Quantity):
        return value.text(digits=None, binary=False) if value.known else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | frozenset):
        return ", ".join(sorted(str(part) for part in value))
    return str(value)


def matching(rows: Iterable[Listed], text: str) -> tuple[Listed, ...]:
    """The rows in which every word of a text occurs, in any case; all of them for an empty text."""
    words = text.casefold().split()
    return tuple(row for row in rows if all(word in _haystack(row) for word in words))


def _haystack(row: Listed) -> str:
    missing = row.completeness.text if row.completeness else ""
    return "\n".join((row.id, row.origin, missing, *row.cells.values())).casefold()


def changes(before: OwnRow, after: OwnRow) -> tuple[str, ...]:
    """What a version states otherwise than the one before, a line for each column."""
    was = {**before.cells, **_limits(before)}
    now = {**after.cells, **_limits(after)}
    names: Sequence[str] = list(dict.fromkeys((*was, *now)))
    labels = {field.column: field.label for field in fields_of(after.kind)} | _LIMITS
    return tuple(
        f"{labels.get(name, name)}: {was.get(name) or 'empty'} → {now.get(name) or 'empty'}"
        for name in names
        if was.get(name, "") != now.get(name, "")
    )


def _limits(row: OwnRow) -> dict[str, str]:
    end = row.valid_to.isoformat() if row.valid_to else ""
    return {"valid_from": row.valid_from.isoformat(), "valid_to": end, "organisation": row.organisation}
