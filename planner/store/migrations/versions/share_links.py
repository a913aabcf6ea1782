"""Links that show one revision to people without an account.

There is no way back: links that were sent would stop working. A backup made before is the way back.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from planner.store.tables import UtcTime

revision = "0004"
down_revision: str | None = "0003"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "share",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key_digest", sa.Text(), nullable=False),
        sa.Column("design_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("note", "subject", "name")),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("withdrawn", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["design_id", "revision"], ["revision.design_id", "revision.number"], name="fk_share_revision"
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key_digest"),
    )
    op.create_index("ix_share_design", "share", ["design_id"])
