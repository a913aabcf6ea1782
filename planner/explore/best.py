"""The best design: the Pareto front of a space of candidates, each of its designs confirmed by a whole plan.

Every candidate's figures are computed by the plan's own code. Findings are asked for only where they can still
matter: a design that a confirmed one beats in every objective cannot be on the front, whatever a review says of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.catalogue import Catalogue, chosen_catalogue, load_catalogue
from planner.core.errors import PlannerError, must_be, nearest, shorten
from planner.core.quantity import Quantity
from planner.explore.axes import must_tell
from planner.explore.candidates import space_for
from planner.explore.designs import Table
from planner.explore.limits import WARNINGS
from planner.explore.lineup import lineups, tables_of
from planner.explore.ranking import (
    MEASURES,
    Bound,
    Group,
    Measure,
    bounds_of,
    groups,
    objectives_of,
    table_of,
)
from planner.explore.space import Candidate, Space
from planner.explore.walk import Floor, floor_of, walked
from planner.explore.workers import finished, workers
from planner.findings import codes
from planner.plan import Plan, plan
from planner.scenario import Scenario
from planner.scenario_json import must_be_scenario

MOST_EXACT = 100_000
"""Designs of a space up to which every one is computed: the front is exact."""
MANY_DESIGNS = 2_000
"""Designs from which a search starts processes of its own, where that is safe."""
BATCH_DESIGNS = 64
"""Designs between two reports of progress: a tenth of a second."""
DIGITS = 10
"""Significant digits in which objectives are compared: beyond them two designs are equal."""
AVOIDED = (*WARNINGS, "PRT-3")
"""Warnings that a design of the front may not have: limits that are missed, and checkpoints that one node takes away."""
FAILED = "cannot be computed: a figure is missing, or the values do not go together"
"""Why a design without any figures is set aside."""
DEFAULT_OBJECTIVES = ("cost", "power", "stall", "rack-units")

Progress = Callable[[int, int], bool | None]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a search.

    Attributes:
        objectives: Names of figures, less being better; the first decides which design of the front is the optimum.
        limits: Limits as they are typed: "power<=20 kW".
        as_today: No more GPU time may be lost than today, so that storage is not made cheap by saving less often.
        choices: What may be chosen, as `space_for` takes it; dimensions that are not named have default candidates.
        wide: Of drives that are not named, also those that another one of their size is as good as in every figure.
        avoid: Codes of warnings that no design of the front may have; blockers are never allowed.
    """

    objectives: tuple[str, ...] = DEFAULT_OBJECTIVES
    limits: tuple[str, ...] = ()
    as_today: bool = True
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    avoid: tuple[str, ...] = AVOIDED
    wide: bool = False

    def check(self) -> None:
        """Refuse what is no list of texts, objectives and limits that are none, and a code that no rule gives.

        Raises:
            PlannerError: One of them cannot be asked for.
        """
        for name in ("objectives", "limits", "avoid"):
            texts = getattr(self, name)
            listed = isinstance(texts, Collection) and not isinstance(texts, str)
            if not listed or not all(isinstance(text, str) for text in texts):
                raise PlannerError(f"{name}: “{shorten(texts)}” is no list of texts", field=name)
        objectives_of(self.objectives)
        bounds_of(self.limits)
        for code in self.avoid:
            if code not in codes():
                hint = nearest(code.upper(), codes()) or f"; usual ones are {', '.join(AVOIDED)}"
                raise PlannerError(f"avoid: no finding “{shorten(code)}”{hint}", field="avoid")


@dataclass(frozen=True, slots=True)
class Entry:
    """One design of the front, confirmed by its plan.

    Attributes:
        candidate: What was chosen; None for the design that the search began with.
        scenario: The design.
        objectives: The figures that it is ranked by, in the order of the request.
        drives: Drives of its hot tier.
        nodes: Storage nodes or units of its hot tier.
        codes: Codes of its blockers and warnings, each once.
        not_priced_count: Lines that its cost leaves out.
        faults: What keeps it out: codes of blockers and of avoided warnings, and limits that it breaks.
    """

    candidate: Candidate | None
    scenario: Scenario
    objectives: dict[str, Quantity]
    drives: Quantity
    nodes: Quantity
    codes: tuple[str, ...]
    not_priced_count: int
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """What a search found.

    Attributes:
        front: Designs that no other one beats in every objective, the optimum first.
        today: The design that the search began with.
        exact: Whether every design of the space was computed.
        computed: How many were.
        rejected: How many designs were set aside for each reason.
        floor: What no design of the space can be below in the leading objective; None where it cannot be proved.
    """

    request: Request
    measures: tuple[Measure, ...]
    bounds: tuple[Bound, ...]
    space: Space
    today: Entry
    front: tuple[Entry, ...]
    exact: bool
    stopped: bool
    computed: int
    rejected: dict[str, int]
    floor: Floor | None

    @property
    def optimum(self) -> Entry | None:
        """The design with the least of the leading objective; None if no design keeps all limits."""
        return self.front[0] if self.front else None

    @property
    def gap_fraction(self) -> float | None:
        """How far above the best possible the optimum may be, at most: 0 if exact, None if there is no bound."""
        if self.exact:
            return 0.0
        if self.floor is None or self.optimum is None or self.floor.value <= 0:
            return None
        return self.optimum.objectives[self.measures[0].name].number / self.floor.value - 1


def best(
    scenario: Scenario,
    request: Request | None = None,
    *,
    catalogue: Catalogue | None = None,
    progress: Progress | None = None,
    most_exact: int = MOST_EXACT,
    executor: Executor | None = None,
) -> Best:
    """The designs of a space that no other one beats in every objective.

    The same request finds the same designs: nothing is drawn by chance, and of designs with equal objectives the
    first in the order of the catalogue stands for all.

    Args:
        scenario: The design to begin with. Stated sizes of its hot tier are given up: every candidate is sized.
        request: Objectives, limits and choices.
        catalogue: The rows to choose from; the shipped ones if not given.
        progress: Told how many designs are computed, and of how many; the search ends with what it has when it
            returns False.
        most_exact: Designs up to which all are computed. A larger space is walked from several designs, one choice
            at a time: what is found there is the best in reach, with what no design can be below where that
            can be proved.
        executor: Where an exact search is computed. If not given: on the Dask cluster that `PLANNER_SCHEDULER` names;
            else here, or in processes of its own where they pay and can be started safely.

    Raises:
        PlannerError: The request cannot be met as it stands, or the design itself cannot be planned; nothing has been
            searched then.
    """
    asked = Request() if request is None else request
    rows = chosen_catalogue(catalogue)
    must_tell(progress)
    must_be_scenario(scenario)
    must_be(asked, Request, field="request", form="a Request")
    asked.check()
    measures, stated = objectives_of(asked.objectives), bounds_of(asked.limits)
    done = plan(scenario, rows)
    bounds = stated + (_as_today(done) if asked.as_today else ())
    over_nodes = "PRT-3" in asked.avoid
    space = space_for(scenario, done, asked.choices, rows, over_nodes=over_nodes, wide=asked.wide)
    search = _Search(asked, measures, bounds, space, rows, progress)
    today = entry_of(None, scenario, done, asked, measures, bounds)
    exact = space.count <= most_exact
    if exact:
        search.all_of_it(executor)
    else:
        walked(search)
    front = search.front()
    return Best(
        asked,
        measures,
        bounds,
        space,
        today,
        tuple(front),
        exact and not search.stopped,
        search.stopped,
        search.computed,
        dict(search.rejected),
        None if exact or search.stopped else floor_of(space, measures[0], rows),
    )


def _as_today(done: Plan) -> tuple[Bound, ...]:
    """No more GPU time lost than by a design; no limit where GPU time costs nothing."""
    lost = done.together.lost_usd_per_year.number
    return (Bound(MEASURES["lost"], lost),) if lost > 0 else ()


class _Search:
    """One search at work: figures of the designs that were computed, and those that plans have confirmed."""

    def __init__(
        self,
        request: Request,
        measures: tuple[Measure, ...],
        bounds: tuple[Bound, ...],
        space: Space,
        catalogue: Catalogue,
        progress: Progress | None,
    ) -> None:
        self.request = request
        self.measures = measures
        self.bounds = bounds
        self.space = space
        self.catalogue = catalogue
        self.progress = progress
        self.computed = 0
        self.stopped = False
        self.rejected: Counter[str] = Counter()
        self._places: list[NDArray[np.int64]] = []
        self._scores: list[NDArray[np.float64]] = []
        self._entries: dict[int, Entry | str] = {}

    def all_of_it(self, executor: Executor | None) -> None:
        """Compute every design of the space, in batches that can be sent away."""
        sent = None if self.catalogue is load_catalogue() else self.catalogue
        found = lineups(groups(self.space), self.space.base, self.catalogue)
        batches = [Batch(self.space, sent, part) for part in _packed(found)]
        with workers(
            executor, row_count=self.space.count, block_count=len(batches), many_rows=MANY_DESIGNS
        ) as chosen:
            for batch, tables in finished(batches, tables_of_batch, chosen):
                for group, table in zip(chain(*batch.lineups), tables, strict=True):
                    self.keep(group, table)
                if self.stopped:
                    return

    def take(self, group: Group) -> NDArray[np.float64]:
        """Compute a group of designs, and return the scores of all of them."""
        return self.keep(group, table_of(self.space, group, self.catalogue))

    def keep(self, group: Group, table: Table) -> NDArray[np.float64]:
        """Keep those designs of a group that can be ranked, and return the scores of all of them."""
        columns = [table.figures[measure.column] for measure in self.measures]
        scores = _rounded(np.column_stack(columns))
        failed = table.texts["reason"] != 0
        unknown = ~failed & np.isnan(scores).any(axis=1)
        left = ~failed & ~unknown
        self.rejected[FAILED] += int(failed.sum())
        self.rejected["no price, watts or height for the platform or drive"] += int(unknown.sum())
        for bound in self.bounds:
            broken = left & bound.broken(table.figures[bound.measure.column])
            self.rejected[f"over the limit: {bound}"] += int(broken.sum())
            left &= ~broken
        scores[~left] = np.nan
        self._places.append(group.first + np.flatnonzero(left))
        self._scores.append(scores[left])
        self.computed += group.count
        if self.progress is not None and self.progress(self.computed, self.space.count) is False:
            self.stopped = True
        return scores

    def front(self) -> list[Entry]:
        """The front of what was computed.

        In the order of their objectives a design comes after all that could beat it: the first that is not beaten
        by a confirmed one, and that its plan confirms, is on the front for good.
        """
        if not self._places:
            return []
        places, scores = np.concatenate(self._places), np.concatenate(self._scores)
        order = np.lexsort((places, *scores.T[::-1]))
        places, scores = places[order], scores[order]
        waiting = np.arange(len(places))
        found: list[Entry] = []
        while len(waiting):
            at, waiting = waiting[0], waiting[1:]
            entry = self.confirmed(int(places[at]))
            if isinstance(entry, str):
                self.rejected[entry] += 1
                continue
            found.append(entry)
            beaten = (scores[waiting] >= scores[at]).all(axis=1)
            self.rejected["another design is at least as good in every objective"] += int(beaten.sum())
            waiting = waiting[~beaten]
            if self.progress is not None and self.progress(self.computed, self.space.count) is False:
                self.stopped = True
                break
        return found

    def confirmed(self, place: int) -> Entry | str:
        """The entry of a design if its plan has nothing against it, else what it has."""
        if place not in self._entries:
            candidate = candidate_at(self.space, place)
            try:
                scenario = self.space.scenario(candidate)
                done = plan(scenario, self.catalogue)
                entry = entry_of(candidate, scenario, done, self.request, self.measures, self.bounds)
                self._entries[place] = ("review: " + " ".join(entry.faults)) if entry.faults else entry
            except PlannerError as error:
                self._entries[place] = f"cannot be planned: {error.message}"
        return self._entries[place]


@dataclass(frozen=True, slots=True)
class Batch:
    """Groups of a space, as they are sent to whoever computes them; no catalogue stands for the shipped one."""

    space: Space
    catalogue: Catalogue | None
    lineups: tuple[tuple[Group, ...], ...]


def tables_of_batch(batch: Batch) -> list[Table]:
    """The measures of every group of a batch."""
    rows = batch.catalogue or load_catalogue()
    return [table for groups in batch.lineups for table in tables_of(batch.space, groups, rows)]


def _packed(found: Iterable[tuple[Group, ...]]) -> Iterator[tuple[tuple[Group, ...], ...]]:
    """Groups in batches of so many designs; those that are computed together stay together."""
    batch: list[tuple[Group, ...]] = []
    for groups_of_one in found:
        batch.append(groups_of_one)
        if sum(group.count for each in batch for group in each) >= BATCH_DESIGNS:
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)


def entry_of(
    candidate: Candidate | None,
    scenario: Scenario,
    done: Plan,
    request: Request,
    measures: tuple[Measure, ...],
    bounds: tuple[Bound, ...],
) -> Entry:
    """A design with its plan: what it is ranked by, and what is against it."""
    faults = [f.code for f in done.findings if f.severity == "blocker"]
    faults += [f.code for f in done.findings if f.severity == "warning" and f.code in request.avoid]
    broken = [str(bound) for bound in bounds if bool(bound.broken(bound.measure.figure(done).number))]
    return Entry(
        candidate,
        scenario,
        {measure.name: measure.figure(done) for measure in measures},
        done.hot.drive_count,
        done.hot.unit_count,
        tuple(dict.fromkeys(f.code for f in done.findings if f.severity != "note")),
        done.cost.not_priced_count,
        (*dict.fromkeys(faults), *broken),
    )


def candidate_at(space: Space, place: int) -> Candidate:
    """The design at a place of a space."""
    for part in space.parts:
        if place < part.count:
            steps = np.unravel_index(place, part.shape)
            return Candidate(
                tuple((d, d.options[int(step)]) for d, step in zip(part.dimensions, steps, strict=True))
            )
        place -= part.count
    raise IndexError(place)


def _rounded(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers to so many significant digits, so that equal designs compare as equal."""
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.where(scores == 0, 0.0, np.floor(np.log10(np.abs(scores))))
        scale = 10.0 ** (DIGITS - 1 - power)
    rounded: NDArray[np.float64] = np.round(scores * scale) / scale
    return rounded
