"""Explore: the open design with one or two inputs varied, where its choices flip, and one click to open a cell."""

import streamlit as st

from pages._ui import flipping, frame, growing, optimum, session, stating, stepping, sweeping, uncertain
from pages._ui.markup import escaped
from planner.core.errors import PlannerError
from planner.core.units import sizes

frame.enter()


def show() -> None:
    """The whole screen."""
    session.go_on()
    frame.heading(
        "Explore", "Vary one or two inputs of the open design and see where it fails and where it flips."
    )
    answer = stating.answer()
    if answer.errors or answer.plan is None:
        for _, line in answer.errors:
            st.error(escaped(line), icon=":material/error:")
        st.markdown(
            "A design that cannot be computed cannot be varied: mend the inputs on the Plan screen first."
        )
        return
    views = {
        "Sweep": sweeping.panel,
        "Flip points": flipping.panel,
        "Sensitivity": uncertain.sensitivity,
        "Uncertainty": uncertain.uncertainty,
        "Best design": optimum.panel,
        "Steppers": stepping.panel,
        "Growth": growing.panel,
    }
    st.segmented_control(
        "View",
        list(views),
        key="explore.view",
        required=True,
        persist_state="session",
        label_visibility="collapsed",
    )
    with sizes(binary=session.binary()):
        views[str(session.get("explore.view"))](answer.plan)


try:
    show()
except PlannerError as error:
    st.error(escaped(error.message), icon=":material/error:")
