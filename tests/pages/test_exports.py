"""Files of the Export screen: each is made of the open design, whole."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime

from pypdf import PdfReader

from pages._ui import exports
from planner.inputs import scenario_to_json
from planner.templates import template
from tests.pages.visitor import go, lines, visit

SCENARIO = scenario_to_json(template("lab-8-nodes").scenario)
HEAD = exports.Heading(
    "Lab", "design 1, revision 1", "Ann", datetime(2026, 11, 29, tzinfo=UTC), "ab" * 32, draft=False
)


def test_the_screen_offers_every_file() -> None:
    at = go(visit(), "export")
    assert lines(at) == []
    offered = {item.label for item in at.get("download_button")}
    assert {
        "Download PDF",
        "Short form for colocation (PDF)",
        "Bill of materials and racks (XLSX)",
        "Configuration bundle (ZIP)",
    } <= offered


def test_the_short_form_is_shorter_than_the_document() -> None:
    short, whole = (
        len(PdfReader(io.BytesIO(content)).pages)
        for content in (exports.short_bytes(SCENARIO, HEAD), exports.pdf_bytes(SCENARIO, HEAD))
    )
    assert 2 <= short < whole


def test_workbook_and_bundle_are_whole() -> None:
    with zipfile.ZipFile(io.BytesIO(exports.sheet_bytes(SCENARIO, HEAD.created))) as book:
        assert book.testzip() is None
        assert "xl/workbook.xml" in book.namelist()
    with zipfile.ZipFile(io.BytesIO(exports.bundle_bytes(SCENARIO))) as bundle:
        assert bundle.testzip() is None
        assert any(name.endswith("README.md") for name in bundle.namelist())
