"""Nothing that is typed is lost when a tab closes or the server restarts."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import free_port
from tests.browser.screen import WAIT_MS, assert_clean, click, settle, visit
from tests.browser.team import application, visitor

COUNT, WRONG = "96", "half an hour"


def field_of(page: Page, path: str) -> str:
    """Where the field of an input is."""
    return f".st-key-{path.replace('.', '-')} input"


def type_into(page: Page, path: str, text: str) -> None:
    """Type into the field of an input and leave it."""
    field = page.locator(field_of(page, path))
    field.fill(text)
    field.press("Tab")
    settle(page)


def assert_all_is_there(page: Page) -> None:
    """Fail if a field does not hold what was typed: a number, and a text that is none."""
    interval = page.locator(field_of(page, "jobs.0.checkpoint.interval_s"))
    if interval.count() == 0:
        click(page.locator(".st-key-ui-group").get_by_text("Workload", exact=True))
    expect(interval).to_have_value(WRONG, timeout=WAIT_MS)
    click(page.locator(".st-key-ui-group").get_by_text("Cluster", exact=True))
    expect(page.locator(field_of(page, "cluster.node_count"))).to_have_value(COUNT, timeout=WAIT_MS)


def test_what_was_typed_is_there_after_the_server_restarted(tmp_path: Path, browser: Browser) -> None:
    port, url = free_port(), f"sqlite:///{tmp_path}/restart.db"
    with visitor(browser) as staying:
        left_open = staying.new_page()
        with application(tmp_path, port, url) as server, visitor(browser) as leaving:
            page = leaving.new_page()
            visit(page, f"{server.url}/plan")
            type_into(page, "cluster.node_count", COUNT)
            click(page.locator(".st-key-ui-group").get_by_text("Workload", exact=True))
            type_into(page, "jobs.0.checkpoint.interval_s", WRONG)
            address = page.url
            assert "draft=" in address
            assert_clean(page)
            visit(left_open, address)
            assert_all_is_there(left_open)
        with application(tmp_path, port, url), visitor(browser) as coming_back:
            page = coming_back.new_page()
            visit(page, address)
            assert_all_is_there(page)
            assert_clean(page)
            assert_all_is_there(left_open)  # it finds the server again by itself
            assert left_open.url == address
            type_into(left_open, "cluster.node_count", "97")
            visit(page, address)
            expect(page.locator(field_of(page, "cluster.node_count"))).to_have_value("97", timeout=WAIT_MS)
