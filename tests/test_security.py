"""The rules of security, each with input that means harm: strangers' pages, large and deep files, secrets, pins."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import secrets
import shutil
import socket
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text

from planner.__main__ import main
from planner.core.errors import PlannerError
from planner.deploy.addressing import addressing_from_json
from planner.model_import import model_of_files
from planner.scenario_json import scenario_from_json
from planner.store import open_store
from planner.store.backup import FORMAT
from planner.telemetry.kept import readings_of
from planner.telemetry.reading import read_measurements
from planner.telemetry.source import MAX_BYTES
from tests.benchmarks.session import Session
from tests.browser.conftest import ROOT, Server, free_port
from tests.browser.team import application

STRANGER = "https://evil.example"
UPLOAD = "/_stcore/upload_file/11111111-1111-1111-1111-111111111111/22222222-2222-2222-2222-222222222222"
WAIT_S = 30
PASSWORD = "swordfish-4711"


COOKIE_SECRET = secrets.token_hex(32)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The application with the project's own configuration, a provider of accounts, and a database out of reach."""
    folder = tmp_path_factory.mktemp("secured")
    file = folder / "secrets.toml"
    file.write_text(
        f'[auth]\nredirect_uri = "http://127.0.0.1/oauth2callback"\ncookie_secret = "{COOKIE_SECRET}"\n'
        f'[auth.company]\nclient_id = "planner"\nclient_secret = "{PASSWORD}"\n'
        'server_metadata_url = "http://127.0.0.1:1/none"\n',
        encoding="utf-8",
    )
    url = f"postgresql://ann:{PASSWORD}@127.0.0.1:1/planner"
    with application(folder, free_port(), url, "--secrets.files", str(file)) as server:
        yield server


def settings() -> dict[str, Any]:
    """What the project's configuration says."""
    return tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def asked(
    server: Server, method: str, path: str, *, body: bytes = b"", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and content of an answer."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=WAIT_S)
    try:
        connection.request(
            method,
            path,
            body=body,
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )
        answer = connection.getresponse()
        sent = {name.lower(): value for name, value in answer.getheaders()}
        return (
            answer.status,
            sent,
            b"" if answer.status == http.HTTPStatus.SWITCHING_PROTOCOLS else answer.read(),
        )
    finally:
        connection.close()


def shake_hands(server: Server, origin: str) -> int:
    """Status of the answer to a page that wants to talk to the application over a websocket."""
    status, *_ = asked(
        server, "GET", "/_stcore/stream", Origin=origin, Connection="Upgrade", Upgrade="websocket",
        Sec_WebSocket_Version="13", Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
        Sec_WebSocket_Protocol="streamlit",
    )  # fmt: skip
    return status


def xsrf_token(server: Server) -> str:
    """The token that the server gives a page of its own in a cookie."""
    _, headers, _ = asked(server, "GET", "/_stcore/health")
    found = re.search(r"_streamlit_xsrf=([^;]+)", headers.get("set-cookie", ""))
    assert found, headers
    return found.group(1)


# --- other people's pages -----------------------------------------------------------------------------------


def test_a_strangers_page_cannot_talk_to_the_application(running: Server) -> None:
    assert shake_hands(running, running.url) == 101
    for origin in (STRANGER, "null", "http://127.0.0.1.evil.example", f"{STRANGER}/{running.url}"):
        assert shake_hands(running, origin) == 403, origin


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_file_without_the_pages_own_token_is_refused(running: Server, method: str) -> None:
    token = xsrf_token(running)
    cases: tuple[dict[str, str], ...] = (
        {},
        {"Cookie": f"_streamlit_xsrf={token}"},
        {"X_Xsrftoken": token},
        {"Cookie": f"_streamlit_xsrf={token}", "X_Xsrftoken": "0"},
        {"Cookie": f"_streamlit_xsrf={token}", "X_Xsrftoken": "2|" + "0" * 8 + "|" + "0" * 32 + "|1"},
    )
    for headers in cases:
        status, *_ = asked(running, method, UPLOAD, body=b"x", Origin=STRANGER, **headers)
        assert status == 403, headers
    both = {"Cookie": f"_streamlit_xsrf={token}", "X_Xsrftoken": token}
    status, *_ = asked(running, method, UPLOAD, body=b"x", Origin=STRANGER, **both)
    assert status != 403  # the token is what was missing: the session that it names is not there


def test_no_other_page_may_read_an_answer(running: Server) -> None:
    for path in ("/_stcore/health", "/_stcore/host-config", UPLOAD):
        for method in ("GET", "OPTIONS"):
            _, headers, _ = asked(running, method, path, Origin=STRANGER, Access_Control_Request_Method="PUT")
            assert headers.get("access-control-allow-origin") not in ("*", STRANGER), (path, method)


def test_no_file_of_the_machine_is_served(running: Server) -> None:
    for path in (
        "/app/static/../.streamlit/config.toml",
        "/.streamlit/config.toml",
        "/static/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/media/..%2f..%2fplanner.db",
        "/component/x/..%2f..%2f..%2fetc%2fpasswd",
    ):
        *_, content = asked(running, "GET", path)
        assert b"root:" not in content, path
        assert b"gatherUsageStats" not in content, path
        assert not content.startswith(b"SQLite format"), path


def test_a_test_that_asks_another_machine_fails() -> None:
    """What `conftest.py` promises of all tests; nobody has this address (RFC 5737)."""
    with socket.socket() as probe, pytest.raises(AssertionError, match="tried to reach"):
        probe.connect(("192.0.2.1", 80))


# --- files ------------------------------------------------------------------------------------------------


def test_the_server_takes_no_larger_file_than_the_readers() -> None:
    told = settings()["server"]
    assert told["maxUploadSize"] * 1024 * 1024 >= MAX_BYTES
    assert told["maxUploadSize"] == 100
    assert (told["enableXsrfProtection"], told["enableCORS"]) == (True, True)


READERS: dict[str, Callable[[str], object]] = {
    "scenario": scenario_from_json,
    "names of the site": addressing_from_json,
    "model file": lambda text: model_of_files([("config.json", text.encode())]),
    "pasted model": lambda text: model_of_files([("", text.encode())]),
    "measurement": lambda text: read_measurements(text.encode(), name="x.json"),
    "kept measurement": readings_of,
}
DEEP = {
    "open lists": "[" * 100_000,
    "closed lists": "[" * 5_000 + "]" * 5_000,
    "open objects": '{"a":' * 100_000,
    "closed objects": '{"a":' * 900 + "1" + "}" * 900,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", DEEP)
def test_json_that_is_nested_too_deep_is_refused_in_one_line(reader: str, kind: str) -> None:
    with pytest.raises(PlannerError) as caught:
        READERS[reader](DEEP[kind])
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 700


@pytest.mark.parametrize("kind", DEEP)
@pytest.mark.parametrize("deep", ["planner-backup.json", "design.jsonl"])
def test_a_backup_that_is_nested_too_deep_is_refused(
    kind: str, deep: str, tmp_path: Path, empty_database: Path
) -> None:
    shutil.copy(empty_database, tmp_path / "new.db")
    with open_store(f"sqlite:///{tmp_path}/new.db") as store:
        with store.database.reading() as session:
            (step,) = session.connection().execute(text("SELECT version_num FROM alembic_version")).one()
        manifest = json.dumps({"format": FORMAT, "step": step, "rows": {"design": 1}})
        with zipfile.ZipFile(tmp_path / "backup", "w") as archive:
            for name, content in (("planner-backup.json", manifest), ("design.jsonl", "{}")):
                archive.writestr(name, DEEP[kind] if name == deep else content)
        with pytest.raises(PlannerError, match=r"is (no backup of the planner|damaged in design)") as caught:
            store.restore(tmp_path / "backup")
        assert "\n" not in caught.value.message
        assert store.designs().rows == ()


# --- secrets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ann:{PASSWORD}@127.0.0.1:1/planner",
        f"postgresql+psycopg://ann:{PASSWORD}@127.0.0.1:1/planner?connect_timeout=1",
        f"mysql://ann:{PASSWORD}@127.0.0.1/planner",
        f"postgresql://ann:{PASSWORD}@[::1/planner",
        f"postgresql://127.0.0.1:1/planner?user=ann&password={PASSWORD}",
    ],
)
def test_a_password_of_the_database_is_in_no_line(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLANNER_DATABASE_URL", url)
    assert main(["backup", str(tmp_path / "b")]) == 2
    printed, said = capfd.readouterr()
    assert said.count("\n") == 1
    assert said.startswith(("database: ", "PLANNER_DATABASE_URL: "))
    assert PASSWORD not in printed + said


async def lines_of_a_visit(server: Server) -> list[str]:
    """What the application says is wrong to someone who opens it."""
    async with Session(server.url) as visitor:
        return visitor.errors


def test_the_server_logs_neither_the_password_nor_the_secret_of_the_cookies(running: Server) -> None:
    shown = asyncio.run(lines_of_a_visit(running))
    asked(running, "GET", "/auth/login?provider=company")
    asked(running, "GET", "/oauth2callback?state=x&code=y")
    assert any("127.0.0.1:1/planner cannot be used" in line.replace("\\", "") for line in shown), shown
    assert not any(PASSWORD in line for line in shown)
    printed = running.log.read_text(encoding="utf-8")
    assert PASSWORD not in printed
    assert COOKIE_SECRET not in printed


def test_no_secret_is_in_the_repository() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert ".streamlit/secrets.toml" in ignored
    assert "planner.db*" in ignored


# --- what is installed, and how it starts ---------------------------------------------------------------------


def test_every_package_is_pinned_to_one_version() -> None:
    pinned = re.compile(r"^[a-z0-9][a-z0-9._-]*(\[[a-z,]+\])?==[0-9][0-9a-z.]*$")
    lines = {
        f"{file.name}: {line}"
        for file in ROOT.glob("requirements*.txt")
        for raw in file.read_text(encoding="utf-8").splitlines()
        if (line := raw.partition("#")[0].strip()) and not line.startswith("-r ") and not pinned.match(line)
    }
    assert lines == set()


def test_pins_of_all_files_agree() -> None:
    seen: dict[str, set[str]] = {}
    for file in ROOT.glob("requirements*.txt"):
        for line in file.read_text(encoding="utf-8").splitlines():
            name, found, version = line.partition("==")
            if found:
                seen.setdefault(name.partition("[")[0], set()).add(version.strip())
    assert len(seen) > 20
    assert {name: versions for name, versions in seen.items() if len(versions) > 1} == {}


def test_the_server_listens_on_this_machine_alone_and_tells_no_one() -> None:
    told = settings()
    assert told["server"]["address"] == "127.0.0.1"
    assert told["browser"]["gatherUsageStats"] is False
    assert told["client"]["showErrorLinks"] is False
    assert json.dumps(told).count("http") == 0
