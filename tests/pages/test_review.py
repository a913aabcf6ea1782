"""The Review screen: comment, waiver, requirement, approval, and what is signed is what is exported."""

from __future__ import annotations

from dataclasses import fields, replace

from streamlit.testing.v1 import AppTest

from pages._ui import answers
from planner.store import NewRevision
from tests.pages.visitor import cells, clean, go, lines, press, press_named, said, save, show, visit
from tests.store.examples import BLOCKED, blocked_content, planned


def opened() -> tuple[AppTest, int, int]:
    """The review of a design that was just saved, and numbers of it and its revision."""
    at = visit()
    design, revision = save(at, "For review")
    return go(at, "review"), design, revision


def test_a_draft_cannot_be_reviewed() -> None:
    at = go(visit(), "review")
    assert any("Save it on the Plan screen" in str(item.value) for item in at.markdown)


def test_a_revision_goes_from_draft_to_approved_and_what_is_exported_has_its_hash() -> None:
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
    told = said(go(at, "export"))
    assert f"Hash `{signature.signed_hash}`" in told
    assert "state: approved" in told


def test_a_blocker_needs_a_waiver_with_a_reason() -> None:
    store = answers.store()
    store.create_design("Blocked", blocked_content())
    at = visit("review", design="1", rev="1")
    press(at, "review.submit")
    at.text_input(key="save.author").set_value("Ann")
    press(at, "review.approve")
    assert lines(at) == [
        "approve: BW-4 (NVMe-oF hot tier) and 2 others stand in the way; mend each or waive each with a reason"
    ]
    assert store.revision(1, 1).state == "in review"
    show(at, "review.view", "Findings and waivers")
    press(at, "review.waive.do")
    (line,) = lines(at)
    assert line.startswith("Why it is acceptable: “” is empty;")
    blockers = {item.code for item in planned(*BLOCKED.items()).findings if item.severity == "blocker"}
    offered = at.selectbox(key="review.waive").options
    stopping = [line for line in offered if line.partition(" · ")[0] in blockers]
    assert len(stopping) == 3 < len(offered)  # warnings can be waived, and keep nobody from approving
    for line in stopping:
        at.selectbox(key="review.waive").set_value(line)
        clean(at.text_input(key="review.waive.reason").set_value("accepted for the pilot").run())
        press(at, "review.waive.do")
        assert lines(at) == []
    show(at, "review.view", "State")
    press(at, "review.approve")
    assert lines(at) == []
    assert store.revision(1, 1).state == "approved"


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
    assert [comment.text for comment in thread.comments] == ["Why *two* copies?", "Fewer nodes"]


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
    at, design, _ = opened()
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
    assert [row["What"] for row in cells(at, 0)] == ["create design", "add decision", "add question"]
    decision, question = (entry.content for entry in answers.store().entries(design))
    assert (decision.problem, decision.choice, decision.reason) == (
        "Which transport", "RoCEv2", "the fabric is lossless",
    )  # fmt: skip
    assert question.text == "The customer has no 400 V feed"


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
