"""The Review screen: comment, waiver, requirement, approval, and what is signed is what is printed."""

from __future__ import annotations

from dataclasses import fields, replace

from streamlit.testing.v1 import AppTest

from pages._ui import answers, exports
from planner.store import NewRevision
from tests.pages.visitor import cells, clean, go, lines, press, press_named, save, show, visit
from tests.pdf_text import pages_in


def opened(template_id: str = "guide-256-evidence") -> tuple[AppTest, int, int]:
    at = go(visit(), "designs")
    show(at, "designs.view", "New from a template")
    press(at, f"template.{template_id}")
    design, revision = save(go(at, "plan"), "For review")
    return go(at, "review"), design, revision


def test_a_draft_cannot_be_reviewed() -> None:
    at = go(visit(), "review")
    assert any("Save it on the Plan screen" in str(item.value) for item in at.markdown)


def test_a_revision_goes_from_draft_to_approved_and_its_hash_is_the_pdfs() -> None:
    at, design, revision = opened()
    press(at, "review.submit")
    press(at, "review.approve")
    assert lines(at) == ["Your name: a signature needs a name; type who approves this"]
    at.text_input(key="save.author").set_value("<b>Ann</b>")
    press(at, "review.approve")
    assert lines(at) == []
    assert any("Approved and signed by \\<b>Ann\\</b>" in str(item.value) for item in at.success)
    store = answers.store()
    assert store.revision(design, revision).state == "approved"
    signature = store.signature(design, revision)
    assert signature is not None
    scenario_json = store.revision(design, revision).scenario_json
    assert signature.signed_hash == answers.basis_of(scenario_json).signed_hash
    head = exports.Heading(
        title="For review",
        revision=str(revision),
        author="",
        created=signature.created,
        hash_text=signature.signed_hash,
        draft=False,
    )
    order = exports.Order(scenario_json, answers.catalogue().hash, head)
    made = exports.pdf_bytes(order, exports.Dossier(), answers.plan_of(scenario_json), None, None)
    assert all(signature.signed_hash[:12] in page for page in pages_in(made)[1:4])


def test_a_blocker_needs_a_waiver_with_a_reason() -> None:
    at, design, revision = opened("guide-256-guide")
    press(at, "review.submit")
    at.text_input(key="save.author").set_value("Ann")
    press(at, "review.approve")
    assert lines(at) != []
    assert answers.store().revision(design, revision).state == "in review"
    show(at, "review.view", "Findings and waivers")
    for _ in range(20):
        if not any(item.key == "review.waive.do" for item in at.button):
            break
        at.text_input(key="save.author").set_value("Ann")
        clean(at.text_input(key="review.waive.reason").set_value("accepted for the pilot").run())
        press(at, "review.waive.do")
        assert lines(at) == []
    show(at, "review.view", "State")
    press(at, "review.approve")
    assert lines(at) == []
    assert answers.store().revision(design, revision).state == "approved"


def test_comments_are_threads_that_are_answered_and_resolved() -> None:
    at, design, revision = opened()
    show(at, "review.view", "Comments")
    offered = at.selectbox(key="review.which").options
    assert offered[0].startswith("Section: ")  # a section before the results that bear its name
    clean(at.selectbox(key="review.which").set_value("section cost").run())
    clean(at.text_area(key="review.text").set_value("Why *two* copies?").run())
    press(at, "review.comment")
    (thread,) = answers.store().threads(design, revision)
    assert thread.comments[0].text == "Why *two* copies?"
    clean(at.text_input(key=f"review.answer.{thread.id}").set_value("Fewer nodes").run())
    press(at, f"review.send.{thread.id}")
    press(at, f"review.turn.{thread.id}")
    (thread,) = answers.store().threads(design, revision)
    assert not thread.open
    assert len(thread.comments) == 2


def test_a_requirement_is_held_against_the_revision() -> None:
    at, _, _ = opened()
    show(at, "review.view", "Requirements")
    at.text_input(key="req.ref").set_value("R1")
    at.text_input(key="req.text").set_value("A save takes at most 10 s")
    at.selectbox(key="req.result").set_value("Key figures / Stall")
    at.text_input(key="req.target").set_value("10 s")
    press_named(at, "Add")
    assert lines(at) == []
    (row,) = cells(at, 0)
    assert "fail" in row["Verdict"]
    assert "24.5" in row["With numbers"]


def test_decisions_register_and_trail_are_kept() -> None:
    at, _, _ = opened()
    show(at, "review.view", "Decisions")
    at.text_input(key="decision.problem").set_value("Which transport")
    at.text_input(key="decision.choice").set_value("RoCEv2")
    at.text_input(key="decision.reason").set_value("the fabric is lossless")
    press_named(at, "Add")
    assert lines(at) == []
    show(at, "review.view", "Register")
    at.text_area(key="register.text").set_value("The customer has no 400 V feed")
    press(at, "register.add")
    show(at, "review.view", "Trail")
    assert len(cells(at, 0)) >= 3


def test_a_stale_revision_is_kept_and_can_be_recomputed_as_another() -> None:
    _, design, revision = opened()
    store = answers.store()
    was = store.revision(design, revision)
    older = replace(was, key_results={**was.key_results, "Stall": 1.0}, engine_version="0.0.9")
    fields_of_new = {field.name: getattr(older, field.name) for field in fields(NewRevision)}
    store.add_revision(design, NewRevision(**fields_of_new), base_revision=revision)
    at = go(visit(design=str(design), rev=str(revision + 1)), "review")
    assert any("Newer engine" in str(item.value) for item in at.warning)
    press(at, "review.recompute")
    assert lines(at) == []
    fresh = store.revision(design, revision + 2)
    assert (fresh.scenario_json, fresh.note) == (
        was.scenario_json,
        f"Recomputed from revision {revision + 1}",
    )
    assert fresh.key_results == was.key_results
    assert store.revision(design, revision + 1).key_results["Stall"] == 1.0
