"""Read rates of training jobs, and what data loaders hold."""

from __future__ import annotations

from planner.core.units import Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import ingest


def _sample_reads(case: Case, *, gpu_count: float, utilisation_fraction: float) -> Number:
    return ingest.sample_read_bytes_per_s(
        case.read("sample", "bytes"),
        samples_per_s=ingest.samples_per_s(case.read("batch"), step_s=case.read("step", "s")),
        gpu_count=gpu_count,
        utilisation_fraction=utilisation_fraction,
    )


@by(ingest.sample_read_bytes_per_s, ingest.samples_per_s)
def full_speed_reads(case: Case) -> Result:
    """Reads of an accelerator that never waits."""
    return _sample_reads(case, gpu_count=1.0, utilisation_fraction=1.0)


@by(ingest.sample_read_bytes_per_s, ingest.samples_per_s)
def passing_reads(case: Case) -> Result:
    """Reads of an accelerator at the least utilisation that passes."""
    return _sample_reads(case, gpu_count=1.0, utilisation_fraction=case.read("utilisation", "fraction"))


@by(ingest.sample_read_bytes_per_s, ingest.samples_per_s)
def cluster_reads(case: Case) -> Result:
    """Reads of all accelerators at the least utilisation that passes."""
    return _sample_reads(
        case,
        gpu_count=case.read("accelerators"),
        utilisation_fraction=case.read("utilisation", "fraction"),
    )


@by(ingest.file_count, ingest.dataset_minimum_sample_count)
def training_files(case: Case) -> Result:
    """Files that a benchmark run needs at least."""
    samples = ingest.dataset_minimum_sample_count(
        case.read("batch"),
        gpu_count=case.read("accelerators"),
        client_memory_bytes=case.read("client memory", "bytes"),
        sample_bytes=case.read("sample", "bytes"),
        step_count=case.read("steps"),
        memory_ratio=case.read("memory multiple"),
    )
    return ingest.file_count(samples, samples_per_file_count=case.read("samples per file"))


@by(ingest.share_bytes_per_s)
def share_of_reads(case: Case) -> Result:
    """Reads of one of many."""
    return ingest.share_bytes_per_s(case.read("read", "bytes/s"), part_count=case.read("GPUs"))


@by(ingest.modality_read_bytes_per_s)
def scaled_reads(case: Case) -> Result:
    """Reads of so many from those of one."""
    return ingest.modality_read_bytes_per_s(
        case.read("one", "bytes/s"), gpu_count=case.read("count"), reference_gpu_count=1.0
    )


@by(ingest.prefetched_batch_count)
def prefetched_batches(case: Case) -> Result:
    """Batches that loaders hold ready."""
    return ingest.prefetched_batch_count(case.read("workers"), prefetch_count=case.read("prefetch factor"))


@by(ingest.prefetch_bytes)
def prefetch_memory(case: Case) -> Result:
    """Host memory of the batches that loaders hold ready."""
    return ingest.prefetch_bytes(
        case.read("GPUs"),
        worker_count=case.read("workers"),
        prefetch_count=case.read("prefetch factor"),
        batch_count=case.read("batch"),
        decoded_sample_bytes=case.read("sample", "bytes"),
    )


@by(ingest.shard_cache_bytes)
def shard_cache(case: Case) -> Result:
    """Cache of a node that keeps what it has read."""
    return ingest.shard_cache_bytes(
        case.read("shard", "bytes"), shard_count=case.read("shards"), node_count=case.read("nodes")
    )


@by(ingest.minimum_shard_cache_bytes)
def least_shard_cache(case: Case) -> Result:
    """Cache of a node that keeps what it is about to read."""
    return ingest.minimum_shard_cache_bytes(
        case.read("shard", "bytes"),
        canonical_node_count=case.read("canonical nodes"),
        node_count=case.read("nodes"),
    )


@by(ingest.predownload_count)
def predownload(case: Case) -> Result:
    """Samples that a worker fetches ahead."""
    return ingest.predownload_count(case.read("batch"))
