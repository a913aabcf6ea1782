"""Health logs, sizes and paths in the shapes of all versions, and the traps in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.errors import PlannerError
from planner.telemetry import Reading, read_measurements
from tests.telemetry.shapes import SMART, SMART_TEXT, figures, path, subsystem

SAMPLES = Path(__file__).parent / "samples"
FAILING = {
    "percentage_used": 1.04,
    "available_spare": 0.08,
    "available_spare_threshold": 0.1,
    "temperature": 58.0,
    "data_written": 98765432109 * 512_000,
    "data_read": 61234567890 * 512_000,
    "media_errors": 3.0,
    "critical_warning": 5.0,
    "power_on_time": 17520 * 3600,
}
"""What the two samples of a failing drive hold: see the index of the samples."""


def read(value: object) -> Reading:
    text = value if isinstance(value, str) else json.dumps(value)
    return read_measurements(text.encode(), name="nvme0.json")


# --- health logs ----------------------------------------------------------------------------------

COUNTERS = ("data_units_read", "data_units_written", "power_on_hours", "media_errors")


@pytest.mark.parametrize("write", [int, float, str, lambda v: f"{v}.0", lambda v: {"value": v}])
def test_counters_are_read_however_a_version_writes_them(write: Callable[[int], object]) -> None:
    log = {key: write(value) if key in COUNTERS else value for key, value in SMART.items()}
    assert figures(read(log)) == pytest.approx(FAILING)
    warning = {"value": 5, "available_spare": 1, "temp_threshold": 0, "reliability_degraded": 1}
    reading = read(log | {"critical_warning": warning})
    assert figures(reading) == pytest.approx(FAILING)
    (bits,) = [record.detail for record in reading.records if record.quantity == "critical_warning"]
    assert bits == "spare low, reliability degraded"


def test_the_text_form_says_the_same() -> None:
    reading = read(SMART_TEXT)
    assert figures(reading) == pytest.approx(FAILING)
    assert (reading.kind, reading.remarks) == ("nvme smart-log", ())
    assert {record.subject for record in reading.records} == {"nvme0n1"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("58°C (331 Kelvin)", "58 C"),
        ("58°C (331 Kelvin)", "58 C (331 Kelvin)"),
        ("58°C (331 Kelvin)", "58 °C (331 K, 136 °F)"),
        ("58°C (331 Kelvin)", "136 °F (331 K)"),
        ("98,765,432,109 (50.57 PB)", "98765432109"),
        ("98,765,432,109 (50.57 PB)", "98.765.432.109 (50,57 PB)"),
        ("98,765,432,109 (50.57 PB)", "98\u202f765\u202f432\u202f109 (50,57 PB)"),
        ("Data Units Written  ", "data_units_written"),
        ("0x5", "5"),
        (": 8%", ":8 %"),
    ],
)
def test_the_text_form_of_other_versions_and_locales(before: str, after: str) -> None:
    assert before in SMART_TEXT
    reading = read(SMART_TEXT.replace(before, after))
    assert figures(reading) == pytest.approx(FAILING)
    assert reading.remarks == ()


@pytest.mark.parametrize(
    ("before", "after", "lost", "remark"),
    [
        ("58°C (331 Kelvin)", "331", "temperature", "has no unit"),
        ("58°C (331 Kelvin)", "136 °F", "temperature", "is no number"),
        ("58°C (331 Kelvin)", "58°C (341 Kelvin)", "temperature", "gives two different temperatures"),
        ("58°C (331 Kelvin)", "-273 °C (0 K, -459 °F)", "temperature", "not there: temperature"),
        ("98,765,432,109", "98,765", "data_written", "gives two different sizes"),
        ("98,765,432,109 (", "98,765,432,1x9 (", "data_written", "is no number"),
        (": 104%", ": much", "percentage_used", "is no number"),
        (": 104%", ": 300%", "percentage_used", "300 is outside 0 to 255"),
    ],
)
def test_a_line_of_the_text_form_that_cannot_be_true_is_refused(
    before: str, after: str, lost: str, remark: str
) -> None:
    reading = read(SMART_TEXT.replace(before, after, 1))
    assert set(FAILING) - set(figures(reading)) == {lost}
    assert remark in reading.remarks[0]


def test_several_logs_in_a_row_stay_apart() -> None:
    reading = read(SMART_TEXT + SMART_TEXT.replace("nvme0n1", "nvme1n1").replace("104%", "7%"))
    used = {r.subject: r.value for r in reading.records if r.quantity == "percentage_used"}
    assert used == pytest.approx({"nvme0n1": 1.04, "nvme1n1": 0.07})
    documents = read(json.dumps(SMART) + "\n" + json.dumps(SMART | {"percent_used": 7}))
    used = {r.subject: r.value for r in documents.records if r.quantity == "percentage_used"}
    assert used == pytest.approx({"nvme0": 1.04, "nvme0 #2": 0.07})


@pytest.mark.parametrize(
    ("field", "value", "quantity", "remark"),
    [
        ("temperature", 0, "temperature", "temperature is not reported (0 K)"),
        ("temperature", 58, "temperature", "58 is outside 213 to 423, so it cannot be true"),
        ("percent_used", 256, "percentage_used", "256 is outside 0 to 255, so it cannot be true"),
        ("avail_spare", 101, "available_spare", "101 is outside 0 to 100, so it cannot be true"),
        ("data_units_written", -1, "data_written", "-1 is outside 0 to"),
        ("data_units_written", "0x17", "data_written", "“0x17” is no number"),
        ("media_errors", None, "media_errors", "not there: media_errors"),
        ("critical_warning", {"temp_threshold": 1}, "critical_warning", "is no number"),
    ],
)
def test_a_field_that_cannot_be_true_is_refused(
    field: str, value: object, quantity: str, remark: str
) -> None:
    reading = read(SMART | {field: value})
    assert set(FAILING) - set(figures(reading)) == {quantity}
    assert remark in reading.remarks[0]


def test_more_than_everything_used_is_possible_and_the_field_ends_at_255() -> None:
    reading = read(SMART | {"percent_used": 255})
    (record,) = [r for r in reading.records if r.quantity == "percentage_used"]
    assert (record.value, record.detail) == (2.55, "at least: the field goes no further")


def test_smartctl_keeps_counters_too_large_for_a_number_in_strings() -> None:
    value = json.loads((SAMPLES / "smartctl_7.4_nvme.json").read_text())
    log = value["nvme_smart_health_information_log"]
    log["data_units_written"], log["data_units_written_s"] = 98765432000, "98765432109"
    (record,) = [r for r in read(value).records if r.quantity == "data_written"]
    assert record.value == 98765432109 * 512_000


def test_smartctl_of_another_drive_gives_no_record_but_a_remark() -> None:
    value = json.loads((SAMPLES / "smartctl_7.4_nvme.json").read_text())
    del value["nvme_smart_health_information_log"]
    reading = read(value)
    assert reading.records == ()
    assert reading.remarks == ("nvme0: no NVMe health log: not an NVMe drive, or it could not be read",)


def test_a_drive_that_fails_its_own_test_is_named() -> None:
    value = json.loads((SAMPLES / "smartctl_7.4_nvme.json").read_text())
    value["smart_status"]["passed"] = False
    assert read(value).remarks == ("nvme0: its own health test has failed",)


def test_what_a_tool_says_instead_of_an_output_is_passed_on() -> None:
    reading = read_measurements(SAMPLES / "smartctl_7.3_no_device.json")
    assert reading.records == ()
    assert "smartctl says: Smartctl open device: /dev/nvme9 failed: No such device" in reading.remarks[0]
    with pytest.raises(
        PlannerError, match=r"nvme found no NVMe subsystem on this machine.*“Failed to scan topology"
    ):
        read_measurements(SAMPLES / "nvme_2.3_list_no_device.txt")


# --- sizes ----------------------------------------------------------------------------------------

NAMESPACE = {"PhysicalSize": 4000787030016, "MaximumLBA": 7814037168, "SectorSize": 512}


def flat(**fields: object) -> dict[str, Any]:
    return {"Devices": [{"DevicePath": "/dev/nvme0n1", "NameSpace": 1, **NAMESPACE, **fields}]}


@pytest.mark.parametrize(
    ("fields", "remark"),
    [
        ({"PhysicalSize": -2147483648}, "is outside 1 to 1e+18"),
        ({"PhysicalSize": -2147483648, "MaximumLBA": -4194304}, "is outside 1 to 1e+18"),
        ({"PhysicalSize": 0}, "is outside 1 to 1e+18"),
        ({"PhysicalSize": 4000}, "it is not the number of blocks times their size"),
        ({"SectorSize": 4096}, "it is not the number of blocks times their size"),
        ({"PhysicalSize": "(null)"}, "“(null)” is no number"),
    ],
)
def test_a_size_that_cannot_be_true_is_refused(fields: dict[str, object], remark: str) -> None:
    reading = read(flat(**fields))
    assert reading.records == ()
    assert remark in reading.remarks[0]
    assert reading.remarks[0].startswith("nvme0n1: capacity is refused")


def test_a_shared_namespace_counts_once() -> None:
    shared = {"NameSpace": "nvme0n1", "NSID": 1, **NAMESPACE}
    controllers = [{"Controller": f"nvme{i}", "Namespaces": [shared]} for i in range(4)]
    tree = {
        "Devices": [
            {"HostNQN": "nqn.a", "Subsystems": [{"Controllers": controllers, "Namespaces": [shared]}]}
        ]
    }
    (record,) = read(tree).records
    assert (record.subject, record.host, record.value) == ("nvme0n1", "nqn.a", 4000787030016)


def test_the_name_of_a_device_is_the_same_in_all_versions() -> None:
    names = {read(flat(DevicePath=name)).records[0].subject for name in ("/dev/nvme0n1", "nvme0n1")}
    assert names == {"nvme0n1"}


def test_an_empty_list_is_named() -> None:
    assert read({"Devices": []}).remarks == ("nvme list: no namespace",)


# --- paths ----------------------------------------------------------------------------------------

NQN = "nqn.2026-01.org.example:ckpt-a"


def counts(reading: Reading) -> tuple[float, float, float]:
    found = figures(reading)
    return found["paths"], found["paths_live"], found["paths_usable"]


def in_version(version: str, *items: dict[str, Any]) -> object:
    """The subsystems in the frame of a version."""
    subsystems: list[object] = list(items)
    if version == "1.early":  # names and paths in objects of their own
        split = [
            ({k: v for k, v in item.items() if k != "Paths"}, {"Paths": item["Paths"]}) for item in items
        ]
        return {"Subsystems": [part for pair in split for part in pair]}
    if version == "1.16":
        return {"Subsystems": subsystems}
    if version == "3.0":
        for item in items:
            for each in item["Paths"]:
                each["AddressDetails"] = {"traddr": "192.0.2.1", "trsvcid": "4420"}
    return [{"HostNQN": "nqn.host", "HostID": "1", "Subsystems": subsystems}]


@pytest.mark.parametrize("version", ["1.early", "1.16", "2.3", "3.0"])
def test_paths_in_every_version(version: str) -> None:
    states = ("live", "connecting", "resetting", "deleting", "deleting (no IO)", "dead", "new")
    paths = [path(i, state) for i, state in enumerate(states)]
    reading = read(in_version(version, subsystem(*paths)))
    assert counts(reading) == (7, 1, 1)
    assert reading.remarks == tuple(f"{NQN}: nvme{i} is {s}" for i, s in enumerate(states) if s != "live")


def test_a_live_path_that_cannot_be_reached_carries_nothing() -> None:
    """Its ANA state is printed only where a device was named."""
    states = ("optimized", "non-optimized", "inaccessible", "persistent-loss", "change")
    paths = [path(i, ANAState=state) for i, state in enumerate(states)]
    reading = read(in_version("2.3", subsystem(*paths)))
    assert counts(reading) == (5, 5, 2)
    assert reading.remarks[0] == f"{NQN}: nvme2 is live but inaccessible"


@pytest.mark.parametrize("state", ["(null)", None])
def test_a_state_that_is_not_there_is_not_live(state: str | None) -> None:
    reading = read(in_version("2.3", subsystem(path(1), path(2) | {"State": state})))
    assert counts(reading) == (2, 1, 1)
    assert reading.remarks == (f"{NQN}: nvme2 is in an unknown state",)


def test_a_path_that_has_vanished_is_missed_only_against_the_design() -> None:
    reading = read(in_version("2.3", subsystem(path(1), path(2), path(3))))
    assert counts(reading) == (3, 3, 3)
    assert reading.remarks == ()
    assert reading.records[0].detail == "as listed: a path lost for longer than ctrl_loss_tmo is not"


def test_a_subsystem_without_paths_has_none() -> None:
    assert counts(read({"Subsystems": [{"Name": "nvme-subsys1", "NQN": NQN}]})) == (0, 0, 0)


@given(live=st.integers(0, 8), dead=st.integers(0, 8), unreachable=st.integers(0, 8))
def test_usable_live_and_listed_paths_are_nested(live: int, dead: int, unreachable: int) -> None:
    kinds = [("live", "")] * live + [("dead", "")] * dead + [("live", "inaccessible")] * unreachable
    paths = [path(i, state, **({"ANAState": ana} if ana else {})) for i, (state, ana) in enumerate(kinds)]
    assert counts(read(in_version("2.3", subsystem(*paths)))) == (
        live + dead + unreachable,
        live + unreachable,
        live,
    )
