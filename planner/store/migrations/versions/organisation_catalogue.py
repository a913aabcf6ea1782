"""The rows and prices that an organisation adds to the catalogue, in versions that may only grow.

There is no way back: it would lose the rows. A backup made before is the way back.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from planner.store.append_only import lock
from planner.store.tables import UtcTime

revision = "0003"
down_revision: str | None = "0002"
branch_labels: str | None = None
depends_on: str | None = None

TABLE = "catalogue_row"
KEY = ("kind", "price_set", "row_id", "version")


def upgrade() -> None:
    """Make the table, and lock it: a change is a new version, and so is a withdrawal."""
    op.create_table(
        TABLE,
        *_text("kind", "price_set", "row_id"),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        *_text("cells_json", "valid_from", "valid_to"),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        *_text("organisation", "note", "subject", "name"),
        sa.Column("created", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint(*KEY),
    )
    lock(TABLE)


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]
