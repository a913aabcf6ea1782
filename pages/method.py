"""Method: every formula, constant, check, review rule and input with its source, the words, and what is not modelled."""

import streamlit as st

from pages._ui import frame, method_formulas, method_lists, method_search, session

frame.enter()
VIEWS = {
    "Formulas": method_formulas.formulas,
    "Constants": method_lists.constant_rows,
    "Checks": method_formulas.checks,
    "Rules": method_lists.rule_rows,
    "Inputs": method_lists.input_rows,
    "Glossary": method_lists.word_rows,
    "Not modelled": method_lists.limit_rows,
}

frame.heading(
    "Method",
    "Look up how each figure is computed, where the formula comes from, what the review checks, and what is left out.",
)
method_search.box()
st.segmented_control(
    "View",
    list(VIEWS),
    key="method.view",
    required=True,
    persist_state="session",
    label_visibility="collapsed",
    wrap=True,
)
VIEWS[session.get("method.view")]()
