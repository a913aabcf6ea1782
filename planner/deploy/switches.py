"""Switches under SONiC: a configuration database for each leaf and spine.

Every value is a string there, keys of several parts are joined by bars, and references to other tables are
plain names. Lanes are the platform's own: `config load` merges these tables into its port table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from planner.core.units import KIB
from planner.deploy.site import Site, SwitchUnit
from planner.sections.cabling import Cable, SwitchPort
from planner.sections.lossless import (
    CNP_DSCP,
    CNP_PRIORITY,
    DATA_DSCP,
    LOSSLESS_MTU_BYTES,
    MARK_PERCENT,
    PRIORITY,
    SMALL_PACKET_FRACTION,
    SWITCH_MTU_BYTES,
    WATCHDOG_MS,
    XON_BYTES,
    LosslessPlan,
    PortProfile,
    kind_of,
)

Table = dict[str, dict[str, str]]
Tables = dict[str, Table]
MAP = "STORAGE"
MAP_SET = "AZURE"
"""Key under which SONiC keeps lengths of cables and the traffic pattern."""
FEC_FROM_GBPS = 100
LANES_FROM_GBPS = {400: 8, 40: 4}
"""Lanes of a cage: eight from 400 Gb/s on, four from 40 Gb/s on."""
QUEUES = 8


@dataclass(frozen=True, slots=True)
class Quality:
    """How the network treats storage traffic: pauses, marking, shares.

    Attributes:
        lossless: Whether the storage class is paused rather than dropped.
        marked: Whether congestion is marked.
        share_percent: Share of a port for storage when it is contended.
    """

    plan: LosslessPlan
    lossless: bool
    marked: bool
    share_percent: int

    def profile(self, role: str, cable: Cable) -> PortProfile:
        """Buffer and thresholds of a port."""
        return next(
            profile
            for profile in self.plan.buffer(role).profiles
            if (profile.gbps, profile.cable_m) == kind_of(cable)
        )


def quality(site: Site) -> Quality:
    """The treatment that the design states: RoCE is lossless unless PFC is left out, TCP is not."""
    network = site.plan.scenario.network
    rdma = site.plan.network.transport.value == "rdma"
    share = round(100 * site.lossless.share.number)
    return Quality(site.lossless, rdma and network.pfc, rdma and network.ecn, share)


def cage_lanes(port_gbps: int) -> int:
    """Lanes of a cage of the switch's own speed."""
    return next((lanes for gbps, lanes in LANES_FROM_GBPS.items() if port_gbps >= gbps), 1)


def sonic_name(port: SwitchPort, lanes: int) -> str:
    """Name of a port: Ethernet and its first lane."""
    return f"Ethernet{port.cage * lanes + port.lane * max(lanes // port.lanes, 1)}"


def sonic(switch: SwitchUnit, quality: Quality, *, port_gbps: int, buffer_bytes: float) -> Tables:
    """The tables of one switch.

    Args:
        switch: Leaf or spine.
        quality: How storage traffic is treated.
        port_gbps: Speed of the switch's own ports.
        buffer_bytes: Packet buffer; NaN leaves the pools to the platform.
    """
    lanes = cage_lanes(port_gbps)

    def name(port: SwitchPort) -> str:
        """A port as SONiC calls it on this switch."""
        return sonic_name(port, lanes)

    tables: Tables = {
        "DEVICE_METADATA": {
            "localhost": {
                "hostname": switch.name,
                "type": "LeafRouter" if switch.role == "leaf" else "SpineRouter",
                "bgp_asn": str(switch.asn),
                "default_bgp_status": "up",
                "default_pfcwd_status": "enable" if quality.lossless else "disable",
                "buffer_model": "traditional",
            }
        },
        **_ports(switch, name, port_gbps, lanes),
        **_addresses(switch, name),
        **_maps(quality),
        **_buffers(switch, quality, name, buffer_bytes),
        **_queues(switch, quality, name),
    }
    if quality.lossless:
        tables["PFC_WD"] = _watchdog(switch, name)
    return {table: entries for table, entries in tables.items() if entries}


def _ports(switch: SwitchUnit, name: Callable[[SwitchPort], str], port_gbps: int, lanes: int) -> Tables:
    ports: Table = {}
    breakouts: Table = {}
    lengths: dict[str, str] = {}
    labels = {cable.number: f"{cable.group} {cable.number}" for _, cable in switch.cables}
    labels |= {port.cable.number: f"{port.device} {port.interface}" for port in switch.endpoints}
    labels |= {link.cable.number: f"{link.peer} {link.peer_port.number}" for link in switch.links}
    for port, cable in switch.cables:
        entry = {"admin_status": "up", "mtu": f"{SWITCH_MTU_BYTES:.0f}", "speed": f"{cable.gbps}000"}
        if cable.gbps >= FEC_FROM_GBPS:
            entry["fec"] = "rs"
        ports[name(port)] = entry | {"description": labels[cable.number]}
        first = f"Ethernet{port.cage * lanes}"
        breakouts[first] = {"brkout_mode": f"{port.lanes}x{cable.gbps if port.lanes > 1 else port_gbps}G"}
        lengths[name(port)] = f"{kind_of(cable)[1]}m"
    return {"BREAKOUT_CFG": breakouts, "PORT": ports, "CABLE_LENGTH": {MAP_SET: lengths}}


def _addresses(switch: SwitchUnit, name: Callable[[SwitchPort], str]) -> Tables:
    """Gateways of the endpoints' subnets on leaves, links and neighbours between leaves and spines."""
    vlans = {subnet.side: f"Vlan{subnet.vlan}" for subnet in switch.subnets}
    tables: Tables = {
        "LOOPBACK_INTERFACE": {"Loopback0": {}, f"Loopback0|{switch.loopback}/32": {}},
        "VLAN": {f"Vlan{subnet.vlan}": {"vlanid": str(subnet.vlan)} for subnet in switch.subnets},
        "VLAN_MEMBER": {
            f"{vlans[port.side]}|{name(port.cable.finish)}": {"tagging_mode": "untagged"}
            for port in switch.endpoints
        },
        "VLAN_INTERFACE": {},
        "INTERFACE": {},
        "BGP_NEIGHBOR": {},
    }
    for subnet in switch.subnets:
        tables["VLAN_INTERFACE"][f"Vlan{subnet.vlan}"] = {}
        tables["VLAN_INTERFACE"][f"Vlan{subnet.vlan}|{subnet.gateway_with_length}"] = {}
    for link in switch.links:
        tables["INTERFACE"][name(link.port)] = {}
        tables["INTERFACE"][f"{name(link.port)}|{link.address}/31"] = {}
        tables["BGP_NEIGHBOR"][link.peer_address] = {
            "asn": str(link.peer_asn),
            "local_addr": link.address,
            "name": link.peer,
            "holdtime": "10",
            "keepalive": "3",
            "nhopself": "0",
            "rrclient": "0",
        }
    return tables


def _maps(quality: Quality) -> Tables:
    """From the mark in a packet to priority, group and queue, the same on every switch."""
    dscp = {str(mark): "0" for mark in range(64)}
    dscp |= {str(DATA_DSCP): str(PRIORITY), str(CNP_DSCP): str(CNP_PRIORITY)}
    same = {str(queue): str(queue) for queue in range(QUEUES)}
    groups = {str(queue): "0" for queue in range(QUEUES)}
    tables: Tables = {
        "DSCP_TO_TC_MAP": {MAP: dscp},
        "TC_TO_QUEUE_MAP": {MAP: same},
        "TC_TO_PRIORITY_GROUP_MAP": {MAP: groups | {str(PRIORITY): str(PRIORITY)}},
    }
    if quality.lossless:
        tables["MAP_PFC_PRIORITY_TO_QUEUE"] = {MAP: same}
        tables["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] = {MAP: {str(PRIORITY): str(PRIORITY)}}
    return tables


def _buffers(
    switch: SwitchUnit, quality: Quality, name: Callable[[SwitchPort], str], buffer_bytes: float
) -> Tables:
    """Pools and profiles; without pauses the platform's own defaults stay."""
    if not quality.lossless:
        return {}
    reserved = quality.plan.buffer(switch.role).reserved.number
    free = buffer_bytes - reserved
    pools: Table = {
        "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic"},
        "egress_lossless_pool": {"type": "egress", "mode": "dynamic"},
        "egress_lossy_pool": {"type": "egress", "mode": "dynamic"},
    }
    if free > 0:
        pools["ingress_lossless_pool"]["size"] = f"{free:.0f}"
        pools["egress_lossless_pool"]["size"] = f"{buffer_bytes:.0f}"
        pools["egress_lossy_pool"]["size"] = f"{free:.0f}"
    profiles: Table = {
        "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
        "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"},
        "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "7"},
    }
    tables: Tables = {
        "LOSSLESS_TRAFFIC_PATTERN": {
            MAP_SET: {
                "mtu": f"{LOSSLESS_MTU_BYTES:.0f}",
                "small_packet_percentage": f"{100 * SMALL_PACKET_FRACTION:.0f}",
            }
        },
        "BUFFER_POOL": pools,
        "BUFFER_PROFILE": profiles,
        "BUFFER_PG": {},
        "BUFFER_QUEUE": {},
    }
    for port, cable in switch.cables:
        profile = quality.profile(switch.role, cable)
        key = f"pg_lossless_{cable.gbps}000_{profile.cable_m}m_profile"
        profiles.setdefault(key, _headroom(profile))
        tables["BUFFER_PG"][f"{name(port)}|0"] = {"profile": "ingress_lossy_profile"}
        tables["BUFFER_PG"][f"{name(port)}|{PRIORITY}"] = {"profile": key}
        tables["BUFFER_QUEUE"][f"{name(port)}|{PRIORITY}"] = {"profile": "egress_lossless_profile"}
        tables["BUFFER_QUEUE"][f"{name(port)}|0"] = {"profile": "egress_lossy_profile"}
    return tables


def _headroom(profile: PortProfile) -> dict[str, str]:
    return {
        "pool": "ingress_lossless_pool",
        "xon": f"{XON_BYTES:.0f}",
        "xoff": f"{profile.headroom.number:.0f}",
        "size": f"{XON_BYTES + profile.headroom.number:.0f}",
        "dynamic_th": "0",
    }


def _queues(switch: SwitchUnit, quality: Quality, name: Callable[[SwitchPort], str]) -> Tables:
    """Shares, marking and the reference of each port to its maps."""
    tables: Tables = {
        "SCHEDULER": {
            "scheduler.other": {"type": "DWRR", "weight": str(100 - quality.share_percent)},
            "scheduler.storage": {"type": "DWRR", "weight": str(quality.share_percent)},
            "scheduler.notices": {"type": "STRICT"},
        },
        "WRED_PROFILE": {},
        "QUEUE": {},
        "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": MAP}},
    }
    maps = {"dscp_to_tc_map": MAP, "tc_to_queue_map": MAP, "tc_to_pg_map": MAP}
    if quality.lossless:
        maps |= {"pfc_to_queue_map": MAP, "pfc_to_pg_map": MAP}
        maps |= {"pfc_enable": str(PRIORITY), "pfcwd_sw_enable": str(PRIORITY)}
    for port, cable in switch.cables:
        storage = {"scheduler": "scheduler.storage"}
        if quality.marked:
            profile = quality.profile(switch.role, cable)
            mark = f"ECN_{cable.gbps}G_{profile.cable_m}m"
            tables["WRED_PROFILE"].setdefault(mark, _marking(profile))
            storage["wred_profile"] = mark
        tables["QUEUE"][f"{name(port)}|0"] = {"scheduler": "scheduler.other"}
        tables["QUEUE"][f"{name(port)}|{PRIORITY}"] = storage
        tables["QUEUE"][f"{name(port)}|{CNP_PRIORITY}"] = {"scheduler": "scheduler.notices"}
        tables["PORT_QOS_MAP"][name(port)] = maps
    return tables


def whole_kib(size_bytes: float) -> int:
    """A threshold in whole KiB, rounded down so that it stays before the pause."""
    return int(size_bytes // KIB * KIB)


def _marking(profile: PortProfile) -> dict[str, str]:
    """One marking profile; the three colours are alike, because storage is always green."""
    entry = {"ecn": "ecn_all"}
    for colour in ("green", "yellow", "red"):
        entry |= {
            f"wred_{colour}_enable": "true",
            f"{colour}_min_threshold": str(whole_kib(profile.ecn_low.number)),
            f"{colour}_max_threshold": str(whole_kib(profile.ecn_high.number)),
            f"{colour}_drop_probability": str(MARK_PERCENT),
        }
    return entry


def _watchdog(switch: SwitchUnit, name: Callable[[SwitchPort], str]) -> Table:
    detection, restoration = WATCHDOG_MS
    entry = {"action": "drop", "detection_time": str(detection), "restoration_time": str(restoration)}
    return {"GLOBAL": {"POLL_INTERVAL": str(detection)}} | {name(port): entry for port, _ in switch.cables}
