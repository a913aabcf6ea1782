"""The table of the rows that an organisation adds to the catalogue or puts in a shipped one's place."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Text
from sqlmodel import Field

from planner.store.tables import Table, UtcTime


class CatalogueRow(Table, table=True):
    """One version of a row of the organisation's.

    The primary key is the optimistic lock: a version is given once. Triggers let no row change or go.
    Days stand as text like 2026-11-30; an empty one is no limit.
    """

    __tablename__ = "catalogue_row"

    kind: str = Field(primary_key=True, sa_type=Text)
    price_set: str = Field(primary_key=True, sa_type=Text)
    row_id: str = Field(primary_key=True, sa_type=Text)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    cells_json: str = Field(sa_type=Text)
    valid_from: str = Field(sa_type=Text)
    valid_to: str = Field(sa_type=Text)
    withdrawn: bool = False
    organisation: str = Field(sa_type=Text)
    note: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=UtcTime)
