"""A section in several views, of which one is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages._ui import session
from planner.plan import Plan


def one_of(key: str, label: str, views: Mapping[str, Callable[[Plan], None]], plan: Plan) -> None:
    """A control over the views, and the one that is chosen.

    Args:
        key: Session key of the choice.
        label: What is chosen, for who hears the page.
        views: Views by name; the first one is shown first.
        plan: The plan that they show.
    """
    names = list(views)
    if session.get(key) not in names:
        session.put(key, names[0])
    st.segmented_control(
        label,
        names,
        key=key,
        required=True,
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
    )
    views[session.get(key)](plan)
