"""Measurements held against the promises of a design: who reached what, who falls short, and by how much."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from planner.core.quantity import Quantity, derive, given
from planner.core.units import counted, format_number
from planner.plan import JobResult, Plan
from planner.review.as_built import OF_SMALL, Outcome, Promise, Result, SaveEffect, ShortNode
from planner.sizing import delivery, wear
from planner.telemetry.ior import TOOL as IOR
from planner.telemetry.newest import newest
from planner.telemetry.nodes import controller, job_of, machine, node_names, of_host
from planner.telemetry.paths import LOCAL
from planner.telemetry.promises import promises
from planner.telemetry.reading import Reading
from planner.telemetry.records import Record
from planner.telemetry.small_requests import of_bandwidth, small_alone, small_bandwidths
from planner.telemetry.totals import totals

DEVIATES_FRACTION = 0.10
"""A node that reaches so much less than the median of its peers is named, even if it passes."""
FEWEST_PEERS = 3
"""Of two machines that differ nobody can say which one is behind."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The verdict on a delivery.

    Attributes:
        outcomes: Every subject that was measured, promise by promise, the worst first.
        open: Promises of which nothing was measured.
        replaced: Outcomes of what was measured again later, promise by promise.
        deviating: Outcomes of nodes that reach clearly less than their peers.
        nodes: Machine by name of file.
    """

    outcomes: tuple[Outcome, ...]
    open: tuple[Promise, ...]
    replaced: tuple[Outcome, ...]
    deviating: tuple[Outcome, ...]
    nodes: Mapping[str, str]

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """Everything that falls short."""
        return tuple(outcome for outcome in self.outcomes if outcome.result == "fail")


def verify(
    plan: Plan, readings: Mapping[str, Reading], *, turns: Mapping[str, int] | None = None
) -> Acceptance:
    """Hold what was measured against the design.

    Args:
        plan: The design.
        readings: What was read, by the name of the file.
        turns: Number of the set that each file is of, the newest highest; all of one set if not given.

    Returns:
        Outcomes promise by promise, worst first; a promise that nothing was measured of stays open.
    """
    sets = turns or {}
    nodes = node_names(tuple(readings), plan=plan)
    jobs = {name: job_of(name, plan) for name in readings}
    yearly = next(w.threshold for w in plan.monitoring if w.subject == "endurance used per year")
    outcomes: list[Outcome] = []
    missing: list[Promise] = []
    replaced: list[Outcome] = []
    for promise in promises(plan):
        found = [
            _outcome(plan, promise, replace(item, expected=_of_its_age(item, promise, yearly)))
            for name, reading in readings.items()
            if promise.job in (-1, jobs[name])
            for item in _matching(promise, name, reading, nodes)
        ]
        found, before = newest(
            found,
            of=_measured_thing,
            turn=lambda outcome: sets.get(outcome.source, 0),
            counts=lambda outcome: not _proves_nothing(outcome),
        )
        replaced += before
        outcomes += sorted(found, key=_badness, reverse=True)
        # What some of the machines cannot show has still to be measured; nothing found is open too.
        if all(_proves_nothing(outcome) for outcome in found):
            missing.append(promise)
    return Acceptance(tuple(outcomes), tuple(missing), tuple(replaced), _deviating(outcomes), nodes)


def _measured_thing(outcome: Outcome) -> str:
    """What a measurement of a promise is of: the array, a drive, a subsystem of a machine, or the machine.

    Jobs have any name, and a test that is run again may have another.
    """
    if outcome.promise.scope == "array":
        return ""
    return outcome.subject if outcome.promise.id.startswith(("drive-", "paths-")) else outcome.node


def _proves_nothing(outcome: Outcome) -> bool:
    """Whether an outcome is open although the design says what it expects."""
    return outcome.result == "open" and outcome.promise.expected.known


def _badness(outcome: Outcome) -> float:
    """How far an outcome is on the wrong side; what has no ratio comes last."""
    if math.isnan(outcome.ratio):
        return -math.inf
    return -outcome.ratio if outcome.promise.bound == "at least" else outcome.ratio


# --- which records speak of a promise ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Match:
    """A record that speaks of a promise.

    Attributes:
        subject: Node, drive or subsystem.
        node: Machine that it is of; empty for all of them together.
        record: The record, or the sum of several.
        source: File that it is from.
        powered_s: Time with power of a drive; NaN where it is not known, or no drive.
        expected: What this very subject has to reach.
        node_count: Machines that took part together; 0 where it is one, or where the file does not say.
        is_small: Whether it is a bandwidth of small requests, which can prove that one is reached, and no more.
    """

    subject: str
    node: str
    record: Record
    source: str
    powered_s: float = math.nan
    expected: Quantity | None = None
    node_count: int = 0
    is_small: bool = False


def _matching(promise: Promise, name: str, reading: Reading, nodes: Mapping[str, str]) -> Iterable[_Match]:
    records = [record for record in reading.records if _counts(promise, record)]
    if promise.scope == "node":
        small = small_bandwidths(reading.records, promise.quantity)
        return _of_nodes(name, of_bandwidth(records, promise.quantity), nodes, small)
    if promise.scope == "array":
        return _of_the_array(promise, name, records, nodes)
    if promise.quantity.partition("_latency_")[1]:
        return _of_small_requests(promise, name, reading, nodes)
    return _of_things(promise, name, records, nodes, reading)


def _counts(promise: Promise, record: Record) -> bool:
    return not promise.tools or any(record.tool.lower().startswith(tool) for tool in promise.tools)


def _of_nodes(
    name: str, records: Sequence[Record], nodes: Mapping[str, str], is_small: Callable[[Record], bool]
) -> Iterator[_Match]:
    """For each machine of a file the best of its runs; jobs that ran together on it are added up.

    Runs with small requests count only where there is no other: they can prove that a rate is reached, and no more.
    """
    hosts: dict[str, list[Record]] = {}
    for record in records:
        if record.node_count <= 1:
            hosts.setdefault(of_host(record.host, nodes, name), []).append(record)
    for node, own in hosts.items():
        best = max(_together(own), key=lambda record: (not is_small(record), record.value))
        yield _Match(node, node, best, name, is_small=is_small(best))


def _together(records: Sequence[Record]) -> list[Record]:
    """Records of one quantity, those that ran at the same time as their sum."""
    summed = totals(records)
    done = {(record.run, record.group) for record in summed}
    return [*summed, *(r for r in records if not r.group or (r.run, r.group) not in done)]


def _of_the_array(
    promise: Promise, name: str, records: Sequence[Record], nodes: Mapping[str, str]
) -> Iterator[_Match]:
    """What all machines reached together: a tool's own figure, or the sum of a client's servers."""
    is_small = small_bandwidths(records, promise.also)
    for record in records:
        if record.quantity == promise.quantity:
            yield _Match(nodes[name], "", record, name, node_count=record.node_count)
        elif record.quantity == promise.also and record.node_count > 1 and record.tool == IOR:
            told = f"{counted(record.node_count, 'node')} of {nodes[name]}"
            yield _Match(told, "", record, name, node_count=record.node_count, is_small=is_small(record))
    if not promise.also:
        return
    servers = [r for r in records if r.quantity == promise.also and r.host and r.tool == "fio"]
    for record in totals(servers):
        hosts = {
            machine(server.host)
            for server in servers
            if (server.run, server.group) == (record.run, record.group)
        }
        if len(hosts) > 1:
            told = f"{counted(len(hosts), 'node')} of {nodes[name]}"
            yield _Match(told, "", record, name, node_count=len(hosts), is_small=is_small(record))


def _of_small_requests(
    promise: Promise, name: str, reading: Reading, nodes: Mapping[str, str]
) -> Iterator[_Match]:
    """Latencies of jobs whose requests speak of the fabric."""
    for record in small_alone(reading.records, promise.quantity)[0]:
        node = of_host(record.host, nodes, name)
        yield _Match(f"{record.subject} · {node}", node, record, name)


def _of_things(
    promise: Promise,
    name: str,
    records: Sequence[Record],
    nodes: Mapping[str, str],
    reading: Reading,
) -> Iterator[_Match]:
    """Drives and subsystems, each of its machine; drives inside a machine have no path to speak of."""
    hours = {(r.tool, r.subject, r.run): r.value for r in reading.records if r.quantity == "power_on_time"}
    for record in records:
        if record.quantity == promise.quantity and LOCAL not in record.detail:
            powered = hours.get((record.tool, record.subject, record.run), math.nan)
            thing = controller(record.subject, name) if promise.scope == "drive" else record.subject
            yield _Match(f"{thing} · {nodes[name]}", nodes[name], record, name, powered)


def _of_its_age(item: _Match, promise: Promise, yearly: Quantity) -> Quantity:
    """What is expected of the subject: of a drive in use as much as the design wears it."""
    if promise.id != "drive-used" or math.isnan(item.powered_s) or not yearly.known:
        return promise.expected
    return derive(
        wear.designed_used_fraction,
        new_fraction=promise.expected,
        yearly_fraction=yearly,
        powered_s=given(item.powered_s, "s", "Time with power", source=item.record.tool, grade="input"),
    )


# --- the verdict ------------------------------------------------------------------------------------


def _outcome(plan: Plan, promise: Promise, item: _Match) -> Outcome:
    record, expected = item.record, item.expected or promise.expected
    measured = given(
        record.value,
        record.unit,
        promise.what,
        source=f"{record.tool}, {item.source}",
        grade="seen",
    )
    limit = expected.number
    ratio = record.value / limit if limit else (1.0 if record.value <= 0 else math.inf)
    result = _result(promise, record.value, expected)
    partly = _partly(plan, promise, item, result)
    return Outcome(
        promise=promise if expected is promise.expected else replace(promise, expected=expected),
        subject=item.subject,
        measured=measured,
        ratio=ratio if expected.known else math.nan,
        result="open" if partly else result,
        source=item.source,
        node=item.node,
        detail="; ".join(part for part in (partly, record.detail) if part),
        node_count=item.node_count,
    )


def _partly(plan: Plan, promise: Promise, item: _Match, result: Result) -> str:
    """Why a figure proves nothing: its requests were small, or it is of the array and some machines took no part.

    They cannot draw what all of them do, so that a rate may fall short; nor do they wait for the array as all of
    them would, so that busy accelerators prove nothing either.
    """
    if item.is_small and result == "fail":
        return OF_SMALL
    doubtful = "fail" if item.record.unit == "bytes/s" else "pass"
    if promise.scope != "array" or result != doubtful or not item.node_count:
        return ""
    whole = plan.jobs[promise.job].job.node_count.number
    return "" if item.node_count >= whole else f"{item.node_count} of {format_number(whole)} nodes took part"


def _result(promise: Promise, value: float, expected: Quantity) -> Result:
    if not expected.known:
        return "open"
    limit, slack = expected.number, promise.tolerance_fraction
    reached = {
        "at least": value >= limit * (1.0 - slack) * (1 - 1e-9),
        "at most": value <= limit * (1.0 + slack) * (1 + 1e-9),
        "exactly": math.isclose(value, limit),
    }[promise.bound]
    return "pass" if reached else "fail"


# --- machines that fall short, and what they do to a save ---------------------------------------------


def _of_nodes_by_promise(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.promise.scope == "node" and not _proves_nothing(outcome):
            found.setdefault(outcome.promise.id, []).append(outcome)
    return found


def _deviating(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Nodes well below the median of their peers: the slowest of them decides every save."""
    return tuple(
        outcome
        for peers in _of_nodes_by_promise(outcomes).values()
        for outcome in peers
        if _are_enough(peers) and outcome.measured.number < _middle(peers) * (1.0 - DEVIATES_FRACTION)
    )


def _are_enough(peers: Sequence[Outcome]) -> bool:
    """Whether there are machines to compare with; one that was measured again is still one."""
    return len({outcome.node for outcome in peers}) >= FEWEST_PEERS


def _middle(peers: Sequence[Outcome]) -> float:
    return statistics.median(outcome.measured.number for outcome in peers)


def short_nodes(plan: Plan, accepted: Acceptance) -> tuple[ShortNode, ...]:
    """Machines that miss a promise or are clearly behind their peers, those that miss most first.

    Args:
        plan: The design.
        accepted: The verdict.
    """
    odd: dict[str, list[Outcome]] = {}
    for outcome in (*accepted.failed, *accepted.deviating):
        if outcome.node:
            odd.setdefault(outcome.node, []).append(outcome)
    peers = _of_nodes_by_promise(accepted.outcomes)
    found = [_short(plan, node, own, peers) for node, own in odd.items()]
    return tuple(
        sorted(
            found,
            key=lambda item: (item.save_s is None, -_known(item.missing), -_known(item.behind), item.node),
        )
    )


def _known(item: Quantity) -> float:
    return item.number if item.known else 0.0


def _short(
    plan: Plan, node: str, own: Sequence[Outcome], peers: Mapping[str, Sequence[Outcome]]
) -> ShortNode:
    # The writes of a checkpoint come first: one node's make all the others wait.
    worst = max(own, key=lambda o: (o.result == "fail", o.promise.id.startswith("node-write"), _badness(o)))
    beside = peers.get(worst.promise.id, ())
    known = _are_enough(beside) and _middle(beside) > 0
    middle = given(
        _middle(beside) if known else None, "bytes/s", "Median of its peers", source="measured", grade="seen"
    )
    writes = worst.promise.id.startswith("node-write") and worst.measured.number > 0
    return ShortNode(
        node=node,
        outcome=worst,
        missing=_missing(worst),
        behind=derive(
            delivery.missing_fraction,
            measured_bytes_per_s=worst.measured,
            expected_bytes_per_s=middle,
            label="Behind its peers",
        ),
        save_s=_save(plan.jobs[worst.promise.job], worst) if writes else None,
        count=len({outcome.promise.id for outcome in own if outcome.result == "fail"}),
    )


def _missing(worst: Outcome) -> Quantity:
    if worst.promise.bound != "at least":
        return given(None, "fraction", "Missing", source="not a rate", grade="")
    if worst.measured.unit != "bytes/s":
        return given(max(1.0 - worst.ratio, 0.0), "fraction", "Missing", source="measured", grade="seen")
    return derive(
        delivery.missing_fraction,
        measured_bytes_per_s=worst.measured,
        expected_bytes_per_s=worst.promise.expected,
    )


def _save(result: JobResult, outcome: Outcome) -> Quantity:
    return derive(
        delivery.measured_save_s,
        shard_bytes=result.job.checkpoint.shard_bytes,
        measured_bytes_per_s=outcome.measured,
        designed_s=result.save.save_s,
        label=f"Save, as measured on {outcome.subject}",
    )


def save_effects(plan: Plan, accepted: Acceptance) -> tuple[SaveEffect, ...]:
    """What the slowest node that was measured does to the checkpoints of each job."""
    found = []
    for own in _of_nodes_by_promise(accepted.outcomes).values():
        writing = [o for o in own if o.promise.id.startswith("node-write") and o.measured.number > 0]
        if writing:
            found.append(_effect(plan.jobs[writing[0].promise.job], writing))
    return tuple(found)


def _effect(result: JobResult, writing: Sequence[Outcome]) -> SaveEffect:
    slowest = min(writing, key=lambda outcome: outcome.measured.number)
    measured = _save(result, slowest)
    return SaveEffect(
        job=result.job.name,
        node=slowest.node,
        designed_s=result.save.save_s,
        measured_s=measured,
        target_s=result.job.checkpoint.target_s,
        added_day_s=derive(
            delivery.added_day_s,
            save_s=measured,
            designed_s=result.save.save_s,
            saves_per_day=result.job.checkpoint.saves_per_day,
        ),
        node_count=len({outcome.node for outcome in writing}),
        nodes_of_job=result.job.node_count,
    )
