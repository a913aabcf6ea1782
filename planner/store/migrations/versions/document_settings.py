"""What stands on documents beside the design: of the organisation, and of each design.

There is no way back: it would lose the settings. A backup made before is the way back.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from planner.store.tables import UtcTime

revision = "0006"
down_revision: str | None = "0005"
branch_labels: str | None = None
depends_on: str | None = None

TABLE = "document_settings"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        TABLE,
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("design_id", sa.Integer(), nullable=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("content_json", "subject", "name")),
        sa.Column("updated", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("scope"),
        sa.ForeignKeyConstraint(["design_id"], ["design.id"]),
    )
