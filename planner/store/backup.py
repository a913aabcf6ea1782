"""The whole database in one file, and back: a copy of the file for SQLite, JSON lines in a zip for a server.

Either file restores into either kind of database, also from an older planner: it is first laid out
beside, at the step it was made at, and brought up to date there.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from alembic.util import CommandError
from sqlalchemy import Boolean, Connection, DateTime, Integer, Table, func, insert, inspect, select, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.types import TypeEngine

from planner.core.errors import PlannerError, shorten
from planner.core.units import format_value
from planner.files import part_of
from planner.review import allows
from planner.store.base import StoreBase
from planner.store.database import Database, current_step
from planner.store.failures import explained
from planner.store.restored import check_rows
from planner.store.review_records import RightsError
from planner.store.review_tables import Table as Tables

MANIFEST = "planner-backup.json"
FORMAT = 1
MAX_LINE_BYTES = 64_000_000
"""Longest line that is read: a scenario of the largest size with each character escaped."""
MAX_UNPACKED_BYTES = 20_000_000_000
"""Largest backup of a server, unpacked: ten thousand designs with fifty revisions each come to less."""
_SQLITE_START = b"SQLite format 3\0"
_BATCH = 500


class Backups(StoreBase):
    """The whole database to one file and back."""

    def backup(self, target: Path) -> int:
        """Write all that is kept to one file, whole or not at all; the store can be used meanwhile.

        The actor has to be the trusted user of the machine or an approver, because the file holds
        everyone's drafts.

        Args:
            target: The file to write; one that is there is replaced at the very end.

        Returns:
            How many rows it holds.

        Raises:
            RightsError: The actor may not.
            PlannerError: The database cannot be read, or the file cannot be written.
        """
        if not (self.actor.local or allows(self.role(), "approver")):
            raise RightsError("role: a backup holds everyone's drafts; it needs an approver", field="role")
        if not target.parent.is_dir():
            raise PlannerError(
                f"{target}: the folder {target.parent} does not exist; make it or choose another"
            )
        if target.exists() and not target.is_file():
            raise PlannerError(f"{target}: this is no file, and nothing was written; choose another name")
        self._check_beside(target)
        part = part_of(target)
        try:
            if self.database.engine.dialect.name == "sqlite":
                count = _copy_sqlite(self.database, part)
            else:
                count = _write_zip(self.database, part)
            part.replace(target)
        except OSError as error:
            raise PlannerError(f"{target}: {error.strerror or 'the file cannot be written'}") from None
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        return count

    def _check_beside(self, target: Path) -> None:
        """Refuse the database's own files: what is written there would take their place under whoever uses them."""
        own = self.database.place.path
        if own is not None and target.resolve() in {
            own.resolve().with_name(own.resolve().name + ending)
            for ending in ("", "-wal", "-shm", "-journal")
        }:
            raise PlannerError(f"{target}: this is the database itself; choose another file for its backup")

    def restore(self, source: Path) -> int:
        """Bring a backup into an empty database, whole or not at all.

        Args:
            source: A file that `backup` wrote, from either kind of database, by this planner or an older
                one.

        Returns:
            How many rows were brought back; each table was counted again.

        Raises:
            RightsError: The actor may not.
            PlannerError: The file is no backup, is damaged or is newer than this planner; or the database
                is not empty, and nothing in it was touched.
        """
        with tempfile.TemporaryDirectory(prefix="planner-restore-") as folder:
            laid_out = Path(folder) / "planner.db"
            _lay_out(source, laid_out)
            with contextlib.closing(_beside(source, laid_out)) as beside, beside.reading() as old:
                _check(source, old.connection())
                with self._writing("approver", "restoring a backup") as new:
                    try:
                        count = _copy(old.connection(), new.connection(), self.database.place.label)
                    except (DataError, IntegrityError) as error:
                        raise _refusal(source, f"is damaged ({shorten(error.orig, 100)})") from None
                    self._file(new, "restore", now=self._clock(), rows=count, file=source.name)
                    return count


def _beside(source: Path, laid_out: Path) -> Database:
    """The database that was laid out, brought up to date; a stranger's tables and triggers may stand in the way.

    Raises:
        PlannerError: They do.
    """
    try:
        return Database(f"sqlite:///{laid_out}", label=str(source))
    except (DBAPIError, CommandError) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        raise _refusal(source, f"is damaged ({shorten(reason, 100)})") from None


def _check(source: Path, connection: Connection) -> None:
    try:
        check_rows(connection)
    except (PlannerError, DBAPIError) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        raise _refusal(source, f"is damaged ({shorten(reason, 200)})") from None


# SQLite's own file


def _copy_sqlite(database: Database, part: Path) -> int:
    raw = database.engine.raw_connection()
    try:
        with explained(database.place), closing(sqlite3.connect(part)) as copy:
            driver = raw.driver_connection
            assert isinstance(driver, sqlite3.Connection)  # it is SQLite's engine
            driver.backup(copy)
            # The copy has to be one file: the other two of the write-ahead log would be left behind.
            copy.execute("PRAGMA journal_mode = DELETE")
            names = [table.name for table in Tables.metadata.sorted_tables]
            return sum(copy.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names)
    finally:
        raw.close()


# A server's tables as JSON lines


def _write_zip(database: Database, part: Path) -> int:
    with database.reading() as session, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        connection = session.connection()
        counts = _counts(connection)
        manifest = {
            "format": FORMAT,
            "step": current_step(connection),
            "made": datetime.now(UTC).isoformat(),
            "rows": counts,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        for table in Tables.metadata.sorted_tables:
            with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as file:
                wanted = select(table).order_by(*table.primary_key)
                for row in connection.execute(wanted, execution_options={"yield_per": _BATCH}):
                    file.write(json.dumps(row._asdict(), default=_written).encode() + b"\n")
        return sum(counts.values())


def _written(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    raise TypeError(f"a backup cannot hold {type(value).__name__}")


def _counts(connection: Connection) -> dict[str, int]:
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in Tables.metadata.sorted_tables
    }


# Back


def _lay_out(source: Path, target: Path) -> None:
    """Make a SQLite file of a backup of either kind, at the step it was made at.

    Raises:
        PlannerError: It is no backup, or is damaged.
    """
    try:
        with source.open("rb") as file:
            start = file.read(len(_SQLITE_START))
        if start == _SQLITE_START:
            _check_whole_file(source)
            shutil.copyfile(source, target)
        elif zipfile.is_zipfile(source):
            _lay_out_zip(source, target)
        else:
            raise _refusal(source, "is no backup of the planner")
    except OSError as error:
        raise PlannerError(f"{source}: {error.strerror or 'the file cannot be read'}") from None
    except zipfile.BadZipFile as error:
        raise _refusal(source, f"is damaged ({shorten(error)})") from None


def _check_whole_file(source: Path) -> None:
    """Refuse a database that is in use, or was: what its write-ahead log holds would be left behind.

    Raises:
        PlannerError: Such a log lies beside it.
    """
    log = source.with_name(source.name + "-wal")
    if log.is_file() and log.stat().st_size:
        raise _refusal(
            source, f"has a write-ahead log beside it ({log.name}), so it is a database and no backup"
        )


def _refusal(source: Path, what: str) -> PlannerError:
    return PlannerError(f"{source}: {what}; nothing was restored: choose a file that backup wrote")


def _lay_out_zip(source: Path, target: Path) -> None:
    with zipfile.ZipFile(source) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        # What an entry says of its size is what the module unpacks of it at most.
        if unpacked > MAX_UNPACKED_BYTES:
            told = format_value(unpacked, "bytes")
            raise _refusal(
                source,
                f"unpacks to {told}, above the {format_value(MAX_UNPACKED_BYTES, 'bytes')} that are read",
            )
        manifest = _manifest(archive, source)
        beside = Database(f"sqlite:///{target}", step=manifest["step"], label=str(source))
        try:
            with beside.writing() as session:
                connection = session.connection()
                # Tables come in any order; that every key points somewhere is checked at the end.
                connection.execute(text("PRAGMA defer_foreign_keys = ON"))
                for name, count in manifest["rows"].items():
                    _fill(connection, archive, name, count, source)
        except IntegrityError as error:
            raise _refusal(source, f"is damaged ({shorten(error.orig, 100)})") from None
        finally:
            beside.close()


def _manifest(archive: zipfile.ZipFile, source: Path) -> dict[str, Any]:
    try:
        with archive.open(MANIFEST) as file:
            found = json.loads(file.read(MAX_LINE_BYTES))
        if found["format"] == FORMAT and isinstance(found["step"], str):
            rows = {str(name): int(count) for name, count in found["rows"].items()}
            return {"step": found["step"], "rows": rows}
        newer = f"has format {shorten(found['format'])}, newer than this planner reads ({FORMAT})"
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise _refusal(source, "is no backup of the planner") from None
    raise _refusal(source, newer)


def _fill(connection: Connection, archive: zipfile.ZipFile, name: str, count: int, source: Path) -> None:
    known = inspect(connection).get_table_names()
    if name not in known:
        raise _refusal(source, f"has a table “{shorten(name)}” that no planner made")
    columns = {column["name"]: column["type"] for column in inspect(connection).get_columns(name)}
    quoted = connection.dialect.identifier_preparer.quote
    names = ", ".join(quoted(column) for column in columns)
    values = ", ".join(f":{column}" for column in columns)
    statement = text(f"INSERT INTO {quoted(name)} ({names}) VALUES ({values})")
    done = 0
    try:
        with archive.open(f"{name}.jsonl") as file:
            for row in _lines(file):
                if row.keys() != columns.keys():
                    raise ValueError("other columns than that step has")
                connection.execute(statement, {key: _cell(row[key], kind) for key, kind in columns.items()})
                done += 1
    except (
        KeyError,
        ValueError,
        TypeError,
        zipfile.BadZipFile,
        EOFError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise _refusal(source, f"is damaged in {shorten(name)} ({shorten(error)})") from None
    if done != count:
        raise _refusal(source, f"is damaged: {shorten(name)} has {done} rows of {count}")


def _lines(file: IO[bytes]) -> Iterator[dict[str, Any]]:
    while line := file.readline(MAX_LINE_BYTES):
        row = json.loads(line)
        if not isinstance(row, dict):
            raise ValueError("a line is no row")
        yield row


def _cell(value: object, kind: TypeEngine[Any]) -> object:
    """A value as SQLite keeps it: a time in UTC without its zone.

    Raises:
        ValueError: It is not of the column's kind.
    """
    if value is None:
        return None
    if isinstance(kind, DateTime):
        return datetime.fromisoformat(str(value)).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    wanted = bool if isinstance(kind, Boolean) else int if isinstance(kind, Integer) else str
    if type(value) is not wanted:
        raise ValueError(f"{shorten(value, 20)} is no {wanted.__name__}")
    return value


def _copy(old: Connection, new: Connection, label: str) -> int:
    """Copy every table into an empty database of the same step, and count both sides."""
    tables = Tables.metadata.sorted_tables
    held = {name: count for name, count in _counts(new).items() if count}
    if held:
        told = ", ".join(f"{count} in {name}" for name, count in held.items())
        raise PlannerError(
            f"database: {label} is not empty (rows: {told}); nothing was touched: restore into a new one, "
            "named by PLANNER_DATABASE_URL",
            field="database",
        )
    for table in tables:
        rows = old.execute(select(table).order_by(*table.primary_key)).mappings()
        while batch := [dict(row) for row in rows.fetchmany(_BATCH)]:
            new.execute(insert(table), batch)
        _count_on(new, table)
    before, after = _counts(old), _counts(new)
    if before != after:
        raise PlannerError(f"database: {label} took {after} rows of {before}; nothing was restored")
    return sum(after.values())


def _count_on(connection: Connection, table: Table) -> None:
    """Let a server give the next number after those that were brought in."""
    column = table.autoincrement_column
    if column is None or connection.dialect.name != "postgresql":
        return
    highest = connection.execute(select(func.max(column))).scalar_one()
    if highest is not None:
        sequence = func.pg_get_serial_sequence(table.name, column.name)
        connection.execute(select(func.setval(sequence, highest)))
