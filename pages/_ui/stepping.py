"""Steppers: one step more or less with one click, gauges of every limit, and how far the optimum is."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from pages._ui import figures, session, stating
from pages._ui.figures import table
from pages._ui.jobs import LongJob
from pages._ui.markup import bold, escaped
from planner.bom.lines import not_priced
from planner.core.units import format_number, sentence
from planner.explore.best import Best, Entry
from planner.explore.steps import Gauge, Step, gauges, steps
from planner.plan import Plan
from planner.summary import difference

LEAST_SHOWN = 0.001
"""Smaller shares of a limit have no number on the screen."""


def panel(plan: Plan) -> None:
    """The steppers, the gauges, and the difference to the optimum of the last search."""
    for step in steps(plan):
        _stepper(step)
    st.subheader("How far each limit is", anchor=False)
    for gauge in gauges(plan):
        _gauge(gauge)
    st.subheader("Against the optimum", anchor=False)
    job = session.get("_optimum_job")
    found = job.result if isinstance(job, LongJob) and not job.running else None
    if not isinstance(found, Best) or found.optimum is None:
        st.markdown("Search for the best design first: the difference to it stands here.")
        return
    st.caption("The optimum of the last search, by its leading objective.")
    table(_against(plan, found), alt="The open design against the optimum")
    line = _left_out(plan, found.optimum)
    if line:
        st.caption(line)


def _stepper(step: Step) -> None:
    """One stepper: what it is, less, and more."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"step-{step.name}"):
        st.button(
            "−",  # noqa: RUF001 - the minus sign of a stepper
            key=f"step.{step.name}.less",
            help=f"Less: {step.size}",
            on_click=_take,
            args=(step.less,),
            disabled=step.less is None,
        )
        st.button(
            "+",
            key=f"step.{step.name}.more",
            help=f"More: {step.size}",
            on_click=_take,
            args=(step.more,),
            disabled=step.more is None,
        )
        st.markdown(f"{bold(step.now.text(binary=session.binary()))} {escaped(step.label)}")
    st.caption(escaped(f"A step is {step.size}." + (f" {sentence(step.note)}." if step.note else "")))


def _take(edits: dict[str, Any]) -> None:
    """Set what a step sets."""
    for path, value in edits.items():
        stating.set_value(path, value)


def _gauge(gauge: Gauge) -> None:
    """One limit: how much of it is used, and the numbers behind it."""
    check, used = gauge.check, gauge.used_fraction
    if math.isnan(used):
        st.caption(escaped(f"{check.name}: not known ({check.required} of {check.provided})"))
        return
    binary = session.binary()
    numbers = f"{check.required.text(binary=binary)} of {check.provided.text(binary=binary)}"
    share = f"{format_number(used * 100, 2)} %" if used > LEAST_SHOWN or used == 0 else "almost nothing"
    passed = f"passed, {gauge.code}" if check.verdict == "fail" else f"{share} used"
    word = bold(passed) if check.verdict == "fail" else escaped(passed)
    st.progress(min(used, 1.0), text=f"{escaped(check.name)}: {escaped(numbers)}, {word}")


def _left_out(plan: Plan, optimum: Entry) -> str:
    """What the costs of the table leave out; empty where every line has a price."""
    here, there = plan.cost.not_priced_count, optimum.not_priced_count
    if not (here or there):
        return ""
    return (
        f"Costs leave out {not_priced(here, 'equipment')} in this design, and {not_priced(there, 'equipment')} in the "
        "optimum."
    )


def _against(plan: Plan, found: Best) -> list[dict[str, str]]:
    assert found.optimum is not None
    rows = []
    for measure in found.measures:
        here, there = measure.figure(plan), found.optimum.objectives[measure.name]
        change = difference(here, there, binary=session.binary())
        rows.append(
            {
                "Figure": escaped(measure.label),
                "This design": figures.text(here),
                "Optimum": figures.text(there),
                "More than it": escaped(change or "none"),
            }
        )
    return rows
