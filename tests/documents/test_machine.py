"""The plan as JSON: named sections, a unit at the end of every number's key, full precision."""

import json
import math
import re

import pytest

from planner.core.checks import Check, Fix
from planner.core.quantity import Quantity
from planner.core.units import unit_of_name
from planner.documents import plan_json
from planner.documents.machine import plain_data
from tests.documents.printed import NAMES, planned

SECTIONS = {
    "checkpoint", "ingest", "goodput", "tiers", "transport", "network", "endurance", "protection", "facility",
    "cost", "monitoring", "findings", "bom", "local", "guide", "jobs",
}  # fmt: skip


def numbers(place, key=""):
    """Every number with the key that it stands under."""
    if isinstance(place, dict):
        for name, value in place.items():
            yield from numbers(value, name)
    elif isinstance(place, list):
        for value in place:
            yield from numbers(value, key)
    elif isinstance(place, int | float) and not isinstance(place, bool):
        yield key, place


@pytest.mark.parametrize("name", NAMES)
def test_every_number_names_its_unit_and_is_finite(name):
    data = plan_json(planned(name))
    assert set(data) >= SECTIONS
    found = list(numbers(data))
    assert len(found) > 300
    assert {key for key, _ in found if not unit_of_name(key)} == set()
    assert all(math.isfinite(number) for _, number in found)
    assert json.loads(json.dumps(data, allow_nan=False)) == data


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_the_plan(name):
    result, data = planned(name), plan_json(planned(name))
    main = result.main
    assert data["checkpoint"]["size_bytes"] == main.job.checkpoint.size_bytes.number
    assert data["checkpoint"]["save_s"] == main.save.save_s.number
    assert data["goodput"]["goodput_fraction"] == main.goodput.goodput_fraction.number
    assert [tier["usable_bytes"] for tier in data["tiers"]] == [
        tier.usable_bytes.number for tier in result.tiers
    ]
    assert [line["quantity_count"] for line in data["bom"]] == [line.quantity.number for line in result.bom]
    assert [f["code"] for f in data["findings"]] == [finding.code for finding in result.findings]
    assert len(data["jobs"]) == len(result.jobs)


def test_unknown_and_unlimited_are_null():
    assert plain_data({"a": Quantity(math.nan, "W", "Power"), "b": Quantity(math.inf, "s", "Life")}) == {
        "a_w": None, "b_s": None,
    }  # fmt: skip


def test_a_key_gets_its_unit_once_and_no_key_is_lost():
    w = Quantity(1.0, "W", "Power")
    assert plain_data({"max_w": w, "ratio": Quantity(2.0, "1", "Ratio"), "Rack power": w}) == {
        "max_w": 1.0, "ratio": 2.0, "rack_power_w": 1.0,
    }  # fmt: skip
    assert list(plain_data({"a b": w, "a-b": w, "a.b_count": 1})) == ["a_b_w", "a_b_2_w", "a.b_count"]


def test_a_fix_is_in_the_unit_of_its_input():
    assert plain_data(Fix("storage.hot.usable_bytes", 5e12, "grow")) == {
        "path": "storage.hot.usable_bytes", "value_bytes": 5e12, "label": "grow",
    }  # fmt: skip
    assert plain_data(Fix("network.transport", None, "let the planner choose"))["value"] is None


def test_a_check_says_its_verdict():
    need, have = Quantity(3.0, "W", "need"), Quantity(2.0, "W", "have")
    told = plain_data(Check("Power", provided=have, required=need, source="site"))
    assert (told["verdict"], told["utilisation_ratio"], told["provided_w"]) == ("fail", 1.5, 2.0)


def test_keys_are_plain_words():
    def keys(place):
        if isinstance(place, dict):
            for name, value in place.items():
                yield name
                yield from keys(value)
        elif isinstance(place, list):
            for value in place:
                yield from keys(value)

    assert all(re.fullmatch(r"[\w.]+", key) for key in keys(plan_json(planned("two-jobs"))))
