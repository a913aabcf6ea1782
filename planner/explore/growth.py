"""Growth: a design kept as it is built while demand grows by years, the limits that it passes, and what to add then."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.checks import Finding
from planner.core.errors import PlannerError, must_be, must_be_number, shorten
from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import format_number, format_range, format_value
from planner.explore.axes import must_tell
from planner.explore.limits import MOST_NODES, MOST_PARAMETERS, is_limit, with_storage_fixed
from planner.explore.steps import Gauge, gauges, limit_name
from planner.inputs import flatten, nest
from planner.plan import Plan, plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict
from planner.sections.kit import level_drives
from planner.sections.tiers import TierPlan
from planner.sizing import cost

MOST_YEARS = 15
LEAST_RATIO, MOST_RATIO = 0.1, 20.0
"""Growth in a year that is taken: a tenth to twenty times."""
GROWING = {"gpu_ratio": "GPUs", "parameter_ratio": "Parameters", "dataset_ratio": "Dataset"}
"""Ratios of a demand, and what each is of."""
MOST_DATASET, MOST_RAW = 1e18, 1e19
"""Bytes of a dataset and of raw data that an input may be at most."""
SIZED = (
    ("storage.hot.unit_count", "hot"),
    ("storage.hot.drive_count", "hot"),
    ("storage.file_system.unit_count", "file-system"),
    ("storage.object_store.unit_count", "object"),
)
"""Sizes of a design as it is built, and the tier of each."""
STATED = (
    "storage.hot.usable_bytes",
    "storage.file_system.usable_bytes",
    "storage.object_store.usable_bytes",
    *(path for path, _ in SIZED),
)

Progress = Callable[[int, int], bool | None]


@dataclass(frozen=True, slots=True)
class Demand:
    """How demand grows from year to year: each figure times its ratio.

    Attributes:
        years: Years after today.
        gpu_ratio: GPUs of a year over those of the year before.
        parameter_ratio: Parameters of every model.
        dataset_ratio: Active and raw data of every job.
    """

    years: int = 5
    gpu_ratio: float = 1.0
    parameter_ratio: float = 1.0
    dataset_ratio: float = 1.0

    def check(self) -> None:
        """Refuse what is no growth.

        Raises:
            PlannerError: The years or a ratio are out of their range.
        """
        if (
            isinstance(self.years, bool)
            or not isinstance(self.years, int)
            or not 1 <= self.years <= MOST_YEARS
        ):
            raise PlannerError(
                f"years: {shorten(self.years)} is not allowed; use 1 to {MOST_YEARS} whole years",
                field="years",
            )
        for name, label in GROWING.items():
            value = getattr(self, name)
            must_be_number(value, field=name)
            if not LEAST_RATIO <= value <= MOST_RATIO:
                ends = format_range(LEAST_RATIO - 1, MOST_RATIO - 1, "fraction")
                raise PlannerError(
                    f"{label}: growth by {_a_year(value)} is not allowed; use {ends}, {LEAST_RATIO:g} to {MOST_RATIO:g} "
                    "times",
                    field=name,
                )


def _a_year(ratio: float) -> str:
    """Growth of a year in both forms in which it is typed: as a share, where that is a number, and as a ratio."""
    times = f"{format_number(ratio)} times"
    percent = (ratio - 1) * 100
    return (
        f"{format_value(ratio - 1, 'fraction')} a year, {times},"
        if math.isfinite(percent)
        else f"{times} a year"
    )


@dataclass(frozen=True, slots=True)
class Addition:
    """Something that an expansion adds.

    Attributes:
        path: The size that grows.
        label: What is added.
        before: How many there were.
        after: How many there are then.
    """

    path: str
    label: str
    before: int
    after: int

    def __str__(self) -> str:
        """The addition in words."""
        return f"{self.label}: {self.before} to {self.after}"


@dataclass(frozen=True, slots=True)
class Expansion:
    """What is added in a year, and what it costs.

    Attributes:
        passed: Codes of the limits that were passed before.
        left: Limits that more of the same does not mend.
        low_usd: Capital of the design after the step less that before it, both in that year's cluster.
    """

    additions: tuple[Addition, ...]
    passed: tuple[str, ...]
    left: tuple[Finding, ...]
    low_usd: Quantity
    high_usd: Quantity


@dataclass(frozen=True, slots=True)
class Year:
    """One year of growth.

    Attributes:
        number: 0 is today.
        figures: What grows, by name.
        passed: Limits that the storage passes as it was built up to then.
        gauges: How far each limit is, before anything is added.
        expansion: What to add in this year; None where nothing is needed.
        scenario: The design with what was added by the end of the year; None where it cannot be computed.
        reason: Why the year cannot be computed; empty if it can.
    """

    number: int
    figures: dict[str, Quantity]
    passed: tuple[Finding, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    expansion: Expansion | None = None
    scenario: Scenario | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Growth:
    """The years, and the first of them in which the design as it is built today passes each limit."""

    demand: Demand
    years: tuple[Year, ...]
    first: dict[str, tuple[int, Finding]] = field(default_factory=dict)

    def limit(self, finding: Finding) -> str:
        """The limit that a finding is of by its name, and the code: "Write endurance (END-1)"."""
        return limit_name(finding, (gauge for year in self.years for gauge in year.gauges))


def growth(
    scenario: Scenario,
    demand: Demand,
    *,
    catalogue: Catalogue | None = None,
    progress: Progress | None = None,
) -> Growth:
    """Years of growth of a design.

    The storage stays as it was built, expansions being added; nodes and their links follow the GPUs.

    Args:
        scenario: The design.
        demand: How demand grows.
        catalogue: The rows to choose from; the shipped ones if not given.
        progress: Told how many years are done, and of how many; ends with what there is when it returns False.

    Raises:
        PlannerError: The demand is out of its bounds, or the design itself cannot be planned.
    """
    must_be(demand, Demand, field="demand", form="a Demand")
    demand.check()
    must_tell(progress)
    rows = chosen_catalogue(catalogue)
    today = plan(scenario, rows)
    built = as_built = with_storage_fixed(scenario, today)
    known = {
        finding.code for finding in today.findings if is_limit(finding) and finding.severity == "warning"
    }
    years: list[Year] = []
    first: dict[str, tuple[int, Finding]] = {}
    for number in range(demand.years + 1):
        for finding in _passed_at(as_built, demand, number, rows):
            first.setdefault(finding.code, (number, finding))
        year, built = _year(built, demand, number, rows, known if number == 0 else set())
        years.append(year)
        if progress is not None and progress(number + 1, demand.years + 1) is False:
            break
    return Growth(demand, tuple(years), first)


def grown(scenario: Scenario, demand: Demand, number: int) -> Scenario:
    """A scenario with the demand of a year.

    Raises:
        PlannerError: The demand of that year is more than an input may be.
    """
    flat = flatten(scenario)
    edits: dict[str, Any] = {}

    def times(path: str, ratio: float, most: float, *, whole: bool = False) -> None:
        """Make a stated input so many times its value; more than `most` is refused."""
        if flat[path] is not None and ratio != 1.0:
            value = flat[path] * ratio
            if value > most:
                raise PlannerError(
                    f"{path}: {format_number(value)} in year {number} is more than {format_number(most)}"
                )
            edits[path] = max(1, round(value)) if whole else value

    gpus = demand.gpu_ratio**number
    times("cluster.node_count", gpus, MOST_NODES, whole=True)
    for index in range(len(scenario.jobs)):
        start = f"jobs.{index}."
        times(start + "node_count", gpus, MOST_NODES, whole=True)
        for name in (
            "parameter_count",
            "active_parameter_count",
            "embedding_parameter_count",
            "expert_parameter_count",
        ):
            times(f"{start}model.{name}", demand.parameter_ratio**number, MOST_PARAMETERS)
        times(f"{start}ingest.dataset_bytes", demand.dataset_ratio**number, MOST_DATASET)
        times(f"{start}ingest.raw_dataset_bytes", demand.dataset_ratio**number, MOST_RAW)
    return scenario_from_dict(nest({**flat, **edits}))


def _passed_at(scenario: Scenario, demand: Demand, number: int, catalogue: Catalogue) -> tuple[Finding, ...]:
    try:
        return _limits(plan(grown(scenario, demand, number), catalogue))
    except PlannerError as error:
        return (Finding("PLAN", "blocker", error.message, "", "", "plan"),)


def _limits(done: Plan) -> tuple[Finding, ...]:
    """Limits that a design passes, each code once."""
    found: dict[str, Finding] = {}
    for finding in done.findings:
        if is_limit(finding):
            found.setdefault(finding.code, finding)
    return tuple(found.values())


def _year(
    built: Scenario, demand: Demand, number: int, catalogue: Catalogue, known: set[str]
) -> tuple[Year, Scenario]:
    """A year, and the storage as it is built at its end."""
    try:
        done = plan(grown(built, demand, number), catalogue)
        passed = tuple(finding for finding in _limits(done) if finding.code not in known)
        expansion, more = _expanded(done, passed, catalogue) if passed else (None, {})
    except PlannerError as error:
        return Year(number, {}, reason=error.message), built
    after = scenario_from_dict(nest({**flatten(built), **more})) if more else built
    ended = grown(after, demand, number)
    return Year(number, _figures(done), passed, gauges(done), expansion, ended), after


def _figures(done: Plan) -> dict[str, Quantity]:
    data = [result.job.ingest.dataset_bytes for result in done.jobs]
    return {
        "GPUs": done.together.gpu_count,
        "Parameters": done.main.job.checkpoint.parameter_count,
        "Dataset": total(data, "Active data of all jobs", unit="bytes"),
        "Checkpoint": done.main.job.checkpoint.size_bytes,
        "Stall": done.main.goodput.stall_s,
        "Power": done.facility.typical_w,
    }


def _expanded(
    done: Plan, passed: tuple[Finding, ...], catalogue: Catalogue
) -> tuple[Expansion | None, dict[str, Any]]:
    """What AUTO would take in that year, never less than there is: additions, their cost, and what they leave."""
    free = scenario_from_dict(nest({**flatten(done.scenario), **dict.fromkeys(STATED)}))
    wanted = plan(free, catalogue)
    edits: dict[str, Any] = {}
    there: dict[str, int] = {}
    for path, role in SIZED:
        before, after = _size(done, path, role), _size(wanted, path, role)
        if before is not None and after is not None:
            there[path], edits[path] = before, max(before, after)
    drives = "storage.hot.drive_count"
    if drives in edits:
        edits[drives] = _level_drives(done.hot, wanted.hot, edits["storage.hot.unit_count"])
    additions = [
        Addition(path, _label(done, path, role), there[path], edits[path])
        for path, role in SIZED
        if path in there and edits[path] > there[path]
    ]
    released = {path: None for path in STATED if path.endswith("usable_bytes")}
    larger = plan(scenario_from_dict(nest({**flatten(done.scenario), **released, **edits})), catalogue)
    then, now = larger.cost, done.cost
    return (
        Expansion(
            tuple(additions),
            tuple(finding.code for finding in passed),
            _limits(larger),
            _more(then.capital_low_usd, now.capital_low_usd),
            _more(then.capital_high_usd, now.capital_high_usd),
        ),
        {**released, **edits},
    )


def _level_drives(built: TierPlan, wanted: TierPlan, unit_count: int) -> int:
    """The same number of drives in every node, never fewer than there are; whole groups where nodes make groups."""
    least, asked = int(built.drive_count.number), int(wanted.drive_count.number)
    if wanted.group_width_count is not None:
        # What the other number of nodes rounds up to groups is not needed here.
        holding = max(built.working_count, wanted.terms[wanted.binding], key=lambda count: count.number)
        nodes = given(
            float(unit_count), "count", "Storage nodes", source="the larger of both", grade="inferred"
        )
        asked = int(level_drives(wanted, holding, nodes).number)
    return -(-max(least, asked) // unit_count) * unit_count


def _size(done: Plan, path: str, role: str) -> int | None:
    tier = done.tier(role)
    if tier is None or (path.endswith("drive_count") and tier.drive is None):
        return None
    return int(tier.drive_count.number if path.endswith("drive_count") else tier.unit_count.number)


def _label(done: Plan, path: str, role: str) -> str:
    tier = done.tier(role)
    assert tier is not None
    return f"{tier.name}, {'drives' if path.endswith('drive_count') else 'nodes or units'}"


def _more(after: Quantity, before: Quantity) -> Quantity:
    """What a step adds to a cost of the design."""
    return derive(
        cost.added_usd,
        label=f"{after.label}, more than before the step",
        after_usd=after,
        before_usd=before,
    )
