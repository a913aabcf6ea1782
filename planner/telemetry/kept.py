"""Measurements as text that can be kept with a revision, and back: what was read, not the verdict on it.

A verdict is made anew from the revision's plan each time, so that it is never of another plan.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from planner.core.errors import PlannerError, shorten
from planner.telemetry.reading import Reading
from planner.telemetry.records import QUANTITIES, Quantity, Record

FORMAT = 1
MOST_RECORDS = 20_000
"""Figures that are kept together; a run on 500 nodes with all their drives has fewer."""
_COLUMNS = tuple(field.name for field in fields(Record))
_TEXTS = ("tool", "version", "subject", "quantity", "unit", "host", "group", "detail")
_NUMBERS = ("value", "low", "high")


@dataclass(frozen=True, slots=True)
class Gathered:
    """Several sets of files together; no file takes the place of another.

    Attributes:
        readings: What was read, by a name that no other file has; the newest set last.
        days: Day on which the counters of each were read.
        turns: Number of the set that each is of, from 0; the newest day last, of one day what was kept last.
    """

    readings: Mapping[str, Reading]
    days: Mapping[str, date]
    turns: Mapping[str, int]


def gathered(
    sets: Iterable[tuple[date, Mapping[str, Reading]]],
    *,
    fresh: tuple[date, Mapping[str, Reading]] | None = None,
) -> Gathered:
    """All sets of measurements that count.

    Two sets may have files of the same name: of two racks, or of one machine before and after a repair. Both
    are there; a file that is there twice with the same content is one.

    Args:
        sets: Day and files of each set that is kept, in the order in which they were kept.
        fresh: Day and files of what is not kept yet; its files keep their names, and the day counts.
    """
    kept = list(sets)
    readings: dict[str, Reading] = dict(fresh[1]) if fresh else {}
    # What is not kept yet is kept last.
    when = dict.fromkeys(readings, (fresh[0], len(kept))) if fresh else {}
    first = frozenset(readings)
    for number, (day, found) in enumerate(kept):
        for name, reading in found.items():
            free = free_name(name, readings, same=reading)
            readings[free] = reading
            if free not in first:
                when[free] = (day, number)
    order = sorted(readings, key=lambda name: when[name])
    numbers = {moment: number for number, moment in enumerate(sorted(set(when.values())))}
    return Gathered(
        {name: readings[name] for name in order},
        {name: when[name][0] for name in order},
        {name: numbers[when[name]] for name in order},
    )


def free_name(name: str, taken: Mapping[str, Reading], *, same: Reading | None = None) -> str:
    """A name for a file that no other one has: the same name may come from two folders.

    Args:
        name: Its name as given.
        taken: Files that have names already.
        same: What was read in it, if it may share its name with a file that says the very same.
    """
    number, free = 2, name
    while free in taken and (same is None or taken[free] != same):
        start = max(name.rfind("/"), name.rfind("\\")) + 1
        stem, point, ending = name[start:].rpartition(".")
        free = name[:start] + (f"{stem} ({number}).{ending}" if point else f"{ending} ({number})")
        number += 1
    return free


def readings_json(readings: Mapping[str, Reading]) -> str:
    """What was read, as one JSON text.

    Args:
        readings: What was read, by the name of the file.

    Raises:
        PlannerError: There is nothing in it, or more than can be kept together.
    """
    count = sum(len(reading.records) for reading in readings.values())
    if not count:
        raise PlannerError(
            "measurements: no figure was read, so there is nothing to keep", field="measurements"
        )
    if count > MOST_RECORDS:
        raise PlannerError(
            f"measurements: {count:,} figures; at most {MOST_RECORDS:,} are kept together: keep them in parts",
            field="measurements",
        )
    files = [
        {
            "name": name,
            "kind": reading.kind,
            "remarks": list(reading.remarks),
            "records": [[getattr(record, column) for column in _COLUMNS] for record in reading.records],
        }
        for name, reading in readings.items()
    ]
    content = {"format": FORMAT, "columns": list(_COLUMNS), "files": files}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def readings_of(text: str) -> dict[str, Reading]:
    """What `readings_json` made, back; files in their order.

    Args:
        text: The text.

    Raises:
        PlannerError: It is damaged, or a newer planner wrote it.
    """
    try:
        content = json.loads(text)
        if content["format"] > FORMAT:
            raise PlannerError(
                "measurements: a newer planner wrote these; use that one", field="measurements"
            )
        columns = content["columns"]
        return {
            str(file["name"]): Reading(
                tuple(_record(dict(zip(columns, row, strict=True))) for row in file["records"]),
                tuple(str(remark) for remark in file["remarks"]),
                str(file["kind"]),
            )
            for file in content["files"]
        }
    except PlannerError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise PlannerError(
            f"measurements: what is kept is damaged ({shorten(error, 80)}); keep the files again",
            field="measurements",
        ) from None


def _record(row: dict[str, Any]) -> Record:
    """One record; columns that a later planner adds have their defaults.

    Raises:
        ValueError: Its quantity is not known, or its value cannot be.
    """
    record = Record(**row)
    kind = QUANTITIES[record.quantity]
    texts = all(isinstance(getattr(record, name), str) for name in _TEXTS)
    numbers = all(
        _can_be(value, kind) or (value is None and name != "value")
        for name in _NUMBERS
        for value in [getattr(record, name)]
    )
    counts = isinstance(record.run, int) and isinstance(record.node_count, int)
    if not (texts and numbers and counts and record.unit == kind.unit):
        raise ValueError(f"{record.quantity}: {record.value} {record.unit}")
    return record


def _can_be(value: object, kind: Quantity) -> bool:
    """Whether a number is one that the quantity can have; JSON's readers take NaN and whole numbers of any length."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and kind.low <= value <= kind.high
        and math.isfinite(value)
    )
