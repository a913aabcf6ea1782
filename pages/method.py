"""Method: every formula with its source and its checks, the words, and what is not modelled."""

from collections.abc import Sequence

import streamlit as st

from pages._ui import figures, frame, session
from pages._ui.markup import bold, escaped
from pages._ui.words import GLOSSARY, LIMITS
from planner.core.formula import FORMULAS, Formula
from planner.core.units import UNITS, counted
from planner.published import Check, checks_of, origins_text

frame.enter()
VIEWS = ("Formulas", "Glossary", "Not modelled")
CHECKS_SHOWN = 5
"""More values of one formula than these are built when they are opened."""
SHORT_LIST = 60
"""In a longer list of formulas all values are built when they are opened."""


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
        one(rule, checks_shown=CHECKS_SHOWN if len(found) <= SHORT_LIST else 0)


def one(rule: Formula, *, checks_shown: int) -> None:
    """A formula: printed form, symbols, unit, source, where it holds, and its checks."""
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"{bold(rule.label)} · `{rule.name}`")
        st.latex(rule.latex)
        st.markdown(escaped(rule.summary))
        symbols = ", ".join(
            f"${symbol}$ {escaped(name.replace('_', ' '))}" for name, symbol in rule.symbols.items()
        )
        unit = UNITS[rule.unit].key
        st.caption(f"{symbols}. Unit: {escaped(unit)}. Source: {escaped(rule.source)}.")
        st.caption(escaped(f"Holds: {rule.validity or 'no limit stated'}."))
        checked(rule, shown=checks_shown)


def checked(rule: Formula, *, shown: int) -> None:
    """Our value beside each that others state or a second way gives, and the command that works them out again."""
    found = checks_of(rule.name)
    if not found:
        st.caption("Values to compare with: none known.")
        return
    passing = sum(check.passes for check in found)
    st.caption(
        f"{passing} of {counted(len(found), 'value')} within the tolerance: {origins_text(found)}. "
        f"Rerun with `python -m planner checks {rule.name}`"
    )
    first, rest = found[:shown], found[shown:]
    if first:
        check_table(rule, first)
    if rest:
        label = f"{len(rest)} more" if first else "Compare the values"
        expander = st.expander(label, key=f"method.checks.{rule.name}", on_change="rerun")
        if expander.open:
            with expander:
                check_table(rule, rest)


def check_table(rule: Formula, found: Sequence[Check]) -> None:
    """Checks as a table: what of, ours, the other one, difference, source."""
    figures.table(
        [
            {
                "Figure": escaped(f"{check.quantity} ({check.inputs})"),
                "Ours": escaped(check.ours_text()),
                "Compared with": escaped(check.published_text()),
                "Difference": escaped(check.difference_text() + ("" if check.passes else ", too much")),
                "Source": escaped(check.source_text()),
            }
            for check in found
        ],
        alt=f"Values compared with those of {rule.label}",
    )


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
