"""The formulas on the Method page: printed form, meaning, example, source, and others' values beside ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages._ui import figures, method_search
from pages._ui.markup import bold, breakable, escaped
from planner.core.formula import FORMULAS, Formula
from planner.core.units import UNITS, counted
from planner.published import Check, cases, check, checks_of, origins_text
from planner.published.checking import method_of
from planner.published.examples import example_of
from planner.words import SUBJECTS

CHECKS_SHOWN = 5
"""More values of one formula than these are built when they are opened."""
SHORT_LIST = 6
"""In a longer list of formulas all values are built when they are opened, and examples are left out: a page to look
through, not one that is 30 screens long on a phone."""


def haystacks() -> dict[str, str]:
    """What a search looks through, by name of the formula."""
    return {rule.name: f"{rule.label} {rule.name} {rule.source} {rule.summary}" for rule in FORMULAS.values()}


def formulas() -> None:
    """Formulas of one subject, or all that match a search."""
    everything = {rule.name: (function, rule) for function, rule in FORMULAS.items()}
    names = method_search.chosen(
        "formulas",
        haystacks(),
        subjects=lambda name: name.partition(".")[0],
        titles=SUBJECTS,
        key="method.subject",
    )
    brief = len(names) > SHORT_LIST
    if brief:
        st.caption("Search for one by its name to see its example and its values at once.")
    for name in names:
        function, rule = everything[name]
        one(function, rule, brief=brief)


def one(function: Callable[..., Any], rule: Formula, *, brief: bool) -> None:
    """A formula: printed form, symbols, unit, example, source, where it holds, and its checks."""
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"{bold(rule.label)} · `{rule.name}`")
        st.latex(rule.latex)
        st.markdown(escaped(rule.summary))
        symbols = " · ".join(
            f"${symbol}$ {escaped(rule.meanings[name])}" for name, symbol in rule.symbols.items()
        )
        unit = UNITS[rule.unit].key
        st.caption(f"{symbols}. Unit: {escaped(unit)}. Source: {escaped(rule.source)}.")
        st.caption(escaped(f"Holds: {rule.validity or 'no limit stated'}."))
        if not brief:
            lines = [f">>> {call}\n{given}".strip() for call, given in example_of(function)]
            st.code("\n".join(lines), language=None, wrap_lines=True)
        checked(rule, shown=0 if brief else CHECKS_SHOWN)


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
        check_table(first, alt=f"Values compared with those of {rule.label}")
    if rest:
        label = f"{len(rest)} more" if first else "Compare the values"
        expander = st.expander(label, key=f"method.checks.{rule.name}", on_change="rerun")
        if expander.open:
            with expander:
                check_table(rest, alt=f"Values compared with those of {rule.label}")


def check_table(found: Sequence[Check], *, alt: str) -> None:
    """Checks as a table: what of, ours, the other one, difference, source."""
    figures.table(
        [
            {
                "Figure": escaped(f"{check.quantity} ({check.inputs})"),
                "Ours": escaped(check.ours_text()),
                "Compared with": escaped(check.published_text()),
                "Difference": escaped(check.difference_text() + ("" if check.passes else ", too much")),
                "Source": breakable(check.source_text()),
            }
            for check in found
        ],
        alt=alt,
    )


def check_haystacks() -> dict[str, str]:
    """What a search looks through, by id of the case; nothing is worked out for it."""
    return {
        case.id: " ".join(
            (case.quantity, case.source, *(rule.name for rule in method_of(case).formulas), *case.inputs)
        )
        for case in cases().values()
        if case.method
    }


def checks() -> None:
    """Values that others state beside ours, of one subject or all that match a search."""
    st.caption(
        "Each figure is worked out anew by the formulas; `python -m planner checks` does the same without a screen."
    )
    haystacks = check_haystacks()
    held = set(map(_subject, haystacks))
    titles = {name: title for name, title in SUBJECTS.items() if name in held}
    ids = method_search.chosen("checks", haystacks, subjects=_subject, titles=titles, key="method.checked")
    if not ids:
        return
    found = [check(case_id) for case_id in ids]
    passing = sum(item.passes for item in found)
    st.markdown(
        escaped(f"{passing} of {counted(len(found), 'value')} within the tolerance: {origins_text(found)}.")
    )
    check_table(found, alt="Values of others beside ours")


def _subject(case_id: str) -> str:
    return method_of(cases()[case_id]).formulas[0].name.partition(".")[0]
