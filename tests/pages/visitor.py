"""A visitor of the application without a browser: opens it by a link, reads and changes what is there."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages._ui import answers
from planner.scenario import Scenario
from planner.scenario_json import scenario_to_json
from planner.store import Store
from planner.templates import template

APP = Path(__file__).parents[2] / "app.py"
HANGS_S = 300
"""A page or long work that takes so long is taken to hang."""


def visit(screen: str = "", **query: str) -> AppTest:
    """A new visitor at the first page, or at a screen, with the query of a link."""
    at = AppTest.from_file(APP, default_timeout=HANGS_S)
    for name, value in query.items():
        at.query_params[name] = value
    at.run()
    return go(at, screen) if screen else clean(at)


def open_scenario(scenario: Scenario) -> AppTest:
    """A new visitor at the Plan screen with a draft of this scenario."""
    key = Store.new_draft_key()
    content = f'{{"scenario": {scenario_to_json(scenario)}, "typed": {{}}, "pinned": "", "pinned_label": ""}}'
    answers.store().save_draft(key, content)
    return visit(draft=key)


def open_template(name: str) -> AppTest:
    """A new visitor at the Plan screen with a draft of a template."""
    return open_scenario(template(name).scenario)


def go(at: AppTest, screen: str) -> AppTest:
    """Go to a screen by the menu."""
    return clean(at.switch_page(f"pages/{screen}.py").run())


def clean(at: AppTest) -> AppTest:
    """The visitor, if the page shows no traceback."""
    assert [item.value for item in at.exception] == []
    return at


def ended(at: AppTest, job: str) -> AppTest:
    """The visitor, once the long work that the session keeps under a name has come to something."""
    work = at.session_state[job]
    work.wait(HANGS_S)
    assert (work.running, work.error) == (False, "")
    return clean(at.run())


def figure(at: AppTest, label: str) -> str:
    """A key figure on the screen."""
    return str(next(item.value for item in at.metric if item.label == label))


def press(at: AppTest, key: str) -> AppTest:
    """Press the button of a key."""
    return clean(at.button(key=key).click().run())


def press_named(at: AppTest, label: str) -> AppTest:
    """Press the first button of a label."""
    return clean(next(item for item in at.button if item.label == label).click().run())


def open_panel(at: AppTest, key: str) -> AppTest:
    """Open a popover or an expander."""
    at.session_state[key] = True
    return clean(at.run())


def type_number(at: AppTest, path: str, value: int) -> AppTest:
    """Type a count into a field."""
    return clean(at.text_input(key=path).set_value(str(value)).run())


def type_text(at: AppTest, path: str, value: str) -> AppTest:
    """Type a text into a field."""
    return clean(at.text_input(key=path).set_value(value).run())


def show(at: AppTest, control: str, choice: str) -> AppTest:
    """Choose in a segmented control."""
    return clean(at.segmented_control(key=control).set_value(choice).run())


def save(at: AppTest, name: str) -> tuple[int, int]:
    """Save what is open under a name; number of the design and of the revision."""
    open_panel(at, "save.open")
    at.text_input(key="name").set_value(name)
    press(at, "save.do")
    return int(at.query_params["design"]), int(at.query_params["rev"])


def cells(at: AppTest, number: int) -> list[dict[str, str]]:
    """Rows of a table, without the marks that keep its texts from being markup."""
    rows = at.table[number].value.to_dict("records")
    return [{str(name): str(text).replace("\\", "") for name, text in row.items()} for row in rows]


def every_row(at: AppTest) -> list[dict[str, str]]:
    """Rows of all tables, one after the other."""
    return [row for number in range(len(at.table)) for row in cells(at, number)]


def rows_of(at: AppTest, head: str) -> list[dict[str, str]]:
    """Rows of the first table whose first column has this head."""
    for number, table in enumerate(at.table):
        if str(table.value.columns[0]).replace("\\", "") == head:
            return cells(at, number)
    raise AssertionError(f"no table begins with the column {head}")


def said(at: AppTest) -> str:
    """All running text of the page, without the marks that keep it from being markup."""
    parts = (*at.markdown, *at.subheader, *at.caption, *at.info)
    return "\n".join(str(item.value) for item in parts).replace("\\", "")


def captions(at: AppTest) -> list[str]:
    """Each line in small print, without the marks that keep it from being markup."""
    return [str(item.value).replace("\\", "") for item in at.caption]


def lines(at: AppTest) -> list[str]:
    """Everything that the page says is wrong, without the marks that keep it from being markup."""
    return [str(item.value).replace("\\", "") for item in (*at.error, *at.warning)]


def stored() -> list[str]:
    """Names of the saved designs, the newest first."""
    return [row.name for row in answers.store().designs().rows]
