"""Method: every formula with its source, the words, and what is not modelled."""

import streamlit as st

from pages._ui import figures, frame, session
from pages._ui.session import escaped
from pages._ui.words import GLOSSARY, LIMITS
from planner.core.formula import FORMULAS, Formula
from planner.core.units import UNITS

frame.enter()
VIEWS = ("Formulas", "Glossary", "Not modelled")


def formulas() -> None:
    """Formulas of one subject, or all that match a search."""
    everything = sorted(FORMULAS.values(), key=lambda rule: rule.name)
    subjects = sorted({rule.name.partition(".")[0] for rule in everything})
    st.text_input(
        "Search formulas", key="method.search", persist_state="session", icon=":material/search:", width=320
    )
    wanted = str(session.get("method.search")).strip().casefold()
    if wanted:
        found = [
            rule
            for rule in everything
            if wanted in f"{rule.label} {rule.name} {rule.source} {rule.summary}".casefold()
        ]
    else:
        if session.get("method.subject") not in subjects:
            session.put("method.subject", subjects[0])
        st.segmented_control(
            "Subject", subjects, key="method.subject", required=True, persist_state="session", wrap=True
        )
        found = [rule for rule in everything if rule.name.partition(".")[0] == session.get("method.subject")]
    st.caption(f"{len(found)} of {len(everything)} formulas")
    for rule in found:
        one(rule)


def one(rule: Formula) -> None:
    """A formula: printed form, symbols, unit, source and where it holds."""
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{escaped(rule.label)}** · `{rule.name}`")
        st.latex(rule.latex)
        st.markdown(escaped(rule.summary))
        symbols = ", ".join(
            f"${symbol}$ {escaped(name.replace('_', ' '))}" for name, symbol in rule.symbols.items()
        )
        unit = UNITS[rule.unit].key
        st.caption(f"{symbols}. Unit: {escaped(unit)}. Source: {escaped(rule.source)}." + _holds(rule))


def _holds(rule: Formula) -> str:
    return escaped(f" Holds {rule.validity}.") if rule.validity else ""


def words() -> None:
    """The glossary."""
    figures.table(
        [{"Word": escaped(word), "Meaning": escaped(meaning)} for word, meaning in GLOSSARY.items()],
        alt="Glossary",
    )


def limits() -> None:
    """What the planner leaves out."""
    st.markdown("\n".join(f"- {escaped(line)}" for line in LIMITS))


frame.heading(
    "Method", "Look up how each figure is computed, where the formula comes from, and what is left out."
)
st.segmented_control(
    "View", VIEWS, key="method.view", required=True, persist_state="session", label_visibility="collapsed"
)
{"Formulas": formulas, "Glossary": words, "Not modelled": limits}[session.get("method.view")]()
