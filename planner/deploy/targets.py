"""Targets of the hot tier: the kernel target for nvmetcli, SPDK, and the volumes behind them.

Volumes that a target protects by parity, or that software over several nodes protects, are block devices
under a fixed name. Two copies over nodes are made by SPDK itself: each target also exports room for the
copies of the one before it, and a second file joins both once all targets run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.core.units import scalar
from planner.deploy.access import MIB, Export, host_nqn, machine_paths
from planner.deploy.hosts import QUEUE_SIZE
from planner.deploy.rendering import json_text, render
from planner.deploy.site import Machine, Site
from planner.sections.kit import CLIENT_SIDE
from planner.sizing import tier_counts

Json = dict[str, Any]
Files = Iterator[tuple[str, str]]
MODEL = "NVMEOF-CHECKPOINT"
POOL, STORE, PEER = "pool", "ckpt", "peer"
STRIP_KIB = 128
"""Part of a striped request that one drive takes: the largest request, so that each is one drive's."""
INLINE_BYTES = 16384
"""Data that comes with a command to the kernel target: the most that it takes over RDMA."""
IO_BYTES = 131072
"""Largest part into which SPDK cuts a request."""
CAPSULE_BYTES = 8192
"""The same to SPDK, as in its own examples."""
MAX_QPAIRS = 127
"""Queues that SPDK offers a connection: its own default."""
SMALL_BUFFERS, LARGE_BUFFERS = 32767, 16383
"""Four times and sixteen times SPDK's defaults, less one: queues of many nodes share them."""
BLOCK_BYTES = 4096
MOST_RAIDZ_PARITY = 3
"""ZFS has RAID-Z of one, two and three drives of parity."""


def local_parity(site: Site) -> bool:
    """Whether a target protects its own drives, and ZFS can do it: by copies, or by three drives of parity at most."""
    scheme, hot = site.plan.hot.scheme, site.plan.hot
    if scheme is None or hot.domain != "drive" or hot.protection_at in CLIENT_SIDE:
        return False
    return scheme.parity_chunk_count > 0 and (
        scheme.data_chunk_count == 1 or scheme.parity_chunk_count <= MOST_RAIDZ_PARITY
    )


def volume_path(site: Site, volume: str) -> str:
    """Block device of a volume: a ZFS volume under local parity, else a device of that name."""
    return f"/dev/zvol/{STORE}/{volume}" if local_parity(site) else f"/dev/{STORE}/{volume}"


def spdk_pool(site: Site) -> bool:
    """Whether SPDK stripes the drives itself: two copies over nodes, or no protection at all in targets."""
    scheme = site.plan.hot.scheme
    if scheme is None:
        return False
    if site.plan.hot.protection_at in CLIENT_SIDE:
        return True
    return scheme.data_chunk_count == 1 and scheme.width_count <= 2 and not local_parity(site)


def drive_count(site: Site) -> int:
    """Drives of a target; 0 where nobody knows."""
    hot = site.plan.hot
    if not hot.drive_count.known:
        return 0
    return max(round(hot.drive_count.number / hot.unit_count.number), 1)


def drive_groups(site: Site) -> tuple[list[range], range]:
    """Numbers of the drives of a target by the group that protects them, and those left over, which stand by.

    ZFS takes groups of one width alone. Where there are fewer drives than a group has, all of them are one.
    """
    scheme = site.plan.hot.scheme
    count, width = drive_count(site), scheme.width_count if scheme is not None else 1
    whole = count - int(scalar(tier_counts.left_over_drives_count(float(count), width_count=float(width))))
    return [range(n, min(n + width, whole + 1)) for n in range(1, whole + 1, width)], range(
        whole + 1, count + 1
    )


def copy_nqn(site: Site, target: Machine) -> str:
    """Subsystem under which a target offers room for the copies of the one before it."""
    return f"{site.addressing.nqn_prefix}:copy:{target.name}"


def serial(target: Machine) -> str:
    """Serial number of a target's subsystems, at most 20 characters."""
    return target.name.upper().replace("-", "")[-20:]


# --- the kernel target --------------------------------------------------------------------------------------


def nvmet(site: Site, target: Machine, own: list[Export]) -> Json:
    """The kernel target as nvmetcli restores it: hosts, subsystems with namespaces, ports."""
    subsystems = _grouped(own)
    hosts = sorted({node for export in own for node in export.hosts})
    return {
        "hosts": [{"nqn": host_nqn(site, site.nodes[node])} for node in hosts],
        "subsystems": [
            {
                "nqn": nqn,
                "attr": {"allow_any_host": "0", "serial": serial(target), "model": MODEL},
                "allowed_hosts": [host_nqn(site, site.nodes[node]) for node in spaces[0].hosts],
                "namespaces": [
                    {
                        "nsid": space.nsid,
                        "enable": 1,
                        "ana_grpid": 1,
                        "device": {"path": volume_path(site, space.volume), "uuid": space.uuid},
                    }
                    for space in spaces
                ],
            }
            for nqn, spaces in subsystems.items()
        ],
        "ports": [
            {
                "portid": number,
                "addr": {
                    "trtype": site.plan.network.transport.value,
                    "adrfam": "ipv4",
                    "traddr": port.address,
                    "trsvcid": str(site.addressing.service_port),
                    "treq": "not specified",
                },
                "param": {"inline_data_size": str(INLINE_BYTES), "max_queue_size": str(QUEUE_SIZE)},
                "subsystems": list(subsystems),
                "referrals": [],
                "ana_groups": [{"grpid": 1, "ana": {"state": "optimized"}}],
            }
            for number, port in enumerate(target.ports, start=1)
        ],
    }


def _grouped(own: list[Export]) -> dict[str, list[Export]]:
    found: dict[str, list[Export]] = {}
    for export in own:
        found.setdefault(export.subsystem, []).append(export)
    return found


# --- SPDK ---------------------------------------------------------------------------------------------------


def _call(method: str, **params: object) -> Json:
    return {"method": method, "params": params} if params else {"method": method}


def _config(subsystems: dict[str, list[Json]]) -> Json:
    return {"subsystems": [{"subsystem": name, "config": calls} for name, calls in subsystems.items()]}


def spdk(site: Site, target: Machine, found: tuple[Export, ...]) -> Json:
    """What a target does by itself: drives, volumes, transport, and what it may export at once."""
    own = [export for export in found if export.target == target.unit]
    kept = [export for export in found if export.peer == target.unit]
    tcp = site.plan.network.transport.value == "tcp"
    sock = [_call("sock_impl_set_options", impl_name="posix", enable_zerocopy_send_server=True)]
    nvmf = [
        _call("nvmf_set_max_subsystems", max_subsystems=len(_grouped(own)) + 2),
        _transport(site),
    ]
    if kept:
        nvmf += _copies(site, target, kept)
    else:
        nvmf += _fronts(site, target, own)
    return _config(
        {
            "iobuf": [
                _call("iobuf_set_options", small_pool_count=SMALL_BUFFERS, large_pool_count=LARGE_BUFFERS)
            ],
            **({"sock": sock} if tcp else {}),
            "bdev": _bdevs(site, own),
            "nvmf": nvmf,
        }
    )


def _bdevs(site: Site, own: list[Export]) -> list[Json]:
    """Drives striped into one pool that holds the volumes; or the block devices that others made."""
    if not spdk_pool(site):
        return [
            _call(
                "bdev_aio_create",
                name=export.volume,
                filename=volume_path(site, export.volume),
                block_size=BLOCK_BYTES,
            )
            for export in own
        ]
    drives = range(1, drive_count(site) + 1)
    calls = [
        _call(
            "bdev_nvme_attach_controller", name=f"drive{n}", trtype="PCIe", traddr=f"@TARGET_DRIVE_PCI_{n}@"
        )
        for n in drives
    ]
    calls.append(
        _call(
            "bdev_raid_create",
            name=POOL,
            strip_size_kb=STRIP_KIB,
            raid_level="raid0",
            base_bdevs=[f"drive{n}n1" for n in drives],
        )
    )
    # The volumes were made once and are found on the pool.
    return [*calls, _call("bdev_wait_for_examine")]


def _transport(site: Site) -> Json:
    """Limits of connections; buffer numbers are the buffer pool's, where they belong since they were renamed."""
    return _call(
        "nvmf_create_transport",
        trtype=site.plan.network.transport.value.upper(),
        max_queue_depth=QUEUE_SIZE,
        max_io_qpairs_per_ctrlr=MAX_QPAIRS,
        in_capsule_data_size=CAPSULE_BYTES,
        max_io_size=IO_BYTES,
    )


def _fronts(site: Site, target: Machine, own: list[Export]) -> list[Json]:
    """A subsystem for each group of namespaces: its hosts, namespaces and portals."""
    calls: list[Json] = []
    for nqn, spaces in _grouped(own).items():
        calls.append(_subsystem(target, nqn, len(spaces)))
        for space in spaces:
            name = f"mirror-{space.volume}" if space.peer is not None else _volume(site, space.volume)
            namespace = {"nsid": space.nsid, "bdev_name": name, "uuid": space.uuid}
            calls.append(_call("nvmf_subsystem_add_ns", nqn=nqn, namespace=namespace))
        calls.extend(
            _call("nvmf_subsystem_add_host", nqn=nqn, host=host_nqn(site, site.nodes[node]))
            for node in spaces[0].hosts
        )
        calls.extend(_listeners(site, target, nqn))
    return calls


def _volume(site: Site, volume: str) -> str:
    return f"{STORE}/{volume}" if spdk_pool(site) else volume


def _subsystem(target: Machine, nqn: str, spaces: int) -> Json:
    return _call(
        "nvmf_create_subsystem",
        nqn=nqn,
        serial_number=serial(target),
        model_number=MODEL,
        max_namespaces=max(spaces, 1),
        allow_any_host=False,
        ana_reporting=True,
    )


def _listeners(site: Site, target: Machine, nqn: str) -> list[Json]:
    return [
        _call("nvmf_subsystem_add_listener", nqn=nqn, listen_address=_address(site, port.address))
        for port in target.ports
    ]


def _address(site: Site, address: str) -> Json:
    return {
        "trtype": site.plan.network.transport.value.upper(),
        "adrfam": "IPv4",
        "traddr": address,
        "trsvcid": str(site.addressing.service_port),
    }


def _copies(site: Site, target: Machine, kept: list[Export]) -> list[Json]:
    """Room for the copies of the target before this one, which alone may connect to it."""
    nqn = copy_nqn(site, target)
    calls = [_subsystem(target, nqn, len(kept))]
    for nsid, space in enumerate(kept, start=1):
        namespace = {"nsid": nsid, "bdev_name": f"{STORE}/copy-{space.volume}"}
        calls.append(_call("nvmf_subsystem_add_ns", nqn=nqn, namespace=namespace))
    before = sorted({export.target for export in kept})
    calls.extend(
        _call("nvmf_subsystem_add_host", nqn=nqn, host=host_nqn(site, site.targets[unit])) for unit in before
    )
    return [*calls, *_listeners(site, target, nqn)]


def mirror(site: Site, target: Machine, own: list[Export]) -> Json:
    """What a target adds once all of them run: the other copy of its volumes, and the exports to nodes."""
    peer = site.targets[own[0].peer or 0]
    calls = []
    for here, there in machine_paths(target, peer, len(target.ports)):
        calls.append(
            _call(
                "bdev_nvme_attach_controller",
                name=PEER,
                trtype=site.plan.network.transport.value.upper(),
                adrfam="IPv4",
                traddr=there.address,
                trsvcid=str(site.addressing.service_port),
                subnqn=copy_nqn(site, peer),
                hostnqn=host_nqn(site, target),
                hostaddr=here.address,
                multipath="multipath",
                ctrlr_loss_timeout_sec=-1,
                reconnect_delay_sec=2,
                fast_io_fail_timeout_sec=10,
            )
        )
    calls.extend(
        _call(
            "bdev_raid_create",
            name=f"mirror-{space.volume}",
            raid_level="raid1",
            base_bdevs=[f"{STORE}/{space.volume}", f"{PEER}n{nsid}"],
        )
        for nsid, space in enumerate(own, start=1)
    )
    return _config({"bdev": calls, "nvmf": _fronts(site, target, own)})


def target_files(site: Site, target: Machine, found: tuple[Export, ...]) -> Files:
    """Everything of one target of the hot tier."""
    own = [export for export in found if export.target == target.unit]
    if not own:
        return
    yield "nvmet/config.json", json_text(nvmet(site, target, own))
    yield "spdk/target.json", json_text(spdk(site, target, found))
    if own[0].peer is not None:
        yield "spdk/mirror.json", json_text(mirror(site, target, own))
    yield "volumes.sh", render("volumes.sh", **_volumes(site, found, target))


def _volumes(site: Site, found: tuple[Export, ...], target: Machine) -> dict[str, object]:
    """Names and sizes of the volumes of a target, its own and the copies that it keeps."""
    rows = [(space.volume, space.size_bytes // MIB) for space in found if space.target == target.unit]
    rows += [
        (f"copy-{space.volume}", space.size_bytes // MIB) for space in found if space.peer == target.unit
    ]
    scheme = site.plan.hot.scheme
    groups, spares = drive_groups(site)
    copies = scheme is not None and scheme.data_chunk_count == 1
    return {
        "kind": "spdk" if spdk_pool(site) else "zfs" if local_parity(site) else "device",
        "rows": rows,
        "pool": POOL,
        "store": STORE,
        "groups": [[f"@TARGET_DRIVE_ID_{n}@" for n in group] for group in groups],
        "spares": [f"@TARGET_DRIVE_ID_{n}@" for n in spares],
        "group_kind": "mirror" if copies else f"raidz{scheme.parity_chunk_count if scheme else 0}",
        "width": scheme.width_count if scheme else 0,
        "parity": 0 if copies or scheme is None else scheme.parity_chunk_count,
        "label": scheme.label if scheme else "",
        "domain": site.plan.hot.domain,
    }
