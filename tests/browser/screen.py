"""What browser tests do with a page, and what they hold against it."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, ViewportSize, expect

CLICK_MS = 50
"""A press shorter than about 15 ms can reach the server before what was just typed."""
WAIT_MS = 30_000
"""How long a page may take to answer on a busy machine."""
LOCAL_HOST = "127.0.0.1"
WIDE: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
_AT_REST = (
    "document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))))"
)
"""Done once the page has its fonts and has been drawn in its present size."""
_CUT_OFF = (
    "[data-testid=stMain] [data-testid=stMetricValue], [data-testid=stMain] :is(h1, h2, h3), "
    "[data-testid=stTable], [data-testid=stTable] > div, .katex-display"
)
"""What may not be wider than its room: key figures, headings, and tables and formulas, which would scroll in it."""

_PROBE = re.compile(r"/[a-z]+/_stcore/(health|host-config)$")
"""Streamlit's page looks for its server under the page's own address first, where it is not."""


@dataclass
class Watch:
    """What went wrong in a browser context, as it happened.

    Attributes:
        errors: Errors in the console, and exceptions that nobody caught.
        outside: Addresses on other machines that a page asked for.
        others: What another program's page may ask for in vain: the sign-in's own page is not the application's.
    """

    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    others: re.Pattern[str] = re.compile("$^")

    def hear(self, message: ConsoleMessage) -> None:
        """Keep an error that the page wrote to its console."""
        url = message.location.get("url", "")
        if message.type == "error" and not _PROBE.search(url) and not self.others.search(url):
            self.errors.append(f"console: {message.text} ({url})")

    def ask(self, url: str) -> None:
        """Keep the address of a request if it leaves this machine."""
        parts = urlsplit(url)
        if self.others.search(url):
            return
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != LOCAL_HOST:
            self.outside.append(url)


_WATCHES: dict[BrowserContext, Watch] = {}


def watch(context: BrowserContext, *, others: str = "$^") -> Watch:
    """Listen to a context and all its pages from now on, but for addresses that match `others`."""
    seen = _WATCHES[context] = Watch(others=re.compile(others))
    context.on("console", seen.hear)
    context.on("weberror", lambda error: seen.errors.append(f"exception: {error.error}"))
    context.on("request", lambda request: seen.ask(request.url))
    context.on("page", lambda page: page.on("websocket", lambda socket: seen.ask(socket.url)))
    context.on("close", lambda closed: _WATCHES.pop(closed, None))
    return seen


def settle(page: Page, *, pressed: bool = True) -> None:
    """Wait until the server has run the page and the browser shows the result; at once if nothing was pressed."""
    app = page.locator("[data-testid=stApp]")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=WAIT_MS)
    if pressed:
        page.wait_for_timeout(100)  # a press reaches the server a moment after it is made
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=WAIT_MS)
    expect(page.locator("[data-testid=stMainBlockContainer]")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator("[data-testid=stSkeleton]")).to_have_count(0, timeout=WAIT_MS)
    expect(page.locator("[data-stale=true]")).to_have_count(0, timeout=WAIT_MS)


def visit(page: Page, url: str) -> None:
    """Open an address and wait for the page."""
    page.goto(url)
    settle(page)


def click(target: Locator) -> None:
    """Press as a person does, and wait for what follows."""
    target.click(delay=CLICK_MS)
    settle(target.page)


def assert_clean(page: Page) -> None:
    """Fail if the page shows an exception, wrote an error to its console or asked another machine."""
    settle(page, pressed=False)
    shown = page.locator("[data-testid=stException]").all_inner_texts()
    seen = _WATCHES[page.context]
    wrong = [
        *(f"on the page: {text}" for text in shown),
        *seen.errors,
        *(f"asked {url}" for url in seen.outside),
    ]
    if wrong:
        pytest.fail("\n".join(wrong))


def resize(page: Page, size: ViewportSize) -> None:
    """Give the page another size and wait until it is drawn in it."""
    page.set_viewport_size(size)
    page.evaluate(_AT_REST)


def assert_fits(page: Page, what: str) -> None:
    """Fail if the page, a table, a formula, a heading or a key figure is wider than its room, on a wide screen or a phone."""
    now = page.viewport_size
    for size in sorted((WIDE, PHONE), key=lambda size: size != now):
        resize(page, size)
        width = page.evaluate("document.scrollingElement.scrollWidth")
        assert width == size["width"], f"{what}: {width} px on a screen of {size['width']}"
        cut = page.evaluate(
            "all => [...document.querySelectorAll(all)].filter(e => e.scrollWidth > e.clientWidth + 1)"
            ".map(e => `${e.scrollWidth} px in ${e.clientWidth}: ${e.innerText.slice(0, 80)}`)",
            _CUT_OFF,
        )
        assert cut == [], f"{what}: cut off at {size['width']} px"


def barriers(page: Page) -> list[str]:
    """What keeps people with a disability from using the page, as axe finds it: rule and element."""
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['html']}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def shoot(page: Page, name: str) -> Path:
    """Keep a picture of the whole page in `$PLANNER_SHOTS`, or else in a temporary folder."""
    folder = Path(os.environ.get("PLANNER_SHOTS") or Path(tempfile.gettempdir()) / "planner-shots")
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w-]+", "_", name)
    path = folder / f"{stem}.png"
    page.screenshot(path=path, full_page=True)
    return path
