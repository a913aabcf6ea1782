"""The PDF says what the plan says, survives any text, and is the same file each time."""

import io
import re
from collections import Counter

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.catalogue import load_catalogue
from planner.core.errors import PlannerError
from planner.documents.cover import cover
from planner.documents.direction import runs_right
from planner.documents.page import Stamp, build
from planner.documents.parts import table
from planner.documents.text import LONGEST, clean, shown
from planner.inputs import inputs_for, value_at
from planner.plan import plan
from planner.scenario_json import with_value
from planner.summary import key_figures
from planner.templates import template
from tests.documents.printed import (
    CREATED,
    GUIDE,
    HASH,
    LARGEST,
    SMALLEST,
    body_of,
    file_of,
    glyphs_in,
    pages_in,
    pages_of,
    planned,
    rendered,
    sections_in,
    shortly,
    squeezed,
    words_of,
)
from tests.plan.changes import UNLIKE


def has(name, text):
    return squeezed(clean(text)) in words_of(name)


@pytest.mark.parametrize("name", UNLIKE)
def test_the_key_figures_stand_in_the_document(name):
    assert has(name, template(name).name)
    for label, item in key_figures(planned(name)).items():
        assert has(name, label + item.text())


@pytest.mark.parametrize("name", UNLIKE)
def test_findings_guide_rows_and_parts_stand_in_the_document(name):
    result = planned(name)
    assert all(has(name, f"{finding.severity.upper()} {finding.code}") for finding in result.findings)
    assert all(has(name, finding.message) and has(name, finding.remedy) for finding in result.findings)
    assert all(has(name, row.guide_text) and has(name, row.design_text) for row in result.guide)
    for line in result.bill.lines:
        assert has(name, line.description)
        assert has(name, f"{line.quantity} {line.unit}")
        assert has(name, str(line.extended_low_usd) if line.priced else "not priced")
    assert all(has(name, item.text()) for tier in result.tiers for item in tier.terms.values())


@pytest.mark.parametrize("name", UNLIKE)
def test_the_layout_of_each_checkpoint_stands_in_the_document(name):
    for result in planned(name).jobs:
        layout = result.layout
        assert has(name, layout.writers)
        assert has(name, layout.readers)
        for group in layout.files:
            assert has(name, f"{group.content}{group.count}{group.size_bytes}")
        assert has(
            name,
            f"training state {layout.state_low_bytes} to {layout.state_high_bytes} of {layout.gpu_memory_bytes}",
        )


def test_every_input_is_listed_with_its_source():
    scenario = template("two-jobs").scenario
    for item in inputs_for(2):
        value = value_at(scenario, item.path)
        assert has("two-jobs", item.label)
        if value is not None and value == item.default:
            assert has("two-jobs", item.source or "default of the planner")


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_every_page_says_what_it_belongs_to(name):
    pages = pages_of(name)
    for number, page in enumerate(pages, start=1):
        assert squeezed(f"Page {number} of {len(pages)}") in squeezed(page)
        assert squeezed(f"Revision 7 · saved, not signed off · {HASH}") in squeezed(page)
        assert squeezed(template(name).name) in squeezed(page)
        assert "Budgetary, not an offer" in page
    assert 40 < len(pages) < 100


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_outline_and_contents_lead_to_the_sections(name):
    found = sections_in(file_of(name))
    contents = squeezed(pages_of(name)[1])
    assert len(found) > 30
    for title, number in found:
        assert squeezed(title) in squeezed(pages_of(name)[number])
        assert squeezed(f"{title}{number + 1}") in contents


def test_the_contents_are_links():
    page = pypdf.PdfReader(io.BytesIO(file_of(SMALLEST))).pages[1]
    links = [note.get_object() for note in page["/Annots"]]
    assert len(links) == len(sections_in(file_of(SMALLEST)))
    assert all(link["/Subtype"] == "/Link" for link in links)


def test_text_comes_in_the_order_in_which_it_is_read():
    words = words_of(SMALLEST)
    # The contents name every section too: the last place of a title is its heading or comes after it.
    places = [
        words.index(squeezed(title), words.index("Keyfigure")) for title in ("Requirements", "Datapipeline")
    ]
    assert places == sorted(places)
    topics = (
        "Whatisaskedandwhatisprovided",
        "Filesofonesave",
        "Waste",
        "Architecturescompared",
        "Whatlieswhere",
    )
    assert [words.index(topic) for topic in topics] == sorted(words.index(topic) for topic in topics)
    for page in pages_of(SMALLEST)[2:]:
        assert squeezed(page).endswith(tuple("0123456789"))  # the footer comes last, with the number of pages


def test_long_tables_repeat_their_header():
    pages = [squeezed(page) for page in pages_of(SMALLEST)]
    assert sum("InputValueStateSourceGrade" in page for page in pages) >= 3


def test_the_file_names_itself():
    file = rendered(planned(SMALLEST), title="Größe α", author="Жан")
    reader = pypdf.PdfReader(io.BytesIO(file))
    assert (reader.metadata.title, reader.metadata.author) == ("Größe α", "Жан")
    assert reader.metadata.creation_date == CREATED
    assert reader.root_object["/Lang"] == "en"
    assert reader.root_object["/ViewerPreferences"]["/DisplayDocTitle"].value is True
    assert reader.root_object["/PageMode"] == "/UseOutlines"
    assert reader.metadata.subject == "Storage design, revision 7"
    assert {"bill of materials", HASH} <= set(reader.metadata["/Keywords"].split(", "))


def test_identical_input_gives_identical_bytes():
    assert rendered(planned("two-jobs"), title=template("two-jobs").name) == file_of("two-jobs")


def test_fonts_are_embedded():
    reader = pypdf.PdfReader(io.BytesIO(file_of(SMALLEST)))
    used = {}
    for page in reader.pages:
        # The library chooses Helvetica before each drawing, and writes nothing in it.
        for name in set(re.findall(rb"(/\S+) [\d.]+ Tf(?! [\d.]+ TL ET)", page.get_contents().get_data())):
            font = page["/Resources"]["/Font"][name.decode()].get_object()
            used[font["/BaseFont"]] = "/FontFile2" in font.get("/FontDescriptor", {})
    assert any("DejaVuSans-Bold" in font for font in used)
    assert [font for font, embedded in used.items() if not embedded] == []


# --- paper, state, sections that are asked for ------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "size"), [("A4", (595, 842)), ("Letter", (612, 792))])
def test_paper(paper, size):
    file = file_of(SMALLEST) if paper == "A4" else rendered(planned(SMALLEST), paper=paper)
    pages = pypdf.PdfReader(io.BytesIO(file)).pages
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in pages} == {size}


def test_an_unknown_paper_is_refused_with_the_nearest():
    with pytest.raises(PlannerError, match=r"paper: “Leter” is not A4 or Letter; did you mean Letter\?"):
        rendered(planned(SMALLEST), paper="Leter")


@pytest.mark.parametrize(
    ("draft", "status", "mark", "state"),
    [
        (True, "", "DRAFT", "draft"),
        (True, "approved", "DRAFT", "draft"),
        (False, "", None, "saved, not signed off"),
        (False, "in review", "IN REVIEW", "in review"),
        (False, "changes requested", "CHANGES REQUESTED", "changes requested"),
        (False, "superseded", "SUPERSEDED", "superseded"),
        (False, "approved", None, "approved"),
    ],
)
def test_every_page_bears_its_state_until_it_is_approved(draft, status, mark, state):
    pages = pages_in(shortly(planned(SMALLEST), draft=draft, status=status))
    marks = ("DRAFT", "IN REVIEW", "CHANGES REQUESTED", "SUPERSEDED")
    for page in pages:
        assert [word for word in marks if word in page] == ([mark] if mark else [])
        assert squeezed(f"Revision 7 · {state} · {HASH}") in squeezed(page)


def test_the_sign_off_names_the_hash():
    last = squeezed(pages_of(SMALLEST)[-1])
    assert "RoleNameDateSignature" in last
    assert HASH in last.partition("Role")[0]


# --- any text ---------------------------------------------------------------------------------------------------

HOSTILE = [
    "<b>bold</b> & <font size=99>", "]]>&#0;<para>", "a" * 5000, "W" * 200, "\x00\x1b[31m\u202eevil\u2066",
    "設計 스토리지 ストレージ" * 12, "تخزين אחסון <i>(x)</i> " * 8, "e\u0301\u0301\u0301\u0301", "\U0001f600\ud800\uffff",
    "=HYPERLINK(1)", "%s {0} \\n (x) [y]", "",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_of_the_cover_print_to_the_letter(text):
    file = shortly(planned(SMALLEST), title=text, author=text, revision=text, status=text)
    drawn, cover = squeezed(shown(clean(text, limit=LONGEST))), squeezed(glyphs_in(file)[0])
    # What runs from right to left is turned round line by line.
    assert not Counter(drawn) - Counter(cover) if runs_right(text) else drawn in cover


@pytest.mark.parametrize("names", [HOSTILE[first : first + 3] for first in range(0, len(HOSTILE), 3)])
def test_hostile_names_print_in_every_section(names):
    kept = [text.encode("utf-8", "ignore").decode()[:LONGEST] for text in names]
    scenario = template("two-jobs").scenario
    for path, name in zip(("name", "jobs.0.name", "jobs.1.model.name"), kept, strict=True):
        scenario = with_value(scenario, path, name)
    words = body_of(pages_in(rendered(plan(scenario, load_catalogue()))))
    for name in kept:
        # The reader puts what runs from right to left, and signs over a letter, in an order of its own.
        if not runs_right(name) and "\u0301" not in name:
            assert squeezed(clean(name)) in words


@settings(max_examples=60)
@given(st.text(), st.text())
def test_any_title_and_author_print(title, author):
    stamp = Stamp(title, "1", author, CREATED, HASH, False)
    story = [
        *cover(planned(SMALLEST), stamp),
        *table(("A", "B"), [(title, author)], (0.05, 0.95)),
    ]
    printed = Counter(squeezed("".join(glyphs_in(build(story, stamp)))))
    assert not Counter(squeezed(shown(stamp.title) + shown(stamp.author))) - printed


def test_what_is_unknown_prints_as_unknown():
    scenario = template(GUIDE).scenario
    for path, value in (
        ("storage.hot.platform_id", "netapp-a900"),
        ("storage.hot.manual_write_bytes_per_s", 20e9),
        ("storage.hot.manual_read_bytes_per_s", 30e9),
        ("storage.hot.manual_usable_bytes", 50e12),
    ):
        scenario = with_value(scenario, path, value)
    result = plan(scenario, load_catalogue())
    assert not result.endurance.rated_life_s.known
    words = "".join(pages_in(rendered(result)))
    assert not re.search(r"\bnan\b", words, re.IGNORECASE)
    assert squeezed("Rating used up after unknown") in squeezed(words)
    assert squeezed("unknown: a figure that it needs is missing") in squeezed(words)
