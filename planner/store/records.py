"""What the store gives and takes: plain frozen records, never a live row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from planner.core.errors import PlannerError, shorten
from planner.review import STATES

KeyResults: TypeAlias = Mapping[str, Any]
STATUSES = STATES
"""What the list of designs shows of a design: the state of its newest revision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRevision:
    """What a person saves.

    Attributes:
        scenario_json: The scenario, a JSON object as text; kept to the letter.
        author: Who saves it; may be empty.
        note: What changed, in the author's words; may have several lines.
        schema_version: Version of the scenario's fields, 1 or more.
        key_results: A few results for the list of designs; numbers that are not finite are kept
            as None, because JSON has no word for them.
        scenario_hash: Hash of the scenario.
        catalogue_hash: Hash of the catalogue that the results were computed with.
        engine_version: Version of the planner that computed them.
        price_hash: Hash of the price sets that they were computed with.
    """

    scenario_json: str
    author: str = ""
    note: str = ""
    schema_version: int = 1
    key_results: KeyResults = field(default_factory=dict)
    scenario_hash: str = ""
    catalogue_hash: str = ""
    engine_version: str = ""
    price_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision(NewRevision):
    """A saved revision; only its state changes. Being a `NewRevision`, it can be saved again to restore it.

    Attributes:
        design_id: The design that it belongs to.
        number: Its place in the history, from 1 without gaps.
        created: When it was saved, UTC.
        state: Where its review stands, one of `planner.review.STATES`.
        saved_by: What the sign-in calls who saved it; empty without accounts.
    """

    design_id: int
    number: int
    created: datetime
    state: str = "draft"
    saved_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignSummary:
    """A design as the list shows it.

    Attributes:
        id: Number that links use.
        name: Its name; two designs may share one.
        latest_revision: Number of the newest revision.
        status: Review status of the newest revision.
        archived: Whether it is put away.
        author: Author of the newest revision.
        key_results: Key results of the newest revision.
        created: When the design was created, UTC.
        updated: When it was last saved, renamed, archived or given a status, UTC.
    """

    id: int
    name: str
    latest_revision: int
    status: str
    archived: bool
    author: str
    key_results: KeyResults
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True)
class DesignPage:
    """One page of the list of designs.

    Attributes:
        rows: The designs of the page.
        total: How many designs the list has, as far as they were counted.
        more: Whether there are more than that.
    """

    rows: tuple[DesignSummary, ...]
    total: int
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Work that is not saved as a revision yet.

    Attributes:
        key: Secret key in the link; whoever knows it can read and write the draft.
        content_json: The inputs, a JSON object as text.
        base_design_id: Design that the work started from; None for a new one.
        base_revision: Revision that it started from; None together with the design.
        updated: When it was last written, UTC.
    """

    key: str
    content_json: str
    base_design_id: int | None
    base_revision: int | None
    updated: datetime


class ConflictError(PlannerError):
    """Someone saved in the meantime; nothing was overwritten and both versions are here.

    Attributes:
        yours: What was to be saved.
        base: The revision that it started from.
        current: The newest revision, made by someone else.
    """

    def __init__(self, *, yours: NewRevision, base: Revision, current: Revision) -> None:
        """Keep all three versions, and say who was first."""
        author = shorten(current.author) or "someone"
        super().__init__(
            f"revision: your changes start from revision {base.number} of design {base.design_id}, but "
            f"{author} saved revision {current.number} at {current.created:%Y-%m-%d %H:%M} UTC; neither is "
            f"lost: compare them and save again on revision {current.number}, or save yours as a new design",
            field="revision",
        )
        self.yours = yours
        self.base = base
        self.current = current

    @property
    def mine(self) -> NewRevision:
        """What was to be saved, as `planner.review.partings` calls it."""
        return self.yours

    @property
    def theirs(self) -> Revision:
        """What someone else saved in the meantime."""
        return self.current
