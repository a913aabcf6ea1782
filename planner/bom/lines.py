"""One line of the bill of materials, and what a part costs."""

from __future__ import annotations

from dataclasses import field

from planner.catalogue import PriceRow, PriceSet
from planner.core.quantity import Quantity, derive, given
from planner.core.record import record
from planner.core.units import counted
from planner.sections.context import Context
from planner.sections.cost import parts_price_set
from planner.sizing import cost


def _unknown(unit: str, label: str) -> Quantity:
    return given(None, unit, label, source="not in the catalogue", grade="unknown")


NONE = given(0.0, "count", "Spare parts", source="none are kept", grade="input")
NO_WATTS = given(0.0, "W", "no figure of its own", source="counted with the machine, or none", grade="seen")
NO_HEIGHT = given(0.0, "RU", "no figure of its own", source="counted with the machine, or none", grade="seen")
NO_WEIGHT = given(0.0, "kg", "no figure of its own", source="counted with the machine, or none", grade="seen")


def not_priced(count: int, of: str = "the bill") -> str:
    """How many lines have no price, and of what: the whole bill, or equipment alone; of nothing where a heading says."""
    return f"{counted(count, 'line')}{f' of {of}' if of else ''} not priced"


UNKNOWN_PRICE = _unknown("USD", "Unit price")


@record(frozen=True, slots=True)
class BomLine:
    """One line: a part, how many, and what it takes and costs.

    Attributes:
        cause: The demand that set the quantity.
        price_low_usd: Unit price, low end; unknown (NaN) is "not priced", never 0.
        price_source: Where the price comes from, with its date and grade.
        kind: "node", "drive", "nic", "switch", "optic", "cable" or "other": which spares policy applies.
        maker: Manufacturer; empty where any will do.
        racks: Racks that the parts stand in, as text; empty where they are inside other parts.
        spare_count: Spare parts beside the quantity, with a price of their own.
        weight_kg: Weight of one.
        lead_time: Delivery time in words as it came with the price; empty where none is known.
        notes: What the price list says about the price; empty where nothing.
    """

    group: str
    part_id: str
    description: str
    quantity: Quantity
    unit: str
    watts_w: Quantity
    rack_units_ru: Quantity
    price_low_usd: Quantity
    price_high_usd: Quantity
    extended_low_usd: Quantity
    extended_high_usd: Quantity
    price_source: str
    price_as_of: str
    price_grade: str
    cause: str
    kind: str = "other"
    maker: str = ""
    racks: str = ""
    spare_count: Quantity = field(default=NONE)
    weight_kg: Quantity = field(default=NO_WEIGHT)
    lead_time: str = ""
    notes: str = ""

    @property
    def title(self) -> str:
        """What names the line in its group."""
        return _title(self.description, kind=self.kind, cause=self.cause)

    @property
    def priced(self) -> bool:
        """Whether both ends of the price are known."""
        return self.extended_low_usd.known and self.extended_high_usd.known

    @property
    def spares_low_usd(self) -> Quantity:
        """Low price of the spare parts together."""
        return derive(cost.extended_usd, part_count=self.spare_count, price_usd=self.price_low_usd)

    @property
    def spares_high_usd(self) -> Quantity:
        """High price of the spare parts together."""
        return derive(cost.extended_usd, part_count=self.spare_count, price_usd=self.price_high_usd)


@record(frozen=True, slots=True)
class Price:
    """Range of a unit price with its origin."""

    low: Quantity
    high: Quantity
    source: str = ""
    as_of: str = ""
    grade: str = ""
    lead_time: str = ""
    item: str = ""
    notes: str = ""


NOT_PRICED = Price(UNKNOWN_PRICE, UNKNOWN_PRICE, "no price in the set")


def _title(description: str, *, kind: str, cause: str) -> str:
    """What names a line in its group: one kind of optic or cable may stand there for several kinds of links.

    In split cages it may stand at both ends of one kind, which are counted apart.
    """
    where, _, links = cause.partition(": ") if kind in ("optic", "cable") else ("", "", "")
    end = f", {where}" if where.startswith("split cages") else ""
    return f"{description} ({links}{end})" if links else description


def line_of(  # noqa: PLR0913 - a line has that many columns
    group: str,
    part_id: str,
    description: str,
    quantity: Quantity,
    *,
    cause: str,
    price: Price = NOT_PRICED,
    watts: Quantity = NO_WATTS,
    units: Quantity = NO_HEIGHT,
    unit: str = "each",
    kind: str = "other",
    maker: str = "",
    racks: str = "",
    weight: Quantity = NO_WEIGHT,
) -> BomLine:
    """A line with its extended prices."""
    if price is NOT_PRICED:
        low = high = UNKNOWN_PRICE
    else:
        label = f"{group}, {_title(description, kind=kind, cause=cause)}: extended price"
        low = derive(cost.extended_usd, part_count=quantity, price_usd=price.low, label=label)
        high = derive(cost.extended_usd, part_count=quantity, price_usd=price.high, label=label)
    return BomLine(
        group=group,
        part_id=part_id,
        description=description,
        quantity=quantity,
        unit=unit,
        watts_w=watts,
        rack_units_ru=units,
        price_low_usd=price.low,
        price_high_usd=price.high,
        extended_low_usd=low,
        extended_high_usd=high,
        price_source=price.source,
        price_as_of=price.as_of,
        price_grade=price.grade,
        cause=cause,
        kind=kind,
        maker=maker,
        racks=racks,
        weight_kg=weight,
        lead_time=price.lead_time,
        notes=price.notes,
    )


def price_of(context: Context, kind: str, part_id: str, *, terabytes: float | None = None) -> Price:
    """Unit price of a part: its own, else its kind's; a price per TB is multiplied by the part's size.

    Without a size a price per TB is none: it is not the price of one part.
    """
    name = parts_price_set(context.scenario.prices.price_set_id)
    prices: PriceSet = context.catalogue.find("price_sets", name, field="prices.price_set_id")
    row: PriceRow | None = prices.price(kind, part_id)
    if row is None or row.metric not in ("each", "per drive", "per TB"):
        return NOT_PRICED
    times = terabytes if row.metric == "per TB" else 1.0
    if times is None:
        return NOT_PRICED
    low, high = row.low, row.high
    return Price(
        given(low.number * times, "USD", "Unit price", source=low.source, grade=low.grade),
        given(high.number * times, "USD", "Unit price", source=high.source, grade=high.grade),
        low.source,
        row.as_of,
        low.grade,
        row.lead_time,
        row.item,
        row.notes,
    )


def cost_by_group(lines: tuple[BomLine, ...]) -> dict[str, tuple[float, float]]:
    """Low and high cost in USD of each group of the equipment that has a priced line."""
    groups: dict[str, tuple[float, float]] = {}
    for line in lines:
        if line.priced:
            low, high = groups.get(line.group, (0.0, 0.0))
            groups[line.group] = (low + line.extended_low_usd.number, high + line.extended_high_usd.number)
    return groups
