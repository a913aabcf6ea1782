"""How the screens are written: short, without formulas, and with the session in one place."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pages._ui import frame, session, values
from planner.inputs import flatten, inputs_for
from planner.templates import templates

ROOT = Path(__file__).parents[2]
SCREENS = sorted((ROOT / "pages").glob("*.py"))
MODULES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
PAGE_LINES, FUNCTION_LINES = 150, 40


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_functions_fit_on_a_screen(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert [f.name for f in functions if (f.end_lineno or 0) - f.lineno >= FUNCTION_LINES] == []


@pytest.mark.parametrize("path", [ROOT / "app.py", *SCREENS], ids=lambda path: path.name)
def test_pages_are_short_and_leave_the_session_alone(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= PAGE_LINES
    assert "session_state" not in text


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_nothing_is_shown_as_html_and_only_refusals_are_caught(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "unsafe_allow_html" not in text
    caught = [
        ast.unparse(n.type) if n.type else ""
        for n in ast.walk(ast.parse(text))
        if isinstance(n, ast.ExceptHandler)
    ]
    assert set(caught) <= {"PlannerError", "ConflictError"}


def test_every_screen_is_in_the_menu_and_has_its_guard() -> None:
    names = {path.stem for path in SCREENS} - {"__init__"}
    assert names == {"start", *frame._SCREENS}
    for path in SCREENS:
        if path.stem != "__init__":
            assert "\nframe.enter()\n" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_every_value_comes_back_from_its_widget_to_the_last_digit(item: object) -> None:
    flat = flatten(item.scenario)
    for field in inputs_for(len(item.scenario.jobs)):
        value = flat[field.path]
        if value is not None:
            assert values.read(field, values.shown(field, value), value) == value


def test_marks_are_escaped() -> None:
    assert session.escaped("1. a") == "1\\. a"
    assert session.escaped("24.4 s") == "24.4 s"
    assert session.escaped("$5 *x*\n# y") == "\\$5 \\*x\\* \\# y"
