"""Method: constants, checks, rules, inputs, words and limits can be looked up and searched, and nothing found says what to do."""

from __future__ import annotations

import pytest

from planner import load_catalogue
from planner.constants import constants, in_code
from planner.core.formula import FORMULAS
from planner.inputs import INPUTS
from planner.published import cases, checks
from planner.published.examples import example_of
from planner.sections import protection
from planner.sizing import burst
from planner.words import SECTIONS, SUBJECTS, glossary, not_modelled, review_rules
from tests.pages.visitor import captions, every_row, show, type_text, visit

VIEWS = ("Formulas", "Constants", "Checks", "Rules", "Inputs", "Glossary", "Not modelled")


def test_a_formula_shows_the_example_of_its_function() -> None:
    at = type_text(visit("method"), "method.search", "burst.drain_bytes_per_s")
    assert example_of(burst.drain_bytes_per_s) == (
        ("round(float(drain_bytes_per_s(980e9, interval_s=1800.0)) / 1e9, 3)", "0.544"),
    )
    assert [item.value for item in at.code] == [
        ">>> round(float(drain_bytes_per_s(980e9, interval_s=1800.0)) / 1e9, 3)\n0.544"
    ]


def test_every_formula_has_an_example_to_show() -> None:
    assert [rule.name for function, rule in FORMULAS.items() if not example_of(function)] == []


def test_every_constant_is_listed_under_its_subject() -> None:
    everything = constants(load_catalogue())
    at = show(visit("method"), "method.view", "Constants")
    shown = 0
    for subject in sorted({item.subject.partition(",")[0] for item in everything}):
        show(at, "method.constants", subject)
        shown += len(every_row(at))
    assert shown == len(everything) > 250


def test_a_number_in_the_code_is_listed_with_the_text_below_it() -> None:
    found = next(item for item in in_code() if item.source == "planner.sections.protection.DETECT_S")
    assert protection.DETECT_S == 900
    assert (found.value.replace("\u00a0", " "), found.label) == (
        "15 min",
        "Time until a rebuild begins: 15 minutes, as Google waits.",
    )


def test_checks_of_a_subject_stand_with_their_deviation() -> None:
    at = show(visit("method"), "method.view", "Checks")
    named = set(at.segmented_control(key="method.checked").options)
    assert {"Failure rates", "Lost time"} < named <= set(SUBJECTS.values())
    at = show(at, "method.checked", "queueing")
    found = [item for item in checks("queueing") if item.subject == "queueing"]
    shown = every_row(at)
    assert sorted(row["Ours"] for row in shown) == sorted(item.ours_text() for item in found)
    assert sorted(row["Difference"] for row in shown) == sorted(item.difference_text() for item in found)
    total = sum(bool(case.method) for case in cases().values())
    assert f"{len(found)} of {total} checks" in captions(at)


def test_every_rule_of_the_review_is_listed_under_its_section() -> None:
    at = show(visit("method"), "method.view", "Rules")
    assert at.segmented_control(key="method.ruled").options == list(SECTIONS.values())
    shown = []
    for section in SECTIONS:
        show(at, "method.ruled", section)
        shown += [row["Rule"].partition("**")[2].partition("**")[0] for row in every_row(at)]
    assert shown == [rule.code for section in SECTIONS for rule in review_rules() if rule.section == section]


def test_a_rule_says_what_it_checks_how_severe_it_is_and_what_mends_it() -> None:
    at = type_text(show(visit("method"), "method.view", "Rules"), "method.search", "NET-7")
    (row,) = every_row(at)
    assert row == {
        "Rule": "**NET-7** headroom for lossless ports may not fit the buffer",
        "Severity": ":red[■]\u00a0blocker :orange[▲]\u00a0warning :blue[●]\u00a0note",
        "What it checks": next(rule.check for rule in review_rules() if rule.code == "NET-7"),
        "Mended by": "Transport; Switch; Storage to GPU racks",
        "Source": "fabric facts, section 2.1",
    }
    at = type_text(at, "method.search", "GDE-43")
    assert [row["Rule"] for row in every_row(at)] == ["**GDE-n** a figure is outside the guide's range"]


def test_an_input_says_meaning_range_measurement_default_and_source() -> None:
    at = show(visit("method"), "method.view", "Inputs")
    at = type_text(at, "method.search", "site.pue_ratio")
    (row,) = every_row(at)
    assert list(row) == ["Input", "Meaning, range and default", "How to measure it"]
    assert row["Input"] == "**PUE**"
    told = row["Meaning, range and default"]
    assert told.startswith("Facility over IT power; cooling is inside. **Usual:** 1.1× to 1.6×; ")
    assert told.endswith(
        "**Allowed:** 1× to 3×. **Default:** 1.54×, Uptime Institute 2025 (seen). `site.pue_ratio`"
    )
    assert (
        row["How to measure it"]
        == "Ask the provider; it is the yearly energy of the site over that of its IT."
    )


def test_every_input_is_listed_once() -> None:
    at = show(visit("method"), "method.view", "Inputs")
    at = type_text(at, "method.search", "e")
    assert f"{len(every_row(at))} of {len(INPUTS)} inputs" in captions(at)
    assert len(every_row(at)) > 150


@pytest.mark.parametrize(
    "word",
    ["Flush", "ISL", "kVA", "Safe to fill", "WAF", "Rails", "Headroom", "In flight", "Reliability models"],
)
def test_words_of_the_screens_are_in_the_glossary(word: str) -> None:
    at = show(visit("method"), "method.view", "Glossary")
    at = type_text(at, "method.search", f"{word}")
    assert f"**{word}**" in [row["Word"] for row in every_row(at)]
    assert f"{len(every_row(at))} of {len(glossary())} words" in captions(at)


def test_the_glossary_is_by_the_alphabet() -> None:
    words = list(glossary())
    assert words == sorted(words, key=str.casefold)
    at = show(visit("method"), "method.view", "Glossary")
    assert [row["Word"] for row in every_row(at)] == [f"**{word}**" for word in words]


def test_limits_say_what_to_do() -> None:
    at = show(visit("method"), "method.view", "Not modelled")
    assert [(row["Subject"], row["What to do"]) for row in every_row(at)] == [
        (f"**{item.subject}**", item.remedy) for item in not_modelled()
    ]


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_found_says_what_to_do(view: str) -> None:
    at = type_text(visit("method"), "method.search", "zebra <b>")
    at = show(at, "method.view", view)
    (told,) = [str(item.value).replace("\\", "") for item in at.info]
    assert "“zebra <b>”. Shorten the search, clear it to see them all, or look in another view" in told
    assert len(at.table) == 0


def test_all_words_of_a_search_must_be_there_in_any_order() -> None:
    at = show(visit("method"), "method.view", "Not modelled")
    at = type_text(at, "method.search", "recirculation  HEAT")
    assert [row["Subject"] for row in every_row(at)] == ["**Air flow inside the room**"]
