"""Which of several measurements of one thing counts: what was measured again takes the place of what was there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def newest(
    items: Sequence[T],
    *,
    of: Callable[[T], Hashable],
    turn: Callable[[T], int],
    counts: Callable[[T], bool] = lambda _: True,
) -> tuple[list[T], list[T]]:
    """Those of each thing's last turn, and those whose place they take; each in its order.

    Args:
        items: What was measured.
        of: The thing that one is of.
        turn: When it was measured, as the number of its set: two of one set stand beside each other.
        counts: Whether one can take the place of older ones.
    """
    last: dict[Hashable, int] = {}
    for item in items:
        if counts(item):
            last[of(item)] = max(turn(item), last.get(of(item), 0))
    kept = [item for item in items if turn(item) >= last.get(of(item), 0)]
    return kept, [item for item in items if turn(item) < last.get(of(item), 0)]
