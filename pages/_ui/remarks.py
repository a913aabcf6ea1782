"""Findings on the screen: icon and word, numbers, remedy, rule and source, and the button that mends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from pages._ui import stating
from pages._ui.markup import bold, escaped
from planner.core.checks import SEVERITIES, Finding
from planner.core.units import counted

MARKS = {"blocker": ("■", "red"), "warning": ("▲", "orange"), "note": ("●", "blue")}


def mark(severity: str, count: int | None = None) -> str:
    """Icon, number and word of a severity."""
    icon, colour = MARKS[severity]
    word = severity if count is None or count == 1 else f"{severity}s"
    return f":{colour}[{icon}] {'' if count is None else f'{count} '}{word}"


def summary(findings: Sequence[Finding]) -> str:
    """How many findings of each severity there are, in one line."""
    counts = {severity: sum(f.severity == severity for f in findings) for severity in SEVERITIES}
    return "   ".join(mark(severity, count) for severity, count in counts.items())


def panel(findings: Sequence[Finding], *, stale: bool = False) -> None:
    """Blockers at once, the others on demand."""
    st.markdown(summary(findings))
    blockers = [finding for finding in findings if finding.severity == "blocker"]
    seen: Counter[str] = Counter()
    for finding in blockers:
        _one(finding, seen, stale=stale)
    rest = [finding for finding in findings if finding.severity != "blocker"]
    if not rest:
        return
    warnings = sum(finding.severity == "warning" for finding in rest)
    words = [counted(n, word) for n, word in ((warnings, "warning"), (len(rest) - warnings, "note")) if n]
    expander = st.expander(f"Show {' and '.join(words)}", key="ui.findings", on_change="rerun")
    if expander.open:
        with expander:
            for finding in rest:
                _one(finding, seen, stale=stale)


def _one(finding: Finding, seen: Counter[str], *, stale: bool) -> None:
    """One finding; its number among those of its code tells its buttons from theirs."""
    number = seen[finding.code]
    seen[finding.code] += 1
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"{mark(finding.severity)} {bold(finding.code)} · {escaped(finding.message)}")
        st.caption(escaped(f"Remedy: {finding.remedy} Rule: {finding.source}."))
        for fix in finding.fixes:
            st.button(
                f"Apply the fix: {escaped(fix.label)}",
                key=f"fix.{finding.code}.{number}.{fix.path}",
                disabled=stale,
                on_click=stating.set_value,
                args=(fix.path, fix.value),
                icon=":material/build:",
            )
