"""The store: designs with their revisions and reviews, drafts, accounts and the audit trail."""

from __future__ import annotations

from collections.abc import Mapping

from planner.core.errors import PlannerError
from planner.review import LOCAL, Actor
from planner.store.accounts import Accounts
from planner.store.audit import Audit
from planner.store.backup import Backups
from planner.store.catalogue import OwnCatalogue
from planner.store.comments import Comments
from planner.store.database import BUSY_S, Database
from planner.store.designs import COUNT_AHEAD, MAX_PAGE_ROWS, Designs
from planner.store.document_settings import DocumentSettings
from planner.store.drafts import Drafts
from planner.store.measurements import Measurements
from planner.store.reviews import Reviews
from planner.store.shares import Shares
from planner.store.upgrades import SCHEMA_VERSION, UPGRADES, Upgrade

__all__ = ["COUNT_AHEAD", "MAX_PAGE_ROWS", "Store", "open_store"]


class Store(
    Designs, Drafts, Comments, Reviews, OwnCatalogue, Measurements, DocumentSettings, Accounts, Shares, Audit, Backups
):  # fmt: skip
    """Everything that is kept, in one database; safe to share between threads.

    Each method is one transaction: it is done whole, or it raises and nothing has changed. Each that
    writes reads the actor's role in the same transaction and raises `RightsError` if it is not enough;
    what it did goes into the audit trail with it. Besides what a method states itself, each raises
    `PlannerError` when the database is locked, read-only, full, damaged or out of reach.
    """


def open_store(
    url: str | None = None,
    *,
    schema_version: int = SCHEMA_VERSION,
    upgrades: Mapping[int, Upgrade] = UPGRADES,
    busy_s: float = BUSY_S,
    actor: Actor = LOCAL,
) -> Store:
    """Open the store, and make or update its tables.

    Args:
        url: Address of the database; None for `PLANNER_DATABASE_URL`, or else the file `planner.db`
            beside the application.
        schema_version: Version of the scenario's fields that this planner reads and writes.
        upgrades: By version, the function that lifts a scenario from it to the next version.
        busy_s: How long an operation waits for others to finish.
        actor: Who acts; the trusted user of this machine if nobody else is named.

    Raises:
        PlannerError: The address is wrong, the database cannot be used, or the actor's names cannot be stored.
    """
    database = Database(url, busy_s=busy_s)
    try:
        return Store(database, schema_version=schema_version, upgrades=upgrades, actor=actor)
    except PlannerError:
        database.close()
        raise
