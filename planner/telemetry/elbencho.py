"""elbencho: the table that it prints for each phase.

Of its two columns the last counts: what was reached when the slowest thread had finished. Bandwidth is in
MiB/s unless `--base10` was given, which the label then says; its numbers are cut to whole units.
"""

from __future__ import annotations

import re

from planner.core.units import MB, MIB
from planner.telemetry.records import Origin, Sheet, name_of

TOOL = "elbencho"
_PHASE = re.compile(r"^([A-Z][A-Z0-9\-]*)\s+Elapsed (?:time|ms)\s*:")
_COMMAND = re.compile(r"^\s*COMMAND LINE\s*:")
_TWO = re.compile(r"(\d+)\s+(\d+)")
_BANDWIDTH = re.compile(r"(?:Throughput )?(MiB/s|MB/s)(?: (read|write))?")
_RATE = re.compile(r"IOPS(?: (read|write))?")
_LATENCY = re.compile(r"IO(?: (rd|wr))? lat(?:ency)? %(?:ile| us)")
_MARKS = {"50": "p50", "99": "p99", "99.9": "p999"}
_MARK = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d{1,9})?)%<=(\S+)")
_WAYS = {"rd": "read", "wr": "write", "read": "read", "write": "write"}
_UNITS = {"MiB/s": MIB, "MB/s": MB}


class ElbenchoText:
    """Reads the phases one by one."""

    kind = TOOL

    def __init__(self, sheet: Sheet) -> None:
        """Begin; records go to the sheet as rows come."""
        self._sheet = sheet
        self.seen = False
        self._phase = ""
        self._run = 0

    def feed(self, line: str) -> None:
        """Take a line; other lines than elbencho's are passed over."""
        if phase := _PHASE.match(line):
            self.close()
            self.seen = True
            self._phase = phase.group(1)
            self._run += 1
        elif line.startswith("---"):
            self._phase = ""
        elif _COMMAND.match(line):
            self.close()
        elif self._phase and line[:1].isspace():
            label, _, text = line.partition(":")
            self._row(label.strip(), text.strip())

    def _row(self, label: str, text: str) -> None:
        """Record a row of a phase that reads or writes."""
        bandwidth, rate = _BANDWIDTH.fullmatch(label), _RATE.fullmatch(label)
        latency = _LATENCY.fullmatch(label)
        found = bandwidth or rate or latency
        if not found:
            return
        way = self._way(found.group(2 if bandwidth else 1))
        origin = Origin(TOOL, "", name_of(self._phase), "", self._run)
        if not way:
            self._sheet.remark(origin, f"“{label}” of a phase that neither reads nor writes is refused")
        elif latency:
            self._percentiles(origin, way, text)
        elif two := _TWO.fullmatch(text):
            factor = _UNITS[bandwidth.group(1)] if bandwidth else 1.0
            quantity = f"{way}_bandwidth" if bandwidth else f"{way}_iops"
            self._sheet.take(
                origin, quantity, two.group(2), factor=factor, detail="last done, cut to whole units"
            )
        else:
            self._sheet.remark(origin, f"“{label}” is refused: it has not two whole numbers")

    def _way(self, stated: str | None) -> str:
        """Whether a row reads or writes: in a mixed phase it says so itself."""
        if stated:
            return _WAYS[stated]
        return {"READ": "read", "WRITE": "write"}.get(self._phase, "")

    def _percentiles(self, origin: Origin, way: str, text: str) -> None:
        """Record percentiles, which are upper ends of a histogram's classes, in microseconds."""
        for mark, value in _MARK.findall(text):
            if mark in _MARKS:
                quantity = f"{way}_latency_{_MARKS[mark]}"
                self._sheet.take(origin, quantity, value, divisor=1e6, detail="at most")

    def close(self) -> None:
        """The text ends here; it may have been cut off between two lines, where every line that is left is whole."""
        if self._phase:
            self._sheet.remark(TOOL, f"the phase {name_of(self._phase)} has no end: figures may be missing")
        self._phase = ""
