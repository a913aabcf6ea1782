"""The application as a user starts it, and a browser that is held to this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.chromium import chromium_path
from tests.browser.screen import LOCAL_HOST, WAIT_MS, watch

ROOT = Path(__file__).parents[2]
START_S = 60
STOP_S = 10
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {LOCAL_HOST}",
]


@dataclass(frozen=True)
class Server:
    """The running application: its address, and what it has printed."""

    url: str
    log: Path


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((LOCAL_HOST, 0))
        return int(probe.getsockname()[1])


def is_healthy(url: str) -> bool:
    """Whether the server answers that it is up."""
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
            return answer.read() == b"ok"
    except (urllib.error.URLError, OSError):
        return False


def wait_until_healthy(process: subprocess.Popen[bytes], server: Server) -> None:
    """Return once the server answers; fail with what it printed if it does not."""
    end = time.monotonic() + START_S
    while not is_healthy(server.url):
        if process.poll() is not None or time.monotonic() > end:
            pytest.fail(f"the application did not start:\n{server.log.read_text(encoding='utf-8')}")
        time.sleep(0.1)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The application, started as the README says, for a user who never started it before.

    Only port and file watching are set here: that it listens on this machine alone and asks nothing
    has to come from the project's own configuration. Standard input stays open and silent, so that a
    question would hang the start.
    """
    home = tmp_path_factory.mktemp("home")
    port = free_port()
    server = Server(f"http://{LOCAL_HOST}:{port}", home / "server.log")
    options = ["--server.port", str(port), "--server.fileWatcherType", "none"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    environment |= {"HOME": str(home), "PLANNER_DATABASE_URL": f"sqlite:///{home}/planner.db"}
    with server.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until_healthy(process, server)
            yield server
        finally:
            stop(process)
    printed = server.log.read_text(encoding="utf-8")
    assert "Traceback" not in printed, printed


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the process that was started here, gently first."""
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(STOP_S)
    if process.stdin:
        process.stdin.close()


@pytest.fixture(scope="session")
def app_url(server: Server) -> str:
    """Address of the running application, without a slash at its end."""
    return server.url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium; a machine without one fails.

    One for each file of tests and not for all: while Playwright runs, no other event loop can start
    on its thread, and the worker goes on to other tests.
    """
    path = chromium_path()
    if not path:
        pytest.fail("no Chromium: bash tests/run installs one")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor of his own; a test whose pages ask another machine for anything fails."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.set_default_timeout(WAIT_MS)
    seen = watch(context)
    yield context
    context.close()
    assert seen.outside == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty page of that visitor."""
    return context.new_page()
