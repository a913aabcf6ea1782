"""The design document: from the cover to the appendix, as one PDF."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from reportlab.platypus import Flowable

from planner.documents import appendix, engineering, overview, review, workload
from planner.documents.page import Stamp, build
from planner.documents.text import LONGEST, clean, fonts
from planner.plan import Plan

SECTIONS: tuple[tuple[str, str, Callable[[Plan], list[Flowable]]], ...] = (
    ("Summary", "summary", overview.summary),
    ("Requirements", "requirements", overview.requirements),
    ("Data pipeline", "pipeline", workload.pipeline),
    ("Training time and what it is worth", "worth", workload.worth),
    ("Storage tiers", "tiers", engineering.tiers),
    ("Network", "network", engineering.network),
    ("Endurance and protection", "endurance", engineering.endurance),
    ("Power and cooling", "facility", engineering.facility),
    ("Cost", "cost", engineering.cost),
    ("Findings", "findings", review.findings),
    ("Guide check", "guide", review.guide_check),
    ("Monitoring", "monitoring", review.monitoring),
    ("Bill of materials", "bom", review.materials),
    ("Assumptions: every input", "assumptions", appendix.assumptions),
    ("Constants and catalogue figures used", "constants", appendix.constants),
    ("Every result and its formula", "results", appendix.results),
)
"""Title, bookmark and maker of each section, in order."""


def pdf(
    plan: Plan,
    *,
    title: str,
    revision: str | int,
    author: str,
    created: datetime,
    hash_text: str,
    draft: bool,
) -> bytes:
    """The plan as a PDF; identical bytes for identical arguments.

    Args:
        plan: What to print.
        title: Title on the cover and in every footer; any text prints.
        revision: Number or name of the revision.
        author: Who made the design; any text prints.
        created: Date on the cover and of the file.
        hash_text: Hash of the scenario and catalogue, to tell whether two documents are of the same design.
        draft: Whether each page carries a draft mark.
    """
    fonts()
    stamp = Stamp(
        title=clean(title, limit=LONGEST).strip(),
        revision=clean(revision, limit=LONGEST),
        author=clean(author, limit=LONGEST),
        created=created,
        hash_text=clean(hash_text, limit=LONGEST),
        draft=draft,
    )
    story = overview.cover(plan, stamp, [(name, key) for name, key, _ in SECTIONS])
    for _, _, make in SECTIONS:
        story += make(plan)
    return build(story, stamp)
