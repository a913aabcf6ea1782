"""Words on the screens: whole sentences, no internal names, nothing that looks as if it counted and does not."""

from __future__ import annotations

import functools
import re

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import unused
from pages._ui.markup import bold
from pages._ui.saving import changed_inputs
from planner import load_catalogue, plan
from planner.plan import Plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict, with_value
from planner.summary import figures, headline
from planner.templates import Template, template, templates
from tests.pages.visitor import clean, every_row, open_panel, show, type_text, visit

INGEST = "jobs.0.ingest"
ONE_OF_MANY = re.compile(
    r"(?<![\d.,\u202f])1[ \u00a0](days|years|hours|nodes|drives|units|racks|GPUs|cables|lines|switches|jobs)\b"
)


@functools.cache
def planned(name: str) -> Plan:
    """The plan of a template."""
    return plan(template(name).scenario, load_catalogue())


def section(name: str) -> AppTest:
    at = visit()
    at.session_state["ui.section"] = name
    return clean(at.run())


@pytest.mark.parametrize("name", ["256 GPUs ", "\ta", "plain"])
def test_a_name_with_blanks_at_its_ends_is_bold(name: str) -> None:
    assert bold(name) == f"**{name.strip()}**"


def test_an_empty_name_leaves_no_stars() -> None:
    assert bold("  ") == ""


def test_the_supply_levels_stand_beside_what_the_job_needs() -> None:
    found = planned("guide-256-evidence").main
    shown = {row["Level"]: row for row in every_row(section("Data pipeline")) if "Level" in row}
    assert found.pipeline.levels
    assert set(shown) == {"This job needs", *(level.label for level in found.pipeline.levels)}
    for level in found.pipeline.levels:
        assert shown[level.label]["Reads"] == level.read_bytes_per_s.text()


def test_youngs_interval_stands_with_the_training_time() -> None:
    found = {row.get("Figure"): row for row in every_row(section("Training time"))}
    assert found["Interval by Young"]["This design"] == "1.64\u00a0h"


def test_the_files_of_a_checkpoint_are_told_once() -> None:
    told = [row["Figure"] for row in every_row(section("Checkpoint files")) if "Figure" in row]
    assert told
    assert not [label for label in told if label.startswith(("File: ", "Files: "))]


def test_the_most_important_column_comes_second() -> None:
    at = section("Cost")
    at.session_state["ui.cost"], at.session_state["ui.bill.NVMe-oF hot tier"] = "Bill", True
    orders = [list(row) for row in every_row(clean(at.run())) if "Part" in row]
    assert orders[0][:2] == ["Part", "Together"]
    orders = [list(row) for row in every_row(section("Training time")) if "Alternative" in row]
    assert orders[0][:2] == ["Alternative", "Saved"]


def test_parts_are_called_by_name() -> None:
    parts = [row["Part"] for row in every_row(section("Power and racks")) if "Part" in row]
    known = load_catalogue().optics
    assert any(part.startswith("Optics ") and "Gb/s" in part for part in parts)
    assert not [part for part in parts for row_id in known if row_id in part.split()]


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_labels_are_no_names_of_code_and_texts_are_sentences(item: Template) -> None:
    found = planned(item.id)
    labels = [label for section in figures(found).values() for label in section]
    assert not [label for label in labels if re.search(r"\b(usd|bytes per s|bytes)\)$", label)]
    for finding in found.findings:
        assert finding.message[0].isupper() or finding.message[0].isdigit()
    told = [*labels, *(finding.message for finding in found.findings), headline(found)]
    told += [item.text() for section in figures(found).values() for item in section.values()]
    assert [text for text in told if ONE_OF_MANY.search(text)] == []


def test_one_drive_is_one_drive_and_an_hour_is_every_hour() -> None:
    start = template("guide-70b").scenario
    hourly = with_value(start, "jobs.0.checkpoint.interval_s", 3600.0)
    assert "checkpoint every hour stalls" in headline(plan(hourly, load_catalogue()))
    single = with_value(start, "storage.hot.drive_count", 1)
    assert "1 drive of" in headline(plan(single, load_catalogue()))


def test_unpriced_lines_can_be_told_apart() -> None:
    found = planned("guide-256-evidence")
    missing = list(dict.fromkeys(line.description for line in found.bill.not_priced))
    (note,) = [finding for finding in found.findings if finding.code == "CST-1"]
    named = re.findall("“([^”]*)”", note.message)
    assert named == missing[: len(named)]
    assert note.message.startswith(f"{len(found.bill.not_priced)} lines of the bill are not priced: ")
    assert note.message.endswith(f"; and {len(missing) - len(named)} others.")


def test_monitoring_says_that_the_limit_is_of_reads() -> None:
    found = planned("guide-256-evidence")
    told = [watch.subject for watch in found.monitoring if watch.group == "Throughput"]
    assert told == [f"{tier.name}, reads" for tier in found.tiers]


def test_a_second_job_is_one_line_of_a_comparison() -> None:
    one = scenario_from_dict({"jobs": [{"name": "A"}]})
    two = scenario_from_dict({"jobs": [{"name": "A"}, {"name": "B"}]})
    told = changed_inputs({"one": one, "two": two})
    assert [(row["one"], row["two"]) for row in told] == [("no such job", "B")]
    other = scenario_from_dict({"jobs": [{"name": "A"}, {"name": "C"}]})
    told = changed_inputs({"one": one, "two": two, "three": other})
    assert [(row["two"], row["three"]) for row in told] == [("B", "C")]
    renamed = scenario_from_dict({"jobs": [{"name": "D"}]})
    told = changed_inputs({"two": two, "four": renamed})
    assert [row["Input"] for row in told] == ["Job 1", "Job 2"]


def test_inputs_of_one_label_are_told_apart_in_a_comparison() -> None:
    one, two = (template(name).scenario for name in ("guide-256-guide", "guide-7b"))
    told = [row["Input"] for row in changed_inputs({"one": one, "two": two})]
    assert any(label.startswith("Usable capacity, ") for label in told)
    assert len(told) == len(set(told))


def test_inputs_without_effect_are_grey() -> None:
    at = show(visit(), "ui.group", "Workload")
    assert at.text_input(key=f"{INGEST}.samples_per_s").disabled
    clean(at.selectbox(key=f"{INGEST}.basis").set_value("samples").run())
    assert not at.text_input(key=f"{INGEST}.samples_per_s").disabled
    assert at.text_input(key=f"{INGEST}.read_bytes_per_s").disabled


def test_what_is_wrong_can_be_mended_although_it_has_no_effect() -> None:
    at = show(visit(), "ui.group", "Workload")
    clean(at.selectbox(key=f"{INGEST}.basis").set_value("samples").run())
    type_text(at, f"{INGEST}.samples_per_s", "many")
    clean(at.selectbox(key=f"{INGEST}.basis").set_value("rate").run())
    assert not at.text_input(key=f"{INGEST}.samples_per_s").disabled


@pytest.mark.parametrize(
    ("basis", "used"),
    [
        ("tokens", {"tokens_per_s", "token_bytes", "flops_utilisation_fraction"}),
        ("batch", {"sample_bytes", "step_s", "utilisation_fraction"}),
        ("modality", set()),
    ],
)
def test_each_basis_names_its_inputs(basis: str, used: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    held = {f"{INGEST}.basis": basis, "basis": "evidence"}
    monkeypatch.setattr(unused.held, "get", held.get)
    assert {name for name in unused.READS if not unused.reason(f"{INGEST}.{name}")} == used


def test_exactly_what_a_basis_is_said_not_to_use_changes_nothing() -> None:
    """The table of unused inputs against the plan itself."""
    start = template("guide-256-evidence").scenario
    for basis in ("tokens", "samples", "batch", "preset", "modality", "rate"):
        base = with_value(start, f"{INGEST}.basis", basis)
        before = texts(base)
        for name, bases in unused.READS.items():
            changed = {"preset_id": "unet3d-a100", "rate_scope": "node", "utilisation_fraction": 0.5}
            value = changed.get(name, 0.3 if name.endswith("fraction") else 7.0)
            same = texts(with_value(base, f"{INGEST}.{name}", value)) == before
            assert same == (basis not in bases), (basis, name)


def test_components_count_for_nothing_beside_stated_bytes() -> None:
    base = with_value(template("guide-256-evidence").scenario, "jobs.0.model.bytes_per_parameter_bytes", 16.0)
    before = plan(base, load_catalogue()).main.job.checkpoint.size_bytes.number
    for part in unused.COMPONENTS:
        after = plan(with_value(base, f"jobs.0.model.{part}_bytes", 1.0), load_catalogue())
        assert after.main.job.checkpoint.size_bytes.number == before


def texts(scenario: Scenario) -> dict[str, list[str]]:
    found = figures(plan(scenario, load_catalogue()))
    return {name: [item.text() for item in rows.values()] for name, rows in found.items()}


def test_findings_on_the_screen_begin_with_a_capital() -> None:
    at = show(visit(), "ui.group", "Storage")
    at = open_panel(at, "ui.findings")
    told = [
        item.value for item in at.markdown if re.search(r"(blocker|warning|note) \*\*.*\*\* · ", item.value)
    ]
    assert told
    assert [line for line in told if line.partition("** · ")[2][:1].islower()] == []
