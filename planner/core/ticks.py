"""Ticks of an axis in people's units: round values from a start, times that people name, or powers of ten."""

from __future__ import annotations

import math

from planner.core.units import UNITS

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Distances between ticks, times a power of ten, that people read at sight."""
TIMES_S = (1e-3, 1e-2, 0.1, 1.0, 3.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0, 43_200.0, 86_400.0, 604_800.0)
"""Times that stand on an axis from a millisecond to a week."""


def linear_ticks(
    top: float, unit: str, *, low: float = 0.0, count: int = 4, binary: bool = False
) -> list[float]:
    """Round values from `low` to `top` in the scale that people read.

    Args:
        top: Largest value to show, in the planner's unit; anything that is not above `low` counts as 1 more.
        unit: Key of the unit.
        low: Where the axis begins.
        count: Intervals to aim for.
        binary: Sizes in GiB and TiB.
    """
    span = top - low if math.isfinite(top) and top > low else 1.0
    known = UNITS[unit]
    scales = known.binary_scales if binary and known.binary_scales else known.scales
    factor = max((f for f, _ in scales if f <= span), default=scales[0][0])
    raw = span / factor / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = factor * power * next(s for s in STEPS if s * power >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    more = math.floor((low + span - first * step) / step + 1e-9)
    return [step * (first + number) for number in range(more + 1)]


def log_ticks(low: float, high: float, unit: str, *, most: int) -> list[float]:
    """Values of a logarithmic axis: times that people name, or powers of ten.

    Args:
        low: Start of the axis, above 0.
        high: End of the axis, above the start.
        unit: Key of the unit.
        most: Ticks that fit; nearer ones are left out.
    """
    marks = TIMES_S if unit == "s" else tuple(10.0**power for power in range(-3, 16))
    gap = math.log10(high / low) / most
    kept: list[float] = []
    for value in marks:
        if low <= value <= high and (not kept or math.log10(value / kept[-1]) >= gap):
            kept.append(value)
    return kept
