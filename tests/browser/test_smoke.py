"""The application opens: without a question, without the network, for every reader."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.screen import Watch, assert_clean, barriers, shoot, visit

PHONE_PX = 390


def test_first_visit_shows_a_page(page: Page, app_url: str) -> None:
    visit(page, app_url)
    expect(page.get_by_role("heading").first).to_be_visible()
    shoot(page, "first_visit")
    assert_clean(page)


def test_start_asks_nothing_and_tells_one_address(server: Server) -> None:
    printed = server.log.read_text(encoding="utf-8")
    assert server.url in printed
    assert [word for word in ("mail", "sage statistics", "External URL", "skills") if word in printed] == []


def test_phone_needs_no_sideways_scrolling(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": PHONE_PX, "height": 844})
    visit(page, app_url)
    assert page.evaluate("document.scrollingElement.scrollWidth") == PHONE_PX
    assert_clean(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_barrier(page: Page, app_url: str, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    visit(page, app_url)
    shoot(page, f"first_visit_{scheme}")
    assert barriers(page) == []


def test_a_request_to_another_machine_is_seen() -> None:
    seen = Watch()
    for url in (
        "http://127.0.0.1:8501/",
        "data:text/css,",
        "https://fonts.example/a.woff2",
        "ws://10.0.0.1/",
    ):
        seen.ask(url)
    assert seen.outside == ["https://fonts.example/a.woff2", "ws://10.0.0.1/"]
