"""What `python -m planner measure` prints: the records of several files, as lines or as one JSON object."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from planner.core.errors import PlannerError, shorten
from planner.core.units import format_value
from planner.telemetry.reading import Reading, read_measurements
from planner.telemetry.records import Record
from planner.telemetry.totals import totals


@dataclass(frozen=True, slots=True)
class MeasuredFile:
    """A file that was to be read.

    Attributes:
        name: Its name as given.
        reading: What it says; None if it could not be read.
        error: Why it could not be read; empty if it could.
    """

    name: str
    reading: Reading | None
    error: str = ""


def measure(names: Sequence[str]) -> tuple[MeasuredFile, ...]:
    """Read files one by one; one that cannot be read does not keep the others from being read.

    Args:
        names: Paths; of a folder all files in it and below it, "-" is standard input.
    """
    return tuple(file for name in names for file in _given(name))


MOST_FILES = 20_000
"""Most files of one folder: a run on a thousand nodes with all of their drives has as many."""


def _given(name: str) -> Iterator[MeasuredFile]:
    """What a name stands for: a file, or those of a folder in order; what begins with a point is a program's own."""
    folder = Path(name)
    if name == "-" or not folder.is_dir():
        yield _measured(name)
        return
    found = (path for path in folder.rglob("*") if path.is_file() and not _is_hidden(path, folder))
    names = sorted(str(path) for path in itertools.islice(found, MOST_FILES + 1))
    told = shorten(name, 200)
    if not names:
        yield MeasuredFile(
            name, None, f"{told}: this folder holds no file; name one with outputs of storage tools"
        )
    elif len(names) > MOST_FILES:
        # Which of them a file system lists first says nothing, so that none is better than some.
        limit = f"more than {MOST_FILES:,} files, the most that is read; name the folders in it one by one"
        yield MeasuredFile(name, None, f"{told}: {limit}")
    else:
        yield from map(_measured, names)


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _measured(name: str) -> MeasuredFile:
    try:
        return MeasuredFile(name, read_measurements(name))
    except PlannerError as error:
        return MeasuredFile(name, None, error.message)


def failures(files: Sequence[MeasuredFile]) -> tuple[str, ...]:
    """One line for each file that could not be read."""
    return tuple(file.error for file in files if file.reading is None)


def report_lines(files: Sequence[MeasuredFile]) -> Iterator[str]:
    """The records as people read them, file by file, with totals and remarks."""
    for file in files:
        if file.reading is None:
            continue
        yield f"{shorten(file.name, 200)}: {file.reading.kind}"
        together = totals(file.reading.records)
        rows = [_row(record) for record in (*file.reading.records, *together)]
        widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
            yield "  " + "  ".join((*cells, row[3])).rstrip()
        for remark in file.reading.remarks:
            yield f"  remark: {remark}"


def _row(record: Record) -> tuple[str, str, str, str]:
    subject = " ".join(part for part in (record.subject, record.host) if part)
    if record.run > 1:
        subject += f" (run {record.run})"
    value = format_value(record.value, record.unit).replace("\u00a0", " ")
    return subject, record.quantity, value, _notes(record)


def _notes(record: Record) -> str:
    notes = [record.detail] if record.detail else []
    if record.low is not None and record.high is not None and record.low != record.high:
        ends = (format_value(end, record.unit).replace("\u00a0", " ") for end in (record.low, record.high))
        notes.append(" to ".join(ends))
    return "; ".join(notes)


def report_json(files: Sequence[MeasuredFile]) -> dict[str, object]:
    """The same as one object: `files`, `records`, `totals` and `remarks`, each entry with its file's name."""
    read = [(file.name, file.reading) for file in files if file.reading is not None]
    return {
        "files": [{"file": file.name, "kind": _kind(file), "error": file.error} for file in files],
        "records": [{"file": name, **asdict(record)} for name, reading in read for record in reading.records],
        "totals": [
            {"file": name, **asdict(record)} for name, reading in read for record in totals(reading.records)
        ],
        "remarks": [{"file": name, "remark": line} for name, reading in read for line in reading.remarks],
    }


def _kind(file: MeasuredFile) -> str:
    return file.reading.kind if file.reading is not None else ""
