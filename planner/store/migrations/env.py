"""How Alembic reaches the database: through the connection on which the store began a transaction."""

from __future__ import annotations

from alembic import context

from planner.store.review_tables import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
