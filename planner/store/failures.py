"""What a database says when it cannot work, in one line that a person can act on."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from planner.core.errors import PlannerError, shorten

_PRIMARY_CODE = 0xFF  # SQLite's extended codes keep the primary one in the low byte
_LOCKED_CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_SQLITE_LINES = {
    sqlite3.SQLITE_NOTADB: (
        "is not a database; it was left as it is: "
        "choose another file with PLANNER_DATABASE_URL, or move it away"
    ),
    sqlite3.SQLITE_CORRUPT: (
        "is damaged; nothing was saved and the file was left as it is: "
        "restore a copy, or rescue its contents with sqlite3's .recover"
    ),
    sqlite3.SQLITE_FULL: (
        "has no room to grow: the disk is full; nothing was saved, all that was saved before is kept"
    ),
    sqlite3.SQLITE_IOERR: (
        "could not be read or written (disk I/O error); nothing was saved: check the disk, then try again"
    ),
}
_SERVER_LINES = {
    "25006": "is read-only; nothing was saved, all that was saved before is kept: ask who runs the server",
    "53100": "has no room to grow: the disk of the server is full; nothing was saved, all that was saved before is kept",
    "42501": "may not be used like this by the user in its address; nothing was saved: ask who runs the server",
}
_SERVER_LOCKED = ("55P03", "40001", "40P01")
"""What PostgreSQL says when others keep something: lock not available, serialization failure, deadlock."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a database is, as an error line names it.

    Attributes:
        label: File, or address without its password.
        path: The file; None for a database in memory or on a server.
        busy_s: How long an operation waits for others to finish.
    """

    label: str
    path: Path | None
    busy_s: float

    def error(self, message: str) -> PlannerError:
        """An error line about this database."""
        return PlannerError(f"database: {self.label} {message}", field="database")

    def locked(self) -> PlannerError:
        """The line for a database that others keep busy."""
        return self.error(
            f"is in use by another program for more than {self.busy_s:g} s; "
            "nothing was saved and nothing is lost: try again"
        )

    def newer(self, step: str) -> PlannerError:
        """The line for tables that a later planner made."""
        return self.error(
            f"was made by a newer planner (its tables are at step {shorten(step, 30)}); "
            "it was left as it is: update the planner to open it"
        )

    def moved(self) -> PlannerError:
        """The line for a file that is no longer the one that was opened."""
        return self.error(
            "was moved, deleted or replaced while in use; nothing was saved: "
            "put it back if it is gone, then restart the planner"
        )


@contextmanager
def explained(place: Place, *, committing: bool = False) -> Iterator[None]:
    """Turn a failure of the database itself into a `PlannerError`; a defect of ours passes through.

    Args:
        place: The database, to be named.
        committing: The block is the commit: if a server goes away now, nobody knows whether it is saved.

    Raises:
        PlannerError: The database is locked, read-only, full, damaged, out of reach, or not one at all.
    """
    try:
        yield
    except PoolTimeoutError as error:
        raise place.locked() from error
    except (DBAPIError, sqlite3.Error) as error:  # the driver's own error where no engine wraps it
        line = _explanation(error, place, committing=committing)
        if line is None:
            raise
        raise line from error


def sqlite_code(error: DBAPIError | sqlite3.Error) -> int:
    """SQLite's primary result code of an error, or of the error it wraps; 0 if it has none."""
    original = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(original, "sqlite_errorcode", None)
    return 0 if code is None else int(code) & _PRIMARY_CODE


def _explanation(error: DBAPIError | sqlite3.Error, place: Place, *, committing: bool) -> PlannerError | None:
    if isinstance(error, sqlite3.Error) or isinstance(error.orig, sqlite3.Error):
        return _sqlite_explanation(error, place)
    code = str(getattr(error.orig, "sqlstate", None) or "")
    if code in _SERVER_LOCKED:
        return place.locked()
    if code in _SERVER_LINES:
        return place.error(_SERVER_LINES[code])
    if isinstance(error, (OperationalError, InterfaceError)) or error.connection_invalidated:
        reason = shorten(str(error.orig).strip().partition("\n")[0], 160)
        if committing:
            return place.error(
                f"went away during the last step of saving ({reason}); look whether it was saved before "
                "you try again"
            )
        return place.error(f"cannot be used ({reason}); nothing was saved and nothing is lost: try later")
    return None


def _sqlite_explanation(error: DBAPIError | sqlite3.Error, place: Place) -> PlannerError | None:
    code = sqlite_code(error)
    if code in _LOCKED_CODES:
        return place.locked()
    if code == sqlite3.SQLITE_READONLY:
        return _read_only(place)
    if code == sqlite3.SQLITE_CANTOPEN:
        return _cannot_open(place)
    return place.error(_SQLITE_LINES[code]) if code in _SQLITE_LINES else None


def _read_only(place: Place) -> PlannerError:
    if place.path is not None and not place.path.exists():
        return place.moved()
    return place.error(
        "is read-only; nothing was saved, all that was saved before is kept: "
        "make the file and its folder writable, or choose another file with PLANNER_DATABASE_URL"
    )


def _cannot_open(place: Place) -> PlannerError:
    path = place.path
    if path is None or path.is_dir():
        return place.error("is a folder, not a file; choose a file with PLANNER_DATABASE_URL")
    if not path.parent.is_dir():
        return place.error(f"cannot be made: folder {path.parent} does not exist; make it or choose another")
    if not os.access(path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        return place.error(
            f"cannot be opened: folder {path.parent} is read-only, and SQLite keeps files beside the "
            "database; nothing was changed: make the folder writable, or choose another one"
        )
    return place.error("cannot be opened: no permission to read and write it; nothing was changed")
