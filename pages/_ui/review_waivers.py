"""Findings and missed requirements of a revision, each with the waiver that accepts it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._ui import answers, session
from pages._ui.figures import table
from pages._ui.markup import escaped
from pages._ui.review_common import able, ask_name, assessed, author
from pages._ui.session import guarded
from planner.core.units import counted
from planner.review import Accepted, Waiver, accepted, evaluate
from planner.review.waivers import REQUIREMENT_CODE
from planner.store.assess import Assessment

WHY = "Why it is acceptable"
_FROZEN = ("approved", "superseded")


def show(design: int, revision: int) -> None:
    """Every finding with its waiver; a blocker needs one before the revision can be approved."""
    store, today = answers.store(), assessed(design, revision)
    given = store.waivers(design, revision)
    rows = accepted(today.plan, given)
    graver = [row for row in rows if row.finding.severity != "note"]
    notes = [row for row in rows if row.finding.severity == "note"]
    if graver:
        _table(graver, alt="Findings and their waivers")
    else:
        st.markdown("The review rules find no blocker and no warning on this revision.")
    _accept(design, revision, today, given)
    _take_back(given)
    if notes:
        with st.expander(f"{counted(len(notes), 'note')}: nothing to waive"):
            _table(notes, alt="Notes")


def _table(rows: Sequence[Accepted], *, alt: str) -> None:
    table(
        [
            {
                "Finding": escaped(f"{row.finding.severity} {row.finding.code}"),
                "Says": escaped(row.finding.message),
                "Waiver": _words(row.waiver) if row.waiver and row.holds else "",
            }
            for row in rows
        ],
        alt=alt,
    )


def _words(waiver: Waiver) -> str:
    reason = escaped(waiver.reason, one_person=True)
    return f"{escaped(waiver.name)}, {waiver.created:%Y-%m-%d}: {reason}"


def _open(design: int, today: Assessment, given: tuple[Waiver, ...]) -> dict[str, tuple[str, str]]:
    """What can be waived, by its line: code and subject."""
    found = {
        f"{row.finding.code} · {row.subject}": (row.finding.code, row.subject)
        for row in accepted(today.plan, given)
        if not row.holds and row.finding.severity != "note"
    }
    for check in evaluate(answers.store().requirements(design), today.plan, given):
        if check.verdict in ("fail", "unknown"):
            ref = check.requirement.ref
            found[f"Requirement {ref} · {check.text}"] = (REQUIREMENT_CODE, ref)
    return found


def _accept(design: int, revision: int, today: Assessment, given: tuple[Waiver, ...]) -> None:
    rows = _open(design, today, given)
    if not rows:
        st.caption("Nothing is left to waive. Ask for the review, or approve, under “State”.")
        return
    if today.revision.state in _FROZEN:
        st.caption(
            f"Revision {revision} is {today.revision.state} and frozen: nothing is waived on it any more."
        )
        return
    if not able("approver", "Waiving a finding"):
        return
    ask_name()
    if session.get("review.waive") not in rows:
        session.put("review.waive", next(iter(rows)))
    chosen = st.selectbox("Accept a finding", list(rows), key="review.waive")
    st.text_input(WHY, key="review.waive.reason", persist_state="session")
    code, subject = rows[str(chosen)]
    st.button("Waive", key="review.waive.do", on_click=_waive, args=(design, revision, code, subject))


def _take_back(given: tuple[Waiver, ...]) -> None:
    """The waivers that count, to take back."""
    holding = {
        f"{item.code} · {item.subject} · {item.name}: {item.reason}": item.id
        for item in given
        if item.revoked is None
    }
    if not holding or not session.may("approver"):
        return
    with st.expander("Take a waiver back"):
        chosen = st.selectbox(
            "Waiver", list(holding), key="review.revoke", index=None, placeholder="Choose one"
        )
        if chosen is not None:
            st.button("Take it back", key="review.revoke.do", on_click=_revoke, args=(holding[chosen],))


@guarded
def _waive(design: int, revision: int, code: str, subject: str) -> None:
    with session.calling({"reason": WHY}):
        answers.store().waive(
            design,
            revision,
            code,
            subject,
            reason=str(session.get("review.waive.reason") or ""),
            catalogue=answers.catalogue(),
            author=author(),
        )
    session.put("review.waive.reason", "")


@guarded
def _revoke(waiver: int) -> None:
    answers.store().revoke_waiver(waiver, author=author())
    session.put("review.revoke", None)
