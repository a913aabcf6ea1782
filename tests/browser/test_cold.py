"""A server that nobody has used yet, opened at the address of a screen."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.conftest import free_port
from tests.browser.screen import WAIT_MS, assert_clean, settle, visit
from tests.browser.team import application, visitor

SAMPLES = Path(__file__).parents[1] / "telemetry" / "samples"


def test_the_first_file_that_is_dropped_on_a_cold_server_is_read(tmp_path: Path, browser: Browser) -> None:
    sample = next(path for path in sorted(SAMPLES.rglob("fio*.json")))
    with (
        application(tmp_path, free_port(), f"sqlite:///{tmp_path}/cold.db") as server,
        visitor(browser) as context,
    ):
        page = context.new_page()
        visit(page, f"{server.url}/delivery")
        expect(page.get_by_role("link", name="Delivery", exact=True)).to_be_visible(timeout=WAIT_MS)
        page.locator("input[type=file]:not([webkitdirectory])").first.set_input_files(str(sample))
        settle(page)
        expect(page.get_by_text("1 file: ").first).to_be_visible(timeout=WAIT_MS)
        assert_clean(page)
