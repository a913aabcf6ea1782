"""The table of what was measured on a delivery."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, Text
from sqlmodel import Field

from planner.store.tables import Table, UtcTime, of_revision


class MeasurementRow(Table, table=True):
    """What was measured on one revision at one time, or that an earlier row counts no longer.

    Triggers let no row change or go.
    """

    __tablename__ = "measurement"
    __table_args__ = (of_revision("measurement"), Index("ix_measurement_revision", "design_id", "revision"))

    id: int | None = Field(default=None, primary_key=True)
    design_id: int
    revision: int
    withdraws: int | None = None
    measured_on: str = Field(sa_type=Text)
    content_json: str = Field(sa_type=Text)
    note: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    created: datetime = Field(sa_type=UtcTime)
