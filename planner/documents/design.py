"""The design document: from the cover to the sign-off, as one PDF."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

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
from planner.documents.page import Stamp, build
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
from planner.documents.text import fonts
from planner.plan import Plan
from planner.review.as_built import AsBuilt
from planner.review.record import ReviewRecord
from planner.scenario import Scenario


def pdf(
    plan: Plan,
    stamp: Stamp,
    *,
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
        stamp: What the document says about itself.
        signed: The revision that was signed last; a section tells what changed since.
        signed_name: What that revision is called.
        built: What was measured on the delivery; a section tells how it stands to the design.
        reviewed: The review of a saved revision; a section tells what was asked, accepted and signed.
        history: Saved revisions of the design, the oldest first.
        beside: What is known beside the plan: addresses of the site, years of growth.

    Raises:
        PlannerError: The signed revision cannot be computed.
    """
    fonts()
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


def short_form(plan: Plan, stamp: Stamp) -> bytes:
    """What a colocation provider needs: facility sheet, answered questionnaire and bill of materials.

    Args:
        plan: What to print.
        stamp: What the document says about itself.
    """
    fonts()
    story = [
        *cover(plan, stamp, kind="Facility and parts: for the colocation provider"),
        Spacer(1, 18),
        *contents([(name, key) for name, key, _ in SHORT]),
        PageBreak(),
    ]
    for _, _, make in SHORT:
        story += make(plan)
    return build(list(together(story)), stamp)


def as_built_page(plan: Plan, built: AsBuilt, stamp: Stamp) -> bytes:
    """What was built, alone: the pages that go into a report on the delivery.

    Args:
        plan: The design.
        built: What was measured, held against it.
        stamp: What the document says about itself.
    """
    fonts()
    return build(
        list(together([text(stamp.title or "Untitled design", LEAD), *as_built(plan, built)])), stamp
    )
