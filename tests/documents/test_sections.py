"""Sections that explain the design: each figure in them is the plan's own."""

from __future__ import annotations

import dataclasses
import math
from datetime import UTC, datetime

import pytest
from reportlab.platypus import KeepTogether

from planner import words as vocabulary
from planner.bom.bill import Gap
from planner.core.quantity import given
from planner.core.units import sentence
from planner.documents import Issue
from planner.documents.appendix import computed_from
from planner.documents.control import control
from planner.documents.decisions import availability
from planner.documents.engineering import endurance, tiers
from planner.documents.executive import answer, summary
from planner.documents.explained import every_figure, explaining
from planner.documents.fabric import fabric_tables
from planner.documents.limits import limits
from planner.documents.lines import Lines
from planner.documents.logical import logical
from planner.documents.operations import operations
from planner.documents.parts import Grid, inside
from planner.documents.physical import protection_words
from planner.documents.premises import CONFIRMED_BY, constraints, risks
from planner.documents.questionnaire import questionnaire
from planner.documents.requirements import asked
from planner.documents.review import guide_check, materials
from planner.review.record import Written
from planner.review.register import RegisterItem
from planner.sections.completeness import gaps_words
from planner.sections.durability import odds
from planner.summary import figures
from tests.documents.printed import (
    CREATED,
    GUIDE,
    LARGEST,
    SMALLEST,
    STAMP,
    UNREVIEWED,
    file_of,
    pages_of,
    planned,
    sections_in,
    squeezed,
    text_of,
    words_of,
)
from tests.plan.changes import planned as changed

ORDER = (
    "Document control", "Summary", "Requirements", "Constraints", "Assumptions", "Out of scope: what is not modelled",
    "Risks", "Data pipeline", "Options and decisions", "Logical design", "Storage tiers", "Network", "Rack layout", "Power and cooling",
    "Availability and durability", "Capacity and growth", "Cost", "Bill of materials", "Requirement trace",
    "Validation and acceptance", "Operations", "Sensitivity", "Every input", "Glossary and units", "Sign-off",
)  # fmt: skip
HISTORY = (
    Issue(number=1, created=datetime(2026, 8, 1, tzinfo=UTC), author="Zoë <i>X</i>", state="superseded", note="first"),
    Issue(number=2, created=datetime(2026, 9, 1, tzinfo=UTC), author="", state="in review", note="=more drives\nand racks"),
)  # fmt: skip


def test_sections_come_in_the_order_of_a_design_document():
    titles = [title for title, _ in sections_in(file_of(SMALLEST))]
    places = [titles.index(title) for title in ORDER]
    assert places == sorted(places)


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_constraints_and_trace_hold_each_limit_and_check(name):
    told = words_of(name)
    for line in planned(name).site_lines:
        assert squeezed(f"{line.check.name}{line.check.required}") in told
    for row in asked(planned(name)):
        ends = f"{row.name}{row.level}{row.required}{row.provided}{row.verdict}"
        assert squeezed(f"{ends}{row.by}") in told
        assert squeezed(f"{ends}{row.section}") in told


@pytest.mark.parametrize("name", [SMALLEST, GUIDE])
def test_ladders_life_losses_and_term_are_the_plans(name):
    told, result = words_of(name), planned(name)
    for ladder in result.ladders:
        for step in ladder.steps:
            assert squeezed(f"{step.name}{step.taken_bytes}{step.left_bytes}") in told
    assert squeezed(f"Replace after {result.lifetime.replace_after_s}") in told
    for case in result.durability.cases:
        assert squeezed(odds(case.loss_fraction)) in told
    for line in result.term.lines:
        low, high = (item.text() if item.known else "not priced" for item in (line.low_usd, line.high_usd))
        assert squeezed(f"{line.name}{low}{high}") in told
    assert squeezed(f"Together over {result.term.term_s}{result.term.low_usd}{result.term.high_usd}") in told


def test_acceptance_names_what_each_loss_may_take():
    told, result = words_of(SMALLEST), planned(SMALLEST)
    for case, save in result.main.degraded.items():
        assert squeezed(f"{case}{save.save_s}at most") in told
    assert (
        squeezed(f"{result.main.job.checkpoint.node_write_bytes_per_s}{result.network.node_bytes_per_s}")
        in told
    )
    assert "fio--name=write" in told


def test_weak_figures_are_assumptions_with_who_settles_them():
    told = words_of(SMALLEST)
    section = told.partition(squeezed("Figure Value Grade Where from What moves Settled by"))[2]
    assert squeezed("Drive, idle 5 W class assumption") in section
    for settled in ("the vendor's data sheet", "a dated source"):
        assert squeezed(settled) in section
    assert "seen" not in CONFIRMED_BY


def test_risks_are_the_findings_and_the_register():
    written = Written(
        number=4, version=1, name="Ann", created=CREATED,
        content=RegisterItem(kind="risk", text="The dock is <b>too low</b>", owner="Bob"),
    )  # fmt: skip
    record = dataclasses.replace(UNREVIEWED, state="in review", register=(written,))
    told = text_of(*risks(planned(GUIDE), reviewed=record))
    assert squeezed("risk 4 The dock is <b>too low</b> Bob open") in told
    for number, finding in enumerate((f for f in planned(GUIDE).findings if f.severity != "note"), start=1):
        assert squeezed(f"R{number}{finding.code}") in told


def test_the_history_is_printed_with_its_notes():
    told = text_of(*control(planned(SMALLEST), stamp=STAMP, history=HISTORY))
    assert squeezed("1 2026-08-01 Zoë <i>X</i> superseded first") in told
    assert squeezed("2 2026-09-01 not named in review =more drives and racks") in told
    assert squeezed("The design was not saved: this is its first draft.") in words_of(SMALLEST)


def test_what_the_architect_fixed_is_a_constraint():
    result = changed(SMALLEST, {"network.path_count": 4})
    told = text_of(*constraints(result))
    assert squeezed("Network Paths per node 4") in told


def test_the_glossary_and_the_units_stand_in_the_appendix():
    told = words_of(SMALLEST)
    assert all(squeezed(f"{word}{meaning}") in told for word, meaning in vocabulary.glossary().items())
    assert squeezed("1 TB is 10¹² bytes") in told


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_figures_that_explain_are_added_and_none_is_lost(name):
    every, known = every_figure(planned(name)), figures(planned(name))
    assert {section: every[section] for section in known} == known
    assert not explaining(planned(name)).keys() & known.keys()  # none is written at two places
    assert set(explaining(planned(name))) >= {
        "From raw to safe",
        "Racks",
        "Cost over the term",
        "Load of the hops",
    }


def test_the_sensitivity_says_what_to_measure_first():
    told = words_of(GUIDE)
    assert squeezed("Goodput: each input alone") in told
    assert "Measurefirst:" in told or "Askforquotesfirst:" in told


# --- sentences that hold in every design -----------------------------------------------------------------------

UNSTATED = {
    "storage.hot.platform_id": "netapp-a900", "storage.hot.manual_write_bytes_per_s": 20e9,
    "storage.hot.manual_read_bytes_per_s": 30e9, "storage.hot.manual_usable_bytes": 50e12,
}  # fmt: skip
"""A platform whose drives, rating and protection are its vendor's to state."""


def lines_of(story):
    return [part.words for part in story if isinstance(part, Lines)]


def with_part(result, **parts):
    """The plan with other parts."""
    other = dataclasses.replace(result)
    vars(other).update(parts)
    return other


def texts_of(story):
    """Every text of a story: paragraphs, and cells of tables."""
    for part in story:
        if isinstance(part, KeepTogether):
            yield from texts_of(inside(part, "_content"))
        elif isinstance(part, Lines):
            yield part.words
        elif isinstance(part, Grid):
            yield from (getattr(cell, "words", cell) for row in inside(part, "_cellvalues") for cell in row)


def test_what_a_vendor_does_not_state_is_told_as_unknown_and_never_as_a_verdict():
    result = changed(GUIDE, UNSTATED)
    makers = (endurance, availability, operations, guide_check)
    told = " ".join(words for make in makers for words in texts_of(make(result)))
    for words in (
        "whether the drives outlast their warranty is unknown",
        "RAID-DP/RAID-TEC, the platform's own: see the vendor's data sheet.",
        "Allowance unknown: ask the vendor for the rating",
        "ask the vendor when they are replaced",
    ):
        assert words in told, words
    for words in ("do not outlast", "unknown×", "replaced after unknown", "unknown are allowed"):
        assert words not in told, words
    unnamed = changed(GUIDE, {**UNSTATED, "storage.hot.platform_id": "nfs-legacy"})
    assert protection_words(unnamed) == "the platform's own"


def test_one_is_told_in_the_singular():
    result = changed(GUIDE, {"storage.hot.usable_bytes": 1, "prices.term_years": 1.0})
    assert "1 storage node with 1 drive of" in answer(result)
    told = " ".join([*texts_of(summary(result, STAMP)), *texts_of(materials(result))])
    for words in ("support over 1 year $", "equipment 1 year, by", "software support, 1 year, next day"):
        assert words in told, words
    told = " ".join(texts_of(tiers(changed(GUIDE, UNSTATED))))
    assert "1 unit next" in told


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_what_is_written_in_a_day_has_its_unit_once(name):
    told, wear = words_of(name), planned(name).endurance
    assert squeezed(f"{wear.drive_write_bytes_per_day} are expected") in told
    assert "/dayaday" not in told
    assert squeezed(f"{wear.drive_write_bytes_per_day} written to all of them together, prorated") in told


def test_notes_sources_and_contents_are_printed_to_their_end():
    result = planned(LARGEST)
    told = lines_of(fabric_tables(result))
    notes = [f"{sentence(state.name)}: {state.note}" for state in result.fabric_load.losses if state.note]
    assert max(map(len, notes)) > 200
    assert {f"–\u00a0{note}" for note in notes} <= set(told)
    long = "a source with many words " * 20
    assert computed_from(given(1.0, "count", "x", source=long, grade="seen")) == long
    two = changed("two-jobs", {"jobs.0.name": "first " * 16, "jobs.1.name": "second " * 14})
    held = [cell for cell in texts_of(logical(two)) if "first first" in cell and "second second" in cell]
    assert max(map(len, held)) > 200
    assert not any("…" in cell for cell in held)


def test_racks_that_may_fail_are_counted_as_racks():
    racks = changed(
        "guide-256-evidence", {"storage.hot.protection_id": "8+2", "storage.hot.protection_domain": "rack"}
    )
    assert (racks.facility.rack_count.number, racks.hot.unit_count.number) == (2, 11)
    told = [str(cell) for cell in texts_of(logical(racks))]
    assert told[told.index(f"{racks.hot.name}: rack") + 1] == "2"


def test_a_gap_that_the_vendor_can_fill_is_counted_wherever_gaps_are():
    result = changed(SMALLEST, {"storage.hot.protection_id": "raid-z2"})
    assert result.bill.gaps
    told = gaps_words(result.bill.gaps)
    assert "which can be left to the vendor" in told
    assert any(told in line for line in lines_of(limits(result)))
    assert any(told[1:] in line for line in lines_of(materials(result)))


def test_open_points_are_counted_as_one_and_as_many():
    result = planned(SMALLEST)
    gaps = [Gap("drive", f"missing {number}", "ask") for number in range(2)]
    for count, said in ((0, "nothing is missing"), (1, "1 gap before it can"), (2, "2 gaps before it can")):
        bill = dataclasses.replace(result.bill, gaps=tuple(gaps[:count]))
        assert any(said in line for line in lines_of(limits(with_part(result, bill=bill))))


@pytest.mark.parametrize(
    ("full_after_s", "said"),
    [
        (math.inf, "does not fill"),
        (0.0, "is full from the start"),
        (86_400.0 * 100, "is full after 100\u00a0days: delete or extend before"),
    ],
)
def test_a_tier_that_never_fills_needs_no_extension(full_after_s, said):
    result = planned(SMALLEST)
    full = given(full_after_s, "s", "Cold tier full after", source="test", grade="input")
    kept = dataclasses.replace(result.retention, full_after_s=full)
    assert any(said in line for line in lines_of(operations(with_part(result, retention=kept))))


@pytest.mark.parametrize(("count", "said"), [(0, "0"), (1, "1"), (2, "2, by two ways")])
def test_one_cross_connect_has_one_way(count, said):
    answers = questionnaire(changed(SMALLEST, {"site.cross_connect_count": count}))
    assert [answer.text for answer in answers if answer.subject == "Cross-connects"] == [said]


def test_numbers_of_the_bill_stand_on_one_line():
    result = planned(SMALLEST)
    pages = " ".join(pages_of(SMALLEST))
    for number, lines in enumerate(result.bill.groups.values(), start=1):
        assert f"{number}.{len(lines):02d}" in pages
