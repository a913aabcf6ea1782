"""Files of the Export screen: each is made of the open design, whole, with what its sender puts on it."""

from __future__ import annotations

import io
import zipfile
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
from tests.pages.visitor import clean, go, lines, press, save, show, visit
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


def words_of(content: bytes) -> str:
    return "".join(pages_in(content))


def test_the_screen_offers_every_file() -> None:
    at = go(visit(), "export")
    assert lines(at) == []
    assert {item.label for item in at.get("download_button")} >= LABELS


def test_everything_is_one_archive_of_files_of_one_hash(order: exports.Order) -> None:
    plan = answers.plan_of(SCENARIO)
    content = exports.package_bytes(order, exports.Dossier(), "", plan, None, None)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        stem = exports.file_stem(HEAD)
        names = set(archive.namelist())
        assert {f"{stem}.pdf", f"{stem}-short.pdf", f"{stem}.xlsx", f"{stem}-bill.csv",
                f"{stem}-cables.csv", f"{stem}-bundle.zip"} <= names  # fmt: skip
        whole, short = (words_of(archive.read(f"{stem}{end}")) for end in (".pdf", "-short.pdf"))
        assert HEAD.hash_text in whole
        assert HEAD.hash_text in short
        assert len(short) < len(whole)
        assert HEAD.hash_text in archive.read(f"{stem}-cables.csv").decode().splitlines()[1]
        with zipfile.ZipFile(io.BytesIO(archive.read(f"{stem}-bundle.zip"))) as bundle:
            assert HEAD.hash_text in bundle.read("README.md").decode()


def test_workbook_and_bundle_are_whole(order: exports.Order) -> None:
    plan = answers.plan_of(SCENARIO)
    book = openpyxl.load_workbook(io.BytesIO(exports.sheet_bytes(order, plan)))
    assert {"Bill of materials", "Power", "Cost", "Results"} <= set(book.sheetnames)
    with zipfile.ZipFile(io.BytesIO(exports.bundle_bytes(order, "", plan))) as bundle:
        assert bundle.testzip() is None
        assert any(name.endswith("README.md") for name in bundle.namelist())


def test_another_catalogue_or_letterhead_makes_another_file(order: exports.Order) -> None:
    plan = answers.plan_of(SCENARIO)
    other = exports.Order(SCENARIO, "another", HEAD, "Letter", Letterhead(contact="Zoë"))
    assert "Zoë" in words_of(exports.short_bytes(other, plan))
    assert "Zoë" not in words_of(exports.short_bytes(order, plan))
    page = PdfReader(io.BytesIO(exports.short_bytes(other, plan))).pages[0]
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


def test_a_saved_design_prints_its_history_and_what_changed_since_it_was_signed() -> None:
    at = go(visit(), "designs")
    show(at, "designs.view", "New from a template")
    press(at, "template.lab-8-nodes")
    design, first = save(go(at, "plan"), "Lab")
    go(at, "review")
    press(at, "review.submit")
    at.text_input(key="save.author").set_value("Ann")
    press(at, "review.approve")
    assert lines(go(at, "export")) == []
    assert exports.past(design, first, own=first)["signed_json"] == ""
    known = exports.Dossier(**exports.past(design, None, own=None))
    assert [issue.number for issue in known.history] == [first]
    assert known.signed_name.startswith(f"revision {first} of ")
    plan, signed = answers.plan_of(SCENARIO), answers.plan_of(known.signed_json)
    told = words_of(exports.pdf_bytes(exports.Order(SCENARIO, "x", HEAD), known, plan, signed, None))
    assert "Changed since the last signed revision" in told
    assert known.signed_name in told
