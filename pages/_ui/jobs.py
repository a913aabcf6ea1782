"""Long work beside the page: it runs in a thread of its own, says how far it is, and can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from planner.core.errors import PlannerError

Work = Callable[[Callable[[int, int], bool]], Any]
"""Long work: it is given what to tell its progress to, which answers whether to go on."""


@dataclass(slots=True)
class LongJob:
    """One piece of long work.

    Attributes:
        done: How much of it is done.
        total: How much there is; 0 until it has said.
        result: What came out; None while it runs, and if it failed.
        error: The line that says why it failed; empty if it did not.
    """

    done: int = 0
    total: int = 0
    result: Any = None
    error: str = ""
    stopping: bool = False
    _thread: threading.Thread | None = field(default=None, repr=False)

    @property
    def running(self) -> bool:
        """Whether the work goes on."""
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> None:
        """Ask the work to end with what it has."""
        self.stopping = True


def start(work: Work) -> LongJob:
    """Begin work in the background."""
    job = LongJob()

    def progress(done: int, total: int) -> bool:
        job.done, job.total = done, total
        return not job.stopping

    def run() -> None:
        try:
            job.result = work(progress)
        except PlannerError as error:
            job.error = error.message

    thread = threading.Thread(target=run, daemon=True)
    job._thread = thread
    thread.start()
    return job
