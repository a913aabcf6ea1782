"""What every part of the store stands on: the database, the clock, who acts, and the only way to write."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Self, cast

from sqlmodel import Session, col, select

from planner.core.errors import PlannerError, shorten
from planner.review import LOCAL, Actor, Role, allows, effective_role
from planner.store.database import Database
from planner.store.review_records import RightsError
from planner.store.review_tables import AccountRow, AuditRow
from planner.store.share_tables import ShareRow
from planner.store.text import checked_author, checked_line
from planner.store.upgrades import SCHEMA_VERSION, UPGRADES, Upgrade

NEWEST = 0
"""Stands for a revision that is not named: a link names one, so a guest has to."""


def digest(key: str) -> str:
    """What the store keeps of the key of a link."""
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()


def share_of(session: Session, key: str) -> tuple[int, int]:
    """The design and the revision that a link shows.

    Raises:
        PlannerError: The link does not exist, or it was withdrawn.
    """
    wanted = select(ShareRow).where(ShareRow.key_digest == digest(key))
    row = session.exec(wanted).first()
    if row is None or row.withdrawn is not None:
        raise PlannerError(
            "share: this link shows nothing any more; ask who sent it for another", field="share"
        )
    return row.design_id, row.revision


def now_utc() -> datetime:
    """The time."""
    return datetime.now(UTC)


def _check_actor(actor: Actor) -> None:
    """Refuse names that no database could look up.

    Raises:
        PlannerError: One of them cannot be stored.
    """
    checked_line(actor.subject, field="subject")
    checked_line(actor.name, field="name")


class StoreBase:
    """The database with a clock and an actor.

    Args:
        database: The open database.
        schema_version: Version of the scenario's fields that this planner reads and writes.
        upgrades: By version, the function that lifts a scenario from it to the next version.
        clock: Gives the time of each change, UTC.
        actor: Who acts; the trusted user of this machine if nobody else is named.

    Raises:
        PlannerError: The actor's names cannot be stored.
    """

    def __init__(
        self,
        database: Database,
        *,
        schema_version: int = SCHEMA_VERSION,
        upgrades: Mapping[int, Upgrade] = UPGRADES,
        clock: Callable[[], datetime] = now_utc,
        actor: Actor = LOCAL,
    ) -> None:
        """Keep the database, how old scenarios are lifted, and who acts."""
        _check_actor(actor)
        self.database = database
        self.actor = actor
        self._schema_version = schema_version
        self._upgrades = upgrades
        self._clock = clock

    def __enter__(self) -> Self:
        """The store itself; it is closed at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the database."""
        self.close()

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def acting(self, actor: Actor) -> Self:
        """The same store in another's hands; both share the open database.

        Raises:
            PlannerError: The actor's names cannot be stored.
        """
        _check_actor(actor)
        other = copy.copy(self)
        other.actor = actor
        return other

    def role(self) -> Role:
        """The role in which the actor acts now; it is read again with each write."""
        with self.database.reading() as session:
            return self._role(session)

    @contextmanager
    def _reading(self, design_id: int | None = None, revision: int | None = None) -> Iterator[Session]:
        """One transaction that reads; a guest reads what belongs to the revision of his link, and nothing else.

        Args:
            design_id: The design whose data are read; None for what belongs to no design in particular.
            revision: The revision, where the data are of one.

        Raises:
            RightsError: The actor is a guest, whose link does not show it.
            PlannerError: The database cannot be used.
        """
        with self.database.reading() as session:
            if not (self.actor.local or self.actor.signed_in):
                self._check_shown(session, design_id, revision)
            yield session

    def _check_shown(self, session: Session, design_id: int | None, revision: int | None) -> None:
        shown = share_of(session, self.actor.share) if self.actor.share else None
        if shown is None or design_id != shown[0] or revision not in (None, shown[1]):
            raise RightsError(
                "role: a guest sees what a link shows, and nothing else; sign in, or ask for a link",
                field="role",
            )

    def _role(self, session: Session) -> Role:
        subject = self.actor.subject
        row = session.get(AccountRow, subject) if subject else None
        stated = cast("Role", row.role) if row is not None else None
        has_accounts = (
            row is not None or session.exec(select(AccountRow.subject).limit(1)).first() is not None
        )
        return effective_role(self.actor, stated=stated, has_accounts=has_accounts)

    @contextmanager
    def _writing(self, needed: Role, what: str) -> Iterator[Session]:
        """One transaction that writes; nothing in the store writes in any other way.

        Args:
            needed: The least role that may do it.
            what: What is done, for the error line: "saving a design".

        Raises:
            RightsError: The actor's role is not enough.
            PlannerError: The database cannot be used.
        """
        with self.database.writing() as session:
            role = self._role(session)
            if not allows(role, needed):
                raise self._refusal(role, needed, what)
            yield session

    def _refusal(self, role: Role, needed: Role, what: str) -> RightsError:
        if self.actor.local:
            who = "this database has accounts, and you are not signed in"
        else:
            who = f"{shorten(self.actor.shown) or 'a guest'} is {'an' if role[0] in 'ae' else 'a'} {role}"
        article = "an" if needed[0] in "ae" else "a"
        return RightsError(
            f"role: {who}; {what} needs {article} {needed}; nothing was changed: ask an approver for the role",
            field="role",
        )

    def _author(self, stated: str) -> str:
        """The name that stands beside a change: the sign-in's own where there is one, else the stated one."""
        if self.actor.signed_in:
            return self.actor.shown
        return checked_author(stated) or self.actor.name

    def _file(
        self,
        session: Session,
        action: str,
        *,
        now: datetime,
        name: str = "",
        design_id: int | None = None,
        revision: int | None = None,
        **detail: object,
    ) -> None:
        """Add a line to the audit trail, in the transaction of what it tells."""
        session.add(
            AuditRow(
                created=now,
                subject=self.actor.subject,
                name=name or self.actor.name,
                action=action,
                design_id=design_id,
                revision=revision,
                detail_json=json.dumps(detail, ensure_ascii=False, default=str),
            )
        )

    def _accounts_of(self, session: Session, role: Role) -> list[str]:
        """Who has a role, kept from changing until the transaction ends: two cannot take it from each other."""
        found = session.exec(select(AccountRow).where(col(AccountRow.role) == role).with_for_update())
        return [row.subject for row in found]
