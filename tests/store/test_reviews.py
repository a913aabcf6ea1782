"""Where a review stands, who may move it, what is waived, and what is signed."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from planner import __version__
from planner.core.errors import PlannerError
from planner.review import Actor, Anchor, Requirement, accepted, signed_hash, subjects
from planner.store import NewRevision, RightsError, Store
from tests.store.examples import (
    ANN,
    BLOCKED,
    BOB,
    REQUIREMENT,
    blocked_content,
    catalogue,
    planned,
    scenario,
    scenario_content,
    with_accounts,
)

CATALOGUE = catalogue()


def _in_review(store: Store, content: NewRevision | None = None) -> None:
    store.create_design("a", content or scenario_content())
    store.take_step(1, 1, "submit")


def test_a_review_from_draft_to_superseded(store: Store) -> None:
    _in_review(store)
    assert store.take_step(1, 1, "request changes", note="smaller", author="bob").state == "changes requested"
    store.add_revision(1, scenario_content(("cluster.node_count", 128)), base_revision=1)
    store.take_step(1, 2, "submit")
    signed = store.approve(1, 2, catalogue=CATALOGUE, author="bob", note="good")
    assert (store.revision(1, 2).state, store.design(1).status) == ("approved", "approved")
    assert (signed.name, signed.note, signed.source, signed.target) == (
        "bob",
        "good",
        "in review",
        "approved",
    )
    store.add_revision(1, scenario_content(("cluster.node_count", 64)), base_revision=2)
    assert store.design(1).status == "draft"
    store.take_step(1, 3, "submit")
    store.approve(1, 3, catalogue=CATALOGUE, author="bob")
    assert [revision.state for revision in store.revisions(1)] == [
        "approved",
        "superseded",
        "changes requested",
    ]
    assert [(step.revision, step.action) for step in store.review_steps(1)] == [
        (1, "submit"), (1, "request changes"), (2, "submit"), (2, "approve"), (3, "submit"), (3, "approve"),
        (2, "supersede"),
    ]  # fmt: skip
    assert store.signature(1, 2) == signed
    assert store.signature(1, 1) is None
    assert [step.action for step in store.review_steps(1, 2)] == ["submit", "approve", "supersede"]


@pytest.mark.parametrize(
    ("done", "step", "told"),
    [
        (
            (),
            "withdraw",
            "a revision that is draft cannot be “withdraw”, which starts from in review; it can be: submit",
        ),
        ((), "supersede", "starts from approved"),
        (
            ("submit",),
            "submit",
            "starts from draft or changes requested; it can be: withdraw, request changes, approve",
        ),
        (
            (),
            "aprove",
            "not one of submit, withdraw, request changes, approve, supersede; did you mean approve",
        ),
        (("submit",), "approve", "an approval needs the catalogue"),
    ],
)
def test_step_that_leads_nowhere_is_refused(
    store: Store, done: tuple[str, ...], step: str, told: str
) -> None:
    store.create_design("a", scenario_content())
    for each in done:
        store.take_step(1, 1, each)
    before = store.revision(1), store.review_steps(1)
    with pytest.raises(PlannerError, match=r"^action: ") as caught:
        store.take_step(1, 1, step, note="x")
    assert told in str(caught.value)
    assert (store.revision(1), store.review_steps(1)) == before


def test_reason_is_needed_to_send_back_and_to_take_back(store: Store) -> None:
    _in_review(store)
    with pytest.raises(PlannerError, match=r"^note: .* is empty"):
        store.take_step(1, 1, "request changes", note=" \n ")
    store.approve(1, 1, catalogue=CATALOGUE, author="ann")
    with pytest.raises(PlannerError, match=r"^note: .* is empty"):
        store.take_step(1, 1, "supersede")
    assert store.take_step(1, 1, "supersede", note="wrong drive").state == "superseded"
    with pytest.raises(PlannerError, match="nothing leads on from there"):
        store.take_step(1, 1, "submit")


def test_approval_needs_a_review(store: Store) -> None:
    store.create_design("a", scenario_content())
    with pytest.raises(PlannerError, match="is draft cannot be “approve”, which starts from in review"):
        store.approve(1, 1, catalogue=CATALOGUE, author="ann")
    assert store.signature(1, 1) is None


def test_signature_is_the_hash_of_scenario_rows_prices_and_engine(store: Store) -> None:
    _in_review(store)
    signed = store.approve(1, 1, catalogue=CATALOGUE, author="ann")
    assert signed.signed_hash == signed_hash(scenario(), CATALOGUE, engine_version=__version__)
    assert signed.record["engine_version"] == __version__
    assert signed.record["catalogue_hash"] == CATALOGUE.hash
    assert signed.record["key_results"] == scenario_content().key_results
    assert store.audit(1)[-1].detail["signed_hash"] == signed.signed_hash


def test_approved_revision_is_frozen(store: Store) -> None:
    _in_review(store, blocked_content())
    for item in store.assess(1, 1, catalogue=CATALOGUE).blockers(()):
        store.waive(1, 1, item.finding.code, item.subject, reason="known", catalogue=CATALOGUE, author="ann")
    store.approve(1, 1, catalogue=CATALOGUE, author="ann")
    before = store.revision(1, 1)
    with pytest.raises(PlannerError, match="revision 1 is approved and frozen; save a new revision"):
        store.waive(1, 1, "BW-2", "NVMe-oF hot tier", reason="x", catalogue=CATALOGUE, author="ann")
    assert store.revision(1, 1) == before


def test_blockers_cannot_be_approved_without_a_waiver(store: Store) -> None:
    _in_review(store, blocked_content())
    found = [item for item in subjects(planned(*BLOCKED.items())) if item[1].severity == "blocker"]
    assert len(found) == 3
    for subject, finding in found:
        with pytest.raises(PlannerError, match=r"^approve: .* stands? in the way; mend (it|each) or"):
            store.approve(1, 1, catalogue=CATALOGUE, author="ann")
        waiver = store.waive(1, 1, finding.code, subject, reason="a pilot", catalogue=CATALOGUE, author="ann")
        assert (waiver.reason, waiver.name, waiver.message) == (
            "a pilot",
            "ann",
            f"blocker: {finding.message}",
        )
    record = store.approve(1, 1, catalogue=CATALOGUE, author="ann").record
    assert [(item["code"], item["reason"], item["name"]) for item in record["waivers"]] == [
        (finding.code, "a pilot", "ann") for _, finding in found
    ]
    assert {item["date"] for item in record["waivers"]} == {"2026-01-01"}


def test_waiver_holds_on_later_revisions_until_the_numbers_change(store: Store) -> None:
    store.create_design("a", blocked_content())
    items = store.assess(1, 1, catalogue=CATALOGUE).blockers(())
    for item in items:
        store.waive(1, 1, item.finding.code, item.subject, reason="ok", catalogue=CATALOGUE, author="ann")
    renamed = (*BLOCKED.items(), ("name", "Other name"))
    store.add_revision(1, scenario_content(*renamed), base_revision=1)
    assert store.assess(1, 2, catalogue=CATALOGUE).blockers(store.waivers(1, 2)) == ()
    faster = (*BLOCKED.items(), ("jobs.0.checkpoint.interval_s", 50.0))
    store.add_revision(1, scenario_content(*faster), base_revision=2)
    left = store.assess(1, 3, catalogue=CATALOGUE).blockers(store.waivers(1, 3))
    assert [item.finding.code for item in left] == ["BW-4", "END-1"]
    covered = accepted(planned(*faster), store.waivers(1, 3))
    lapsed = [item for item in covered if item.waiver is not None and not item.holds]
    assert [item.finding.code for item in lapsed] == ["BW-4", "END-1"]
    assert store.waivers(1, 1) == store.waivers(1, 3)


def test_revoked_waiver_no_longer_covers_and_is_kept(store: Store) -> None:
    store.create_design("a", blocked_content())
    first = store.assess(1, 1, catalogue=CATALOGUE).blockers(())[0]
    waiver = store.waive(
        1, 1, first.finding.code, first.subject, reason="x", catalogue=CATALOGUE, author="ann"
    )
    revoked = store.revoke_waiver(waiver.id)
    assert revoked.revoked is not None
    assert store.revoke_waiver(waiver.id) == revoked
    assert store.waivers(1, 1) == (revoked,)
    assert len(store.assess(1, 1, catalogue=CATALOGUE).blockers(store.waivers(1, 1))) == 3
    with pytest.raises(PlannerError, match="waiver: 99 does not exist"):
        store.revoke_waiver(99)


@pytest.mark.parametrize(
    ("code", "subject", "reason", "author", "told"),
    [
        ("END-1", "endurance", " ", "ann", "^reason: “” is empty"),
        ("END-1", "nothing", "x", "ann", "^finding: this revision has no END-1 on “nothing”"),
        ("END-9", "endurance", "x", "ann", "^finding: this revision has no END-9"),
        ("REQ", "R-9", "x", "ann", "^subject: there is no requirement “R-9” that is not met"),
        ("CST-1", "cost", "x", "", "^author: a waiver needs a name"),
    ],
)
def test_waiver_of_nothing_or_without_a_reason_is_refused(
    store: Store, code: str, subject: str, reason: str, author: str, told: str
) -> None:
    store.create_design("a", blocked_content())
    with pytest.raises(PlannerError, match=told):
        store.waive(1, 1, code, subject, reason=reason, catalogue=CATALOGUE, author=author)
    assert store.waivers(1, 1) == ()


def test_missed_must_blocks_until_it_is_waived_and_a_should_does_not(store: Store) -> None:
    strict = replace(REQUIREMENT, target=1.0)
    store.create_design("a", scenario_content())
    store.add_entry(1, replace(strict, ref="S-1", level="should"))
    store.take_step(1, 1, "submit")
    store.add_entry(1, strict)
    stall = planned().main.goodput.stall_s.text()
    with pytest.raises(PlannerError) as caught:
        store.approve(1, 1, catalogue=CATALOGUE, author="ann")
    assert f"requirement R-1 (at most 1 s; the design has {stall}) stands in the way".replace(
        "1 s", "1\N{NO-BREAK SPACE}s"
    ) in str(caught.value)
    store.waive(1, 1, "REQ", "R-1", reason="agreed by phone", catalogue=CATALOGUE, author="ann")
    record = store.approve(1, 1, catalogue=CATALOGUE, author="ann").record
    assert [(item["ref"], item["verdict"]) for item in record["requirements"]] == [
        ("S-1", "fail"),
        ("R-1", "waived"),
    ]


def test_later_requirements_do_not_reach_what_was_signed(store: Store) -> None:
    _in_review(store)
    store.add_entry(1, REQUIREMENT)
    signed = store.approve(1, 1, catalogue=CATALOGUE, author="ann")
    store.add_entry(1, replace(REQUIREMENT, ref="R-2"))
    store.change_entry(1, "requirement", 1, replace(REQUIREMENT, target=0.5), version=1)
    assert store.signature(1, 1) == signed
    assert [item["ref"] for item in signed.record["requirements"]] == ["R-1"]


def test_results_that_would_move_are_not_signed(store: Store) -> None:
    content = scenario_content()
    old = {**content.key_results, "Power": float(content.key_results["Power"]) * 0.9}
    _in_review(store, replace(content, key_results=old, engine_version="0.0.9"))
    with pytest.raises(PlannerError) as caught:
        store.approve(1, 1, catalogue=CATALOGUE, author="ann")
    assert "Newer engine: 1 key figure would move; biggest +11.1 %. Save it as a new revision" in str(
        caught.value
    )
    stale = store.staleness(1, 1, catalogue=CATALOGUE)
    assert (stale.causes, [item.name for item in stale.moved]) == (("engine",), ["Power"])
    store.add_revision(1, content, base_revision=1)
    store.take_step(1, 2, "submit")
    assert store.approve(1, 2, catalogue=CATALOGUE, author="ann").revision == 2


def test_earlier_revision_is_not_approved_after_a_later_one(store: Store) -> None:
    _in_review(store)
    store.add_revision(1, blocked_content(), base_revision=1)
    store.add_revision(1, scenario_content(), base_revision=2)
    store.take_step(1, 3, "submit")
    store.approve(1, 3, catalogue=CATALOGUE, author="ann")
    with pytest.raises(PlannerError, match="revision 3 of design 1, which is later, is approved already"):
        store.approve(1, 1, catalogue=CATALOGUE, author="ann")


def test_who_saved_it_does_not_approve_it(store: Store) -> None:
    with_accounts(store)
    ann, bob = store.acting(ANN), store.acting(BOB)
    ann.create_design("a", scenario_content())
    ann.take_step(1, 1, "submit")
    with pytest.raises(RightsError, match="Ann saved revision 1; someone else has to approve it"):
        ann.approve(1, 1, catalogue=CATALOGUE)
    bob.add_revision(1, blocked_content(), base_revision=1)
    bob.add_revision(1, scenario_content(), base_revision=2)
    bob.take_step(1, 3, "submit")
    signed = ann.approve(1, 3, catalogue=CATALOGUE)
    assert (signed.name, signed.subject) == ("Ann", "ann@x")


def test_two_approvers_at_once_sign_once(store: Store) -> None:
    _in_review(store)
    barrier = threading.Barrier(4)

    def sign(number: int) -> str:
        barrier.wait()
        try:
            return store.acting(Actor(name=f"a{number}", local=True)).approve(1, 1, catalogue=CATALOGUE).name
        except PlannerError as refused:
            return str(refused)

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(sign, range(4)))
    assert len([line for line in told if "is approved cannot be “approve”" in line]) == 3
    assert store.revision(1).state == "approved"
    assert [step.action for step in store.review_steps(1)] == ["submit", "approve"]


def test_requirement_bound_to_nothing_is_unknown_and_blocks(store: Store) -> None:
    _in_review(store)
    store.add_entry(
        1,
        Requirement(ref="R", text="t", result="No / such", measure="at least", target=1, level="must"),
    )
    with pytest.raises(PlannerError, match=r"requirement R \(at least 1; the design has no such result\)"):
        store.approve(1, 1, catalogue=CATALOGUE, author="ann")


@pytest.mark.parametrize(
    ("author", "told"),
    [
        ("", "^author: a signature needs a name"),
        (" ", "^author: a signature needs a name"),
        ("\u200b", "is empty"),
    ],
)
def test_nobody_signs_without_a_name(store: Store, author: str, told: str) -> None:
    store.create_design("a", scenario_content())
    store.take_step(1, 1, "submit")
    with pytest.raises(PlannerError, match=told):
        store.approve(1, 1, catalogue=CATALOGUE, author=author)
    assert store.revision(1).state == "in review"
    assert store.signature(1, 1) is None
    with pytest.raises(PlannerError, match=r"^author:"):
        store.begin_thread(1, 1, Anchor("section", "Cost"), "x", author="\u200b")
