"""What the command line does with the store: back up, restore, give roles, print the audit trail.

Whoever names a person is taken at his word: the command line is for who runs the machine. It is held to
that person's role all the same, and without a name it may do what the trusted user of the database may.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from planner.core.errors import PlannerError, shorten
from planner.core.units import counted
from planner.review import LOCAL, Actor
from planner.store.store import Store, open_store

USER_VARIABLE = "PLANNER_USER"
FIRST_ACCOUNT = (
    "There is no account yet. Once the first is made, everyone who writes has to sign in and needs a role; "
    "without one, on this machine too, people only look."
)
FORMATS = ("csv", "json")


def actor_of(user: str | None = None) -> Actor:
    """Who acts: the named account, else the one in `PLANNER_USER`, else the trusted user."""
    named = (user or os.environ.get(USER_VARIABLE, "")).strip()
    return Actor(subject=named) if named else LOCAL


def command_store(user: str | None = None) -> Store:
    """The store in the hands of the user of the command line.

    Raises:
        PlannerError: The database cannot be used.
    """
    return open_store(actor=actor_of(user))


def backup(name: str, *, user: str | None = None) -> str:
    """Write the whole database to one file.

    Returns:
        The line to print.

    Raises:
        PlannerError: The actor may not, the database cannot be read, or the file cannot be written.
    """
    path = _path(name)
    with command_store(user) as store:
        count = store.backup(path)
    return f"{path}: {counted(count, 'row')} backed up"


def restore(name: str, *, user: str | None = None) -> str:
    """Bring a backup into the empty database that `PLANNER_DATABASE_URL` names.

    Returns:
        The line to print.

    Raises:
        PlannerError: The file is no backup, or the database is not empty.
    """
    path = _path(name)
    with command_store(user) as store:
        count = store.restore(path)
        return f"{store.database.place.label}: {counted(count, 'row')} restored"


def role(subject: str, wanted: str, *, name: str | None = None, user: str | None = None) -> Iterator[str]:
    """Give someone a role; the first one has to be an approver.

    Yields:
        What the first account changes, before it is made; then who has which role.

    Raises:
        PlannerError: The actor may not, or the role is none.
    """
    with command_store(user) as store:
        if not store.accounts():
            yield FIRST_ACCOUNT
        account = store.set_account(subject, wanted, name=name)
    yield f"{account.subject}: {account.role}"


def audit(form: str = "csv", *, design_id: int | None = None, user: str | None = None) -> str:
    """The audit trail as text.

    Raises:
        PlannerError: The form is none, or the database cannot be read.
    """
    if form not in FORMATS:
        raise PlannerError(f"format: “{shorten(form)}” is not one of {', '.join(FORMATS)}", field="format")
    with command_store(user) as store:
        return store.audit_csv(design_id) if form == "csv" else store.audit_json(design_id)


def _path(name: str) -> Path:
    if not name.strip():
        raise PlannerError("file: the name of the backup file is empty", field="file")
    return Path(name).absolute()
