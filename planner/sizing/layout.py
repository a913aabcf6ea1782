"""How a checkpoint lies in files: which rank writes and reads how much, and what a GPU holds meanwhile.

A rank is one GPU of the job. The model is cut over tensor, pipeline and expert parallelism; ranks that
hold the same part are data-parallel replicas of each other. State that is not sharded over the replicas
is written by the first of them, the leading one; sharded state is written by all ranks alike.
"""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_BENCHMARK = "MLPerf Storage checkpointing, as DLIO lays it out; workload facts, section 1.1"
_S3 = "workload facts, section 3: bytes per parameter by training recipe"
_BOOKKEEPING = "bookkeeping of the layout"
_MASTER_AND_MOMENTS = 3.0
"""Tensors of an AdamW optimizer in the benchmark: master weights and two moments."""
_PADDING_HIDDEN = 5.0
"""Hidden widths by which the benchmark pads each of them on each rank."""
_HALF_BYTES, _FULL_BYTES = 2.0, 4.0
"""Bytes of a number in 16 and in 32 bits."""


# --- ranks --------------------------------------------------------------------------------------------------


@formula(
    r"d = e \max\left(1, \left\lfloor \frac{G}{t\,p\,e} \right\rfloor\right)",
    unit="count",
    label="Data-parallel replicas",
    source=_BOOKKEEPING,
    symbols={
        "gpu_count": "G",
        "tensor_parallel_count": "t",
        "pipeline_parallel_count": "p",
        "expert_parallel_count": "e",
    },
    validity="experts are spread over data-parallel ranks, as in Megatron and DeepSpeed",
)
def data_parallel_count(
    gpu_count: Number,
    *,
    tensor_parallel_count: Number,
    pipeline_parallel_count: Number,
    expert_parallel_count: Number,
) -> Number:
    """Replicas of the dense part of a model that the GPUs hold; what does not divide stays idle.

    Args:
        gpu_count: GPUs of the job.
        tensor_parallel_count: GPUs that share each layer.
        pipeline_parallel_count: Stages of the pipeline.
        expert_parallel_count: Replicas that share the experts among them; 1 for a dense model.

    Example:
        >>> float(data_parallel_count(512.0, tensor_parallel_count=8.0, pipeline_parallel_count=32.0,
        ...     expert_parallel_count=1.0))
        2.0
    """
    group = tensor_parallel_count * pipeline_parallel_count * expert_parallel_count
    fitting: Number = elementwise.floor(gpu_count / group + elementwise.TOLERANCE)
    return expert_parallel_count * elementwise.maximum(fitting, 1.0)


@formula(
    r"R = t\,p\,d",
    unit="count",
    label="Ranks",
    source=_BOOKKEEPING,
    symbols={"tensor_parallel_count": "t", "pipeline_parallel_count": "p", "data_parallel_count": "d"},
)
def rank_count(
    tensor_parallel_count: Number, *, pipeline_parallel_count: Number, data_parallel_count: Number
) -> Number:
    """GPUs that take part: tensor times pipeline times data parallelism.

    Args:
        tensor_parallel_count: GPUs that share each layer.
        pipeline_parallel_count: Stages of the pipeline.
        data_parallel_count: Replicas.

    Example:
        >>> float(rank_count(8.0, pipeline_parallel_count=64.0, data_parallel_count=2.0))
        1024.0
    """
    return tensor_parallel_count * pipeline_parallel_count * data_parallel_count


@formula(
    r"x = \min\left(\frac{n}{N},\ 1\right)",
    unit="fraction",
    label="Share of the ranks",
    source=_BOOKKEEPING,
    symbols={"part_count": "n", "whole_count": "N"},
)
def rank_share_fraction(part_count: Number, *, whole_count: Number) -> Number:
    """Share of all ranks that a part of them is.

    Args:
        part_count: Ranks of the part: 1, or those of a node.
        whole_count: All ranks.

    Example:
        >>> float(rank_share_fraction(8.0, whole_count=512.0))
        0.015625
    """
    share: Number = elementwise.minimum(part_count / whole_count, 1.0)
    return share


@formula(
    r"W = \min\left(r \left\lfloor \frac{g}{t\,d} \right\rfloor + \min\left(r,\ g - t\,d"
    r"\left\lfloor \frac{g}{t\,d} \right\rfloor\right),\ r\,p\right)",
    unit="count",
    label="Leading ranks of the busiest node",
    source="Megatron and DeepSpeed number ranks tensor first, then data, then pipeline",
    symbols={
        "gpus_per_node_count": "g",
        "run_count": "r",
        "tensor_parallel_count": "t",
        "data_parallel_count": "d",
        "pipeline_parallel_count": "p",
    },
    validity="a node holds consecutive ranks",
)
def spread_writer_count(
    gpus_per_node_count: Number,
    *,
    run_count: Number,
    tensor_parallel_count: Number,
    data_parallel_count: Number,
    pipeline_parallel_count: Number,
) -> Number:
    """Leading ranks of one node if each pipeline stage has its replicas side by side.

    Args:
        gpus_per_node_count: GPUs of a node.
        run_count: Leading ranks that stand together: tensor, or for experts tensor times expert parallelism.
        tensor_parallel_count: GPUs that share each layer.
        data_parallel_count: Replicas.
        pipeline_parallel_count: Stages of the pipeline.

    Example:
        >>> float(spread_writer_count(8.0, run_count=2.0, tensor_parallel_count=2.0,
        ...     data_parallel_count=16.0, pipeline_parallel_count=4.0))
        2.0
    """
    block = tensor_parallel_count * data_parallel_count
    blocks: Number = elementwise.floor(gpus_per_node_count / block + elementwise.TOLERANCE)
    rest = elementwise.minimum(run_count, gpus_per_node_count - block * blocks)
    found: Number = elementwise.minimum(run_count * blocks + rest, run_count * pipeline_parallel_count)
    return found


@formula(
    r"W = \min(g,\ r\,p)",
    unit="count",
    label="Leading ranks of the busiest node",
    source=_BENCHMARK,
    symbols={"gpus_per_node_count": "g", "run_count": "r", "pipeline_parallel_count": "p"},
    validity="a node holds consecutive ranks",
)
def packed_writer_count(
    gpus_per_node_count: Number, *, run_count: Number, pipeline_parallel_count: Number
) -> Number:
    """Leading ranks of one node if the whole first replica stands together, as in MLPerf Storage.

    Args:
        gpus_per_node_count: GPUs of a node.
        run_count: Leading ranks of a stage: tensor, or for experts tensor times expert parallelism.
        pipeline_parallel_count: Stages of the pipeline.

    Example:
        >>> float(packed_writer_count(8.0, run_count=8.0, pipeline_parallel_count=32.0))
        8.0
    """
    found: Number = elementwise.minimum(gpus_per_node_count, run_count * pipeline_parallel_count)
    return found


# --- parts of the model -------------------------------------------------------------------------------------


@formula(
    r"P_s = \frac{P - E}{L}\left(s \left\lfloor \frac{L}{p} \right\rfloor + \min\left(s,\ L - p"
    r"\left\lfloor \frac{L}{p} \right\rfloor\right)\right) + \frac{E}{2}\left(\min(s, 1) + \max(s - p + 1,\ 0)\right)",
    unit="count",
    label="Parameters of the first stages",
    source=_BENCHMARK,
    symbols={
        "stage_count": "s",
        "pipeline_parallel_count": "p",
        "layer_count": "L",
        "parameter_count": "P",
        "embedding_parameter_count": "E",
    },
    validity="layers alike; the first stages take the layers that do not divide; half of the embeddings is the output head",
)
def first_stages_parameter_count(
    stage_count: Number,
    *,
    pipeline_parallel_count: Number,
    layer_count: Number,
    parameter_count: Number,
    embedding_parameter_count: Number,
) -> Number:
    """Parameters in the first stages of a pipeline, which are the largest: they hold the embedding.

    Args:
        stage_count: Stages in question; a fraction of one is a fraction of its ranks.
        pipeline_parallel_count: Stages of the pipeline.
        layer_count: Layers of the model; as many as stages if it is not known.
        parameter_count: Parameters that are cut into stages.
        embedding_parameter_count: Those of token embedding and output head; 0 if not known.

    Example:
        >>> float(first_stages_parameter_count(1.0, pipeline_parallel_count=4.0, layer_count=10.0,
        ...     parameter_count=12e9, embedding_parameter_count=2e9))
        4000000000.0
    """
    floor: Number = elementwise.floor(layer_count / pipeline_parallel_count + elementwise.TOLERANCE)
    left = layer_count - floor * pipeline_parallel_count
    layers = stage_count * floor + elementwise.minimum(stage_count, left)
    ends = elementwise.minimum(stage_count, 1.0) + elementwise.maximum(
        stage_count - pipeline_parallel_count + 1.0, 0.0
    )
    block = (parameter_count - embedding_parameter_count) / layer_count
    return block * layers + embedding_parameter_count / 2.0 * ends


@formula(
    r"P_l = P_d + \frac{W\,P_e}{t\,p\,e}",
    unit="count",
    label="Parameters led",
    source="Megatron-Bridge 3744: shards are cut apart for dense layers and for experts",
    symbols={
        "dense_parameter_count": "P_d",
        "expert_writer_count": "W",
        "expert_parameter_count": "P_e",
        "tensor_parallel_count": "t",
        "pipeline_parallel_count": "p",
        "expert_parallel_count": "e",
    },
    validity="experts are alike on all ranks that hold them",
)
def leading_parameter_count(
    dense_parameter_count: Number,
    *,
    expert_writer_count: Number,
    expert_parameter_count: Number,
    tensor_parallel_count: Number,
    pipeline_parallel_count: Number,
    expert_parallel_count: Number,
) -> Number:
    """Parameters that a rank or a node writes because it is the first to hold them.

    Args:
        dense_parameter_count: Dense parameters that it leads.
        expert_writer_count: Its ranks that lead a part of the experts.
        expert_parameter_count: Parameters of all experts; 0 for a dense model.
        tensor_parallel_count: GPUs that share each layer.
        pipeline_parallel_count: Stages of the pipeline.
        expert_parallel_count: Ranks that share the experts.

    Example:
        >>> float(leading_parameter_count(1e9, expert_writer_count=2.0, expert_parameter_count=64e9,
        ...     tensor_parallel_count=1.0, pipeline_parallel_count=4.0, expert_parallel_count=8.0))
        5000000000.0
    """
    holders = tensor_parallel_count * pipeline_parallel_count * expert_parallel_count
    return dense_parameter_count + expert_writer_count * expert_parameter_count / holders


@formula(
    r"n = \max(N - m,\ 0)",
    unit="count",
    label="The others",
    source=_BOOKKEEPING,
    symbols={"whole_count": "N", "part_count": "m"},
)
def others_count(whole_count: Number, *, part_count: Number) -> Number:
    """What a part leaves of a whole, such as the parameters outside of experts.

    Args:
        whole_count: The whole.
        part_count: The part.

    Example:
        >>> float(others_count(671e9, part_count=653e9))
        18000000000.0
    """
    left: Number = elementwise.maximum(whole_count - part_count, 0.0)
    return left


@formula(
    r"s = W / t",
    unit="count",
    label="Stages' worth of ranks",
    source=_BOOKKEEPING,
    symbols={"writer_count": "W", "tensor_parallel_count": "t"},
)
def stage_share_count(writer_count: Number, *, tensor_parallel_count: Number) -> Number:
    """Pipeline stages that so many leading ranks hold between them; below 1 for a part of one.

    Args:
        writer_count: Leading ranks.
        tensor_parallel_count: GPUs that share each layer.

    Example:
        >>> float(stage_share_count(4.0, tensor_parallel_count=8.0))
        0.5
    """
    return writer_count / tensor_parallel_count


# --- bytes --------------------------------------------------------------------------------------------------


@formula(
    r"c = P_l\,b_l + P\,b_s\,x",
    unit="bytes",
    label="Written by one part of the job",
    source=_BENCHMARK,
    symbols={
        "leading_parameter_count": "P_l",
        "leading_bytes": "b_l",
        "parameter_count": "P",
        "shared_bytes": "b_s",
        "share_fraction": "x",
    },
)
def part_bytes(
    leading_parameter_count: Number,
    *,
    leading_bytes: Number,
    parameter_count: Number,
    shared_bytes: Number,
    share_fraction: Number,
) -> Number:
    """Bytes that one rank, or one node, writes or reads: what it leads, and its share of the rest.

    Args:
        leading_parameter_count: Parameters whose first holder it is.
        leading_bytes: Bytes per parameter that only the first holder writes.
        parameter_count: All parameters that are saved.
        shared_bytes: Bytes per parameter that all ranks write alike.
        share_fraction: Its share of the ranks.

    Example:
        >>> float(part_bytes(1e9, leading_bytes=2.0, parameter_count=256e9, shared_bytes=12.0,
        ...     share_fraction=1 / 512))
        8000000000.0
    """
    return leading_parameter_count * leading_bytes + parameter_count * shared_bytes * share_fraction


@formula(
    r"C_r = b_l\,d\left(P_d + \frac{P_e}{e}\right) + b_s\left(P_d + P_e\right)",
    unit="bytes",
    label="Read at a restart",
    source="reliability models, C10: load of each replica unless one reads and broadcasts",
    symbols={
        "dense_parameter_count": "P_d",
        "expert_parameter_count": "P_e",
        "data_parallel_count": "d",
        "expert_parallel_count": "e",
        "leading_bytes": "b_l",
        "shared_bytes": "b_s",
    },
)
def restart_bytes(
    dense_parameter_count: Number,
    *,
    expert_parameter_count: Number,
    data_parallel_count: Number,
    expert_parallel_count: Number,
    leading_bytes: Number,
    shared_bytes: Number,
) -> Number:
    """Bytes that all ranks read together if each reads what it holds: replicas read the same again.

    Args:
        dense_parameter_count: Parameters outside of experts.
        expert_parameter_count: Parameters of experts.
        data_parallel_count: Replicas of the dense part.
        expert_parallel_count: Ranks that share the experts.
        leading_bytes: Bytes per parameter of unsharded state.
        shared_bytes: Bytes per parameter of sharded state.

    Example:
        >>> float(restart_bytes(70e9, expert_parameter_count=0.0, data_parallel_count=4.0,
        ...     expert_parallel_count=1.0, leading_bytes=2.0, shared_bytes=12.0))
        1400000000000.0
    """
    replicas = data_parallel_count * (dense_parameter_count + expert_parameter_count / expert_parallel_count)
    return leading_bytes * replicas + shared_bytes * (dense_parameter_count + expert_parameter_count)


@formula(
    r"b = \max(b_c - b_p,\ 0)",
    unit="bytes",
    label="The rest of a parameter's bytes",
    source=_S3,
    symbols={"whole_bytes": "b_c", "part_bytes": "b_p"},
)
def rest_bytes(whole_bytes: Number, *, part_bytes: Number) -> Number:
    """Bytes per parameter beside a part of them: optimizer beside weights, gradients beside saved state.

    Args:
        whole_bytes: All bytes of a parameter: in the checkpoint, or in GPU memory.
        part_bytes: The part: the working weights, or all that is saved.

    Example:
        >>> float(rest_bytes(14.0, part_bytes=2.0))
        12.0
    """
    left: Number = elementwise.maximum(whole_bytes - part_bytes, 0.0)
    return left


@formula(
    r"c_n = \min(g\,c,\ C_r)",
    unit="bytes",
    label="Read by the busiest node",
    source=_BOOKKEEPING,
    symbols={"rank_bytes": "c", "gpus_per_node_count": "g", "total_bytes": "C_r"},
    validity="each rank reads for itself; what the node's page cache serves twice is not taken off",
)
def node_read_bytes(rank_bytes: Number, *, gpus_per_node_count: Number, total_bytes: Number) -> Number:
    """Bytes that a node reads at a restart if all its ranks read as much as the busiest one.

    Args:
        rank_bytes: Read by the busiest rank.
        gpus_per_node_count: GPUs of a node.
        total_bytes: Read by all ranks together.

    Example:
        >>> float(node_read_bytes(5e9, gpus_per_node_count=8.0, total_bytes=1e12))
        40000000000.0
    """
    read: Number = elementwise.minimum(gpus_per_node_count * rank_bytes, total_bytes)
    return read


@formula(
    r"n = C_r / c_n",
    unit="count",
    label="Nodes that read at a restart",
    source=_BOOKKEEPING,
    symbols={"total_bytes": "C_r", "node_bytes": "c_n"},
)
def reader_count(total_bytes: Number, *, node_bytes: Number) -> Number:
    """Nodes that would read everything if each read as much as the busiest: it decides how long that takes.

    Args:
        total_bytes: Read by all nodes together.
        node_bytes: Read by the busiest.

    Example:
        >>> float(reader_count(980e9, node_bytes=980e9))
        1.0
    """
    return total_bytes / node_bytes


@formula(
    r"m = P_d\,b_d + P_e\,b_e",
    unit="bytes",
    label="Training state on a GPU",
    source="Megatron-LM, distributed optimizer; workload facts, section 3",
    symbols={
        "dense_parameter_count": "P_d",
        "dense_bytes": "b_d",
        "expert_parameter_count": "P_e",
        "expert_bytes": "b_e",
    },
    validity="weights, gradients and optimizer; activations come on top",
)
def gpu_state_bytes(
    dense_parameter_count: Number,
    *,
    dense_bytes: Number,
    expert_parameter_count: Number,
    expert_bytes: Number,
) -> Number:
    """GPU memory that training state takes on one rank; not a size of a checkpoint.

    Args:
        dense_parameter_count: Dense parameters that the rank holds.
        dense_bytes: Bytes for each of them, after sharding over the replicas.
        expert_parameter_count: Parameters of experts that it holds.
        expert_bytes: Bytes for each of those.

    Example:
        >>> float(gpu_state_bytes(1e9, dense_bytes=6.1875, expert_parameter_count=0.0, expert_bytes=0.0))
        6187500000.0
    """
    return dense_parameter_count * dense_bytes + expert_parameter_count * expert_bytes


@formula(
    r"u = m / M",
    unit="fraction",
    label="Share of GPU memory",
    source=_BOOKKEEPING,
    symbols={"state_bytes": "m", "gpu_memory_bytes": "M"},
)
def memory_fraction(state_bytes: Number, *, gpu_memory_bytes: Number) -> Number:
    """Share of a GPU's memory that training state takes; above 1 it does not fit.

    Args:
        state_bytes: Training state on the GPU.
        gpu_memory_bytes: Memory of the GPU.

    Example:
        >>> float(memory_fraction(40e9, gpu_memory_bytes=80e9))
        0.5
    """
    return state_bytes / gpu_memory_bytes


@formula(
    r"B = k\,b",
    unit="bytes/s",
    label="Write rate of a node's processes",
    source=_BOOKKEEPING,
    symbols={"writer_count": "k", "writer_bytes_per_s": "b"},
)
def writers_bytes_per_s(writer_count: Number, *, writer_bytes_per_s: Number) -> Number:
    """What the processes of one node write together, whatever its ports carry.

    Args:
        writer_count: Processes of the node that write at once.
        writer_bytes_per_s: What one process serialises and writes.

    Example:
        >>> float(writers_bytes_per_s(8.0, writer_bytes_per_s=1e9))
        8000000000.0
    """
    return writer_count * writer_bytes_per_s


# --- the benchmark, to the byte -----------------------------------------------------------------------------


@formula(
    r"C_w = 2\left(P + (t - 1)(2L + 1)\,h\right)",
    unit="bytes",
    label="Weights in the benchmark",
    source=_BENCHMARK,
    symbols={
        "parameter_count": "P",
        "hidden_count": "h",
        "layer_count": "L",
        "tensor_parallel_count": "t",
    },
    validity="16-bit weights; widths divide by the tensor parallelism",
)
def benchmark_weight_bytes(
    parameter_count: Number, *, hidden_count: Number, layer_count: Number, tensor_parallel_count: Number
) -> Number:
    """Weights that MLPerf Storage writes: each tensor rank stores the norms again.

    Args:
        parameter_count: Parameters of the benchmark's model.
        hidden_count: Width of the model.
        layer_count: Layers.
        tensor_parallel_count: GPUs that share each layer.

    Example:
        >>> float(benchmark_weight_bytes(8030261248.0, hidden_count=4096.0, layer_count=32.0,
        ...     tensor_parallel_count=1.0))
        16060522496.0
    """
    norms = (tensor_parallel_count - 1.0) * (2.0 * layer_count + 1.0) * hidden_count
    return _HALF_BYTES * (parameter_count + norms)


@formula(
    r"C_o = 12\,R\left(\left\lfloor \frac{P}{R} \right\rfloor + 5h\right)",
    unit="bytes",
    label="Optimizer in the benchmark",
    source=_BENCHMARK,
    symbols={"parameter_count": "P", "hidden_count": "h", "rank_count": "R"},
    validity="three FP32 tensors, sharded over all ranks: ZeRO-1 and above",
)
def benchmark_optimizer_bytes(parameter_count: Number, *, hidden_count: Number, rank_count: Number) -> Number:
    """Optimizer state that MLPerf Storage writes, with its padding on each rank.

    Args:
        parameter_count: Parameters of the benchmark's model.
        hidden_count: Width of the model.
        rank_count: Processes.

    Example:
        >>> float(benchmark_optimizer_bytes(8030261248.0, hidden_count=4096.0, rank_count=8.0))
        96365101056.0
    """
    each: Number = elementwise.floor(parameter_count / rank_count) + _PADDING_HIDDEN * hidden_count
    return _MASTER_AND_MOMENTS * _FULL_BYTES * rank_count * each
