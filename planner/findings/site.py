"""Remarks on power, prices, and figures that are not well known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix
from planner.core.quantity import Quantity
from planner.core.units import counted, format_number
from planner.findings.rules import TOLERANCE, late_rule, note_rule, rule
from planner.sections.cabling import SIDES, Endpoint
from planner.sections.context import stated
from planner.sections.machines import (
    OWN_RACK_RU,
    SWITCHES,
    Device,
    gpu_device,
    machine_kg,
    weight_in_one_rack,
    whole_ru,
)

if TYPE_CHECKING:
    from planner.plan import Plan

SHOWN_LINES = 6
"""Lines without a price that a remark names."""
SHOWN_GAPS = 4
"""Gaps of the bill that a remark spells out."""
DECISIVE_FRACTION = 0.25
"""Share of the priced parts from which one line's price decides the cost."""


@rule
def power(plan: Plan) -> Iterator[Finding]:
    """PWR-1 to PWR-3: the rack, one feed alone, parts without watts."""
    facility = plan.facility
    if facility.rack_check.verdict == "fail":
        yield Finding(
            "PWR-1",
            "blocker",
            f"A rack draws up to {facility.rack_max_w}; the site allows {facility.rack_check.provided}.",
            "A single unit exceeds the limit of a rack: choose another platform or site.",
            "site limit",
            "facility",
        )
    if facility.feed_check.verdict == "fail":
        yield Finding(
            "PWR-2",
            "blocker",
            f"With one feed lost the other must carry {facility.rack_max_w}; it may carry {facility.circuit_w}.",
            "A single unit exceeds what one feed may carry: use a larger circuit or a second pair.",
            "power rules: A+B feeds",
            "facility",
        )
    for row in facility.rows:
        if (
            row.count.known
            and row.count.number > 0
            and not (row.total_typical_w.known and row.total_max_w.known)
        ):
            yield Finding(
                "PWR-3",
                "warning",
                f"{row.name}: the catalogue has no watts for them ({row.count} in number); the total leaves them out.",
                "Ask the vendor for typical and maximum watts.",
                "catalogue",
                "facility",
            )


@rule
def machines_in_racks(plan: Plan) -> Iterator[Finding]:
    """PWR-1, PWR-2 and RCK-2: a single machine that no rack of the site takes; GPU nodes where they are placed."""
    context, site = plan.calculation().context, plan.scenario.site
    room_ru = site.rack_height_ru - site.rack_reserved_ru
    room_kg = weight_in_one_rack(context, plan.facility).provided
    if site.place_gpu_nodes:
        yield from _gpu_machine(plan, gpu_device(context), room_kg)
    for row in plan.facility.rows:
        height = whole_ru(row.rack_units_ru)
        if not height or not row.count.known or not row.count.number > 0:
            continue
        if height > room_ru:
            yield _does_not_fit(f"{row.name}: a machine is {height} U high; a rack takes {room_ru} U")
        elif row.name != SWITCHES:
            kg = machine_kg(context, height)
            if kg.number > room_kg.number * TOLERANCE:
                told = f"{row.name}: a machine weighs {kg}; a rack of the site takes {room_kg} beside itself"
                yield _does_not_fit(told)


def _does_not_fit(words: str) -> Finding:
    return Finding(
        "RCK-2",
        "blocker",
        f"{words}.",
        "Choose another platform, or a site with other racks.",
        "site limit",
        "facility",
    )


def _gpu_machine(plan: Plan, device: Device, frame_kg: Quantity) -> Iterator[Finding]:
    """A GPU node against the power, the feed and the weight of a rack; its own frame is in its weight if it has one."""
    site, circuit = plan.scenario.site, plan.facility.circuit_w
    limit = plan.facility.rack_check.provided
    if device.max_w.number > limit.number * TOLERANCE:
        yield Finding(
            "PWR-1",
            "blocker",
            f"{device.name}: one draws up to {device.max_w}; the site allows {limit} in a rack.",
            "Choose a site for such racks, or place the GPU nodes elsewhere.",
            "site limit",
            "facility",
            (Fix("site.place_gpu_nodes", False, "plan the racks of storage alone"),),
        )
    if device.max_w.number > circuit.number * TOLERANCE:
        yield Finding(
            "PWR-2",
            "blocker",
            f"{device.name}: with one feed lost the other must carry {device.max_w}; it may carry {circuit}.",
            "Use larger circuits, or more pairs of them for a rack.",
            "power rules: A+B feeds",
            "facility",
            (Fix("site.place_gpu_nodes", False, "plan the racks of storage alone"),),
        )
    own = device.height_ru >= OWN_RACK_RU
    allowed = stated(site.rack_limit_kg, "rack_limit_kg", "Weight of a rack") if own else frame_kg
    if device.weight_kg.number > allowed.number * TOLERANCE:
        beside = "" if own else " beside itself"
        heavy = f"{device.name}: one weighs {device.weight_kg}"
        yield _does_not_fit(f"{heavy}; a rack of the site takes {allowed}{beside}")


@note_rule
def drive_watts(plan: Plan) -> Iterator[Finding]:
    """PWR-4: a drive whose watts at work the catalogue lacks: those of its class stand for them."""
    drive, facility = plan.hot.drive, plan.facility
    if drive is None or drive.active_write_w is not None or drive.active_read_w is not None:
        return
    idle = f", {facility.drive_idle_w} idle" if drive.idle_w is None else ""
    yield Finding(
        "PWR-4",
        "note",
        f"{drive.name}: the catalogue has no watts of the drive at work; those of its class stand for them: "
        f"{facility.drive_write_w} while writing, {facility.drive_read_w} while reading{idle}.",
        "Ask the vendor for its watts while it writes, reads and idles, and add them to the catalogue.",
        "class assumption",
        "facility",
    )


@late_rule
def prices(plan: Plan) -> Iterator[Finding]:
    """CST-1: lines of the bill that have no price."""
    lines = plan.unpriced
    if lines:
        count = len(lines)
        names = list(dict.fromkeys(f"“{line.description}”" for line in lines))
        told = "; ".join(names[:SHOWN_LINES])
        more = f"; and {counted(len(names) - SHOWN_LINES, 'other')}" if len(names) > SHOWN_LINES else ""
        yield Finding(
            "CST-1",
            "note",
            f"{count} {'line of the bill is' if count == 1 else 'lines of the bill are'} not priced: {told}{more}.",
            "Ask for a quotation; the totals leave them out.",
            "price set",
            "cost",
        )


@late_rule
def placed_racks(plan: Plan) -> Iterator[Finding]:
    """RCK-1: more racks where whole machines stand than height and power alone ask for."""
    least, placed = plan.facility.rack_count, plan.racks.storage_rack_count
    if placed.number > least.number:
        yield Finding(
            "RCK-1",
            "note",
            f"Storage and network stand in {counted(placed.number, 'rack')}; height and power alone ask for "
            f"{format_number(least.number)}. Whole machines, their weight and the place of the switches take the rest.",
            f"Reserve {counted(placed.number, 'rack')}: cost of space and circuits count them.",
            "layout of the racks",
            "facility",
        )


@late_rule
def lost_rack(plan: Plan) -> Iterator[Finding]:
    """RCK-3: machines whose leaves all stand in one rack, so that it takes every path of theirs with it."""
    if plan.cabling is None:
        return
    racks = {
        place.number - 1: rack.number
        for rack in plan.racks.racks
        if rack.count == 1
        for place in rack.places
        if place.device.key == "leaf"
    }
    leaves: dict[tuple[str, int], set[int]] = {}
    for cable in plan.cabling.endpoints:
        if isinstance(cable.start, Endpoint):
            leaves.setdefault((cable.start.role, cable.start.unit), set()).add(cable.finish.switch)
    several = [of for of in leaves.values() if len(of) > 1 and of <= racks.keys()]
    together = [of for of in several if len({racks[leaf] for leaf in of}) == 1]
    if not together:
        return
    if len(set(racks.values())) == 1:
        told = "All leaves stand in one rack: its loss takes every path to the storage, though one may fail."
        remedy = "Plan two racks with A and B feeds each where the loss of a rack has to be survived."
    else:
        has = "has all its leaves" if len(together) == 1 else "have all their leaves"
        told = (
            f"{counted(len(together), 'machine')} of {len(several)} {has} in one rack, whose loss takes all of "
            "their paths."
        )
        rails = plan.network.side_count.number > len(SIDES)
        remedy = f"Plan a further rack for leaves{', or an even number of rails' if rails else ''}."
    yield Finding(
        "RCK-3",
        "note",
        told,
        remedy,
        "layout of the racks",
        "facility",
    )


@rule
def completeness(plan: Plan) -> Iterator[Finding]:
    """BOM-1: parts that lack what they need to work, or that a vendor has to name."""
    for minor in (False, True):
        gaps = [gap for gap in plan.gaps if gap.minor is minor]
        if gaps:
            told = "; ".join(f"{gap.part}: {gap.text}" for gap in gaps[:SHOWN_GAPS])
            more = f"; and {len(gaps) - SHOWN_GAPS} more" if len(gaps) > SHOWN_GAPS else ""
            asks = "; ".join(dict.fromkeys(gap.ask for gap in gaps))
            yield Finding(
                "BOM-1",
                "note" if minor else "warning",
                f"The bill of materials is not complete: {told}{more}.",
                f"{asks}.",
                "completeness of the bill: ports, optics, cables, bays, heights",
                "bom",
            )


@late_rule
def placed_bill(plan: Plan) -> Iterator[Finding]:
    """BOM-2: what the bill lacks once machines stand in racks: reach, ports, outlets; racks have remarks of their own."""
    known = {rack.title for rack in plan.racks.racks}
    gaps = [gap for gap in plan.bill.gaps if gap not in plan.gaps and gap.part not in known]
    if gaps:
        told = "; ".join(f"{gap.part}: {gap.text}" for gap in gaps[:SHOWN_GAPS])
        more = f"; and {len(gaps) - SHOWN_GAPS} more" if len(gaps) > SHOWN_GAPS else ""
        asks = "; ".join(dict.fromkeys(gap.ask for gap in gaps))
        yield Finding(
            "BOM-2",
            "note",
            f"Placed in racks, the bill of materials is not complete: {told}{more}.",
            f"{asks}.",
            "completeness of the bill: lengths, ports, outlets",
            "bom",
        )


@note_rule
def weak_sources(plan: Plan) -> Iterator[Finding]:
    """SRC-1: a figure that decides the design is from memory or a class assumption."""
    weak: dict[str, str] = {}
    for tier in plan.tiers:
        term = tier.terms.get(tier.binding)
        for name, item in (term.inputs or {}).items() if term is not None else ():
            grade = getattr(item, "grade", "")
            if grade in ("from memory", "class assumption"):
                weak[f"{tier.name}: {getattr(item, 'label', name)}"] = grade
    by_parts = plan.cost.price_set.value != "guide"
    for line in plan.bom if by_parts else ():
        if not (line.priced and line.price_grade in ("from memory", "class assumption")):
            continue
        if line.extended_high_usd.number > DECISIVE_FRACTION * plan.cost.parts_high_usd.number:
            weak[f"{line.group}: price of {line.description}"] = line.price_grade
    for what, grade in weak.items():
        yield Finding(
            "SRC-1",
            "note",
            f"{what} decides the design and is graded “{grade}”.",
            "Ask the vendor, or measure.",
            "catalogue",
            "tiers",
        )
