"""Catalogue: the rows that the planner chooses from, each with its source, grade and date, and rows of one's own."""

import streamlit as st

from pages._ui import answers, catalogue_forms, catalogue_rows, frame, session
from pages._ui.markup import escaped
from planner.catalogue import OWN_KINDS, Catalogue, load_catalogue
from planner.catalogue.listing import Listed, listed, matching, titles_of
from planner.catalogue.own import PRICES
from planner.core.errors import PlannerError
from planner.core.units import counted

frame.enter()
KINDS = {
    **OWN_KINDS,
    "transports": "Transports",
    "protection": "Protection schemes",
    "recipes": "State recipes",
    "guide": "Figures of the guide",
    "failure_rates": "Failure rates",
    "assumptions": "Class assumptions",
}
SHOWN = ("All", "Own", "Incomplete")


def catalogue() -> Catalogue:
    """What the visitor may read: a guest the shipped rows alone."""
    return load_catalogue() if catalogue_forms.guest() else answers.catalogue()


def chosen_rows(every: tuple[Listed, ...]) -> tuple[Listed, ...]:
    """The rows that the controls leave in view."""
    rows = matching(every, str(session.get("catalogue.filter")))
    show = session.get("catalogue.show")
    if show == "Own":
        return tuple(row for row in rows if row.own)
    if show == "Incomplete":
        return tuple(row for row in rows if row.completeness and not row.completeness.complete)
    return rows


def controls() -> tuple[str, str]:
    """What is in view: a kind of rows, and of prices the set; the filters beside them."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Rows of",
            list(KINDS),
            key="catalogue.kind",
            persist_state="session",
            format_func=lambda kind: KINDS[kind],
            width=260,
        )
        kind, price_set = str(session.get("catalogue.kind")), ""
        if kind == PRICES:
            sets = list(catalogue().price_sets)
            if session.get("catalogue.set") not in sets:
                session.put("catalogue.set", sets[0])
            st.selectbox("Price set", sets, key="catalogue.set", persist_state="session", width=260)
            price_set = str(session.get("catalogue.set"))
        st.text_input(
            "Filter",
            key="catalogue.filter",
            persist_state="session",
            placeholder="Words that a row has to contain",
            width=300,
        )
        st.segmented_control("Show", SHOWN, key="catalogue.show", persist_state="session")
    return kind, price_set


def counts(every: tuple[Listed, ...], shown: tuple[Listed, ...]) -> str:
    """How many rows there are, in view, own and complete, in sentences."""
    told = f"{len(shown)} of {counted(len(every), 'row')} in view; {sum(row.own for row in every)} of the organisation's own. "
    if any(row.completeness for row in every):
        complete = sum(row.completeness is not None and row.completeness.complete for row in every)
        told += f"{complete} {'has' if complete == 1 else 'have'} every figure that a plan needs. "
    return told


def show() -> None:
    """The whole screen."""
    frame.heading(
        "Catalogue",
        "See what the planner chooses from, with source, grade and date, and add or override rows and prices.",
    )
    catalogue_forms.told()
    kind, price_set = controls()
    every = listed(catalogue(), kind, price_set=price_set)
    shown = chosen_rows(every)
    st.caption(
        escaped(
            counts(every, shown)
            + "An empty cell is not known; nothing is guessed, and a plan names what it lacks. "
            "Sizes stand in decimal units, as the makers state them."
        )
    )
    if shown:
        titles = titles_of(catalogue(), kind, price_set=price_set)
        # The height of the head and of each row as Streamlit draws them; a longer table scrolls.
        height = min(600, 74 + 35 * len(shown))
        table = catalogue_rows.table_of(shown, titles)
        first = {titles["id"]: st.column_config.Column(pinned=True)}  # in view while the columns pass by
        st.dataframe(table, hide_index=True, width="stretch", height=height, column_config=first)
        catalogue_rows.one_row(table.set_index(titles["id"]), shown)
    else:
        st.info("No row is left in view; clear the filter or show all.", icon=":material/filter_alt_off:")
    if kind in OWN_KINDS:
        catalogue_forms.panels(kind, price_set)


try:
    show()
except PlannerError as error:
    st.error(escaped(error.message), icon=":material/error:")
