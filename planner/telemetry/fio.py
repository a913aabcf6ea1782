"""fio's JSON: one record per job, direction and figure, in base units whatever the version.

What the versions differ in (2.1 to 3.4x): bandwidth in KiB/s, from 3.7 also in bytes per second; latencies in
microseconds up to 2.21 and in nanoseconds, under another key, from 3.0; percentiles under the completion
latency or, with `lat_percentiles`, under the total one.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from planner.core.units import KIB
from planner.telemetry.documents import Document
from planner.telemetry.records import (
    LATENCIES,
    Doubt,
    Origin,
    Record,
    RefusedError,
    Sheet,
    name_of,
    number,
)

_PER_SECOND = {"clat_ns": 1e9, "clat": 1e6, "lat_ns": 1e9, "lat": 1e6}
_KINDS = {
    "clat": "completion latency",
    "clat_ns": "completion latency",
    "lat": "total latency",
    "lat_ns": "total latency",
}
_MARKS = dict(zip(LATENCIES, (50.0, 99.0, 99.9), strict=True))
_ALL_CLIENTS = "All clients"
_NOT_TOGETHER = ("wait_for", "startdelay")
DIRECTIONS = ("read", "write")
BANDWIDTH_TOLERANCE = 0.01
"""KiB/s are whole numbers; a unit mistaken for another is off by 2.4 % or more."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one document of fio says.

    Attributes:
        records: Figures of its jobs.
        remarks: What was refused, is missing, or is odd.
        jobs: Names of its jobs, in order.
        start_ms: When it began; NaN where the document does not say when it was written.
        runtime_ms: How long its longest direction had run when the document was written.
        bytes_done: What it had read and written by then.
        coarse: Whether its time is known to the second only.
    """

    records: tuple[Record, ...]
    remarks: tuple[str, ...]
    jobs: tuple[str, ...]
    start_ms: float
    runtime_ms: float
    bytes_done: float
    coarse: bool


def is_fio(value: object) -> bool:
    """Whether a document is fio's."""
    return isinstance(value, Mapping) and (
        isinstance(value.get("fio version"), str)
        or any(_is_job_list(value.get(key)) for key in ("jobs", "client_stats"))
    )


def _is_job_list(items: object) -> bool:
    return isinstance(items, list) and any(isinstance(job, Mapping) and "jobname" in job for job in items)


def compact(value: object) -> object:
    """A job without the histograms of json+, which are most of it and are not needed."""
    if not (isinstance(value, dict) and "jobname" in value):
        return value
    for side in value.values():
        for part in side.values() if isinstance(side, dict) else ():
            if isinstance(part, dict):
                part.pop("bins", None)
    return value


def read(document: Document) -> Run:
    """The records of one document.

    Args:
        document: One that `is_fio`.
    """
    value = document.value
    assert isinstance(value, Mapping)
    sheet = Sheet()
    version = name_of(value.get("fio version")).removeprefix("fio-")
    for flaw in document.flaws:
        sheet.remark("", flaw)
    jobs = tuple(_jobs(value, sheet))
    names = _names(jobs)
    together = not document.flaws
    for name, job in zip(names, jobs, strict=True):
        together &= _read_job(sheet, Origin("fio", version, name, _host(job), 1, _group(job)), job)
    if not jobs:
        sheet.remark("", "no complete job")
    sides = [side for job in jobs for side in _sides(job)]
    coarse = "timestamp_ms" not in value
    runtime_ms = max((_plain(side.get("runtime")) for side in sides), default=0.0)
    written_ms = _plain(value.get("timestamp_ms")) or _plain(value.get("timestamp")) * 1e3 or float("nan")
    records = tuple(sheet.records)
    if len(jobs) > 1 and not together:
        sheet.remark("", "the jobs do not add up: one is missing, was refused or ran at another time")
        records = tuple(replace(record, group="") for record in records)
    done = sum(_plain(side.get("io_bytes")) for side in sides)
    return Run(records, sheet.remarks, names, written_ms - runtime_ms, runtime_ms, done, coarse)


def stopped(run: Run, signal: str) -> Run:
    """A run that somebody ended before its time: its rates are of the part that ran, and each says so.

    Args:
        run: The run.
        signal: Number of the signal that fio says it ended on.
    """
    told = f"stopped by signal {signal}, so of a part of the run"
    records = tuple(
        replace(record, detail=f"{record.detail}; {told}" if record.detail else told)
        for record in run.records
    )
    return replace(run, records=records, remarks=(*run.remarks, f"fio was {told}: measure again"))


def last_reports(runs: Sequence[Run]) -> Iterator[tuple[Run, int]]:
    """Each run's last report, and how many interim ones (`--status-interval`) preceded it.

    An interim report has the same jobs and began when its successor says that it began; a run that was
    repeated began after the other had ended.
    """
    interim = 0
    for run, following in itertools.zip_longest(runs, runs[1:]):
        if following is not None and _continues(run, following):
            interim += 1
            continue
        yield run, interim
        interim = 0


def _continues(run: Run, following: Run) -> bool:
    slack_ms = max(run.runtime_ms / 2, 1500.0 if run.coarse else 300.0)
    return (
        run.jobs == following.jobs
        and following.bytes_done >= run.bytes_done
        and following.runtime_ms >= run.runtime_ms
        and abs(following.start_ms - run.start_ms) < slack_ms
    )


# --- jobs ---------------------------------------------------------------------------------------------------


def _jobs(value: Mapping[str, object], sheet: Sheet) -> Iterator[Mapping[str, object]]:
    """The jobs of a document, without the entry of client mode that counts all of them again."""
    for key in ("jobs", "client_stats"):
        items = value.get(key)
        items = items if isinstance(items, list) else []
        for item in items:
            if not isinstance(item, Mapping) or "jobname" not in item:
                sheet.remark("", f"an entry of “{key}” is no job")
            elif key == "client_stats" and item["jobname"] == _ALL_CLIENTS:
                if len(items) == 1:
                    sheet.remark(
                        "", f"only the entry “{_ALL_CLIENTS}” is there, which fio may miscount: refused"
                    )
            else:
                yield item


def _host(job: Mapping[str, object]) -> str:
    """Host of a client's job; several servers on one host differ by their port."""
    host, port = name_of(job.get("hostname")), job.get("port")
    return f"{host}:{port}" if host and isinstance(port, int) else host


def _group(job: Mapping[str, object]) -> str:
    group = job.get("groupid", 0)
    return f"group {group}" if isinstance(group, int) else ""


def _names(jobs: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """A name for each job; those that share one on the same host are numbered."""
    plain = [(name_of(job.get("jobname"), "job"), _host(job)) for job in jobs]
    total, so_far = Counter(plain), Counter[tuple[str, str]]()
    names = []
    for key in plain:
        so_far[key] += 1
        names.append(f"{key[0]} #{so_far[key]}" if total[key] > 1 else key[0])
    return tuple(names)


def _sides(job: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    for way in DIRECTIONS:
        side = job.get(way)
        if isinstance(side, Mapping):
            yield side


def _plain(raw: object) -> float:
    """A figure that is needed for comparison only: 0 if it is none."""
    try:
        return number(raw)
    except RefusedError:
        return 0.0


def _read_job(sheet: Sheet, origin: Origin, job: Mapping[str, object]) -> bool:
    """Record a job; returns whether its figures may be added to those of its group."""
    if _plain(job.get("error")) != 0 or isinstance(job.get("error"), Doubt):
        sheet.remark(origin, f"ended with error {name_of(str(job.get('error')))}: its figures are refused")
        return False
    options = job.get("job options")
    apart = isinstance(options, Mapping) and any(option in options for option in _NOT_TOGETHER)
    if "mixed" in job and not any(True for _ in _sides(job)):
        sheet.remark(origin, "reads and writes are reported as one (unified_rw_reporting): refused")
        return False
    used = []
    for way in DIRECTIONS:
        side = job.get(way)
        if isinstance(side, Mapping) and _is_used(side):
            used.append(_read_side(sheet, origin, way, side))
    if not used:
        sheet.remark(origin, "moved no data")
    return all(used) and not apart


def _is_used(side: Mapping[str, object]) -> bool:
    return any(_plain(side.get(key)) for key in ("io_bytes", "io_kbytes", "total_ios", "bw", "iops"))


def _read_side(sheet: Sheet, origin: Origin, way: str, side: Mapping[str, object]) -> bool:
    """Record one direction of a job; returns whether its bandwidth and its rate are there."""
    exact, kib = side.get("bw_bytes"), side.get("bw")
    there = False
    if exact is None:
        there = sheet.take(origin, f"{way}_bandwidth", kib, factor=KIB)
    elif kib is not None and _differ(_plain(exact), _plain(kib) * KIB):
        sheet.remark(origin, f"{way}_bandwidth is refused: bw_bytes and bw say different things")
    else:
        there = sheet.take(origin, f"{way}_bandwidth", exact)
    there &= sheet.take(origin, f"{way}_iops", side.get("iops"))
    _read_latency(sheet, origin, way, side)
    return there


def _differ(bytes_per_s: float, from_kib_bytes_per_s: float) -> bool:
    return abs(bytes_per_s - from_kib_bytes_per_s) > KIB + BANDWIDTH_TOLERANCE * bytes_per_s


# --- latency ------------------------------------------------------------------------------------------------


def _read_latency(sheet: Sheet, origin: Origin, way: str, side: Mapping[str, object]) -> None:
    """Record the percentiles that there are; the first of completion and total latency that has any."""
    for key, per_second in _PER_SECOND.items():
        part = side.get(key)
        table = part.get("percentile") if isinstance(part, Mapping) else None
        if not isinstance(table, Mapping):
            continue
        marks = _percentiles(table)
        found = {name: marks[mark] for name, mark in _MARKS.items() if mark in marks}
        values = [_plain(value) for value in found.values()]
        if values != sorted(values):
            sheet.remark(origin, f"{way} latency is refused: its percentiles do not rise")
            return
        for name, mark in _MARKS.items():
            if name in found:
                sheet.take(
                    origin, f"{way}_latency_{name}", found[name], divisor=per_second, detail=_KINDS[key]
                )
            else:
                sheet.remark("", f"percentile {mark:g} was not asked for")
        return
    sheet.remark("", f"no {way} latency percentiles")


_PLAIN_MARK = re.compile(r"\d{1,3}(\.\d{1,9})?")


def _percentiles(table: Mapping[str, object]) -> dict[float, object]:
    """Percentiles by their mark, without the empty places of an old version's list ("0.00" : 0)."""
    return {
        float(mark): value for mark, value in table.items() if _PLAIN_MARK.fullmatch(mark) and float(mark)
    }
