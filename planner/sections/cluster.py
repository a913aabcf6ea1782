"""The GPU nodes as the plan uses them: counts, ports, memory and local drives."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given
from planner.core.record import record
from planner.core.units import DAY_S, scalar
from planner.sections.context import Context, or_unknown, stated
from planner.sections.jobs import JobPlan, main_job
from planner.sizing import counts, failure_rates, ingest, local


@record(frozen=True, slots=True)
class ClusterPlan:
    """What the cluster has, with the catalogue's figures where the architect stated none."""

    node_name: str
    node_count: Quantity
    gpu_count: Quantity
    port_count: Quantity
    port_bytes_per_s: Quantity
    local_drive_count: Quantity
    local_drive_bytes: Quantity
    host_memory_bytes: Quantity
    failures_per_1000_gpu_days: Quantity


@dataclass(frozen=True, slots=True)
class LocalPlan:
    """What the nodes' own drives can hold, and the guide's four reasons against them alone.

    Attributes:
        cached_fraction: Share of later epochs' reads that a node's own cache answers.
        read_behind_cache_bytes_per_s: What later epochs read from the shared tier; the first reads all.
    """

    free_bytes: Quantity
    retained_count: Quantity
    dataset_fraction: Quantity
    duplicated_bytes: Quantity
    failures_count: Quantity
    stranded_fraction: Quantity
    used_bytes: Quantity
    cached_fraction: Quantity
    read_behind_cache_bytes_per_s: Quantity


def cluster_plan(context: Context) -> ClusterPlan:
    """The cluster with AUTO fields filled from the catalogue."""
    cluster = context.scenario.cluster
    node = context.catalogue.find("gpu_nodes", cluster.node_id, field="cluster.node_id")
    gpus = context.pick("cluster.gpus_per_node_count", cluster.gpus_per_node_count, node.gpu_count)
    node_count = stated(scalar(cluster.node_count), "node_count", "GPU nodes")
    return ClusterPlan(
        node_name=node.name,
        node_count=node_count,
        gpu_count=derive(counts.product_count, first_count=node_count, second_count=gpus, label="GPUs"),
        port_count=context.pick(
            "cluster.storage_port_count",
            cluster.storage_port_count,
            or_unknown(node.storage_port_count, "count", "Storage ports per node"),
        ),
        port_bytes_per_s=context.pick(
            "cluster.storage_port_bytes_per_s",
            cluster.storage_port_bytes_per_s,
            or_unknown(node.storage_port_bytes_per_s, "bytes/s", "Speed of a storage port"),
        ),
        local_drive_count=context.pick(
            "cluster.local_drive_count",
            cluster.local_drive_count,
            or_unknown(node.local_drive_count, "count", "Local drives per node"),
        ),
        local_drive_bytes=context.pick(
            "cluster.local_drive_bytes",
            cluster.local_drive_bytes,
            or_unknown(node.local_drive_bytes, "bytes", "Size of a local drive"),
        ),
        host_memory_bytes=context.pick(
            "cluster.host_memory_bytes",
            cluster.host_memory_bytes,
            or_unknown(node.host_memory_bytes, "bytes", "Host memory per node"),
        ),
        failures_per_1000_gpu_days=context.pick(
            "cluster.failures_per_1000_gpu_days",
            cluster.failures_per_1000_gpu_days,
            context.catalogue.find(
                "failure_rates", cluster.failure_rate_id, field="cluster.failure_rate_id"
            ).failures_per_1000_gpu_days,
        ),
    )


def local_plan(context: Context, cluster: ClusterPlan, jobs: tuple[JobPlan, ...]) -> LocalPlan:
    """Local NVMe against the largest job of the cluster."""
    job = main_job(jobs)
    free = local_free(context, cluster)
    used = derive(
        local.node_use_bytes,
        shard_bytes=job.checkpoint.shard_bytes,
        retained_count=job.policy.retained_count + job.policy.in_flight_count,
        dataset_bytes=job.ingest.dataset_bytes,
        node_count=job.node_count,
    )
    interruption = derive(
        failure_rates.mean_time_to_interruption_s,
        gpu_count=job.gpu_count,
        failures_per_1000_gpu_days=cluster.failures_per_1000_gpu_days,
    )
    cached = cache_fraction(job, free)
    return LocalPlan(
        free_bytes=free,
        retained_count=derive(
            local.retained_local_count, free_bytes=free, shard_bytes=job.checkpoint.shard_bytes
        ),
        dataset_fraction=derive(
            local.dataset_on_node_fraction, free_bytes=free, dataset_bytes=job.ingest.dataset_bytes
        ),
        duplicated_bytes=derive(
            local.duplicated_bytes, dataset_bytes=job.ingest.dataset_bytes, node_count=job.node_count
        ),
        failures_count=derive(
            local.failures_in_run_count,
            run_s=given(job.policy.run_days * DAY_S, "s", "Length of the run", source="input", grade="input"),
            interruption_s=interruption,
        ),
        stranded_fraction=derive(local.stranded_fraction, used_bytes=used, free_bytes=free),
        used_bytes=used,
        cached_fraction=cached,
        read_behind_cache_bytes_per_s=derive(
            ingest.cached_read_bytes_per_s,
            read_bytes_per_s=job.ingest.read_bytes_per_s,
            cache_fraction=cached,
        ),
    )


def local_free(context: Context, cluster: ClusterPlan) -> Quantity:
    """Space on a node's own drives beside system and artifacts."""
    return derive(
        local.free_bytes,
        drive_count=cluster.local_drive_count,
        drive_bytes=cluster.local_drive_bytes,
        reserved_bytes=context.scenario.cluster.local_reserved_bytes,
    )


def cache_fraction(job: JobPlan, free: Quantity) -> Quantity:
    """Share of the dataset in a node's cache; the tiers are sized without it, for the first epoch."""
    if not job.stream.use_local_cache:
        return given(0.0, "fraction", "Share served from the local cache", source="no cache", grade="input")
    return derive(
        local.dataset_on_node_fraction,
        free_bytes=free,
        dataset_bytes=job.ingest.dataset_bytes,
        label="Share served from the local cache",
    )
