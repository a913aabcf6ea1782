"""Best design, steppers and growth on the Explore screen."""

from __future__ import annotations

import functools
import json
from typing import Any

import plotly.graph_objects as go_  # type: ignore[import-untyped]
import pytest
from streamlit.testing.v1 import AppTest

from planner import load_catalogue, plan
from planner.charts.best import front_figure
from planner.charts.growth import growth_figure
from planner.core.units import counted
from planner.explore.best import Best, Request, best
from planner.explore.growth import Demand, Growth, growth
from planner.templates import template
from tests.pages.visitor import (
    HANGS_S,
    cells,
    clean,
    ended,
    every_row,
    figure,
    go,
    lines,
    open_panel,
    open_template,
    press,
    show,
    type_text,
    visit,
)

CATALOGUE = load_catalogue()
START = template("guide-256-evidence").scenario
DEMAND = Demand(5, 1.25, 1.4, 1.3)


@functools.cache
def front() -> Best:
    """What a search of the few designs finds."""
    return best(START, Request(choices=CHOICES))


@functools.cache
def years() -> Growth:
    """How the design grows."""
    return growth(START, DEMAND)


def searched(at: AppTest) -> AppTest:
    """The visitor, once the search has ended."""
    return ended(press(at, "optimum.run"), "_optimum_job")


def small(at: AppTest) -> AppTest:
    """A space of few designs."""
    at.session_state["optimum.platform"] = ["spdk-2u24-gen5", "nvmet-2u24-gen4"]
    at.session_state["optimum.drive"] = ["m9550max-6400", "ps1010-3840"]
    at.session_state["optimum.protection"] = ["2-way", "4+2"]
    at.session_state["optimum.transport"] = ["rdma"]
    at.session_state["optimum.link"] = "200 Gb/s"
    at.session_state["optimum.interval"] = "15 min, 30 min"
    return at


CHOICES: dict[str, list[Any]] = {
    "platform": ["spdk-2u24-gen5", "nvmet-2u24-gen4"],
    "drive": ["m9550max-6400", "ps1010-3840"],
    "protection": ["2-way", "4+2"],
    "transport": ["rdma"],
    "link": [25e9],
    "interval": [900.0, 1800.0],
}


def at_best() -> AppTest:
    return small(show(go(visit(), "explore"), "explore.view", "Best design"))


def result(at: AppTest) -> Best:
    found = at.session_state["_optimum_job"].result
    assert isinstance(found, Best)
    return found


def texts(at: AppTest) -> list[str]:
    return [str(item.value).replace("\\", "") for item in at.markdown]


def test_the_screen_shows_the_front_that_the_search_finds() -> None:
    at = searched(at_best())
    found = front()
    assert [e.scenario for e in result(at).front] == [e.scenario for e in found.front]
    assert any(
        f"All {found.space.count} designs were computed: the front is exact." in text for text in texts(at)
    )
    now, *rows = cells(at, 0)
    assert now["Design"] == "This design"
    assert [row["Design"] for row in rows] == [f"Design {n}" for n in range(1, len(rows) + 1)]
    assert [row["Stall"] for row in rows] == [e.objectives["stall"].text() for e in found.front]
    assert {row["Fails"] for row in rows} == {"nothing"}


def test_what_a_design_fails_is_named_with_its_title() -> None:
    at = small(show(go(open_template("guide-256-guide"), "explore"), "explore.view", "Best design"))
    at.session_state["optimum.protection"] = ["2-way"]
    at.session_state["optimum.power"] = "12 kW"
    at = searched(at)
    now, *_ = cells(at, 0)
    named = "BW-4 a tier cannot supply the bandwidth asked of it; END-1 daily writes above what the rating allows; "
    assert now["Fails"].replace("\\", "").startswith(named)
    assert any(f"It passes what this design fails: {named}" in text for text in texts(at))


def test_one_click_opens_a_design_of_the_front() -> None:
    at = searched(at_best())
    last = len(result(at).front) - 1
    entry = result(at).front[last]
    clean(at.selectbox(key="optimum.design").set_value(last).run())
    press(at, "optimum.open")
    done = plan(entry.scenario, CATALOGUE)
    assert figure(at, "Goodput").replace("\\", "") == done.main.goodput.goodput_fraction.text()
    assert figure(at, "Stall").replace("\\", "") == entry.objectives["stall"].text()


def test_another_click_puts_it_beside_the_open_one_in_compare() -> None:
    at = searched(at_best())
    entry = result(at).front[-1]
    clean(at.selectbox(key="optimum.design").set_value(len(result(at).front) - 1).run())
    press(at, "optimum.compare")
    assert lines(at) == []
    assert at.selectbox(key="compare.1.design").value == -1
    rows = {row["Figure"]: row for row in every_row(at) if "Figure" in row}
    stall = rows["Stall"]
    assert entry.objectives["stall"].text() in stall.values()
    assert plan(START, CATALOGUE).main.goodput.stall_s.text() in stall.values()


def test_neighbours_say_why_they_lost() -> None:
    at = searched(at_best())
    before = len(every_row(at))
    rows = every_row(open_panel(at, "optimum.lost_open"))[before:]
    assert len(rows) == 4  # one other platform, drive, protection and interval
    assert {row["Choice"] for row in rows} == {"Platform", "Drive", "Protection", "Interval"}
    assert all(row["Reason"] for row in rows)


def test_the_state_is_kept_on_other_screens() -> None:
    at = searched(at_best())
    at = go(go(at, "plan"), "explore")
    assert at.session_state["explore.view"] == "Best design"
    assert at.session_state["optimum.interval"] == "15 min, 30 min"
    assert len(cells(at, 0)) == len(result(at).front) + 1
    at = go(at, "plan")
    clean(at.text_input(key="cluster.node_count").set_value("128").run())
    at = go(at, "explore")
    assert any("changed since this search" in str(item.value) for item in at.caption)


@pytest.mark.parametrize(
    ("field", "typed", "says"),
    [
        ("optimum.cost", "plenty", "plenty"),
        ("optimum.power", "-4 kW", "use above 0"),
        ("optimum.goodput", "200 %", "above 0 to 100 %"),
        ("optimum.interval", "soon", "soon"),
        ("optimum.link", "7 apples", "apples"),
        ("optimum.objectives", [], "needs an objective"),
    ],
)
def test_a_wrong_field_is_one_line_before_any_work(field: str, typed: object, says: str) -> None:
    at = at_best()
    at.session_state[field] = typed
    (line,) = lines(press(at, "optimum.run"))
    assert says in line
    assert "_optimum_job" not in at.session_state


def test_what_the_search_itself_refuses_is_one_line() -> None:
    at = at_best()
    at.session_state["optimum.interval"] = "1 s"
    press(at, "optimum.run")
    at.session_state["_optimum_job"].wait(HANGS_S)
    (line,) = lines(clean(at.run()))
    assert "use 5\u00a0s to 30\u00a0days" in line
    assert "\n" not in line


# --- steppers ----------------------------------------------------------------------------------------------------


def test_plus_and_minus_change_the_open_design() -> None:
    at = show(go(visit(), "explore"), "explore.view", "Steppers")
    start = plan(START, CATALOGUE).hot
    assert any(text.startswith("**9** Drives") for text in texts(at))
    press(at, "step.drives.more")
    assert any(text.startswith("**12** Drives") for text in texts(at))
    press(at, "step.interval.more")
    assert any("**45\u00a0min** Checkpoint interval" in text for text in texts(at))
    press(at, "step.interval.less")
    press(at, "step.drives.less")
    assert any(text.startswith(f"**{start.drive_count}** Drives") for text in texts(at))
    go(at, "plan")
    assert figure(at, "Stall").replace("\\", "") == plan(START, CATALOGUE).main.goodput.stall_s.text()


def test_the_difference_to_the_optimum_stands_with_the_steppers() -> None:
    at = show(go(visit(), "explore"), "explore.view", "Steppers")
    assert any("Search for the best design first" in text for text in texts(at))
    at = searched(small(show(at, "explore.view", "Best design")))
    optimum = result(at).optimum
    assert optimum is not None
    show(at, "explore.view", "Steppers")
    row = next(row for row in cells(at, 0) if row["Figure"] == "Stall")
    assert row["Optimum"] == optimum.objectives["stall"].text()
    assert row["This design"] == plan(START, CATALOGUE).main.goodput.stall_s.text()


# --- growth ------------------------------------------------------------------------------------------------------


def test_growth_shows_each_year_and_opens_one() -> None:
    at = show(go(visit(), "explore"), "explore.view", "Growth")
    assert lines(at) == []
    found = years()
    rows = cells(at, 0)
    assert [row["When"] for row in rows] == ["Today", *(f"Year {number}" for number in range(1, 6))]
    for row, year in zip(rows, found.years, strict=True):
        assert row["Checkpoint"] == year.figures["Checkpoint"].text()
        assert row["Passed"] == counted(len(year.passed), "limit")
    told = next(str(item.value) for item in at.markdown if "Add " in str(item.value)).splitlines()
    assert len(told) == sum(year.expansion is not None for year in found.years)
    # A name, not its code alone.
    assert any("Write endurance (END-1)" in line.replace("\\", "") for line in told)
    clean(at.selectbox(key="growth.year").set_value(3).run())
    press(at, "growth.open")
    scenario = found.years[3].scenario
    assert scenario is not None
    assert figure(at, "Stall").replace("\\", "") == plan(scenario, CATALOGUE).main.goodput.stall_s.text()


def test_a_wrong_growth_is_one_line_until_it_is_mended() -> None:
    at = show(go(visit(), "explore"), "explore.view", "Growth")
    for field, typed, says in (
        ("years", "90", "use 1 to 15"),
        ("gpu", "lots", "lots"),
        ("dataset", "-99 %", "dataset"),
        ("parameter", "9000 %", "parameter"),
    ):
        before = at.text_input(key=f"growth.{field}").value
        (line,) = lines(type_text(at, f"growth.{field}", typed))
        assert says in line.casefold()
        assert lines(type_text(at, f"growth.{field}", before)) == []


# --- pictures ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
def test_the_pictures_are_what_was_found(dark: bool) -> None:
    found = front()
    picture = front_figure(found, "cost", "stall", dark=dark)
    go_.Figure(json.loads(picture.to_json()))
    line, optimum, today = picture.data
    assert list(line.x) == [e.objectives["cost"].number for e in found.front]
    assert list(line.y) == [e.objectives["stall"].number for e in found.front]
    assert (optimum.x[0], optimum.y[0]) == (line.x[0], line.y[0])
    assert today.y[0] == plan(START, CATALOGUE).main.goodput.stall_s.number
    assert str(len(found.front)) in picture.layout.meta["title"]
    grown = years()
    drawn = growth_figure(grown, dark=dark)
    go_.Figure(json.loads(drawn.to_json()))
    for trace in drawn.data:
        shares = [g.used_fraction for y in grown.years for g in y.gauges if g.check.name == trace.name]
        assert list(trace.y) == [min(share, 3.0) for share in shares]
    number, finding = min(grown.first.values(), key=lambda pair: pair[0])
    assert f"in year {number}: {grown.limit(finding)}" in drawn.layout.meta["title"]
