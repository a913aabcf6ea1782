"""What keeps a job's saves apart: failures, the waste budget and the flush each ask for a shortest interval."""

from __future__ import annotations

from planner.core.quantity import Quantity, derive, largest, total
from planner.core.record import record
from planner.core.units import scalar
from planner.sections.goodput import GoodputPlan, unhindered_work
from planner.sections.jobs import JobPlan
from planner.sizing import cadence

FLUSH, BUDGET, FAILURES = "flush", "waste budget", "failures"
"""A save has to be stored before the next begins; stalls stay inside their share; goodput is highest."""


@record(frozen=True, slots=True)
class Spacing:
    """The shortest sound interval of a job.

    Attributes:
        terms: The interval that each of the three asks for, from the start of a save to the start of the next.
        binding: The one that asks for the longest.
        following: The next one.
    """

    terms: dict[str, Quantity]
    binding: str
    following: str

    @property
    def interval_s(self) -> Quantity:
        """The shortest interval that keeps all three."""
        return self.terms[self.binding]


def spacing_plan(job: JobPlan, goodput: GoodputPlan) -> Spacing:
    """What keeps a job's saves apart, and which of it binds; the stated interval has no part in it.

    A synchronous save is stored when its stall ends, so its flush never binds: the budget is above it.
    With two levels the interval is that of the shared one.
    """
    stall = goodput.stall_s
    flush = goodput.flush_s if job.policy.mode == "async" else stall
    best = (
        goodput.best_work_s
        if goodput.levels
        else total(
            [unhindered_work(stall, goodput.interruption_s), stall],
            "Interval with the highest goodput",
            unit="s",
        )
    )
    terms = {
        FLUSH: flush,
        BUDGET: derive(
            cadence.budget_interval_s,
            stall_s=stall,
            waste_budget_fraction=scalar(job.policy.waste_budget_fraction),
        ),
        FAILURES: best,
    }
    return Spacing(terms, *largest(terms))
