"""What a feed carries, how many circuits a load takes, and how many racks the equipment fills by height and power."""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_CIRCUIT = "power rules, continuous load and circuits"
_RACK = "rules of the calculation, findings PWR-1 and PWR-2"


# --- circuits -----------------------------------------------------------------------------------------------


@formula(
    r"S = U\,I\,\sqrt{n_\varphi}\,c",
    unit="VA",
    label="Usable rating of a feed",
    source=_CIRCUIT,
    symbols={
        "feed_volts": "U",
        "feed_amps": "I",
        "phase_count": r"n_\varphi",
        "continuous_fraction": "c",
    },
    validity="1 or 3 phases",
)
def circuit_va(
    feed_volts: Number, *, feed_amps: Number, phase_count: Number, continuous_fraction: Number
) -> Number:
    """What a feed may carry continuously.

    Args:
        feed_volts: Voltage, line to line for three phases.
        feed_amps: Rating of the breaker.
        phase_count: 1 or 3.
        continuous_fraction: Share of the rating for continuous load: 0.8 in North America, else 1.

    Example:
        >>> round(float(circuit_va(208.0, feed_amps=30.0, phase_count=3.0, continuous_fraction=0.8)) / 1e3, 2)
        8.65
    """
    root: Number = np.sqrt(phase_count)
    return feed_volts * feed_amps * root * continuous_fraction


@formula(
    r"W = U\,I\,\sqrt{n_\varphi}\,c\,\cos\varphi",
    unit="W",
    label="Usable power of a feed",
    source=_CIRCUIT,
    symbols={
        "feed_volts": "U",
        "feed_amps": "I",
        "phase_count": r"n_\varphi",
        "continuous_fraction": "c",
        "power_factor_fraction": r"\cos\varphi",
    },
    validity="1 or 3 phases, evenly loaded",
)
def circuit_w(
    feed_volts: Number,
    *,
    feed_amps: Number,
    phase_count: Number,
    continuous_fraction: Number,
    power_factor_fraction: Number,
) -> Number:
    """Power that one feed may carry continuously; of a pair, one alone must carry the rack.

    Args:
        feed_volts: Voltage, line to line for three phases.
        feed_amps: Rating of the breaker.
        phase_count: 1 or 3.
        continuous_fraction: Share of the rating for continuous load.
        power_factor_fraction: Watts over volt-amperes: 0.95 to 0.99 for modern supplies.

    Example:
        >>> round(float(circuit_w(415.0, feed_amps=30.0, phase_count=3.0, continuous_fraction=0.8,
        ...     power_factor_fraction=0.95)))
        16389
    """
    root: Number = np.sqrt(phase_count)
    return feed_volts * feed_amps * root * continuous_fraction * power_factor_fraction


@formula(
    r"n = n_f \left\lceil W / W_c \right\rceil",
    unit="count",
    label="Circuits",
    source=_CIRCUIT,
    symbols={"load_w": "W", "circuit_w": "W_c", "feed_count": "n_f"},
    validity="each of the redundant feeds can carry the whole load",
)
def circuit_count(load_w: Number, *, circuit_w: Number, feed_count: Number) -> Number:
    """Circuits for a load on redundant feeds.

    Args:
        load_w: Largest power of the load.
        circuit_w: Usable power of one circuit.
        feed_count: 2 for A and B feeds, 1 for a single feed.

    Example:
        >>> float(circuit_count(20e3, circuit_w=8.2e3, feed_count=2))
        6.0
    """
    circuits: Number = elementwise.ceil(load_w / circuit_w - elementwise.TOLERANCE) * feed_count
    return circuits


# --- racks --------------------------------------------------------------------------------------------------


@formula(
    r"H = n\,h",
    unit="RU",
    label="Rack units of equal parts",
    source=_RACK,
    symbols={"part_count": "n", "part_ru": "h"},
)
def parts_ru(part_count: Number, *, part_ru: Number) -> Number:
    """Rack units of a number of equal parts.

    Args:
        part_count: Parts.
        part_ru: Height of one.

    Example:
        >>> float(parts_ru(12.0, part_ru=2))
        24.0
    """
    return part_count * part_ru


@formula(
    r"n = \max\!\left(\left\lceil \frac{H}{H_r - H_0} \right\rceil,"
    r"\ \left\lceil \frac{W}{W_r} \right\rceil\right)",
    unit="count",
    label="Racks",
    source=_RACK,
    symbols={
        "rack_units_ru": "H",
        "rack_height_ru": "H_r",
        "reserved_ru": "H_0",
        "load_w": "W",
        "rack_limit_w": "W_r",
    },
    validity="equipment spread evenly; see the units that fit in a rack for large ones",
)
def rack_count(
    rack_units_ru: Number,
    *,
    rack_height_ru: Number,
    reserved_ru: Number,
    load_w: Number,
    rack_limit_w: Number,
) -> Number:
    """Racks by height or by power, whichever is more.

    Args:
        rack_units_ru: Height of all equipment.
        rack_height_ru: Height of a rack.
        reserved_ru: Height kept for panels and management.
        load_w: Power of all equipment.
        rack_limit_w: Power that the site allows in a rack.

    Example:
        >>> float(rack_count(60.0, rack_height_ru=48, reserved_ru=4, load_w=40e3, rack_limit_w=17e3))
        3.0
    """
    by_height: Number = elementwise.ceil(
        rack_units_ru / (rack_height_ru - reserved_ru) - elementwise.TOLERANCE
    )
    by_power: Number = elementwise.ceil(load_w / rack_limit_w - elementwise.TOLERANCE)
    racks: Number = elementwise.maximum(by_height, by_power)
    return racks


@formula(
    r"W_r = W / n",
    unit="W",
    label="Power of a rack",
    source=_RACK,
    symbols={"load_w": "W", "rack_count": "n"},
    validity="equipment spread evenly",
)
def rack_share_w(load_w: Number, *, rack_count: Number) -> Number:
    """Power of one of several evenly filled racks.

    Args:
        load_w: Power of all equipment.
        rack_count: Racks.

    Example:
        >>> float(rack_share_w(40e3, rack_count=4))
        10000.0
    """
    return load_w / rack_count


@formula(
    r"W_r = \min(W_s,\ W_c)",
    unit="W",
    label="Power to fill a rack to",
    source="power rules, A+B feeds: the whole load must fit on one feed",
    symbols={"rack_limit_w": "W_s", "circuit_w": "W_c"},
)
def rack_budget_w(rack_limit_w: Number, *, circuit_w: Number) -> Number:
    """Power to which a rack is filled: the site's limit, or one feed alone if that is less.

    Args:
        rack_limit_w: What the site allows in a rack.
        circuit_w: What one feed may carry continuously.

    Example:
        >>> float(rack_budget_w(17e3, circuit_w=16.4e3))
        16400.0
    """
    return elementwise.minimum(rack_limit_w, circuit_w)


@formula(
    r"W = \max(W_t / N,\ W_1)",
    unit="W",
    label="Power of a rack, maximum",
    source=_RACK,
    symbols={"load_w": "W_t", "rack_count": "N", "unit_w": "W_1"},
    validity="equipment spread evenly; a unit is never split",
)
def rack_load_w(load_w: Number, *, rack_count: Number, unit_w: Number) -> Number:
    """Power of the fullest rack: an equal share, and at least the largest single unit.

    Args:
        load_w: Power of all equipment.
        rack_count: Racks.
        unit_w: Power of the largest unit.

    Example:
        >>> float(rack_load_w(30e3, rack_count=2.0, unit_w=1.6e3))
        15000.0
    """
    return elementwise.maximum(load_w / rack_count, unit_w)


@formula(
    r"W_f = W_1 \max\!\left(\left\lfloor W_r / W_1 \right\rfloor,\ 1\right)",
    unit="W",
    label="Power of a full rack",
    source=_RACK,
    symbols={"budget_w": "W_r", "unit_w": "W_1"},
    validity="units about as large as the largest one; smaller ones fill the gaps",
)
def rack_fill_w(budget_w: Number, *, unit_w: Number) -> Number:
    """Power that whole units fill in a rack: as many of the largest as the budget holds, at least one.

    Args:
        budget_w: Power to fill a rack to.
        unit_w: Power of the largest unit.

    Example:
        >>> float(rack_fill_w(4000.0, unit_w=2200.0))
        2200.0
    """
    whole = elementwise.maximum(
        elementwise.floor(budget_w / elementwise.maximum(unit_w, 1.0) + elementwise.TOLERANCE), 1.0
    )
    filled: Number = elementwise.where(unit_w < 1.0, budget_w, whole * unit_w)
    return filled
