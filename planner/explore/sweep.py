"""Sweeps: one table of all designs that some axes span around a scenario."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from planner.catalogue import Catalogue, load_catalogue
from planner.core.tracing import TraceError
from planner.explore.axes import Part, Space, space_of
from planner.explore.designs import SAME, Designs, Table
from planner.explore.results import FIGURE_COLUMNS, TEXT_COLUMNS
from planner.inputs import scenario_from_json, scenario_to_json
from planner.scenario import Scenario

BLOCK_ROWS = 32_768
"""Designs that are computed at once."""
MANY_ROWS = 400_000
"""From here a sweep starts processes of its own, if nobody gives it any."""
KEPT = 64
"""Scenarios with open numbers that a thread keeps, so that its next block begins where the last one ended."""
STRICT = False
"""Whether a block that does not agree with its plans is an error; else it is planned design by design."""

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
    part: Part
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
        executor: Where blocks are computed. If not given: here, or in processes of its own if there are many.

    Returns:
        A row for each design, the last axis changing fastest: a column for each axis, the figures and choices of
        `planner.explore.results`, `feasible`, the codes of `blockers` and `warnings`, and the `reason` where a
        design cannot be computed, which has no figures.

    Raises:
        PlannerError: An axis names no input, is empty, holds a value that is not allowed, or the axes span more
            designs than one sweep computes. Nothing has been computed then.
    """
    rows = catalogue or load_catalogue()
    space = space_of(scenario, axes, rows)
    shipped = rows is load_catalogue()
    text = scenario_to_json(scenario)
    blocks = [
        Block(text, None if shipped else rows, part, start, min(start + block_rows, part.count))
        for part in space.parts()
        for start in range(0, part.count, block_rows)
    ]
    table = Table.empty(space.count)
    done = np.zeros(space.count, dtype=bool)
    with _workers(executor, space.count) as pool:
        for places, part_table in _computed(blocks, pool):
            table.take(places, part_table)
            done[places] = True
            if progress is not None and progress(int(done.sum()), space.count) is False:
                break
    return _frame(space, table, done)


@contextlib.contextmanager
def _workers(executor: Executor | None, count: int) -> Iterator[Executor | None]:
    """The given executor; else processes where they pay and can be started safely; None to compute here."""
    # A process is copied from this one, which is safe only while no other thread runs in it.
    alone = threading.active_count() == 1 and "fork" in get_all_start_methods()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if executor is not None or count < MANY_ROWS or not alone or cores < 2:
        yield executor
        return
    with ProcessPoolExecutor(cores, mp_context=get_context("fork")) as pool:
        yield pool


def _computed(
    blocks: Sequence[Block], pool: Executor | None
) -> Iterator[tuple[NDArray[np.intp], Table]]:
    """Blocks as they are finished, with the places of their designs in the table."""
    if pool is None:
        for block in blocks:
            yield block.part.rows(block.start, block.stop)[0], compute(block)
        return
    waiting = iter(blocks)
    running: dict[Future[Table], Block] = {}
    try:
        while True:
            # No more than a few blocks on their way, so that their results never pile up.
            while len(running) < 2 * (os.cpu_count() or 1) and (block := next(waiting, None)) is not None:
                running[pool.submit(compute, block)] = block
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                block = running.pop(future)
                yield block.part.rows(block.start, block.stop)[0], future.result()
    finally:
        for future in running:
            future.cancel()


def compute(block: Block) -> Table:
    """The designs of a block.

    Raises:
        TraceError: They do not agree with their plans, where `STRICT` asks for it.
    """
    designs = _designs(block)
    numbers = block.part.rows(block.start, block.stop)[1]
    count = block.stop - block.start
    table = designs.table(numbers, count)
    for row in sorted({0, count // 2, count - 1}):
        alone = Table.empty(1)
        designs.plan_one(alone, 0, designs.changes(numbers, row))
        if _agree(table, row, alone):
            continue
        if STRICT:
            raise TraceError(f"design {row} of a block is not what its plan says: {designs.changes(numbers, row)}")
        for each in range(count):
            designs.plan_one(table, each, designs.changes(numbers, each))
        break
    return table


def _agree(table: Table, row: int, alone: Table) -> bool:
    """Whether a design of a block is the same as planned by itself."""
    figures = all(
        np.isclose(table.figures[name][row], alone.figures[name][0], rtol=SAME, atol=0, equal_nan=True)
        for name in FIGURE_COLUMNS
    )
    return figures and all(table.text(name, row) == alone.text(name, 0) for name in TEXT_COLUMNS)


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


def _frame(space: Space, table: Table, done: NDArray[np.bool_]) -> pd.DataFrame:
    """The table as pandas has it; designs that were not reached are left out."""
    columns: dict[str, Any] = {axis.path: space.column(place) for place, axis in enumerate(space.axes)}
    columns |= table.figures
    blocked = table.texts["blockers"] != 0
    columns["feasible"] = ~blocked & (table.texts["reason"] == 0)
    for name in TEXT_COLUMNS:
        columns[name] = pd.Categorical.from_codes(table.texts[name], categories=table.words[name])
    frame = pd.DataFrame(columns, copy=False)
    return frame if done.all() else frame[done].reset_index(drop=True)
