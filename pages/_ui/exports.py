"""Documents of the open design; each is made once for a revision and kept."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from pages._ui import answers, held, measured, session
from planner import __version__
from planner.deploy import bundle, schedules, sheets
from planner.deploy.addressing import Addressing, addressing_from_json
from planner.deploy.site import site
from planner.documents import as_built_page, pdf, plan_json, short_form
from planner.documents.tables import plan_xlsx
from planner.plan import Plan
from planner.review import ReviewRecord
from planner.review.as_built import AsBuilt
from planner.sections.fabric_svg import fabric_svg
from planner.store import review_record

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


def heading(scenario_json: str) -> Heading:
    """Heading of what is open.

    Raises:
        PlannerError: The store cannot be read.
    """
    opened = session.link()
    title, digest = str(held.get("name")), answers.basis_of(scenario_json).signed_hash
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
        answers.store().design(opened.design).name,
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


@st.cache_data(max_entries=64, show_spinner="Making the PDF")
def pdf_bytes(
    scenario_json: str,
    head: Heading,
    measured_numbers: tuple[int, ...] = (),
    reviewed: ReviewRecord | None = None,
) -> bytes:
    """The PDF of a revision, with its review, and what was measured on its delivery where something is kept."""
    made = answers.plan_of(scenario_json)
    return pdf(
        made,
        built=measured.built(made) if measured_numbers else None,
        reviewed=reviewed,
        title=head.title,
        revision=head.revision,
        author=head.author,
        created=head.created,
        hash_text=head.hash_text,
        draft=head.draft,
        status=head.status,
    )


def as_built_bytes(plan: Plan, head: Heading, built: AsBuilt) -> bytes:
    """What was built, as a page of its own for a report."""
    return as_built_page(
        plan,
        built,
        title=head.title,
        revision=head.revision,
        author=head.author,
        created=head.created,
        hash_text=head.hash_text,
        draft=head.draft,
        status=head.status,
    )


@st.cache_data(max_entries=64, show_spinner="Making the short form")
def short_bytes(scenario_json: str, head: Heading) -> bytes:
    """Facility sheet, questionnaire and bill of materials alone, for colocation pre-sales."""
    return short_form(
        answers.plan_of(scenario_json),
        title=head.title,
        revision=head.revision,
        author=head.author,
        created=head.created,
        hash_text=head.hash_text,
        draft=head.draft,
        status=head.status,
    )


@st.cache_data(max_entries=64, show_spinner="Making the workbook")
def sheet_bytes(scenario_json: str, created: datetime) -> bytes:
    """The bill of materials, the racks and their places as a workbook with live formulas."""
    return plan_xlsx(answers.plan_of(scenario_json), created=created)


@st.cache_data(max_entries=16, show_spinner="Writing the configuration")
def bundle_bytes(scenario_json: str, names_json: str = "") -> bytes:
    """Configuration of switches, hosts, targets, training, monitoring and acceptance as a ZIP.

    Args:
        scenario_json: The scenario.
        names_json: Names and subnets of the site; empty takes the defaults.

    Raises:
        PlannerError: The ports or the addresses do not fit, or a name is refused.
    """
    return bundle(answers.plan_of(scenario_json), addressing_of(names_json))


def addressing_of(names_json: str) -> Addressing:
    """Names and subnets of the site as they are typed, or the defaults.

    Raises:
        PlannerError: It is not JSON, or a name or subnet is refused; one line says which.
    """
    return addressing_from_json(names_json) if names_json.strip() else Addressing()


@st.cache_data(max_entries=16, show_spinner="Listing the cables")
def cable_rows(scenario_json: str, names_json: str = "") -> list[tuple[object, ...]]:
    """The cable schedule with the names of the site, or the default ones.

    Raises:
        PlannerError: The ports or the addresses do not fit.
    """
    return list(schedules.cable_rows(site(answers.plan_of(scenario_json), addressing_of(names_json))))


@st.cache_data(max_entries=16, show_spinner=False)
def cables_csv(scenario_json: str, names_json: str = "") -> str:
    """The cable schedule as CSV; the same as in the bundle.

    Raises:
        PlannerError: The ports or the addresses do not fit.
    """
    return schedules.table(schedules.CABLE_COLUMNS, cable_rows(scenario_json, names_json))


@st.cache_data(max_entries=16, show_spinner="Listing the zones")
def zone_rows(scenario_json: str) -> list[tuple[str, str, str, str]]:
    """Name, side, initiator and targets of every Fibre Channel zone.

    Raises:
        PlannerError: The ports do not fit.
    """
    made = sheets.zones(site(answers.plan_of(scenario_json), Addressing()))
    return [(zone["name"], zone["side"], zone["initiator"], ", ".join(zone["targets"])) for zone in made]


@st.cache_data(max_entries=64, show_spinner=False)
def drawing_svg(scenario_json: str) -> str:
    """The drawing of the network as a file of its own."""
    return fabric_svg(answers.plan_of(scenario_json).fabric_drawing(width=640.0), ground=True)


@st.cache_data(max_entries=64, show_spinner=False)
def json_text(scenario_json: str) -> str:
    """The whole plan as JSON text."""
    return json.dumps(plan_json(answers.plan_of(scenario_json)), ensure_ascii=False, indent=2) + "\n"


def file_stem(head: Heading) -> str:
    """A file name that every system takes, out of the design's name and revision."""
    plain = unicodedata.normalize("NFKD", f"{head.title} {head.revision}").encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-").lower()[:80] or "design"
