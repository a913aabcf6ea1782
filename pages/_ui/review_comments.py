"""Comments: threads on what is in the revision, a new one, and word of open ones on the Plan screen."""

from __future__ import annotations

from typing import cast

import streamlit as st

from pages._ui import answers, session
from pages._ui.markup import bold, escaped
from pages._ui.review_common import able, ask_name, assessed, author, things, things_of
from pages._ui.session import guarded
from planner.core.errors import PlannerError
from planner.core.units import counted
from planner.inputs import input_at
from planner.review import ANCHOR_KINDS, Anchor, AnchorKind
from planner.store import Thread

_KINDS: dict[AnchorKind, str] = {
    "section": "Section",
    "result": "Result",
    "finding": "Finding",
    "line": "Line of the bill",
    "field": "Input",
}


def show(design: int, revision: int) -> None:
    """Threads on what is in the revision, and a new one."""
    there = things(assessed(design, revision))
    threads = answers.store().threads(design, revision, present=there)
    writes = able("editor", "Commenting")
    if writes:
        ask_name()
    if not threads:
        st.markdown(
            "Nobody has commented on this revision. A comment hangs on a section, a result, a finding, a line of the "
            "bill or an input, and shows on later revisions too for as long as that is there."
        )
    if not any(thread.open for thread in threads) and threads:
        st.markdown("Every comment is resolved.")
    for thread in sorted(threads, key=lambda thread: not thread.open):
        _thread(thread, revision, writes=writes)
    if writes:
        _new(design, revision, there)


def _thread(thread: Thread, revision: int, *, writes: bool) -> None:
    with st.container(border=True, gap="xsmall"):
        mark = ":orange[▲] open" if thread.open else ":green[✔] resolved"
        since = "" if thread.revision == revision else f" · since revision {thread.revision}"
        about = f"{_KINDS[thread.anchor.kind]} {bold(label(thread.anchor))}"
        by = f" by {escaped(thread.changed_by)}" if thread.changed_by else ""
        st.markdown(f"{mark}{by} · {about}{since}")
        for comment in thread.comments:
            who = escaped(comment.name or "the trusted user")
            st.markdown(f"{who}, {comment.created:%Y-%m-%d %H:%M}: {escaped(comment.text, one_person=True)}")
        if not writes:
            return
        st.text_input("Answer", key=f"review.answer.{thread.id}", persist_state="session")
        with st.container(horizontal=True):
            st.button("Send", key=f"review.send.{thread.id}", on_click=_reply, args=(thread.id,))
            st.button(
                "Resolve" if thread.open else "Reopen",
                key=f"review.turn.{thread.id}",
                on_click=_turn,
                args=(thread.id, thread.open),
            )


def label(anchor: Anchor) -> str:
    """What people call the thing: the label of an input, and its path to tell it from others."""
    item = input_at(anchor.key) if anchor.kind == "field" else None
    return f"{item.label} ({anchor.key})" if item else anchor.key


def _new(design: int, revision: int, there: frozenset[Anchor]) -> None:
    """A new thread: what it hangs on can be searched by typing."""
    with st.container(border=True, gap="small"):
        kinds = ("all", *ANCHOR_KINDS)
        if session.get("review.kind") is None:
            session.put("review.kind", "all")
        kind = st.segmented_control(
            "Comment on",
            kinds,
            key="review.kind",
            required=True,
            persist_state="session",
            wrap=True,
            format_func=lambda kind: "Anything" if kind == "all" else _KINDS[kind],
        )
        # Sections first: who types the name of one means it before the results in it.
        places = list(_KINDS)
        ordered = sorted(there, key=lambda anchor: (places.index(anchor.kind), anchor))
        found = {f"{anchor.kind} {anchor.key}": anchor for anchor in ordered}
        choices = [name for name, anchor in found.items() if kind in ("all", anchor.kind)]
        if session.get("review.which") not in choices:
            session.put("review.which", None)
        st.selectbox(
            "Which",
            choices,
            key="review.which",
            index=None,
            placeholder="Type to search",
            filter_mode="contains",
            format_func=lambda name: f"{_KINDS[found[name].kind]}: {label(found[name])}",
        )
        st.text_area("Comment", key="review.text", height=90, persist_state="session")
        st.button("Comment", key="review.comment", on_click=_comment, args=(design, revision))


@guarded
def _comment(design: int, revision: int) -> None:
    kind, _, key = str(session.get("review.which") or "").partition(" ")
    if not key:
        raise PlannerError("Which: choose what the comment is about; typing searches the list")
    anchor = Anchor(cast("AnchorKind", kind), key)
    with session.calling({"comment": "Comment"}):
        answers.store().begin_thread(
            design, revision, anchor, str(session.get("review.text") or ""), author=author()
        )
    session.put("review.text", "")


@guarded
def _reply(thread: int) -> None:
    with session.calling({"comment": "Answer"}):
        answers.store().reply(thread, str(session.get(f"review.answer.{thread}") or ""), author=author())
    session.put(f"review.answer.{thread}", "")


@guarded
def _turn(thread: int, is_open: bool) -> None:
    store = answers.store()
    (store.resolve_thread if is_open else store.reopen_thread)(thread, author=author())


# --- on the Plan screen -------------------------------------------------------------------------------------


def waiting(scenario_json: str) -> None:
    """Word of the open comments on the revision that the Plan screen shows, and the way to them.

    Args:
        scenario_json: What is on the screen; threads of earlier revisions count where it still has their thing.
    """
    opened = session.link()
    if opened.design is None or opened.revision is None or not scenario_json:
        return
    try:
        threads = answers.store().threads(opened.design, opened.revision, present=things_of(scenario_json))
    except PlannerError:
        return  # whatever is wrong is said where something is asked of the store
    count = sum(thread.open for thread in threads)
    if count:
        st.button(
            f"{counted(count, 'open comment')}",
            key="plan.comments",
            on_click=_to_comments,
            icon=":material/chat:",
            help="Open comments on this revision, on the Review screen.",
        )


def _to_comments() -> None:
    session.put("review.view", "Comments")
    session.put("_go", "pages/review.py")
