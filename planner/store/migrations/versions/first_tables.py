"""The first tables: designs, revisions, drafts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from planner.store.tables import UtcTime

revision = "0001"
down_revision: str | None = None
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Make the tables and their indexes."""
    op.create_table(
        "design",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_folded", sa.Text(), nullable=False),
        sa.Column("latest_revision", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("key_results", sa.Text(), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("updated", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_design_list", "design", ["archived", "updated", "id"])
    op.create_table(
        "revision",
        sa.Column("design_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("scenario_json", sa.Text(), nullable=False),
        sa.Column("key_results", sa.Text(), nullable=False),
        sa.Column("scenario_hash", sa.Text(), nullable=False),
        sa.Column("catalogue_hash", sa.Text(), nullable=False),
        sa.Column("engine_version", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["design_id"], ["design.id"]),
        sa.PrimaryKeyConstraint("design_id", "number"),
    )
    op.create_table(
        "draft",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("content_json", sa.Text(), nullable=False),
        sa.Column("base_design_id", sa.Integer(), nullable=True),
        sa.Column("base_revision", sa.Integer(), nullable=True),
        sa.Column("updated", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["base_design_id", "base_revision"],
            ["revision.design_id", "revision.number"],
            name="fk_draft_base",
        ),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("ix_draft_updated", "draft", ["updated"])


def downgrade() -> None:
    """Remove them all."""
    op.drop_table("draft")
    op.drop_table("revision")
    op.drop_table("design")
