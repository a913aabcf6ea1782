"""Read demand, loaders, caches and staging."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.units import DAY_S, GB, HOUR_S, MB, TB
from planner.sizing import ingest, token_rates
from planner.sizing import local as local_drives

rates = st.floats(1e6, 1e12)
counts = st.integers(1, 16_384).map(float)
sizes = st.floats(1e9, 1e15)


@pytest.mark.parametrize(
    ("sample_bytes", "batch", "step_s", "gb_per_s"),
    [
        (322_957, 24, 0.04755, 42),
        (114_660.07, 400, 0.224, 52),
        (2_828_486, 1, 0.0035, 207),
        (146_600_628, 7, 0.323, 813),
        (146_600_628, 7, 0.162, 1622),
        (2_164_832, 48, 1.35, 20),
    ],
    ids=["retinanet B200", "resnet50 H100", "cosmoflow H100", "unet3d H100", "unet3d B200", "flux B200"],
)
def test_256_gpus_of_measured_workloads(sample_bytes, batch, step_s, gb_per_s):
    demand = ingest.sample_read_bytes_per_s(
        sample_bytes,
        samples_per_s=ingest.samples_per_s(batch, step_s=step_s),
        gpu_count=256,
        utilisation_fraction=1.0,
    )
    assert float(demand) / GB == pytest.approx(gb_per_s, rel=0.02)


def test_text_on_256_of_the_fastest_gpus_needs_a_hundredth_of_the_guides_low_end():
    demand = ingest.token_read_bytes_per_s(31_508.0, token_bytes=4, gpu_count=256)
    assert float(demand) / MB == pytest.approx(32.26, rel=1e-3)
    reads = ingest.cluster_samples_per_s(demand, sample_bytes=32_768.0)
    assert float(reads) == pytest.approx(1000, rel=0.02)


@given(peak=st.floats(1e14, 1e16), share=st.floats(0.1, 1.0), parameters=st.floats(1e9, 1e12))
def test_token_rate_and_utilisation_are_each_others_inverse(peak, share, parameters):
    rate = token_rates.tokens_per_s_from_flops(
        peak, utilisation_fraction=share, active_parameter_count=parameters
    )
    spent = token_rates.training_flop_count(rate, active_parameter_count=parameters)
    assert float(token_rates.utilisation_fraction(spent, peak_flops=peak)) == pytest.approx(share, rel=1e-9)


@given(tokens=st.floats(1e9, 1e14), gpus=counts, flops=st.floats(1e13, 1e15))
def test_training_time_returns_the_achieved_rate(tokens, gpus, flops):
    operations = token_rates.training_flop_count(tokens, active_parameter_count=70e9)
    time = token_rates.training_s(operations, gpu_count=gpus, achieved_flops=flops)
    assert float(token_rates.achieved_flops(operations, gpu_count=gpus, run_s=time)) == pytest.approx(
        flops, rel=1e-9
    )


def test_attention_adds_to_utilisation_and_vanishes_with_the_sequence():
    shape = {
        "parameter_count": 7e9,
        "layer_count": 32,
        "hidden_count": 4096,
        "gpu_count": 256,
        "peak_flops": 989e12,
    }
    lengths = np.array([1.0, 2048.0])
    with_attention = token_rates.attention_utilisation_fraction(
        1e6 / lengths, sequence_token_count=lengths, **shape
    )
    plain = 6 * 7e9 * 1e6 / (256 * 989e12)
    assert with_attention[0] == pytest.approx(plain, rel=1e-4)
    assert with_attention[1] / plain == pytest.approx(1 + 12 * 32 * 4096 * 2048 / (6 * 7e9), rel=1e-9)


@given(read=rates, local=sizes, dataset=sizes)
def test_cache_takes_its_share_of_reads_and_never_more_than_all(read, local, dataset):
    share = local_drives.dataset_on_node_fraction(local, dataset_bytes=dataset)
    left = float(ingest.cached_read_bytes_per_s(read, cache_fraction=share))
    assert left == pytest.approx(read * max(1 - local / dataset, 0.0), rel=1e-9, abs=read * 1e-9)


def test_dataset_that_fits_the_cache_leaves_nothing_to_read():
    share = local_drives.dataset_on_node_fraction(15 * TB, dataset_bytes=10 * TB)
    assert float(ingest.cached_read_bytes_per_s(50 * GB, cache_fraction=share)) == 0.0


def test_minimum_dataset_by_memory_once_memory_is_large():
    memory = np.array([0.0, 1e9, 251 * 2.0**30])
    samples = ingest.dataset_minimum_sample_count(
        1, gpu_count=30, client_memory_bytes=memory, sample_bytes=2_828_486.0
    )
    np.testing.assert_array_equal(samples, [15_000.0, 15_000.0, np.ceil(5 * memory[2] / 2_828_486.0)])


def test_preprocessing_nodes_are_whole():
    cores = ingest.preprocess_core_count(100e3, sample_cpu_s=0.005)
    nodes = ingest.preprocess_node_count(cores, node_core_count=np.array([96.0, 100.0, 500.0]))
    np.testing.assert_array_equal(nodes, [6.0, 5.0, 1.0])


def test_staging_of_50_tb_once_a_week():
    dataset = ingest.expanded_bytes(100 * TB, expansion_ratio=0.5)
    assert float(ingest.staging_s(dataset, bandwidth_bytes_per_s=5 * GB)) / HOUR_S == pytest.approx(
        2.7778, rel=1e-4
    )
    rate = ingest.staging_bytes_per_s(dataset, refresh_s=7 * DAY_S)
    assert float(rate) * 7 * DAY_S == pytest.approx(50 * TB, rel=1e-12)


@given(nodes=st.integers(1, 512).map(float), canonical=st.integers(1, 1024).map(float))
def test_least_shard_cache_covers_every_part(nodes, canonical):
    least = float(ingest.minimum_shard_cache_bytes(67e6, canonical_node_count=canonical, node_count=nodes))
    assert least * nodes >= 2 * 67e6 * canonical * (1 - 1e-12)
    assert least >= 2 * 67e6
