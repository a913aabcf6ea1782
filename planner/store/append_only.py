"""Tables that may only grow: the lock that a step of the tables puts on one when it makes it.

A step that was released does the same for ever: what is written here must not change after that, and the review's
tables, which were released with a lock of their own, keep it.
"""

from __future__ import annotations

from alembic import op


def lock(table: str) -> None:
    """Let the database itself refuse to change, to remove and to empty what was written into a table.

    Args:
        table: Name of a table that was made before in the same step.
    """
    message = f"rows of {table} are kept as they were written"
    if op.get_bind().dialect.name == "sqlite":
        for name, event in (("change", "UPDATE"), ("removal", "DELETE")):
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
        ("change", "UPDATE", "ROW"),
        ("removal", "DELETE", "ROW"),
        ("truncation", "TRUNCATE", "STATEMENT"),
    ):
        op.execute(
            f"CREATE TRIGGER {table}_no_{name} BEFORE {event} ON {table} "
            f"FOR EACH {each} EXECUTE FUNCTION {function}()"
        )
