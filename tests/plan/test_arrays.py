"""Platforms that are rated as a whole: a burst has to fit beside what is read, and nothing of them is guessed."""

from __future__ import annotations

import pytest

from tests.plan.changes import EVIDENCE, planned, with_code

EF600 = {
    "storage.hot.platform_id": "netapp-ef600", "storage.hot.manual_usable_bytes": 260e12, "storage.dataset_on": "hot",
    "jobs.0.ingest.basis": "rate", "jobs.0.ingest.read_bytes_per_s": 60e9,
}  # fmt: skip


def test_an_array_writes_less_while_it_is_read():
    result = planned(EVIDENCE, {**EF600, "storage.hot.unit_count": 3})
    # 12.5 and 44 GB/s a unit, of which clients reach 90 %: 33.75 written or 118.8 read; 60.55 are read meanwhile.
    left = 33.75e9 * (1 - (60e9 + 987.75e9 / 1800) / 118.8e9)
    assert result.main.save.save_s.number == pytest.approx(987.75e9 / left, rel=1e-3)
    assert [finding.severity for finding in with_code(result, "BW-2")] == ["warning"]
    assert [finding.severity for finding in with_code(result, "BW-4")] == ["blocker"]


def test_auto_takes_units_for_the_burst_and_the_reads_together():
    result = planned(EVIDENCE, EF600)
    # (27.44 / 12.5 + 60.55 / 44) / 0.9 = 3.97
    assert result.hot.terms["write bandwidth"].number == pytest.approx(3.97, abs=0.005)
    assert result.hot.unit_count.number == 4
    assert with_code(result, "BW-2") == with_code(result, "BW-4") == []
    assert result.main.save.save_s.number <= result.main.job.checkpoint.target_s.number


def test_a_fair_share_is_no_less_than_what_reads_leave():
    reserved = planned(EVIDENCE, {**EF600, "storage.hot.unit_count": 2})
    fair = planned(EVIDENCE, {**EF600, "storage.hot.unit_count": 2, "storage.burst_sharing": "fair"})
    # All 64 nodes write and read: half of 22.5 GB/s at least.
    assert fair.main.save.save_s.number == pytest.approx(987.75 / 11.25, rel=1e-3)
    assert reserved.main.save.save_s.number > fair.main.save.save_s.number
