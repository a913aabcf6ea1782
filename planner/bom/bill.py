"""The whole bill: equipment with spares and racks, cables by length, racks and power, software and services."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from planner.bom.equipment import fibre_of, fibre_words, legs_of
from planner.bom.lines import BomLine, Price, line_of, not_priced
from planner.bom.surroundings import around, cord_gaps
from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import format_range
from planner.sections.cabling import Cabling, SwitchPort
from planner.sections.circuits import TO_AGREE
from planner.sections.completeness import Gap
from planner.sections.context import Context
from planner.sections.cost import priced_sum
from planner.sections.links import LinkGroup, speed_text
from planner.sections.machines import Device
from planner.sections.network import NetworkPlan
from planner.sections.racks import RackLayout, rack_numbers
from planner.sections.term import Prices
from planner.sizing import racks

CABLES = "Cables"


@dataclass(frozen=True, slots=True)
class Bill:
    """Every line that a quotation needs, with totals over those that have a price.

    Attributes:
        gaps: What is missing before it can be quoted.
        low_usd: Low price of the quantities, without spares.
        spares_low_usd: Low price of the spare parts.
        not_priced: Lines without a price; the totals leave them out.
    """

    lines: tuple[BomLine, ...]
    gaps: tuple[Gap, ...]
    low_usd: Quantity
    high_usd: Quantity
    spares_low_usd: Quantity
    spares_high_usd: Quantity
    not_priced: tuple[BomLine, ...]

    @property
    def groups(self) -> dict[str, tuple[BomLine, ...]]:
        """Lines by their group, in the order of the bill."""
        names = dict.fromkeys(line.group for line in self.lines)
        return {name: tuple(line for line in self.lines if line.group == name) for name in names}

    @property
    def total_text(self) -> str:
        """Range of the total, with how many lines it leaves out: "$580k to $1.78M + 12 lines of the bill not priced"."""
        return _text(self.low_usd, self.high_usd, len(self.not_priced), "the bill")

    def group_text(self, name: str) -> str:
        """The same for one group."""
        lines = self.groups[name]
        priced = [line for line in lines if line.priced]
        low = total([line.extended_low_usd for line in priced], name, unit="USD")
        high = total([line.extended_high_usd for line in priced], name, unit="USD")
        return _text(low, high, len(lines) - len(priced)) if priced else "not priced"


def _text(low: Quantity, high: Quantity, missing: int, of: str = "") -> str:
    if not (low.known and high.known):
        return f"unknown: none of {missing} lines is priced"
    more = f" + {not_priced(missing, of)}" if missing else ""
    return format_range(low.number, high.number, "USD") + more


def full_bill(
    context: Context,
    equipment: tuple[BomLine, ...],
    network: NetworkPlan,
    layout: RackLayout,
    cabling: Cabling | None,
    gaps: tuple[Gap, ...],
) -> Bill:
    """The bill that a quotation is asked with.

    Args:
        context: Scenario and catalogue.
        equipment: Lines of equipment, as the cost of the plan counts them.
        network: Links, for the cables between racks.
        layout: Racks with what stands in them.
        cabling: Cables with their lengths; None where the ports do not fit, which is a gap.
        gaps: What the parts lack as far as it showed before they were placed.
    """
    found = (*gaps, *_layout_gaps(layout, network, cabling), *cord_gaps(context, layout))
    lines = (
        *(_placed(context, line, layout) for line in equipment if line.kind != "cable"),
        *(_with_spares(context, line) for line in _cable_lines(context, equipment, network, cabling)),
        *around(context, layout),
    )
    priced = [line for line in lines if line.priced]
    missing = len(lines) - len(priced)
    return Bill(
        lines=lines,
        gaps=found,
        low_usd=priced_sum([line.extended_low_usd for line in priced], missing, "Priced lines, low"),
        high_usd=priced_sum([line.extended_high_usd for line in priced], missing, "Priced lines, high"),
        spares_low_usd=priced_sum([line.spares_low_usd for line in priced], missing, "Spare parts, low"),
        spares_high_usd=priced_sum([line.spares_high_usd for line in priced], missing, "Spare parts, high"),
        not_priced=tuple(line for line in lines if not line.priced),
    )


def _with_spares(context: Context, line: BomLine) -> BomLine:
    """A line with as many spares as the policy for its kind keeps."""
    policy = context.scenario.prices.spares
    shares = {
        "node": policy.node_fraction,
        "drive": policy.drive_fraction,
        "nic": policy.nic_fraction,
        "switch": policy.switch_fraction,
        "optic": policy.optic_fraction,
        "cable": policy.optic_fraction,
    }
    share = shares.get(line.kind)
    if not share:
        return line
    return replace(
        line, spare_count=derive(racks.spares_count, part_count=line.quantity, spare_fraction=share)
    )


def _placed(context: Context, line: BomLine, layout: RackLayout) -> BomLine:
    """A line with its spares, and for whole machines where they stand and what one weighs."""
    spared = _with_spares(context, line)
    if line.kind not in ("node", "switch"):
        return spared
    standing = [rack for rack in layout.racks if any(_is(line, place.device) for place in rack.places)]
    if not standing:
        return spared
    weight = next(place.device.weight_kg for place in standing[0].places if _is(line, place.device))
    return replace(spared, racks=rack_numbers(standing), weight_kg=weight)


def _is(line: BomLine, device: Device) -> bool:
    """Whether a line buys that kind of machine."""
    if line.kind == "switch":
        return device.kind == "network"
    if device.name.startswith("Metadata servers"):
        return line.description.startswith("Metadata server") and device.name.endswith(line.group)
    return device.name == line.group and not line.description.startswith("Metadata server")


def _cable_lines(
    context: Context, equipment: tuple[BomLine, ...], network: NetworkPlan, cabling: Cabling | None
) -> Iterator[BomLine]:
    """Cables by group of links and by length, at the price of their kind; by kind alone if lengths are unknown."""
    if cabling is None:
        yield from (replace(line, group=CABLES) for line in equipment if line.kind == "cable")
        return
    of_id = {line.part_id: line for line in equipment if line.kind == "cable"}
    copper = {group.name: group for group in network.links if group.copper}
    for line in equipment:  # copper is counted by cage, not by link
        if line.kind == "cable" and any(line.cause.endswith(f": {name}") for name in copper):
            name = line.cause.partition(": ")[2]
            longest = max(cable.length_m for cable in cabling.cables if cable.group == name)
            yield replace(line, group=CABLES, description=f"{line.description}, {longest:g} m, {name}")
    lengths = _fibre_lengths(network, cabling)
    for group in network.links:
        for length in sorted(metres for name, metres in lengths if name == group.name):
            like = of_id[fibre_of(group)]
            priced = _price_at(context, like, length)
            yield _fibre_line(like, group, length, lengths[group.name, length], priced)


def _price_at(context: Context, like: BomLine, length_m: float) -> Price:
    """Price of a fibre of a length: that of the length in the catalogue, which a longer one costs at least."""
    price = Price(
        like.price_low_usd,
        like.price_high_usd,
        like.price_source,
        like.price_as_of,
        like.price_grade,
        like.lead_time,
        notes=like.notes,
    )
    own = context.catalogue.optics[like.part_id].reach_m
    if not like.priced or own is None or length_m <= own.number:
        return price
    return replace(
        price, source=f"{price.source}; price of {own.number:g} m, longer ones cost more", grade="inferred"
    )


def _fibre_lengths(network: NetworkPlan, cabling: Cabling) -> Counter[tuple[str, float]]:
    """Number of fibres by group of links and length: a split one is as long as its longest leg needs."""
    legs = {group.name: legs_of(group) for group in network.links if not group.copper}
    longest: dict[tuple[str, str, int, int, int], float] = {}
    for cable in cabling.cables:
        if cable.group in legs:
            near = cable.start if isinstance(cable.start, SwitchPort) else cable.finish
            fibre = (cable.group, near.role, near.switch, near.cage, near.lane // legs[cable.group])
            longest[fibre] = max(longest.get(fibre, 0.0), cable.length_m)
    return Counter((name, length) for (name, *_), length in longest.items())


def _fibre_line(like: BomLine, group: LinkGroup, length_m: float, count: int, price: Price) -> BomLine:
    """A line of one kind of fibre, in one length."""
    legs = legs_of(group)
    return line_of(
        CABLES,
        like.part_id,
        f"{fibre_words(like.part_id, legs)}, {length_m:g} m, {speed_text(group)}, {group.name}",
        given(float(count), "count", "Cables", source="cable schedule", grade="inferred"),
        cause=f"one for {'each link' if legs == 1 else f'{legs} links'}: {group.name}",
        price=price,
        kind="cable",
    )


def _layout_gaps(layout: RackLayout, network: NetworkPlan, cabling: Cabling | None) -> Iterator[Gap]:
    """What shows only once machines stand in racks: no place, no port, too short a reach, limits exceeded."""
    for words in layout.unplaced:
        if words.startswith(f"{network.switch.name}: "):
            continue  # more tiers of switches than are planned: the network's own gap says so
        missing = "is not placed: its height is unknown or above a rack's"
        yield Gap(words, missing, "ask the vendor for its height")
    if cabling is None:
        yield Gap(
            "Cables", "ports do not fit the planned leaves", "choose a switch with more ports or one speed"
        )
    else:
        yield from _reach_gaps(network, cabling)
    for rack in layout.racks:
        for check in rack.checks:
            if check.verdict == "fail":
                asked = f"{check.name.lower()}: {check.required} of {check.provided}"
                yield Gap(rack.title, asked, "a single machine exceeds it: choose another platform or site")
    if layout.circuits.receptacle == TO_AGREE:
        yield Gap(
            "Circuits",
            f"no usual outlet for {layout.circuits.label}",
            "agree the receptacle with the provider",
        )


def _reach_gaps(network: NetworkPlan, cabling: Cabling) -> Iterator[Gap]:
    """Cables that are longer than their optics reach."""
    longest: dict[str, float] = {}
    for cable in cabling.cables:
        longest[cable.group] = max(longest.get(cable.group, 0.0), cable.length_m)
    for group in network.links:
        length = longest.get(group.name, 0.0)
        ends = [optic.reach_m for optic in (group.optic, group.cage_optic) if optic is not None]
        reach = min(ends, key=lambda metres: metres.number, default=None)
        if reach is not None and length > reach.number:
            told = f"cables of {length:g} m, optics that reach {reach}"
            yield Gap(group.name, told, "place racks closer")


def group_sums(bill: Bill, names: Sequence[str]) -> dict[str, tuple[Quantity, Quantity, int]]:
    """Low and high price of the lines of each group, and how many of them have none."""
    found = {}
    for name in names:
        lines = bill.groups.get(name, ())
        priced = [line for line in lines if line.priced]
        missing = len(lines) - len(priced)
        low = priced_sum([line.extended_low_usd for line in priced], missing, f"{name}, parts, low")
        high = priced_sum([line.extended_high_usd for line in priced], missing, f"{name}, parts, high")
        found[name] = (low, high, missing)
    return found


def sums_of(bill: Bill, hot_name: str) -> Prices:
    """What the cost over a term takes from the bill: spares, the hot tier's drives, lines without a price."""
    drives = [line for line in bill.lines if line.kind == "drive" and line.group == hot_name]
    unknown = given(None, "USD", "Drives of the hot tier", source="not priced", grade="unknown")
    known = bool(drives) and all(line.priced for line in drives)
    label = "Drives of the hot tier"
    return Prices(
        spares_low_usd=bill.spares_low_usd,
        spares_high_usd=bill.spares_high_usd,
        drives_low_usd=total([line.extended_low_usd for line in drives], label, unit="USD")
        if known
        else unknown,
        drives_high_usd=total([line.extended_high_usd for line in drives], label, unit="USD")
        if known
        else unknown,
        missing_count=len(bill.not_priced),
    )
