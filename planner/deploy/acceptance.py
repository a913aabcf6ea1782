"""Acceptance: what one node has to reach on its own before the cluster is tried."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from planner.core.units import GB, US
from planner.deploy.access import job_slugs
from planner.deploy.alerts import Latency, latencies
from planner.deploy.rendering import render
from planner.deploy.schedules import table
from planner.deploy.site import Site
from planner.plan import JobResult

Files = Iterator[tuple[str, str]]
READ_S = 60
"""How long the read test runs at most."""
LATENCY_S = 30
"""How long each of both latency tests runs."""
LATENCY_BYTES = 2**30
"""File that the small requests fall into."""
LEAST_BYTES = 64e6
"""Least that a reading process reads, so that the test is more than its start."""
DEPTH_LATENCY_S = 1e-3
"""Time for which requests are kept in flight: longer than a block takes on a loaded path."""
MOST_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Expected:
    """What a test of one node has to show.

    Attributes:
        job: Name of the job, as in file names.
        test: "checkpoint" or "dataset".
        needed_bytes_per_s: What the design needs of a node; below it the design is not met.
        ports_bytes_per_s: What the node's ports carry; more is a mistake of measurement.
        time_s: How long it takes at the needed rate, or runs at most; NaN where nothing is needed.
        process_bytes: What one process moves, in whole blocks.
        block_bytes: Size of a request.
        process_count: Processes at once.
        depth: Requests in flight of each.
    """

    job: str
    test: str
    needed_bytes_per_s: float
    ports_bytes_per_s: float
    time_s: float
    process_bytes: int
    block_bytes: int
    process_count: int
    depth: int


def expected(site: Site) -> tuple[Expected, ...]:
    """Both tests of each job."""
    return tuple(
        figure
        for name, result in zip(job_slugs(site.plan), site.plan.jobs, strict=True)
        for figure in (_burst(site, result, name), _read(site, result, name))
    )


def _burst(site: Site, result: JobResult, name: str) -> Expected:
    checkpoint = result.job.checkpoint
    count = max(int(result.job.gpus_per_node_count.number), 1)
    block = _block(result.job.policy.block_bytes)
    ports = site.plan.network.node_bytes_per_s.number
    size = max(math.ceil(checkpoint.shard_bytes.number / count / block), 1) * block
    needed = checkpoint.node_write_bytes_per_s.number
    seconds = checkpoint.shard_bytes.number / needed if needed else math.nan
    return Expected(
        name, "checkpoint", needed, ports, seconds, size, block, count, _depth(ports, count, block)
    )


def _read(site: Site, result: JobResult, name: str) -> Expected:
    stream, ingest = result.job.stream, result.job.ingest
    count = max(int(result.job.gpus_per_node_count.number) * max(stream.worker_count, 1), 1)
    block = _block(stream.block_bytes)
    ports = site.plan.network.node_bytes_per_s.number
    needed = ingest.node_read_bytes_per_s.number
    size = max(math.ceil(max(needed * READ_S / count, LEAST_BYTES) / block), 1) * block
    return Expected(
        name, "dataset", needed, ports, float(READ_S), size, block, count, _depth(ports, count, block)
    )


def _block(block_bytes: float) -> int:
    """A block in whole 4 KiB, as direct requests have to be."""
    return max(round(block_bytes / 4096), 1) * 4096


def _depth(ports_bytes_per_s: float, count: int, block: int) -> int:
    """Requests in flight of a process, so that all of them keep the ports busy (Little)."""
    return max(1, min(MOST_DEPTH, math.ceil(ports_bytes_per_s * DEPTH_LATENCY_S / block / count)))


def acceptance_files(site: Site) -> Files:
    """Job files of fio, a script that runs them with this design's sizes, and the figures to reach."""
    figures = expected(site)
    for figure in figures:
        name = f"{figure.test}.fio"
        yield f"{figure.job}/{name}", render(name, figure=figure, read_s=READ_S)
    # The design's own alarms are for small requests, one at a time: on an idle fabric they take less.
    limits = latencies(site)
    yield "latency.fio", render("latency.fio", limits=limits, latency_s=LATENCY_S)
    yield "run.sh", render("acceptance.sh", figures=figures, site=site, latency_bytes=LATENCY_BYTES)
    yield "expected.csv", _table(figures)
    yield "expected-latency.csv", _latency_table(limits)


def _latency_table(limits: tuple[Latency, ...]) -> str:
    return table(
        ("test", "percentile", "at_most_us"),
        ((f"latency-{item.operation}", item.percentile, f"{item.limit_s / US:.4g}") for item in limits),
    )


def _table(figures: tuple[Expected, ...]) -> str:
    return table(
        ("job", "test", "needed_gb_per_s", "ports_gb_per_s", "time_s", "processes", "block_bytes", "depth"),
        (
            (
                figure.job,
                figure.test,
                f"{figure.needed_bytes_per_s / GB:.4g}",
                f"{figure.ports_bytes_per_s / GB:.4g}",
                f"{figure.time_s:.4g}",
                figure.process_count,
                figure.block_bytes,
                figure.depth,
            )
            for figure in figures
        ),
    )
