"""The endurance group's log: its data are in 10^9 bytes under the names that a health log uses for 512,000."""

from __future__ import annotations

import json

import pytest

from planner.core.errors import PlannerError
from planner.telemetry import Reading, read_measurements
from tests.telemetry.shapes import ENDURANCE_LOG, ENDURANCE_TEXT, figures

EXPECTED = {
    "percentage_used": 0.12,
    "available_spare": 1.0,
    "available_spare_threshold": 0.1,
    "critical_warning": 0.0,
    "data_written": 4.2e15,
    "data_read": 1.5e12,
    "media_written": 5.04e15,
    "endurance_estimate": 35.04e15,
}


def read(value: object) -> Reading:
    return read_measurements(json.dumps(value).encode(), name="node1-nvme0.json")


def test_it_is_never_taken_for_a_health_log() -> None:
    reading = read(ENDURANCE_LOG)
    assert reading.kind == "nvme endurance-log"
    assert figures(reading) == pytest.approx(EXPECTED)


def test_numbers_as_strings_or_with_a_point_are_the_same() -> None:
    """128-bit counters are strings in nvme-cli 2.3, and had a point in 1.16."""
    for change in (str, float):
        changed = {
            k: change(v) if k.endswith(("_written", "_read", "_estimate")) else v
            for k, v in ENDURANCE_LOG.items()
        }
        assert figures(read(changed)) == pytest.approx(EXPECTED)


def test_the_wrong_name_of_old_versions_is_known() -> None:
    old = {k: v for k, v in ENDURANCE_LOG.items() if k not in ("media_units_written", "domain_identifier")}
    assert figures(read({**old, "mediate_write_commands": 5040000.0})) == pytest.approx(EXPECTED)


def test_zero_is_what_a_drive_does_not_count() -> None:
    reading = read({**ENDURANCE_LOG, "media_units_written": 0, "endurance_estimate": "0"})
    assert {"media_written", "endurance_estimate"}.isdisjoint(figures(reading))
    assert "not there: media_written, endurance_estimate" in reading.remarks[0]


def test_the_text_form_gives_the_same() -> None:
    reading = read_measurements(ENDURANCE_TEXT.encode(), name="x.txt")
    assert figures(reading) == pytest.approx(EXPECTED)
    assert {record.subject for record in reading.records} == {"nvme3"}


def test_a_figure_that_is_none_is_refused_by_name() -> None:
    reading = read_measurements(ENDURANCE_TEXT.replace("5,040,000", "5,04").encode(), name="x.txt")
    assert "media_written" not in figures(reading)
    assert "media_written is refused" in " ".join(reading.remarks)


def test_both_logs_in_a_row_keep_their_own_units() -> None:
    smart = "Smart Log for NVME device:nvme3 namespace-id:ffffffff\npercentage_used : 12%\nData Units Written : 8,203,125 (4.20 TB)\n"
    reading = read_measurements((smart + ENDURANCE_TEXT).encode(), name="x.txt")
    written = {record.tool: record.value for record in reading.records if record.quantity == "data_written"}
    assert written == {"nvme smart-log": pytest.approx(4.2e12), "nvme endurance-log": pytest.approx(4.2e15)}
    other = read_measurements((ENDURANCE_TEXT + smart).encode(), name="x.txt")
    assert {r.tool: r.value for r in other.records if r.quantity == "data_written"} == written


def test_an_error_in_json_is_told() -> None:
    with pytest.raises(PlannerError, match=r"the device does not offer this log .“Invalid Log Page"):
        read({"error": "Invalid Log Page: the log page is not supported"})
