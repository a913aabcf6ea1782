"""The Plan screen: the answer follows the inputs, says why, and survives what cannot be computed."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Toggle

from pages._ui import values
from pages._ui.sections import SECTIONS
from planner import Scenario, headline, key_figures, load_catalogue, plan
from planner.core.errors import PlannerError
from planner.inputs import INPUTS, input_at
from planner.scenario_json import with_value
from planner.summary import difference
from planner.templates import template
from tests.pages.visitor import (
    clean,
    every_row,
    figure,
    go,
    lines,
    open_panel,
    open_template,
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
    ("typed", "count"), [("1e3", 1000), ("1,024", 1024), ("1 024", 1024), ("1\u202f024", 1024), ("96.0", 96)]
)
def test_a_count_is_typed_as_people_write_it(typed: str, count: int) -> None:
    at = type_text(visit(), "cluster.node_count", typed)
    assert lines(at) == []
    wanted = expected(with_value(START, "cluster.node_count", count))
    assert figure(at, "Power") == wanted["Power"]


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("32.5", "GPU nodes: “32.5” is not a whole number; the nearest are 32 and 33"),
        ("0.5", "GPU nodes: “0.5” is not a whole number; the nearest is 1"),
        ("0", "GPU nodes: “0” is not allowed; use 1 to 200\u202f000; the nearest is 1"),
        ("1,5", "a point stands before decimals"),
        ("", "GPU nodes: the field is empty; allowed is 1 to 200\u202f000, the default is 64"),
        ("many", "GPU nodes: “many” is not a number; type one like “1024”"),
    ],
)
def test_a_count_that_is_none_is_refused_with_what_is_allowed(typed: str, line: str) -> None:
    at = visit()
    before = figure(at, "Power")
    type_text(at, "cluster.node_count", typed)
    assert len(lines(at)) == 1
    assert line in lines(at)[0]
    assert figure(at, "Power") == f":gray[{before}]"


@pytest.mark.parametrize("path", [item.path for item in INPUTS if values.is_typed(item) and not item.auto])
def test_an_empty_field_says_what_is_allowed_and_the_default(path: str) -> None:
    item = input_at(path)
    assert item is not None
    with pytest.raises(PlannerError) as caught:
        values.read(item, " ", item.default)
    said = caught.value.message
    assert said.startswith(f"{item.label}: the field is empty; allowed is {item.allowed()}, the default is ")
    assert values.read(item, said.rpartition("the default is ")[2], None) == pytest.approx(item.default)


def test_an_empty_field_with_auto_is_auto() -> None:
    item = input_at("storage.hot.usable_bytes")
    assert item is not None
    assert values.read(item, "", 1e12) is None


def test_what_is_wrong_is_said_once_at_its_field_or_on_top_if_that_is_out_of_view() -> None:
    at = show(visit(), "ui.group", "Workload")
    type_text(at, "jobs.0.checkpoint.interval_s", "900 days")
    line = "Checkpoint interval: “900 days” is not allowed; use 5\u00a0s to 30\u00a0days; the nearest is 30\u00a0days"
    assert lines(at) == [line]
    assert "mend Checkpoint interval" in " ".join(item.value for item in at.markdown)
    show(at, "ui.group", "Site")
    assert lines(at) == [f"{line} (among the inputs of Workload, Checkpoints)"]
    type_text(at, "ui.search", "interval")
    assert lines(at) == [line]


def test_only_inputs_in_view_have_an_entry_of_their_own_in_the_session() -> None:
    """Streamlit reads every entry of the session for each field that it draws."""
    at = visit()
    in_view = {
        item.key for kind in (at.text_input, at.selectbox, at.toggle, at.segmented_control) for item in kind
    }
    paths = {item.path for item in INPUTS} | {f"{item.path}#auto" for item in INPUTS}
    held = {key for key in paths if key in at.session_state}
    assert held == paths & in_view
    assert len(held) < len(paths) / 8


def automatic(at: AppTest) -> list[Toggle]:
    """The switches in view that leave a field to the planner."""
    return [item for item in at.toggle if str(item.key).endswith("#auto")]


def test_a_switch_is_called_after_its_field() -> None:
    at = visit()
    clean(at.toggle(key="ui.more").set_value(True).run())
    for group in ("Cluster", "Model", "Workload", "Storage", "Network", "Prices"):
        show(at, "ui.group", group)
        switches = automatic(at)
        assert switches
        for item in switches:
            field = input_at(item.key.removesuffix("#auto"))
            assert field is not None
            assert item.label.startswith("AUTO, ")
            assert item.label.endswith(field.label)
        assert len({item.label for item in switches}) == len(switches)


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
    assert at.text_input(key="cluster.storage_port_count").value == "2"
    type_number(at, "cluster.storage_port_count", 1)
    clean(at.toggle(key="cluster.storage_port_count#auto").set_value(True).run())
    assert at.text_input(key="cluster.storage_port_count#derived").value == "2"


def test_every_auto_field_can_be_made_manual_and_auto_again() -> None:
    at = visit()
    clean(at.toggle(key="ui.more").set_value(True).run())
    for group in ("Cluster", "Model", "Workload", "Storage", "Network", "Site", "Prices"):
        show(at, "ui.group", group)
        for auto in (False, True, True):  # a stated field hides others until it is AUTO again
            for item in automatic(at):
                item.set_value(auto)
            clean(at.run())
        assert {item.value for item in automatic(at)} == {True}
    assert {item.label: item.value.replace("\\", "") for item in at.metric} == expected(START)


@pytest.mark.parametrize(
    "name", ["guide-256-evidence", "vision-1024", "two-jobs", "frontier-16384", "guide-256-guide"]
)
def test_every_section_opens_and_shows_what_no_other_does(name: str) -> None:
    at = open_template(name)
    seen = set()
    for section in SECTIONS:
        rows = every_row(show(at, "ui.section", section))
        assert rows
        seen.add(str(rows))
    assert len(seen) == len(SECTIONS)


def test_why_opens_formula_inputs_and_source() -> None:
    at = open_panel(visit(), "why.key.Checkpoint")
    assert ["C = P" in item.value for item in at.latex] == [True]
    said = " ".join(str(item.value) for item in at.caption)
    assert "Source: workload facts" in said


def test_why_goes_down_to_what_was_given() -> None:
    at = open_panel(visit(), "why.key.Goodput")
    inner = [item for item in at.expander if item.label.startswith("Why ")]
    assert inner
    shown = len(at.latex)
    open_panel(at, "why.key.Goodput.interruption_s")
    assert len(at.latex) == shown + 1


def test_why_leads_to_the_formula_on_the_method_page() -> None:
    at = press(open_panel(visit(), "why.key.Stall"), "method.key.Stall")
    assert at.title[0].value == "Method"
    assert at.text_input(key="method.search").value == "burst.slowest_s"
    assert any(str(item.value).endswith("`burst.slowest_s`") for item in at.markdown)


def test_a_pinned_draft_is_not_called_by_its_template_alone() -> None:
    at = type_number(visit(), "cluster.node_count", 128)
    press_named(at, "Pin baseline")
    assert at.session_state["_pinned_label"] == "256 GPUs, 70B, on evidence, as it stood when it was pinned"


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


DECIMAL = re.compile(r"\d[\s\u202f\u00a0]?[KMGTPE]B\b")


def read_out(at: AppTest) -> list[str]:
    """Every text of the page that is no input."""
    tables = [
        str(text) for item in at.table for row in item.value.to_dict("records") for text in row.values()
    ]
    derived = [str(item.value) for item in at.text_input if str(item.key).endswith("#derived")]
    kinds = (at.markdown, at.caption, at.subheader, at.metric, at.error, at.warning)
    return [*tables, *derived, *(str(item.value) for kind in kinds for item in kind)]


@pytest.mark.parametrize("name", ["guide-256-evidence", "two-jobs"])
def test_binary_units_reach_every_figure_and_sentence(name: str) -> None:
    at = open_template(name)
    clean(at.toggle(key="ui.binary").set_value(True).run())
    assert figure(at, "Checkpoint").endswith("GiB")
    open_panel(at, "ui.findings")
    open_panel(at, "why.key.Checkpoint")
    # What the guide says of its own examples is quoted as it stands there.
    quoted = {row.quantity for row in plan(template(name).scenario, load_catalogue()).guide}
    show(at, "ui.group", "Storage")
    for control, choice in (*(("ui.section", section) for section in SECTIONS), ("ui.group", "Network")):
        show(at, control, choice)
        texts = [text.replace("\\", "") for text in read_out(at)]
        assert any("iB" in text for text in texts)
        plain = [text for text in texts if DECIMAL.search(text)]
        assert [t for t in plain if not any(q in t for q in (*quoted, "the guide", "State yours"))] == []


def test_a_plan_in_binary_units_changes_no_plan_in_decimal_ones() -> None:
    first, second = visit(), visit()
    clean(first.toggle(key="ui.binary").set_value(True).run())
    for at, unit in ((first, "GiB"), (second, "GB")):
        show(at, "ui.section", "Network")
        assert unit in " ".join(read_out(clean(at.run())))
    assert not [text for text in read_out(second) if "iB" in text]


def test_a_figure_of_the_guide_check_opens() -> None:
    at = show(visit(), "ui.section", "Guide check")
    rows = plan(START, load_catalogue()).guide
    row = next(row for row in rows if row.design.formula is not None)
    clean(at.selectbox(key="ui.why.guide").set_value(row.quantity).run())
    rule = row.design.formula
    assert rule is not None
    assert rule.latex in [item.value.strip("$\n ") for item in at.latex]
    assert any(f"Source: {rule.source}" in item.value.replace("\\", "") for item in at.caption)


def test_search_finds_inputs_of_every_group() -> None:
    at = type_text(visit(), "ui.search", "interval")
    assert [item.key for item in at.text_input if item.key == "jobs.0.checkpoint.interval_s"]
    type_text(at, "ui.search", "no such input at all")
    assert at.caption[1].value == "0 inputs match"
    type_text(at, "ui.search", "cluster.node_count")
    assert [item.value for item in at.caption][1:3] == ["1 input matches", "256 GPUs in all"]


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
    assert at.text_input(key="cluster.node_count").value == "96"


def test_hostile_names_are_shown_as_text() -> None:
    at = show(visit(), "ui.group", "Model")
    type_text(at, "jobs.0.name", "$x$ :red[a] <b>[l](http://x)</b> | `c`")
    show(at, "ui.section", "Checkpoints")
    assert "\\$x\\$ \\:red\\[a\\] \\<b>\\[l\\](http\\:\u2060//x)" in " ".join(
        item.value for item in at.markdown
    )


@pytest.mark.parametrize(
    ("typed", "shown_as"), [("30", "30\u00a0s"), ("90 min", "90 min"), ("1800", "30\u00a0min")]
)
def test_a_bare_number_is_shown_with_the_unit_it_was_taken_in(typed: str, shown_as: str) -> None:
    at = show(visit(), "ui.group", "Workload")
    path = "jobs.0.checkpoint.interval_s"
    type_text(at, path, typed)
    assert at.text_input(key=path).value == shown_as
    before = at.session_state["_answered"]
    clean(at.run())
    assert at.text_input(key=path).value == shown_as
    assert at.session_state["_answered"] == before


def test_parameters_are_typed_as_they_are_spoken() -> None:
    at = show(visit(), "ui.group", "Model")
    type_text(at, "jobs.0.model.parameter_count", "8B")
    assert lines(at) == []
    # 8e9 parameters at 14 bytes
    assert figure(at, "Checkpoint").replace("\\", "") == "112\u00a0GB"


def test_more_active_parameters_than_all_are_refused_by_name() -> None:
    at = show(visit(), "ui.group", "Model")
    clean(at.toggle(key="ui.more").set_value(True).run())
    clean(at.toggle(key="jobs.0.model.active_parameter_count#auto").set_value(False).run())
    type_text(at, "jobs.0.model.active_parameter_count", "71B")
    (line,) = lines(at)
    assert "Active parameters" in line
    assert "Parameters" in line.partition("are more than")[2]


def test_two_findings_of_one_code_have_buttons_of_their_own() -> None:
    def page() -> None:
        from pages._ui import remarks  # noqa: PLC0415 - the page is a script of its own
        from planner.core.checks import Finding, Fix  # noqa: PLC0415

        fix = (Fix("cluster.node_count", 8, "take 8 nodes"),)
        remarks.panel(
            [
                Finding("NET-2", "blocker", text, "Do.", "a rule", "network", fix)
                for text in ("One.", "Another.")
            ]
        )

    at = clean(AppTest.from_function(page).run())
    assert len([button for button in at.button if button.label.startswith("Apply")]) == 2
