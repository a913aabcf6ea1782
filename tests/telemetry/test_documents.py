"""JSON within a text: found whatever surrounds it, wherever the pieces end, and as far as it is whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.telemetry.documents import MAX_DEPTH, Document, Unfinished, split
from planner.telemetry.records import Doubt
from tests.telemetry.shapes import ELBENCHO, IOR_TEXT, SMART, Job, fio

SAMPLES = Path(__file__).parent / "samples"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.*")) if path.suffix != ".csv"]

plain = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
trees = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
documents = st.dictionaries(st.text(), trees, max_size=4)


@given(value=documents, indent=st.sampled_from([None, 0, 2]))
def test_one_document_is_what_it_is_to_any_other_parser(value: dict[str, object], indent: int | None) -> None:
    """Lists of objects mixed with plain values are the exception: no tool writes them."""
    for item in value.values():
        if isinstance(item, list) and any(isinstance(part, dict) for part in item):
            item[:] = [part for part in item if isinstance(part, dict)]
    assert list(split([json.dumps(value, indent=indent)])) == [Document(value)]


@given(data=st.data(), text=st.sampled_from(TEXTS))
@settings(max_examples=150)
def test_it_does_not_matter_where_the_pieces_end(data: st.DataObject, text: str) -> None:
    text = text + "\nWARNING: more\n" + data.draw(st.sampled_from(TEXTS))
    text = text[: data.draw(st.integers(0, len(text)))]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert list(split(pieces)) == list(split([text]))


def test_it_does_not_matter_either_if_every_piece_is_one_character() -> None:
    text = "\x1b[2K[1] start\r\n" + fio("3.33", Job()) + '\nJobs: [r(1)]\n[\n  {"a": "\\"}{"}\n]\nend\n'
    assert list(split(text)) == list(split([text]))
    assert [type(part) for part in split([text])] == [str, Document, str, Document, str]


def test_documents_in_a_row_and_the_lines_around_them() -> None:
    text = 'note: {x}\n{"a": 1}{"b": 2}\nhostname=c [3]\n[{"d": 4}] \ntail'
    assert list(split([text])) == [
        "note: {x}",
        Document({"a": 1}),
        Document({"b": 2}),
        "hostname=c [3]",
        Document([{"d": 4}]),
        Unfinished("tail"),
    ]


@pytest.mark.parametrize(
    ("text", "value", "flaw"),
    [
        ('{"jobs": [{"a": 1}, {"a": 2}, {"a"', {"jobs": [{"a": 1}, {"a": 2}]}, "inside entry 3 of “jobs”"),
        ('{"v": "x", "jobs": [{"a": 1}, ', {"v": "x", "jobs": [{"a": 1}]}, "at or after “jobs”"),
        ('{"v": 1, "hours": 244', {"v": 1}, "at or after “hours”"),
        ('{"v": {"w": 1}, "hours"', {"v": {"w": 1}}, "at or after “hours”"),
        ('{"v": {"w": 1, "x": ', {}, "at or after “v”"),
        ('{"v": "cut he', {}, "at or after “v”"),
        ('[{"a": 1}, {"b": [', [{"a": 1}], "inside entry 2 of the list"),
        ('{"a": [1, 2', {}, "at or after “a”"),
    ],
)
def test_of_a_cut_off_document_the_complete_part_is_kept(text: str, value: object, flaw: str) -> None:
    assert list(split([text])) == [Document(value, (f"truncated {flaw}",))]


def test_a_number_at_the_cut_is_not_believed() -> None:
    text = json.dumps(SMART, indent=2)
    for end in range(1, len(text)):
        for part in split([text[:end]]):
            if isinstance(part, Document):
                assert isinstance(part.value, dict)
                assert part.value.items() <= SMART.items()


def test_a_document_after_one_that_was_cut_off_is_found() -> None:
    whole = fio("3.33", Job())
    for end in range(100, len(whole), 97):
        parts = list(split([whole[:end] + "\nfio: terminating on signal 2\n" + whole]))
        assert parts[-1] == Document(json.loads(whole))
        assert isinstance(parts[0], Document)
        assert parts[0].flaws != ()


def test_one_broken_element_costs_nothing_but_itself() -> None:
    text = '{"jobs": [{"a": 1}, {"a": oops}, {"a": 3}], "b": 4}'
    assert list(split([text])) == [
        Document({"jobs": [{"a": 1}, {"a": 3}], "b": 4}, ("entry 2 of “jobs” is broken and is left out",))
    ]


def test_bare_nan_outside_strings_is_a_number_that_is_none() -> None:
    (part,) = split(['{"a": nan, "b": -nan, "c": "nan", "d": inf, "e": 1}'])
    assert isinstance(part, Document)
    assert isinstance(part.value, dict)
    assert [value != value for value in part.value.values()] == [True, True, False, True, False]  # noqa: PLR0124
    assert part.value["c"] == "nan"


def test_a_bare_null_of_c_is_nothing() -> None:
    assert list(split(['{"State": (null), "Address": "(null)"}'])) == [
        Document({"State": None, "Address": "(null)"})
    ]


def test_a_key_with_two_values_is_doubted() -> None:
    (part,) = split(['{"a": 1, "a": 2, "b": 3, "b": 3}'])
    assert part == Document({"a": Doubt("it is given twice, as 1 and 2"), "b": 3})


@pytest.mark.parametrize(
    "text",
    [
        '{"a": ]}',
        '{"a": [}',
        '{"a":' + "[" * (MAX_DEPTH + 1),
        '{"a": {"b": ' * 5000,
        '{"a": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_no_json_is_said_to_be_broken(text: str) -> None:
    first = next(iter(split([text])))
    assert isinstance(first, Document)
    assert any("broken" in flaw for flaw in first.flaws)


@pytest.mark.parametrize("text", [ELBENCHO, IOR_TEXT, "{ no json }\n[1] 2\n[ min=1 ]\n"])
def test_brackets_of_a_text_begin_no_document(text: str) -> None:
    assert list(split([text])) == [line for line in text.splitlines() if line]
