"""Documents of the open design; each is made once for a revision and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypedDict

import streamlit as st

from pages._ui import answers, measured, naming, people, sending, session, site_names
from planner import __version__
from planner.core.errors import PlannerError
from planner.deploy import bundle, schedules
from planner.deploy.address_plan import address_plan
from planner.deploy.handover import handover
from planner.documents import (
    Beside,
    Identity,
    Issue,
    Letterhead,
    Paper,
    Stamp,
    as_built_page,
    names,
    package,
    pdf,
    short_form,
)
from planner.documents.drawings import drawings
from planner.documents.package import bill_csv, marked_json, workbook, zipped
from planner.explore.growth import Demand, Growth, growth
from planner.plan import Plan
from planner.review import ReviewRecord
from planner.review.as_built import AsBuilt
from planner.store import Revision, review_record

CHANGED_SINCE = "changed since it was approved"
"""State of an approved revision whose figures, with today's catalogue and planner, are not the signed ones."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a document says about itself.

    Attributes:
        created: When the revision, or the draft, was last written.
        status: State of the review; empty for what is not saved.
    """

    title: str
    revision: str
    author: str
    created: datetime
    hash_text: str
    draft: bool
    status: str = ""

    @property
    def state(self) -> str:
        """State of the review in a word; "draft" for what is not saved as it stands."""
        return "draft" if self.draft else self.status or "saved"


def heading(scenario_json: str) -> Heading:
    """Heading of what is open.

    Raises:
        PlannerError: The store cannot be read.
    """
    opened = session.link()
    title, digest = naming.called(), answers.basis_of(scenario_json).signed_hash
    if opened.design is None or opened.revision is None or session.changed():
        base = (
            "draft"
            if opened.design is None
            else f"draft on revision {opened.revision} of design {opened.design}"
        )
        kept = answers.store().draft(opened.draft) if opened.draft else None
        written = kept.updated if kept else datetime.now(UTC)
        return Heading(title, base, str(session.get("save.author")), written, digest, draft=True)
    saved = answers.store().revision(opened.design, opened.revision)
    signature = answers.store().signature(opened.design, opened.revision)
    moved = signature is not None and signature.signed_hash != digest
    return Heading(
        title,
        f"design {opened.design}, revision {saved.number}",
        saved.author,
        saved.created,
        digest,
        draft=False,
        status=CHANGED_SINCE if moved and saved.state == "approved" else saved.state,
    )


def reviewed() -> ReviewRecord | None:
    """The review of the open revision for its PDF; None for what is not saved as it stands.

    Raises:
        PlannerError: The store cannot be read, or the revision can no longer be computed.
    """
    opened = session.link()
    if opened.design is None or opened.revision is None or session.changed():
        return None
    return review_record(
        answers.store(),
        opened.design,
        opened.revision,
        catalogue=answers.catalogue(),
        engine_version=__version__,
    )


@dataclass(frozen=True, slots=True)
class Order:
    """What files are made of; two alike give the same files.

    The plan itself goes beside it into what makes a file: that runs when the file is fetched, outside of the
    session, where nobody can say any more which rows of the catalogue the visitor sees.

    Attributes:
        catalogue_hash: Hash of the rows that the plan was computed with.
        paper: "A4" or "Letter".
        letterhead: What the sender puts on documents.
        names_json: Names and subnets of the site; empty takes the defaults.
        demand: Growth that the documents tell; None leaves it out.
    """

    scenario_json: str
    catalogue_hash: str
    head: Heading
    paper: Paper = "A4"
    letterhead: Letterhead = field(default_factory=Letterhead)
    names_json: str = ""
    demand: Demand | None = None

    @property
    def identity(self) -> Identity:
        """What each file says of the design."""
        head = self.head
        return Identity(
            title=head.title, revision=head.revision, state=head.state,
            created=head.created, hash_text=head.hash_text, customer=self.letterhead.customer,
            classification=self.letterhead.classification,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dossier:
    """What the store knows of the design beside the plan.

    Attributes:
        reviewed: Its review; None for what is not saved as it stands.
        history: Its revisions, the oldest first; none for a guest.
        signed_json: Scenario of the revision that was signed last before this one; empty without one.
        signed_name: What that revision is called.
        measured_ids: Measurements that are kept of the delivery.
    """

    reviewed: ReviewRecord | None = None
    history: tuple[Issue, ...] = ()
    signed_json: str = ""
    signed_name: str = ""
    measured_ids: tuple[int, ...] = ()


def order(scenario_json: str, head: Heading, *, names_json: str = "", demand: Demand | None = None) -> Order:
    """What files of the open design are made of, with the sender's settings.

    Args:
        scenario_json: The inputs.
        head: What the documents say about themselves.
        names_json: Names and subnets of the site.
        demand: Growth that the documents tell.

    Raises:
        PlannerError: The logo cannot be printed.
    """
    return Order(
        scenario_json,
        answers.catalogue().hash,
        head,
        sending.paper(),
        sending.letterhead(),
        names_json,
        demand,
    )


def dossier() -> Dossier:
    """What the store knows of what is open.

    Raises:
        PlannerError: The store cannot be read.
    """
    opened = session.link()
    own = None if session.changed() else opened.revision
    found = Dossier(reviewed=reviewed(), measured_ids=tuple(item.id for item in measured.kept()))
    if opened.design is None or not _sees_history():
        return found
    return replace(found, **past(opened.design, opened.revision, own=own))


class Past(TypedDict):
    """The part of a dossier that the design's revisions tell."""

    history: tuple[Issue, ...]
    signed_json: str
    signed_name: str


def past(design: int, newest: int | None, *, own: int | None) -> Past:
    """The revisions of a design, and the one that was signed last.

    Args:
        design: The design.
        newest: Number of the last revision that counts; None for all.
        own: The revision that is printed: it is not compared with itself.

    Raises:
        PlannerError: The store cannot be read.
    """
    saved = sorted(answers.store().revisions(design), key=lambda item: item.number)
    counting = [item for item in saved if newest is None or item.number <= newest]
    signed = _signed(design, [item for item in counting if item.number != own])
    return {
        "history": tuple(
            Issue(
                number=item.number, created=item.created, author=item.author, state=item.state, note=item.note
            )
            for item in counting
        ),
        "signed_json": signed.scenario_json if signed else "",
        "signed_name": f"revision {signed.number} of {signed.created:%Y-%m-%d}" if signed else "",
    }


def _sees_history() -> bool:
    """Whether the visitor may see the other revisions: a guest's link shows one alone."""
    who = people.actor()
    return bool(who.local or who.signed_in)


def _signed(design: int, older: Sequence[Revision]) -> Revision | None:
    """The one of these revisions that was signed last; None if there is none, or it can no longer be computed.

    An older one does not take its place: what changed since would be told against the wrong one.
    """
    for item in reversed(older):
        if answers.store().signature(design, item.number) is None:
            continue
        try:
            found = answers.store().open_revision(design, item.number)
            answers.plan_of(found.scenario_json)
        except PlannerError:
            return None
        return found
    return None


@st.cache_data(max_entries=32, show_spinner=False)
def pdf_bytes(
    order: Order, known: Dossier, _plan: Plan, _signed: Plan | None, _built: AsBuilt | None
) -> bytes:
    """The PDF of a revision, with its history and its review, and what was measured on its delivery."""
    return pdf(
        _plan,
        _stamp(order),
        built=_built,
        reviewed=known.reviewed,
        history=known.history,
        signed=_signed,
        signed_name=known.signed_name,
        beside=_beside(order, _plan),
    )


def _stamp(order: Order) -> Stamp:
    """What a document says about what is open."""
    head = order.head
    return Stamp(
        title=head.title,
        revision=head.revision,
        author=head.author,
        created=head.created,
        hash_text=head.hash_text,
        draft=head.draft,
        status=head.status,
        paper=order.paper,
        letterhead=order.letterhead,
    )


def _beside(order: Order, plan: Plan) -> Beside:
    """What documents tell beside the plan: addresses with the names of the site, and growth where it is asked for."""
    return Beside(
        **address_plan(plan, site_names.addressing_of(order.names_json)), grown=_growth(order, plan)
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def _growth(order: Order, _plan: Plan) -> Growth | None:
    if order.demand is None:
        return None
    return growth(_plan.scenario, order.demand, catalogue=_plan.calculation().context.catalogue)


def as_built_bytes(order: Order, plan: Plan, built: AsBuilt) -> bytes:
    """What was built, as a page of its own for a report."""
    return as_built_page(plan, built, _stamp(order))


@st.cache_data(max_entries=32, show_spinner=False)
def short_bytes(order: Order, _plan: Plan) -> bytes:
    """Facility sheet, questionnaire and bill of materials alone, for colocation pre-sales."""
    return short_form(_plan, _stamp(order))


@st.cache_data(max_entries=32, show_spinner=False)
def sheet_bytes(order: Order, _plan: Plan) -> bytes:
    """Every section as a sheet, with live formulas for bill, power and cost."""
    return workbook(_plan, order.identity, _beside(order, _plan))


@st.cache_data(max_entries=32, show_spinner=False)
def bill_bytes(order: Order, _plan: Plan) -> bytes:
    """The bill of materials as CSV."""
    return bill_csv(_plan, order.identity)


@st.cache_data(max_entries=32, show_spinner=False)
def json_text(order: Order, _plan: Plan) -> str:
    """The whole plan as JSON text."""
    return marked_json(_plan, order.identity)


@st.cache_data(max_entries=32, show_spinner=False)
def drawings_bytes(order: Order, _plan: Plan) -> bytes:
    """All drawings as SVG files in a ZIP."""
    stem = file_stem(order.head)
    prefixes = site_names.addressing_of(order.names_json).prefixes
    made = drawings(_plan, mark=order.identity.mark, prefixes=prefixes)
    return zipped({f"{stem}-{name}": content.encode() for name, content in made.items()})


@st.cache_data(max_entries=8, show_spinner=False)
def package_bytes(
    order: Order, known: Dossier, names_json: str, _plan: Plan, _signed: Plan | None, _built: AsBuilt | None
) -> bytes:
    """Everything in one ZIP: documents, workbook, tables, data with its schema, drawings, cables, bundle, inputs."""
    documents = {
        ".pdf": pdf_bytes(order, known, _plan, _signed, _built),
        "-short.pdf": short_bytes(order, _plan),
    }
    identity, lacking = order.identity, ""
    try:
        documents |= handover(
            _plan, site_names.addressing_of(names_json), mark=identity.mark, revision=identity.revision,
            hash_text=identity.hash_text,
        )  # fmt: skip
    except PlannerError as error:
        lacking = f"cable schedule and bundle: {error.message}"
    return package(
        _plan, identity, documents=documents, scenario_json=order.scenario_json, lacking=lacking,
        beside=_beside(order, _plan),
    )  # fmt: skip


@st.cache_data(max_entries=16, show_spinner=False)
def bundle_bytes(order: Order, names_json: str, _plan: Plan) -> bytes:
    """Configuration of switches, hosts, targets, training, monitoring and acceptance as a ZIP.

    Args:
        order: What is made a file of.
        names_json: Names and subnets of the site; empty takes the defaults.

    Raises:
        PlannerError: The ports or the addresses do not fit, or a name is refused.
    """
    return bundle(_plan, site_names.addressing_of(names_json), mark=order.identity.mark)


def cables_csv_of(order: Order, names_json: str, plan: Plan) -> str:
    """The cable schedule as CSV; the same as in the bundle.

    Raises:
        PlannerError: The ports or the addresses do not fit.
    """
    rows = site_names.listed_cables(order.scenario_json, order.catalogue_hash, names_json, plan)
    return schedules.table(schedules.CABLE_COLUMNS, rows)


def file_stem(head: Heading) -> str:
    """The start of the names of files of a design: its name and its revision, safe on every system."""
    return names.file_stem(head.title, head.revision)
