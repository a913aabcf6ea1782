"""GPU nodes: their storage interfaces, paths to the targets, and how the kernel uses several paths."""

from __future__ import annotations

from collections.abc import Iterator

from planner.deploy.access import Export, Path, host_nqn, identifier, joined_by_hosts
from planner.deploy.rendering import json_text, render
from planner.deploy.site import Machine, Site
from planner.sections.lossless import CNP_DSCP, CNP_PRIORITY, DATA_DSCP, PRIORITY

Files = Iterator[tuple[str, str]]
QUEUE_SIZE = 128
"""Commands in flight on a queue: the host's default, and the most that all kernels take over RDMA."""
KEEP_ALIVE_S, RECONNECT_S, FAST_FAIL_S = 5, 2, 15
"""A silent path is noticed after the first, tried again after each of the second, and given no requests after the last."""
LEAST_QUEUES, MOST_QUEUES = 4, 64
"""Queues of a connection at least and at most; SPDK offers 127."""
CTRL_LOSS_S = 1800
"""A path that is away for half an hour is given up and disappears from the list; paths are counted for that."""
TOS = {"rdma": DATA_DSCP * 4 + 2, "tcp": DATA_DSCP * 4}
"""Mark of storage traffic as a whole byte; RoCE packets say that they understand marking."""
IPOIB_MTU_BYTES = 4092
"""Addresses over InfiniBand in datagram mode: a packet of 4,096 bytes less four of its own."""
NFS_CONNECTIONS = 16
"""Most connections of a mount; one carries about 2 GB/s."""
POLICY = "round-robin"
"""Uses all paths at once; the kernel's default, numa, uses one."""


def io_queue_count(site: Site) -> int:
    """Queues of a connection: one for each GPU process of a node, within what targets offer."""
    return max(LEAST_QUEUES, min(int(site.plan.main.job.gpus_per_node_count.number), MOST_QUEUES))


def common_files(site: Site, *, attached: bool) -> Files:
    """What is the same on every node; what belongs to namespaces only where nodes attach some."""
    values = _values(site)
    if attached:
        yield "modprobe.d/nvme-multipath.conf", render("nvme-multipath.conf", **values)
        yield "udev/rules.d/71-nvme-storage.rules", render("71-nvme-storage.rules", **values)
        yield "systemd/system/storage-connect.service", render("storage-connect.service", **values)
    yield from _port_files(site, site.nodes[:1], "NODE", values)
    yield from _mounts(site, attached=attached)


def target_common_files(site: Site) -> Files:
    """The same for all storage units, by the unit with the most ports."""
    units = [unit for units in site.units.values() for unit in units]
    widest = max(units, key=lambda unit: len(unit.ports))
    yield from _port_files(site, (widest,), "TARGET", _values(site))


def _values(site: Site) -> dict[str, object]:
    network = site.plan.network
    return {
        "transport": network.transport.value,
        "lossless": network.transport.value == "rdma" and site.plan.scenario.network.pfc,
        "tos": TOS[network.transport.value],
        "data_dscp": DATA_DSCP,
        "cnp_dscp": CNP_DSCP,
        "priority": PRIORITY,
        "cnp_priority": CNP_PRIORITY,
        "share_percent": round(100 * site.lossless.share.number),
        "policy": POLICY,
        "ctrl_loss_s": CTRL_LOSS_S,
        "fast_fail_s": FAST_FAIL_S,
    }


def _port_files(site: Site, machines: tuple[Machine, ...], owner: str, values: dict[str, object]) -> Files:
    """Names, MTU, marks and shares of the storage ports of a kind of machine."""
    ports = machines[0].ports
    names = [port.interface for port in ports]
    if site.medium == "ethernet":
        yield "sbin/storage-qos", render("storage-qos.sh", **values)
        yield "systemd/system/storage-qos@.service", render("storage-qos@.service", interfaces=names)
    yield "sysctl.d/90-storage.conf", render("90-storage.conf", **values)
    for index, name in enumerate(names):
        yield (
            f"systemd/network/10-{name}.link",
            render(
                "interface.link",
                placeholder=f"@{owner}_PCI_{index}@",
                interface=name,
                mtu_bytes=site.plan.scenario.network.mtu_bytes
                if site.medium == "ethernet"
                else IPOIB_MTU_BYTES,
            ),
        )


def _mounts(site: Site, *, attached: bool) -> Files:
    """File systems that every node mounts: the dataset's, and the checkpoints' where none are attached."""
    wanted = [(site.addressing.dataset_path, "DATASET", "Dataset", site.plan.tier("file-system"))]
    if not attached:
        wanted.append((site.addressing.mount_point, "CHECKPOINT", "Checkpoints", site.plan.hot))
    for where, name, title, tier in wanted:
        if tier is None:
            continue
        lustre = "lustre" in tier.platform.id
        options = "noatime,flock,_netdev" if lustre else f"noatime,nconnect={NFS_CONNECTIONS},_netdev"
        yield (
            f"systemd/system/{unit_name(where)}",
            render(
                "shared.mount",
                source=f"@{name}_SOURCE@",
                title=f"{title}: {tier.name}",
                where=where,
                kind="lustre" if lustre else "nfs",
                options=options,
            ),
        )


def unit_name(where: str) -> str:
    """Name that systemd wants for the mount unit of a path; such paths have no hyphen of their own."""
    return where.strip("/").replace("/", "-") + ".mount"


def interface_files(site: Site, machine: Machine) -> Files:
    """Addresses of a machine's storage ports, and the route to other leaves where there are any."""
    for port in machine.ports:
        yield (
            f"systemd/network/20-{port.interface}.network",
            render(
                "interface.network",
                port=port,
                routed=site.routed,
                whole=port.subnet.whole,
            ),
        )


def node_files(site: Site, node: Machine, paths: list[Path], spaces: list[Export]) -> Files:
    """What differs from node to node."""
    yield from interface_files(site, node)
    if not paths:
        return
    nqn, host_id = host_nqn(site, node), identifier(site, "host", node.name)
    yield "nvme/hostnqn", f"{nqn}\n"
    yield "nvme/hostid", f"{host_id}\n"
    yield "nvme/config.json", json_text(connections(site, nqn, host_id, paths))
    values = {"site": site, "nqn": nqn, "host_id": host_id}
    full = settings(site)
    options = {name: value for name, value in full.items() if name != NO_OPTION}
    yield (
        "nvme/discovery.conf",
        render("discovery.conf", paths=unique_portals(paths), settings=options, **values),
    )
    yield (
        "nvme/nvme-fabrics.conf",
        render("nvme-fabrics.conf", subsystems=by_subsystem(paths), settings=full, **values),
    )
    # Namespaces that the node itself makes copies or parity over are mounted joined, by its own software.
    if site.plan.scenario.storage.access == "namespace-per-node" and joined_by_hosts(site.plan) == 1:
        for index, space in enumerate(spaces):
            where = site.addressing.mount_point + (f"_{index + 1}" if index else "")
            yield f"systemd/system/{unit_name(where)}", render("checkpoint.mount", space=space, where=where)


def settings(site: Site) -> dict[str, int]:
    """Options of a connection by the long names of nvme-cli 3.0; a mark is for Ethernet alone."""
    found = {
        "nr-io-queues": io_queue_count(site),
        "queue-size": QUEUE_SIZE,
        "keep-alive-tmo": KEEP_ALIVE_S,
        "reconnect-delay": RECONNECT_S,
        "ctrl-loss-tmo": CTRL_LOSS_S,
        "fast-io-fail-tmo": FAST_FAIL_S,
        "tos": TOS[site.plan.network.transport.value],
    }
    if site.medium != "ethernet":
        del found["tos"]
    return found


IGNORED_KEYS = ("ctrl_loss_tmo", "tos")
"""Keys that nvme-cli 2.x drops from config.json without a word: they stand in discovery.conf and in udev."""
NO_OPTION = "fast-io-fail-tmo"
"""No option of `nvme connect` 2.x, which refuses the line; config.json and udev set it."""


def connections(site: Site, nqn: str, host_id: str, paths: list[Path]) -> list[dict[str, object]]:
    """The connections of a host as nvme-cli 2.x reads them: a list of hosts."""
    options = {key.replace("-", "_"): value for key, value in settings(site).items()}
    kept = {key: value for key, value in options.items() if key not in IGNORED_KEYS}
    subsystems = [
        {
            "nqn": subsystem,
            "ports": [
                {
                    "transport": site.plan.network.transport.value,
                    "traddr": path.target.address,
                    "host_traddr": path.host.address,
                    "host_iface": path.host.interface,
                    "trsvcid": str(site.addressing.service_port),
                }
                | kept
                for path in own
            ],
        }
        for subsystem, own in by_subsystem(paths).items()
    ]
    return [{"hostnqn": nqn, "hostid": host_id, "subsystems": subsystems}]


def by_subsystem(paths: list[Path]) -> dict[str, list[Path]]:
    """Paths grouped by the subsystem to which they lead."""
    found: dict[str, list[Path]] = {}
    for path in paths:
        found.setdefault(path.subsystem, []).append(path)
    return found


def unique_portals(paths: list[Path]) -> list[Path]:
    """One path for each pair of ports: a discovery there finds all subsystems behind it."""
    return list({(path.host.address, path.target.address): path for path in paths}.values())
