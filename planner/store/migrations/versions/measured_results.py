"""What was measured on the delivery of a revision, in rows that may only grow.

There is no way back: it would lose the measurements. A backup made before is the way back.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from planner.store.append_only import lock
from planner.store.tables import UtcTime

revision = "0005"
down_revision: str | None = "0004"
branch_labels: str | None = None
depends_on: str | None = None

TABLE = "measurement"


def upgrade() -> None:
    """Make the table, and lock it: what counts no longer is told by a row of its own."""
    op.create_table(
        TABLE,
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("design_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("withdraws", sa.Integer(), nullable=True),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("measured_on", "content_json", "note", "subject", "name")
        ),
        sa.Column("created", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(
            ["design_id", "revision"],
            ["revision.design_id", "revision.number"],
            name="fk_measurement_revision",
        ),
    )
    op.create_index("ix_measurement_revision", TABLE, ["design_id", "revision"])
    lock(TABLE)
