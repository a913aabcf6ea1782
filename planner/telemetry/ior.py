"""IOR: JSON and CSV summaries, and the text that it prints. Its bandwidths are in MiB/s in all of them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from planner.core.units import GB, GIB, KB, KIB, MB, MIB, counted
from planner.telemetry.documents import Document
from planner.telemetry.records import Origin, RefusedError, Sheet, name_of, number, whole_count

TOOL = "ior"
WAYS = ("read", "write")
_UNITS = {"KiB": KIB, "MiB": MIB, "GiB": GIB, "KB": KB, "MB": MB, "GB": GB}


def is_ior(value: object) -> bool:
    """Whether a document is IOR's JSON summary."""
    return isinstance(value, Mapping) and (
        any("bwMeanMIB" in item for item in _items(value.get("summary")))
        or any("Results" in item or "Parameters" in item for item in _items(value.get("tests")))
    )


def _items(value: object) -> Iterator[Mapping[str, object]]:
    """Objects in a list, or in the lists inside it."""
    for item in value if isinstance(value, list) else ():
        if isinstance(item, Mapping):
            yield item
        elif isinstance(item, list):
            yield from (part for part in item if isinstance(part, Mapping))


def read_json(document: Document, sheet: Sheet, *, run: int = 1) -> None:
    """Record the summary of each test, or its repetitions where the summary is missing.

    Args:
        document: One that `is_ior`.
        sheet: Where to.
        run: Which document of its kind this is.
    """
    value = document.value
    assert isinstance(value, Mapping)
    machine = name_of(value.get("Machine")).rpartition(" ")[2]
    origin = Origin(TOOL, name_of(value.get("Version")), "", machine, run)
    for flaw in document.flaws:
        sheet.remark(TOOL, flaw)
    summed = set()
    nodes = max((_nodes(item) for item in _items(value.get("tests"))), default=0)
    origin = replace(origin, node_count=nodes)
    for item in _items(value.get("summary")):
        way, test = name_of(item.get("operation")), f"test {name_of(str(item.get('TestID', 0)))}"
        if way in WAYS:
            summed.add((test, way))
            _summary(sheet, _of(origin, test), way, item)
    for item in _items(value.get("tests")):
        test = f"test {name_of(str(item.get('TestID', 0)))}"
        for way in WAYS:
            rows = [r for r in _items(item.get("Results")) if r.get("access") == way]
            if rows and (test, way) not in summed:
                complete = counted(len(rows), "complete repetition")
                sheet.remark(test, f"no {way} summary; the mean of {complete} is taken")
                each = [row.get("bwMiB") for row in rows]
                sheet.take_repeated(_of(origin, test), f"{way}_bandwidth", each, factor=MIB)


def _nodes(test: Mapping[str, object]) -> int:
    """How many machines a test ran on."""
    stated = [test.get(part) for part in ("Parameters", "Options")]
    return max((whole_count(part.get("nodes")) for part in stated if isinstance(part, Mapping)), default=0)


def _of(origin: Origin, subject: str) -> Origin:
    return replace(origin, subject=subject)


def _summary(sheet: Sheet, origin: Origin, way: str, item: Mapping[str, object]) -> None:
    """Record an operation's mean with its extremes; operations times their size must be the bandwidth."""
    detail = f"mean of repetitions: {name_of(str(item.get('repetitions', '?')))}"
    mean, rate, size = (item.get(key) for key in ("bwMeanMIB", "OPsMean", "transferSize"))
    try:
        if None not in (rate, size) and number(rate) > 1:
            moved, stated = number(rate) * number(size), number(mean) * MIB
            if abs(moved - stated) > 0.02 * stated:
                raise RefusedError("operations times their size are another bandwidth")
    except RefusedError as reason:
        sheet.remark(origin, f"{way} figures are refused: {reason}")
        return
    ends = (item.get("bwMinMIB"), item.get("bwMaxMIB"))
    sheet.take(origin, f"{way}_bandwidth", mean, factor=MIB, spread=ends, detail=detail)
    if rate is not None:
        sheet.take(
            origin, f"{way}_iops", rate, spread=(item.get("OPsMin"), item.get("OPsMax")), detail=detail
        )


# --- the text form ------------------------------------------------------------------------------------------

_VERSION = re.compile(r"^\s*IOR-(\S+?):? ")
_MACHINE = re.compile(r"^\s*Machine\s*:\s*\S+\s+(\S+)")
_NODES = re.compile(r"^\s*nodes\s*:\s*(\d{1,7})\s*$")
_SUMMARY_HEAD = re.compile(
    r"^\s*Operation\s+Max\s*\((\w+)\)\s+Min\s*\(\w+\)\s+Mean\s*\(\w+\)\s+Std\s*Dev(\s+Max\s*\(OPs\))?"
)
_ROW_HEAD = re.compile(r"^\s*access\s+bw\((\w+)/s\)(\s+IOPS)?")
_ROW = re.compile(r"^\s*(read|write)\s+([-\d.].*)$")
_CSV_HEAD = re.compile(r"(^|,)\s*access\s*,\s*bw\((\w+)/s\)\s*,")
_BEST = re.compile(r"^\s*Max (Write|Read)\s*:\s*(\d{1,15}\.\d{1,9}) MiB/sec \((\d{1,15}\.\d{1,9}) MB/sec\)")


class IorText:
    """Reads IOR's text and CSV; of one run the summary counts, then its rows, then the maxima alone."""

    kind = TOOL

    def __init__(self, sheet: Sheet) -> None:
        """Begin; records go to the sheet when a run ends."""
        self._sheet = sheet
        self.seen = False
        self._run = 0
        self._begin()

    def _begin(self) -> None:
        self._begun = False
        self._version = self._host = ""
        self._nodes = 0
        self._table = ""
        self._factor = MIB
        self._columns: list[str] = []
        self._has_rate = False
        self._rows: dict[tuple[str, str, float], list[object]] = {}
        self._sums: list[tuple[str, list[str], float, bool]] = []
        self._best: dict[str, tuple[float, float]] = {}

    def feed(self, line: str) -> None:
        """Take a line; other lines than IOR's are passed over."""
        version = _VERSION.match(line)
        if version:
            self.close()
            self.seen = True
            self._begun = True
            self._version = name_of(version.group(1))
        elif machine := _MACHINE.match(line):
            self._host = name_of(machine.group(1))
        elif nodes := _NODES.match(line):
            self._nodes = whole_count(nodes.group(1))
        elif best := _BEST.match(line):
            self.seen = True
            self._best[best.group(1).lower()] = (float(best.group(2)), float(best.group(3)))
        elif not self._header(line):
            self._row(line)

    def _header(self, line: str) -> bool:
        """Whether a line heads a table, whose rows are then read by it."""
        for table, pattern, unit in (
            ("summary", _SUMMARY_HEAD, 1),
            ("csv", _CSV_HEAD, 2),
            ("rows", _ROW_HEAD, 1),
        ):
            match = pattern.search(line)
            if match:
                self.seen = True
                self._table, self._factor = table, _UNITS.get(match.group(unit), 0.0)
                self._has_rate = table != "csv" and match.group(2) is not None
                self._columns = [name.strip() for name in line.split(",")]
                if not self._factor:
                    self._table = ""
                    self._sheet.remark(
                        TOOL, f"a table in “{match.group(unit)}” is refused: the unit is not known"
                    )
                return True
        return False

    def _row(self, line: str) -> None:
        if self._table == "csv":
            self._csv_row(line)
        elif self._table and (match := _ROW.match(line)):
            words = match.group(2).split()
            if self._table == "summary":
                self._sums.append((match.group(1), words, self._factor, self._has_rate))
            else:
                self._add(
                    match.group(1), "", words[0], words[1] if self._has_rate and len(words) > 1 else None
                )

    def _csv_row(self, line: str) -> None:
        try:
            cells = next(csv.reader([line]), [])
        except csv.Error:
            cells = []
        if len(cells) != len(self._columns):
            if "," in line:
                self._sheet.remark(TOOL, "a line of the table is incomplete and is left out")
            return
        row = {name: cell.strip() for name, cell in zip(self._columns, cells, strict=True)}
        if row["access"] in WAYS:
            bandwidth = next(cell for name, cell in row.items() if name.startswith("bw("))
            self._add(row["access"], row.get("numTasks", ""), bandwidth, row.get("IOPS"))

    def _add(self, way: str, tasks: str, bandwidth: str, rate: str | None) -> None:
        subject = f"{tasks} task{'' if tasks == '1' else 's'}" if tasks else "test"
        self._rows.setdefault((subject, f"{way}_bandwidth", self._factor), []).append(bandwidth)
        if rate is not None:
            self._rows.setdefault((subject, f"{way}_iops", 1.0), []).append(rate)

    def close(self) -> None:
        """The run that was being read ends here."""
        if self._sums or self._rows or self._best:
            self._run += 1
        elif self._begun:
            self._sheet.remark(TOOL, "a run without a result")
        self._say_what_is_missing()
        tests = Counter[str]()
        for way, words, factor, has_rate in self._sums:
            self._from_summary(self._origin(f"test {tests[way]}"), way, words, factor, has_rate)
            tests[way] += 1
        if not self._sums:
            for (subject, quantity, factor), values in self._rows.items():
                self._sheet.take_repeated(self._origin(subject), quantity, values, factor=factor)
        for way, (mib, mb) in self._best.items() if not self._sums and not self._rows else ():
            self._from_best(way, mib, mb)
        self._begin()

    def _say_what_is_missing(self) -> None:
        """A text may have been cut off between two lines, where every line that is left is whole."""
        if self._begun and self._rows and not self._sums and not self._best:
            self._sheet.remark(TOOL, "the run has no end: repetitions may be missing")
        rows = {quantity.partition("_")[0] for _, quantity, _ in self._rows}
        for way in sorted(rows - {way for way, *_ in self._sums}) if self._sums else ():
            self._sheet.remark(TOOL, f"no {way} row in the summary, which may be cut off")

    def _origin(self, subject: str) -> Origin:
        return Origin(TOOL, self._version, subject, self._host, self._run, node_count=self._nodes)

    def _from_summary(
        self, origin: Origin, way: str, words: list[str], factor: float, has_rate: bool
    ) -> None:
        """Record a row of the summary, whose first columns are maximum, minimum, mean and deviation."""
        if len(words) < (7 if has_rate else 3):
            self._sheet.remark(origin, f"the {way} row of the summary is incomplete and is left out")
            return
        high, low, mean = words[:3]
        self._sheet.take(origin, f"{way}_bandwidth", mean, factor=factor, spread=(low, high), detail="mean")
        if has_rate:
            high, low, mean = words[4:7]
            self._sheet.take(origin, f"{way}_iops", mean, spread=(low, high), detail="mean")

    def _from_best(self, way: str, mib: float, mb: float) -> None:
        origin = self._origin("test")
        if abs(mib * MIB - mb * MB) > 0.01 * mb * MB + 0.01 * MB:
            self._sheet.remark(origin, f"{way}_bandwidth is refused: its MiB and its MB differ")
            return
        self._sheet.take(origin, f"{way}_bandwidth", mib, factor=MIB, detail="best repetition")
        self._sheet.remark(origin, "only the best repetition is given, no mean")
