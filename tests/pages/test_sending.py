"""Settings of documents: kept with the design and for all designs, there again in another browser, never on another design."""

from __future__ import annotations

from datetime import date

from streamlit.testing.v1 import AppTest

from pages._ui import answers
from planner.documents.settings import settings_of
from tests.pages.visitor import clean, go, lines, press, save, show, visit


def set_customer(at: AppTest, customer: str) -> AppTest:
    clean(at.text_input(key="export.customer").set_value(customer).run())
    clean(at.text_input(key="export.contact").set_value("Ann <b>").run())
    clean(at.date_input(key="export.valid").set_value(date(2027, 3, 1)).run())
    return clean(at.selectbox(key="export.classification").set_value("confidential").run())


def shown(at: AppTest) -> tuple[object, ...]:
    keys = ("customer", "classification", "contact", "valid", "paper", "disclaimer")
    return tuple(at.session_state[f"export.{key}"] for key in keys)


KEPT = ("شركة <b>", "confidential", "Ann <b>", date(2027, 3, 1), "A4", "Budgetary, not an offer")
EMPTY = ("", None, "", None, "A4", "Budgetary, not an offer")


def test_what_is_set_before_the_first_save_is_kept_with_the_design() -> None:
    at = set_customer(go(visit(), "export"), "شركة <b>")
    design, revision = save(go(at, "plan"), "Lab")
    assert settings_of(*answers.store().document_settings(design))[1].customer == "شركة <b>"
    assert shown(go(visit(design=str(design), rev=str(revision)), "export")) == KEPT


def test_a_design_keeps_its_own_settings_when_asked_to() -> None:
    at = visit()
    design, revision = save(at, "Lab")
    assert answers.store().document_settings(design) == ("{}", "{}")
    at = go(at, "export")
    assert at.button(key="export.keep.design").disabled
    press(set_customer(at, "شركة <b>"), "export.keep.design")
    assert lines(at) == []
    assert at.button(key="export.keep.design").disabled
    assert shown(go(visit(design=str(design), rev=str(revision)), "export")) == KEPT


def test_a_customer_does_not_stray_to_another_design() -> None:
    at = visit()
    first, _ = save(at, "One")
    press(set_customer(go(at, "export"), "شركة <b>"), "export.keep.design")
    other = visit()
    second, revision = save(other, "Two")
    assert shown(go(visit(design=str(second), rev=str(revision)), "export")) == EMPTY
    at.query_params.update({"design": str(second), "rev": str(revision)})
    at.session_state["_moved_at"] = 0.0
    assert shown(go(clean(at.run()), "export")) == EMPTY
    assert answers.store().document_settings(second) == ("{}", "{}")
    assert settings_of(*answers.store().document_settings(first))[1].customer == "شركة <b>"


def test_a_customer_does_not_stray_to_another_template() -> None:
    at = set_customer(go(visit(), "export"), "شركة <b>")
    assert shown(go(at, "plan")) == KEPT
    go(at, "designs")
    show(at, "designs.view", "New from a template")
    press(at, "template.lab-8-nodes")
    assert shown(go(at, "export")) == EMPTY


def test_paper_and_line_are_kept_for_all_designs() -> None:
    at = show(go(visit(), "export"), "export.paper", "Letter")
    clean(at.text_input(key="export.disclaimer").set_value("Kein Angebot").run())
    press(at, "export.keep.all")
    assert lines(at) == []
    other = go(visit(), "export")
    assert shown(other) == ("", None, "", None, "Letter", "Kein Angebot")
    design, _ = save(go(other, "plan"), "Lab")
    assert answers.store().document_settings(design)[1] == "{}"


def test_settings_that_cannot_be_read_leave_the_defaults() -> None:
    answers.store().keep_document_settings('{"paper": "A3"}')
    assert shown(go(visit(), "export")) == EMPTY
