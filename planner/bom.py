"""The bill of materials: what to buy, with watts, rack units, price range and the demand that caused it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from planner.catalogue import PriceRow
from planner.core.quantity import Quantity, derive, given
from planner.core.units import BITS_PER_BYTE, GIGA, TB
from planner.sections.context import Context
from planner.sections.facility import FacilityPlan
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan
from planner.sizing import cost


@dataclass(frozen=True, slots=True)
class BomLine:
    """One line: a part, how many, and what it takes and costs.

    Attributes:
        cause: The demand that set the quantity.
        price_low_usd: Unit price, low end; unknown (NaN) is "not priced", never 0.
        price_source: Where the price comes from, with its date and grade.
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

    @property
    def priced(self) -> bool:
        """Whether both ends of the price are known."""
        return self.extended_low_usd.known and self.extended_high_usd.known


@dataclass(frozen=True, slots=True)
class Price:
    """Range of a unit price with its origin."""

    low: Quantity
    high: Quantity
    source: str = ""
    as_of: str = ""
    grade: str = ""


def _unknown(unit: str, label: str) -> Quantity:
    return given(None, unit, label, source="not in the catalogue", grade="unknown")


NOT_PRICED = Price(_unknown("USD", "Unit price"), _unknown("USD", "Unit price"), "no price in the set")


def bill_of_materials(
    context: Context, tiers: tuple[TierPlan, ...], network: NetworkPlan, facility: FacilityPlan
) -> tuple[BomLine, ...]:
    """Every line, tier by tier, then the network."""
    lines: list[BomLine] = []
    rows = {row.name: row for row in facility.rows}
    for tier in tiers:
        row = rows[tier.name]
        lines.extend(_tier_lines(context, tier, row.typical_w, row.rack_units_ru))
    lines.extend(_network_lines(context, network, rows["Switches"].typical_w, rows["Switches"].rack_units_ru))
    return tuple(lines)


def _line(  # noqa: PLR0913 - a line has that many columns
    group: str, part_id: str, description: str, quantity: Quantity, *, cause: str, price: Price,
    watts: Quantity | None = None, units: Quantity | None = None, unit: str = "each",
) -> BomLine:
    return BomLine(
        group=group, part_id=part_id, description=description, quantity=quantity, unit=unit,
        watts_w=watts or given(0.0, "W", "inside the node", source="counted with the node", grade="seen"),
        rack_units_ru=units or given(0.0, "RU", "inside the node", source="counted with the node", grade="seen"),
        price_low_usd=price.low, price_high_usd=price.high,
        extended_low_usd=derive(cost.extended_usd, part_count=quantity, price_usd=price.low),
        extended_high_usd=derive(cost.extended_usd, part_count=quantity, price_usd=price.high),
        price_source=price.source, price_as_of=price.as_of, price_grade=price.grade, cause=cause,
    )


def _price(context: Context, item: str, *, times: float = 1.0) -> Price:
    row: PriceRow | None = context.catalogue.part_price(item)
    if row is None:
        return NOT_PRICED
    low, high = (
        Quantity(q.value * times, "USD", "Unit price", source=q.source, grade=q.grade) for q in (row.low, row.high)
    )
    return Price(low, high, row.source, row.as_of, row.confidence)


def _tier_lines(context: Context, tier: TierPlan, watts: Quantity, units: Quantity) -> Iterable[BomLine]:
    decided = f"{tier.binding} of the {tier.name}"
    platform = tier.platform
    generic = platform.generic
    server = _price(context, "srv-2u24") if generic and platform.id != "s3-hdd-32" else NOT_PRICED
    yield _line(
        tier.name, platform.id, f"{platform.vendor} {platform.name}" + (", without drives" if generic else ""),
        tier.unit_count, cause=decided, price=server, watts=watts, units=units,
    )
    if not (generic or tier.drive):
        return
    terabytes = tier.drive_bytes.number / TB
    drive = tier.drive
    kind = drive.name if drive else ("hard disk" if platform.id == "s3-hdd-32" else "enterprise NVMe")
    media = "hdd-nearline" if platform.id == "s3-hdd-32" else "u2-new"
    yield _line(
        tier.name, drive.id if drive else f"{platform.id}-drive", f"{kind}, {tier.drive_bytes.text()}",
        tier.drive_count, cause=decided, price=_price(context, media, times=terabytes),
    )
    nic = context.catalogue.find("nics", context.scenario.network.nic_id, field="network.nic_id")
    ports = derive_ports(tier)
    yield _line(
        tier.name, nic.id, f"{nic.vendor} {nic.name}", ports, cause=f"ports of the {tier.name}",
        price=_price(context, "nic-cx7") if nic.id == "cx7-400" else NOT_PRICED,
    )


def derive_ports(tier: TierPlan) -> Quantity:
    """Network ports of a tier's units together."""
    return derive(cost.parts_count, unit_count=tier.unit_count, per_unit_count=tier.platform.ports_per_unit)


def _network_lines(
    context: Context, network: NetworkPlan, watts: Quantity, units: Quantity
) -> Iterable[BomLine]:
    switch = network.switch
    yield _line(
        "Network", switch.id, f"{switch.vendor} {switch.model}", network.switch_count, cause=network.topology.reason,
        price=_price(context, context.catalogue.switch_price_item(switch)), watts=watts, units=units,
    )
    speed = network.option.client_port_bytes_per_s.number * BITS_PER_BYTE / GIGA
    optic = context.catalogue.optic_for(speed, fibre_channel=network.transport.value == "fc")
    label = f"optic, {speed:.0f} Gb/s" if optic is None else f"{optic.name}, {speed:.0f} Gb/s"
    price = NOT_PRICED if optic is None or optic.price_low_usd is None or optic.price_high_usd is None else Price(
        optic.price_low_usd, optic.price_high_usd, optic.source, optic.price_as_of, optic.confidence
    )
    ends = derive(cost.optic_ends_count, endpoint_count=network.endpoint_count, uplink_count=network.uplink_count)
    yield _line(
        "Network", optic.id if optic else "optic", label, ends, cause="both ends of every link", price=price,
    )
    cables = derive(cost.cables_count, endpoint_count=network.endpoint_count, uplink_count=network.uplink_count)
    yield _line(
        "Network", "trunk-om4-mtp12", "fibre trunk, one a link", cables, cause="one for each link",
        price=_optic_price(context, "trunk-om4-mtp12"),
    )


def _optic_price(context: Context, optic_id: str) -> Price:
    optic = context.catalogue.optics.get(optic_id)
    if optic is None or optic.price_low_usd is None or optic.price_high_usd is None:
        return NOT_PRICED
    return Price(optic.price_low_usd, optic.price_high_usd, optic.source, optic.price_as_of, optic.confidence)
