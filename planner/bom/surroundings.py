"""Lines of what equipment stands in, hangs on and lives by: racks, power, management, software, services."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from planner.bom.lines import NO_HEIGHT, NO_WATTS, NO_WEIGHT, BomLine, line_of, price_of
from planner.core.quantity import Quantity, given
from planner.core.units import counted, format_value, scalar
from planner.sections.completeness import Gap
from planner.sections.context import Context
from planner.sections.lengths import standard_m
from planner.sections.machines import Device
from planner.sections.racks import Rack, RackLayout
from planner.sizing import racks as sizing

RACKS, MANAGEMENT, SPARES = "Racks and power", "Management", "Spare parts"
SOFTWARE, SERVICES = "Software and support", "Services"
MANAGEMENT_PORTS = 48
"""Ports of a management switch of one rack unit."""
MANAGEMENT_UPLINKS = 2
"""Uplinks of a management switch, so that one may fail."""
ONE_UNIT = given(1.0, "RU", "Rack units", source="its description", grade="seen")
UNKNOWN_WATTS = given(
    None, "W", "Power of a management switch", source="no switch is chosen", grade="unknown"
)
C13_AMPS, C19_AMPS = 10.0, 16.0
"""Ratings of the connectors: IEC 60320."""
CORD_VOLTS = 250.0
"""Highest voltage that both connectors are made for."""


def around(context: Context, layout: RackLayout) -> Iterator[BomLine]:
    """Everything beside the equipment, in the order in which it is installed."""
    yield from (line for line in _rack_lines(context, layout) if line.quantity.number)
    yield from _cord_lines(context, layout)
    yield from _management_lines(context, layout)
    yield from _spare_lines(context, layout)
    yield from _software_lines(context, layout)
    yield from _service_lines(context, layout)


def _count(number: float, label: str, source: str) -> Quantity:
    return given(float(number), "count", label, source=source, grade="inferred")


def _line(  # noqa: PLR0913 - a line has that many columns
    context: Context,
    group: str,
    part: str,
    words: str,
    quantity: Quantity,
    *,
    unit: str = "each",
    racks: str = "",
    weight: Quantity = NO_WEIGHT,
    watts: Quantity = NO_WATTS,
    units: Quantity = NO_HEIGHT,
) -> BomLine:
    """A line with a price where a set of one's own has one; its quantity says what caused it."""
    price = price_of(context, "surroundings", part)
    return line_of(
        group,
        part,
        words,
        quantity,
        cause=quantity.source,
        price=price,
        unit=unit,
        racks=racks,
        weight=weight,
        watts=watts,
        units=units,
    )


def _rack_lines(context: Context, layout: RackLayout) -> Iterator[BomLine]:
    site, racks = context.scenario.site, layout.storage_rack_count.number
    numbers = f"1 to {racks:.0f}" if racks > 1 else "1"
    empty = context.catalogue.assumptions["rack-empty-kg"].typical
    own = [rack for rack in layout.racks if rack.number <= racks]
    yield _line(
        context, RACKS, "rack", f"rack, {site.rack_height_ru} U, 600 mm × 1,200 mm, doors, side panels",
        _count(racks, "Racks", "layout of the racks"), racks=numbers, weight=empty or NO_WEIGHT,
    )  # fmt: skip
    circuits = layout.circuits
    feeds = sum(rack.circuit_count.number * rack.count for rack in own)
    yield _line(
        context, RACKS, "pdu",
        f"rack PDU, {circuits.label}, metered, 0 U, {_outlets_text(context, layout, own)}, plug {circuits.receptacle}",
        _count(feeds, "PDUs", "one for each circuit, A and B"), racks=numbers,
    )  # fmt: skip
    yield _line(
        context, RACKS, "circuit", f"circuit of the provider, {circuits.label}, {circuits.receptacle}",
        _count(feeds, "Circuits", "A and B in each rack; one alone carries it"), racks=numbers,
    )  # fmt: skip
    room = site.rack_height_ru - site.rack_reserved_ru
    free = sum((room - rack.used_ru.number) * rack.count for rack in own)
    managing, reserved = _management_count(layout), racks * site.rack_reserved_ru
    # Management switches stand in what is reserved, and beyond it in what is free.
    yield _line(
        context, RACKS, "blanking-panel", "blanking panel, 1 U",
        _count(max(0.0, free - max(0.0, managing - reserved)), "Panels", "free rack units"), racks=numbers,
    )  # fmt: skip
    yield _line(
        context, RACKS, "cable-manager", "patch panel and cable manager, 1 U",
        _count(max(0.0, reserved - managing), "Panels", "rack units reserved in each rack, less management switches"),
        racks=numbers,
    )  # fmt: skip


def _cord_w(context: Context, layout: RackLayout, amps: float) -> float:
    """What a cord of a rating carries at the voltage of the outlets."""
    site, share = context.scenario.site, layout.circuits.continuous_fraction.number
    volts = sizing.outlet_volts(site.feed_volts, phase_count=float(site.feed_phase_count))
    return float(sizing.cord_w(volts, cord_amps=amps, continuous_fraction=share))


def _supply_w(supplies: float, watts: float) -> float:
    """What one supply carries at most: with one feed lost half of the supplies carry the machine."""
    return watts / max(supplies / 2.0, 1.0)


def cord_gaps(context: Context, layout: RackLayout) -> Iterator[Gap]:
    """Supplies that draw more than any cord carries, and outlets of a voltage that no cord is made for."""
    site = context.scenario.site
    volts = float(sizing.outlet_volts(site.feed_volts, phase_count=float(site.feed_phase_count)))
    if volts > CORD_VOLTS:
        yield Gap(
            "Circuits",
            f"outlets of {format_value(volts, 'V')}; cords with C13 and C19 are made for {format_value(CORD_VOLTS, 'V')} at most",
            "choose another voltage, or have the vendors name supplies and cords for this one",
        )
    most = _cord_w(context, layout, C19_AMPS)
    for name, (_, supplies, watts) in _devices(layout).items():
        each = _supply_w(supplies, watts)
        if each > most * (1 + 1e-9):
            yield Gap(
                name,
                f"with one feed lost a supply draws {format_value(each, 'W')}; a C19 cord carries {format_value(most, 'W')} at {format_value(volts, 'V')}",
                "choose a feed of a higher voltage, or machines with more supplies",
            )


def _outlets_text(context: Context, layout: RackLayout, racks: Sequence[Rack]) -> str:
    """Outlets that one PDU has to have, by the rack that needs most: "at least 6 C13 and 2 C19 outlets"."""
    most, limit = {"C13": 0, "C19": 0}, _cord_w(context, layout, C13_AMPS)
    for rack in racks:
        cords = dict.fromkeys(most, 0.0)
        for place in rack.places:
            device = place.device
            supplies, watts = device.supply_count.number, device.max_w.number if device.max_w.known else 0.0
            cords["C19" if _supply_w(supplies, watts) > limit else "C13"] += supplies
        cords["C13"] += _management_supplies(context)
        for kind, count in cords.items():
            most[kind] = max(most[kind], math.ceil(count / max(rack.circuit_count.number, 1.0) - 1e-9))
    return "at least " + " and ".join(f"{count} {kind}" for kind, count in most.items() if count) + " outlets"


def _management_supplies(context: Context) -> float:
    """Supplies of a management switch: as many as other switches have."""
    supplies = context.catalogue.assumptions["switch-supplies"].typical
    return supplies.number if supplies is not None else 2.0


def _devices(layout: RackLayout) -> dict[str, tuple[int, float, float]]:
    """Number, supplies and highest watts of each kind of machine of storage and network."""
    found: dict[str, tuple[int, float, float]] = {}
    for rack in layout.racks:
        for place in rack.places:
            device = place.device
            if device.kind == "gpu":
                continue
            count = found.get(device.name, (0, 0.0, 0.0))[0]
            watts = device.max_w.number if device.max_w.known else 0.0
            found[device.name] = (count + rack.count, device.supply_count.number, watts)
    return found


def _cord_lines(context: Context, layout: RackLayout) -> Iterator[BomLine]:
    """A cord for each supply, half of them to each feed, and a rail kit for each machine."""
    limit = _cord_w(context, layout, C13_AMPS)
    for name, (count, supplies, watts) in _devices(layout).items():
        heavy = _supply_w(supplies, watts) > limit
        plug = "C19 to C20" if heavy else "C13 to C14"
        yield _line(
            context, RACKS, "cord-c19" if heavy else "cord-c13", f"power cord, {plug}, locking, for {name}",
            _count(count * supplies, "Cords", "one for each supply, half on A and half on B"),
        )  # fmt: skip
        yield _line(
            context, RACKS, "rail-kit", f"rail kit, {name}",
            _count(count, "Rails", "one for each machine"), unit="set",
        )  # fmt: skip
    yield _line(
        context, RACKS, "cord-c13", "power cord, C13 to C14, locking, for management switches",
        _count(_management_count(layout) * _management_supplies(context), "Cords", "one for each supply, half on A and half on B"),
    )  # fmt: skip


def _management_ports(layout: RackLayout) -> float:
    """Ports for management: one for the controller of each machine of storage and network, one for each PDU."""
    machines = sum(count for count, _, _ in _devices(layout).values())
    storage = layout.storage_rack_count.number
    return machines + sum(r.circuit_count.number * r.count for r in layout.racks if r.number <= storage)


def _management_count(layout: RackLayout) -> int:
    """Management switches for those ports."""
    return math.ceil(_management_ports(layout) / MANAGEMENT_PORTS)


def _management_m(context: Context, layout: RackLayout) -> float:
    """Length of the longest of those cords: a switch stands in the middle of the racks that share it."""
    site = context.scenario.site
    shared = math.ceil(layout.storage_rack_count.number / max(_management_count(layout), 1))
    away = shared // 2
    slack = context.catalogue.assumptions["cable-slack"].typical
    return standard_m(
        float(
            sizing.cable_m(
                scalar(site.rack_height_ru + (site.rack_reserved_ru if away else 0)),
                horizontal_m=site.rack_pitch_m * away,
                slack_m=0.0 if slack is None else slack.number,
            )
        )
    )


def _management_lines(context: Context, layout: RackLayout) -> Iterator[BomLine]:
    """A port for each machine's controller and each PDU, on a network of its own."""
    yield _line(
        context, MANAGEMENT, "management-switch",
        f"switch, {MANAGEMENT_PORTS} × 1 Gb/s RJ45 and {MANAGEMENT_UPLINKS} × 10 Gb/s SFP+ or more, 1 U, in the rack units that are reserved; the power table leaves it out",
        _count(_management_count(layout), "Switches", "a port for each controller and PDU"),
        watts=UNKNOWN_WATTS, units=ONE_UNIT,
    )  # fmt: skip
    yield _line(
        context, MANAGEMENT, "management-cord", f"patch cord, RJ45, Cat 6, {_management_m(context, layout):g} m",
        _count(_management_ports(layout), "Cords", "one for each management port"),
    )  # fmt: skip
    yield _line(
        context, MANAGEMENT, "management-uplink",
        "uplink of a management switch, 10 Gb/s SFP+, optics and fibre, to two switches of the site's management network",
        _count(_management_count(layout) * MANAGEMENT_UPLINKS, "Uplinks", "two of each management switch, so that one may fail"),
    )  # fmt: skip


def _spare_lines(context: Context, layout: RackLayout) -> Iterator[BomLine]:
    """Supplies and fans of each model that are kept on site: all other spares stand beside their lines."""
    share = context.scenario.prices.spares.supply_fraction
    if not share:
        return
    found: dict[str, tuple[float, float]] = {}
    counts = _devices(layout)
    for device in _kinds(layout):
        if device.kind != "gpu":
            machines, supplies = found.get(device.part_id, (0.0, 0.0))
            count, each, _ = counts[device.name]
            found[device.part_id] = machines + count, supplies + count * each
    for model, (machines, supplies) in found.items():
        rows = (
            context.catalogue.platforms
            if model in context.catalogue.platforms
            else context.catalogue.switches
        )
        parts = (
            ("spare-supply", "power supply", supplies, f"{supplies:.0f} supplies"),
            ("spare-fan", "fan module", machines, counted(machines, "machine")),
        )
        for part, kind, installed, what in parts:
            kept = float(sizing.spares_count(installed, spare_fraction=share))
            cause = f"{format_value(share, 'fraction')} of {what}, rounded up"
            words = f"spare {kind}, {rows[model].name}"
            yield _line(context, SPARES, part, words, _count(kept, "Spare parts", cause))


def _software_lines(context: Context, layout: RackLayout) -> Iterator[BomLine]:
    """Licences of named products, an operating system for generic kit, and support over the term."""
    names = {place.device.part_id: place.device for rack in layout.racks for place in rack.places}
    for part, device in names.items():
        if device.kind != "storage":
            continue
        platform = context.catalogue.platforms[part]
        units = float(sum(d.count for d in _kinds(layout) if d.part_id == part))
        what = "operating system and target software" if platform.generic else f"licences of {platform.name}"
        yield _line(
            context, SOFTWARE, f"{part}-software", f"{what}, {platform.name}" if platform.generic else what,
            _count(units, "Licences", "one for each server"), unit="unit",
        )  # fmt: skip
    years = counted(context.scenario.prices.term_years, "year")
    yield _line(
        context, SOFTWARE, "support", f"hardware and software support, {years}, next day, drives stay on site",
        _count(1, "Support", "term of the design"), unit="set",
    )  # fmt: skip


def _kinds(layout: RackLayout) -> list[Device]:
    """Every kind of machine once."""
    return list(dict.fromkeys(place.device for rack in layout.racks for place in rack.places))


def _service_lines(context: Context, layout: RackLayout) -> Iterator[BomLine]:
    site, racks = context.scenario.site, layout.storage_rack_count
    lines = (
        ("installation", "racking, cabling, labelling and burn-in of a rack", racks.number, "rack", "racks"),
        ("labels", "labels for both ends of every cable and every machine", 1.0, "set", "cable schedule"),
        ("cross-connect", "cross-connect, single-mode pair, to a carrier", site.cross_connect_count, "each",
         "ways to the outside"),
        ("freight", "delivery, insurance, unpacking and removal of packaging", 1.0, "set", "site"),
    )  # fmt: skip
    for part, words, number, unit, cause in lines:
        if number:
            quantity = _count(number, "Services", cause)
            yield _line(context, SERVICES, part, words, quantity, unit=unit)
