"""Tells at the end of a run which published cases no passing test stands for yet."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
CASE_FILES = ("reliability_cases.csv", "workload_cases.csv")


def case_ids(name: str) -> list[str]:
    """Ids of the cases of one file, in its order."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return [row["id"] for row in csv.DictReader(file)]


def passed_ids(reporter: pytest.TerminalReporter) -> set[str]:
    """Parameters of the tests of this folder that passed: the case ids among them count."""
    names = [
        report.nodeid for report in reporter.stats.get("passed", []) if "tests/evidence" in report.nodeid
    ]
    return {match.group(1) for name in names if (match := re.search(r"\[(.+)\]$", name))}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the cases without a passing test, file by file."""
    passed = passed_ids(terminalreporter)
    if not passed:  # the run was of other tests
        return
    terminalreporter.section("published cases")
    for name in CASE_FILES:
        ids = case_ids(name)
        missing = [case for case in ids if case not in passed]
        line = f"{name}: {len(ids) - len(missing)} of {len(ids)} pass"
        terminalreporter.write_line(line + (f"; no passing test for {' '.join(missing)}" if missing else ""))
