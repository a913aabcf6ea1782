"""Many people at once, on one machine: `python -m tests.benchmarks.load [SESSIONS] [ROUNDS]`.

Sessions type and save against one server on SQLite, then against two servers on one PostgreSQL; beside them the
same typing on an empty page. Every save that was acknowledged has to be in the database, once.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from planner.store import MAX_PAGE_ROWS, open_store
from tests.benchmarks.session import Session
from tests.browser.conftest import free_port
from tests.browser.team import application
from tests.store.postgres import Server as Postgres

SESSIONS, ROUNDS, SAVE_EVERY = 50, 10, 5
FIELD = "cluster.node_count"
BARE = str(Path(__file__).with_name("bare.py"))


@dataclass
class Outcome:
    """What all sessions met.

    Attributes:
        typing_s: Time of each change of a field.
        saving_s: Time of each save.
        saved: Design and revision of each acknowledged save.
        errors: Lines of errors and warnings that a page showed.
    """

    typing_s: list[float] = field(default_factory=list)
    saving_s: list[float] = field(default_factory=list)
    saved: list[tuple[int, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


async def work(url: str, number: int, rounds: int, *, save_every: int, outcome: Outcome) -> None:
    """One person: types, looks at the answer, types again, saves now and then; never if that is 0."""
    async with Session(url, page="plan" if save_every else "") as session:
        for turn in range(1, rounds + 1):
            begin = time.perf_counter()
            await session.type(FIELD, str(8 + (number * rounds + turn) % 500))
            outcome.typing_s.append(time.perf_counter() - begin)
            outcome.errors += session.errors
            if save_every and turn % save_every == 0:
                await session.open("save.open")
                begin = time.perf_counter()
                await session.press("save.do")
                outcome.saving_s.append(time.perf_counter() - begin)
                outcome.errors += session.errors
                session.forget("save.open")
        outcome.saved += session.saved


async def crowd(urls: Sequence[str], sessions: int, rounds: int, *, save_every: int) -> Outcome:
    """All of them at once, shared out among the servers."""
    outcome = Outcome()
    await asyncio.gather(
        *(
            work(urls[number % len(urls)], number, rounds, save_every=save_every, outcome=outcome)
            for number in range(sessions)
        )
    )
    return outcome


def lost(database_url: str, outcome: Outcome, expected_count: int) -> list[str]:
    """What is wrong with the saves: acknowledged and not there, there twice, or never acknowledged."""
    with open_store(database_url) as store:
        there = {
            (row.id, number)
            for row in store.designs(limit=MAX_PAGE_ROWS).rows
            for number in range(1, row.latest_revision + 1)
            if store.revision(row.id, number).scenario_json
        }
    told = set(outcome.saved)
    wrong = [f"save {item} was acknowledged and is not there" for item in sorted(told - there)]
    wrong += [f"save {item} is there and was not acknowledged" for item in sorted(there - told)]
    if len(outcome.saved) != len(told):
        wrong.append("a save was acknowledged twice")
    if len(told) != expected_count:
        wrong.append(f"{len(told)} saves, not {expected_count}")
    return wrong


def told(name: str, outcome: Outcome, bare: Outcome) -> None:
    """One line of figures beside the empty page's."""
    typing, empty = statistics.median(outcome.typing_s), statistics.median(bare.typing_s)
    tail = statistics.quantiles(outcome.typing_s, n=20)[-1]
    saving = statistics.median(outcome.saving_s) if outcome.saving_s else float("nan")
    print(
        f"{name:34s} change p50 {typing * 1e3:6.0f} ms, p95 {tail * 1e3:6.0f} ms; save p50 {saving * 1e3:6.0f} ms; "
        f"empty page {empty * 1e3:5.0f} ms ({typing / empty:.1f} times)"
    )


def measure(
    name: str, database_url: str, servers: int, sessions: int, rounds: int, folder: Path
) -> list[str]:
    """The crowd against so many servers on one database; what went wrong."""
    with ExitStack() as running:
        urls = [
            running.enter_context(application(folder, free_port(), database_url)).url for _ in range(servers)
        ]
        outcome = asyncio.run(crowd(urls, sessions, rounds, save_every=SAVE_EVERY))
    with ExitStack() as running:
        urls = [
            running.enter_context(application(folder, free_port(), database_url, script=BARE)).url
            for _ in range(servers)
        ]
        bare = asyncio.run(crowd(urls, sessions, rounds, save_every=0))
    told(name, outcome, bare)
    return lost(database_url, outcome, sessions * (rounds // SAVE_EVERY)) + outcome.errors


def main(arguments: Sequence[str]) -> int:
    """Both databases; the exit status is 1 if a save was lost or a page showed an error."""
    sessions, rounds = [*map(int, arguments), *(SESSIONS, ROUNDS)[len(arguments) :]]
    with tempfile.TemporaryDirectory(prefix="planner-load-") as name:
        folder = Path(name)
        wrong = measure(
            f"{sessions} sessions, 1 server, SQLite",
            f"sqlite:///{folder}/load.db",
            1,
            sessions,
            rounds,
            folder,
        )
        postgres = Postgres()
        try:
            url = postgres.url(postgres.new_database())
            wrong += measure(f"{sessions} sessions, 2 servers, PostgreSQL", url, 2, sessions, rounds, folder)
        finally:
            postgres.remove()
    print("\n".join(wrong) or "no save was lost, no page showed an error")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
