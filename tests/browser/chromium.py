"""Where the Chromium is that the browser tests start: `python -m tests.browser.chromium` prints it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium_path() -> str:
    """Path of a Chromium on PATH, else of Playwright's own; empty if there is neither."""
    on_path = next((found for name in NAMES if (found := shutil.which(name))), "")
    if on_path:
        return on_path
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else ""


if __name__ == "__main__":
    path = chromium_path()
    print(path or "no Chromium found")
    sys.exit(not path)
