"""Units: what the planner computes in, what people read and type, and the only way between them.

Inside, everything is bytes, bytes per second, seconds, watts, US dollars and fractions. At the edge
people's units are converted once, by the factors here. Sizes are decimal; binary units (GiB, TiB)
are shown where a user asks for them.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from planner.core.errors import PlannerError, shorten
from planner.core.tracing import UNKNOWN_TEXT, Traced, is_traced

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
GIGA, TERA = 1e9, 1e12

THIN_SPACE = "\u202f"
SMALLEST_PLAIN = 1e-4
"""Smaller numbers print as a power of ten."""
LARGEST_PLAIN = 1e21
"""So do numbers from here on: no figure of a design, and all zeros otherwise."""
FULL_DIGITS = 12
"""Digits of a number that is printed in full, below the thousands of billions."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = {raised: chr(plain) for plain, raised in _RAISED.items()}
_POWER = re.compile(r"\s*×\s*10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_WORD = re.compile(r"[a-z][a-z'-]*(?![\w=])")
_SINGULAR = {"days": "day", "years": "year"}


_binary_sizes: ContextVar[bool] = ContextVar("binary sizes", default=False)


def in_binary() -> bool:
    """Whether sizes print in GiB and TiB here."""
    return _binary_sizes.get()


@contextmanager
def sizes(*, binary: bool) -> Iterator[None]:
    """Within the block, sizes print in GiB and TiB, or decimal, wherever it is not said otherwise.

    A plan's sentences are made while it is computed; this is how a reader's choice of units reaches them.
    """
    token = _binary_sizes.set(binary)
    try:
        yield
    finally:
        _binary_sizes.reset(token)


def scalar(value: Number) -> float:
    """One number out of a formula's result, which may be a numpy scalar, or out of a count."""
    kind: object = value.__class__
    return value if kind is Traced else float(value)  # type: ignore[return-value]


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
        Unit("bytes", "_bytes", _bytes_scales(""), _binary_scales(""), ((1.0, "bytes"),)),
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
        Unit("USD/month", "_usd_per_month", ((1.0, "$/month"), (1e3, "$k/month"))),
        Unit("USD/TB", "_usd_per_tb", ((1.0, "$/TB"),)),
        Unit("USD/TB/month", "_usd_per_tb_month", ((1.0, "$/TB/month"),)),
        Unit("USD/kWh", "_usd_per_kwh", ((1.0, "$/kWh"),)),
        Unit("USD/h", "_usd_per_hour", ((1.0, "$/h"),)),
        Unit("USD/kW/month", "_usd_per_kw_month", ((1.0, "$/kW/month"),)),
        Unit("fraction", "_fraction", ((0.01, "%"),), (), ((0.01, "percent"),)),
        Unit("1", "_ratio", ((1.0, "×"),)),
        Unit("count", "_count", ((1.0, ""),), (), ((1e3, "k"), (1e6, "M"), (1e9, "B"), (1e12, "T"))),
        Unit("per day", "_per_day", ((1.0, "/day"),)),
        Unit("per 1,000 GPU-days", "_per_1000_gpu_days", ((1.0, "per 1,000 GPU-days"),)),
        Unit("per s", "_per_s", ((1.0, "/s"), (1e3, "k/s"), (1e6, "M/s"))),
        Unit("DWPD", "_dwpd", ((1.0, "DWPD"),)),
        Unit("FLOP/s", "_flops", ((1.0, "FLOP/s"), (1e12, "TFLOP/s"), (1e15, "PFLOP/s"))),
        Unit("RU", "_ru", ((1.0, "U"),)),
        Unit("kg", "_kg", ((1.0, "kg"), (1e3, "t"))),
        Unit("kg/m2", "_kg_per_m2", ((1.0, "kg/m²"),)),
        Unit("BTU/h", "_btu_per_hour", ((1.0, "BTU/h"),)),
        Unit("tons", "_cooling_tons", ((1.0, "tons of cooling"),)),
        Unit("m3/h", "_m3_per_hour", ((1.0, "m³/h"),)),
        Unit("CFM", "_cfm", ((1.0, "CFM"),)),
        Unit("A", "_amps", ((1.0, "A"),)),
        Unit("V", "_volts", ((1.0, "V"),)),
        Unit("K", "_kelvin", ((1.0, "K"),)),
        Unit("°C", "_celsius", ((1.0, "°C"),)),
        Unit("m", "_m", ((1.0, "m"),)),
        Unit("days", "_days", ((1.0, "days"),), (), ((1.0, "day"),)),
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


def words_of_name(name: str) -> str:
    """A name without the unit that its end states, in words: "drain" for `drain_s`."""
    unit = unit_of_name(name)
    return name.removesuffix(UNITS[unit].suffix if unit else "").replace("_", " ")


def format_number(value: float, digits: int | None = 3) -> str:
    """A plain number with thin thousands separators.

    Args:
        value: The number; an infinite or undefined one prints as "unlimited" or "unknown".
        digits: Significant digits to keep, or None for all that the number has. The digits before
            the decimal point are never rounded away.
    """
    if is_traced(value):
        return UNKNOWN_TEXT
    if math.isnan(value) or math.isinf(value):
        return "unknown" if math.isnan(value) else "unlimited"
    small = digits is not None and 0 < abs(value) < SMALLEST_PLAIN
    if small or abs(value) >= LARGEST_PLAIN:
        return _power_of_ten(value, digits or FULL_DIGITS)
    if digits is None:
        text = f"{value:,.{FULL_DIGITS}g}" if abs(value) < 1e12 else f"{value:,.0f}"
        return _thin(text)
    if value == 0:
        return "0"
    whole = math.floor(math.log10(abs(value))) + 1
    decimals = max(digits - whole, 0)
    text = f"{value:,.{decimals}f}"
    return _thin(text.rstrip("0").rstrip(".") if "." in text else text)


def _power_of_ten(value: float, digits: int) -> str:
    part, _, power = f"{value:.{digits - 1}e}".partition("e")
    part = part.rstrip("0").rstrip(".") if "." in part else part
    return f"{part}{THIN_SPACE}×{THIN_SPACE}10{str(int(power)).translate(_RAISED)}"


def _thin(text: str) -> str:
    return text.replace(",", THIN_SPACE)


def counted(count: float, word: str) -> str:
    """How many of a thing, in words: "1 path", "3 paths"."""
    if is_traced(count):
        return UNKNOWN_TEXT
    number = format_number(count)
    return f"{number} {word}" if number == "1" else f"{number} {word}s"


def every(seconds: float) -> str:
    """How often something is done, in words: "every hour", "every 30 min"."""
    if is_traced(seconds):
        return f"every {UNKNOWN_TEXT}"
    number, _, symbol = format_value(seconds, "s").partition("\u00a0")
    words = {"s": "second", "min": "minute", "h": "hour", "day": "day", "year": "year"}
    return f"every {words[symbol]}" if number == "1" and symbol in words else f"every {number}\u00a0{symbol}"


def sentence(text: str) -> str:
    """A text as it begins a sentence: with a capital, unless it begins with a name of code (num_workers)."""
    return text[:1].upper() + text[1:] if _WORD.match(text) else text


def format_value(value: float, unit: str, *, digits: int | None = 3, binary: bool | None = None) -> str:
    """A value with its unit, in the scale that people read: "988 GB", "43.1 GB/s", "$310k".

    Args:
        value: Number in the planner's own unit.
        unit: Key of that unit in `UNITS`.
        digits: Significant digits, or None for full precision.
        binary: Use binary scales (GiB) where the unit has them; None is what the `sizes` around it says.
    """
    if is_traced(value):
        return UNKNOWN_TEXT
    known = UNITS[unit]
    if math.isnan(value) or math.isinf(value):
        return format_number(value, digits)
    factor, symbol = _scale(value, _scales(known, binary), digits)
    if symbol.startswith("$"):
        return _money(value / factor, symbol, digits)
    number = format_number(value / factor, digits)
    if symbol in ("", "×"):
        return number + symbol
    symbol = _SINGULAR.get(symbol, symbol) if number == "1" else symbol
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
        # Only what is nearly one can round to it.
        if share >= 1 or (share > 0.9 and digits is not None and float(f"{share:.{digits}g}") >= 1):
            chosen = scale
    return chosen


def _scales(unit: Unit, binary: bool | None) -> tuple[tuple[float, str], ...]:
    """The scales of a unit that a reader asked for."""
    if not unit.binary_scales:
        return unit.scales
    return unit.binary_scales if (_binary_sizes.get() if binary is None else binary) else unit.scales


def format_range(
    low: float, high: float, unit: str, *, digits: int | None = 3, binary: bool | None = None
) -> str:
    """A range as "92 to 148 GB/s"; one value if both ends print alike."""
    if is_traced(low) or is_traced(high):
        return UNKNOWN_TEXT
    first = format_value(low, unit, digits=digits, binary=binary)
    last = format_value(high, unit, digits=digits, binary=binary)
    if first == last:
        return first
    scales = _scales(UNITS[unit], binary)
    if not first.startswith("$") and _scale(low, scales, digits) == _scale(high, scales, digits):
        first = first.partition("\u00a0")[0]
    return f"{first} to {last}"


_SEPARATORS = r"[\s\u202f\u00a0',_]"
_NUMBER = rf"[-+]?(?:(?:[1-9]\d{{0,2}}(?:{_SEPARATORS}\d{{3}})+(?!\d)|\d+)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
"""Digits plain or in groups of three. Other groups are refused: "1,5" is one and a half to many, not 15."""
_TYPED = re.compile(rf"\s*({_NUMBER})\s*([^\d\s.,:'_].*?)?\s*", re.DOTALL)
_MONEY = re.compile(rf"\s*([-+]?)\s*\$\s*({_NUMBER})\s*(.*)", re.DOTALL)
"""An amount as it is printed, with the sign in front: "$310k/year"."""
_TIME_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-zµ]*)\s*", re.IGNORECASE)
_MISGROUPED = re.compile(r"\s*[-+]?\d[\d.,' _\u202f\u00a0]*[,'_][\d.,' _\u202f\u00a0]*")
_EXAMPLES = {"s": "30 min", "count": "1024", "fraction": "2 %"}


def parse_value(text: str, unit: str, *, field: str = "value") -> float:
    """The number that a person typed, in the planner's unit: "280 GB" gives 280e9 bytes.

    A time may have several parts, the largest first: "1 h 30 min", "1h30". `m` is minutes there, because
    nothing is measured in months.

    Args:
        text: What was typed; a bare number is taken in the planner's own unit.
        unit: Key of the unit that the field holds.
        field: Name of the field, for the error line.

    Raises:
        PlannerError: The text is no finite number or its unit is not one of this field's.
    """
    known = UNITS[unit]
    typed = _POWER.sub(lambda match: "e" + match.group(1).translate(_LOWERED), text[:200])
    if unit == "s" and (parts := _time_parts(typed)) is not None:
        return parts
    if unit.startswith("USD"):
        typed = _MONEY.sub(r"\1\2 $\3", typed)
    match = _TYPED.fullmatch(typed)
    if match is None:
        raise PlannerError(_no_number(text, known, field), field=field)
    number = float(re.sub(_SEPARATORS, "", match.group(1)))
    symbol = match.group(2)
    factor = 1.0 if symbol is None else _factor(known, symbol)
    if factor is None:
        choices = ", ".join(_symbols(known))
        told = f"use one of {choices}" if choices else "type the number alone"
        if unit == "count":
            told = f"type the number alone, or with one of {choices} (70B)"
        raise PlannerError(f"{field}: unit “{shorten(symbol, 20)}” is not known here; {told}", field=field)
    if not math.isfinite(number * factor):
        raise PlannerError(f"{field}: “{shorten(text)}” is too large to be a number", field=field)
    return number * factor


def is_bare(text: str) -> bool:
    """Whether a text is a number without any unit, which `parse_value` takes in the planner's own."""
    match = _TYPED.fullmatch(text[:200])
    return match is not None and match.group(2) is None


def parse_count(
    text: str,
    unit: str = "count",
    *,
    field: str = "value",
    low: float | None = None,
    high: float | None = None,
) -> int:
    """The whole number that a person typed: "1,024" and "1e3" give 1024 and 1000.

    Args:
        text: What was typed.
        unit: Key of the unit that the field holds.
        field: Name of the field, for the error line.
        low: Smallest allowed number, if there is one.
        high: Largest allowed number, if there is one.

    Raises:
        PlannerError: As `parse_value`, or the number is not whole; the line names the nearest that are allowed.
    """
    value = parse_value(text, unit, field=field)
    if value == math.floor(value):
        return int(value)
    near = [
        format_value(float(end), unit, digits=None)
        for end in (math.floor(value), math.ceil(value))
        if (low is None or end >= low) and (high is None or end <= high)
    ]
    told = (
        f"the nearest {'is' if len(near) == 1 else 'are'} {' and '.join(near)}" if near else "use one that is"
    )
    raise PlannerError(f"{field}: “{shorten(text)}” is not a whole number; {told}", field=field)


def _no_number(text: str, unit: Unit, field: str) -> str:
    if _MISGROUPED.match(text[:200]):
        return (
            f"{field}: “{shorten(text)}” is not a number; a point stands before decimals (1.5), "
            "a comma or a blank only before each three digits (1,024)"
        )
    return f"{field}: “{shorten(text)}” is not a number; type one like “{_example(unit)}”"


def _factor(unit: Unit, symbol: str) -> float | None:
    factors = {name: factor for factor, name in (*unit.scales, *unit.binary_scales, *unit.parsed)}
    if unit.key.startswith("USD"):
        factors["$"] = 1.0
    if symbol in factors or unit.key in ("bytes/s", "bits/s"):  # where b and B, m and M differ
        return factors.get(symbol)
    return {name.casefold(): factor for name, factor in factors.items()}.get(symbol.casefold())


def _symbols(unit: Unit) -> list[str]:
    """Symbols of the unit's scales, one for each scale: what else is understood says the same again."""
    named: dict[float, str] = {}
    for factor, symbol in (*unit.scales, *unit.binary_scales, *unit.parsed):
        if symbol:
            named.setdefault(factor, symbol)
    return list(named.values())


def _time_parts(text: str) -> float | None:
    """Seconds of a time in several parts, each smaller than the one before; None if it is none such.

    A last number alone is in the unit below: "1h30" is an hour and 30 minutes, "5m30" 5 minutes and 30 seconds.
    """
    parts = _TIME_PART.findall(text)
    if len(parts) < 2 or _TIME_PART.sub("", text) or not all(symbol for _, symbol in parts[:-1]):
        return None
    total, last = 0.0, math.inf
    for number, symbol in parts:
        factor = _factor(UNITS["s"], symbol) if symbol else {HOUR_S: MINUTE_S, MINUTE_S: 1.0}.get(last)
        if factor is None or factor >= last:
            return None
        total, last = total + float(number) * factor, factor
    return total


def _example(unit: Unit) -> str:
    scale = unit.scales[min(len(unit.scales) - 1, 3)]
    return _EXAMPLES.get(unit.key) or f"280 {scale[1]}".strip()
