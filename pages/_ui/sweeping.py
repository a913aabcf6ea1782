"""Sweeps and flip points of the open design: state the axes, watch the work, read the picture, open a cell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages._ui import answers, held, jobs, session, values
from pages._ui.figures import dark, table
from pages._ui.jobs import LongJob
from pages._ui.markup import bold, escaped
from planner.charts.sweeps import Axis, Shown, sweep_line, sweep_map
from planner.core.errors import PlannerError
from planner.core.units import counted, format_value, parse_count, parse_value
from planner.explore import flip_points, sweep
from planner.explore.axes import NUMBERS
from planner.explore.results import FIGURE_COLUMNS
from planner.inputs import Input, input_at, scenario_to_json, value_at, with_value
from planner.plan import Plan
from planner.scenario import Scenario

MOST_STEPS = 400
"""Steps of one axis: more cannot be told apart on a screen."""
_NONE = "none"
FIGURES: Mapping[str, tuple[str, str]] = {
    "stall_s": ("Stall", "s"),
    "save_s": ("Save time", "s"),
    "goodput_fraction": ("Goodput", "fraction"),
    "lost_usd_per_year": ("Lost GPU time", "USD/year"),
    "checkpoint_bytes": ("Checkpoint", "bytes"),
    "write_bytes_per_s": ("Write bandwidth", "bytes/s"),
    "read_bytes_per_s": ("Read bandwidth", "bytes/s"),
    "usable_bytes": ("Hot tier, usable", "bytes"),
    "raw_bytes": ("Hot tier, raw", "bytes"),
    "drive_count": ("Drives", "count"),
    "unit_count": ("Storage nodes", "count"),
    "typical_w": ("Power", "W"),
    "max_w": ("Power, maximum", "W"),
    "rack_units_ru": ("Rack units", "RU"),
    "rack_count": ("Racks", "count"),
    "capital_low_usd": ("Cost, low", "USD"),
    "capital_high_usd": ("Cost, high", "USD"),
    "term_low_usd": ("Equipment, power and support over the term, low", "USD"),
    "term_high_usd": ("Equipment, power and support over the term, high", "USD"),
}
"""Name and unit of each figure of a sweep."""


def panel(plan: Plan) -> None:
    """Axes, the work, and its picture."""
    _axis_inputs("x", plan.scenario)
    _axis_inputs("y", plan.scenario)
    columns = [column for column in FIGURES if column in FIGURE_COLUMNS]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Figure",
            columns,
            format_func=lambda column: FIGURES[column][0],
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
    job = session.get("_explore_job")
    if isinstance(job, LongJob):
        if job.running:
            jobs.progress("_explore_job", "designs", "explore.stop")
        elif job.error:
            st.error(escaped(job.error), icon=":material/error:")
        elif job.result is not None:
            _picture(plan)


# --- axes ---------------------------------------------------------------------------------------------


def _axis_inputs(name: str, scenario: Scenario) -> None:
    """One axis: which input, and its range or its words."""
    choices = [item.path for item in session.inputs() if _sweepable(item)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "First axis" if name == "x" else "Second axis",
            choices if name == "x" else [_NONE, *choices],
            format_func=_label,
            key=f"explore.{name}",
            persist_state="session",
            on_change=_suggest,
            args=(name, scenario),
            width=360,
        )
        path = session.get(f"explore.{name}")
        item = input_at(str(path)) if path and path != _NONE else None
        if item is None:
            return
        if item.kind not in NUMBERS:
            st.caption("all its choices")
            return
        for key, label in (("low", "From"), ("high", "To"), ("steps", "Steps")):
            st.text_input(label, key=f"explore.{name}.{key}", persist_state="session", width=130)
        st.toggle("Equal ratios", key=f"explore.{name}.log", persist_state="session")


def _sweepable(item: Input) -> bool:
    start = f"jobs.{session.job()}."
    mine = item.path.startswith(start) or not item.path.startswith("jobs.")
    return mine and (item.kind in (*NUMBERS, "choice") or bool(item.catalogue))


def _label(path: str) -> str:
    item = input_at(path)
    return "no second axis" if item is None else f"{item.label} ({path})"


def _suggest(name: str, scenario: Scenario) -> None:
    """A range around today's value, from a quarter to four times it, inside what is allowed."""
    item = input_at(str(session.get(f"explore.{name}")))
    if item is None or item.kind not in NUMBERS:
        return
    today = _today(scenario, item)
    middle = today if isinstance(today, int | float) and today > 0 else max(item.low or 1.0, 1.0)
    low, high = middle / 4, middle * 4
    low = max(low, item.low or low) if item.low is not None else low
    high = min(high, item.high) if item.high is not None else high
    if item.kind == "count":
        low, high = max(1, round(low)), round(high)
    session.put(f"explore.{name}.low", str(values.shown(item, low)))
    session.put(f"explore.{name}.high", str(values.shown(item, high)))
    session.put(f"explore.{name}.steps", "40")


def _today(scenario: Scenario, item: Input) -> Any:
    """Today's value of an input: the stated one, or what AUTO came to."""
    stated = value_at(scenario, item.path)
    if stated is not None:
        return stated
    derived = answers.plan_of(scenario_to_json(scenario)).auto.get(item.path)
    return getattr(derived, "number", getattr(derived, "value", None))


def _values(name: str) -> tuple[Input, list[Any]] | None:
    """The input of an axis and its values.

    Raises:
        PlannerError: A range cannot be read.
    """
    path = session.get(f"explore.{name}")
    item = input_at(str(path)) if path and path != _NONE else None
    if item is None:
        return None
    if item.catalogue:
        return item, list(getattr(answers.catalogue(), item.catalogue))
    if item.kind not in NUMBERS:
        return item, list(item.choices)
    steps = parse_count(str(session.get(f"explore.{name}.steps")), field="Steps", low=2, high=MOST_STEPS)
    if not 2 <= steps <= MOST_STEPS:
        raise PlannerError(f"Steps: {steps} is outside 2 to {MOST_STEPS}")
    ends = [
        parse_value(
            str(session.get(f"explore.{name}.{end}")), item.unit or "count", field=f"{item.label}, {word}"
        )
        for end, word in (("low", "from"), ("high", "to"))
    ]
    low, high = ends
    if not low < high:
        raise PlannerError(
            f"{item.label}: from {values.shown(item, low)} to {values.shown(item, high)} is no range; the first must "
            "be the smaller"
        )
    for end, value in (("low", low), ("high", high)):
        key = f"explore.{name}.{end}"
        session.put(key, values.settled(item, str(session.get(key)), value))
    log = bool(session.get(f"explore.{name}.log")) and low > 0
    spread = np.geomspace(low, high, steps) if log else np.linspace(low, high, steps)
    if item.kind == "count":
        return item, list(dict.fromkeys(int(value) for value in np.rint(spread)))
    return item, [float(value) for value in spread]


def _run(scenario: Scenario) -> None:
    """Begin the sweep; what is wrong with its axes is said before anything runs."""
    held.take_in()
    session.put("_explore_error", "")
    try:
        found = [axis for axis in (_values("x"), _values("y")) if axis is not None]
        if len(found) == 2 and found[0][0].path == found[1][0].path:
            raise PlannerError(f"{found[0][0].label} is on both axes; choose another for the second")
        axes = {item.path: spread for item, spread in found}
        catalogue = answers.catalogue()
        previous = session.get("_explore_job")
        if isinstance(previous, LongJob):
            previous.stop()
        session.put(
            "_explore_job",
            jobs.start(
                lambda progress: sweep(
                    scenario, axes, catalogue=catalogue, progress=progress, block_rows=4096
                ),
                total=math.prod(len(spread) for spread in axes.values()),
            ),
        )
        session.put("_explore_axes", [(item.path, spread) for item, spread in found])
        session.put("_explore_scenario", scenario_to_json(scenario))
    except PlannerError as error:
        session.put("_explore_error", error.message)


# --- the picture -----------------------------------------------------------------------------------------


def _picture(plan: Plan) -> None:
    """The sweep as a line or a map, with a cell to open."""
    job, stated = session.get("_explore_job"), session.get("_explore_axes")
    result: pd.DataFrame = job.result
    axes = [_axis(plan, path, spread) for path, spread in stated]
    if session.get("_explore_scenario") != scenario_to_json(plan.scenario):
        st.caption("The design has changed since this sweep: run it again to vary it as it is now.")
    column = str(session.get("explore.figure"))
    label, unit = FIGURES[column]
    target = plan.main.job.checkpoint.target_s.number if column in ("stall_s", "save_s") else None
    shown = Shown(column, label, unit, target)
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
    told = figure.layout.meta
    st.markdown(bold(told["title"]))
    event = st.plotly_chart(
        figure,
        key="explore.picture",
        theme=None,
        config={"displayModeBar": False},
        alt=told["alt"],
        on_select="rerun",
        selection_mode="points",
    )
    _chosen(event, axes)
    _open_cell(plan.scenario, result, axes, shown)


def _chosen(event: Any, axes: list[Axis]) -> None:
    """A point that was clicked becomes the design to open."""
    points = getattr(getattr(event, "selection", None), "points", None) or []
    for point in points[:1]:
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
                session.put(key, 0)
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
    session.open_new(scenario)
    session.put("_go", "pages/plan.py")


def _axis(plan: Plan, path: str, spread: list[Any]) -> Axis:
    item = input_at(path)
    assert item is not None
    return Axis(
        path, item.label, item.unit if item.kind in NUMBERS else "", spread, _today(plan.scenario, item)
    )


def _rows(result: pd.DataFrame, axes: list[Axis], shown: Shown) -> list[dict[str, str]]:
    """Designs of a sweep as rows of texts."""
    rows = []
    for _, row in result.iterrows():
        cells = {escaped(axis.label): escaped(axis.text(row[axis.path])) for axis in axes}
        for column in dict.fromkeys(
            (shown.column, "stall_s", "goodput_fraction", "drive_count", "capital_high_usd", "typical_w")
        ):
            label, unit = FIGURES[column]
            cells[label] = escaped(format_value(float(row[column]), unit, binary=session.binary()))
        cells["Decided by"] = escaped(str(row["binding"]))
        cells["Blockers"] = escaped(str(row["blockers"]) or str(row["reason"]) or "none")
        rows.append(cells)
    return rows


# --- flip points -------------------------------------------------------------------------------------------


FLIP_DIGITS = 5
"""Significant digits of a flip point: what one can still use, of the nine that it is found to."""
FLIP_WORDS = {
    "binding": "What sizes the hot tier",
    "unit_binding": "What sizes its storage nodes",
    "file_system_binding": "What sizes the file system",
    "object_binding": "What sizes the object store",
    "save_binding": "Slowest stage of a save",
}
"""What changes at a flip point, where the column's own name does not say it."""


def flips(plan: Plan) -> None:
    """The values of one input at which a choice of the plan changes."""
    _axis_inputs("x", plan.scenario)
    st.button("Find", key="explore.find", on_click=_find, args=(plan.scenario,), icon=":material/search:")
    line = session.get("_explore_error")
    if line:
        st.error(escaped(str(line)), icon=":material/error:")
    found = session.get("_explore_flips")
    if found is None:
        st.markdown(
            "Choose a numeric input and its range; the planner finds every value at which a choice changes."
        )
        return
    path, points = found
    item = input_at(path)
    if item is None:
        return
    if not points:
        st.markdown(
            f"Nothing changes along {escaped(item.label)} in this range. Widen the range, or choose another input."
        )
        return
    table(
        [
            {
                "From": escaped(format_value(point.above, item.unit or "count", digits=FLIP_DIGITS)),
                "What changes": escaped(FLIP_WORDS.get(point.choice, point.choice.capitalize())),
                "Before": escaped(point.before or "none"),
                "After": escaped(point.after or "none"),
            }
            for point in points
        ],
        alt=f"Flip points along {item.label}",
    )


def _find(scenario: Scenario) -> None:
    held.take_in()
    session.put("_explore_error", "")
    try:
        found = _values("x")
        if found is None or found[0].kind not in NUMBERS:
            raise PlannerError("Flip points are looked for along a number: choose a numeric input")
        item, spread = found
        points = flip_points(scenario, item.path, spread[0], spread[-1], catalogue=answers.catalogue())
        session.put("_explore_flips", (item.path, points))
    except PlannerError as error:
        session.put("_explore_error", error.message)
