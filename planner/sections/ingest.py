"""Reads of one job: demand, staging, and what its data loaders need."""

from __future__ import annotations

from planner.catalogue import IngestPreset
from planner.core.quantity import Quantity, derive
from planner.core.record import record
from planner.core.tracing import wording
from planner.core.units import DAY_S, scalar
from planner.scenario import Ingest, Job
from planner.sections.context import Context, or_unknown, stated
from planner.sizing import ingest, tier_rates, token_rates

GUIDE_GPUS = 256.0
"""GPUs for which the guide states its read demands."""


@record(frozen=True, slots=True)
class IngestPlan:
    """Read demand of a job and what its data loader needs."""

    read_bytes_per_s: Quantity
    gpu_read_bytes_per_s: Quantity
    node_read_bytes_per_s: Quantity
    guide_low_bytes_per_s: Quantity
    guide_high_bytes_per_s: Quantity
    dataset_bytes: Quantity
    raw_dataset_bytes: Quantity
    staging_read_bytes_per_s: Quantity
    staging_write_bytes_per_s: Quantity
    staging_bytes_per_day: Quantity
    prefetch_bytes: Quantity
    samples_per_s: Quantity
    loader_core_count: Quantity


def modality_range(context: Context, modality: str) -> tuple[Quantity, Quantity]:
    """The guide's read demand of 256 GPUs for a modality, low and high."""
    figure = context.catalogue.find("guide", {"text": "G32", "vision": "G33", "multimodal": "G34"}[modality])
    return or_unknown(figure.low, "bytes/s", "Guide, low"), or_unknown(figure.high, "bytes/s", "Guide, high")


def ingest_plan(
    context: Context, job: Job, path: str, nodes: Quantity, gpus: Quantity, gpus_per_node: Quantity
) -> IngestPlan:
    """Read demand of a job, its staging and what its data loaders need."""
    stream = job.ingest
    read = _demand(context, job, path, nodes, gpus)
    guide_low, guide_high = _guided(context, stream, gpus)
    dataset = stated(stream.dataset_bytes, "dataset_bytes", "Active dataset")
    refresh_s = stream.refresh_days * DAY_S
    staged = derive(
        ingest.staging_bytes_per_s, staged_bytes=dataset, refresh_s=refresh_s, label="Staging, written"
    )
    samples = derive(
        ingest.cluster_samples_per_s,
        read_bytes_per_s=read,
        sample_bytes=sample_size(context, stream, path),
        label="" if has_samples(stream) else "Blocks read a second",
    )
    return IngestPlan(
        read_bytes_per_s=read,
        gpu_read_bytes_per_s=derive(
            ingest.share_bytes_per_s, read_bytes_per_s=read, part_count=gpus, label="Read demand of a GPU"
        ),
        node_read_bytes_per_s=derive(
            ingest.share_bytes_per_s, read_bytes_per_s=read, part_count=nodes, label="Read demand of a node"
        ),
        guide_low_bytes_per_s=guide_low,
        guide_high_bytes_per_s=guide_high,
        dataset_bytes=dataset,
        raw_dataset_bytes=stated(stream.raw_dataset_bytes, "raw_dataset_bytes", "Raw data"),
        staging_read_bytes_per_s=derive(
            ingest.staging_bytes_per_s,
            staged_bytes=stream.dataset_bytes / stream.expansion_ratio,
            refresh_s=refresh_s,
            label="Staging, read from raw data",
        ),
        staging_write_bytes_per_s=staged,
        staging_bytes_per_day=derive(
            tier_rates.per_day_bytes_per_day, rate_bytes_per_s=staged, label="Staging, written a day"
        ),
        prefetch_bytes=derive(
            ingest.prefetch_bytes,
            gpu_count=gpus_per_node,
            worker_count=scalar(stream.worker_count),
            prefetch_count=scalar(stream.prefetch_count),
            batch_count=scalar(stream.batch_count),
            decoded_sample_bytes=stream.decoded_sample_bytes,
        ),
        samples_per_s=samples,
        loader_core_count=derive(
            ingest.preprocess_core_count, samples_per_s=samples, sample_cpu_s=stream.sample_cpu_s
        ),
    )


def _guided(context: Context, stream: Ingest, gpus: Quantity) -> tuple[Quantity, Quantity]:
    """The guide's read demand for that many GPUs, low and high."""
    low, high = (
        derive(
            ingest.modality_read_bytes_per_s,
            reference_bytes_per_s=end,
            gpu_count=gpus,
            reference_gpu_count=GUIDE_GPUS,
            label=f"The guide's read demand, {word}",
        )
        for word, end in zip(("low", "high"), modality_range(context, stream.modality), strict=True)
    )
    return low, high


def _demand(context: Context, job: Job, path: str, nodes: Quantity, gpus: Quantity) -> Quantity:
    """Read demand as stated; on the guide's basis token data takes the guide's range, upper end."""
    stream: Ingest = job.ingest
    if stream.basis == "modality" or (context.guide and stream.basis == "tokens"):
        high = modality_range(context, stream.modality)[1]
        return derive(
            ingest.modality_read_bytes_per_s,
            reference_bytes_per_s=high,
            gpu_count=gpus,
            reference_gpu_count=GUIDE_GPUS,
            label="Read demand",
        )
    if has_samples(stream):
        sample, rate = _samples(context, stream, path)
        return derive(
            ingest.sample_read_bytes_per_s,
            sample_bytes=sample,
            samples_per_s=rate,
            gpu_count=gpus,
            utilisation_fraction=stream.utilisation_fraction,
            label="Read demand",
        )
    if stream.basis == "rate":
        return _typed(stream, nodes, gpus)
    return derive(
        ingest.token_read_bytes_per_s,
        tokens_per_s=_token_rate(context, job, path),
        token_bytes=stream.token_bytes,
        gpu_count=gpus,
        label="Read demand",
    )


def _token_rate(context: Context, job: Job, path: str) -> Quantity:
    node = context.catalogue.find("gpu_nodes", context.scenario.cluster.node_id, field="cluster.node_id")
    gpu = context.catalogue.find("gpus", node.gpu_id, field="cluster.node_id")
    return context.pick(
        f"{path}.ingest.tokens_per_s",
        job.ingest.tokens_per_s,
        derive(
            token_rates.tokens_per_s_from_flops,
            peak_flops=or_unknown(gpu.bf16_flops, "FLOP/s", "Peak of a GPU"),
            utilisation_fraction=job.ingest.flops_utilisation_fraction,
            active_parameter_count=job.model.active_parameter_count or job.model.parameter_count,
        ),
    )


def _samples(context: Context, stream: Ingest, path: str) -> tuple[Quantity | float, Quantity | float]:
    """Bytes read per sample, and samples per second that a GPU takes at full speed."""
    if stream.basis == "samples":
        return stream.sample_bytes, stream.samples_per_s
    if stream.basis == "batch":
        return stream.sample_bytes, derive(
            ingest.samples_per_s, batch_count=scalar(stream.batch_count), step_s=stream.step_s
        )
    preset = preset_of(context, stream, path)
    return preset.read_bytes, derive(
        ingest.samples_per_s, batch_count=preset.batch_count, step_s=preset.step_s
    )


def preset_of(context: Context, stream: Ingest, path: str) -> IngestPreset:
    """The benchmark that a job's reads are taken from.

    Raises:
        PlannerError: There is no such benchmark.
    """
    preset: IngestPreset = context.catalogue.find(
        "ingest_presets", stream.preset_id, field=f"{path}.ingest.preset_id"
    )
    return preset


def _typed(stream: Ingest, nodes: Quantity, gpus: Quantity) -> Quantity:
    """A rate that was typed for the job, a node or a GPU, for the whole job."""
    rate = stated(stream.read_bytes_per_s, "read_bytes_per_s", "Read demand")
    if stream.rate_scope == "job":
        return rate
    return derive(
        ingest.whole_bytes_per_s,
        part_bytes_per_s=rate,
        part_count=nodes if stream.rate_scope == "node" else gpus,
        label="Read demand",
    )


def sample_size(context: Context, stream: Ingest, path: str) -> Quantity | float:
    """Bytes read for one sample; of streams without samples, such as tokens, one read block."""
    if stream.basis == "preset":
        return preset_of(context, stream, path).read_bytes
    return stream.sample_bytes if has_samples(stream) else stream.block_bytes


def stored_size(context: Context, stream: Ingest, path: str) -> Quantity | float:
    """Bytes that one sample takes on storage, of which a job may read a part."""
    if stream.basis == "preset":
        return preset_of(context, stream, path).stored_bytes
    return sample_size(context, stream, path)


def has_samples(stream: Ingest) -> bool:
    """Whether the job's data is told in samples; tokens, modalities and rates are not."""
    return stream.basis in ("samples", "batch", "preset")


@wording
def loader_advice(context: Context, stream: Ingest, plan: IngestPlan, nodes: Quantity) -> tuple[str, ...]:
    """What to set in the data loader, one sentence a point."""
    dataset = plan.dataset_bytes
    node = context.catalogue.find("gpu_nodes", context.scenario.cluster.node_id, field="cluster.node_id")
    memory = (
        (node.host_memory_bytes.number if node.host_memory_bytes else float("nan"))
        if context.scenario.cluster.host_memory_bytes is None
        else context.scenario.cluster.host_memory_bytes
    )
    fits = dataset.number <= memory * nodes.number * 0.5
    workers = stream.worker_count
    return (
        f"num_workers = {workers} per GPU, prefetch_factor = {stream.prefetch_count}, persistent workers and "
        "pinned memory on" + ("" if 4 <= workers <= 8 else "; the guide advises 4 to 8 workers"),
        (
            f"memory-map the dataset: {dataset.text()} fit in half of the nodes' memory together"
            if fits
            else f"stream the dataset (WebDataset or MosaicML shards): {dataset.text()} do not fit in half of the "
            "nodes' memory together"
        ),
        (
            "preprocess before training and store the result: token data needs no work at run time"
            if stream.basis == "tokens"
            else "keep decoding on CPU cores or preprocessing nodes; GPUs only train"
        ),
    )
