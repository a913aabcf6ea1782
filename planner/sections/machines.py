"""The machines that go into racks, each with its share of the optics: what it draws, weighs and plugs in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planner.catalogue import GpuNode, Optic
from planner.core.checks import Check
from planner.core.quantity import Quantity, derive, given, total
from planner.sections.cages import cage_optics
from planner.sections.context import Context, or_unknown
from planner.sections.facility import FacilityPlan, PowerRow
from planner.sections.links import UPLINKS, LinkGroup, endpoint_units
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan
from planner.sizing import facility as sizing
from planner.sizing import racks

SWITCHES = "Switches"
"""Name of their row in the power table."""
METADATA = "metadata"
"""Role of machines that are no units of a tier themselves: metadata servers."""
PREFIXES = {
    "hot": "nvme",
    "file-system": "oss",
    "object": "obj",
    METADATA: "mds",
    "gpu": "gpu",
    "leaf": "leaf",
    "spine": "spine",
}
"""How names of machines begin, by what they are: in racks, on cables and in configurations alike."""
NO_PREFIXES: Mapping[str, str] = MappingProxyType({})
"""A site that has no names of its own: names begin as `PREFIXES` has it."""
OWN_RACK_RU = 40
"""From this height on a GPU machine comes as a rack."""
Ends = tuple[str, Optic, Quantity]
"""Optics in the cages of one kind of switch: what they are for, which, and how many in all of these switches."""


@dataclass(frozen=True, slots=True, eq=False)
class Device:
    """One kind of machine in racks.

    Attributes:
        key: "hot", "hot-metadata", "leaf", "spine", "gpu" and so on.
        prefix: How its labels begin.
        first: Number of the first one; metadata servers of several tiers are numbered on.
        kind: "storage", "network" or "gpu".
        part: What one is called in the catalogue.
        typical_w: Power of one with the optics in its cages; the optics' alone where its own is not known.
        powered: Whether its own power is known.
        supply_count: Power supplies, each with a cord.
        liquid_fraction: Share of its heat that goes to liquid.
    """

    key: str
    name: str
    prefix: str
    first: int
    kind: str
    part_id: str
    part: str
    count: int
    height_ru: int
    typical_w: Quantity
    max_w: Quantity
    weight_kg: Quantity
    supply_count: Quantity
    liquid_fraction: Quantity
    powered: bool

    def label(self, number: int, prefixes: Mapping[str, str] = NO_PREFIXES) -> str:
        """What is written on one of them, counted from 1: "nvme-03", or as the site begins such names."""
        prefix = prefixes.get(self.prefix, self.prefix)
        return machine_label(prefix, self.first + number - 1, self.first + self.count - 1)

    @property
    def kg_per_ru(self) -> float:
        """How heavy it is for its height."""
        return self.weight_kg.number / max(self.height_ru, 1)


def machine_label(prefix: str, number: int, last: int) -> str:
    """Name of a machine: a prefix and a number, as wide as the last one of its kind needs."""
    return f"{prefix}-{number:0{max(len(str(last)), 2)}d}"


_AIR = given(0.0, "fraction", "Heat to liquid", source="cooled by air", grade="seen")


def storage_devices(
    context: Context, tiers: tuple[TierPlan, ...], network: NetworkPlan, facility: FacilityPlan
) -> list[Device]:
    """Units of every tier, and metadata servers where a tier has them."""
    rows = {row.name: row for row in facility.rows}
    links = {group.name: group for group in network.links}
    supplies = _figure(context, "storage-node-supplies", "count")
    found = []
    following = 1
    for tier in tiers:
        for number, (name, count) in enumerate(endpoint_units(tier)):
            first = following if number else 1
            following += int(count.number) if number else 0
            row = rows[name]
            height = whole_ru(row.rack_units_ru)
            found.append(
                Device(
                    key=tier.role + ("-metadata" if number else ""),
                    name=name,
                    prefix=PREFIXES[METADATA if number else tier.role],
                    first=first,
                    kind="storage",
                    part_id=tier.platform.id,
                    part="metadata server" if number else tier.platform.name,
                    count=int(count.number),
                    height_ru=height,
                    typical_w=_with_optics(row.typical_w, count, links.get(name), ends=1),
                    max_w=_with_optics(row.max_w, count, links.get(name), ends=1),
                    weight_kg=machine_kg(context, height),
                    supply_count=supplies,
                    liquid_fraction=_AIR,
                    powered=row.max_w.known,
                )
            )
    return found


def switch_devices(context: Context, network: NetworkPlan, facility: FacilityPlan) -> list[Device]:
    """Leaves with the ends of all endpoints' links and of their uplinks, spines with the other ends of those.

    None where two tiers of the switch do not connect so many endpoints.
    """
    if not network.switch_count.known:
        return []
    row = next(row for row in facility.rows if row.name == SWITCHES)
    height = whole_ru(row.rack_units_ru)
    on_leaves, on_spines = _in_switches(network)
    kg = _switch_kg(context, height, network.switch.name)
    sides = (
        ("leaf", "Leaf switches", network.leaf_count, on_leaves),
        ("spine", "Spine switches", network.spine_count, on_spines),
    )
    supplies = _figure(context, "switch-supplies", "count")
    return [
        Device(
            key=key,
            name=name,
            prefix=PREFIXES[key],
            first=1,
            kind="network",
            part_id=network.switch.id,
            part=network.switch.name,
            count=int(count.number),
            height_ru=height,
            typical_w=_switch_w(row, count, ends, peak=False),
            max_w=_switch_w(row, count, ends, peak=True),
            weight_kg=kg,
            supply_count=supplies,
            liquid_fraction=_AIR,
            powered=row.max_w.known,
        )
        for key, name, count, ends in sides
        if count.known and count.number > 0
    ]


def weight_in_one_rack(context: Context, facility: FacilityPlan) -> Check:
    """What a rack may carry beside itself against the weight of all machines of storage and network."""
    parts = [
        derive(
            racks.parts_kg,
            part_count=row.count,
            part_kg=_switch_kg(context, height, row.name)
            if row.name == SWITCHES
            else machine_kg(context, height),
            label=f"{row.name}: weight",
        )
        for row in facility.rows
        if row.count.known and (height := whole_ru(row.rack_units_ru))
    ]
    room = derive(
        racks.rack_room_kg,
        limit_kg=context.scenario.site.rack_limit_kg,
        rack_kg=_figure(context, "rack-empty-kg", "kg"),
    )
    kg = total(parts, "Weight of all machines", unit="kg")
    return Check("Weight in one rack", provided=room, required=kg, source="site")


def gpu_device(context: Context) -> Device:
    """The GPU nodes, without the optics in their storage ports, which are the nodes' own."""
    node: GpuNode = context.catalogue.find(
        "gpu_nodes", context.scenario.cluster.node_id, field="cluster.node_id"
    )
    height = whole_ru(or_unknown(node.rack_units_ru, "RU", f"Rack units of {node.name}"))
    own_rack = height >= OWN_RACK_RU
    kg = (
        _figure(context, "gpu-rack-kg", "kg")
        if own_rack
        else derive(
            racks.parts_kg, part_count=float(height), part_kg=_figure(context, "gpu-node-per-ru-kg", "kg")
        )
    )
    peak = or_unknown(node.max_w, "W", f"Maximum power of {node.name}")
    ratio = _figure(context, "nameplate-ratio", "1")
    liquid = _figure(context, "liquid-share", "fraction") if node.cooling.startswith("liquid") else _AIR
    return Device(
        key="gpu",
        name=f"GPU nodes, {node.name}",
        prefix=PREFIXES["gpu"],
        first=1,
        kind="gpu",
        part_id=node.id,
        part=node.name,
        count=context.scenario.cluster.node_count,
        height_ru=height,
        typical_w=derive(sizing.typical_of_nameplate_w, max_w=peak, nameplate_ratio=ratio),
        max_w=peak,
        weight_kg=kg,
        supply_count=_figure(context, "gpu-node-supplies", "count"),
        liquid_fraction=liquid,
        powered=peak.known,
    )


def _figure(context: Context, name: str, unit: str) -> Quantity:
    row = context.catalogue.find("assumptions", name)
    return or_unknown(row.typical, unit, row.label)


def machine_kg(context: Context, height: int) -> Quantity:
    """Weight of a storage node: by its class, else by its rack units."""
    if height == 2:
        return _figure(context, "storage-node-kg", "kg")
    if height == 4:
        return _figure(context, "storage-node-4u-kg", "kg")
    return derive(
        racks.parts_kg,
        part_count=float(height),
        part_kg=_figure(context, "storage-per-ru-kg", "kg"),
        label="Weight of a storage unit",
    )


def _switch_kg(context: Context, height: int, name: str) -> Quantity:
    """Weight of a switch by its rack units."""
    return derive(
        racks.parts_kg,
        part_count=float(height),
        part_kg=_figure(context, "switch-per-ru-kg", "kg"),
        label=f"Weight of {name}",
    )


def _with_optics(watts: Quantity, count: Quantity, group: LinkGroup | None, *, ends: int) -> Quantity:
    """Power of a machine with the optics of its own ends of a group of links; the optics alone if its own is unknown."""
    if group is None or group.optic is None:
        return watts
    ports = ends * group.count.number / count.number
    if not watts.known:
        words = f"Optics of the {group.name}, whose own power is not known"
        return derive(sizing.parts_w, part_count=ports, part_w=group.optic.end_w, label=words)
    return derive(
        sizing.switch_with_optics_w,
        switch_w=watts,
        port_count=ports,
        optic_w=group.optic.end_w,
        label=f"{watts.label}, with optics",
    )


def _in_switches(network: NetworkPlan) -> tuple[list[Ends], list[Ends]]:
    """What sits in the cages of all leaves, and of all spines: an end of each link, or one optic for several."""
    on_leaves: list[Ends] = []
    on_spines: list[Ends] = []
    for group in network.links:
        if group.optic is None or group.cage_optic is not None:
            continue
        on_leaves.append((group.name, group.optic, group.count))
        if group.name == UPLINKS:
            on_spines.append((group.name, group.optic, group.count))
    for cages in cage_optics(network):
        found = on_spines if cages.on_spines else on_leaves
        found.append((", ".join(cages.names), cages.optic, cages.count))
    return on_leaves, on_spines


def _switch_w(row: PowerRow, count: Quantity, ends: list[Ends], *, peak: bool) -> Quantity:
    """Power of a switch with its share of the optics in its cages."""
    watts = row.max_w if peak else row.typical_w
    own = [watts] if watts.known else []
    optics = [
        derive(
            sizing.parts_w,
            part_count=number.number / count.number,
            part_w=optic.end_w,
            label=f"Optics, {name}",
        )
        for name, optic, number in ends
    ]
    return total([*own, *optics], f"{watts.label}, with optics", unit="W")


def whole_ru(height: Quantity) -> int:
    """Whole rack units of a machine; 0 where nobody knows."""
    return math.ceil(height.number - 1e-9) if height.known else 0
