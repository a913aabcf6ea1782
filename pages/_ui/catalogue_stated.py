"""What every way of stating rows of one's own shares: who states them, since when, and how they are written."""

from __future__ import annotations

import streamlit as st

from pages._ui import answers, session
from pages._ui.markup import escaped
from pages._ui.session import today
from planner.catalogue import OwnRow, load_catalogue
from planner.catalogue.own import PRICES, own_price_sets
from planner.core.errors import PlannerError
from planner.core.units import counted
from planner.store import CatalogueVersion, NewCatalogueRow


def newest_versions() -> dict[tuple[str, str, str], CatalogueVersion]:
    """The newest version of each own row, by what the row is."""
    return {version.row.key: version for version in answers.store().catalogue_rows()}


def who_fields() -> None:
    """Who states rows: once, above every way of stating them, since two of these may be open."""
    left, right = st.columns(2)
    left.text_input(
        "Organisation *",
        key="catalogue.organisation",
        persist_state="session",
        help="Stands beside the source wherever a figure of the row is opened.",
    )
    right.text_input("Your name *", key="save.author", persist_state="session")


def stated_fields(place: str, price_set: str, *, kind: str) -> None:
    """The fields that every way of stating rows asks for."""
    if kind == PRICES:
        key = f"{place}.set"
        if key not in st.session_state:
            session.put(key, price_set if price_set in own_price_sets(answers.catalogue()) else "")
        st.text_input(
            "Price set of your own *",
            key=key,
            persist_state="session",
            placeholder="own-2026",
            help="Shipped price sets are never changed. A set of your own can be chosen for a design as soon as it "
            "has a price; parts that it does not name are not priced.",
        )
    left, right = st.columns(2)
    if f"{place}.from" not in st.session_state:
        session.put(f"{place}.from", today())
    left.date_input("Valid from", key=f"{place}.from", format="YYYY-MM-DD")
    right.date_input("Valid to", key=f"{place}.to", value=None, format="YYYY-MM-DD", help="Empty: no end.")


def stated_row(kind: str, place: str, cells: dict[str, str]) -> OwnRow:
    """A row as the fields state it."""
    return OwnRow(
        kind=kind,
        price_set=str(session.get(f"{place}.set") or "").strip() if kind == PRICES else "",
        cells=cells,
        valid_from=session.get(f"{place}.from") or today(),
        valid_to=session.get(f"{place}.to"),
        organisation=str(session.get("catalogue.organisation") or ""),
        author=str(session.get("save.author") or ""),
        entered=today(),
    )


def wrong(place: str) -> None:
    """Why what was stated last is refused."""
    line = session.get(f"_{place}.wrong")
    if line:
        st.error(escaped(str(line)), icon=":material/error:")


def write(place: str, rows: list[NewCatalogueRow]) -> bool:
    """Write rows; a refusal is kept to be shown where they were stated."""
    for way in ("own.form", "own.file"):  # a refusal is of the last attempt, whichever way that was made
        session.put(f"_{way}.{rows[0].row.kind}.wrong", "")
    try:
        answers.store().write_catalogue_rows(
            rows, shipped=load_catalogue(), author=str(session.get("save.author") or "")
        )
    except PlannerError as error:
        session.put(f"_{place}.wrong", error.message)
        return False
    days = "it from its first day on" if len(rows) == 1 else "them from their first days on"
    session.put("_own_done", f"{counted(len(rows), 'row')} saved; every plan counts with {days}.")
    return True
