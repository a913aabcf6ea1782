"""A sum shows all of its parts, keeps its unit, and is what its parts are together."""

import numpy as np
import pytest

from planner.core.quantity import given, total


def watts(value, label="part"):
    return given(value, "W", label, source="a row", grade="seen")


def test_a_sum_opens_to_every_part():
    parts = [watts(800.0, "node"), watts(1200.0, "switch"), watts(12.5, "optics")]
    both = total(parts, "Power", unit="W")
    assert both.number == 2012.5
    assert list(both.inputs.values()) == parts
    assert set(both.inputs) == set(both.formula.symbols)
    assert (both.unit, both.label, both.formula.unit) == ("W", "Power", "W")


def test_one_part_keeps_where_it_comes_from():
    alone = total([watts(5.0)], "Power", unit="W")
    assert (alone.number, alone.label, alone.source, alone.grade) == (5.0, "Power", "a row", "seen")


def test_nothing_adds_to_nothing():
    assert total([], "Power", unit="W").number == 0.0


def test_an_unknown_part_makes_the_sum_unknown():
    assert not total([watts(5.0), watts(None)], "Power", unit="W").known


@pytest.mark.parametrize("count", [2, 3, 70])
def test_sums_of_arrays_are_those_of_their_members(count):
    values = np.random.default_rng(1).uniform(1, 9, (count, 4))
    arrays = total([watts(row) for row in values], "Power", unit="W").value
    singles = [total([watts(v) for v in column], "Power", unit="W").value for column in values.T]
    assert arrays.tolist() == singles
