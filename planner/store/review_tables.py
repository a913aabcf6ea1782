"""The tables of the review: accounts, audit trail, steps, comments, waivers, and numbered entries."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, Text
from sqlmodel import Field

from planner.store.tables import Table, UtcTime, of_revision

__all__ = ["AccountRow", "AuditRow", "CommentRow", "EntryRow", "StepRow", "Table", "ThreadRow", "WaiverRow"]


class AccountRow(Table, table=True):
    """Who may do what, by the name that the sign-in gives a person."""

    __tablename__ = "account"

    subject: str = Field(primary_key=True, sa_type=Text)
    name: str = Field(sa_type=Text)
    role: str = Field(sa_type=Text)
    updated: datetime = Field(sa_type=UtcTime)


class AuditRow(Table, table=True):
    """Who did what, when. Triggers let no row change or go; it names designs without a key to them."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_design", "design_id", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    created: datetime = Field(sa_type=UtcTime)
    subject: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    action: str = Field(sa_type=Text)
    design_id: int | None = None
    revision: int | None = None
    detail_json: str = Field(sa_type=Text)


class StepRow(Table, table=True):
    """One step of a review; an approval keeps what was signed. Triggers let no row change or go."""

    __tablename__ = "review_step"
    __table_args__ = (of_revision("review_step"), Index("ix_review_step_revision", "design_id", "revision"))

    id: int | None = Field(default=None, primary_key=True)
    design_id: int
    revision: int
    action: str = Field(sa_type=Text)
    source: str = Field(sa_type=Text)
    target: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    note: str = Field(sa_type=Text)
    signed_hash: str = Field(sa_type=Text)
    record_json: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=UtcTime)


class ThreadRow(Table, table=True):
    """A thread of comments on one thing of a revision."""

    __tablename__ = "thread"
    __table_args__ = (of_revision("thread"), Index("ix_thread_revision", "design_id", "revision"))

    id: int | None = Field(default=None, primary_key=True)
    design_id: int
    revision: int
    kind: str = Field(sa_type=Text)
    key: str = Field(sa_type=Text)
    open: bool = True
    changed_by: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=UtcTime)
    updated: datetime = Field(sa_type=UtcTime)


class CommentRow(Table, table=True):
    """One comment. Triggers let no row change or go."""

    __tablename__ = "comment"
    __table_args__ = (Index("ix_comment_thread", "thread_id"),)

    id: int | None = Field(default=None, primary_key=True)
    thread_id: int = Field(foreign_key="thread.id")
    subject: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    text: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=UtcTime)


class WaiverRow(Table, table=True):
    """A finding that someone accepted; taking it back is noted and removes nothing."""

    __tablename__ = "waiver"
    __table_args__ = (of_revision("waiver"), Index("ix_waiver_revision", "design_id", "revision"))

    id: int | None = Field(default=None, primary_key=True)
    design_id: int
    revision: int
    code: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    message: str = Field(sa_type=Text)
    reason: str = Field(sa_type=Text)
    account: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=UtcTime)
    revoked: datetime | None = Field(default=None, sa_type=UtcTime)


class EntryRow(Table, table=True):
    """One version of a requirement, a decision or a line of the register.

    The primary key is the optimistic lock: a version is given once. Triggers let no row change or go.
    """

    __tablename__ = "entry"

    design_id: int = Field(primary_key=True, foreign_key="design.id")
    kind: str = Field(primary_key=True, sa_type=Text)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    content_json: str = Field(sa_type=Text)
    withdrawn: bool = False
    subject: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=UtcTime)
