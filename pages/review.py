"""Review: state, comments, waivers, requirements, decisions and the trail of the open revision."""

from collections.abc import Callable

import streamlit as st

from pages._ui import (
    answers,
    frame,
    review_comments,
    review_decisions,
    review_register,
    review_requirements,
    review_state,
    review_trail,
    review_waivers,
    session,
    sharing,
)
from pages._ui.markup import bold, escaped
from planner.core.errors import PlannerError

frame.enter()
VIEWS: dict[str, Callable[[int, int], None]] = {
    "State": review_state.show,
    "Findings and waivers": review_waivers.show,
    "Comments": review_comments.show,
    "Requirements": review_requirements.show,
    "Decisions": review_decisions.show,
    "Register": review_register.show,
    "Trail": review_trail.show,
}


def show() -> None:
    """The whole screen."""
    frame.heading("Review", "Discuss, waive, approve and sign the open revision.")
    opened = session.link()
    if opened.design is None or opened.revision is None:
        st.markdown("What is open is a draft. Save it on the Plan screen; a revision can be reviewed.")
        st.page_link("pages/plan.py", label="To the Plan screen", icon=":material/arrow_forward:")
        return
    where = st.empty()
    sharing.watch()
    if session.changed():
        st.info("There are changes that are not saved; the review is of the revision as it was saved.")
    st.segmented_control(
        "View",
        tuple(VIEWS),
        key="review.view",
        required=True,
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
    )
    try:
        name = answers.store().design(opened.design).name
        where.markdown(f"{bold(name)} · design {opened.design} · revision {opened.revision}")
        VIEWS[session.get("review.view")](opened.design, opened.revision)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")


show()
