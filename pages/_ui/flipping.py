"""Flip points of the open design: the values of one input at which a choice of the plan changes."""

from __future__ import annotations

import streamlit as st

from pages._ui import answers, held, session
from pages._ui.axes import axis_fields, axis_values
from pages._ui.figures import table
from pages._ui.markup import escaped
from planner.core.errors import PlannerError
from planner.core.units import format_value
from planner.explore import flip_points
from planner.explore.axes import NUMBERS
from planner.inputs import input_at
from planner.plan import Plan
from planner.scenario import Scenario

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


def panel(plan: Plan) -> None:
    """The values of one input at which a choice of the plan changes."""
    axis_fields("x", plan.scenario)
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
        found = axis_values("x")
        if found is None or found[0].kind not in NUMBERS:
            raise PlannerError("Flip points are looked for along a number: choose a numeric input")
        item, spread = found
        points = flip_points(scenario, item.path, spread[0], spread[-1], catalogue=answers.catalogue())
        session.put("_explore_flips", (item.path, points))
    except PlannerError as error:
        session.put("_explore_error", error.message)
