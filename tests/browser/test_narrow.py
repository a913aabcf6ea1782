"""What is wide on a phone: tables, where a row is a block with the name of the column before each cell, and formulas."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from planner import __version__, load_catalogue, plan, scenario_to_json
from planner.review import basis
from planner.scenario_json import with_value
from planner.store import NewRevision, open_store
from planner.summary import key_results
from planner.templates import template
from planner.words import SUBJECTS
from tests.browser.conftest import free_port
from tests.browser.screen import PHONE, WAIT_MS, WIDE, assert_clean, assert_fits, click, resize, visit
from tests.browser.team import application, visitor

HOSTILE = 'A "b" {c: d} \\22 e; </style><b> *f* $g$ é 漢'
LONG = "W" * 60
"""A name that is wider than a table beside the inputs, and cannot be broken anywhere."""
LOSSES = "Save and fullest hop after each loss"
NAMES = """table => {
  const clean = text => text.replace(/\\s+/g, ' ').trim();
  const heads = [...table.querySelectorAll('th')].map(th => clean(th.textContent));
  const before = [...table.querySelectorAll('tbody tr:first-child td')].map(
    td => getComputedStyle(td, '::before').content);
  const flex = getComputedStyle(table.querySelector('td')).display === 'flex';
  return {heads, before, flex};
}"""


def names_of(page: Page, alt: str) -> tuple[list[str], list[str], bool]:
    """Headings of a table, what stands before the cells of its first row, and whether that is a block."""
    found = page.get_by_role("table", name=alt).evaluate(NAMES)
    return found["heads"], found["before"], found["flex"]


def saved(url: str, edits: dict[str, object]) -> int:
    """A design of two jobs with these inputs, in a database of its own; its number."""
    scenario = template("two-jobs").scenario
    for path, value in edits.items():
        scenario = with_value(scenario, path, value)
    catalogue = load_catalogue()
    with open_store(url) as store:
        content = NewRevision(
            scenario_json=scenario_to_json(scenario),
            author="the test",
            key_results=key_results(plan(scenario, catalogue)),
            catalogue_hash=catalogue.hash,
            engine_version=__version__,
            price_hash=basis(scenario, catalogue, engine_version=__version__).price_hash,
        )
        return store.create_design("On a phone", content).design_id


@pytest.mark.parametrize("name", [HOSTILE, LONG])
def test_each_cell_on_a_phone_has_the_name_of_its_column(tmp_path: Path, browser: Browser, name: str) -> None:
    url = f"sqlite:///{tmp_path}/narrow.db"
    # A flush that is longer than the interval is a remark on the first job alone.
    edits = {"storage.hot.drive_count": 9, "storage.hot.unit_count": 3, "jobs.0.checkpoint.interval_s": 20.0}
    number = saved(url, {"jobs.0.name": name, **edits})
    with application(tmp_path, free_port(), url) as server, visitor(browser) as context:
        page = context.new_page()
        page.set_viewport_size(WIDE)
        visit(page, f"{server.url}/plan?design={number}&rev=1")
        click(page.locator(".st-key-ui-section").get_by_text("Network", exact=True))
        expect(page.get_by_role("table", name=LOSSES)).to_be_visible(timeout=WAIT_MS)
        heads, before, block = names_of(page, LOSSES)
        assert heads[1] == f"Save, {name}"
        assert block == (name == LONG)
        assert block or set(before) == {"none"}
        resize(page, PHONE)
        heads, before, block = names_of(page, LOSSES)
        assert block
        assert before[0] == "none"
        assert [json.loads(text) for text in before[1:]] == heads[1:]
        assert_fits(page, "a job with an odd name")
        resize(page, WIDE)
        click(page.locator(".st-key-ui-section").get_by_text("Training time", exact=True))
        first = page.get_by_role("table", name=re.compile("^Alternatives")).first
        remark = first.get_by_text(re.compile("^The flush of")).first
        expect(remark).to_be_visible(timeout=WAIT_MS)
        resize(page, PHONE)
        expect(remark).to_be_visible()
        assert_fits(page, "ways to lose less of two jobs")
        assert_clean(page)


def test_a_cell_that_says_nothing_takes_no_line_on_a_phone(page: Page, app_url: str) -> None:
    visit(page, app_url)
    click(page.locator(".st-key-ui-section").get_by_text("Training time", exact=True))
    table = page.get_by_role("table", name=re.compile("^Alternatives"))
    expect(table).to_be_visible(timeout=WAIT_MS)
    for size in (WIDE, PHONE):
        resize(page, size)
        cells = table.evaluate(
            "e => [...e.querySelectorAll('td')].map(td => [td.textContent.trim(), td.offsetHeight > 0])"
        )
        assert {"", "nothing"} <= {text for text, _ in cells}
        assert all(shown == (text != "" or size == WIDE) for text, shown in cells)


def test_why_fits_a_phone(page: Page, app_url: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, app_url)
    click(page.get_by_test_id("stPopoverButton").filter(has_text="Why?").first)
    table = page.get_by_test_id("stPopoverBody").get_by_role("table").first
    expect(table).to_be_visible(timeout=WAIT_MS)
    room = page.get_by_test_id("stPopoverBody").evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert room[0] <= room[1]
    assert table.evaluate("e => e.parentElement.scrollWidth <= e.parentElement.clientWidth")
    assert table.evaluate(NAMES)["before"][1:] == ['"Input"', '"Value"', '"Origin"']


def test_every_formula_fits_a_phone(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/method")
    subjects = page.locator(".st-key-method-subject button[role=radio]")
    expect(subjects.first).to_be_visible(timeout=WAIT_MS)
    assert subjects.count() == len(SUBJECTS)
    for number, title in enumerate(SUBJECTS.values()):
        click(subjects.nth(number))
        expect(page.locator(".katex-display").first).to_be_visible(timeout=WAIT_MS)
        assert_fits(page, title)
