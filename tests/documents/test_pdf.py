"""The PDF says what the plan says, survives any text, and is the same file each time."""

import functools
import io
import re
from collections import Counter
from datetime import UTC, datetime

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.catalogue import load_catalogue
from planner.charts.colours import COLOURS
from planner.documents import pdf, pictures
from planner.documents.design import SECTIONS
from planner.documents.overview import cover
from planner.documents.page import Stamp, build
from planner.documents.parts import table
from planner.documents.text import BODY, LONGEST, REPLACEMENT, clean, fitted, fonts, runs, width_pt
from planner.inputs import inputs_for, value_at, with_value
from planner.plan import plan
from planner.summary import headline, key_figures
from planner.templates import template, templates

NAMES = tuple(item.id for item in templates())
CREATED = datetime(2026, 9, 22, 10, 5, tzinfo=UTC)
HASH = "0123456789abcdef" * 4


@functools.cache
def planned(name):
    return plan(template(name).scenario, load_catalogue())


def rendered(result, *, title="A design", author="A. Author", draft=False):
    return pdf(result, title=title, revision=7, author=author, created=CREATED, hash_text=HASH, draft=draft)


@functools.cache
def file_of(name, draft=False):
    return rendered(planned(name), title=template(name).name, draft=draft)


@functools.cache
def pages_of(name, draft=False):
    reader = pypdf.PdfReader(io.BytesIO(file_of(name, draft)))
    return tuple(page.extract_text() for page in reader.pages)


def squeezed(text):
    return re.sub(r"\s", "", text)


@functools.cache
def words_of(name):
    """Text of the whole document without blanks and footers."""
    footer = squeezed(f"{clean(template(name).name)}") + r"Revision7·" + HASH
    return squeezed("".join(pages_of(name))).replace(footer, "")


def has(name, text):
    return squeezed(clean(text)) in words_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_summary_stands_in_the_document(name):
    result = planned(name)
    assert has(name, template(name).name)
    assert has(name, headline(result))
    for label, item in key_figures(result).items():
        assert has(name, label + item.text())


@pytest.mark.parametrize("name", NAMES)
def test_findings_guide_rows_and_parts_stand_in_the_document(name):
    result = planned(name)
    assert all(has(name, f"{finding.severity.upper()} {finding.code}") for finding in result.findings)
    assert all(has(name, finding.message) and has(name, finding.remedy) for finding in result.findings)
    assert all(has(name, row.guide_text) and has(name, row.design_text) for row in result.guide)
    for line in result.bom:
        assert has(name, line.description)
        assert has(name, f"{line.quantity} {line.unit}")
        assert has(name, str(line.extended_low_usd) if line.priced else "not priced")
    assert all(has(name, item.text()) for tier in result.tiers for item in tier.terms.values())


def test_every_input_is_listed_with_its_source():
    scenario = template("two-jobs").scenario
    for item in inputs_for(2):
        value = value_at(scenario, item.path)
        assert has("two-jobs", item.label)
        if value is not None and value == item.default:
            assert has("two-jobs", item.source or "default of the planner")


@pytest.mark.parametrize("name", ["lab-8-nodes", "frontier-16384"])
def test_every_page_says_what_it_belongs_to(name):
    pages = pages_of(name)
    for number, page in enumerate(pages, start=1):
        assert squeezed(f"Page {number} of {len(pages)}") in squeezed(page)
        assert squeezed(f"Revision 7 · {HASH}") in squeezed(page)
        assert squeezed(template(name).name) in squeezed(page)
    assert 15 < len(pages) < 40


def test_a_draft_is_marked_on_every_page_and_an_issue_on_none():
    assert all("DRAFT" in page for page in pages_of("lab-8-nodes", True))
    assert not any("DRAFT" in page for page in pages_of("lab-8-nodes"))


def test_the_outline_leads_to_the_sections():
    reader = pypdf.PdfReader(io.BytesIO(file_of("lab-8-nodes")))
    found = [entry for entry in reader.outline if not isinstance(entry, list)]
    assert [entry.title for entry in found] == [title for title, _, _ in SECTIONS]
    for entry, (title, _, _) in zip(found, SECTIONS, strict=True):
        number = reader.get_destination_page_number(entry)
        assert squeezed(title) in squeezed(reader.pages[number].extract_text())


def test_long_tables_repeat_their_header():
    pages = [squeezed(page) for page in pages_of("lab-8-nodes")]
    assert sum("InputValueStateSourceGrade" in page for page in pages) >= 3


def test_the_file_names_itself():
    file = rendered(planned("lab-8-nodes"), title="Größe α", author="Жан")
    about = pypdf.PdfReader(io.BytesIO(file)).metadata
    assert (about.title, about.author) == ("Größe α", "Жан")
    assert about.creation_date == CREATED


@pytest.mark.parametrize("name", ["lab-8-nodes", "two-jobs"])
def test_identical_input_gives_identical_bytes(name):
    assert rendered(planned(name), title=template(name).name) == file_of(name)
    assert rendered(planned(name), title="another") != file_of(name)


def test_fonts_are_embedded():
    reader = pypdf.PdfReader(io.BytesIO(file_of("lab-8-nodes")))
    used = {}
    for page in reader.pages:
        for reference in page["/Resources"]["/Font"].values():
            font = reference.get_object()
            used[font["/BaseFont"]] = "/FontFile2" in font.get("/FontDescriptor", {})
    assert any("DejaVuSans-Bold" in font for font in used)
    assert [font for font, embedded in used.items() if not embedded] in ([], ["/Helvetica"])


HOSTILE = [
    "<b>bold</b> & <font size=99>", "]]>&#0;<para>", "a" * 5000, "W" * 200, "\x00\x1b[31m\u202eevil\u2066",
    "設計 스토리지 ストレージ", "تخزين אחסון", "e\u0301\u0301\u0301\u0301", "\U0001f600\ud800\uffff",
    "=HYPERLINK(1)",
    "%s {0} \\n (x) [y]", "",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_print_everywhere(text):
    name = text.encode("utf-8", "ignore").decode()[:200]
    scenario = with_value(with_value(template("two-jobs").scenario, "name", name), "jobs.0.name", name)
    scenario = with_value(scenario, "jobs.1.model.name", name)
    reader = pypdf.PdfReader(io.BytesIO(rendered(plan(scenario, load_catalogue()), title=text, author=text)))
    printed = Counter(squeezed("".join(page.extract_text() for page in reader.pages)))
    assert not Counter(squeezed(clean(text, limit=LONGEST))) - printed


@settings(max_examples=200, deadline=None)
@given(st.text(), st.text())
def test_any_title_and_author_print(title, author):
    stamp = Stamp(
        clean(title, limit=LONGEST).strip(), "1", clean(author, limit=LONGEST), CREATED, HASH, False
    )
    story = cover(planned("lab-8-nodes"), stamp, [("Summary", "summary")])
    story = [
        *story,
        *SECTIONS[0][2](planned("lab-8-nodes")),
        *table(("A", "B"), [(title, author)], (0.05, 0.95)),
    ]
    reader = pypdf.PdfReader(io.BytesIO(build(story, stamp)))
    printed = Counter(squeezed("".join(page.extract_text() for page in reader.pages)))
    assert not Counter(squeezed(stamp.title + stamp.author)) - printed


@given(st.text())
def test_a_clean_text_has_a_glyph_for_each_character(text):
    kept = clean(text)
    covered = frozenset().union(*fonts().values())
    assert all(ord(character) in covered and ord(character) <= 0xFFFF for character in kept)
    assert clean(kept) == kept
    assert "".join(piece for _, piece in runs(kept)) == kept


def test_what_has_no_glyph_shows_as_such_and_what_has_one_stays():
    assert clean("a\U0001f600b") == f"a{REPLACEMENT}b"
    assert clean("a\u202eb\ud800c\x00d") == "abcd"
    assert clean("1\u202f024 GB") == "1\u00a0024 GB"
    assert [font for font, _ in runs(clean("A 設 B"))] == [BODY, "Wide", BODY]


@given(st.text(), st.floats(10, 400))
def test_a_fitted_text_fits(text, room):
    assert width_pt(fitted(clean(text), BODY, 7.0, room), BODY, 7.0) <= room


def test_pictures_use_the_colours_of_the_screen():
    pairs = (
        ("checkpoint", pictures.CHECKPOINT),
        ("dataset", pictures.DATASET),
        ("network", pictures.NETWORK),
    )
    for meaning, colour in pairs:
        assert colour.hexval().removeprefix("0x").upper() == COLOURS[meaning].removeprefix("#")
