"""From raw data to loaders: benchmark presets, imports, epochs, files and caches."""

from __future__ import annotations

from typing import Any

import pytest

from planner import load_catalogue, plan
from planner.core.errors import PlannerError
from planner.scenario_json import scenario_from_dict
from tests.plan.changes import on_evidence as planned

CATALOGUE = load_catalogue()
MIB = 2**20


def preset(name: str, **more: Any) -> Any:
    changes = {"jobs.0.ingest.basis": "preset", "jobs.0.ingest.preset_id": name}
    return planned(changes | {f"jobs.0.ingest.{key}": value for key, value in more.items()}).main


@pytest.mark.parametrize(
    ("name", "mb_per_s"),
    [
        # workload facts, 1.4: full speed of one accelerator
        ("unet3d-h100", 3177.1),
        ("unet3d-b200", 6334.6),
        ("unet3d-v100", 431.0),
        ("resnet50-h100", 204.8),
        ("resnet50-a100", 105.4),
        ("cosmoflow-a100", 513.3),
        ("flux-b200", 77.0),
        ("bert-v100", 0.124),
    ],
)
def test_a_benchmark_reads_as_published_at_full_speed(name: str, mb_per_s: float) -> None:
    assert preset(name).job.ingest.gpu_read_bytes_per_s.number == pytest.approx(mb_per_s * 1e6, rel=2e-3)


@pytest.mark.parametrize(
    ("name", "floor", "mib_per_s"),
    [
        ("unet3d-h100", 0.9, 2726.9),
        ("resnet50-h100", 0.9, 175.7),
        ("cosmoflow-a100", 0.7, 342.7),
        ("flux-b200", 0.9, 66.1),
    ],
)
def test_a_benchmark_reads_as_published_at_its_floor(name: str, floor: float, mib_per_s: float) -> None:
    row = CATALOGUE.ingest_presets[name]
    assert row.floor_fraction is not None
    assert row.floor_fraction.number == floor
    read = preset(name, utilisation_fraction=floor).job.ingest.gpu_read_bytes_per_s.number
    assert read == pytest.approx(mib_per_s * MIB, rel=2e-3)


def test_the_columns_that_are_read_count_not_those_that_are_stored() -> None:
    # 16,384 samples of 160 B each 0.375 ms
    assert preset("dlrm-b200").job.ingest.gpu_read_bytes_per_s.number == pytest.approx(16384 * 160 / 0.000375)


def test_the_dataset_of_a_benchmark_is_the_published_one() -> None:
    # workload facts, 1.5: 36 accelerators of 3D U-Net need 126,000 files
    main = planned(
        {
            "cluster.node_count": 9,
            "cluster.host_memory_bytes": 1e9,
            "jobs.0.ingest.basis": "preset",
            "jobs.0.ingest.preset_id": "unet3d-h100",
        }
    ).main
    assert main.job.gpu_count.number == 36
    assert main.pipeline.benchmark_sample_count.number == 126_000


def test_batch_and_step_time_are_samples_a_second() -> None:
    batch = planned(
        {"jobs.0.ingest.basis": "batch", "jobs.0.ingest.batch_count": 400, "jobs.0.ingest.step_s": 0.224}
    )
    samples = planned({"jobs.0.ingest.basis": "samples", "jobs.0.ingest.samples_per_s": 400 / 0.224})
    assert batch.main.job.ingest.read_bytes_per_s.number == pytest.approx(
        samples.main.job.ingest.read_bytes_per_s.number
    )


@pytest.mark.parametrize(("scope", "times"), [("job", 1), ("node", 64), ("gpu", 256)])
def test_a_typed_rate_is_for_what_it_says(scope: str, times: int) -> None:
    reads = planned(
        {
            "jobs.0.ingest.basis": "rate",
            "jobs.0.ingest.read_bytes_per_s": 1e8,
            "jobs.0.ingest.rate_scope": scope,
        }
    ).main.job.ingest
    assert reads.read_bytes_per_s.number == pytest.approx(times * 1e8)
    assert reads.node_read_bytes_per_s.number == pytest.approx(times * 1e8 / 64)
    assert reads.gpu_read_bytes_per_s.number == pytest.approx(times * 1e8 / 256)


def test_the_guides_import_takes_44_hours() -> None:
    pipeline = planned({"jobs.0.ingest.raw_dataset_bytes": 200e12}).main.pipeline
    assert pipeline.import_s.number / 3600 == pytest.approx(44.4, abs=0.05)


def test_small_files_mean_many_opens() -> None:
    changes = {"jobs.0.ingest.basis": "rate", "jobs.0.ingest.read_bytes_per_s": 10e9}
    shards = planned(changes).main.pipeline
    files = planned({**changes, "jobs.0.ingest.file_bytes": 1e5}).main.pipeline
    assert (shards.file_bytes.number, shards.open_per_s.number) == (1e9, 10)
    assert files.open_per_s.number == pytest.approx(1e5)
    assert files.file_count.number == pytest.approx(50e12 / 1e5)


def test_epochs_and_the_first_one_behind_caches() -> None:
    changes = {
        "jobs.0.ingest.basis": "rate",
        "jobs.0.ingest.read_bytes_per_s": 10e9,
        "jobs.0.ingest.dataset_bytes": 20e12,
        "cluster.local_drive_count": 4,
        "cluster.local_drive_bytes": 3.84e12,
    }
    pipeline = planned(changes).main.pipeline
    assert pipeline.epoch_s.number == pytest.approx(2000)
    assert pipeline.epoch_count.number == pytest.approx(90 * 86_400 / 2000)
    share = (4 * 3.84e12 - 500e9) / 20e12
    assert pipeline.cached_fraction.number == pytest.approx(share)
    assert pipeline.warm_read_bytes_per_s.number == pytest.approx(10e9 * (1 - share))
    assert pipeline.cold_epoch_s.number == pytest.approx(2000 / (1 - share))


def test_a_job_that_reads_nothing_has_no_end_of_an_epoch() -> None:
    pipeline = planned({"jobs.0.ingest.basis": "rate", "jobs.0.ingest.read_bytes_per_s": 0.0}).main.pipeline
    assert pipeline.epoch_s.number == float("inf")
    assert pipeline.epoch_count.number == 0


def test_vendor_levels_scale_with_the_gpus_and_are_no_requirement() -> None:
    few, many = (planned({"cluster.node_count": count}).main for count in (64, 128))
    best = [next(x for x in job.pipeline.levels if x.label == "DGX H100, best") for job in (few, many)]
    assert best[0].read_bytes_per_s.number == pytest.approx(125e9)
    assert best[0].write_bytes_per_s.number == pytest.approx(62e9)
    assert best[1].read_bytes_per_s.number == pytest.approx(250e9)
    assert few.job.ingest.read_bytes_per_s.number < 1e9


def test_an_unknown_benchmark_is_refused_with_the_nearest() -> None:
    with pytest.raises(PlannerError, match="unet3d-h100"):
        plan(
            scenario_from_dict({"jobs": [{"ingest": {"basis": "preset", "preset_id": "unet3d-h10"}}]}),
            CATALOGUE,
        )


def test_preparation_takes_the_cores_that_its_samples_ask_for() -> None:
    pipeline = planned(
        {
            "jobs.0.ingest.basis": "samples",
            "jobs.0.ingest.sample_bytes": 1e5,
            "jobs.0.ingest.dataset_bytes": 8.64e12,
            "jobs.0.ingest.refresh_days": 1.0,
            "jobs.0.ingest.sample_cpu_s": 0.2,
            "jobs.0.ingest.preprocess_core_count": 64,
        }
    ).main.pipeline
    # 86.4 million samples a day are 1,000 a second
    assert pipeline.preprocess_core_count.number == pytest.approx(200)
    assert pipeline.preprocess_node_count.number == 4


def test_a_benchmark_that_reads_some_columns_goes_through_those_alone() -> None:
    main = planned(
        {
            "jobs.0.ingest.basis": "preset",
            "jobs.0.ingest.preset_id": "dlrm-b200",
            "jobs.0.ingest.dataset_bytes": 50e12,
        }
    ).main
    read = main.job.ingest.read_bytes_per_s.number
    assert main.pipeline.epoch_s.number == pytest.approx(50e12 * 160 / 761 / read)
    file_bytes = 4_718_592 * 761
    assert main.pipeline.file_bytes.number == file_bytes
    assert main.pipeline.open_per_s.number == pytest.approx(read / (4_718_592 * 160))
    memory = main.pipeline.benchmark_sample_count.number * 761
    assert main.pipeline.benchmark_bytes.number == pytest.approx(memory)
