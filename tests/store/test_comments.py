"""Comments: threads on things, shown as long as the thing is there."""

from __future__ import annotations

import pytest

from planner.core.errors import PlannerError
from planner.review import Anchor, anchors
from planner.store import Store
from tests.store.examples import planned, scenario_content

FIELD = Anchor("field", "cluster.node_count")
RESULT = Anchor("result", "Key figures / Stall")
FINDING = Anchor("finding", "CST-1 / cost")
LINE = Anchor("line", "NVMe-oF hot tier / Micron 9550 MAX, 6.4\N{NO-BREAK SPACE}TB")
SECTION = Anchor("section", "Cost")


@pytest.fixture
def design(store: Store) -> Store:
    """A design with two revisions, the second with another drive."""
    store.create_design("a", scenario_content())
    store.add_revision(1, scenario_content(("storage.hot.drive_id", "pm1753-15360")), base_revision=1)
    return store


@pytest.mark.parametrize("anchor", [FIELD, RESULT, FINDING, LINE, SECTION], ids=lambda anchor: anchor.kind)
def test_thread_hangs_on_each_kind_of_thing(design: Store, anchor: Anchor) -> None:
    assert anchor in anchors(planned())
    begun = design.begin_thread(1, 1, anchor, " why?\nreally ", author="ann")
    answered = design.reply(begun.id, "because", author="bob")
    assert (answered.anchor, answered.open, answered.revision) == (anchor, True, 1)
    assert [(said.name, said.text) for said in answered.comments] == [
        ("ann", "why?\nreally"),
        ("bob", "because"),
    ]
    assert answered.created < answered.updated == answered.comments[1].created
    assert design.threads(1, 1) == (answered,)


def test_threads_show_on_later_revisions_while_the_thing_is_there(design: Store) -> None:
    for anchor in (FIELD, LINE):
        design.begin_thread(1, 1, anchor, "x", author="ann")
    design.begin_thread(1, 2, SECTION, "later", author="ann")
    present = anchors(planned(("storage.hot.drive_id", "pm1753-15360")))
    assert LINE not in present
    assert [thread.anchor for thread in design.threads(1, 2, present=present)] == [FIELD, SECTION]
    assert [thread.anchor for thread in design.threads(1, 2)] == [SECTION]
    assert [thread.anchor for thread in design.threads(1, 1, present=anchors(planned()))] == [FIELD, LINE]


def test_resolve_and_reopen_say_who(design: Store) -> None:
    begun = design.begin_thread(1, 1, FIELD, "x", author="ann")
    resolved = design.resolve_thread(begun.id, author="bob")
    assert (resolved.open, resolved.changed_by) == (False, "bob")
    assert design.resolve_thread(begun.id, author="carl") == resolved
    assert design.reply(begun.id, "still", author="ann").open is False
    reopened = design.reopen_thread(begun.id, author="ann")
    assert (reopened.open, reopened.changed_by, len(reopened.comments)) == (True, "ann", 2)
    assert [event.action for event in design.audit(1)] == [
        "create design", "save revision", "comment", "resolve", "reply", "reopen",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("anchor", "said", "told"),
    [
        (FIELD, "", "^comment: “” is empty; type 1 to 10000 characters"),
        (FIELD, " \n\t", "^comment: .* is empty"),
        (FIELD, "x" * 10_001, "^comment: .* has 10001 characters"),
        (FIELD, "a\0", r"^comment: .* U\+0000"),
        (Anchor("fild", "x"), "x", "^anchor: “fild” is not one of .*; did you mean field"),  # type: ignore[arg-type]
        (Anchor("field", " "), "x", "^anchor: the field has no name"),
        (Anchor("field", "a\nb"), "x", r"^anchor: .* U\+000A"),
        (Anchor("field", "x" * 501), "x", "^anchor: .* has 501 characters"),
    ],
)
def test_comment_that_cannot_be_is_refused(design: Store, anchor: Anchor, said: str, told: str) -> None:
    with pytest.raises(PlannerError, match=told):
        design.begin_thread(1, 1, anchor, said)
    assert design.threads(1, 1) == ()


@pytest.mark.parametrize("thread", [0, -1, 2, 10**30])
def test_unknown_thread_is_told(design: Store, thread: int) -> None:
    design.begin_thread(1, 1, FIELD, "x")
    for call in (lambda: design.reply(thread, "x"), lambda: design.resolve_thread(thread)):
        with pytest.raises(PlannerError, match=r"^thread: .* does not exist"):
            call()
    with pytest.raises(PlannerError, match=r"^revision: 3 of design 1 does not exist"):
        design.begin_thread(1, 3, FIELD, "x")
