"""Reading a file of measurements: what kind it is, by its content, and all that it holds."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from planner.core.errors import PlannerError, shorten
from planner.core.units import counted
from planner.telemetry import dlio, drives, fio, ior, paths
from planner.telemetry.documents import Document, Part, Unfinished, split
from planner.telemetry.drives import SmartText
from planner.telemetry.elbencho import ElbenchoText
from planner.telemetry.endurance_log import (
    ENDURANCE_LOG,
    EnduranceText,
    is_endurance_log,
    read_endurance_log,
)
from planner.telemetry.failures import explained
from planner.telemetry.ior import IorText
from planner.telemetry.mdtest import MdtestText
from planner.telemetry.records import Record, Sheet, name_of
from planner.telemetry.source import Source, stem, text_pieces

KINDS = (
    "fio",
    drives.SMART_LOG,
    ENDURANCE_LOG,
    drives.LIST,
    paths.TOOL,
    drives.SMARTCTL,
    ior.TOOL,
    MdtestText.kind,
    ElbenchoText.kind,
    dlio.TOOL,
)
"""Everything that is recognised."""
_STOPPED = re.compile(r"fio: terminating on signal (\d{1,3})")
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
"""What no text holds: control characters other than blanks and the escape of a coloured terminal, and bytes that
are no UTF-8."""
MAX_DOCUMENTS = 50_000
"""Five hours of reports every second are 18,000."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file says.

    Attributes:
        records: Its measurements, in the order of the file.
        remarks: What was refused, is missing, or is odd.
        kind: Which tools it is of, separated by commas.
    """

    records: tuple[Record, ...]
    remarks: tuple[str, ...]
    kind: str


class LineReader(Protocol):
    """Reads one tool's text line by line into a sheet."""

    kind: str
    seen: bool

    def feed(self, line: str) -> None:
        """Take a line."""

    def close(self) -> None:
        """The text ends here."""


_TEXTS: tuple[Callable[[Sheet], LineReader], ...] = (
    SmartText,
    EnduranceText,
    IorText,
    MdtestText,
    ElbenchoText,
)
_DOCUMENTS: tuple[tuple[str, Callable[[object], bool], Callable[..., None]], ...] = (
    (drives.SMARTCTL, drives.is_smartctl, drives.read_smartctl),
    (ENDURANCE_LOG, is_endurance_log, read_endurance_log),
    (drives.SMART_LOG, drives.is_smart_log, drives.read_smart_log),
    (drives.LIST, drives.is_list, drives.read_list),
    (paths.TOOL, paths.is_list_subsys, paths.read),
    (ior.TOOL, ior.is_ior, ior.read_json),
    (dlio.TOOL, dlio.is_dlio, dlio.read),
)


class _Reader:
    """Hands what it is given to the readers and gathers what they say."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._drive = stem(name) or "drive"
        self._sheet = Sheet()
        self._counts: dict[str, int] = {}
        self._fio: list[fio.Run] = []
        self._texts = [(make(sheet := Sheet()), sheet) for make in _TEXTS]
        self._documents = 0
        self._unknown = 0
        self._flaw = self._said = ""
        self.first_line = ""
        self._cut = False
        self._stopped = ""

    def take(self, part: Part) -> None:
        """Take a document or a line; a last line that was cut off is not believed."""
        if isinstance(part, Document):
            self._documents += 1
            if self._documents > MAX_DOCUMENTS:
                raise PlannerError(
                    f"{self.name}: more than {MAX_DOCUMENTS:,} JSON documents, the most that is read; split it",
                    field=self.name,
                )
            self._document(part)
            return
        if isinstance(part, Unfinished):
            self.first_line = self.first_line or part.text.strip()
            self._cut = True
            return
        self.first_line = self.first_line or part.strip()
        if stopped := _STOPPED.match(part.strip()):
            self._stopped = stopped.group(1)
        for reader, _ in self._texts:
            reader.feed(part)

    def _document(self, document: Document) -> None:
        if fio.is_fio(document.value):
            self._count("fio")
            report = fio.read(document)
            self._fio.append(fio.stopped(report, self._stopped) if self._stopped else report)
            self._stopped = ""
            return
        for kind, fits, read in _DOCUMENTS:
            if fits(document.value):
                run = self._count(kind)
                if kind in (drives.SMARTCTL, drives.SMART_LOG, ENDURANCE_LOG):
                    subject = self._drive if run == 1 else f"{self._drive} #{run}"
                    read(document, self._sheet, subject=subject, run=run)
                else:
                    read(document, self._sheet, run=run)
                return
        self._unknown += 1
        self._flaw = self._flaw or next(iter(document.flaws), "")
        if isinstance(document.value, dict):
            # nvme-cli from 2.11 on prints its errors as JSON too.
            self._said = self._said or name_of(document.value.get("error"))

    def _count(self, kind: str) -> int:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return self._counts[kind]

    def _fio_records(self) -> Iterator[Record]:
        for number, (run, interim) in enumerate(fio.last_reports(self._fio), start=1):
            if interim:
                self._sheet.remark("", f"{counted(interim, 'interim report')} of the same run left out")
            for line in run.remarks:
                self._sheet.remark("", line)
            yield from (replace(record, run=number) for record in run.records)

    def why_unknown(self) -> str:
        """What there is instead of a tool's output, in brackets."""
        if self._flaw:
            return f" (its JSON is {self._flaw})"
        if self._said:
            meant = explained(self._said)
            return f": {meant} (“{shorten(self._said)}”)" if meant else f": it says “{shorten(self._said)}”"
        if self._unknown:
            return " (JSON of another kind)"
        if failure := explained(self.first_line):
            return f": {failure} (“{shorten(self.first_line)}”)"
        if _BINARY.search(self.first_line):
            return " (it is binary, no text)"
        return f" (it begins “{shorten(self.first_line)}”)" if self.first_line else " (it is empty)"

    def result(self) -> Reading:
        """All that was found."""
        records = [*self._fio_records(), *self._sheet.records]
        for reader, sheet in self._texts:
            reader.close()
            if reader.seen:
                self._count(reader.kind)
                records += sheet.records
                for line in sheet.remarks:
                    self._sheet.remark("", line)
        if self._cut and any(reader.seen for reader, _ in self._texts):
            self._sheet.remark("", "the last line does not end and is left out")
        if self._unknown and self._counts:
            many = counted(self._unknown, "JSON document")
            self._sheet.remark("", f"{many} of another kind passed over")
        if self._counts and not records and not self._sheet.said:
            self._sheet.remark("", "no figure in it that is read")
        return Reading(tuple(records), self._sheet.remarks, ", ".join(self._counts))


def read_measurements(source: Source, *, name: str = "") -> Reading:
    """The measurements that a file holds; its kind is known by its content, whatever its name.

    A file is read a piece at a time, so that memory does not grow with its size.

    Args:
        source: Path of a file, "-" for standard input, or the bytes themselves.
        name: What to call the file in messages, and a drive whose log does not name it.

    Raises:
        PlannerError: The file cannot be read, is too large, or is of no known kind.
    """
    name = name or ("input" if isinstance(source, bytes) or source == "-" else os.fspath(source))
    name = shorten(name, 200) or "the file"
    reader = _Reader(name)
    for part in split(text_pieces(source, name=name), shrink=fio.compact):
        reader.take(part)
    reading = reader.result()
    if not reading.kind:
        raise PlannerError(
            f"{name}: not the output of a known tool{reader.why_unknown()}; known are {', '.join(KINDS)}",
            field=name,
        )
    return reading
