"""Three steps for who opens the application for the first time."""

from __future__ import annotations

import streamlit as st

from pages._ui import session
from pages._ui.markup import bold

STEPS = (
    (
        "State yours.",
        "An example is open. Choose the GPU node and type how many there are; then the model and the workload. "
        "Any field takes the unit that you have: 280 GB, 200 Gb/s, 45 min.",
    ),
    (
        "Ask why.",
        "The sentence on top is the answer and what decides it. Why? under a figure opens its formula, its inputs and "
        "their sources; a finding says which input mends it.",
    ),
    (
        "Keep it.",
        "Save makes a revision that never changes. Compare sets two side by side, Explore asks what if, Review signs, "
        "Export makes the document.",
    ),
)


def guide() -> None:
    """The steps, until they are put away; someone who follows a link does not get them."""
    if not session.get("_welcome"):
        return
    with st.container(border=True, key="welcome"):
        for column, (number, (title, text)) in zip(
            st.columns(len(STEPS)), enumerate(STEPS, start=1), strict=True
        ):
            column.markdown(f"{bold(f'{number}. {title}')} {text}")
        st.button(
            "Got it", key="welcome.done", on_click=session.put, args=("_welcome", False), type="tertiary"
        )
