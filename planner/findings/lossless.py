"""Remarks on lossless Ethernet: headroom that does not fit, marking that comes too late, packets that are too small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix
from planner.core.units import counted, format_value
from planner.findings.rules import rule
from planner.sections.lossless import SwitchBuffer, outline
from planner.sizing import transport

if TYPE_CHECKING:
    from planner.plan import Plan

BUFFERS = "fabric facts, section 2.1"
LARGE_MTU_BYTES = 9000
PATHS_BYTES = transport.LARGE_PATH_MTU_FROM_BYTES


@rule
def switch_buffers(plan: Plan) -> Iterator[Finding]:
    """NET-7 and NET-16: headroom above the buffer or its pool, a buffer that nobody knows, marking after a pause."""
    network = plan.network
    if network.transport.value != "rdma" or network.switch.fabric != "ethernet":
        return
    if network.switch.buffer_bytes is None:
        yield Finding(
            "NET-7",
            "note",
            f"The packet buffer of {network.switch.name} is not in the catalogue: whether its headroom fits is not known.",
            "Ask the maker, or choose a switch whose buffer is known.",
            BUFFERS,
            "network",
        )
        return
    for buffer in outline(network, plan.scenario.site.gpu_distance_m):
        yield from _headroom(plan, buffer)
        if buffer.fits.ok and buffer.role == "leaf":
            yield from _marking(plan, buffer)


def _headroom(plan: Plan, buffer: SwitchBuffer) -> Iterator[Finding]:
    network, busy = plan.network, counted(buffer.port_count, "port")
    if buffer.fits.verdict == "fail":
        fix = Fix("network.transport", "tcp", "use TCP")
        yield Finding(
            "NET-7",
            "blocker",
            f"Headroom for {busy} of a {buffer.role} takes {buffer.reserved}; {network.switch.name} has a buffer of "
            f"{buffer.fits.provided}: packets would be lost although PFC is on.",
            "Use a switch with more buffer, shorter cables, fewer ports, or TCP.",
            BUFFERS,
            "network",
            (fix,),
        )
    elif buffer.in_pool.verdict == "fail":
        yield Finding(
            "NET-7",
            "warning",
            f"Headroom for {busy} of a {buffer.role} takes {buffer.reserved}, of which published configurations of "
            f"{network.switch.asic} set aside {buffer.in_pool.provided} ({network.switch.name} has {buffer.fits.provided} in all).",
            "Enlarge the headroom pool, or let ports share it and accept pauses of all of them at once.",
            BUFFERS,
            "network",
        )


def _marking(plan: Plan, buffer: SwitchBuffer) -> Iterator[Finding]:
    if buffer.maker_ecn.verdict != "fail":
        return
    yield Finding(
        "NET-16",
        "note",
        f"With all {counted(buffer.port_count, 'port')} of a {buffer.role} busy, {plan.network.switch.name} pauses from "
        f"{buffer.onset} of queue on; its maker's ECN thresholds mark every packet from {buffer.maker_ecn.required} only, after PFC.",
        "Set ECN so that it marks every packet before that, as the configuration bundle does.",
        buffer.maker_ecn.source,
        "network",
    )


@rule
def packet_size(plan: Plan) -> Iterator[Finding]:
    """NET-17: an MTU at which RoCE packets carry a quarter of what they could."""
    network, stated = plan.network, plan.scenario.network
    if network.transport.value != "rdma" or network.option.medium != "ethernet":
        return
    if not stated.mtu_bytes < PATHS_BYTES:
        return
    block = plan.main.job.policy.block_bytes
    better = float(transport.rdma_wire_fraction(block, mtu_bytes=float(LARGE_MTU_BYTES)))
    yield Finding(
        "NET-17",
        "warning",
        f"At an MTU of {stated.mtu_bytes} a RoCE packet carries 1024 bytes: the wire gives "
        f"{network.option.wire_fraction} to payload instead of {format_value(better, 'fraction')}, with four times as many packets.",
        f"Set an MTU of {PATHS_BYTES:.0f} or more on hosts and switches; above that RoCE gains nothing.",
        "fabric facts, section 1.1",
        "network",
        (Fix("network.mtu_bytes", LARGE_MTU_BYTES, "use an MTU of 9000"),),
    )
