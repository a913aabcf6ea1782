"""Measured figures that can be taken into a design, each with where it comes from."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from planner.core.quantity import Quantity, derive, given
from planner.core.units import counted
from planner.plan import Plan
from planner.review.as_built import OF_SMALL, DriveState, Feedback, Outcome
from planner.sections.transport_model import TransportModel
from planner.sizing import delivery
from planner.telemetry.acceptance import Acceptance

FEWEST_NODES = 5
"""A spread between nodes is not known from fewer."""
FEWEST_DRIVES = 3
LATENCY_PATH = "network.measured_latency_s"
_OF_THE_ARRAY = ("target ports", "drives")
"""Stages of a save that the client stack and the rate of a unit stand in."""
_STACKS = {"rdma": "rdma", "tcp": "tcp", "fc": "fc"}


def feedback(plan: Plan, accepted: Acceptance, drives: Sequence[DriveState] = ()) -> tuple[Feedback, ...]:
    """Inputs that the measurements speak of: the client stack, a unit's rates, the nodes' spread, the drives' writes.

    Args:
        plan: The design.
        accepted: The verdict.
        drives: Wear of the drives.
    """
    main = plan.jobs.index(plan.main)
    of_main = [outcome for outcome in accepted.outcomes if outcome.promise.job in (-1, main)]
    saves = [o for o in of_main if o.promise.id == "array-save" and _is_of_the_array(plan, o)]
    return (
        *_stack(plan, saves),
        *_unit_rates(plan, saves),
        *_spread(plan, of_main),
        *_amplification(plan, drives),
        *_latency(plan, accepted.outcomes),
    )


def _is_of_the_array(plan: Plan, outcome: Outcome) -> bool:
    """Whether a save speaks of the array: all nodes wrote large requests, and in the design nothing before it decides."""
    whole = outcome.node_count == 0 or outcome.node_count >= plan.main.job.node_count.number
    return (
        whole
        and OF_SMALL not in outcome.detail
        and outcome.measured.number > 0
        and plan.main.save.binding in _OF_THE_ARRAY
    )


def _median(outcomes: Sequence[Outcome]) -> Quantity:
    values = [outcome.measured.number for outcome in outcomes]
    origin = f"median of {counted(len(values), 'measurement')}"
    return given(statistics.median(values), "bytes/s", "As measured", source=origin, grade="seen")


def _origin(what: str, outcomes: Sequence[Outcome]) -> str:
    return f"{counted(len(outcomes), what)}: {outcomes[0].source}" + (
        " and others" if len(outcomes) > 1 else ""
    )


def _stack(plan: Plan, saves: Sequence[Outcome]) -> tuple[Feedback, ...]:
    """Share of the array's rate that a whole checkpoint reached.

    None where the unit's rate is the platform's own figure: the same saves speak of that, and taking both would count a
    shortfall twice.
    """
    name, hot = _STACKS.get(plan.network.transport.value), plan.hot
    if not saves or name is None or hot.drive is None or not hot.write_bytes_per_s.known:
        return ()
    value = derive(
        delivery.measured_stack_fraction,
        stack_fraction=hot.stack_fraction,
        measured_bytes_per_s=_median(saves),
        designed_bytes_per_s=hot.write_bytes_per_s,
    )
    origin = _origin("save", saves)
    return (Feedback(f"network.{name}_stack_fraction", "Client stack", value, hot.stack_fraction, origin),)


def _unit_rates(plan: Plan, saves: Sequence[Outcome]) -> tuple[Feedback, ...]:
    """Write rate of one storage unit, where it is the platform's own figure: a pool's comes of its drives and ports."""
    hot = plan.hot
    if not saves or hot.drive is not None or not hot.unit_count.number > 0:
        return ()
    value = derive(
        delivery.measured_unit_bytes_per_s,
        measured_bytes_per_s=_median(saves),
        unit_count=hot.unit_count,
        stack_fraction=hot.stack_fraction,
    )
    path = "storage.hot.manual_write_bytes_per_s"
    return (
        Feedback(path, "Write rate of one unit", value, hot.unit_write_bytes_per_s, _origin("save", saves)),
    )


def _spread(plan: Plan, outcomes: Sequence[Outcome]) -> tuple[Feedback, ...]:
    """Coefficient of variation of the nodes' write time."""
    nodes = [
        o for o in outcomes if o.promise.id == "node-write" and o.measured.number > 0 and o.result != "open"
    ]
    best: dict[str, float] = {}  # a node that was measured again is still one
    for outcome in nodes:
        best[outcome.node] = max(best.get(outcome.node, 0.0), outcome.measured.number)
    if len(best) < FEWEST_NODES:
        return ()
    times = [1.0 / bytes_per_s for bytes_per_s in best.values()]
    origin = counted(len(best), "node")
    value = given(
        min(1.0, statistics.stdev(times) / statistics.fmean(times)),
        "fraction",
        "Spread between nodes",
        source=f"standard deviation over mean of the write time, {origin}",
        grade="seen",
    )
    today = given(
        plan.scenario.network.node_variation_fraction,
        "fraction",
        "Spread between nodes",
        source="",
        grade="input",
    )
    return (Feedback("network.node_variation_fraction", "Spread between nodes", value, today, origin),)


def _latency(plan: Plan, outcomes: Sequence[Outcome]) -> tuple[Feedback, ...]:
    """Latency of a small write, beside the most that the model of the chosen transport makes of it."""
    found = [o for o in outcomes if o.promise.id == "latency-write-p50" and o.measured.number > 0]
    if not found:
        return ()
    value = given(
        statistics.median(outcome.measured.number for outcome in found),
        "s",
        "Latency of a small write",
        source=f"median of {counted(len(found), 'measurement')}",
        grade="seen",
    )
    today = way_in_use(plan).rows[0].latency_high_s
    return (Feedback(LATENCY_PATH, value.label, value, today, _origin("latency test", found)),)


def way_in_use(plan: Plan) -> TransportModel:
    """The model of the transport that the design has; RDMA is RoCEv2 or InfiniBand, by its switches."""
    models = {model.name: model for model in plan.transport_models}
    name = plan.network.transport.value
    return models["ib" if name == "rdma" and models["ib"].designed else name]


def _amplification(plan: Plan, drives: Sequence[DriveState]) -> tuple[Feedback, ...]:
    """Write amplification of the hot tier's drives."""
    known = [
        drive
        for drive in drives
        if drive.group == plan.hot.name and drive.waf_ratio.known and 1.0 <= drive.waf_ratio.number <= 10.0
    ]
    if len(known) < FEWEST_DRIVES:
        return ()
    value = given(
        statistics.median(drive.waf_ratio.number for drive in known),
        "1",
        "Write amplification inside the drive",
        source=f"median of {counted(len(known), 'drive')}",
        grade="seen",
    )
    today = given(plan.scenario.storage.actual_waf_ratio, "1", value.label, source="", grade="input")
    origin = f"{counted(len(known), 'drive')}, {known[0].waf_origin}"
    return (Feedback("storage.actual_waf_ratio", value.label, value, today, origin),)
