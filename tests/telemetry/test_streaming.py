"""Large files: read a piece at a time, refused above the cap, whatever they are made of."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from planner.core.errors import PlannerError
from planner.telemetry import read_measurements, reading, source
from planner.telemetry.documents import MAX_PART_CHARACTERS, Document, split
from tests.telemetry.shapes import SMART_TEXT, Job, fio

MB = 10**6


def with_bins(size: int) -> str:
    """A job of json+ output, as large as its histogram makes it."""
    value = json.loads(fio("3.33", Job(name="NAME")))
    value["jobs"][0]["read"]["clat_ns"]["bins"] = {str(i * 64): i for i in range(size)}
    return json.dumps(value["jobs"][0], indent=40)


def long_document(jobs: int) -> Iterator[str]:
    """A document of json+ with many jobs, piece by piece."""
    job = with_bins(1800)
    yield '{\n "fio version": "fio-3.33",\n "timestamp": 1795966081,\n "jobs": [\n'
    for i in range(jobs):
        yield job.replace("NAME", f"job{i}") + (",\n" if i + 1 < jobs else "\n")
    yield " ]\n}\n"


def test_a_file_of_many_megabytes_is_read_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    with path.open("w") as file:
        file.writelines(long_document(30))
    assert path.stat().st_size > 9 * MB
    tracemalloc.start()
    reading = read_measurements(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(reading.records) == 30 * 5
    assert reading.remarks == ()
    assert peak < 3 * MB  # a piece and a job of it at a time


def test_a_file_above_the_cap_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "huge.json"
    path.write_bytes(b" " * (2 * source.PIECE_BYTES))
    monkeypatch.setattr(source, "MAX_BYTES", source.PIECE_BYTES)
    with pytest.raises(PlannerError, match="larger than 0 MB, the most that is read; split it"):
        read_measurements(path)
    monkeypatch.undo()
    assert source.MAX_BYTES == 100 * MB


def test_a_single_element_above_its_cap_is_left_out() -> None:
    filling = '"x": "' + "x" * 50_000 + '",\n'
    many = [filling] * (MAX_PART_CHARACTERS // len(filling) + 1)
    pieces = ['{"jobs": [{"a": 1}, {', *many, '"b": 2}, {"c": 3}]}']
    (part,) = split(pieces)
    assert part == Document(
        {"jobs": [{"a": 1}, {"c": 3}]}, ("entry 2 of “jobs” is larger than 10 MB and is left out",)
    )


def test_a_string_without_an_end_is_given_up() -> None:
    parts = list(split(['{"a": 1, "b": "', *["x" * MB] * 20, "\n", '{"c": 3}\n']))
    assert parts[0] == Document(
        {"a": 1},
        ("broken: its quotes or brackets do not match, or nest too deep", "truncated at or after “b”"),
    )
    assert parts[-1] == Document({"c": 3})


def test_more_documents_than_any_tool_writes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_DOCUMENTS", 3)
    assert read_measurements(b"{}" * 2 + SMART_TEXT.encode()).kind == "nvme smart-log"
    with pytest.raises(PlannerError, match="more than 3 JSON documents, the most that is read; split it"):
        read_measurements(b"{}" * 4)


def test_an_endless_line_is_no_burden() -> None:
    parts = list(split(["x" * MB] * 20))
    assert sum(len(part) for part in parts if isinstance(part, str)) < 3 * MB


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_encodings_that_shells_write(encoding: str) -> None:
    whole = read_measurements(SMART_TEXT.encode())
    assert read_measurements(SMART_TEXT.replace("\n", "\r\n").encode(encoding)) == whole


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    content = io.TextIOWrapper(io.BytesIO(SMART_TEXT.encode()))
    monkeypatch.setattr("sys.stdin", content)
    assert read_measurements("-") == read_measurements(SMART_TEXT.encode())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "x: not the output of a known tool (it is empty); known are fio, "),
        (b"\0\1\2" * 1000, "x: not the output of a known tool (it is binary, no text); known are fio, "),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "x: not the output of a known tool (it is binary, no text)"),
        ("Müller: 3\tµs\n".encode(), "x: not the output of a known tool (it begins “Müller: 3"),
        (b"hello\nworld\n", "x: not the output of a known tool (it begins “hello”); known are fio, "),
        (b'{"a": 1}', "x: not the output of a known tool (JSON of another kind); known are fio, "),
        (b'{"a": [{"b"', "(its JSON is truncated inside entry 1 of “a”)"),
    ],
)
def test_what_is_not_known_is_refused_in_one_line(content: bytes, message: str) -> None:
    with pytest.raises(PlannerError) as error:
        read_measurements(content, name="x")
    assert message in error.value.message
    assert "\n" not in error.value.message


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_a_file_that_cannot_be_read_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(PlannerError) as error:
        read_measurements(name)
    assert error.value.message.startswith(name.replace("\0", " "))
    assert error.value.message.isprintable()
