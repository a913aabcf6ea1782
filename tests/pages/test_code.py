"""How the screens are written: short, without formulas, and with the session in one place."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages._ui import frame, values
from pages._ui.markup import bold, escaped, plain
from planner.inputs import flatten, inputs_for
from planner.templates import Template, templates

ROOT = Path(__file__).parents[2]
SCREENS = sorted((ROOT / "pages").glob("*.py"))
MODULES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
REFUSALS = {"PlannerError", "ConflictError", "EntryConflictError", "DraftConflictError"}
"""What the planner says no with."""
AT_THE_EDGE = {
    "coming_back.py": {"ValueError"},
    "people.py": {"(OSError, ValueError)", "StreamlitAuthError"},
}
"""What comes from outside and is no refusal: a cookie that is no token, secrets that cannot be read or used."""
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
        and not (isinstance(n.body[-1], ast.Raise) and n.body[-1].exc is None)
    ]
    assert set(caught) <= REFUSALS | AT_THE_EDGE.get(path.name, set())


def test_every_screen_is_in_the_menu_and_has_its_guard() -> None:
    names = {path.stem for path in SCREENS} - {"__init__"}
    assert names == {"start", *frame.SCREENS}
    for path in SCREENS:
        if path.stem != "__init__":
            assert "\nframe.enter()\n" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_every_value_comes_back_from_its_widget_to_the_last_digit(item: Template) -> None:
    flat = flatten(item.scenario)
    for field in inputs_for(len(item.scenario.jobs)):
        value = flat[field.path]
        if value is not None:
            assert values.read(field, values.shown(field, value), value) == value


def test_marks_are_escaped() -> None:
    assert escaped("$5 *x*\n# y") == "\\$5 \\*x\\* # y"
    assert escaped("a_b __c__ ~~d~~ `e` f\\g") == "a_b \\_\\_c\\_\\_ \\~\\~d\\~\\~ \\`e\\` f\\\\g"
    assert (
        escaped(":red[x] :material/help: a: b &amp; <b>")
        == "\\:red\\[x\\] \\:material/help: a: b \\&amp; \\<b>"
    )


@pytest.mark.parametrize("text", ["1. a", "- a", "+ a", "# a", "> a", "2) a", "  - a"])
def test_no_line_becomes_a_list_a_heading_or_a_quotation(text: str) -> None:
    assert escaped(text).replace("\\", "") == text
    assert escaped(text) != text
    assert escaped(f"x {text}") == f"x {text}"


@pytest.mark.parametrize("text", ["24.4 s", "1,000 GPU-days", "988 GB (8+2)", "-5 %", "a - b", "2026-01-01"])
def test_what_is_no_markup_stays_as_it_is(text: str) -> None:
    assert escaped(text).replace("\\-", "-") == text
    assert escaped(f"x {text}") == f"x {text}"


def test_text_from_right_to_left_turns_nothing_around() -> None:
    assert escaped("مرحبا, 2026-11-30") == "\u2068مرحبا\u2069, 2026-11-30"
    assert escaped("by مشروع NVMe الجديد (2)", one_person=True) == "by \u2068مشروع NVMe الجديد\u2069 (2)"
    assert (
        escaped("محمد العربي, 2026-11-30: معروف") == "\u2068محمد العربي\u2069, 2026-11-30: \u2068معروف\u2069"
    )
    assert escaped("قديم → جديد") == "\u2068قديم\u2069 → \u2068جديد\u2069"
    assert escaped("\u202eשלום\u202c 5 TB") == "\u2068שלום\u2069 5 TB"


@given(st.text(string.printable.replace("\n", "") + "äß漢é", min_size=1))
def test_what_was_escaped_can_be_told_where_no_markup_is_read(text: str) -> None:
    kept = text.replace("://", ":\u2060//").replace("www.", "www\u2060.")
    assert plain(escaped(text)) == kept
    if kept.strip():
        assert plain(bold(text)) == kept.strip()


def test_labels_are_read_aloud_without_backslashes() -> None:
    assert [item.label for item in inputs_for(1) if escaped(item.label) != item.label] == []
