"""Samples with bytes changed, cut and mixed: never a traceback, never a value that has no unit or cannot be."""

from __future__ import annotations

import json
import math
import random
from datetime import date
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import PlannerError
from planner.core.units import UNITS
from planner.telemetry import QUANTITIES, Reading, read_measurements
from planner.telemetry.as_built import as_built
from planner.telemetry.kept import readings_json, readings_of
from planner.telemetry.report import MeasuredFile, report_json, report_lines
from planner.telemetry.verdict import verdict_json, verdict_lines
from planner.telemetry.wear import deviating, drive_wear
from tests.plan.changes import EVIDENCE, planned
from tests.telemetry.shapes import (
    ELBENCHO,
    ENDURANCE_LOG,
    ENDURANCE_TEXT,
    IOR_CSV,
    IOR_SUMMARY,
    IOR_TEXT,
    MDTEST_OLD,
    SMART_TEXT,
)

SAMPLES = {
    **{path.name: path.read_bytes() for path in sorted((Path(__file__).parent / "samples").iterdir())},
    "elbencho": ELBENCHO.encode(),
    "ior csv": IOR_CSV.encode(),
    "ior text": (IOR_TEXT + IOR_SUMMARY).encode(),
    "mdtest 1.9": MDTEST_OLD.encode(),
    "smart-log text": SMART_TEXT.encode(),
    "endurance-log": json.dumps(ENDURANCE_LOG).encode(),
    "endurance-log text": ENDURANCE_TEXT.encode(),
}
PLAN = planned(EVIDENCE, {})
TOKENS = [
    *(b"nan", b"-1", b"1e400", b"null", b"true", b'"x"', b"{}", b"[]", b"[", b"]", b"{", b"}", b'"', b"\\"),
    *(b",", b":", b"\n", b"\n{", b"\0", b"\xff", b"%", b"0", b"9" * 50, b"-", b".", b"(", b"\xe2\x80\xaf"),
]

samples = st.sampled_from(list(SAMPLES))
seeds = st.integers(0, 2**32)


def check(reading: Reading) -> None:
    """What must be true of whatever is read."""
    for record in reading.records:
        quantity = QUANTITIES[record.quantity]
        assert record.unit == quantity.unit
        assert record.unit in UNITS
        assert quantity.low <= record.value <= quantity.high
        assert math.isfinite(record.value)
        assert record.subject.isprintable()
    assert all(line.isprintable() for line in reading.remarks)
    files = [MeasuredFile("x", reading)]
    json.dumps(report_json(files), allow_nan=False)
    assert all(line.isprintable() for line in report_lines(files))
    deviating(drive_wear(reading.records))
    built = as_built(PLAN, {"node1/a.json": reading, "node2/a.json": reading}, measured_on=date(2026, 1, 1))
    json.dumps(verdict_json(built), allow_nan=False)
    assert all(line.isprintable() for line in verdict_lines(built))
    if reading.records:
        assert readings_of(readings_json({"a": reading})) == {"a": reading}


def attempt(content: bytes) -> Reading | PlannerError:
    try:
        return read_measurements(content)
    except PlannerError as error:
        return error


def read(content: bytes) -> None:
    result = attempt(content)
    if isinstance(result, PlannerError):
        assert result.message.isprintable()
    else:
        check(result)


@settings(max_examples=250)
@given(name=samples, seed=seeds, changes=st.integers(1, 8))
def test_changed_bytes(name: str, seed: int, changes: int) -> None:
    chance = random.Random(seed)
    changed = bytearray(SAMPLES[name])
    for _ in range(changes):
        start = chance.randrange(len(changed) + 1)
        changed[start : start + chance.choice((0, 1, 1, 5, 40))] = chance.choice(TOKENS)
    read(bytes(changed))


@settings(max_examples=120)
@given(first=samples, second=samples, seed=seeds)
def test_cut_off_and_continued_by_another(first: str, second: str, seed: int) -> None:
    chance = random.Random(seed)
    glue = chance.choice((b"", b"\n", b"\nnote: more\n"))
    one, other = SAMPLES[first], SAMPLES[second]
    read(one[: chance.randrange(len(one))] + glue + other[chance.randrange(len(other)) :])


@settings(max_examples=120)
@given(name=samples, seed=seeds, kept=st.floats(0, 1))
def test_lines_in_another_order(name: str, seed: int, kept: float) -> None:
    lines = SAMPLES[name].splitlines(keepends=True)
    random.Random(seed).shuffle(lines)
    read(b"".join(lines[: int(kept * len(lines))]))


def mutated(value: object, chance: random.Random) -> object:
    """A tree with some of its leaves and branches replaced by what may not stand there."""
    if chance.random() < 0.02:
        return chance.choice((None, -1, "x", [], {}, [[]], True, 1e308, "12", {"value": "3"}, 10**30, "", 0))
    if isinstance(value, dict):
        kept = {key: mutated(inner, chance) for key, inner in value.items() if chance.random() > 0.01}
        return {(key.upper() if chance.random() < 0.01 else key): inner for key, inner in kept.items()}
    if isinstance(value, list):
        return [mutated(inner, chance) for inner in value] * (2 if chance.random() < 0.02 else 1)
    return value


def parsed(content: bytes) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return None


TREES = {name: tree for name, content in SAMPLES.items() if (tree := parsed(content)) is not None}


@settings(max_examples=250)
@given(name=st.sampled_from(list(TREES)), seed=seeds)
def test_changed_trees(name: str, seed: int) -> None:
    chance = random.Random(seed)
    read(json.dumps(mutated(TREES[name], chance), indent=chance.choice((None, 1))).encode())


@settings(max_examples=120)
@given(name=samples.filter(lambda name: "status_interval" not in name), cut=st.floats(0, 1, exclude_max=True))
def test_what_is_left_of_a_cut_off_file_is_what_the_whole_file_says(name: str, cut: float) -> None:
    """A cut can lose records, and with them the right to add up, but never change a value.

    Of reports at intervals the last whole one counts, which is another after a cut.
    """
    content = SAMPLES[name]

    def figures(part: bytes) -> set[tuple[object, ...]]:
        reading = attempt(part)
        if isinstance(reading, PlannerError):
            return set()
        check(reading)
        return {(r.tool, r.host, r.quantity, r.value) for r in reading.records if r.tool not in MEANS}

    assert figures(content[: int(cut * len(content))]) <= figures(content)


MEANS = ("ior", "nvme list-subsys")
"""Tools of which a part gives another mean, or fewer paths; the remarks say that it is a part."""


@given(content=st.binary(max_size=2000) | st.text(max_size=2000).map(str.encode))
def test_anything_at_all(content: bytes) -> None:
    read(content)
