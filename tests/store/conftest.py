"""A store on a real file and on a real server, and a clock that the test moves."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from planner.store import Store
from planner.store.database import Database
from tests.store.postgres import Server


class Clock:
    """A clock that goes on by a second each time it is read."""

    def __init__(self) -> None:
        """Start at the beginning of 2026."""
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The next second."""
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock under the test's control."""
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database file is."""
    return tmp_path / "planner.db"


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL of the tests' own; one that cannot be had is a failure."""
    started = Server()
    try:
        yield started
    finally:
        started.remove()


@pytest.fixture(scope="session")
def server_template(server: Server) -> str:
    """Name of a database with the tables and nothing in them, to be copied."""
    name = server.new_database()
    Database(server.url(name)).close()
    return name


@pytest.fixture
def server_url(server: Server, server_template: str) -> Iterator[str]:
    """Address of a database on the server that has the tables and is empty."""
    name = server.new_database(server_template)
    yield server.url(name)
    server.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """Address of an empty database of either kind."""
    if request.param == "sqlite":
        path = request.getfixturevalue("path")
        shutil.copy(request.getfixturevalue("empty_database"), path)
        return f"sqlite:///{path}"
    return str(request.getfixturevalue("server_url"))


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    """An empty store on a database of either kind."""
    with Store(Database(url, busy_s=5), clock=clock) as opened:
        yield opened


@pytest.fixture
def file_store(path: Path, clock: Clock) -> Iterator[Store]:
    """An empty store on a file, for what a server does not have."""
    with Store(Database(f"sqlite:///{path}", busy_s=5), clock=clock) as opened:
        yield opened
