"""The decision log of a design: problem, options, choice, reason, consequence."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages._ui import session
from pages._ui.markup import bold, escaped
from pages._ui.review_entries import Form, editor, entries
from planner.review import Decision
from planner.store import EntryContent

_FIELDS = {
    "problem": "What had to be decided",
    "options": "What there was to choose from, one a line",
    "choice": "What was chosen",
    "reason": "Why",
    "consequence": "What follows from it",
}


def show(design: int, revision: int) -> None:
    """What was decided, and why; it belongs to the design, whatever the revision."""
    del revision  # decisions belong to the design
    found = entries(design, _FORM)
    if not found:
        st.markdown(
            "No decision is recorded yet. Write down what had to be decided, what there was to choose from, "
            "and why; the PDF prints it."
        )
    for entry in found:
        item = entry.content
        if isinstance(item, Decision):
            gone = " · withdrawn" if entry.withdrawn else ""
            with st.container(border=True, gap="xsmall"):
                st.markdown(f"{entry.number}\\. {bold(item.problem)}{gone}")
                st.markdown(
                    f"Choice: {escaped(item.choice, one_person=True)}. "
                    f"Because: {escaped(item.reason, one_person=True)}"
                )
                told = [
                    f"{name}: {text}"
                    for name, text in (
                        ("Options", "; ".join(item.options.splitlines())),
                        ("Consequence", item.consequence),
                    )
                    if text
                ]
                who = f"{entry.name or 'the trusted user'}, {entry.created:%Y-%m-%d}, version {entry.version}"
                st.caption(escaped(" · ".join([*told, who])))
    editor(design, _FORM)


def _key(name: str) -> str:
    return f"decision.{name}"


def _draw() -> None:
    for name, help_text in _FIELDS.items():
        draw = st.text_area if name == "options" else st.text_input
        draw(name.capitalize(), key=_key(name), help=help_text, persist_state="session")


def _read() -> Decision:
    return Decision(**{name: str(session.get(_key(name)) or "") for name in _FIELDS})


def _fill(content: EntryContent) -> Mapping[str, object]:
    return {_key(name): getattr(content, name) for name in _FIELDS}


def _words(content: EntryContent) -> str:
    return f"{content.problem}: {content.choice}" if isinstance(content, Decision) else ""


_FORM = Form(
    name="decision",
    kinds=("decision",),
    noun="decision",
    empty=dict.fromkeys(map(_key, _FIELDS), ""),
    fill=_fill,
    draw=_draw,
    read=_read,
    words=_words,
    labels={name: name.capitalize() for name in _FIELDS},
)
