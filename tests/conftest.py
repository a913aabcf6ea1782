"""What holds for every test: no network, no one's own database, the same random examples each time."""

from __future__ import annotations

import gc
import ipaddress
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from planner.store.database import Database
from tests.evidence.published import pytest_terminal_summary

__all__ = ["pytest_terminal_summary"]

settings.register_profile("check", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("check")


def is_local(address: Any) -> bool:
    """Whether a socket address is this machine: a Unix socket, or a loopback address or name."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in ("localhost", "")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browsers first: their files take longest, and a worker that begins one last is waited for."""
    items.sort(key=lambda item: "browser" not in item.path.parts)


def pytest_collection_finish() -> None:
    """The tests themselves are a million objects that stay: no collection of garbage need look at them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """A connection to another machine is an error: the application works without a network."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            original = getattr(socket.socket, name)

            def guarded(self: socket.socket, address: Any, original: Any = original) -> Any:
                if not is_local(address):
                    raise AssertionError(f"a test tried to reach {address}")
                return original(self, address)

            patch.setattr(socket.socket, name, guarded)
        yield


@pytest.fixture(autouse=True, scope="session")
def _own_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever opens the default database opens one that goes away with the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLANNER_DATABASE_URL", f"sqlite:///{tmp_path_factory.mktemp('database')}/planner.db")
        yield


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the tables and nothing in them, to be copied: making one takes longer than most tests."""
    path = tmp_path_factory.mktemp("empty") / "empty.db"
    Database(f"sqlite:///{path}").close()
    return path
