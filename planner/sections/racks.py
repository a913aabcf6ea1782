"""The rack layout: which machine stands where, and what each rack draws, weighs and gives off."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner.core.checks import Check
from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import scalar
from planner.sections.cabling import fabrics_of
from planner.sections.circuits import Circuits, circuits_of, density_class, rack_draw
from planner.sections.context import Context, or_unknown, stated
from planner.sections.facility import FacilityPlan
from planner.sections.machines import OWN_RACK_RU, Device, gpu_device, storage_devices, switch_devices
from planner.sections.network import NetworkPlan
from planner.sections.placing import Piece, Room, Shelf, arrange, per_rack
from planner.sections.tiers import TierPlan
from planner.sizing import facility as sizing
from planner.sizing import feeds, racks

MOST_RACKS, MOST_MACHINES = 3_000, 20_000
"""Above these machines are not placed one by one: each kind fills racks of its own, which are alike."""
HEIGHT = "Height"
"""Name of the check that a rack which comes as a machine does not have."""


@dataclass(frozen=True, slots=True)
class Place:
    """One machine in its rack.

    Attributes:
        number: Which of its kind it is, from 1.
        bottom_ru: Lowest rack unit that it takes, from 1 at the floor.
    """

    device: Device
    number: int
    bottom_ru: int

    @property
    def top_ru(self) -> int:
        """Highest rack unit that it takes."""
        return self.bottom_ru + self.device.height_ru - 1

    @property
    def name(self) -> str:
        """What is written on it: "nvme-03"."""
        return self.device.label(self.number)


@dataclass(frozen=True, slots=True)
class Rack:
    """One rack, or several that are filled alike.

    Attributes:
        number: Number of the first one, from 1.
        count: How many are filled like it.
        feed_a_amps: Current of each phase of one feed while both are there.
        feed_alone_amps: The same with the other feed lost: all of the load at its highest.
        checks: Height, power, one feed alone and weight against what a rack may take.
    """

    number: int
    count: int
    places: tuple[Place, ...]
    height_ru: int
    used_ru: Quantity
    typical_w: Quantity
    max_w: Quantity
    weight_kg: Quantity
    feed_a_amps: Quantity
    feed_alone_amps: Quantity
    circuit_count: Quantity
    apparent_va: Quantity
    startup_w: Quantity
    air_w: Quantity
    liquid_w: Quantity
    btu_per_hour: Quantity
    airflow_m3_per_hour: Quantity
    airflow_cfm: Quantity
    floor_kg_per_m2: Quantity
    density: str
    checks: tuple[Check, ...]

    @property
    def title(self) -> str:
        """Its number as a heading, or the first and the last number of those that are alike."""
        return (
            f"Rack {self.number}"
            if self.count == 1
            else f"Racks {self.number} to {self.number + self.count - 1}"
        )

    def held(self) -> dict[str, int]:
        """How many of each kind of machine are in it, bottom-up."""
        found: dict[str, int] = {}
        for place in self.places:
            found[place.device.name] = found.get(place.device.name, 0) + 1
        return found


@dataclass(frozen=True, slots=True)
class RackLayout:
    """All racks, and their sums.

    Attributes:
        storage_rack_count: Racks of storage and network.
        gpu_rack_count: Racks of GPU nodes; 0 where they are not placed.
        unplaced: Machines of unknown height, or higher than a rack: they are not drawn.
        unplaced_max_w: What those draw; with it the racks add up to the design.
        heaviest_kg: Weight of the heaviest rack.
        fullest_w: Highest power of the fullest rack.
    """

    racks: tuple[Rack, ...]
    rack_count: Quantity
    storage_rack_count: Quantity
    gpu_rack_count: Quantity
    used_ru: Quantity
    typical_w: Quantity
    max_w: Quantity
    weight_kg: Quantity
    heaviest_kg: Quantity
    fullest_w: Quantity
    floor_kg_per_m2: Quantity
    apparent_va: Quantity
    startup_w: Quantity
    air_w: Quantity
    liquid_w: Quantity
    btu_per_hour: Quantity
    cooling_tons: Quantity
    airflow_m3_per_hour: Quantity
    airflow_cfm: Quantity
    circuits: Circuits
    circuit_count: Quantity
    unplaced: tuple[str, ...]
    unplaced_max_w: Quantity


def rack_layout(
    context: Context, tiers: tuple[TierPlan, ...], network: NetworkPlan, facility: FacilityPlan
) -> RackLayout:
    """Storage, switches and, if asked for, GPU nodes in racks; what they draw adds up to the design.

    Racks begin with as many as the plan's power and height ask for, and grow where whole machines, their
    weight or the switches' place need more.
    """
    circuits = circuits_of(context, facility)
    room = _room(context, facility)
    devices = [
        *storage_devices(context, tiers, network, facility),
        *switch_devices(context, network, facility),
    ]
    placed = [device for device in devices if 0 < device.height_ru <= room.height_ru and device.count]
    left = [f"{d.count} × {d.name}" for d in devices if d not in placed and d.count]
    if not network.switch_count.known:
        left.append(f"{network.switch.name}: more than two tiers are needed")
    least = facility.rack_count.number
    if least <= MOST_RACKS and sum(device.count for device in placed) <= MOST_MACHINES:
        shelves = arrange([_piece(device) for device in placed], room, least_count=int(least))
        made = list(_racks(context, circuits, placed, shelves, network))
    else:
        made = _own_racks(context, circuits, room, placed, network)
    storage_count = sum(rack.count for rack in made)
    if context.scenario.site.place_gpu_nodes:
        made += _gpu_racks(context, circuits, room, first=storage_count + 1)
    return _sums(context, facility, circuits, made, storage_count, left)


def _room(context: Context, facility: FacilityPlan) -> Room:
    """What a rack takes: height without what is reserved, the smaller of limit and feed, weight without the rack."""
    site = context.scenario.site
    budget = min(facility.rack_check.provided.number, facility.circuit_w.number)
    empty = context.catalogue.find("assumptions", "rack-empty-kg").typical
    return Room(site.rack_height_ru - site.rack_reserved_ru, budget, site.rack_limit_kg - empty.number)


def _piece(device: Device) -> Piece:
    return Piece(
        device.key,
        device.count,
        device.height_ru,
        device.max_w.number if device.max_w.known else 0.0,
        device.weight_kg.number,
        on_top=device.kind == "network",
    )


def _racks(
    context: Context,
    circuits: Circuits,
    devices: Sequence[Device],
    shelves: list[Shelf],
    network: NetworkPlan,
) -> Iterator[Rack]:
    """Every rack with its machines from the floor up; numbers of a kind run through the racks, side by side."""
    of_key = {device.key: device for device in devices}
    numbers = {
        device.key: _numbers(_in_order(device, network), [shelf.held.get(device.key, 0) for shelf in shelves])
        for device in devices
    }
    for place, shelf in enumerate(shelves):
        held = {of_key[key]: numbers[key][place] for key in shelf.held}
        yield _rack(context, circuits, place + 1, 1, tuple(_places(context, held)))


def _in_order(device: Device, network: NetworkPlan) -> list[int]:
    """Numbers of a kind of machine in the order in which racks take them: leaves by side or rail, spines by fabric."""
    return list(itertools.chain.from_iterable(_apart(device, network)))


def _apart(device: Device, network: NetworkPlan) -> list[Sequence[int]]:
    """Numbers of a kind of machine by what they serve: leaves by side or rail, spines by fabric, all others together.

    Neighbours among sides or rails, which a machine of two ports is on, are half of all apart, and so in two racks if
    there are two.
    """
    numbers = range(1, device.count + 1)
    if device.key == "spine":
        fabrics = fabrics_of(network)
        return [numbers[fabric::fabrics] for fabric in range(fabrics)]
    if device.key != "leaf":
        return [numbers]  # a range: there may be more machines than a list has room for
    # Leaves of targets and those of nodes each begin with side A.
    first = int(network.target_leaves.count.number) if network.leaves_split else device.count
    sides = int(network.side_count.number)
    return [
        [*numbers[:first][side::sides], *numbers[first:][side::sides]]
        for side in sorted(range(sides), key=lambda side: (side % 2, side))
    ]


def _numbers(order: list[int], held: list[int]) -> list[list[int]]:
    """Numbers of a kind of machine in each rack, in the order that is given."""
    ends = list(itertools.accumulate(held))
    return [sorted(order[end - count : end]) for end, count in zip(ends, held, strict=True)]


def _places(context: Context, held: dict[Device, list[int]]) -> Iterator[Place]:
    """Storage from the floor up, heavy ones low; switches below what is reserved at the top."""
    site = context.scenario.site
    bottom = 1
    low = sorted((d for d in held if d.kind != "network"), key=lambda d: (-d.kg_per_ru, d.key))
    for device in low:
        for number in held[device]:
            yield Place(device, number, bottom)
            bottom += device.height_ru
    top = site.rack_height_ru - site.rack_reserved_ru
    for device in sorted((d for d in held if d.kind == "network"), key=lambda d: d.key):
        for number in held[device]:
            yield Place(device, number, top - device.height_ru + 1)
            top -= device.height_ru


def _own_racks(
    context: Context, circuits: Circuits, room: Room, devices: Sequence[Device], network: NetworkPlan
) -> list[Rack]:
    """Racks of one kind each, where there are too many machines to place one by one; an empty one if there are none."""
    made: list[Rack] = []
    for device in devices:
        for numbers in _apart(device, network):
            made += _alike(
                context, circuits, room, device, numbers, first=1 + sum(rack.count for rack in made)
            )
    return made or [_rack(context, circuits, 1, 1, ())]


def _alike(
    context: Context, circuits: Circuits, room: Room, device: Device, numbers: Sequence[int], *, first: int
) -> list[Rack]:
    """Racks of machines of one kind, by their numbers: full ones alike, and the rest in a last one."""
    if not numbers:
        return []
    count = numbers.index(numbers[-1]) + 1  # `len` of a range fails beyond 2^63
    each = min(per_rack(_piece(device), room), count)
    full, rest = divmod(count, each)
    made = [_rack(context, circuits, first, full, _stack(device, numbers[:each]))]
    if rest:
        made.append(_rack(context, circuits, first + full, 1, _stack(device, numbers[-rest:])))
    return made


def _gpu_racks(context: Context, circuits: Circuits, room: Room, *, first: int) -> list[Rack]:
    """Racks of GPU nodes; a node as high as a rack is one, as it is delivered: frame, height and weight are its own."""
    device = gpu_device(context)
    if not device.height_ru:
        return []
    if device.height_ru >= OWN_RACK_RU:
        return [_rack(context, circuits, first, device.count, (Place(device, 1, 1),), delivered=True)]
    if device.height_ru > room.height_ru:
        own = replace(device, height_ru=min(device.height_ru, context.scenario.site.rack_height_ru))
        return [_rack(context, circuits, first, device.count, (Place(own, 1, 1),))]
    return _alike(context, circuits, room, device, range(1, device.count + 1), first=first)


def _stack(device: Device, numbers: Sequence[int]) -> tuple[Place, ...]:
    return tuple(Place(device, number, 1 + at * device.height_ru) for at, number in enumerate(numbers))


def _of_places(places: tuple[Place, ...], attribute: str) -> list[Quantity]:
    """Power or weight of each kind of machine in a rack; what is unknown is left out."""
    found = []
    for device, group in itertools.groupby(places, key=lambda place: place.device):
        each: Quantity = getattr(device, attribute)
        count = float(len(list(group)))
        if not each.known:
            continue
        if each.unit == "kg":
            found.append(derive(racks.parts_kg, part_count=count, part_kg=each, label=device.name))
        else:
            found.append(derive(sizing.parts_w, part_count=count, part_w=each, label=device.name))
    return found


def _rack(
    context: Context,
    circuits: Circuits,
    number: int,
    count: int,
    places: tuple[Place, ...],
    *,
    delivered: bool = False,
) -> Rack:
    """A rack with its sums; one that comes as a machine with its own frame weighs and measures what that does."""
    site = context.scenario.site
    typical = total(_of_places(places, "typical_w"), "Power of a rack, typical", unit="W")
    peak = total(_of_places(places, "max_w"), "Power of a rack, maximum", unit="W")
    frame = [] if delivered else [context.catalogue.find("assumptions", "rack-empty-kg").typical]
    weight = total([*_of_places(places, "weight_kg"), *frame], "Weight of a rack", unit="kg")
    height = float(sum(place.device.height_ru for place in places))
    used = given(height, "RU", "Rack units used", source="its machines", grade="inferred")
    draw = rack_draw(context, circuits, peak)
    loads = _loads(places)
    air = total(
        [_heat(load, 1.0 - device.liquid_fraction.number) for device, load in loads], "Heat to air", unit="W"
    )
    liquid = total(
        [_heat(load, device.liquid_fraction) for device, load in loads], "Heat to liquid", unit="W"
    )
    return Rack(
        number=number,
        count=count,
        places=places,
        height_ru=int(height) if delivered else site.rack_height_ru,
        used_ru=used,
        typical_w=typical,
        max_w=peak,
        weight_kg=weight,
        feed_a_amps=draw.both_amps,
        feed_alone_amps=draw.alone_amps,
        circuit_count=draw.circuit_count,
        apparent_va=draw.apparent_va,
        startup_w=draw.startup_w,
        air_w=air,
        liquid_w=liquid,
        btu_per_hour=derive(sizing.btu_per_hour, load_w=peak),
        airflow_m3_per_hour=derive(sizing.airflow_m3_per_hour, load_w=air, rise_kelvin=site.air_rise_kelvin),
        airflow_cfm=derive(sizing.airflow_cfm, load_w=air, rise_kelvin=site.air_rise_kelvin),
        floor_kg_per_m2=_floor(context, weight),
        density=density_class(context, peak),
        checks=tuple(
            check
            for check in _checks(context, circuits, used, peak, weight)
            if not (delivered and check.name == HEIGHT)
        ),
    )


def _loads(places: tuple[Place, ...]) -> list[tuple[Device, Quantity]]:
    """Highest power of each kind of machine in a rack; what is unknown is left out."""
    counts: dict[Device, int] = {}
    for place in places:
        counts[place.device] = counts.get(place.device, 0) + 1
    return [
        (device, derive(sizing.parts_w, part_count=float(count), part_w=device.max_w, label=device.name))
        for device, count in counts.items()
        if device.max_w.known
    ]


def _heat(load: Quantity, share: Quantity | float) -> Quantity:
    return derive(racks.heat_share_w, load_w=load, share_fraction=share, label=load.label)


def _floor(context: Context, weight: Quantity) -> Quantity:
    find = context.catalogue.assumptions
    return derive(
        racks.floor_kg_per_m2,
        rack_kg=weight,
        width_m=or_unknown(find["rack-width"].typical, "m", "Width of a rack"),
        depth_m=or_unknown(find["rack-depth"].typical, "m", "Depth of a rack"),
    )


def _checks(
    context: Context, circuits: Circuits, used: Quantity, peak: Quantity, weight: Quantity
) -> tuple[Check, ...]:
    """A limit is compared with a sum; it never replaces it."""
    site = context.scenario.site
    height = stated(
        scalar(site.rack_height_ru - site.rack_reserved_ru),
        "height_ru",
        "Height of a rack less what is reserved",
    )
    limit = stated(site.rack_limit_w, "rack_limit_w", "Power limit of a rack")
    heavy = stated(site.rack_limit_kg, "rack_limit_kg", "Weight limit of a rack")
    return (
        Check(HEIGHT, provided=height, required=used, source="site"),
        Check("Power", provided=limit, required=peak, source="the site's limit"),
        Check(
            "One feed alone",
            provided=circuits.circuit_w,
            required=peak,
            source="a pair of feeds must carry the rack when one is lost",
        ),
        Check("Weight", provided=heavy, required=weight, source="site"),
    )


def _sums(
    context: Context,
    facility: FacilityPlan,
    circuits: Circuits,
    made: list[Rack],
    storage_count: int,
    left: list[str],
) -> RackLayout:
    site = context.scenario.site
    peak = _over(made, "max_w", "Power of all racks, maximum")
    air, liquid = _over(made, "air_w", "Heat to air"), _over(made, "liquid_w", "Heat to liquid")
    racks_in_all = float(sum(rack.count for rack in made))
    counted: dict[str, Any] = {"unit": "count", "source": "the layout", "grade": "inferred"}
    factor = or_unknown(context.catalogue.assumptions["startup-ratio"].typical, "1", "Start-up ratio")
    heaviest = max((rack.weight_kg for rack in made), key=lambda weight: weight.number)
    return RackLayout(
        racks=tuple(made),
        rack_count=given(racks_in_all, label="Racks", **counted),
        storage_rack_count=given(float(storage_count), label="Racks of storage and network", **counted),
        gpu_rack_count=given(racks_in_all - storage_count, label="Racks of GPU nodes", **counted),
        used_ru=_over(made, "used_ru", "Rack units used"),
        typical_w=_over(made, "typical_w", "Power of all racks, typical"),
        max_w=peak,
        weight_kg=_over(made, "weight_kg", "Weight of all racks"),
        heaviest_kg=heaviest,
        fullest_w=max((rack.max_w for rack in made), key=lambda watts: watts.number),
        floor_kg_per_m2=_floor(context, heaviest),
        apparent_va=derive(racks.apparent_va, load_w=peak, power_factor_fraction=site.power_factor_fraction),
        startup_w=derive(racks.startup_w, max_w=peak, startup_ratio=factor),
        air_w=air,
        liquid_w=liquid,
        btu_per_hour=derive(sizing.btu_per_hour, load_w=peak),
        cooling_tons=derive(sizing.cooling_tons, load_w=peak),
        airflow_m3_per_hour=derive(sizing.airflow_m3_per_hour, load_w=air, rise_kelvin=site.air_rise_kelvin),
        airflow_cfm=derive(sizing.airflow_cfm, load_w=air, rise_kelvin=site.air_rise_kelvin),
        circuits=circuits,
        circuit_count=_over(made, "circuit_count", "Circuits"),
        unplaced=tuple(left),
        unplaced_max_w=_unplaced(facility, [r for r in made if r.number <= storage_count], left),
    )


def _over(made: Iterable[Rack], attribute: str, label: str) -> Quantity:
    """Sum over all racks; racks that are alike count as often as there are."""
    items = []
    for rack in made:
        item: Quantity = getattr(rack, attribute)
        items.append(item if rack.count == 1 else _times(item, rack.count))
    return total(items, label, unit=items[0].unit)


def _times(item: Quantity, count: int) -> Quantity:
    """A figure of one rack for all that are alike."""
    if item.unit == "W":
        return derive(sizing.parts_w, part_count=float(count), part_w=item)
    if item.unit == "kg":
        return derive(racks.parts_kg, part_count=float(count), part_kg=item)
    if item.unit == "RU":
        return derive(feeds.parts_ru, part_count=float(count), part_ru=item)
    return given(count * item.number, item.unit, item.label, source=f"{count} alike", grade="inferred")


def _unplaced(facility: FacilityPlan, storage: list[Rack], left: list[str]) -> Quantity:
    """What stands in no rack: the design less its racks, if anything is left over."""
    if not left:
        return given(
            0.0, "W", "Power that is not placed", source="everything stands in a rack", grade="inferred"
        )
    placed = _over(storage, "max_w", "Power of the racks of storage and network")
    return derive(racks.unplaced_w, load_w=facility.max_w, placed_w=placed)


def rack_numbers(racks_: Iterable[Rack]) -> str:
    """Numbers of racks as people write them: "1 to 4, 7"."""
    spans: list[tuple[int, int]] = []
    for rack in racks_:
        last = rack.number + rack.count - 1
        if spans and rack.number == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((rack.number, last))
    return ", ".join(str(a) if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in spans)
