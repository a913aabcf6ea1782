"""Method: under each formula where it holds, and its values beside the published ones."""

from __future__ import annotations

import pytest

from planner.core.formula import FORMULAS
from planner.published import check, checks_of
from planner.sizing import cadence
from planner.words import SUBJECTS
from tests.pages.visitor import captions, cells, every_row, open_panel, show, type_text, visit


def test_the_method_page_prints_every_formula() -> None:
    at = visit("method")
    subjects = {rule.name.partition(".")[0] for rule in FORMULAS.values()}
    assert subjects == set(SUBJECTS)
    printed = 0
    for subject in subjects:
        show(at, "method.subject", subject)
        printed += len(at.latex)
    assert printed == len(FORMULAS)


def test_a_formula_is_found_by_name() -> None:
    at = type_text(visit("method"), "method.search", "checkpoint.size_bytes")
    assert ["C = P" in item.value for item in at.latex] == [True]


def test_a_formula_shows_its_checks_and_the_command() -> None:
    at = type_text(visit("method"), "method.search", "cadence.daly_interval_s")
    found = checks_of("cadence.daly_interval_s")
    shown = every_row(at)
    assert [row["Compared with"] for row in shown] == [item.published_text() for item in found[:5]]
    assert list(shown[0]) == ["Figure", "Ours", "Compared with", "Difference", "Source"]
    rule = FORMULAS[cadence.daly_interval_s]
    printed = sum(item.origin == "published" for item in found)
    told = (
        f"{len(found)} of {len(found)} values within the tolerance: {printed} are printed in their source, "
    )
    assert 1 < printed < len(found)
    assert told in " ".join(captions(at))
    assert any(f"`python -m planner checks {rule.name}`" in line for line in captions(at))


def test_the_printed_value_stands_beside_ours() -> None:
    """Daly's figure 4 prints 57 minutes."""
    at = type_text(visit("method"), "method.search", "cadence.daly_interval_s")
    at = open_panel(at, "method.checks.cadence.daly_interval_s")
    shown = every_row(at)
    printed = next(row for row in shown if row["Source"] == "Daly, FGCS 22 (2006), Fig. 4")
    assert (printed["Ours"], printed["Compared with"]) == ("56.713\u00a0min", "57\u00a0min")
    assert printed["Difference"].replace("\u2212", "-") == "-0.5\u00a0%"
    assert "stall = 5 min" in printed["Figure"]


def test_the_rest_is_built_when_it_is_opened() -> None:
    at = type_text(visit("method"), "method.search", "transport.tcp_wire_fraction")
    assert [len(cells(at, number)) for number in range(len(at.table))] == [5]
    at = open_panel(at, "method.checks.transport.tcp_wire_fraction")
    rows = [len(cells(at, number)) for number in range(len(at.table))]
    assert rows == [5, len(checks_of("transport.tcp_wire_fraction")) - 5]


def test_a_long_list_builds_no_table_before_it_is_opened() -> None:
    at = type_text(visit("method"), "method.search", "e")
    assert len(at.latex) > 60
    assert len(at.table) == 0
    at = open_panel(at, "method.checks.cadence.young_interval_s")
    assert [len(cells(at, number)) for number in range(len(at.table))] == [3]


def test_every_formula_says_where_it_holds_and_whether_it_is_checked() -> None:
    at = show(visit("method"), "method.subject", "cadence")
    told = captions(at)
    rules = [rule for rule in FORMULAS.values() if rule.name.startswith("cadence.")]
    assert sum(line.startswith("Holds: ") for line in told) == len(rules)
    assert "Holds: stall much shorter than M." in told
    unchecked = [rule for rule in rules if not checks_of(rule.name)]
    assert sum(line == "Values to compare with: none known." for line in told) == len(unchecked)
    assert sum("within the tolerance" in line for line in told) == len(rules) - len(unchecked)


@pytest.fixture
def _wrong_formula(monkeypatch: pytest.MonkeyPatch):
    original = cadence.young_interval_s
    monkeypatch.setattr(cadence, "young_interval_s", lambda *a, **k: 1.1 * original(*a, **k))
    check.cache_clear()
    yield
    check.cache_clear()


@pytest.mark.usefixtures("_wrong_formula")
def test_a_missed_value_is_said() -> None:
    at = type_text(visit("method"), "method.search", "cadence.young_interval_s")
    assert any("0 of 3 values within the tolerance" in line for line in captions(at))
    assert {row["Difference"] for row in cells(at, 0)} == {"+10\u00a0%, too much"}
