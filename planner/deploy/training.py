"""The training side: settings of data loaders, and a benchmark that behaves like the job."""

from __future__ import annotations

from collections.abc import Iterator

from planner.core.units import GB
from planner.deploy.access import job_slugs
from planner.deploy.rendering import render
from planner.deploy.site import Site
from planner.plan import JobResult
from planner.sections.ingest import has_samples

Files = Iterator[tuple[str, str]]
CACHE_FRACTION = 0.8
"""Share of the free local space that a streaming cache may take."""
SHUFFLE_BLOCK_SAMPLES = 262_144
BENCHMARK_S = 600.0
"""How long the benchmark should run, within its fewest and most steps."""
BENCHMARK_STEPS = (10, 100)
BENCHMARK_SAVES = 5


def training_files(site: Site) -> Files:
    """A settings file and a workload for each job."""
    for name, result in zip(job_slugs(site.plan), site.plan.jobs, strict=True):
        values = _values(site, result, name)
        yield f"{name}/loaders.py", render("loaders.py", **values)
        yield f"{name}/dlio-workload.yaml", render("dlio-workload.yaml", **values)


def _values(site: Site, result: JobResult, name: str) -> dict[str, object]:
    job, stream = result.job, result.job.stream
    read = job.ingest.read_bytes_per_s.number
    sample_bytes = (
        max(round(read / job.ingest.samples_per_s.number), 1) if read else round(stream.block_bytes)
    )
    gpu_read = job.ingest.gpu_read_bytes_per_s.number
    file_bytes = max(result.pipeline.file_bytes.number, sample_bytes)
    # Where the data has no samples, a record is one block, and a step reads one.
    batch = stream.batch_count if has_samples(stream) else 1
    step_s = batch * sample_bytes / gpu_read if gpu_read else 1.0
    steps = max(BENCHMARK_STEPS[0], min(BENCHMARK_STEPS[1], int(BENCHMARK_S / step_s)))
    return {
        "site": site,
        "job": job,
        "name": name,
        "gpus": int(job.gpus_per_node_count.number),
        "nodes": int(job.node_count.number),
        "workers": stream.worker_count,
        "prefetch": stream.prefetch_count,
        "batch": stream.batch_count,
        "sample_bytes": sample_bytes,
        "samples_per_file": max(round(file_bytes / sample_bytes), 1),
        "file_count": max(round(result.pipeline.file_count.number), 1),
        "benchmark_batch": batch,
        "step_s": f"{step_s:.6g}",
        "cache_gb": int(CACHE_FRACTION * site.plan.local.free_bytes.number / GB)
        if stream.use_local_cache
        else 0,
        "predownload": max(stream.batch_count * stream.prefetch_count * max(stream.worker_count, 1), 1),
        "shuffle_block": SHUFFLE_BLOCK_SAMPLES,
        "gpu_shard_bytes": round(job.checkpoint.gpu_shard_bytes.number),
        "steps": steps,
        "steps_between": steps // BENCHMARK_SAVES,
        "node_read": job.ingest.node_read_bytes_per_s.text(),
    }
