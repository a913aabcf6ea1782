"""Every constant that enters a plan: the rows of rules and assumptions, and the numbers that stand in the code.

The catalogue's rows say source and grade. A number in the code says in the text below it what it is and whose;
that text is read from the code itself, so no list can fall behind it.
"""

from __future__ import annotations

import ast
import functools
import importlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from planner.catalogue import Catalogue
from planner.catalogue.columns import READ_UNITS
from planner.core.quantity import Quantity
from planner.core.units import format_number, format_range, format_value, unit_of_name

_PARTS = ("sizing", "sections", "findings")
_DRAWING = frozenset({"fabric_drawing", "fabric_shapes", "fabric_svg", "day"})
"""Modules whose numbers are of pictures, not of designs."""
_RATE = "per s"
"""What a name that ends in "_per_s" would be taken for, also where it is metres or bytes a second."""


@dataclass(frozen=True, slots=True)
class Constant:
    """One number that nobody types.

    Attributes:
        subject: What it belongs to.
        label: What it is.
        value: Value or range as it is read, with its unit.
        source: Where it comes from.
        grade: How well it is known; empty for a rule of the calculation.
        note: Conditions, conflicts between sources.
    """

    subject: str
    label: str
    value: str
    source: str
    grade: str
    note: str = ""


def constants(catalogue: Catalogue) -> tuple[Constant, ...]:
    """All constants, subject by subject."""
    return (
        *_assumptions(catalogue),
        *_power_rules(catalogue),
        *_workload_rules(catalogue),
        *_guide(catalogue),
        *in_code(),
    )


def _assumptions(catalogue: Catalogue) -> Iterator[Constant]:
    for row in catalogue.assumptions.values():
        taken = row.typical or row.low or row.high
        value = _span(taken, taken, row.unit)
        if row.low is not None and row.high is not None and row.low.number != row.high.number:
            value += f" (range {_span(row.low, row.high, row.unit)})"
        yield Constant(f"assumption, {row.subject}", row.label, value, row.source, row.grade, row.notes)


def _power_rules(catalogue: Catalogue) -> Iterator[Constant]:
    for row in catalogue.power_rules.values():
        value = _span(row.low, row.high, row.unit)
        yield Constant(f"power rule, {row.topic}", row.label, value, row.source, row.grade, row.notes)


def _workload_rules(catalogue: Catalogue) -> Iterator[Constant]:
    for rate in catalogue.failure_rates.values():
        value = rate.failures_per_1000_gpu_days.text()
        yield Constant("failure rate", rate.label, value, rate.source, rate.grade, rate.notes)
    for stack in catalogue.client_stacks.values():
        value = stack.efficiency_fraction.text()
        yield Constant("client stack", stack.label, value, stack.source, stack.grade, stack.notes)
    for recipe in catalogue.recipes.values():
        total = f"{recipe.total_bytes.text()} per parameter" if recipe.total_bytes else "by the guide's table"
        yield Constant("bytes per parameter", recipe.label, total, recipe.source, recipe.grade, recipe.notes)
    for scheme in catalogue.protection.values():
        ratio = f"{format_number(scheme.raw_per_usable_ratio)} raw bytes for each usable one"
        yield Constant("protection", scheme.label, ratio, scheme.source, scheme.grade, scheme.notes)


def _guide(catalogue: Catalogue) -> Iterator[Constant]:
    for row in catalogue.guide.values():
        label = ", ".join(part for part in (row.quantity, row.conditions) if part)
        yield Constant("guide", label, row.printed, f"the guide, '{row.section}'", row.grade, row.notes)


def _span(low: Quantity | None, high: Quantity | None, unit: str) -> str:
    """One value or a range; a unit that the planner does not know stands as the file has it."""
    ends = [end for end in (low, high) if end is not None]
    if not ends:
        return "unknown"
    numbers = [end.number for end in ends]
    if unit in READ_UNITS:
        return format_range(numbers[0], numbers[-1], ends[0].unit)
    shown = dict.fromkeys(format_number(number) for number in numbers)
    return f"{' to '.join(shown)} {unit}".strip()


@functools.lru_cache(maxsize=1)
def in_code() -> tuple[Constant, ...]:
    """Numbers in the code of formulas, sections and findings that have a text of what they are."""
    return tuple(
        found
        for part in _PARTS
        for path in sorted((Path(__file__).parent / part).glob("*.py"))
        if path.stem not in _DRAWING
        for found in _of_module(part, path)
    )


def _of_module(part: str, path: Path) -> Iterator[Constant]:
    told = _told(path.read_text(encoding="utf-8"))
    if not told:
        return
    name = f"planner.{part}" if path.stem == "__init__" else f"planner.{part}.{path.stem}"
    module = importlib.import_module(name)
    for constant, text in told.items():
        value = getattr(module, constant)
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield Constant(
                f"rule of the calculation, {path.stem}",
                text,
                _valued(constant, value),
                f"{name}.{constant}",
                "",
            )


def _told(code: str) -> dict[str, str]:
    """Text below each public constant of a module."""
    body = ast.parse(code).body
    found = {}
    for statement, after in itertools.pairwise(body):
        match statement, after:
            case (
                ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ) if name.isupper() and not name.startswith("_"):
                found[name] = " ".join(text.split())
    return found


def _valued(name: str, value: float) -> str:
    unit = unit_of_name(name.lower())
    return format_value(value, unit) if unit and unit != _RATE else format_number(value)
