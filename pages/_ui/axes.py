"""An axis of the Explore screen: which input varies, and its range or its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages._ui import answers, session, values
from planner.core.errors import PlannerError
from planner.core.units import parse_value
from planner.explore.axes import NUMBERS, range_around
from planner.inputs import Input, input_at, value_at
from planner.scenario import Scenario
from planner.scenario_json import must_be_in_range, scenario_to_json

MOST_STEPS = 400
"""Steps of one axis: more cannot be told apart on a screen."""
_NONE = "none"


def axis_fields(name: str, scenario: Scenario) -> None:
    """One axis: which input, and its range or its words."""
    items = [item for item in session.inputs() if _sweepable(item)]
    choices, words = [item.path for item in items], _words(items)
    _follow_job(f"explore.{name}", choices)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "First axis" if name == "x" else "Second axis",
            choices if name == "x" else [_NONE, *choices],
            format_func=lambda path: words.get(path, "no second axis"),
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


def _follow_job(key: str, choices: Sequence[str]) -> None:
    """An axis along an input of a job that is out of view, or gone, is along the same input of the one in view."""
    path = str(session.get(key))
    if path.startswith("jobs.") and path not in choices:
        _, _, name = path.split(".", 2)
        session.put(key, f"jobs.{session.job()}.{name}")


def _words(items: list[Input]) -> dict[str, str]:
    """What each input is called; its path as well where another one is called the same."""
    named = Counter(item.label for item in items)
    return {
        item.path: item.label if named[item.label] == 1 else f"{item.label} ({item.path})" for item in items
    }


def _suggest(name: str, scenario: Scenario) -> None:
    """A range around today's value."""
    item = input_at(str(session.get(f"explore.{name}")))
    if item is None or item.kind not in NUMBERS:
        return
    low, high = range_around(item, todays_value(scenario, item))
    session.put(f"explore.{name}.low", str(values.shown(item, low)))
    session.put(f"explore.{name}.high", str(values.shown(item, high)))
    session.put(f"explore.{name}.steps", "40")


def todays_value(scenario: Scenario, item: Input) -> Any:
    """Today's value of an input: the stated one, or what AUTO came to; None where the design has no such job."""
    try:
        stated = value_at(scenario, item.path)
    except PlannerError:
        return None
    if stated is not None:
        return stated
    derived = answers.plan_of(scenario_to_json(scenario)).auto.get(item.path)
    return getattr(derived, "number", getattr(derived, "value", None))


def _inside(item: Input, end: float) -> None:
    """Refuse an end of a range that the input may not have, under the input's label.

    Raises:
        PlannerError: It is outside of the input's bounds.
    """
    try:
        must_be_in_range(item, end)
    except PlannerError as error:
        ((_, line),) = values.error_lines(error, {})
        raise PlannerError(line, field=item.path) from None


def axis_values(name: str) -> tuple[Input, list[Any]] | None:
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
    steps = values.whole(session.get(f"explore.{name}.steps"), field="Steps", low=2, high=MOST_STEPS)
    ends = [
        parse_value(
            str(session.get(f"explore.{name}.{end}")), item.unit or "count", field=f"{item.label}, {word}"
        )
        for end, word in (("low", "from"), ("high", "to"))
    ]
    low, high = ends
    for end in ends:
        _inside(item, end)
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
