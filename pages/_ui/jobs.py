"""Long work beside the page: it runs in a thread of its own, says how far it is, can be stopped, and is kept by name."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages._ui import session
from pages._ui.markup import escaped
from planner.core.errors import PlannerError
from planner.core.units import format_number, format_value

LEAST_TOLD_S = 1.0
"""Before that, nothing is said of how long the rest will take."""
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
        stopping: Whether it was asked to end with what it has.
        begun_s: When it began, on a clock that only grows.
    """

    done: int = 0
    total: int = 0
    result: Any = None
    error: str = ""
    stopping: bool = False
    begun_s: float = field(default_factory=time.monotonic)
    _thread: threading.Thread | None = field(default=None, repr=False)

    @property
    def running(self) -> bool:
        """Whether the work goes on."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def share_fraction(self) -> float:
        """How much of it is done, as a share; 0 until it has said."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def left_s(self) -> float | None:
        """How long the rest will take at the pace so far; None before there is a pace."""
        taken = time.monotonic() - self.begun_s
        if not self.done or taken < LEAST_TOLD_S:
            return None
        return taken * (self.total - min(self.done, self.total)) / self.done

    def stop(self) -> None:
        """Ask the work to end with what it has."""
        self.stopping = True

    def wait(self, most_s: float) -> None:
        """Wait until the work has ended, but no longer than that."""
        if self._thread is not None:
            self._thread.join(most_s)


def start(work: Work, *, total: int = 0) -> LongJob:
    """Begin work in the background; of how much, if that is known before."""
    job = LongJob(total=total)

    def progress(done: int, total: int) -> bool:
        job.done, job.total = done, total
        return not job.stopping

    def run() -> None:
        try:
            job.result = work(progress)
        except PlannerError as error:
            job.error = error.message
        except Exception:
            job.error = "the work has ended by a fault of the planner itself; the server's log says which"
            raise

    thread = threading.Thread(target=run, daemon=True)
    job._thread = thread
    thread.start()
    return job


def begin(name: str, work: Work, *, total: int = 0, wait_s: float = 0.0) -> None:
    """Begin work under a name of the session; what ran there before ends with what it has.

    Args:
        name: Where the session keeps the job.
        work: What is done.
        total: How much there is, if that is known before.
        wait_s: So long the page waits for it at most: what is done by then shows no progress.
    """
    previous = session.get(name)
    if isinstance(previous, LongJob):
        previous.stop()
    job = start(work, total=total)
    session.put(name, job)
    if wait_s:
        job.wait(wait_s)


def result(name: str, noun: str, stop_key: str) -> Any:
    """What the work under a name of the session came to; where there is nothing yet, how far it is or why it failed.

    Args:
        name: Where the session keeps the job.
        noun: What is counted: "designs".
        stop_key: Key of the button that ends the work with what it has.

    Returns:
        The result, or None.
    """
    job = session.get(name)
    if not isinstance(job, LongJob):
        return None
    if job.running:
        progress(name, noun, stop_key)
        return None
    if job.error:
        st.error(escaped(job.error), icon=":material/error:")
    return job.result


@st.fragment(run_every=0.4)
def progress(name: str, noun: str, stop_key: str) -> None:
    """How far the work under a name of the session is, and how long it will take; the page stays as it is meanwhile.

    Args:
        name: Where the session keeps the job.
        noun: What is counted: "designs".
        stop_key: Key of the button that ends the work with what it has.
    """
    job = session.get(name)
    if not isinstance(job, LongJob) or not job.running:
        st.rerun()
    st.progress(job.share_fraction, text=_told(job, noun))
    st.button("Stop", key=stop_key, on_click=job.stop, disabled=job.stopping, icon=":material/stop:")


def _told(job: LongJob, noun: str) -> str:
    """How far the work is, in words."""
    if job.stopping:
        return "Stopping"
    if not job.total:
        return "Beginning"
    told = f"{format_number(job.done, None)} of {format_number(job.total, None)} {noun}"
    left = job.left_s
    return told if left is None else f"{told}, about {format_value(max(round(left), 1), 's')} left"
