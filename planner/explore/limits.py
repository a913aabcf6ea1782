"""Reverse questions: with the storage as it is, how far does it reach before the first limit, and which is it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

from planner.catalogue import Catalogue
from planner.core.checks import Finding
from planner.core.errors import PlannerError, shorten
from planner.core.quantity import Quantity, given
from planner.plan import Plan, plan
from planner.scenario import Scenario
from planner.scenario_json import must_be_scenario, with_value

WARNINGS = ("BW-2", "BW-3", "CAP-2", "NET-2", "PRT-1")
"""Warnings that are limits as well: a target or a share that is missed, a cold tier that fills, ports that end."""
NEAR = 1e-4
"""How near the limit is found, as a share of it."""
SHORTEST_INTERVAL_S = 5.0
MOST_PARAMETERS = 1e15
MOST_NODES = 200_000
"""How far these inputs may go: where a search ends that meets no limit."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How far one input may go.

    Attributes:
        question: What was asked.
        path: The input that was moved.
        today: Its value in the design.
        reached: The furthest value without a limit; the design's own where it is at one already.
        finding: The first limit beyond; None where the allowed range ends before any.
        already: Whether the design is beyond a limit as it stands.
    """

    question: str
    path: str
    today: Quantity
    reached: Quantity
    finding: Finding | None
    already: bool = False


def all_limits(scenario: Scenario, catalogue: Catalogue) -> tuple[Limit, ...]:
    """The limits of every job, named after it where there are several, and then that of the nodes.

    Raises:
        PlannerError: The design itself cannot be planned.
    """
    must_be_scenario(scenario)
    many = len(scenario.jobs) > 1
    found: list[Limit] = []
    for index, job in enumerate(scenario.jobs):
        *own, nodes = limits(scenario, catalogue, job=index)
        tail = f", {job.name} ({index + 1})" if many else ""
        found += [replace(limit, question=limit.question + tail) for limit in own]
    return (*found, nodes)


def limits(scenario: Scenario, catalogue: Catalogue, *, job: int = 0) -> tuple[Limit, ...]:
    """The largest model, the shortest interval and the most GPUs that the planned storage carries.

    The storage keeps its units, drives and protection; ports of nodes and switches follow the nodes, and jobs that
    state their nodes grow with the cluster.

    Args:
        scenario: The design.
        catalogue: The rows to choose from.
        job: Number of the job that is moved.

    Raises:
        PlannerError: The design itself cannot be planned.
    """
    done = plan(scenario, catalogue)
    if isinstance(job, bool) or not isinstance(job, int) or not 0 <= job < len(scenario.jobs):
        raise PlannerError(
            f"job: {shorten(job)} is not allowed; use 0 to {len(scenario.jobs) - 1}, the number of a job",
            field="job",
        )
    fixed = with_storage_fixed(scenario, done)
    search = _Search(catalogue, plan(fixed, catalogue))
    checkpoint = done.jobs[job].job.checkpoint
    return (
        search.furthest(
            "The largest model",
            f"jobs.{job}.model.parameter_count",
            functools.partial(_larger_model, fixed, job),
            checkpoint.parameter_count,
            MOST_PARAMETERS,
        ),
        search.furthest(
            "The shortest interval",
            f"jobs.{job}.checkpoint.interval_s",
            functools.partial(_other_interval, fixed, job),
            checkpoint.interval_s,
            SHORTEST_INTERVAL_S,
        ),
        search.furthest(
            "The most GPU nodes",
            "cluster.node_count",
            functools.partial(_more_nodes, fixed),
            done.cluster.node_count,
            MOST_NODES,
            whole=True,
        ),
    )


def _larger_model(fixed: Scenario, job: int, parameter_count: float) -> Scenario:
    """The design with another number of parameters, of which the same share is active."""
    model = fixed.jobs[job].model
    grown = with_value(fixed, f"jobs.{job}.model.parameter_count", parameter_count)
    if model.active_parameter_count is None:
        return grown
    active = min(MOST_PARAMETERS, model.active_parameter_count * parameter_count / model.parameter_count)
    return with_value(grown, f"jobs.{job}.model.active_parameter_count", active)


def _other_interval(fixed: Scenario, job: int, interval_s: float) -> Scenario:
    """The design with that interval stated, whatever it was worked out from."""
    policy = fixed.jobs[job].checkpoint.model_copy(
        update={
            "interval_basis": "stated",
            "interval_s": interval_s,
            "interval_step_count": None,
            "step_s": None,
        }
    )
    jobs = list(fixed.jobs)
    jobs[job] = jobs[job].model_copy(update={"checkpoint": policy})
    return fixed.model_copy(update={"jobs": tuple(jobs)})


def _more_nodes(fixed: Scenario, node_count: float) -> Scenario:
    """The design with that many nodes; jobs that state theirs grow with the cluster."""
    times = node_count / fixed.cluster.node_count
    grown = with_value(fixed, "cluster.node_count", round(node_count))
    jobs = tuple(
        each
        if each.node_count is None
        else each.model_copy(update={"node_count": max(1, int(each.node_count * times))})
        for each in grown.jobs
    )
    return grown.model_copy(update={"jobs": jobs})


def with_storage_fixed(scenario: Scenario, done: Plan) -> Scenario:
    """The scenario with the storage that its plan has, stated: units, drives, protection, transport."""
    hot = done.hot
    stated: dict[str, object] = {
        "storage.hot.unit_count": int(hot.unit_count.number),
        "network.transport": done.network.transport.value,
        "storage.hot.architecture": done.architecture.choice.value,
    }
    if hot.drive is not None and scenario.storage.hot.usable_bytes is None:
        stated["storage.hot.drive_count"] = int(hot.drive_count.number)
    if hot.scheme is not None:
        stated["storage.hot.protection_id"] = hot.scheme.id
        if hot.domain in ("drive", "node", "rack"):
            stated["storage.hot.protection_domain"] = hot.domain
    for role, path in (("file-system", "storage.file_system"), ("object", "storage.object_store")):
        tier = done.tier(role)
        if tier is not None:
            stated[f"{path}.unit_count"] = int(tier.unit_count.number)
    for path, value in stated.items():
        scenario = with_value(scenario, path, value)
    return scenario


class _Search:
    """Bisection between what carries and what does not."""

    def __init__(self, catalogue: Catalogue, today: Plan) -> None:
        """Remember what is wrong with the design already: a blocker is a limit passed, a warning is known."""
        self.catalogue = catalogue
        self.passed = next((finding for finding in today.reviewed if finding.severity == "blocker"), None)
        self.known = {finding.code for finding in today.reviewed if is_limit(finding)}

    def furthest(
        self,
        question: str,
        path: str,
        moved: Callable[[float], Scenario],
        today: Quantity,
        end: float,
        *,
        whole: bool = False,
    ) -> Limit:
        """The value nearest to `end` that brings no new limit."""
        if self.passed is not None:
            return Limit(question, path, today, today, self.passed, already=True)
        good, bad = today.number, end
        found = self._first(moved(end))
        if found is None:
            return self._limit(question, path, today, end, None)
        while not _near(good, bad, whole=whole):
            middle = (good * bad) ** 0.5
            value = float(round(middle)) if whole else middle
            if whole and value in (good, bad):
                break
            finding = self._first(moved(value))
            if finding is None:
                good = value
            else:
                bad, found = value, finding
        return self._limit(question, path, today, good, found)

    def _first(self, scenario: Scenario) -> Finding | None:
        """The first limit of a design that today's has not; a design that cannot be planned is one."""
        try:
            done = plan(scenario, self.catalogue)
        except PlannerError as error:
            return Finding("PLAN", "blocker", error.message, "", "", "plan")
        return next((f for f in done.reviewed if is_limit(f) and f.code not in self.known), None)

    @staticmethod
    def _limit(question: str, path: str, today: Quantity, value: float, finding: Finding | None) -> Limit:
        reached = given(value, today.unit, today.label, source="bisection over whole plans", grade="seen")
        return Limit(question, path, today, reached, finding)


def is_limit(finding: Finding) -> bool:
    """Whether a remark tells of a limit that is passed: every blocker, and some warnings."""
    return finding.severity == "blocker" or finding.code in WARNINGS


def _near(good: float, bad: float, *, whole: bool) -> bool:
    return abs(good - bad) <= 1 if whole else abs(bad / good - 1) < NEAR
