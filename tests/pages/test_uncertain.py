"""Sensitivity and uncertainty on the Explore screen: ranges that are edited, draws, and a second design."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from planner import load_catalogue
from planner.explore.ranges import default_ranges
from planner.explore.sensitivity import ends_of, tornado
from planner.explore.uncertainty import study
from planner.explore.verdicts import band
from planner.scenario_json import with_value
from planner.templates import template
from tests.pages.visitor import cells, clean, ended, go, lines, press, said, save, show, type_number, visit

START = template("guide-256-evidence").scenario
PUE = "site.pue_ratio"


def at_view(name: str) -> AppTest:
    return show(go(visit(), "explore"), "explore.view", name)


def edit(at: AppTest, path: str, **typed: object) -> AppTest:
    """State a range as the table of ranges does."""
    at.session_state["explore.ranges"] = {path: {name.capitalize(): value for name, value in typed.items()}}
    return clean(at.run())


def drawn(at: AppTest) -> AppTest:
    """The visitor, once the draws are made."""
    return ended(press(at, "explore.draw"), "_uncertain_job")


def few(at: AppTest, samples: str = "400") -> AppTest:
    return clean(at.text_input(key="explore.samples").set_value(samples).run())


def test_the_tornado_is_the_planner_s_and_says_what_to_measure_first() -> None:
    at = at_view("Sensitivity")
    clean(at.selectbox(key="explore.result").set_value("goodput_fraction").run())
    found = tornado(ends_of(START), "goodput_fraction")
    rows = cells(at, 0)
    assert [row["Input"] for row in rows] == [bar.range.label for bar in found.bars if bar.swing.number > 0]
    assert rows[0]["At the high end"] == found.bars[0].high.text()
    assert found.advice in said(at)


def test_a_range_that_is_stated_is_the_one_that_counts() -> None:
    at = edit(at_view("Sensitivity"), PUE, low="1.3", high="1.4")
    clean(at.selectbox(key="explore.result").set_value("term_usd").run())
    row = next(row for row in cells(at, 0) if row["Input"] == "PUE")
    assert row["Range"] == "1.3\N{MULTIPLICATION SIGN} to 1.4\N{MULTIPLICATION SIGN}"
    assert "1 changed here" in said(at)
    assert "PUE: the likeliest value is moved to 1.4" in said(at)


def test_what_is_measured_is_not_asked_for_again() -> None:
    at = at_view("Sensitivity")
    clean(at.selectbox(key="explore.result").set_value("goodput_fraction").run())
    first, second = tornado(ends_of(START), "goodput_fraction").bars[:2]
    assert f"Measure first: {first.range.label}." in said(at)
    edit(at, first.range.path, measured=True)
    assert f"Measure first: {second.range.label}." in said(at)


@pytest.mark.parametrize(
    ("path", "typed", "says"),
    [
        (PUE, {"low": "1.6", "high": "1.2"}, "low end"),
        (PUE, {"low": "0.2", "high": "1.2"}, "PUE"),
        (PUE, {"low": "soon"}, "soon"),
        (PUE, {"distribution": "log-uniform", "low": "-1"}, "begins above 0"),
        (PUE, {"likeliest": "1.9"}, "likeliest"),
    ],
)
def test_a_range_that_cannot_be_is_one_line(path: str, typed: dict[str, str], says: str) -> None:
    at = edit(at_view("Uncertainty"), path, **typed)
    (line,) = lines(at)
    assert says in line
    assert not [item for item in at.button if item.key == "explore.draw"]


def test_bands_are_those_of_the_planner_and_the_ranges_stay_when_the_screen_is_left() -> None:
    at = few(edit(at_view("Uncertainty"), PUE, low="1.3", high="1.4"))
    drawn(at)
    ranges = at.session_state["_uncertain_asked"].ranges
    done = study(START, ranges, count=400, catalogue=load_catalogue())
    goodput = band(done, "goodput_fraction")
    row = next(row for row in cells(at, 0) if row["Result"] == "Goodput")
    assert (row["P10"], row["P50"], row["P90"]) == (
        goodput.p10.text(),
        goodput.p50.text(),
        goodput.p90.text(),
    )
    assert "Draws without a blocker" in said(at)
    go(go(at, "plan"), "explore")
    assert next(item for item in ranges if item.path == PUE).low == 1.3
    assert at.session_state["explore.ranges"] == {PUE: {"Low": "1.3", "High": "1.4"}}
    assert at.text_input(key="explore.samples").value == "400"
    assert cells(at, 0)[0]["Result"] == "Cost of the equipment"


def test_a_saved_design_is_beaten_by_one_with_more_nodes_or_is_not() -> None:
    at = visit()
    design, revision = save(at, "As it was")
    type_number(at, "cluster.node_count", 128)
    at = few(show(go(at, "explore"), "explore.view", "Uncertainty"))
    clean(at.selectbox(key="explore.against").set_value(f"{design}.{revision}").run())
    drawn(at)
    row = next(row for row in cells(at, 0) if row["Result"] == "Cost of the equipment")
    assert (row["A is better"], row["B is better"], row["Verdict"]) == (
        "0\N{NO-BREAK SPACE}%",
        "100\N{NO-BREAK SPACE}%",
        "holds",
    )
    assert "B is better in 100" in said(at)


def test_draws_of_a_design_that_has_changed_are_said_to_be_old() -> None:
    at = drawn(few(at_view("Uncertainty")))
    assert "has changed since these draws" not in said(at)
    at = go(type_number(go(at, "plan"), "cluster.node_count", 128), "explore")
    assert "has changed since these draws" in said(at)


@pytest.mark.parametrize(
    ("seed", "samples", "says"),
    [("-1", "400", "Seed"), ("1", "10", "Samples"), ("1", "1e9", "Samples"), ("now", "400", "now")],
)
def test_a_wrong_seed_or_number_of_samples_is_one_line(seed: str, samples: str, says: str) -> None:
    at = few(at_view("Uncertainty"), samples)
    clean(at.text_input(key="explore.seed").set_value(seed).run())
    press(at, "explore.draw")
    (line,) = lines(at)
    assert says in line
    assert "_uncertain_job" not in at.session_state


def test_the_table_of_ranges_opens_with_a_row_for_each_uncertain_input() -> None:
    at = at_view("Sensitivity")
    at.session_state["explore.ranges.open"] = True
    clean(at.run())
    (editor,) = at.dataframe
    assert list(editor.value["Input"]) == [item.label for item in default_ranges(START)]


def test_other_nodes_are_another_tornado() -> None:
    at = go(type_number(visit(), "cluster.node_count", 128), "explore")
    at = show(at, "explore.view", "Sensitivity")
    grown = with_value(START, "cluster.node_count", 128)
    found = tornado(ends_of(grown), "whole_usd")
    assert cells(at, 0)[0]["At the low end"] == found.bars[0].low.text()
