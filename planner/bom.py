"""The bill of materials: what to buy, with watts, rack units, price range and the demand that caused it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from planner.catalogue import Nic, PriceRow, PriceSet
from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import BITS_PER_BYTE, GIGA, TB, scalar
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


FC_ADAPTER = "lpe36002"
"""Adapter of the hot tier and of GPU nodes on Fibre Channel."""
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
        lines.extend(
            _tier_lines(
                context, tier, row.typical_w, row.rack_units_ru, fibre_channel=network.transport.value == "fc"
            )
        )
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


def _tier_lines(
    context: Context, tier: TierPlan, watts: Quantity, units: Quantity, *, fibre_channel: bool
) -> Iterable[BomLine]:
    decided = f"{tier.binding} of the {tier.name}"
    platform = tier.platform
    generic = platform.generic
    server = _price(context, "servers" if generic else "platforms", platform.id)
    yield _line(
        tier.name,
        platform.id,
        platform.name + (", without drives" if generic else ""),
        tier.unit_count,
        cause=f"{tier.unit_binding} of the {tier.name}",
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
    nic = _nic(context, tier, fibre_channel=fibre_channel)
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


def _nic(context: Context, tier: TierPlan, *, fibre_channel: bool) -> Nic:
    """The stated card for the hot tier; for the others the plainest card of their ports' speed."""
    nics = context.catalogue.nics
    stated: Nic = context.catalogue.find("nics", context.scenario.network.nic_id, field="network.nic_id")
    speed = tier.platform.front_end_bytes_per_s
    if tier.role == "hot" and fibre_channel:
        return nics[FC_ADAPTER]
    if tier.role == "hot" or speed is None:
        return stated
    fitting = [n for n in nics.values() if n.kind == "NIC" and n.port_bytes_per_s.number == speed.number]
    return fitting[0] if fitting else stated


def _optic_lines(context: Context, network: NetworkPlan) -> Iterable[BomLine]:
    """An optic at both ends of every link, group by group; form factors follow the cages at each end."""
    for group in network.links:
        optic = group.optic
        speed = f"{group.speed_bytes_per_s.number * BITS_PER_BYTE / GIGA:.0f} Gb/s"
        yield _line(
            "Network",
            optic.id if optic else "optic",
            f"{optic.type} optic, {speed}" if optic else f"optic, {speed}",
            derive(cost.optic_ends_count, link_count=group.count, label=f"Optics, {group.name}"),
            cause=f"both ends of the links: {group.name}",
            price=_price(context, "optics", optic.id) if optic else NOT_PRICED,
        )


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
    if network.transport.value == "fc":
        adapter = context.catalogue.nics[FC_ADAPTER]
        yield _line(
            "Network",
            adapter.id,
            f"{adapter.name}, for GPU nodes",
            derive(
                cost.cards_count,
                unit_count=scalar(context.scenario.cluster.node_count),
                port_count=network.node_port_count.number / context.scenario.cluster.node_count,
                ports_per_card_count=adapter.port_count,
            ),
            cause="ports of GPU nodes",
            price=_price(context, "nics", adapter.id),
        )
    yield from _optic_lines(context, network)
    cables = total([group.count for group in network.links], "Cables", unit="count")
    yield _line(
        "Network",
        "trunk-om4-mtp12",
        "fibre trunk, one a link",
        cables,
        cause="one for each link",
        price=_price(context, "optics", "trunk-om4-mtp12"),
    )
