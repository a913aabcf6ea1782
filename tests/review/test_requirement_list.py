"""A customer's list as CSV: what is read, what is refused and why, and that writing and reading undo each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import Scenario, load_catalogue, plan
from planner.core.errors import PlannerError
from planner.review import Requirement
from planner.review.requirement_list import (
    MAX_BYTES,
    MAX_LINES,
    read_requirements,
    requirements_csv,
    target_text,
)
from planner.review.requirements import LEVELS, MEASURES, results

RESULTS = results(plan(Scenario(), load_catalogue()))
HEAD = "id,text,result,measure,target,level\n"


def read(lines: str, head: str = HEAD) -> tuple[tuple[Requirement, ...], tuple[str, ...]]:
    found = read_requirements((head + lines).encode(), RESULTS)
    return found.found, found.refused


def test_a_list_is_read_with_targets_in_the_units_that_people_write() -> None:
    found, refused = read(
        "R-1,A save takes at most 10 s,Key figures / Stall,at most,10 s,must\n"
        '"R-2","Two, at least",goodput,>=,98 %,should\n'
        "R-3,Whole checkpoint,KEY FIGURES / CHECKPOINT,≤,2 TB,\n"
    )
    assert refused == ()
    assert found[0] == Requirement(
        ref="R-1", text="A save takes at most 10 s", result="Key figures / Stall", measure="at most",
        target=10.0, level="must",
    )  # fmt: skip
    assert (found[1].text, found[1].measure, found[1].level) == ("Two, at least", "at least", "should")
    assert found[1].target == pytest.approx(0.98)
    assert (found[2].result, found[2].target, found[2].level) == ("Key figures / Checkpoint", 2e12, "must")


def test_semicolons_other_orders_and_a_byte_order_mark_are_read() -> None:
    text = "\ufeffTarget;ID;Text;Measure;Result\r\n10 s;R-1;Größe;=;Key figures / Stall\r\n"
    found = read_requirements(text.encode(), RESULTS)
    assert [(item.ref, item.text, item.measure, item.target) for item in found.found] == [
        ("R-1", "Größe", "equal to", 10.0)
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (",text,Key figures / Stall,at most,10 s,must", "line 2: id: it is empty"),
        ("R-1,,Key figures / Stall,at most,10 s,must", "line 2: text: it is empty"),
        ("R-1,x,Key figures / Stal,at most,10 s,must", "did you mean Key figures / Stall?"),
        ("R-1,x,Key figures / Stall,at mots,10 s,must", "did you mean at most?"),
        ("R-1,x,Key figures / Stall,at most,ten,must", "line 2: target: "),
        ("R-1,x,Key figures / Stall,at most,10 TB,must", "line 2: target: "),
        ("R-1,x,Key figures / Stall,at most,nan,must", "line 2: target: "),
        ("R-1,x,Key figures / Stall,at most,10 s,shall", "“shall” is not one of must, should"),
        ("R-1", "line 2: text: it is empty"),
    ],
)
def test_a_line_that_is_no_requirement_is_told_and_the_others_are_read(line: str, told: str) -> None:
    found, (refused,) = read(f"{line}\nR-9,x,Key figures / Stall,at most,10 s,must\n")
    assert [item.ref for item in found] == ["R-9"]
    assert told in refused
    assert refused.isprintable()


def test_a_number_that_comes_twice_counts_once() -> None:
    line = "R-1,x,Key figures / Stall,at most,10 s,must\n"
    found, refused = read(line + line)
    assert len(found) == 1
    assert refused == ("line 3: id: “R-1” is in the file already; use another",)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the column id is missing"),
        (b"id,text\nR-1,x\n", "the column result is missing"),
        (b"\xff\xfe\x00", "no text in UTF-8"),
        (b"x" * (MAX_BYTES + 1), "is above 1000000"),
        (HEAD.encode() + b"a,b,c,d,e,f\n" * (MAX_LINES + 1), "more than 1000 lines"),
        (HEAD.encode() + b'"' + b"x" * 200_000, "is no CSV"),
    ],
)
def test_a_file_that_is_no_list_is_refused_in_one_line(content: bytes, told: str) -> None:
    with pytest.raises(PlannerError, match=told) as caught:
        read_requirements(content, RESULTS)
    assert caught.value.message.isprintable()


def test_empty_lines_hide_no_requirement() -> None:
    """A sheet that was filled with gaps has more lines than requirements."""
    lines = [f"R-{number},x,Key figures / Stall,at most,10 s,must\n,,,,,\n" for number in range(MAX_LINES)]
    assert len(read_requirements((HEAD + "".join(lines)).encode(), RESULTS).found) == MAX_LINES
    with pytest.raises(PlannerError, match="more than 1000 lines"):
        read_requirements((HEAD + "".join(lines) + "R,x,Stall,at most,1 s,must\n").encode(), RESULTS)


def test_a_written_list_begins_no_formula() -> None:
    hostile = Requirement(
        ref="=1+1", text='＠SUM(A1) <script>"; x', result="Key figures / Stall", measure="at most",
        target=-1.0, level="must",
    )  # fmt: skip
    written = requirements_csv([hostile], RESULTS)
    assert "'=1+1" in written
    assert "'＠SUM" in written
    assert read_requirements(written.encode(), RESULTS).found == (hostile,)


@given(
    st.sampled_from(sorted(RESULTS)),
    st.sampled_from(MEASURES),
    st.sampled_from(LEVELS),
    st.integers(1, 10**6).map(lambda number: number / 8),
)
def test_writing_and_reading_undo_each_other(result: str, measure: str, level: str, target: float) -> None:
    item = Requirement(
        ref="R 1", text="Zeile, „eins“", result=result, measure=measure, target=target, level=level  # type: ignore[arg-type]
    )  # fmt: skip
    (back,) = read_requirements(requirements_csv([item], RESULTS).encode(), RESULTS).found
    assert (back.ref, back.text, back.result, back.measure, back.level) == (
        item.ref, item.text, item.result, item.measure, item.level,
    )  # fmt: skip
    assert back.target == pytest.approx(item.target, rel=1e-9), target_text(item, RESULTS)
