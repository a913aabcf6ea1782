"""Links: what an address opens, and what is said when it opens nothing."""

from __future__ import annotations

import json

import pytest

from pages._ui import answers, welcome
from planner.store import NewRevision
from tests.pages.visitor import (
    clean,
    figure,
    go,
    lines,
    press,
    save,
    show,
    stored,
    type_number,
    type_text,
    visit,
)


def test_a_draft_link_restores_every_input() -> None:
    first = type_number(visit(), "cluster.node_count", 200)
    show(first, "ui.group", "Workload")
    type_text(first, "jobs.0.checkpoint.interval_s", "20 min")
    second = visit(draft=first.query_params["draft"])
    assert second.text_input(key="cluster.node_count").value == "200"
    assert figure(second, "Stall") == figure(first, "Stall")
    assert second.query_params["draft"] == first.query_params["draft"]


def test_a_draft_keeps_what_is_no_number_yet() -> None:
    first = show(visit(), "ui.group", "Workload")
    type_text(first, "jobs.0.checkpoint.interval_s", "30 mi")
    second = show(visit(draft=first.query_params["draft"]), "ui.group", "Workload")
    assert second.text_input(key="jobs.0.checkpoint.interval_s").value == "30 mi"
    assert "unit" in lines(second)[0]


def test_a_link_opens_exactly_that_revision() -> None:
    at = visit()
    design, _ = save(at, "Linked")
    one = figure(at, "Power")
    type_number(at, "cluster.node_count", 300)
    assert set(at.query_params) == {"design", "rev", "draft"}
    assert save(at, "Linked") == (design, 2)
    two = figure(at, "Power")
    assert one != two
    assert figure(visit(design=str(design), rev="1"), "Power") == one
    newest = visit(design=str(design))
    assert figure(newest, "Power") == two
    assert newest.query_params["rev"] == "2"


def test_the_menu_keeps_the_link() -> None:
    at = visit()
    design, _ = save(at, "Kept")
    for screen in ("designs", "compare", "export", "catalogue", "method", "plan"):
        go(at, screen)
        assert (at.query_params["design"], at.query_params["rev"]) == (str(design), "1")
    assert "draft" not in at.query_params


def test_opening_changes_nothing_in_the_store() -> None:
    design, _ = save(visit(), "Untouched")
    before = answers.store().revision(design, 1)
    at = visit(design=str(design), rev="1")
    for group in ("Model", "Workload", "Storage", "Network", "Site", "Prices"):
        show(at, "ui.group", group)
    assert "draft" not in at.query_params
    assert answers.store().revision(design, 1) == before


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ({"design": "999"}, "999"),
        ({"design": "x"}, "is not a number"),
        ({"design": "1", "rev": "-1"}, "is not a number"),
        ({"design": "9" * 40}, "is not a number"),
        ({"draft": "A" * 22}, "does not exist"),
        ({"draft": "../../etc"}, "draft"),
    ],
)
def test_a_link_that_opens_nothing_says_so_in_one_line(query: dict[str, str], part: str) -> None:
    at = visit(**query)
    assert part in lines(at)[0]
    assert len(lines(at)) == 1
    assert figure(at, "Checkpoint") == "988\u00a0GB"
    assert lines(clean(at.run())) == []


def test_without_a_database_the_planner_still_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PLANNER_DATABASE_URL", "sqlite:////no/such/folder/planner.db")
        answers.opened_store.clear()
        at = visit()
        assert any(line.startswith("The draft is not saved: database:") for line in lines(at))
        type_number(at, "cluster.node_count", 128)
        assert figure(at, "Checkpoint") == "988\u00a0GB"
        for screen in ("designs", "compare"):
            assert any(line.startswith("database:") for line in lines(go(at, screen)))
        answers.opened_store.clear()


def test_a_stored_scenario_that_is_not_valid_is_refused_in_one_line() -> None:
    bad = NewRevision(scenario_json=json.dumps({"cluster": {"node_count": 0}}))
    saved = answers.store().create_design("Bad", bad)
    at = visit(design=str(saved.design_id))
    assert "GPU nodes" in lines(at)[0]
    assert stored() == ["Bad"]


def test_the_first_visit_shows_three_steps_until_they_are_put_away() -> None:
    at = visit()
    steps = [title for title, _ in welcome.STEPS if any(title in str(item.value) for item in at.markdown)]
    assert len(steps) == 3
    press(at, "welcome.done")
    assert not any(button.key == "welcome.done" for button in at.button)
    draft = at.query_params["draft"]
    again = visit(draft=draft if isinstance(draft, str) else draft[0])
    assert not any(button.key == "welcome.done" for button in again.button)


def test_two_people_in_one_draft_lose_nothing_of_each_other() -> None:
    first = visit()
    type_number(first, "cluster.node_count", 100)
    key = first.query_params["draft"]
    second = visit(draft=key)
    show(second, "ui.group", "Workload")
    type_number(second, "jobs.0.checkpoint.retained_count", 4)
    assert second.query_params["draft"] == key
    type_number(first, "cluster.node_count", 101)
    assert any("Someone else writes in this draft as well" in line for line in lines(first))
    own = first.query_params["draft"]
    assert own != key
    type_number(first, "cluster.node_count", 102)
    assert first.query_params["draft"] == own
    assert not lines(first)
    assert clean(visit(draft=own)).text_input(key="cluster.node_count").value == "102"
    kept = show(visit(draft=key), "ui.group", "Workload")
    assert kept.text_input(key="jobs.0.checkpoint.retained_count").value == "4"
    type_number(second, "jobs.0.checkpoint.retained_count", 6)
    assert second.query_params["draft"] == key
