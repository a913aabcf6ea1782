"""How large a checkpoint is, how often it is written, and what is kept of it."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import DAY_S, Number

_S0 = "workload facts, section 0: parameters of a decoder, bytes of a checkpoint"
_S3 = "workload facts, section 3: bytes per parameter by training recipe"
_GUIDE_BANDWIDTH = "the guide, 'Bandwidth Planning'"
_RULES_INPUT = "rules of the calculation, 'What an input means'"
_RULES_GUIDE = "rules of the calculation, 'The guide's basis'"
_STANDSTILL_BYTES_PER_S, _FOR_EVER_S = 1e-200, float("inf")
"""Below this bandwidth nothing moves: the time over it would leave the range of numbers."""
GUIDE_STEP_BYTES = 0.5e12
"""Capacities on the guide's basis are rounded up to half a terabyte."""


# --- size ---------------------------------------------------------------------------------------------------


@formula(
    r"P = 2Vh + h + L\left(2h + h(h + 2 d_{kv}) + h^2 + 3 h f\right),\quad"
    r" d_{kv} = \left\lfloor h / a \right\rfloor a_{kv}",
    unit="count",
    label="Parameters of a dense decoder",
    source=_S0,
    symbols={
        "layer_count": "L",
        "hidden_count": "h",
        "ffn_count": "f",
        "head_count": "a",
        "kv_head_count": "a_{kv}",
        "vocabulary_count": "V",
    },
    validity="Llama-type decoders: gated feed-forward, untied embedding and output head, no biases",
)
def decoder_parameter_count(
    layer_count: Number,
    *,
    hidden_count: Number,
    ffn_count: Number,
    head_count: Number,
    kv_head_count: Number,
    vocabulary_count: Number,
) -> Number:
    """Parameters of a dense decoder from the six numbers that are usually published.

    Args:
        layer_count: Transformer blocks.
        hidden_count: Width of the model.
        ffn_count: Width of the feed-forward part.
        head_count: Attention heads.
        kv_head_count: Heads of keys and values; fewer with grouped queries.
        vocabulary_count: Tokens in the vocabulary.

    Example:
        >>> float(decoder_parameter_count(32, hidden_count=4096, ffn_count=14336, head_count=32,
        ...     kv_head_count=8, vocabulary_count=128256))
        8030261248.0
    """
    width: Number = elementwise.floor(hidden_count / head_count) * kv_head_count
    attention: Number = hidden_count * (hidden_count + 2.0 * width) + hidden_count * hidden_count
    block = 2.0 * hidden_count + attention + 3.0 * hidden_count * ffn_count
    return 2.0 * vocabulary_count * hidden_count + hidden_count + layer_count * block


@formula(
    r"C = P\,b",
    unit="bytes",
    label="Checkpoint size",
    source=_S0,
    symbols={"parameter_count": "P", "bytes_per_parameter": "b"},
    validity="all experts of a mixture count, active or not",
)
def size_bytes(parameter_count: Number, *, bytes_per_parameter: Number) -> Number:
    """Bytes of one full training checkpoint, before any copies.

    Args:
        parameter_count: Total parameters, not the active ones.
        bytes_per_parameter: What the training recipe saves: 14 for mixed-precision AdamW.

    Example:
        >>> float(size_bytes(70e9, bytes_per_parameter=14))
        980000000000.0
    """
    return parameter_count * bytes_per_parameter


@formula(
    r"b = b_w + b_m + b_1 + b_2 + b_g",
    unit="bytes",
    label="Bytes per parameter",
    source=_S3,
    symbols={
        "weight_bytes": "b_w",
        "master_bytes": "b_m",
        "first_moment_bytes": "b_1",
        "second_moment_bytes": "b_2",
        "gradient_bytes": "b_g",
    },
    validity="a checkpoint holds no gradients; GPU memory does",
)
def per_parameter_bytes(
    weight_bytes: Number,
    *,
    master_bytes: Number,
    first_moment_bytes: Number,
    second_moment_bytes: Number,
    gradient_bytes: Number = 0.0,
) -> Number:
    """Bytes that a training recipe holds for each parameter.

    Args:
        weight_bytes: Working copy of the weight.
        master_bytes: Copy in higher precision; 0 if there is none.
        first_moment_bytes: First moment of the optimizer, or momentum.
        second_moment_bytes: Second moment; 0 for one-state optimizers.
        gradient_bytes: Gradient: 0 for a checkpoint, 2 or 4 for GPU memory.

    Example:
        >>> float(per_parameter_bytes(2.0, master_bytes=4, first_moment_bytes=4, second_moment_bytes=4))
        14.0
    """
    return weight_bytes + master_bytes + first_moment_bytes + second_moment_bytes + gradient_bytes


@formula(
    r"b_r = b_f + \frac{b_s}{d}",
    unit="bytes",
    label="Training state per parameter on one GPU",
    source=_S3,
    symbols={"replicated_bytes": "b_f", "sharded_bytes": "b_s", "data_parallel_count": "d"},
    validity="optimizer state sharded over the data-parallel group; memory, not a checkpoint",
)
def rank_state_bytes(
    replicated_bytes: Number, *, sharded_bytes: Number, data_parallel_count: Number
) -> Number:
    """GPU memory per parameter when the optimizer is sharded and weights and gradients are not.

    Args:
        replicated_bytes: Held by every rank: 6 for bf16 weights with fp32 gradients.
        sharded_bytes: Spread over the ranks: 12 for an fp32 master and two moments.
        data_parallel_count: Ranks that share it; 1 for no sharding.

    Example:
        >>> float(rank_state_bytes(6.0, sharded_bytes=12.0, data_parallel_count=64))
        6.1875
    """
    return replicated_bytes + sharded_bytes / data_parallel_count


@formula(
    r"s = C / N",
    unit="bytes",
    label="Shard",
    source=_GUIDE_BANDWIDTH,
    symbols={"checkpoint_bytes": "C", "writer_count": "N"},
    validity="shards are equal",
)
def shard_bytes(checkpoint_bytes: Number, *, writer_count: Number) -> Number:
    """Part of a checkpoint that one of several equal writers stores.

    Args:
        checkpoint_bytes: Whole checkpoint, all shards together.
        writer_count: Nodes, or GPUs, that write a shard each.

    Example:
        >>> float(shard_bytes(280e9, writer_count=256))
        1093750000.0
    """
    return checkpoint_bytes / writer_count


@formula(
    r"C_r = C\,r",
    unit="bytes",
    label="Bytes written by a save",
    source=_RULES_INPUT,
    symbols={"checkpoint_bytes": "C", "application_copies_count": "r"},
)
def copies_bytes(checkpoint_bytes: Number, *, application_copies_count: Number) -> Number:
    """Bytes of one save if the job itself writes it to several targets.

    Args:
        checkpoint_bytes: One checkpoint.
        application_copies_count: Targets that the job writes to; 1 for no redundancy of its own.

    Example:
        >>> float(copies_bytes(280e9, application_copies_count=2))
        560000000000.0
    """
    return checkpoint_bytes * application_copies_count


@formula(
    r"\rho = C / C_0",
    unit="1",
    label="Size over reference",
    source="workload facts, section 8",
    symbols={"checkpoint_bytes": "C", "reference_bytes": "C_0"},
)
def size_ratio(checkpoint_bytes: Number, *, reference_bytes: Number) -> Number:
    """How many times a checkpoint is as large as another figure for it, such as the guide's.

    Args:
        checkpoint_bytes: The size in question.
        reference_bytes: The figure to compare with.

    Example:
        >>> float(size_ratio(980e9, reference_bytes=280e9))
        3.5
    """
    return checkpoint_bytes / reference_bytes


# --- what is kept -------------------------------------------------------------------------------------------


@formula(
    r"C_K = C\,(K + K_f)",
    unit="bytes",
    label="Checkpoints kept on the hot tier",
    source=_RULES_INPUT,
    symbols={"checkpoint_bytes": "C", "retained_count": "K", "in_flight_count": "K_f"},
)
def retained_bytes(checkpoint_bytes: Number, *, retained_count: Number, in_flight_count: Number) -> Number:
    """Bytes of the retained checkpoints and of those being written.

    The oldest one is deleted only when the new one is complete, so one in flight needs its own room.

    Args:
        checkpoint_bytes: Bytes that one save leaves.
        retained_count: Complete checkpoints kept.
        in_flight_count: Checkpoints being written; usually 1.

    Example:
        >>> float(retained_bytes(280e9, retained_count=5, in_flight_count=1))
        1680000000000.0
    """
    return checkpoint_bytes * (retained_count + in_flight_count)


@formula(
    r"U_g = 0.5\,\mathrm{TB} \left\lceil \frac{(K + 1)\,C\,q}{0.5\,\mathrm{TB}} \right\rceil",
    unit="bytes",
    label="Recommended capacity on the guide's basis",
    source=_RULES_GUIDE,
    symbols={"checkpoint_bytes": "C", "retained_count": "K", "headroom_ratio": "q"},
)
def guide_capacity_bytes(
    checkpoint_bytes: Number, *, retained_count: Number, headroom_ratio: Number
) -> Number:
    """Capacity that the guide's table recommends, rounded up to half a terabyte.

    Args:
        checkpoint_bytes: The guide's upper figure for one checkpoint.
        retained_count: Checkpoints kept, without the one being written.
        headroom_ratio: Capacity over content: 1.3 for the guide's 30 percent.

    Example:
        >>> float(guide_capacity_bytes(280e9, retained_count=5, headroom_ratio=1.3))
        2500000000000.0
    """
    content: Number = (retained_count + 1.0) * checkpoint_bytes * headroom_ratio
    steps: Number = elementwise.ceil(content / GUIDE_STEP_BYTES - elementwise.TOLERANCE)
    return steps * GUIDE_STEP_BYTES


@formula(
    r"k = n / e",
    unit="per day",
    label="Copies to the cold tier",
    source=_RULES_INPUT,
    symbols={"saves_per_day": "n", "every_count": "e"},
)
def cold_copies_per_day(saves_per_day: Number, *, every_count: Number) -> Number:
    """Checkpoints a day that are copied to the colder tier if every n-th one is.

    Args:
        saves_per_day: Saves a day.
        every_count: Saves from one copy to the next; 1 copies all.

    Example:
        >>> float(cold_copies_per_day(48.0, every_count=4))
        12.0
    """
    return saves_per_day / every_count


# --- how often ----------------------------------------------------------------------------------------------


@formula(
    r"n = 86400 / T",
    unit="per day",
    label="Saves per day",
    source="the guide, 'Write Endurance Planning'",
    symbols={"interval_s": "T"},
)
def saves_per_day(interval_s: Number) -> Number:
    """Checkpoints a day.

    Args:
        interval_s: Wall time from the start of one save to the start of the next.

    Example:
        >>> float(saves_per_day(1800.0))
        48.0
    """
    return DAY_S / interval_s


@formula(
    r"T = m\,t",
    unit="s",
    label="Checkpoint interval",
    source=_RULES_INPUT,
    symbols={"step_count": "m", "step_s": "t"},
)
def interval_from_steps_s(step_count: Number, *, step_s: Number) -> Number:
    """Interval that is stated as a number of training steps.

    Args:
        step_count: Steps from one save to the next.
        step_s: Time of a step.

    Example:
        >>> float(interval_from_steps_s(100, step_s=105.0))
        10500.0
    """
    return step_count * step_s


# --- how long -----------------------------------------------------------------------------------------------


@formula(
    r"t^* = w\,T",
    unit="s",
    label="Save target from the waste budget",
    source=_RULES_INPUT,
    symbols={"waste_budget_fraction": "w", "interval_s": "T"},
)
def target_from_waste_s(waste_budget_fraction: Number, *, interval_s: Number) -> Number:
    """Longest synchronous save that keeps stalls inside a share of the wall time.

    Args:
        waste_budget_fraction: Share of the time that may be spent on saves; 1 gives the whole interval,
            which is the limit of an asynchronous flush.
        interval_s: Time from the start of one save to the start of the next.

    Example:
        >>> float(target_from_waste_s(0.02, interval_s=1800.0))
        36.0
    """
    return waste_budget_fraction * interval_s


@formula(
    r"B^* = C / t^*",
    unit="bytes/s",
    label="Write bandwidth needed",
    source=_GUIDE_BANDWIDTH,
    symbols={"checkpoint_bytes": "C", "target_s": "t^*"},
)
def required_write_bytes_per_s(checkpoint_bytes: Number, *, target_s: Number) -> Number:
    """Bandwidth that stores a checkpoint, or one node's shard of it, within the target.

    Args:
        checkpoint_bytes: Bytes of the save, or of one shard.
        target_s: Time that the save may take.

    Example:
        >>> float(required_write_bytes_per_s(280e9, target_s=10.0))
        28000000000.0
    """
    return checkpoint_bytes / target_s


@formula(
    r"t = C / B",
    unit="s",
    label="Save time at a bandwidth",
    source="the guide, 'The Storage Problem in AI Training'",
    symbols={"checkpoint_bytes": "C", "bandwidth_bytes_per_s": "B"},
    validity="for ever where next to nothing of the bandwidth is left",
)
def write_s(checkpoint_bytes: Number, *, bandwidth_bytes_per_s: Number) -> Number:
    """Time to store a checkpoint at a sustained bandwidth.

    Args:
        checkpoint_bytes: Bytes to store.
        bandwidth_bytes_per_s: Sustained bandwidth, after all losses.

    Example:
        >>> float(write_s(280e9, bandwidth_bytes_per_s=28e9))
        10.0
        >>> bool(write_s(280e9, bandwidth_bytes_per_s=5e-324) > 1e300)
        True
    """
    time_s = checkpoint_bytes / elementwise.maximum(bandwidth_bytes_per_s, _STANDSTILL_BYTES_PER_S)
    return elementwise.where(bandwidth_bytes_per_s < _STANDSTILL_BYTES_PER_S, _FOR_EVER_S, time_s)


@formula(
    r"\Delta t = t_0 - t",
    unit="s",
    label="Time saved by a faster save",
    source="the guide, 'The Storage Problem in AI Training'",
    symbols={"slow_s": "t_0", "fast_s": "t"},
)
def saved_s(slow_s: Number, *, fast_s: Number) -> Number:
    """Time that each save gains; negative if it is slower.

    Args:
        slow_s: Save time before.
        fast_s: Save time after.

    Example:
        >>> float(saved_s(120.0, fast_s=30.0))
        90.0
    """
    return slow_s - fast_s


@formula(
    r"\sigma = t_0 / t",
    unit="1",
    label="Speed-up",
    source="workload facts, section 2: asynchronous saves",
    symbols={"slow_s": "t_0", "fast_s": "t"},
)
def speedup_ratio(slow_s: Number, *, fast_s: Number) -> Number:
    """How many times shorter one time is than another: save times, or stalls.

    Args:
        slow_s: Time before.
        fast_s: Time after.

    Example:
        >>> float(speedup_ratio(120.0, fast_s=30.0))
        4.0
    """
    return slow_s / fast_s


@formula(
    r"\beta = t_b / t",
    unit="fraction",
    label="Share of a save that stops training",
    source="workload facts, section 2: ByteCheckpoint",
    symbols={"stall_s": "t_b", "save_s": "t"},
)
def blocking_fraction(stall_s: Number, *, save_s: Number) -> Number:
    """Share of a save during which training stands still: 1 for a synchronous one.

    Args:
        stall_s: Time that training stands still.
        save_s: Time until the checkpoint is durable.

    Example:
        >>> round(float(blocking_fraction(0.59, save_s=51.06)), 4)
        0.0116
    """
    return stall_s / save_s


# --- asynchronous saves -------------------------------------------------------------------------------------


@formula(
    r"M = \frac{C}{N}\,k",
    unit="bytes",
    label="Host memory for asynchronous saves",
    source="workload facts, section 7: asynchronous consistency check",
    symbols={"checkpoint_bytes": "C", "node_count": "N", "buffer_count": "k"},
)
def async_host_memory_bytes(checkpoint_bytes: Number, *, node_count: Number, buffer_count: Number) -> Number:
    """Host memory of one node that holds its shard while it is flushed.

    Args:
        checkpoint_bytes: Whole checkpoint.
        node_count: Nodes that hold a shard each.
        buffer_count: Shards held at once: 1 to 2; 0 for synchronous saves.

    Example:
        >>> float(async_host_memory_bytes(980e9, node_count=64, buffer_count=2))
        30625000000.0
    """
    return checkpoint_bytes / node_count * buffer_count
