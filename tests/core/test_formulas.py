"""The registry of formulas: complete, printable, in known units. What they give: `tests/sizing/`."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import planner.sizing
from planner.core.formula import FORMULAS, formula
from planner.core.quantity import Quantity, derive
from planner.core.quantity import given as stated
from planner.core.units import UNITS, unit_of_name
from planner.sizing import facility, tier_capacity

ROOT = Path(__file__).parents[2]
MODULES: list[ModuleType] = [
    importlib.import_module(f"planner.sizing.{module.name}")
    for module in pkgutil.iter_modules(planner.sizing.__path__)
]
IN_WORDS = {
    "bytes_per_parameter": "bytes for each parameter of a model",
    "bytes_per_s_per_core": "bandwidth that one core drives",
    "term_years": "years of a contract; every other time is in seconds",
}
"""Parameters whose unit is in their name, though not as one of the planner's suffixes."""
NAMES = {
    "burst.max_min_allocation": "one share for each reader and writer",
    "endurance.dwpd_of_rating": "DWPD is the unit",
    "lost_time.idle_usd_per_checkpoint": "for each checkpoint",
    "token_rates.tokens_per_s_from_flops": "tokens, derived from FLOP/s",
}
"""Functions whose name does not end in the suffix of their result, and why."""


def public(module: ModuleType) -> Iterator[Callable[..., Any]]:
    """Functions that a module defines for others."""
    for name, item in vars(module).items():
        if inspect.isfunction(item) and item.__module__ == module.__name__ and not name.startswith("_"):
            yield item


def test_every_public_function_of_sizing_is_filed() -> None:
    functions = {module.__name__: list(public(module)) for module in MODULES}
    assert [name for name, found in functions.items() if not found] == []
    loose = [item for found in functions.values() for item in found if item not in FORMULAS]
    assert loose == []
    assert sum(map(len, functions.values())) > 300


def test_no_two_formulas_share_a_name() -> None:
    names = [rule.name for rule in FORMULAS.values()]
    assert len(set(names)) == len(names)


def test_each_parameter_states_its_unit() -> None:
    unknown = {
        f"{rule.name} {name}"
        for rule in FORMULAS.values()
        for name in rule.symbols
        if not unit_of_name(name) and name not in IN_WORDS
    }
    assert unknown == set()


def test_each_parameter_is_explained() -> None:
    """The Method page prints what the docstring says, not the name of the parameter."""
    for rule in FORMULAS.values():
        assert list(rule.meanings) == list(rule.symbols), rule.name
        for name, meaning in rule.meanings.items():
            assert not meaning.startswith(name.replace("_", " ")), f"{rule.name} {name}"


def test_a_meaning_is_the_first_clause_with_its_unit() -> None:
    rule = FORMULAS[facility.node_w]
    assert rule.meanings["base_w"] == "Processors, memory and board (W)"
    assert rule.meanings["drive_count"] == "Drives in the node"


def test_the_exceptions_are_all_used() -> None:
    parameters = {name for rule in FORMULAS.values() for name in rule.symbols}
    assert set(IN_WORDS) <= parameters
    assert set(NAMES) <= {rule.name for rule in FORMULAS.values()}


def test_the_name_of_a_result_ends_in_its_unit() -> None:
    wrong = {
        rule.name: rule.unit
        for function, rule in FORMULAS.items()
        if rule.name not in NAMES and unit_of_name(function.__name__) != rule.unit
    }
    assert wrong == {}


def test_only_the_first_argument_may_stand_without_its_name() -> None:
    for function, rule in FORMULAS.items():
        first, *others = inspect.signature(function).parameters.values()
        assert first.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD, rule.name
        assert {other.kind for other in others} <= {inspect.Parameter.KEYWORD_ONLY}, rule.name


def test_a_formula_says_what_it_is_and_where_it_comes_from() -> None:
    for function, rule in FORMULAS.items():
        assert rule.summary == (inspect.getdoc(function) or "").partition("\n")[0], rule.name
        assert rule.summary.endswith("."), rule.name
        assert rule.label[0].isupper() or rule.label[0].isdigit(), rule.name
        assert rule.source, rule.name
        assert rule.unit in UNITS, rule.name


# --- the printed form ----------------------------------------------------------------------------

SPACES = {r"\,", r"\;", r"\!", r"\:", r"\ ", r"\quad", r"\qquad", r"\left", r"\right", r"\textstyle"}


def tokens(latex: str) -> list[str]:
    """Commands, letters and signs of a LaTeX text, without spaces."""
    return [t for t in re.findall(r"\\[a-zA-Z]+|\\.|\S", latex) if t not in SPACES]


def contains(latex: str, symbol: str) -> bool:
    """Whether a symbol stands in a formula by itself or with the running index, not as another's stem."""
    whole, part = tokens(latex), tokens(symbol)
    ends = (i + len(part) for i in range(len(whole) - len(part) + 1) if whole[i : i + len(part)] == part)
    return any(whole[end : end + 1] != ["_"] or whole[end + 1] == "i" for end in ends)


def test_each_symbol_stands_in_the_printed_form() -> None:
    absent = {
        f"{rule.name} {name}"
        for rule in FORMULAS.values()
        for name, symbol in rule.symbols.items()
        if not contains(rule.latex, symbol)
    }
    assert absent == set()


def test_two_parameters_never_share_a_symbol() -> None:
    shared = [rule.name for rule in FORMULAS.values() if len(set(rule.symbols.values())) < len(rule.symbols)]
    assert shared == []


def test_the_printed_form_is_balanced() -> None:
    for rule in FORMULAS.values():
        bare = rule.latex.replace(r"\{", "").replace(r"\}", "")
        assert bare.count("{") == bare.count("}"), rule.name
        assert rule.latex.count(r"\left") == rule.latex.count(r"\right"), rule.name
        assert rule.latex.count(r"\begin") == rule.latex.count(r"\end"), rule.name
        assert all(c == "\n" or c.isprintable() for c in rule.latex), rule.name


@pytest.mark.parametrize(
    ("latex", "symbol", "there"),
    [
        (r"n = B / b", "B", True),
        (r"n = B_w / b", "B", False),
        (r"n = B_w / b", "B_w", True),
        (r"n = \min(a, c)", "n", True),
        (r"x = \min(a, c)", "n", False),
        (r"x = n^2", "n", True),
        (r"x = \eta\,r", r"\eta", True),
        (r"x_i = \min(c_i, B)", "c", True),
    ],
)
def test_a_symbol_is_found_where_it_stands_and_nowhere_else(latex: str, symbol: str, there: bool) -> None:
    assert contains(latex, symbol) is there


# --- use -----------------------------------------------------------------------------------------


def derive_calls() -> Iterator[tuple[str, ast.expr, dict[str, str]]]:
    """Every call of `derive` in the planner: file and line, the function named, and names imported there."""
    for path in sorted((ROOT / "planner").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "derive(" not in text:
            continue
        nodes = list(ast.walk(ast.parse(text)))
        modules = {
            (alias.asname or alias.name): alias.name
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module == "planner.sizing"
            for alias in node.names
        }
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "derive":
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}", node.args[0], modules


def test_every_derived_figure_comes_from_a_filed_formula() -> None:
    calls, loose = 0, []
    registered = {rule.name for rule in FORMULAS.values()}
    for place, target, modules in derive_calls():
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            calls += 1
            name = f"{modules.get(target.value.id, '?')}.{target.attr}"
            if name not in registered:
                loose.append(f"{place} {name}")
        elif not isinstance(target, ast.Name):
            loose.append(f"{place} {ast.dump(target)}")
    assert loose == []
    assert calls > 100


def test_no_formula_is_filed_twice_or_with_symbols_missing() -> None:
    def half_bytes(whole_bytes: float) -> float:
        """Half of it."""
        return whole_bytes / 2

    common = {"label": "Half", "source": "test"}
    with pytest.raises(ValueError, match="unit 'furlongs' is not known"):
        formula("x / 2", unit="furlongs", symbols={"whole_bytes": "x"}, **common)(half_bytes)
    with pytest.raises(ValueError, match="do not match the parameters"):
        formula("x / 2", unit="bytes", symbols={}, **common)(half_bytes)
    with pytest.raises(ValueError, match="do not match the parameters"):
        formula("x / 2", unit="bytes", symbols={"whole_bytes": "x", "more": "y"}, **common)(half_bytes)
    assert half_bytes not in FORMULAS
    with pytest.raises(KeyError):
        derive(half_bytes, whole_bytes=1.0)


def test_a_derived_quantity_keeps_what_it_was_made_of() -> None:
    whole = stated(3e12, "bytes", "Usable", source="input", grade="input")
    raw = derive(tier_capacity.raw_bytes, usable_bytes=whole, protection_ratio=1.25)
    assert (raw.number, raw.unit, raw.label) == (3.75e12, "bytes", "Raw capacity")
    assert raw.formula is FORMULAS[tier_capacity.raw_bytes]
    assert raw.inputs == {"usable_bytes": whole, "protection_ratio": 1.25}
    assert str(raw).replace("\u00a0", " ") == "3.75 TB"
    unknown = stated(None, "bytes", "Usable", source="", grade="unknown")
    assert (unknown.known, str(unknown)) == (False, "unknown")
    assert derive(tier_capacity.raw_bytes, usable_bytes=unknown, protection_ratio=1.25).known is False
    assert Quantity(np.array([1.0, np.nan]), "bytes", "Two").known is False
    assert Quantity(np.array([1.0, 2.0]), "bytes", "Two").known is True


def test_every_subject_has_its_formulas_before_anything_is_planned() -> None:
    code = (
        "import planner.published; from planner.core.formula import FORMULAS; from planner.words import SUBJECTS; "
        "print(sorted(set(SUBJECTS) - {rule.name.partition('.')[0] for rule in FORMULAS.values()}))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
