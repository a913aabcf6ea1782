"""A number that knows itself: value, unit, label, and the formula and inputs that made it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from planner.core.formula import FORMULAS, Formula
from planner.core.units import Number, format_value, scalar


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
        return scalar(self.value)

    @property
    def known(self) -> bool:
        """Whether there is a value at all: what is unknown is NaN and prints as "unknown"."""
        value = self.value
        # A number is equal to itself unless it is NaN; an array asks numpy.
        return bool(np.all(value == value)) if isinstance(value, np.ndarray) else value == value  # noqa: PLR0124

    def text(self, *, digits: int | None = 3, binary: bool = False) -> str:
        """The value with its unit, as it is printed everywhere."""
        return format_value(self.number, self.unit, digits=digits, binary=binary)

    def __str__(self) -> str:
        """The value with its unit, to three significant digits."""
        return self.text()


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
    for name, item in inputs.items():  # not a comprehension: this is the planner's hottest line
        values[name] = item.value if item.__class__ is Quantity else item
    return Quantity(function(**values), rule.unit, label or rule.label, rule, inputs)


def given(value: Number | None, unit: str, label: str, *, source: str, grade: str) -> Quantity:
    """A figure that was not computed here; None means that nobody knows it."""
    return Quantity(np.nan if value is None else value, unit, label, None, None, source, grade)


def value_of(item: Quantity | Number) -> Number:
    """The plain number of a quantity, or the number itself."""
    return item.value if isinstance(item, Quantity) else item


def largest(terms: Mapping[str, Quantity]) -> tuple[str, str]:
    """Names of the largest and of the second largest term; the second is empty if there is one only.

    Terms are compared as single numbers, unknown ones are passed over, and of equal ones the first counts.
    """
    first = second = ""
    top = following = float("-inf")
    for name, term in terms.items():
        number = scalar(term.value)
        if number > top or (not first and number == top):
            first, second, top, following = name, first, number, top
        elif number > following or (not second and number == following):
            second, following = name, number
    return first, second
