"""Tables of a site: every cable with its label, and every address."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from planner.deploy.site import Site
from planner.sections.cabling import SwitchPort

CABLE_COLUMNS = (
    "cable",
    "from",
    "from_port",
    "to",
    "to_port",
    "side",
    "speed_gbps",
    "type",
    "length_m",
    "label",
)
ADDRESS_COLUMNS = (
    "device",
    "interface",
    "side",
    "address",
    "prefix_length",
    "gateway",
    "switch",
    "switch_port",
    "speed_gbps",
)


def table(columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """Rows as CSV; names here are checked, so none begins like a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def cables(site: Site) -> str:
    """The cable schedule; a label stands at both ends of its cable."""
    return table(CABLE_COLUMNS, _cables(site))


def _cables(site: Site) -> Iterator[tuple[object, ...]]:
    ports = {port.cable.number: port for machine in site.machines for port in machine.ports}
    width = len(str(len(site.cabling.cables)))
    for cable in site.cabling.cables:
        if isinstance(cable.start, SwitchPort):
            start, start_port = site.namer("leaf", cable.start.switch), cable.start.number
        else:
            port = ports[cable.number]
            start, start_port = port.device, port.interface
        finish = site.namer(cable.finish.role, cable.finish.switch)
        label = f"{cable.number:0{width}d} {start}:{start_port} - {finish}:{cable.finish.number}"
        yield (
            cable.number,
            start,
            start_port,
            finish,
            cable.finish.number,
            cable.side,
            cable.gbps,
            cable.type,
            f"{cable.length_m:g}",
            label,
        )


def addresses(site: Site) -> str:
    """Every address: ports of machines, gateways, links and loopbacks of switches."""
    return table(ADDRESS_COLUMNS, _addresses(site))


def _addresses(site: Site) -> Iterator[tuple[object, ...]]:
    for machine in site.machines:
        for port in machine.ports:
            yield (
                port.device,
                port.interface,
                port.side,
                port.address,
                port.subnet.network.prefixlen,
                port.subnet.gateway if site.routed else "",
                port.leaf,
                port.cable.finish.number,
                port.gbps,
            )
    for switch in site.switches:
        yield switch.name, "loopback", "", switch.loopback, 32, "", "", "", ""
        for subnet in switch.subnets:
            length = subnet.network.prefixlen
            yield switch.name, f"vlan{subnet.vlan}", subnet.side, subnet.gateway, length, "", "", "", ""
        for link in switch.links:
            yield (
                switch.name,
                link.port.number,
                "",
                link.address,
                31,
                "",
                link.peer,
                link.peer_port.number,
                link.cable.gbps,
            )
