"""What is kept of measurements comes back as it was; what is damaged is refused in one line."""

from __future__ import annotations

import json
import random
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import PlannerError
from planner.telemetry import read_measurements
from planner.telemetry.kept import free_name, gathered, readings_json, readings_of

SAMPLES = Path(__file__).parent / "samples"
READINGS = {
    name: read_measurements(SAMPLES / name)
    for name in ("fio_3.33_client_server.json", "nvme_smart-log_2.3_failing.json", "ior_4.1_summary.json")
}
TEXT = readings_json(READINGS)


def test_they_come_back_as_they_were() -> None:
    assert readings_of(TEXT) == READINGS
    assert list(readings_of(TEXT)) == list(READINGS)


def test_nothing_is_not_kept() -> None:
    with pytest.raises(PlannerError, match="no figure was read"):
        readings_json({"n": read_measurements(SAMPLES / "smartctl_7.3_no_device.json")})


def test_too_many_are_refused() -> None:
    one = READINGS["fio_3.33_client_server.json"]
    many = {f"{n}.json": one for n in range(20_000 // len(one.records) + 1)}
    with pytest.raises(PlannerError, match="at most 20,000 are kept together"):
        readings_json(many)


def test_a_newer_form_is_refused() -> None:
    content = json.loads(TEXT)
    content["format"] = 2
    with pytest.raises(PlannerError, match="a newer planner wrote these"):
        readings_of(json.dumps(content))


@pytest.mark.parametrize(
    "damage",
    [
        ("low", 10**400), ("high", float("nan")), ("low", -1e30), ("value", True), ("value", "x"), ("value", 1e300), ("unit", "W"), ("quantity", "none"), ("run", None),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused(damage: tuple[str, object]) -> None:
    content = json.loads(TEXT)
    content["files"][0]["records"][0][content["columns"].index(damage[0])] = damage[1]
    with pytest.raises(PlannerError, match="is damaged"):
        readings_of(json.dumps(content))


@settings(max_examples=200)
@given(seed=st.integers(0, 2**32))
def test_damage_never_ends_in_another_error(seed: int) -> None:
    chance = random.Random(seed)
    changed = list(TEXT[:4000])
    for _ in range(chance.randrange(1, 6)):
        changed[chance.randrange(len(changed))] = chance.choice('{}[]",:0x-n')
    assert "\n" not in told("".join(changed) + TEXT[4000:])


def told(text: str) -> str:
    """The names of the files in a text, or why it is refused."""
    try:
        return " ".join(map(repr, readings_of(text)))
    except PlannerError as error:
        return error.message


FIO, DRIVE, IOR = READINGS.values()
MONDAY, FRIDAY = date(2026, 11, 30), date(2026, 12, 4)


def test_files_of_the_same_name_in_two_sets_both_count() -> None:
    together = gathered([(MONDAY, {"fio.json": FIO}), (FRIDAY, {"fio.json": IOR})])
    assert together.readings == {"fio.json": FIO, "fio (2).json": IOR}
    assert together.days == {"fio.json": MONDAY, "fio (2).json": FRIDAY}


def test_what_was_just_dropped_keeps_its_name_and_hides_nothing() -> None:
    together = gathered([(MONDAY, {"a.json": FIO, "b.json": FIO})], fresh=(FRIDAY, {"a.json": IOR}))
    assert together.readings == {"a.json": IOR, "a (2).json": FIO, "b.json": FIO}
    assert together.days == {"a.json": FRIDAY, "a (2).json": MONDAY, "b.json": MONDAY}
    assert list(together.readings)[-1] == "a.json"  # the newest day last


def test_sets_come_in_the_order_of_their_days_and_of_one_day_what_was_kept_last_is_last() -> None:
    together = gathered(
        [(FRIDAY, {"a.json": FIO}), (MONDAY, {"b.json": FIO}), (FRIDAY, {"c.json": IOR})],
        fresh=(FRIDAY, {"d.json": DRIVE}),
    )
    assert list(together.readings) == ["b.json", "a.json", "c.json", "d.json"]
    assert together.turns == {"b.json": 0, "a.json": 1, "c.json": 2, "d.json": 3}


def test_the_same_file_twice_is_one_and_the_last_day_that_was_stated_counts() -> None:
    twice = gathered([(MONDAY, {"a.json": FIO}), (FRIDAY, {"a.json": FIO})])
    assert twice == gathered([(FRIDAY, {"a.json": FIO})])
    again = gathered([(FRIDAY, {"a.json": FIO})], fresh=(MONDAY, {"a.json": FIO}))
    assert again.days == {"a.json": MONDAY}


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("a.json", "a (2).json"),
        ("n.7/fio", "n.7/fio (2)"),
        ("x\\n.7\\fio.txt", "x\\n.7\\fio (2).txt"),
        ("", " (2)"),
    ],
)
def test_a_second_file_of_a_name_stays_in_its_folder(name: str, free: str) -> None:
    assert free_name(name, {name: FIO}) == free
    assert free_name(free, {name: FIO}) == free
