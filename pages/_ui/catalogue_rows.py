"""Rows of the catalogue: all of them as a grid, and one from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from pages._ui import figures, session
from pages._ui.markup import breakable, escaped
from planner.catalogue.listing import Listed

OF_THE_PAGE = {"complete": "Complete", "missing": "Missing", "origin": "Origin"}
FIRST = ("name", "label")
LAST = ("missing", "grade", "unverified", "confidence", "as_of", "source", "notes")


def table_of(rows: tuple[Listed, ...], titles: Mapping[str, str]) -> pd.DataFrame:
    """Rows as a table: completeness and origin in front, what is missing and whence it is known at the end, columns without a single value left out."""
    texts = [
        {"id": row.id}
        | (
            {
                "complete": f"{row.completeness.filled_count} of {len(row.completeness.needed)}",
                "missing": "; ".join(titles[name] for name in row.completeness.missing),
            }
            if row.completeness
            else {}
        )
        | {"origin": row.origin}
        | dict(row.cells)
        for row in rows
    ]
    table = pd.DataFrame(texts)
    filled = [name for name in table.columns if (table[name] != "").any()]
    front = ("id", *FIRST, "complete", "origin")
    ordered = [
        *(n for n in front if n in filled),
        *(n for n in filled if n not in (*front, *LAST)),
        *(n for n in LAST if n in filled),
    ]
    return table[ordered].rename(columns=titles | OF_THE_PAGE)


def one_row(table: pd.DataFrame, rows: tuple[Listed, ...]) -> None:
    """One row from top to bottom: what can be read on a phone, and printed, without moving through the columns.

    Args:
        table: The rows in view by their ids.
        rows: The same as they are listed.
    """
    names = {row.id: next((row.cells[name] for name in FIRST if row.cells.get(name)), "") for row in rows}
    if session.get("catalogue.row") not in table.index:
        session.put("catalogue.row", None)
    chosen = st.selectbox(
        "One row in full",
        list(table.index),
        format_func=lambda row_id: f"{names[row_id]} ({row_id})" if names[row_id] else row_id,
        key="catalogue.row",
        placeholder="Choose a row to read all that is known of it",
        persist_state="session",
        index=None,
    )
    if chosen is not None:
        known = table.loc[chosen]
        figures.table(
            [
                {"Figure": escaped(str(title)), "Value": breakable(str(known[title]))}
                for title in table.columns
                if known[title] != ""
            ],
            alt=f"What is known of {chosen}",
        )
