"""Which port goes where: endpoints on leaf ports, uplinks on spine ports, and the cable for each.

A pure function of the planned network. Endpoints have their even ports on side A and their odd ones on
side B; leaves alternate between the sides, so that one leaf lost takes one path of a node and no more. With rails
there are as many sides as a node has ports, and the ports of targets take turns on them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from planner.catalogue import Switch
from planner.core.errors import PlannerError
from planner.sections.leaves import LeafKind
from planner.sections.links import (
    NODES,
    UPLINKS,
    LinkGroup,
    cage_ports,
    gbps_of,
    machines,
    named_gbps,
)
from planner.sections.network import NetworkPlan, ports_per_cage
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
    """One cable of the schedule; `start` is nearer to the endpoints, `finish` to the spines.

    Attributes:
        gbps: Speed in the name of the link, which on Fibre Channel is no rate.
    """

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
    """All cables of the network, and the side that each leaf serves.

    Attributes:
        leaf_sides: Side or rail that each leaf serves, in order.
        side_count: Sides, or rails.
    """

    cables: tuple[Cable, ...]
    leaf_sides: tuple[str, ...]
    leaf_count: int
    spine_count: int
    side_count: int = len(SIDES)

    @property
    def endpoints(self) -> tuple[Cable, ...]:
        """Cables from endpoints to leaves."""
        return tuple(cable for cable in self.cables if isinstance(cable.start, Endpoint))

    @property
    def uplinks(self) -> tuple[Cable, ...]:
        """Cables from leaves to spines."""
        return tuple(cable for cable in self.cables if isinstance(cable.start, SwitchPort))


Kind = tuple[int, str]
"""Speed of a port, and what it cannot share a cage with: the group of links whose split copper cable needs a cage to
itself, or the optic of a split cage; else empty."""


@dataclass(slots=True)
class _Leaf:
    """A leaf while it is filled.

    Attributes:
        cages: Cages that no uplink takes.
        down: Ports of the nodes' speed that it may have below without blocking more than is planned.
        weights: Such ports in whose place a cage of each kind stands.
        placed: Endpoints that are plugged in, kind by kind; a cage holds ports of one kind.
    """

    number: int
    switch: Switch
    cages: int
    down: float
    weights: Mapping[Kind, float]
    placed: dict[Kind, list[tuple[Endpoint, str]]] = field(default_factory=dict)

    def takes(self, kind: Kind, *, blocking: bool) -> bool:
        """Whether one more port of that kind fits: in a cage that is begun, else in one that is free.

        Args:
            kind: Kind of the port.
            blocking: Cages count alone, whatever the bandwidth of what is in them.
        """
        placed = len(self.placed.get(kind, ()))
        if placed % per_cage(self.switch, kind[0]):
            return True
        taken = {known: self._cages_of(known, len(ports)) for known, ports in self.placed.items()}
        taken[kind] = self._cages_of(kind, placed + 1)
        if sum(taken.values()) > self.cages:
            return False
        down = sum(count * self.weights[known] for known, count in taken.items())
        return blocking or down <= self.down or not self.placed

    def _cages_of(self, kind: Kind, count: int) -> int:
        """Cages that so many ports of a kind take."""
        return math.ceil(count / per_cage(self.switch, kind[0]))

    def put(self, endpoint: Endpoint, side: str, kind: Kind) -> None:
        """Plug a port in."""
        self.placed.setdefault(kind, []).append((endpoint, side))

    def ports(self) -> Iterator[tuple[Endpoint, str, int, SwitchPort]]:
        """Every endpoint with the port that it gets: cage after cage, one kind after the other."""
        cage = 0
        for (gbps, name), endpoints in self.placed.items():
            lanes = per_cage(self.switch, gbps)
            for index, (endpoint, side) in enumerate(endpoints):
                place = SwitchPort("leaf", self.number, cage + index // lanes, index % lanes, lanes)
                yield endpoint, side, gbps, place
            cage += self._cages_of((gbps, name), len(endpoints))


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
    groups = [group for group in network.links if group.name != UPLINKS]
    kinds = _kinds(network)
    spine_count, ups = int(network.spine_count.number), [int(kind.up_count.number) for kind in kinds]
    _check_speeds(network, groups)
    leaves = list(_empty_leaves(network, groups, kinds))
    units = machines(tuple(tiers), node_count)
    of_targets, of_clients = list(_endpoints(groups[1:], units)), list(_endpoints(groups[:1], units))
    side_count = int(network.side_count.number)
    turns = _side_turns if side_count == len(SIDES) else _rail_turns
    if network.leaves_split:
        first = int(network.target_leaves.count.number)
        sides = (*_sides(first, side_count), *_sides(len(ups) - first, side_count))
        _place(leaves[:first], sides[:first], of_targets, turns)
        _place(leaves[first:], sides[first:], of_clients, turns)
    else:
        sides = _sides(len(ups), side_count)
        # On rails nodes come first: they fill whole cages, so that no splitter serves two kinds of machines.
        both = of_targets + of_clients if turns is _side_turns else of_clients + of_targets
        _place(leaves, sides, both, turns)
    cables = list(_endpoint_cables(leaves, network, {group.name: group for group in groups}))
    if spine_count:
        cables.extend(_uplink_cables(network, ups, spine_count, len(cables), sides))
    return Cabling(tuple(cables), sides, len(ups), spine_count, side_count)


def _field(switch: Switch) -> str:
    """Input that names the switch."""
    return "network.fc_switch_id" if switch.fabric == "fc" else "network.switch_id"


def _kinds(network: NetworkPlan) -> list[LeafKind]:
    """Kind of every leaf: leaves of targets first where they have leaves of their own."""
    if not (network.spine_count.known and network.leaf_count.known):
        field = _field(network.switch)
        raise PlannerError(
            f"{field}: {network.endpoint_count} endpoints need more than two tiers of "
            f"{network.switch.name}; choose a switch with more ports, or oversubscribe client leaves",
            field=field,
        )
    kinds = (
        (network.target_leaves, network.client_leaves) if network.leaves_split else (network.client_leaves,)
    )
    return [kind for kind in kinds for _ in range(int(kind.count.number))]


def _empty_leaves(
    network: NetworkPlan, groups: Sequence[LinkGroup], kinds: Sequence[LeafKind]
) -> Iterator[_Leaf]:
    """Leaves with the cages that their uplinks leave."""
    own = network.option.client_port_bytes_per_s
    each = ports_per_cage(network.switch, network.switch_port_count)
    weights = {_kind(group): cage_ports(group, own, each).number for group in groups}
    lanes = per_cage(network.switch, named_gbps(network.links[-1]))  # uplinks, if there are any, stand last
    for number, kind in enumerate(kinds):
        cages = int(network.switch.port_count.number) - math.ceil(kind.up_count.number / lanes)
        yield _Leaf(number, network.switch, cages, kind.down_count.number, weights)


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


def _endpoints(groups: Iterable[LinkGroup], units: dict[str, int]) -> Iterator[tuple[Endpoint, Kind]]:
    """Every port of the groups with its kind, unit after unit."""
    for group in groups:
        ports = round(group.count.number / units[group.name])
        kind = _kind(group)
        for unit in range(units[group.name]):
            for port in range(ports):
                yield Endpoint(group.name, unit, port), kind


def _kind(group: LinkGroup) -> Kind:
    """What ports of a group share a cage by: one optic, or one cable, serves all links of a cage."""
    if group.lane_count > 1:
        return named_gbps(group), group.name
    return named_gbps(group), "" if group.cage_optic is None else group.cage_optic.id


def fabrics_of(network: NetworkPlan) -> int:
    """Fabrics that nothing joins: the two sides on Fibre Channel, whose spines take turns on them; else one."""
    return len(SIDES) if network.option.medium == "fc" else 1


def sides_of(groups: Iterable[LinkGroup], units: Mapping[str, int], side_count: int) -> dict[str, set[str]]:
    """Sides or rails that ports of each group are on, in the turns that cables take, whether or not they fit."""
    found: dict[str, set[str]] = {}
    seen: Counter[Kind] = Counter()
    for group in groups:
        count = round(group.count.number)
        first, reached = 0, count // units.get(group.name, 1)
        if side_count == len(SIDES):
            # Machines with one port take turns; all others have a port on either side.
            reached = count if reached == 1 else reached
        elif group.name != NODES:
            kind = _kind(group)
            first, reached = seen[kind], count
            seen[kind] += count
        turns = range(first, first + min(reached, side_count))
        found[group.name] = {side_name(turn % side_count) for turn in turns}
    return found


def side_name(number: int) -> str:
    """Letter of a side or rail, counted from 0; two letters after the twenty-sixth."""
    rest, last = divmod(number, 26)
    return (chr(ord("A") + rest - 1) if rest else "") + chr(ord("A") + last)


def _sides(leaf_count: int, side_count: int) -> tuple[str, ...]:
    """Sides of the leaves, in turn."""
    return tuple(side_name(number % side_count) for number in range(leaf_count))


def _side_turns(endpoints: Sequence[tuple[Endpoint, Kind]]) -> Iterator[int]:
    """Side of each endpoint port, counted from 0: machines with an odd number of ports begin in turn."""
    ports = Counter((endpoint.role, endpoint.unit) for endpoint, _ in endpoints)
    for endpoint, _ in endpoints:
        odd = ports[endpoint.role, endpoint.unit] % 2
        yield endpoint.port + (endpoint.unit if odd else 0)


def _rail_turns(endpoints: Sequence[tuple[Endpoint, Kind]]) -> Iterator[int]:
    """Rail of each endpoint port, counted from 0: port n of every node is on rail n.

    Ports of targets take turns, machine after machine: one kind after the other, so that a machine's ports are on as
    many rails as they can be, and rails are equally full of each kind.
    """
    seen: Counter[Kind] = Counter()
    for endpoint, kind in endpoints:
        if endpoint.role == NODES:
            yield endpoint.port
        else:
            yield seen[kind]
            seen[kind] += 1


def _place(
    leaves: list[_Leaf],
    sides: tuple[str, ...],
    endpoints: list[tuple[Endpoint, Kind]],
    turns: Callable[[Sequence[tuple[Endpoint, Kind]]], Iterator[int]],
) -> None:
    """Fill the leaves of each side or rail in order; ports that find no place are an error."""
    names = list(dict.fromkeys(sides))
    of_side: dict[str, list[tuple[Endpoint, Kind]]] = {name: [] for name in names}
    for item, turn in zip(endpoints, turns(endpoints), strict=True):
        of_side[names[turn % len(names)]].append(item)
    lost = []
    for name, ports in of_side.items():
        lost += _fill([leaf for leaf, of in zip(leaves, sides, strict=True) if of == name], name, ports)
    if lost:
        field = _field(leaves[0].switch)
        raise PlannerError(
            f"{field}: {len(lost)} of {len(endpoints)} endpoint ports find no free cage on "
            f"{len(leaves)} leaves, because a cage takes ports of one speed; choose a switch with more ports "
            "or the same speed for nodes and targets",
            field=field,
        )


def _fill(leaves: list[_Leaf], side: str, ports: list[tuple[Endpoint, Kind]]) -> list[tuple[Endpoint, Kind]]:
    """Put ports on leaves, one leaf after the other; returns those that found no place."""
    # What is left over for bandwidth alone, as where a cage has more than half a leaf's, goes where a cage is free.
    return _put(leaves, side, _put(leaves, side, ports, blocking=False), blocking=True)


def _put(
    leaves: list[_Leaf], side: str, ports: list[tuple[Endpoint, Kind]], *, blocking: bool
) -> list[tuple[Endpoint, Kind]]:
    """The same once, with or without regard to bandwidth."""
    over = []
    first: dict[Kind, int] = {}  # a leaf that refuses a kind once refuses it for good
    for endpoint, kind in ports:
        place = first.get(kind, 0)
        while place < len(leaves) and not leaves[place].takes(kind, blocking=blocking):
            place += 1
        first[kind] = place
        if place == len(leaves):
            over.append((endpoint, kind))
        else:
            leaves[place].put(endpoint, side, kind)
    return over


def _endpoint_cables(
    leaves: list[_Leaf], network: NetworkPlan, groups: dict[str, LinkGroup]
) -> Iterator[Cable]:
    number = 0
    for leaf in leaves:
        for endpoint, side, gbps, place in leaf.ports():
            number += 1
            group = groups[endpoint.role]
            length_m = _length_m(network, group)
            yield Cable(number, endpoint, place, side, gbps, cable_type(group), length_m, group.name)


def _uplink_cables(
    network: NetworkPlan, ups: Sequence[int], spine_count: int, before: int, sides: Sequence[str]
) -> Iterator[Cable]:
    """Uplinks of each leaf, equally many to each spine of its fabric, on the last cages of the leaf."""
    group = network.links[-1]
    gbps = named_gbps(group)
    lanes = per_cage(network.switch, gbps)
    fabrics = fabrics_of(network)
    number, taken = before, [0] * fabrics  # ports of every spine that the leaves before have taken
    for leaf, up_count in enumerate(ups):
        first_cage = int(network.switch.port_count.number) - math.ceil(up_count / lanes)
        each = up_count * fabrics // spine_count
        own = SIDES.index(sides[leaf]) if fabrics > 1 else 0
        for up in range(up_count):
            number += 1
            spine, down = own + fabrics * (up // each), taken[own] + up % each
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
        taken[own] += each


def _length_m(network: NetworkPlan, group: LinkGroup) -> float:
    """Length of an endpoint's cable before anything is placed in racks; copper is no longer than it reaches."""
    length_m = ENDPOINT_CABLE_M[network.topology.value]
    if group.optic is not None and group.copper:
        return min(length_m, group.optic.reach_m.number)
    return length_m


def cable_type(group: LinkGroup) -> str:
    """What connects a link: the optic at both ends and the fibre between, as in the bill of materials."""
    if group.optic is None:
        return "optics not in the catalogue"
    if group.copper:
        return f"{group.optic.type} cable" + (
            f", split into {group.lane_count}" if group.lane_count > 1 else ""
        )
    fibre = "OS2" if "SMF" in group.optic.media else "OM4"
    if group.cage_optic is not None and group.cage_optic is not group.optic:
        legs = f"splitter 1:{group.fibre.breakout_count}" if group.fibre is not None else "trunk"
        return f"{group.cage_optic.type} to {group.optic.type} optics, {fibre} {legs}"
    return f"{group.optic.type} optics, {fibre} {'patch' if 'LC' in group.optic.media else 'trunk'}"
