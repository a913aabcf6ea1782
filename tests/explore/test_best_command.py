"""The search and growth from the command line: what is typed, what is printed, exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner import PlannerError, load_catalogue, plan
from planner.__main__ import main
from planner.explore.best import AVOIDED, DEFAULT_OBJECTIVES, Request, best
from planner.explore.best_command import request_of
from planner.explore.growth import Demand, growth
from planner.explore.growth_command import ratio_of
from planner.scenario_json import scenario_from_json, scenario_to_json
from planner.templates import template

GUIDE = template("guide-256-guide").scenario
SEARCH = (
    "platform=nvmet-2u24-gen4,spdk-2u24-gen5",
    "drive=m7450max-6400,m9550max-6400",
    "protection=2-way",
    "transport=rdma",
    "link=200 Gb/s",
    "interval=30min,1 h",
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "guide.json"
    path.write_text(scenario_to_json(GUIDE), encoding="utf-8")
    return str(path)


def asked(name: str, values: tuple[str, ...]) -> list[str]:
    return [word for value in values for word in (f"--{name}", value)]


def test_a_request_is_read_as_it_is_typed() -> None:
    found = request_of(
        GUIDE,
        objectives=["cost", "stall"],
        limits=["power<=12 kW"],
        searched=[*SEARCH, "jobs.0.checkpoint.retained_count=3,5"],
        avoid="BW-2, CAP-2",
    )
    assert found.objectives == ("cost", "stall")
    assert (found.limits, found.as_today) == (("power<=12 kW",), False)
    assert found.choices["interval"] == [1800.0, 3600.0]
    assert found.choices["link"] == [25e9]
    assert found.choices["drive"] == ["m7450max-6400", "m9550max-6400"]
    assert found.choices["jobs.0.checkpoint.retained_count"] == [3, 5]
    assert found.avoid == ("BW-2", "CAP-2")
    assert request_of(GUIDE) == Request(DEFAULT_OBJECTIVES, (), True, {}, AVOIDED)
    assert request_of(GUIDE, limits=["as-today", "power<=9 kW"]).as_today
    assert request_of(GUIDE, avoid="").avoid == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("drive", "write it as drive=id,id"),
        ("interval=soon", "soon"),
        ("jobs.0.checkpoint.retained_count=", "empty"),
    ],
)
def test_a_choice_that_cannot_be_read_is_refused(text: str, says: str) -> None:
    with pytest.raises(PlannerError, match=says):
        request_of(GUIDE, searched=[text])


def test_the_search_is_printed_as_json_and_its_optimum_written(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "best.json"
    assert main(["best", file, "--json", "-o", str(out), *asked("search", SEARCH)]) == 0
    told = json.loads(capsys.readouterr().out)
    found = best(GUIDE, request_of(GUIDE, searched=SEARCH))
    assert told["exact"] is True
    assert told["designs_count"] == found.space.count
    assert [e["cost_usd"] for e in told["front"]] == [e.objectives["cost"].number for e in found.front]
    assert told["front"][0]["inputs"]["storage.hot.protection_id"] == "2-way"
    assert told["today"]["fails"] == list(found.today.faults)
    assert {n["dimension"] for n in told["neighbours"]} == {"Platform", "Drive", "Colder tiers", "Interval"}
    written = scenario_from_json(out.read_bytes())
    done = plan(written, load_catalogue())
    assert done.cost.capital_high_usd.number == told["front"][0]["cost_usd"]
    assert [f.code for f in done.findings if f.severity == "blocker"] == []


def test_the_search_is_printed_in_lines(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", file, *asked("search", SEARCH)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "the front is exact" in lines[0]
    assert lines[2].startswith("today: ")
    told = "; fails BW-4 a tier cannot supply the bandwidth asked of it; END-1 daily writes above what the rating allows; "
    assert told in lines[2]
    assert any(line.startswith("1. ") and "against today" in line for line in lines)
    assert any(line.startswith("lost: ") for line in lines)


def test_where_nothing_keeps_the_limits_the_status_says_so(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "best.json"
    assert main(["best", file, "--limit", "power<=1 kW", "-o", str(out), *asked("search", SEARCH)]) == 1
    assert not out.exists()
    assert "no design of this space keeps all limits" in capsys.readouterr().out
    assert main(["best", file, "--search", "driv=a"]) == 2
    error = capsys.readouterr().err
    assert "no dimension “driv”; did you mean drive?" in error
    assert error.count("\n") == 1


def test_growth_is_printed(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    grow = ["growth", file, "--years", "3", "--gpus", "25 %", "--parameters", "1.4"]
    assert main([*grow, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = growth(GUIDE, Demand(3, 1.25, 1.4, 1.0))
    assert [y["gpus_count"] for y in told["years"]] == [y.figures["GPUs"].number for y in found.years]
    assert {e["code"]: e["year"] for e in told["first_years"]} == {c: n for c, (n, _) in found.first.items()}
    assert main(grow) == 0
    assert "first passed today as built today: Write endurance (END-1)" in (
        printed := capsys.readouterr().out
    )
    assert "Object store, capacity (CAP-2): The Object store" in printed  # tiers share the code, not the name
    assert main(["growth", file, "--gpus", "lots"]) == 2
    assert "lots" in capsys.readouterr().err


def test_growth_of_a_year_is_read_in_percent_or_as_a_factor() -> None:
    assert ratio_of("30 %", "gpus") == pytest.approx(1.3)
    assert ratio_of("1.3", "gpus") == 1.3
    assert ratio_of("-10 %", "gpus") == pytest.approx(0.9)
