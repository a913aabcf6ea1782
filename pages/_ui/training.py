"""Sections on training time: where it goes, what other ways of saving give, files of a checkpoint, limits."""

from __future__ import annotations

import re
from collections.abc import Mapping

import streamlit as st

from pages._ui import answers, session
from pages._ui.figures import picture, quantity_rows, table, text, why_one
from pages._ui.markup import bold, escaped
from pages._ui.verdicts import named_jobs
from planner import charts
from planner.core.quantity import Quantity
from planner.core.units import sentence, sizes
from planner.explore import Limit, all_limits
from planner.explore.steps import gauges, limit_name
from planner.plan import JobResult, Plan
from planner.scenario_json import scenario_to_json
from planner.summary import figures as all_figures

WORTH, YOUNG = "Worth of time", "Interval by Young"
FILES = re.compile(r"Files?: ")
"""Begins the label of a figure that the table of files shows already."""


def training(plan: Plan) -> None:
    """Goodput and money: the pictures, the alternatives, what a budget of waste asks for."""
    picture(charts.goodput_chart, plan, "chart.goodput")
    picture(charts.waste_chart, plan, "chart.waste")
    if len(plan.jobs) > 1:
        _together(plan)
    for name, result in named_jobs(plan):
        st.markdown(bold(f"{name}: other ways to lose less"))
        _alternatives(result)
        st.markdown(bold(f"{name}: what a budget of waste asks for, saving synchronously"))
        _budgets(result)
    picture(charts.bandwidth_chart, plan, "chart.bandwidth")
    every = all_figures(plan)
    columns = {
        name.partition(" · ")[2] or "This design": _with_young(
            rows, every[f"Checkpoints{name[len(WORTH) :]}"]
        )
        for name, rows in every.items()
        if name.startswith(WORTH)
    }
    table(quantity_rows(columns), alt="Where the time goes and what bandwidth is worth")
    why_one("training", _flat(columns))


def _with_young(rows: Mapping[str, Quantity], checkpoints: Mapping[str, Quantity]) -> Mapping[str, Quantity]:
    """Where the time goes, led by the interval that Young's formula asks for."""
    young = {YOUNG: checkpoints[YOUNG]} if YOUNG in checkpoints else {}
    return {**young, **rows}


def _flat(columns: Mapping[str, Mapping[str, Quantity]]) -> dict[str, Quantity]:
    if len(columns) == 1:
        return dict(next(iter(columns.values())))
    return {f"{name}: {label}": item for name, rows in columns.items() for label, item in rows.items()}


def _together(plan: Plan) -> None:
    """All jobs as one, and what each save is if they all save at once."""
    both = plan.together
    st.markdown(
        f"All jobs: {text(both.gpu_count)} GPUs at a goodput of {text(both.goodput_fraction)}; "
        f"{text(both.lost_usd_per_year)} lost; {text(both.daily_write_bytes_per_day)} written."
    )
    table(
        [
            {
                "Job": escaped(name),
                "Save alone": text(result.save.save_s),
                "Save when all save at once": text(at_once),
            }
            for (name, result), at_once in zip(named_jobs(plan), both.coinciding_s, strict=True)
        ],
        alt="Saves alone and at once",
    )


def _alternatives(result: JobResult) -> None:
    table(
        [
            {
                "Alternative": escaped(row.name),
                "Saved": text(row.saved_usd_per_year),
                "Goodput": text(row.goodput_fraction),
                "Costs": text(row.extra_usd) if row.extra_usd else "nothing",
                "Pays after": text(row.pays_back_s) if row.pays_back_s else "",
                "Work between saves": text(row.work_s),
                "Stall": text(row.stall_s),
                "Remark": escaped(sentence(row.remark)),
            }
            for row in result.worth.alternatives
        ],
        alt="Alternatives: other intervals, asynchronous, two levels, a larger tier",
    )


def _budgets(result: JobResult) -> None:
    table(
        [
            {
                "Budget": f"{text(row.budget_fraction)} of waste",
                "Stalls at this interval": text(row.fixed_bytes_per_s),
                "Longest stall": text(row.stall_s) if row.stall_s.number else "none left",
                "All waste, best interval": text(row.best_bytes_per_s)
                if row.best_bytes_per_s.known
                else "not attainable",
            }
            for row in result.worth.budgets
        ],
        alt="Write bandwidth that a budget of waste asks for",
    )


def layout(plan: Plan) -> None:
    """Files of a checkpoint, who writes and reads them, and what a GPU holds."""
    picture(charts.stages_chart, plan, "chart.stages")
    for name, result in named_jobs(plan):
        found = result.layout
        st.markdown(
            f"{bold(name)}: {escaped(found.description)}; {escaped(found.writers)}; {escaped(found.readers)}."
        )
        table(
            [
                {
                    "Files": escaped(group.content),
                    "Count": text(group.count),
                    "Size of each": text(group.size_bytes),
                    "Written by": escaped(group.writers),
                }
                for group in found.files
            ],
            alt=f"Files of a checkpoint of {name}",
        )
    every = all_figures(plan)
    columns = {
        name.partition(" · ")[2] or "This design": rows
        for name, rows in every.items()
        if name.startswith("Checkpoint layout")
    }
    figures = {
        name: {label: item for label, item in rows.items() if not FILES.match(label)}
        for name, rows in columns.items()
    }
    table(quantity_rows(figures), alt="Files, writers, readers and GPU memory")
    why_one("layout", _flat(columns))


def limits(plan: Plan) -> None:
    """Reverse questions: how far the planned storage reaches."""
    st.markdown(
        "The storage stays as planned: its units, drives and protection. Ports of nodes and switches follow the nodes."
    )
    rows, held = [], gauges(plan)
    for limit in _limits(scenario_to_json(plan.scenario), answers.catalogue().hash, binary=session.binary()):
        found = limit.finding
        rows.append(
            {
                "Question": escaped(limit.question),
                "Reaches": "already beyond" if limit.already else text(limit.reached),
                "First limit": escaped(limit_name(found, held)) if found else "none in the allowed range",
                "Today": text(limit.today),
                "What it says": escaped(found.message) if found else "",
            }
        )
    table(rows, alt="How far the design reaches before its first limit")


@st.cache_resource(max_entries=64, show_spinner="Looking for the first limit")
def _limits(scenario_json: str, catalogue_hash: str, *, binary: bool) -> tuple[Limit, ...]:
    """The limits of a design; several hundred plans, kept because most runs of a page change nothing."""
    del catalogue_hash
    with sizes(binary=binary):
        return all_limits(answers.plan_of(scenario_json).scenario, answers.catalogue())
