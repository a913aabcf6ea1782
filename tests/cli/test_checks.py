"""`python -m planner checks`: our values beside the published ones."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from planner.published import cases, check, checks
from planner.sizing import cadence
from tests.cli.commands import run, started


def test_all_checks_are_printed_and_pass() -> None:
    shown = run("checks")
    lines = shown.stdout.splitlines()
    assert shown.returncode == 0, shown.stdout
    assert lines[0].split() == ["id", "ours", "compared", "with", "difference", "source"]
    assert [line.split()[0] for line in lines[1:-2]] == list(cases())
    kinds = Counter(case.origin for case in cases().values())
    assert lines[-1] == (
        f"{len(cases())} of {len(cases())} values within the tolerance; {kinds['published']} are printed in their "
        f"source, {kinds['derived']} follow from figures printed there, {kinds['independent']} were worked out a "
        "second way"
    )
    young = next(line for line in lines if line.startswith("B04 "))
    assert young.split("  ")[0] == "B04"
    assert "1.8519\u00a0%" in young
    assert "+0.1\u00a0%" in young
    assert "stas00/ml-engineering" in young


def test_one_subject_as_json() -> None:
    shown = started("checks", "queueing", "--json")
    assert shown.returncode == 0
    rows = {row["id"]: row for row in json.loads(shown.stdout)}
    assert list(rows) == [found.id for found in checks("queueing")]
    assert rows["Q-04"]["published"] == [3.0]
    assert rows["Q-04"]["ours"] == pytest.approx([3.0])
    assert rows["Q-04"]["passes"] is True
    assert rows["Q-04"]["formulas"] == ["queueing.md1_mean_ratio"]


@pytest.fixture
def _wrong_formula(monkeypatch: pytest.MonkeyPatch):
    original = cadence.young_interval_s
    monkeypatch.setattr(cadence, "young_interval_s", lambda *a, **k: 1.1 * original(*a, **k))
    check.cache_clear()
    yield
    check.cache_clear()


@pytest.mark.usefixtures("_wrong_formula")
def test_a_missed_value_is_marked_and_gives_status_one() -> None:
    shown = run("checks", "cadence.young_interval_s")
    assert shown.returncode == 1
    lines = shown.stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:-2]] == [["FAILS", name] for name in ("C-07", "F07", "F15")]
    assert all("+10\u00a0%" in line for line in lines[1:-2])
    assert lines[-1].startswith("0 of 3 values within the tolerance; outside: ")
    assert run("checks", "queueing").returncode == 0


def test_an_unknown_subject_is_one_line_and_status_two() -> None:
    shown = run("checks", "cadnce")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr.splitlines() == ["no value to compare with for “cadnce”; did you mean cadence?"]
