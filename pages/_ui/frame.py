"""What surrounds every screen: the menu, the way in by a link, the first line."""

from __future__ import annotations

import streamlit as st

from pages._ui import each_run, narrow, people, session
from pages._ui.markup import escaped
from planner.core.errors import PlannerError

SCREENS = ("plan", "explore", "designs", "compare", "review", "export", "delivery", "catalogue", "method")
"""The menu; without icons, because Streamlit fetches a page's icon from another machine."""


def pages() -> list[st.Page]:
    """The screens in the order of the menu; the hidden first one leads to Plan.

    Each has an address of one step, `/plan`. Streamlit's page takes its server's base from the address bar: it
    asks for `/plan/_stcore/health` and `host-config` first, gets a 404 for each, and then asks at the root. No
    setting of Streamlit 1.67 says otherwise (a page's script may, but the server sends its own), so the browser's
    console shows two errors that change nothing when a screen is opened by its own address.
    """
    start = st.Page("pages/start.py", title="Start", default=True, visibility="hidden")
    return [start, *(st.Page(f"pages/{name}.py", title=name.capitalize()) for name in SCREENS)]


def surround() -> st.Page:
    """The menu, what the address bar asks for opened, and the draft kept; the screen that follows."""
    st.set_page_config(page_title="NVMe-oF storage planner", layout="wide")
    narrow.layout()
    page = st.navigation(pages(), position="top")
    st.session_state["_framed"] = True
    _restore()
    return page


def enter() -> None:
    """Guard of a page: one that was opened by its own address on a fresh server runs without app.py.

    There it would stand without the menu and without the visitor's inputs, so it gets them here, and is run
    again: from now on it runs by way of app.py, where a widget is another one, and what a visitor dropped into
    the first would be lost.
    """
    if not st.session_state.pop("_framed", False):
        surround()
        st.session_state.pop("_framed", None)
        if not st.session_state.get("_entered"):
            st.session_state["_entered"] = True
            st.rerun()


def _restore() -> None:
    """Open what the address bar asks for, keep every input, save the draft, write the address bar."""
    try:
        each_run.begin()
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")
        st.stop()
    people.line(session.get("_role"))


def heading(title: str, purpose: str) -> None:
    """Title of a screen, the line that says its job, and what went wrong on the way here."""
    st.title(title, anchor=False)
    st.caption(purpose)
    for line in session.take_notices():
        st.warning(escaped(line), icon=":material/warning:")
