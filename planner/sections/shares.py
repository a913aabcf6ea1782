"""How much of a checkpoint the busiest rank and node write, and what a restart reads."""

from __future__ import annotations

from typing import Any

from planner.core.quantity import Quantity, derive, given
from planner.core.record import record
from planner.core.units import scalar
from planner.scenario import Job, Parallelism
from planner.sections.context import Choice, Context, stated
from planner.sections.recipe import Saved, weight_part
from planner.sizing import checkpoint, layout

PLAIN = Parallelism()
"""Nothing stated: shards are equal."""
STAGES = {
    0: "nothing sharded over replicas",
    1: "optimizer sharded over replicas (ZeRO-1)",
    2: "optimizer and gradients sharded over replicas (ZeRO-2)",
    3: "weights, gradients and optimizer sharded over replicas (ZeRO-3, FSDP)",
}
SINGLE_WRITER_BYTES_PER_S = 20e9 / 38
"""What one process reaches with torch.save on a parallel file system: torchsnapshot, 20 GB in 38 s."""


@record(frozen=True, slots=True)
class Ranks:
    """How the GPUs are divided.

    Attributes:
        sharding: Stage as a choice: its value is the number.
        rank_count: GPUs that take part; fewer than the job has where they do not divide.
        gpus_per_node_count: GPUs of a node.
    """

    tensor_parallel_count: Quantity
    pipeline_parallel_count: Quantity
    expert_parallel_count: Quantity
    data_parallel_count: Quantity
    rank_count: Quantity
    gpus_per_node_count: Quantity
    sharding: Choice
    restart: Choice

    @property
    def stage(self) -> int:
        """The sharding stage, 0 to 3."""
        return int(self.sharding.value)


@record(frozen=True, slots=True)
class Pieces:
    """What is saved, cut apart.

    Attributes:
        weight_bytes: Bytes of working weights per parameter.
        optimizer_bytes: Bytes of all else per parameter.
        rank_led_count: Parameters that the busiest rank is the first to hold.
        node_led_count: The same of all ranks of the busiest node.
        node_writer_count: Ranks of that node which are the first to hold dense parameters.
    """

    parameter_count: Quantity
    dense_parameter_count: Quantity
    expert_parameter_count: Quantity
    weight_bytes: Quantity
    optimizer_bytes: Quantity
    rank_led_count: Quantity
    node_led_count: Quantity
    node_writer_count: Quantity


@record(frozen=True, slots=True)
class Shares:
    """Bytes that the busiest rank and node write, and what a restart reads.

    Attributes:
        writer_bytes_per_s: What the processes of the busiest node write together; None if only ports limit.
        reader_count: Nodes that read at a restart, were each as busy as the busiest.
    """

    ranks: Ranks
    pieces: Pieces
    rank_bytes: Quantity
    node_bytes: Quantity
    writer_bytes_per_s: Quantity | None
    restart_bytes: Quantity
    restart_rank_bytes: Quantity
    restart_node_bytes: Quantity
    reader_count: Quantity


def shares(context: Context, job: Job, path: str, saved: Saved, gpus: Quantity, per_node: Quantity) -> Shares:
    """Shares of the busiest rank and node, from the parallelism as stated."""
    way = job.parallelism
    ranks = _ranks(context, way, path, gpus, per_node)
    pieces = pieces_of(job, saved, ranks)
    size = derive(
        checkpoint.size_bytes,
        parameter_count=saved.parameter_count,
        bytes_per_parameter=saved.bytes_per_parameter_bytes,
    )
    rank, node = _written(way, ranks, pieces, saved, size)
    restart_total, restart_rank, restart_node = _read(way, ranks, pieces, saved, size, (rank, node))
    return Shares(
        ranks=ranks,
        pieces=pieces,
        rank_bytes=rank,
        node_bytes=node,
        writer_bytes_per_s=_writer_rate(context, way, path, ranks, pieces),
        restart_bytes=restart_total,
        restart_rank_bytes=restart_rank,
        restart_node_bytes=restart_node,
        reader_count=derive(layout.reader_count, total_bytes=restart_total, node_bytes=restart_node),
    )


def _ranks(context: Context, way: Parallelism, path: str, gpus: Quantity, per_node: Quantity) -> Ranks:
    tensor = stated(scalar(way.tensor_parallel_count), "count", "Tensor parallelism")
    pipeline = stated(scalar(way.pipeline_parallel_count), "count", "Pipeline parallelism")
    expert = stated(scalar(way.expert_parallel_count), "count", "Expert parallelism")
    data = context.pick(
        f"{path}.parallelism.data_parallel_count",
        way.data_parallel_count,
        derive(
            layout.data_parallel_count,
            gpu_count=gpus,
            tensor_parallel_count=tensor,
            pipeline_parallel_count=pipeline,
            expert_parallel_count=expert,
        ),
    )
    return Ranks(
        tensor_parallel_count=tensor,
        pipeline_parallel_count=pipeline,
        expert_parallel_count=expert,
        data_parallel_count=data,
        rank_count=derive(
            layout.rank_count,
            tensor_parallel_count=tensor,
            pipeline_parallel_count=pipeline,
            data_parallel_count=data,
        ),
        gpus_per_node_count=per_node,
        sharding=_sharding(context, way, path),
        restart=_restart(context, way, path),
    )


def _sharding(context: Context, way: Parallelism, path: str) -> Choice:
    number = 3 if way.pipeline_parallel_count == 1 else 1
    why = (
        "without a pipeline all state can be sharded"
        if number == 3
        else "with a pipeline the optimizer is sharded, as in Megatron and MLPerf Storage"
    )
    choice = Choice(str(number), STAGES[number], why)
    context.auto[f"{path}.parallelism.sharding_stage"] = choice
    if way.sharding_stage is None:
        return choice
    return Choice(str(way.sharding_stage), STAGES[way.sharding_stage], "stated by the architect")


def _restart(context: Context, way: Parallelism, path: str) -> Choice:
    one = way.file_layout == "rank-0"
    choice = Choice(
        "broadcast" if one else "every-rank",
        "one reads and broadcasts" if one else "every rank reads what it holds",
        "one rank wrote all" if one else "replicas load for themselves unless told otherwise",
    )
    context.auto[f"{path}.parallelism.restart_read"] = choice
    if way.restart_read is None:
        return choice
    words = (
        "one reads and broadcasts" if way.restart_read == "broadcast" else "every rank reads what it holds"
    )
    return Choice(way.restart_read, words, "stated by the architect")


def pieces_of(job: Job, saved: Saved, ranks: Ranks) -> Pieces:
    """Parameters outside of and in experts, and those of the first stage and the busiest node."""
    model, way = job.model, job.parallelism
    whole = saved.parameter_count
    spread = 0.0 if saved.adapters or way.expert_parallel_count == 1 else model.expert_parameter_count or 0.0
    experts = stated(min(spread, whole.number), "count", "Parameters of experts, spread")
    dense = derive(
        layout.others_count, whole_count=whole, part_count=experts, label="Parameters outside of experts"
    )
    ends = 0.0 if saved.adapters else min(model.embedding_parameter_count or 0.0, dense.number)
    cut: dict[str, Any] = {
        "pipeline_parallel_count": ranks.pipeline_parallel_count,
        "layer_count": scalar(model.layer_count or way.pipeline_parallel_count),
        "parameter_count": dense,
        "embedding_parameter_count": ends,
    }
    weights = weight_part(saved, model)
    writers = _writers(way, ranks, 1.0)
    return Pieces(
        parameter_count=whole,
        dense_parameter_count=dense,
        expert_parameter_count=experts,
        weight_bytes=weights,
        optimizer_bytes=derive(
            layout.rest_bytes,
            whole_bytes=saved.bytes_per_parameter_bytes,
            part_bytes=weights,
            label="Optimizer state per parameter",
        ),
        rank_led_count=_led(ranks, experts, 1.0, 1.0, cut),
        node_led_count=_led(ranks, experts, writers, _writers(way, ranks, ranks.expert_parallel_count), cut),
        node_writer_count=writers,
    )


def _writers(way: Parallelism, ranks: Ranks, group: Quantity | float) -> Quantity:
    """Leading ranks of the busiest node, for dense parameters or for experts over a group of replicas."""
    common: dict[str, Any] = {
        "gpus_per_node_count": ranks.gpus_per_node_count,
        "run_count": derive(
            layout.rank_count,
            tensor_parallel_count=ranks.tensor_parallel_count,
            pipeline_parallel_count=1.0,
            data_parallel_count=group,
            label="Leading ranks of a stage",
        ),
        "pipeline_parallel_count": ranks.pipeline_parallel_count,
    }
    if way.rank_order == "pipeline-first":
        return derive(layout.packed_writer_count, **common)
    return derive(
        layout.spread_writer_count,
        tensor_parallel_count=ranks.tensor_parallel_count,
        data_parallel_count=ranks.data_parallel_count,
        **common,
    )


def _led(
    ranks: Ranks,
    experts: Quantity,
    writers: Quantity | float,
    expert_writers: Quantity | float,
    cut: dict[str, Any],
) -> Quantity:
    """Parameters that so many leading ranks of the first stages hold."""
    stages = derive(
        layout.stage_share_count, writer_count=writers, tensor_parallel_count=ranks.tensor_parallel_count
    )
    return derive(
        layout.leading_parameter_count,
        dense_parameter_count=derive(layout.first_stages_parameter_count, stage_count=stages, **cut),
        expert_writer_count=expert_writers,
        expert_parameter_count=experts,
        tensor_parallel_count=ranks.tensor_parallel_count,
        pipeline_parallel_count=ranks.pipeline_parallel_count,
        expert_parallel_count=ranks.expert_parallel_count,
    )


def _split(stage: int, pieces: Pieces, saved: Saved) -> tuple[Quantity, Quantity]:
    """Bytes per parameter that only the first replica holds, and those that all ranks share."""
    if stage == 0:
        return saved.bytes_per_parameter_bytes, _no_bytes("Shared by all ranks", "no state is sharded")
    if stage == 3:
        return _no_bytes(
            "Held whole by first holders", "all state is sharded"
        ), saved.bytes_per_parameter_bytes
    return pieces.weight_bytes, pieces.optimizer_bytes


def _no_bytes(label: str, source: str) -> Quantity:
    """The part of a save that its sharding leaves empty."""
    return given(0.0, "bytes", f"{label}, bytes per parameter", source=source, grade="seen")


def _part(
    ranks: Ranks,
    pieces: Pieces,
    led: Quantity,
    per: tuple[Quantity, Quantity],
    of: Quantity | float,
    label: str,
) -> Quantity:
    return derive(
        layout.part_bytes,
        label=label,
        leading_parameter_count=led,
        leading_bytes=per[0],
        parameter_count=pieces.parameter_count,
        shared_bytes=per[1],
        share_fraction=derive(layout.rank_share_fraction, part_count=of, whole_count=ranks.rank_count),
    )


def _written(
    way: Parallelism, ranks: Ranks, pieces: Pieces, saved: Saved, size: Quantity
) -> tuple[Quantity, Quantity]:
    """Bytes that the busiest rank and the busiest node write, before copies by the job itself."""
    if way.file_layout == "rank-0":
        return renamed(size, "Written by the busiest rank"), renamed(size, "Written by the busiest node")
    per = _split(3 if way.file_layout == "even-shards" else ranks.stage, pieces, saved)
    return (
        _part(ranks, pieces, pieces.rank_led_count, per, 1.0, "Written by the busiest rank"),
        _part(
            ranks,
            pieces,
            pieces.node_led_count,
            per,
            ranks.gpus_per_node_count,
            "Written by the busiest node",
        ),
    )


def _read(
    way: Parallelism,
    ranks: Ranks,
    pieces: Pieces,
    saved: Saved,
    size: Quantity,
    written: tuple[Quantity, Quantity],
) -> tuple[Quantity, Quantity, Quantity]:
    """Bytes that a restart reads: all ranks together, the busiest rank, the busiest node."""
    labels = ("Read at a restart", "Read by the busiest rank", "Read by the busiest node")
    if ranks.restart.value == "broadcast":
        rank, node = written
        return renamed(size, labels[0]), renamed(rank, labels[1]), renamed(node, labels[2])
    if way.file_layout == "rank-0":
        rank = renamed(size, labels[1])
        every = derive(
            checkpoint.copies_bytes,
            checkpoint_bytes=size,
            application_copies_count=ranks.rank_count,
            label=labels[0],
        )
    else:
        per = _split(ranks.stage, pieces, saved)
        rank = _part(ranks, pieces, pieces.rank_led_count, per, 1.0, labels[1])
        every = derive(
            layout.restart_bytes,
            dense_parameter_count=pieces.dense_parameter_count,
            expert_parameter_count=pieces.expert_parameter_count,
            data_parallel_count=ranks.data_parallel_count,
            expert_parallel_count=ranks.expert_parallel_count,
            leading_bytes=per[0],
            shared_bytes=per[1],
        )
    node = derive(
        layout.node_read_bytes,
        rank_bytes=rank,
        gpus_per_node_count=ranks.gpus_per_node_count,
        total_bytes=every,
        label=labels[2],
    )
    return every, rank, node


def renamed(item: Quantity, label: str) -> Quantity:
    """The same figure under another label."""
    return Quantity(item.value, item.unit, label, item.formula, item.inputs, item.source, item.grade)


def _writer_rate(
    context: Context, way: Parallelism, path: str, ranks: Ranks, pieces: Pieces
) -> Quantity | None:
    """What the processes of the busiest node write together, where that is limited."""
    one = way.file_layout == "rank-0"
    rate = context.pick(
        f"{path}.parallelism.writer_bytes_per_s",
        way.writer_bytes_per_s,
        given(
            SINGLE_WRITER_BYTES_PER_S,
            "bytes/s",
            "Write rate of one process",
            source="torchsnapshot: torch.save of 20 GB takes 38 s on any number of nodes",
            grade="seen",
        )
        if one
        else given(
            float("inf"), "bytes/s", "Write rate of one process", source="no limit stated", grade="seen"
        ),
    )
    if rate.number == float("inf"):
        return None
    alone = way.file_layout == "zero-files" and ranks.stage == 0
    writers: Quantity | float = (
        1.0 if one else pieces.node_writer_count if alone else ranks.gpus_per_node_count
    )
    return derive(layout.writers_bytes_per_s, writer_count=writers, writer_bytes_per_s=rate)
