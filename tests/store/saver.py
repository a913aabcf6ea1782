"""A process that saves until it is killed: a hundred times, each at another moment.

    python -m tests.store.saver URL ROUNDS

Each round forks a child that saves design after design, revision after revision, telling a pipe of each save
once it is done. After a few of them, and a pause that differs from round to round so that the blow falls into
every part of a save, the child is killed. What was acknowledged is printed as JSON: for each round the list
of (design, revision), the first one being of a round that nothing ended.

The store was opened and used before the first round, so that no child has to get ready again; of its
connections none is left open, because two processes cannot share one.
"""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import sys
import time
from collections.abc import Iterator

from planner.store import NewRevision, Store, open_store

_ACK = struct.Struct("<ii")
LONGEST_PAUSE_S = 0.012


def content(design_id: int, number: int) -> NewRevision:
    """A revision whose every field says which it is."""
    mark = f"{design_id}.{number}"
    return NewRevision(
        scenario_json=json.dumps({"mark": mark, "filler": mark * 500}),
        author=mark,
        note=mark,
        scenario_hash=mark,
    )


def _saved(store: Store) -> Iterator[tuple[int, int]]:
    """Save a design and three revisions more, and tell of each when it is saved."""
    design_id = store.create_design("saved", NewRevision(scenario_json='{"mark": "first"}')).design_id
    yield design_id, 1
    for number in range(2, 5):
        store.add_revision(design_id, content(design_id, number), base_revision=number - 1)
        yield design_id, number


def _round(store: Store, chance: random.Random) -> list[tuple[int, int]]:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        try:
            while True:
                for save in _saved(store):
                    os.write(write, _ACK.pack(*save))
        finally:
            os._exit(1)
    os.close(write)
    acknowledged = [_ACK.unpack(os.read(read, _ACK.size)) for _ in range(chance.randint(1, 5))]
    time.sleep(chance.uniform(0, LONGEST_PAUSE_S))
    os.kill(child, signal.SIGKILL)
    while rest := os.read(read, _ACK.size):
        acknowledged.append(_ACK.unpack(rest))
    os.close(read)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise RuntimeError("the child ended before it was killed")
    return acknowledged


if __name__ == "__main__":
    chance = random.Random(7)
    with open_store(sys.argv[1], busy_s=30) as store:
        rounds = [list(_saved(store))]
        store.close()
        rounds += [_round(store, chance) for _ in range(int(sys.argv[2]))]
    print(json.dumps(rounds))
