"""The design's alarms beside what the uploads show today."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given
from planner.core.units import counted
from planner.plan import Plan
from planner.review.as_built import DriveState, PathState, WatchState
from planner.sections.monitoring import Watch
from planner.sizing import wear
from planner.telemetry.newest import newest
from planner.telemetry.nodes import controller, of_host
from planner.telemetry.reading import Reading
from planner.telemetry.small_requests import small_alone

_MARKS = {"p50": "p50", "p99": "p99", "p99.9": "p999"}
_HEALTH = {
    "available spare": "available_spare",
    "media errors": "media_errors",
    "composite temperature": "temperature",
}
_FROM_EXPORTERS = "steady traffic is seen by the exporters, not in the output of a test"


@dataclass(frozen=True, slots=True)
class _Seen:
    """One value that was measured: what it is, whose, and in which file."""

    value: Quantity
    where: str
    source: str = ""


def watch_states(
    plan: Plan,
    readings: Mapping[str, Reading],
    nodes: Mapping[str, str],
    *,
    drives: Sequence[DriveState],
    paths: Sequence[PathState],
    turns: Mapping[str, int] | None = None,
) -> tuple[WatchState, ...]:
    """Each alarm of the design with the worst value that was measured.

    Args:
        plan: The design.
        readings: What was read, by the name of the file.
        nodes: Machine by name of file.
        drives: Wear of the drives.
        paths: Paths of the machines.
        turns: Number of the set that each file is of: what was measured again later counts as measured last.
    """
    sets = turns or {}
    makers: dict[str, Callable[[Watch], WatchState]] = {
        "Latency": lambda watch: _latency(watch, readings, nodes, sets),
        "Throughput": lambda watch: _state(watch, (), note=_FROM_EXPORTERS),
        "Drive health": lambda watch: _health(watch, readings, nodes, drives, sets),
        "Paths": lambda watch: _paths(watch, paths, plan),
    }
    return tuple(makers[watch.group](watch) for watch in plan.monitoring)


def _state(watch: Watch, seen: Iterable[_Seen], *, low_is_bad: bool = False, note: str = "") -> WatchState:
    """The state by the worst of what was seen; nothing seen, or no threshold, leaves it open."""
    known = [item for item in seen if item.value.known]
    if not known:
        return WatchState(watch.group, watch.subject, watch.threshold, None, "", "open", note)
    worst = (min if low_is_bad else max)(known, key=lambda item: item.value.number)
    limit = watch.threshold
    beyond = worst.value.number < limit.number if low_is_bad else worst.value.number > limit.number
    return WatchState(
        watch.group,
        watch.subject,
        limit,
        worst.value,
        worst.where,
        ("alarm" if beyond else "within") if limit.known else "open",
        note,
    )


def _last(seen: Sequence[_Seen], turns: Mapping[str, int]) -> list[_Seen]:
    """What was measured last of each thing."""
    return newest(seen, of=lambda item: item.where, turn=lambda item: turns.get(item.source, 0))[0]


def _latency(
    watch: Watch, readings: Mapping[str, Reading], nodes: Mapping[str, str], turns: Mapping[str, int]
) -> WatchState:
    way, _, mark = watch.subject.partition(" latency ")
    seen, larger = [], 0
    for name, reading in readings.items():
        found, others = small_alone(reading.records, f"{way}_latency_{_MARKS[mark]}")
        larger += others
        for record in found:
            value = given(record.value, "s", watch.subject, source=f"{record.tool}, {name}", grade="seen")
            seen.append(_Seen(value, of_host(record.host, nodes, name), name))
    note = ""
    if not seen and larger:
        note = (
            "measured with larger requests only, or with several at a time: transfer and queue are part of it"
        )
    return _state(watch, _last(seen, turns), note=note)


def _health(
    watch: Watch,
    readings: Mapping[str, Reading],
    nodes: Mapping[str, str],
    drives: Sequence[DriveState],
    turns: Mapping[str, int],
) -> WatchState:
    if watch.subject == "endurance used per year":
        return _state(watch, (_Seen(_yearly(drive), f"{drive.drive} · {drive.node}") for drive in drives))
    quantity = _HEALTH[watch.subject]
    seen = _last(list(_of_quantity(quantity, watch.subject, readings, nodes)), turns)
    return _state(watch, seen, low_is_bad=quantity == "available_spare")


def _yearly(drive: DriveState) -> Quantity:
    powered = drive.powered_s
    if not powered.known or powered.number <= 0:
        powered = given(None, "s", powered.label, source="", grade="")
    return derive(wear.yearly_used_fraction, used_fraction=drive.used_fraction, powered_s=powered)


def _of_quantity(
    quantity: str, label: str, readings: Mapping[str, Reading], nodes: Mapping[str, str]
) -> Iterator[_Seen]:
    for name, reading in readings.items():
        for record in reading.records:
            if record.quantity == quantity:
                value = given(
                    record.value,
                    record.unit,
                    label.capitalize(),
                    source=f"{record.tool}, {name}",
                    grade="seen",
                )
                yield _Seen(value, f"{controller(record.subject, name)} · {nodes[name]}", name)


def _paths(watch: Watch, paths: Sequence[PathState], plan: Plan) -> WatchState:
    if watch.subject == "live paths of each node":
        seen = (_Seen(state.live, f"{state.node} · {state.subsystem}") for state in paths)
        return _state(watch, seen, low_is_bad=True)
    # A node has its paths once, however many subsystems it reaches over them.
    fewest: dict[str, float] = {}
    for state in paths:
        fewest[state.node] = min(fewest.get(state.node, float("inf")), state.live.number)
    wanted = int(plan.scenario.cluster.node_count)
    if len(fewest) < wanted:
        note = f"paths of {counted(len(fewest), 'node')} of {wanted} were listed" if fewest else ""
        return _state(watch, (), note=note)
    together = given(sum(fewest.values()), "count", watch.subject, source="nvme list-subsys", grade="seen")
    return _state(watch, [_Seen(together, "all nodes")], low_is_bad=True)
