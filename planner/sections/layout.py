"""Files of a checkpoint, who writes and reads them, and what a GPU holds meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from planner.core.quantity import Quantity, derive, given, total
from planner.core.tracing import wording
from planner.core.units import format_number, scalar
from planner.scenario import Job, Parallelism
from planner.sections.context import Choice, Context, stated
from planner.sections.recipe import Held, Saved, held_state, record_components, saved_state
from planner.sections.shares import STAGES, Pieces, Ranks, Shares, pieces_of, renamed, shares
from planner.sizing import checkpoint, layout

if TYPE_CHECKING:
    from planner.sections.jobs import JobPlan


@dataclass(frozen=True, slots=True)
class FileGroup:
    """Files of one kind: how many, how large, and who writes them."""

    content: str
    count: Quantity
    size_bytes: Quantity
    writers: str


@dataclass(frozen=True, slots=True)
class LayoutPlan:
    """Files of a checkpoint, the busiest writers and readers, and GPU memory beside them.

    Attributes:
        description: Degrees of parallelism and sharding in words.
        writers: Which ranks write, in words.
        readers: Which ranks read at a restart, in words.
        files: Files by kind; their sizes add up to the checkpoint.
        busiest_ratio: Bytes of the busiest node over those of the average one.
        state_low_bytes: Training state on the fullest GPU, with the recipe's smallest gradients.
        state_high_bytes: The same with the largest.
        least_state_bytes: The same, were everything sharded over all replicas.
        gpu_memory_bytes: What the GPU has; activations need the rest.
        adapters: Whether adapters alone are saved.
    """

    description: str
    writers: str
    readers: str
    tensor_parallel_count: Quantity
    pipeline_parallel_count: Quantity
    expert_parallel_count: Quantity
    data_parallel_count: Quantity
    rank_count: Quantity
    files: tuple[FileGroup, ...]
    file_count: Quantity
    saved_parameter_count: Quantity
    weight_bytes: Quantity
    optimizer_bytes: Quantity
    busiest_rank_bytes: Quantity
    busiest_node_bytes: Quantity
    mean_node_bytes: Quantity
    busiest_ratio: Quantity
    restart_bytes: Quantity
    restart_rank_bytes: Quantity
    restart_node_bytes: Quantity
    state_low_bytes: Quantity
    state_high_bytes: Quantity
    least_state_bytes: Quantity
    gpu_memory_bytes: Quantity
    memory_fraction: Quantity
    adapters: bool


@dataclass(frozen=True, slots=True)
class LayoutBasis:
    """What the review asks of every layout, and the rest of it is made from.

    Attributes:
        job: The job as it is stated.
        saved: What is saved of each parameter.
        held: What a GPU holds of each trained parameter.
        found: What the busiest rank and node write and read.
        state_high_bytes: As in `LayoutPlan`.
        gpu_memory_bytes: The same.
    """

    job: Job
    saved: Saved
    held: Held
    found: Shares
    state_high_bytes: Quantity
    gpu_memory_bytes: Quantity

    def state_low_bytes(self) -> Quantity:
        """Training state on the fullest GPU with the smallest gradients; computed each time it is asked for."""
        return _state(self.job, self.saved, self.held, self.found, high=False)

    def least_state_bytes(self) -> Quantity:
        """The same with the largest gradients, were everything sharded; computed each time it is asked for."""
        ranks = replace(self.found.ranks, sharding=Choice("3", STAGES[3], ""))
        least = _state(self.job, self.saved, self.held, replace(self.found, ranks=ranks))
        return renamed(least, "Training state on a GPU, all sharded")


def layout_basis(context: Context, plan: JobPlan) -> LayoutBasis:
    """Shares and GPU memory of a job as stated; with nothing stated, equal shards of all ranks."""
    job = context.scenario.jobs[int(plan.path.rpartition(".")[2])]
    saved = saved_state(context, job, plan.path)
    per_node = plan.gpus_per_node_count
    found = shares(context, job, plan.path, saved, plan.gpu_count, per_node)
    node = context.catalogue.find("gpu_nodes", context.scenario.cluster.node_id, field="cluster.node_id")
    memory = context.catalogue.find("gpus", node.gpu_id, field="cluster.node_id").memory_bytes
    record_components(context, saved, job.model, plan.path)
    held = held_state(context, saved, job.model, plan.path)
    return LayoutBasis(job, saved, held, found, _state(job, saved, held, found), memory)


def layout_plan(plan: JobPlan, basis: LayoutBasis) -> LayoutPlan:
    """Layout of a job's checkpoint, files and words included.

    Args:
        plan: The job.
        basis: What `layout_basis` gives for it.
    """
    job, saved, found = basis.job, basis.saved, basis.found
    high, memory = basis.state_high_bytes, basis.gpu_memory_bytes
    files = _files(job, found, saved)
    mean = derive(
        checkpoint.shard_bytes,
        checkpoint_bytes=plan.checkpoint.size_bytes,
        writer_count=plan.node_count,
        label="Written by the average node",
    )
    ranks = found.ranks
    return LayoutPlan(
        description=_described(ranks),
        writers=_who_writes(job.parallelism, ranks),
        readers=_who_reads(job.parallelism, ranks, found),
        tensor_parallel_count=ranks.tensor_parallel_count,
        pipeline_parallel_count=ranks.pipeline_parallel_count,
        expert_parallel_count=ranks.expert_parallel_count,
        data_parallel_count=ranks.data_parallel_count,
        rank_count=ranks.rank_count,
        files=files,
        file_count=total([group.count for group in files], "Files of a checkpoint", unit="count"),
        saved_parameter_count=renamed(saved.parameter_count, "Parameters saved"),
        weight_bytes=_bytes(saved.parameter_count, found.pieces.weight_bytes, "Weights in the checkpoint"),
        optimizer_bytes=_bytes(
            saved.parameter_count, found.pieces.optimizer_bytes, "Optimizer state in the checkpoint"
        ),
        busiest_rank_bytes=found.rank_bytes,
        busiest_node_bytes=found.node_bytes,
        mean_node_bytes=mean,
        busiest_ratio=derive(
            checkpoint.size_ratio,
            checkpoint_bytes=found.node_bytes,
            reference_bytes=mean,
            label="Busiest node over the average",
        ),
        restart_bytes=found.restart_bytes,
        restart_rank_bytes=found.restart_rank_bytes,
        restart_node_bytes=found.restart_node_bytes,
        state_low_bytes=basis.state_low_bytes(),
        state_high_bytes=high,
        least_state_bytes=basis.least_state_bytes(),
        gpu_memory_bytes=memory,
        memory_fraction=derive(
            layout.memory_fraction, state_bytes=high, gpu_memory_bytes=memory, label="Share of GPU memory"
        ),
        adapters=saved.adapters,
    )


def _bytes(parameters: Quantity, each: Quantity, label: str) -> Quantity:
    return derive(checkpoint.size_bytes, parameter_count=parameters, bytes_per_parameter=each, label=label)


# --- files --------------------------------------------------------------------------------------------------


def _files(job: Job, found: Shares, saved: Saved) -> tuple[FileGroup, ...]:
    """Files by kind, none of them empty."""
    way, ranks, pieces = job.parallelism, found.ranks, found.pieces
    each, everyone = saved.bytes_per_parameter_bytes, ranks.rank_count
    if way.file_layout == "rank-0":
        one = stated(1.0, "count", "Files")
        groups = [_group("whole checkpoint", one, pieces.parameter_count, each, "rank 0")]
    elif way.file_layout == "even-shards":
        groups = [_group("shard of all state", everyone, pieces.parameter_count, each, "every rank")]
    elif ranks.stage == 3:
        groups = [
            _group("shard of weights", everyone, pieces.parameter_count, pieces.weight_bytes, "every rank"),
            _group(
                "shard of optimizer", everyone, pieces.parameter_count, pieces.optimizer_bytes, "every rank"
            ),
        ]
    else:
        groups = [*_weight_files(job, found, saved), *_optimizer_files(found)]
    return tuple(group for group in groups if group.size_bytes.number > 0)


def _group(
    content: str, count: Quantity, parameters: Quantity, each: Quantity | float, writers: str
) -> FileGroup:
    """Files that share so many parameters evenly."""
    whole = derive(checkpoint.size_bytes, parameter_count=parameters, bytes_per_parameter=each)
    size = derive(
        checkpoint.shard_bytes, checkpoint_bytes=whole, writer_count=count, label=f"File: {content}"
    )
    return FileGroup(content, renamed(count, f"Files: {content}"), size, writers)


def _holders(ranks: Ranks, *, experts: bool = False) -> Quantity:
    """Ranks that lead a part of the model: a replica's, or all that hold different experts."""
    return derive(
        layout.rank_count,
        tensor_parallel_count=ranks.tensor_parallel_count,
        pipeline_parallel_count=ranks.pipeline_parallel_count,
        data_parallel_count=ranks.expert_parallel_count if experts else 1.0,
        label="Ranks that lead experts" if experts else "Ranks of the first replica",
    )


def _weight_files(job: Job, found: Shares, saved: Saved) -> list[FileGroup]:
    """Weights of the first replica: by layer in a pipeline whose layers are known, else one file a rank."""
    ranks, pieces, model = found.ranks, found.pieces, job.model
    weights, first = pieces.weight_bytes, "ranks of the first replica"
    if job.parallelism.pipeline_parallel_count > 1 and model.layer_count is not None:
        groups = _layer_files(job, found, saved, scalar(model.layer_count))
    else:
        groups = [_group("weights", _holders(ranks), pieces.dense_parameter_count, weights, first)]
    experts = _group(
        "weights of experts",
        _holders(ranks, experts=True),
        pieces.expert_parameter_count,
        weights,
        "first holders of the experts",
    )
    return [*groups, experts]


def _layer_files(job: Job, found: Shares, saved: Saved, layers: float) -> list[FileGroup]:
    """A file for each layer, embedding, output head and last norm on each tensor rank, as far as they are known."""
    ranks, dense, model = found.ranks, found.pieces.dense_parameter_count, job.model
    known = model.embedding_parameter_count is not None and not saved.adapters
    ends = min(model.embedding_parameter_count or 0.0, dense.number) if known else 0.0
    norm = scalar(min(model.hidden_count or 0, dense.number - ends)) if known else 0.0
    blocks = derive(
        layout.others_count, whole_count=dense, part_count=ends + norm, label="Parameters of the layers"
    )
    parts = (
        ("layer", layers, blocks),
        ("embedding and output head", 2.0, stated(ends, "count", "Parameters of embeddings")),
        ("last norm", 1.0, stated(norm, "count", "Parameters of the last norm")),
    )
    return [
        _group(
            f"weights, {name}",
            derive(
                layout.rank_count,
                tensor_parallel_count=ranks.tensor_parallel_count,
                pipeline_parallel_count=1.0,
                data_parallel_count=number,
            ),
            parameters,
            found.pieces.weight_bytes,
            "ranks of the first replica",
        )
        for name, number, parameters in parts
    ]


def _optimizer_files(found: Shares) -> list[FileGroup]:
    ranks, pieces = found.ranks, found.pieces
    each = pieces.optimizer_bytes
    if ranks.stage > 0:
        return [_group("shard of optimizer", ranks.rank_count, pieces.parameter_count, each, "every rank")]
    return [
        _group(
            "optimizer",
            _holders(ranks),
            pieces.dense_parameter_count,
            each,
            "ranks of the first replica",
        ),
        _group(
            "optimizer of experts",
            _holders(ranks, experts=True),
            pieces.expert_parameter_count,
            each,
            "first holders of the experts",
        ),
    ]


# --- memory and words ---------------------------------------------------------------------------------------


def _state(job: Job, saved: Saved, held: Held, found: Shares, *, high: bool = True) -> Quantity:
    """Training state on the fullest GPU: with the largest or with the smallest gradients."""
    gradient = held.gradient_high_bytes if high else held.gradient_low_bytes
    base: list[Quantity] = []
    if saved.adapters:
        frozen = Saved(
            saved.recipe, saved.model_parameter_count, saved.model_parameter_count, held.weight_bytes
        )
        whole = pieces_of(job, frozen, found.ranks)
        gradients, optimizer = (
            given(
                0.0,
                "bytes",
                f"{part} of frozen weights, per parameter",
                source="frozen weights",
                grade="seen",
            )
            for part in ("Gradients", "Optimizer")
        )
        base = [_on_gpu(found.ranks, whole, (held.weight_bytes, gradients, optimizer), "Frozen base model")]
    trained = _on_gpu(
        found.ranks, found.pieces, (held.weight_bytes, gradient, held.optimizer_bytes), "Trained state"
    )
    return total([trained, *base], f"Training state on a GPU, {'high' if high else 'low'}", unit="bytes")


def _on_gpu(ranks: Ranks, pieces: Pieces, parts: tuple[Quantity, Quantity, Quantity], label: str) -> Quantity:
    """Memory of one rank: weights, gradients and optimizer, of which the stage says what is sharded."""
    kept = 3 - ranks.stage  # the optimizer is sharded first, then gradients, then weights
    replicated = total(parts[:kept], "Whole on each replica, per parameter", unit="bytes")
    sharded = total(parts[kept:], "Sharded over replicas, per parameter", unit="bytes")
    replicas = derive(
        layout.stage_share_count,
        writer_count=ranks.data_parallel_count,
        tensor_parallel_count=ranks.expert_parallel_count,
        label="Replicas of an expert",
    )
    experts = derive(
        layout.leading_parameter_count,
        dense_parameter_count=0.0,
        expert_writer_count=1.0,
        expert_parameter_count=pieces.expert_parameter_count,
        tensor_parallel_count=ranks.tensor_parallel_count,
        pipeline_parallel_count=ranks.pipeline_parallel_count,
        expert_parallel_count=ranks.expert_parallel_count,
        label="Parameters of experts on a GPU",
    )
    dense = derive(
        layout.others_count,
        whole_count=pieces.rank_led_count,
        part_count=experts,
        label="Dense parameters on a GPU",
    )
    return derive(
        layout.gpu_state_bytes,
        label=label,
        dense_parameter_count=dense,
        dense_bytes=derive(
            checkpoint.rank_state_bytes,
            replicated_bytes=replicated,
            sharded_bytes=sharded,
            data_parallel_count=ranks.data_parallel_count,
        ),
        expert_parameter_count=experts,
        expert_bytes=derive(
            checkpoint.rank_state_bytes,
            replicated_bytes=replicated,
            sharded_bytes=sharded,
            data_parallel_count=replicas,
        ),
    )


@wording
def _described(ranks: Ranks) -> str:
    degrees = {
        "tensor": ranks.tensor_parallel_count,
        "pipeline": ranks.pipeline_parallel_count,
        "data": ranks.data_parallel_count,
    }
    words = " × ".join(f"{name} {item}" for name, item in degrees.items())
    experts = ranks.expert_parallel_count
    spread = f", experts over {experts} of the replicas" if experts.number > 1 else ""
    return f"{words} = {ranks.rank_count} ranks{spread}; {ranks.sharding.label}"


@wording
def _who_writes(way: Parallelism, ranks: Ranks) -> str:
    everyone = format_number(ranks.rank_count.number)
    if way.file_layout == "rank-0":
        return f"rank 0 gathers and writes everything; the other {format_number(ranks.rank_count.number - 1)} wait"
    if way.file_layout == "even-shards" or ranks.stage == 3:
        return f"all {everyone} ranks write equal shards"
    leaders = format_number(_holders(ranks, experts=True).number)
    if ranks.stage == 0:
        return f"the {leaders} ranks that hold a part first write it; the others write nothing"
    return f"{leaders} of {everyone} ranks write weights, all write their shard of the optimizer"


@wording
def _who_reads(way: Parallelism, ranks: Ranks, found: Shares) -> str:
    everyone = format_number(ranks.rank_count.number)
    if ranks.restart.value == "broadcast":
        reader = "rank 0 reads everything" if way.file_layout == "rank-0" else "each rank reads what it wrote"
        return f"{reader} and sends it on: {found.restart_bytes} in all"
    return f"all {everyone} ranks read what they hold, up to {found.restart_rank_bytes} each: {found.restart_bytes} in all"
