"""The real tools: the generated job through the real fio to a verdict, and what nvme and smartctl say without a drive."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner.__main__ import main
from planner.core.errors import PlannerError
from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from planner.scenario_json import scenario_to_json
from planner.telemetry import read_measurements
from tests.deploy.tools import lay_out, run
from tests.plan.changes import changed, planned

LAB = "lab-8-nodes"
JOB = "fine-tuning-8b"
NO_DEVICE = "/dev/nvme987"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Outputs of the bundle's own jobs, scaled down to a few megabytes in a file, run by the real fio as run.sh does."""
    top = tmp_path_factory.mktemp("measured")
    jobs = lay_out(contents(planned(LAB, {}), Addressing()).files, top / "bundle", "acceptance/")
    for test in ("checkpoint", "dataset"):
        out = top / test / "node1" / f"{JOB}-{test}.json"
        out.parent.mkdir(parents=True)
        done = run(
            "fio", "--output-format=json", f"--output={out}", f"{JOB}/{test}.fio",
            cwd=jobs, DIRECTORY=str(jobs), SIZE=str(16 << 20),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    return top


@pytest.mark.parametrize(("test", "promise"), [("checkpoint", "node-write"), ("dataset", "node-read")])
def test_the_generated_job_runs_and_its_output_gets_a_verdict(
    test: str, promise: str, measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (output,) = (measured / test / "node1").iterdir()
    scenario = tmp_path / "scenario.json"
    scenario.write_text(scenario_to_json(changed(LAB, {})), encoding="utf-8")
    status = main(["verify", str(scenario), str(output), "--json", "--measured-on", "2026-11-29"])
    told = json.loads(capsys.readouterr().out)
    (outcome,) = [item for item in told["outcomes"] if item["promise"] == promise]
    (record,) = [
        r.value
        for r in read_measurements(output).records
        if r.quantity == ("write_bandwidth" if test == "checkpoint" else "read_bandwidth")
    ]
    assert outcome["measured"] == record
    reached = record >= outcome["expected"] * 0.95
    assert outcome["result"] == ("pass" if reached else "fail")
    assert status == (0 if reached else 1)


def test_a_node_that_cannot_keep_up_exits_with_1(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same real output against a design that asks more than any file in memory gives."""
    scenario = tmp_path / "scenario.json"
    hard = changed(LAB, {"jobs.0.checkpoint.target_s": 0.001, "jobs.0.checkpoint.mode": "sync"})
    scenario.write_text(scenario_to_json(hard), encoding="utf-8")
    assert main(["verify", str(scenario), str(measured / "checkpoint")]) == 1
    assert "1 of 1 node falls short" in capsys.readouterr().out.replace("\u00a0", " ")


@pytest.mark.parametrize(
    "arguments", [("smart-log", NO_DEVICE, "-o", "json"), ("endurance-log", NO_DEVICE, "-o", "json")]
)
def test_nvme_without_the_device_is_understood(arguments: tuple[str, ...]) -> None:
    done = run("nvme", *arguments)
    assert done.returncode != 0
    with pytest.raises(PlannerError, match="the tool did not find the device") as caught:
        read_measurements((done.stdout + done.stderr).encode(), name="node1.json")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("arguments", [("list", "-o", "json"), ("list-subsys", "-o", "json")])
def test_nvme_lists_are_read_or_their_error_is_understood(arguments: tuple[str, ...]) -> None:
    """A machine without any NVMe prints an error, another one its drives."""
    done = run("nvme", *arguments)
    told = kind_of((done.stdout + done.stderr).encode())
    assert told == f"nvme {arguments[0]}" or "nvme found no NVMe subsystem on this machine" in told


def kind_of(content: bytes) -> str:
    """The tool that an output is of, or why it is none."""
    try:
        return read_measurements(content, name="node1.json").kind
    except PlannerError as error:
        return error.message


def test_smartctl_without_the_device_says_why_in_json() -> None:
    done = run("smartctl", "-j", "-a", NO_DEVICE)
    assert done.returncode == 2
    reading = read_measurements(done.stdout.encode(), name="node1.json")
    assert (reading.kind, reading.records) == ("smartctl", ())
    assert f"smartctl says: Smartctl open device: {NO_DEVICE} failed: No such device" in " ".join(
        reading.remarks
    )


def test_smartctl_that_lists_devices_is_no_health_log() -> None:
    reading = read_measurements(run("smartctl", "-j", "--scan").stdout.encode(), name="node1.json")
    assert (reading.kind, reading.records) == ("smartctl", ())
    assert "no NVMe health log" in " ".join(reading.remarks)
