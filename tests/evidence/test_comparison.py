"""The comparison itself: it sees a wrong formula, and says truly which formulas and inputs took part."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections import Counter
from typing import Any

import numpy as np
import pytest

from planner.core.errors import PlannerError
from planner.core.formula import FORMULAS
from planner.published import cases, check, checks, checks_of, compared
from planner.published.subjects import METHODS

CASES = cases()
COVERED = [case_id for case_id, case in CASES.items() if case.method]


def module_of(formula_name: str) -> Any:
    return importlib.import_module(f"planner.sizing.{formula_name.partition('.')[0]}")


def wrong(formula_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a formula give one and a half times what it should, upside down so that no share of it stays."""
    name = formula_name.partition(".")[2]
    original = getattr(module_of(formula_name), name)

    @functools.wraps(original)
    def altered(*arguments: Any, **named: Any) -> Any:
        return 1.5 / np.asarray(original(*arguments, **named), dtype=float)

    monkeypatch.setattr(module_of(formula_name), name, altered)


@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_formula_makes_a_check_fail(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each formula that a calculation names is one that its result hangs on."""
    mine = [case for case in CASES.values() if case.method == method]
    for formula in METHODS[method].formulas:
        with monkeypatch.context() as patch:
            wrong(formula.name, patch)
            assert not all(compared(case).passes for case in mine), formula.name


def test_the_check_of_a_wrong_formula_tells_the_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    original = module_of("cadence.").young_interval_s
    monkeypatch.setattr(module_of("cadence."), "young_interval_s", lambda *a, **k: 1.5 * original(*a, **k))
    found = compared(CASES["C-07"])
    assert not found.passes
    assert found.difference_text() == "+50\u00a0%"


def test_an_unknown_result_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_of("cadence."), "young_interval_s", lambda *_, **__: float("nan"))
    assert not compared(CASES["C-07"]).passes


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of the formulas that are called from outside of `planner.sizing`."""
    seen: set[str] = set()
    depth = 0
    for function, formula in FORMULAS.items():

        @functools.wraps(function)
        def watched(*arguments: Any, _of: Any = function, _name: str = formula.name, **named: Any) -> Any:
            nonlocal depth
            if depth == 0:
                seen.add(_name)
            depth += 1
            try:
                return _of(*arguments, **named)
            finally:
                depth -= 1

        monkeypatch.setattr(inspect.getmodule(function), function.__name__, watched)
    return seen


def test_each_calculation_names_the_formulas_that_it_calls(called: set[str]) -> None:
    for name, method in METHODS.items():
        called.clear()
        compared(next(case for case in CASES.values() if case.method == name))
        assert called == {formula.name for formula in method.formulas}, name


class Watched(dict[str, str]):
    """Inputs that remember which of them were read."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> str:
        self.read.add(key)
        return super().__getitem__(key)


@pytest.mark.parametrize("case_id", COVERED)
def test_every_input_takes_part(case_id: str) -> None:
    inputs = Watched(CASES[case_id].inputs)
    case = CASES[case_id]
    watched = type(case)(
        **{name: getattr(case, name) for name in case.__dataclass_fields__} | {"inputs": inputs}
    )
    compared(watched)
    assert inputs.read == set(inputs)


def test_checks_of_a_formula_are_those_that_name_it() -> None:
    everything = checks()
    assert [found.id for found in everything] == COVERED
    for formula in FORMULAS.values():
        named = {found.id for found in everything if formula.name in found.formulas}
        of_formula = [found.id for found in checks_of(formula.name)]
        assert Counter(of_formula) == Counter(named)


def test_those_that_a_formula_gives_the_result_of_come_first() -> None:
    found = checks_of("checkpoint.size_bytes")
    first = [item.formulas[0] == "checkpoint.size_bytes" for item in found]
    assert first == sorted(first, reverse=True)
    assert {True, False} == set(first)


def test_a_check_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = checks_of("cadence.young_interval_s")
    wrong("cadence.young_interval_s", monkeypatch)
    assert all(
        again is before for again, before in zip(checks_of("cadence.young_interval_s"), first, strict=True)
    )


def test_a_subject_has_the_checks_of_its_formulas() -> None:
    assert {found.id for found in checks("cadence.young_interval_s")} == {"C-07", "F07", "F15"}
    queueing = {
        found.id for found in checks() if any(name.startswith("queueing.") for name in found.formulas)
    }
    assert {found.id for found in checks("queueing")} == queueing


def test_an_unknown_subject_is_one_line_with_the_closest() -> None:
    with pytest.raises(PlannerError, match="no value to compare with for “cadnce”; did you mean cadence"):
        checks("cadnce")


def shown(case_id: str) -> tuple[str, str, str]:
    found = check(case_id)
    return found.ours_text(), found.published_text(), found.difference_text()


def test_values_are_shown_in_peoples_units() -> None:
    assert shown("A09") == ("327.83\u00a0GiB", "329\u00a0GiB", "-0.36\u00a0%")
    assert shown("T-01") == ("$12.1k, $31k", "$12.1k, $31k", "0\u00a0%")
    assert shown("B03") == ("0.37037\u00a0%", "0.37\u00a0%", "+0.1\u00a0%")


def test_a_value_that_is_not_printed_says_so() -> None:
    assert check("B26").source_text().startswith("follows from ")
    assert check("Q-01").source_text().startswith("worked out a second way: ")
    assert check("X-daly-24h").source_text() == check("X-daly-24h").source
