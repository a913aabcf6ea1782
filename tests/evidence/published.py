"""Tells at the end of a run which published values no passing test stands for yet."""

from __future__ import annotations

import re

import pytest

from planner.published import cases_by_file, not_covered

TEST = re.compile(r"tests/evidence/.*::test_published_value\[(.+)\]$")


def passed_ids(reporter: pytest.TerminalReporter) -> set[str]:
    """Ids of the cases whose own test passed."""
    names = [report.nodeid for report in reporter.stats.get("passed", [])]
    return {match.group(1) for name in names if (match := TEST.search(name))}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the cases without a passing test, file by file."""
    passed = passed_ids(terminalreporter)
    if not passed:  # the run was of other tests
        return
    terminalreporter.section("published values")
    for name, rows in cases_by_file().items():
        missing = [case_id for case_id in rows if case_id not in passed]
        line = f"{name}: {len(rows) - len(missing)} of {len(rows)} pass"
        terminalreporter.write_line(line + (f"; no passing test for {' '.join(missing)}" if missing else ""))
    for case in not_covered():
        terminalreporter.write_line(f"no formula for {case.id}: {case.notes}")
