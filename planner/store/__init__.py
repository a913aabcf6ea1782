"""Where designs, their revisions, reviews and drafts are kept: SQLite beside the application, or PostgreSQL."""

from planner.store.assess import Assessment
from planner.store.catalogue_records import CatalogueConflictError, CatalogueVersion, NewCatalogueRow
from planner.store.dossier import review_record
from planner.store.drafts import DraftConflictError
from planner.store.measurements import Measured
from planner.store.records import (
    STATUSES,
    ConflictError,
    DesignPage,
    DesignSummary,
    Draft,
    NewRevision,
    Revision,
)
from planner.store.review_records import (
    ENTRY_KINDS,
    Account,
    AuditEvent,
    Comment,
    Entry,
    EntryConflictError,
    EntryContent,
    EntryKind,
    ReviewStep,
    RightsError,
    Share,
    Thread,
)
from planner.store.store import MAX_PAGE_ROWS, Store, open_store
from planner.store.text import MAX_NAME_CHARS, MAX_NOTE_CHARS
from planner.store.upgrades import SCHEMA_VERSION, UPGRADES, Upgrade, upgraded_json

__all__ = [
    "ENTRY_KINDS",
    "MAX_NAME_CHARS",
    "MAX_NOTE_CHARS",
    "MAX_PAGE_ROWS",
    "SCHEMA_VERSION",
    "STATUSES",
    "UPGRADES",
    "Account",
    "Assessment",
    "AuditEvent",
    "CatalogueConflictError",
    "CatalogueVersion",
    "Comment",
    "ConflictError",
    "DesignPage",
    "DesignSummary",
    "Draft",
    "DraftConflictError",
    "Entry",
    "EntryConflictError",
    "EntryContent",
    "EntryKind",
    "Measured",
    "NewCatalogueRow",
    "NewRevision",
    "ReviewStep",
    "Revision",
    "RightsError",
    "Share",
    "Store",
    "Thread",
    "Upgrade",
    "open_store",
    "review_record",
    "upgraded_json",
]
