"""Parameters of a model, bytes of a checkpoint and of the training state in GPU memory."""

from __future__ import annotations

from planner.core.units import Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import checkpoint, ingest, layout

OPTIMIZER_PARTS = 3
"""Master copy and two moments: published as one figure where they weigh the same."""


def size_of(case: Case) -> Number:
    """Bytes of a checkpoint from parameters and bytes for each."""
    return checkpoint.size_bytes(
        case.read("parameters"), bytes_per_parameter=case.read("bytes per parameter", "bytes")
    )


def _state_bytes(case: Case) -> Number:
    part = case.read("optimizer", "bytes") / OPTIMIZER_PARTS
    return checkpoint.per_parameter_bytes(
        case.read("weights", "bytes"), master_bytes=part, first_moment_bytes=part, second_moment_bytes=part
    )


def _decoder_parameters(case: Case) -> Number:
    return checkpoint.decoder_parameter_count(
        case.read("layers"),
        hidden_count=case.read("hidden"),
        ffn_count=case.read("ffn"),
        head_count=case.read("heads"),
        kv_head_count=case.read("KV heads"),
        vocabulary_count=case.read("vocabulary"),
    )


@by(checkpoint.decoder_parameter_count)
def decoder_parameters(case: Case) -> Result:
    """Parameters from the shape of a decoder."""
    return _decoder_parameters(case)


@by(checkpoint.size_bytes, checkpoint.decoder_parameter_count, checkpoint.per_parameter_bytes)
def decoder_size(case: Case) -> Result:
    """Checkpoint from the shape of a decoder."""
    return checkpoint.size_bytes(_decoder_parameters(case), bytes_per_parameter=_state_bytes(case))


@by(layout.benchmark_optimizer_bytes, layout.benchmark_weight_bytes, checkpoint.decoder_parameter_count)
def benchmark_size(case: Case) -> Result:
    """Checkpoint that MLPerf Storage writes, with the norms that are stored again and the padding of each rank."""
    count, hidden = _decoder_parameters(case), case.read("hidden")
    weights = layout.benchmark_weight_bytes(
        count,
        hidden_count=hidden,
        layer_count=case.read("layers"),
        tensor_parallel_count=case.read("tensor parallel"),
    )
    return weights + layout.benchmark_optimizer_bytes(
        count, hidden_count=hidden, rank_count=case.read("ranks")
    )


@by(checkpoint.size_bytes)
def model_size(case: Case) -> Result:
    """Checkpoint from a number of parameters."""
    return size_of(case)


@by(checkpoint.size_bytes, checkpoint.per_parameter_bytes)
def size_of_parts(case: Case) -> Result:
    """Checkpoint that is stored as weights and optimizer state."""
    return checkpoint.size_bytes(case.read("parameters"), bytes_per_parameter=_state_bytes(case))


@by(checkpoint.shard_bytes, checkpoint.size_bytes)
def shard_of_model(case: Case) -> Result:
    """Part of a checkpoint that each GPU writes."""
    return checkpoint.shard_bytes(size_of(case), writer_count=case.read("GPUs"))


@by(checkpoint.shard_bytes)
def shard(case: Case) -> Result:
    """Part of a whole that each of several holds or writes."""
    return checkpoint.shard_bytes(case.read("whole", "bytes"), writer_count=case.read("parts"))


@by(checkpoint.rank_state_bytes)
def rank_memory(case: Case) -> Result:
    """Training state of a rank that shares the optimizer with others."""
    return checkpoint.rank_state_bytes(
        case.read("weights", "bytes") + case.read("gradients", "bytes"),
        sharded_bytes=case.read("sharded", "bytes"),
        data_parallel_count=case.read("data parallel"),
    )


@by(checkpoint.per_parameter_bytes)
def state_per_parameter(case: Case) -> Result:
    """Bytes of one parameter from the types of its parts."""
    return checkpoint.per_parameter_bytes(
        case.read("weights", "bytes"),
        master_bytes=case.read("master", "bytes"),
        first_moment_bytes=case.read("first moment", "bytes"),
        second_moment_bytes=case.read("second moment", "bytes"),
        gradient_bytes=case.read("gradients", "bytes"),
    )


@by(checkpoint.size_ratio)
def size_over_reference(case: Case) -> Result:
    """A published size over another one."""
    return checkpoint.size_ratio(
        case.read("checkpoint", "bytes"), reference_bytes=case.read("reference", "bytes")
    )


@by(checkpoint.retained_bytes)
def retained(case: Case) -> Result:
    """Checkpoints that are kept."""
    return checkpoint.retained_bytes(
        case.read("checkpoint", "bytes"), retained_count=case.read("retained"), in_flight_count=0.0
    )


@by(checkpoint.retained_bytes, checkpoint.size_bytes)
def retained_of_model(case: Case) -> Result:
    """Checkpoints of a model that are kept, at the lower and at the higher bytes per parameter."""
    sizes = [
        checkpoint.size_bytes(case.read("parameters"), bytes_per_parameter=each)
        for each in case.several("bytes per parameter", "bytes")
    ]
    kept = case.read("retained")
    return [
        float(checkpoint.retained_bytes(size, retained_count=kept, in_flight_count=0.0)) for size in sizes
    ]


@by(checkpoint.size_bytes)
def model_size_range(case: Case) -> Result:
    """Checkpoint at the lower and at the higher bytes per parameter."""
    return [
        float(checkpoint.size_bytes(case.read("parameters"), bytes_per_parameter=each))
        for each in case.several("bytes per parameter", "bytes")
    ]


@by(ingest.dataset_bytes)
def corpus(case: Case) -> Result:
    """Bytes of a corpus of tokens, or of a dataset of records."""
    return ingest.dataset_bytes(case.read("records"), sample_bytes=case.read("record", "bytes"))


@by(ingest.dataset_bytes)
def dataset(case: Case) -> Result:
    """Bytes of a dataset in files of several records."""
    return ingest.dataset_bytes(
        case.read("files") * case.read("samples per file"), sample_bytes=case.read("record", "bytes")
    )


@by(checkpoint.guide_capacity_bytes)
def guide_capacity(case: Case) -> Result:
    """Capacity that the guide recommends."""
    return checkpoint.guide_capacity_bytes(
        case.read("checkpoint", "bytes"),
        retained_count=case.read("retained"),
        headroom_ratio=case.read("headroom", "1"),
    )
