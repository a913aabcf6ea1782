"""The short form for a colocation provider: what the design knows is answered, the rest is asked."""

import pytest

from planner.catalogue import load_catalogue
from planner.documents.questionnaire import questionnaire
from planner.documents.sections import SHORT
from planner.plan import plan
from planner.scenario_json import with_value
from planner.templates import template
from tests.documents.printed import LARGEST, NAMES, SMALLEST, pages_in, planned, shortly, squeezed

GROUPS = {"Power", "Cooling", "Space", "Connectivity", "Delivery", "Operations", "Commercial", "Compliance"}
ALLOWED = {
    "allowed_w": 1e6,
    "allowed_rack_count": 50,
    "allowed_circuit_count": 1000,
    "inlet_celsius": 27.0,
    "floor_limit_kg_per_m2": 5000.0,
    "allowed_cross_connect_count": 10,
}


def with_site(name, **values):
    scenario = template(name).scenario
    for field, value in values.items():
        scenario = with_value(scenario, f"site.{field}", value)
    return plan(scenario, load_catalogue())


def by_subject(result):
    return {(answer.group, answer.subject): answer for answer in questionnaire(result)}


@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_answered_or_asked(name):
    answers = questionnaire(planned(name))
    assert {answer.group for answer in answers} == GROUPS
    assert all(answer.known or answer.ask for answer in answers)
    assert len({(answer.group, answer.subject) for answer in answers}) == len(answers)


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_figures_of_the_plan(name):
    layout, found = planned(name).racks, by_subject(planned(name))
    assert str(layout.max_w) in found["Power", "Total power"].text
    assert str(layout.circuit_count) in found["Power", "Circuits"].text
    assert str(layout.btu_per_hour) in found["Cooling", "Heat"].text
    assert found["Space", "Racks"].text == str(layout.rack_count)
    assert found["Space", "Floor load"].text == str(layout.floor_kg_per_m2)


def test_an_unknown_limit_is_a_question_and_a_known_one_a_check():
    bare, told = by_subject(planned(SMALLEST)), by_subject(with_site(SMALLEST, **ALLOWED))
    for key in (
        ("Power", "Total power"),
        ("Space", "Racks"),
        ("Power", "Circuits"),
        ("Space", "Floor load"),
        ("Connectivity", "Cross-connects"),
    ):
        assert bare[key].ask
        assert bare[key].check is None
        assert not told[key].ask
        assert told[key].check.verdict == "pass"
    assert bare["Cooling", "Inlet temperature held"].ask
    assert told["Cooling", "Inlet temperature held"].text == "27\u00a0°C"


def test_a_limit_that_is_too_low_fails():
    found = by_subject(with_site(LARGEST, allowed_w=1000.0, allowed_rack_count=1))
    assert found["Power", "Total power"].check.verdict == "fail"
    assert found["Space", "Racks"].check.verdict == "fail"


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_the_file_holds_its_sections_and_every_answer_and_question(name):
    pages = pages_in(shortly(planned(name), title=template(name).name))
    words = squeezed("".join(pages))
    for title, _, _ in SHORT:
        assert squeezed(title) in words
    for answer in questionnaire(planned(name)):
        if answer.known:
            assert squeezed(f"{answer.subject}{answer.text}") in words
        if answer.ask:
            assert squeezed(f"{answer.subject}{answer.ask}") in words
    for line in planned(name).bill.lines:
        assert squeezed(line.description) in words
    assert "Goodput" not in words
    assert all("Budgetary, not an offer" in page for page in pages)
    assert squeezed(f"Page {len(pages)} of {len(pages)}") in squeezed(pages[-1])


def test_on_the_guides_basis_the_bill_tells_both_sums():
    """The guide prices its own example at $12,000 to $31,000; the parts of the bill come to far more."""
    name = "guide-256-guide"
    words = squeezed("".join(pages_in(shortly(planned(name), title=template(name).name))))
    assert squeezed("it is $12.1k to $31k: media inside a large array") in words
    assert squeezed("lines above still without a price") in words
    small = squeezed("".join(pages_in(shortly(planned(SMALLEST), title=template(SMALLEST).name))))
    assert squeezed("media inside a large array") not in small
