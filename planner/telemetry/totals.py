"""What jobs that ran at the same time come to together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from planner.core.units import counted
from planner.telemetry.records import Record

_RATES = ("bandwidth", "iops")


def totals(records: Sequence[Record]) -> tuple[Record, ...]:
    """One record for each figure that several jobs of a group have.

    Bandwidth and operations add up. Percentiles of single jobs cannot be merged, but what all of them stay
    under, their requests together stay under too: the largest is given as "at most".

    Args:
        records: Records of one file.
    """
    groups: dict[tuple[str, str, int, str, str], list[Record]] = {}
    for record in records:
        if record.group:
            key = (record.tool, record.version, record.run, record.group, record.quantity)
            groups.setdefault(key, []).append(record)
    return tuple(
        _total(parts)
        for key, parts in groups.items()
        if len(parts) > 1 and len(parts) == len(groups.get((*key[:4], _bandwidth_of(key[4])), ()))
    )


def _bandwidth_of(quantity: str) -> str:
    """The bandwidth of the same direction, which every job that used it has."""
    return f"{quantity.partition('_')[0]}_bandwidth"


def _total(parts: Sequence[Record]) -> Record:
    values = [part.value for part in parts]
    adds_up = parts[0].quantity.endswith(_RATES)
    jobs = counted(len(parts), "job")
    return replace(
        parts[0],
        subject=f"{jobs} of {parts[0].group}",
        host="",
        value=sum(values) if adds_up else max(values),
        detail="; ".join(part for part in (f"sum of {jobs}", parts[0].detail) if part)
        if adds_up
        else f"at most: largest of {jobs}, as percentiles cannot be merged",
    )
