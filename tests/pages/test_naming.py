"""One name of a design everywhere: the library's, unless another one was typed since."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

from pages._ui import answers
from tests.pages.visitor import (
    clean,
    go,
    lines,
    open_panel,
    press,
    save,
    stored,
    type_number,
    type_text,
    visit,
)


def name_inside(design: int, revision: int) -> str:
    """The name that the scenario of a revision states."""
    return str(json.loads(answers.store().revision(design, revision).scenario_json)["name"])


def shown(at: AppTest) -> str:
    """The line that says what is open."""
    return str(next(item.value for item in at.markdown if "design 1 · revision" in item.value))


def test_a_design_renamed_in_the_library_is_called_so_on_every_screen() -> None:
    at = visit()
    save(at, "Old")
    saved = answers.store().revision(1, 1).scenario_json
    answers.store().rename_design(1, "New & bold")
    for screen in ("plan", "review"):
        go(at, screen)
        assert "New" in shown(at)
        assert "Old" not in shown(at)
    assert answers.store().revision(1, 1).scenario_json == saved
    go(at, "plan")
    open_panel(at, "save.open")
    assert any("calls it “New & bold”" in item.value.replace("\\", "") for item in at.caption)


def test_the_next_revision_is_saved_under_the_librarys_name() -> None:
    at = visit()
    save(at, "Old")
    answers.store().rename_design(1, "New")
    type_number(at, "cluster.node_count", 96)
    assert "New" in shown(at)
    open_panel(at, "save.open")
    press(at, "save.do")
    assert at.query_params["rev"] == "2"
    assert (name_inside(1, 1), name_inside(1, 2), stored()) == ("Old", "New", ["New"])


def test_a_name_typed_in_a_draft_counts_after_a_reload() -> None:
    at = visit()
    save(at, "Old")
    open_panel(at, "save.open")
    clean(at.text_input(key="name").set_value("Typed").run())
    again = visit(draft=at.query_params["draft"])
    assert "Typed" in shown(again)
    open_panel(again, "save.open")
    press(again, "save.do")
    assert (name_inside(1, 2), stored()) == ("Typed", ["Typed"])


def test_a_design_without_a_name_is_not_saved_half() -> None:
    at = visit()
    save(at, "Old")
    open_panel(at, "save.open")
    at.text_input(key="name").set_value("  ")
    press(at, "save.do")
    assert any("name: " in line for line in lines(at))
    assert [item.number for item in answers.store().revisions(1)] == [1]
    assert stored() == ["Old"]


def test_a_draft_under_the_name_of_its_template_says_so_where_it_is_saved() -> None:
    at = visit()
    borrowed = "This is still the template's name."
    assert [borrowed in item.value for item in open_panel(at, "save.open").caption].count(True) == 1
    type_text(at, "name", "Hall 4")
    assert not any(borrowed in item.value for item in at.caption)
