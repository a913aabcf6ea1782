"""The review of a revision as its document tells it: what was signed is told as it stood then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from planner.core.errors import PlannerError
from planner.review import GUEST, Actor, Anchor, ReviewRecord
from planner.store import Store, review_record
from tests.store.examples import (
    ANN,
    BOB,
    DECISION,
    REQUIREMENT,
    RISK,
    blocked_content,
    catalogue,
    with_accounts,
)


def record(store: Store, revision: int = 1) -> ReviewRecord:
    return review_record(store, 1, revision, catalogue=catalogue())


def reviewed(store: Store) -> tuple[Store, Store]:
    """A design in review with an entry of each kind, a comment, and a waiver for each blocker."""
    with_accounts(store)
    ann, bob = store.acting(ANN), store.acting(BOB)
    bob.create_design("a", blocked_content())
    for entry in (REQUIREMENT, DECISION, RISK):
        bob.add_entry(1, entry)
    bob.begin_thread(1, 1, Anchor("section", "cost"), "Dear?")
    bob.take_step(1, 1, "submit", note="please")
    for item in ann.assess(1, 1, catalogue=catalogue()).blockers(()):
        ann.waive(1, 1, item.finding.code, item.subject, reason="known", catalogue=catalogue())
    return ann, bob


def test_an_unsigned_revision_tells_what_holds_now(store: Store) -> None:
    ann, bob = reviewed(store)
    found = record(bob)
    assert (found.state, found.signed) == ("in review", None)
    assert [(item["ref"], item["verdict"]) for item in found.requirements] == [("R-1", "pass")]
    assert [item.content for item in found.decisions] == [DECISION]
    assert [item.content for item in found.register] == [RISK]
    assert [(item.action, item.name, item.note) for item in found.steps] == [("submit", "Bob", "please")]
    assert [(item.key, item.open, item.said[0][2]) for item in found.remarks] == [("cost", True, "Dear?")]
    count = len(found.waivers)
    assert count == len(ann.waivers(1, 1))
    ann.revoke_waiver(ann.waivers(1, 1)[0].id)
    bob.withdraw_entry(1, "risk", 1, version=1)
    assert len(record(bob).waivers) == count - 1
    assert record(bob).register == ()


def test_later_changes_do_not_reach_what_was_signed(store: Store) -> None:
    ann, bob = reviewed(store)
    signed = ann.approve(1, 1, catalogue=catalogue())
    before = record(bob)
    assert before.signed is not None
    assert (before.signed.name, before.signed.signed_hash) == ("Ann", signed.signed_hash)
    bob.change_entry(1, "decision", 1, replace(DECISION, choice="TCP"), version=1)
    bob.change_entry(1, "requirement", 1, replace(REQUIREMENT, target=1.0), version=1)
    bob.withdraw_entry(1, "risk", 1, version=1)
    bob.add_entry(1, replace(RISK, text="Later"))
    ann.revoke_waiver(ann.waivers(1, 1)[0].id)
    ann.reply(1, "Later")
    ann.begin_thread(1, 1, Anchor("section", "cost"), "Later still")
    assert record(bob) == before


def test_a_guest_reads_the_record_of_his_revision_alone(store: Store) -> None:
    _, bob = reviewed(store)
    key = bob.share(1, 1, note="customer")
    bob.change_entry(1, "risk", 1, replace(RISK, owner="Bob"), version=1)
    bob.add_revision(1, replace(blocked_content(), note="2"), base_revision=1)
    guest = store.acting(Actor(name=GUEST.name, share=key))
    assert record(guest).state == "in review"
    with pytest.raises(PlannerError, match="a guest sees what a link shows"):
        record(guest, 2)
