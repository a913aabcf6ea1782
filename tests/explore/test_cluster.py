"""A sweep on a real Dask cluster: a scheduler and two workers, each a process of its own, as a team would run them."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from distributed import Client
from pandas.testing import assert_frame_equal

from planner import PlannerError, Scenario, sweep
from planner.explore import workers

ROOT = Path(__file__).parents[2]
AXES: dict[str, Any] = {
    "jobs.0.checkpoint.interval_s": np.linspace(300, 7200, 60),
    "storage.hot.protection_id": ["8+2", "2-way", None],
    "cluster.node_count": [8, 64, 500],
}
BLOCK_ROWS = 40


@dataclass
class Cluster:
    """Processes of a cluster: the scheduler, and its workers."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]

    def add(self, folder: Path = ROOT) -> None:
        """Start another worker, which finds the planner in a folder."""
        self.workers.append(
            _process("dask_worker", self.address, "--no-nanny", "--nthreads", "1", path=folder)
        )

    def ready(self, count: int) -> None:
        """Wait until so many workers are there."""
        with Client(self.address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=60)

    def keep(self, count: int) -> None:
        """End all but the first workers, and wait until the scheduler knows."""
        for process in self.workers[count:]:
            process.kill()
            process.wait()
        del self.workers[count:]
        given_up = time.monotonic() + 60
        with Client(self.address, timeout=30, set_as_default=False) as client:
            while len(client.scheduler_info(n_workers=-1)["workers"]) > count:
                assert time.monotonic() < given_up, "the scheduler counts a worker that was killed"
                time.sleep(0.05)

    def end(self) -> None:
        """Workers first, the scheduler last: a worker without one may wait for it for ever."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def _process(program: str, *arguments: str, path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{program}", *arguments, "--no-dashboard"],
        env={**os.environ, "PYTHONPATH": str(path)},
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _scheduler() -> Iterator[Cluster]:
    """A scheduler without workers."""
    port = _free_port()
    scheduler = _process("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), path=ROOT)
    cluster = Cluster(f"tcp://127.0.0.1:{port}", scheduler, [])
    try:
        yield cluster
    finally:
        cluster.end()


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """A scheduler without workers, named by the environment."""
    with _scheduler() as cluster:
        monkeypatch.setenv(workers.SCHEDULER, cluster.address)
        yield cluster


@pytest.fixture(scope="module")
def lasting() -> Iterator[Cluster]:
    """A scheduler with two workers, which stay: a start takes longer than most of these tests."""
    with _scheduler() as cluster:
        cluster.add()
        cluster.add()
        cluster.ready(2)
        yield cluster


@pytest.fixture
def cluster(lasting: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """The same, named by the environment; workers that a test adds end with it."""
    monkeypatch.setenv(workers.SCHEDULER, lasting.address)
    yield lasting
    lasting.keep(2)


@pytest.fixture(scope="module")
def here() -> pd.DataFrame:
    """The table as it is without a cluster."""
    return sweep(Scenario(), AXES, block_rows=BLOCK_ROWS)


def tasks_done(address: str) -> dict[str, int]:
    """Blocks that each worker has in its log."""
    with Client(address, timeout=30, set_as_default=False) as client:
        return {
            worker: sum(1 for event in log if event[0].startswith("compute-") and event[1] == "memory")
            for worker, log in client.run(_transitions).items()
        }


def _transitions(dask_worker: object) -> list[tuple[str, str]]:
    return [(str(e[0]), str(e[2])) for e in dask_worker.state.log if len(e) > 2]  # type: ignore[attr-defined]


def test_two_workers_give_the_same_table(here: pd.DataFrame, cluster: Cluster) -> None:
    told: list[int] = []
    table = sweep(Scenario(), AXES, block_rows=BLOCK_ROWS, progress=lambda done, _: told.append(done))
    assert_frame_equal(table, here)
    assert told == sorted(told)
    assert (len(told), told[-1]) == (15, 540)  # three schemes, each with 180 designs in blocks of 40
    done = tasks_done(cluster.address)
    assert len(done) == 2
    assert all(count >= 1 for count in done.values()), done


def test_a_worker_that_dies_costs_no_design(here: pd.DataFrame, cluster: Cluster) -> None:
    cluster.add()
    cluster.ready(3)

    def kill_one(_done: int, _count: int) -> None:
        cluster.workers[-1].kill()

    assert_frame_equal(sweep(Scenario(), AXES, block_rows=BLOCK_ROWS, progress=kill_one), here)


def test_a_cluster_that_goes_away_is_one_line(bare: Cluster) -> None:
    bare.add()
    bare.ready(1)

    def kill_all(_done: int, _count: int) -> None:
        bare.end()

    with pytest.raises(PlannerError, match="has gone away; the work can be started again") as refusal:
        sweep(Scenario(), AXES, block_rows=5, progress=kill_all)
    assert "\n" not in refusal.value.message


def test_one_block_is_computed_here_whoever_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(workers.SCHEDULER, "tcp://127.0.0.1:1")
    assert len(sweep(Scenario(), {"cluster.node_count": [8, 64]})) == 2


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{port}", "nonsense://host:1", "not an address"])
def test_a_scheduler_that_is_not_there_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ANSWER_S", 1.0)
    address = address.format(port=_free_port())
    monkeypatch.setenv(workers.SCHEDULER, address)
    with pytest.raises(PlannerError) as refusal:
        sweep(Scenario(), AXES, block_rows=BLOCK_ROWS)
    assert f"no Dask scheduler answers at “{address}”" in refusal.value.message


def test_a_client_that_cannot_be_made_is_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it is closed when it is collected, which within the start of another client waits for ever."""
    monkeypatch.setattr(workers, "ANSWER_S", 1.0)
    monkeypatch.setenv(workers.SCHEDULER, "nonsense://host:1")
    with pytest.raises(PlannerError) as refusal:
        sweep(Scenario(), AXES, block_rows=BLOCK_ROWS)
    kept = [found.status for found in gc.get_objects() if isinstance(found, Client)]
    assert set(kept) <= {"closed"}
    assert "no Dask scheduler answers" in refusal.value.message


def test_a_scheduler_without_workers_says_how_to_start_one(
    bare: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Client(bare.address, timeout=60, set_as_default=False):
        monkeypatch.setattr(workers, "ANSWER_S", 5.0)  # it answers; what is waited for in vain is a worker
    with pytest.raises(PlannerError, match=f"has no workers; start one with: dask worker {bare.address}"):
        sweep(Scenario(), AXES, block_rows=BLOCK_ROWS)


def test_a_worker_with_another_planner_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    for folder in ("planner", "data"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "planner" / "sizing" / "cost.py").open("a", encoding="utf-8") as changed:
        changed.write("# another formula\n")
    cluster.add(tmp_path)
    cluster.ready(3)
    with pytest.raises(PlannerError, match="1 of 3 workers have another version of the planner"):
        sweep(Scenario(), AXES, block_rows=BLOCK_ROWS)


def test_a_worker_without_the_planner_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    cluster.add(tmp_path)
    cluster.ready(3)
    with pytest.raises(PlannerError, match="a worker cannot load the planner"):
        sweep(Scenario(), AXES, block_rows=BLOCK_ROWS)
