"""The review of a revision: its state, waivers, comments, requirements, decisions, register and trail."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages._ui import answers, session
from pages._ui.figures import table
from pages._ui.markup import bold, escaped
from pages._ui.session import guarded
from planner import __version__
from planner.core.units import UNITS, parse_value
from planner.review import (
    MEASURES,
    Anchor,
    Decision,
    RegisterItem,
    Requirement,
    accepted,
    anchors,
    evaluate,
    possible,
    unknowns,
)
from planner.review.register import REGISTER_KINDS
from planner.review.requirements import LEVELS, results
from planner.store.assess import Assessment

_VERDICTS = {
    "pass": ":green[✔] pass",
    "fail": ":red[■] fail",
    "waived": ":orange[▲] waived",
    "unknown": "? unknown",
}


def _assessed(design: int, revision: int) -> Assessment:
    return answers.store().assess(design, revision, catalogue=answers.catalogue(), engine_version=__version__)


def _name() -> str:
    return str(session.get("save.author") or "")


def _who() -> None:
    st.text_input("Your name", key="save.author", persist_state="session", width=260)


# --- state --------------------------------------------------------------------------------------------


def state(design: int, revision: int) -> None:
    """Where the revision stands, what can be done, and what has been done."""
    store = answers.store()
    found = store.revision(design, revision)
    assessed = _assessed(design, revision)
    st.markdown(f"Revision {revision} is {bold(found.state)}. Hash `{assessed.basis.signed_hash}`")
    _alarms(design, revision, assessed)
    _who()
    st.text_input("Reason", key="review.note", persist_state="session")
    with st.container(horizontal=True):
        for action in possible(found.state, store.role()):
            st.button(
                action.capitalize(), key=f"review.{action}", on_click=_step, args=(design, revision, action)
            )
    table(
        [
            {
                "When": f"{step.created:%Y-%m-%d %H:%M}",
                "Who": escaped(step.name),
                "Step": escaped(step.action),
                "To": escaped(step.target),
                "Reason": escaped(step.note),
            }
            for step in store.review_steps(design, revision)
        ],
        alt="Steps of the review",
    )


def _alarms(design: int, revision: int, assessed: Assessment) -> None:
    """What moved since it was saved, and whether what was signed still is what is computed."""
    store = answers.store()
    if assessed.staleness.text:
        st.warning(escaped(assessed.staleness.text), icon=":material/update:")
        table(
            [
                {"Figure": escaped(moved.name), "Change": escaped(moved.text)}
                for moved in assessed.staleness.moved
            ],
            alt="What would move today",
        )
    signature = store.signature(design, revision)
    if signature is not None:
        st.success(
            escaped(
                f"Approved by {signature.name or 'the trusted user'} at {signature.created:%Y-%m-%d %H:%M} UTC"
            )
        )
        if signature.signed_hash != assessed.basis.signed_hash:
            st.error(
                "What was signed is not what is computed today: the hashes differ.", icon=":material/error:"
            )


@guarded
def _step(design: int, revision: int, action: str) -> None:
    store, note = answers.store(), str(session.get("review.note") or "")
    if action == "approve":
        store.approve(
            design,
            revision,
            catalogue=answers.catalogue(),
            note=note,
            author=_name(),
            engine_version=__version__,
        )
    else:
        store.take_step(design, revision, action, note=note, author=_name())
    session.put("review.note", "")


# --- findings and waivers -----------------------------------------------------------------------------


def waivers(design: int, revision: int) -> None:
    """Every finding with its waiver; a blocker needs one before the revision can be approved."""
    store, assessed = answers.store(), _assessed(design, revision)
    given = store.waivers(design, revision)
    rows = accepted(assessed.plan, given)
    table(
        [
            {
                "Finding": escaped(f"{row.finding.severity} {row.finding.code}"),
                "Says": escaped(row.finding.message),
                "Waiver": escaped(
                    f"{row.waiver.name}: {row.waiver.reason}" if row.waiver and row.holds else ""
                ),
            }
            for row in rows
        ],
        alt="Findings and their waivers",
    )
    open_rows = {
        f"{row.finding.code} · {row.subject}": row
        for row in rows
        if not row.holds and row.finding.severity != "note"
    }
    if not open_rows:
        st.caption("Nothing is left to waive.")
        return
    _who()
    chosen = st.selectbox("Accept a finding", list(open_rows), key="review.waive")
    st.text_input("Why it is acceptable", key="review.waive.reason", persist_state="session")
    row = open_rows[str(chosen)]
    st.button(
        "Waive",
        key="review.waive.do",
        on_click=_waive,
        args=(design, revision, row.finding.code, row.subject),
    )


@guarded
def _waive(design: int, revision: int, code: str, subject: str) -> None:
    answers.store().waive(
        design,
        revision,
        code,
        subject,
        reason=str(session.get("review.waive.reason") or ""),
        catalogue=answers.catalogue(),
        author=_name(),
    )
    session.put("review.waive.reason", "")


# --- comments --------------------------------------------------------------------------------------------


def comments(design: int, revision: int) -> None:
    """Threads on what is in the revision, and a new one."""
    store, assessed = answers.store(), _assessed(design, revision)
    there = anchors(assessed.plan)
    _who()
    for thread in store.threads(design, revision, present=there):
        with st.container(border=True, gap="xsmall"):
            mark = ":orange[▲] open" if thread.open else ":green[✔] resolved"
            st.markdown(f"{mark} · {escaped(thread.anchor.kind)} {bold(thread.anchor.key)}")
            for comment in thread.comments:
                st.markdown(f"{escaped(comment.name or 'the trusted user')}: {escaped(comment.text)}")
            st.text_input("Answer", key=f"review.answer.{thread.id}")
            with st.container(horizontal=True):
                st.button("Send", key=f"review.send.{thread.id}", on_click=_reply, args=(thread.id,))
                st.button(
                    "Resolve" if thread.open else "Reopen",
                    key=f"review.turn.{thread.id}",
                    on_click=_turn,
                    args=(thread.id, thread.open),
                )
    kinds = ("section", "result", "finding", "line", "field")
    kind = st.segmented_control("Comment on a", kinds, key="review.kind", required=True, default="section")
    keys = sorted(anchor.key for anchor in there if anchor.kind == kind)
    if keys:
        st.selectbox("Which", keys, key="review.which")
        st.text_area("Comment", key="review.text", height=90)
        st.button("Comment", key="review.comment", on_click=_comment, args=(design, revision, str(kind)))


@guarded
def _comment(design: int, revision: int, kind: str) -> None:
    anchor = Anchor(kind, str(session.get("review.which")))  # type: ignore[arg-type]  # one of those drawn
    answers.store().begin_thread(
        design, revision, anchor, str(session.get("review.text") or ""), author=_name()
    )
    session.put("review.text", "")


@guarded
def _reply(thread: int) -> None:
    answers.store().reply(thread, str(session.get(f"review.answer.{thread}") or ""), author=_name())
    session.put(f"review.answer.{thread}", "")


@guarded
def _turn(thread: int, is_open: bool) -> None:
    store = answers.store()
    (store.resolve_thread if is_open else store.reopen_thread)(thread)


# --- requirements ------------------------------------------------------------------------------------------


def requirements(design: int, revision: int) -> None:
    """The customer's requirements with their verdicts on this revision, and a new one."""
    store, assessed = answers.store(), _assessed(design, revision)
    checks = evaluate(store.requirements(design), assessed.plan, store.waivers(design, revision))
    table(
        [
            {
                "Requirement": escaped(check.requirement.ref),
                "Says": escaped(check.requirement.text),
                "Level": escaped(check.requirement.level),
                "Verdict": _VERDICTS[check.verdict],
                "With numbers": escaped(check.text),
            }
            for check in checks
        ],
        alt="Requirements and their verdicts",
    )
    found = results(assessed.plan)
    with st.form("review.requirement", clear_on_submit=False, border=True):
        st.text_input("Number", key="req.ref")
        st.text_input("In the customer's words", key="req.text")
        st.selectbox("Result", list(found), key="req.result")
        st.selectbox("Measure", MEASURES, key="req.measure")
        st.text_input("Target", key="req.target", placeholder="e.g. 10 s, 2 PB, 98 %")
        st.selectbox("Level", LEVELS, key="req.level")
        st.form_submit_button("Add", on_click=_require, args=(design, {k: q.unit for k, q in found.items()}))


@guarded
def _require(design: int, units: Mapping[str, str]) -> None:
    bound = str(session.get("req.result"))
    unit = units.get(bound, "count")
    target = parse_value(
        str(session.get("req.target") or ""), unit if unit in UNITS else "count", field="Target"
    )
    answers.store().add_entry(
        design,
        Requirement(
            ref=str(session.get("req.ref") or ""),
            text=str(session.get("req.text") or ""),
            result=bound,
            measure=session.get("req.measure"),
            target=target,
            level=session.get("req.level"),
        ),
        author=_name(),
    )


# --- decisions and register --------------------------------------------------------------------------------


def decisions(design: int, revision: int) -> None:
    """What was decided, and why."""
    del revision  # decisions belong to the design
    for entry in answers.store().entries(design, "decision"):
        item = entry.content
        if isinstance(item, Decision):
            with st.container(border=True, gap="xsmall"):
                st.markdown(f"**{entry.number}. {escaped(item.problem)}**")
                st.markdown(f"Choice: {escaped(item.choice)}. Because {escaped(item.reason)}")
                st.caption(escaped(f"Options: {item.options}. Consequence: {item.consequence}. {entry.name}"))
    with st.form("review.decision", border=True):
        for name in ("problem", "options", "choice", "reason", "consequence"):
            st.text_input(name.capitalize(), key=f"decision.{name}")
        st.form_submit_button("Add", on_click=_decide, args=(design,))


@guarded
def _decide(design: int) -> None:
    said = {
        name: str(session.get(f"decision.{name}") or "")
        for name in ("problem", "options", "choice", "reason", "consequence")
    }
    answers.store().add_entry(design, Decision(**said), author=_name())


def register(design: int, revision: int) -> None:
    """Open questions, assumptions, constraints and risks; every unknown of the design is a question."""
    rows = [
        {
            "Kind": escaped(entry.kind),
            "Number": str(entry.number),
            "Says": escaped(item.text),
            "Owner": escaped(item.owner),
            "Due": str(item.due or ""),
            "State": "open" if item.open else escaped(f"closed: {item.outcome}"),
        }
        for kind in REGISTER_KINDS
        for entry in answers.store().entries(design, kind)
        if isinstance(item := entry.content, RegisterItem)
    ]
    if rows:
        table(rows, alt="Register")
    else:
        st.caption("The register is empty.")
    st.button(
        "Open a question for each unknown figure",
        key="register.unknowns",
        on_click=_unknowns,
        args=(design, revision),
    )
    with st.form("review.register", border=True):
        st.selectbox("Kind", REGISTER_KINDS, key="register.kind")
        st.text_input("Text", key="register.text")
        st.text_input("Owner", key="register.owner")
        st.form_submit_button("Add", on_click=_note, args=(design,))


@guarded
def _unknowns(design: int, revision: int) -> None:
    answers.store().open_questions(design, unknowns(_assessed(design, revision).plan), author=_name())


@guarded
def _note(design: int) -> None:
    answers.store().add_entry(
        design,
        RegisterItem(
            kind=session.get("register.kind"),
            text=str(session.get("register.text") or ""),
            owner=str(session.get("register.owner") or ""),
        ),
        author=_name(),
    )


# --- trail -------------------------------------------------------------------------------------------------


def trail(design: int, revision: int) -> None:
    """Who did what, when; nothing of it can be changed."""
    del revision  # the trail is of the whole design
    store = answers.store()
    table(
        [
            {
                "When": f"{event.created:%Y-%m-%d %H:%M:%S}",
                "Who": escaped(event.name),
                "What": escaped(event.action),
                "Revision": str(event.revision or ""),
            }
            for event in store.audit(design)
        ],
        alt="Audit trail",
    )
    st.download_button(
        "Download the trail (CSV)",
        data=store.audit_csv(design),
        file_name=f"design-{design}-audit.csv",
        mime="text/csv",
        on_click="ignore",
        key="review.trail",
    )


VIEWS: dict[str, Callable[[int, int], None]] = {
    "State": state,
    "Findings and waivers": waivers,
    "Comments": comments,
    "Requirements": requirements,
    "Decisions": decisions,
    "Register": register,
    "Trail": trail,
}
