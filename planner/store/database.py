"""Opening a database, bringing its tables up to date, and its transactions."""

from __future__ import annotations

import math
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, StaticPool, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError
from sqlmodel import Session

from planner.core.errors import PlannerError, nearest, shorten
from planner.store.failures import Place, explained, sqlite_code
from planner.store.review_tables import Table

URL_VARIABLE = "PLANNER_DATABASE_URL"
DEFAULT_FILE = Path(__file__).resolve().parents[2] / "planner.db"
MIGRATIONS = Path(__file__).resolve().parent / "migrations"
BUSY_S = 5.0

_EXAMPLES = "sqlite:////folder/planner.db or postgresql+psycopg://user@host/name"
_SCHEMES = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
_SQLITE_OPTIONS = {"uri", "mode", "immutable", "cache", "nolock", "vfs"}
_WRITES = "planner_writes"
_READS = "planner_reads"
_MIGRATION_LOCK_KEY = 7_265_018_341  # any number that no other program on the server uses
_migrating = threading.Lock()  # Alembic keeps its context in module variables


class Database:
    """An open database and its transactions.

    Args:
        url: Address as SQLAlchemy writes it; None for `PLANNER_DATABASE_URL`, or else the file
            `planner.db` beside the application.
        busy_s: How long an operation waits for others to finish.
        step: Step that the tables are brought to: today's, or an older one to be filled from a backup.
        label: What error lines call the database; its address if nothing else is said.

    Raises:
        PlannerError: The address is wrong, or the database cannot be used.
    """

    def __init__(
        self, url: str | None = None, *, busy_s: float = BUSY_S, step: str = "head", label: str = ""
    ) -> None:
        """Open the database and bring its tables up to date."""
        address = parsed_url(url or os.environ.get(URL_VARIABLE) or f"sqlite:///{DEFAULT_FILE}")
        self.place = _place(address, busy_s=busy_s)
        if label:
            self.place = replace(self.place, label=label)
        self._is_sqlite = address.get_backend_name() == "sqlite"
        self._is_memory = self._is_sqlite and self.place.path is None
        # SQLite takes one writer at a time and lets the others poll; queueing here is fair and quick.
        self._write_lock = threading.Lock()
        self.engine = _engine(address, busy_s=busy_s, in_memory=self._is_memory)
        self._writer = self.engine.execution_options(**{_WRITES: True})
        self._reader = self.engine.execution_options(**{_READS: True})
        try:
            with explained(self.place):
                if self._is_sqlite and not self._is_memory:
                    _use_write_ahead_log(self.engine, busy_s=busy_s)
                _migrate(self.engine, self._writer, self.place, step)
        except BaseException:
            self.engine.dispose()
            raise
        self._file_id = self._current_file_id()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One transaction that only reads, so that all it sees is of one moment.

        Raises:
            PlannerError: The database cannot be used.
        """
        # A database in memory has a single connection, which cannot hold two transactions at once.
        self._check_file()
        turn = self._turn() if self._is_memory else nullcontext()
        with turn, explained(self.place), Session(self._reader) as session, session.begin():
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction that is kept whole, or not at all if anything in it fails.

        Raises:
            PlannerError: The database cannot be used.
        """
        self._check_file()
        turn = self._turn() if self._is_sqlite else nullcontext()
        with turn, explained(self.place), Session(self._writer) as session:
            session.connection()  # takes the lock now, so that times read inside are in the order of writing
            try:
                yield session
            except BaseException:
                session.rollback()
                raise
            with explained(self.place, committing=True):
                session.commit()

    def _current_file_id(self) -> tuple[int, int] | None:
        if self.place.path is None:
            return None
        try:
            found = self.place.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _check_file(self) -> None:
        # An open connection goes on writing to a deleted file without a word, and all of it is lost.
        if self._current_file_id() != self._file_id:
            raise self.place.moved()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._write_lock.acquire(timeout=self.place.busy_s):
            raise self.place.locked()
        try:
            yield
        finally:
            self._write_lock.release()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def parsed_url(url: str) -> URL:
    """The address, with the driver that the planner uses.

    Raises:
        PlannerError: It is no address, or of a database that the planner does not work with.
    """
    # The rest of an address may hold a password, so error lines show no more than its scheme.
    scheme = url.partition(":")[0]
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise PlannerError(f"{URL_VARIABLE}: “{_shown(url)}” is not an address; use {_EXAMPLES}") from error
    except ValueError as error:  # a port that is no number
        raise PlannerError(
            f"{URL_VARIABLE}: “{_shown(url)}” is not an address ({shorten(error)}); use {_EXAMPLES}"
        ) from error
    driver = _SCHEMES.get(address.drivername)
    if driver is None:
        hint = nearest(scheme, _SCHEMES)
        raise PlannerError(
            f"{URL_VARIABLE}: “{shorten(scheme, 30)}” databases are not supported; use {_EXAMPLES}{hint}"
        )
    unknown = sorted(set(address.query) - _SQLITE_OPTIONS) if driver == "sqlite" else []
    if unknown:
        raise PlannerError(
            f"{URL_VARIABLE}: SQLite has no option “{shorten(unknown[0], 30)}”; "
            f"use one of {', '.join(sorted(_SQLITE_OPTIONS))}{nearest(unknown[0], _SQLITE_OPTIONS)}"
        )
    return address.set(drivername=driver)


def _shown(url: str) -> str:
    scheme, mark, _ = url.partition("://")
    return f"{shorten(scheme, 30)}://…" if mark else shorten(url.rpartition("@")[2], 30)


def _place(address: URL, *, busy_s: float) -> Place:
    if address.get_backend_name() != "sqlite":
        # libpq takes a password among the options as well, and SQLAlchemy hides only the one before the host.
        options = {name: "***" if "pass" in name.lower() else said for name, said in address.query.items()}
        told = address.set(query=options).render_as_string(hide_password=True)
        return Place(told, None, busy_s)
    name = address.database or ":memory:"
    if name == ":memory:" or name.startswith("file::memory:") or address.query.get("mode") == "memory":
        return Place("in memory", None, busy_s)
    if name.startswith("file:"):
        name = unquote(name.removeprefix("file:").partition("?")[0])
    path = Path(name).absolute()
    return Place(str(path), path, busy_s)


def _engine(address: URL, *, busy_s: float, in_memory: bool) -> Engine:
    if address.get_backend_name() != "sqlite":
        return _server_engine(address, busy_s=busy_s)
    settings: dict[str, Any] = {"connect_args": {"check_same_thread": False, "timeout": busy_s}}
    settings |= {"poolclass": StaticPool} if in_memory else {"max_overflow": 20, "pool_timeout": busy_s}
    engine = create_engine(address, **settings)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _server_engine(address: URL, *, busy_s: float) -> Engine:
    """An engine that notices a server that was restarted, and does not wait for ever."""
    waits = {"connect_timeout": max(2, math.ceil(busy_s)), "application_name": "planner"}
    try:
        engine = create_engine(
            address,
            pool_pre_ping=True,
            max_overflow=20,
            pool_timeout=busy_s,
            connect_args={name: value for name, value in waits.items() if name not in address.query},
        )
    except ModuleNotFoundError as error:
        raise PlannerError(
            f"{URL_VARIABLE}: PostgreSQL needs the package psycopg, which is not installed; "
            "install it with: python -m pip install -r requirements-cluster.txt"
        ) from error

    def prepare(connection: Any, record: object) -> None:  # noqa: ANN401, ARG001 - the driver's connection
        """Let a new connection wait no longer for locks than `busy_s`."""
        connection.autocommit = True  # a setting made inside a transaction would end with it
        connection.execute(f"SET lock_timeout = {max(1, round(busy_s * 1_000))}")
        connection.autocommit = False

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", _begin_on_server)
    return engine


def _begin_on_server(connection: Connection) -> None:
    # Without being asked, a server shows each statement of a reader another moment.
    if connection.get_execution_options().get(_READS, False):
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:  # noqa: ARG001
    # Python's driver would begin transactions by its own rules, late and never around DDL.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock at once: one that reads first and writes later fails without waiting.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _use_write_ahead_log(engine: Engine, *, busy_s: float) -> None:
    """Let readers go on while one writes; a file that cannot be written stays as it is and can be read."""
    give_up = time.monotonic() + busy_s
    raw = engine.raw_connection()
    try:
        cursor = raw.cursor()
        # This statement does not wait by itself when another process makes the same new file.
        while cursor.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            try:
                cursor.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as error:
                if sqlite_code(error) == sqlite3.SQLITE_READONLY:
                    break
                if sqlite_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                    raise
                time.sleep(0.02)
    finally:
        raw.close()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def _steps() -> ScriptDirectory:
    """The steps of the tables; reading their files takes longer than all else of opening a database."""
    script = ScriptDirectory.from_config(_config())
    script.get_heads()  # reads them, so that no two threads do it in the same object
    return script


def _migrate(engine: Engine, writer: Engine, place: Place, step: str) -> None:
    script = _steps()
    if step not in {"head", *(known.revision for known in script.walk_revisions())}:
        raise place.newer(step)
    with engine.connect() as connection:
        if _is_current(connection, script, place):
            return
    with _migrating, writer.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK_KEY})
        if _is_current(connection, script, place):
            return
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, step)


def current_step(connection: Connection) -> str:
    """The step that the tables of an open database are at."""
    return ", ".join(MigrationContext.configure(connection).get_current_heads())


def _is_current(connection: Connection, script: ScriptDirectory, place: Place) -> bool:
    """Whether the tables are those of this planner; an older planner's are not, a stranger's are refused."""
    heads = MigrationContext.configure(connection).get_current_heads()
    known = {step.revision for step in script.walk_revisions()}
    if not set(heads) <= known:
        raise place.newer(", ".join(heads))
    if not heads:
        strangers = set(inspect(connection).get_table_names()) - {"alembic_version"}
        if connection.dialect.name != "sqlite":
            # A server's database may be shared as long as no name is taken.
            strangers &= set(Table.metadata.tables)
        if strangers:
            raise place.error(
                f"belongs to another application (it has a table “{shorten(min(strangers), 30)}”); "
                f"it was left as it is: choose another one with {URL_VARIABLE}"
            )
    return set(heads) == set(script.get_heads())
