"""Switches under Cumulus Linux: one NVUE document for each leaf and spine, in the words of its release.

Release 5.15 renamed switches of features from `enable: on` to `state: enabled`, and the addresses of an
interface from `ip` to `ipv4`; a key of the wrong release is not refused everywhere, it is ignored.
"""

from __future__ import annotations

from typing import Any

from planner.deploy.site import Site, SwitchUnit
from planner.deploy.switches import Quality, whole_kib
from planner.sections.cabling import SwitchPort
from planner.sections.lossless import (
    CNP_DSCP,
    CNP_PRIORITY,
    DATA_DSCP,
    MARK_PERCENT,
    PRIORITY,
    SWITCH_MTU_BYTES,
    kind_of,
)

Tree = dict[str, Any]
RENAMED_MINOR = 15
BRIDGE = "br_default"


def minor_of(release: str) -> int:
    """Minor number of a release: 16 of 5.16."""
    return int(release.partition(".")[2])


def nvue_name(port: SwitchPort) -> str:
    """Name of a port: swp and its cage, with a part where the cage is broken out."""
    return f"swp{port.cage + 1}" if port.lanes == 1 else f"swp{port.cage + 1}s{port.lane}"


def _feature(minor: int, on: bool = True) -> Tree:
    """A feature turned on or off, in the words of the release."""
    if minor >= RENAMED_MINOR:
        return {"state": "enabled" if on else "disabled"}
    return {"enable": "on" if on else "off"}


def nvue(site: Site, switch: SwitchUnit, quality: Quality) -> Tree:
    """The document of one switch, under `set`, as the switch itself saves it."""
    minor = minor_of(site.addressing.cumulus_release)
    tree: Tree = {
        "system": {"hostname": switch.name},
        "interface": _interfaces(switch, quality, minor),
        "qos": _qos(switch, quality, minor),
        "vrf": {"default": _routing(site, switch, minor)},
    }
    if switch.subnets:
        vlans: Tree = {str(subnet.vlan): {} for subnet in switch.subnets}
        tree["bridge"] = {"domain": {BRIDGE: {"vlan": vlans}}}
    if site.routed:
        tree["router"] = {"bgp": _feature(minor)}
    return {name: part for name, part in tree.items() if part}


def _address_key(minor: int) -> str:
    return "ipv4" if minor >= RENAMED_MINOR else "ip"


def _interfaces(switch: SwitchUnit, quality: Quality, minor: int) -> Tree:
    found: Tree = {}
    for port, cable in switch.cables:
        if port.lanes > 1:
            parent = {"link": {"breakout": {f"{port.lanes}x": {}}}, "type": "swp"}
            found.setdefault(f"swp{port.cage + 1}", parent)
        entry: Tree = {
            "type": "swp",
            "link": {"mtu": int(SWITCH_MTU_BYTES), "speed": f"{cable.gbps}G", "state": {"up": {}}},
        }
        qos = _interface_qos(quality, *kind_of(cable))
        found[nvue_name(port)] = entry | ({"qos": qos} if qos else {})
    vlans = {subnet.side: subnet.vlan for subnet in switch.subnets}
    for endpoint in switch.endpoints:
        entry = found[nvue_name(endpoint.cable.finish)]
        entry["description"] = f"{endpoint.device} {endpoint.interface}"
        entry["bridge"] = {"domain": {BRIDGE: {"access": vlans[endpoint.side]}}}
    for link in switch.links:
        entry = found[nvue_name(link.port)]
        entry["description"] = f"{link.peer} {link.peer_port.number}"
        entry[_address_key(minor)] = {"address": {f"{link.address}/31": {}}}
    for subnet in switch.subnets:
        found[f"vlan{subnet.vlan}"] = {
            "type": "svi",
            "vlan": subnet.vlan,
            _address_key(minor): {"address": {subnet.gateway_with_length: {}}},
        }
    return found


def _interface_qos(quality: Quality, gbps: int, cable_m: int) -> Tree:
    """Which profiles a port uses; without lossless storage the defaults stay but for marks and shares."""
    qos: Tree = {"mapping": {"profile": "storage"}, "egress-scheduler": {"profile": "storage"}}
    if quality.lossless:
        qos["pfc"] = {"profile": f"pfc-{gbps}g-{cable_m}m"}
        qos["pfc-watchdog"] = {"state": "enable"}
    if quality.marked:
        qos["congestion-control"] = {"profile": f"ecn-{gbps}g-{cable_m}m"}
    return qos


def _qos(switch: SwitchUnit, quality: Quality, minor: int) -> Tree:
    """RoCE mode, and profiles that replace its defaults by this design's headroom, marks and shares."""
    marks = {str(DATA_DSCP): {"switch-priority": PRIORITY}, str(CNP_DSCP): {"switch-priority": CNP_PRIORITY}}
    share = quality.share_percent
    tree: Tree = {
        "mapping": {"storage": {"trust": "l3", "dscp": marks}},
        "egress-scheduler": {
            "storage": {
                "traffic-class": {
                    "0": {"mode": "dwrr", "bw-percent": 100 - share},
                    str(PRIORITY): {"mode": "dwrr", "bw-percent": share},
                    str(CNP_PRIORITY): {"mode": "strict"},
                }
            }
        },
    }
    profiles = quality.plan.buffer(switch.role).profiles
    if quality.lossless or quality.marked:
        mode = "lossless" if quality.lossless else "lossy"
        tree["roce"] = _feature(minor) | {"mode": mode}
    if quality.lossless:
        tree["pfc"] = {
            f"pfc-{profile.gbps}g-{profile.cable_m}m": {
                "cable-length": profile.cable_m,
                "switch-priority": {str(PRIORITY): {}},
                "rx": "enable",
                "tx": "enable",
            }
            for profile in profiles
        }
        tree["pfc-watchdog"] = {"polling-interval": 100, "robustness": 3}
    if quality.marked:
        tree["congestion-control"] = {
            f"ecn-{profile.gbps}g-{profile.cable_m}m": {
                "traffic-class": {
                    str(PRIORITY): {
                        "min-threshold": whole_kib(profile.ecn_low.number),
                        "max-threshold": whole_kib(profile.ecn_high.number),
                        "probability": MARK_PERCENT,
                        "ecn": "enable",
                    }
                }
            }
            for profile in profiles
        }
    return tree


def _routing(site: Site, switch: SwitchUnit, minor: int) -> Tree:
    loopback: Tree = {"ip": {"address": {f"{switch.loopback}/32": {}}}}
    tree: Tree = {"loopback": loopback}
    if site.routed:
        neighbours: Tree = {
            link.peer_address: {"type": "numbered", "remote-as": link.peer_asn, "description": link.peer}
            for link in switch.links
        }
        connected = {"ipv4-unicast": {"redistribute": {"connected": _feature(minor)}}}
        tree["router"] = {
            "bgp": _feature(minor)
            | {
                "autonomous-system": switch.asn,
                "router-id": switch.loopback,
                "address-family": connected,
                "neighbor": neighbours,
            }
        }
    return tree
