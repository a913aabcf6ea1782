"""The design document: from the cover to the sign-off, as one PDF."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from datetime import datetime

from reportlab.platypus import Flowable, PageBreak, Spacer

from planner.documents import (
    appendix,
    decisions,
    engineering,
    files,
    limits,
    questionnaire,
    racks,
    record,
    requirements,
    review,
    workload,
)
from planner.documents.as_built import as_built
from planner.documents.changes import changes, signed_plan
from planner.documents.contents import contents
from planner.documents.cover import cover, signatures
from planner.documents.executive import summary
from planner.documents.letterhead import Letterhead
from planner.documents.page import Paper, Stamp, build, paper_of
from planner.documents.parts import LEAD, text
from planner.documents.text import LONGEST, clean, fonts
from planner.plan import Plan
from planner.review.as_built import AsBuilt
from planner.review.record import ReviewRecord
from planner.scenario import Scenario

Maker = Callable[[Plan], list[Flowable]]
Section = tuple[str, str, Maker]
"""Title, bookmark and maker of a section."""

SECTIONS: tuple[Section, ...] = (
    ("Requirements", "requirements", requirements.requirements),
    ("Out of scope: what is not modelled", "limits", limits.limits),
    ("Data pipeline", "pipeline", workload.pipeline),
    ("Checkpoint layout", "layout", files.layout),
    ("Training time and what it is worth", "worth", workload.worth),
    ("Options and decisions", "decisions", decisions.decisions),
    ("Storage tiers", "tiers", engineering.tiers),
    ("Network", "network", engineering.network),
    ("Endurance and protection", "endurance", engineering.endurance),
    ("Rack layout", "racks", racks.racks),
    ("Power and cooling", "facility", engineering.facility),
    ("Availability", "availability", decisions.availability),
    ("Capacity and growth", "growth", decisions.growth),
    ("Cost", "cost", engineering.cost),
    ("Bill of materials", "bom", review.materials),
    ("Findings", "findings", review.findings),
    ("Guide check", "guide", review.guide_check),
    ("Monitoring", "monitoring", review.monitoring),
    ("Questionnaire of the provider", "questionnaire", questionnaire.sheet),
    ("Assumptions: every input", "assumptions", appendix.assumptions),
    ("Constants and catalogue figures used", "constants", appendix.constants),
    ("Formulas used", "formulas", appendix.formulas),
    ("Every result and its formula", "results", appendix.results),
)
"""The sections that are made of the plan alone, in order."""
CHANGES = ("Changed since the last signed revision", "changes")
AS_BUILT = ("As built", "as-built")
REVIEW = ("Acceptance and review record", "review")
SHORT: tuple[Section, ...] = (
    ("Power and cooling", "facility", engineering.facility),
    ("Rack layout", "racks", racks.figures),
    ("Questionnaire of the provider", "questionnaire", questionnaire.sheet),
    ("Bill of materials", "bom", review.materials),
)
"""The sections of the short form."""


def pdf(  # noqa: PLR0913 - what a document says about itself
    plan: Plan,
    *,
    title: str,
    revision: str | int,
    author: str,
    created: datetime,
    hash_text: str,
    draft: bool,
    status: str = "",
    paper: Paper = "A4",
    letterhead: Letterhead | None = None,
    signed: Plan | Scenario | None = None,
    signed_name: str = "",
    built: AsBuilt | None = None,
    reviewed: ReviewRecord | None = None,
) -> bytes:
    """The plan as a PDF; identical bytes for identical arguments.

    Args:
        plan: What to print.
        title: Title on the cover and in every footer; any text prints.
        revision: Number or name of the revision.
        author: Who made the design; any text prints.
        created: Date on the cover and of the file.
        hash_text: Hash of the scenario and catalogue, to tell whether two documents are of the same design.
        draft: Whether what is printed is not saved; each page then carries the word.
        status: State of the review of a saved revision; any but "approved" stands across each page. Empty
            where there is no review, which the cover says.
        paper: "A4" or "Letter".
        letterhead: Logo, contact, validity and disclaimer of the sender.
        signed: The revision that was signed last; a section tells what changed since.
        signed_name: What that revision is called.
        built: What was measured on the delivery; a section tells how it stands to the design.
        reviewed: The review of a saved revision; a section tells what was asked, accepted and signed.

    Raises:
        PlannerError: The paper is unknown, or the signed scenario cannot be computed any more.
    """
    fonts()
    stamp = _stamp(
        title=title, revision=revision, author=author, created=created, hash_text=hash_text, draft=draft,
        status=status, paper=paper, letterhead=letterhead,
    )  # fmt: skip
    sections = (
        *_sections(plan, stamp, signed, signed_name, built),
        *_review(stamp, reviewed),
    )
    story = cover(plan, stamp)
    story += [PageBreak(), *contents([(name, key) for name, key, _ in sections])]
    for _, _, make in sections:
        story += make(plan)
    return build(story, stamp)


def _sections(
    plan: Plan, stamp: Stamp, signed: Plan | Scenario | None, signed_name: str, built: AsBuilt | None
) -> tuple[Section, ...]:
    """The sections of the full document that are made of the plan, with what changed and what was built."""
    first: list[Section] = [("Summary", "summary", functools.partial(summary, stamp=stamp))]
    if signed is not None:
        before = signed_plan(signed, plan.calculation().context.catalogue)
        first.append((*CHANGES, functools.partial(changes, signed=before, name=signed_name)))
    if built is not None and built.files:
        first.append((*AS_BUILT, functools.partial(as_built, built=built)))
    return (*first, *SECTIONS)


def _review(stamp: Stamp, reviewed: ReviewRecord | None) -> Iterator[Section]:
    """The review of a saved revision, and the page to sign."""
    if reviewed is not None:
        yield (*REVIEW, lambda _: record.review_record(reviewed, hash_text=stamp.hash_text))
    approval = reviewed.signed if reviewed is not None else None
    yield ("Sign-off", "sign-off", lambda _: signatures(stamp, approval))


def short_form(  # noqa: PLR0913 - what a document says about itself
    plan: Plan,
    *,
    title: str,
    revision: str | int,
    author: str,
    created: datetime,
    hash_text: str,
    draft: bool,
    status: str = "",
    paper: Paper = "A4",
    letterhead: Letterhead | None = None,
) -> bytes:
    """What a colocation provider needs: facility sheet, answered questionnaire and bill of materials.

    Args:
        plan: What to print.
        title: Title at the top and in every footer; any text prints.
        revision: Number or name of the revision.
        author: Who made the design.
        created: Date of the file.
        hash_text: Hash of the scenario and catalogue.
        draft: Whether what is printed is not saved.
        status: State of the review of a saved revision.
        paper: "A4" or "Letter".
        letterhead: Logo, contact, validity and disclaimer of the sender.

    Raises:
        PlannerError: The paper is unknown.
    """
    fonts()
    stamp = _stamp(
        title=title, revision=revision, author=author, created=created, hash_text=hash_text, draft=draft,
        status=status, paper=paper, letterhead=letterhead,
    )  # fmt: skip
    story = [
        *cover(plan, stamp, kind="Facility and parts: for the colocation provider"),
        Spacer(1, 18),
        *contents([(name, key) for name, key, _ in SHORT]),
        PageBreak(),
    ]
    for _, _, make in SHORT:
        story += make(plan)
    return build(story, stamp)


def as_built_page(  # noqa: PLR0913 - what a document says about itself
    plan: Plan,
    built: AsBuilt,
    *,
    title: str,
    revision: str | int,
    author: str,
    created: datetime,
    hash_text: str,
    draft: bool,
    status: str = "",
    paper: Paper = "A4",
    letterhead: Letterhead | None = None,
) -> bytes:
    """What was built, alone: the pages that go into a report on the delivery.

    Args:
        plan: The design.
        built: What was measured, held against it.
        title: Title at the top and in every footer; any text prints.
        revision: Number or name of the revision.
        author: Who made the design.
        created: Date of the file.
        hash_text: Hash of the scenario and catalogue.
        draft: Whether the design is not saved as it stands.
        status: State of the review of a saved revision.
        paper: "A4" or "Letter".
        letterhead: Logo, contact, validity and disclaimer of the sender.

    Raises:
        PlannerError: The paper is unknown.
    """
    fonts()
    stamp = _stamp(
        title=title, revision=revision, author=author, created=created, hash_text=hash_text, draft=draft,
        status=status, paper=paper, letterhead=letterhead,
    )  # fmt: skip
    return build([text(stamp.title or "Untitled design", LEAD), *as_built(plan, built)], stamp)


def _stamp(  # noqa: PLR0913 - what a document says about itself
    *,
    title: str,
    revision: str | int,
    author: str,
    created: datetime,
    hash_text: str,
    draft: bool,
    status: str,
    paper: str,
    letterhead: Letterhead | None,
) -> Stamp:
    """What every page says, with every text made printable."""
    return Stamp(
        title=clean(title, limit=LONGEST).strip(),
        revision=clean(revision, limit=LONGEST),
        author=clean(author, limit=LONGEST),
        created=created,
        hash_text=clean(hash_text, limit=LONGEST),
        draft=draft,
        status=clean(status, limit=40).strip(),
        paper=paper_of(paper),
        letterhead=letterhead or Letterhead(),
    )
