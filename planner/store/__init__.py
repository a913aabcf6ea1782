"""Where designs, their revisions and drafts are kept: SQLite beside the application, or PostgreSQL."""

from planner.store.records import (
    STATUSES,
    ConflictError,
    DesignPage,
    DesignSummary,
    Draft,
    NewRevision,
    Revision,
)
from planner.store.store import MAX_PAGE_ROWS, Store, open_store
from planner.store.text import MAX_NAME_CHARS, MAX_NOTE_CHARS
from planner.store.upgrades import SCHEMA_VERSION, UPGRADES, Upgrade, upgraded_json

__all__ = [
    "MAX_NAME_CHARS",
    "MAX_NOTE_CHARS",
    "MAX_PAGE_ROWS",
    "SCHEMA_VERSION",
    "STATUSES",
    "UPGRADES",
    "ConflictError",
    "DesignPage",
    "DesignSummary",
    "Draft",
    "NewRevision",
    "Revision",
    "Store",
    "Upgrade",
    "open_store",
    "upgraded_json",
]
