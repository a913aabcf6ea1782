"""The Explore screen: a sweep whose cells are the plans that they say, and flip points."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import flipping
from planner import load_catalogue, plan
from planner.explore.holding import Holding, beyond, holding
from planner.explore.sweep import Progress
from planner.scenario_json import with_value
from planner.templates import template
from tests.pages.visitor import (
    cells,
    clean,
    ended,
    every_row,
    figure,
    go,
    lines,
    press,
    press_named,
    show,
    type_number,
    visit,
)

START = template("guide-256-evidence").scenario
CATALOGUE = load_catalogue()
INTERVAL = "jobs.0.checkpoint.interval_s"


def swept(at: AppTest) -> AppTest:
    """The visitor, once the sweep that he asks for has ended."""
    return ended(press(at, "explore.run"), "_explore_job")


def state(at: AppTest, **typed: object) -> AppTest:
    for name, value in typed.items():
        at.session_state[name.replace("__", ".")] = value
    return at


def test_a_line_of_designs_and_one_of_them_opened() -> None:
    at = go(visit(), "explore")
    state(at, explore__x__low="10 min", explore__x__high="2 h", explore__x__steps="12", explore__x__log=False)
    swept(at)
    assert lines(at) == []
    assert any("sized anew at every step" in item.value for item in at.caption)
    clean(at.selectbox(key="explore.cell.x").set_value(11).run())
    (row,) = cells(at, 0)
    made = plan(with_value(START, INTERVAL, 7200.0), CATALOGUE)
    assert row["Goodput"] == made.main.goodput.goodput_fraction.text()
    press(at, "explore.open")
    assert figure(at, "Goodput").replace("\\", "") == made.main.goodput.goodput_fraction.text()


def test_a_map_of_two_axes_has_every_design() -> None:
    at = go(visit(), "explore")
    state(at, explore__x__low="10 min", explore__x__high="2 h", explore__x__steps="8")
    clean(at.selectbox(key="explore.y").set_value("cluster.node_count").run())
    state(at, explore__y__low="16", explore__y__high="256", explore__y__steps="9")
    swept(at)
    assert lines(at) == []
    table = at.session_state["_explore_job"].result
    assert len(table) == 72
    clean(at.selectbox(key="explore.cell.x").set_value(3).run())
    clean(at.selectbox(key="explore.cell.y").set_value(8).run())
    design = with_value(START, "cluster.node_count", 256)
    design = with_value(design, INTERVAL, float(table[INTERVAL].unique()[3]))
    (row,) = cells(at, 0)
    assert row["Drives"] == plan(design, CATALOGUE).hot.drive_count.text()


def test_words_are_an_axis_too() -> None:
    at = go(visit(), "explore")
    clean(at.selectbox(key="explore.x").set_value("network.transport").run())
    swept(at)
    assert set(at.session_state["_explore_job"].result["transport"]) == {"rdma", "tcp", "fc"}


@pytest.mark.parametrize(
    ("low", "high", "steps", "says"),
    [
        ("2 h", "10 min", "5", "no range"),
        ("soon", "2 h", "5", "soon"),
        ("10 min", "2 h", "1e9", "Steps"),
        ("10 min", "2 h", "", "Steps"),
        ("1 s", "2 h", "5", "Checkpoint interval: 1\u00a0s is not allowed; use 5\u00a0s to "),
        (
            "10 min",
            "1e308",
            "5",
            "Checkpoint interval: 1e+308 is not allowed; use 5\u00a0s to 30\u00a0days; the nearest is ",
        ),
    ],
)
def test_a_wrong_axis_is_one_line_before_any_work(low: str, high: str, steps: str, says: str) -> None:
    at = ended(go(visit(), "explore"), "_explore_job")
    before = at.session_state["_explore_job"]
    state(at, explore__x__low=low, explore__x__high=high, explore__x__steps=steps)
    (line,) = lines(press(at, "explore.run"))
    assert says in line
    assert at.session_state["_explore_job"] is before


def test_flip_points_are_found_along_a_number() -> None:
    at = show(go(visit(), "explore"), "explore.view", "Flip points")
    state(at, explore__x__low="5 min", explore__x__high="12 h")
    press(at, "explore.find")
    assert lines(at) == []
    rows = cells(at, 0)
    assert rows
    assert {"From", "What changes", "Before", "After"} == set(rows[0])
    changed = {row["What changes"] for row in rows}
    assert "What sizes the hot tier" in changed
    assert not any("binding" in word for word in changed)
    assert all(len(row["From"].split()[0].replace(".", "")) <= 5 for row in rows)


def test_a_design_that_is_not_the_open_one_is_said() -> None:
    at = go(visit(), "explore")
    state(at, explore__x__steps="5")
    swept(at)
    go(type_number(go(at, "plan"), "cluster.node_count", 128), "explore")
    assert any("changed since this sweep" in str(item.value) for item in at.caption)


def test_what_drives_each_choice_is_a_table_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*given: Any, progress: Progress, **named: Any) -> Holding:
        """As if the visitor pressed Stop after four inputs: the nodes are among them."""
        return holding(*given, progress=lambda done, count: progress(done, count) and done < 4, **named)

    monkeypatch.setattr(flipping, "holding", stopped)
    at = show(go(visit(), "explore"), "explore.view", "Flip points")
    ended(press(at, "explore.drive"), "_drive_job")
    assert lines(at) == []
    told = [str(item.value) for item in at.markdown]
    for name in ("Transport: NVMe", "Architecture: ", "Platform: ", "Protection: ", "Interval: "):
        assert any(name in text for text in told), name
    found = at.session_state["_drive_job"].result
    assert f"Stopped after 4 of {found.input_count} inputs." in [item.value for item in at.caption]
    rows = every_row(at)
    assert len(rows) == len(found.holds) + len(found.turns)
    nodes = next(hold for hold in found.holds if hold.path == "cluster.node_count")
    row = next(row for row in rows if row["Input"] == "GPU nodes")
    assert row == {
        "Input": "GPU nodes",
        "Today": "64",
        "Stays so": nodes.span,
        "Else": beyond(nodes, CATALOGUE),
    }


def test_the_screen_opens_on_a_picture_of_todays_design() -> None:
    at = ended(go(visit(), "explore"), "_explore_job")
    assert len(at.session_state["_explore_job"].result) == 60
    today = START.jobs[0].checkpoint.interval_s
    steps = at.session_state["_explore_axes"][0][1]
    chosen = steps[at.selectbox(key="explore.cell.x").value]
    assert abs(chosen - today) == min(abs(step - today) for step in steps)


def test_a_larger_sweep_waits_until_it_is_asked_for() -> None:
    at = visit()
    state(at, explore__x__steps="400", explore__y="cluster.node_count", explore__y__steps="40")
    state(at, explore__y__low="16", explore__y__high="256")
    go(at, "explore")
    assert "_explore_job" not in at.session_state


def test_an_axis_is_called_by_its_label_alone_where_no_other_has_it() -> None:
    at = go(visit(), "explore")
    words = at.selectbox(key="explore.x").options
    assert "Checkpoint interval" in words
    assert len(words) == len(set(words))
    assert "Platform (storage.hot.platform_id)" in words


def test_a_sweep_along_a_job_that_was_taken_away_stays_on_the_screen() -> None:
    at = show(visit(), "ui.group", "Model")
    press_named(at, "Add job")
    go(at, "explore")
    assert at.selectbox(key="explore.x").value == "jobs.1.checkpoint.interval_s"
    swept(at)
    go(at, "plan")
    press_named(show(at, "ui.group", "Model"), "Remove job")
    go(at, "explore")
    assert at.selectbox(key="explore.x").value == INTERVAL
    assert any("has changed since this sweep" in item.value for item in at.caption)
    press(at, "explore.open")
    assert any("jobs.1.checkpoint.interval_s" in line for line in lines(at))
