"""The part of the store that keeps who may do what."""

from __future__ import annotations

from typing import cast

from sqlmodel import col, select

from planner.core.errors import PlannerError, nearest, shorten
from planner.review import ROLES, Role
from planner.store.base import StoreBase
from planner.store.review_records import Account
from planner.store.review_tables import AccountRow
from planner.store.text import checked_filled, checked_line, checked_name, checked_subject


class Accounts(StoreBase):
    """Accounts and their roles. Without any, the trusted user of the machine may do everything."""

    def set_account(self, subject: str, role: str, *, name: str | None = None) -> Account:
        """Give someone a role; the first one has to be an approver, and one always stays.

        From the first account on, the trusted user of the machine may only look: whoever writes has to
        sign in. A person who leaves becomes a viewer; the name stays with what it did.

        Args:
            subject: What the sign-in calls the person: the mail address, or the provider and its number of the person.
            role: "viewer", "editor" or "approver".
            name: What people call the person; None keeps what there is.

        Raises:
            PlannerError: The role is none, the name is empty, a new subject is nobody who can sign in, or no approver would
                be left.
        """
        who = checked_filled(checked_line(subject, field="subject"), field="subject", max_chars=200)
        called = None if name is None else checked_name(name)
        if role not in ROLES:
            raise PlannerError(
                f"role: “{shorten(role)}” is not one of {', '.join(ROLES)}{nearest(role, ROLES)}",
                field="role",
            )
        with self._writing("approver", "giving a role") as session:
            if not set(self._accounts_of(session, "approver")) - {who} and role != "approver":
                raise PlannerError(
                    f"role: {shorten(who)} cannot be {role}: nobody would be left to give roles; "
                    "make someone an approver first",
                    field="role",
                )
            now = self._clock()
            row = session.get(AccountRow, who)
            if row is None:  # one that is there, of an earlier version, can still be taken its role
                row = AccountRow(subject=checked_subject(who), name="", role="", updated=now)
            was = row.role
            row.name, row.role, row.updated = called or row.name, role, now
            session.add(row)
            self._file(session, "give role", now=now, account=who, role=role, was=was)
            session.flush()
            return _account(row)

    def accounts(self) -> tuple[Account, ...]:
        """All accounts, by subject."""
        with self._reading() as session:
            found = session.exec(select(AccountRow).order_by(col(AccountRow.subject)))
            return tuple(_account(row) for row in found)


def _account(row: AccountRow) -> Account:
    return Account(subject=row.subject, name=row.name, role=cast("Role", row.role), updated=row.updated)
