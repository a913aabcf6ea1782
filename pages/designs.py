"""Designs: what is saved, what to start from, what to take in from a file."""

import streamlit as st

from pages._ui import answers, figures, frame, library, saving, session
from pages._ui.session import escaped
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity, given
from planner.inputs import MAX_JSON_BYTES
from planner.store import MAX_NAME_CHARS, DesignSummary
from planner.templates import templates

frame.enter("pages/designs.py")
UNITS = {
    "Checkpoint": "bytes", "Stall": "s", "Goodput": "fraction", "Hot tier, usable": "bytes", "Power": "W", "Cost, low": "USD",
    "Cost, high": "USD",
}  # fmt: skip


def saved() -> None:
    """The list: search, archive, pages."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Search designs", key="designs.search", persist_state="session", icon=":material/search:", width=320)
        st.toggle("Archived", key="designs.archived", persist_state="session")
    page = int(session.get("designs.page"))
    offset = (page - 1) * library.ROWS
    found = answers.store().designs(
        str(session.get("designs.search")), archived=bool(session.get("designs.archived")), limit=library.ROWS, offset=offset
    )
    pages = max(1, -(-found.total // library.ROWS))
    if page > pages:
        session.put("designs.page", pages)
        st.rerun()
    st.caption(f"{found.total} designs" + (f", page {page} of {pages}" if pages > 1 else ""))
    for row in found.rows:
        design(row)
    if pages > 1:
        st.number_input("Page", min_value=1, max_value=pages, step=1, key="designs.page", persist_state="session", width=120)


def design(row: DesignSummary) -> None:
    """One design: name, status, key figures, open and more."""
    with st.container(border=True, key=f"design-{row.id}", gap="xsmall"):
        st.markdown(
            f"**{escaped(row.name)}** · design {row.id}, revision {row.latest_revision} · :gray-badge[{row.status}] · "
            f"{escaped(row.author) or 'no author'}, {row.updated:%Y-%m-%d %H:%M} UTC"
        )
        known = {name: _quantity(name, row.key_results[name]) for name in UNITS if row.key_results.get(name) is not None}
        if known:
            st.caption(" · ".join(f"{escaped(name)} {figures.text(item)}" for name, item in known.items()))
        with st.container(horizontal=True):
            st.button("Open", key=f"open.{row.id}", on_click=library.open_design, args=(row.id,), type="primary")
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
    st.text_input("New name", key=key, max_chars=MAX_NAME_CHARS)
    st.button("Rename", key=f"rename.{row.id}", on_click=library.rename, args=(row.id,))
    word = "Bring back" if row.archived else "Archive"
    st.button(word, key=f"archive.{row.id}", on_click=library.archive, args=(row.id,), kwargs={"away": not row.archived})
    st.download_button(
        "Export inputs (JSON)", key=f"json.{row.id}", on_click="ignore", mime="application/json",
        data=library.exported(row.id, row.latest_revision), file_name=f"design-{row.id}-rev-{row.latest_revision}.json",
    )
    for number in range(row.latest_revision - 1, max(0, row.latest_revision - 10), -1):
        st.button(
            f"Open revision {number}", key=f"open.{row.id}.{number}", on_click=library.open_design, args=(row.id, number), type="tertiary"
        )


def start() -> None:
    """Templates: each with what it is for."""
    for item in templates():
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escaped(item.name)}**  \n{escaped(item.purpose)}", width="stretch")
            st.button("Start from this", key=f"template.{item.id}", on_click=library.open_template, args=(item.id,))


def take_in() -> None:
    """A scenario from a file."""
    # no list of file types: a wrong file gets the planner's own line, which says what is wrong with it
    file = st.file_uploader("A scenario as JSON, as exported here", key="designs.file")
    if file is None:
        return
    try:
        scenario = library.scenario_of_file(file.name, file.size, file.getvalue() if file.size <= MAX_JSON_BYTES else b"")
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")
        return
    st.success(f"{escaped(file.name)} holds the design {escaped(scenario.name)}.")
    st.button("Open it as a new draft", key="designs.take", on_click=library.take_in, args=(file.name, file.size, file.getvalue()))


def show() -> None:
    """The whole screen."""
    session.go_on()
    frame.heading("Designs", "Find a saved design, start from a template, or take a design in from a file.")
    saving.outcome()
    choices = ("Saved designs", "New from a template", "Import a file")
    st.segmented_control("View", choices, key="designs.view", required=True, persist_state="session", label_visibility="collapsed")
    view = session.get("designs.view")
    try:
        {choices[0]: saved, choices[1]: start, choices[2]: take_in}[view]()
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")


show()
