"""Latencies that speak of the fabric: those of small requests that were sent one at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from planner.telemetry.records import Record

SMALL_REQUEST_BYTES = 16_384.0
"""Larger requests add their own transfer, so that their latency says little of the fabric."""
ROUNDING = 1 + 1e-6
"""Tools print whole bytes and a rate to six places, so that requests of just that size may look a little larger."""
MOST_UNDER_WAY = 2.0
"""A median is at most twice the mean, so a rate times its median latency above two proves a queue (Little)."""

Job = tuple[int, str, str]


def small_alone(records: Sequence[Record], quantity: str) -> tuple[tuple[Record, ...], int]:
    """The latencies of jobs whose requests were small and alone, and how many there are of other jobs.

    Args:
        records: Records of one file.
        quantity: The latency, such as "read_latency_p99".
    """
    jobs = _small_jobs(records, quantity.partition("_")[0])
    asked = [record for record in records if record.quantity == quantity]
    found = tuple(record for record in asked if _job(record) in jobs)
    return found, len(asked) - len(found)


def of_bandwidth(records: Sequence[Record], quantity: str) -> tuple[Record, ...]:
    """The bandwidths of a direction without those of latency tests: one small request at a time fills nothing.

    Args:
        records: Records of one file.
        quantity: The bandwidth, such as "write_bandwidth".
    """
    way = quantity.partition("_")[0]
    timed = {_job(record) for record in records if record.quantity == f"{way}_latency_p50"}
    latency_tests = timed & _small_jobs(records, way)
    asked = [record for record in records if record.quantity == quantity]
    together = Counter((record.run, record.group) for record in asked if record.group)
    return tuple(
        record
        for record in asked
        if _job(record) not in latency_tests or together[record.run, record.group] > 1
    )


def small_bandwidths(records: Sequence[Record], quantity: str) -> Callable[[Record], bool]:
    """Tells of each bandwidth whether it is of small requests, queued or not: large ones may reach more.

    Args:
        records: Records of one file.
        quantity: The bandwidth, such as "write_bandwidth".

    Returns:
        A test for a bandwidth of the file, or for the sum of those of a group, which is small if all of them are.
    """
    small = _small_jobs(records, quantity.partition("_")[0], queued=True)
    asked = [record for record in records if record.quantity == quantity]
    single = {_job(record) for record in asked}
    mixed = {(record.run, record.group) for record in asked if _job(record) not in small}

    def is_small(record: Record) -> bool:
        """Whether a bandwidth, or the sum of a group, is of small requests alone."""
        job = _job(record)
        return job in small if job in single else (record.run, record.group) not in mixed

    return is_small


def _job(record: Record) -> Job:
    return record.run, record.subject, record.host


def _small_jobs(records: Sequence[Record], way: str, *, queued: bool = False) -> frozenset[Job]:
    """Jobs whose requests of a direction were small; unless asked for, with no queue that their figures prove."""
    known: dict[Job, dict[str, float]] = {}
    for record in records:
        known.setdefault(_job(record), {})[record.quantity] = record.value
    found = set()
    for job, own in known.items():
        rate, speed, median_s = (
            own.get(f"{way}_{what}", 0.0) for what in ("iops", "bandwidth", "latency_p50")
        )
        if 0 < speed <= rate * SMALL_REQUEST_BYTES * ROUNDING and (
            queued or rate * median_s <= MOST_UNDER_WAY
        ):
            found.add(job)
    return frozenset(found)
