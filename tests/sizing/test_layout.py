"""Ranks, files and shares of a checkpoint, against the definitions of MLPerf Storage and against counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.units import GIB
from planner.sizing import checkpoint, layout, recipes

VOCABULARY = 128_256.0
CASES = {
    "8B": (32, 4096, 14336, 32, 8, 1, 8),
    "70B": (80, 8192, 28672, 128, 8, 8, 64),
    "405B": (126, 16384, 53248, 128, 8, 8, 512),
    "1T": (128, 25872, 98304, 192, 32, 8, 1024),
}
"""Layers, hidden, feed-forward, heads, key-value heads, tensor parallelism, processes: MLPerf Storage's configurations."""


def benchmark(name: str) -> tuple[float, float, float]:
    """Parameters, bytes of weights and bytes of the optimizer of a benchmark's model."""
    layers, hidden, ffn, heads, kv_heads, tensor, ranks = map(float, CASES[name])
    count = checkpoint.decoder_parameter_count(
        layers, hidden_count=hidden, ffn_count=ffn, head_count=heads, kv_head_count=kv_heads,
        vocabulary_count=VOCABULARY,
    )  # fmt: skip
    weights = layout.benchmark_weight_bytes(
        count, hidden_count=hidden, layer_count=layers, tensor_parallel_count=tensor
    )
    optimizer = layout.benchmark_optimizer_bytes(count, hidden_count=hidden, rank_count=ranks)
    return float(count), float(weights), float(optimizer)


@pytest.mark.parametrize(("name", "printed_gib"), [("8B", 105), ("70B", 912), ("405B", 5290), ("1T", 15_426)])
def test_sizes_printed_in_the_rules(name: str, printed_gib: float) -> None:
    """The rules' table, whose units are binary; 15,426 is the benchmark's own constant for the 1T model."""
    count, _, _ = benchmark(name)
    assert count * 14 / GIB == pytest.approx(printed_gib, rel=3e-3)


@pytest.mark.parametrize(
    ("name", "gib"), [("8B", 104.70), ("70B", 911.17), ("405B", 5291.73), ("1T", 15_425.02)]
)
def test_fourteen_bytes_a_parameter(name: str, gib: float) -> None:
    assert benchmark(name)[0] * 14 / GIB == pytest.approx(gib, abs=0.005)


@pytest.mark.parametrize(
    ("name", "model_gib", "optimizer_gib"), [("8B", 15, 90), ("70B", 130, 781), ("405B", 755, 4533)]
)
def test_model_and_optimizer_apart_as_the_benchmark_checks_memory(
    name: str, model_gib: float, optimizer_gib: float
) -> None:
    _, weights, optimizer = benchmark(name)
    assert weights / GIB == pytest.approx(model_gib, rel=3.5e-3)
    assert optimizer / GIB == pytest.approx(optimizer_gib, rel=3e-3)


@pytest.mark.parametrize(("rank", "millions"), [(1, 4.7), (8, 37.7)])
def test_adapters_of_gpt3_on_query_and_value(rank: float, millions: float) -> None:
    """The LoRA paper's trainable parameters of GPT-3 175B: 96 layers of width 12,288."""
    count = recipes.adapter_parameter_count(rank, hidden_count=12288.0, matrix_count=2.0, layer_count=96.0)
    assert float(count) / 1e6 == pytest.approx(millions, abs=0.05)


def test_muon_keeps_adamw_for_embeddings() -> None:
    """8B: 1.05e9 of 8.03e9 parameters are embeddings."""
    each = recipes.mixed_recipe_bytes(
        10.0, embedding_bytes=14.0, embedding_parameter_count=1_050_673_152, parameter_count=8_030_261_248
    )
    assert float(each) * 8_030_261_248 == pytest.approx(
        10 * (8_030_261_248 - 1_050_673_152) + 14 * 1_050_673_152
    )


# --- against counting ranks one by one ------------------------------------------------------------

degrees = st.sampled_from([1, 2, 3, 4, 8])
nodes_of = st.sampled_from([1, 2, 4, 8, 16, 72])


@given(tensor=degrees, pipeline=degrees, group=degrees, spread=degrees, per_node=nodes_of)
def test_leading_ranks_of_the_busiest_node_are_those_that_counting_finds(
    tensor: int, pipeline: int, group: int, spread: int, per_node: int
) -> None:
    data = group * spread
    ranks = np.arange(tensor * pipeline * data)
    nodes = ranks // per_node
    for order, replica in (("data", ranks // tensor % data), ("pipeline", ranks // (tensor * pipeline))):
        counted = np.bincount(nodes[replica < group]).max()
        common = {"run_count": float(tensor * group), "pipeline_parallel_count": float(pipeline)}
        if order == "data":
            found = layout.spread_writer_count(
                float(per_node),
                tensor_parallel_count=float(tensor),
                data_parallel_count=float(data),
                **common,
            )
        else:
            found = layout.packed_writer_count(float(per_node), **common)
        assert float(found) == counted, order


@given(layers=st.integers(1, 130), pipeline=st.integers(1, 64), stages=st.integers(0, 64))
def test_first_stages_hold_what_dealing_out_layers_gives_them(
    layers: int, pipeline: int, stages: int
) -> None:
    stages = min(stages, pipeline)
    block, ends = 3.0, 10.0
    each = [layers // pipeline + (1 if stage < layers % pipeline else 0) for stage in range(pipeline)]
    held = [block * count for count in each]
    held[0] += ends / 2
    held[-1] += ends / 2
    found = layout.first_stages_parameter_count(
        float(stages),
        pipeline_parallel_count=float(pipeline),
        layer_count=float(layers),
        parameter_count=block * layers + ends,
        embedding_parameter_count=ends,
    )
    assert float(found) == pytest.approx(sum(held[:stages]), abs=1e-9)


@given(gpus=st.integers(1, 4096), tensor=degrees, pipeline=degrees, expert=degrees)
def test_ranks_never_exceed_the_gpus_unless_one_replica_does(
    gpus: int, tensor: int, pipeline: int, expert: int
) -> None:
    data = layout.data_parallel_count(
        float(gpus),
        tensor_parallel_count=float(tensor),
        pipeline_parallel_count=float(pipeline),
        expert_parallel_count=float(expert),
    )
    ranks = layout.rank_count(
        float(tensor), pipeline_parallel_count=float(pipeline), data_parallel_count=data
    )
    replica = tensor * pipeline * expert
    assert float(ranks) == max(gpus // replica, 1) * replica


def test_memory_of_the_distributed_optimizer() -> None:
    """Megatron-LM's table: 6 + 12/d bytes for each bf16 parameter with fp32 gradients."""
    each = checkpoint.rank_state_bytes(6.0, sharded_bytes=12.0, data_parallel_count=64.0)
    state = layout.gpu_state_bytes(1e9, dense_bytes=each, expert_parameter_count=0.0, expert_bytes=0.0)
    assert float(state) == 6.1875e9
