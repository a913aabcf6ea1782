"""The registry of formulas: how each function in `planner.sizing` is printed and where it comes from."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from planner.core.units import UNITS, unit_of_name

F = TypeVar("F", bound=Callable[..., Any])
_ARGUMENT = re.compile(r"^ {4}(\w+): (.+?)(?:[.:;](?:\s|$)|\Z)", re.MULTILINE | re.DOTALL)
"""A parameter in a docstring, and the first clause of what is said of it."""
_BARE_UNITS = ("", "count", "1", "fraction")
"""Units that say nothing beside the meaning."""


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula as a reader sees it.

    Attributes:
        name: Dotted name, subject and function: "checkpoint.size_bytes".
        latex: Printed form.
        unit: Key of the result's unit in `planner.core.units.UNITS`.
        label: What the result is called.
        source: Document and place that the formula comes from.
        symbols: Symbol in the printed form of each parameter.
        validity: Where it holds, if not everywhere.
        summary: First line of the function's docstring.
        meanings: What each parameter is, in words with its unit.
    """

    name: str
    latex: str
    unit: str
    label: str
    source: str
    symbols: Mapping[str, str] = field(default_factory=dict)
    validity: str = ""
    summary: str = ""
    meanings: Mapping[str, str] = field(default_factory=dict)


FORMULAS: dict[Callable[..., Any], Formula] = {}


def formula(
    latex: str,
    *,
    unit: str,
    label: str,
    source: str,
    symbols: Mapping[str, str],
    validity: str = "",
) -> Callable[[F], F]:
    """File a function's printed form and source; the function itself is returned untouched.

    Args:
        latex: Printed form, with the symbols of `symbols` in it.
        unit: Key of the result's unit.
        label: What the result is called where it is shown.
        source: Document and place that the formula comes from.
        symbols: Symbol of each parameter of the function, all of them.
        validity: Where the formula holds, if not everywhere.

    Raises:
        ValueError: The unit is unknown, or a parameter has no symbol; found at import.
    """

    def file(function: F) -> F:
        """Check the function against its symbols, file it, and return it as it is."""
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        parameters = set(inspect.signature(function).parameters)
        if unit not in UNITS:
            raise ValueError(f"{name}: unit {unit!r} is not known")
        if parameters != set(symbols):
            raise ValueError(f"{name}: symbols {set(symbols) ^ parameters} do not match the parameters")
        summary = (function.__doc__ or "").strip().partition("\n")[0]
        meanings = _meanings(inspect.getdoc(function) or "", symbols)
        FORMULAS[function] = Formula(
            name, latex, unit, label, source, dict(symbols), validity, summary, meanings
        )
        return function

    return file


def _meanings(docstring: str, names: Iterable[str]) -> dict[str, str]:
    """What each parameter is, as the docstring says it, with the unit in which the formula takes it."""
    _, _, told = docstring.partition("\nArgs:\n")
    said = dict(_ARGUMENT.findall(told.partition("\n\n")[0]))
    found = {}
    for name in names:
        words, unit = " ".join(said.get(name, name.replace("_", " ")).split()), unit_of_name(name)
        found[name] = words if unit in _BARE_UNITS else f"{words} ({unit})"
    return found
