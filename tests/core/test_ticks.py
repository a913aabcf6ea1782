"""Ticks are round, even, few and inside the axis."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.ticks import linear_ticks, log_ticks
from planner.core.units import TIB, format_value


@given(
    st.floats(1e-3, 1e20), st.floats(0.0, 0.99), st.sampled_from(["bytes", "bytes/s", "s", "W", "USD"]), st.booleans()
)  # fmt: skip
def test_linear_ticks_are_even_and_leave_no_end_without_one(top, share, unit, binary):
    low = top * share
    values = linear_ticks(top, unit, low=low, binary=binary)
    steps = [after - before for before, after in itertools.pairwise(values)]
    assert steps == pytest.approx([steps[0]] * len(steps), rel=1e-3)
    slack = steps[0] * 1e-3
    assert -slack <= values[0] - low < steps[0] + slack
    assert -slack <= top - values[-1] < steps[0] + slack


@pytest.mark.parametrize(
    ("top", "unit", "binary", "texts"),
    [
        (17_000.0, "W", False, ["0 W", "5 kW", "10 kW", "15 kW"]),
        (3.2e15, "bytes", False, ["0 B", "1 PB", "2 PB", "3 PB"]),
        (4 * TIB, "bytes", True, ["0 B", "1 TiB", "2 TiB", "3 TiB", "4 TiB"]),
    ],
)
def test_linear_ticks_are_round_in_the_scale_that_people_read(top, unit, binary, texts):
    told = [format_value(value, unit, binary=binary) for value in linear_ticks(top, unit, binary=binary)]
    assert [text.replace("\u00a0", " ") for text in told] == texts


@pytest.mark.parametrize("top", [math.nan, math.inf, 0.0, -1.0])
def test_an_axis_without_a_largest_value_goes_to_one(top):
    assert linear_ticks(top, "USD") == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_log_ticks_are_times_that_people_name_and_powers_of_ten():
    assert log_ticks(20.0, 90_000.0, "s", most=7) == [30.0, 300.0, 1800.0, 7200.0, 43_200.0]
    assert log_ticks(5.0, 2e6, "USD", most=7) == [10.0, 100.0, 1e3, 1e4, 1e5, 1e6]


@pytest.mark.parametrize(("low", "top"), [(1e9, 1e9 + 4), (1e16, 1e16 + 2)])
def test_a_narrow_axis_far_from_zero_has_few_ticks_and_none_beyond_it(low, top):
    values = linear_ticks(top, "count", low=low)
    assert len(values) <= 10
    assert low <= values[0] <= values[-1] <= top
