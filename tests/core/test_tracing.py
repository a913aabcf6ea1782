"""A calculation that is followed takes each row the way that the calculation itself would take."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.quantity import Quantity, derive, largest, term_of, total
from planner.core.tracing import (
    RUNNING,
    Traced,
    TracedText,
    TraceError,
    Tracer,
    Tree,
    decided,
    filled,
    wording,
)
from planner.core.units import counted, format_number, format_range, format_value, scalar
from planner.explore.replay import Frame, ways
from planner.sizing import checkpoint

Program = Callable[[Any, Any], Any]
X = np.array([0.5, 1.0, 2.0, 2.5, 3.0, -4.0, 7.25, 100.0, 1e9, 0.0])
Y = np.array([2.0, 1.0, -2.0, 2.5, 8.0, 4.0, 0.125, 1e-3, 3.0, 5.0])


def followed(program: Program, x: np.ndarray, y: np.ndarray) -> tuple[list[Any], int]:
    """What a program gives in each row, and how often it had to be run."""
    tracer, tree, runs = Tracer(["x", "y"]), Tree(), 0
    first, second = tracer.inputs["x"], tracer.inputs["y"]

    def run() -> Any:
        nonlocal runs
        runs += 1
        return program(first, second)

    found: list[Any] = [None] * len(x)
    frame = Frame(np.arange(len(x)), {first.index: x, second.index: y})
    for way in ways(tracer, tree, run, frame):
        for place, row in enumerate(way.frame.rows):
            end = way.end
            if end.__class__ is Traced:
                end = way.frame.values(end)[place].item()
            if end.__class__ is TracedText:
                end = end.names[way.frame.values(end.place)[place]]
            found[row] = end
    assert not RUNNING
    return found, runs


def branching(x: float, y: float) -> float:
    if x > y:
        return x - y
    return x * y if abs(x) < 1 and y else 2 + x / y


def chained(x: float, y: float) -> float:
    return max(x, y, 3.0) + min(x, 1.0) ** 2 - y // 2 + x % 3 + -y


def whole(x: float, y: float) -> float:
    return int(x) + round(y) + math.floor(x) + math.ceil(y) + float(x) + len(range(int(abs(y))))


def looked_up(x: float, y: float) -> Any:
    return {2.5: "half", 1.0: "one"}.get(float(x), "other") + ("in" if y in (2.0, 5.0) else "out")


def ordered(x: float, y: float) -> Any:
    return sorted([x, y, 1.0])[1]


def terms(x: float, y: float) -> dict[str, Quantity]:
    return {"first": Quantity(x, "s", ""), "second": Quantity(y, "s", ""), "third": Quantity(1.5, "s", "")}


def named(x: float, y: float) -> Any:
    return largest(terms(x, y))[1]


def top_term(x: float, y: float) -> Any:
    found = terms(x, y)
    return term_of(found, largest(found)[0]).value


def by_name(x: float, y: float) -> Any:
    return {"first": 1.0, "second": 2.0, "third": 3.0}[largest(terms(x, y))[0]]


def chosen(x: float, y: float) -> Any:
    return decided(lambda a, b: "near" if round(a) == round(b) else "far", x, y, key="rounded")


def with_formulas(x: float, y: float) -> Any:
    size = derive(checkpoint.size_bytes, parameter_count=x, bytes_per_parameter=y)
    return total([size, size], "twice", unit="bytes").number + 1


PROGRAMS: list[Program] = [
    branching,
    chained,
    whole,
    looked_up,
    ordered,
    named,
    top_term,
    by_name,
    chosen,
    with_formulas,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_each_row_is_what_the_program_gives(program: Program) -> None:
    plain = [program(float(x), float(y)) for x, y in zip(X, Y, strict=True)]
    assert followed(program, X, Y)[0] == plain


numbers = st.floats(-1e6, 1e6)


@given(rows=st.lists(st.tuples(numbers, numbers), min_size=1, max_size=30))
def test_any_rows(rows: list[tuple[float, float]]) -> None:
    x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    for program in (named, top_term, ordered, by_name, chosen):
        assert followed(program, x, y)[0] == [program(*row) for row in rows]


def test_what_is_not_decided_is_run_once() -> None:
    many = np.linspace(1, 2, 1000)
    for program in (with_formulas, named, top_term, lambda x, y: scalar(x) + y * 2):
        assert followed(program, many, many[::-1])[1] == 1


def test_a_choice_is_a_branch_for_each_outcome_and_not_for_each_number() -> None:
    many = np.linspace(0, 50, 1001)
    found, runs = followed(chosen, many, np.full(1001, 20.2))
    assert runs == 2
    assert found == [chosen(float(x), 20.2) for x in many]


def test_what_is_unknown_is_a_branch_of_its_own() -> None:
    x = np.array([1.0, np.nan, np.nan, 2.0])
    found, runs = followed(lambda a, _: "known" if Quantity(a, "s", "").known else "unknown", x, x)
    assert (found, runs) == (["known", "unknown", "unknown", "known"], 2)
    assert followed(lambda a, _: {1.0: "one"}.get(float(a), "none"), x, x)[0] == [
        "one",
        "none",
        "none",
        "none",
    ]


def test_texts_decide_nothing() -> None:
    def told(x: float, y: float) -> Any:
        words = (
            f"{x:.1f} and {y} make {format_value(x, 's')}, {format_number(y)}, {counted(x, 'path')}, "
            f"{format_range(x, y, 'bytes')}, {Quantity(x, 's', '')}"
        )
        return x if words else y

    assert followed(told, X, Y) == (X.tolist(), 1)


def test_wording_decides_nothing() -> None:
    @wording
    def told(x: float) -> str:
        return "many" if x > 2 else "few" * int(x)

    def program(x: float, _: float) -> Any:
        return (x + 1, told(x))[0]

    assert followed(program, X, Y) == ((X + 1).tolist(), 1)
    assert told(7.0) == "many"


def test_a_number_cannot_be_read_behind_its_back() -> None:
    number = Tracer(["x"]).inputs["x"]
    for attempt in (hash, np.sqrt, np.asarray, lambda x: np.maximum(x, 1.0), lambda x: np.array([1.0, x])):
        with pytest.raises(TypeError):
            attempt(number)
    assert not isinstance(number, float)


def test_what_numpy_holds_is_followed_too() -> None:
    assert followed(lambda x, y: np.float64(2.0) * x - np.float64(1.0) / y, X, Y)[0] == pytest.approx(
        (2 * X - 1 / Y).tolist()
    )


def test_a_program_that_changes_its_mind_is_found_out() -> None:
    turns = iter([True, False])

    def fickle(x: float, y: float) -> Any:
        return (1 if x > 0 else 2) if next(turns) else (3 if y > 0 else 4)

    with pytest.raises(TraceError, match="something else"):
        followed(fickle, np.array([1.0, -1.0]), np.array([1.0, 1.0]))


def test_marks_in_a_text_are_filled_row_by_row() -> None:
    tracer = Tracer(["x"])
    text = f"{tracer.inputs['x']:.2f} is {tracer.inputs['x'] * 2}!"
    assert filled(text, lambda index: [1.5, 3.0][index]) == "1.50 is 3.0!"
    assert filled("nothing", str) == "nothing"


def test_other_threads_compute_as_ever_while_a_calculation_is_followed() -> None:
    tracer = Tracer(["x"])
    tracer.bind({"x": 3.0})
    results: list[Any] = []

    def elsewhere() -> None:
        size = derive(checkpoint.size_bytes, parameter_count=7e9, bytes_per_parameter=14.0)
        results.append((size.value, largest({"a": size, "b": Quantity(1.0, "bytes", "")}), size.text()))

    def program() -> Any:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return derive(
            checkpoint.size_bytes, parameter_count=tracer.inputs["x"], bytes_per_parameter=2.0
        ).value

    node = tracer.follow(Tree(), program)
    assert results == [(98e9, ("a", "b"), "98\u00a0GB")]
    assert tracer.number(node) == 6.0
