"""The pictures of the README, taken anew: `python -m tests.browser.pictures`."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pypdfium2
from playwright.sync_api import Page, expect, sync_playwright

from planner.catalogue import load_catalogue
from planner.documents import Stamp, pdf
from planner.plan import plan
from planner.templates import template
from tests.browser.chromium import chromium_path
from tests.browser.conftest import CHROMIUM_FLAGS, ROOT, free_port
from tests.browser.screen import WAIT_MS, settle, visit
from tests.browser.team import application, visitor
from tests.browser.test_explore import WORK_MS, box, go, pick, press, type_into

FOLDER = ROOT / "data" / "screenshots"
EXAMPLE = "guide-256-evidence"
SCREEN = {"width": 1400, "height": 1150}
SUMMARY_PAGE, SCALE = 4, 1.2


def plan_page(page: Page, url: str) -> None:
    """The first visit."""
    visit(page, url)
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible(timeout=WAIT_MS)
    if (dismiss := page.get_by_role("button", name="Got it")).count():
        dismiss.first.click()
        settle(page)
    page.screenshot(path=FOLDER / "plan.png")


def explore_page(page: Page) -> None:
    """A heat map of goodput over the interval and the nodes."""
    go(page, "Explore")
    pick(page, "explore.y", "GPU nodes")
    for key, text in (("low", "16"), ("high", "256"), ("steps", "40")):
        type_into(page, f"explore.y.{key}", text)
    press(page, "explore.run")
    expect(page.locator(".heatmaplayer image, .hm image").first).to_be_visible(timeout=WORK_MS)
    settle(page)
    box(page, "explore.run").scroll_into_view_if_needed()
    page.screenshot(path=FOLDER / "explore.png")


def summary_page() -> None:
    """The page of the document that a director reads."""
    design = plan(template(EXAMPLE).scenario, load_catalogue())
    stamp = Stamp(
        template(EXAMPLE).name, 1, "", datetime(2026, 11, 30, tzinfo=UTC), hash_text="0" * 64, draft=True
    )
    document = pypdfium2.PdfDocument(pdf(design, stamp))
    document[SUMMARY_PAGE - 1].render(scale=SCALE).to_pil().save(FOLDER / "pdf.png", optimize=True)


def main() -> None:
    """Take all of them."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        url = f"sqlite:///{name}/pictures.db"
        with application(Path(name), free_port(), url) as server, visitor(chromium) as context:
            page = context.new_page()
            page.set_viewport_size(SCREEN)  # type: ignore[arg-type]
            plan_page(page, server.url)
            explore_page(page)
        chromium.close()
    summary_page()


if __name__ == "__main__":
    main()
