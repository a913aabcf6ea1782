"""Every published value against the public formulas, each row by its own id."""

from __future__ import annotations

import pytest

from planner.published import cases, cases_by_file, check, not_covered
from planner.published.subjects import METHODS

CASES = cases()
COVERED = [case_id for case_id, case in CASES.items() if case.method]
ROWS = {"workload.csv": 91, "reliability.csv": 103, "wire.csv": 2 * 64 + 4}
"""Rows of the published tables: none of them may go missing. A row of the wire table is two, share and payload."""


@pytest.mark.parametrize("case_id", COVERED)
def test_published_value(case_id: str) -> None:
    found = check(case_id)
    assert found.passes, (
        f"{case_id}: ours {found.ours_text()}, published {found.published_text()}, "
        f"{found.difference_text()} apart"
    )


def test_no_published_row_is_missing() -> None:
    assert {name: len(cases_by_file()[name]) for name in ROWS} == ROWS


def test_a_row_without_a_formula_says_why() -> None:
    assert [case.id for case in not_covered() if not case.notes] == []


def test_every_calculation_has_a_case() -> None:
    assert set(METHODS) == {case.method for case in CASES.values() if case.method}
