"""Sweeps of the open design: state the axes, watch the work, read the picture, open a cell."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from pages._ui import answers, figures, held, jobs, opening, session
from pages._ui.axes import axis_fields, axis_values, todays_value
from pages._ui.figures import dark, table
from pages._ui.markup import escaped
from planner.charts.sweeps import Axis, Shown, sweep_line, sweep_map
from planner.core.errors import PlannerError
from planner.core.units import counted, format_value
from planner.explore import sweep
from planner.explore.axes import NUMBERS, space_of
from planner.explore.results import LABELS, unit_of
from planner.inputs import input_at
from planner.plan import Plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_to_json, with_value

FIGURES = (
    "stall_s",
    "save_s",
    "goodput_fraction",
    "lost_usd_per_year",
    "checkpoint_bytes",
    "write_bytes_per_s",
    "read_bytes_per_s",
    "usable_bytes",
    "raw_bytes",
    "drive_count",
    "unit_count",
    "typical_w",
    "max_w",
    "rack_units_ru",
    "rack_count",
    "capital_low_usd",
    "capital_high_usd",
    "term_low_usd",
    "term_high_usd",
)
"""Figures of a sweep that can be drawn, in the order in which they are offered."""

SMALL_DESIGNS, SMALL_WAIT_S = 500, 2.0
"""A sweep of so few designs is drawn when the screen opens, and so long the screen waits for one."""


def panel(plan: Plan) -> None:
    """Axes, the work, and its picture."""
    if session.get("_explore_job") is None and not session.get("_explore_error"):
        _run(plan.scenario, most=SMALL_DESIGNS)
    axis_fields("x", plan.scenario)
    axis_fields("y", plan.scenario)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Figure",
            FIGURES,
            format_func=LABELS.__getitem__,
            key="explore.figure",
            persist_state="session",
            width=260,
        )
        st.button(
            "Run", key="explore.run", on_click=_run, args=(plan.scenario,), icon=":material/play_arrow:"
        )
    line = session.get("_explore_error")
    if line:
        st.error(escaped(str(line)), icon=":material/error:")
    found = jobs.result("_explore_job", "designs", "explore.stop")
    if found is not None:
        _picture(plan, found)


def _run(scenario: Scenario, *, most: float = math.inf) -> None:
    """Begin the sweep, unless it has more designs than that; what is wrong with its axes is said before anything runs."""
    held.take_in()
    session.put("_explore_error", "")
    try:
        found = [axis for axis in (axis_values("x"), axis_values("y")) if axis is not None]
        if len(found) == 2 and found[0][0].path == found[1][0].path:
            raise PlannerError(f"{found[0][0].label} is on both axes; choose another for the second")
        axes = {item.path: spread for item, spread in found}
        catalogue = answers.catalogue()
        count = space_of(scenario, axes, catalogue).count
        if count > most:
            return
        jobs.begin(
            "_explore_job",
            lambda progress: sweep(scenario, axes, catalogue=catalogue, progress=progress, block_rows=4096),
            total=count,
            wait_s=SMALL_WAIT_S if count <= SMALL_DESIGNS else 0.0,
        )
        for name in ("x", "y"):
            session.put(f"explore.cell.{name}", None)  # the new picture begins at today's value
        session.put("_explore_axes", [(item.path, spread) for item, spread in found])
        session.put("_explore_scenario", scenario_to_json(scenario))
    except PlannerError as error:
        session.put("_explore_error", error.message)


# --- the picture -----------------------------------------------------------------------------------------


def _picture(plan: Plan, result: pd.DataFrame) -> None:
    """The sweep as a line or a map, with a cell to open."""
    axes = [_axis(plan, path, spread) for path, spread in session.get("_explore_axes")]
    if session.get("_explore_scenario") != scenario_to_json(plan.scenario):
        st.caption("The design has changed since this sweep: run it again to vary it as it is now.")
    column = str(session.get("explore.figure"))
    target = plan.main.job.checkpoint.target_s.number if column in ("stall_s", "save_s") else None
    shown = Shown(column, LABELS[column], unit_of(column), target)
    look = {"dark": dark(), "binary": session.binary(), "titled": False}
    whole = len(result) == math.prod(len(axis.values) for axis in axes)
    if not whole:
        st.caption(f"Stopped after {counted(len(result), 'design')}.")
        table(_rows(result.head(50), axes, shown), alt="Designs that were computed")
        return
    figure = (
        sweep_line(result, axes[0], shown, **look)
        if len(axes) == 1
        else sweep_map(result, axes[0], axes[1], shown, **look)
    )
    figures.shown(figure, "explore.picture", on_point=functools.partial(_chosen, axes))
    st.caption(
        "The storage is sized anew at every step, in whole drives and nodes: a curve goes up and down where another drive, "
        "node or rack is needed. What the design states itself stays as stated."
    )
    _open_cell(plan.scenario, result, axes, shown)


def _chosen(axes: list[Axis], point: Mapping[str, Any]) -> None:
    """A point that was clicked becomes the design to open."""
    for name, axis, place in zip(("x", "y"), axes, (point.get("x"), point.get("y")), strict=False):
        if isinstance(place, int | float) and 0 <= round(place) < len(axis.values):
            session.put(f"explore.cell.{name}", round(place))


def _open_cell(scenario: Scenario, result: pd.DataFrame, axes: list[Axis], shown: Shown) -> None:
    """One design of the sweep: its figures, and the button that opens it."""
    places = []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, axis in zip(("x", "y"), axes, strict=False):
            key = f"explore.cell.{name}"
            last = session.get(key)
            if not isinstance(last, int) or not 0 <= last < len(axis.values):
                session.put(key, axis.nearest(axis.today))
            places.append(_cell_choice(axis, key))
    row = places[0] if len(places) == 1 else places[0] * len(axes[1].values) + places[1]
    design = result.iloc[row]
    table(_rows(result.iloc[[row]], axes, shown), alt="The chosen design")
    changes = {axis.path: axis.values[place] for axis, place in zip(axes, places, strict=True)}
    st.button(
        "Open this design",
        key="explore.open",
        on_click=_open,
        args=(scenario, changes),
        disabled=bool(design["reason"]),
        icon=":material/open_in_new:",
    )


def _cell_choice(axis: Axis, key: str) -> int:
    """The step of an axis that is chosen."""
    steps = list(range(len(axis.values)))
    chosen: int = st.selectbox(
        axis.label,
        steps,
        format_func=lambda place: axis.text(axis.values[place]),
        key=key,
        persist_state="session",
        width=220,
    )
    return chosen


def _open(scenario: Scenario, changes: Mapping[str, Any]) -> None:
    """The design of a cell as a new draft on the Plan screen."""
    try:
        for path, value in changes.items():
            scenario = with_value(scenario, path, value)
    except PlannerError as error:
        session.notify(error.message)
        return
    opening.open_new(scenario)
    session.put("_go", "pages/plan.py")


def _axis(plan: Plan, path: str, spread: list[Any]) -> Axis:
    item = input_at(path)
    assert item is not None
    return Axis(
        path, item.label, item.unit if item.kind in NUMBERS else "", spread, todays_value(plan.scenario, item)
    )


def _rows(result: pd.DataFrame, axes: list[Axis], shown: Shown) -> list[dict[str, str]]:
    """Designs of a sweep as rows of texts."""
    rows = []
    for _, row in result.iterrows():
        cells = {"Design": escaped(", ".join(axis.named(row[axis.path]) for axis in axes))}
        for column in dict.fromkeys(
            (shown.column, "stall_s", "goodput_fraction", "drive_count", "capital_high_usd", "typical_w")
        ):
            number = format_value(float(row[column]), unit_of(column), binary=session.binary())
            cells[LABELS[column]] = escaped(number)
        cells["Decided by"] = escaped(str(row["binding"]))
        cells["Blockers"] = escaped(str(row["blockers"]) or str(row["reason"]) or "none")
        rows.append(cells)
    return rows
