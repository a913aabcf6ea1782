"""What the sections of a plan share: verdicts with icon and word, a check in one line, figures for "why"."""

from __future__ import annotations

from collections.abc import Mapping

from pages._ui.figures import text
from pages._ui.markup import escaped
from planner.core.checks import Check
from planner.core.quantity import Quantity
from planner.plan import JobResult, Plan
from planner.sections.demand import job_names

VERDICTS = {
    "pass": ":green[✔] pass",
    "warning": ":orange[▲] warning",
    "fail": ":red[■] fail",
    "unknown": "? unknown",
    "question": "? question",
    "inside": ":green[✔] inside",
    "outside": ":orange[▲] outside",
}

Every = Mapping[str, Mapping[str, Quantity]]


def merged(every: Every, *sections: str) -> dict[str, Quantity]:
    """Figures of the sections whose names begin so, with the name in front where there are several."""
    found = {name: rows for name, rows in every.items() if name.partition(" · ")[0] in sections}
    if len(found) == 1:
        return dict(next(iter(found.values())))
    return {
        f"{name.partition(' · ')[2] or name}: {label}": q
        for name, rows in found.items()
        for label, q in rows.items()
    }


def check_line(check: Check) -> str:
    """A check in one line: verdict, what is provided, what is required."""
    return (
        f"{VERDICTS[check.verdict]} · {escaped(check.name)}: {text(check.provided)} provided, "
        f"{text(check.required)} required ({escaped(check.source)})"
    )


def named_jobs(plan: Plan) -> list[tuple[str, JobResult]]:
    """The jobs, each with its name as every list has it: a number keeps two of one name apart."""
    names = job_names(tuple(result.job for result in plan.jobs))
    return list(zip(names, plan.jobs, strict=True))
