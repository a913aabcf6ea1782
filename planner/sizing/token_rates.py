"""How fast a job trains: tokens a second, operations, how long a run takes, and how well accelerators are used."""

from __future__ import annotations

from planner.core.formula import formula
from planner.core.units import Number

_S0 = "workload facts, section 0: read rate of a data-loading job, token rate"
_S4 = "workload facts, section 4: token rates"


@formula(
    r"r = \frac{u\,F}{6\,P_a}",
    unit="per s",
    label="Tokens per second of a GPU",
    source=_S0,
    symbols={"peak_flops": "F", "utilisation_fraction": "u", "active_parameter_count": "P_a"},
    validity="attention not counted; no recomputation",
)
def tokens_per_s_from_flops(
    peak_flops: Number, *, utilisation_fraction: Number, active_parameter_count: Number
) -> Number:
    """Tokens a second that one GPU trains on.

    Args:
        peak_flops: Peak of the GPU, or what it achieves with a utilisation of 1.
        utilisation_fraction: Model FLOP/s over peak: 0.35 to 0.55 in published runs.
        active_parameter_count: Parameters that a token passes through.

    Example:
        >>> rate = tokens_per_s_from_flops(400e12, utilisation_fraction=1.0, active_parameter_count=405e9)
        >>> round(float(rate), 1)
        164.6
    """
    return peak_flops * utilisation_fraction / (6.0 * active_parameter_count)


@formula(
    r"r = D / h",
    unit="per s",
    label="Mean tokens per second of a GPU",
    source=_S4,
    symbols={"token_count": "D", "gpu_s": "h"},
)
def mean_tokens_per_s(token_count: Number, *, gpu_s: Number) -> Number:
    """Tokens a second of one GPU, over a whole run.

    Args:
        token_count: Tokens trained on.
        gpu_s: GPUs times time: GPU-hours times 3,600.

    Example:
        >>> round(float(mean_tokens_per_s(15e12, gpu_s=7.0e6 * 3600)))
        595
    """
    return token_count / gpu_s


@formula(
    r"r = \frac{n\,s}{t\,G}",
    unit="per s",
    label="Tokens per second of a GPU from the step",
    source=_S4,
    symbols={"sequence_count": "n", "sequence_token_count": "s", "step_s": "t", "gpu_count": "G"},
)
def step_tokens_per_s(
    sequence_count: Number, *, sequence_token_count: Number, step_s: Number, gpu_count: Number
) -> Number:
    """Tokens a second of one GPU from the global batch and the time of a step.

    Args:
        sequence_count: Sequences in the global batch.
        sequence_token_count: Tokens of a sequence.
        step_s: Time of a step.
        gpu_count: GPUs of the job.

    Example:
        >>> round(float(step_tokens_per_s(2048, sequence_token_count=2048, step_s=105.0, gpu_count=384)))
        104
    """
    return sequence_count * sequence_token_count / (step_s * gpu_count)


@formula(
    r"r_1 = r / G",
    unit="per s",
    label="Tokens per second of a GPU from the cluster",
    source=_S4,
    symbols={"tokens_per_s": "r", "gpu_count": "G"},
)
def gpu_tokens_per_s(tokens_per_s: Number, *, gpu_count: Number) -> Number:
    """Tokens a second of one GPU, from the rate of all.

    Args:
        tokens_per_s: Tokens a second of the cluster.
        gpu_count: GPUs of the job.

    Example:
        >>> round(float(gpu_tokens_per_s(2590548.0, gpu_count=256)))
        10119
    """
    return tokens_per_s / gpu_count


@formula(
    r"Q = c\,P_a\,D",
    unit="count",
    label="Floating-point operations of a run",
    source=_S4,
    symbols={"token_count": "D", "active_parameter_count": "P_a", "token_flop_count": "c"},
)
def training_flop_count(
    token_count: Number, *, active_parameter_count: Number, token_flop_count: Number = 6.0
) -> Number:
    """Floating-point operations of a training run.

    Args:
        token_count: Tokens trained on.
        active_parameter_count: Parameters that a token passes through.
        token_flop_count: Operations per parameter and token: 6, or 8 with full recomputation.

    Example:
        >>> f"{float(training_flop_count(15.6e12, active_parameter_count=405e9)):.2e}"
        '3.79e+25'
    """
    return token_flop_count * active_parameter_count * token_count


@formula(
    r"t = \frac{Q}{G\,F}",
    unit="s",
    label="Training time",
    source=_S4,
    symbols={"flop_count": "Q", "gpu_count": "G", "achieved_flops": "F"},
)
def training_s(flop_count: Number, *, gpu_count: Number, achieved_flops: Number) -> Number:
    """Time of a run without interruptions.

    Args:
        flop_count: Operations of the run.
        gpu_count: GPUs of the job.
        achieved_flops: Operations a second that a GPU achieves.

    Example:
        >>> float(training_s(3.6e21, gpu_count=1000, achieved_flops=1e15))
        3600.0
    """
    return flop_count / (gpu_count * achieved_flops)


@formula(
    r"t = D / r",
    unit="s",
    label="Time to train on the tokens",
    source=_S4,
    symbols={"token_count": "D", "tokens_per_s": "r"},
)
def run_s(token_count: Number, *, tokens_per_s: Number) -> Number:
    """Time to pass a number of tokens through the cluster.

    Args:
        token_count: Tokens to train on.
        tokens_per_s: Tokens a second of the whole cluster.

    Example:
        >>> round(float(run_s(300e9, tokens_per_s=1.984e6)) / 86400, 2)
        1.75
    """
    return token_count / tokens_per_s


@formula(
    r"t = h / G",
    unit="s",
    label="Wall time of GPU time",
    source=_S4,
    symbols={"gpu_s": "h", "gpu_count": "G"},
)
def wall_s(gpu_s: Number, *, gpu_count: Number) -> Number:
    """Wall time in which a cluster spends an amount of GPU time.

    Args:
        gpu_s: GPUs times time.
        gpu_count: GPUs of the job.

    Example:
        >>> round(float(wall_s(180e3 * 3600, gpu_count=2048)) / 86400, 2)
        3.66
    """
    return gpu_s / gpu_count


@formula(
    r"F = \frac{Q}{G\,t}",
    unit="FLOP/s",
    label="Achieved rate of a GPU",
    source=_S4,
    symbols={"flop_count": "Q", "gpu_count": "G", "run_s": "t"},
)
def achieved_flops(flop_count: Number, *, gpu_count: Number, run_s: Number) -> Number:
    """Operations a second that each GPU achieved over a run.

    Args:
        flop_count: Operations of the run.
        gpu_count: GPUs of the job.
        run_s: Time of the run.

    Example:
        >>> round(float(achieved_flops(4.30e23, gpu_count=1024, run_s=33 * 86400.0)) / 1e12)
        147
    """
    return flop_count / (gpu_count * run_s)


@formula(
    r"u = F / F_0",
    unit="fraction",
    label="Model FLOP/s utilisation",
    source=_S4,
    symbols={"achieved_flops": "F", "peak_flops": "F_0"},
    validity="attention not counted",
)
def utilisation_fraction(achieved_flops: Number, *, peak_flops: Number) -> Number:
    """Share of a GPU's peak that the model's operations reach.

    Args:
        achieved_flops: Operations a second achieved.
        peak_flops: Dense peak at the precision in use.

    Example:
        >>> round(float(utilisation_fraction(430e12, peak_flops=989e12)), 3)
        0.435
    """
    return achieved_flops / peak_flops


@formula(
    r"u = \frac{\left(6 P s + 12 L h s^2\right) q}{G\,F_0}",
    unit="fraction",
    label="Model FLOP/s utilisation with attention",
    source=_S4,
    symbols={
        "sequences_per_s": "q",
        "parameter_count": "P",
        "layer_count": "L",
        "hidden_count": "h",
        "sequence_token_count": "s",
        "gpu_count": "G",
        "peak_flops": "F_0",
    },
)
def attention_utilisation_fraction(
    sequences_per_s: Number,
    *,
    parameter_count: Number,
    layer_count: Number,
    hidden_count: Number,
    sequence_token_count: Number,
    gpu_count: Number,
    peak_flops: Number,
) -> Number:
    """Utilisation with the operations of attention, which grow with the square of the sequence.

    Args:
        sequences_per_s: Sequences a second of the cluster.
        parameter_count: Parameters of the model.
        layer_count: Transformer blocks.
        hidden_count: Width of the model.
        sequence_token_count: Tokens of a sequence.
        gpu_count: GPUs of the job.
        peak_flops: Dense peak of a GPU.

    Example:
        >>> mfu = attention_utilisation_fraction(1264.92, parameter_count=6.658859e9, layer_count=32,
        ...     hidden_count=4096, sequence_token_count=2048, gpu_count=256, peak_flops=989.4e12)
        >>> round(float(mfu), 4)
        0.4416
    """
    attention: Number = 12.0 * layer_count * hidden_count * sequence_token_count * sequence_token_count
    sequence: Number = 6.0 * parameter_count * sequence_token_count + attention
    return sequence * sequences_per_s / (gpu_count * peak_flops)
