"""A few people at once on two servers and one PostgreSQL; `load.py` has many, and the times."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

from tests.benchmarks.load import crowd, lost
from tests.browser.conftest import free_port
from tests.browser.team import application
from tests.store.postgres import Server

SESSIONS, SAVES = 4, 2
"""Two people on each server, and for each a design with its first revision and the next."""


def test_two_servers_on_one_database_lose_no_save(tmp_path: Path) -> None:
    postgres = Server()
    try:
        url = postgres.url(postgres.new_database())
        with ExitStack() as running:
            servers = [running.enter_context(application(tmp_path, free_port(), url)).url for _ in range(2)]
            outcome = asyncio.run(crowd(servers, SESSIONS, SAVES, save_every=1))
        assert outcome.errors == []
        assert lost(url, outcome, expected_count=SESSIONS * SAVES) == []
    finally:
        postgres.remove()
