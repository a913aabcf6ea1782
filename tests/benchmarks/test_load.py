"""A few people at once on two servers and one PostgreSQL; `load.py` has many, and the times."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

from tests.benchmarks.load import SAVE_EVERY, crowd, lost
from tests.browser.conftest import free_port
from tests.browser.team import application
from tests.store.postgres import Server

SESSIONS = 6


def test_two_servers_on_one_database_lose_no_save(tmp_path: Path) -> None:
    postgres = Server()
    try:
        url = postgres.url(postgres.new_database())
        with ExitStack() as running:
            servers = [running.enter_context(application(tmp_path, free_port(), url)).url for _ in range(2)]
            outcome = asyncio.run(crowd(servers, SESSIONS, 2 * SAVE_EVERY, saves=True))
        assert outcome.errors == []
        assert lost(url, outcome, expected_count=2 * SESSIONS) == []
    finally:
        postgres.remove()
