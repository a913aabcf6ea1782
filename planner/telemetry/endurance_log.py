"""The endurance group's log of nvme-cli, which adds what a health log lacks: the writes to flash.

Its data are counted in whole 10^9 bytes, rounded up, while a health log counts them in thousands of 512
bytes under the same names: the two must never be taken for one another. A zero means "not reported".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from planner.core.units import GB
from planner.telemetry.documents import Document
from planner.telemetry.drives import ENDURANCE_HEAD, HEAD, Field, device_name, read_fields
from planner.telemetry.records import Origin, Sheet, is_zero

ENDURANCE_LOG = "nvme endurance-log"
_MARKS = {"avl_spare", "avl_spare_threshold", "endurance_estimate", "media_units_written"}
_MISNAMED = "mediate_write_commands"
"""What nvme-cli 1.x calls the data written to flash."""
_FIELDS = (
    Field("percent_used", "percentage_used", divisor=100.0),
    Field("avl_spare", "available_spare", divisor=100.0),
    Field("avl_spare_threshold", "available_spare_threshold", divisor=100.0),
    Field("critical_warning", "critical_warning"),
    Field("data_units_written", "data_written", GB),
    Field("data_units_read", "data_read", GB),
    Field("media_units_written", "media_written", GB),
    Field("endurance_estimate", "endurance_estimate", GB),
)
_COUNTED = ("data_units_written", "data_units_read", "media_units_written", "endurance_estimate")
_LINE = re.compile(r"^\s*([a-z][a-z_ ]{2,40}?)\s*:\s*(\d[\d,.'\u2019\u00a0\u202f ]*)\s*%?\s*$", re.IGNORECASE)


def is_endurance_log(value: object) -> bool:
    """Whether a document is an endurance group's log; a health log calls its spare otherwise."""
    return isinstance(value, Mapping) and bool((_MARKS | {_MISNAMED}) & set(value))


def read_endurance_log(document: Document, sheet: Sheet, *, subject: str, run: int = 1) -> None:
    """Record an endurance group's log in JSON.

    Args:
        document: One that `is_endurance_log`.
        sheet: Where to.
        subject: The drive, which the log itself does not name.
        run: Which document of its kind this is.
    """
    assert isinstance(document.value, Mapping)
    _record(sheet, Origin(ENDURANCE_LOG, "", subject, "", run), document.value)
    for flaw in document.flaws:
        sheet.remark(subject, flaw)


def _record(sheet: Sheet, origin: Origin, log: Mapping[str, object]) -> None:
    """Record the fields; a count of zero is one that the drive does not keep."""
    found = dict(log)
    if _MISNAMED in found:
        found.setdefault("media_units_written", found.pop(_MISNAMED))
    for key in _COUNTED:
        if found.get(key) is not None and is_zero(found[key]):
            del found[key]
    read_fields(sheet, origin, found, _FIELDS)


class EnduranceText:
    """Reads endurance group logs in their text form, one or several in a row."""

    kind = ENDURANCE_LOG

    def __init__(self, sheet: Sheet) -> None:
        """Begin; records go to the sheet when a log ends."""
        self._sheet = sheet
        self.seen = False
        self._run = 0
        self._subject = ""
        self._log: dict[str, object] = {}

    def feed(self, line: str) -> None:
        """Take a line; other lines than an endurance log's are passed over."""
        if head := ENDURANCE_HEAD.search(line):
            self.close()
            self.seen = True
            self._run += 1
            self._subject = device_name(head.group(1), "drive")
        elif HEAD.search(line):
            self.close()
        elif self._subject and (match := _LINE.match(line)):
            key = match.group(1).strip().lower().replace(" ", "_")
            if key in self._log:
                self._sheet.remark(self._subject, f"{key} is there twice; the first is taken")
            else:
                self._log[key] = _figure(match.group(2))

    def close(self) -> None:
        """The log that was being read ends here."""
        if self._subject:
            _record(self._sheet, Origin(ENDURANCE_LOG, "", self._subject, "", self._run), self._log)
        self._subject, self._log = "", {}


_GROUPED = re.compile(r"\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+|\d+")


def _figure(text: str) -> object:
    """A count with its separators; anything else stays a text, which is refused where it is taken."""
    plain = text.strip()
    return float(re.sub(r"\D", "", plain)) if _GROUPED.fullmatch(plain) and len(plain) < 60 else plain
