"""What `measure` prints, as lines and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner.telemetry import report
from planner.telemetry.records import Record
from planner.telemetry.report import failures, measure, report_json, report_lines
from planner.telemetry.totals import totals
from tests.telemetry.shapes import SMART, Job, fio

SAMPLES = Path(__file__).parent / "samples"


def test_lines_show_values_as_people_read_them_with_totals_and_remarks() -> None:
    names = [
        str(SAMPLES / name) for name in ("fio_3.33_client_server.json", "smartctl_7.0_media_errors.json")
    ]
    lines = list(report_lines(measure(names)))
    assert lines[0] == f"{names[0]}: fio"
    assert lines[1].split() == ["ckpt", "127.0.0.1:8765", "write_bandwidth", "5.33", "GB/s"]
    assert [" ".join(line.split()) for line in lines if "2 jobs of group 0" in line][:2] == [
        "2 jobs of group 0 write_bandwidth 10.7 GB/s sum of 2 jobs",
        "2 jobs of group 0 write_iops 10.2 k/s sum of 2 jobs",
    ]
    assert f"{names[1]}: smartctl" in lines
    shown = {tuple(line.split()[1:]) for line in lines if line.startswith("  nvme0 ")}
    assert {
        ("percentage_used", "3", "%"),
        ("data_written", "33.6", "TB"),
        ("temperature", "35", "°C"),
        ("media_errors", "7"),
        ("power_on_time", "1.46", "years"),
        ("capacity", "500", "GB"),
    } <= shown
    assert lines[-1] == "  remark: nvme0: passes its own health test although it has media errors"


def test_json_holds_every_record_with_its_unit_and_its_file() -> None:
    names = [str(SAMPLES / name) for name in ("fio_3.33_numjobs4.json", "fio_3.33_truncated.json")]
    value = report_json(measure(names))
    text = json.dumps(value, allow_nan=False)
    assert json.loads(text) == value
    assert isinstance(value["records"], list)
    assert len(value["records"]) == 20 + 10
    first = value["records"][0]
    assert first == {
        "file": names[0],
        "tool": "fio",
        "version": "3.33",
        "subject": "rd #1",
        "quantity": "read_bandwidth",
        "value": 377888239.0,
        "unit": "bytes/s",
        "host": "",
        "run": 1,
        "group": "group 0",
        "low": None,
        "high": None,
        "detail": "",
        "node_count": 0,
    }
    assert isinstance(value["totals"], list)
    assert [(item["file"], item["quantity"]) for item in value["totals"]] == [
        (names[0], f"read_{name}")
        for name in ("bandwidth", "iops", "latency_p50", "latency_p99", "latency_p999")
    ]
    assert {"file": names[1], "remark": "truncated inside entry 3 of “jobs”"} in value["remarks"]
    assert value["files"] == [{"file": name, "kind": "fio", "error": ""} for name in names]


def test_a_folder_without_files_says_so(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("{}")
    (told,) = failures(measure([str(tmp_path)]))
    assert told == f"{tmp_path}: this folder holds no file; name one with outputs of storage tools"


def test_what_a_folder_holds_beyond_outputs_is_no_files_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    for name in (".git/config", "a.json", "b.json"):
        (tmp_path / name).write_text("{}")
    assert [file.name for file in measure([str(tmp_path)])] == [
        str(tmp_path / n) for n in ("a.json", "b.json")
    ]
    monkeypatch.setattr(report, "MOST_FILES", 1)
    (told,) = failures(measure([str(tmp_path)]))
    assert told.startswith(f"{tmp_path}: more than 1 files, the most that is read")


def test_a_file_that_cannot_be_read_keeps_no_other_from_being_read(tmp_path: Path) -> None:
    good = tmp_path / "nvme0.json"
    good.write_text(json.dumps(SMART))
    files = measure([str(tmp_path / "none"), str(good)])
    assert failures(files) == (f"{tmp_path / 'none'}: No such file or directory",)
    assert len(report_json(files)["records"]) == 9  # type: ignore[arg-type]
    assert next(report_lines(files)) == f"{good}: nvme smart-log"


def test_repetitions_show_their_extremes() -> None:
    (line,) = [
        line
        for line in report_lines(measure([str(SAMPLES / "ior_4.1_summary.json")]))
        if "write_band" in line
    ]
    assert line.endswith("8.14 GB/s  mean of repetitions: 2; 7.18 GB/s to 9.09 GB/s")


def test_totals_need_every_job_of_a_group() -> None:
    """A latency that one of the jobs does not have is no total of all of them."""

    def record(subject: str, quantity: str, value: float, unit: str) -> Record:
        return Record("fio", "3.33", subject, quantity, value, unit, group="group 0")

    a, b = record("a", "read_bandwidth", 1.0, "bytes/s"), record("b", "read_bandwidth", 2.0, "bytes/s")
    slow, fast = record("a", "read_latency_p99", 0.2, "s"), record("b", "read_latency_p99", 0.1, "s")
    assert [(r.quantity, r.value) for r in totals([a, b, slow])] == [("read_bandwidth", 3.0)]
    assert [r.value for r in totals([a, b, slow, fast])] == [3.0, 0.2]
    assert totals([a]) == ()


def test_the_second_run_is_numbered(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text(fio("3.33", Job()) + "\n" + fio("3.33", Job(), time_ms=1_795_999_000_000))
    assert sum("job (run 2)" in line for line in report_lines(measure([str(path)]))) == 5
