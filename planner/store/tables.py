"""The tables of designs, their revisions and drafts, and what all tables share."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, ForeignKeyConstraint, Index, Text
from sqlalchemy.orm import registry
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel


class UtcTime(TypeDecorator[datetime]):
    """An aware time in UTC on every database; SQLite would give it back without its zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """The time in UTC; one without a zone is a defect of the caller."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"time {value} has no zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """The stored time with its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Table(SQLModel, registry=registry()):
    """Base of the tables; its own registry lets a hot reload define them again."""


def of_revision(table: str) -> ForeignKeyConstraint:
    """The key by which the rows of a table belong to a revision."""
    return ForeignKeyConstraint(
        ["design_id", "revision"], ["revision.design_id", "revision.number"], name=f"fk_{table}_revision"
    )


class DesignRow(Table, table=True):
    """A design, with what the list shows of its newest revision copied beside it.

    The copies make a page of the list one query on one table, as quick with 10,000 designs as with 10.
    """

    __tablename__ = "design"
    __table_args__ = (Index("ix_design_list", "archived", "updated", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=Text)
    name_folded: str = Field(sa_type=Text)
    latest_revision: int
    status: str = Field(sa_type=Text)
    archived: bool = False
    author: str = Field(sa_type=Text)
    key_results: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=UtcTime)
    updated: datetime = Field(sa_type=UtcTime)


class RevisionRow(Table, table=True):
    """One saved state of a design. The primary key is the optimistic lock: a number is given once.

    Triggers let nothing but `state` change, and no row go.
    """

    __tablename__ = "revision"

    design_id: int = Field(primary_key=True, foreign_key="design.id")
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    created: datetime = Field(sa_type=UtcTime)
    author: str = Field(sa_type=Text)
    note: str = Field(sa_type=Text)
    schema_version: int
    scenario_json: str = Field(sa_type=Text)
    key_results: str = Field(sa_type=Text)
    scenario_hash: str = Field(sa_type=Text)
    catalogue_hash: str = Field(sa_type=Text)
    engine_version: str = Field(sa_type=Text)
    price_hash: str = Field(sa_type=Text)
    saved_by: str = Field(sa_type=Text)
    state: str = Field(sa_type=Text)


class DraftRow(Table, table=True):
    """A working draft under its secret key."""

    __tablename__ = "draft"
    __table_args__ = (
        ForeignKeyConstraint(
            ["base_design_id", "base_revision"],
            ["revision.design_id", "revision.number"],
            name="fk_draft_base",
        ),
        Index("ix_draft_updated", "updated"),
    )

    key: str = Field(primary_key=True, sa_type=Text)
    content_json: str = Field(sa_type=Text)
    base_design_id: int | None = None
    base_revision: int | None = None
    updated: datetime = Field(sa_type=UtcTime)
