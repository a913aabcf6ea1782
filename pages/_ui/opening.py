"""Opening: a revision, a draft, what a link shows, or a new design; it takes the place of what is in the session."""

from __future__ import annotations

import contextlib
import json
from dataclasses import astuple
from typing import Any

from pydantic import ValidationError

from pages._ui import answers, baseline, drafts, held, naming, people, stating, values
from pages._ui.address import Link
from pages._ui.session import OPENED, auto_key, get, may, moved, put
from planner.core.errors import PlannerError
from planner.inputs import flatten, inputs_for, nest
from planner.scenario import MAX_JOBS, Scenario, Site
from planner.scenario_json import scenario_from_dict
from planner.store import Draft, Revision, Store
from planner.templates import template

START_TEMPLATE = "guide-256-evidence"


def open_link(wanted: Link) -> None:
    """Load what a link asks for.

    Raises:
        PlannerError: There is no such draft, design or revision, or the store cannot be used.
    """
    if wanted.draft:
        _open_draft(wanted.draft)
    elif wanted.share:
        _open_share(wanted.share)
    elif wanted.design is not None:
        open_revision(wanted.design, wanted.revision)
    else:
        open_new(template(START_TEMPLATE).scenario)


def open_start() -> None:
    """Start from the example, kept nowhere: nothing else can be opened."""
    _load(flatten(template(START_TEMPLATE).scenario), Link())


def _open_share(key: str) -> None:
    """Open the revision that a link shows."""
    design, revision = answers.store().shared(key)
    people.came_with(key)
    open_revision(design, revision, share=key)


def open_revision(design: int, revision: int | None = None, *, share: str = "") -> None:
    """Open a revision of a design, the newest one by default.

    Raises:
        PlannerError: There is no such design or revision, or it cannot be read.
    """
    found: Revision = answers.store().revision(
        design, revision or answers.store().design(design).latest_revision
    )
    scenario = scenario_from_dict(json.loads(found.scenario_json))
    _load(flatten(scenario), Link(design, found.number, share=share), base_name=scenario.name)


def open_new(scenario: Scenario) -> None:
    """Start a new design from a scenario, as a draft under a key of its own where it may be kept."""
    _load(flatten(scenario), Link(draft=Store.new_draft_key() if may("editor") else ""), kept="")


def _open_draft(key: str) -> None:
    """Open a draft with all that was typed, texts that are no value yet too."""
    draft: Draft | None = answers.store().draft(key)
    if draft is None:
        raise PlannerError(
            "draft: the draft of this link does not exist any more; it was saved or removed", field="draft"
        )
    content: dict[str, Any] = json.loads(
        draft.content_json
    )  # as `drafts.content` wrote it, perhaps of another version
    nested = content.get("scenario", {})
    count = max(1, min(MAX_JOBS, len(nested.get("jobs", ()))))
    flat = {item.path: values.dig(nested, item.path, item.default) for item in inputs_for(count)}
    who = people.actor()
    if who.local or who.signed_in:
        _load(flat, Link(draft.base_design_id, draft.base_revision, key), base_name=_base_name(draft))
    else:  # a guest sees what the link shows: the draft, and nothing of the design that it is of
        _load(flat, Link(draft=key))
    put("_draft_written", draft.updated.isoformat())
    for path, text in dict(content.get("typed", {})).items():
        held.put(path, str(text))
        held.put(auto_key(path), False)
    baseline.pin(str(content.get("pinned", "")), str(content.get("pinned_label", "")))
    _open_sites(content.get("sites"))
    put("_kept", drafts.content(*stating.stated()))


def _base_name(draft: Draft) -> str:
    """The name inside the revision that a draft started from; empty if it started from none."""
    if draft.base_design_id is None:
        return ""
    base = answers.store().revision(draft.base_design_id, draft.base_revision)
    return scenario_from_dict(json.loads(base.scenario_json)).name


def _open_sites(kept: object) -> None:
    """Take over the sites that a draft holds beside its design's own; what is none, of another version, is left out."""
    found = []
    for item in kept if isinstance(kept, list) else ():
        with contextlib.suppress(ValidationError, KeyError, TypeError):
            site = Site.model_validate(item["site"]).model_dump(mode="json")
            found.append({"name": str(item["name"]), "site": site})
    put(drafts.SITES, found)
    put(drafts.SITES_OPENED, bool(found))


def _load(flat: dict[str, Any], opened: Link, *, kept: str | None = None, base_name: str = "") -> None:
    """Put values into the session.

    Args:
        flat: Every value by path.
        opened: What they are.
        kept: What the store holds of them as a draft; None if nothing needs to be kept before a change.
        base_name: The name inside the revision that they start from.
    """
    put("_jobs", len(nest(flat)["jobs"]))
    held.fill(stating.shown(flat))
    put("_loaded", dict(flat))
    put("_link", astuple(opened))
    put(OPENED, int(get(OPENED, 0)) + 1)
    put(naming.BASE_NAME, base_name)
    put("_changed", False)
    put("_good", "")
    put("_conflict", None)
    put("_draft_written", "")
    put("ui.job", 0)
    put("save.note", "")
    moved()
    put("_kept", drafts.content(*stating.stated()) if kept is None else kept)
