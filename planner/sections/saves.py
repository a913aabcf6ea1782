"""Save times on the planned tier: as designed, degraded, and over each transport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from planner.catalogue import Transport
from planner.core.quantity import Quantity, derive, given
from planner.core.tracing import wording
from planner.core.units import scalar
from planner.sections.context import Context, or_unknown, stated
from planner.sections.jobs import JobPlan
from planner.sections.kit import CLIENT_SIDE, unit_rates
from planner.sections.losses import (
    can_lose_leaf,
    can_lose_spine,
    leaf_node_fraction,
    leaf_target_fraction,
    leaf_uplink_fraction,
    path_fraction,
    spine_fraction,
)
from planner.sections.network import NetworkPlan, own_target_bytes_per_s, rails_of
from planner.sections.tiers import TierPlan
from planner.sections.transport import INFINIBAND, LABELS, SavePlan, TransportOption, save_plan
from planner.sections.transport_scores import CORE_BYTES_PER_S
from planner.sizing import checkpoint, degraded, hops, stragglers, tier_counts, tier_rates, transport

Lost = Literal["nothing", "path", "leaf", "spine", "storage node", "drive"]
"""What a save has to do without."""


@dataclass(frozen=True, slots=True)
class TransportRow:
    """One transport: how long the same save takes on the same design, and the guide's figures.

    Attributes:
        save_low_s: Save time; for NFS and iSCSI with the fast front end.
        save_high_s: The same as `save_low_s` but for NFS and iSCSI, where the slow front end counts.
        core_count: CPU cores that each side spends on the save's bandwidth.
        stages: Time that each stage alone would take; none of NFS, whose front end is all that is known.
    """

    name: str
    label: str
    save_low_s: Quantity
    save_high_s: Quantity
    binding: str
    bandwidth_bytes_per_s: Quantity
    latency_low_s: Quantity
    latency_high_s: Quantity
    core_count: Quantity
    meets_target: bool
    stages: dict[str, Quantity]


def _array_terms(
    tier: TierPlan, unit_write: Quantity, stack: Quantity, lost_units: float = 0.0
) -> tuple[Quantity, Quantity]:
    """What the targets' ports and what the drives allow, each with the client stack.

    A platform whose drives are not known is rated as a whole: its own rates of reads and writes do not add.
    """
    units = derive(
        tier_counts.remaining_count, whole_count=tier.unit_count, lost_count=lost_units, label="Targets left"
    )
    drives = derive(
        tier_counts.remaining_share_count,
        drive_count=tier.working_count,
        unit_count=tier.unit_count,
        lost_count=lost_units,
    )
    return _ports_term(tier, units, unit_write, stack), _drives_term(tier, drives, stack)


def _ports_term(tier: TierPlan, units: Quantity, unit_write: Quantity, stack: Quantity) -> Quantity:
    """What the ports of so many targets take; of a platform that is rated as a whole, beside its reads."""
    ports = derive(
        tier_rates.ports_bytes_per_s,
        unit_count=units,
        unit_bytes_per_s=unit_write,
        amplification_ratio=tier.amplification_ratio,
        stack_fraction=stack,
        label="Target ports",
    )
    if tier.drive is not None:
        return ports
    return derive(
        tier_rates.flash_beside_reads_bytes_per_s,
        write_bytes_per_s=ports,
        read_bytes_per_s=tier.demand.read_bytes_per_s,
        tier_read_bytes_per_s=derive(
            tier_rates.units_bytes_per_s,
            unit_count=units,
            unit_bytes_per_s=tier.unit_read_bytes_per_s,
            stack_fraction=stack,
            label="Reads of the array",
        ),
        label="Target ports beside reads",
    )


def _drives_term(tier: TierPlan, drives: Quantity, stack: Quantity) -> Quantity:
    """What so many drives write beside the reads that go on meanwhile; unknown where the drives are."""
    rate = or_unknown(
        tier.drive.write_bytes_per_s if tier.drive else None, "bytes/s", "Sequential write of a drive"
    )
    flash = derive(
        tier_rates.flash_bytes_per_s,
        drive_count=drives,
        drive_bytes_per_s=rate,
        protection_ratio=tier.protection_ratio,
        stack_fraction=stack,
        label="Drives",
    )
    return derive(
        tier_rates.flash_beside_reads_bytes_per_s,
        write_bytes_per_s=flash,
        read_bytes_per_s=tier.demand.read_bytes_per_s,
        tier_read_bytes_per_s=derive(
            tier_rates.flash_bytes_per_s,
            drive_count=drives,
            drive_bytes_per_s=or_unknown(
                tier.drive.read_bytes_per_s if tier.drive else None, "bytes/s", "Sequential read of a drive"
            ),
            protection_ratio=1.0,
            stack_fraction=stack,
            label="Reads of the drives",
        ),
    )


def _node_rate(hot: TierPlan, node_bytes_per_s: Quantity) -> Quantity:
    """Client bytes a second that a node sends: less where it sends parity or copies as well."""
    if hot.protection_at not in CLIENT_SIDE:
        return node_bytes_per_s
    return derive(
        tier_rates.client_share_bytes_per_s,
        node_bytes_per_s=node_bytes_per_s,
        protection_ratio=hot.protection_ratio,
    )


def job_save(
    context: Context,
    job: JobPlan,
    hot: TierPlan,
    option: TransportOption,
    network: NetworkPlan,
    *,
    jitter: Quantity,
    without: Lost = "nothing",
) -> SavePlan:
    """The save as designed, with a path of every node, a leaf, a spine or a target lost, or while a drive is rebuilt."""
    ports, flash = _array_terms(
        hot, hot.unit_write_bytes_per_s, hot.stack_fraction, 1.0 if without == "storage node" else 0.0
    )
    if context.scenario.storage.burst_sharing == "fair":
        ports, flash = (_fair(job, ports), flash) if hot.drive is None else (ports, _fair(job, flash))
    if without == "drive":
        flash = _beside_rebuild(context, hot, flash)
    node, between = option.node_bytes_per_s, network.fabric_bytes_per_s
    if without == "path":
        node = network.after_path_loss_bytes_per_s
        if network.topology.value == "single-leaf":  # there the fabric is the nodes' links
            between = _left(between, path_fraction(network))
    elif without == "leaf":
        own = own_target_bytes_per_s(context, hot, node, rails_of(network))
        # Where some ports alone meet a node's own target, the lost leaf has one of those.
        node = _left(own, leaf_node_fraction(network) if own is node else leaf_target_fraction(network, hot))
        between = _left(between, leaf_uplink_fraction(network))
        ports = _left(ports, leaf_target_fraction(network, hot))
    elif without == "spine":
        between = _left(between, spine_fraction(network))
    return save_plan(
        job,
        node_bytes_per_s=_node_rate(hot, node),
        copy_bytes_per_s=_copy_rate(context),
        fabric_bytes_per_s=between,
        ports_bytes_per_s=ports,
        drives_bytes_per_s=flash,
        jitter_ratio=jitter,
    )


def _copy_rate(context: Context) -> Quantity:
    """Rate at which one GPU's state reaches host memory."""
    return stated(
        context.scenario.cluster.gpu_copy_bytes_per_s,
        "gpu_copy_bytes_per_s",
        "GPU to host copy",
        source="about half of a PCIe Gen5 x16 link",
        grade="from memory",
    )


def _left(rate: Quantity, fraction: Quantity) -> Quantity:
    """What is left of a stage that has lost a part."""
    return derive(
        hops.left_bytes_per_s,
        capacity_bytes_per_s=rate,
        left_fraction=fraction,
        label=f"{rate.label}, what is left",
    )


def _fair(job: JobPlan, beside: Quantity) -> Quantity:
    """The fair share of drives or array, where that is more than what all reads leave; every node writes and reads."""
    alone = (beside.inputs or {})["write_bytes_per_s"]
    return derive(
        degraded.fair_write_bytes_per_s,
        beside_bytes_per_s=beside,
        alone_bytes_per_s=alone,
        writer_count=job.node_count,
        reader_count=job.node_count,
        label=beside.label,
    )


def slowest_node(context: Context, job: JobPlan) -> Quantity:
    """How much longer the slowest of a job's nodes takes than their mean."""
    return derive(
        stragglers.straggler_ratio,
        node_count=job.node_count,
        variation_fraction=context.scenario.network.node_variation_fraction,
    )


def path_lost_save(
    context: Context, job: JobPlan, hot: TierPlan, network: NetworkPlan, jitter: Quantity
) -> SavePlan | None:
    """The save with one path of every node lost; None where nodes have one path alone."""
    if not network.path_count.number > 1:
        return None
    return job_save(context, job, hot, network.option, network, jitter=jitter, without="path")


def degraded_saves(
    context: Context,
    job: JobPlan,
    hot: TierPlan,
    network: NetworkPlan,
    jitter: Quantity,
    path_lost: SavePlan | None,
) -> dict[str, SavePlan]:
    """The same save with a path of every node, a leaf, a spine, a storage node lost, a drive rebuilding: where it has them.

    Args:
        context: Scenario and catalogue.
        job: The job.
        hot: The hot tier.
        network: The planned network.
        jitter: How much longer the slowest node takes than the mean.
        path_lost: What `path_lost_save` gives.
    """
    cases: list[tuple[str, Lost, bool]] = [
        ("one leaf lost", "leaf", can_lose_leaf(network, hot)),
        ("one spine lost", "spine", can_lose_spine(network)),
        ("one storage node lost", "storage node", hot.unit_count.number > 1),
        (
            "one drive rebuilding",
            "drive",
            hot.drive is not None and hot.scheme is not None and hot.drive_count.number > 1,
        ),
    ]
    return ({} if path_lost is None else {"one path lost": path_lost}) | {
        name: job_save(context, job, hot, network.option, network, jitter=jitter, without=lost)
        for name, lost, possible in cases
        if possible
    }


def _beside_rebuild(context: Context, hot: TierPlan, flash: Quantity) -> Quantity:
    """What the drives still write while one of them is rebuilt from the others."""
    return derive(
        degraded.rebuilding_bytes_per_s,
        pool_bytes_per_s=flash,
        drive_count=hot.working_count,
        read_chunk_count=float(hot.scheme.data_chunk_count if hot.scheme else 1),
        rebuild_bytes_per_s=context.scenario.storage.rebuild_bytes_per_s,
        drive_read_bytes_per_s=or_unknown(
            hot.drive.read_bytes_per_s if hot.drive else None, "bytes/s", "Sequential read of a drive"
        ),
    )


def transport_rows(
    context: Context,
    job: JobPlan,
    hot: TierPlan,
    network: NetworkPlan,
    options: dict[str, TransportOption],
    jitter: Quantity,
    nfs: TransportRow,
) -> tuple[TransportRow, ...]:
    """The same design over each transport, NFS and iSCSI beside them.

    Args:
        context: Scenario and catalogue.
        job: The job whose save is compared.
        hot: The hot tier.
        network: The planned network.
        options: Every transport on the nodes' ports.
        jitter: How much longer the slowest node takes than the mean.
        nfs: What `nfs_row` gives.
    """
    return (*(_row(context, job, hot, network, option, jitter) for option in options.values()), nfs)


def _row(
    context: Context,
    job: JobPlan,
    hot: TierPlan,
    network: NetworkPlan,
    option: TransportOption,
    jitter: Quantity,
) -> TransportRow:
    unit = unit_rates(hot.platform, option)[0]
    chosen = option.name == network.option.name
    stack = hot.stack_fraction if chosen else option.stack_fraction
    ports, flash = _array_terms(hot, hot.unit_write_bytes_per_s if chosen else unit, stack)
    save = save_plan(
        job,
        node_bytes_per_s=_node_rate(hot, option.node_bytes_per_s),
        copy_bytes_per_s=_copy_rate(context),
        fabric_bytes_per_s=network.fabric_bytes_per_s,
        ports_bytes_per_s=ports,
        drives_bytes_per_s=flash,
        jitter_ratio=jitter,
    )
    return TransportRow(
        option.name,
        option.label,
        save.save_s,
        save.save_s,
        save.binding,
        derive(
            tier_rates.smaller_bytes_per_s,
            first_bytes_per_s=ports,
            second_bytes_per_s=flash,
            label="Bandwidth of the tier",
        ),
        *latency_of(context, option.name),
        derive(
            transport.cpu_core_count,
            bandwidth_bytes_per_s=job.checkpoint.node_write_bytes_per_s,
            bytes_per_s_per_core=CORE_BYTES_PER_S[option.name],
            label="CPU cores of a node",
        ),
        save.save_s.number <= job.checkpoint.target_s.number * (1 + 1e-9),
        save.stages,
    )


def nfs_row(context: Context, job: JobPlan) -> TransportRow:
    """NFS and iSCSI: sessions times their cap, or the front end of a single controller."""
    caps = context.scenario.network
    common: dict[str, Any] = {
        "checkpoint_bytes": job.checkpoint.written_bytes,
        "session_count": scalar(caps.nfs_session_count),
        "session_bytes_per_s": caps.nfs_session_bytes_per_s,
    }
    low = derive(transport.nfs_save_s, front_end_bytes_per_s=caps.nfs_front_high_bytes_per_s, **common)
    high = derive(transport.nfs_save_s, front_end_bytes_per_s=caps.nfs_front_low_bytes_per_s, **common)
    return TransportRow(
        "nfs",
        LABELS["nfs"] + ", single controller",
        low,
        high,
        "front end or sessions",
        stated(
            caps.nfs_front_high_bytes_per_s,
            "front_bytes_per_s",
            "Front end",
            source="network.nfs_front_high_bytes_per_s",
        ),
        *latency_of(context, "nfs"),
        given(None, "count", "CPU cores of a node", source="not modelled", grade="unknown"),
        low.number <= job.checkpoint.target_s.number * (1 + 1e-9),
        {},
    )


def latency_of(context: Context, name: str) -> tuple[Quantity, Quantity]:
    """The guide's latency of a transport, from low to high."""
    facts: Transport = context.catalogue.find("transports", name, field="network.transport")
    return (
        or_unknown(facts.guide_latency_low_s, "s", "Latency, low"),
        or_unknown(facts.guide_latency_high_s, "s", "Latency, high"),
    )


@dataclass(frozen=True, slots=True)
class Flip:
    """Where the choice of the transport would change.

    Attributes:
        label: The other transport.
        threshold_bytes_per_s: Write bandwidth up to which its ports and stack suffice on this design.
        target_s: Save target from which it would do.
        condition: What would make it the choice, in words.
    """

    label: str
    threshold_bytes_per_s: Quantity
    target_s: Quantity
    condition: str


@wording
def flips(rows: tuple[TransportRow, ...], job: JobPlan, chosen: str) -> tuple[Flip, ...]:
    """For each other transport: up to which bandwidth, and from which save target, it would do."""
    found = []
    conditions = CHOSEN_IF
    if any(row.label == INFINIBAND for row in rows):
        conditions = CHOSEN_IF | {"tcp": "it needs an Ethernet switch in place of the stated one"}
    for row in rows:
        if row.name in (chosen, "nfs"):
            continue
        threshold = derive(
            checkpoint.required_write_bytes_per_s,
            checkpoint_bytes=job.checkpoint.written_bytes,
            target_s=row.save_low_s,
            label=f"{row.label} is enough up to",
        )
        enough = "meets the target as well" if row.meets_target else "misses the target"
        found.append(
            Flip(
                row.label,
                threshold,
                row.save_low_s,
                f"{row.label} {enough}: it is enough up to {threshold}, that is for save targets from "
                f"{row.save_low_s}; {conditions[row.name]}.",
            )
        )
    return tuple(found)


CHOSEN_IF = {
    "rdma": "it becomes the choice when lossless Ethernet is possible on switches of its own",
    "tcp": "it becomes the choice when switches are shared or cannot be lossless",
    "fc": "it becomes the choice when a SAN is there and lossless Ethernet of its own is not",
}
