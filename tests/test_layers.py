"""What import-linter does not see: the screens, and which library lives where."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHARED = "pages/_ui/"
HOMES = {
    "streamlit": ("app.py", "pages/"),
    "reportlab": ("planner/documents/",),
    "xlsxwriter": ("planner/documents/",),
    "openpyxl": ("planner/documents/",),
    "sqlmodel": ("planner/store/",),
    "sqlalchemy": ("planner/store/",),
    "alembic": ("planner/store/",),
    "plotly": ("planner/charts/",),
}
PURE = ("planner/core/", "planner/sizing/")
PURE_IMPORTS = {
    *("__future__", "collections", "contextlib", "contextvars", "dataclasses", "difflib", "enum"),
    *("functools", "inspect", "itertools"),
    *("math", "re", "typing", "numpy", "scipy"),
}
"""No file, network, clock, chance or log: the same input gives the same number."""

Rule = Callable[[str, ast.AST], Iterator[str]]


def imported(tree: ast.AST) -> Iterator[str]:
    """Dotted names of all modules that are imported, at the top of the file or further down."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def only_shared_code_touches_the_session(path: str, tree: ast.AST) -> Iterator[str]:
    """`session_state`, however it is spelt."""
    if path.startswith(SHARED):
        return
    for node in ast.walk(tree):
        names = {getattr(node, part, None) for part in ("attr", "id", "name", "value")}
        if "session_state" in {name for name in names if isinstance(name, str)}:
            yield "session_state"


def no_raw_html(path: str, tree: ast.AST) -> Iterator[str]:
    """Markup that Streamlit would pass on as it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "unsafe_allow_html":
            yield "unsafe_allow_html"


def no_primary_button(path: str, tree: ast.AST) -> Iterator[str]:
    """White on the dark theme's primary colour, which also has to serve as text, cannot be read."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "type" and ast.unparse(node.value) == "'primary'":
            yield "primary button"


def app_is_a_frame(path: str, tree: ast.AST) -> Iterator[str]:
    """`app.py` imports Streamlit and what pages share."""
    if path == "app.py":
        allowed = ("streamlit", "pages._ui", "__future__")
        yield from (name for name in imported(tree) if not name.startswith(allowed))


def pages_do_not_meet(path: str, tree: ast.AST) -> Iterator[str]:
    """A page imports the planner and what pages share, no other page; formulas stay in the planner."""
    if path.startswith("pages/"):
        for name in imported(tree):
            if name.startswith(("planner.sizing", "sqlite3", "csv")):
                yield name
            if name.split(".")[0] in ("pages", "app") and not name.startswith("pages._ui"):
                yield name


def libraries_stay_home(path: str, tree: ast.AST) -> Iterator[str]:
    """Each library is imported where it lives, and nowhere else."""
    for name in imported(tree):
        home = HOMES.get(name.split(".")[0])
        if home and not path.startswith(home):
            yield name


def sizing_is_pure(path: str, tree: ast.AST) -> Iterator[str]:
    """Formulas stand on numpy and scipy, and draw no random number."""
    if not path.startswith(PURE):
        return
    for name in imported(tree):
        top = name.split(".")[0]
        if top not in PURE_IMPORTS and not name.startswith(("planner.core", "planner.sizing")):
            yield name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "random":
            yield "random"


RULES: tuple[Rule, ...] = (
    only_shared_code_touches_the_session,
    no_raw_html,
    no_primary_button,
    app_is_a_frame,
    pages_do_not_meet,
    libraries_stay_home,
    sizing_is_pure,
)


def sources() -> list[Path]:
    """Every Python file of the application."""
    return [ROOT / "app.py", *sorted(ROOT.glob("pages/**/*.py")), *sorted(ROOT.glob("planner/**/*.py"))]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_file_keeps_the_rule(rule: Rule) -> None:
    broken = [
        f"{path.relative_to(ROOT)}: {what}"
        for path in sources()
        for what in rule(
            path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"), str(path))
        )
    ]
    assert broken == []


@pytest.mark.parametrize(
    ("rule", "path", "code"),
    [
        (only_shared_code_touches_the_session, "pages/plan.py", "st.session_state['x'] = 1"),
        (only_shared_code_touches_the_session, "app.py", "from streamlit import session_state"),
        (only_shared_code_touches_the_session, "pages/plan.py", "getattr(st, 'session_state')"),
        (no_raw_html, "pages/_ui/frame.py", "st.markdown('<b>', unsafe_allow_html=True)"),
        (no_primary_button, "pages/plan.py", 'st.button("Save", type="primary")'),
        (app_is_a_frame, "app.py", "from planner import plan"),
        (pages_do_not_meet, "pages/plan.py", "from pages.cost import table"),
        (pages_do_not_meet, "pages/_ui/show.py", "from planner.sizing import cost"),
        (libraries_stay_home, "planner/plan.py", "def f():\n    import streamlit"),
        (libraries_stay_home, "planner/charts/tiers.py", "from reportlab.lib import colors"),
        (libraries_stay_home, "pages/designs.py", "import sqlmodel"),
        (sizing_is_pure, "planner/sizing/cost.py", "import time"),
        (sizing_is_pure, "planner/core/units.py", "from planner.catalogue import Row"),
        (sizing_is_pure, "planner/sizing/burst.py", "import numpy as np\nnp.random.default_rng()"),
    ],
)
def test_a_planted_breach_is_seen(rule: Rule, path: str, code: str) -> None:
    assert list(rule(path, ast.parse(code))) != []


@pytest.mark.parametrize(
    ("rule", "path", "code"),
    [
        (only_shared_code_touches_the_session, "pages/_ui/session.py", "st.session_state['x'] = 1"),
        (app_is_a_frame, "app.py", "import streamlit as st\nfrom pages._ui import frame"),
        (pages_do_not_meet, "pages/plan.py", "from planner import plan\nfrom pages._ui import fields"),
        (libraries_stay_home, "planner/store/tables.py", "import sqlmodel"),
        (sizing_is_pure, "planner/sizing/cost.py", "from planner.core.units import TB\nimport numpy as np"),
    ],
)
def test_what_is_allowed_passes(rule: Rule, path: str, code: str) -> None:
    assert list(rule(path, ast.parse(code))) == []
