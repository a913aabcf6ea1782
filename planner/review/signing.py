"""What a signature covers: the scenario, the rows and prices it was computed with, and the engine."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planner.catalogue import Catalogue, Row
from planner.catalogue.catalogue import FILES
from planner.catalogue.prices import PriceSet
from planner.core.parts import part_names
from planner.core.quantity import Quantity
from planner.core.units import sizes
from planner.plan import Plan, plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_to_json

_KIND_OF: dict[type[Row], str] = {row_type: kind for kind, (_, row_type) in FILES.items()}


@dataclass(frozen=True, slots=True)
class Basis:
    """What a plan was computed from, and the hashes of it.

    Attributes:
        rows: Ids of the catalogue rows that the plan looked up or holds, by kind.
        price_sets: Ids of the price sets that it took prices from.
        rows_hash: Hash of the content of those rows.
        price_hash: Hash of the content of those price sets.
        signed_hash: Hash of scenario, rows, price sets and engine version: what is signed and printed.
    """

    rows: Mapping[str, tuple[str, ...]]
    price_sets: tuple[str, ...]
    rows_hash: str
    price_hash: str
    signed_hash: str


def signed_hash(scenario: Scenario, catalogue: Catalogue, *, engine_version: str) -> str:
    """The hash that an approval keeps and that every page of the document prints.

    Args:
        scenario: What was stated.
        catalogue: The catalogue; only the rows and price sets that the plan uses count.
        engine_version: Version of the planner.

    Returns:
        64 hexadecimal digits. A changed row that the plan does not use changes nothing.

    Raises:
        PlannerError: The scenario cannot be computed.
    """
    return basis(scenario, catalogue, engine_version=engine_version).signed_hash


def basis(scenario: Scenario, catalogue: Catalogue, *, engine_version: str) -> Basis:
    """What the plan of a scenario is computed from.

    Raises:
        PlannerError: The scenario cannot be computed.
    """
    seen: dict[str, set[str]] = {kind: set() for kind in (*FILES, "price_sets")}
    noted: dict[str, Any] = {kind: _Noted(getattr(catalogue, kind), seen[kind]) for kind in seen}
    with sizes(binary=False):
        made = plan(scenario, dataclasses.replace(catalogue, **noted))
    for kind, row_id in _held(made, catalogue):
        seen[kind].add(row_id)
    used = {kind: tuple(sorted(ids)) for kind, ids in seen.items() if ids and kind != "price_sets"}
    rows = {f"{kind}/{row_id}": getattr(catalogue, kind)[row_id] for kind in used for row_id in used[kind]}
    prices = {set_id: catalogue.price_sets[set_id] for set_id in sorted(seen["price_sets"])}
    rows_hash, price_hash = _digest(rows), _digest(prices)
    signed = _digest(
        {
            "scenario": json.loads(scenario_to_json(scenario)),
            "rows": rows_hash,
            "price_sets": price_hash,
            "engine_version": engine_version,
        }
    )
    return Basis(used, tuple(prices), rows_hash, price_hash, signed)


class _Noted(dict[str, Any]):
    """Rows of one kind that write down which of them are looked up; going through all notes nothing."""

    def __init__(self, rows: Mapping[str, Any], seen: set[str]) -> None:
        super().__init__(rows)
        self._seen = seen

    def __getitem__(self, key: str) -> Any:
        row = super().__getitem__(key)
        self._seen.add(key)
        return row

    def get(self, key: str, default: Any = None) -> Any:
        """The row of an id, noted as used; the default where there is none."""
        if key in self:
            self._seen.add(key)
        return super().get(key, default)


def _held(made: Plan, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Kind and id of each row that a plan holds: what AUTO found by going through all of a kind."""
    for row in _rows(made):
        yield _KIND_OF[type(row)], row.id
    parts = {line.part_id for line in made.bom}
    for kind in FILES:
        yield from ((kind, part) for part in parts & getattr(catalogue, kind).keys())


def _rows(value: object) -> Iterator[Row]:
    if isinstance(value, Row):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _rows(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _rows(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, Quantity | type):
        for name in part_names(value):
            yield from _rows(getattr(value, name))


def _digest(value: object) -> str:
    text = json.dumps(_plain(value), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """A row as data with one spelling only."""
    if isinstance(value, Quantity):
        return [value.number, value.unit, value.label, value.source, value.grade]
    if isinstance(value, PriceSet):
        return _plain(value.rows)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = value if isinstance(value, list | tuple) else sorted(value, key=str)
        return [_plain(item) for item in items]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value
