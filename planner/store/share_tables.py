"""The table of links that show one revision to whoever has them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, Text
from sqlmodel import Field

from planner.store.tables import Table, UtcTime, of_revision


class ShareRow(Table, table=True):
    """A link to a revision. Its key is kept as a digest alone: whoever reads the database cannot follow it."""

    __tablename__ = "share"
    __table_args__ = (of_revision("share"), Index("ix_share_design", "design_id"))

    id: int | None = Field(default=None, primary_key=True)
    key_digest: str = Field(sa_type=Text, unique=True)
    design_id: int
    revision: int
    note: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=UtcTime)
    withdrawn: datetime | None = Field(default=None, sa_type=UtcTime)
