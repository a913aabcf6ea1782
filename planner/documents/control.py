"""Document control: what came before this revision, what it was made with, who has it, and what belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.platypus import Flowable

import planner
from planner.documents.page import Stamp
from planner.documents.parts import pairs, section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.plan import Plan

LONGEST_NOTE = 1_000
"""Characters that are printed of what an author said about a revision."""
MOST_COPIES = 100
"""Recipients that are listed at most."""
RELATED = (
    ("Workbook (XLSX)", "every section as a sheet; bill, power and cost as live formulas"),
    ("Short form (PDF)", "facility sheet, questionnaire and bill of materials for the colocation provider"),
    ("Plan (JSON)", "every figure in full precision, with its schema"),
    ("Bill of materials (CSV), drawings (SVG)", "to be taken into other tools"),
    ("Cable schedule (CSV)", "every cable with both of its ends, its type, length and label"),
    ("Configuration bundle (ZIP)", "switches, hosts, targets, monitoring and acceptance tests"),
)
"""Files that are made of the same design, and what they are for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One line of the revision history.

    Attributes:
        number: Number of the revision.
        created: When it was saved, UTC.
        author: Who saved it; any text prints.
        state: State of its review.
        note: What changed, in the author's words; any text prints.
    """

    number: int
    created: datetime
    author: str
    state: str
    note: str


def control(plan: Plan, *, stamp: Stamp, history: Sequence[Issue]) -> list[Flowable]:
    """Revision history, versions, distribution and related documents.

    Args:
        plan: The plan.
        stamp: What the document says about itself.
        history: Saved revisions of the design, the oldest first; empty for what was never saved.
    """
    return [
        *section("Document control", "control"),
        *topic("Revision history", "history"),
        *_history(history),
        *topic("Made with", "versions"),
        *pairs(_versions(plan, stamp), split=0.25),
        *topic("Distribution and approval", "distribution"),
        *_distribution(stamp),
        text(
            "Who reviewed and approved it stands under “Acceptance and review record” where the revision was reviewed, and "
            "is signed on the last page."
        ),
        *topic("Documents of the same design", "related"),
        text(f"They bear the same revision and hash {stamp.hash_text}; others are of another design."),
        *table(("Document", "For"), RELATED, (0.36, 0.64)),
    ]


def _history(history: Sequence[Issue]) -> list[Flowable]:
    if not history:
        return [text("The design was not saved: this is its first draft.")]
    rows = [
        (
            str(issue.number), f"{issue.created:%Y-%m-%d}", clean(issue.author, limit=LONGEST) or "not named",
            issue.state, clean(issue.note, limit=LONGEST_NOTE) or "not told",
        )
        for issue in history
    ]  # fmt: skip
    return table(("Revision", "Date", "Author", "State", "What changed"), rows, (0.1, 0.13, 0.2, 0.15, 0.42))


def _distribution(stamp: Stamp) -> list[Flowable]:
    """Who gets a copy, one a row; named on the Export screen."""
    names = [clean(line, limit=LONGEST).strip() for line in stamp.letterhead.distribution.splitlines()]
    rows = [(str(number), name) for number, name in enumerate(filter(None, names), start=1)]
    if not rows:
        return [text("Distribution: nobody was named.")]
    return table(("Copy", "For"), rows[:MOST_COPIES], (0.1, 0.9))


def _versions(plan: Plan, stamp: Stamp) -> list[tuple[object, object]]:
    return [
        ("Planner", f"version {planner.__version__}"),
        ("Catalogue", plan.calculation().context.catalogue.hash),
        ("Prices", f"{plan.cost.price_set.label}: {plan.cost.price_set.reason}"),
        ("Hash of all of it", stamp.hash_text),
    ]
