"""Checkpoints and reads of one job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.catalogue import Recipe
from planner.core.quantity import Quantity, derive, given
from planner.core.units import DAY_S
from planner.scenario import CheckpointPolicy, Ingest, Job
from planner.sections.context import Choice, Context, or_unknown, stated
from planner.sizing import burst, checkpoint, endurance, ingest, local, tiers

GUIDE_TARGET_S = 10.0
"""Save target on the guide's basis; its range is 10 to 30 s."""
GUIDE_GPUS = 256.0
"""GPUs for which the guide states its read demands."""


@dataclass(frozen=True, slots=True)
class CheckpointPlan:
    """Size, cadence and demands of a job's checkpoints."""

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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class JobPlan:
    """One job: its nodes, checkpoints and reads."""

    name: str
    path: str
    policy: CheckpointPolicy
    stream: Ingest
    node_count: Quantity
    gpu_count: Quantity
    checkpoint: CheckpointPlan
    ingest: IngestPlan


def job_plan(context: Context, index: int) -> JobPlan:
    """Checkpoints and reads of job number `index`, before any tier is chosen."""
    job = context.scenario.jobs[index]
    path = f"jobs.{index}"
    node = context.catalogue.find("gpu_nodes", context.scenario.cluster.node_id, field="cluster.node_id")
    nodes = context.pick(
        f"{path}.node_count",
        job.node_count,
        stated(float(context.scenario.cluster.node_count), "node_count", "Nodes of the job"),
    )
    per_node = context.pick(
        "cluster.gpus_per_node_count", context.scenario.cluster.gpus_per_node_count, node.gpu_count
    )
    gpus = derive(local.product_count, first_count=nodes, second_count=per_node, label="GPUs of the job")
    return JobPlan(
        name=job.name,
        path=path,
        policy=job.checkpoint,
        stream=job.ingest,
        node_count=nodes,
        gpu_count=gpus,
        checkpoint=_checkpoint(context, job, path, nodes, gpus),
        ingest=_ingest(context, job, path, nodes, gpus, per_node),
    )


def _bytes_per_parameter(context: Context, job: Job, path: str) -> Quantity:
    recipe_id = "guide-high" if context.guide else "adamw-mixed"
    context.auto[f"{path}.model.recipe_id"] = Choice(
        recipe_id,
        context.catalogue.find("recipes", recipe_id, field="recipe").label,
        "the guide's upper figure" if context.guide else "mixed-precision AdamW saves 2 + 4 + 4 + 4 bytes",
    )
    recipe = context.catalogue.find(
        "recipes", job.model.recipe_id or recipe_id, field=f"{path}.model.recipe_id"
    )
    return context.pick(
        f"{path}.model.bytes_per_parameter_bytes",
        job.model.bytes_per_parameter_bytes,
        recipe_bytes(context, recipe, job.model.parameter_count),
    )


def recipe_bytes(context: Context, recipe: Recipe, parameter_count: float) -> Quantity:
    """Bytes per parameter of a recipe; the guide's recipes take its row nearest in size."""
    if recipe.total_bytes is not None:
        return recipe.total_bytes
    row = context.catalogue.guide_model(parameter_count)
    return row.low_bytes if recipe.guide_bound == "low" else row.high_bytes


def modality_range(context: Context, modality: str) -> tuple[Quantity, Quantity]:
    """The guide's read demand of 256 GPUs for a modality, low and high."""
    figure = context.catalogue.find("guide", {"text": "G32", "vision": "G33", "multimodal": "G34"}[modality])
    return or_unknown(figure.low, "bytes/s", "Guide, low"), or_unknown(figure.high, "bytes/s", "Guide, high")


def _target(context: Context, policy: CheckpointPolicy, path: str, interval: Quantity) -> Quantity:
    if context.guide:
        derived = given(GUIDE_TARGET_S, "s", "Save target", source="the guide: 10 to 30 s", grade="guide")
    elif policy.mode == "async":
        derived = derive(
            checkpoint.target_from_waste_s,
            waste_budget_fraction=1.0,
            interval_s=interval,
            label="Save target",
        )
    else:
        derived = derive(
            checkpoint.target_from_waste_s,
            waste_budget_fraction=policy.waste_budget_fraction,
            interval_s=interval,
            label="Save target",
        )
    return context.pick(f"{path}.checkpoint.target_s", policy.target_s, derived)


def _interval(policy: CheckpointPolicy) -> Quantity:
    if policy.interval_step_count is not None and policy.step_s is not None:
        return derive(
            checkpoint.interval_from_steps_s,
            step_count=float(policy.interval_step_count),
            step_s=policy.step_s,
        )
    return stated(policy.interval_s, "interval_s", "Checkpoint interval")


def _checkpoint(context: Context, job: Job, path: str, nodes: Quantity, gpus: Quantity) -> CheckpointPlan:
    policy = job.checkpoint
    parameters = stated(job.model.parameter_count, "parameter_count", "Parameters")
    per_parameter = _bytes_per_parameter(context, job, path)
    size = derive(checkpoint.size_bytes, parameter_count=parameters, bytes_per_parameter=per_parameter)
    written = derive(
        checkpoint.copies_bytes,
        checkpoint_bytes=size,
        application_copies_count=float(policy.application_copies_count),
    )
    interval = _interval(policy)
    target = _target(context, policy, path, interval)
    shard = derive(
        checkpoint.shard_bytes, checkpoint_bytes=written, writer_count=nodes, label="Shard per node"
    )
    saves = derive(checkpoint.saves_per_day, interval_s=interval)
    daily = derive(endurance.daily_write_bytes_per_day, checkpoint_bytes=written, interval_s=interval)
    return CheckpointPlan(
        parameter_count=parameters,
        bytes_per_parameter_bytes=per_parameter,
        size_bytes=size,
        written_bytes=written,
        shard_bytes=shard,
        gpu_shard_bytes=derive(
            checkpoint.shard_bytes, checkpoint_bytes=size, writer_count=gpus, label="Shard per GPU"
        ),
        interval_s=interval,
        saves_per_day=saves,
        target_s=target,
        required_write_bytes_per_s=derive(
            checkpoint.required_write_bytes_per_s, checkpoint_bytes=written, target_s=target
        ),
        node_write_bytes_per_s=derive(
            checkpoint.required_write_bytes_per_s,
            checkpoint_bytes=shard,
            target_s=target,
            label="Write bandwidth of a node",
        ),
        retained_bytes=derive(
            checkpoint.retained_bytes,
            checkpoint_bytes=written,
            retained_count=float(policy.retained_count),
            in_flight_count=float(policy.in_flight_count),
        ),
        daily_write_bytes_per_day=daily,
        yearly_write_bytes_per_year=derive(
            endurance.yearly_write_bytes_per_year, daily_write_bytes_per_day=daily
        ),
        drain_bytes_per_s=derive(
            burst.drain_bytes_per_s,
            checkpoint_bytes=size,
            interval_s=derive(
                checkpoint.interval_from_steps_s,
                step_count=float(policy.cold_every_count),
                step_s=interval,
                label="Time between copies to the cold tier",
            ),
        ),
        archived_bytes=_archived(policy, size, saves),
        host_memory_bytes=derive(
            checkpoint.async_host_memory_bytes,
            checkpoint_bytes=size,
            node_count=nodes,
            buffer_count=policy.async_buffer_count if policy.mode == "async" else 0.0,
        ),
        guide_capacity_bytes=derive(
            checkpoint.guide_capacity_bytes,
            checkpoint_bytes=size,
            retained_count=float(policy.retained_count),
            headroom_ratio=context.scenario.storage.guide_headroom_ratio,
        ),
    )


def _archived(policy: CheckpointPolicy, size: Quantity, saves: Quantity) -> Quantity:
    copies = derive(
        checkpoint.cold_copies_per_day, saves_per_day=saves, every_count=float(policy.cold_every_count)
    )
    return derive(
        tiers.archived_bytes,
        checkpoint_bytes=size,
        copies_per_day=copies,
        keep_days=policy.run_days if policy.cold_keep_all else policy.cold_keep_days,
        milestones_per_day=0.0 if policy.cold_keep_all else policy.milestones_per_day,
        run_days=policy.run_days,
    )


def _demand(context: Context, job: Job, path: str, gpus: Quantity) -> Quantity:
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
    if stream.basis == "samples":
        return derive(
            ingest.sample_read_bytes_per_s,
            sample_bytes=stream.sample_bytes,
            samples_per_s=stream.samples_per_s,
            gpu_count=gpus,
            utilisation_fraction=1.0,
            label="Read demand",
        )
    if stream.basis == "rate":
        return stated(stream.read_bytes_per_s, "read_bytes_per_s", "Read demand")
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
            ingest.tokens_per_s_from_flops,
            peak_flops=or_unknown(gpu.bf16_flops, "FLOP/s", "Peak of a GPU"),
            utilisation_fraction=job.ingest.flops_utilisation_fraction,
            active_parameter_count=job.model.active_parameter_count or job.model.parameter_count,
        ),
    )


def _ingest(
    context: Context, job: Job, path: str, nodes: Quantity, gpus: Quantity, gpus_per_node: Quantity
) -> IngestPlan:
    stream = job.ingest
    read = _demand(context, job, path, gpus)
    low, high = modality_range(context, stream.modality)
    dataset = stated(stream.dataset_bytes, "dataset_bytes", "Active dataset")
    refresh_s = stream.refresh_days * DAY_S
    staged = derive(
        ingest.staging_bytes_per_s, staged_bytes=dataset, refresh_s=refresh_s, label="Staging, written"
    )
    samples = derive(
        ingest.cluster_samples_per_s,
        read_bytes_per_s=read,
        sample_bytes=stream.sample_bytes if stream.basis == "samples" else stream.block_bytes,
    )
    guided: dict[str, Any] = {"gpu_count": gpus, "reference_gpu_count": GUIDE_GPUS}
    return IngestPlan(
        read_bytes_per_s=read,
        gpu_read_bytes_per_s=derive(
            ingest.share_bytes_per_s, read_bytes_per_s=read, part_count=gpus, label="Read demand of a GPU"
        ),
        node_read_bytes_per_s=derive(
            ingest.share_bytes_per_s, read_bytes_per_s=read, part_count=nodes, label="Read demand of a node"
        ),
        guide_low_bytes_per_s=derive(
            ingest.modality_read_bytes_per_s,
            label="The guide's read demand, low",
            reference_bytes_per_s=low,
            **guided,
        ),
        guide_high_bytes_per_s=derive(
            ingest.modality_read_bytes_per_s,
            label="The guide's read demand, high",
            reference_bytes_per_s=high,
            **guided,
        ),
        dataset_bytes=dataset,
        raw_dataset_bytes=stated(stream.raw_dataset_bytes, "raw_dataset_bytes", "Raw data"),
        staging_read_bytes_per_s=derive(
            ingest.staging_bytes_per_s,
            staged_bytes=stream.dataset_bytes / stream.expansion_ratio,
            refresh_s=refresh_s,
            label="Staging, read from raw data",
        ),
        staging_write_bytes_per_s=staged,
        staging_bytes_per_day=derive(tiers.per_day_bytes_per_day, rate_bytes_per_s=staged),
        prefetch_bytes=derive(
            ingest.prefetch_bytes,
            gpu_count=gpus_per_node,
            worker_count=float(stream.worker_count),
            prefetch_count=float(stream.prefetch_count),
            batch_count=float(stream.batch_count),
            decoded_sample_bytes=stream.decoded_sample_bytes,
        ),
        samples_per_s=samples,
        loader_core_count=derive(
            ingest.preprocess_core_count, samples_per_s=samples, sample_cpu_s=stream.sample_cpu_s
        ),
    )


def loader_advice(context: Context, job: JobPlan) -> tuple[str, ...]:
    """What to set in the data loader, one sentence a point."""
    stream, dataset = job.stream, job.ingest.dataset_bytes
    node = context.catalogue.find("gpu_nodes", context.scenario.cluster.node_id, field="cluster.node_id")
    memory = (
        (node.host_memory_bytes.number if node.host_memory_bytes else float("nan"))
        if context.scenario.cluster.host_memory_bytes is None
        else context.scenario.cluster.host_memory_bytes
    )
    fits = dataset.number <= memory * job.node_count.number * 0.5
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
