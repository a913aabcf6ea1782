"""A million designs against plans in a loop, in one run: `python -m tests.benchmarks.sweep [DESIGNS]`."""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from planner import Scenario, load_catalogue, plan, sweep
from planner.explore.results import FIGURE_COLUMNS

LOOP = 400
TARGET = 100
GIB = 2**20
"""What `ru_maxrss` counts in is KiB."""


def plans_per_s() -> float:
    """Plans in a loop, one after the other."""
    scenario, catalogue = Scenario(), load_catalogue()
    plan(scenario, catalogue)
    begin = time.perf_counter()
    for _ in range(LOOP):
        plan(scenario, catalogue)
    return LOOP / (time.perf_counter() - begin)


def memory_s(count: int) -> float:
    """Time in which numpy touches as much memory as the table has."""
    columns = [np.zeros(count) for _ in FIGURE_COLUMNS]
    begin = time.perf_counter()
    for column in columns:
        np.add(column, 1.0, out=column)
    return time.perf_counter() - begin


def measure(name: str, axes: dict[str, object], loop: float) -> None:
    """One sweep: its rate beside the loop's."""
    begin = time.perf_counter()
    table = sweep(Scenario(), axes)  # type: ignore[arg-type]
    taken = time.perf_counter() - begin
    rate = len(table) / taken
    print(
        f"{name:44s} {len(table):9,d} designs in {taken:5.1f} s: {rate:9,.0f} a second, {rate / loop:6.0f} times "
        f"plan()   (target {TARGET}); {int(table['feasible'].sum()):,d} feasible; numpy touches its figures in "
        f"{memory_s(len(table)) * 1000:.0f} ms"
    )


def main(arguments: list[str]) -> int:
    """The loop, three sweeps, and the memory that all of it took at most."""
    count = int(arguments[0]) if arguments else 1_000_000
    side = round(count ** (1 / 3))
    loop = plans_per_s()
    print(f"{'plan() in a loop':44s} {loop:9,.0f} a second")
    intervals, sizes = np.geomspace(60, 86_400, side), np.geomspace(1e9, 2e12, side)
    measure(
        "interval x parameters x nodes",
        {
            "jobs.0.checkpoint.interval_s": intervals,
            "jobs.0.model.parameter_count": sizes,
            "cluster.node_count": np.unique(np.rint(np.geomspace(8, 20_000, side))).astype(int).tolist(),
        },
        loop,
    )
    measure(
        "interval x parameters x drive size",
        {
            "jobs.0.checkpoint.interval_s": intervals,
            "jobs.0.model.parameter_count": sizes,
            "storage.hot.drive_bytes": np.geomspace(1e12, 6e13, side),
        },
        loop,
    )
    drives, schemes = list(load_catalogue().drives)[:20], ["8+2", "2-way", "12+3", "raid-z2", None]
    width = max(int((count / len(drives) / len(schemes)) ** 0.5), 2)
    measure(
        "20 drives x 5 schemes x interval x parameters",
        {
            "storage.hot.drive_id": drives,
            "storage.hot.protection_id": schemes,
            "jobs.0.checkpoint.interval_s": np.geomspace(60, 86_400, width),
            "jobs.0.model.parameter_count": np.geomspace(1e9, 2e12, width),
        },
        loop,
    )
    own, parts = (
        resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(
        f"{'peak memory':44s} {own / GIB:9.2f} GiB, and {parts / GIB:.2f} GiB in the largest process beside   (target 2)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
