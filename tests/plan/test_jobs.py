"""Jobs side by side, copies that a job makes itself, asynchronous saves, and which job is the main one."""

from __future__ import annotations

import pytest

from planner.catalogue import load_catalogue
from planner.plan import plan
from planner.summary import figures
from tests.plan.changes import EVIDENCE, changed, planned, shipped

SIZE = 70_553_706_496 * 14


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Training", "Training"), ("Training (1)", "Training (2)")),
        (("A (1)", "A (1)"), ("A (1) (1)", "A (1) (2)")),
        (("A", "A (1)"), ("A", "A (1)")),
    ],
)
def test_jobs_called_alike_are_told_apart_and_counted_twice(
    names: tuple[str, str], shown: tuple[str, str]
) -> None:
    result = planned("two-jobs", {f"jobs.{index}.name": name for index, name in enumerate(names)})
    contents = result.hot.demand.contents
    assert list(contents) == [f"checkpoints of {name}" for name in shown]
    assert sum(item.number for item in contents.values()) == pytest.approx(
        sum(one.job.checkpoint.retained_bytes.number for one in result.jobs)
    )
    assert len(figures(result)) == len(figures(shipped("two-jobs")))


def test_three_jobs_of_which_a_name_looks_like_a_number_are_all_kept() -> None:
    two = changed("two-jobs", {})
    named = tuple(
        two.jobs[index].model_copy(update={"name": name})
        for index, name in ((0, "A"), (1, "A"), (1, "A (1)"))
    )
    result = plan(two.model_copy(update={"jobs": named}), load_catalogue())
    assert len(result.hot.demand.contents) == 3


def test_copies_of_a_job_are_written_from_one_buffer() -> None:
    for count in (1, 2, 3):
        result = planned(
            EVIDENCE,
            {"jobs.0.checkpoint.mode": "async", "jobs.0.checkpoint.application_copies_count": count},
        )
        assert result.main.job.checkpoint.host_memory_bytes.number == pytest.approx(SIZE / 64)
        assert result.main.job.checkpoint.shard_bytes.number == pytest.approx(count * SIZE / 64)


@pytest.mark.parametrize("stall_s", [1799.0, 1800.0, 3000.0, 3600.0])
def test_a_stall_longer_than_the_interval_takes_all_the_time_and_no_more(stall_s: float) -> None:
    goodput = planned(
        EVIDENCE, {"jobs.0.checkpoint.mode": "async", "jobs.0.checkpoint.async_stall_s": stall_s}
    ).main.goodput
    assert goodput.stall_fraction.number == pytest.approx(min(stall_s / 1800, 1.0))
    assert 0 <= goodput.goodput_fraction.number <= 1 - goodput.stall_fraction.number + 1e-9
    # A save cannot begin before the last has ended: 365 days / the longer of stall and interval.
    saves = 365 * 86_400 / max(stall_s, 1800)
    assert goodput.idle_usd_per_year.number == pytest.approx(256 * 3 * stall_s / 3600 * saves)


def test_a_file_system_server_protects_its_own_drives() -> None:
    hot = planned(EVIDENCE, {"storage.hot.architecture": "parallel-file-system"}).hot
    assert hot.scheme is not None
    assert (hot.scheme.id, hot.domain, hot.protection_at) == ("raid-z2", "drive", "controller")


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_stripes_are_those_of_the_job_with_the_largest_checkpoint(order: tuple[int, int]) -> None:
    two = changed("two-jobs", {"jobs.0.checkpoint.block_bytes": 8e6, "jobs.1.checkpoint.block_bytes": 3e6})
    result = plan(
        two.model_copy(update={"jobs": tuple(two.jobs[index] for index in order)}), load_catalogue()
    )
    assert result.protection.stripe is not None
    assert result.protection.stripe.block_bytes.number == 8e6


def test_jobs_that_state_no_nodes_share_what_the_others_leave() -> None:
    free = planned("two-jobs", {"jobs.0.node_count": None, "jobs.1.node_count": None})
    assert [one.job.node_count.number for one in free.jobs] == [64, 64]
    some = planned("two-jobs", {"jobs.0.node_count": 100, "jobs.1.node_count": None})
    assert [one.job.node_count.number for one in some.jobs] == [100, 28]
    none_left = planned("two-jobs", {"jobs.0.node_count": 128, "jobs.1.node_count": None})
    assert [one.job.node_count.number for one in none_left.jobs] == [128, 1]
    assert any(finding.code == "JOB-1" for finding in none_left.findings)


def test_the_guide_check_is_of_the_main_job_wherever_it_stands() -> None:
    result = planned(
        "two-jobs",
        {
            "jobs.1.model.parameter_count": 1e12,
            "jobs.1.ingest.worker_count": 7,
            "jobs.1.ingest.block_bytes": 2e6,
        },
    )
    assert result.main is result.jobs[1]
    design = {row.id: row.design.number for row in result.guide}
    assert (design["G36"], design["G38"]) == (7.0, 2e6)
