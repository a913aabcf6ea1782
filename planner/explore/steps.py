"""Steppers: one step more or less of drives, nodes, links or interval, and how far each limit is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from planner.bom.equipment import NETWORK
from planner.bom.lines import not_priced
from planner.core.checks import Check, Finding
from planner.core.quantity import Quantity, given
from planner.core.units import DAY_S, HOUR_S, MINUTE_S, counted
from planner.plan import Plan
from planner.sections.demand import STEADY_LIMIT_FRACTION
from planner.sections.kit import domains_of_a_stripe
from planner.sections.tiers import TierPlan
from planner.summary import must_be_plan

Stepper = Literal["drives", "nodes", "links", "interval"]
INTERVALS_S = (
    *(5.0, 10.0, 15.0, 30.0),
    *(minutes * MINUTE_S for minutes in (1, 2, 3, 5, 7.5, 10, 15, 20, 30, 45)),
    *(hours * HOUR_S for hours in (1, 1.5, 2, 3, 4, 6, 8, 12)),
    *(days * DAY_S for days in (1, 2, 3, 5, 7, 14, 30)),
)
"""Intervals that people name, from the shortest to the longest allowed."""
MOST_PORTS = 64
"""Storage ports of a node that the input takes at most."""


@dataclass(frozen=True, slots=True)
class Step:
    """One stepper as it stands.

    Attributes:
        name: Drives, nodes, links or interval.
        label: What it is called.
        now: Its value in the design.
        size: How much one step is, in words.
        less: Values by path that one step down sets; None where there is none.
        more: The same for one step up.
        note: What the cost leaves out of a step; empty where it has all of it.
    """

    name: Stepper
    label: str
    now: Quantity
    size: str
    less: dict[str, Any] | None
    more: dict[str, Any] | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Gauge:
    """How far a limit is.

    Attributes:
        check: What the design has against what it needs.
        code: The finding that tells when the limit is passed.
    """

    check: Check
    code: str

    @property
    def used_fraction(self) -> float:
        """Share of the limit that is used: above 1 it is passed; NaN where a figure is missing."""
        return self.check.utilisation if self.check.verdict != "unknown" else math.nan


def limit_name(finding: Finding, held: Iterable[Gauge]) -> str:
    """The limit that a finding is of by its name among gauges, and the code: "Write endurance (END-1)"."""
    names = dict.fromkeys(gauge.check.name for gauge in held if gauge.code == finding.code)
    # Tiers share the code of their capacity: the name has to be that of the tier that the message speaks of.
    told = finding.message.casefold()
    own = [name for name in names if name.partition(",")[0].casefold() in told] or list(names)
    return f"{own[0]} ({finding.code})" if len(own) == 1 else finding.code


def steps(done: Plan) -> tuple[Step, ...]:
    """The steppers of a design, each with the inputs that a step sets."""
    must_be_plan(done)
    return (_drives(done), _nodes(done), _links(done), _interval(done))


def _drives(done: Plan) -> Step:
    """A drive, or a group, more or less in every node; a platform that comes whole has no drives of its own to step."""
    hot = done.hot
    now, units = int(hot.drive_count.number), int(hot.unit_count.number)
    each = 1 if hot.group_width_count is None else int(hot.group_width_count.number)
    own = hot.drive is not None
    free = {"storage.hot.usable_bytes": None, "storage.hot.unit_count": units}
    step = each * units
    less = {"storage.hot.drive_count": now - step, **free} if own and now - step >= step else None
    more = {"storage.hot.drive_count": now + step, **free} if own else None
    size = "one drive" if each == 1 else f"one group of {counted(each, 'drive')}"
    return Step("drives", "Drives", hot.drive_count, f"{size} in every storage node", less, more)


def _nodes(done: Plan) -> Step:
    """A storage node more or less, with as many drives as the others have."""
    hot = done.hot
    now = int(hot.unit_count.number)

    def at(units: int) -> dict[str, Any]:
        """Edits that make it so many storage nodes."""
        edits: dict[str, Any] = {"storage.hot.unit_count": units, "storage.hot.usable_bytes": None}
        if hot.drive is not None:
            edits["storage.hot.drive_count"] = math.ceil(hot.drive_count.number / now) * units
        return edits

    return Step(
        "nodes",
        "Storage nodes",
        hot.unit_count,
        "one storage node",
        at(now - 1) if now > 1 else None,
        at(now + 1),
    )


def _links(done: Plan) -> Step:
    """A storage port of every GPU node more or less."""
    ports = done.cluster.port_count
    now, path = int(ports.number), "cluster.storage_port_count"
    return Step(
        "links",
        "Storage ports of a GPU node",
        ports,
        "one port of every GPU node",
        {path: now - 1} if now > 1 else None,
        {path: now + 1} if now < MOST_PORTS else None,
        _unpriced_links(done),
    )


def _unpriced_links(done: Plan) -> str:
    """What the cost leaves out of the network, so that a step which changes no price is not taken for a free one."""
    if done.cost.price_set.value == "guide":
        return "not priced: prices per TB have no links"
    left_out = [line for line in done.bom if line.group == NETWORK and not line.priced]
    return f"{not_priced(len(left_out), 'the network')}, and not in the cost" if left_out else ""


def _interval(done: Plan) -> Step:
    """The next interval that people name, of the job with the largest checkpoint."""
    job = done.main.job
    now = job.checkpoint.interval_s
    start = f"{job.path}.checkpoint."
    less = [value for value in INTERVALS_S if value < now.number * (1 - 1e-9)]
    more = [value for value in INTERVALS_S if value > now.number * (1 + 1e-9)]

    def at(seconds: float) -> dict[str, Any]:
        """Edits that state the interval."""
        return {
            start + "interval_basis": "stated",
            start + "interval_s": seconds,
            start + "interval_step_count": None,
            start + "step_s": None,
        }

    return Step(
        "interval",
        "Checkpoint interval",
        now,
        "the next shorter or longer interval",
        at(less[-1]) if less else None,
        at(more[0]) if more else None,
    )


# --- gauges -----------------------------------------------------------------------------------------------------


def gauges(done: Plan) -> tuple[Gauge, ...]:
    """How far each limit of a design is: what it has against what it needs."""
    must_be_plan(done)
    hot = done.hot
    return (
        *_saves(done),
        Gauge(
            Check("Hot tier, capacity", hot.safe_bytes, hot.demand.content_bytes, "fill limit or headroom"),
            "CAP-1",
        ),
        Gauge(
            Check(
                "Hot tier, write bandwidth",
                hot.write_bytes_per_s,
                hot.demand.write_bytes_per_s,
                "save target",
            ),
            "BW-4",
        ),
        Gauge(done.endurance.check, "END-1"),
        *_domains(done),
        *(gauge for tier in done.tiers for gauge in _steady(tier)),
        *(
            Gauge(
                Check(
                    f"{tier.name}, capacity",
                    tier.safe_bytes,
                    tier.demand.content_bytes,
                    "contents at the end",
                ),
                "CAP-2",
            )
            for tier in done.tiers[1:]
        ),
        Gauge(
            Check(
                "Storage ports of a node",
                done.network.node_bytes_per_s,
                done.network.node_read_bytes_per_s,
                "reads",
            ),
            "NET-10",
        ),
        Gauge(done.facility.rack_check, "PWR-1"),
        Gauge(done.facility.feed_check, "PWR-2"),
    )


def _saves(done: Plan) -> Iterator[Gauge]:
    for result in done.jobs:
        who = f", {result.job.name}" if len(done.jobs) > 1 else ""
        checkpoint, save = result.job.checkpoint, result.save.save_s
        is_async = result.job.policy.mode == "async"
        yield Gauge(
            Check(f"Save within the interval{who}", checkpoint.interval_s, save, "rules of the calculation"),
            "DRN-2" if is_async else "BW-1",
        )
        if not is_async:
            yield Gauge(
                Check(f"Save within its target{who}", checkpoint.target_s, save, "save target"), "BW-2"
            )


def _domains(done: Plan) -> Iterator[Gauge]:
    hot = done.hot
    if hot.scheme is None:
        return
    width = given(
        float(hot.scheme.width_count), "count", "Width of the protection", source="catalogue", grade="seen"
    )
    source = "rules of the calculation, 'Protection domain'"
    yield Gauge(Check("Protection width", domains_of_a_stripe(hot), width, source), "PRT-1")
    if hot.domain == "rack":
        yield Gauge(Check("Protection width, racks", done.facility.rack_count, width, source), "PRT-5")


def _steady(tier: TierPlan) -> Iterator[Gauge]:
    limit = given(
        STEADY_LIMIT_FRACTION,
        "fraction",
        "Steady share",
        source="the guide, 'Monitoring and Alerting'",
        grade="guide",
    )
    yield Gauge(Check(f"{tier.name}, steady traffic", limit, tier.steady_fraction, limit.source), "BW-3")
