"""The Plan screen: the answer follows the inputs, says why, and survives what cannot be computed."""

from __future__ import annotations

import re

import pytest

from pages._ui.sections import SECTIONS
from planner import Scenario, headline, key_figures, load_catalogue, plan
from planner.inputs import with_value
from planner.summary import difference
from planner.templates import template
from tests.pages.visitor import (
    clean,
    figure,
    go,
    lines,
    open_panel,
    press,
    press_named,
    show,
    type_number,
    type_text,
    visit,
)

START = template("guide-256-evidence").scenario


def expected(scenario: Scenario) -> dict[str, str]:
    return {name: item.text() for name, item in key_figures(plan(scenario, load_catalogue())).items()}


def test_first_visit_shows_the_start_template_as_a_draft() -> None:
    at = visit()
    assert {item.label: item.value.replace("\\", "") for item in at.metric} == expected(START)
    assert set(at.query_params) == {"draft"}
    assert at.subheader[0].value.replace("\\", "") == headline(plan(START, load_catalogue()))


def test_first_line_says_the_job_of_each_screen() -> None:
    at = visit()
    for screen in ("plan", "designs", "compare", "export", "catalogue", "method"):
        go(at, screen)
        assert at.title[0].value == screen.capitalize()
        assert at.caption[0].value.endswith(".")


def test_a_change_moves_the_figures_as_the_planner_says() -> None:
    at = visit()
    before = figure(at, "Goodput")
    type_number(at, "cluster.node_count", 128)
    wanted = expected(with_value(START, "cluster.node_count", 128))
    assert figure(at, "Goodput") == wanted["Goodput"] != before
    assert figure(at, "Power") == wanted["Power"]


def test_a_quantity_is_typed_with_its_unit() -> None:
    at = show(visit(), "ui.group", "Workload")
    type_text(at, "jobs.0.checkpoint.interval_s", "10 min")
    wanted = expected(with_value(START, "jobs.0.checkpoint.interval_s", 600.0))
    assert figure(at, "Stall") == wanted["Stall"]


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("ten minutes", "is not a number"),
        ("10 TB", "unit"),
        ("1 s", "the nearest is 5\u00a0s"),
        ("900 days", "the nearest is 30\u00a0days"),
    ],
)
def test_what_cannot_be_computed_keeps_the_last_good_answer(typed: str, part: str) -> None:
    at = show(visit(), "ui.group", "Workload")
    before = figure(at, "Stall")
    type_text(at, "jobs.0.checkpoint.interval_s", typed)
    said = lines(at)
    assert said
    assert all(part in line and "\n" not in line for line in said)
    assert figure(at, "Stall") == f":gray[{before}]"
    assert "last good answer" in " ".join(str(item.value) for item in at.markdown)
    type_text(at, "jobs.0.checkpoint.interval_s", "30 min")
    assert lines(at) == []
    assert figure(at, "Stall") == before


def test_auto_becomes_manual_with_its_own_value_and_goes_back() -> None:
    at = visit()
    assert at.text_input(key="cluster.storage_port_count#derived").value == "2"
    clean(at.toggle(key="cluster.storage_port_count#auto").set_value(False).run())
    assert at.number_input(key="cluster.storage_port_count").value == 2
    type_number(at, "cluster.storage_port_count", 1)
    clean(at.toggle(key="cluster.storage_port_count#auto").set_value(True).run())
    assert at.text_input(key="cluster.storage_port_count#derived").value == "2"


def test_every_auto_field_can_be_made_manual_and_auto_again() -> None:
    at = visit()
    clean(at.toggle(key="ui.more").set_value(True).run())
    for group in ("Cluster", "Model", "Workload", "Storage", "Network", "Site", "Prices"):
        show(at, "ui.group", group)
        for key in [item.key for item in at.toggle if item.key and item.key.endswith("#auto")]:
            clean(at.toggle(key=key).set_value(False).run())
            clean(at.toggle(key=key).set_value(True).run())
    assert {item.label: item.value.replace("\\", "") for item in at.metric} == expected(START)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_opens(section: str) -> None:
    at = show(visit(), "ui.section", section)
    assert len(at.table) > 0


@pytest.mark.parametrize("name", ["vision-1024", "two-jobs", "frontier-16384", "guide-256-guide"])
def test_every_section_opens_for_other_designs(name: str) -> None:
    at = visit("designs")
    show(at, "designs.view", "New from a template")
    press(at, f"template.{name}")
    go(at, "plan")
    for section in SECTIONS:
        show(at, "ui.section", section)
        assert len(at.table) > 0


def test_why_opens_formula_inputs_and_source() -> None:
    at = open_panel(visit(), "why.key.Checkpoint")
    assert ["C = P" in item.value for item in at.latex] == [True]
    said = " ".join(str(item.value) for item in at.caption)
    assert "Source\\: workload facts" in said


def test_why_goes_down_to_what_was_given() -> None:
    at = open_panel(visit(), "why.key.Goodput")
    inner = [item for item in at.expander if item.label.startswith("Why ")]
    assert inner
    shown = len(at.latex)
    open_panel(at, "why.key.Goodput.interruption_s")
    assert len(at.latex) == shown + 1


def test_baseline_shows_the_change_until_it_is_cleared() -> None:
    def changes() -> list[str]:
        return [item.value for item in at.caption if item.value.startswith(("\\+", "\\-"))]

    at = press_named(visit(), "Pin baseline")
    assert changes() == []
    type_number(at, "cluster.node_count", 128)
    power = difference(
        plan(with_value(START, "cluster.node_count", 128), load_catalogue()).facility.typical_w,
        plan(START, load_catalogue()).facility.typical_w,
    )
    assert power in [change.replace("\\", "") for change in changes()]
    press_named(at, "Clear baseline")
    assert changes() == []


def test_a_fix_mends_its_finding() -> None:
    at = show(visit(), "ui.group", "Storage")
    clean(at.toggle(key="storage.hot.usable_bytes#auto").set_value(False).run())
    type_text(at, "storage.hot.usable_bytes", "1 TB")
    fix = "fix.CAP-1.0.storage.hot.usable_bytes"
    assert "CAP" in " ".join(item.value for item in at.markdown)
    press(at, fix)
    assert "CAP" not in " ".join(item.value for item in at.markdown)
    assert at.toggle(key="storage.hot.usable_bytes#auto").value is True


def test_binary_units_are_shown_on_demand() -> None:
    at = visit()
    clean(at.toggle(key="ui.binary").set_value(True).run())
    assert figure(at, "Checkpoint").endswith("GiB")


def test_search_finds_inputs_of_every_group() -> None:
    at = type_text(visit(), "ui.search", "interval")
    assert [item.key for item in at.text_input if item.key == "jobs.0.checkpoint.interval_s"]
    type_text(at, "ui.search", "no such input at all")
    assert at.caption[1].value == "0 inputs match"


def test_jobs_are_added_chosen_and_removed() -> None:
    at = show(visit(), "ui.group", "Model")
    press_named(at, "Add job")
    assert at.selectbox(key="ui.job").value == 1
    type_text(at, "jobs.1.model.parameter_count", "7e9")
    clean(at.selectbox(key="ui.job").set_value(0).run())
    assert re.sub(r"\D", "", at.text_input(key="jobs.0.model.parameter_count").value) == "70553706496"
    press_named(at, "Remove job")
    assert re.sub(r"\D", "", at.text_input(key="jobs.0.model.parameter_count").value) == "7000000000"
    assert [item for item in at.selectbox if item.key == "ui.job"] == []


def test_inputs_survive_other_screens() -> None:
    at = type_number(visit(), "cluster.node_count", 96)
    show(at, "ui.group", "Site")
    type_text(at, "site.rack_limit_w", "20 kW")
    for screen in ("designs", "method", "plan"):
        go(at, screen)
    assert at.text_input(key="site.rack_limit_w").value == "20 kW"
    show(at, "ui.group", "Cluster")
    assert at.number_input(key="cluster.node_count").value == 96


def test_hostile_names_are_shown_as_text() -> None:
    at = show(visit(), "ui.group", "Model")
    type_text(at, "jobs.0.name", "$x$ :red[a] <b>[l](http://x)</b> | `c`")
    show(at, "ui.section", "Checkpoints")
    assert "\\$x\\$ \\:red\\[a\\] \\<b\\>\\[l\\]\\(http\\:\u2060//x\\)" in " ".join(
        item.value for item in at.markdown
    )
