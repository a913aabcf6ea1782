"""A followed calculation applied to arrays: each row goes the way that its own decisions take."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.core.tracing import Decision, Traced, TraceError, Tracer, Tree, branch_of

Array = NDArray[Any]


class Frame:
    """Rows that have gone the same way so far, and what is computed of them.

    Attributes:
        rows: Which rows of the block they are.
    """

    __slots__ = ("_arrays", "_here", "_outer", "rows")

    def __init__(self, rows: NDArray[np.intp], arrays: dict[int, Array]) -> None:
        """Rows with the values of all inputs, by the index of their nodes."""
        self.rows = rows
        self._arrays = arrays
        self._outer: Frame | None = None
        self._here: NDArray[np.intp] | None = None

    def part(self, here: NDArray[np.intp]) -> Frame:
        """Some of the rows; what is computed of all is taken over when it is asked for."""
        found = Frame(self.rows[here], {})
        found._outer, found._here = self, here
        return found

    def values(self, node: Traced) -> Array:
        """What a node is on each row."""
        found = self._known(node.index)
        if found is None:
            found = self._arrays[node.index] = self._computed(node)
        return found

    def numbers(self, tracer: Tracer, place: int) -> dict[str, float]:
        """Values of all inputs in one row."""
        return {name: float(self.values(node)[place]) for name, node in tracer.inputs.items()}

    def _known(self, index: int) -> Array | None:
        found = self._arrays.get(index)
        if found is None and self._outer is not None and self._here is not None:
            wider = self._outer._known(index)
            if wider is not None:
                found = self._arrays[index] = wider[self._here]
        return found

    def _computed(self, node: Traced) -> Array:
        function = node.function
        if isinstance(function, Decision):
            return self._choices(node.tracer, function)
        if function is None:
            raise TraceError(f"input {node.operands[0]} has no values")
        operands = [self.values(item) if item.__class__ is Traced else item for item in node.operands]
        result = np.asarray(
            function(**dict(zip(node.names, operands, strict=True))) if node.names else function(*operands)
        )
        return result if result.shape == self.rows.shape else np.broadcast_to(result, self.rows.shape)

    def _choices(self, tracer: Tracer, decision: Decision) -> Array:
        """Number of the outcome of a choice on each row."""
        found = np.empty(self.rows.shape, dtype=np.intp)
        own = Frame(np.arange(len(self.rows)), self._arrays)
        own._outer, own._here = self._outer, self._here
        for way in ways(tracer, decision.tree, decision.run, own):
            end = way.end if way.known else _alone(tracer, decision, way.frame)
            found[way.frame.rows] = decision.number_of(end)
        return found


def _alone(tracer: Tracer, decision: Decision, frame: Frame) -> Any:
    """What is chosen in a row by its own numbers."""
    tracer.bind(frame.numbers(tracer, 0))
    return tracer.follow(decision.tree, decision.run)


@dataclass(frozen=True, slots=True)
class Way:
    """Rows that went the same way to the end.

    Attributes:
        frame: The rows.
        end: What the calculation gave at the end of the way.
        known: False for rows whose way was not followed; they have no end.
    """

    frame: Frame
    end: Any = None
    known: bool = True


Enough = Callable[[Frame], bool]


def ways(
    tracer: Tracer, tree: Tree, run: Callable[[], Any], frame: Frame, *, enough: Enough | None = None
) -> Iterator[Way]:
    """All rows, in groups that go the same way; a way that is not known yet is followed with one of its rows.

    Args:
        tracer: Whose calculation it is.
        tree: Where the calculation begins; it grows by the ways that are new.
        run: The calculation.
        frame: The rows.
        enough: Asked before a new way is followed, with the rows that wait for it; their way is not known
            if it says yes.
    """
    waiting = [(tree, frame)]
    while waiting:
        place, rows = waiting.pop()
        if place.end is not None:
            yield Way(rows, place.end[0])
            continue
        if place.test is None:
            if enough is not None and enough(rows):
                yield Way(rows, known=False)
                continue
            tracer.bind(rows.numbers(tracer, 0))
            tracer.follow(tree, run)
            if not _reached(place):
                # A hair's breadth between one number and an array of them decided otherwise: this row stands alone.
                yield Way(rows.part(np.array([0])), known=False)
                if len(rows.rows) > 1:
                    waiting.append((place, rows.part(np.arange(1, len(rows.rows)))))
                continue
            waiting.append((place, rows))
            continue
        for outcome, part in _parted(rows, rows.values(place.test)):
            waiting.append((place.branches.setdefault(outcome, Tree()), part))


def _reached(place: Tree) -> bool:
    """Whether a calculation has come to this point."""
    return place.test is not None or place.end is not None


def _parted(frame: Frame, values: Array) -> Iterator[tuple[Hashable, Frame]]:
    """Rows by the outcome of a decision; the frame itself where all have the same."""
    if values.dtype == np.bool_:
        count = int(np.count_nonzero(values))
        if count in (0, len(values)):
            yield count > 0, frame
        else:
            yield True, frame.part(np.flatnonzero(values))
            yield False, frame.part(np.flatnonzero(~values))
        return
    first = values[0]
    if (values == first).all():
        yield branch_of(first.item()), frame
        return
    outcomes, numbers = np.unique(values, return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers))
    for number, outcome in enumerate(outcomes):
        begin = ends[number - 1] if number else 0
        yield branch_of(outcome.item()), frame.part(order[begin : ends[number]])
