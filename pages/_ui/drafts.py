"""The draft: everything that is typed, kept in the store at once, so that a reload and a restart lose nothing."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from pages._ui import address, answers, baseline, held
from pages._ui.session import get, link, may, moved, notify, put
from planner.core.errors import PlannerError
from planner.inputs import nest
from planner.store import DraftConflictError, Store

SITES, SITES_OPENED = "_sites", "_sites_opened"
"""Sites beside the design's own, and whether a draft brought them and their fields are still to be filled."""


def keep() -> None:
    """Keep what a draft holds beside its inputs, if it changed while the page was built."""
    save(*get("_stated"))
    address.write(link())


def content(flat: dict[str, Any], errors: dict[str, str]) -> str:
    """What a draft keeps: the inputs, the texts that are no value yet, the baseline and the sites, as JSON."""
    held_now = {
        "scenario": nest(flat),
        "typed": {path: held.get(path) for path in errors},
        "pinned": baseline.pinned(),
        "pinned_label": get("_pinned_label", ""),
        "sites": get(SITES) or [],
    }
    return json.dumps(held_now, ensure_ascii=False, sort_keys=True)


def save(flat: dict[str, Any], errors: dict[str, str]) -> None:
    """Keep the inputs in the store when they changed; a store that cannot is said once, not obeyed."""
    now = content(flat, errors)
    if now == get("_kept"):
        return
    put("_kept", now)
    current = link()
    if not may("editor"):
        put("_changed", True)  # a viewer tries things out; nothing of it is kept
        return
    key = current.draft or Store.new_draft_key()
    try:
        try:
            _write(key, now)
        except DraftConflictError:
            notify(
                "Someone else writes in this draft as well. What you type is kept in one of your own from now on."
            )
            key = Store.new_draft_key()
            put("_draft_written", "")
            _write(key, now)
    except PlannerError as error:
        notify(f"The draft is not saved: {error.message}")
        return
    if key != current.draft:
        put("_link", (current.design, current.revision, key, ""))
        moved()


def _write(key: str, content_json: str) -> None:
    """Write the draft, unless someone else did since this session last read or wrote it.

    Raises:
        DraftConflictError: Someone else did.
        PlannerError: The store cannot be written, or not by this visitor.
    """
    current, known = link(), str(get("_draft_written", ""))
    saved = answers.store().save_draft(
        key,
        content_json,
        base_design_id=current.design,
        base_revision=current.revision,
        written=datetime.fromisoformat(known) if known else None,
    )
    put("_draft_written", saved.updated.isoformat())
