"""One implementation for one design and for many: arrays give what their elements give, in every formula."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.formula import FORMULAS
from planner.core.units import Number
from planner.sizing import bandwidth, checkpoint, fabric, facility, hops, ingest, san, token_rates, transport

MODULES = {
    module.__name__
    for module in (bandwidth, checkpoint, ingest, token_rates, transport, fabric, facility, hops, san)
}
FUNCTIONS = [function for function in FORMULAS if function.__module__ in MODULES]


def values_of(name: str) -> st.SearchStrategy[float]:
    """Numbers that a parameter of this name can hold."""
    if name.endswith("_fraction"):
        return st.floats(0.01, 0.99)
    if name == "reserved_ru":
        return st.floats(0.0, 9.0)
    if name.endswith("_ru"):
        return st.integers(10, 60).map(float)
    if name.endswith("_count"):
        return st.integers(1, 500).map(float)
    return st.floats(1e-3, 1e12)


@pytest.mark.parametrize(
    "function", FUNCTIONS, ids=lambda f: f"{f.__module__.rpartition('.')[2]}.{f.__name__}"
)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_array_gives_what_its_elements_give(function: Callable[..., Number], data: st.DataObject) -> None:
    first, *others = inspect.signature(function).parameters
    columns = {
        name: data.draw(st.lists(values_of(name), min_size=3, max_size=3)) for name in (first, *others)
    }
    arrays = {name: np.array(column) for name, column in columns.items()}
    together = function(arrays[first], **{name: arrays[name] for name in others})
    one_by_one = [
        float(function(columns[first][i], **{name: columns[name][i] for name in others})) for i in range(3)
    ]
    assert np.shape(together) == (3,)
    np.testing.assert_allclose(together, one_by_one, rtol=1e-12)


@pytest.mark.parametrize(
    "function", FUNCTIONS, ids=lambda f: f"{f.__module__.rpartition('.')[2]}.{f.__name__}"
)
def test_only_the_first_argument_is_positional(function: Callable[..., Number]) -> None:
    kinds = [parameter.kind for parameter in inspect.signature(function).parameters.values()]
    assert kinds == [
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        *[inspect.Parameter.KEYWORD_ONLY] * (len(kinds) - 1),
    ]


@pytest.mark.parametrize(
    "module",
    [bandwidth, checkpoint, ingest, token_rates, transport, fabric, facility, san],
    ids=lambda m: m.__name__,
)
def test_every_public_function_is_filed(module) -> None:
    public = {
        function
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert public <= set(FORMULAS)
