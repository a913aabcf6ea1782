"""Measured figures that can be taken into a design, each with where it comes from."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from planner.plan import Plan
from planner.telemetry.acceptance import Acceptance

FEWEST_NODES = 5
"""A spread between nodes is not known from fewer."""
_STACKS = {"rdma": "rdma", "tcp": "tcp", "fc": "fc"}


@dataclass(frozen=True, slots=True)
class Feedback:
    """One input with the value that was measured.

    Attributes:
        path: Path of the input.
        value: What to set.
        today: What the design has.
        origin: What it was measured on.
    """

    path: str
    label: str
    value: float
    today: float
    origin: str


def feedback(plan: Plan, acceptance: Acceptance) -> tuple[Feedback, ...]:
    """Inputs that the measurements speak of: the client stack, and the spread between nodes."""
    return (*_stack(plan, acceptance), *_spread(plan, acceptance))


def _stack(plan: Plan, acceptance: Acceptance) -> tuple[Feedback, ...]:
    """Share of the array's rate that a whole checkpoint reached."""
    saves = [o for o in acceptance.outcomes if o.promise.id == "array-save"]
    name = _STACKS.get(plan.network.transport.value)
    hot = plan.hot
    if not saves or name is None or not hot.write_bytes_per_s.known:
        return ()
    stack = hot.stack_fraction.number
    reached = statistics.median(o.measured.number for o in saves)
    value = min(1.0, stack * reached / hot.write_bytes_per_s.number)
    return (
        Feedback(
            f"network.{name}_stack_fraction",
            "Client stack, as measured",
            value,
            stack,
            f"{len(saves)} saves of a whole checkpoint: {saves[0].source}",
        ),
    )


def _spread(plan: Plan, acceptance: Acceptance) -> tuple[Feedback, ...]:
    """Coefficient of variation of the nodes' write time."""
    nodes = [o for o in acceptance.outcomes if o.promise.id == "node-write" and o.measured.number > 0]
    if len(nodes) < FEWEST_NODES:
        return ()
    times = [1.0 / outcome.measured.number for outcome in nodes]
    value = min(1.0, statistics.stdev(times) / statistics.fmean(times))
    return (
        Feedback(
            "network.node_variation_fraction",
            "Spread between nodes, as measured",
            value,
            plan.scenario.network.node_variation_fraction,
            f"{len(nodes)} nodes",
        ),
    )
