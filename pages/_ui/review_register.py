"""The register of a design: open questions, assumptions, constraints and risks, with owner and date."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages._ui import answers, session
from pages._ui.figures import table
from pages._ui.markup import escaped
from pages._ui.review_common import assessed
from pages._ui.review_entries import Form, editor, entries
from planner.review import RegisterItem, unasked
from planner.review.register import REGISTER_KINDS
from planner.store import Entry, EntryContent
from planner.store.dossier import subjects

OPEN, CLOSED = "open", "closed"
FROM_THE_DESIGN = "question, from the design"


def show(design: int, revision: int) -> None:
    """The register, open entries first, with the questions that the design itself raises."""
    found = entries(design, _FORM)
    asked = answers.store().entries(design, "question", withdrawn=True)
    own = {
        f"{FROM_THE_DESIGN} · {item.subject}": item
        for item in unasked(assessed(design, revision).plan, subjects(asked))
    }
    rows = [_row(entry) for entry in sorted(found, key=_closed)]
    if rows or own:
        table([*rows, *map(_asked, own.values())], alt="Register")
    if own:
        st.caption(
            "What the design prints as unknown is an open question by itself, until the design knows it. Choose one "
            "below to answer it or to name an owner; it is kept as an entry then."
        )
    if not rows:
        st.markdown(
            "Nobody has written an entry yet. Write down what is open, assumed, given or at risk, with who looks "
            "after it and by when."
        )
    editor(design, _FORM, own)


def _closed(entry: Entry) -> bool:
    return isinstance(entry.content, RegisterItem) and not entry.content.open


def _row(entry: Entry) -> dict[str, str]:
    item = entry.content
    if not isinstance(item, RegisterItem):
        return {}
    state = OPEN if item.open else f"{CLOSED}: {item.outcome}" if item.outcome else CLOSED
    return {
        "Entry": f"{escaped(entry.kind)} {entry.number}",
        "Says": escaped(item.text, one_person=True),
        "Owner": escaped(item.owner),
        "Due": str(item.due or ""),
        "State": "withdrawn" if entry.withdrawn else escaped(state),
    }


def _asked(item: RegisterItem) -> dict[str, str]:
    return {"Entry": FROM_THE_DESIGN, "Says": escaped(item.text), "Owner": "", "Due": "", "State": OPEN}


def _draw() -> None:
    changing = bool(session.get("register.entry"))
    first, second, third = st.columns(3)
    first.selectbox(
        "Kind", REGISTER_KINDS, key="register.kind", disabled=changing, persist_state="session",
        help="What is written stays of its kind." if changing else None,
    )  # fmt: skip
    second.text_input("Owner", key="register.owner", persist_state="session")
    third.date_input("Due", key="register.due", value=None, format="YYYY-MM-DD", persist_state="session")
    st.text_area("Text", key="register.text", height=80, persist_state="session")
    if session.get("register.state") is None:
        session.put("register.state", OPEN)
    st.segmented_control(
        "State", (OPEN, CLOSED), key="register.state", required=True, persist_state="session"
    )
    st.text_input(
        "Outcome",
        key="register.outcome",
        persist_state="session",
        help="The answer, the proof or the mitigation: what closes it.",
    )


def _read() -> RegisterItem:
    return RegisterItem(
        kind=session.get("register.kind"),
        text=str(session.get("register.text") or ""),
        owner=str(session.get("register.owner") or ""),
        due=session.get("register.due"),
        subject=str(session.get("register.subject") or ""),
        outcome=str(session.get("register.outcome") or ""),
        open=session.get("register.state") != CLOSED,
    )


def _fill(content: EntryContent) -> Mapping[str, object]:
    if not isinstance(content, RegisterItem):
        return {}
    return {
        "register.kind": content.kind,
        "register.text": content.text,
        "register.owner": content.owner,
        "register.due": content.due,
        "register.subject": content.subject,
        "register.outcome": content.outcome,
        "register.state": OPEN if content.open else CLOSED,
    }


def _words(content: EntryContent) -> str:
    if not isinstance(content, RegisterItem):
        return ""
    told = [
        f"owner {content.owner}" if content.owner else "",
        f"due {content.due}" if content.due else "",
        "" if content.open else f"closed: {content.outcome}",
    ]
    return "; ".join([content.text, *filter(None, told)])


_FORM = Form(
    name="register",
    kinds=REGISTER_KINDS,
    noun="register entry",
    empty={
        "register.text": "",
        "register.owner": "",
        "register.due": None,
        "register.subject": "",
        "register.outcome": "",
        "register.state": OPEN,
    },
    fill=_fill,
    draw=_draw,
    read=_read,
    words=_words,
    labels={
        "kind": "Kind",
        "text": "Text",
        "owner": "Owner",
        "outcome": "Outcome",
        "open": "State",
        "subject": "Question",
    },
)
