"""Checkpoints of one job, and the job as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.core.quantity import Quantity, derive
from planner.core.record import record
from planner.core.units import scalar
from planner.scenario import CheckpointPolicy, Ingest, Job
from planner.sections.context import Context, stated
from planner.sections.ingest import IngestPlan, ingest_plan
from planner.sections.recipe import saved_state
from planner.sections.rhythm import rhythm
from planner.sections.shares import PLAIN, Shares, renamed, shares
from planner.sizing import burst, checkpoint, counts, endurance, tier_capacity

if TYPE_CHECKING:
    from planner.sections.cluster import ClusterPlan


@record(frozen=True, slots=True)
class CheckpointPlan:
    """Size, cadence and demands of a job's checkpoints.

    Attributes:
        shard_bytes: What the busiest node writes, with copies that the job makes itself; all nodes are
            alike unless a parallelism is stated.
        gpu_shard_bytes: What the busiest GPU writes, once.
        restart_bytes: What all nodes read together at a restart.
        reader_count: Nodes that read, were each as busy as the busiest.
        writer_bytes_per_s: What the processes of the busiest node write together; None if only ports limit.
    """

    parameter_count: Quantity
    bytes_per_parameter_bytes: Quantity
    size_bytes: Quantity
    written_bytes: Quantity
    shard_bytes: Quantity
    gpu_shard_bytes: Quantity
    interval_s: Quantity
    saves_per_day: Quantity
    target_s: Quantity
    required_write_bytes_per_s: Quantity
    node_write_bytes_per_s: Quantity
    retained_bytes: Quantity
    daily_write_bytes_per_day: Quantity
    yearly_write_bytes_per_year: Quantity
    drain_bytes_per_s: Quantity
    archived_bytes: Quantity
    host_memory_bytes: Quantity
    guide_capacity_bytes: Quantity
    restart_bytes: Quantity
    reader_count: Quantity
    writer_bytes_per_s: Quantity | None


@record(frozen=True, slots=True)
class JobPlan:
    """One job: its nodes, checkpoints and reads."""

    name: str
    path: str
    policy: CheckpointPolicy
    stream: Ingest
    node_count: Quantity
    gpu_count: Quantity
    gpus_per_node_count: Quantity
    checkpoint: CheckpointPlan
    ingest: IngestPlan


def main_job(jobs: Sequence[JobPlan]) -> JobPlan:
    """The main job of a design: the one with the largest checkpoint, the first of equal ones."""
    return max(jobs, key=lambda job: job.checkpoint.size_bytes.number)


def job_plan(context: Context, cluster: ClusterPlan, index: int) -> JobPlan:
    """Checkpoints and reads of job number `index`, before any tier is chosen."""
    job = context.scenario.jobs[index]
    path = f"jobs.{index}"
    node = context.catalogue.find("gpu_nodes", context.scenario.cluster.node_id, field="cluster.node_id")
    nodes = context.pick(
        f"{path}.node_count",
        job.node_count,
        _left_nodes(context),
    )
    per_node = context.pick(
        "cluster.gpus_per_node_count", context.scenario.cluster.gpus_per_node_count, node.gpu_count
    )
    gpus = derive(counts.product_count, first_count=nodes, second_count=per_node, label="GPUs of the job")
    return JobPlan(
        name=job.name,
        path=path,
        policy=job.checkpoint,
        stream=job.ingest,
        node_count=nodes,
        gpu_count=gpus,
        gpus_per_node_count=per_node,
        checkpoint=_checkpoint(context, cluster, job, path, nodes, gpus, per_node),
        ingest=ingest_plan(context, job, path, nodes, gpus, per_node),
    )


def _left_nodes(context: Context) -> Quantity:
    """Nodes of a job that states none: all of them if it is alone, else its part of what the others leave."""
    count, jobs = scalar(context.scenario.cluster.node_count), context.scenario.jobs
    if len(jobs) == 1:
        return stated(count, "node_count", "Nodes of the job")
    taken = [scalar(job.node_count) for job in jobs if job.node_count is not None]
    return derive(
        counts.remaining_node_count,
        cluster_node_count=count,
        stated_node_count=sum(taken, 0.0),
        sharing_job_count=float(len(jobs) - len(taken)) or 1.0,
    )


@record(frozen=True, slots=True)
class _Shard:
    """What the busiest node and GPU write and hold, and what a restart reads."""

    node_bytes: Quantity
    gpu_bytes: Quantity
    host_memory_bytes: Quantity
    restart_bytes: Quantity
    reader_count: Quantity
    writer_bytes_per_s: Quantity | None = None


def _even(
    policy: CheckpointPolicy, size: Quantity, written: Quantity, nodes: Quantity, gpus: Quantity
) -> _Shard:
    """Equal shards, each read back by one node."""
    return _Shard(
        node_bytes=derive(
            checkpoint.shard_bytes, checkpoint_bytes=written, writer_count=nodes, label="Shard per node"
        ),
        gpu_bytes=derive(
            checkpoint.shard_bytes, checkpoint_bytes=size, writer_count=gpus, label="Shard per GPU"
        ),
        host_memory_bytes=_host_memory(policy, size, nodes),
        restart_bytes=renamed(size, "Read at a restart"),
        reader_count=renamed(nodes, "Nodes that read at a restart"),
    )


def _uneven(policy: CheckpointPolicy, found: Shares) -> _Shard:
    """Shards of the busiest node and GPU; one GPU that writes for all also copies for all."""
    return _Shard(
        node_bytes=_copies(policy, found.node_bytes, label="Shard of the busiest node"),
        gpu_bytes=found.rank_bytes,
        host_memory_bytes=_host_memory(policy, found.node_bytes, 1.0),
        restart_bytes=found.restart_bytes,
        reader_count=found.reader_count,
        writer_bytes_per_s=found.writer_bytes_per_s,
    )


def _copies(policy: CheckpointPolicy, size: Quantity, *, label: str = "") -> Quantity:
    """What is written of so many bytes, with the copies that the job makes itself."""
    return derive(
        checkpoint.copies_bytes,
        checkpoint_bytes=size,
        application_copies_count=scalar(policy.application_copies_count),
        label=label,
    )


def _host_memory(policy: CheckpointPolicy, size: Quantity, nodes: Quantity | float) -> Quantity:
    return derive(
        checkpoint.async_host_memory_bytes,
        checkpoint_bytes=size,
        node_count=nodes,
        buffer_count=policy.async_buffer_count if policy.mode == "async" else 0.0,
    )


def _checkpoint(
    context: Context,
    cluster: ClusterPlan,
    job: Job,
    path: str,
    nodes: Quantity,
    gpus: Quantity,
    per_node: Quantity,
) -> CheckpointPlan:
    """Size, cadence and demands: what is saved, how often, and what that asks of nodes and tiers."""
    policy = job.checkpoint
    saved = saved_state(context, job, path)
    size = derive(
        checkpoint.size_bytes,
        parameter_count=saved.parameter_count,
        bytes_per_parameter=saved.bytes_per_parameter_bytes,
    )
    written = _copies(policy, size)
    interval, target = rhythm(context, cluster, policy, path, gpus)
    shard = (
        _even(policy, size, written, nodes, gpus)
        if job.parallelism == PLAIN
        else _uneven(policy, shares(context, job, path, saved, gpus, per_node))
    )
    saves = derive(checkpoint.saves_per_day, interval_s=interval)
    daily = derive(endurance.daily_write_bytes_per_day, checkpoint_bytes=written, interval_s=interval)
    return CheckpointPlan(
        parameter_count=saved.model_parameter_count,
        bytes_per_parameter_bytes=saved.bytes_per_parameter_bytes,
        size_bytes=size,
        written_bytes=written,
        shard_bytes=shard.node_bytes,
        gpu_shard_bytes=shard.gpu_bytes,
        interval_s=interval,
        saves_per_day=saves,
        target_s=target,
        required_write_bytes_per_s=derive(
            checkpoint.required_write_bytes_per_s, checkpoint_bytes=written, target_s=target
        ),
        node_write_bytes_per_s=derive(
            checkpoint.required_write_bytes_per_s,
            checkpoint_bytes=shard.node_bytes,
            target_s=target,
            label="Write bandwidth of a node",
        ),
        retained_bytes=_retained(policy, written),
        daily_write_bytes_per_day=daily,
        yearly_write_bytes_per_year=derive(
            endurance.yearly_write_bytes_per_year, daily_write_bytes_per_day=daily
        ),
        drain_bytes_per_s=_drain(policy, size, interval),
        archived_bytes=_archived(policy, size, saves),
        host_memory_bytes=shard.host_memory_bytes,
        guide_capacity_bytes=_guide_capacity(context, policy, size),
        restart_bytes=shard.restart_bytes,
        reader_count=shard.reader_count,
        writer_bytes_per_s=shard.writer_bytes_per_s,
    )


def _retained(policy: CheckpointPolicy, written: Quantity) -> Quantity:
    """What the hot tier keeps, with the checkpoints that are being written."""
    return derive(
        checkpoint.retained_bytes,
        checkpoint_bytes=written,
        retained_count=scalar(policy.retained_count),
        in_flight_count=scalar(policy.in_flight_count),
    )


def _guide_capacity(context: Context, policy: CheckpointPolicy, size: Quantity) -> Quantity:
    """What the guide's rule of thumb would keep, to stand beside the planner's own."""
    return derive(
        checkpoint.guide_capacity_bytes,
        checkpoint_bytes=size,
        retained_count=scalar(policy.retained_count),
        headroom_ratio=context.scenario.storage.guide_headroom_ratio,
    )


def _drain(policy: CheckpointPolicy, size: Quantity, interval: Quantity) -> Quantity:
    """Rate at which every n-th checkpoint has to be copied down before the next of them comes."""
    between = derive(
        checkpoint.interval_from_steps_s,
        step_count=scalar(policy.cold_every_count),
        step_s=interval,
        label="Time between copies to the cold tier",
    )
    return derive(burst.drain_bytes_per_s, checkpoint_bytes=size, interval_s=between)


def _archived(policy: CheckpointPolicy, size: Quantity, saves: Quantity) -> Quantity:
    copies = derive(
        checkpoint.cold_copies_per_day, saves_per_day=saves, every_count=scalar(policy.cold_every_count)
    )
    return derive(
        tier_capacity.archived_bytes,
        checkpoint_bytes=size,
        copies_per_day=copies,
        keep_days=policy.run_days if policy.cold_keep_all else policy.cold_keep_days,
        milestones_per_day=0.0 if policy.cold_keep_all else policy.milestones_per_day,
        run_days=policy.run_days,
    )
