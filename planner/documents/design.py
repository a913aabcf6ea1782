"""The design document: from the cover to the sign-off, as one PDF."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from datetime import datetime

from reportlab.platypus import PageBreak, Spacer

from planner.documents import acceptance, premises, record, requirements
from planner.documents.as_built import as_built
from planner.documents.beside import NOTHING, Beside
from planner.documents.changes import changes, signed_plan
from planner.documents.contents import contents
from planner.documents.control import Issue, control
from planner.documents.cover import cover, signatures
from planner.documents.executive import summary
from planner.documents.keeping import together
from planner.documents.letterhead import Letterhead
from planner.documents.page import Paper, Stamp, build, paper_of
from planner.documents.parts import LEAD, text
from planner.documents.sections import (
    APPENDIX,
    AS_BUILT,
    CHANGES,
    CONTROL,
    FIRST,
    LAST,
    MIDDLE,
    REVIEW,
    RISKS,
    SHORT,
    SIGN_OFF,
    SUMMARY,
    TRACE,
    Section,
    with_beside,
)
from planner.documents.text import LONGEST, clean, fonts
from planner.plan import Plan
from planner.review.as_built import AsBuilt
from planner.review.record import ReviewRecord
from planner.scenario import Scenario


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
    history: Sequence[Issue] = (),
    beside: Beside = NOTHING,
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
        history: Saved revisions of the design, the oldest first.
        beside: What is known beside the plan: addresses of the site, years of growth.

    Raises:
        PlannerError: The paper is unknown, or the signed scenario cannot be computed any more.
    """
    fonts()
    stamp = _stamp(
        title=title, revision=revision, author=author, created=created, hash_text=hash_text, draft=draft,
        status=status, paper=paper, letterhead=letterhead,
    )  # fmt: skip
    sections: tuple[Section, ...] = (
        (*CONTROL, functools.partial(control, stamp=stamp, history=history)),
        (*SUMMARY, functools.partial(summary, stamp=stamp, reviewed=reviewed)),
        *_changes(plan, signed, signed_name),
        *_design(reviewed, beside),
        *_built(built),
        *LAST,
        *_review(stamp, reviewed),
        *APPENDIX,
        (*SIGN_OFF, lambda _: signatures(stamp, reviewed.signed if reviewed else None)),
    )
    story = cover(plan, stamp)
    story += [PageBreak(), *contents([(name, key) for name, key, _ in sections]), PageBreak()]
    for _, _, make in sections:
        story += make(plan)
    return build(list(together(story)), stamp)


def _changes(plan: Plan, signed: Plan | Scenario | None, signed_name: str) -> Iterator[Section]:
    """What changed since the revision that was signed last, where one was."""
    if signed is not None:
        before = signed_plan(signed, plan.calculation().context.catalogue)
        yield (*CHANGES, functools.partial(changes, signed=before, name=signed_name))


def _design(reviewed: ReviewRecord | None, beside: Beside) -> tuple[Section, ...]:
    """Premises, workload, design and cost, with what a review knows of risks and requirements."""
    return (
        *(_with_review(item, reviewed) for item in FIRST),
        (*RISKS, functools.partial(premises.risks, reviewed=reviewed)),
        *with_beside(MIDDLE, beside),
        (*TRACE, functools.partial(acceptance.trace, reviewed=reviewed)),
    )


def _with_review(item: Section, reviewed: ReviewRecord | None) -> Section:
    """A section with what a review knows of requirements and assumptions, where it is one of the two."""
    title, key, make = item
    if make is premises.assumptions:
        return title, key, functools.partial(premises.assumptions, reviewed=reviewed)
    if make is requirements.requirements:
        return title, key, functools.partial(requirements.requirements, reviewed=reviewed)
    return item


def _built(built: AsBuilt | None) -> Iterator[Section]:
    """What was measured on the delivery, where something was."""
    if built is not None and built.files:
        yield (*AS_BUILT, functools.partial(as_built, built=built))


def _review(stamp: Stamp, reviewed: ReviewRecord | None) -> Iterator[Section]:
    """The review of a saved revision."""
    if reviewed is not None:
        yield (*REVIEW, lambda _: record.review_record(reviewed, hash_text=stamp.hash_text))


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
    return build(list(together(story)), stamp)


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
    return build(
        list(together([text(stamp.title or "Untitled design", LEAD), *as_built(plan, built)])), stamp
    )


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
