"""Sections that explain the design: each figure in them is the plan's own."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from planner import words as vocabulary
from planner.documents import Issue
from planner.documents.explained import every_figure, explaining
from planner.documents.premises import CONFIRMED_BY
from planner.documents.requirements import asked
from planner.documents.sections import section_titles
from planner.review.record import ReviewRecord, Written
from planner.review.register import RegisterItem
from planner.sections.durability import odds
from planner.summary import figures
from tests.documents.printed import (
    CREATED,
    GUIDE,
    LARGEST,
    SMALLEST,
    pages_in,
    pages_of,
    planned,
    rendered,
    squeezed,
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


def words(name):
    return squeezed("".join(pages_of(name)))


def test_sections_come_in_the_order_of_a_design_document():
    titles = section_titles()
    places = [titles.index(title) for title in ORDER]
    assert places == sorted(places)


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_constraints_and_trace_hold_each_limit_and_check(name):
    told = words(name)
    for line in planned(name).site_lines:
        assert squeezed(f"{line.check.name}{line.check.required}") in told
    for row in asked(planned(name)):
        ends = f"{row.name}{row.level}{row.required}{row.provided}{row.verdict}"
        assert squeezed(f"{ends}{row.by}") in told
        assert squeezed(f"{ends}{row.section}") in told


@pytest.mark.parametrize("name", [SMALLEST, GUIDE])
def test_ladders_life_losses_and_term_are_the_plans(name):
    told, result = words(name), planned(name)
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
    told, result = words(SMALLEST), planned(SMALLEST)
    for case, save in result.main.degraded.items():
        assert squeezed(f"{case}{save.save_s}at most") in told
    assert (
        squeezed(f"{result.main.job.checkpoint.node_write_bytes_per_s}{result.network.node_bytes_per_s}")
        in told
    )
    assert "fio--name=write" in told


def test_weak_figures_are_assumptions_with_who_settles_them():
    told = words(SMALLEST)
    section = told.partition(squeezed("Figure Value Grade Where from What moves Settled by"))[2]
    assert squeezed("Drive, idle 5 W class assumption") in section
    for settled in ("the vendor's data sheet", "a dated source"):
        assert squeezed(settled) in section
    assert "seen" not in CONFIRMED_BY


def test_risks_are_the_findings_and_the_register():
    record = ReviewRecord(
        state="in review", signed=None, requirements=(), waivers=(), steps=(), decisions=(), remarks=(),
        register=(
            Written(
                number=4, version=1, name="Ann", created=CREATED,
                content=RegisterItem(kind="risk", text="The dock is <b>too low</b>", owner="Bob"),
            ),
        ),
    )  # fmt: skip
    told = squeezed("".join(pages_in(rendered(planned(GUIDE), reviewed=record))))
    assert squeezed("risk 4 The dock is <b>too low</b> Bob open") in told
    for number, finding in enumerate((f for f in planned(GUIDE).findings if f.severity != "note"), start=1):
        assert squeezed(f"R{number}{finding.code}") in told


def test_the_history_is_printed_with_its_notes():
    told = squeezed("".join(pages_in(rendered(planned(SMALLEST), history=HISTORY))[:4]))
    assert squeezed("1 2026-08-01 Zoë <i>X</i> superseded first") in told
    assert squeezed("2 2026-09-01 not named in review =more drives and racks") in told
    assert squeezed("The design was not saved: this is its first draft.") in words(SMALLEST)


def test_what_the_architect_fixed_is_a_constraint():
    result = changed(SMALLEST, {"network.path_count": 4})
    told = squeezed("".join(pages_in(rendered(result))[:8]))
    assert squeezed("Network Paths per node 4") in told


def test_the_glossary_and_the_units_stand_in_the_appendix():
    told = words(SMALLEST)
    assert all(squeezed(f"{word}{meaning}") in told for word, meaning in vocabulary.glossary().items())
    assert squeezed("1 TB is 10^12 bytes") in told


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
    told = words(GUIDE)
    assert squeezed("Goodput: each input alone") in told
    assert "Measurefirst:" in told or "Askforquotesfirst:" in told
