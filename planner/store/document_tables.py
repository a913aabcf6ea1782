"""The table of what stands on documents beside the design: of the organisation, and of each design."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Text
from sqlmodel import Field

from planner.store.tables import Table, UtcTime


class DocumentSettingsRow(Table, table=True):
    """Settings of the documents of one design, or those of the organisation, which belong to no design."""

    __tablename__ = "document_settings"

    scope: str = Field(primary_key=True, sa_type=Text)
    design_id: int | None = Field(default=None, foreign_key="design.id")
    content_json: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    updated: datetime = Field(sa_type=UtcTime)
