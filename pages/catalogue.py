"""Catalogue: the rows that the planner chooses from, each with its source, grade and date."""

import dataclasses

import pandas as pd
import streamlit as st

from pages._ui import answers, frame, session
from planner.core.quantity import Quantity

frame.enter()
KINDS = {
    "drives": "Drives",
    "platforms": "Storage platforms",
    "gpu_nodes": "GPU nodes",
    "gpus": "GPUs",
    "switches": "Switches",
    "nics": "NICs",
    "optics": "Optics and cables",
    "transports": "Transports",
    "protection": "Protection schemes",
    "recipes": "State recipes",
    "guide": "Figures of the guide",
    "failure_rates": "Failure rates",
    "assumptions": "Class assumptions",
}
FIRST = ("id", "name", "label")
LAST = ("grade", "unverified", "confidence", "as_of", "source", "notes")


def cell(value: object) -> str:
    """A cell as text: empty where nobody knows."""
    if value is None:
        return ""
    if isinstance(value, Quantity):
        return value.text(digits=None, binary=False) if value.known else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | frozenset):
        return ", ".join(sorted(str(part) for part in value))
    return str(value)


def frame_of(kind: str) -> pd.DataFrame:
    """The rows of a kind, columns without a single value left out."""
    rows = [
        {f.name: cell(getattr(row, f.name)) for f in dataclasses.fields(row)}
        for row in getattr(answers.catalogue(), kind).values()
    ]
    table = pd.DataFrame(rows)
    filled = [name for name in table.columns if (table[name] != "").any() and not name.startswith("_")]
    ends = (*FIRST, *LAST)
    ordered = [
        *(n for n in FIRST if n in filled),
        *(n for n in filled if n not in ends),
        *(n for n in LAST if n in filled),
    ]
    return table[ordered].rename(columns=lambda name: name.replace("_", " "))


frame.heading(
    "Catalogue",
    "See what the planner chooses from: every row with its source, how well it is known, and when.",
)
st.selectbox(
    "Rows of",
    list(KINDS),
    key="catalogue.kind",
    persist_state="session",
    format_func=lambda kind: KINDS[kind],
    width=320,
)
shown = frame_of(str(session.get("catalogue.kind")))
st.caption(
    f"{len(shown)} rows. An empty cell is not known; nothing is guessed. "
    "Sizes stand in decimal units, as the makers state them."
)
st.dataframe(shown, hide_index=True, width="stretch", height=600)
