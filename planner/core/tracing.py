"""Following a calculation: what was computed from the inputs under study, and what was decided on the way.

A sweep asks for a million plans that differ in a few inputs. Those inputs are put into one ordinary plan as
`Traced` numbers. Whatever is computed from a traced number is traced again, and whatever is decided by one (a
comparison, a whole number, a key) is noted in a tree of decisions. The recorded formulas are then applied to
arrays, each row along the branch that its own decisions take: there is no second way to compute anything.

A `Traced` is no float. Nothing can read a plain number out of it without passing through a method here, and
each of those methods notes what it gave away as a decision, so that a row for which another number would have
been given away is computed along a branch of its own. Two exceptions: texts, and what is marked as `wording`,
which people alone read.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])

RUNNING: set[int] = set()
"""Tracers that follow a calculation at this moment, in any thread; the planner looks for traced numbers only then."""
_current: ContextVar[Tracer | None] = ContextVar("tracer of this thread", default=None)

OPEN, CLOSE = "\x01", "\x02"
"""What a traced number prints as stands between these: its place in the list of nodes, and its format."""
UNKNOWN_TEXT = "…"
"""What stands for a traced number in texts with units, which nobody reads while a calculation is followed."""


class TraceError(RuntimeError):
    """The calculation did not take the same way twice: a defect of the planner, never of a request."""


class Tree:
    """One point of a calculation: the next decision and where each of its outcomes leads, or the end.

    Attributes:
        test: The node that decides; None if the calculation has not come here yet, or ends here.
        branches: Next point for each outcome.
        end: What the calculation gave, in a tuple of one; None if it does not end here.
    """

    __slots__ = ("branches", "end", "test")

    def __init__(self) -> None:
        """A point that no calculation has reached."""
        self.test: Traced | None = None
        self.branches: dict[Hashable, Tree] = {}
        self.end: tuple[Any] | None = None


class Decision:
    """A choice that follows from traced numbers, with the tree of comparisons that lead to each outcome.

    Attributes:
        run: Makes the choice from the traced numbers that it holds.
        tree: Comparisons that were made in it.
        outcomes: What came out, in the order of their first appearance.
    """

    __slots__ = ("_numbers", "_parts", "outcomes", "run", "tree")

    def __init__(self, run: Callable[[], Hashable]) -> None:
        """A choice that has not been made yet."""
        self.run = run
        self.tree = Tree()
        self.outcomes: list[Any] = []
        self._numbers: dict[Hashable, int] = {}
        self._parts: dict[int, Callable[[Any], Any]] = {}

    def number_of(self, outcome: Hashable) -> int:
        """Number of an outcome."""
        number = self._numbers.setdefault(outcome, len(self.outcomes))
        if number == len(self.outcomes):
            self.outcomes.append(outcome)
        return number

    def part(self, place: int) -> Callable[[Any], Any]:
        """The function from the number of an outcome to one part of it, for one number or an array of them."""

        def look_up(number: Any) -> Any:
            """That part of the numbered outcome, or an array of parts for an array of numbers."""
            if isinstance(number, np.ndarray):
                return np.array([outcome[place] for outcome in self.outcomes], dtype=np.intp)[number]
            return self.outcomes[number][place]

        return self._parts.setdefault(place, look_up)


class Tracer:
    """Nodes of one calculation, and the numbers that it is followed with at the moment.

    Attributes:
        nodes: Everything that was computed, each after what it was computed from.
        inputs: The traced inputs by their names.
        choices: Every choice that was met, by what it is and what it chooses by.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Inputs of those names, without values yet."""
        self.nodes: list[Traced] = []
        self._numbers: list[Any] = []
        self._known: dict[Hashable, Traced] = {}
        self._cursor = Tree()
        self._decided: dict[int, Any] = {}
        self._silent = 0
        self.choices: dict[Hashable, Decision] = {}
        self.inputs = {name: self.node(None, (name,)) for name in names}

    def bind(self, values: Mapping[str, float]) -> None:
        """Take other values for all inputs; everything else is computed from them when it is asked for."""
        self._numbers = [None] * len(self.nodes)
        for name, value in values.items():
            self._numbers[self.inputs[name].index] = value

    def node(
        self,
        function: Callable[..., Any] | Decision | None,
        operands: tuple[Any, ...],
        names: tuple[str, ...] = (),
    ) -> Traced:
        """The node of a function and its operands, which is the same one when both are."""
        key = (function, names, *map(_mark, operands))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Traced(self, len(self.nodes), function, operands, names)
            self.nodes.append(found)
            self._numbers.append(None)
        return found

    def number(self, node: Traced) -> Any:
        """What a node is with the inputs that are bound."""
        number = self._numbers[node.index]
        if number is None:
            function = node.function
            if isinstance(function, Decision):
                number = self._choose(function)
            elif function is None:
                raise TraceError(f"input {node.operands[0]} has no value")
            else:
                plain = [self.number(item) if item.__class__ is Traced else item for item in node.operands]
                number = (
                    function(**dict(zip(node.names, plain, strict=True))) if node.names else function(*plain)
                )
            self._numbers[node.index] = number
        return number

    def follow(self, tree: Tree, run: Callable[[], Any]) -> Any:
        """What a calculation gives with the inputs that are bound; its decisions go into the tree.

        Raises:
            TraceError: It decides by something else than it did before with the same outcomes.
        """
        outer = self._cursor, self._decided, self._silent
        self._cursor, self._decided, self._silent = tree, {}, 0
        first = id(self) not in RUNNING
        token = _current.set(self)
        RUNNING.add(id(self))
        try:
            result = run()
            if self._cursor.test is not None:
                raise TraceError("a calculation ended where it went on before")
            if self._cursor.end is None:
                self._cursor.end = (result,)
            return self._cursor.end[0]
        finally:
            if first:
                RUNNING.discard(id(self))
            _current.reset(token)
            self._cursor, self._decided, self._silent = outer

    def outcome(self, node: Traced) -> Any:
        """What a node comes to, noted as a decision."""
        number = self.number(node)
        if self._silent:
            return number
        if node.index in self._decided:
            return self._decided[node.index]
        self._decided[node.index] = number
        place = self._cursor
        if place.test is None:
            if place.end is not None:
                raise TraceError("a calculation went on where it ended before")
            place.test = node
        elif place.test is not node:
            raise TraceError("a calculation decided by something else than before")
        self._cursor = place.branches.setdefault(branch_of(number), Tree())
        return number

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Within the block nothing is noted."""
        self._silent += 1
        try:
            yield
        finally:
            self._silent -= 1

    def _choose(self, decision: Decision) -> int:
        return decision.number_of(self.follow(decision.tree, decision.run))


def branch_of(number: Any) -> Hashable:
    """Key of an outcome among the branches; all that is not a number is one."""
    return number if number == number else "nan"  # noqa: PLR0124 - a number is equal to itself unless it is NaN


def _mark(operand: Any) -> Hashable:
    """What tells an operand from others."""
    return (operand.index,) if operand.__class__ is Traced else (operand.__class__, branch_of(operand))


class Traced:
    """A number that is not computed yet: an input under study, or what a formula makes of some.

    Attributes:
        tracer: Whose calculation it belongs to.
        index: Its place in the list of nodes.
        function: What computes it; None for an input.
        operands: What it is computed from: plain numbers and other nodes; for an input its name.
        names: Names of the operands where they are passed by name.
    """

    __slots__ = ("function", "index", "names", "operands", "tracer")

    def __init__(
        self,
        tracer: Tracer,
        index: int,
        function: Callable[..., Any] | Decision | None,
        operands: tuple[Any, ...],
        names: tuple[str, ...],
    ) -> None:
        """As `Tracer.node` makes it."""
        self.tracer = tracer
        self.index = index
        self.function = function
        self.operands = operands
        self.names = names

    def decided(self) -> Any:
        """Its number, noted as a decision."""
        return self.tracer.outcome(self)

    # --- what is decided by it ---------------------------------------------------------------------------

    def __bool__(self) -> bool:
        """Whether it is not zero."""
        node = self if self.function in _COMPARISONS else self.tracer.node(_FUNCTIONS["ne"], (self, 0))
        return bool(node.decided())

    def __float__(self) -> float:
        """The number itself: a branch for each."""
        return float(self.decided())

    def __int__(self) -> int:
        """The number cut to a whole one: a branch for each."""
        return int(self.tracer.node(np.trunc, (self,)).decided())

    def __index__(self) -> int:
        """The number where only a whole one will do: a branch for each."""
        number = self.decided()
        if number != int(number):
            raise TypeError(f"{number} is not a whole number")
        return int(number)

    __trunc__ = __int__

    def __floor__(self) -> int:
        """The whole number below: a branch for each."""
        return int(self.tracer.node(np.floor, (self,)).decided())

    def __ceil__(self) -> int:
        """The whole number above: a branch for each."""
        return int(self.tracer.node(np.ceil, (self,)).decided())

    def __round__(self, digits: int | None = None) -> float:
        """The number rounded: a branch for each."""
        if digits is None:
            return int(self.tracer.node(np.rint, (self,)).decided())
        return float(self.tracer.node(np.round, (self, digits)).decided())

    def __hash__(self) -> int:
        """Refuse to be a key: it would outlast the calculation in whatever remembers it.

        Raises:
            TypeError: Always; `float(x)` is a key, with a branch for each.
        """
        raise TypeError("a traced number is no key; take float() of it")

    # --- texts, which decide nothing ---------------------------------------------------------------------

    def __format__(self, spec: str) -> str:
        """A mark that `filled` replaces by the number."""
        return f"{OPEN}{self.index}:{spec}{CLOSE}"

    def __str__(self) -> str:
        """The same mark."""
        return format(self)

    __repr__ = __str__

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse to become an array: numpy would compute with objects."""
        raise TypeError("a traced number is no array; pass it to a formula through derive()")

    __array_ufunc__ = None


def _operator(name: str, function: Callable[..., Any]) -> None:
    """Give `Traced` an operator, and its mirror image."""

    def forward(self: Traced, other: Any) -> Traced:
        """The node of `self` and `other`, in this order."""
        return self.tracer.node(function, (self, other))

    def mirrored(self: Traced, other: Any) -> Traced:
        """The node of `other` and `self`, where `self` stands on the right."""
        return self.tracer.node(function, (other, self))

    setattr(Traced, f"__{name}__", forward)
    setattr(Traced, f"__r{name}__", mirrored)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "truediv": lambda a, b: a / b,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "pow": lambda a, b: a**b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "neg": lambda a: -a,
    "pos": lambda a: +a,
    "abs": abs,
}
_COMPARISONS = frozenset(_FUNCTIONS[name] for name in ("eq", "ne", "lt", "le", "gt", "ge"))


def _install() -> None:
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
        _operator(name, _FUNCTIONS[name])
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        function = _FUNCTIONS[name]
        setattr(Traced, f"__{name}__", lambda self, other, of=function: self.tracer.node(of, (self, other)))
    for name in ("neg", "pos", "abs"):
        function = _FUNCTIONS[name]
        setattr(Traced, f"__{name}__", lambda self, of=function: self.tracer.node(of, (self,)))


_install()


class TracedText:
    """One of several names, which one being decided by traced numbers.

    It is printed and carried on without a decision; whoever compares it or looks something up by it decides.

    Attributes:
        place: Node that says which of the names it is.
        names: The names; the last is empty, for none.
    """

    __slots__ = ("names", "place")

    def __init__(self, place: Traced, names: tuple[str, ...]) -> None:
        """A name by its place among several."""
        self.place = place
        self.names = names

    def decided(self) -> str:
        """The name, noted as a decision."""
        place: int = self.place.decided()
        return self.names[place]

    def __eq__(self, other: object) -> bool:
        """Whether it is that name."""
        return self.decided() == other

    def __hash__(self) -> int:
        """As the name's."""
        return hash(self.decided())

    def __bool__(self) -> bool:
        """Whether there is one: the last of the names is empty."""
        node = self.place.tracer.node(_FUNCTIONS["ne"], (self.place, len(self.names) - 1))
        return bool(node.decided())

    def __str__(self) -> str:
        """A mark: texts decide nothing."""
        return UNKNOWN_TEXT

    __repr__ = __str__


# --- what the planner calls ----------------------------------------------------------------------------------


def is_traced(value: object) -> bool:
    """Whether a number is followed rather than known."""
    return value.__class__ is Traced


def tracer_of(items: Sequence[Any]) -> Tracer | None:
    """The tracer of the first traced number among the items; None if there is none."""
    return next((item.tracer for item in items if item.__class__ is Traced), None)


def wording(function: F) -> F:
    """Mark a function whose result people alone read: it decides nothing that a sweep must follow."""

    @functools.wraps(function)
    def silent(*args: Any, **kwargs: Any) -> Any:
        """Call the function; what it looks at leaves no trace."""
        tracer = _current.get() if RUNNING else None
        if tracer is None:
            return function(*args, **kwargs)
        with tracer.silence():
            return function(*args, **kwargs)

    return silent  # type: ignore[return-value]


def decided(function: Callable[..., Any], *numbers: Any, key: Hashable = None) -> Any:
    """What a function chooses by numbers; a sweep branches on what it chose, not on how it came to it.

    Args:
        function: Makes the choice out of the numbers alone; what it returns can be hashed.
        *numbers: What it chooses by.
        key: What tells two choices of one function apart, if they differ in more than the numbers.
    """
    tracer = tracer_of(numbers) if RUNNING else None
    if tracer is None:
        return function(*numbers)
    node = decision_node(tracer, function, numbers, key)
    choice: Any = node.function
    return choice.outcomes[node.decided()]


def decision_node(
    tracer: Tracer, function: Callable[..., Any], numbers: tuple[Any, ...], key: Hashable = None
) -> Traced:
    """The node of a choice; its value is the number of the outcome."""
    mark = (key or function, *map(_mark, numbers))
    choice = tracer.choices.get(mark)
    if choice is None:
        choice = tracer.choices[mark] = Decision(lambda: function(*numbers))
    return tracer.node(choice, ())


def texts(names: tuple[str, ...], node: Traced, parts: int) -> tuple[TracedText, ...]:
    """Names by a choice whose outcomes are places among them."""
    choice: Any = node.function
    return tuple(TracedText(node.tracer.node(choice.part(part), (node,)), names) for part in range(parts))


def picked(place: Any, *values: Any) -> Any:
    """The value at a place, for one place or an array of them."""
    if not isinstance(place, np.ndarray):
        return values[place]
    result: NDArray[np.float64] = np.empty(place.shape)
    for number in np.unique(place):
        here = place == number
        value = values[number]
        result[here] = value[here] if isinstance(value, np.ndarray) else value
    return result


def filled(text: str, number_of: Callable[[int], Any]) -> str:
    """A text with every mark of a traced number replaced by what `number_of` says of its node."""
    parts = text.split(OPEN)
    out = [parts[0]]
    for part in parts[1:]:
        mark, _, rest = part.partition(CLOSE)
        index, _, spec = mark.partition(":")
        out.append(format(number_of(int(index)), spec) + rest)
    return "".join(out)
