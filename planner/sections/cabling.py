"""Which port goes where: endpoints on leaf ports, uplinks on spine ports, and the cable for each.

A pure function of the planned network. Endpoints have their even ports on side A and their odd ones on
side B; leaves alternate between the sides, so that one leaf lost takes one path of a node and no more. With
an odd number of leaves the last one serves both sides, for endpoints whose other port is elsewhere.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from planner.catalogue import Switch
from planner.core.errors import PlannerError
from planner.core.units import BITS_PER_BYTE, GIGA
from planner.sections.links import LinkGroup
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan

SIDES = ("A", "B")
ENDPOINT_CABLE_M = {"single-leaf": 5.0, "leaf-spine": 20.0}
"""Length of a cable from an endpoint to its leaf: the same row of racks, or a row's end."""
UPLINK_CABLE_M = 40.0
"""Length of a cable from a leaf to a spine: across rows. Both lengths are class assumptions."""


@dataclass(frozen=True, slots=True, order=True)
class Endpoint:
    """One port of a node or target: the group it belongs to, which unit of it, and which port of that."""

    role: str
    unit: int
    port: int


@dataclass(frozen=True, slots=True, order=True)
class SwitchPort:
    """One port of a switch, counted from 0: a cage, and the lane group in it where it is broken out."""

    role: str
    switch: int
    cage: int
    lane: int
    lanes: int

    @property
    def number(self) -> str:
        """How the port is counted on the front: "12", or "12/2" for the second part of a cage."""
        return f"{self.cage + 1}" if self.lanes == 1 else f"{self.cage + 1}/{self.lane + 1}"


@dataclass(frozen=True, slots=True)
class Cable:
    """One cable of the schedule; `start` is nearer to the endpoints, `finish` to the spines."""

    number: int
    start: Endpoint | SwitchPort
    finish: SwitchPort
    side: str
    gbps: int
    type: str
    length_m: float
    group: str


@dataclass(frozen=True, slots=True)
class Cabling:
    """All cables of the network, and which side each leaf serves.

    Attributes:
        leaf_sides: Sides that each leaf serves, in order; "AB" for a leaf of both.
        shared: Endpoints of which all ports ended on one leaf, because there is only one.
    """

    cables: tuple[Cable, ...]
    leaf_sides: tuple[str, ...]
    leaf_count: int
    spine_count: int
    shared: tuple[tuple[str, int], ...]

    @property
    def endpoints(self) -> tuple[Cable, ...]:
        """Cables from endpoints to leaves."""
        return tuple(cable for cable in self.cables if isinstance(cable.start, Endpoint))

    @property
    def uplinks(self) -> tuple[Cable, ...]:
        """Cables from leaves to spines."""
        return tuple(cable for cable in self.cables if isinstance(cable.start, SwitchPort))


@dataclass(slots=True)
class _Leaf:
    """A leaf while it is filled: cages left for endpoints, and what is plugged in, speed by speed."""

    number: int
    cages: int
    switch: Switch
    placed: dict[int, list[tuple[Endpoint, str]]] = field(default_factory=dict)

    def takes(self, gbps: int) -> bool:
        """Whether one more port of that speed fits; a cage holds ports of one speed."""
        used = sum(
            math.ceil((len(ports) + (speed == gbps)) / per_cage(self.switch, speed))
            for speed, ports in self.placed.items()
        )
        return used + (gbps not in self.placed) <= self.cages

    def put(self, endpoint: Endpoint, side: str, gbps: int) -> None:
        """Plug a port in."""
        self.placed.setdefault(gbps, []).append((endpoint, side))

    def ports(self) -> Iterator[tuple[Endpoint, str, int, SwitchPort]]:
        """Every endpoint with the port that it gets: cage after cage, one speed after the other."""
        cage = 0
        for gbps, endpoints in self.placed.items():
            lanes = per_cage(self.switch, gbps)
            for index, (endpoint, side) in enumerate(endpoints):
                place = SwitchPort("leaf", self.number, cage + index // lanes, index % lanes, lanes)
                yield endpoint, side, gbps, place
            cage += math.ceil(len(endpoints) / lanes)


def gbps_of(speed_bytes_per_s: float) -> int:
    """A line rate by its name in Gb/s."""
    return round(speed_bytes_per_s * BITS_PER_BYTE / GIGA)


def per_cage(switch: Switch, gbps: int) -> int:
    """Ports of a speed that one cage of the switch gives by breakout; 1 where it is not broken out."""
    return max(switch.ports_by_gbps.get(gbps, 0) // int(switch.port_count.number), 1)


def cabling_plan(network: NetworkPlan, tiers: Sequence[TierPlan], node_count: int) -> Cabling:
    """The cable of every port, in the order of the schedule: targets, nodes, then uplinks.

    Args:
        network: The planned network; its link groups say how many ports of which speed there are.
        tiers: The tiers, in the order of the network's groups.
        node_count: GPU nodes.

    Raises:
        PlannerError: The endpoints' speed is beyond the switch, or the ports do not fit the planned leaves.
    """
    groups = [group for group in network.links if group.name != "leaf to spine"]
    leaf_count, spine_count, up_count = _counts(network)
    _check_speeds(network, groups)
    switch = network.switch
    own = gbps_of(network.option.client_port_bytes_per_s.number)
    up_cages = math.ceil(up_count / per_cage(switch, own))
    leaves = [_Leaf(number, int(switch.port_count.number) - up_cages, switch) for number in range(leaf_count)]
    units = {tier.name: int(tier.unit_count.number) for tier in tiers} | {"GPU nodes": node_count}
    endpoints = list(_endpoints(groups[1:], units)) + list(_endpoints(groups[:1], units))
    sides = _sides(leaf_count)
    _place(leaves, sides, endpoints)
    cables = list(_endpoint_cables(leaves, network, {group.name: group for group in groups}))
    if spine_count:
        cables.extend(_uplink_cables(network, leaf_count, spine_count, up_count, len(cables), sides))
    return Cabling(tuple(cables), sides, leaf_count, spine_count, _on_one_leaf(cables))


def _counts(network: NetworkPlan) -> tuple[int, int, int]:
    """Leaves, spines, and uplinks of each leaf."""
    if not (network.spine_count.known and network.leaf_count.known):
        raise PlannerError(
            f"network.switch_id: {network.endpoint_count} endpoints need more than two tiers of "
            f"{network.switch.name}; choose a switch with more ports, or oversubscribe client leaves",
            field="network.switch_id",
        )
    leaf_count, spine_count = int(network.leaf_count.number), int(network.spine_count.number)
    return leaf_count, spine_count, round(network.uplink_count.number / leaf_count)


def _check_speeds(network: NetworkPlan, groups: Sequence[LinkGroup]) -> None:
    """A link faster than any port of the switch has nowhere to go."""
    fastest = network.switch.port_bytes_per_s.number
    for group in groups:
        if network.switch.fabric != "fc" and group.speed_bytes_per_s.number > fastest * (1 + 1e-9):
            raise PlannerError(
                f"network.switch_id: ports of {gbps_of(group.speed_bytes_per_s.number)} Gb/s ({group.name}) "
                f"do not fit {network.switch.name}, whose ports run at {gbps_of(fastest)} Gb/s; "
                "choose a switch with faster ports",
                field="network.switch_id",
            )


def _endpoints(groups: Iterable[LinkGroup], units: dict[str, int]) -> Iterator[tuple[Endpoint, int]]:
    """Every port of the groups with its speed, unit after unit."""
    for group in groups:
        ports = round(group.count.number / units[group.name])
        gbps = gbps_of(group.speed_bytes_per_s.number)
        for unit in range(units[group.name]):
            for port in range(ports):
                yield Endpoint(group.name, unit, port), gbps


def _sides(leaf_count: int) -> tuple[str, ...]:
    """Sides of the leaves: in turn, and both on the last one of an odd number."""
    paired = [SIDES[number % 2] for number in range(leaf_count - leaf_count % 2)]
    return (*paired, "AB") if leaf_count % 2 else tuple(paired)


def _place(leaves: list[_Leaf], sides: tuple[str, ...], endpoints: list[tuple[Endpoint, int]]) -> None:
    """Fill the leaves of each side in order; what is left over goes to the leaf of both.

    The two sides leave different nodes over, so that no node has both of its ports on that leaf.
    """
    single = {(e.role, e.unit) for e, _ in endpoints} - {(e.role, e.unit) for e, _ in endpoints if e.port}
    of_side: dict[str, list[tuple[Endpoint, int]]] = {"A": [], "B": []}
    for endpoint, gbps in endpoints:
        turn = endpoint.unit if (endpoint.role, endpoint.unit) in single else endpoint.port
        of_side[SIDES[turn % 2]].append((endpoint, gbps))
    own = {side: [leaf for leaf, of in zip(leaves, sides, strict=True) if of == side] for side in SIDES}
    over_a = _fill(own["A"], "A", of_side["A"])
    trial = [_Leaf(leaf.number, leaf.cages, leaf.switch) for leaf in own["B"]]
    spilled = len(_fill(trial, "B", of_side["B"]))
    over_b = _fill(own["B"], "B", _turned(of_side["B"], {(e.role, e.unit) for e, _ in over_a}, spilled))
    last = leaves[-1:] if sides[-1] == "AB" else []
    lost = _fill(last, "A", over_a) + _fill(last, "B", over_b)
    if lost:
        raise PlannerError(
            f"network.switch_id: {len(lost)} of {len(endpoints)} endpoint ports find no free cage on "
            f"{len(leaves)} leaves, because a cage takes ports of one speed; choose a switch with more ports "
            "or the same speed for nodes and targets",
            field="network.switch_id",
        )


def _turned(
    ports: list[tuple[Endpoint, int]], elsewhere: set[tuple[str, int]], spilled: int
) -> list[tuple[Endpoint, int]]:
    """The same ports with those just before the end that must not be left over."""
    kept = [item for item in ports if (item[0].role, item[0].unit) not in elsewhere]
    safe = [item for item in ports if (item[0].role, item[0].unit) in elsewhere]
    cut = max(len(kept) - spilled, 0)
    return [*kept[:cut], *safe, *kept[cut:]]


def _fill(leaves: list[_Leaf], side: str, ports: list[tuple[Endpoint, int]]) -> list[tuple[Endpoint, int]]:
    """Put ports on leaves, one leaf after the other; returns those that found no place."""
    over = []
    first: dict[int, int] = {}  # a leaf that refuses a speed once refuses it for good
    for endpoint, gbps in ports:
        place = first.get(gbps, 0)
        while place < len(leaves) and not leaves[place].takes(gbps):
            place += 1
        first[gbps] = place
        if place == len(leaves):
            over.append((endpoint, gbps))
        else:
            leaves[place].put(endpoint, side, gbps)
    return over


def _endpoint_cables(
    leaves: list[_Leaf], network: NetworkPlan, groups: dict[str, LinkGroup]
) -> Iterator[Cable]:
    length_m = ENDPOINT_CABLE_M[network.topology.value]
    number = 0
    for leaf in leaves:
        for endpoint, side, gbps, place in leaf.ports():
            number += 1
            group = groups[endpoint.role]
            yield Cable(number, endpoint, place, side, gbps, cable_type(group), length_m, group.name)


def _uplink_cables(
    network: NetworkPlan, leaf_count: int, spine_count: int, up_count: int, before: int, sides: Sequence[str]
) -> Iterator[Cable]:
    """Uplinks of each leaf, equally many to each spine, on the last cages of the leaf."""
    group = network.links[-1]
    gbps = gbps_of(group.speed_bytes_per_s.number)
    lanes = per_cage(network.switch, gbps)
    first_cage = int(network.switch.port_count.number) - math.ceil(up_count / lanes)
    each = up_count // spine_count
    number = before
    for leaf in range(leaf_count):
        for up in range(up_count):
            number += 1
            spine, down = up // each, leaf * each + up % each
            yield Cable(
                number,
                SwitchPort("leaf", leaf, first_cage + up // lanes, up % lanes, lanes),
                SwitchPort("spine", spine, down // lanes, down % lanes, lanes),
                sides[leaf],
                gbps,
                cable_type(group),
                UPLINK_CABLE_M,
                group.name,
            )


def cable_type(group: LinkGroup) -> str:
    """What connects a link: the optic at both ends and the fibre between, as in the bill of materials."""
    return f"{group.optic.type} optics, OM4 trunk" if group.optic else "optics not in the catalogue"


def _on_one_leaf(cables: list[Cable]) -> tuple[tuple[str, int], ...]:
    """Endpoints with several ports, all of them on one leaf."""
    found: dict[tuple[str, int], Counter[int]] = {}
    for cable in cables:
        if isinstance(cable.start, Endpoint):
            key = (cable.start.role, cable.start.unit)
            found.setdefault(key, Counter())[cable.finish.switch] += 1
    return tuple(key for key, on in found.items() if len(on) == 1 and on.total() > 1)
