"""Measurements as text that can be kept with a revision, and back: what was read, not the verdict on it.

A verdict is made anew from the revision's plan each time, so that it is never of another plan.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from planner.core.errors import PlannerError, shorten
from planner.telemetry.reading import Reading
from planner.telemetry.records import QUANTITIES, Record

FORMAT = 1
MOST_RECORDS = 20_000
"""Figures that are kept together; a run on 500 nodes with all their drives has fewer."""
_COLUMNS = tuple(field.name for field in fields(Record))
_TEXTS = ("tool", "version", "subject", "quantity", "unit", "host", "group", "detail")
_NUMBERS = ("value", "low", "high")


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
        isinstance(value, int | float) or (value is None and name != "value")
        for name in _NUMBERS
        for value in [getattr(record, name)]
    )
    counts = isinstance(record.run, int) and isinstance(record.node_count, int)
    if not (
        texts and numbers and counts and record.unit == kind.unit and kind.low <= record.value <= kind.high
    ):
        raise ValueError(f"{record.quantity}: {record.value} {record.unit}")
    return record
