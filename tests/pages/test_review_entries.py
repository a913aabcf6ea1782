"""Requirements, decisions and the register on the screen: changed, closed, withdrawn, brought back, taken in as CSV."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import answers
from planner.review import Actor, Anchor, Decision, RegisterItem, Requirement, unknowns
from planner.store import EntryContent, review_record
from tests.pages.visitor import cells, clean, lines, press, said, show, visit
from tests.store.examples import DECISION, REQUIREMENT, RISK, blocked_content, planned, scenario_content

HOSTILE = "<script>alert(1)</script> [x](javascript:alert(1)) **b** $x$ :red[y] {{7*7}}"


def opened(view: str, *there: EntryContent) -> AppTest:
    """A view of the review of a design that has these entries."""
    store = answers.store()
    store.create_design("For review", scenario_content())
    for content in there:
        store.add_entry(1, content)
    at = visit("review", design="1", rev="1")
    return show(at, "review.view", view)


def newest(kind: str) -> tuple[Any, int, bool]:
    """Content and version of the first entry of a kind, and whether it was withdrawn."""
    (entry, *_) = answers.store().entries(1, kind, withdrawn=True)  # type: ignore[arg-type]
    return entry.content, entry.version, entry.withdrawn


def choose(at: AppTest, form: str, entry: str) -> AppTest:
    """Choose an entry to change."""
    return clean(at.selectbox(key=f"{form}.entry").set_value(entry).run())


def test_a_requirement_is_changed_withdrawn_and_brought_back() -> None:
    at = choose(opened("Requirements", REQUIREMENT), "req", "requirement 1")
    assert at.text_input(key="req.target").value == "30\u00a0s"
    # The unit of a target is seen before it is typed.
    now = cells(at, 0)[0]["With numbers"].rpartition(" has ")[2]
    assert f"{REQUIREMENT.result} of this revision: {now}" in [item.value for item in at.caption]
    clean(at.text_input(key="req.target").set_value("10 s").run())
    press(at, "req.save")
    changed, version, _ = newest("requirement")
    assert (changed.target, changed.text, version) == (10.0, REQUIREMENT.text, 2)
    assert "fail" in cells(at, 0)[0]["Verdict"]
    choose(at, "req", "requirement 1")
    press(at, "req.drop")
    assert newest("requirement")[2]
    assert "There are no requirements yet" in said(at)
    clean(at.toggle(key="req.withdrawn").set_value(True).run())
    choose(at, "req", "requirement 1")
    press(at, "req.save")
    assert newest("requirement")[1:] == (4, False)
    assert lines(at) == []


def test_a_register_entry_gets_owner_and_date_and_is_closed() -> None:
    at = choose(opened("Register", RISK), "register", "risk 1")
    at.text_input(key="register.owner").set_value("Bob")
    at.date_input(key="register.due").set_value(date(2027, 1, 31))
    clean(at.segmented_control(key="register.state").set_value("closed").run())
    clean(at.text_input(key="register.outcome").set_value("A second supplier").run())
    press(at, "register.save")
    assert newest("risk")[0] == RegisterItem(
        kind="risk",
        text=RISK.text,
        owner="Bob",
        due=date(2027, 1, 31),
        outcome="A second supplier",
        open=False,
    )
    row, *_ = cells(at, 0)
    assert (row["Entry"], row["Owner"], row["Due"], row["State"]) == (
        "risk 1", "Bob", "2027-01-31", "closed: A second supplier",
    )  # fmt: skip
    assert at.text_area(key="register.text").value == ""


def test_every_unknown_stands_in_the_register_by_itself_until_someone_writes_about_it() -> None:
    at = opened("Register")
    rows = [row for row in cells(at, 0) if row["Entry"] == "question, from the design"]
    asked = unknowns(planned())
    assert len(rows) == len(asked) > 1
    assert answers.store().entries(1) == ()  # looking writes nothing
    choose(at, "register", f"question, from the design · {asked[0].subject}")
    assert at.text_area(key="register.text").value == asked[0].text
    clean(at.text_input(key="register.owner").set_value("Bob").run())
    press(at, "register.add")
    content, version, _ = newest("question")
    assert (content.subject, content.text, content.owner, version) == (
        asked[0].subject, asked[0].text, "Bob", 1,
    )  # fmt: skip
    assert sum(row["Entry"] == "question, from the design" for row in cells(at, 0)) == len(asked) - 1
    record = review_record(answers.store(), 1, 1, catalogue=answers.catalogue())
    assert [item.subject for item in record.questions] == [item.subject for item in asked[1:]]
    assert len(record.register) == 1
    choose(at, "register", "question 1")
    press(at, "register.drop")
    assert sum(row["Entry"] == "question, from the design" for row in cells(at, 0)) == len(asked) - 1


@pytest.mark.parametrize(
    ("view", "button", "told"),
    [
        ("Requirements", "req.add", "Result: choose the result"),
        ("Decisions", "decision.add", "Problem: “” is empty"),
        ("Register", "register.add", "Text: “” is empty"),
    ],
)
def test_a_refusal_calls_the_field_what_the_screen_calls_it(view: str, button: str, told: str) -> None:
    at = press(opened(view), button)
    assert [line for line in lines(at) if line.startswith(told)], lines(at)


def test_whoever_approves_is_told_of_open_comments() -> None:
    store = answers.store()
    store.create_design("Talked about", scenario_content())
    store.take_step(1, 1, "submit")
    for number in range(12):
        store.begin_thread(1, 1, Anchor("section", "Network"), f"Why {number}?", author="Eve")
    store.resolve_thread(1)
    at = visit("review", design="1", rev="1")
    (told,) = [str(item.value) for item in at.warning if "open" in str(item.value)]
    assert told.startswith("11 comments are open; they do not keep anyone from approving:")
    assert "Network · Eve: Why 1?" in told
    assert "Why 0?" not in told
    assert "and 1 more" in told
    press(at, "review.request changes")
    assert [line for line in lines(at) if line.startswith("Reason: “” is empty")], lines(at)
    press(at, "review.approve")
    assert "Your name: a signature needs a name; type who approves this" in lines(at)


def test_a_decision_that_someone_else_changed_is_kept_beside_mine() -> None:
    at = choose(opened("Decisions", DECISION), "decision", "decision 1")
    theirs = Decision(problem="Transport?", options="", choice="TCP", reason="cheaper", consequence="")
    answers.store().acting(Actor(name="Eve", local=True)).change_entry(1, "decision", 1, theirs, version=1)
    clean(at.text_input(key="decision.choice").set_value("FC").run())
    press(at, "decision.save")
    assert any("was changed by Eve" in line for line in lines(at))
    assert newest("decision")[0] == theirs
    assert at.text_input(key="decision.choice").value == "FC"
    assert [row["Says"] for row in cells(at, 0)] == ["Transport?: TCP", "Transport?: RDMA"]
    press(at, "decision.save")
    assert newest("decision")[:2] == (
        Decision(problem="Transport?", options="RDMA\nTCP", choice="FC", reason="faster", consequence="PFC"), 3,
    )  # fmt: skip


def test_what_is_typed_stays_when_another_view_is_looked_at() -> None:
    at = opened("Decisions")
    clean(at.text_input(key="decision.problem").set_value("Half a thought").run())
    show(at, "review.view", "Trail")
    show(at, "review.view", "Decisions")
    assert at.text_input(key="decision.problem").value == "Half a thought"


LIST = (
    "id,text,result,measure,target,level\n"
    "R-1,Stricter,Key figures / Stall,at most,5 s,must\n"
    "R-2,New,Key figures / Stall,at most,1 min,should\n"
    "R-3,Wrong,Key figures / Stall,at most,blue,must\n"
)


def test_a_list_is_taken_in_and_a_known_number_gets_a_new_version() -> None:
    at = opened("Requirements", REQUIREMENT)
    clean(at.file_uploader(key="req.file.0").set_value(("list.csv", LIST.encode(), "text/csv")).run())
    assert [line for line in lines(at) if line.startswith("line 4: target: “blue”")]
    (button,) = [item for item in at.button if item.key == "req.take"]
    assert button.label == "Take in 2 requirements, leave 1 refused line out"
    press(at, "req.take")
    assert lines(at) == ["2 requirements written."]
    assert [(item.ref, item.text, item.target) for item in answers.store().requirements(1)] == [
        ("R-1", "Stricter", 5.0), ("R-2", "New", 60.0),
    ]  # fmt: skip
    assert newest("requirement")[1] == 2
    clean(at.file_uploader(key="req.file.1").set_value(("list.csv", LIST.encode(), "text/csv")).run())
    press(at, "req.take")
    assert lines(at) == ["0 requirements written; 2 unchanged or refused."]
    assert newest("requirement")[1] == 2


def test_a_blocked_revision_says_what_stands_in_the_way() -> None:
    answers.store().create_design("Blocked", blocked_content())
    at = visit("review", design="1", rev="1")
    assert "Before it can be approved" in said(at)
    assert "PRT-1" in said(at)


def test_open_comments_are_told_on_the_plan_screen_and_lead_to_the_review() -> None:
    store = answers.store()
    store.create_design("Talked about", scenario_content())
    at = visit("plan", design="1", rev="1")
    assert not any(item.key == "plan.comments" for item in at.button)
    store.begin_thread(1, 1, Anchor("section", "cost"), "Dear?")
    resolved = store.begin_thread(1, 1, Anchor("section", "cost"), "Cheap?")
    store.resolve_thread(resolved.id)
    clean(at.run())
    assert at.button(key="plan.comments").label == "1 open comment"
    press(at, "plan.comments")
    assert [str(item.value) for item in at.title] == ["Review"]
    assert at.segmented_control(key="review.view").value == "Comments"


@pytest.mark.parametrize(
    "view", ["State", "Findings and waivers", "Comments", "Requirements", "Decisions", "Register"]
)
def test_a_viewer_is_told_what_a_change_needs_and_gets_no_button_for_it(view: str) -> None:
    store = answers.store()
    store.create_design("Looked at", blocked_content())
    store.begin_thread(1, 1, Anchor("section", "cost"), "Dear?")
    store.set_account("ann@x", "approver", name="Ann")  # from now on who is not signed in only looks
    at = show(visit("review", design="1", rev="1"), "review.view", view)
    assert "needs an editor" in said(at) or "needs an approver" in said(at), said(at)
    keys = {str(item.key) for item in at.button}
    assert not any(key.startswith(("review.", "req.", "decision.", "register.")) for key in keys), keys


@pytest.mark.parametrize("view", ["State", "Comments", "Requirements", "Decisions", "Register", "Trail"])
def test_what_people_wrote_is_never_markup(view: str) -> None:
    store = answers.store().acting(Actor(name=HOSTILE, local=True))
    store.create_design(HOSTILE, scenario_content())
    store.begin_thread(1, 1, Anchor("section", "cost"), HOSTILE)
    store.add_entry(1, Requirement(
        ref=HOSTILE[:60], text=HOSTILE, result=HOSTILE, measure="at most", target=1.0, level="must",
    ))  # fmt: skip
    store.add_entry(
        1, Decision(problem=HOSTILE, options=HOSTILE, choice=HOSTILE, reason=HOSTILE, consequence=HOSTILE)
    )
    store.add_entry(
        1, RegisterItem(kind="risk", text=HOSTILE, owner=HOSTILE[:60], outcome=HOSTILE, open=False)
    )
    store.take_step(1, 1, "submit", note=HOSTILE)
    at = show(visit("review", design="1", rev="1"), "review.view", view)
    texts = [str(item.value) for item in (*at.markdown, *at.caption, *at.warning, *at.error, *at.success)]
    texts += [str(cell) for item in at.table for cell in item.value.to_numpy().ravel()]
    written = [text for text in texts if "alert" in text]
    assert written
    for text in written:
        for mark in ("<script", "[x]", "**b", "$x$", ":red["):
            assert mark not in text.replace(f"\\{mark[0]}", ""), (mark, text)
