"""A design with names and addresses: every host, target and switch with all of its ports."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from planner.core.errors import PlannerError
from planner.core.units import counted
from planner.deploy.addressing import Addressing
from planner.plan import Plan
from planner.sections.cabling import Cable, Cabling, Endpoint, SwitchPort, cabling_plan, side_name
from planner.sections.links import NODES
from planner.sections.lossless import LosslessPlan, lossless_plan
from planner.sections.machines import METADATA, machine_label

SPINE_ASN = 4_200_000_000
"""All spines share it; the leaves count on from it. Private four-byte numbers."""
VLAN_STEP = 10
"""From the VLAN of one side to that of the next, with room for a site's own between them."""
FIELDS = ("fabric_a", "fabric_b")
"""Subnets of the sides A and B; rails take turns on them, each in an equal part."""
RESERVED = 3
"""Addresses of a leaf's subnet that no endpoint has: the network, the gateway, the broadcast."""


@dataclass(frozen=True, slots=True)
class LeafSubnet:
    """The part of a side's subnet that a leaf serves, with its gateway there.

    Attributes:
        whole: The subnet of the whole side or rail.
    """

    side: str
    vlan: int
    network: ipaddress.IPv4Network
    whole: ipaddress.IPv4Network

    @property
    def gateway(self) -> str:
        """Address of the leaf, the first of the subnet."""
        return str(self.network[1])

    @property
    def gateway_with_length(self) -> str:
        """The same as it is configured on the leaf."""
        return f"{self.gateway}/{self.network.prefixlen}"


@dataclass(frozen=True, slots=True)
class Port:
    """A storage port of a host or target: its interface, address and the leaf port at the other end."""

    device: str
    interface: str
    side: str
    gbps: int
    address: str
    subnet: LeafSubnet
    leaf: str
    cable: Cable

    @property
    def with_length(self) -> str:
        """The address as it is configured."""
        return f"{self.address}/{self.subnet.network.prefixlen}"


@dataclass(frozen=True, slots=True)
class Machine:
    """A GPU node or a storage unit."""

    name: str
    role: str
    unit: int
    ports: tuple[Port, ...]

    def on(self, side: str) -> tuple[Port, ...]:
        """Its ports on one side."""
        return tuple(port for port in self.ports if port.side == side)


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a switch to another, with both addresses of it."""

    port: SwitchPort
    peer: str
    peer_port: SwitchPort
    address: str
    peer_address: str
    peer_asn: int
    cable: Cable


@dataclass(frozen=True, slots=True)
class SwitchUnit:
    """A leaf or spine: what hangs on it, and what it is called."""

    name: str
    role: str
    asn: int
    loopback: str
    subnets: tuple[LeafSubnet, ...]
    endpoints: tuple[Port, ...]
    links: tuple[Link, ...]

    @property
    def cables(self) -> Iterator[tuple[SwitchPort, Cable]]:
        """Every port in use with its cable."""
        for port in self.endpoints:
            yield port.cable.finish, port.cable
        for link in self.links:
            yield link.port, link.cable


@dataclass(frozen=True, slots=True)
class Site:
    """All machines and switches of a design; no switches where they have no addresses: other than Ethernet."""

    plan: Plan
    addressing: Addressing
    cabling: Cabling
    lossless: LosslessPlan
    namer: Callable[[str, int], str]
    nodes: tuple[Machine, ...]
    units: Mapping[str, tuple[Machine, ...]]
    switches: tuple[SwitchUnit, ...]

    @property
    def targets(self) -> tuple[Machine, ...]:
        """Units of the hot tier."""
        return self.units["hot"]

    @property
    def machines(self) -> tuple[Machine, ...]:
        """Nodes, then the units of each tier."""
        return (*self.nodes, *(unit for units in self.units.values() for unit in units))

    @property
    def medium(self) -> str:
        """What the switches carry: "ethernet", "infiniband" or "fc"."""
        return self.plan.network.option.medium

    @property
    def routed(self) -> bool:
        """Whether hosts reach targets on other leaves, through spines; InfiniBand is one subnet a side."""
        return self.cabling.spine_count > 0 and self.medium == "ethernet"


def site(plan: Plan, addressing: Addressing) -> Site:
    """Names and addresses for the planned network.

    Raises:
        PlannerError: The switch carries another medium, the ports do not fit the leaves, or a subnet is too small.
    """
    medium, switch = plan.network.option.medium, plan.network.switch
    if switch.fabric != medium:
        field = "network.fc_switch_id" if medium == "fc" else "network.switch_id"
        raise PlannerError(
            f"{field}: {switch.name} is a switch for {_FABRICS[switch.fabric]}, and {plan.network.transport.label} is "
            f"planned over {_FABRICS[medium]}; choose a switch for that",
            field=field,
        )
    # A plan has no cabling where the ports do not fit; asked for once more, it says why.
    cabling = plan.cabling or cabling_plan(plan.network, plan.tiers, plan.scenario.cluster.node_count)
    namer = Namer(plan, addressing, cabling)
    subnets = (
        _side_subnets(cabling, addressing) if medium == "infiniband" else _leaf_subnets(cabling, addressing)
    )
    ports = _ports(cabling, addressing, subnets, namer)
    if medium != "ethernet":
        switches: tuple[SwitchUnit, ...] = ()
    else:
        switches = tuple(_switches(cabling, addressing, subnets, ports, namer))
    nodes = _machines(namer, NODES, plan.scenario.cluster.node_count, ports)
    units: dict[str, tuple[Machine, ...]] = {}
    for group, role in namer.roles.items():
        units[role] = (*units.get(role, ()), *_machines(namer, group, namer.counts[group], ports))
    lossless = lossless_plan(plan.network, cabling)
    return Site(plan, addressing, cabling, lossless, namer, nodes, units, switches)


_FABRICS = {"ethernet": "Ethernet", "infiniband": "InfiniBand", "fc": "Fibre Channel"}


class Namer:
    """Names of machines and switches: a prefix and a number from 1, as wide as the largest needs."""

    def __init__(self, plan: Plan, addressing: Addressing, cabling: Cabling) -> None:
        """Take the prefixes of the site and the counts of the design."""
        prefixes = {
            "hot": addressing.hot_prefix,
            "file-system": addressing.file_system_prefix,
            "object": addressing.object_prefix,
        }
        self.counts = {tier.name: int(tier.unit_count.number) for tier in plan.tiers}
        self.counts[NODES] = plan.scenario.cluster.node_count
        self.counts |= {"leaf": cabling.leaf_count, "spine": cabling.spine_count}
        self.roles = {tier.name: tier.role for tier in plan.tiers}
        self._prefix = {tier.name: prefixes[tier.role] for tier in plan.tiers}
        self._prefix |= {NODES: addressing.node_prefix}
        self._prefix |= {"leaf": addressing.leaf_prefix, "spine": addressing.spine_prefix}
        self._first = dict.fromkeys(self.counts, 1)
        following = 1
        for group, count in _group_sizes(cabling).items():
            if group not in self.counts:
                self.counts[group], self.roles[group] = count, METADATA
                self._prefix[group], self._first[group] = addressing.metadata_prefix, following
                following += count

    def __call__(self, group: str, unit: int) -> str:
        """Name of a unit of a group, which counts from 0."""
        first = self._first[group]
        return machine_label(self._prefix[group], first + unit, first + self.counts[group] - 1)


def _group_sizes(cabling: Cabling) -> dict[str, int]:
    """Machines of each group that has cables, in the order of the schedule."""
    found: dict[str, int] = {}
    for cable in cabling.endpoints:
        if isinstance(cable.start, Endpoint):
            found[cable.start.role] = max(found.get(cable.start.role, 0), cable.start.unit + 1)
    return found


def _leaf_subnets(cabling: Cabling, addressing: Addressing) -> dict[tuple[int, str], LeafSubnet]:
    """A part of each side's subnet for every leaf that serves the side, all of one size.

    Raises:
        PlannerError: The subnet has too few addresses; the line says how large it has to be.
    """
    counts = Counter((cable.finish.switch, cable.side) for cable in cabling.endpoints)
    names = [side_name(number) for number in range(cabling.side_count)]
    part_bits = (-(-len(names) // len(FIELDS)) - 1).bit_length()
    found = {}
    for number, side in enumerate(names):
        leaves = sorted(leaf for leaf, of in counts if of == side)
        if not leaves:
            continue
        most = max(counts[leaf, side] for leaf in leaves)
        host_bits = (most + RESERVED - 1).bit_length()
        needed = 32 - host_bits - (len(leaves) - 1).bit_length()
        part, which = divmod(number, len(FIELDS))
        stated = addressing.network(FIELDS[which])
        if stated.prefixlen + part_bits > needed:
            told = _need(2**part_bits, len(leaves), most)
            raise PlannerError(
                f"addressing.{FIELDS[which]}: {stated} has {stated.num_addresses:,} addresses; "
                f"{told} a /{max(needed - part_bits, 0)} or larger",
                field=FIELDS[which],
            )
        length = stated.prefixlen + part_bits
        whole = ipaddress.IPv4Network((int(stated.network_address) + (part << (32 - length)), length))
        for index, leaf in enumerate(leaves):
            first = int(whole.network_address) + (index << host_bits)
            own = ipaddress.IPv4Network((first, 32 - host_bits))
            found[leaf, side] = LeafSubnet(side, VLAN_STEP * (number + 1), own, whole)
    return found


def _need(rails: int, leaves: int, most: int) -> str:
    """What does not fit a subnet: the leaves of a side, or of all rails that share it."""
    of = f"{rails} rails of " if rails > 1 else ""
    return of + (
        f"{leaves} leaves with {counted(most, 'endpoint')} each need"
        if leaves > 1
        else f"one leaf with its {counted(most, 'endpoint')} and the gateway need"
    )


def _side_subnets(cabling: Cabling, addressing: Addressing) -> dict[tuple[int, str], LeafSubnet]:
    """One subnet for all leaves of a side, for addresses over InfiniBand: switches there do not route.

    Raises:
        PlannerError: The subnet has too few addresses; the line says how large it has to be.
    """
    one = replace(cabling, cables=tuple(_on_first_leaf(cabling)))
    made = {side: subnet for (_, side), subnet in _leaf_subnets(one, addressing).items()}
    return {(cable.finish.switch, cable.side): made[cable.side] for cable in cabling.endpoints}


def _on_first_leaf(cabling: Cabling) -> Iterator[Cable]:
    """Cables of endpoints as if every side had one leaf."""
    for cable in cabling.endpoints:
        yield replace(cable, finish=replace(cable.finish, switch=0))


def _ports(
    cabling: Cabling,
    addressing: Addressing,
    subnets: Mapping[tuple[int, str], LeafSubnet],
    namer: Callable[[str, int], str],
) -> dict[Endpoint, Port]:
    """Every endpoint's port, with addresses in the order of the leaf's own ports."""
    taken: Counter[LeafSubnet] = Counter()
    found = {}
    for cable in cabling.endpoints:
        assert isinstance(cable.start, Endpoint)
        key = (cable.finish.switch, cable.side)
        subnet = subnets[key]
        taken[subnet] += 1
        found[cable.start] = Port(
            device=namer(cable.start.role, cable.start.unit),
            interface=f"{addressing.interface_prefix}{cable.start.port}",
            side=cable.side,
            gbps=cable.gbps,
            address=str(subnet.network[1 + taken[subnet]]),
            subnet=subnet,
            leaf=namer("leaf", cable.finish.switch),
            cable=cable,
        )
    return found


def _machines(
    namer: Callable[[str, int], str], group: str, count: int, ports: Mapping[Endpoint, Port]
) -> tuple[Machine, ...]:
    own: dict[int, list[Port]] = {}
    for endpoint in sorted(end for end in ports if end.role == group):
        own.setdefault(endpoint.unit, []).append(ports[endpoint])
    return tuple(Machine(namer(group, unit), group, unit, tuple(own.get(unit, ()))) for unit in range(count))


def _switches(
    cabling: Cabling,
    addressing: Addressing,
    subnets: Mapping[tuple[int, str], LeafSubnet],
    ports: Mapping[Endpoint, Port],
    namer: Callable[[str, int], str],
) -> Iterator[SwitchUnit]:
    links = _links(cabling, addressing, namer)
    loopbacks = addressing.network("loopbacks")
    count = cabling.leaf_count + cabling.spine_count
    if loopbacks.num_addresses < count + RESERVED - 1:
        needed = 32 - (count + RESERVED - 2).bit_length()
        raise PlannerError(
            f"addressing.loopbacks: {loopbacks} has {loopbacks.num_addresses:,} addresses; {count} switches "
            f"need a /{needed} or larger",
            field="loopbacks",
        )
    on_leaf: dict[int, list[Port]] = {}
    for port in ports.values():
        on_leaf.setdefault(port.cable.finish.switch, []).append(port)
    of_leaf: dict[int, list[LeafSubnet]] = {}
    for (leaf, _), subnet in subnets.items():
        of_leaf.setdefault(leaf, []).append(subnet)
    for leaf in range(cabling.leaf_count):
        own = tuple(of_leaf.get(leaf, ()))
        yield SwitchUnit(
            name=namer("leaf", leaf),
            role="leaf",
            asn=SPINE_ASN + 1 + leaf,
            loopback=str(loopbacks[1 + leaf]),
            subnets=own,
            endpoints=tuple(sorted(on_leaf.get(leaf, ()), key=lambda port: port.cable.number)),
            links=tuple(links.get(("leaf", leaf), ())),
        )
    for spine in range(cabling.spine_count):
        yield SwitchUnit(
            name=namer("spine", spine),
            role="spine",
            asn=SPINE_ASN,
            loopback=str(loopbacks[1 + cabling.leaf_count + spine]),
            subnets=(),
            endpoints=(),
            links=tuple(links.get(("spine", spine), ())),
        )


def _links(
    cabling: Cabling, addressing: Addressing, namer: Callable[[str, int], str]
) -> dict[tuple[str, int], list[Link]]:
    """Every uplink seen from both of its ends, with two addresses of its own."""
    whole = addressing.network("links")
    uplinks: Sequence[Cable] = cabling.uplinks
    if whole.num_addresses < 2 * len(uplinks):
        needed = 32 - (2 * len(uplinks) - 1).bit_length()
        raise PlannerError(
            f"addressing.links: {whole} has {whole.num_addresses:,} addresses; {len(uplinks)} links between "
            f"leaves and spines need a /{needed} or larger",
            field="links",
        )
    found: dict[tuple[str, int], list[Link]] = {}
    base = int(whole.network_address)
    for index, cable in enumerate(uplinks):
        assert isinstance(cable.start, SwitchPort)
        low, high = (str(ipaddress.IPv4Address(base + 2 * index + end)) for end in (0, 1))
        leaf, spine = cable.start, cable.finish
        found.setdefault(("leaf", leaf.switch), []).append(
            Link(leaf, namer("spine", spine.switch), spine, low, high, SPINE_ASN, cable)
        )
        found.setdefault(("spine", spine.switch), []).append(
            Link(spine, namer("leaf", leaf.switch), leaf, high, low, SPINE_ASN + 1 + leaf.switch, cable)
        )
    return found
