"""What the Compare screen folds, because it is long: which input caused what, findings, bill of materials."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages._ui import causes, differences, figures
from planner.core.units import counted
from planner.plan import Plan


def findings(plans: Mapping[str, Plan], *, only: bool) -> None:
    """Findings of all designs; only those that are not the same, if so wanted."""
    _listed("Findings", differences.finding_rows(plans), only=only, what="finding", show=_findings)


def bill(plans: Mapping[str, Plan], *, only: bool) -> None:
    """Lines of the bills of all designs, likewise."""
    _listed("Bill of materials", differences.bom_rows(plans), only=only, what="line", show=_lines)


def caused(old_json: str, new_json: str) -> None:
    """What each input moved, planned when it is asked for; a line each, which a phone can show."""
    with st.expander("Which input caused what", key="compare.causes", on_change="rerun") as part:
        if not part.open:
            return
        st.caption(
            "The first design is turned into the second, one input after the other; what an input moves is after those "
            "above it, and all of it adds up to the difference."
        )
        st.markdown("\n".join(f"- {line}" for line in causes.lines(old_json, new_json)))


def _listed(
    title: str,
    rows: list[differences.Row],
    *,
    only: bool,
    what: str,
    show: Callable[[list[differences.Row]], None],
) -> None:
    """Rows side by side, folded under how many there are: they are long, and come after the figures."""
    differing = [row for row in rows if differences.differs(row)]
    shown, left = (differing, len(rows) - len(differing)) if only else (rows, 0)
    key = f"compare.{what}s"
    with st.expander(
        f"{title}: {len(differing)} of {counted(len(rows), what)} not the same", key=key, on_change="rerun"
    ) as part:
        if not part.open:
            return
        if shown:
            show(shown)
        if left:
            same = "is" if left == 1 else "are"
            st.caption(f"{counted(left, what)} {same} the same in all designs.")


def _findings(rows: list[differences.Row]) -> None:
    """Findings under each other: sentences side by side are columns of single words on a phone."""
    for row in rows:
        named, *said = row.items()
        lines = [f"- {name}: {message or 'not found'}" for name, message in said]
        st.markdown("\n".join([f"**{named[1]}**", *lines]))


def _lines(rows: list[differences.Row]) -> None:
    st.caption("The change is from the first design to the last.")
    figures.table(rows, alt="Bill of materials side by side")
