"""What the store gives and takes of an organisation's catalogue rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from planner.catalogue.own import OwnRow
from planner.core.errors import PlannerError, shorten


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueVersion:
    """One version of an own row; none of it ever changes.

    Attributes:
        row: What it states; of a withdrawal what stood there before.
        version: Number of the version, from 1.
        withdrawn: Whether it takes the row back.
        note: Why, in the author's words.
        subject: What the sign-in calls who wrote it; empty without accounts.
        created: When it was written, UTC.
    """

    row: OwnRow
    version: int
    withdrawn: bool
    note: str
    subject: str
    created: datetime


@dataclass(frozen=True, slots=True)
class NewCatalogueRow:
    """A row to be written.

    Attributes:
        row: What it states; who and when are set by the store.
        version: The version that the change starts from; 0 for a row that has none.
        note: Why, in the author's words.
    """

    row: OwnRow
    version: int = 0
    note: str = ""


class CatalogueConflictError(PlannerError):
    """Someone changed the row in the meantime; nothing was written and theirs is here.

    Attributes:
        theirs: The newest version.
    """

    def __init__(self, theirs: CatalogueVersion) -> None:
        """Say who was first."""
        who = shorten(theirs.row.author) or "someone"
        done = "withdrawn" if theirs.withdrawn else "changed"
        super().__init__(
            f"version: {theirs.row.kind} {shorten(theirs.row.id)} was {done} by {who} at "
            f"{theirs.created:%Y-%m-%d %H:%M} UTC (version {theirs.version}); nothing was written: look at it, "
            "then state yours again",
            field="version",
        )
        self.theirs = theirs
