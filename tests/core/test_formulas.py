"""The registry of formulas: complete, printable, in known units, and the same for numbers and arrays."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import planner.sizing
from planner.core.formula import FORMULAS, Formula, formula
from planner.core.quantity import Quantity, derive
from planner.core.quantity import given as stated
from planner.core.units import UNITS, unit_of_name
from planner.sizing import burst, facility, tier_capacity

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
WHOLE = {
    "durability.loss_time_s": ("parity_count",),
    "durability.parallel_loss_time_s": ("parity_count",),
    "durability.group_loss_time_s": ("parity_count",),
    "durability.declustered_loss_time_s": ("parity_count",),
    "rebuilds.critical_rebuild_s": ("parity_count", "width_count"),
    "durability.lost_stripe_fraction": ("parity_count", "width_count"),
    "durability.outage_loss_fraction": ("parity_count", "width_count"),
}
"""Parameters that must be one whole number, because they set the length of a sum or a chain."""
ONE_AXIS = {"burst.max_min_allocation"}
"""Functions over one array, which has no meaning for a single number."""

ALL = sorted(FORMULAS.items(), key=lambda item: item[1].name)
by_formula = pytest.mark.parametrize(("function", "rule"), ALL, ids=[rule.name for _, rule in ALL])
SPREAD = [(function, rule) for function, rule in ALL if rule.name not in ONE_AXIS]
by_spread = pytest.mark.parametrize(("function", "rule"), SPREAD, ids=[rule.name for _, rule in SPREAD])


def public(module: ModuleType) -> Iterator[Callable[..., Any]]:
    """Functions that a module defines for others."""
    for name, item in vars(module).items():
        if inspect.isfunction(item) and item.__module__ == module.__name__ and not name.startswith("_"):
            yield item


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_public_function_of_sizing_is_filed(module: ModuleType) -> None:
    functions = list(public(module))
    assert [function.__name__ for function in functions if function not in FORMULAS] == []
    assert functions != []


def test_no_two_formulas_share_a_name() -> None:
    names = [rule.name for rule in FORMULAS.values()]
    assert len(set(names)) == len(names)


@by_formula
def test_each_parameter_states_its_unit(function: Callable[..., Any], rule: Formula) -> None:
    unknown = [name for name in rule.symbols if not unit_of_name(name) and name not in IN_WORDS]
    assert unknown == []


@by_formula
def test_each_parameter_is_explained(function: Callable[..., Any], rule: Formula) -> None:
    """The Method page prints what the docstring says, not the name of the parameter."""
    named = [name for name, meaning in rule.meanings.items() if meaning.startswith(name.replace("_", " "))]
    assert named == []
    assert list(rule.meanings) == list(rule.symbols)


def test_a_meaning_is_the_first_clause_with_its_unit() -> None:
    rule = FORMULAS[facility.node_w]
    assert rule.meanings["base_w"] == "Processors, memory and board (W)"
    assert rule.meanings["drive_count"] == "Drives in the node"


def test_the_exceptions_are_all_used() -> None:
    parameters = {name for rule in FORMULAS.values() for name in rule.symbols}
    assert set(IN_WORDS) <= parameters
    assert set(NAMES) | set(WHOLE) | ONE_AXIS <= {rule.name for rule in FORMULAS.values()}


@by_formula
def test_the_name_of_a_result_ends_in_its_unit(function: Callable[..., Any], rule: Formula) -> None:
    assert rule.name in NAMES or unit_of_name(function.__name__) == rule.unit


@by_formula
def test_only_the_first_argument_may_stand_without_its_name(
    function: Callable[..., Any], rule: Formula
) -> None:
    kinds = [parameter.kind for parameter in inspect.signature(function).parameters.values()]
    assert kinds[0] is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert set(kinds[1:]) <= {inspect.Parameter.KEYWORD_ONLY}


@by_formula
def test_a_formula_says_what_it_is_and_where_it_comes_from(
    function: Callable[..., Any], rule: Formula
) -> None:
    assert rule.summary == (inspect.getdoc(function) or "").partition("\n")[0]
    assert rule.summary.endswith(".")
    assert rule.label[0].isupper() or rule.label[0].isdigit()
    assert rule.source
    assert rule.unit in UNITS


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


@by_formula
def test_each_symbol_stands_in_the_printed_form(function: Callable[..., Any], rule: Formula) -> None:
    assert [symbol for symbol in rule.symbols.values() if not contains(rule.latex, symbol)] == []


@by_formula
def test_two_parameters_never_share_a_symbol(function: Callable[..., Any], rule: Formula) -> None:
    assert len(set(rule.symbols.values())) == len(rule.symbols)


@by_formula
def test_the_printed_form_is_balanced(function: Callable[..., Any], rule: Formula) -> None:
    bare = rule.latex.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")
    assert rule.latex.count(r"\left") == rule.latex.count(r"\right")
    assert rule.latex.count(r"\begin") == rule.latex.count(r"\end")
    assert all(c == "\n" or c.isprintable() for c in rule.latex)


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


def derive_calls() -> Iterator[tuple[str, int, ast.expr, dict[str, str]]]:
    """Every call of `derive` in the planner: file, line, the function named, and names imported there."""
    for path in sorted((ROOT / "planner").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        modules = {
            (alias.asname or alias.name): alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "planner.sizing"
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "derive":
                yield path.relative_to(ROOT).as_posix(), node.lineno, node.args[0], modules


def test_every_derived_figure_comes_from_a_filed_formula() -> None:
    calls, loose = 0, []
    registered = {rule.name for rule in FORMULAS.values()}
    for path, line, target, modules in derive_calls():
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            calls += 1
            name = f"{modules.get(target.value.id, '?')}.{target.attr}"
            if name not in registered:
                loose.append(f"{path}:{line} {name}")
        elif not isinstance(target, ast.Name):
            loose.append(f"{path}:{line} {ast.dump(target)}")
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


# --- one formula for one design or a million -----------------------------------------------------

RANGES = {"fraction": (0.01, 0.99), "1": (1.01, 9.0), "°C": (10.0, 60.0), "K": (2.0, 30.0)}


def sample(name: str, unit: str, generator: np.random.Generator) -> np.ndarray[Any, Any]:
    """Three values that a parameter may have; there are always more drives than a code is wide."""
    if name == "drive_count":
        return generator.integers(20, 60, 3).astype(float)
    if unit == "count":
        return generator.integers(2, 40, 3).astype(float)
    low, high = RANGES.get(unit, (1.0, 100.0))
    return generator.uniform(low, high, 3)


def arguments(rule: Formula, seed: int) -> dict[str, Any]:
    generator = np.random.default_rng(seed)
    values: dict[str, Any] = {name: sample(name, unit_of_name(name), generator) for name in rule.symbols}
    for name in WHOLE.get(rule.name, ()):
        # One number for all three designs, narrower than the rest so that codes stay sensible.
        values[name] = 2 if name == "parity_count" else 10
    return values


def quiet(function: Callable[..., Any], **values: Any) -> np.ndarray[Any, Any]:
    """The result; a division by zero of nonsensical random arguments is no failure here."""
    with np.errstate(all="ignore"):
        return np.asarray(function(**values), dtype=float)


@by_spread
def test_an_array_gives_what_its_numbers_give(function: Callable[..., Any], rule: Formula) -> None:
    for seed in range(3):
        values = arguments(rule, seed)
        together = quiet(function, **values)
        one_by_one = [
            quiet(function, **{n: float(v[i]) if isinstance(v, np.ndarray) else v for n, v in values.items()})
            for i in range(3)
        ]
        assert together.shape == (3,)
        assert [item.shape for item in one_by_one] == [(), (), ()]
        np.testing.assert_allclose(together, np.array(one_by_one), rtol=1e-12)


@by_spread
def test_axes_spread_as_numpy_spreads_them(function: Callable[..., Any], rule: Formula) -> None:
    """A sweep over two inputs is a grid: the first argument as a column, all others as rows."""
    values = arguments(rule, 7)
    first = next(iter(rule.symbols))
    grid = quiet(function, **{**values, first: values[first].reshape(3, 1)})
    rows = any(isinstance(value, np.ndarray) for name, value in values.items() if name != first)
    assert grid.shape == ((3, 3) if rows else (3, 1))
    for i in range(3):
        np.testing.assert_allclose(
            grid[i], quiet(function, **{**values, first: values[first][i]}), rtol=1e-12
        )


@settings(max_examples=40)
@given(data=st.data())
def test_no_formula_changes_its_arguments(data: st.DataObject) -> None:
    function, rule = data.draw(st.sampled_from(ALL))
    values = arguments(rule, data.draw(st.integers(0, 1000)))
    before = {name: np.copy(value) for name, value in values.items()}
    quiet(function, **values)
    for name, value in values.items():
        np.testing.assert_array_equal(value, before[name])


def test_shares_of_a_pipe_are_one_for_each_cap() -> None:
    """The one function over an array: nobody gets more than asked, and the pipe is used up."""
    caps = np.array([1.0, 2.0, 10.0])
    np.testing.assert_allclose(burst.max_min_allocation(caps, pipe_bytes_per_s=9.0), [1.0, 2.0, 6.0])
    np.testing.assert_allclose(burst.max_min_allocation(caps, pipe_bytes_per_s=90.0), caps)
