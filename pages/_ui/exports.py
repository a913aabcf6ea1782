"""Documents of the open design; each is made once for a revision and kept."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from pages._ui import answers, held, session
from planner.deploy import bundle
from planner.documents import pdf, plan_json, short_form
from planner.documents.tables import plan_xlsx


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
    if opened.design is None or opened.revision is None or opened.draft:
        base = (
            "draft"
            if opened.design is None
            else f"draft on revision {opened.revision} of design {opened.design}"
        )
        kept = answers.store().draft(opened.draft) if opened.draft else None
        written = kept.updated if kept else datetime.now(UTC)
        return Heading(title, base, str(session.get("save.author")), written, digest, draft=True)
    saved = answers.store().revision(opened.design, opened.revision)
    return Heading(
        answers.store().design(opened.design).name,
        f"design {opened.design}, revision {saved.number}",
        saved.author,
        saved.created,
        digest,
        draft=False,
        status=saved.state,
    )


@st.cache_data(max_entries=64, show_spinner="Making the PDF")
def pdf_bytes(scenario_json: str, head: Heading) -> bytes:
    """The PDF of a revision."""
    return pdf(
        answers.plan_of(scenario_json),
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
def bundle_bytes(scenario_json: str) -> bytes:
    """Configuration of switches, hosts, targets, training, monitoring and acceptance as a ZIP.

    Raises:
        PlannerError: The ports or the addresses do not fit.
    """
    return bundle(answers.plan_of(scenario_json))


@st.cache_data(max_entries=64, show_spinner=False)
def json_text(scenario_json: str) -> str:
    """The whole plan as JSON text."""
    return json.dumps(plan_json(answers.plan_of(scenario_json)), ensure_ascii=False, indent=2) + "\n"


def file_stem(head: Heading) -> str:
    """A file name that every system takes, out of the design's name and revision."""
    plain = unicodedata.normalize("NFKD", f"{head.title} {head.revision}").encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-").lower()[:80] or "design"
