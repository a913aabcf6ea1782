"""Rows that are kept are not replaced either, waivers, links and threads keep what they say, and a signature holds.

SQLite takes a row away without asking its triggers when another is put in its place (REPLACE), so a row with the
number of one that is there is refused. There is no way back: a backup made before is the way back.
"""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision: str | None = "0006"
branch_labels: str | None = None
depends_on: str | None = None

KEYS = {
    "audit": ("id",),
    "review_step": ("id",),
    "comment": ("id",),
    "entry": ("design_id", "kind", "number", "version"),
    "revision": ("design_id", "number"),
    "catalogue_row": ("kind", "price_set", "row_id", "version"),
    "measurement": ("id",),
    "waiver": ("id",),
    "share": ("id",),
    "thread": ("id",),
}
"""Tables of which no row is replaced, with what tells their rows apart."""
KEPT = {
    "waiver": (
        "id", "design_id", "revision", "code", "subject", "message", "reason", "account", "name", "created",
    ),
    "share": ("id", "key_digest", "design_id", "revision", "note", "subject", "name", "created"),
    "thread": ("id", "design_id", "revision", "kind", "key", "created"),
}  # fmt: skip
"""Columns that never change of tables that were not locked before: taking back and answering are the others'."""
ONCE = {"waiver": "revoked", "share": "withdrawn"}
"""Columns that are written once: what was taken back does not count again."""
FROZEN = "(OLD.state = 'approved' AND NEW.state <> 'superseded') OR OLD.state = 'superseded'"
"""Changes of a revision's state that no step of a review makes."""


def upgrade() -> None:
    """Put the locks on."""
    thaw = f"OLD.state <> NEW.state AND ({FROZEN})"
    conditions = [("revision", "thaw", "state", thaw)] + [
        (table, f"second_{column}", column, f"OLD.{column} IS NOT NULL") for table, column in ONCE.items()
    ]
    if op.get_bind().dialect.name == "sqlite":
        _lock_on_sqlite()
        for table, name, column, when in conditions:
            _refuse_on_sqlite(table, name, f"UPDATE OF {column}", when=when)
        return
    for table, columns in KEPT.items():
        _refuse_on_server(table, f"UPDATE OF {', '.join(columns)}")
    for table, name, column, when in conditions:
        op.execute(
            f"CREATE TRIGGER {table}_no_{name} BEFORE UPDATE OF {column} ON {table} FOR EACH ROW WHEN ({when}) "
            f"EXECUTE FUNCTION {table}_is_kept()"
        )


def _lock_on_sqlite() -> None:
    for table, columns in KEPT.items():
        _refuse_on_sqlite(table, "change", f"UPDATE OF {', '.join(columns)}")
        _refuse_on_sqlite(table, "removal", "DELETE")
    for table, key in KEYS.items():
        there = " AND ".join(f"{column} = NEW.{column}" for column in key)
        when = f"EXISTS (SELECT 1 FROM {table} WHERE {there})"
        _refuse_on_sqlite(table, "replacement", "INSERT", when=when)


def _message(table: str) -> str:
    return f"rows of {table} are kept as they were written"


def _refuse_on_sqlite(table: str, name: str, event: str, *, when: str = "") -> None:
    op.execute(
        f"CREATE TRIGGER {table}_no_{name} BEFORE {event} ON {table} {f'WHEN {when} ' if when else ''}"
        f"BEGIN SELECT RAISE(ABORT, '{_message(table)}'); END"
    )


def _refuse_on_server(table: str, change: str) -> None:
    function = f"{table}_is_kept"
    op.execute(
        f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_message(table)}'; END $$"
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
