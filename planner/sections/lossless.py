"""Lossless Ethernet on the planned switches: headroom port by port, whether it fits, and when to mark."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planner.catalogue import Switch
from planner.core.checks import Check
from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.core.units import GBIT_PER_S, KIB, scalar
from planner.sections.cabling import (
    ENDPOINT_CABLE_M,
    UPLINK_CABLE_M,
    Cable,
    Cabling,
    SwitchPort,
)
from planner.sections.links import gbps_of
from planner.sections.network import NetworkPlan
from planner.sizing import fabric, lossless

PRIORITY, CNP_PRIORITY = 3, 6
"""Priority, traffic class, queue and priority group of storage data, and of congestion notices."""
DATA_DSCP, CNP_DSCP = 26, 48
SWITCH_MTU_BYTES = 9216.0
LOSSLESS_MTU_BYTES = 4200.0
"""Largest RoCE packet: 4,096 bytes and its headers."""
SMALL_PACKET_FRACTION = 1.0
"""The worst case, on which the published profiles of these switches stand."""
THRESHOLD_RATIO = 1.0
"""A port may take as much as is free: threshold number 0."""
XON_BYTES = 19 * KIB
MARK_PERCENT = 100
WATCHDOG_MS = (200, 400)
"""Detection and restoration of the watchdog against pauses that do not end."""

CELL_BYTES = {"Spectrum-2": 144.0, "Spectrum-3": 144.0, "Spectrum-4": 192.0, "Spectrum-5": 192.0}
TILED = ("Spectrum-4", "Spectrum-5")
PROFILE_M = 5.0
PROFILE_BYTES = ((100, 147_066.0), (400, 393_192.0), (800, 729_488.0))
"""Headroom of a Tomahawk 5 at 5 m, from each speed on; the largest published, so others take it too."""
PROFILE_OCCUPANCY_RATIO = 2.989
"""Buffer for each byte on the cable in the same profiles, from their values at 5 and 300 m."""

HEADROOM_POOL_BYTES = {"Tomahawk4": 50.7e6, "Tomahawk5": 29.5e6}
"""What published configurations of a chip set aside for headroom, of the whole buffer."""
MAKER_ECN_BYTES = {
    "NVIDIA": (150e3, 1500e3),
    "Cisco": (150e3, 3000e3),
    "Arista": (256e3, 512e3),
    "Dell": (150e3, 1500e3),
    "generic": (2e6, 10e6),
}
"""Marking thresholds that switches come with for RoCE, by maker; a white box those of SONiC."""


@dataclass(frozen=True, slots=True)
class PortProfile:
    """Buffer and marking of ports of one speed and cable length."""

    gbps: int
    cable_m: int
    headroom: Quantity
    ecn_low: Quantity
    ecn_high: Quantity


@record(frozen=True, slots=True)
class SwitchBuffer:
    """What the headroom of the fullest switch of a role takes of its buffer.

    Attributes:
        role: "leaf" or "spine".
        port_count: Ports in use on that switch.
        fits: Headroom against the whole buffer.
        in_pool: Headroom against what published configurations of the chip set aside for it.
        maker_ecn: The maker's upper marking threshold against the queue at which a pause begins.
    """

    role: str
    port_count: float
    reserved: Quantity
    fits: Check
    in_pool: Check
    maker_ecn: Check
    onset: Quantity
    profiles: tuple[PortProfile, ...]


@dataclass(frozen=True, slots=True)
class LosslessPlan:
    """Lossless settings of every kind of switch of the network.

    Attributes:
        measured: Whether headroom follows published figures of this switch chip.
        share: Share of a port that the storage class gets when it is contended.
    """

    buffers: tuple[SwitchBuffer, ...]
    measured: bool
    share: Quantity

    def buffer(self, role: str) -> SwitchBuffer:
        """The settings of leaves, or of spines."""
        return next(buffer for buffer in self.buffers if buffer.role == role)


def lossless_plan(network: NetworkPlan, cabling: Cabling) -> LosslessPlan:
    """Headroom and thresholds for the switches of the network, whatever the transport, on Ethernet alone."""
    port = network.option.client_port_bytes_per_s
    needed = derive(
        lossless.storage_share_fraction,
        needed_bytes_per_s=network.node_need_bytes_per_s.number / max(network.path_count.number, 1.0),
        port_bytes_per_s=port.number * network.option.wire_fraction.number,
    )
    buffers = tuple(
        _buffer(network.switch, role, _ports(role, cabling))
        for role, count in (("leaf", cabling.leaf_count), ("spine", cabling.spine_count))
        if count and network.switch.fabric == "ethernet"
    )
    return LosslessPlan(buffers, network.switch.asic in (*CELL_BYTES, "Tomahawk5"), needed)


def outline(network: NetworkPlan, gpu_distance_m: float) -> tuple[SwitchBuffer, ...]:
    """Headroom of a full leaf and of a spine by planned lengths, before any cable is listed; without profiles.

    Args:
        network: The planned network.
        gpu_distance_m: How far the GPU nodes are from the storage.
    """
    own = gbps_of(network.option.client_port_bytes_per_s.number)
    planned_m = ENDPOINT_CABLE_M[network.topology.value]
    far_m = math.ceil(max(planned_m, gpu_distance_m))
    if network.topology.value == "single-leaf":
        ports: dict[tuple[int, int], float] = {}
        for group in network.links:
            length = far_m if group is network.links[0] else math.ceil(planned_m)
            kind = gbps_of(group.speed_bytes_per_s.number), length
            ports[kind] = ports.get(kind, 0.0) + _each(group.count, network.side_count)
        return (_buffer(network.switch, "leaf", [ports], profiled=False),)
    if not network.switch_count.known:
        return ()
    between = (own, math.ceil(UPLINK_CABLE_M))
    # Numbers of ports stay numbers that formulas make: a whole number taken out of one would be a case of its own in
    # every sweep.
    leaves = []
    for leaf, length in ((network.client_leaves, far_m), (network.target_leaves, math.ceil(planned_m))):
        down, up = leaf.down_count.number, leaf.up_count.number
        leaves.append(
            {(own, length): down, between: up} if between != (own, length) else {between: down + up}
        )
    spine = {between: _each(network.uplink_count, network.spine_count)}
    return (
        _buffer(network.switch, "leaf", leaves, profiled=False),
        _buffer(network.switch, "spine", [spine], profiled=False),
    )


def _each(ports: Quantity, switches: Quantity) -> float:
    """Ports of one switch where they are spread over several."""
    return derive(fabric.ports_per_switch_count, port_count=ports, switch_count=switches).number


def kind_of(cable: Cable) -> tuple[int, int]:
    """Speed and length by which a port is treated; lengths in whole metres, rounded up."""
    return cable.gbps, math.ceil(cable.length_m - 1e-9)


def _ports(role: str, cabling: Cabling) -> list[Counter[tuple[int, int]]]:
    """Ports of every switch of a role by speed and cable length."""
    switches: dict[int, Counter[tuple[int, int]]] = {}
    for cable in cabling.cables:
        for end in (cable.start, cable.finish):
            if isinstance(end, SwitchPort) and end.role == role:
                switches.setdefault(end.switch, Counter())[kind_of(cable)] += 1
    return list(switches.values())


def _buffer(
    switch: Switch, role: str, switches: Sequence[Mapping[tuple[int, int], float]], *, profiled: bool = True
) -> SwitchBuffer:
    """Headroom of the switch that needs most, and the treatment of every kind of port of the role."""
    kinds = sorted({kind for ports in switches for kind in ports})
    rooms = {kind: headroom(switch, *kind) for kind in kinds}
    ports = max(switches, key=lambda own: sum(count * rooms[kind].number for kind, count in own.items()))
    busy = sum(ports.values())
    reserved = total(
        [
            derive(
                lossless.switch_headroom_bytes,
                headroom_bytes=rooms[kind],
                port_count=scalar(count),
                priority_count=1.0,
            )
            for kind, count in sorted(ports.items())
        ],
        f"Headroom of a {role}",
        unit="bytes",
    )
    whole = switch.buffer_bytes or given(
        None, "bytes", "Packet buffer", source="not in the catalogue", grade="unknown"
    )
    onset = derive(
        lossless.pause_onset_bytes,
        buffer_bytes=whole,
        reserved_bytes=reserved,
        threshold_ratio=THRESHOLD_RATIO,
        busy_count=scalar(busy),
    )
    fits = Check(f"Headroom of a {role} in its buffer", whole, reserved, "fabric facts, section 2.1")
    profiles = tuple([_profile(kind, rooms[kind], onset) for kind in kinds]) if profiled else ()
    return SwitchBuffer(
        role,
        busy,
        reserved,
        fits,
        _in_pool(switch, role, reserved),
        _maker_ecn(switch, onset),
        onset,
        profiles,
    )


def _in_pool(switch: Switch, role: str, reserved: Quantity) -> Check:
    pool = given(
        HEADROOM_POOL_BYTES.get(switch.asic),
        "bytes",
        f"Headroom pool of a published configuration, {switch.asic}",
        source="fabric facts, section 2.1",
        grade="seen" if switch.asic in HEADROOM_POOL_BYTES else "unknown",
    )
    return Check(f"Headroom of a {role} in its pool", pool, reserved, "fabric facts, section 2.1")


def _maker_ecn(switch: Switch, onset: Quantity) -> Check:
    """Marking comes first if the maker's upper threshold is below the onset of a pause."""
    known = MAKER_ECN_BYTES.get(switch.vendor)
    high = given(
        known[1] if known else None,
        "bytes",
        f"Upper marking threshold, {switch.vendor} as delivered",
        source="fabric facts, section 2.2",
        grade="seen" if known else "unknown",
    )
    return Check("Marking before a pause", onset, high, "fabric facts, section 2.2: ECN must fire before PFC")


def _profile(kind: tuple[int, int], room: Quantity, onset: Quantity) -> PortProfile:
    """Thresholds of a port; where the buffer is unknown they follow the speed alone."""
    gbps, cable_m = kind
    high = derive(
        lossless.ecn_high_bytes,
        onset_bytes=onset if onset.known and onset.number > 0 else float("inf"),
        line_bytes_per_s=gbps * GBIT_PER_S,
    )
    return PortProfile(gbps, cable_m, room, derive(lossless.ecn_low_bytes, high_bytes=high), high)


def headroom(switch: Switch, gbps: int, cable_m: float) -> Quantity:
    """Headroom of a port of the switch: its chip's formula, or the largest published profile."""
    return _headroom(switch.asic, gbps, float(cable_m))


@functools.lru_cache(maxsize=4096)
def _headroom(asic: str, gbps: int, cable_m: float) -> Quantity:
    """The same by chip, speed and length, of which there are few: every review asks for some."""
    line = gbps * GBIT_PER_S
    cable = derive(lossless.cable_bytes, cable_m=cable_m, line_bytes_per_s=line)
    cell = CELL_BYTES.get(asic)
    if cell is None:
        return derive(
            lossless.profile_headroom_bytes,
            base_bytes=_profile_base_bytes(gbps),
            cable_bytes=cable,
            occupancy_ratio=PROFILE_OCCUPANCY_RATIO,
        )
    return derive(
        lossless.headroom_bytes,
        cable_bytes=cable,
        pause_response_bytes=derive(lossless.pause_response_bytes, line_bytes_per_s=line),
        tile_bytes=derive(lossless.tile_bytes, line_bytes_per_s=line) if asic in TILED else 0.0,
        port_mtu_bytes=SWITCH_MTU_BYTES,
        lossless_mtu_bytes=LOSSLESS_MTU_BYTES,
        occupancy_ratio=derive(
            lossless.occupancy_ratio,
            small_packet_fraction=SMALL_PACKET_FRACTION,
            lossless_mtu_bytes=LOSSLESS_MTU_BYTES,
            cell_ratio=derive(lossless.cell_ratio, cell_bytes=cell),
        ),
    )


def _profile_base_bytes(gbps: int) -> float:
    """Headroom at length zero of the published profile of that speed, or of the next faster one."""
    speeds = [speed for speed, _ in PROFILE_BYTES]
    chosen = next((speed for speed in speeds if speed >= gbps), speeds[-1])
    at_5_m = dict(PROFILE_BYTES)[chosen]
    cable = lossless.cable_bytes(PROFILE_M, line_bytes_per_s=chosen * GBIT_PER_S)
    return float(at_5_m - PROFILE_OCCUPANCY_RATIO * cable)
