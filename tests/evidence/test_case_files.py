"""The files of published cases are read strictly."""

from __future__ import annotations

import pytest

from planner.catalogue import read_rows
from planner.core.errors import PlannerError
from planner.published import Case

HEADER = (
    "id,origin,quantity,method,inputs,published,tolerance,notes,unverified_fields,source,confidence,as_of\n"
)


def read(
    inputs: str = "stall=40 s; M=3.093 h", published: str = "943.8 s", tolerance: str = "rel 0.002"
) -> Case:
    line = (
        f'F07,published,Young interval,young,"{inputs}","{published}",{tolerance},,,Young 1974,seen,undated\n'
    )
    return read_rows(Case, HEADER + line, file="published/test.csv")["F07"]


def test_inputs_are_read_in_the_planners_unit() -> None:
    case = read()
    assert (case.read("stall", "s"), case.read("M", "s")) == (40.0, 3.093 * 3600)
    assert case.expected("s") == (943.8,)
    assert case.inputs_text() == "stall = 40 s; M = 3.093 h"


def test_several_values_are_parted_by_a_comma_and_a_blank() -> None:
    case = read(inputs="wanted=2 GB/s, 500 MB/s", published="$1, $2")
    assert case.several("wanted", "bytes/s") == [2e9, 0.5e9]
    assert case.expected("USD") == (1.0, 2.0)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({"inputs": "stall 40 s"}, ("published/test.csv:2 inputs", "stall 40 s")),
        ({"inputs": "stall=40 s; stall=50 s"}, ("published/test.csv:2 inputs", "once each")),
        ({"tolerance": "about 2 %"}, ("published/test.csv:2 tolerance", "about 2 %")),
        ({"tolerance": "rel much"}, ("published/test.csv:2 tolerance",)),
    ],
)
def test_a_bad_cell_is_refused_with_its_place(cells: dict[str, str], words: tuple[str, ...]) -> None:
    with pytest.raises(PlannerError) as refused:
        read(**cells)
    for word in words:
        assert word in refused.value.message


def test_an_input_that_is_not_there_names_the_closest() -> None:
    with pytest.raises(PlannerError, match="F07: there is no input stal; did you mean stall"):
        read().read("stal", "s")


def test_a_wrong_unit_is_refused() -> None:
    with pytest.raises(PlannerError, match="F07 stall: unit “s” is not known here"):
        read().read("stall", "bytes")
