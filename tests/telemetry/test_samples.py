"""Every sample of a tool's real output against the values that are expected of it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from planner.core.units import UNITS
from planner.telemetry import QUANTITIES, Record, read_measurements
from planner.telemetry.totals import totals

SAMPLES = Path(__file__).parent / "samples"
with (SAMPLES / "index.csv").open(encoding="utf-8", newline="") as file:
    INDEX = [(row["file"], json.loads(row["expected"])) for row in csv.DictReader(file)]
KINDS = {
    "fio": "fio",
    "SYNTHETIC": "fio",
    "nvme_smart-log": "nvme smart-log",
    "nvme_v2.3_smart-log": "nvme smart-log",
    "nvme_v2.11_smart-log": "nvme smart-log",
    "nvme_v2.3_list": "nvme list",
    "nvme_v2.11_list": "nvme list",
    "nvme_list-subsys": "nvme list-subsys",
    "smartctl": "smartctl",
    "mlperf": "DLIO",
    "ior": "ior",
    "mdtest": "mdtest",
}


def values(records: Sequence[Record], quantity: str) -> list[float]:
    return [record.value for record in records if record.quantity == quantity]


def only(records: Sequence[Record], quantity: str) -> float:
    (value,) = values(records, quantity)
    return value


DRIVE: dict[str, tuple[str, Callable[[float], float], float]] = {
    "percentage_used": ("percentage_used", lambda v: v * 100, 1e-9),
    "avail_spare_pct": ("available_spare", lambda v: v * 100, 1e-9),
    "spare_thresh_pct": ("available_spare_threshold", lambda v: v * 100, 1e-9),
    "critical_warning": ("critical_warning", lambda v: v, 0),
    "media_errors": ("media_errors", lambda v: v, 0),
    "power_on_hours": ("power_on_time", lambda v: v / 3600, 1e-9),
    "tb_written": ("data_written", lambda v: v / 1e12, 1e-3),
    "tb_read": ("data_read", lambda v: v / 1e12, 1e-3),
    "temp_c": ("temperature", lambda v: v, 0),
    "capacity_bytes": ("capacity", lambda v: v, 0),
}
"""Expected figure of a drive: quantity, conversion to the unit of the index, tolerance."""
LATENCY = {"p50": "p50_ns_max_over_jobs", "p99": "p99_ns_max_over_jobs", "p999": "p999_ns_max_over_jobs"}


def check_fio(records: Sequence[Record], way: str, expected: dict[str, float]) -> None:
    """Sums and largest percentiles over the jobs, from the records and from the totals alike."""
    assert sum(values(records, f"{way}_bandwidth")) == expected["bw_bytes_per_s"]
    assert sum(values(records, f"{way}_iops")) == pytest.approx(expected["iops"], abs=0.01)
    for mark, key in LATENCY.items():
        assert max(values(records, f"{way}_latency_{mark}")) * 1e9 == pytest.approx(expected[key])
    together = totals(records)
    if len(values(records, f"{way}_bandwidth")) > 1:
        assert only(together, f"{way}_bandwidth") == expected["bw_bytes_per_s"]
        assert only(together, f"{way}_latency_p99") * 1e9 == pytest.approx(expected["p99_ns_max_over_jobs"])
    else:
        assert together == ()


def check_paths(
    records: Sequence[Record], remarks: Sequence[str], nqn: str, expected: dict[str, Any]
) -> None:
    of = [record for record in records if record.subject == nqn]
    found = [only(of, name) for name in ("paths", "paths_live", "paths_usable")]
    assert found == [expected["paths"], expected["live"], expected["usable"]]
    said = [line for line in remarks if line.startswith(nqn)]
    assert said == [f"{nqn}: {' is '.join(text.split(':'))}" for text in expected["not_live"]]


@pytest.mark.parametrize(("name", "expected"), INDEX, ids=[name for name, _ in INDEX])
def test_a_sample_gives_the_values_expected_of_it(name: str, expected: dict[str, Any]) -> None:
    reading = read_measurements(SAMPLES / name)
    records, remarks = reading.records, reading.remarks
    assert reading.kind == next(kind for prefix, kind in KINDS.items() if name.startswith(prefix))
    checked = set()
    for key, value in expected.items():
        if key in DRIVE:
            quantity, convert, tolerance = DRIVE[key]
            assert convert(sum(values(records, quantity))) == pytest.approx(value, abs=tolerance)
        elif key in ("read", "write") and reading.kind == "fio":
            check_fio(records, key, value)
        elif key in ("read", "write"):
            (record,) = [r for r in records if r.quantity == f"{key}_bandwidth"]
            assert record.value == pytest.approx(value["mean_bytes_per_s"], abs=1)
            assert record.high == pytest.approx(value["max_bytes_per_s"], abs=1)
        elif key.startswith("nqn."):
            check_paths(records, remarks, key, value)
        elif key in OTHERS:
            OTHERS[key](records, remarks, value)
        else:
            continue
        checked.add(key)
    assert set(expected) - checked <= {"docs", "errors"}


OTHERS: dict[str, Callable[[Sequence[Record], Sequence[str], Any], None]] = {}


def expects(key: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """File the check of one expectation of the index."""

    def file_check(check: Callable[..., None]) -> Callable[..., None]:
        OTHERS[key] = check
        return check

    return file_check


@expects("jobs")
def _jobs(records: Sequence[Record], remarks: Sequence[str], value: int) -> None:
    assert len({(record.subject, record.host) for record in records}) == value


@expects("complete_jobs")
def _complete_jobs(records: Sequence[Record], remarks: Sequence[str], value: int) -> None:
    _jobs(records, remarks, value)
    assert totals(records) == ()


@expects("error")
def _error(records: Sequence[Record], remarks: Sequence[str], value: str) -> None:
    assert value == "truncated"
    assert remarks[0] == "truncated inside entry 3 of “jobs”"


@expects("namespaces")
def _namespaces(records: Sequence[Record], remarks: Sequence[str], value: int) -> None:
    assert len(values(records, "capacity")) == value


@expects("passed")
def _passed(records: Sequence[Record], remarks: Sequence[str], value: bool) -> None:
    odd = "passes its own health test although it has media errors"
    assert [line for line in remarks if odd in line] == [f"nvme0: {odd}"] * (
        only(records, "media_errors") > 0
    )


@expects("smartctl")
def _smartctl(records: Sequence[Record], remarks: Sequence[str], value: str) -> None:
    assert {(record.tool, record.version) for record in records} == {("smartctl", value)}


@expects("accelerators")
def _accelerators(records: Sequence[Record], remarks: Sequence[str], value: int) -> None:
    assert {record.detail.split(", ")[0] for record in records} == {f"{value} accelerators"}


@expects("hosts")
def _hosts(records: Sequence[Record], remarks: Sequence[str], value: int) -> None:
    assert {record.detail.split(", ")[1] for record in records} == {f"{value} hosts"}


@expects("au_ok")
def _au_ok(records: Sequence[Record], remarks: Sequence[str], value: str) -> None:
    assert (value == "success") == (remarks == ())


@expects("au_pct")
def _au(records: Sequence[Record], remarks: Sequence[str], value: float) -> None:
    assert only(records, "accelerator_utilisation") * 100 == pytest.approx(value, abs=1e-3)


@expects("io_bytes_per_s")
def _io(records: Sequence[Record], remarks: Sequence[str], value: float) -> None:
    assert only(records, "read_bandwidth") == pytest.approx(value, abs=1)


@expects("file_creation_ops")
def _creation(records: Sequence[Record], remarks: Sequence[str], value: float) -> None:
    assert only(records, "file_creation_rate") == value


@expects("file_stat_ops")
def _stat(records: Sequence[Record], remarks: Sequence[str], value: float) -> None:
    assert only(records, "file_stat_rate") == value


@expects("parse")
def _parse(records: Sequence[Record], remarks: Sequence[str], value: str) -> None:
    """The figures that are not used are nan; those that are used are those of the file without nan."""
    whole = read_measurements(SAMPLES / "fio_2.21_randread.json")
    assert (records, remarks) == (whole.records, whole.remarks)


NO_OUTPUT = ("index.csv", "nvme_2.3_list_no_device.txt")
MEASURED = [path.name for path in sorted(SAMPLES.iterdir()) if path.name not in NO_OUTPUT]


@pytest.mark.parametrize("name", MEASURED)
def test_every_value_has_its_unit_and_a_subject(name: str) -> None:
    for record in read_measurements(SAMPLES / name).records:
        assert record.unit == QUANTITIES[record.quantity].unit
        assert record.unit in UNITS
        assert record.subject
        assert record.tool


def test_the_name_of_a_file_says_nothing() -> None:
    for name, _ in INDEX:
        content = (SAMPLES / name).read_bytes()
        if "smart-log" not in name:  # which does not say its drive
            assert read_measurements(content, name="x.bin") == read_measurements(SAMPLES / name)
        else:
            assert {r.subject for r in read_measurements(content, name="a/nvme7.json").records} == {"nvme7"}
