"""Choices between numbers give numpy's values for floats as for arrays, what is unknown included."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core import elementwise

ANY = st.floats(allow_nan=True, allow_infinity=True)
PAIRS = {
    elementwise.maximum: np.maximum,
    elementwise.minimum: np.minimum,
    elementwise.known_maximum: np.fmax,
    elementwise.known_minimum: np.fmin,
}
SINGLES = {elementwise.ceil: np.ceil, elementwise.floor: np.floor}


def same(found: object, expected: object) -> bool:
    return bool(np.array_equal(np.asarray(found), np.asarray(expected), equal_nan=True))


@pytest.mark.parametrize("ours", PAIRS, ids=lambda f: f.__name__)
@given(first=ANY, second=ANY)
def test_pairs_are_numpys(ours, first, second):
    expected = PAIRS[ours](first, second)
    assert same(ours(first, second), expected)
    assert type(ours(first, second)) is float
    assert same(ours(np.array([first, 1.0]), np.array([second, 2.0]))[0], expected)


@pytest.mark.parametrize("ours", SINGLES, ids=lambda f: f.__name__)
@given(value=ANY)
def test_whole_numbers_are_numpys(ours, value):
    assert same(ours(value), SINGLES[ours](value))
    assert type(ours(value)) is float
    assert same(ours(np.array([value]))[0], SINGLES[ours](value))


@given(condition=st.booleans(), first=ANY, second=ANY)
def test_where_is_numpys(condition, first, second):
    chosen = elementwise.where(condition, first, second)
    assert type(chosen) is float
    assert same(chosen, np.where(condition, first, second))
    both = elementwise.where(np.array([condition, not condition]), first, second)
    assert same(both, np.where([condition, not condition], first, second))


def test_a_choice_between_an_array_and_a_float_is_an_array():
    assert elementwise.maximum(np.array([1.0, math.nan]), 2.0)[0] == 2.0
    assert elementwise.where(True, np.array([1.0, 2.0]), 0.0).tolist() == [1.0, 2.0]
