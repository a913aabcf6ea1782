"""Units: what the planner computes in, what people read and type, and the only way between them.

Inside, everything is bytes, bytes per second, seconds, watts, US dollars and fractions. At the edge
people's units are converted once, by the factors here. Sizes are decimal; binary units (GiB, TiB)
are shown where a user asks for them.
"""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from planner.core.errors import PlannerError, shorten

Number: TypeAlias = float | NDArray[np.float64]

KB, MB, GB, TB, PB, EB = 1e3, 1e6, 1e9, 1e12, 1e15, 1e18
KIB, MIB, GIB, TIB, PIB, EIB = 2.0**10, 2.0**20, 2.0**30, 2.0**40, 2.0**50, 2.0**60
MINUTE_S, HOUR_S, DAY_S = 60.0, 3600.0, 86_400.0
YEAR_S = 365 * DAY_S
"""The year of a warranty, an endurance rating and a price: 365 days."""
FAILURE_YEAR_HOURS = 8766.0
"""The year of an annual failure rate: 365.25 days."""
BITS_PER_BYTE = 8.0
GBIT_PER_S = 1e9 / BITS_PER_BYTE
"""Bytes per second that one gigabit per second carries."""
US = 1e-6
KW = 1e3
GIGA, MEGA, KILO, TERA = 1e9, 1e6, 1e3, 1e12

THIN_SPACE = "\u202f"
SMALLEST_PLAIN = 1e-4
"""Smaller numbers print with an exponent."""


def scalar(value: Number) -> float:
    """One number out of a formula's result, which may be a numpy scalar."""
    return float(value)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit inside the planner, and the scales in which people read it.

    Attributes:
        key: Name of the unit as results carry it.
        suffix: End of every name that holds a number in this unit.
        scales: Pairs of factor and symbol, smallest first.
        binary_scales: The same for a reader who asked for binary units; empty where there are none.
        parsed: Further symbols that people type, with their factors.
    """

    key: str
    suffix: str
    scales: tuple[tuple[float, str], ...]
    binary_scales: tuple[tuple[float, str], ...] = ()
    parsed: tuple[tuple[float, str], ...] = ()


def _bytes_scales(per: str) -> tuple[tuple[float, str], ...]:
    symbols = zip((1.0, KB, MB, GB, TB, PB, EB), ("B", "KB", "MB", "GB", "TB", "PB", "EB"), strict=True)
    return tuple((factor, symbol + per) for factor, symbol in symbols)


def _binary_scales(per: str) -> tuple[tuple[float, str], ...]:
    symbols = zip(
        (1.0, KIB, MIB, GIB, TIB, PIB, EIB), ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"), strict=True
    )
    return tuple((factor, symbol + per) for factor, symbol in symbols)


_TIME = (
    (1e-9, "ns"),
    (1e-6, "µs"),
    (1e-3, "ms"),
    (1.0, "s"),
    (MINUTE_S, "min"),
    (HOUR_S, "h"),
    (DAY_S, "days"),
    (YEAR_S, "years"),
)
_BITS = ((1.0, "b/s"), (1e3, "kb/s"), (1e6, "Mb/s"), (1e9, "Gb/s"), (1e12, "Tb/s"))

UNITS: dict[str, Unit] = {
    unit.key: unit
    for unit in (
        Unit("bytes", "_bytes", _bytes_scales(""), _binary_scales("")),
        Unit(
            "bytes/s",
            "_bytes_per_s",
            _bytes_scales("/s"),
            _binary_scales("/s"),
            tuple((factor / BITS_PER_BYTE, symbol) for factor, symbol in _BITS),
        ),
        Unit("bytes/day", "_bytes_per_day", _bytes_scales("/day"), _binary_scales("/day")),
        Unit("bytes/year", "_bytes_per_year", _bytes_scales("/year"), _binary_scales("/year")),
        Unit("bits/s", "_bits_per_s", _BITS),
        Unit(
            "s",
            "_s",
            _TIME,
            (),
            (
                (1e-6, "us"),
                (1.0, "sec"),
                (MINUTE_S, "m"),
                (MINUTE_S, "minutes"),
                (HOUR_S, "hours"),
                (DAY_S, "d"),
                (DAY_S, "day"),
                (YEAR_S, "y"),
                (YEAR_S, "year"),
            ),
        ),
        Unit("W", "_w", ((1.0, "W"), (KW, "kW"), (1e6, "MW"))),
        Unit("VA", "_va", ((1.0, "VA"), (1e3, "kVA"), (1e6, "MVA"))),
        Unit("kWh/year", "_kwh_per_year", ((1.0, "kWh/year"), (1e3, "MWh/year"), (1e6, "GWh/year"))),
        Unit("USD", "_usd", ((1.0, "$"), (1e3, "$k"), (1e6, "$M"), (1e9, "$B"))),
        Unit("USD/year", "_usd_per_year", ((1.0, "$/year"), (1e3, "$k/year"), (1e6, "$M/year"))),
        Unit("USD/TB", "_usd_per_tb", ((1.0, "$/TB"),)),
        Unit("USD/kWh", "_usd_per_kwh", ((1.0, "$/kWh"),)),
        Unit("USD/h", "_usd_per_hour", ((1.0, "$/h"),)),
        Unit("USD/kW/month", "_usd_per_kw_month", ((1.0, "$/kW/month"),)),
        Unit("fraction", "_fraction", ((0.01, "%"),), (), ((0.01, "percent"),)),
        Unit("1", "_ratio", ((1.0, "×"),)),
        Unit("count", "_count", ((1.0, ""),)),
        Unit("per day", "_per_day", ((1.0, "/day"),)),
        Unit("per 1,000 GPU-days", "_per_1000_gpu_days", ((1.0, "per 1,000 GPU-days"),)),
        Unit("per s", "_per_s", ((1.0, "/s"), (1e3, "k/s"), (1e6, "M/s"))),
        Unit("DWPD", "_dwpd", ((1.0, "DWPD"),)),
        Unit("FLOP/s", "_flops", ((1.0, "FLOP/s"), (1e12, "TFLOP/s"), (1e15, "PFLOP/s"))),
        Unit("RU", "_ru", ((1.0, "U"),)),
        Unit("kg", "_kg", ((1.0, "kg"), (1e3, "t"))),
        Unit("BTU/h", "_btu_per_hour", ((1.0, "BTU/h"),)),
        Unit("tons", "_cooling_tons", ((1.0, "tons of cooling"),)),
        Unit("m3/h", "_m3_per_hour", ((1.0, "m³/h"),)),
        Unit("CFM", "_cfm", ((1.0, "CFM"),)),
        Unit("A", "_amps", ((1.0, "A"),)),
        Unit("V", "_volts", ((1.0, "V"),)),
        Unit("K", "_kelvin", ((1.0, "K"),)),
        Unit("°C", "_celsius", ((1.0, "°C"),)),
        Unit("m", "_m", ((1.0, "m"),)),
        Unit("days", "_days", ((1.0, "days"),)),
    )
}
_BY_SUFFIX = sorted(UNITS.values(), key=lambda unit: -len(unit.suffix))


@functools.cache
def unit_of_name(name: str) -> str:
    """Key of the unit that the end of `name` states; empty if it states none."""
    for unit in _BY_SUFFIX:
        if name.endswith(unit.suffix) or name == unit.suffix[1:]:
            return unit.key
    return ""


def format_number(value: float, digits: int | None = 3) -> str:
    """A plain number with thin thousands separators.

    Args:
        value: The number; an infinite or undefined one prints as "unlimited" or "unknown".
        digits: Significant digits to keep, or None for all that the number has. The digits before
            the decimal point are never rounded away.
    """
    if math.isnan(value):
        return "unknown"
    if math.isinf(value):
        return "unlimited"
    if digits is None:
        text = f"{value:,.12g}" if abs(value) < 1e12 else f"{value:,.0f}"
        return _thin(text)
    if value == 0:
        return "0"
    if abs(value) < SMALLEST_PLAIN:
        return f"{value:.{digits - 1}e}"
    whole = math.floor(math.log10(abs(value))) + 1
    decimals = max(digits - whole, 0)
    text = f"{value:,.{decimals}f}"
    return _thin(text.rstrip("0").rstrip(".") if "." in text else text)


def _thin(text: str) -> str:
    return text.replace(",", THIN_SPACE)


def counted(count: float, word: str) -> str:
    """How many of a thing, in words: "1 path", "3 paths"."""
    return f"{format_number(count)} {word}" + ("" if count == 1 else "s")


def format_value(value: float, unit: str, *, digits: int | None = 3, binary: bool = False) -> str:
    """A value with its unit, in the scale that people read: "988 GB", "43.1 GB/s", "$310k".

    Args:
        value: Number in the planner's own unit.
        unit: Key of that unit in `UNITS`.
        digits: Significant digits, or None for full precision.
        binary: Use binary scales (GiB) where the unit has them.
    """
    known = UNITS[unit]
    if math.isnan(value) or math.isinf(value):
        return format_number(value, digits)
    factor, symbol = _scale(
        value, known.binary_scales if binary and known.binary_scales else known.scales, digits
    )
    if symbol.startswith("$"):
        return _money(value / factor, symbol, digits)
    number = format_number(value / factor, digits)
    if symbol in ("", "×"):
        return number + symbol
    return f"{number}\u00a0{symbol}"


def _money(value: float, symbol: str, digits: int | None) -> str:
    scale, slash, per = symbol[1:].partition("/")
    return f"{'-' if value < 0 else ''}${format_number(abs(value), digits)}{scale}{slash}{per}"


def _scale(value: float, scales: tuple[tuple[float, str], ...], digits: int | None) -> tuple[float, str]:
    """The largest scale in which the value, as it will be rounded there, is at least one."""
    size = abs(value)
    chosen = scales[0]
    if size == 0:
        return next((s for s in scales if s[0] == 1.0), chosen)
    for scale in scales:
        share = size / scale[0]
        if share >= 1 or (digits is not None and float(f"{share:.{digits}g}") >= 1):
            chosen = scale
    return chosen


def format_range(low: float, high: float, unit: str, *, digits: int | None = 3, binary: bool = False) -> str:
    """A range as "92 to 148 GB/s"; one value if both ends print alike."""
    first = format_value(low, unit, digits=digits, binary=binary)
    last = format_value(high, unit, digits=digits, binary=binary)
    if first == last:
        return first
    known = UNITS[unit]
    scales = known.binary_scales if binary and known.binary_scales else known.scales
    if not first.startswith("$") and _scale(low, scales, digits) == _scale(high, scales, digits):
        first = first.partition("\u00a0")[0]
    return f"{first} to {last}"


_TYPED = re.compile(
    r"^\s*([-+]?\d+\.(?!\d)|[-+]?[\d\s\u202f\u00a0',_]*\.?\d+(?:[eE][-+]?\d+)?)\s*(\S.*?)?\s*$"
)


_MONEY = re.compile(r"^\s*([-+]?)\s*\$\s*([\d\s\u202f\u00a0',_]*\.?\d+(?:[eE][-+]?\d+)?)\s*(.*)$")
"""An amount as it is printed, with the sign in front: "$310k/year"."""


def parse_value(text: str, unit: str, *, field: str = "value") -> float:
    """The number that a person typed, in the planner's unit: "280 GB" gives 280e9 bytes.

    Args:
        text: What was typed; a bare number is taken in the planner's own unit.
        unit: Key of the unit that the field holds.
        field: Name of the field, for the error line.

    Raises:
        PlannerError: The text is no finite number or its unit is not one of this field's.
    """
    known = UNITS[unit]
    factors = {symbol: factor for factor, symbol in (*known.scales, *known.binary_scales, *known.parsed)}
    if unit.startswith("USD"):
        factors["$"] = 1.0
        text = _MONEY.sub(r"\1\2 $\3", text[:200])
    match = _TYPED.match(text[:200])
    if match is None:
        raise PlannerError(
            f"{field}: “{shorten(text)}” is not a number; type one like “{_example(known)}”", field=field
        )
    number = float(re.sub(r"[\s\u202f\u00a0',_]", "", match.group(1)))
    symbol = match.group(2)
    if not math.isfinite(number):
        raise PlannerError(f"{field}: “{shorten(text)}” is too large to be a number", field=field)
    if symbol is None:
        return number
    folded = {name.casefold(): factor for name, factor in factors.items()}
    factor = factors.get(symbol) or (None if unit in ("bytes/s", "bits/s") else folded.get(symbol.casefold()))
    if factor is None:
        choices = ", ".join(name for name in factors if name)
        raise PlannerError(
            f"{field}: unit “{shorten(symbol, 20)}” is not known here; "
            + (f"use one of {choices}" if choices else "type the number alone"),
            field=field,
        )
    return number * factor


def _example(unit: Unit) -> str:
    scale = unit.scales[min(len(unit.scales) - 1, 3)]
    return f"280 {scale[1]}".strip()
