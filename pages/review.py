"""Review: state, comments, waivers, requirements, decisions and the trail of the open revision."""

import streamlit as st

from pages._ui import frame, reviewing, session
from pages._ui.markup import escaped
from planner.core.errors import PlannerError

frame.enter()


def show() -> None:
    """The whole screen."""
    frame.heading("Review", "Discuss, waive, approve and sign the open revision.")
    opened = session.link()
    if opened.design is None or opened.revision is None:
        st.markdown("What is open is a draft. Save it on the Plan screen; a revision can be reviewed.")
        return
    if opened.draft:
        st.info("There are changes that are not saved; the review is of the revision as it was saved.")
    views = tuple(reviewing.VIEWS)
    st.segmented_control(
        "View",
        views,
        key="review.view",
        required=True,
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
    )
    try:
        reviewing.VIEWS[session.get("review.view")](opened.design, opened.revision)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")


show()
