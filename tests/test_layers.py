"""What import-linter does not see: the screens, which library lives where, and that no text is ever run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHARED = "pages/_ui/"
STYLES = "pages/_ui/narrow.py"
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
RUNS_TEXT = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen", "pickle.load", "pickle.loads"),
    *("marshal.loads", "yaml.load", "yaml.unsafe_load", "shelve.open"),
}
"""Calls that would run a text, or build objects that a text asks for."""

Nodes = Sequence[ast.AST]
Rule = Callable[[str, Nodes], Iterator[str]]


def nodes_of(code: str, name: str = "") -> Nodes:
    """All parts of a file, each once."""
    return tuple(ast.walk(ast.parse(code, name)))


def imported(nodes: Nodes) -> Iterator[str]:
    """Dotted names of all modules that are imported, at the top of the file or further down."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def called(call: ast.Call) -> str:
    """What is called, as `name` or `module.name`; else nothing."""
    match call.func:
        case ast.Name(name):
            return name
        case ast.Attribute(ast.Name(module), name):
            return f"{module}.{name}"
    return ""


def only_shared_code_touches_the_session(path: str, nodes: Nodes) -> Iterator[str]:
    """`session_state`, however it is spelt."""
    if path.startswith(SHARED):
        return
    for node in nodes:
        if any(getattr(node, part, None) == "session_state" for part in ("attr", "id", "name", "value")):
            yield "session_state"


def no_raw_html(path: str, nodes: Nodes) -> Iterator[str]:
    """Markup that Streamlit would pass on as it is; the style sheet of the tables lives in one file."""
    for node in nodes:
        if isinstance(node, ast.keyword) and node.arg in ("unsafe_allow_html", "unsafe_allow_javascript"):
            yield node.arg
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "st.html" and path != STYLES:
            yield "st.html"


def no_primary_button(path: str, nodes: Nodes) -> Iterator[str]:
    """White on the dark theme's primary colour, which also has to serve as text, cannot be read."""
    for node in nodes:
        if isinstance(node, ast.keyword) and node.arg == "type" and ast.unparse(node.value) == "'primary'":
            yield "primary button"


def app_is_a_frame(path: str, nodes: Nodes) -> Iterator[str]:
    """`app.py` imports Streamlit and what pages share."""
    if path == "app.py":
        allowed = ("streamlit", "pages._ui", "__future__")
        yield from (name for name in imported(nodes) if not name.startswith(allowed))


def pages_do_not_meet(path: str, nodes: Nodes) -> Iterator[str]:
    """A page imports the planner and what pages share, no other page; formulas stay in the planner."""
    if path.startswith("pages/"):
        for name in imported(nodes):
            if name.startswith(("planner.sizing", "sqlite3", "csv")):
                yield name
            if name.split(".")[0] in ("pages", "app") and not name.startswith("pages._ui"):
                yield name


def libraries_stay_home(path: str, nodes: Nodes) -> Iterator[str]:
    """Each library is imported where it lives, and nowhere else."""
    for name in imported(nodes):
        home = HOMES.get(name.split(".")[0])
        if home and not path.startswith(home):
            yield name


def sizing_is_pure(path: str, nodes: Nodes) -> Iterator[str]:
    """Formulas stand on numpy and scipy, and draw no random number."""
    if not path.startswith(PURE):
        return
    for name in imported(nodes):
        top = name.split(".")[0]
        if top not in PURE_IMPORTS and not name.startswith(("planner.core", "planner.sizing")):
            yield name
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == "random":
            yield "random"
        if isinstance(node, ast.Call) and called(node) in ("open", "print", "input"):
            yield called(node)


def no_text_is_run(path: str, nodes: Nodes) -> Iterator[str]:
    """No code from a text, no pickle, no command line that a shell reads."""
    for node in nodes:
        if isinstance(node, ast.Call):
            if called(node) in RUNS_TEXT:
                yield called(node)
            if any(word.arg == "shell" and ast.unparse(word.value) != "False" for word in node.keywords):
                yield f"{called(node)}(shell)"


RULES: tuple[Rule, ...] = (
    only_shared_code_touches_the_session,
    no_raw_html,
    no_primary_button,
    app_is_a_frame,
    pages_do_not_meet,
    libraries_stay_home,
    sizing_is_pure,
    no_text_is_run,
)


def sources() -> list[Path]:
    """Every Python file of the application."""
    return [ROOT / "app.py", *sorted(ROOT.glob("pages/**/*.py")), *sorted(ROOT.glob("planner/**/*.py"))]


@pytest.fixture(scope="module")
def breaches() -> dict[Rule, list[str]]:
    """What breaks each rule in which file; every file is read once."""
    found: dict[Rule, list[str]] = {rule: [] for rule in RULES}
    files = sources()
    assert len(files) > 100
    for file in files:
        path = file.relative_to(ROOT).as_posix()
        nodes = nodes_of(file.read_text(encoding="utf-8"), path)
        for rule in RULES:
            found[rule] += [f"{path}: {what}" for what in rule(path, nodes)]
    return found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_file_keeps_the_rule(rule: Rule, breaches: dict[Rule, list[str]]) -> None:
    assert breaches[rule] == []


@pytest.mark.parametrize(
    ("rule", "path", "code"),
    [
        (only_shared_code_touches_the_session, "pages/plan.py", "st.session_state['x'] = 1"),
        (only_shared_code_touches_the_session, "app.py", "from streamlit import session_state"),
        (only_shared_code_touches_the_session, "pages/plan.py", "getattr(st, 'session_state')"),
        (no_raw_html, "pages/_ui/frame.py", "st.markdown('<b>', unsafe_allow_html=True)"),
        (no_raw_html, "pages/_ui/figures.py", "st.html('<b>')"),
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
        (sizing_is_pure, "planner/core/units.py", "open('x')"),
        (no_text_is_run, "planner/files.py", "eval(text)"),
        (no_text_is_run, "planner/files.py", "exec(text)"),
        (no_text_is_run, "pages/plan.py", "import os\nos.system(x)"),
        (no_text_is_run, "pages/plan.py", "pickle.loads(x)"),
        (no_text_is_run, "app.py", "subprocess.run(x, shell=True)"),
    ],
)
def test_a_planted_breach_is_seen(rule: Rule, path: str, code: str) -> None:
    assert list(rule(path, nodes_of(code))) != []


@pytest.mark.parametrize(
    ("rule", "path", "code"),
    [
        (only_shared_code_touches_the_session, "pages/_ui/session.py", "st.session_state['x'] = 1"),
        (no_raw_html, "pages/_ui/narrow.py", "st.html('<style></style>')"),
        (app_is_a_frame, "app.py", "import streamlit as st\nfrom pages._ui import frame"),
        (pages_do_not_meet, "pages/plan.py", "from planner import plan\nfrom pages._ui import fields"),
        (libraries_stay_home, "planner/store/tables.py", "import sqlmodel"),
        (sizing_is_pure, "planner/sizing/cost.py", "from planner.core.units import TB\nimport numpy as np"),
    ],
)
def test_what_is_allowed_passes(rule: Rule, path: str, code: str) -> None:
    assert list(rule(path, nodes_of(code))) == []
