"""Token rates, training times and utilisation of language models."""

from __future__ import annotations

from planner.core.units import Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import ingest, token_rates


@by(token_rates.mean_tokens_per_s)
def mean_tokens(case: Case) -> Result:
    """Tokens a second of a GPU over a run."""
    return token_rates.mean_tokens_per_s(case.read("tokens"), gpu_s=case.read("GPU time", "s"))


def _tokens_of_flops(case: Case) -> Number:
    return token_rates.tokens_per_s_from_flops(
        case.read("achieved", "FLOP/s"),
        utilisation_fraction=1.0,
        active_parameter_count=case.read("parameters"),
    )


@by(token_rates.tokens_per_s_from_flops)
def tokens_of_flops(case: Case) -> Result:
    """Tokens a second of a GPU from its operations."""
    return _tokens_of_flops(case)


@by(ingest.token_read_bytes_per_s, token_rates.tokens_per_s_from_flops)
def token_reads_of_flops(case: Case) -> Result:
    """Reads of a cluster from its operations."""
    return ingest.token_read_bytes_per_s(
        _tokens_of_flops(case), token_bytes=case.read("token", "bytes"), gpu_count=case.read("GPUs")
    )


@by(ingest.token_read_bytes_per_s)
def token_reads(case: Case) -> Result:
    """Reads of a cluster from the tokens of a GPU."""
    return ingest.token_read_bytes_per_s(
        case.read("tokens of a GPU", "per s"),
        token_bytes=case.read("token", "bytes"),
        gpu_count=case.read("GPUs"),
    )


@by(token_rates.training_s, token_rates.training_flop_count)
def training_time(case: Case) -> Result:
    """Time of a run from its operations."""
    operations = token_rates.training_flop_count(
        case.read("tokens"),
        active_parameter_count=case.read("parameters"),
        token_flop_count=case.read("FLOP per parameter and token"),
    )
    return token_rates.training_s(
        operations, gpu_count=case.read("GPUs"), achieved_flops=case.read("achieved", "FLOP/s")
    )


@by(token_rates.training_flop_count)
def training_operations(case: Case) -> Result:
    """Operations of a run."""
    return token_rates.training_flop_count(
        case.read("tokens"), active_parameter_count=case.read("parameters")
    )


@by(token_rates.run_s)
def run_time(case: Case) -> Result:
    """Time of a run from its token rate."""
    return token_rates.run_s(case.read("tokens"), tokens_per_s=case.read("rate", "per s"))


@by(token_rates.wall_s)
def wall_time(case: Case) -> Result:
    """Time of a run from its GPU hours."""
    return token_rates.wall_s(case.read("GPU time", "s"), gpu_count=case.read("GPUs"))


@by(token_rates.gpu_tokens_per_s)
def tokens_of_a_gpu(case: Case) -> Result:
    """Tokens a second of one of many."""
    return token_rates.gpu_tokens_per_s(case.read("rate", "per s"), gpu_count=case.read("GPUs"))


@by(token_rates.step_tokens_per_s)
def tokens_of_a_step(case: Case) -> Result:
    """Tokens a second of a GPU from the time of a step."""
    return token_rates.step_tokens_per_s(
        case.read("sequences"),
        sequence_token_count=case.read("tokens of a sequence"),
        step_s=case.read("step", "s"),
        gpu_count=case.read("GPUs"),
    )


@by(token_rates.achieved_flops)
def achieved_operations(case: Case) -> Result:
    """Operations a second of a GPU over a run."""
    return token_rates.achieved_flops(
        case.read("operations"), gpu_count=case.read("GPUs"), run_s=case.read("run", "s")
    )


@by(token_rates.utilisation_fraction)
def utilisation(case: Case) -> Result:
    """Achieved over peak, attention not counted."""
    return token_rates.utilisation_fraction(
        case.read("achieved", "FLOP/s"), peak_flops=case.read("peak", "FLOP/s")
    )


@by(token_rates.attention_utilisation_fraction)
def attention_utilisation(case: Case) -> Result:
    """Achieved over peak, attention counted."""
    return token_rates.attention_utilisation_fraction(
        case.read("sequences", "per s"),
        parameter_count=case.read("parameters"),
        layer_count=case.read("layers"),
        hidden_count=case.read("hidden"),
        sequence_token_count=case.read("tokens of a sequence"),
        gpu_count=case.read("GPUs"),
        peak_flops=case.read("peak", "FLOP/s"),
    )
