"""Health of drives: `nvme smart-log` as JSON and as text, `smartctl -j`; sizes from `nvme list`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from planner.core.units import HOUR_S
from planner.telemetry.documents import Document
from planner.telemetry.records import (
    DATA_UNIT_BYTES,
    KELVIN_OFFSET,
    Doubt,
    Origin,
    RefusedError,
    Sheet,
    is_zero,
    name_of,
    number,
)

SMART_LOG, SMARTCTL, LIST = "nvme smart-log", "smartctl", "nvme list"
_PERCENT = 100.0
_MOST_PERCENT = 255


@dataclass(frozen=True, slots=True)
class Field:
    """Where a quantity stands in a health log, and how it comes to its unit."""

    key: str
    quantity: str
    factor: float = 1.0
    divisor: float = 1.0
    offset: float = 0.0


_COUNTERS = (
    Field("data_units_written", "data_written", DATA_UNIT_BYTES),
    Field("data_units_read", "data_read", DATA_UNIT_BYTES),
    Field("media_errors", "media_errors"),
    Field("critical_warning", "critical_warning"),
    Field("power_on_hours", "power_on_time", HOUR_S),
)
_NVME = (
    Field("percent_used", "percentage_used", divisor=_PERCENT),
    Field("avail_spare", "available_spare", divisor=_PERCENT),
    Field("spare_thresh", "available_spare_threshold", divisor=_PERCENT),
    Field("temperature", "temperature", offset=-KELVIN_OFFSET),
    *_COUNTERS,
)
_OTHERS = (
    Field("percentage_used", "percentage_used", divisor=_PERCENT),
    Field("available_spare", "available_spare", divisor=_PERCENT),
    Field("available_spare_threshold", "available_spare_threshold", divisor=_PERCENT),
    Field("temperature", "temperature"),
    *_COUNTERS,
)
_MARKS = {"critical_warning", "temperature", "avail_spare", "spare_thresh", "percent_used"}
_WARNINGS = (
    "spare low",
    "temperature",
    "reliability degraded",
    "read only",
    "backup failed",
    "memory read only",
)


def device_name(raw: object, default: str = "") -> str:
    """Name of a device without its folder: some versions print "/dev/nvme0n1", others "nvme0n1"."""
    return name_of(raw).rpartition("/")[2] or default


def is_smart_log(value: object) -> bool:
    """Whether a document is a health log of nvme-cli; smartctl calls these fields otherwise.

    A log that was cut off is known by its first fields.
    """
    return isinstance(value, Mapping) and len(_MARKS & set(value)) > 1


def read_smart_log(document: Document, sheet: Sheet, *, subject: str, run: int = 1) -> None:
    """Record a health log in JSON.

    Counters are numbers, numbers with a point, or strings, and the warning is a number or an object,
    depending on the version; the temperature is in Kelvin in all of them.

    Args:
        document: One that `is_smart_log`.
        sheet: Where to.
        subject: The drive, which the log itself does not name.
        run: Which document of its kind this is.
    """
    assert isinstance(document.value, Mapping)
    read_fields(sheet, Origin(SMART_LOG, "", subject, "", run), document.value, _NVME)
    for flaw in document.flaws:
        sheet.remark(subject, flaw)


def read_fields(sheet: Sheet, origin: Origin, log: Mapping[str, object], fields: tuple[Field, ...]) -> None:
    """Record the fields of a drive's log, and say which are not there.

    Args:
        sheet: Where to.
        origin: Whose log it is.
        log: Figures by the name that the tool gives them.
        fields: Which of them are recorded, and how.
    """
    missing = [field.quantity for field in fields if log.get(field.key) is None]
    for field in fields:
        raw = log.get(field.key)
        if raw is None:
            continue
        if field.quantity == "temperature" and is_zero(raw) and field.offset:
            sheet.remark(origin, "temperature is not reported (0 K)")
            continue
        sheet.take(
            origin,
            field.quantity,
            raw,
            factor=field.factor,
            divisor=field.divisor,
            offset=field.offset,
            detail=_detail(field, raw),
        )
    if missing:
        sheet.remark(origin, f"not there: {', '.join(missing)}")


def _detail(field: Field, raw: object) -> str:
    """What to say of a value beyond its number."""
    try:
        value = number(raw)
    except RefusedError:
        return ""
    if field.quantity == "critical_warning" and 0 < value < 256 and value == int(value):
        return (
            ", ".join(name for bit, name in enumerate(_WARNINGS) if int(value) >> bit & 1) or "reserved bit"
        )
    if field.quantity == "percentage_used" and value == _MOST_PERCENT:
        return "at least: the field goes no further"
    return ""


# --- the text form ------------------------------------------------------------------------------------------

HEAD = re.compile(r"smart log for nvme device\s*:\s*(\S+)", re.IGNORECASE)
ENDURANCE_HEAD = re.compile(r"endurance group log for nvme device\s*:\s*(\S+)", re.IGNORECASE)
_FRAME = "+-| 	"
"""What stands around a line in a comparison or a table."""
_NAMES = {
    "percentage_used": "percentage_used",
    "available_spare": "available_spare",
    "available_spare_threshold": "available_spare_threshold",
    "temperature": "temperature",
    "critical_warning": "critical_warning",
    "data_units_read": "data_units_read",
    "data_units_written": "data_units_written",
    "media_errors": "media_errors",
    "power_on_hours": "power_on_hours",
}
_GROUPED = re.compile(r"(\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+|\d+)(?![\d.,])")
LONGEST_FIGURE = 80
"""Characters of a figure with its unit and what stands in brackets behind it."""
_SIZES = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_IN_BRACKETS = re.compile(r"\(\s*(\d+(?:[.,]\d+)?)\s*([KMGTPE]?)B\s*\)")
_CELSIUS = re.compile(r"(-?\d{1,4})\s{0,3}(?:°|º|\ufffd{0,3})\s?C?\b")
_FAHRENHEIT = re.compile(r"-?\d{1,4}\s{0,3}(?:°|º|\ufffd{0,3})\s?F\b")
"""How nvme-cli begins where the machine's locale measures so; the Kelvin behind it are the drive's own."""
_KELVIN = re.compile(r"(?<!\d)(\d{1,4})\s{0,3}K(?:elvin)?\b")


class SmartText:
    """Reads health logs in their text form, one or several in a row."""

    kind = SMART_LOG

    def __init__(self, sheet: Sheet) -> None:
        """Begin; records go to the sheet when a log ends."""
        self._sheet = sheet
        self.seen = False
        self._run = 0
        self._subject = ""
        self._log: dict[str, object] = {}
        self._seen: set[str] = set()

    def feed(self, line: str) -> None:
        """Take a line; other lines than a health log's are passed over."""
        if ENDURANCE_HEAD.search(line):
            self.close()
            return
        head = HEAD.search(line)
        if head:
            self.seen = True
            self.close()
            self._run += 1
            self._subject = device_name(head.group(1), "drive")
            return
        if not self._subject:
            return
        label, colon, text = line.strip(_FRAME).partition(":" if ":" in line else "|")
        key = _NAMES.get(label.strip().lower().replace(" ", "_"), "")
        if not key or not colon or not text.strip():
            return
        if key in self._seen:
            self._sheet.remark(self._subject, f"{key} is there twice; the first is taken")
            return
        self._seen.add(key)
        self._log[key] = self._figure(key, text.strip()[:LONGEST_FIGURE])

    def _figure(self, key: str, text: str) -> object:
        """The figure of a line: whole degrees Celsius, a percentage, or a count with its separators."""
        if key == "temperature":
            return self._temperature(text)
        if key == "critical_warning" and re.fullmatch(r"0[xX][0-9a-fA-F]{1,2}", text.split(maxsplit=1)[0]):
            return int(text.split(maxsplit=1)[0], 16)
        match = _GROUPED.match(text)
        if not match:
            return text
        value = float(re.sub(r"\D", "", match.group(1)))
        size = _IN_BRACKETS.search(text)
        if size and key.startswith("data_units"):
            printed = float(size.group(1).replace(",", ".")) * _SIZES[size.group(2)]
            if abs(value * DATA_UNIT_BYTES - printed) > 0.01 * printed + DATA_UNIT_BYTES:
                return Doubt(f"“{name_of(text)}” gives two different sizes")
        return value

    def _temperature(self, text: str) -> object:
        kelvin = _KELVIN.search(text)
        celsius = None if _FAHRENHEIT.match(text) else _CELSIUS.match(text)
        if kelvin and int(kelvin.group(1)) == 0:
            return None
        if not celsius:
            return float(kelvin.group(1)) - KELVIN_OFFSET if kelvin else text
        if kelvin and abs(int(kelvin.group(1)) - KELVIN_OFFSET - int(celsius.group(1))) > 1:
            return Doubt(f"“{name_of(text)}” gives two different temperatures")
        if celsius.group(0).strip() == celsius.group(1):
            return Doubt(f"“{name_of(text)}” has no unit")
        return int(celsius.group(1))

    def close(self) -> None:
        """The log that was being read ends here."""
        if self._subject:
            read_fields(self._sheet, Origin(SMART_LOG, "", self._subject, "", self._run), self._log, _OTHERS)
        self._subject, self._log, self._seen = "", {}, set()


# --- smartctl -----------------------------------------------------------------------------------------------


def is_smartctl(value: object) -> bool:
    """Whether a document is smartctl's."""
    return isinstance(value, Mapping) and isinstance(value.get("smartctl"), Mapping)


def read_smartctl(document: Document, sheet: Sheet, *, subject: str, run: int = 1) -> None:
    """Record what smartctl says of an NVMe drive; of any other drive nothing, and say so.

    Args:
        document: One that `is_smartctl`.
        sheet: Where to.
        subject: What to call the drive if the output does not say.
        run: Which document of its kind this is.
    """
    value = document.value
    assert isinstance(value, Mapping)
    tool, device = _mapping(value.get("smartctl")), _mapping(value.get("device"))
    numbers = tool.get("version")
    version = ".".join(str(n) for n in numbers if isinstance(n, int)) if isinstance(numbers, list) else ""
    origin = Origin(SMARTCTL, version, device_name(device.get("name"), subject), "", run)
    for flaw in document.flaws:
        sheet.remark(origin, flaw)
    messages = tool.get("messages")
    for message in messages if isinstance(messages, list) else ():
        sheet.remark(origin, f"smartctl says: {name_of(_mapping(message).get('string'), 'nothing')}")
    log = value.get("nvme_smart_health_information_log")
    if not isinstance(log, Mapping):
        sheet.remark(origin, "no NVMe health log: not an NVMe drive, or it could not be read")
        return
    read_fields(sheet, origin, {**log, **_exact(log)}, _OTHERS)
    capacity = value.get("nvme_total_capacity") or _mapping(value.get("user_capacity")).get("bytes")
    if capacity is not None:
        sheet.take(origin, "capacity", capacity)
    _say_if_failing(sheet, origin, _mapping(value.get("smart_status")))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _exact(log: Mapping[str, object]) -> dict[str, object]:
    """Counters too large for a JSON number, which smartctl repeats as strings under "…_s"."""
    return {
        str(key)[:-2]: value
        for key, value in log.items()
        if str(key).endswith("_s") and isinstance(value, str)
    }


def _say_if_failing(sheet: Sheet, origin: Origin, status: Mapping[str, object]) -> None:
    """A drive can pass its own test and yet have lost data."""
    errors = any(
        r.quantity == "media_errors" and r.value > 0 and r.subject == origin.subject for r in sheet.records
    )
    if status.get("passed") is False:
        sheet.remark(origin, "its own health test has failed")
    elif errors and status.get("passed") is True:
        sheet.remark(origin, "passes its own health test although it has media errors")


# --- sizes --------------------------------------------------------------------------------------------------


def is_list(value: object) -> bool:
    """Whether a document is the list of namespaces of nvme-cli."""
    return isinstance(value, Mapping) and isinstance(value.get("Devices"), list)


def read_list(document: Document, sheet: Sheet, *, run: int = 1) -> None:
    """Record the size of each namespace, once, whether the list is flat or a tree.

    A shared namespace appears under each controller that leads to it.

    Args:
        document: One that `is_list`.
        sheet: Where to.
        run: Which document of its kind this is.
    """
    for flaw in document.flaws:
        sheet.remark(LIST, flaw)
    seen: set[tuple[str, str]] = set()
    for host, item in _namespaces(document.value, ""):
        path = item.get("DevicePath") or item.get("NameSpace")
        origin = Origin(LIST, "", device_name(path, "namespace without a name"), host, run)
        if (host, origin.subject) in seen:
            continue
        seen.add((host, origin.subject))
        _read_size(sheet, origin, item)
    if not seen:
        sheet.remark(LIST, "no namespace")


def _namespaces(value: object, host: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """All objects with a size, with the host that they are on."""
    if isinstance(value, Mapping):
        if "PhysicalSize" in value:
            yield host, value
        host = name_of(value.get("HostNQN"), host)
        inner: list[object] = [part for part in value.values() if isinstance(part, list)]
    else:
        inner = [part for part in value if isinstance(part, Mapping)] if isinstance(value, list) else []
    for part in inner:
        yield from _namespaces(part, host)


def _read_size(sheet: Sheet, origin: Origin, item: Mapping[str, object]) -> None:
    """Record a size if the number of blocks bears it out: some builds print negative or cut-off sizes."""
    size, blocks, block = (item.get(key) for key in ("PhysicalSize", "MaximumLBA", "SectorSize"))
    try:
        expected = (
            number(blocks) * number(block) if blocks is not None and block is not None else number(size)
        )
        if number(size) > 0 and abs(number(size) - expected) > 1e-6 * expected:
            raise RefusedError("it is not the number of blocks times their size")
    except RefusedError as reason:
        sheet.remark(origin, f"capacity is refused: {reason}")
        return
    sheet.take(origin, "capacity", size)
