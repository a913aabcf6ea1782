"""Files of the Export screen: each is made of the open design, whole, with what its sender puts on it."""

from __future__ import annotations

import functools
import io
import json
import zipfile
from dataclasses import replace
from datetime import UTC, date, datetime

import openpyxl
import pytest
from pypdf import PdfReader
from streamlit.testing.v1 import AppTest

from pages._ui import answers, exports
from planner.core.errors import PlannerError
from planner.documents import Letterhead
from planner.scenario_json import scenario_to_json
from planner.templates import template
from tests.documents.test_letterhead import png
from tests.pages.visitor import clean, go, lines, open_template, press, said, save, show, type_text, visit
from tests.pdf_text import pages_in

SCENARIO = scenario_to_json(template("lab-8-nodes").scenario)
HEAD = exports.Heading(
    "Lab", "design 1, revision 1", "Ann", datetime(2026, 11, 29, tzinfo=UTC), "ab" * 32, draft=False
)
LABELS = {
    "Download PDF", "Everything (ZIP)", "Workbook (XLSX)", "Short form for colocation (PDF)",
    "Bill of materials (CSV)", "Download plan (JSON)", "Schema of the plan (JSON)", "Download inputs (JSON)",
    "Drawings (SVG in a ZIP)", "Cable schedule (CSV)", "Configuration bundle (ZIP)",
}  # fmt: skip


@pytest.fixture
def order() -> exports.Order:
    return exports.Order(SCENARIO, answers.catalogue().hash, HEAD)


@functools.cache
def archive() -> dict[str, bytes]:
    """Files of everything that there is to take, by the end of their names."""
    plan = answers.plan_of(SCENARIO)
    known = exports.Dossier(signed_json=SCENARIO, signed_name="revision 1 of 2026-11-02")
    order = exports.Order(SCENARIO, answers.catalogue().hash, HEAD)
    with zipfile.ZipFile(io.BytesIO(exports.package_bytes(order, known, "", plan, plan, None))) as whole:
        return {name.removeprefix(exports.file_stem(HEAD)): whole.read(name) for name in whole.namelist()}


def words_of(content: bytes) -> str:
    return "".join(pages_in(content))


def test_the_screen_offers_every_file_and_marks_a_draft() -> None:
    at = go(visit(), "export")
    assert lines(at) == []
    assert sorted(item.label for item in at.download_button) == sorted(LABELS)
    assert "marked as a draft" in said(at)


def test_a_saved_revision_says_what_it_is_and_its_hash() -> None:
    at = visit()
    save(at, "Printed design")
    told = said(go(at, "export"))
    digest = answers.basis_of(answers.store().revision(1, 1).scenario_json).signed_hash
    assert "**Printed design** · design 1, revision 1 · state: draft\n" in told
    assert f"Hash `{digest}`" in told
    assert "Not saved" not in told


def test_what_cannot_be_computed_is_not_exported() -> None:
    at = show(visit(), "ui.group", "Workload")
    type_text(at, "jobs.0.checkpoint.interval_s", "soon")
    go(at, "export")
    assert "is not a number" in lines(at)[0]
    assert len(at.download_button) == 0


def test_everything_is_one_archive_of_files_of_one_hash() -> None:
    files = archive()
    assert {".pdf", "-short.pdf", ".xlsx", "-bill.csv", "-cables.csv", "-bundle.zip"} <= set(files)
    whole, short = words_of(files[".pdf"]), words_of(files["-short.pdf"])
    assert HEAD.hash_text in whole
    assert HEAD.hash_text in short
    assert len(short) < len(whole)
    assert HEAD.hash_text in files["-cables.csv"].decode().splitlines()[1]
    with zipfile.ZipFile(io.BytesIO(files["-bundle.zip"])) as bundle:
        assert HEAD.hash_text in bundle.read("README.md").decode()
    book = openpyxl.load_workbook(io.BytesIO(files[".xlsx"]))
    assert {"Bill of materials", "Power", "Cost", "Results"} <= set(book.sheetnames)


def test_a_file_that_is_taken_alone_is_the_one_of_the_archive(order: exports.Order) -> None:
    files, plan = archive(), answers.plan_of(SCENARIO)
    assert exports.sheet_bytes(order, plan) == files[".xlsx"]
    assert exports.short_bytes(order, plan) == files["-short.pdf"]
    assert exports.bill_bytes(order, plan) == files["-bill.csv"]
    assert exports.json_text(order, plan).encode() == files["-plan.json"]
    assert exports.bundle_bytes(order, "", plan) == files["-bundle.zip"]
    with zipfile.ZipFile(io.BytesIO(exports.drawings_bytes(order, plan))) as drawn:
        pictures = {f"drawings/{name}": drawn.read(name) for name in drawn.namelist()}
    assert pictures == {name: content for name, content in files.items() if name.startswith("drawings/")}


def test_the_document_says_what_changed_since_it_was_signed() -> None:
    told = words_of(archive()[".pdf"])
    assert "Changed since the last signed revision" in told
    assert "revision 1 of 2026-11-02" in told


def test_the_json_of_a_plan_holds_its_figures(order: exports.Order) -> None:
    data = json.loads(exports.json_text(order, answers.plan_of(SCENARIO)))
    assert {"tiers", "network", "facility", "cost", "bom", "findings"} <= set(data)


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("A/B: 70B", "a-b-70b-draft"),
        ("Größe", "größe-draft"),
        ("大模型 集群", "大模型-集群-draft"),
        ("..", "draft"),
        ("x" * 300, "x" * 100 + "-draft"),
    ],
)
def test_a_file_name_is_plain(title: str, stem: str) -> None:
    assert exports.file_stem(replace(HEAD, title=title, revision="draft")) == stem


def test_another_paper_or_letterhead_makes_another_file(order: exports.Order) -> None:
    plan = answers.plan_of(SCENARIO)
    other = replace(order, paper="Letter", letterhead=Letterhead(contact="Zoë"))
    printed = exports.short_bytes(other, plan)
    assert "Zoë" in words_of(printed)
    assert "Zoë" not in words_of(exports.short_bytes(order, plan))
    page = PdfReader(io.BytesIO(printed)).pages[0]
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (612, 792)


def settings(at: AppTest) -> exports.Order:
    """What files are made of with the settings of a visitor."""
    return exports.Order(
        SCENARIO, "x", HEAD, at.session_state["export.paper"],
        Letterhead(contact=at.session_state["export.contact"], disclaimer=at.session_state["export.disclaimer"]),
    )  # fmt: skip


def test_settings_are_kept_while_the_visitor_goes_around() -> None:
    at = go(visit(), "export")
    assert at.session_state["export.disclaimer"] == "Budgetary, not an offer"
    clean(at.text_input(key="export.contact").set_value("Ann <b>B</b>").run())
    clean(at.text_input(key="export.disclaimer").set_value("").run())
    clean(at.date_input(key="export.valid").set_value(date(2027, 3, 1)).run())
    show(at, "export.paper", "Letter")
    go(at, "plan")
    go(at, "export")
    assert settings(at).paper == "Letter"
    assert settings(at).letterhead.contact == "Ann <b>B</b>"
    assert settings(at).letterhead.disclaimer == ""
    assert at.session_state["export.valid"] == date(2027, 3, 1)
    assert lines(at) == []


def test_a_logo_is_checked_and_kept_until_it_is_taken_away() -> None:
    at = go(visit(), "export")
    at.session_state["_export_logo"] = png(60, 20)
    clean(at.run())
    assert lines(at) == []
    next(item for item in at.button if item.label == "Take the logo away").click().run()
    assert at.session_state["_export_logo"] == b""
    with pytest.raises(PlannerError, match="not a PNG"):
        Letterhead(logo=b"GIF89a" + b"x" * 40)


def test_the_past_of_a_design_is_its_revisions_and_the_one_that_was_signed_before() -> None:
    at = open_template("lab-8-nodes")
    design, first = save(at, "Lab")
    go(at, "review")
    press(at, "review.submit")
    at.text_input(key="save.author").set_value("Ann")
    press(at, "review.approve")
    assert lines(go(at, "export")) == []
    assert exports.past(design, first, own=first)["signed_json"] == ""
    known = exports.past(design, None, own=None)
    assert [issue.number for issue in known["history"]] == [first]
    signed = answers.store().revision(design, first)
    assert known["signed_json"] == signed.scenario_json
    assert known["signed_name"] == f"revision {first} of {signed.created:%Y-%m-%d}"
