"""A saved design as a card in the library: what it is, what can be done with it."""

from __future__ import annotations

import streamlit as st

from pages._ui import figures, library, session
from pages._ui.markup import bold, escaped
from planner.core.quantity import Quantity, given
from planner.store import DesignSummary

UNITS = {
    "Checkpoint": "bytes",
    "Stall": "s",
    "Goodput": "fraction",
    "Hot tier, usable": "bytes",
    "Power": "W",
    "Cost, low": "USD",
    "Cost, high": "USD",
}
"""Key figures that a card shows, and their units."""
OLDER = 9
"""Earlier revisions that a card lists."""


def design(row: DesignSummary) -> None:
    """One design: name, status, key figures, open and more."""
    with st.container(border=True, key=f"design-{row.id}", gap="xsmall"):
        st.markdown(
            f"{bold(row.name)} · design {row.id}, revision {row.latest_revision} · :gray-badge[{row.status}] · "
            f"{escaped(row.author) or 'no author'}, {row.updated:%Y-%m-%d %H:%M} UTC"
        )
        known = {
            name: _quantity(name, row.key_results[name])
            for name in UNITS
            if row.key_results.get(name) is not None
        }
        if known:
            st.caption(" · ".join(f"{escaped(name)} {figures.text(item)}" for name, item in known.items()))
        with st.container(horizontal=True):
            st.button("Open", key=f"open.{row.id}", on_click=library.open_design, args=(row.id,))
            st.button("Duplicate", key=f"copy.{row.id}", on_click=library.duplicate, args=(row.id,))
            popover = st.popover("More", key=f"more.{row.id}", on_change="rerun")
            if popover.open:
                with popover:
                    more(row)


def _quantity(name: str, value: float) -> Quantity:
    return given(value, UNITS[name], name, source="saved with the revision", grade="input")


def more(row: DesignSummary) -> None:
    """Rename, archive, export, older revisions."""
    key = f"designs.name.{row.id}"
    if session.get(key) is None:
        session.put(key, row.name)
    st.text_input("New name", key=key)
    st.button("Rename", key=f"rename.{row.id}", on_click=library.rename, args=(row.id,))
    word = "Bring back" if row.archived else "Archive"
    st.button(
        word,
        key=f"archive.{row.id}",
        on_click=library.archive,
        args=(row.id,),
        kwargs={"away": not row.archived},
    )
    st.download_button(
        "Export inputs (JSON)",
        key=f"json.{row.id}",
        on_click="ignore",
        mime="application/json",
        data=library.exported(row.id, row.latest_revision),
        file_name=f"design-{row.id}-rev-{row.latest_revision}.json",
    )
    for number in range(row.latest_revision - 1, max(0, row.latest_revision - 1 - OLDER), -1):
        st.button(
            f"Open revision {number}",
            key=f"open.{row.id}.{number}",
            on_click=library.open_design,
            args=(row.id, number),
            type="tertiary",
        )
