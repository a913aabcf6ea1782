"""The registry of calculations: how a published case is worked out, and by which formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from planner.core.formula import FORMULAS, Formula
from planner.core.units import Number
from planner.published.cases import Case

Result: TypeAlias = Number | Sequence[float]
"""One number or as many as the case publishes, in the planner's own unit."""
Solver: TypeAlias = Callable[[Case], Result]


@dataclass(frozen=True, slots=True)
class Method:
    """How a kind of case is worked out.

    Attributes:
        solve: From the inputs of a case to the result, in the planner's unit.
        formulas: Public formulas that it calls; the first gives the result its name.
        unit: Key of the result's unit in `planner.core.units.UNITS`.
    """

    solve: Solver
    formulas: tuple[Formula, ...]
    unit: str


METHODS: dict[str, Method] = {}


def by(*functions: Callable[..., Any], unit: str = "") -> Callable[[Solver], Solver]:
    """File a calculation under its own name, with the formulas that it calls.

    Args:
        functions: Functions of `planner.sizing`, the one that gives the result first.
        unit: Key of the result's unit, if it is not that of the first formula.

    Raises:
        ValueError: A calculation of that name is filed already, or a function is no formula.
    """

    def file(solver: Solver) -> Solver:
        """File the calculation as a method, and return it as it is."""
        name = solver.__name__
        if name in METHODS:
            raise ValueError(f"{name} is filed twice")
        missing = [function.__name__ for function in functions if function not in FORMULAS]
        if missing or not functions:
            raise ValueError(f"{name}: {', '.join(missing) or 'nothing'} is no formula")
        formulas = tuple(FORMULAS[function] for function in functions)
        METHODS[name] = Method(solver, formulas, unit or formulas[0].unit)
        return solver

    return file
