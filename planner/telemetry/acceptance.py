"""Acceptance of what was delivered: what a design promises, how to measure it, and whether it was reached."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from planner.core.quantity import Quantity, derive, given
from planner.plan import Plan
from planner.sizing import checkpoint
from planner.telemetry.reading import Reading
from planner.telemetry.records import Record
from planner.telemetry.totals import totals

Scope = Literal["node", "array", "drive", "fabric"]
Result = Literal["pass", "fail", "open"]

TOLERANCE_FRACTION = 0.05
"""A rate may fall short of the expected one by so much: runs of one machine differ by a few percent."""
DEVIATES_FRACTION = 0.10
"""A node that reaches so much less than the median of its peers is named, even if it passes."""


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise of the design that can be measured.

    Attributes:
        id: Key.
        scope: What is measured: one node, all of them on the array, a drive, the paths of a fabric.
        what: The promise in words.
        quantity: What a record has to be of, a key of `planner.telemetry.records.QUANTITIES`.
        expected: The value of the design.
        bound: Whether the measured value has to be at least, at most or exactly that.
        tolerance_fraction: How far a rate may fall short.
        command: How to measure it.
        proves: What a pass means.
        tools: Tools whose records count; empty for any.
        single_jobs: Whether records of single jobs count where no total of them is there.
    """

    id: str
    scope: Scope
    what: str
    quantity: str
    expected: Quantity
    bound: Literal["at least", "at most", "exactly"]
    tolerance_fraction: float
    command: str
    proves: str
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one subject reached in one promise.

    Attributes:
        subject: Node, drive or subsystem.
        measured: Its value.
        ratio: Measured over expected.
        source: File that it was read from.
    """

    promise: Promise
    subject: str
    measured: Quantity
    ratio: float
    result: Result
    source: str


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The verdict on a delivery.

    Attributes:
        outcomes: Every subject that was measured, promise by promise.
        open: Tests for which nothing was measured.
        deviating: Subjects that reach clearly less than their peers.
        save_s: Save time with the slowest node that was measured; None where no node was.
    """

    outcomes: tuple[Outcome, ...]
    open: tuple[Promise, ...]
    deviating: tuple[Outcome, ...]
    save_s: Quantity | None

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """Everything that falls short."""
        return tuple(outcome for outcome in self.outcomes if outcome.result == "fail")


def promises(plan: Plan) -> tuple[Promise, ...]:
    """What the design promises of a node, the array, its drives and its paths."""
    return (*_of_a_node(plan), *_of_the_array(plan), *_of_a_drive(), *_of_the_paths(plan))


def _of_a_node(plan: Plan) -> tuple[Promise, ...]:
    main = plan.main.job
    return (
        Promise(
            "node-write",
            "node",
            "checkpoint writes of one node",
            "write_bandwidth",
            main.checkpoint.node_write_bytes_per_s,
            "at least",
            TOLERANCE_FRACTION,
            "acceptance/run.sh of the bundle: fio, checkpoint.fio",
            f"a node writes its shard within the target of {main.checkpoint.target_s}",
            ("fio", "ior", "elbencho"),
        ),
        Promise(
            "node-read",
            "node",
            "dataset reads of one node",
            "read_bandwidth",
            plan.network.node_need_bytes_per_s
            if main.ingest.node_read_bytes_per_s.number <= 0
            else main.ingest.node_read_bytes_per_s,
            "at least",
            TOLERANCE_FRACTION,
            "acceptance/run.sh of the bundle: fio, dataset.fio",
            "data loaders of a node are supplied",
            ("fio", "ior", "elbencho"),
        ),
    )


def _of_the_array(plan: Plan) -> tuple[Promise, ...]:
    main = plan.main.job
    command = "mlpstorage checkpointing run"
    return (
        Promise(
            "array-save",
            "array",
            "a whole checkpoint, all nodes at once",
            "checkpoint_write_bandwidth",
            main.checkpoint.required_write_bytes_per_s,
            "at least",
            TOLERANCE_FRACTION,
            command,
            f"a save takes at most its target of {main.checkpoint.target_s}",
        ),
        Promise(
            "array-load",
            "array",
            "the checkpoint read back after a failure",
            "checkpoint_read_bandwidth",
            derive(
                checkpoint.required_write_bytes_per_s,
                checkpoint_bytes=main.checkpoint.size_bytes,
                target_s=plan.main.goodput.load_s,
                label="Read bandwidth of a restart",
            ),
            "at least",
            TOLERANCE_FRACTION,
            command,
            f"a restart loads in {plan.main.goodput.load_s}",
        ),
        Promise(
            "array-training",
            "array",
            "accelerators kept busy by data loading",
            "accelerator_utilisation",
            given(0.9, "fraction", "Accelerator utilisation", source="MLPerf Storage", grade="seen"),
            "at least",
            0.0,
            "mlpstorage training run, training/…/dlio-workload.yaml of the bundle",
            "training does not wait for data",
        ),
    )


def _of_a_drive() -> tuple[Promise, ...]:
    limits = (
        ("drive-media", "no media errors", "media_errors", 0.0, "count", "Media errors"),
        ("drive-warning", "no critical warning", "critical_warning", 0.0, "count", "Critical warning"),
        ("drive-temperature", "composite temperature", "temperature", 70.0, "°C", "Temperature"),
        ("drive-used", "drives are new: life used", "percentage_used", 0.02, "fraction", "Life used"),
    )
    return tuple(
        Promise(
            name,
            "drive",
            what,
            quantity,
            given(limit, unit, label, source="acceptance of new drives", grade="class assumption"),
            "at most",
            0.0,
            "nvme smart-log -o json /dev/nvme…",
            "the drive is sound and unused",
        )
        for name, what, quantity, limit, unit, label in limits
    )


def _of_the_paths(plan: Plan) -> tuple[Promise, ...]:
    return tuple(
        Promise(
            f"paths-{name}",
            "fabric",
            what,
            quantity,
            plan.network.path_count,
            "at least",
            0.0,
            "nvme list-subsys -o json",
            f"{plan.network.path_count} paths carry data; with one lost a node keeps "
            f"{plan.network.after_path_loss_bytes_per_s}",
        )
        for name, what, quantity in (
            ("live", "live paths of a subsystem", "paths_live"),
            ("usable", "usable paths of a subsystem", "paths_usable"),
        )
    )


# --- the verdict ------------------------------------------------------------------------------------


def verify(plan: Plan, readings: Mapping[str, Reading]) -> Acceptance:
    """Hold what was measured against the design.

    Args:
        plan: The design.
        readings: What was read, by the name of the file.

    Returns:
        Outcomes promise by promise, worst first; a promise that nothing was measured of stays open.
    """
    outcomes: list[Outcome] = []
    missing: list[Promise] = []
    for promise in promises(plan):
        found = [
            _outcome(promise, subject, record, name)
            for name, reading in readings.items()
            for subject, record in _matching(promise, name, reading)
        ]
        outcomes += sorted(found, key=lambda outcome: outcome.ratio)
        if not found:
            missing.append(promise)
    return Acceptance(tuple(outcomes), tuple(missing), _deviating(outcomes), _measured_save(plan, outcomes))


def _matching(promise: Promise, name: str, reading: Reading) -> Iterable[tuple[str, Record]]:
    """Records of a file that speak of a promise; of jobs that ran together their sum."""
    records = [r for r in reading.records if r.quantity == promise.quantity and _counts(promise, r)]
    if promise.scope != "node":
        return [(_subject(promise, name, record), record) for record in records]
    together = [r for r in totals(records) if r.quantity == promise.quantity]
    summed = {(r.run, r.group) for r in together}
    alone = [r for r in records if (r.run, r.group) not in summed or not r.group]
    best: dict[str, Record] = {}
    for record in (*together, *alone):
        subject = _subject(promise, name, record)
        if subject not in best or record.value > best[subject].value:
            best[subject] = record
    return list(best.items())


def _counts(promise: Promise, record: Record) -> bool:
    return not promise.tools or any(record.tool.lower().startswith(tool) for tool in promise.tools)


def _subject(promise: Promise, name: str, record: Record) -> str:
    """The node by its host or its file's name; a drive or subsystem by its own, with its host."""
    stem = re.sub(r"\.(json|txt|out|log|csv)$", "", name.rpartition("/")[2])
    host = record.host or stem
    return host if promise.scope in ("node", "array") else f"{record.subject} · {host}"


def _outcome(promise: Promise, subject: str, record: Record, name: str) -> Outcome:
    measured = given(record.value, record.unit, promise.what.capitalize(), source=record.tool, grade="seen")
    expected = promise.expected.number
    ratio = record.value / expected if expected else (1.0 if record.value <= 0 else math.inf)
    if not promise.expected.known:
        return Outcome(promise, subject, measured, math.nan, "open", name)
    least = expected * (1.0 - promise.tolerance_fraction)
    reached = {
        "at least": record.value >= least * (1 - 1e-9),
        "at most": record.value <= expected * (1 + 1e-9),
        "exactly": math.isclose(record.value, expected),
    }[promise.bound]
    return Outcome(promise, subject, measured, ratio, "pass" if reached else "fail", name)


def _deviating(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Nodes well below the median of their peers: the slowest of them decides every save."""
    found: list[Outcome] = []
    for name in dict.fromkeys(o.promise.id for o in outcomes if o.promise.scope == "node"):
        peers = [o for o in outcomes if o.promise.id == name]
        if len(peers) < 3:
            continue
        middle = statistics.median(o.measured.number for o in peers)
        found += [o for o in peers if o.measured.number < middle * (1.0 - DEVIATES_FRACTION)]
    return tuple(found)


def _measured_save(plan: Plan, outcomes: Sequence[Outcome]) -> Quantity | None:
    """Save time if every node waits for the slowest that was measured; the array's own stages stay as planned."""
    nodes = [o for o in outcomes if o.promise.id == "node-write" and o.measured.number > 0]
    if not nodes:
        return None
    slowest = min(nodes, key=lambda outcome: outcome.measured.number)
    node = derive(
        checkpoint.write_s,
        checkpoint_bytes=plan.main.job.checkpoint.shard_bytes,
        bandwidth_bytes_per_s=slowest.measured,
        label=f"Save, as measured on {slowest.subject}",
    )
    planned = plan.main.save.save_s
    return node if node.number > planned.number else planned
