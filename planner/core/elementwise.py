"""Choices between numbers, one by one: as fast as Python's own for floats, numpy's for arrays.

A plan is hundreds of formulas on single numbers. numpy takes ten times as long over one number as
Python does, and hands back a numpy scalar that slows everything computed from it. These functions
give the same values, not-a-number included, for either kind of argument.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planner.core.units import Number

TOLERANCE = 1e-9
"""By how much a quotient may miss a whole number for rounding alone: it must not cost one part more, nor lose one."""


def maximum(first: Number, second: Number) -> Number:
    """The larger of two; what is unknown stays unknown.

    Example:
        >>> maximum(1.0, 2.0)
        2.0
        >>> maximum(np.array([1.0, 5.0]), 2.0).tolist()
        [2.0, 5.0]
    """
    if first.__class__ is float and second.__class__ is float:
        # A number is equal to itself unless it is NaN.
        return first if first >= second or first != first else second  # noqa: PLR0124
    larger: Number = np.maximum(first, second)
    return larger


def minimum(first: Number, second: Number) -> Number:
    """The smaller of two; what is unknown stays unknown.

    Example:
        >>> minimum(1.0, 2.0)
        1.0
    """
    if first.__class__ is float and second.__class__ is float:
        return first if first <= second or first != first else second  # noqa: PLR0124
    smaller: Number = np.minimum(first, second)
    return smaller


def known_maximum(first: Number, second: Number) -> Number:
    """The larger of those that are known; unknown only if both are.

    Example:
        >>> known_maximum(1.0, float("nan"))
        1.0
    """
    if first.__class__ is float and second.__class__ is float:
        return first if first >= second or second != second else second  # noqa: PLR0124
    larger: Number = np.fmax(first, second)
    return larger


def known_minimum(first: Number, second: Number) -> Number:
    """The smaller of those that are known; unknown only if both are.

    Example:
        >>> known_minimum(float("nan"), 3.0)
        3.0
    """
    if first.__class__ is float and second.__class__ is float:
        return first if first <= second or second != second else second  # noqa: PLR0124
    smaller: Number = np.fmin(first, second)
    return smaller


def ceil(value: Number) -> Number:
    """The next whole number at or above.

    Example:
        >>> ceil(1.2)
        2.0
    """
    if value.__class__ is float:
        return float(math.ceil(value)) if math.isfinite(value) else value
    whole: Number = np.ceil(value)
    return whole


def floor(value: Number) -> Number:
    """The next whole number at or below.

    Example:
        >>> floor(1.8)
        1.0
    """
    if value.__class__ is float:
        return float(math.floor(value)) if math.isfinite(value) else value
    whole: Number = np.floor(value)
    return whole


def where(condition: bool | NDArray[np.bool_], first: Number, second: Number) -> Number:
    """The first where the condition holds, the second elsewhere.

    Example:
        >>> where(2.0 > 1.0, 5.0, 6.0)
        5.0
    """
    if condition.__class__ is bool and first.__class__ is float and second.__class__ is float:
        return first if condition else second
    chosen: Number = np.where(condition, first, second)[()]
    return chosen


def either(
    condition: bool | NDArray[np.bool_], first: Callable[[], Number], second: Callable[[], Number]
) -> Number:
    """The first where the condition holds, the second elsewhere; for one number only the one that counts is computed.

    Example:
        >>> either(2.0 > 1.0, lambda: 5.0, lambda: 6.0)
        5.0
        >>> either(np.array([True, False]), lambda: 5.0, lambda: 6.0).tolist()
        [5.0, 6.0]
    """
    if not isinstance(condition, np.ndarray):
        return first() if condition else second()
    chosen: Number = np.where(condition, first(), second())
    return chosen
