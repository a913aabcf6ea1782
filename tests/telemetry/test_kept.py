"""What is kept of measurements comes back as it was; what is damaged is refused in one line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import PlannerError
from planner.telemetry import read_measurements
from planner.telemetry.kept import readings_json, readings_of

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
    "damage", [("value", "x"), ("value", 1e300), ("unit", "W"), ("quantity", "none"), ("run", None)]
)
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
