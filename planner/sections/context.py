"""What every section is computed from, and the record of what AUTO chose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from planner.catalogue import Catalogue
from planner.core.quantity import Quantity, given
from planner.core.record import record
from planner.core.units import Number, unit_of_name
from planner.scenario import Scenario

T = TypeVar("T")


@record(frozen=True, slots=True)
class Choice:
    """A choice that AUTO made, and why.

    Attributes:
        value: Identifier of what was chosen.
        label: What it is called.
        reason: Why, in one sentence.
    """

    value: str
    label: str
    reason: str


@dataclass(frozen=True, slots=True)
class Context:
    """Scenario and catalogue of the plan at work.

    Attributes:
        scenario: What the architect states.
        catalogue: The rows to choose from.
        auto: What AUTO derived, by the path of the input, whether or not it was overridden.
    """

    scenario: Scenario
    catalogue: Catalogue
    auto: dict[str, Quantity | Choice] = field(default_factory=dict)

    @property
    def guide(self) -> bool:
        """Whether the design is on the guide's basis."""
        return self.scenario.basis == "guide"

    def pick(self, path: str, stated: Number | None, derived: Quantity) -> Quantity:
        """The stated value of an AUTO field, or the derived one; the derived one is recorded."""
        self.auto[path] = derived
        if stated is None:
            return derived
        return given(stated, derived.unit, derived.label, source=path, grade="input")


def stated(value: Number, name: str, label: str, *, source: str = "input", grade: str = "input") -> Quantity:
    """A figure of the scenario as a quantity; its unit is the one that the end of `name` states."""
    return given(value, unit_of_name(name), label, source=source, grade=grade)


def or_unknown(item: Quantity | None, unit: str, label: str) -> Quantity:
    """A catalogue cell, or the quantity that says that nobody knows it."""
    return (
        item if item is not None else given(None, unit, label, source="not in the catalogue", grade="unknown")
    )
