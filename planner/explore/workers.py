"""Where the blocks of a sweep are computed: here, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from planner.catalogue import load_catalogue
from planner.core.errors import PlannerError, must_be

if TYPE_CHECKING:
    from distributed import Client

Work = TypeVar("Work")
Done = TypeVar("Done")

SCHEDULER = "PLANNER_SCHEDULER"
"""Environment variable with the address of a Dask scheduler, such as tcp://10.0.0.5:8786."""
ANSWER_S = 10.0
"""Time that a scheduler has to answer, and to have a worker."""
MANY_ROWS = 400_000
"""From here a sweep starts processes of its own, if nobody gives it any and no scheduler is named."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Who computes blocks.

    Attributes:
        executor: Takes them; None to compute them here.
        count: Blocks that are computed at the same time.
        lost: What is said if they go away during the work.
    """

    executor: Executor | None
    count: int
    lost: str = "the processes that computed have ended"


@contextlib.contextmanager
def workers(
    executor: Executor | None, *, row_count: int, block_count: int, many_rows: int | None = None
) -> Iterator[Workers]:
    """Who computes the blocks of a sweep or a search.

    The given executor; the cluster that `PLANNER_SCHEDULER` names, if there is more than one block; processes of this
    machine where they pay and can be started safely; else nobody.

    Args:
        executor: What the caller wants; None leaves the choice.
        row_count: Designs of all blocks.
        block_count: Pieces that they come in. A single one is computed here: sending it away only takes longer.
        many_rows: Designs from which processes of this machine pay; `MANY_ROWS` if not given.

    Raises:
        PlannerError: What is given is no executor; or the named scheduler does not answer, has no workers, or they
            have another version of the planner.
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
        must_be(executor, Executor, field="executor", form="an executor of concurrent.futures")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    address = os.environ.get(SCHEDULER, "").strip()
    if executor is not None:
        yield Workers(executor, cores)
    elif address and block_count > 1:
        with _cluster(address) as found:
            yield found
    elif row_count >= (many_rows or MANY_ROWS) and cores > 1 and _can_fork():
        with ProcessPoolExecutor(cores, mp_context=get_context("fork")) as pool:
            yield Workers(pool, cores)
    else:
        yield Workers(None, 1)


def finished(
    blocks: Sequence[Work], compute: Callable[[Work], Done], chosen: Workers
) -> Iterator[tuple[Work, Done]]:
    """Blocks with what was computed of each, in the order in which they are finished.

    Raises:
        PlannerError: Whoever computed them has gone away.
    """
    pool = chosen.executor
    if pool is None:
        for block in blocks:
            yield block, compute(block)
        return
    waiting = iter(blocks)
    running: dict[Future[Done], Work] = {}
    try:
        while True:
            # No more than a few blocks on their way, so that their results never pile up.
            room = 2 * chosen.count - len(running)
            running |= {pool.submit(compute, block): block for block in itertools.islice(waiting, room)}
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    except (CancelledError, BrokenExecutor) as error:
        raise PlannerError(f"{chosen.lost}; the work can be started again") from error
    finally:
        for future in running:
            future.cancel()


def _can_fork() -> bool:
    """A process is copied from this one, which is safe only while no other thread runs in it."""
    return threading.active_count() == 1 and "fork" in get_all_start_methods()


@contextlib.contextmanager
def _cluster(address: str) -> Iterator[Workers]:
    """The workers of a Dask cluster, all of which compute as this process does."""
    with contextlib.closing(_client(address)) as client:
        try:
            client.wait_for_workers(1, timeout=ANSWER_S)
        except TimeoutError as error:
            raise PlannerError(
                f"{SCHEDULER}: the scheduler at {address} has no workers; start one with: dask worker {address}"
            ) from error
        _check_engines(client)
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]
        pool = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
        yield Workers(pool, threads, f"{SCHEDULER}: the scheduler at {address} has gone away")


def _client(address: str) -> Client:
    try:
        from distributed import Client  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise PlannerError(
            f"{SCHEDULER} names {address}, for which Dask is needed: python -m pip install -r requirements-cluster.txt"
        ) from error

    class OwnClient(Client):
        """A client that closes itself where it cannot be made.

        One that is half made would be closed when it is collected, whenever that is: within the start of another,
        which holds a lock that closing waits for, it would be for ever.
        """

        def __init__(self) -> None:
            try:
                super().__init__(address, timeout=ANSWER_S, set_as_default=False)  # type: ignore[no-untyped-call]
            except BaseException:
                with contextlib.suppress(Exception):
                    self.close()  # type: ignore[no-untyped-call]
                raise

    try:
        return OwnClient()
    except (OSError, ValueError, MemoryError) as error:  # MemoryError: what answers is no scheduler
        raise PlannerError(
            f"{SCHEDULER}: no Dask scheduler answers at “{address}”; give its address as tcp://HOST:8786, or leave "
            "the variable empty to compute on this machine"
        ) from error


def _check_engines(client: Client) -> None:
    """Every worker has this process's formulas and catalogue; a mixed table would be worth nothing."""
    try:
        engines = client.run(engine)
    except Exception as error:  # whatever a worker's import raises comes back as it is
        raise PlannerError(
            f"{SCHEDULER}: a worker cannot load the planner ({type(error).__name__}: {error}); start the workers with "
            "the planner's directory as PYTHONPATH and its requirements installed"
        ) from error
    others = sorted(worker for worker, found in engines.items() if found != engine())
    if others:
        raise PlannerError(
            f"{SCHEDULER}: {len(others)} of {len(engines)} workers have another version of the planner than this "
            f"process ({', '.join(others[:3])}); give them the same and start them again"
        )


@functools.cache
def engine() -> str:
    """Digest of the planner's own source files and of its shipped catalogue: equal where all results are."""
    digest = hashlib.sha256(load_catalogue().hash.encode())
    root = Path(__file__).resolve().parent.parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
