"""Roles: what each may do, that the store itself asks, and that no public method lets a viewer write."""

from __future__ import annotations

import inspect
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import text

from planner.core.errors import PlannerError
from planner.review import GUEST, LOCAL, Actor, Anchor
from planner.store import NewCatalogueRow, RightsError, Store, open_store
from tests.store.examples import (
    ANN,
    BOB,
    DECISION,
    EVE,
    OWN_OPTIC,
    RISK,
    blocked_content,
    catalogue,
    content,
    scenario_content,
    with_accounts,
)
from tests.store.postgres import Server

Call = Callable[[Store], object]
ANCHOR = Anchor("section", "Cost")
KEY = "k" * 22


def _writes(folder: Path) -> dict[str, Call]:
    """A call of each method that writes, with arguments that are right for a filled store."""
    return {
        "create_design": lambda s: s.create_design("x", scenario_content()),
        "duplicate_design": lambda s: s.duplicate_design(1),
        "rename_design": lambda s: s.rename_design(1, "x"),
        "archive_design": lambda s: s.archive_design(1),
        "unarchive_design": lambda s: s.unarchive_design(1),
        "add_revision": lambda s: s.add_revision(1, blocked_content(), base_revision=2),
        "save_draft": lambda s: s.save_draft(KEY, "{}"),
        "delete_draft": lambda s: s.delete_draft(KEY),
        "begin_thread": lambda s: s.begin_thread(1, 2, ANCHOR, "x"),
        "reply": lambda s: s.reply(1, "x"),
        "resolve_thread": lambda s: s.resolve_thread(1),
        "reopen_thread": lambda s: s.reopen_thread(1),
        "add_entry": lambda s: s.add_entry(1, DECISION),
        "change_entry": lambda s: s.change_entry(1, "risk", 1, RISK, version=1),
        "withdraw_entry": lambda s: s.withdraw_entry(1, "risk", 1, version=1),
        "take_step": lambda s: s.take_step(1, 2, "submit"),
        "approve": lambda s: s.approve(1, 2, catalogue=catalogue()),
        "waive": lambda s: s.waive(1, 2, "CST-1", "cost", reason="x", catalogue=catalogue()),
        "revoke_waiver": lambda s: s.revoke_waiver(1),
        "write_catalogue_rows": lambda s: s.write_catalogue_rows(
            [NewCatalogueRow(OWN_OPTIC, version=1)], shipped=catalogue(), author="x"
        ),
        "withdraw_catalogue_row": lambda s: s.withdraw_catalogue_row(
            "optics", "own-400g", shipped=catalogue(), version=1, author="x"
        ),
        "add_measurements": lambda s: s.add_measurements(1, 2, "{}", measured_on=date(2026, 1, 1)),
        "withdraw_measurements": lambda s: s.withdraw_measurements(1),
        "keep_document_settings": lambda s: s.keep_document_settings('{"contact": "x"}', design_id=1),
        "share": lambda s: s.share(1, 2),
        "withdraw_share": lambda s: s.withdraw_share(1),
        "set_account": lambda s: s.set_account("eve@x", "approver"),
        "backup": lambda s: s.backup(folder / "b"),
        "restore": lambda s: s.restore(folder / "restorable"),
    }


def _follow_nothing(store: Store) -> None:
    with pytest.raises(PlannerError, match="this link shows nothing any more"):
        store.shared("x" * 32)


READS: dict[str, Call] = {
    "designs": lambda s: s.designs(),
    "design": lambda s: s.design(1),
    "revisions": lambda s: s.revisions(1),
    "revision": lambda s: s.revision(1),
    "open_revision": lambda s: s.open_revision(1),
    "staleness": lambda s: s.staleness(1, catalogue=catalogue()),
    "draft": lambda s: s.draft(KEY),
    "new_draft_key": lambda s: s.new_draft_key(),
    "threads": lambda s: s.threads(1, 2, present={ANCHOR}),
    "entries": lambda s: s.entries(1),
    "requirements": lambda s: s.requirements(1),
    "entry_history": lambda s: s.entry_history(1, "risk", 1),
    "assess": lambda s: s.assess(1, catalogue=catalogue()),
    "review_steps": lambda s: s.review_steps(1),
    "signature": lambda s: s.signature(1, 1),
    "waivers": lambda s: s.waivers(1, 2),
    "measurements": lambda s: s.measurements(1, 1),
    "document_settings": lambda s: s.document_settings(1),
    "catalogue_rows": lambda s: s.catalogue_rows(),
    "catalogue_history": lambda s: s.catalogue_history("optics", "own-400g"),
    "own_rows": lambda s: s.own_rows(date(2026, 1, 1)),
    "catalogue_stamp": lambda s: s.catalogue_stamp(),
    "accounts": lambda s: s.accounts(),
    "audit": lambda s: s.audit(),
    "audit_csv": lambda s: s.audit_csv(),
    "audit_json": lambda s: s.audit_json(),
    "shares": lambda s: s.shares(1),
    "shared": _follow_nothing,
    "drop_old_drafts": lambda s: s.drop_old_drafts(),
    "role": lambda s: s.role(),
    "acting": lambda s: s.acting(GUEST),
}


FOR_ANYONE = {"draft", "new_draft_key", "drop_old_drafts", "shared", "role", "acting", "catalogue_stamp"}
"""What a guest without a link may call: a draft and a link have keys of their own, the rest tells nothing."""
OF_THE_DESIGN = {"design", "entries", "requirements", "entry_history", "document_settings"}
"""What belongs to the design that a link shows a revision of."""
FOR_A_LINK = {"entry_history"} | {"design", "revision", "open_revision", "staleness", "threads", "entries", "requirements", "assess"} | {
    "signature", "waivers", "measurements", "document_settings",
}  # fmt: skip
"""What shows the revision of a link, and what belongs to it."""


def link_of(store: Store) -> str:
    """A link to the first revision, made by someone who may."""
    return store.acting(BOB).share(1, 1)


def _public() -> set[str]:
    return {name for name, _ in inspect.getmembers(Store, callable) if not name.startswith("_")} - {"close"}


def test_every_public_method_is_known_as_reading_or_writing(tmp_path: Path) -> None:
    assert _public() == READS.keys() | _writes(tmp_path).keys()


@pytest.fixture
def restorable(tmp_path: Path, empty_database: Path) -> Path:
    """The folder of the test, with a backup in it."""
    shutil.copy(empty_database, tmp_path / "restorable")
    return tmp_path


@pytest.mark.parametrize(
    "actor", [EVE, GUEST, Actor("nobody@x"), LOCAL], ids=["viewer", "guest", "unlisted", "local"]
)
def test_viewer_cannot_write_through_any_public_method(
    filled_store: Store, restorable: Path, actor: Actor
) -> None:
    before = content(filled_store)
    seen = filled_store.acting(actor)
    for name, call in READS.items():
        if actor is GUEST and name not in FOR_ANYONE:
            with pytest.raises(RightsError, match=r"^role: a guest sees what a link shows, and nothing else"):
                call(seen)
        else:
            call(seen)
    assert content(filled_store) == before
    for name, call in _writes(restorable).items():
        if name == "backup" and actor.local:
            continue  # it writes no row, and whoever runs the machine has the file anyway
        with pytest.raises(RightsError, match=r"^role: ") as caught:
            call(seen)
        assert "\n" not in str(caught.value)
    assert content(filled_store) == before
    assert not (restorable / "b").exists()


SETTLED: dict[str, Call] = {
    "unarchive_design": lambda s: s.archive_design(1),
    "resolve_thread": lambda s: s.reopen_thread(1),
    "approve": lambda s: s.take_step(1, 2, "submit"),
}
"""What has to come first for a call to change anything."""


@pytest.mark.parametrize("name", sorted(_writes(Path()).keys() - {"restore"}))
def test_the_same_call_writes_for_who_may(filled_file_store: Store, tmp_path: Path, name: str) -> None:
    """The refusals above are for the role alone: each call does something for an approver."""
    ann = filled_file_store.acting(ANN)
    if name in SETTLED:
        SETTLED[name](ann)
    before = content(filled_file_store)
    _writes(tmp_path)[name](ann)
    assert (content(filled_file_store) != before) == (name != "backup")
    assert (tmp_path / "b").exists() == (name == "backup")


def test_editor_may_not_do_what_needs_an_approver(filled_store: Store, restorable: Path) -> None:
    bob = filled_store.acting(BOB)
    bob.take_step(1, 2, "submit")
    before = content(filled_store)
    for name in ("waive", "revoke_waiver", "approve", "set_account", "backup", "restore"):
        with pytest.raises(RightsError, match="needs an approver"):
            _writes(restorable)[name](bob)
    for step in ("request changes", "supersede"):
        with pytest.raises(RightsError, match=r"Bob is an editor; to .* needs an approver"):
            bob.take_step(1, 2, step, note="x")
    assert content(filled_store) == before


def test_role_is_read_again_with_each_write(store: Store) -> None:
    with_accounts(store)
    bob = store.acting(BOB)
    bob.create_design("a", scenario_content())
    store.acting(ANN).set_account("bob@x", "viewer")
    with pytest.raises(RightsError, match="Bob is a viewer; saving a revision needs an editor"):
        bob.add_revision(1, blocked_content(), base_revision=1)
    assert bob.role() == "viewer"


def test_first_account_is_an_approver_and_one_always_stays(store: Store) -> None:
    with pytest.raises(PlannerError, match="nobody would be left to give roles"):
        store.set_account("bob@x", "editor")
    assert store.role() == "approver"
    store.set_account("ann@x", "approver")
    assert store.role() == "viewer"
    ann = store.acting(Actor("ann@x"))
    with pytest.raises(PlannerError, match="ann@x cannot be viewer: nobody would be left"):
        ann.set_account("ann@x", "viewer")
    ann.set_account("carl@x", "approver")
    ann.set_account("ann@x", "viewer")
    assert [(account.subject, account.role) for account in store.accounts()] == [
        ("ann@x", "viewer"),
        ("carl@x", "approver"),
    ]


WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"
"""How many on the server wait for others."""


def test_two_approvers_cannot_take_the_role_from_each_other_at_once(server: Server, server_url: str) -> None:
    with open_store(server_url) as store:
        store.set_account("ann@x", "approver")
        ann = store.acting(Actor("ann@x"))
        ann.set_account("carl@x", "approver")
        with store.database.engine.connect() as carls, ThreadPoolExecutor(1) as pool:
            carls.execute(text("UPDATE account SET role = 'viewer' WHERE subject = 'ann@x'"))
            other = pool.submit(ann.set_account, "carl@x", "viewer")
            while not (other.done() or server.execute(WAITING)[0][0]):
                time.sleep(0.01)
            carls.commit()
            with pytest.raises(PlannerError, match="nobody would be left"):
                other.result(timeout=20)
        assert [account.role for account in store.accounts()] == ["viewer", "approver"]


@pytest.mark.parametrize(
    ("subject", "role", "told"),
    [
        ("", "approver", "^subject: “” is empty"),
        ("a\nb", "approver", "^subject: .* control character"),
        ("not a mail", "approver", "^subject: “not a mail” is no mail address; write one like "),
        ("ann", "approver", "^subject: “ann” is no mail address"),
        ("ann@x@y", "approver", "^subject: "),
        ("ann@x", "aprover", "not one of viewer, editor, approver; did you mean approver"),
    ],
)
def test_account_that_cannot_be_is_refused(store: Store, subject: str, role: str, told: str) -> None:
    with pytest.raises(PlannerError, match=told):
        store.set_account(subject, role)
    assert store.accounts() == ()


def test_account_of_a_providers_number_or_of_an_earlier_version_can_be_written(store: Store) -> None:
    store.set_account("https://accounts.example 7", "approver", name="Ann")
    ann = store.acting(Actor("https://accounts.example 7"))
    with pytest.raises(PlannerError, match=r"^name: “” is empty"):
        ann.set_account("bob@x", "editor", name=" ")
    with store.database.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO account (subject, name, role, updated) SELECT 'old', '', 'editor', updated FROM account"
            )
        )
    assert ann.set_account("old", "viewer").role == "viewer"


def test_sign_in_names_the_author_whatever_is_typed(store: Store) -> None:
    with_accounts(store)
    bob = store.acting(BOB)
    saved = bob.create_design("a", scenario_content(author="Ann"))
    assert (saved.author, saved.saved_by) == ("Bob", "bob@x")
    assert bob.begin_thread(1, 1, ANCHOR, "x", author="Ann").comments[0].name == "Bob"
    assert bob.add_entry(1, RISK, author="Ann").name == "Bob"
    assert bob.take_step(1, 1, "submit", author="Ann").state == "in review"
    assert {event.name for event in store.audit(1)} == {"Bob"}


def test_a_subject_alone_is_no_local_user(store: Store) -> None:
    with_accounts(store)
    with pytest.raises(RightsError):
        store.acting(Actor(subject="", name="Ann")).rename_design(1, "x")
    with pytest.raises(RightsError, match="this database has accounts, and you are not signed in"):
        store.rename_design(1, "x")
    with pytest.raises(PlannerError, match=r"^subject: "):
        store.acting(Actor("a\0"))


def test_a_guest_sees_the_revision_of_his_link_and_nothing_else(filled_store: Store) -> None:
    store = filled_store
    other = store.acting(BOB).create_design("other", scenario_content()).design_id
    guest = store.acting(replace(GUEST, share=link_of(store)))
    assert guest.shared(guest.actor.share) == (1, 1)
    shown: dict[str, Callable[[int, int], object]] = {
        "design": lambda d, _: guest.design(d),
        "revision": guest.revision,
        "open_revision": guest.open_revision,
        "staleness": lambda d, r: guest.staleness(d, r, catalogue=catalogue()),
        "assess": lambda d, r: guest.assess(d, r, catalogue=catalogue()),
        "threads": lambda d, r: guest.threads(d, r, present={ANCHOR}),
        "entries": lambda d, _: guest.entries(d),
        "requirements": lambda d, _: guest.requirements(d),
        "entry_history": lambda d, _: guest.entry_history(d, "risk", 1),
        "signature": guest.signature,
        "waivers": guest.waivers,
        "measurements": guest.measurements,
        "document_settings": lambda d, _: guest.document_settings(d),
    }
    assert store.design(1).key_results != {}
    assert guest.design(1).key_results == {}  # of the newest revision, which the link does not show
    assert shown.keys() == FOR_A_LINK
    for name, call in shown.items():
        call(1, 1)
        with pytest.raises(RightsError, match="a guest sees what a link shows"):
            call(other, 1)
        if name not in OF_THE_DESIGN:
            with pytest.raises(RightsError, match="a guest sees what a link shows"):
                call(1, 2)
    for name in READS.keys() - FOR_A_LINK - FOR_ANYONE:
        with pytest.raises(RightsError, match="a guest sees what a link shows"):
            READS[name](guest)
    with pytest.raises(RightsError, match="a guest sees what a link shows"):
        guest.revision(1)  # the newest one is not what the link shows


def test_a_link_that_was_withdrawn_shows_nothing(filled_store: Store) -> None:
    store = filled_store
    key = link_of(store)
    guest = store.acting(replace(GUEST, share=key))
    assert guest.revision(1, 1).number == 1
    bob = store.acting(BOB)
    made = bob.shares(1)[-1]
    assert (made.revision, made.name, made.withdrawn) == (1, "Bob", None)
    gone = bob.withdraw_share(made.id)
    assert gone.withdrawn is not None
    assert bob.withdraw_share(made.id) == gone
    for call in (
        lambda: guest.revision(1, 1),
        lambda: guest.shared(key),
        lambda: guest.shared("x" * 32),
        lambda: guest.shared("\ud800"),
    ):
        with pytest.raises(PlannerError, match=r"^share: this link shows nothing any more"):
            call()
    with pytest.raises(PlannerError, match=r"^share: link 99 does not exist"):
        bob.withdraw_share(99)
    with pytest.raises(PlannerError, match=r"^revision: 9 of design 1 does not exist"):
        bob.share(1, 9)


def test_the_key_of_a_link_is_nowhere_in_the_database(filled_file_store: Store, tmp_path: Path) -> None:
    key = link_of(filled_file_store)
    filled_file_store.acting(ANN).backup(tmp_path / "copy")
    assert key not in repr(content(filled_file_store))
    assert key.encode() not in (tmp_path / "copy").read_bytes()
