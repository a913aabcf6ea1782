"""What surrounds every screen: the menu, the way in by a link, the first line."""

from __future__ import annotations

import streamlit as st

from pages._ui import session
from planner.core.errors import PlannerError

_SCREENS = ("plan", "designs", "compare", "export", "catalogue", "method")
"""The menu; without icons, because Streamlit fetches a page's icon from another machine."""


def pages() -> list[st.Page]:
    """The screens in the order of the menu; the hidden first one leads to Plan."""
    start = st.Page("pages/start.py", title="Start", default=True, visibility="hidden")
    return [start, *(st.Page(f"pages/{name}.py", title=name.capitalize()) for name in _SCREENS)]


def enter(page: str) -> None:
    """Guard of a page that was opened by its own address on a fresh server.

    There the page runs without app.py, and so without the menu and without what `restore` does; it is
    entered again through app.py, in each run that did not come from there.
    """
    if not st.session_state.pop("_framed", False):
        st.session_state["_wanted"] = page
        st.session_state["_wanted_query"] = st.query_params.to_dict()
        st.switch_page("app.py", query_params=st.query_params.to_dict())


def resume() -> None:
    """Go on to the page that `enter` left, with its query."""
    st.session_state["_framed"] = True
    wanted = st.session_state.pop("_wanted", None)
    if wanted is not None:
        st.switch_page(wanted, query_params=st.session_state.pop("_wanted_query", {}))


def restore() -> None:
    """Open what the address bar asks for, keep every input, save the draft, write the address bar."""
    try:
        session.begin()
    except PlannerError as error:
        st.error(session.escaped(error.message), icon=":material/error:")
        st.stop()


def heading(title: str, purpose: str) -> None:
    """Title of a screen, the line that says its job, and what went wrong on the way here."""
    st.title(title, anchor=False)
    st.caption(purpose)
    for line in session.take_notices():
        st.warning(session.escaped(line), icon=":material/warning:")
