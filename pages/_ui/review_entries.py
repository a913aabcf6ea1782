"""Entries of a design in versions: choose one, write it anew, withdraw it, see what it said before.

Requirements, decisions and the register share this; each says in a `Form` how its fields are filled and read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from pages._ui import answers, session
from pages._ui.figures import table
from pages._ui.markup import escaped
from pages._ui.review_common import able, ask_name, author
from pages._ui.session import guarded
from planner.core.errors import PlannerError
from planner.store import Entry, EntryConflictError, EntryContent, EntryKind

NEW = ""


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of entry is written.

    Attributes:
        name: Name of the form, before the keys of its fields.
        kinds: Kinds of entry that it writes.
        noun: What one is called.
        empty: Key and value of each field of a new one.
        fill: Key and value of each field from what an entry says.
        draw: Draws the fields.
        read: What the fields say.
        words: What an entry says, in a line.
        labels: What the screen calls each field of the store.
    """

    name: str
    kinds: tuple[EntryKind, ...]
    noun: str
    empty: Mapping[str, object]
    fill: Callable[[EntryContent], Mapping[str, object]]
    draw: Callable[[], None]
    read: Callable[[], EntryContent]
    words: Callable[[EntryContent], str]
    labels: Mapping[str, str]


def entries(design: int, form: Form) -> list[Entry]:
    """The entries of a form, withdrawn ones too if the visitor wants to see them."""
    shown = bool(session.get(f"{form.name}.withdrawn"))
    return [entry for kind in form.kinds for entry in answers.store().entries(design, kind, withdrawn=shown)]


def editor(design: int, form: Form, offered: Mapping[str, EntryContent] | None = None) -> None:
    """The form: a new entry, or one of those there to write anew, withdraw or bring back.

    Args:
        design: The design.
        form: What is written, and how.
        offered: By its line, what stands there by itself: changed and added, it is kept as an entry.
    """
    given = offered or {}
    if not able("editor", f"Writing a {form.noun}"):
        return
    found = {_key(entry): entry for entry in entries(design, form)}
    key = f"{form.name}.entry"
    if session.get(key) not in (*found, *given):
        session.put(key, NEW)
    with st.container(border=True, gap="small", key=f"{form.name}_form"):
        st.toggle("Show withdrawn ones", key=f"{form.name}.withdrawn", persist_state="session")
        st.selectbox(
            f"Write a new {form.noun}, or change one",
            [NEW, *found, *given],
            key=key,
            persist_state="session",
            format_func=lambda name: (
                _title(form, found[name]) if name in found else name if name in given else f"New {form.noun}"
            ),
            on_change=_choose,
            args=(design, form, given),
        )
        ask_name()
        form.draw()
        _actions(design, form, found.get(str(session.get(key))))


def _actions(design: int, form: Form, entry: Entry | None) -> None:
    """What can be done with what is typed: add it, or write the chosen entry anew or withdraw it."""
    if entry is None:
        label = "Add" if session.get(f"{form.name}.entry") == NEW else "Keep it with what is typed"
        st.button(label, key=f"{form.name}.add", on_click=_add, args=(design, form))
        return
    with st.container(horizontal=True):
        label = "Bring it back as" if entry.withdrawn else "Save as"
        st.button(
            f"{label} version {entry.version + 1}",
            key=f"{form.name}.save",
            on_click=_save,
            args=(design, form),
        )
        if not entry.withdrawn:
            st.button("Withdraw", key=f"{form.name}.drop", on_click=_withdraw, args=(design, form))
    _history(form, entry)


def _key(entry: Entry) -> str:
    return f"{entry.kind} {entry.number}"


def _title(form: Form, entry: Entry) -> str:
    gone = " · withdrawn" if entry.withdrawn else ""
    kind = f"{entry.kind} " if len(form.kinds) > 1 else ""
    return f"{kind}{entry.number} · {form.words(entry.content)[:90]}{gone}"


def _history(form: Form, entry: Entry) -> None:
    """What the entry said before, the newest version first."""
    versions = answers.store().entry_history(entry.design_id, entry.kind, entry.number)
    with st.expander(f"Versions ({len(versions)})", expanded=bool(session.get(f"{form.name}.late"))):
        table(
            [
                {
                    "Version": f"Version {item.version}",
                    "When": f"{item.created:%Y-%m-%d %H:%M}",
                    "Who": escaped(item.name),
                    "Says": "withdrawn" if item.withdrawn else escaped(form.words(item.content)),
                }
                for item in versions
            ],
            alt=f"Versions of {entry.kind} {entry.number}",
        )


# --- what the buttons do -----------------------------------------------------------------------------------


def _chosen(form: Form) -> tuple[EntryKind, int]:
    kind, _, number = str(session.get(f"{form.name}.entry")).partition(" ")
    return next(name for name in form.kinds if name == kind), int(number)


def _put(values: Mapping[str, object]) -> None:
    for key, value in values.items():
        session.put(key, value)


@guarded
def _choose(design: int, form: Form, offered: Mapping[str, EntryContent]) -> None:
    """Fill the fields from the entry that was chosen, and remember which version the change starts from."""
    session.put(f"{form.name}.late", False)
    if session.get(f"{form.name}.entry") == NEW:
        _put(form.empty)
        return
    if session.get(f"{form.name}.entry") in offered:
        _put(form.fill(offered[session.get(f"{form.name}.entry")]))
        return
    kind, number = _chosen(form)
    newest = answers.store().entry_history(design, kind, number)[0]
    session.put(f"{form.name}.version", newest.version)
    _put(form.fill(newest.content))


@guarded
def _add(design: int, form: Form) -> None:
    with session.calling(form.labels):
        answers.store().add_entry(design, form.read(), author=author())
    _done(form)


@guarded
def _save(design: int, form: Form) -> None:
    kind, number = _chosen(form)
    version = int(session.get(f"{form.name}.version") or 0)
    with session.calling(form.labels):
        try:
            answers.store().change_entry(design, kind, number, form.read(), version=version, author=author())
        except EntryConflictError as conflict:
            raise _too_late(form, conflict) from None
    _done(form)


@guarded
def _withdraw(design: int, form: Form) -> None:
    kind, number = _chosen(form)
    version = int(session.get(f"{form.name}.version") or 0)
    try:
        answers.store().withdraw_entry(design, kind, number, version=version, author=author())
    except EntryConflictError as conflict:
        raise _too_late(form, conflict) from None
    _done(form)


def _too_late(form: Form, conflict: EntryConflictError) -> PlannerError:
    """Keep what is typed, show what the other wrote, and let the next press write on top of it."""
    session.put(f"{form.name}.version", conflict.theirs.version)
    session.put(f"{form.name}.late", True)
    return PlannerError(
        f"{conflict.message}. What you typed is still in the fields, theirs is under Versions"
    )


def _done(form: Form) -> None:
    session.put(f"{form.name}.entry", NEW)
    session.put(f"{form.name}.late", False)
    _put(form.empty)
