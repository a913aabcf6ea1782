"""Price sets: dated files of `data/prices`, switched as a whole and never overwritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from planner.catalogue.columns import Derived, choice, derived, figure, text, words
from planner.catalogue.reading import Row
from planner.core.quantity import Quantity, given

METRICS: dict[str, str] = {
    "each": "USD",
    "per drive": "USD",
    "per TB": "USD/TB",
    "per kW-month": "USD/kW/month",
    "per kWh": "USD/kWh",
    "total": "USD",
}
"""What a price is paid for, with the planner's unit of the price."""

KINDS: tuple[str, ...] = (
    "drives",
    "hdds",
    "servers",
    "switches",
    "nics",
    "optics",
    "licences",
    "gpu_nodes",
    "tiers",
    "facility",
    "platforms",
    "surroundings",
    "",
)
"""What a price may be of: a part of the catalogue, or what is priced by its part in the bill ("licences",
"surroundings"); empty for a row that is shown alone."""


def _priced(name: str) -> Derived:
    """The number of a column again, in the unit that the row's metric has."""

    def make(values: Mapping[str, Any]) -> Quantity:
        """From the values of a row, the number with the metric's unit in place of its own."""
        read: Quantity = values[name]
        label = f"{values['item']}, {values['metric']}"
        unit = METRICS[values["metric"]]
        return given(read.value, unit, label, source=read.source, grade=read.grade)

    return derived(make)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow(Row):
    """One price or range of prices in US dollars.

    `kind` names the part of the catalogue that it prices and `applies_to` the rows of that part; empty
    means every row that has no price of its own. A row without a kind is shown and never used.
    `lead_time` is the delivery time that came with the price, in words ("12 weeks"); empty where none is known.
    """

    item: Annotated[str, text("item", required=True)]
    kind: Annotated[str, choice("kind", KINDS)]
    applies_to: Annotated[tuple[str, ...], words("applies_to")]
    metric: Annotated[str, choice("metric", tuple(METRICS), required=True)]
    lead_time: Annotated[str, text("lead_time")]
    read_low_usd: Annotated[Quantity, figure("low_usd", 1, "Price, low", low=0.001, high=1e8, required=True)]
    read_high_usd: Annotated[
        Quantity, figure("high_usd", 1, "Price, high", low=0.001, high=1e8, required=True)
    ]
    low: Annotated[Quantity, _priced("read_low_usd")]
    high: Annotated[Quantity, _priced("read_high_usd")]


@dataclass(frozen=True, slots=True)
class PriceSet:
    """All prices of one file.

    Attributes:
        id: Name of the file without its ending.
        rows: Prices by id.
    """

    id: str
    rows: Mapping[str, PriceRow]
    _exact: Mapping[tuple[str, str], PriceRow] = field(init=False, repr=False)
    _class: Mapping[str, PriceRow] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index the rows by what they apply to."""
        exact = {(row.kind, part): row for row in self.rows.values() for part in row.applies_to}
        whole = {row.kind: row for row in self.rows.values() if row.kind and not row.applies_to}
        object.__setattr__(self, "_exact", exact)
        object.__setattr__(self, "_class", whole)

    def price(self, kind: str, part_id: str) -> PriceRow | None:
        """Price of a part: its own, else that of its whole kind, else None (nobody priced it)."""
        return self._exact.get((kind, part_id)) or self._class.get(kind)

    def class_price(self, kind: str) -> PriceRow | None:
        """Price of a whole kind, such as drives per TB; None if the set has none."""
        return self._class.get(kind)
