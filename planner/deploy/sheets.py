"""Value sheets for what nothing here can check: switch systems, storage software, Fibre Channel zones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from planner.core.quantity import Quantity
from planner.deploy.access import job_slugs
from planner.deploy.hosts import IPOIB_MTU_BYTES
from planner.deploy.rendering import json_text, render
from planner.deploy.site import Machine, Site
from planner.deploy.switches import Quality
from planner.sections.lossless import (
    CNP_DSCP,
    CNP_PRIORITY,
    DATA_DSCP,
    MARK_PERCENT,
    PRIORITY,
    PortProfile,
    SwitchBuffer,
)

Files = Iterator[tuple[str, str]]
EOS_MTU, NXOS_MTU = 9214, 9216
STRIPE_COUNT = 4
"""Storage targets over which a dataset file lies."""


def kbytes(size: Quantity) -> int:
    """A threshold in kB, rounded down."""
    return int(size.number // 1000)


def lowest(buffer: SwitchBuffer) -> PortProfile:
    """The profile that marks first, for a system with one queuing policy for all ports."""
    return min(buffer.profiles, key=lambda profile: profile.ecn_high.number)


def switch_sheets(site: Site, quality: Quality) -> Files:
    """Values for Arista EOS and Cisco NX-OS."""
    values = {
        "buffers": site.lossless.buffers,
        "quality": quality,
        "data_dscp": DATA_DSCP,
        "cnp_dscp": CNP_DSCP,
        "priority": PRIORITY,
        "cnp_priority": CNP_PRIORITY,
        "mark_percent": MARK_PERCENT,
        "mtu": EOS_MTU,
        "host_mtu": site.plan.scenario.network.mtu_bytes,
        "nxos_mtu": NXOS_MTU,
        "kbytes": kbytes,
        "lowest": lowest,
    }
    yield "arista-eos.md", render("eos.md", **values)
    yield "cisco-nxos.md", render("nxos.md", **values)


PARTITION = "0x7010"
"""Partition of the storage network; members have its upper bit set, 0xf010."""


def infiniband_sheets(site: Site) -> Files:
    """Values for the subnet managers of an InfiniBand network, whose switches need no configuration of their own."""
    subnets = {port.subnet.side: port.subnet.network for machine in site.machines for port in machine.ports}
    served = {(cable.finish.switch, cable.side) for cable in site.cabling.endpoints}
    yield (
        "infiniband.md",
        render(
            "infiniband.md",
            switch=site.plan.network.switch,
            cabling=site.cabling,
            joined=site.cabling.spine_count > 0,
            subnets=subnets,
            counts=Counter(side for _, side in served),
            partition=PARTITION,
            partition_member=f"0x{int(PARTITION, 16) | 0x8000:04x}",
            machines=[machine for machine in site.machines if machine.ports],
            mtu_bytes=IPOIB_MTU_BYTES,
        ),
    )


def lifecycle(site: Site) -> list[dict[str, Any]]:
    """How long copies of each job stay in the object store; none where all are kept."""
    rules = []
    for name, result in zip(job_slugs(site.plan), site.plan.jobs, strict=True):
        policy = result.job.policy
        if not policy.cold_keep_all:
            rules.append({"prefix": f"{name}/", "days": max(round(policy.cold_keep_days), 1)})
    return rules


def storage_files(site: Site) -> Files:
    """Values for ZFS, Lustre, Storage Scale and MinIO."""
    rules = lifecycle(site)
    yield (
        "values.md",
        render(
            "storage.md",
            file_system=site.plan.tier("file-system"),
            object_store=site.plan.tier("object"),
            file_bytes=site.plan.main.pipeline.file_bytes,
            stripe_count=STRIPE_COUNT,
            dataset_path=site.addressing.dataset_path,
            rules=rules,
        ),
    )
    if rules:
        yield (
            "minio-lifecycle.json",
            json_text(
                {
                    "Rules": [
                        {
                            "ID": f"expire-{rule['prefix'].rstrip('/')}",
                            "Status": "Enabled",
                            "Filter": {"Prefix": rule["prefix"]},
                            "Expiration": {"Days": rule["days"]},
                        }
                        for rule in rules
                    ]
                }
            ),
        )


def zoning_sheet(site: Site) -> str:
    """Zones of both fabrics as a table and as commands."""
    found = zones(site)
    sides = {
        side: [zone["name"] for zone in found if zone["side"] == side]
        for side in dict.fromkeys(zone["side"] for zone in found)
    }
    return render("zoning.md", zones=found, sides=sides, pairs=sum(len(zone["targets"]) for zone in found))


def zones(site: Site) -> list[dict[str, Any]]:
    """A zone for each node port, with the target ports on its side."""

    def name(machine: Machine, number: int) -> str:
        """What is to be replaced by the world-wide name of a machine's port, counted from 0."""
        return f"@WWPN_{machine.name.upper().replace('-', '_')}_{number}@"

    found = []
    for node in site.nodes:
        for number, port in enumerate(node.ports):
            facing = [
                name(target, index)
                for target in site.targets
                for index, other in enumerate(target.ports)
                if other.side == port.side
            ]
            found.append(
                {
                    "name": f"{node.name.replace('-', '_')}_p{number}_{port.side}",
                    "initiator": name(node, number),
                    "targets": facing,
                    "side": port.side,
                }
            )
    return found
