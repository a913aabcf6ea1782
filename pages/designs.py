"""Designs: what is saved, what to start from, what to take in from a file."""

import streamlit as st

from pages._ui import answers, cards, frame, library, merging, saving, session
from pages._ui.markup import bold, escaped
from planner.core.errors import PlannerError
from planner.core.units import counted
from planner.scenario_json import MAX_JSON_BYTES
from planner.templates import templates

frame.enter()


def saved() -> None:
    """The list: search, archive, pages."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Search designs",
            key="designs.search",
            persist_state="session",
            icon=":material/search:",
            width=320,
        )
        st.toggle("Archived", key="designs.archived", persist_state="session")
    page = int(session.get("designs.page"))
    offset = (page - 1) * library.ROWS
    found = answers.store().designs(
        str(session.get("designs.search")),
        archived=bool(session.get("designs.archived")),
        limit=library.ROWS,
        offset=offset,
    )
    pages = max(1, -(-found.total // library.ROWS))
    if page > pages:
        session.put("designs.page", pages)
        st.rerun()
    known = f"more than {found.total} designs" if found.more else counted(found.total, "design")
    of = "" if found.more else f" of {pages}"
    st.caption(known + (f", page {page}{of}" if pages > 1 else ""))
    if not found.total:
        st.info(_nothing(), icon=":material/folder_open:")
    for row in found.rows:
        cards.design(row)
    if pages > 1:
        st.number_input(
            "Page",
            min_value=1,
            max_value=pages,
            step=1,
            key="designs.page",
            persist_state="session",
            width=120,
        )


def _nothing() -> str:
    """What to do where the list is empty."""
    wanted = str(session.get("designs.search")).strip()
    if wanted:
        return f"No design has “{escaped(wanted)}” in its name. Shorten or clear the search, or switch “Archived”."
    if session.get("designs.archived"):
        return "No design is archived. Switch “Archived” off to see those that are in use."
    return (
        "No design is saved yet. Start from a template or import a file with the choice above, or save what is open "
        "on the Plan screen."
    )


def start() -> None:
    """Templates: each with what it is for."""
    for item in templates():
        with st.container(border=True):
            st.markdown(f"{bold(item.name)}  \n{escaped(item.purpose)}")
            st.button(
                "Start from this", key=f"template.{item.id}", on_click=library.open_template, args=(item.id,)
            )


def take_in() -> None:
    """A scenario from a file."""
    # no list of file types: a wrong file gets the planner's own line, which says what is wrong with it
    file = st.file_uploader("A scenario as JSON, as exported here", key="designs.file")
    if file is None:
        return
    try:
        scenario = library.scenario_of_file(
            file.name, file.size, file.getvalue() if file.size <= MAX_JSON_BYTES else b""
        )
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")
        return
    st.success(f"{escaped(file.name)} holds the design {escaped(scenario.name)}.")
    st.button(
        "Open it as a new draft",
        key="designs.take",
        on_click=library.take_in,
        args=(file.name, file.size, file.getvalue()),
    )


def show() -> None:
    """The whole screen."""
    session.go_on()
    frame.heading("Designs", "Find a saved design, start from a template, or take a design in from a file.")
    saving.outcome()
    merging.outcome()
    choices = ("Saved designs", "New from a template", "Import a file")
    st.segmented_control(
        "View",
        choices,
        key="designs.view",
        required=True,
        persist_state="session",
        label_visibility="collapsed",
    )
    view = session.get("designs.view")
    try:
        {choices[0]: saved, choices[1]: start, choices[2]: take_in}[view]()
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")


show()
