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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
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


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """A scheduler without workers, named by the environment."""
    port = _free_port()
    scheduler = _process("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), path=ROOT)
    cluster = Cluster(f"tcp://127.0.0.1:{port}", scheduler, [])
    monkeypatch.setenv(workers.SCHEDULER, cluster.address)
    try:
        yield cluster
    finally:
        cluster.end()


@pytest.fixture
def cluster(bare: Cluster) -> Cluster:
    """The same with two workers."""
    bare.add()
    bare.add()
    bare.ready(2)
    return bare


def here(monkeypatch: pytest.MonkeyPatch) -> object:
    """The table as it is without a cluster."""
    with monkeypatch.context() as patch:
        patch.delenv(workers.SCHEDULER)
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


def test_two_workers_give_the_same_table(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = here(monkeypatch)
    told: list[int] = []
    table = sweep(Scenario(), AXES, block_rows=BLOCK_ROWS, progress=lambda done, _: told.append(done))
    assert_frame_equal(table, expected)
    assert told == sorted(told)
    assert (len(told), told[-1]) == (15, 540)  # three schemes, each with 180 designs in blocks of 40
    done = tasks_done(cluster.address)
    assert len(done) == 2
    assert all(count >= 1 for count in done.values()), done


def test_a_worker_that_dies_costs_no_design(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = here(monkeypatch)

    def kill_one(_done: int, _count: int) -> None:
        cluster.workers[0].kill()

    assert_frame_equal(sweep(Scenario(), AXES, block_rows=BLOCK_ROWS, progress=kill_one), expected)


def test_a_cluster_that_goes_away_is_one_line(cluster: Cluster) -> None:
    def kill_all(_done: int, _count: int) -> None:
        cluster.end()

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
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:  # until it listens
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", int(bare.address.rpartition(":")[2]))) == 0:
                break
        time.sleep(0.1)
    monkeypatch.setattr(workers, "ANSWER_S", 15.0)
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


def test_a_worker_without_the_planner_is_refused(bare: Cluster, tmp_path: Path) -> None:
    bare.add(tmp_path)
    bare.ready(1)
    with pytest.raises(PlannerError, match="a worker cannot load the planner"):
        sweep(Scenario(), AXES, block_rows=BLOCK_ROWS)
