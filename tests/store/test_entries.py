"""Requirements, decisions and the register: written in versions, none of them lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date

import pytest

from planner.core.errors import PlannerError
from planner.review import GUEST, RegisterItem, unasked, unknowns
from planner.store import EntryConflictError, EntryContent, NewRevision, Store, review_record
from planner.store.dossier import subjects
from tests.store.examples import (
    ANN,
    BOB,
    DECISION,
    REQUIREMENT,
    RISK,
    blocked_content,
    catalogue,
    planned,
    scenario_content,
    with_accounts,
)

QUESTION = RegisterItem(
    kind="question", text="Which UPS?", owner="Ann", due=date(2026, 3, 1), subject="Power and racks / UPS"
)
ALL: tuple[EntryContent, ...] = (
    REQUIREMENT, DECISION, QUESTION, replace(RISK, kind="assumption"), replace(RISK, kind="constraint"), RISK,
)  # fmt: skip


@pytest.fixture
def design(store: Store) -> Store:
    """A design with one revision."""
    store.create_design("a", scenario_content())
    return store


def test_each_kind_comes_back_as_it_was_written(design: Store) -> None:
    for content in ALL:
        written = design.add_entry(1, content, author="ann")
        assert (written.content, written.number, written.version, written.name) == (content, 1, 1, "ann")
    assert [entry.content for entry in design.entries(1)] == list(ALL)
    assert design.requirements(1) == (REQUIREMENT,)
    assert [entry.content for entry in design.entries(1, "risk")] == [RISK]


def test_numbers_count_on_within_a_kind(design: Store) -> None:
    numbers = [design.add_entry(1, content).number for content in (RISK, DECISION, RISK, RISK)]
    assert numbers == [1, 1, 2, 3]
    design.withdraw_entry(1, "risk", 3, version=1)
    assert design.add_entry(1, RISK).number == 4
    assert [entry.number for entry in design.entries(1, "risk")] == [1, 2, 4]


def test_change_is_a_version_and_every_version_is_kept(design: Store) -> None:
    design.add_entry(1, QUESTION, author="ann")
    answered = replace(QUESTION, outcome="Two of 20 kVA", open=False)
    second = design.change_entry(1, "question", 1, answered, version=1, author="bob")
    third = design.withdraw_entry(1, "question", 1, version=2, author="carl")
    assert (second.version, third.version, third.withdrawn) == (2, 3, True)
    assert design.entries(1) == ()
    assert design.entries(1, withdrawn=True) == (third,)
    assert [(entry.content, entry.name) for entry in design.entry_history(1, "question", 1)] == [
        (answered, "carl"), (answered, "bob"), (QUESTION, "ann"),
    ]  # fmt: skip
    assert design.change_entry(1, "question", 1, QUESTION, version=3).withdrawn is False


def test_second_writer_gets_mine_theirs_and_the_base(design: Store) -> None:
    base = design.add_entry(1, DECISION, author="ann")
    theirs = design.change_entry(1, "decision", 1, replace(DECISION, choice="TCP"), version=1, author="bob")
    mine = replace(DECISION, choice="FC")
    with pytest.raises(EntryConflictError, match="decision 1 was changed by bob") as caught:
        design.change_entry(1, "decision", 1, mine, version=1)
    assert (caught.value.mine, caught.value.theirs, caught.value.base) == (mine, theirs, base)
    with pytest.raises(EntryConflictError) as caught:
        design.withdraw_entry(1, "decision", 1, version=1)
    assert caught.value.mine is None
    assert design.entries(1) == (theirs,)


def test_many_writers_at_once_lose_no_entry(design: Store) -> None:
    with ThreadPoolExecutor(10) as pool:
        list(pool.map(lambda i: design.add_entry(1, replace(RISK, text=f"r{i}")), range(20)))
    found = design.entries(1, "risk")
    assert [entry.number for entry in found] == list(range(1, 21))
    assert {entry.content.text for entry in found if isinstance(entry.content, RegisterItem)} == {
        f"r{i}" for i in range(20)
    }


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (replace(REQUIREMENT, ref=""), "^ref: “” is empty"),
        (replace(REQUIREMENT, ref="a\nb"), r"^ref: .* U\+000A"),
        (replace(REQUIREMENT, text=" "), "^text: .* is empty"),
        (replace(REQUIREMENT, result=""), "^result: .* is empty"),
        (replace(REQUIREMENT, target=float("nan")), "^target: nan is no number"),
        (replace(REQUIREMENT, measure="atmost"), "^measure: .*; did you mean at most"),  # type: ignore[arg-type]
        (replace(REQUIREMENT, level="shall"), "^level: “shall” is not one of must, should"),  # type: ignore[arg-type]
        (replace(DECISION, problem=""), "^problem: "),
        (replace(DECISION, reason="\u200b"), "^reason: "),
        (replace(RISK, kind="rsk"), "^kind: .*; did you mean risk"),  # type: ignore[arg-type]
        (replace(RISK, owner="a\0"), "^owner: "),
        (replace(RISK, text="x" * 10_001), "^text: .* has 10001 characters"),
    ],
)
def test_what_cannot_be_written_is_refused(design: Store, content: EntryContent, told: str) -> None:
    with pytest.raises(PlannerError, match=told) as caught:
        design.add_entry(1, content)
    assert "\n" not in str(caught.value)
    assert design.entries(1) == ()


def test_customers_number_is_given_once(design: Store) -> None:
    design.add_entry(1, REQUIREMENT)
    with pytest.raises(PlannerError, match=r"^ref: “R-1” is requirement 1 already"):
        design.add_entry(1, REQUIREMENT)
    design.add_entry(1, replace(REQUIREMENT, ref="R-2"))
    with pytest.raises(PlannerError, match=r"^ref: “R-1” is requirement 1 already"):
        design.change_entry(1, "requirement", 2, REQUIREMENT, version=1)
    design.change_entry(1, "requirement", 1, replace(REQUIREMENT, target=40), version=1)
    design.withdraw_entry(1, "requirement", 1, version=2)
    assert design.add_entry(1, REQUIREMENT).number == 3


def test_entry_that_is_not_there_is_told(design: Store) -> None:
    design.add_entry(1, RISK)
    with pytest.raises(PlannerError, match=r"^number: risk 2 of design 1|^number: risk 2, version 1, of"):
        design.change_entry(1, "risk", 2, RISK, version=1)
    with pytest.raises(PlannerError, match="version 9"):
        design.change_entry(1, "risk", 1, RISK, version=9)
    with pytest.raises(PlannerError, match=r"^kind: risk 1 cannot become a decision"):
        design.change_entry(1, "risk", 1, DECISION, version=1)
    with pytest.raises(PlannerError, match=r"^design: 2 does not exist"):
        design.add_entry(2, RISK)
    with pytest.raises(PlannerError, match="did you mean risk"):
        design.entries(1, "risc")  # type: ignore[arg-type]


def test_what_a_plan_does_not_know_is_asked_once(design: Store) -> None:
    found = unknowns(planned())
    assert "Network / SR4/VR4 optic, 400 Gb/s, run at 200 Gb/s (GPU nodes)" in [
        item.subject for item in found
    ]
    assert [item.subject for item in unasked(planned(), ())] == [item.subject for item in found]
    first = design.add_entry(1, RegisterItem(kind="question", text="mine", subject=found[0].subject))
    left = unasked(planned(), subjects(design.entries(1)))
    assert [(item.kind, item.text, item.open) for item in left] == [
        ("question", item.text, True) for item in found[1:]
    ]
    with pytest.raises(PlannerError, match=r"^subject: question 1 is about “"):
        design.add_entry(1, RegisterItem(kind="question", text="again", subject=found[0].subject))
    design.withdraw_entry(1, "question", first.number, version=1)
    assert unasked(planned(), subjects(design.entries(1, withdrawn=True))) == left


def guest_of(store: Store, content: NewRevision) -> tuple[Store, Store]:
    """A guest with a link to the first revision of a design, and the editor who made both."""
    with_accounts(store)
    bob = store.acting(BOB)
    bob.create_design("a", content)
    return store.acting(replace(GUEST, share=bob.share(1, 1))), bob


def test_a_guest_sees_entries_as_the_next_revision_found_them(store: Store) -> None:
    guest, bob = guest_of(store, blocked_content())
    bob.add_entry(1, DECISION)
    bob.add_entry(1, REQUIREMENT)
    before = bob.entries(1)
    assert guest.entries(1) == before  # on the newest revision the work goes on
    bob.add_revision(1, replace(blocked_content(), note="2"), base_revision=1)
    bob.change_entry(1, "decision", 1, replace(DECISION, choice="TCP"), version=1)
    bob.withdraw_entry(1, "requirement", 1, version=1)
    bob.add_entry(1, RISK)
    assert guest.entries(1, withdrawn=True) == guest.entries(1) == before
    assert guest.requirements(1) == (REQUIREMENT,)
    assert guest.entry_history(1, "risk", 1) == ()
    assert [entry.version for entry in guest.entry_history(1, "decision", 1)] == [1]
    assert [entry.version for entry in bob.entry_history(1, "decision", 1)] == [2, 1]
    assert {entry.kind for entry in bob.entries(1)} == {"decision", "risk"}


def test_a_guest_sees_entries_as_they_were_signed(store: Store) -> None:
    guest, bob = guest_of(store, blocked_content())
    bob.add_entry(1, REQUIREMENT)
    bob.take_step(1, 1, "submit")
    ann = store.acting(ANN)
    for item in ann.assess(1, 1, catalogue=catalogue()).blockers(()):
        ann.waive(1, 1, item.finding.code, item.subject, reason="known", catalogue=catalogue())
    ann.approve(1, 1, catalogue=catalogue())
    bob.change_entry(1, "requirement", 1, replace(REQUIREMENT, target=1.0), version=1)
    bob.add_revision(1, replace(blocked_content(), note="2"), base_revision=1)
    bob.add_entry(1, RISK)
    assert guest.requirements(1) == (REQUIREMENT,)
    assert [entry.version for entry in guest.entries(1)] == [1]
    assert review_record(guest, 1, 1, catalogue=catalogue()) == review_record(
        bob, 1, 1, catalogue=catalogue()
    )
