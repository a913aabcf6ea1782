"""A store on a real file and on a real server, and a clock that the test moves."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from planner.store import Store, open_store
from planner.store.database import Database, current_step
from tests.store.examples import filled
from tests.store.postgres import Server


class Clock:
    """A clock that goes on by a second each time it is read, from the beginning of 2026."""

    def __init__(self, hour: int = 0) -> None:
        """Start at an hour of its first day."""
        self.now = datetime(2026, 1, 1, hour, tzinfo=UTC)

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


@pytest.fixture(scope="session")
def server_database(server: Server, server_template: str) -> Iterator[Database]:
    """A database on the server that the tests use in turn: emptying one takes a fifth of the time of making one."""
    opened = Database(server.url(server.new_database(server_template)), busy_s=5)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def emptying(server_database: Database) -> str:
    """Statements that make it as it was made; a replica asks no triggers, which keep rows as they were written."""
    with server_database.engine.connect() as connection:
        names = inspect(connection).get_table_names()
        step = current_step(connection)
        counters = connection.execute(text("SELECT sequencename FROM pg_sequences")).scalars().all()
    return "; ".join(
        [
            "SET LOCAL session_replication_role = replica",
            *(f'DELETE FROM "{name}"' for name in names),
            *(f"SELECT setval('{name}', 1, false)" for name in counters),
            f"INSERT INTO alembic_version VALUES ('{step}')",
        ]
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which kind of database the test is about: each in turn."""
    return str(request.param)


@pytest.fixture
def url(request: pytest.FixtureRequest, kind: str) -> Iterator[str]:
    """Address of an empty database of either kind."""
    if kind == "sqlite":
        yield _copied(request, "empty_database")
        return
    database: Database = request.getfixturevalue("server_database")
    statements: str = request.getfixturevalue("emptying")
    yield database.engine.url.render_as_string()
    with database.engine.begin() as connection:
        connection.exec_driver_sql(statements)


def _copied(request: pytest.FixtureRequest, original: str) -> str:
    path = request.getfixturevalue("path")
    shutil.copy(request.getfixturevalue(original), path)
    return f"sqlite:///{path}"


@pytest.fixture
def store(request: pytest.FixtureRequest, kind: str, url: str, clock: Clock) -> Iterator[Store]:
    """An empty store on a database of either kind."""
    if kind == "postgresql":
        yield Store(request.getfixturevalue("server_database"), clock=clock)
        return
    with Store(Database(url, busy_s=5), clock=clock) as opened:
        yield opened


@pytest.fixture
def file_store(request: pytest.FixtureRequest, clock: Clock) -> Iterator[Store]:
    """An empty store on a file, for what a server does not have."""
    with Store(Database(_copied(request, "empty_database"), busy_s=5), clock=clock) as opened:
        yield opened


@pytest.fixture
def new_store(tmp_path: Path, empty_database: Path) -> Iterator[Store]:
    """A second store on a file, empty, to restore into."""
    shutil.copy(empty_database, tmp_path / "new.db")
    with open_store(f"sqlite:///{tmp_path}/new.db") as opened:
        yield opened


# With a row in every table: what takes longest is made once, and copied.


@pytest.fixture(scope="session")
def filled_database(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    """A database file with a row in every table, to be copied."""
    path = tmp_path_factory.mktemp("filled") / "filled.db"
    shutil.copy(empty_database, path)
    with Store(Database(f"sqlite:///{path}"), clock=Clock()) as opened:
        filled(opened)
    return path


@pytest.fixture(scope="session")
def filled_template(server: Server, server_template: str) -> str:
    """Name of a database with a row in every table, to be copied."""
    name = server.new_database(server_template)
    with Store(Database(server.url(name)), clock=Clock()) as opened:
        filled(opened)
    return name


@pytest.fixture
def filled_url(request: pytest.FixtureRequest, kind: str) -> Iterator[str]:
    """Address of a database of either kind with a row in every table."""
    if kind == "sqlite":
        yield _copied(request, "filled_database")
        return
    server: Server = request.getfixturevalue("server")
    name = server.new_database(request.getfixturevalue("filled_template"))
    yield server.url(name)
    server.drop(name)


@pytest.fixture
def filled_store(filled_url: str) -> Iterator[Store]:
    """A store with a row in every table, an hour later, on a database of either kind."""
    with Store(Database(filled_url, busy_s=5), clock=Clock(hour=1)) as opened:
        yield opened


@pytest.fixture
def filled_file_store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """The same on a file, for what a server does not have."""
    with Store(Database(_copied(request, "filled_database"), busy_s=5), clock=Clock(hour=1)) as opened:
        yield opened
