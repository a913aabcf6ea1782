"""The interval as an output, reads beside a save, presets, and what is left of a node's memory."""

from __future__ import annotations

import pytest

from planner.inputs import value_at
from planner.presets import PRESETS, Preset
from tests.plan.changes import EVIDENCE, changed, codes, planned, shipped

BEST = {"jobs.0.checkpoint.interval_basis": "best"}


def test_the_best_interval_has_the_best_goodput_for_its_target() -> None:
    made = planned(EVIDENCE, {**BEST, "jobs.0.checkpoint.target_s": 20.0}).main
    checkpoint = made.job.checkpoint
    # reliability models, C: a stall of 20 s at M = 712,777 s has its best work at 5,326 s
    assert made.goodput.interruption_s.number == pytest.approx(712_025, rel=2e-3)
    assert checkpoint.interval_s.number == pytest.approx(5326 + 20, rel=1e-3)
    assert made.save.save_s.number <= 20.0


def test_the_waste_budget_sets_the_target_of_the_best_interval() -> None:
    for budget in (0.01, 0.02, 0.05):
        made = planned(EVIDENCE, {**BEST, "jobs.0.checkpoint.waste_budget_fraction": budget}).main
        # At the target itself the budget is used up; the tier may be faster.
        assert 1 - made.goodput.goodput_fraction.number <= budget + 1e-3
        assert made.save.save_s.number <= made.job.checkpoint.target_s.number


def test_an_asynchronous_save_has_its_best_interval_from_its_stall() -> None:
    made = planned(EVIDENCE, {**BEST, "jobs.0.checkpoint.mode": "async"}).main
    assert made.goodput.goodput_fraction.number == pytest.approx(
        made.goodput.best_goodput_fraction.number, abs=1e-9
    )
    assert made.job.checkpoint.interval_s.number < 3600


def test_a_budget_below_the_restarts_is_for_saves_alone() -> None:
    made = planned(EVIDENCE, {**BEST, "jobs.0.checkpoint.restart_s": 86_400.0}).main
    assert made.job.checkpoint.target_s.number > 0
    assert "restarts left out" in made.job.checkpoint.target_s.label


def test_a_fair_share_is_half_where_reads_would_take_all() -> None:
    heavy = {
        "storage.dataset_on": "hot",
        "storage.hot.drive_count": 12,
        "storage.hot.unit_count": 3,
        "jobs.0.ingest.basis": "rate",
        "jobs.0.ingest.read_bytes_per_s": 100e9,
    }
    reserved = planned(EVIDENCE, heavy).main.save
    fair = planned(EVIDENCE, {**heavy, "storage.burst_sharing": "fair"}).main.save
    alone = planned(EVIDENCE, {**heavy, "jobs.0.ingest.read_bytes_per_s": 0.0}).main.save
    assert fair.stages["drives"].number < reserved.stages["drives"].number
    assert fair.stages["drives"].number == pytest.approx(2 * alone.stages["drives"].number, rel=0.03)


def test_few_reads_leave_the_same_either_way() -> None:
    both = [
        planned(EVIDENCE, {"storage.burst_sharing": way}).main.save.save_s.number
        for way in ("fair", "reserved")
    ]
    assert both[0] == both[1]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_presets_are_values_that_their_inputs_take(preset: Preset) -> None:
    assert preset.changes
    taken = changed(EVIDENCE, preset.changes)
    assert {path: value_at(taken, path) for path in preset.changes} == dict(preset.changes)


def test_the_field_preset_needs_more_storage() -> None:
    few = shipped(EVIDENCE).hot.drive_count.number
    many = planned(EVIDENCE, dict(PRESETS["field-low"].changes)).hot.drive_count.number
    assert many >= 4 * few
    assert planned(EVIDENCE, dict(PRESETS["planned"].changes)).hot.drive_count.number == few


def test_memory_that_saves_and_batches_take_is_not_left_for_files() -> None:
    made = planned(EVIDENCE, {"jobs.0.checkpoint.mode": "async", "cluster.host_memory_bytes": 1e12})
    left = made.main.pipeline.page_cache_bytes.number
    used = made.main.job.checkpoint.host_memory_bytes.number + made.main.job.ingest.prefetch_bytes.number
    assert left == pytest.approx(1e12 - used)
    assert "MEM-1" not in codes(made)


def test_two_levels_take_the_best_interval_of_the_shared_one() -> None:
    made = planned(
        EVIDENCE, {**BEST, "jobs.0.checkpoint.mode": "two-level", "jobs.0.checkpoint.target_s": 20.0}
    ).main
    mean = made.goodput.interruption_s.number
    assert made.job.checkpoint.interval_s.number == pytest.approx((2 * 20.0 * mean / 0.2) ** 0.5)
