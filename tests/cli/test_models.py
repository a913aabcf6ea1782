"""Parameters, limits and measurements on the command line."""

import json

from planner.architectures import library
from planner.scenario_json import scenario_to_json
from planner.templates import template
from tests.cli.commands import run, started


def test_models_are_listed_and_counted():
    shown = started("params")
    assert shown.returncode == 0
    assert all(f"  {entry}  " in shown.stdout for entry in library())
    counted = json.loads(run("params", "llama-3.1-8b", "--json").stdout)
    assert counted["total_params"] == 8_030_261_248
    assert counted["basis"] == "exact"


def test_a_configuration_is_counted_from_a_file_and_from_standard_input():
    path = library()["deepseek-v3"].path
    by_file = json.loads(run("params", str(path), "--json").stdout)
    by_pipe = json.loads(run("params", "-", "--json", stdin=path.read_text(encoding="utf-8")).stdout)
    assert by_file["total_params"] == by_pipe["total_params"] == 671_026_404_352
    assert sum(by_file["breakdown"].values()) == by_file["total_params"]


def test_what_is_no_model_is_one_line(tmp_path):
    file = tmp_path / "config.json"
    file.write_text("<html>", encoding="utf-8")
    for name in (str(file), str(tmp_path / "missing.json"), "lama-3.1-8b"):
        shown = run("params", name)
        assert shown.returncode == 2
        assert shown.stdout == ""
        assert shown.stderr.count("\n") == 1


def test_limits_name_what_ends_each_reach(tmp_path):
    shown = started("limits", "-", stdin=scenario_to_json(template("guide-256-evidence").scenario))
    assert shown.returncode == 0
    told = shown.stdout.splitlines()
    assert [line.partition(":")[0] for line in told] == [
        "The largest model",
        "The shortest interval",
        "The most GPU nodes",
    ]
    assert all("Then " in line for line in told)


def test_measurements_are_printed_and_other_files_refused():
    sample = "tests/telemetry/samples/fio_3.33_single_write.json"
    shown = started("measure", sample, "README.md", "--json")
    assert shown.returncode == 2
    assert "README.md" in shown.stderr
    written = next(r for r in json.loads(shown.stdout)["records"] if r["quantity"] == "write_bandwidth")
    assert (written["value"], written["unit"]) == (5_762_713_779, "bytes/s")  # its "bw_bytes"
    assert run("measure", sample).returncode == 0


def test_a_delivery_is_held_against_its_design(tmp_path):
    design = tmp_path / "design.json"
    design.write_text(scenario_to_json(template("lab-8-nodes").scenario), encoding="utf-8")
    samples = "tests/telemetry/samples"
    shown = started(
        "verify", str(design), f"{samples}/fio_3.33_single_write.json", f"{samples}/nvme_v2.11_smart-log.json"
    )
    assert shown.returncode == 1, shown.stderr
    assert any(line.startswith("fail  ") for line in shown.stdout.splitlines())
    assert any(line.startswith("open  ") for line in shown.stdout.splitlines())
    told = json.loads(run("verify", str(design), f"{samples}/nvme_v2.11_smart-log.json", "--json").stdout)
    assert {row["promise"] for row in told["outcomes"]} >= {"drive-used", "drive-media"}
    assert run("verify", str(design), "README.md").returncode == 2


def test_configurations_of_two_models_are_refused_in_one_line():
    shown = run("params", *(str(library()[entry].path) for entry in ("llama-3.1-8b", "qwen3-0.6b")))
    assert (shown.returncode, shown.stdout) == (2, "")
    (line,) = shown.stderr.splitlines()
    assert "different models" in line
    assert "llama-3.1-8b.json" in line
    assert "qwen3-0.6b.json" in line
