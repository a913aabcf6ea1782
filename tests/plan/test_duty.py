"""Watts of a drive over its duty cycle, and the sum of all parts at the feed."""

from __future__ import annotations

import math

import pytest

from planner.catalogue import load_catalogue
from planner.sizing import facility
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned, shipped

NAMES = [item.id for item in templates()]

# Published watts of two drives, and the grade of each figure: rows of the drives' data sheets.
DRIVES = [
    ("m9550pro-7680", (16.0, "seen"), (18.0, "seen"), (5.0, "class assumption"), 25.0),
    ("pm9a3-7680", (13.5, "seen"), (11.0, "seen"), (5.0, "class assumption"), 13.5),
]


@pytest.mark.parametrize(("drive", "write", "read", "idle", "most"), DRIVES)
def test_a_drive_draws_by_what_it_does_and_its_row_says_how_much(drive, write, read, idle, most):
    site = planned(EVIDENCE, {"storage.hot.drive_id": drive}).facility
    for item, (watts, grade) in (
        (site.drive_write_w, write),
        (site.drive_read_w, read),
        (site.drive_idle_w, idle),
    ):
        assert (item.number, item.grade) == (watts, grade)
    assert site.drive_max_w.number == most
    busy = site.drive_write_fraction.number, site.drive_read_fraction.number
    mean = idle[0] + busy[0] * (write[0] - idle[0]) + busy[1] * (read[0] - idle[0])
    assert site.drive_w.number == pytest.approx(mean)
    assert idle[0] < site.drive_w.number < write[0]


def test_where_a_row_has_one_active_figure_it_stands_for_both_and_says_so():
    site = planned(EVIDENCE, {"storage.hot.drive_id": "ps1010-7680"}).facility
    assert [(item.number, item.grade) for item in (site.drive_write_w, site.drive_read_w)] == [
        (22.0, "seen"),
        (22.0, "inferred"),
    ]
    assert "writing" in site.drive_read_w.source


def test_a_class_figure_is_never_above_the_published_maximum():
    for drive in ("cd8pr-30720", "pm1743-7680", "m7450max-6400"):
        site = planned(EVIDENCE, {"storage.hot.drive_id": drive}).facility
        assert site.drive_write_w.number <= site.drive_max_w.number
        assert site.drive_read_w.number <= site.drive_max_w.number


def test_a_save_writes_for_its_share_of_the_interval_and_drains_are_read():
    result = shipped(EVIDENCE)
    site, job = result.facility, result.main
    share = job.save.save_s.number / job.job.checkpoint.interval_s.number
    assert site.drive_write_fraction.number == pytest.approx(share)
    rate = result.hot.drive_count.number * result.hot.drive.read_bytes_per_s.number
    assert site.drive_read_fraction.number == pytest.approx(
        result.hot.demand.steady_read_bytes_per_s.number / rate
    )


def test_saves_of_all_jobs_and_staging_on_the_hot_tier_keep_the_drives_busy():
    both = shipped("two-jobs")
    shares = [job.save.save_s.number / job.job.checkpoint.interval_s.number for job in both.jobs]
    assert both.facility.drive_write_fraction.number == pytest.approx(sum(shares))
    held = planned(EVIDENCE, {"storage.dataset_on": "hot", "jobs.0.ingest.refresh_days": 1.0})
    job = held.main
    saves = job.save.save_s.number / job.job.checkpoint.interval_s.number
    assert held.facility.drive_write_fraction.number > saves
    loaders = job.job.ingest.read_bytes_per_s.number / (
        held.hot.drive_count.number * held.hot.drive.read_bytes_per_s.number
    )
    assert held.facility.drive_read_fraction.number > loaders


def test_more_frequent_saves_cost_energy_and_leave_the_maximum_alone():
    kit = {"storage.hot.drive_count": 24, "storage.hot.unit_count": 3}
    few, many = (
        planned(EVIDENCE, kit | {"jobs.0.checkpoint.interval_s": seconds, "jobs.0.checkpoint.target_s": 20.0})
        for seconds in (7200.0, 600.0)
    )
    assert many.facility.drive_w.number > few.facility.drive_w.number
    assert many.facility.energy_kwh_per_year.number > few.facility.energy_kwh_per_year.number
    assert many.facility.drive_max_w.number == few.facility.drive_max_w.number


def test_a_drive_without_a_known_rate_counts_as_busy_all_of_the_time():
    drive = "m6600ion-245760"
    assert load_catalogue().drives[drive].read_bytes_per_s is None
    site = planned(EVIDENCE, {"storage.hot.drive_id": drive}).facility
    assert (site.drive_read_fraction.number, site.drive_read_fraction.grade) == (1.0, "class assumption")


def test_an_array_keeps_its_own_watts():
    changes = {"storage.hot.architecture": "all-flash-array", "storage.hot.platform_id": "ddn-ai400x2t"}
    site = planned(EVIDENCE, changes).facility
    assert not site.drive_w.known
    assert not site.drive_write_fraction.known


@pytest.mark.parametrize("name", NAMES)
def test_the_parts_add_up_to_the_feed_on_average_and_at_most(name):
    result = shipped(name)
    site = result.facility
    for each, total in (("typical_w", site.typical_w), ("max_w", site.max_w)):
        parts = [row.count.number * getattr(row, each).number for row in site.rows]
        assert all(row.typical_w.number <= row.max_w.number for row in site.rows)
        assert not any(map(math.isnan, parts))
        assert sum(parts) == pytest.approx(total.number, rel=1e-9)
    assert site.typical_w.number <= site.max_w.number


@pytest.mark.parametrize("name", NAMES)
def test_a_server_draws_typically_the_typical_base_of_its_class_and_at_most_the_high_end(name):
    """Power rules: base 400 to 650 W, 525 W typically."""
    hot, *_, servers = (
        row for row in shipped(name).facility.rows if "base_w" in (row.typical_w.inputs or {})
    )
    for row in (hot, servers):
        assert (row.typical_w.inputs["base_w"].number, row.max_w.inputs["base_w"].number) == (525.0, 650.0)


def test_typical_power_of_a_server_of_14_drives_is_the_published_one():
    """800 W are published for a storage server of 14 drives (8 nodes 6.4 kW): here of 11 W each, and two cards."""
    held = {"storage.hot.drive_count": 14, "storage.hot.unit_count": 1, "storage.hot.drive_id": "pm9a3-7680"}
    result = planned(EVIDENCE, held)
    rule = result.facility.rows[0].typical_w
    inputs = {name: getattr(item, "number", item) for name, item in rule.inputs.items()}
    assert (inputs["drive_count"], inputs["nic_count"], inputs["nic_w"]) == (14.0, 2.0, 25.0)
    assert facility.node_w(**inputs | {"drive_w": 11.0}) == pytest.approx(800.0, rel=0.03)
