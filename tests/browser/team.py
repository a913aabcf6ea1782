"""The application of a team: sign-in at a real OpenID Connect provider on this machine, roles in a database."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from planner.review import Actor
from planner.store import open_store
from tests.browser.conftest import ROOT, Server, free_port, stop, wait_until_healthy
from tests.browser.screen import LOCAL_HOST, WAIT_MS, click, settle, visit, watch

ANN, BOB, EVE = "ann@example.com", "bob@example.com", "eve@example.com"
ROLES = {ANN: "approver", BOB: "editor", EVE: "viewer"}
UNVERIFIED = "mallory"
"""Someone whose provider says that the address, which is Ann's, is not verified."""
PROVIDERS_OWN = r"jsdelivr\.net/npm/@picocss/|/favicon\.ico$"
"""What the page of the provider asks for in vain."""
_OTHER_LINES = "[auth]\nredirect_uri = {redirect}\ncookie_secret = {secret}\n"
_PROVIDER_LINES = (
    '[auth.company]\nclient_id = "planner"\nclient_secret = "nothing"\nserver_metadata_url = {metadata}\n'
)


def _claims() -> list[str]:
    people = [
        {
            "sub": mail.partition("@")[0],
            "email": mail,
            "email_verified": True,
            "name": mail.partition("@")[0].title(),
        }
        for mail in ROLES
    ]
    people.append({"sub": UNVERIFIED, "email": ANN, "email_verified": False, "name": "Ann"})
    return [text for claims in people for text in ("--user-claims", json.dumps(claims))]


@contextlib.contextmanager
def team_server(folder: Path, *, database_url: str | None = None) -> Iterator[Server]:
    """The application with accounts, and the provider that it asks; both end with the block."""
    ports = free_port(), free_port()
    url = database_url or f"sqlite:///{folder}/team.db"
    with open_store(url) as store:
        store.set_account(ANN, "approver", name="Ann")
        for mail in (BOB, EVE):
            store.acting(Actor(ANN)).set_account(mail, ROLES[mail], name=mail.partition("@")[0].title())
    files = folder / "secrets.toml"
    files.write_text(
        _OTHER_LINES.format(
            redirect=json.dumps(f"http://{LOCAL_HOST}:{ports[0]}/oauth2callback"),
            secret=json.dumps(secrets.token_hex(32)),
        )
        + _PROVIDER_LINES.format(
            metadata=json.dumps(f"http://{LOCAL_HOST}:{ports[1]}/.well-known/openid-configuration")
        ),
        encoding="utf-8",
    )
    with contextlib.ExitStack() as running:
        log = running.enter_context((folder / "provider.log").open("wb"))
        provider = subprocess.Popen(
            [str(Path(sys.executable).with_name("oidc-provider-mock")), "-p", str(ports[1]), *_claims()],
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        running.callback(stop, provider)
        yield running.enter_context(application(folder, ports[0], url, "--secrets.files", str(files)))


@contextlib.contextmanager
def application(
    folder: Path, port: int, database_url: str, *options: str, script: str = "app.py"
) -> Iterator[Server]:
    """One server process of the application on a database; it ends with the block."""
    server = Server(f"http://{LOCAL_HOST}:{port}", folder / f"server-{port}.log")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    environment |= {"HOME": str(folder), "PLANNER_DATABASE_URL": database_url}
    with server.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port), *options],
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


@contextlib.contextmanager
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    """Someone with a browser of his own, which may ask this machine alone."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.set_default_timeout(WAIT_MS)
    seen = watch(context, others=PROVIDERS_OWN)
    try:
        yield context
        assert seen.outside == []
    finally:
        context.close()


def sign_in(page: Page, url: str, person: str) -> None:
    """Sign in at the provider as the person of that name, and come back."""
    visit(page, f"{url}/plan")
    come_in(page, url, person)


def come_in(page: Page, url: str, person: str) -> None:
    """Sign in from whatever screen is open."""
    page.get_by_role("button", name="Sign in").click(delay=50)
    page.get_by_role("button", name=person, exact=True).click()
    page.wait_for_url(f"{url}/**", timeout=WAIT_MS)
    settle(page)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible(timeout=WAIT_MS)


def sign_out(page: Page, url: str) -> None:
    """Sign out, and open the application again as whoever one is then."""
    page.get_by_role("button", name="Sign out").click(delay=50)
    page.wait_for_timeout(1000)
    visit(page, f"{url}/plan")


__all__ = [
    "ANN",
    "BOB",
    "EVE",
    "UNVERIFIED",
    "application",
    "click",
    "come_in",
    "sign_in",
    "sign_out",
    "team_server",
    "visitor",
]
