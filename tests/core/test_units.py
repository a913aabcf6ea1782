"""Units: what is printed is what was meant, and what is typed is what was printed."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import PlannerError, nearest, shorten
from planner.core.quantity import Quantity
from planner.core.units import (
    THIN_SPACE,
    UNITS,
    counted,
    every,
    format_number,
    format_range,
    format_value,
    is_bare,
    parse_count,
    parse_value,
    sentence,
    sizes,
    unit_of_name,
)

TYPED = sorted(UNITS)
NUMBERS = st.floats(1e-6, 1e17)
FOR_EACH_UNIT = settings(max_examples=20)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (280e9, "bytes", "280 GB"),
        (1.4e12, "bytes", "1.4 TB"),
        (999_600_000, "bytes", "1 GB"),
        (999_400_000, "bytes", "999 MB"),
        (0.0, "bytes", "0 B"),
        (200e9 / 8, "bytes/s", "25 GB/s"),
        (1.6e12, "bits/s", "1.6 Tb/s"),
        (13.44e12, "bytes/day", "13.4 TB/day"),
        (4.9056e15, "bytes/year", "4.91 PB/year"),
        (30e-6, "s", "30 µs"),
        (90.0, "s", "1.5 min"),
        (59.0, "s", "59 s"),
        (59.96, "s", "60 s"),
        (59.999, "s", "1 min"),
        (1800.0, "s", "30 min"),
        (86_400.0, "s", "1 day"),
        (2 * 86_400.0, "s", "2 days"),
        (365 * 86_400.0, "s", "1 year"),
        (1.0, "days", "1 day"),
        (9.11e-9, "fraction", f"9.11{THIN_SPACE}×{THIN_SPACE}10⁻⁷ %"),
        (0.3, "fraction", "30 %"),
        (0.00001, "fraction", "0.001 %"),
        (17_000.0, "W", "17 kW"),
        (12_100.0, "USD", "$12.1k"),
        (-12_100.0, "USD", "-$12.1k"),
        (2_500_000.0, "USD/year", "$2.5M/year"),
        (350.0, "USD/TB", "$350/TB"),
        (24.87, "USD/TB/month", "$24.9/TB/month"),
        (1.25, "1", "1.25×"),
        (1000.0, "count", f"1{THIN_SPACE}000"),
        (3.0, "DWPD", "3 DWPD"),
        (math.nan, "bytes", "unknown"),
        (math.inf, "s", "unlimited"),
    ],
)
def test_a_value_is_printed_in_the_scale_that_people_read(value: float, unit: str, text: str) -> None:
    assert format_value(value, unit).replace("\u00a0", " ") == text


@pytest.mark.parametrize(
    ("value", "decimal", "binary"),
    [
        (2.0**30, "1.07 GB", "1 GiB"),
        (280e9, "280 GB", "261 GiB"),
        (1e12, "1 TB", "931 GiB"),
        (2.0**40, "1.1 TB", "1 TiB"),
        (1023.9, "1.02 KB", "1 KiB"),
    ],
)
def test_bytes_have_a_decimal_and_a_binary_form(value: float, decimal: str, binary: str) -> None:
    assert format_value(value, "bytes").replace("\u00a0", " ") == decimal
    assert format_value(value, "bytes", binary=True).replace("\u00a0", " ") == binary


def test_within_a_block_sizes_print_as_its_reader_asked() -> None:
    with sizes(binary=True):
        assert format_value(2.0**40, "bytes") == "1\u00a0TiB"
        assert format_range(2.0**40, 2.0**41, "bytes/s") == "1 to 2\u00a0TiB/s"
        assert str(Quantity(2.0**30, "bytes", "Size")) == "1\u00a0GiB"
        assert format_value(1e12, "bytes", binary=False) == "1\u00a0TB"
        assert format_value(60.0, "s") == "1\u00a0min"
        with sizes(binary=False):
            assert format_value(1e12, "bytes") == "1\u00a0TB"
        assert format_value(2.0**40, "bytes") == "1\u00a0TiB"
    assert format_value(1e12, "bytes") == "1\u00a0TB"


@pytest.mark.parametrize("unit", TYPED)
@FOR_EACH_UNIT
@given(value=NUMBERS)
def test_what_is_printed_in_full_is_read_back_as_it_was(unit: str, value: float) -> None:
    text = format_value(value, unit, digits=None)
    scales = {symbol: factor for factor, symbol in UNITS[unit].scales}
    symbol = text.rpartition("\u00a0")[2] if "\u00a0" in text else ""
    assert symbol == "" or symbol in scales
    typed = text.removesuffix("×")
    assert math.isclose(parse_value(typed, unit), value, rel_tol=1e-11, abs_tol=1.0 if value >= 1e12 else 0)


@pytest.mark.parametrize("unit", TYPED)
@FOR_EACH_UNIT
@given(value=NUMBERS)
def test_three_digits_are_read_back_to_three_digits(unit: str, value: float) -> None:
    typed = format_value(value, unit).removesuffix("×")
    assert math.isclose(parse_value(typed, unit), value, rel_tol=0.0051)


@given(value=st.floats(1.0, 1e17))
def test_binary_text_is_read_back_too(value: float) -> None:
    for unit in ("bytes", "bytes/s", "bytes/day", "bytes/year"):
        text = format_value(value, unit, digits=None, binary=True)
        assert math.isclose(parse_value(text, unit), value, rel_tol=1e-10)


@given(value=st.floats(0.01, 1e17))
def test_printing_never_changes_the_order(value: float) -> None:
    smaller = format_value(value, "bytes", digits=None)
    larger = format_value(value * 1.01, "bytes", digits=None)
    assert parse_value(smaller, "bytes") <= parse_value(larger, "bytes")


@given(value=st.floats(1e-3, 1e15), digits=st.integers(1, 8))
def test_a_number_keeps_its_significant_digits(value: float, digits: int) -> None:
    text = format_number(value, digits).replace(THIN_SPACE, "")
    assert math.isclose(float(text), value, rel_tol=0.5000001 * 10 ** (1 - digits))


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("280 GB", "bytes", 280e9),
        ("280GB", "bytes", 280e9),
        ("  1,024 GiB ", "bytes", 1024 * 2.0**30),
        ("1e3 tb", "bytes", 1e15),
        ("200 Gb/s", "bytes/s", 25e9),
        ("200 GB/s", "bytes/s", 200e9),
        ("30 min", "s", 1800.0),
        ("30m", "s", 1800.0),
        ("1h30", "s", 5400.0),
        ("1 h 30 min", "s", 5400.0),
        ("1H30M", "s", 5400.0),
        ("5m30", "s", 330.0),
        ("2 days 4 h", "s", 187_200.0),
        ("1 h 30 s", "s", 3630.0),
        ("2 days", "s", 172_800.0),
        ("15 us", "s", 15e-6),
        ("2 %", "fraction", 0.02),
        ("2 percent", "fraction", 0.02),
        ("17 kW", "W", 17_000.0),
        ("64", "count", 64.0),
        ("5.", "count", 5.0),
        ("5. GB", "bytes", 5e9),
        (".5 TB", "bytes", 5e11),
        ("1.5e3", "count", 1500.0),
        ("70\u202f553\u202f706\u202f496", "count", 70_553_706_496.0),
        ("-3", "count", -3.0),
        ("64k", "count", 64e3),
        ("405 M", "count", 405e6),
        ("8B", "count", 8e9),
        ("1.5 T", "count", 1.5e12),
        ("$310k", "USD", 310_000.0),
        ("-$1.5M", "USD", -1_500_000.0),
        ("$ 0.10", "USD/kWh", 0.10),
        ("$0.1/kWh", "USD/kWh", 0.10),
        ("0.1 $/kWh", "USD/kWh", 0.10),
        ("$2\u202f500k/year", "USD/year", 2.5e6),
        ("$3", "USD/h", 3.0),
    ],
)
def test_what_people_type_is_understood(text: str, unit: str, value: float) -> None:
    assert math.isclose(parse_value(text, unit), value, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("", "bytes", "is not a number"),
        ("many", "bytes", "is not a number"),
        ("nan", "bytes", "is not a number"),
        ("inf", "bytes", "is not a number"),
        ("1.2.3", "bytes", "is not a number"),
        ("1,5 TB", "bytes", "a point stands before decimals"),
        ("0,500 TB", "bytes", "a point stands before decimals"),
        ("1.024,5 GB", "bytes", "a point stands before decimals"),
        ("12,34", "USD", "a point stands before decimals"),
        ("30 s 5 min", "s", "is not known here"),
        ("5 h 1 000 s", "s", "is not known here"),
        ("1:30", "s", "is not a number; type one like “30 min”"),
        ("1 30 min", "s", "is not a number"),
        ("--5", "bytes", "is not a number"),
        ("280 GBs", "bytes", "unit “GBs” is not known"),
        ("200 gb/s", "bytes/s", "unit “gb/s” is not known"),
        ("5 kg", "s", "unit “kg” is not known"),
        ("1e999", "bytes", "too large"),
        ("1e308 TB", "bytes", "too large"),
        ("1\n2 <b>", "bytes", "is not a number"),
        ("3 drives", "count", "type the number alone"),
        ("$3", "bytes", "is not a number"),
        ("$3/day", "USD/kWh", "unit “$/day” is not known"),
        ("$", "USD", "is not a number"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(text: str, unit: str, said: str) -> None:
    with pytest.raises(PlannerError) as caught:
        parse_value(text, unit, field="storage.hot.usable_bytes")
    assert said in caught.value.message
    assert caught.value.message.startswith("storage.hot.usable_bytes: ")
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 400


@pytest.mark.parametrize("unit", ["s", "bytes", "bytes/s", "USD", "W"])
def test_an_unknown_unit_is_answered_with_each_scale_once(unit: str) -> None:
    with pytest.raises(PlannerError) as caught:
        parse_value("5 furlongs", unit, field="field")
    symbols = caught.value.message.partition("use one of ")[2].split(", ")
    factors = [parse_value(f"1 {symbol}", unit) for symbol in symbols]
    assert len(set(factors)) == len(symbols)
    assert {symbol for _, symbol in (*UNITS[unit].scales, *UNITS[unit].binary_scales)} <= set(symbols)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("1e3", "count", 1000),
        ("1,024", "count", 1024),
        ("1 024", "count", 1024),
        ("1\u202f024", "count", 1024),
        ("64.0", "count", 64),
        ("-3", "count", -3),
        ("9 KB", "bytes", 9000),
        ("48 U", "RU", 48),
    ],
)
def test_a_count_is_typed_like_every_other_number(text: str, unit: str, value: int) -> None:
    assert parse_count(text, unit) == value


@pytest.mark.parametrize(
    ("text", "low", "high", "said"),
    [
        ("32.5", 1, 144, "GPU nodes: “32.5” is not a whole number; the nearest are 32 and 33"),
        ("0.5", 1, None, "the nearest is 1"),
        ("144.5", None, 144, "the nearest is 144"),
    ],
)
def test_a_count_that_is_not_whole_is_refused_with_the_nearest(
    text: str, low: float | None, high: float | None, said: str
) -> None:
    with pytest.raises(PlannerError) as caught:
        parse_count(text, field="GPU nodes", low=low, high=high)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("low", "high", "unit", "text"),
    [
        (92e9, 148e9, "bytes/s", "92 to 148 GB/s"),
        (810e9, 1.62e12, "bytes", "810 GB to 1.62 TB"),
        (3.0, 3.0, "DWPD", "3 DWPD"),
        (12_100.0, 31_000.0, "USD", "$12.1k to $31k"),
        (10e-6, 30e-6, "s", "10 to 30 µs"),
    ],
)
def test_a_range_names_its_unit_once_where_both_ends_share_it(
    low: float, high: float, unit: str, text: str
) -> None:
    assert format_range(low, high, unit).replace("\u00a0", " ") == text


def test_each_suffix_belongs_to_one_unit() -> None:
    suffixes = [unit.suffix for unit in UNITS.values()]
    assert len(set(suffixes)) == len(suffixes)
    assert all(re.fullmatch(r"_[a-z0-9_]+", suffix) for suffix in suffixes)


@pytest.mark.parametrize("key", sorted(UNITS))
def test_a_name_with_the_suffix_of_a_unit_states_that_unit(key: str) -> None:
    suffix = UNITS[key].suffix
    assert unit_of_name(f"anything{suffix}") == key
    assert unit_of_name(suffix[1:]) == key


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("interval_s", "s"),
        ("write_bytes_per_s", "bytes/s"),
        ("fabric_bits_per_s", "bits/s"),
        ("saves_per_day", "per day"),
        ("daily_write_bytes_per_day", "bytes/day"),
        ("idle_usd_per_year", "USD/year"),
        ("failures_per_1000_gpu_days", "per 1,000 GPU-days"),
        ("name", ""),
        ("bandwidth", ""),
    ],
)
def test_the_longest_suffix_decides(name: str, unit: str) -> None:
    assert unit_of_name(name) == unit


@pytest.mark.parametrize("key", sorted(UNITS))
def test_scales_rise_and_one_of_them_is_the_planners_own(key: str) -> None:
    unit = UNITS[key]
    for scales in (unit.scales, unit.binary_scales):
        factors = [factor for factor, _ in scales]
        assert factors == sorted(set(factors))
        assert len({symbol for _, symbol in scales}) == len(scales)
    assert 1.0 in [factor for factor, _ in unit.scales] or key == "fraction"


def test_an_error_shows_a_long_or_dirty_value_on_one_line() -> None:
    assert shorten("a\nb\x00c") == "a b c"
    assert shorten("x" * 100, 10) == "x" * 9 + "…"
    assert nearest("sn560", ["sn5600", "sn4700"]) == "; did you mean sn5600?"
    assert nearest("zzz", ["sn5600"]) == ""


def test_a_bare_number_is_told_from_one_with_a_unit() -> None:
    assert [is_bare(text) for text in ("30", " 1,024.5 ", "30 s", "", "soon")] == [
        True,
        True,
        False,
        False,
        False,
    ]


@given(value=st.floats(1e-30, 1e-5))
def test_a_power_of_ten_reads_back(value: float) -> None:
    assert math.isclose(parse_value(format_value(value, "fraction"), "fraction"), value, rel_tol=0.0051)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one leaf pair", "One leaf pair"),
        ("a save takes 3 s", "A save takes 3 s"),
        ("num_workers = 4", "num_workers = 4"),
        ("fio: 3", "Fio: 3"),
        ("p99 is high", "p99 is high"),
        ("", ""),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_it_begins_with_code(text: str, said: str) -> None:
    assert sentence(text) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (3600.0, "every hour"),
        (1800.0, "every 30\u00a0min"),
        (86_400.0, "every day"),
        (5400.0, "every 1.5\u00a0h"),
    ],
)
def test_how_often(seconds: float, said: str) -> None:
    assert every(seconds) == said


@pytest.mark.parametrize(
    ("count", "said"),
    [(1.0, "1 drive"), (1.0004, "1 drive"), (0.9999, "1 drive"), (0.0, "0 drives"), (1.5, "1.5 drives")],
)
def test_one_thing_is_what_prints_as_one(count: float, said: str) -> None:
    assert counted(count, "drive") == said
