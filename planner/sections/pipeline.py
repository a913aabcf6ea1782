"""What a job's data asks for beside bandwidth: import, preparation, epochs, files, cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.core.quantity import Quantity, derive, given
from planner.core.units import DAY_S, scalar
from planner.sections.cluster import ClusterPlan, cache_fraction, local_free
from planner.sections.context import Context
from planner.sections.ingest import has_samples, preset_of, sample_size, stored_size
from planner.sections.jobs import JobPlan
from planner.sizing import dataset as datasets
from planner.sizing import ingest

SHARD_BYTES = 1e9
"""Size of a shard where nothing else is said: the example of WebDataset has about 1 GB."""


@dataclass(frozen=True, slots=True)
class SupplyLevel:
    """A vendor's published storage level, scaled to the job's GPUs: what is sold, not what is needed."""

    label: str
    read_bytes_per_s: Quantity
    write_bytes_per_s: Quantity


@dataclass(frozen=True, slots=True)
class PipelinePlan:
    """From the raw data to the loaders of one job.

    Attributes:
        import_s: Time until the raw data has arrived over the wide-area link.
        preprocess_core_count: Cores that prepare the dataset within its refresh period.
        epoch_s: Time in which the dataset is read once.
        epoch_count: Epochs in the run.
        open_per_s: Files or shards opened a second: the load on a metadata server.
        cached_fraction: Share of the dataset in a node's cache.
        warm_read_bytes_per_s: What storage still reads once caches are warm.
        cold_epoch_s: First epoch, if storage delivers only what the later ones need.
        page_cache_bytes: Memory of a node that is left for file data.
        benchmark_sample_count: Samples that a run by the rules of MLPerf Storage must have at least; None where
            the job's data has no samples.
        levels: A vendor's levels, for reference.
    """

    import_s: Quantity
    preprocess_core_count: Quantity
    preprocess_node_count: Quantity
    epoch_s: Quantity
    epoch_count: Quantity
    file_bytes: Quantity
    file_count: Quantity
    open_per_s: Quantity
    cached_fraction: Quantity
    warm_read_bytes_per_s: Quantity
    cold_epoch_s: Quantity
    page_cache_bytes: Quantity
    benchmark_sample_count: Quantity | None
    benchmark_bytes: Quantity | None
    levels: tuple[SupplyLevel, ...]


def pipeline_plan(context: Context, cluster: ClusterPlan, job: JobPlan) -> PipelinePlan:
    """Times, files and cache of one job's data."""
    stream, plan = job.stream, job.ingest
    read, dataset = plan.read_bytes_per_s, plan.dataset_bytes
    file_bytes = file_size(context, job)
    gone_through = _read_part(context, job, dataset, "Bytes read in an epoch")
    cached = cache_fraction(job, local_free(context, cluster))
    warm = derive(
        ingest.cached_read_bytes_per_s,
        read_bytes_per_s=read,
        cache_fraction=cached,
        label="Reads once caches are warm",
    )
    cores = _preparation_cores(context, job)
    samples, benchmark = _benchmark(context, cluster, job) if has_samples(stream) else (None, None)
    return PipelinePlan(
        import_s=derive(
            ingest.staging_s,
            dataset_bytes=plan.raw_dataset_bytes,
            bandwidth_bytes_per_s=stream.wan_bytes_per_s,
            label="Import of the raw data",
        ),
        preprocess_core_count=cores,
        preprocess_node_count=derive(
            ingest.preprocess_node_count,
            core_count=cores,
            node_core_count=scalar(stream.preprocess_core_count),
        ),
        epoch_s=derive(datasets.read_once_s, dataset_bytes=gone_through, read_bytes_per_s=read),
        epoch_count=derive(
            datasets.epoch_count,
            run_s=job.policy.run_days * DAY_S,
            read_bytes_per_s=read,
            dataset_bytes=gone_through,
        ),
        file_bytes=file_bytes,
        file_count=derive(datasets.shard_count, dataset_bytes=dataset, file_bytes=file_bytes),
        open_per_s=derive(
            datasets.open_per_s,
            read_bytes_per_s=read,
            file_bytes=_read_part(context, job, file_bytes, "Bytes read of a file"),
        ),
        cached_fraction=cached,
        warm_read_bytes_per_s=warm,
        cold_epoch_s=derive(
            datasets.read_once_s,
            dataset_bytes=gone_through,
            read_bytes_per_s=warm,
            label="First epoch, if storage is sized for the later ones",
        ),
        page_cache_bytes=derive(
            datasets.page_cache_bytes,
            host_memory_bytes=cluster.host_memory_bytes,
            buffer_bytes=job.checkpoint.host_memory_bytes,
            prefetch_bytes=plan.prefetch_bytes,
        ),
        benchmark_sample_count=samples,
        benchmark_bytes=benchmark,
        levels=_levels(context, job),
    )


def file_size(context: Context, job: JobPlan) -> Quantity:
    """Size of a file: stated, else the benchmark's, else a shard's; what AUTO means is put on record."""
    stream = job.stream
    if stream.basis == "preset":
        preset = preset_of(context, stream, job.path)
        auto = derive(
            ingest.dataset_bytes,
            sample_count=preset.file_sample_count,
            sample_bytes=preset.stored_bytes,
            label="Size of a file or shard",
        )
    else:
        auto = given(
            SHARD_BYTES,
            "bytes",
            "Size of a file or shard",
            source="WebDataset's example: shards of about 1 GB",
            grade="class assumption",
        )
    return context.pick(f"{job.path}.ingest.file_bytes", stream.file_bytes, auto)


def _read_part(context: Context, job: JobPlan, whole: Quantity, label: str) -> Quantity:
    """What is read of stored bytes; all of them but for benchmarks that read some columns."""
    if job.stream.basis != "preset":
        return whole
    return derive(
        datasets.read_part_bytes,
        stored_bytes=whole,
        read_sample_bytes=sample_size(context, job.stream, job.path),
        stored_sample_bytes=stored_size(context, job.stream, job.path),
        label=label,
    )


def _preparation_cores(context: Context, job: JobPlan) -> Quantity:
    """Cores that turn the raw data into the dataset within its refresh period."""
    staged = derive(
        ingest.cluster_samples_per_s,
        read_bytes_per_s=job.ingest.staging_write_bytes_per_s,
        sample_bytes=stored_size(context, job.stream, job.path),
        label="Samples prepared a second",
    )
    return derive(
        ingest.preprocess_core_count,
        samples_per_s=staged,
        sample_cpu_s=job.stream.sample_cpu_s,
        label="Cores for preparation",
    )


def _benchmark(context: Context, cluster: ClusterPlan, job: JobPlan) -> tuple[Quantity, Quantity]:
    """The least dataset of a benchmark run on these nodes: samples, and bytes."""
    sample = stored_size(context, job.stream, job.path)
    batch = (
        preset_of(context, job.stream, job.path).batch_count
        if job.stream.basis == "preset"
        else scalar(job.stream.batch_count)
    )
    memory = derive(
        ingest.expanded_bytes,
        raw_bytes=cluster.host_memory_bytes,
        expansion_ratio=job.node_count,
        label="Memory of the job's nodes",
    )
    samples = derive(
        ingest.dataset_minimum_sample_count,
        batch_count=batch,
        gpu_count=job.gpu_count,
        client_memory_bytes=memory,
        sample_bytes=sample,
    )
    return samples, derive(
        ingest.dataset_bytes,
        sample_count=samples,
        sample_bytes=sample,
        label="Least dataset of a benchmark",
    )


def _levels(context: Context, job: JobPlan) -> tuple[SupplyLevel, ...]:
    """NVIDIA's levels for a scalable unit, for as many GPUs as the job has."""
    found = []
    for row in context.catalogue.guidelines.values():
        if "SU" not in row.scope:
            continue
        scaled: dict[str, Any] = {"gpu_count": job.gpu_count, "reference_gpu_count": row.gpu_count}
        label = f"{row.platform}, {row.level}"
        found.append(
            SupplyLevel(
                label,
                derive(
                    ingest.modality_read_bytes_per_s,
                    reference_bytes_per_s=row.read_bytes_per_s,
                    label=f"{label}: read",
                    **scaled,
                ),
                derive(
                    ingest.modality_read_bytes_per_s,
                    reference_bytes_per_s=row.write_bytes_per_s,
                    label=f"{label}: write",
                    **scaled,
                ),
            )
        )
    return tuple(found)
