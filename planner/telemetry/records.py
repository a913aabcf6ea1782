"""One form for every measurement: what a record is, which quantities there are, what a number must be.

Every value is in one of the planner's own units. Temperatures are in °C: tools print whole degrees, and
those that print Kelvin do so by adding 273. A value outside the range of its quantity is refused with a
remark: a wrong reading is worse than none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planner.core.errors import shorten
from planner.core.units import FAILURE_YEAR_HOURS, HOUR_S, counted

DATA_UNIT_BYTES = 512_000.0
"""NVMe counts data in thousands of 512 bytes, rounded up."""
KELVIN_OFFSET = 273.0
"""What NVMe tools add to whole degrees Celsius; the half degree between 273 and 273.15 was never there."""
LONGEST_NAME = 223
"""An NVMe qualified name may have 223 bytes; no other name is longer."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """What may be measured: its unit in `planner.core.units.UNITS`, and the values that can be true.

    Attributes:
        unit: Key of the unit.
        low: Smallest value that is believed.
        high: Largest value that is believed.
    """

    unit: str
    low: float
    high: float


_BANDWIDTH = Quantity("bytes/s", 0.0, 1e14)
_RATE = Quantity("per s", 0.0, 1e11)
_LATENCY = Quantity("s", 0.0, 86_400.0)
_DATA = Quantity("bytes", 0.0, 1e20)
_COUNT = Quantity("count", 0.0, 1e15)
_SHARE = Quantity("fraction", 0.0, 1.0)
LATENCIES = ("p50", "p99", "p999")
METADATA = ("creation", "stat", "read", "removal", "rename")

QUANTITIES: Mapping[str, Quantity] = {
    **{f"{way}_bandwidth": _BANDWIDTH for way in ("read", "write", "checkpoint_write", "checkpoint_read")},
    **{f"{way}_iops": _RATE for way in ("read", "write")},
    **{f"{way}_latency_{mark}": _LATENCY for way in ("read", "write") for mark in LATENCIES},
    # The specification lets it pass 100 % and stop at 255 %, which means "at least".
    "percentage_used": Quantity("fraction", 0.0, 2.55),
    "available_spare": _SHARE,
    "available_spare_threshold": _SHARE,
    "data_written": _DATA,
    "data_read": _DATA,
    # What a drive has written to its flash, and what its maker says that hosts may write: endurance-log alone.
    "media_written": _DATA,
    "endurance_estimate": _DATA,
    "temperature": Quantity("°C", -60.0, 150.0),
    "media_errors": _COUNT,
    # A mask of bits, kept as the number that the tool prints.
    "critical_warning": Quantity("count", 0.0, 255.0),
    # A hundred years: no drive has been on for longer.
    "power_on_time": Quantity("s", 0.0, 100 * FAILURE_YEAR_HOURS * HOUR_S),
    "capacity": Quantity("bytes", 1.0, 1e18),
    "paths": _COUNT,
    "paths_live": _COUNT,
    "paths_usable": _COUNT,
    "accelerator_utilisation": _SHARE,
    "samples_rate": _RATE,
    **{f"{kind}_{what}_rate": _RATE for kind in ("file", "directory", "tree") for what in METADATA},
}
"""Every quantity that a record can have."""


@dataclass(frozen=True, slots=True)
class Record:
    """One measured value.

    Attributes:
        tool: Program that measured: "fio", "nvme smart-log", "ior" …
        version: Its version; empty where the output does not say.
        subject: What was measured: a job, a device, a subsystem.
        quantity: Key of `QUANTITIES`.
        value: The number, in `unit`. Of several repetitions it is their mean.
        unit: Key of the unit in `planner.core.units.UNITS`.
        host: Machine that measured, if the output says.
        run: Which run within the file, from 1.
        group: Records of one run that share a group were measured at the same time, so that rates add
            up. Empty where they do not, or where one that belongs to them is missing.
        low: Smallest repetition, in `unit`.
        high: Largest repetition, in `unit`.
        detail: What else a reader should know of this value.
        node_count: Machines that took part together; 0 where the output does not say.
    """

    tool: str
    version: str
    subject: str
    quantity: str
    value: float
    unit: str
    host: str = ""
    run: int = 1
    group: str = ""
    low: float | None = None
    high: float | None = None
    detail: str = ""
    node_count: int = 0


@dataclass(frozen=True, slots=True)
class Origin:
    """What all records of one job, drive or subsystem share; the fields are those of `Record`."""

    tool: str
    version: str = ""
    subject: str = ""
    host: str = ""
    run: int = 1
    group: str = ""
    node_count: int = 0


class RefusedError(ValueError):
    """A figure that is no number, or cannot be true; the text says why, and becomes a remark."""


def whole_count(raw: object) -> int:
    """A count of machines as a tool states it; 0 where it states none."""
    try:
        value = number(raw)
    except RefusedError:
        return 0
    return int(value) if 1 <= value <= 10**7 else 0


_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d{1,4})?")


def number(raw: object) -> float:
    """A figure as tools write it: a number, a number in a string, or an object with one as its `value`.

    Raises:
        RefusedError: It is none, is not finite, or contradicts itself.
    """
    if isinstance(raw, Mapping) and "value" in raw:
        raw = raw["value"]
    if isinstance(raw, Doubt):
        raise RefusedError(raw.reason)
    if raw is None:
        raise RefusedError("it is missing")
    if isinstance(raw, str) and len(raw) <= LONGEST_NAME and _NUMBER.fullmatch(raw.strip()):
        raw = float(raw)
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise RefusedError(f"“{shorten(raw, 40)}” is no number")
    try:
        value = float(raw)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise RefusedError(f"“{shorten(raw, 40)}” is no finite number")
    return value


def is_zero(raw: object) -> bool:
    """Whether a figure is the number 0, with which logs say that they have none."""
    try:
        return number(raw) == 0
    except RefusedError:
        return False


@dataclass(frozen=True, slots=True)
class Doubt:
    """Stands for a figure that contradicts itself, such as a key given twice with different values."""

    reason: str


def name_of(raw: object, default: str = "") -> str:
    """A name that a file gives, printable and on one line; the default where there is none."""
    return shorten(raw, LONGEST_NAME).strip() or default if isinstance(raw, str) else default


MOST_REMARKS = 200
"""Nobody reads more; how many there are beyond is said."""


@dataclass(slots=True)
class Sheet:
    """The records and remarks that reading has come to so far; each remark is there once."""

    records: list[Record] = field(default_factory=list)
    said: dict[str, None] = field(default_factory=dict)
    unsaid_count: int = 0

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was refused, is missing, or is odd."""
        more = (f"{counted(self.unsaid_count, 'more remark')}",) if self.unsaid_count else ()
        return (*self.said, *more)

    def remark(self, origin: Origin | str, text: str) -> None:
        """Say what was refused, is missing, or is odd about a subject; each thing is said once."""
        subject = origin if isinstance(origin, str) else origin.subject
        line = f"{subject}: {text}" if subject else text
        if line in self.said:
            return
        if len(self.said) < MOST_REMARKS:
            self.said[line] = None
        else:
            self.unsaid_count += 1

    def take(
        self,
        origin: Origin,
        quantity: str,
        raw: object,
        *,
        factor: float = 1.0,
        divisor: float = 1.0,
        offset: float = 0.0,
        spread: tuple[object, object] | None = None,
        detail: str = "",
    ) -> bool:
        """Make a record of a figure, or a remark of why not.

        Args:
            origin: Whose figure it is.
            quantity: Key of `QUANTITIES`.
            raw: The figure as the tool gives it.
            factor: What it is multiplied by to come to the quantity's unit.
            divisor: What it is divided by: exact where a factor of 0.01 is not.
            offset: What is then added.
            spread: Smallest and largest repetition, in the tool's unit too.
            detail: What else to say of the value.

        Returns:
            Whether there is a record.
        """
        kind = QUANTITIES[quantity]
        try:
            value, low, high = (
                _within(kind, number(item), factor, divisor, offset)
                for item in (raw, *(spread or (raw, raw)))
            )
            if not low * (1 - 1e-6) <= value <= high * (1 + 1e-6) and spread:
                raise RefusedError(f"{value:g} is not between its smallest and largest repetition")
        except RefusedError as reason:
            self.remark(origin, f"{quantity} is refused: {reason}")
            return False
        self.records.append(
            Record(
                tool=origin.tool,
                version=origin.version,
                subject=origin.subject,
                quantity=quantity,
                value=value,
                unit=kind.unit,
                host=origin.host,
                run=origin.run,
                group=origin.group,
                low=low if spread else None,
                high=high if spread else None,
                detail=detail,
                node_count=origin.node_count,
            )
        )
        return True

    def take_repeated(
        self,
        origin: Origin,
        quantity: str,
        repetitions: Sequence[object],
        *,
        factor: float = 1.0,
        divisor: float = 1.0,
    ) -> bool:
        """Record the mean of repetitions with the smallest and the largest; one that is no number spoils it.

        Args:
            origin: Whose figure it is.
            quantity: Key of `QUANTITIES`.
            repetitions: The figures as the tool gives them, at least one.
            factor: What they are multiplied by to come to the quantity's unit.
            divisor: What they are divided by.

        Returns:
            Whether there is a record.
        """
        try:
            values = [number(item) for item in repetitions]
        except RefusedError as reason:
            self.remark(origin, f"{quantity} is refused: {reason}")
            return False
        return self.take(
            origin,
            quantity,
            sum(values) / len(values),
            factor=factor,
            divisor=divisor,
            spread=(min(values), max(values)),
            detail=f"mean of {counted(len(values), 'repetition')}",
        )


def _within(kind: Quantity, plain: float, factor: float, divisor: float, offset: float) -> float:
    """A figure in the quantity's unit.

    Raises:
        RefusedError: It is outside what the quantity can be.
    """
    value = plain * factor / divisor + offset
    if not kind.low <= value <= kind.high:
        low, high = ((end - offset) * divisor / factor for end in (kind.low, kind.high))
        raise RefusedError(f"{plain:g} is outside {low:g} to {high:g}, so it cannot be true")
    return value
