"""Tables of a site: every cable with its label, and every address."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from planner.core.cells import as_text
from planner.deploy.access import Export
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
ACCESS_COLUMNS = ("subsystem", "nsid", "volume", "size_bytes", "uuid", "target", "copy_on", "hosts")


def table(columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """Rows as CSV; of names that a catalogue's own rows bring, none is taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(tuple(as_text(item) if isinstance(item, str) else item for item in row) for row in rows)
    return out.getvalue()


def cables(site: Site) -> str:
    """The cable schedule; a label stands at both ends of its cable."""
    return table(CABLE_COLUMNS, cable_rows(site))


def cable_rows(site: Site) -> Iterator[tuple[object, ...]]:
    """Every cable as a row of `CABLE_COLUMNS`: targets and nodes by leaf, then uplinks."""
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


def matching(rows: Sequence[tuple[object, ...]], wanted: str) -> list[tuple[object, ...]]:
    """Rows in which every word of `wanted` occurs, in whatever column and case."""
    words = wanted.casefold().split()
    return [row for row in rows if all(word in " ".join(map(str, row)).casefold() for word in words)]


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


def access(site: Site, exports: Iterable[Export]) -> str:
    """Every namespace with the target that has it, the target of its copy, and the nodes that may use it."""
    return table(ACCESS_COLUMNS, _access(site, exports))


def _access(site: Site, exports: Iterable[Export]) -> Iterator[tuple[object, ...]]:
    for export in exports:
        yield (
            export.subsystem,
            export.nsid,
            export.volume,
            export.size_bytes,
            export.uuid,
            site.targets[export.target].name,
            "" if export.peer is None else site.targets[export.peer].name,
            " ".join(site.nodes[host].name for host in export.hosts),
        )
