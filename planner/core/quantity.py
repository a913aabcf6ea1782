"""A number that knows itself: value, unit, label, and the formula and inputs that made it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from planner.core.formula import FORMULAS, Formula
from planner.core.tracing import RUNNING, TracedText, Tracer, decision_node, picked, texts, tracer_of
from planner.core.units import Number, format_value, scalar, unit_of_name, words_of_name


@dataclass(slots=True, eq=False)
class Quantity:
    """One result or one given figure.

    Treated as immutable; not a frozen dataclass because a plan makes hundreds of them and the
    frozen form takes three times as long to build.

    Attributes:
        value: The number, or an array of them when a sweep is computed.
        unit: Key of the unit in `planner.core.units.UNITS`.
        label: What it is called where it is shown.
        formula: What computed it; None for a given figure.
        inputs: What it was computed from, by parameter name.
        source: Where a given figure comes from.
        grade: How well a given figure is known: "seen", "inferred", "from memory",
            "class assumption", "input", "guide"; empty for a computed one.
    """

    value: Number
    unit: str
    label: str
    formula: Formula | None = None
    inputs: Mapping[str, Quantity | Number] | None = None
    source: str = ""
    grade: str = ""

    @property
    def number(self) -> float:
        """The value as one float."""
        value = self.value
        return value if value.__class__ is float else scalar(value)

    @property
    def known(self) -> bool:
        """Whether there is a value at all: what is unknown is NaN and prints as "unknown"."""
        value = self.value
        # A number is equal to itself unless it is NaN; an array asks numpy.
        if value.__class__ is float or not isinstance(value, np.ndarray):
            return value == value  # noqa: PLR0124
        return bool(np.all(value == value))  # noqa: PLR0124

    def text(self, *, digits: int | None = 3, binary: bool | None = None) -> str:
        """The value with its unit, as it is printed everywhere."""
        return format_value(self.number, self.unit, digits=digits, binary=binary)

    def __str__(self) -> str:
        """The value with its unit, to three significant digits."""
        return self.text()


_new = object.__new__


def derive(function: Callable[..., Number], /, *, label: str = "", **inputs: Quantity | Number) -> Quantity:
    """Apply a formula and keep what it was applied to.

    Args:
        function: A function that carries `@formula`.
        label: What the result is called, if not by the formula's own label.
        **inputs: Arguments by name, plain or as quantities.

    Returns:
        The result with its formula and inputs, so that it can be opened and explained.
    """
    rule = FORMULAS[function]
    values = {}
    for name, item in inputs.items():  # not a comprehension: these are the planner's hottest lines
        values[name] = item.value if item.__class__ is Quantity else item
    value: Any
    if RUNNING and (tracer := tracer_of(tuple(values.values()))) is not None:
        value = tracer.node(function, tuple(values.values()), tuple(values))
    else:
        value = function(**values)
    found = _new(
        Quantity
    )  # slot by slot: a plan makes hundreds of them, and __init__ takes half as long again
    found.value = value
    found.unit = rule.unit
    found.label = label or rule.label
    found.formula = rule
    found.inputs = inputs
    found.source = found.grade = ""
    return found


def given(value: Number | None, unit: str, label: str, *, source: str, grade: str) -> Quantity:
    """A figure that was not computed here; None means that nobody knows it."""
    found = _new(Quantity)
    found.value = np.nan if value is None else value
    found.unit = unit
    found.label = label
    found.formula = found.inputs = None
    found.source = source
    found.grade = grade
    return found


def input_label(name: str, member: Quantity | Number) -> str:
    """What an input of a formula is called: its own label, or the words of the argument's name."""
    return member.label if isinstance(member, Quantity) else words_of_name(name)


def input_text(
    name: str, member: Quantity | Number, *, digits: int | None = 3, binary: bool | None = None
) -> str:
    """The value of an input of a formula, in the unit that it has or that its name states.

    Args:
        name: Name of the argument.
        member: What the formula was given.
        digits: Significant digits of a plain number, or None for all that it has.
        binary: Sizes in GiB and TiB, as `format_value` takes it.
    """
    if isinstance(member, Quantity):
        return member.text()
    return format_value(scalar(member), unit_of_name(name) or "count", digits=digits, binary=binary)


def input_origin(member: Quantity | Number) -> str:
    """Where an input of a formula comes from: typed, computed, or its source and how well it is known."""
    if not isinstance(member, Quantity):
        return "input"
    if member.formula is not None:
        return "computed"
    return ", ".join(dict.fromkeys(part for part in (member.source or "stated", member.grade) if part))


def total(items: Sequence[Quantity], label: str, *, unit: str, source: str = "sum of its parts") -> Quantity:
    """Sum of quantities of one unit, open to all of its parts at once.

    Args:
        items: What is added, in the order in which it is shown; none is a sum of 0.
        label: What the sum is called.
        unit: Key of the unit of all of them.
        source: What stands as the source where there is nothing to add.

    Returns:
        The sum; one part alone keeps its own formula or source under the new label.
    """
    if not items:
        return Quantity(0.0, unit, label, None, None, source, "seen")
    first = items[0]
    if len(items) == 1:
        return Quantity(first.value, unit, label, first.formula, first.inputs, first.source, first.grade)
    value = first.value
    for item in items[1:]:
        value = value + item.value
    rule, names = _sum_of(unit, len(items))
    return Quantity(value, unit, label, rule, dict(zip(names, items)))  # noqa: B905 - as many names as items


@functools.cache
def _sum_of(unit: str, count: int) -> tuple[Formula, tuple[str, ...]]:
    """The printed form of a sum of so many parts, and the names of the parts."""
    symbols = {f"part_{number}": f"x_{{{number}}}" for number in range(1, count + 1)}
    rule = Formula(
        "quantity.total",
        r"x = \sum_i x_i",
        unit,
        "Sum",
        "sum of its parts",
        symbols,
        "",
        "All parts together.",
    )
    return rule, tuple(symbols)


def value_of(item: Quantity | Number) -> Number:
    """The plain number of a quantity, or the number itself."""
    return item.value if isinstance(item, Quantity) else item


def largest(terms: Mapping[str, Quantity]) -> tuple[str, str]:
    """Names of the largest and of the second largest term; the second is empty if there is one only.

    Terms are compared as single numbers, unknown ones are passed over, and of equal ones the first counts.
    """
    if RUNNING and (tracer := tracer_of([term.value for term in terms.values()])) is not None:
        first, second = _traced_largest(tracer, terms)
        return cast(str, first), cast(str, second)
    return _largest(terms)


_LEAST = float("-inf")


def _largest(terms: Mapping[str, Quantity]) -> tuple[str, str]:
    """Both names by plain numbers; not-a-number compares as false, so it is passed over."""
    first = second = ""
    top = following = _LEAST
    for name, term in terms.items():
        value = term.value
        number = value if value.__class__ is float else scalar(value)
        if number > top or (not first and number == top):
            first, second, top, following = name, first, number, top
        elif number > following or (not second and number == following):
            second, following = name, number
    return first, second


def _traced_largest(tracer: Tracer, terms: Mapping[str, Quantity]) -> tuple[TracedText, ...]:
    """Both names where they follow from traced numbers; they decide nothing until they are looked at."""
    names = (*terms, "")

    def places(*numbers: Number) -> tuple[int, ...]:
        """From a number for each term, the places in `names` of the two that `_largest` names."""
        compared = {name: Quantity(number, "", "") for name, number in zip(terms, numbers, strict=True)}
        return tuple(names.index(name) for name in _largest(compared))

    node = decision_node(tracer, places, tuple(term.value for term in terms.values()), ("largest", names))
    return texts(names, node, 2)


def term_of(terms: Mapping[str, Quantity], name: str) -> Quantity:
    """The term that `largest` named."""
    kind: object = name.__class__
    return _traced_term(terms, cast(TracedText, name)) if kind is TracedText else terms[name]


def _traced_term(terms: Mapping[str, Quantity], name: TracedText) -> Quantity:
    """The named term where its name follows from traced numbers: a number, without a formula of its own."""
    first = next(iter(terms.values()))
    value: Any = name.place.tracer.node(picked, (name.place, *(term.value for term in terms.values())))
    return Quantity(value, first.unit, first.label)
