"""Where a revision stands: what was signed, what would move, what stands in the way, and the steps."""

from __future__ import annotations

import streamlit as st

from pages._ui import answers, people, saving, session
from pages._ui.figures import table
from pages._ui.markup import bold, escaped
from pages._ui.review_comments import label
from pages._ui.review_common import ask_name, assessed, author, things
from pages._ui.session import guarded
from planner import __version__
from planner.core.errors import shorten
from planner.review import ACTIONS, evaluate, possible
from planner.store import Revision
from planner.store.assess import Assessment

_NEXT = {
    "draft": "Submit it, and an approver can look at it.",
    "in review": "An approver waives what is acceptable, and approves it or asks for changes.",
    "changes requested": "Change the design on the Plan screen and save it as the next revision, or submit this one again.",
    "approved": "It is frozen. A change on the Plan screen is saved as another revision; this one stays as it is.",
    "superseded": "It is frozen, and a later approval, or an approver, took its place.",
}


REASON = "Reason"
_HELP = {"approve": "Signs the hash above with your name and the time, and freezes the revision."}
MOST_COMMENTS = 10
"""Open comments that are listed before an approval."""


def show(design: int, revision: int) -> None:
    """Where the revision stands, what can be done, and what has been done."""
    store = answers.store()
    found = store.revision(design, revision)
    today = assessed(design, revision)
    st.markdown(f"Revision {revision} is {bold(found.state)}. {_NEXT.get(found.state, '')}")
    st.caption(f"Hash `{today.basis.signed_hash}`: scenario, catalogue rows used, price set and engine.")
    _signature(design, revision, today)
    _alarm(design, revision, today)
    if found.state in ("draft", "in review", "changes requested"):
        _in_the_way(design, revision, today)
        _open_comments(design, revision, today)
    _steps(design, found)
    rows = [
        {
            "When": f"{step.created:%Y-%m-%d %H:%M}",
            "Who": escaped(step.name or "the trusted user"),
            "Step": escaped(step.action),
            "To": escaped(step.target),
            "Reason": escaped(step.note),
        }
        for step in store.review_steps(design, revision)
    ]
    if rows:
        table(rows, alt="Steps of the review")


def _signature(design: int, revision: int, today: Assessment) -> None:
    """Who signed, and whether what was signed still is what is computed."""
    signature = answers.store().signature(design, revision)
    if signature is None:
        return
    who = signature.name or "the trusted user"
    st.success(escaped(f"Approved and signed by {who} at {signature.created:%Y-%m-%d %H:%M} UTC"))
    if signature.signed_hash != today.basis.signed_hash:
        st.error(
            f"What was signed is not what is computed today: the signed hash is `{signature.signed_hash}`. "
            "The signature and its record stay as they are.",
            icon=":material/error:",
        )


def _alarm(design: int, revision: int, today: Assessment) -> None:
    """What would move today and by how much, to keep or to recompute."""
    stale = today.staleness
    if not stale.text:
        return
    st.warning(escaped(stale.text), icon=":material/update:")
    if not stale.stale:
        return
    table(
        [
            {"Figure": escaped(moved.name), "Change": escaped(moved.text.removeprefix(f"{moved.name}: "))}
            for moved in stale.moved
        ],
        alt="What would move today",
    )
    st.caption("To keep it, do nothing: the revision stays as it was saved.")
    if session.may("editor"):
        st.button(
            "Recompute as a new revision",
            key="review.recompute",
            on_click=_recompute,
            args=(design, revision),
            help="Saves the same inputs with today's results. This revision stays as it is.",
        )


def _in_the_way(design: int, revision: int, today: Assessment) -> None:
    """What keeps an approver from approving, a line each."""
    store = answers.store()
    waivers = store.waivers(design, revision)
    lines = [
        f"{item.finding.code} ({item.subject}): {item.finding.message}" for item in today.blockers(waivers)
    ]
    lines += [
        f"requirement {check.requirement.ref}, {check.told}"
        for check in evaluate(store.requirements(design), today.plan, waivers)
        if check.blocks
    ]
    if lines:
        st.markdown(
            "Before it can be approved, each of these is mended, or waived under “Findings and waivers”:\n\n"
            + "\n".join(f"- {escaped(line)}" for line in lines)
        )


def _open_comments(design: int, revision: int, today: Assessment) -> None:
    """Comments that wait for an answer: whoever approves is told of them, though they keep nobody from it."""
    threads = answers.store().threads(design, revision, present=things(today))
    waiting = [thread for thread in threads if thread.open]
    if not waiting:
        return
    lines = [
        f"{label(thread.anchor)} · {thread.comments[-1].name or 'the trusted user'}: "
        f"{shorten(thread.comments[-1].text, 160)}"
        for thread in waiting[:MOST_COMMENTS]
    ]
    if len(waiting) > MOST_COMMENTS:
        lines.append(f"and {len(waiting) - MOST_COMMENTS} more, under “Comments”")
    told = "comment is open; it does" if len(waiting) == 1 else "comments are open; they do"
    st.warning(
        f"{len(waiting)} {told} not keep anyone from approving:\n\n"
        + "\n".join(f"- {escaped(line)}" for line in lines),
        icon=":material/chat:",
    )


def _steps(design: int, found: Revision) -> None:
    """The steps that the visitor can take; the others with what they need."""
    role = answers.store().role()
    names = possible(found.state, role)
    who = people.actor()
    own = who.signed_in and found.saved_by == who.subject
    if own and "approve" in names:
        st.caption(":material/lock: You saved this revision; someone else has to approve it.")
        names = tuple(name for name in names if name != "approve")
    locked = [
        a for a in ACTIONS.values() if found.state in a.sources and a.name not in possible(found.state, role)
    ]
    if names:
        ask_name()
        needing = [name for name in names if ACTIONS[name].needs_note]
        st.text_input(
            REASON,
            key="review.note",
            persist_state="session",
            placeholder=f"Needed to {' or to '.join(needing)}" if needing else "",
        )
    with st.container(horizontal=True):
        for action in names:
            st.button(
                action.capitalize(),
                key=f"review.{action}",
                on_click=_step,
                args=(design, found.number, action),
                help=_HELP.get(action),
            )
    if locked:
        told = ", ".join(f"“{action.name}” needs an {action.role}" for action in locked)
        st.caption(f":material/lock: {told}; your role is {role}.")


@guarded
def _recompute(design: int, revision: int) -> None:
    opened = answers.store().open_revision(design, revision)
    saving.again(opened.scenario_json, design=design, revision=revision)


@guarded
def _step(design: int, revision: int, action: str) -> None:
    store, note = answers.store(), str(session.get("review.note") or "")
    with session.calling({"note": REASON}):
        if action == "approve":
            store.approve(
                design,
                revision,
                catalogue=answers.catalogue(),
                note=note,
                author=author(),
                engine_version=__version__,
            )
        else:
            store.take_step(design, revision, action, note=note, author=author())
    session.put("review.note", "")
