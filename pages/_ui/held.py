"""What every input holds, in one entry of the session.

A widget has an entry of its own only while it is in view: Streamlit looks through all entries for each field
that it draws, and two hundred of inputs out of view would cost more than the page itself. So each run takes in
what the widgets say, and each widget is given its value just before it is drawn. Nothing that was typed is lost
when a field leaves the view, and a commit that arrives late is still taken in: widgets are drawn with
`persist_state="session"`, so that Streamlit keeps what it heard until the next run has asked for it.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages._ui.values import Raw

_ALL, _DRAWN, _TOUCHED = "_inputs", "_drawn", "_touched"


def get(key: str) -> Raw:
    """What an input holds; None if there is no such input."""
    held: Raw = st.session_state[_ALL].get(key)
    return held


def put(key: str, value: Raw) -> None:
    """Set an input; before its widget is drawn, or in a callback."""
    st.session_state[_ALL][key] = value
    if key in st.session_state:
        st.session_state[key] = value
    touch()


def settle(key: str, value: Raw) -> None:
    """Say the same in other words: the widget shows them when it is drawn, and nothing has changed."""
    st.session_state[_ALL][key] = value


def fill(held: Mapping[str, Raw]) -> None:
    """Replace everything that is held."""
    for key in st.session_state.get(_DRAWN, ()):
        if key not in held:
            st.session_state.pop(key, None)
        elif key in st.session_state:
            st.session_state[key] = held[key]
    st.session_state[_ALL] = dict(held)
    touch()


def draw(key: str) -> str:
    """The key for the widget of an input that is about to be drawn; its value is set."""
    st.session_state[key] = st.session_state[_ALL][key]
    st.session_state[_DRAWN].setdefault(key)
    return key


def take_in() -> None:
    """Take over what the widgets say; a widget that says nothing leaves its input as it is."""
    held = st.session_state.setdefault(_ALL, {})
    for key in st.session_state.setdefault(_DRAWN, {}):
        said = st.session_state.get(key)
        if said is not None and said != held.get(key):
            held[key] = said
            touch()


def everything() -> dict[str, Raw]:
    """All inputs by key."""
    return dict(st.session_state[_ALL])


def touch() -> None:
    """Remember that something changed since `untouched` was asked last."""
    st.session_state[_TOUCHED] = True


def untouched() -> bool:
    """Whether nothing changed since this was asked last."""
    return not st.session_state.pop(_TOUCHED, False)
