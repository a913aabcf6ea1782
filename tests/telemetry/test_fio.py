"""fio in the shapes of all versions, and what must not be counted, added up or believed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.telemetry import Reading, Record, read_measurements
from planner.telemetry.totals import totals
from tests.telemetry.shapes import FIO_VERSIONS, Job, fio

SAMPLES = Path(__file__).parent / "samples"


def read(text: str) -> Reading:
    return read_measurements(text.encode())


def figures(records: Sequence[Record]) -> dict[str, float]:
    return {record.quantity: record.value for record in records}


jobs = st.builds(
    Job,
    way=st.sampled_from(["read", "write"]),
    kib_per_s=st.integers(1, 10**9),
    iops=st.floats(1, 1e7),
    latency_us=st.lists(st.integers(1, 10**7), min_size=3, max_size=3).map(lambda v: tuple(sorted(v))),
    runtime_ms=st.integers(1000, 10**7),
)


@given(version=st.sampled_from(FIO_VERSIONS), job=jobs)
def test_every_version_says_the_same_in_its_own_units(version: str, job: Job) -> None:
    reading = read(fio(version, job))
    found = figures(reading.records)
    assert found[f"{job.way}_bandwidth"] == job.kib_per_s * 1024
    assert found[f"{job.way}_iops"] == pytest.approx(job.iops, abs=1 if version == "2.1.14" else 1e-6)
    for i, mark in enumerate(("p50", "p99", "p999")):
        assert found[f"{job.way}_latency_{mark}"] == pytest.approx(job.latency_us[i] * 1e-6)
    assert len(found) == 5
    assert {record.version for record in reading.records} == {version}
    assert reading.remarks == ()


@given(version=st.sampled_from(FIO_VERSIONS), many=st.lists(jobs, min_size=2, max_size=6))
def test_jobs_of_a_group_add_up_and_their_percentiles_do_not(version: str, many: list[Job]) -> None:
    together = totals(read(fio(version, *many)).records)
    for way in ("read", "write"):
        used = [job for job in many if job.way == way]
        sums = {r.quantity: r.value for r in together if r.quantity.startswith(way)}
        if len(used) < 2:
            assert sums == {}
            continue
        assert sums[f"{way}_bandwidth"] == sum(job.kib_per_s for job in used) * 1024
        assert sums[f"{way}_latency_p99"] == pytest.approx(max(job.latency_us[1] for job in used) * 1e-6)
    details = {record.detail.partition(":")[0] for record in together}
    assert all(text == "at most" or text.startswith("sum of") for text in details)


def test_jobs_that_ran_one_after_the_other_do_not_add_up() -> None:
    reading = read(fio("3.33", Job(name="first"), Job(name="second", group=1)))
    assert [record.subject for record in reading.records][::5] == ["first", "second"]
    assert totals(reading.records) == ()


@pytest.mark.parametrize("option", ["wait_for", "startdelay"])
def test_a_job_that_waits_does_not_add_up(option: str) -> None:
    value = json.loads(fio("3.33", Job(), Job(name="late")))
    value["jobs"][1]["job options"][option] = "10"
    reading = read(json.dumps(value))
    assert len(reading.records) == 10
    assert totals(reading.records) == ()
    assert reading.remarks == ("the jobs do not add up: one is missing, was refused or ran at another time",)


def test_the_entry_of_all_clients_counts_nothing_twice() -> None:
    entries = (Job(host="a"), Job(host="b"), Job(name="All clients", kib_per_s=2_000_000))
    reading = read(fio("3.33", *entries, client=True))
    assert {(record.subject, record.host) for record in reading.records} == {
        ("job", "a:8765"),
        ("job", "b:8765"),
    }
    assert figures(totals(reading.records))["read_bandwidth"] == 2_000_000 * 1024


def test_the_entry_of_all_clients_alone_is_refused() -> None:
    reading = read(fio("3.33", Job(name="All clients"), client=True))
    assert reading.records == ()
    assert reading.remarks[0] == "only the entry “All clients” is there, which fio may miscount: refused"


def test_a_job_may_be_called_all_clients_where_there_are_none() -> None:
    assert len(read(fio("3.33", Job(name="All clients"))).records) == 5


def test_sequential_jobs_of_one_client_do_not_add_up() -> None:
    reading = read_measurements(SAMPLES / "fio_3.33_client_stonewall.json")
    found = [(r.subject, r.value) for r in reading.records if r.quantity.endswith("bandwidth")]
    assert found == [("first", 1048576000), ("second", 1398101333), ("third", 67074557)]
    assert totals(reading.records) == ()


def test_interim_reports_of_a_run_are_left_out() -> None:
    reading = read_measurements(SAMPLES / "fio_3.33_status_interval.json")
    found = figures(reading.records)
    assert (found["read_bandwidth"], found["write_bandwidth"]) == (56361287, 56177028)
    assert len(reading.records) == 10
    assert reading.remarks == ("3 interim reports of the same run left out",)


@pytest.mark.parametrize(("gap_ms", "runs"), [(0, 2), (60_000, 2), (-2000, 1)])
def test_runs_in_a_row_are_all_kept(gap_ms: int, runs: int) -> None:
    """The second report is written 2 s after the second run begins, which is after the first one's end."""
    first = fio("3.33", Job(), time_ms=1_795_966_081_360)
    second = fio("3.33", Job(), time_ms=1_795_966_081_360 + gap_ms + 2000)
    reading = read(first + "\n" + second)
    assert {record.run for record in reading.records} == set(range(1, runs + 1))
    assert len(reading.records) == 5 * runs


def test_text_around_the_documents_is_passed_over() -> None:
    first = fio("3.33", Job(), time_ms=1_795_966_081_360)
    second = fio("3.33", Job(kib_per_s=7), time_ms=1_795_966_981_360)
    text = f"note: both iodepth >= 1\nJobs: 1 (f=1): [r(1)][100.0%]\r{first}\nhostname=a, be=0\n{second}\nDisk stats"
    reading = read(text)
    assert [r.value for r in reading.records if r.quantity == "read_bandwidth"] == [1_024_000_000, 7 * 1024]
    assert reading.remarks == ()


def test_normal_and_json_output_in_one_file() -> None:
    reading = read_measurements(SAMPLES / "fio_3.33_normal_and_json.txt")
    found = figures(reading.records)
    assert (found["read_bandwidth"], found["write_bandwidth"]) == (59873882, 63488000)
    assert reading.kind == "fio"


def test_a_job_that_failed_is_refused() -> None:
    reading = read(fio("3.33", Job(), Job(name="broken", error=5)))
    assert {record.subject for record in reading.records} == {"job"}
    assert reading.remarks[0] == "broken: ended with error 5: its figures are refused"
    assert totals(reading.records) == ()


def test_mixed_reporting_is_refused() -> None:
    reading = read_measurements(SAMPLES / "fio_3.33_unified.json")
    assert reading.records == ()
    assert reading.remarks == ("a: reads and writes are reported as one (unified_rw_reporting): refused",)


def test_percentiles_that_were_not_asked_for_are_missed() -> None:
    reading = read_measurements(SAMPLES / "fio_3.33_percentile_list.json")
    assert figures(reading.records)["write_latency_p99"] == pytest.approx(3120e-9)
    assert "write_latency_p999" not in figures(reading.records)
    assert reading.remarks == ("percentile 99.9 was not asked for",)


def test_completion_latency_comes_before_total_latency() -> None:
    reading = read_measurements(SAMPLES / "fio_3.33_lat_percentiles.json")
    assert figures(reading.records)["write_latency_p999"] == pytest.approx(22400e-9)
    assert reading.records[-1].detail == "completion latency"


def test_total_latency_alone_is_taken_and_named() -> None:
    value = json.loads(fio("3.33", Job()))
    side = value["jobs"][0]["read"]
    side["lat_ns"] = side.pop("clat_ns")
    reading = read(json.dumps(value))
    assert figures(reading.records)["read_latency_p50"] == pytest.approx(100e-6)
    assert reading.records[-1].detail == "total latency"


def changed(**fields: object) -> Reading:
    """One job with fields of its direction changed."""
    value = json.loads(fio("3.33", Job()))
    value["jobs"][0]["read"] |= fields
    return read(json.dumps(value))


@pytest.mark.parametrize(
    ("fields", "lost", "remark"),
    [
        ({"bw_bytes": 1_000_000_000}, "read_bandwidth", "bw_bytes and bw say different things"),
        ({"bw": 1_000_000_000, "bw_bytes": -5}, "read_bandwidth", "bw_bytes and bw say different things"),
        ({"bw": -5, "bw_bytes": -5120}, "read_bandwidth", "-5120 is outside 0 to 1e+14"),
        ({"iops": -1.0}, "read_iops", "-1 is outside 0 to 1e+11"),
        ({"iops": float("nan")}, "read_iops", "“nan” is no finite number"),
        ({"iops": "many"}, "read_iops", "“many” is no number"),
        ({"iops": True}, "read_iops", "“True” is no number"),
        ({"iops": None}, "read_iops", "it is missing"),
        ({"iops": 10**400}, "read_iops", "is no finite number"),
    ],
)
def test_a_figure_that_cannot_be_true_is_refused(fields: dict[str, object], lost: str, remark: str) -> None:
    reading = changed(**fields)
    assert lost not in figures(reading.records)
    assert len(reading.records) == 4
    assert remark in reading.remarks[0]
    assert reading.remarks[0].startswith(f"job: {lost} is refused")


def test_percentiles_that_fall_are_refused() -> None:
    marks = {"50.000000": 9000, "99.000000": 8000, "99.900000": 10_000}
    reading = changed(clat_ns={"N": 1, "percentile": marks})
    assert set(figures(reading.records)) == {"read_bandwidth", "read_iops"}
    assert reading.remarks == ("job: read latency is refused: its percentiles do not rise",)


def test_a_key_that_is_there_twice_with_two_values_is_refused() -> None:
    text = fio("3.33", Job()).replace('"iops": 8000.0', '"iops": 8000.0, "iops": 9000.0')
    reading = read(text)
    assert "read_iops" not in figures(reading.records)
    assert reading.remarks == ("job: read_iops is refused: it is given twice, as 8000.0 and 9000.0",)
    assert len(read(text.replace("9000.0", "8000.0")).records) == 5


def test_a_job_that_moved_no_data_is_named() -> None:
    value = json.loads(fio("3.33", Job()))
    value["jobs"][0]["read"] = value["jobs"][0]["write"]
    reading = read(json.dumps(value))
    assert reading.records == ()
    assert reading.remarks == ("job: moved no data",)
