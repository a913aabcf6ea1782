"""Remarks on parallelism, files of a checkpoint and GPU memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix
from planner.core.tracing import wording
from planner.core.units import counted, format_number
from planner.findings.rules import RULES_PAGE, TOLERANCE, each_job, rule
from planner.scenario import Job, Parallelism
from planner.sections.shares import PLAIN

if TYPE_CHECKING:
    from planner.plan import JobResult, Plan

BENCHMARK = "workload facts, 1.1: checkpoints of MLPerf Storage"
SPLIT = "workload facts, 3: bytes per parameter"
NODE_STAGES = ("node ports", "copy out of GPU memory")
"""Stages of a save that the busiest node decides."""
UNEVEN_RATIO = 1.01
"""Busiest node over the average from which shards count as uneven."""
DEGREES = ("tensor_parallel_count", "pipeline_parallel_count", "expert_parallel_count")
MOST = (1024, 1024, 4096)
"""Largest degrees that the inputs take."""


def _stated(plan: Plan) -> Iterator[tuple[JobResult, str, Job]]:
    """Every job with the words that name it and what was stated for it."""
    for (result, who), job in zip(each_job(plan), plan.scenario.jobs, strict=True):
        yield result, who, job


def _near_divisor(number: int, wanted: int, most: int) -> int:
    """The divisor of a number that is nearest in ratio to the wanted one."""
    low = [part for part in range(1, math.isqrt(number) + 1) if number % part == 0]
    found = [part for small in low for part in (small, number // small) if part <= most]
    return min(found, key=lambda part: (abs(math.log(part / wanted)), -part))


def nearest_degrees(gpus: int, degrees: tuple[int, int, int]) -> tuple[int, int, int]:
    """Tensor, pipeline and expert parallelism that divide the GPUs, changed in one place if that is enough.

    Args:
        gpus: GPUs of the job.
        degrees: The three degrees as stated.
    """
    whole, single = math.prod(degrees), []
    for place, degree in enumerate(degrees):
        others = whole // degree
        if gpus % others == 0:
            near = _near_divisor(gpus // others, degree, MOST[place])
            single.append((abs(math.log(near / degree)), (*degrees[:place], near, *degrees[place + 1 :])))
    if single:
        tensor, pipeline, expert = min(single)[1]
        return tensor, pipeline, expert
    tensor = _near_divisor(gpus, degrees[0], MOST[0])
    pipeline = _near_divisor(gpus // tensor, degrees[1], MOST[1])
    return tensor, pipeline, _near_divisor(gpus // tensor // pipeline, degrees[2], MOST[2])


@rule
def division(plan: Plan) -> Iterator[Finding]:
    """LAY-1: degrees of parallelism that do not divide the GPUs."""
    for result, who, job in _stated(plan):
        way, gpus, ranks = (
            job.parallelism,
            result.job.gpu_count.number,
            result.basis.found.ranks.rank_count.number,
        )
        replica = way.tensor_parallel_count * way.pipeline_parallel_count * way.expert_parallel_count
        if gpus % replica != 0 or ranks != gpus:
            yield _undivided(result, who, way)


@wording
def _undivided(result: JobResult, who: str, way: Parallelism) -> Finding:
    """LAY-1, with the nearest degrees that divide."""
    gpus, ranks = int(result.job.gpu_count.number), int(result.basis.found.ranks.rank_count.number)
    path = f"{result.job.path}.parallelism"
    degrees = (way.tensor_parallel_count, way.pipeline_parallel_count, way.expert_parallel_count)
    near = nearest_degrees(gpus, degrees)
    fixes = tuple(
        Fix(f"{path}.{name}", new, f"{name.partition('_')[0]} parallelism {new}")
        for name, old, new in zip(DEGREES, degrees, near, strict=True)
        if new != old
    )
    if way.data_parallel_count is not None:
        fixes = (*fixes, Fix(f"{path}.data_parallel_count", None, "let data parallelism follow"))
    return Finding(
        "LAY-1",
        "blocker",
        f"{who}{_product(way)} {_against(ranks, gpus)}.",
        f"The nearest that divide: tensor {near[0]}, pipeline {near[1]}, expert {near[2]}, with data parallelism "
        f"{format_number(gpus // (near[0] * near[1]))}.",
        "bookkeeping of the layout: tensor × pipeline × data parallelism are the GPUs",
        "checkpoint",
        fixes,
    )


def _product(way: Parallelism) -> str:
    words = f"tensor {way.tensor_parallel_count} × pipeline {way.pipeline_parallel_count}"
    if way.data_parallel_count is not None:
        return f"{words} × data {way.data_parallel_count}, experts over {way.expert_parallel_count},"
    return f"{words} × expert {way.expert_parallel_count}"


def _against(ranks: int, gpus: int) -> str:
    if ranks > gpus:
        return f"need {counted(ranks, 'GPU')}; the job has {format_number(gpus)}"
    if ranks < gpus:
        idle = counted(gpus - ranks, "GPU")
        return f"do not divide the {counted(gpus, 'GPU')} of the job: {idle} would stay idle"
    return f"do not divide the {counted(gpus, 'GPU')} of the job"


@rule
def gpu_memory(plan: Plan) -> Iterator[Finding]:
    """LAY-2: training state above the memory of a GPU."""
    for result, who, job in _stated(plan):
        found = result.basis
        high, memory = found.state_high_bytes, found.gpu_memory_bytes
        if high.number <= memory.number * TOLERANCE:
            continue
        low, least = found.state_low_bytes(), found.least_state_bytes()
        over = low.number > memory.number * TOLERANCE
        sharded = least.number <= memory.number
        yield Finding(
            "LAY-2",
            "blocker" if over and job.parallelism != PLAIN else "warning",
            f"{who}training state takes {low} to {high} of each GPU's {memory}, before activations; the checkpoint "
            f"has {result.job.checkpoint.size_bytes}.",
            f"Shard over all replicas: {least}."
            if sharded
            else "Use more GPUs, cut the model over more of them, or keep the optimizer in host memory.",
            SPLIT + ", in GPU memory",
            "checkpoint",
            (
                Fix(
                    f"{result.job.path}.parallelism.sharding_stage",
                    3,
                    "shard weights, gradients and optimizer",
                ),
            )
            if sharded
            else (),
        )


@rule
def writers(plan: Plan) -> Iterator[Finding]:
    """LAY-3 and LAY-4: one rank, or one node, that decides how long a save takes."""
    for result, who, job in _stated(plan):
        if result.save.binding not in NODE_STAGES:
            continue
        found, path = result.layout, f"{result.job.path}.parallelism.file_layout"
        save = result.save.save_s
        if job.parallelism.file_layout == "rank-0":
            rate = result.job.checkpoint.writer_bytes_per_s
            at = f" at {rate}" if rate is not None else ""
            yield Finding(
                "LAY-3",
                "warning",
                f"{who}one rank writes all {found.busiest_rank_bytes}{at}: a save takes {save}, whatever the storage; "
                f"every other stage is shorter, the next takes {result.save.stages[result.save.following]}.",
                f"Let every rank write its shard: {found.mean_node_bytes} for each node.",
                "torchsnapshot: a single-process save does not scale with storage",
                "checkpoint",
                (Fix(path, "zero-files", "a file for each rank"),),
            )
        elif found.busiest_ratio.number > UNEVEN_RATIO:
            yield Finding(
                "LAY-4",
                "warning",
                f"{who}the busiest node writes {found.busiest_node_bytes}, the average one {found.mean_node_bytes}; it decides "
                f"the save of {save}.",
                "Let replicas share the writing of what they hold alike.",
                BENCHMARK,
                "checkpoint",
                (Fix(path, "even-shards", "equal shards of all ranks"),),
            )


@rule
def pipeline(plan: Plan) -> Iterator[Finding]:
    """LAY-5 and LAY-6: a pipeline with more stages than layers, or with weights sharded over replicas."""
    for result, who, job in _stated(plan):
        way, layers = job.parallelism, job.model.layer_count
        stages, path = way.pipeline_parallel_count, f"{result.job.path}.parallelism"
        if layers is not None and stages > layers:
            fitting = _fitting(result, way, layers)
            yield Finding(
                "LAY-5",
                "blocker",
                f"{who}a pipeline of {format_number(stages)} stages cannot be cut from {counted(layers, 'layer')}.",
                f"Use at most {counted(fitting, 'stage')}.",
                BENCHMARK,
                "checkpoint",
                (Fix(f"{path}.pipeline_parallel_count", fitting, counted(fitting, "stage")),),
            )
        if stages > 1 and way.sharding_stage == 3:
            yield Finding(
                "LAY-6",
                "note",
                f"{who}weights are sharded over replicas in a pipeline of {format_number(stages)} stages; DeepSpeed and "
                "MLPerf Storage do that without a pipeline only.",
                "Shard the optimizer alone, or make sure that the framework can do both.",
                BENCHMARK,
                "checkpoint",
                (Fix(f"{path}.sharding_stage", 1, "shard the optimizer alone"),),
            )


@wording
def _fitting(result: JobResult, way: Parallelism, layers: int) -> int:
    """The most stages that the layers can be cut into and that divide the GPUs."""
    rest = int(result.job.gpu_count.number) // (way.tensor_parallel_count * way.expert_parallel_count)
    return next((number for number in range(layers, 0, -1) if rest % number == 0), 1)


@rule
def parts(plan: Plan) -> Iterator[Finding]:
    """LAY-7 to LAY-9: parts of a model that are larger than it, not stated or assumed."""
    for result, who, job in _stated(plan):
        model, path = job.model, f"{result.job.path}.model"
        experts, ends = model.expert_parameter_count, model.embedding_parameter_count
        whole = model.parameter_count
        if (experts or 0.0) + (ends or 0.0) > whole * TOLERANCE:
            larger = "expert" if (experts or 0.0) >= (ends or 0.0) else "embedding"
            yield Finding(
                "LAY-7",
                "blocker",
                f"{who}experts ({format_number(experts or 0.0)}) and embeddings ({format_number(ends or 0.0)}) have more "
                f"parameters than the model ({format_number(whole)}).",
                f"State at most {format_number(whole)} for both together.",
                RULES_PAGE,
                "checkpoint",
                (Fix(f"{path}.{larger}_parameter_count", None, f"leave the {larger}s out"),),
            )
        if job.parallelism.expert_parallel_count > 1 and experts is None:
            yield Finding(
                "LAY-8",
                "note",
                f"{who}experts are spread over {job.parallelism.expert_parallel_count} replicas, but their parameters are "
                "not stated: all count as dense.",
                "State the parameters of the experts.",
                "Megatron-Bridge 3744: dense layers and experts are cut apart",
                "checkpoint",
            )
        shape = (model.layer_count, model.hidden_count)
        if result.basis.saved.adapters and model.adapter_parameter_count is None and None in shape:
            yield Finding(
                "LAY-9",
                "note",
                f"{who}LoRA saves adapters alone, and their number is an assumption: "
                f"{result.layout.saved_parameter_count} of {format_number(whole)} parameters.",
                "State the parameters of the adapters, or layers and hidden width.",
                SPLIT,
                "checkpoint",
            )
