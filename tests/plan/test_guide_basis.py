"""A design on the guide's basis: its bytes per parameter, its headroom, its capacities, and nothing counted twice."""

from __future__ import annotations

import pytest

from planner.sizing import tier_capacity
from tests.plan.changes import GUIDE, changed, planned, shipped


@pytest.mark.parametrize(
    ("template", "parameters", "high", "capacity"),
    # 6 checkpoints x 1.3, up to the next half: 0.4368, 2.184, 5.46, 12.636.
    [
        ("guide-7b", 7e9, 8, 0.5e12),
        ("guide-70b", 70e9, 4, 2.5e12),
        ("guide-175b", 175e9, 4, 5.5e12),
        ("guide-405b", 405e9, 4, 13e12),
    ],
)
def test_the_guides_recommended_capacity(
    template: str, parameters: float, high: float, capacity: float
) -> None:
    result = shipped(template)
    assert result.main.job.checkpoint.size_bytes.number == parameters * high
    assert result.main.job.checkpoint.guide_capacity_bytes.number == capacity


def test_the_guides_200_tb_are_full_after_14_9_days() -> None:
    result = planned(GUIDE, {"jobs.0.checkpoint.cold_keep_all": True})
    growth = result.retention.growth_bytes_per_day.number
    assert growth == pytest.approx(48 * 280e9)
    assert result.retention.fixed_bytes.number == 0
    whole = tier_capacity.full_after_s(200e12, fixed_bytes=0.0, growth_bytes_per_day=growth)
    assert round(float(whole) / 86_400, 1) == 14.9
    # The plan fills only what is safe, 200 / 1.3.
    assert result.retention.full_after_s.number == pytest.approx(200e12 / 1.3 / 13.44e12 * 86_400)


@pytest.mark.parametrize(
    ("parameters", "per_parameter"),
    # Rows of 7, 70, 175 and 405 billion; a size between two takes the nearer on a logarithmic scale.
    [(7e9, 8), (13e9, 8), (22.1e9, 8), (22.2e9, 4), (34e9, 4), (1e12, 4), (1e6, 8)],
)
def test_a_model_between_the_guides_rows_takes_the_nearest(parameters: float, per_parameter: float) -> None:
    result = planned("guide-70b", {"jobs.0.model.parameter_count": parameters})
    assert result.main.job.checkpoint.bytes_per_parameter_bytes.number == per_parameter


def test_the_reserve_counts_once_on_either_basis() -> None:
    for basis, ratio in (("guide", 1.3), ("evidence", 1 / 0.8)):
        hot = planned("guide-70b", {"basis": basis}).hot
        assert hot.reserve_ratio.number == pytest.approx(ratio)
        assert hot.needed_bytes.number == pytest.approx(hot.demand.content_bytes.number * ratio)
        assert hot.safe_bytes.number == pytest.approx(hot.usable_bytes.number / ratio)


def test_parity_is_written_once_and_the_drives_own_writes_are_inside_the_rating() -> None:
    result = shipped("guide-70b")
    wear = result.endurance
    assert wear.drive_write_bytes_per_day.number == pytest.approx(13.44e12 * 1.25)
    assert wear.allowance_bytes_per_day.number == pytest.approx(result.hot.raw_bytes.number * 3)
    changed_waf = planned("guide-70b", {"storage.actual_waf_ratio": 5.0, "storage.rated_waf_ratio": 5.0})
    assert changed_waf.endurance.allowance_bytes_per_day.number == wear.allowance_bytes_per_day.number
    assert changed("guide-70b", {}).storage.actual_waf_ratio == 1.1
