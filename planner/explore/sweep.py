"""Sweeps: one table of all designs that some axes span around a scenario, or of designs that are listed."""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.catalogue import Catalogue, chosen_catalogue, load_catalogue
from planner.core.errors import PlannerError, shorten
from planner.core.tracing import TraceError
from planner.explore.axes import Axis, Part, Rows, listed, must_tell, side_by_side, space_of
from planner.explore.designs import Designs, Table, same_figures
from planner.explore.results import TEXT_COLUMNS
from planner.explore.workers import finished, workers
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_json, scenario_to_json

if TYPE_CHECKING:
    import pandas as pd

BLOCK_ROWS = 65_536
"""Designs that are computed at once."""
PROMPT_ROWS = 256
"""Designs of the first block where somebody watches, so that the work shows itself, and can be stopped, at once."""
KEPT = 64
"""Scenarios with open numbers that a thread keeps, so that its next block begins where the last one ended."""
STRICT = False
"""Whether figures of a block that are not those of its plans are an error; else they are planned one by one."""

Progress = Callable[[int, int], bool | None]


@dataclass(frozen=True, slots=True)
class Block:
    """Some designs of a sweep, as they are sent to whoever computes them.

    Attributes:
        scenario_json: The scenario.
        catalogue: The catalogue; None for the shipped one, which every process reads by itself.
        part: Designs that differ in numbers alone.
        start: First of them.
        stop: First after them.
    """

    scenario_json: str
    catalogue: Catalogue | None
    part: Part | Rows
    start: int
    stop: int


def sweep(
    scenario: Scenario,
    axes: Mapping[str, Sequence[Any]],
    *,
    catalogue: Catalogue | None = None,
    progress: Progress | None = None,
    block_rows: int = BLOCK_ROWS,
    executor: Executor | None = None,
) -> pd.DataFrame:
    """Every combination of some inputs' values as a design of its own, planned.

    Each row is what `plan` says of that design.

    Args:
        scenario: The design around which the inputs vary.
        axes: Values by the path of the input: numbers, words, ids of the catalogue; None is AUTO.
        catalogue: The rows to choose from; the shipped ones if not given.
        progress: Told after each block how many designs are done, and of how many; the sweep ends with what it
            has when it returns False.
        block_rows: Designs that are computed at once, which bounds the memory.
        executor: Where blocks are computed. If not given: on the Dask cluster that `PLANNER_SCHEDULER` names; else
            here, or in processes of its own if there are many.

    Returns:
        A row for each design, the last axis changing fastest: a column for each axis, the figures and choices of
        `planner.explore.results`, `feasible`, the codes of `blockers` and `warnings`, and the `reason` where a
        design cannot be computed, which has no figures.

    Raises:
        PlannerError: An axis names no input, is empty, holds a value that is not allowed, or the axes span more
            designs than one sweep computes, or blocks would be empty, or the cluster is not to be used: nothing
            has been computed then. Or the cluster goes away during the work.
    """
    rows = chosen_catalogue(catalogue)
    must_tell(progress)
    space = space_of(scenario, axes, rows)
    blocks = _blocks(scenario, rows, space.parts(), block_rows, prompt=progress is not None)
    table, done = _table(blocks, space.count, progress, executor)
    return _frame({axis.path: space.column(place) for place, axis in enumerate(space.axes)}, table, done)


def sweep_rows(
    scenario: Scenario,
    columns: Mapping[str, Sequence[Any]],
    *,
    catalogue: Catalogue | None = None,
    progress: Progress | None = None,
    block_rows: int = BLOCK_ROWS,
    executor: Executor | None = None,
) -> pd.DataFrame:
    """Designs that are listed one by one, planned: what samples and searches ask for.

    Args:
        scenario: The design around which the inputs vary.
        columns: For each path the value of every design; all of one length.
        catalogue: As `sweep`, like all that follows.
        progress: As `sweep`.
        block_rows: As `sweep`.
        executor: As `sweep`.

    Returns:
        A row for each design in the order of the columns; otherwise as `sweep`.

    Raises:
        PlannerError: As `sweep`, or the columns are not of one length.
    """
    rows = chosen_catalogue(catalogue)
    must_tell(progress)
    axes: tuple[Axis, ...] = side_by_side(scenario, columns, rows)
    count = len(axes[0].values)
    blocks = _blocks(scenario, rows, listed(axes), block_rows, prompt=progress is not None)
    table, done = _table(blocks, count, progress, executor)
    return _frame({axis.path: axis.numbers() for axis in axes}, table, done)


def _blocks(
    scenario: Scenario, catalogue: Catalogue, parts: Iterable[Part | Rows], rows: int, *, prompt: bool
) -> list[Block]:
    """The designs in pieces that can be sent away; the first are short where somebody watches the work.

    Raises:
        PlannerError: The pieces would be empty.
    """
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise PlannerError(
            f"block_rows: {shorten(rows)} is not allowed; use a whole number of 1 or more; the nearest is 1",
            field="block_rows",
        )
    sent = None if catalogue is load_catalogue() else catalogue
    text = scenario_to_json(scenario)
    found: list[Block] = []
    for part in parts:
        first = PROMPT_ROWS if prompt and not found else rows
        found += [
            Block(text, sent, piece, start, stop) for piece, start, stop in part.blocks(rows, first=first)
        ]
    return found


def _table(
    blocks: Sequence[Block], count: int, progress: Progress | None, executor: Executor | None
) -> tuple[Table, NDArray[np.bool_]]:
    """The table of all blocks, and which of its rows were reached."""
    table = Table.empty(count)
    done = np.zeros(count, dtype=bool)
    with workers(executor, row_count=count, block_count=len(blocks)) as chosen:
        for block, part_table in finished(blocks, compute, chosen):
            places = block.part.rows(block.start, block.stop)[0]
            table.take(places, part_table)
            done[places] = True
            if progress is not None and progress(int(done.sum()), count) is False:
                break
    return table, done


def compute(block: Block) -> Table:
    """The designs of a block; three of them are planned by themselves as well, and must be the same.

    Raises:
        TraceError: They are not, or a plan cannot be followed, where `STRICT` asks for it.
    """
    designs = _designs(block)
    numbers = block.part.rows(block.start, block.stop)[1]
    count = block.stop - block.start
    try:
        table = designs.table(numbers, count)
    except (TraceError, TypeError) as error:
        if STRICT:
            raise TraceError(f"a plan with {designs.paths} cannot be followed: {error}") from error
        return designs.one_by_one(numbers, count)
    for row in sorted({0, count // 2, count - 1}):
        changes = designs.changes(numbers, row)
        alone = Table.empty(1)
        designs.plan_one(alone, 0, changes)
        if same_figures(table, row, alone):
            # Of what is equal to the last bit but one, either may be named first: the plan's own word counts.
            table.put(row, {}, {name: alone.text(name, 0) for name in TEXT_COLUMNS})
            continue
        if STRICT:
            raise TraceError(f"the design with {changes} is not what its plan says")
        return designs.one_by_one(numbers, count)
    return table


_kept = threading.local()


def _designs(block: Block) -> Designs:
    """The scenario with open numbers that a block belongs to, as this thread left it after its last block."""
    catalogue = block.catalogue or load_catalogue()
    known: OrderedDict[Any, Designs] = _kept.__dict__.setdefault("designs", OrderedDict())
    fixed = block.part.fixed
    key = (block.scenario_json, catalogue.hash, tuple(fixed.items()), block.part.paths)
    found = known.pop(key, None)
    if found is None:
        found = Designs(_scenario(block.scenario_json), catalogue, fixed, block.part.paths)
    known[key] = found
    if len(known) > KEPT:
        known.popitem(last=False)
    return found


@functools.lru_cache(maxsize=4)
def _scenario(text: str) -> Scenario:
    return scenario_from_json(text)


def _frame(inputs: dict[str, Any], table: Table, done: NDArray[np.bool_]) -> pd.DataFrame:
    """The table as pandas has it; designs that were not reached are left out."""
    # Only a sweep needs pandas, which takes a third as long to load as all the rest.
    import pandas as pd  # noqa: PLC0415

    rows = slice(None) if done.all() else done
    columns = {path: values[rows] for path, values in inputs.items()}
    columns |= {name: numbers[rows] for name, numbers in table.figures.items()}
    remarked = table.texts["blockers"][rows] + table.texts["reason"][rows]
    columns["feasible"] = remarked == 0
    for name in TEXT_COLUMNS:
        codes, words = _in_order(table.texts[name][rows], table.words[name])
        columns[name] = pd.Categorical.from_codes(codes, pd.Index(words))
    return pd.DataFrame(columns, copy=False)


def _in_order(codes: NDArray[np.int32], words: list[str]) -> tuple[NDArray[np.int32], list[str]]:
    """The words that are used, in alphabetical order, whichever block brought them first."""
    used = np.flatnonzero(np.bincount(codes, minlength=len(words))).tolist()
    order = sorted(used, key=lambda place: words[place])
    places = np.zeros(len(words), dtype=np.int32)
    places[order] = np.arange(len(order))
    return places[codes], [words[place] for place in order]
