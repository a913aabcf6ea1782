"""Layout of a checkpoint in a plan: files, busiest writers, restart, GPU memory, and recipes of one's own."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.units import GIB
from planner.documents import plan_json
from planner.findings.layout import nearest_degrees
from planner.plan import Plan
from planner.sections.layout import LayoutPlan
from planner.summary import figures, key_figures
from planner.templates import templates
from tests.plan.changes import EVIDENCE, plain, planned, shipped

MODEL, WAY = "jobs.0.model.", "jobs.0.parallelism."
SIZE = 70_553_706_496 * 14


def h100(gpus: int, parameters: float, **inputs: Any) -> Plan:
    """A job on nodes of 8 H100; inputs of model and parallelism by their own names."""
    model = {
        "layer_count", "hidden_count", "embedding_parameter_count", "expert_parameter_count", "recipe_id",
    }  # fmt: skip
    changes = {(MODEL if name in model else WAY) + name: value for name, value in inputs.items()}
    base = {
        "cluster.node_id": "dgx-h100",
        "cluster.node_count": gpus // 8,
        MODEL + "parameter_count": parameters,
    }
    return planned(EVIDENCE, {**base, **changes})


def layout_of(result: Plan) -> LayoutPlan:
    return result.main.layout


LLAMA_405B = {
    "tensor_parallel_count": 8, "pipeline_parallel_count": 32, "rank_order": "pipeline-first",
    "layer_count": 126, "hidden_count": 16384, "embedding_parameter_count": 2.0 * 128256 * 16384,
}  # fmt: skip
LLAMA_1T = {
    "tensor_parallel_count": 8, "pipeline_parallel_count": 64, "rank_order": "pipeline-first",
    "layer_count": 128, "hidden_count": 25872, "embedding_parameter_count": 2.0 * 128256 * 25872,
}  # fmt: skip


@pytest.mark.parametrize(
    ("gpus", "parameters", "way", "gib", "files", "stage"),
    [
        (8, 8_030_261_248.0, {}, 104.70, 2 * 8, "3"),
        (64, 69_882_617_856.0, {"tensor_parallel_count": 8}, 911.17, 2 * 64, "3"),
        (512, 405_853_388_800.0, LLAMA_405B, 5291.73, (126 + 3) * 8 + 512, "1"),
        (1024, 1_183_035_102_480.0, LLAMA_1T, 15_425.02, (128 + 3) * 8 + 1024, "1"),
    ],
    ids=["8B", "70B", "405B", "1T"],
)
def test_checkpoints_of_mlperf_storage(
    gpus: int, parameters: float, way: dict[str, Any], gib: float, files: int, stage: str
) -> None:
    """Degrees, stages and processes of the benchmark; AUTO takes its sharding stage."""
    result = h100(gpus, parameters, **way)
    found = layout_of(result)
    assert result.main.job.checkpoint.size_bytes.number / GIB == pytest.approx(gib, abs=0.005)
    assert found.file_count.number == files
    assert found.rank_count.number == gpus
    assert result.auto[WAY + "sharding_stage"].value == stage


def test_ranks_of_the_405b_benchmark_write_weights_or_not() -> None:
    """The benchmark's own check: 755 GiB over the 256 ranks of the first replica, 4,533 GiB over all 512."""
    found = layout_of(
        h100(512, 405_853_388_800.0, **{**LLAMA_405B, "embedding_parameter_count": None, "layer_count": None})
    )
    assert found.busiest_rank_bytes.number / GIB == pytest.approx(755 / 256 + 4533 / 512, rel=2e-3)
    assert found.busiest_node_bytes.number / GIB == pytest.approx(8 * (755 / 256 + 4533 / 512), rel=2e-3)
    assert found.busiest_node_bytes.number / found.mean_node_bytes.number == pytest.approx(
        (2 / 256 + 12 / 512) / (14 / 512)
    )
    assert found.writers == plain("256 of 512 ranks write weights, all write their shard of the optimizer")


def test_the_first_stage_of_a_pipeline_is_the_largest() -> None:
    """126 layers over 32 stages: the first has 4 and the embedding; each tensor rank an eighth of it."""
    found = layout_of(h100(512, 405_853_388_800.0, **LLAMA_405B))
    ends = 2 * 128256 * 16384
    block = (405_853_388_800 - ends) / 126
    assert found.busiest_rank_bytes.number == pytest.approx(
        2 * (4 * block + ends / 2) / 8 + 12 * 405_853_388_800 / 512
    )


def test_sizes_of_the_files() -> None:
    groups = {group.content: group for group in layout_of(h100(512, 405_853_388_800.0, **LLAMA_405B)).files}
    assert {name: group.count.number for name, group in groups.items()} == {
        "weights, layer": 126 * 8, "weights, embedding and output head": 2 * 8, "weights, last norm": 8,
        "shard of optimizer": 512,
    }  # fmt: skip
    assert groups["weights, embedding and output head"].size_bytes.number == 2 * 128256 * 16384 / 8
    assert groups["weights, last norm"].size_bytes.number == 2 * 16384 / 8
    assert groups["shard of optimizer"].size_bytes.number == 12 * 405_853_388_800 / 512


# --- any layout -----------------------------------------------------------------------------------

ways = st.fixed_dictionaries(
    {
        WAY + "tensor_parallel_count": st.sampled_from([1, 2, 4, 8]),
        WAY + "pipeline_parallel_count": st.sampled_from([1, 2, 4]),
        WAY + "expert_parallel_count": st.sampled_from([1, 2, 8]),
        WAY + "sharding_stage": st.sampled_from([None, 0, 1, 2, 3]),
        WAY + "file_layout": st.sampled_from(["zero-files", "even-shards", "rank-0"]),
        WAY + "rank_order": st.sampled_from(["data-first", "pipeline-first"]),
        WAY + "restart_read": st.sampled_from([None, "every-rank", "broadcast"]),
        MODEL + "layer_count": st.sampled_from([None, 4, 80, 81]),
        MODEL + "embedding_parameter_count": st.sampled_from([None, 2.1e9]),
        MODEL + "expert_parameter_count": st.sampled_from([None, 0.0, 60e9]),
    }
)


@settings(max_examples=60)
@given(way=ways)
def test_files_add_up_and_no_part_writes_more_than_the_whole(way: dict[str, Any]) -> None:
    result = planned(EVIDENCE, way)
    found, own = layout_of(result), result.main.job.checkpoint
    written = sum(group.count.number * group.size_bytes.number for group in found.files)
    assert written == pytest.approx(SIZE, rel=1e-9)
    assert own.size_bytes.number == SIZE
    assert found.busiest_rank_bytes.number * (1 + 1e-9) >= SIZE / 256
    assert found.busiest_rank_bytes.number <= found.busiest_node_bytes.number * (1 + 1e-9)
    assert found.busiest_node_bytes.number <= SIZE * (1 + 1e-9)
    assert found.busiest_ratio.number >= 1 - 1e-9
    assert found.restart_bytes.number >= SIZE * (1 - 1e-9)
    assert found.restart_rank_bytes.number <= found.restart_node_bytes.number * (1 + 1e-9)
    assert found.restart_node_bytes.number <= found.restart_bytes.number * (1 + 1e-9)
    assert found.least_state_bytes.number <= found.state_high_bytes.number * (1 + 1e-9)
    assert own.shard_bytes.number == pytest.approx(found.busiest_node_bytes.number)
    assert own.restart_bytes.number == pytest.approx(found.restart_bytes.number)


@settings(max_examples=40)
@given(way=ways)
def test_the_busiest_node_is_the_one_that_counting_rank_by_rank_finds(way: dict[str, Any]) -> None:
    """With stages alike, each rank's bytes follow from its place alone."""
    way |= {
        MODEL + "layer_count": None,
        MODEL + "embedding_parameter_count": None,
        WAY + "file_layout": "zero-files",
    }
    tensor, pipeline, expert = (
        way[f"{WAY}{name}_parallel_count"] for name in ("tensor", "pipeline", "expert")
    )
    stage = way[WAY + "sharding_stage"]
    stage = (3 if pipeline == 1 else 1) if stage is None else stage
    lead, shared = {0: (14, 0), 3: (0, 14)}.get(stage, (2, 12))
    whole = SIZE / 14
    experts = (way[MODEL + "expert_parameter_count"] or 0.0) if expert > 1 else 0.0
    ranks, data = np.arange(256), 256 // (tensor * pipeline)
    data_first = way[WAY + "rank_order"] == "data-first"
    replica = ranks // tensor % data if data_first else ranks // (tensor * pipeline)
    each = (
        np.where(replica == 0, lead * (whole - experts) / (tensor * pipeline), 0.0)
        + np.where(replica < expert, lead * experts / (tensor * pipeline * expert), 0.0)
        + shared * whole / 256
    )
    found = layout_of(planned(EVIDENCE, way))
    assert each.sum() == pytest.approx(SIZE)
    assert found.busiest_rank_bytes.number == pytest.approx(each.max())
    assert found.busiest_node_bytes.number == pytest.approx(each.reshape(64, 4).sum(axis=1).max())


# --- what it does to the save, the host and the restart -------------------------------------------


def test_the_save_waits_for_the_busiest_node() -> None:
    even = shipped(EVIDENCE)
    skewed = planned(EVIDENCE, {WAY + "tensor_parallel_count": 4, WAY + "sharding_stage": 1})
    node = 2 * SIZE / 14 + 12 * SIZE / 14 / 64
    assert skewed.main.job.checkpoint.shard_bytes.number == pytest.approx(node)
    slower = node / (SIZE / 64)
    before, after = (result.main.save.stages["node ports"].number for result in (even, skewed))
    assert after == pytest.approx(before * slower)
    assert skewed.network.node_write_bytes_per_s.number == pytest.approx(
        even.network.node_write_bytes_per_s.number * slower
    )
    for stage in ("fabric", "target ports", "drives"):
        assert skewed.main.save.stages[stage].number == pytest.approx(even.main.save.stages[stage].number)


def test_one_rank_that_writes_all_is_as_slow_as_its_process() -> None:
    """torchsnapshot: torch.save of 20 GB takes 38 s."""
    result = planned(EVIDENCE, {WAY + "file_layout": "rank-0", "jobs.0.checkpoint.mode": "async"})
    own = result.main.job.checkpoint
    spread = result.main.save.stages["node ports"].number / (SIZE / 20e9 * 38)
    assert result.main.save.binding == "node ports"
    assert spread == pytest.approx(result.main.jitter_ratio.number)
    assert own.host_memory_bytes.number == SIZE
    assert own.gpu_shard_bytes.number == SIZE
    assert [(g.content, g.count.number) for g in layout_of(result).files] == [("whole checkpoint", 1)]


@pytest.mark.parametrize(
    ("way", "read", "rank"),
    [
        ({"sharding_stage": 3}, SIZE, SIZE / 256),
        ({"sharding_stage": 1}, SIZE / 14 * (2 * 256 + 12), SIZE / 14 * (2 + 12 / 256)),
        ({"sharding_stage": 0}, SIZE * 256, SIZE),
        ({"sharding_stage": 0, "restart_read": "broadcast"}, SIZE, SIZE),
        ({"file_layout": "rank-0"}, SIZE, SIZE),
        ({"file_layout": "rank-0", "restart_read": "every-rank"}, SIZE * 256, SIZE),
    ],
)
def test_what_a_restart_reads(way: dict[str, Any], read: float, rank: float) -> None:
    result = planned(EVIDENCE, {WAY + name: value for name, value in way.items()})
    found, good = layout_of(result), result.main.goodput
    assert found.restart_bytes.number == pytest.approx(read)
    assert found.restart_rank_bytes.number == pytest.approx(rank)
    node = result.network.option.node_bytes_per_s.number
    array = result.hot.read_bytes_per_s.number
    assert good.load_s.number == pytest.approx(max(read / array, found.restart_node_bytes.number / node))


def test_nothing_stated_is_the_same_as_equal_shards() -> None:
    plain_plan, stated = (planned(EVIDENCE, way) for way in ({}, {WAY + "sharding_stage": 3}))
    for name, item in key_figures(plain_plan).items():
        assert key_figures(stated)[name].number == pytest.approx(item.number), name
    assert stated.main.job.checkpoint.gpu_shard_bytes.number == pytest.approx(SIZE / 256)


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_templates_show_files_memory_and_checkpoint_apart(item: Any) -> None:
    result = shipped(item.id)
    for job in result.jobs:
        assert job.layout.busiest_ratio.number == pytest.approx(1)
        assert job.layout.state_low_bytes.number * job.layout.rank_count.number >= 12 * (
            job.job.checkpoint.parameter_count.number
        )
    shown = figures(result)
    assert any(
        name.startswith("Checkpoint layout") and "Files of a checkpoint" in rows
        for name, rows in shown.items()
    )
    content = json.loads(json.dumps(plan_json(result), allow_nan=False))
    assert content["checkpoint"]["layout"]["file_count"] == result.main.layout.file_count.number


# --- GPU memory -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stage", "low", "high"),
    [(0, 16, 18), (1, 4 + 12 / 32, 6 + 12 / 32), (2, 2 + 14 / 32, 2 + 16 / 32), (3, 16 / 32, 18 / 32)],
)
def test_memory_by_sharding_stage(stage: int, low: float, high: float) -> None:
    """Megatron-LM: 6 + 12/d with FP32 gradients and the optimizer sharded; the rest follows from what is sharded."""
    found = layout_of(planned(EVIDENCE, {WAY + "sharding_stage": stage, WAY + "tensor_parallel_count": 8}))
    held = SIZE / 14 / 8
    assert found.data_parallel_count.number == 32
    assert found.state_low_bytes.number == pytest.approx(held * low)
    assert found.state_high_bytes.number == pytest.approx(held * high)


def test_experts_are_sharded_over_their_own_replicas() -> None:
    """64 replicas, experts over 8 of them: 8 replicas of each expert."""
    found = layout_of(
        planned(
            EVIDENCE,
            {
                WAY + "sharding_stage": 1,
                WAY + "tensor_parallel_count": 4,
                WAY + "expert_parallel_count": 8,
                MODEL + "expert_parameter_count": 64e9,
            },
        )
    )
    dense = (SIZE / 14 - 64e9) / 4
    assert found.state_low_bytes.number == pytest.approx(dense * (4 + 12 / 64) + 64e9 / 32 * (4 + 12 / 8))


# --- recipes --------------------------------------------------------------------------------------


def test_a_recipe_of_stated_components() -> None:
    """1 + 4 + 2 + 2 + 0.5 bytes: 8-bit weights, FP32 master, 16-bit moments and scales."""
    names = ("weight_bytes", "master_bytes", "first_moment_bytes", "second_moment_bytes", "extra_bytes")
    result = planned(EVIDENCE, dict(zip((MODEL + name for name in names), (1, 4, 2, 2, 0.5), strict=True)))
    assert result.main.job.checkpoint.bytes_per_parameter_bytes.number == 9.5
    assert result.main.job.checkpoint.size_bytes.number == 9.5 * SIZE / 14
    assert layout_of(result).weight_bytes.number == SIZE / 14
    # Gradients stay those of the row: 2 to 4.
    assert layout_of(result).state_low_bytes.number == pytest.approx(11.5 * SIZE / 14 / 256)


def test_one_stated_component_leaves_the_others_to_the_recipe() -> None:
    result = planned(EVIDENCE, {MODEL + "extra_bytes": 4.0})
    assert result.main.job.checkpoint.bytes_per_parameter_bytes.number == 18
    assert result.auto[MODEL + "master_bytes"].number == 4


def test_a_stated_sum_goes_before_stated_components() -> None:
    result = planned(EVIDENCE, {MODEL + "extra_bytes": 4.0, MODEL + "bytes_per_parameter_bytes": 6.0})
    assert result.main.job.checkpoint.size_bytes.number == 6 * SIZE / 14
    assert layout_of(result).optimizer_bytes.number == 4 * SIZE / 14


def test_muon_by_the_split_of_the_model() -> None:
    whole, split = (
        planned(EVIDENCE, {MODEL + "recipe_id": "muon", **more})
        for more in ({}, {MODEL + "embedding_parameter_count": 2.1e9})
    )
    assert whole.main.job.checkpoint.size_bytes.number == 10 * SIZE / 14
    assert split.main.job.checkpoint.size_bytes.number == pytest.approx(10 * (SIZE / 14 - 2.1e9) + 14 * 2.1e9)


@pytest.mark.parametrize(
    ("shape", "adapters"),
    [
        ({"adapter_parameter_count": 2e8}, 2e8),
        ({"layer_count": 80, "hidden_count": 8192, "adapter_rank_count": 8}, 2 * 8 * 8192 * 2 * 80),
        ({}, 0.006 * SIZE / 14),
    ],
)
def test_lora_saves_adapters_and_holds_the_model(shape: dict[str, float], adapters: float) -> None:
    result = planned(
        EVIDENCE, {MODEL + "recipe_id": "lora", **{MODEL + name: value for name, value in shape.items()}}
    )
    assert result.main.job.checkpoint.size_bytes.number == pytest.approx(14 * adapters)
    assert layout_of(result).saved_parameter_count.number == pytest.approx(adapters)
    # 2 bytes of the frozen model, and weights, gradients and optimizer of the adapters, over 256 GPUs.
    assert layout_of(result).state_low_bytes.number == pytest.approx((2 * SIZE / 14 + 16 * adapters) / 256)


def test_the_guides_recipe_keeps_its_sum_and_memory_that_of_training() -> None:
    result = shipped("guide-70b")
    parameters = result.main.job.checkpoint.parameter_count.number
    found = layout_of(result)
    assert found.weight_bytes.number + found.optimizer_bytes.number == pytest.approx(4 * parameters)
    assert found.state_low_bytes.number == pytest.approx(16 * parameters / found.rank_count.number)


@given(
    gpus=st.integers(1, 200_000),
    tensor=st.integers(1, 1024),
    pipeline=st.integers(1, 1024),
    expert=st.integers(1, 64),
)
def test_the_nearest_degrees_divide(gpus: int, tensor: int, pipeline: int, expert: int) -> None:
    near = nearest_degrees(gpus, (tensor, pipeline, expert))
    assert gpus % (near[0] * near[1] * near[2]) == 0
    if gpus % (tensor * pipeline * expert) == 0:
        assert near == (tensor, pipeline, expert)
