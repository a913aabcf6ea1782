"""Every script prints as its readers write it: shaped, ordered, broken where it may be."""

import functools
import io
import itertools
import re
import unicodedata
from dataclasses import replace

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.catalogue import load_catalogue
from planner.documents.cover import cover
from planner.documents.direction import direction, displayed, runs_right
from planner.documents.files import layout
from planner.documents.lines import broken
from planner.documents.requirements import requirements
from planner.documents.text import BODY, BOLD, WIDE, clean, fitted, fonts, runs, shown, width_pt
from planner.plan import plan
from planner.scenario_json import with_value
from planner.templates import template
from tests.documents.printed import SMALLEST, STAMP, glyphs_in, laid_out, pages_in, planned, shortly, squeezed

ARABIC = "شركة التخزين المتحدة للبيانات NVMe (2026) في الرياض"
PERSIAN = "می\u200cخواهم"
HEBREW = "אחסון NVMe 100 GB/s (בדיקה)"
JAPANESE = "大規模学習クラスタ向けストレージ（NVMe-oF）、『東京』データセンター。"
CHINESE = "中文存储设计，用于人工智能训练集群（1024 GPU）。"
KOREAN = "대규모 학습 클러스터용 스토리지 설계 문서"
MIXED = "Design for شركة التخزين (Riyadh) phase 2"
SCRIPTS = {
    "arabic": ARABIC,
    "hebrew": HEBREW,
    "japanese": JAPANESE,
    "chinese": CHINESE,
    "korean": KOREAN,
    "mixed": MIXED,
}


def nfkc(text):
    return unicodedata.normalize("NFKC", text)


# --- direction: the examples of Unicode's report on it, and what they mean for names ------------------------------


@pytest.mark.parametrize(
    ("text", "way", "drawn"),
    [
        ("שלום", "R", "םולש"),
        ("car is שלום", "L", "car is םולש"),
        ("שלום is car", "R", "is car םולש"),
        ("אחסון 100 GB", "R", "GB 100 ןוסחא"),
        ("(בדיקה)", "R", "(הקידב)"),
        ("אחסון NVMe (2026)", "R", "NVMe (2026) ןוסחא"),
        ("אחסון [NVMe] {בדיקה}", "R", "{הקידב} [NVMe] ןוסחא"),
        ("NVMe (שלום)", "L", "NVMe (םולש)"),
        ("שלום)", "R", "(םולש"),
    ],
)
def test_lines_are_drawn_in_visual_order(text, way, drawn):
    assert displayed(text, way) == drawn


def test_a_bracket_pair_after_a_latin_word_stays_with_it():
    # UAX 9, rule N0 c 1: the text before the pair is Latin, so is the number in it.
    assert displayed("אבג NVMe (2026)", "R") == "NVMe (2026) גבא"
    # N0 b: something in the pair runs the way of the paragraph.
    assert displayed("אבג NVMe (ד)", "R") == "(ד) NVMe גבא"


def test_arabic_letters_are_joined():
    # The presentation forms of beh: isolated, initial, medial, final; lam with alef is one sign.
    assert displayed("ب", "R") == "\ufe8f"
    assert displayed("ببب", "R") == "\ufe90\ufe92\ufe91"
    assert displayed("لا", "R") == "\ufefb"


def test_the_joiner_keeps_persian_letters_apart_and_is_not_drawn():
    apart, joined = displayed(clean(PERSIAN), "R"), displayed(PERSIAN.replace("\u200c", ""), "R")
    assert "\u200c" not in apart
    assert nfkc(apart)[::-1] == PERSIAN.replace("\u200c", "")
    assert apart != joined


def test_vowel_signs_are_kept():
    assert "\u064e" in displayed("سَلام", "R")


@pytest.mark.parametrize(
    ("text", "way"), [(ARABIC, "R"), (HEBREW, "R"), (MIXED, "L"), ("12 שלום", "R"), ("12", "L")]
)
def test_direction_is_that_of_the_first_letter(text, way):
    assert direction(text) == way


@given(st.text())
def test_only_what_runs_right_is_turned_and_nothing_is_lost(text):
    kept = clean(text)
    assert runs_right(kept) or shown(kept) == kept
    plain = nfkc(kept.replace("\u200c", "").replace("\u200e", ""))
    # A mirrored bracket is another character with the same meaning.
    assert len(nfkc(shown(kept))) == len(plain)


# --- glyphs -------------------------------------------------------------------------------------------------------


@given(st.text())
def test_a_clean_text_has_a_glyph_for_each_character(text):
    kept = clean(text)
    covered = frozenset().union(*fonts().values())
    assert all(ord(character) in covered and ord(character) <= 0xFFFF for character in shown(kept))
    assert clean(kept) == kept
    assert "".join(piece for _, piece in runs(kept)) == kept


def test_what_has_no_glyph_shows_as_such_and_what_has_one_stays():
    assert clean("a\U0001f600b") == "a[grinning face]b"
    assert clean("a\U0001f44d\U0001f3fdb") == "a[thumbs up sign]b"
    assert clean("a\U00020000b") == "a\ufffdb"
    assert clean("a\u202eb\ud800c\x00d") == "abcd"
    assert clean("1\u202f024 GB") == "1\u00a0024 GB"
    assert clean("a\u200cb") == "ab"
    assert [font for font, _ in runs(clean("A 設 B"))] == [BODY, WIDE, BODY]
    assert [font for font, _ in runs(shown(ARABIC), BOLD)] == [BOLD]


# --- breaking -----------------------------------------------------------------------------------------------------


@given(st.text(), st.floats(12, 400))
def test_lines_fit_and_hold_the_whole_text(text, room):
    kept = clean(text)
    lines = broken(kept, BODY, 7.0, room)
    assert lines
    assert "".join(lines).replace(" ", "") == kept.replace(" ", "")
    assert all(width_pt(line, BODY, 7.0) <= room + 1e-6 or len(line.strip()) <= 1 for line in lines)


@pytest.mark.parametrize("text", [JAPANESE * 3, CHINESE * 3])
def test_signs_that_close_never_begin_a_line_and_signs_that_open_never_end_one(text):
    for room in range(60, 300, 7):
        for line in broken(text, BODY, 9.0, room):
            assert line[0] not in "、。，）』ーッ"
            assert line[-1] not in "（『"


def test_chinese_breaks_between_signs_and_latin_words_stay_whole():
    lines = broken("存储NVMe设计NVMe集群NVMe", BODY, 9.0, 45.0)
    assert len(lines) > 2
    assert sum(line.count("NVMe") for line in lines) == 3


def test_korean_and_arabic_break_between_words():
    for text in (KOREAN, ARABIC):
        lines = broken(text, BODY, 9.0, 80.0)
        assert len(lines) > 2
        assert " ".join(lines) == text


def test_a_long_word_breaks_where_its_parts_meet():
    lines = broken("checkpoint.required_write_bytes_per_s", BODY, 7.5, 90.0)
    assert lines[0][-1] in "._"
    assert "".join(lines) == "checkpoint.required_write_bytes_per_s"


@given(st.text(), st.floats(10, 400))
def test_a_fitted_text_fits(text, room):
    assert width_pt(fitted(clean(text), BODY, 7.0, room), BODY, 7.0) <= room


# --- in the document ----------------------------------------------------------------------------------------------


ONE_SCRIPT = re.compile("[\u0590-\u08ff]+(?: [\u0590-\u08ff]+)*|[A-Za-z]+")


def pieces_of(text, font=BODY, size_pt=7.0, room_pt=1e6):
    """Words of one direction in each line of a text; the reader of files puts each of them in reading order."""
    pieces = [ONE_SCRIPT.findall(line) or [line] for line in broken(clean(text), font, size_pt, room_pt)]
    return [squeezed(piece) for piece in itertools.chain.from_iterable(pieces)]


@functools.cache
def file_named(name):
    """Cover, requirements and layout of a design with a name in that script: footers, cells and headings."""
    text = SCRIPTS[name]
    scenario = with_value(with_value(template("two-jobs").scenario, "name", text), "jobs.0.name", text)
    result = plan(scenario, load_catalogue())
    stamp = replace(STAMP, title=clean(text), author=clean(text), revision=clean(text[:20]))
    return laid_out(*cover(result, stamp), *requirements(result), *layout(result), stamp=stamp)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_name_in_any_script_is_read_back_from_cover_footers_cells_and_headings(name):
    text = SCRIPTS[name]
    pages = [squeezed(nfkc(page)) for page in glyphs_in(file_named(name))]
    assert all(
        nfkc(piece) in pages[0] for piece in pieces_of(text, BOLD, 24.0, 510.0)
    )  # the title on the cover
    for piece in map(nfkc, pieces_of(text)):
        assert all(piece in page for page in pages)  # footers
        assert sum(page.count(piece) for page in pages) >= len(pages) + 5  # cells, and headings of the job


@pytest.mark.parametrize(
    "text", ["شركة التخزين المتحدة للبيانات في الرياض", "אחסון נתונים בעמק השרון", KOREAN, JAPANESE[:12]]
)
def test_a_name_of_one_script_is_read_back_as_it_was_typed(text):
    pages = pages_in(shortly(planned(SMALLEST), title=text))
    assert all(squeezed(text) in squeezed(nfkc(page)) for page in pages)


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_outline_keeps_the_order_in_which_names_are_read(name):
    text = SCRIPTS[name]
    reader = pypdf.PdfReader(io.BytesIO(file_named(name)))
    titles = [entry.title for entry in itertools.chain.from_iterable(
        entry if isinstance(entry, list) else [entry] for entry in reader.outline
    )]  # fmt: skip
    assert f"Job: {text}" in titles
    assert reader.metadata.title == text


def test_a_right_to_left_title_stands_on_the_right():
    reader = pypdf.PdfReader(io.BytesIO(shortly(planned(SMALLEST), title="שלום")))
    places = []
    reader.pages[0].extract_text(
        visitor_text=lambda text, user, own, _, size: places.append((text.strip(), user[4] + own[4], size))
    )
    starts = [x for text, x, size in places if text == "שלום" and size == 24]
    assert starts == [pytest.approx(595.28 - 42.52 - width_pt("שלום", BOLD, 24.0), abs=1)]
