"""Flip points of the open design: what drives each choice of the plan, and all changes along one input."""

from __future__ import annotations

import streamlit as st

from pages._ui import answers, held, jobs, session
from pages._ui.axes import axis_fields, axis_values
from pages._ui.figures import table
from pages._ui.markup import bold, escaped
from pages._ui.session import guarded
from planner.core.errors import PlannerError
from planner.core.units import counted, format_value
from planner.explore import flip_points
from planner.explore.axes import NUMBERS
from planner.explore.holding import CHOSEN, REACH_RATIO, Holding, beyond, called, holding, named, turn_of
from planner.inputs import input_at
from planner.plan import Plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_to_json

FLIP_DIGITS = 5
"""Significant digits of a flip point: what one can still use, of the nine that it is found to."""
FLIP_WORDS = {
    "binding": "What sizes the hot tier",
    "unit_binding": "What sizes its storage nodes",
    "file_system_binding": "What sizes the file system",
    "object_binding": "What sizes the object store",
    "save_binding": "Slowest stage of a save",
    "interval_binding": "What the shortest sound interval follows from",
}
"""What changes at a flip point, where the column's own name does not say it."""


def panel(plan: Plan) -> None:
    """Up to where each choice is right, and the values of one input at which anything changes."""
    _driving(plan)
    st.subheader("Along one input", anchor=False)
    _along(plan)


# --- what drives each choice -----------------------------------------------------------------------------


def _driving(plan: Plan) -> None:
    """Every input that changes a choice, with the nearest value on either side of today's."""
    st.subheader("What drives each choice", anchor=False)
    st.button("Look", key="explore.drive", on_click=_look, args=(plan.scenario,), icon=":material/search:")
    found = jobs.result("_drive_job", "inputs", "explore.drive.stop")
    if found is None:
        if session.get("_drive_job") is None:
            st.markdown(
                "The planner moves every input of the design and finds between which values transport, "
                "architecture, protection, platform and interval stay what they are."
            )
        return
    if session.get("_drive_scenario") != scenario_to_json(plan.scenario):
        st.caption("The design has changed since this was looked at: look again.")
    if found.looked_count < found.input_count:
        st.caption(f"Stopped after {found.looked_count} of {counted(found.input_count, 'input')}.")
    for column, name in CHOSEN.items():
        _choice(found, column, name)
    st.caption(
        f"{counted(found.looked_count, 'input')} moved: numbers from {REACH_RATIO:.0f} times less to {REACH_RATIO:.0f} "
        "times more than today and over their usual range, words to all that they may be. What is not listed changes "
        "none of these choices."
    )


def _choice(found: Holding, column: str, name: str) -> None:
    """One choice: what it is, and what would make it another."""
    rows = answers.catalogue()
    st.markdown(bold(f"{name}: {named(column, found.now[column], rows)}"))
    if column in found.stated:
        st.caption("Stated: no input moves it. Set to AUTO, it is what the planner would choose.")
        return
    cells = [
        {
            "Input": escaped(hold.label),
            "Today": escaped(hold.shown(hold.today)),
            "Stays so": escaped(hold.span),
            "Else": escaped(beyond(hold, rows)),
        }
        for hold in found.holds
        if hold.choice == column
    ]
    cells += [
        {
            "Input": escaped(turn.label),
            "Today": escaped(called(turn, turn.today, rows)),
            "Stays so": "as today",
            "Else": escaped(turn_of(turn, rows)),
        }
        for turn in found.turns
        if turn.choice == column
    ]
    if cells:
        table(cells, alt=f"{name}: inputs that change it, and where")
    else:
        st.caption("No input changes it within the range that was looked at.")


@guarded
def _look(scenario: Scenario) -> None:
    held.take_in()
    catalogue = answers.catalogue()  # asked here: another thread does not know whose rows count
    jobs.begin("_drive_job", lambda progress: holding(scenario, catalogue=catalogue, progress=progress))
    session.put("_drive_scenario", scenario_to_json(scenario))


# --- along one input -------------------------------------------------------------------------------------


def _along(plan: Plan) -> None:
    """The values of one input at which a choice of the plan changes, or what binds."""
    axis_fields("x", plan.scenario)
    st.button("Find", key="explore.find", on_click=_find, args=(plan.scenario,), icon=":material/search:")
    line = session.get("_flip_error")
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
                "What changes": escaped(FLIP_WORDS.get(point.choice, point.choice.capitalize())),
                "From": escaped(format_value(point.above, item.unit or "count", digits=FLIP_DIGITS)),
                "Before": escaped(point.before or "none"),
                "After": escaped(point.after or "none"),
            }
            for point in points
        ],
        alt=f"Flip points along {item.label}",
    )


def _find(scenario: Scenario) -> None:
    held.take_in()
    session.put("_flip_error", "")
    try:
        found = axis_values("x")
        if found is None or found[0].kind not in NUMBERS:
            raise PlannerError("Flip points are looked for along a number: choose a numeric input")
        item, spread = found
        points = flip_points(scenario, item.path, spread[0], spread[-1], catalogue=answers.catalogue())
        session.put("_explore_flips", (item.path, points))
    except PlannerError as error:
        session.put("_flip_error", error.message)
