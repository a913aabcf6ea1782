"""The review: states of revisions, accounts, audit trail, steps, comments, waivers, entries.

There is no way back: it would lose the review. A backup made before is the way back.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from planner.store.tables import UtcTime

revision = "0002"
down_revision: str | None = "0001"
branch_labels: str | None = None
depends_on: str | None = None

APPEND_ONLY = ("audit", "review_step", "comment", "entry")
FROZEN = (
    "design_id", "number", "created", "author", "note", "schema_version", "scenario_json", "key_results",
    "scenario_hash", "catalogue_hash", "engine_version", "price_hash", "saved_by",
)  # fmt: skip
"""Columns of a revision that never change."""


def upgrade() -> None:
    """Give each revision a state, make the tables, and lock what may only grow."""
    for name, default in (("price_hash", ""), ("saved_by", ""), ("state", "draft")):
        op.add_column("revision", sa.Column(name, sa.Text(), nullable=False, server_default=default))
    # Before, only the newest revision of a design had a state, and the design kept it.
    op.execute(
        "UPDATE revision SET state = (SELECT design.status FROM design WHERE design.id = revision.design_id) "
        "WHERE number = (SELECT design.latest_revision FROM design WHERE design.id = revision.design_id)"
    )
    _accounts_and_audit()
    _steps_and_waivers()
    _comments()
    _entries()
    for table in APPEND_ONLY:
        _lock(table)
    _lock("revision", columns=FROZEN)


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _time(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, UtcTime(), nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _of_revision(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["design_id", "revision"], ["revision.design_id", "revision.number"], name=f"fk_{table}_revision"
    )


def _accounts_and_audit() -> None:
    op.create_table(
        "account", *_text("subject", "name", "role"), _time("updated"), sa.PrimaryKeyConstraint("subject")
    )
    op.create_table(
        "audit",
        _number("id"),
        _time("created"),
        *_text("subject", "name", "action"),
        _number("design_id", nullable=True),
        _number("revision", nullable=True),
        *_text("detail_json"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_audit_design", "audit", ["design_id", "id"])


def _steps_and_waivers() -> None:
    op.create_table(
        "review_step",
        _number("id"),
        _number("design_id"),
        _number("revision"),
        *_text("action", "source", "target", "subject", "name", "note", "signed_hash", "record_json"),
        _time("created"),
        sa.PrimaryKeyConstraint("id"),
        _of_revision("review_step"),
    )
    op.create_index("ix_review_step_revision", "review_step", ["design_id", "revision"])
    op.create_table(
        "waiver",
        _number("id"),
        _number("design_id"),
        _number("revision"),
        *_text("code", "subject", "message", "reason", "account", "name"),
        _time("created"),
        _time("revoked", nullable=True),
        sa.PrimaryKeyConstraint("id"),
        _of_revision("waiver"),
    )
    op.create_index("ix_waiver_revision", "waiver", ["design_id", "revision"])


def _comments() -> None:
    op.create_table(
        "thread",
        _number("id"),
        _number("design_id"),
        _number("revision"),
        *_text("kind", "key"),
        sa.Column("open", sa.Boolean(), nullable=False),
        *_text("changed_by"),
        _time("created"),
        _time("updated"),
        sa.PrimaryKeyConstraint("id"),
        _of_revision("thread"),
    )
    op.create_index("ix_thread_revision", "thread", ["design_id", "revision"])
    op.create_table(
        "comment",
        _number("id"),
        _number("thread_id"),
        *_text("subject", "name", "text"),
        _time("created"),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["thread_id"], ["thread.id"]),
    )
    op.create_index("ix_comment_thread", "comment", ["thread_id"])


def _entries() -> None:
    op.create_table(
        "entry",
        _number("design_id"),
        *_text("kind"),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        *_text("content_json"),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        *_text("subject", "name"),
        _time("created"),
        sa.PrimaryKeyConstraint("design_id", "kind", "number", "version"),
        sa.ForeignKeyConstraint(["design_id"], ["design.id"]),
    )


def _lock(table: str, *, columns: tuple[str, ...] = ()) -> None:
    """Refuse to change and to remove rows of a table, or to change some of its columns."""
    change = f"UPDATE OF {', '.join(columns)}" if columns else "UPDATE"
    message = f"rows of {table} are kept as they were written"
    if op.get_bind().dialect.name == "sqlite":
        for name, event in (("change", change), ("removal", "DELETE")):
            op.execute(
                f"CREATE TRIGGER {table}_no_{name} BEFORE {event} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )
        return
    function = f"{table}_is_kept"
    op.execute(
        f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{message}'; END $$"
    )
    for name, event, each in (
        ("change", change, "ROW"),
        ("removal", "DELETE", "ROW"),
        ("truncation", "TRUNCATE", "STATEMENT"),
    ):
        op.execute(
            f"CREATE TRIGGER {table}_no_{name} BEFORE {event} ON {table} "
            f"FOR EACH {each} EXECUTE FUNCTION {function}()"
        )
