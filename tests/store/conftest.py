"""A store on a real file, and a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from planner.store import Store
from planner.store.database import Database


class Clock:
    """A clock that goes on by a second each time it is read."""

    def __init__(self) -> None:
        """Start at the beginning of 2026."""
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The next second."""
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock under the test's control."""
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database file is."""
    return tmp_path / "planner.db"


@pytest.fixture
def store(path: Path, clock: Clock) -> Iterator[Store]:
    """An empty store on a file."""
    with Store(Database(f"sqlite:///{path}", busy_s=5), clock=clock) as opened:
        yield opened
