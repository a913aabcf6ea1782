"""The bill of materials: what to buy, with watts, rack units, price range and the demand that caused it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from planner.catalogue import Nic, Optic, PriceRow, PriceSet
from planner.core.quantity import Quantity, derive, given
from planner.core.units import BITS_PER_BYTE, GIGA, TB
from planner.sections.context import Context
from planner.sections.facility import FacilityPlan
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan, ports_per_unit
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


SHORTEST_REACH_M = 30.0
"""Reach that every link must have until distances are planned."""
PART_PRICES = "catalogue-2026"
"""Price set of parts where the chosen one has prices per TB alone."""
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
    group: str,
    part_id: str,
    description: str,
    quantity: Quantity,
    *,
    cause: str,
    price: Price,
    watts: Quantity | None = None,
    units: Quantity | None = None,
    unit: str = "each",
) -> BomLine:
    return BomLine(
        group=group,
        part_id=part_id,
        description=description,
        quantity=quantity,
        unit=unit,
        watts_w=watts or given(0.0, "W", "inside the node", source="counted with the node", grade="seen"),
        rack_units_ru=units
        or given(0.0, "RU", "inside the node", source="counted with the node", grade="seen"),
        price_low_usd=price.low,
        price_high_usd=price.high,
        extended_low_usd=derive(cost.extended_usd, part_count=quantity, price_usd=price.low),
        extended_high_usd=derive(cost.extended_usd, part_count=quantity, price_usd=price.high),
        price_source=price.source,
        price_as_of=price.as_of,
        price_grade=price.grade,
        cause=cause,
    )


def _price(context: Context, kind: str, part_id: str, *, terabytes: float = 1.0) -> Price:
    """Unit price of a part: its own, else its kind's; a price per TB is multiplied by the part's size."""
    chosen = context.scenario.prices.price_set_id
    name = chosen if chosen and chosen != "guide" else PART_PRICES
    prices: PriceSet = context.catalogue.find("price_sets", name, field="prices.price_set_id")
    row: PriceRow | None = prices.price(kind, part_id)
    if row is None or row.metric not in ("each", "per drive", "per TB"):
        return NOT_PRICED
    times = terabytes if row.metric == "per TB" else 1.0
    low, high = (
        given(q.number * times, "USD", "Unit price", source=q.source, grade=q.grade)
        for q in (row.low, row.high)
    )
    return Price(low, high, row.low.source, row.as_of, row.low.grade)


def _tier_lines(context: Context, tier: TierPlan, watts: Quantity, units: Quantity) -> Iterable[BomLine]:
    decided = f"{tier.binding} of the {tier.name}"
    platform = tier.platform
    generic = platform.generic
    server = _price(context, "servers" if generic else "platforms", platform.id)
    yield _line(
        tier.name,
        platform.id,
        platform.name + (", without drives" if generic else ""),
        tier.unit_count,
        cause=decided,
        price=server,
        watts=watts,
        units=units,
    )
    if not (generic or tier.drive):
        return
    terabytes = tier.drive_bytes.number / TB
    drive = tier.drive
    kind = drive.name if drive else ("hard disk" if platform.id == "s3-hdd-32" else "enterprise NVMe")
    media = "hdds" if platform.id == "s3-hdd-32" else "drives"
    yield _line(
        tier.name,
        drive.id if drive else f"{platform.id}-drive",
        f"{kind}, {tier.drive_bytes.text()}",
        tier.drive_count,
        cause=decided,
        price=_price(context, media, drive.id if drive else "", terabytes=terabytes),
    )
    nic = _nic(context, tier)
    yield _line(
        tier.name,
        nic.id,
        nic.name,
        derive(
            cost.cards_count,
            unit_count=tier.unit_count,
            port_count=ports_per_unit(tier.platform),
            ports_per_card_count=nic.port_count,
        ),
        cause=f"ports of the {tier.name}",
        price=_price(context, "nics", nic.id),
    )


def _nic(context: Context, tier: TierPlan) -> Nic:
    """The stated card for the hot tier; for the others the plainest card of their ports' speed."""
    nics = context.catalogue.nics
    stated: Nic = context.catalogue.find("nics", context.scenario.network.nic_id, field="network.nic_id")
    speed = tier.platform.front_end_bytes_per_s
    if tier.role == "hot" or speed is None:
        return stated
    fitting = [n for n in nics.values() if n.kind == "NIC" and n.port_bytes_per_s.number == speed.number]
    return fitting[0] if fitting else stated


def _network_lines(
    context: Context, network: NetworkPlan, watts: Quantity, units: Quantity
) -> Iterable[BomLine]:
    switch = network.switch
    yield _line(
        "Network",
        switch.id,
        switch.name,
        network.switch_count,
        cause=network.topology.reason,
        price=_price(context, "switches", switch.id),
        watts=watts,
        units=units,
    )
    speed = network.option.client_port_bytes_per_s.number * BITS_PER_BYTE / GIGA
    optic = _optic(context, speed, fibre_channel=network.transport.value == "fc")
    label = (
        f"optic, {speed:.0f} Gb/s"
        if optic is None
        else f"{optic.type}, {speed:.0f} Gb/s, {optic.form_factor}"
    )
    price = NOT_PRICED if optic is None else _price(context, "optics", optic.id)
    ends = derive(
        cost.optic_ends_count, endpoint_count=network.endpoint_count, uplink_count=network.uplink_count
    )
    yield _line(
        "Network",
        optic.id if optic else "optic",
        label,
        ends,
        cause="both ends of every link",
        price=price,
    )
    cables = derive(
        cost.cables_count, endpoint_count=network.endpoint_count, uplink_count=network.uplink_count
    )
    yield _line(
        "Network",
        "trunk-om4-mtp12",
        "fibre trunk, one a link",
        cables,
        cause="one for each link",
        price=_price(context, "optics", "trunk-om4-mtp12"),
    )


def _optic(context: Context, speed_gbps: float, *, fibre_channel: bool) -> Optic | None:
    """The optic of that speed with the shortest sufficient reach; None if there is none.

    A Fibre Channel port's payload is below the speed in its name, so the next speed above it is meant.
    """
    found = []
    for optic in context.catalogue.optics.values():
        speed = optic.speed_bytes_per_s
        if (
            optic.cable
            or speed is None
            or optic.reach_m is None
            or optic.id.startswith("fc-") != fibre_channel
        ):
            continue
        excess = speed.number * BITS_PER_BYTE / GIGA - speed_gbps
        if optic.reach_m.number >= SHORTEST_REACH_M and (excess > -1 if fibre_channel else abs(excess) < 1):
            found.append((excess, optic.reach_m.number, optic))
    return min(found, key=lambda item: item[:2])[2] if found else None
