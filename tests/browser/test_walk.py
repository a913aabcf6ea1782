"""Every screen and every section with every template, wide and on a phone: nothing broken, cut off or missing."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pages._ui.sections import SECTIONS
from planner import __version__, load_catalogue, plan, scenario_to_json
from planner.review import basis
from planner.store import NewRevision, open_store
from planner.summary import key_results
from planner.templates import Template, templates
from tests.browser.conftest import Server, free_port
from tests.browser.screen import (
    CLICK_MS,
    PHONE,
    WAIT_MS,
    WIDE,
    assert_clean,
    assert_fits,
    barriers,
    click,
    resize,
    settle,
    shoot,
    visit,
)
from tests.browser.team import application, visitor

SCREENS = ("explore", "compare", "review", "export", "delivery", "designs", "catalogue", "method")
OF_NO_DESIGN = ("catalogue", "method")
"""Screens that are the same whatever is open: seen with the first template alone."""
SEVERAL = {
    "Tiers": "tiers",
    "Endurance and protection": "endurance",
    "Power and racks": "power",
    "Cost": "cost",
}
"""Sections that are shown in several views, and the key of the choice."""
TRIES, SOON_MS = 3, 10_000
NO_FIGURE = re.compile(r"\b(nan|NaN|None|null|undefined|inf|Infinity)\b")


@pytest.fixture(scope="module")
def designs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, int]]]:
    """The application with a design of every template, and the numbers of the designs."""
    folder = tmp_path_factory.mktemp("walk")
    url = f"sqlite:///{folder}/walk.db"
    catalogue, numbers = load_catalogue(), {}
    with open_store(url) as store:
        for item in templates():
            content = NewRevision(
                scenario_json=scenario_to_json(item.scenario),
                author="the walk",
                key_results=key_results(plan(item.scenario, catalogue)),
                catalogue_hash=catalogue.hash,
                engine_version=__version__,
                price_hash=basis(item.scenario, catalogue, engine_version=__version__).price_hash,
            )
            numbers[item.id] = store.create_design(item.name, content).design_id
    with application(Path(folder), free_port(), url) as server:
        yield server, numbers


def look(page: Page, what: str, *, axe: bool) -> None:
    """Fail on an exception, a warning, a figure that is none, a barrier, or what is wider than its room."""
    assert_clean(page)
    warned = page.locator("[data-testid=stAlertContentWarning], [data-testid=stAlertContentError]")
    assert warned.all_inner_texts() == [], what
    text = page.locator("[data-testid=stMain]").inner_text()
    assert NO_FIGURE.findall(text) == [], what
    for size in (WIDE, PHONE) if axe else ():
        resize(page, size)
        assert barriers(page) == [], what
    assert_fits(page, what)


def choices(page: Page, section: str) -> Locator:
    """The choices of a section that is shown in several views."""
    return page.locator(f".st-key-ui-{SEVERAL[section]} button[role=radio]")


def go_to(page: Page, section: str) -> None:
    """Show a section; a press that is lost while the page draws itself anew is made again, as a person would."""
    for _ in range(TRIES):
        click(page.locator(".st-key-ui-section").get_by_text(section, exact=True))
        if section not in SEVERAL:
            return
        with contextlib.suppress(PlaywrightTimeout):
            choices(page, section).first.wait_for(timeout=SOON_MS)
            return
        click(page.locator(".st-key-ui-section").get_by_text("Checkpoints", exact=True))
    pytest.fail(f"{section} does not show its views")


def views_of(page: Page, section: str) -> Iterator[int]:
    """Show one view of a section after the other, and give the place of each."""
    go_to(page, section)
    yield 0
    for place in range(1, choices(page, section).count() if section in SEVERAL else 1):
        show(page, section, place)
        yield place


def show(page: Page, section: str, place: int) -> None:
    """Show one view of a section that has several."""
    for _ in range(TRIES):
        with contextlib.suppress(PlaywrightTimeout):
            choices(page, section).nth(place).click(delay=CLICK_MS, timeout=SOON_MS)
            settle(page)
            return
        go_to(page, section)
    pytest.fail(f"{section} does not show view {place + 1}")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page that walks them all: a browser that has the application's scripts already opens it three times faster."""
    with visitor(browser) as context:
        yield context.new_page()


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_every_screen_of_a_template(
    item: Template, designs: tuple[Server, dict[str, int]], page: Page
) -> None:
    server, numbers = designs
    first = item.id == templates()[0].id
    page.set_viewport_size(WIDE)
    visit(page, f"{server.url}/plan?design={numbers[item.id]}&rev=1")
    expect(page.get_by_test_id("stMetric").first).to_be_visible(timeout=WAIT_MS)
    for section in SECTIONS:
        for place in views_of(page, section):
            look(page, f"{item.id}: {section}, view {place + 1}", axe=first)
    page.set_viewport_size(WIDE)
    shoot(page, f"walk_{item.id}")
    for screen in SCREENS:
        if screen in OF_NO_DESIGN and not first:
            continue
        page.set_viewport_size(WIDE)
        click(page.get_by_role("link", name=screen.capitalize(), exact=True))
        expect(page.get_by_role("heading", name=screen.capitalize(), level=1)).to_be_visible(timeout=WAIT_MS)
        look(page, f"{item.id}: {screen}", axe=first)
