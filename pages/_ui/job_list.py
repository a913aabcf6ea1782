"""The jobs of the design: one more, one less."""

from __future__ import annotations

from typing import Any

from pages._ui import held, stating, values
from pages._ui.session import get, inputs, job, put
from planner.inputs import nest
from planner.scenario import MAX_JOBS


def add_job() -> None:
    """Add a job like the one in view."""
    jobs = _jobs()
    if len(jobs) < MAX_JOBS:
        _put_jobs([*jobs, {**jobs[job()], "name": f"Training {len(jobs) + 1}"}])
        put("ui.job", len(jobs))


def remove_job() -> None:
    """Remove the job in view; the last one stays."""
    jobs = _jobs()
    if len(jobs) > 1:
        chosen = job()
        _put_jobs(jobs[:chosen] + jobs[chosen + 1 :])
        put("ui.job", max(0, chosen - 1))


def _jobs() -> list[Any]:
    held.take_in()
    jobs: list[Any] = nest(stating.stated()[0])["jobs"]
    return jobs


def _put_jobs(jobs: list[Any]) -> None:
    nested = {"jobs": jobs}
    others = {key: raw for key, raw in held.everything().items() if not key.startswith("jobs.")}
    put("_jobs", len(jobs))
    flat = {
        item.path: values.dig(nested, item.path, item.default)
        for item in inputs()
        if item.path.startswith("jobs.")
    }
    held.fill({**others, **stating.shown(flat)})
    put("_loaded", {**get("_loaded", {}), **flat})
