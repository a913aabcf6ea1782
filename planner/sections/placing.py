"""Putting machines into racks: equal ones far apart, power level, heavy ones low, within three limits.

Plain numbers only: which machine stands where is decided here, what a rack then draws and weighs is
summed in `planner.sections.racks`.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Piece:
    """One kind of machine to be placed.

    Attributes:
        key: What kind it is.
        count: How many there are.
        height_ru: Rack units of one.
        max_w: Highest power of one.
        kg: Weight of one.
        on_top: Whether it belongs at the top of a rack, as switches do.
    """

    key: str
    count: int
    height_ru: int
    max_w: float
    kg: float
    on_top: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """What one rack takes: rack units, watts and kilograms of machines."""

    height_ru: int
    max_w: float
    kg: float


@dataclass(slots=True)
class Shelf:
    """One rack while it is filled: what is in it, and what that takes."""

    held: dict[str, int] = field(default_factory=dict)
    used_ru: int = 0
    used_w: float = 0.0
    used_kg: float = 0.0

    def takes(self, piece: Piece, room: Room) -> bool:
        """Whether one more fits; an empty rack takes one of anything that is not too high."""
        if self.used_ru + piece.height_ru > room.height_ru:
            return False
        if not self.held:
            return True
        return self.used_w + piece.max_w <= room.max_w * (
            1 + _TOLERANCE
        ) and self.used_kg + piece.kg <= room.kg * (1 + _TOLERANCE)

    def put(self, piece: Piece) -> None:
        """Put one in."""
        self.held[piece.key] = self.held.get(piece.key, 0) + 1
        self.used_ru += piece.height_ru
        self.used_w += piece.max_w
        self.used_kg += piece.kg


def arrange(pieces: Sequence[Piece], room: Room, *, least_count: int) -> list[Shelf]:
    """Racks with their machines: as few as hold everything, and no fewer than `least_count`.

    Machines of one kind are spread over the racks, so that a lost rack takes few of them; among equal
    racks the one that draws least gets the next. Switches go in first, from the middle of the row outwards.
    A machine that alone exceeds the power or weight of a rack gets one of its own.

    Args:
        pieces: What is placed; nothing higher than the room.
        room: What a rack takes.
        least_count: Racks to begin with.
    """
    racks = max(least_count, 1)
    total = sum(piece.count for piece in pieces)
    while True:
        shelves = [Shelf() for _ in range(racks)]
        over = sum(_spread(piece, shelves, room) for piece in _order(pieces))
        if not over or racks >= total:
            return [shelf for shelf in shelves if shelf.held] or shelves[:1]
        # What is left over needs a share of racks like what was placed; one more at least.
        racks = min(total, racks + max(1, math.floor(racks * over / (2 * total))))


def _order(pieces: Sequence[Piece]) -> list[Piece]:
    """Switches first, because their place is given; then the machines that draw most."""
    return sorted(pieces, key=lambda piece: (not piece.on_top, -piece.max_w, piece.key))


def _spread(piece: Piece, shelves: list[Shelf], room: Room) -> int:
    """Place one kind; returns how many found no rack."""
    middle = (len(shelves) - 1) / 2
    heap = [
        (0, shelf.used_w if not piece.on_top else 0.0, abs(place - middle) if piece.on_top else place, place)
        for place, shelf in enumerate(shelves)
    ]
    heapq.heapify(heap)
    left = piece.count
    while left and heap:
        held, _, near, place = heap[0]
        shelf = shelves[place]
        if not shelf.takes(piece, room):
            heapq.heappop(heap)
            continue
        shelf.put(piece)
        left -= 1
        level = 0.0 if piece.on_top else shelf.used_w
        heapq.heapreplace(heap, (held + 1, level, near, place))
    return left


def per_rack(piece: Piece, room: Room) -> int:
    """How many of one kind a rack of its own holds; one at least."""
    limits = [room.height_ru // piece.height_ru]
    if piece.max_w > 0:
        limits.append(math.floor(room.max_w / piece.max_w + _TOLERANCE))
    if piece.kg > 0:
        limits.append(math.floor(room.kg / piece.kg + _TOLERANCE))
    return max(min(limits), 1)
