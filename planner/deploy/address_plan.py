"""The address plan in few lines: subnets with their VLANs, and the first and last address of each group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from planner.core.errors import PlannerError
from planner.deploy.addressing import Addressing
from planner.deploy.hosts import KEEP_ALIVE_S
from planner.deploy.site import LeafSubnet, Machine, Port, Site, site
from planner.plan import Plan

Rows = tuple[tuple[str, ...], ...]
SUBNET_HEAD = ("Subnet", "For", "VLAN", "Parts", "Gateway")
ADDRESS_HEAD = ("Machines", "Names", "Side", "First address", "Last address", "Number")


class AddressPlan(TypedDict):
    """Placeholders for the network people, by the names that a document takes them by.

    They hold until the site states its own.

    Attributes:
        subnets: Titles, then one row a subnet; no rows over Fibre Channel, whose ports have no addresses.
        addresses: Titles, then one row for each group of machines on each side.
        lacking: Why there is none; empty where there is.
        prefixes: How the site begins the names of machines, by how the planner begins them.
        noticed_s: Time until a host notices a silent path, by the bundle's settings; 0 where it has none.
    """

    subnets: tuple[tuple[str, ...], Rows]
    addresses: tuple[tuple[str, ...], Rows]
    lacking: str
    prefixes: dict[str, str]
    noticed_s: float


def address_plan(plan: Plan, addressing: Addressing) -> AddressPlan:
    """Subnets, VLANs and ends of the addresses, or why there are none."""
    try:
        made = site(plan, addressing)
    except PlannerError as error:
        return _told((), (), addressing, lacking=error.message)
    if made.medium == "fc":
        return _told((), (), addressing)
    return _told(tuple(_subnets(made)), tuple(_addresses(made)), addressing, noticed_s=float(KEEP_ALIVE_S))


def _told(
    subnets: Rows, addresses: Rows, addressing: Addressing, *, lacking: str = "", noticed_s: float = 0.0
) -> AddressPlan:
    return AddressPlan(
        subnets=(SUBNET_HEAD, subnets),
        addresses=(ADDRESS_HEAD, addresses),
        lacking=lacking,
        prefixes=addressing.prefixes,
        noticed_s=noticed_s,
    )


def _subnets(made: Site) -> Iterator[tuple[str, ...]]:
    for side, parts in _by_side(made).items():
        first = parts[0]
        alone = len(parts) == 1
        yield (
            str(first.whole),
            f"storage, side {side}",
            str(first.vlan) if made.switches else "none: InfiniBand has partitions",
            str(first.network) if alone else f"{len(parts)} × /{first.network.prefixlen}, one a leaf",
            _gateway(made, first, alone=alone),
        )
    if made.routed:
        links = made.addressing.network("links")
        count = sum(len(switch.links) for switch in made.switches) // 2
        yield str(links), "links between leaves and spines", "none: routed", f"{count} × /31", ""
    if made.switches:
        loopbacks = made.addressing.network("loopbacks")
        yield str(loopbacks), "loopbacks of switches", "none: routed", f"{len(made.switches)} × /32", ""


def _gateway(made: Site, first: LeafSubnet, *, alone: bool) -> str:
    """What hosts reach other leaves through; none where there is nothing to reach."""
    if not made.routed:
        return "none: all on one subnet"
    return first.gateway if alone else f"first of each part: {first.gateway} and on"


def _by_side(made: Site) -> dict[str, list[LeafSubnet]]:
    found: dict[str, dict[LeafSubnet, None]] = {}
    for machine in made.machines:
        for port in machine.ports:
            found.setdefault(port.side, {})[port.subnet] = None
    return {
        side: sorted(parts, key=lambda part: int(part.network.network_address))
        for side, parts in sorted(found.items())
    }


def _addresses(made: Site) -> Iterator[tuple[str, ...]]:
    for machines in _groups(made).values():
        names = machines[0].name if len(machines) == 1 else f"{machines[0].name} to {machines[-1].name}"
        for side in sorted({port.side for machine in machines for port in machine.ports}):
            own = sorted((port for machine in machines for port in machine.on(side)), key=_number)
            yield machines[0].role, names, side, own[0].with_length, own[-1].with_length, f"{len(own):,}"


def _groups(made: Site) -> dict[str, list[Machine]]:
    found: dict[str, list[Machine]] = {}
    for machine in made.machines:
        found.setdefault(machine.role, []).append(machine)
    return found


def _number(port: Port) -> tuple[int, ...]:
    return tuple(int(part) for part in port.address.split("."))
