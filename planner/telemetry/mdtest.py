"""mdtest: operations per second from the rate table of its text."""

from __future__ import annotations

import re

from planner.core.units import counted
from planner.telemetry.records import METADATA, Origin, Sheet, name_of

TOOL = "mdtest"
_VERSION = re.compile(r"^\s*mdtest-(\S+) was launched")
_RATES = re.compile(r"^\s*SUMMARY(?: rate)?\s*(?:\(in ops/sec\))?\s*:\s*\(of (\d+) iterations?\)")
_TIMES = re.compile(r"^\s*SUMMARY time")
_COLUMNS = re.compile(r"^\s*Operation\s+Max\s+Min\s+Mean\s+Std Dev")
_FIGURE = r"(\d{1,15}(?:\.\d{1,9})?)"
_ROW = re.compile(rf"^\s*(File|Directory|Tree) (\w+)\s*:?\s+{_FIGURE}\s+{_FIGURE}\s+{_FIGURE}\s+\S+\s*$")
_PART = re.compile(r"^\s*(File|Directory|Tree) (\w+)\b")


class MdtestText:
    """Reads the rate table; the table of times, which some versions print too, is passed over."""

    kind = TOOL

    def __init__(self, sheet: Sheet) -> None:
        """Begin; records go to the sheet as rows come."""
        self._sheet = sheet
        self.seen = False
        self._version = ""
        self._run = 0
        self._iterations = ""
        self._state = ""

    def feed(self, line: str) -> None:
        """Take a line; other lines than mdtest's are passed over."""
        if version := _VERSION.match(line):
            self._missing()
            self.seen = True
            self._version, self._state = name_of(version.group(1)), "launched"
        elif rates := _RATES.match(line):
            self.seen = True
            self._run, self._iterations, self._state = self._run + 1, rates.group(1), "head"
        elif _TIMES.match(line):
            self._state = "times"
        elif line.startswith("-- finished"):
            self._state = "" if self._state == "rows" else self._state
            self._missing()
            self._state = ""
        elif self._state == "head":
            known = _COLUMNS.match(line)
            self._state = "rows" if known else "refused"
            if not known:
                self._sheet.remark(TOOL, "a rate table is refused: its columns are not known")
        elif self._state == "rows":
            self._row(line)

    def _row(self, line: str) -> None:
        match = _ROW.match(line)
        if not match:
            part = _PART.match(line)
            if part:
                self._sheet.remark(TOOL, f"the row “{part.group(0).strip()}” is incomplete and is left out")
            return
        kind, what, high, low, mean = match.groups()
        origin = Origin(TOOL, self._version, "metadata", "", self._run)
        if what not in METADATA:
            self._sheet.remark(TOOL, f"“{kind} {name_of(what)}” is not recorded")
        elif float(high) == 0:
            self._sheet.remark(TOOL, f"{kind} {what} was not run")
        else:
            quantity, detail = (
                f"{kind.lower()}_{what}_rate",
                f"mean of {counted(float(self._iterations[:9]), 'iteration')}",
            )
            self._sheet.take(origin, quantity, mean, spread=(low, high), detail=detail)

    def close(self) -> None:
        """The text ends here."""
        self._missing()

    def _missing(self) -> None:
        if self._state in ("launched", "head"):
            self._sheet.remark(TOOL, "a run without a rate table")
        elif self._state == "rows":
            # It may have been cut off between two lines, where every row that is left is whole.
            self._sheet.remark(TOOL, "a rate table has no end: rows may be missing")
