"""The table of uncertain inputs: published ranges, and what the reader states instead."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from pages._ui import answers, session
from pages._ui.markup import escaped
from planner.core.errors import PlannerError
from planner.core.units import format_value
from planner.explore.own_ranges import checked, number_of
from planner.explore.ranges import DISTRIBUTIONS, Range, default_ranges
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_json, scenario_to_json

_ENDS = ("Low", "Likeliest", "High")
_EDITED = "explore.ranges"
"""What the reader stated of each range: cells by column, by the path of its input."""


def stated_ranges(scenario: Scenario) -> tuple[Range, ...] | None:
    """The table of ranges, and what it says; None, with the reason shown, if one of them cannot be."""
    published = _published(scenario_to_json(scenario), answers.catalogue().hash)
    edits: dict[str, dict[str, Any]] = session.get(_EDITED) or {}
    with st.expander(
        "Ranges of the uncertain inputs", key="explore.ranges.open", on_change="rerun"
    ) as opened:
        if opened.open:
            _editor(published, edits)
    st.caption(_counted(published, edits))
    try:
        stated = [_stated(item, edits.get(item.path, {})) for item in published]
        for item in stated:
            if item.grade == "input" and item.note and item.distribution in ("triangular", "pert"):
                st.caption(escaped(f"{item.label}: {item.note}."))
        return checked(stated, scenario)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")
        return None


@functools.lru_cache(maxsize=64)
def _published(scenario_json: str, catalogue_hash: str) -> tuple[Range, ...]:
    del catalogue_hash  # part of the key: another catalogue gives other values
    return default_ranges(scenario_from_json(scenario_json), answers.catalogue())


def _counted(published: Sequence[Range], edits: Mapping[str, Any]) -> str:
    known = {item.path for item in published}
    own = sum(path in known for path in edits)
    wide = sum(not item.certain for item in published)
    told = f"{wide} of {len(published)} uncertain inputs have a published range"
    return f"{told}; {own} changed here." if own else f"{told}. What you decide yourself is swept, not drawn."


def _editor(published: Sequence[Range], edits: dict[str, dict[str, Any]]) -> None:
    rows = {item.path: _cells(item) | edits.get(item.path, {}) for item in published}
    # Streamlit keeps the edits of one table as long as it is drawn: the table under them must stay what it was.
    key = f"explore.ranges.{zlib.crc32(repr(published).encode())}.{session.get('_explore_ranges_reset', 0)}"
    base = session.get("_explore_ranges_base")
    if session.get(key) is None or not base or base[0] != key:
        base = (key, rows)
        session.put("_explore_ranges_base", base)
    st.data_editor(
        pd.DataFrame(list(base[1].values())),
        key=key,
        hide_index=True,
        num_rows="fixed",
        disabled=["Input", "Origin"],
        column_config=_columns(),
        on_change=_edited,
        args=(key, tuple(rows)),
        alt="Ranges of the uncertain inputs",
    )  # fmt: skip
    if edits:
        st.button("Back to the published ranges", key="explore.ranges.reset", on_click=_reset)


def _columns() -> dict[str, Any]:
    """Columns that fit the page; the input stays in view where a phone shows the others one after the other."""
    column = st.column_config
    helps = {"Likeliest": "Of triangular and pert; the one of a value"}
    measured = "It has been measured or quoted: it is not asked for again"
    return {
        "Input": column.TextColumn(pinned=True, width=190),
        "Distribution": column.SelectboxColumn(options=DISTRIBUTIONS, required=True, width=115),
        **{name: column.TextColumn(width=130, help=helps.get(name)) for name in _ENDS},
        "Measured": column.CheckboxColumn(width=100, help=measured),
        "Origin": column.TextColumn(width=285),
    }


def _cells(item: Range) -> dict[str, Any]:
    """A range as a row of the table."""
    shown = [format_value(end, item.unit or "count", digits=None, binary=False) for end in _numbers(item)]
    return {
        "Input": item.label,
        "Distribution": item.distribution,
        **dict(zip(_ENDS, shown, strict=True)),
        "Measured": item.measured,
        "Origin": f"{item.grade}: {item.source}" + (f"; {item.note}" if item.note else ""),
    }


def _numbers(item: Range) -> tuple[float, float, float]:
    return item.low, item.typical, item.high


def _edited(key: str, paths: tuple[str, ...]) -> None:
    """Take over what was typed into the table."""
    said = session.get(key) or {}
    edits = {path: dict(cells) for path, cells in (session.get(_EDITED) or {}).items()}
    for row, cells in said.get("edited_rows", {}).items():
        edits.setdefault(paths[int(row)], {}).update(cells)
    session.put(_EDITED, edits)


def _reset() -> None:
    session.put(_EDITED, {})
    session.put("_explore_ranges_reset", int(session.get("_explore_ranges_reset", 0)) + 1)


def _stated(item: Range, cells: Mapping[str, Any]) -> Range:
    """A range as the table states it; an end that was not touched keeps its last digit.

    Raises:
        PlannerError: An end is no number in a unit of its input.
    """
    if not cells:
        return item
    ends = []
    for name, number in zip(_ENDS, _numbers(item), strict=True):
        typed = cells.get(name)
        field = f"{item.label}, {name.lower()}"
        ends.append(number if typed is None else number_of(item, str(typed), field))
    changed = any(name in cells for name in (*_ENDS, "Distribution"))
    made = replace(
        item,
        distribution=str(cells.get("Distribution", item.distribution)),
        low=ends[0],
        typical=ends[1],
        high=ends[2],
        measured=bool(cells.get("Measured", item.measured)),
    )
    if not changed:
        return made
    if made.distribution != "value" and made.typical == item.typical and "Likeliest" not in cells:
        # Only the ends were moved: the likeliest value stays inside of them.
        inside = min(max(item.typical, made.low), max(made.low, made.high))
        moved = f"the likeliest value is moved to {item.text(inside)}, into the range"
        made = replace(made, typical=inside, note=moved if inside != item.typical else "")
    else:
        made = replace(made, note="")
    return replace(made, source="stated by the architect", grade="input")
