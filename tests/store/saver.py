"""A process that saves until it is killed: a hundred times, each at another moment.

    python -m tests.store.saver URL ROUNDS

Each round forks a child that opens the store and saves design after design, revision after revision,
telling a pipe of each save once it is done. After a few of them, and a pause that differs from round to
round so that the blow falls into every part of a save, the child is killed. What was acknowledged is
printed as JSON: for each round the list of (design, revision).
"""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import sys
import time

from planner.store import NewRevision, open_store

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


def _save_for_ever(url: str, pipe: int) -> None:
    with open_store(url, busy_s=30) as store:
        while True:
            design_id = store.create_design("saved", NewRevision(scenario_json='{"mark": "first"}')).design_id
            os.write(pipe, _ACK.pack(design_id, 1))
            for number in range(2, 5):
                store.add_revision(design_id, content(design_id, number), base_revision=number - 1)
                os.write(pipe, _ACK.pack(design_id, number))


def _round(url: str, chance: random.Random) -> list[tuple[int, int]]:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        try:
            _save_for_ever(url, write)
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
    print(json.dumps([_round(sys.argv[1], chance) for _ in range(int(sys.argv[2]))]))
