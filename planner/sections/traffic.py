"""What a checkpoint burst, steady traffic, or both put on the storage network, tier by tier."""

from __future__ import annotations

from collections.abc import Sequence

from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.core.units import Number
from planner.sections.leaves import client_ratio
from planner.sections.losses import Loss, host_side
from planner.sections.network import ELSEWHERE, NetworkPlan
from planner.sections.tiers import TierPlan
from planner.sizing import hops

CASES = ("burst", "steady", "both")
"""A checkpoint burst alone, steady traffic alone, and a burst beside it; keys of the loads of every hop."""
CASE_LABELS = {
    "burst": "checkpoint burst",
    "steady": "steady reads, drain and staging",
    "both": "burst beside steady traffic",
}
NONE = given(0.0, "bytes/s", "No traffic of this kind", source="none in this case", grade="seen")


@record(frozen=True, slots=True)
class TierTraffic:
    """Traffic of a tier in one case.

    Attributes:
        into: What clients and other tiers send it.
        out: What it sends them.
        back_end: Chunks that its targets pass on to each other while they take writes.
        rebuild: What they send each other to rebuild what is lost.
    """

    into: Quantity
    out: Quantity
    back_end: Quantity
    rebuild: Quantity

    @property
    def between(self) -> Quantity:
        """All that its targets send each other."""
        return sum_of([self.back_end, self.rebuild], "Traffic between targets")


@record(frozen=True, slots=True)
class Traffic:
    """All traffic in one case, that of nodes as it leaves and reaches their ports."""

    node_out: Quantity
    node_in: Quantity
    clients_out: Quantity
    clients_in: Quantity
    tiers: tuple[TierTraffic, ...]


def sum_of(items: Sequence[Quantity], label: str) -> Quantity:
    """Sum of what there is of the items; `NONE` itself if there is nothing."""
    there = [item for item in items if item is not NONE]
    return total(there, label, unit="bytes/s") if there else NONE


def share_of(
    traffic: Quantity, fraction: Quantity | Number, label: str, ratio: Quantity | Number = 1.0
) -> Quantity:
    """A share of a traffic, each byte of it counted `ratio` times; `NONE` stays what it is."""
    if traffic is NONE:
        return NONE
    return derive(
        hops.carried_bytes_per_s,
        traffic_bytes_per_s=traffic,
        share_fraction=fraction,
        load_ratio=ratio,
        label=label,
    )


def _there(rate: Quantity) -> Quantity:
    return NONE if rate.number == 0 else rate


def traffic_of(network: NetworkPlan, tiers: tuple[TierPlan, ...], loss: Loss, case: str) -> Traffic:
    """What a case puts on the network; a rebuild goes on in every case.

    Drains and staging go from tier to tier, not through GPU nodes.
    """
    hot, saving, steady = tiers[0], case != "steady", case != "burst"
    ratio = client_ratio(hot)
    reading = steady and network.read_bytes_per_s is not ELSEWHERE
    rebuilt = _there(loss.rebuild_bytes_per_s) if host_side(hot) else NONE
    written = _there(loss.rebuild_write_bytes_per_s) if host_side(hot) else NONE
    wrote = network.node_write_bytes_per_s if saving else NONE
    all_wrote = hot.demand.write_bytes_per_s if saving else NONE
    return Traffic(
        sum_of(
            [share_of(wrote, 1.0, "Saved by the busiest node", ratio), written], "Sent by the busiest node"
        ),
        sum_of([network.node_read_bytes_per_s if reading else NONE, rebuilt], "Received by the busiest node"),
        sum_of([share_of(all_wrote, 1.0, "Saved by all nodes", ratio), written], "Sent by all nodes"),
        sum_of([network.read_bytes_per_s if reading else NONE, rebuilt], "Received by all nodes"),
        tuple(_of_tier(tier, loss, saving=saving and tier is hot, steady=steady) for tier in tiers),
    )


def _of_tier(tier: TierPlan, loss: Loss, *, saving: bool, steady: bool) -> TierTraffic:
    demand = tier.demand
    saved = demand.write_bytes_per_s if saving else NONE
    staged = _there(demand.steady_write_bytes_per_s) if steady else NONE
    into = sum_of([saved, staged], f"Written to the {tier.name}")
    out = _there(demand.steady_read_bytes_per_s) if steady else NONE
    if tier.role != "hot":
        return TierTraffic(into, out, NONE, NONE)
    rebuilt, written = _there(loss.rebuild_bytes_per_s), _there(loss.rebuild_write_bytes_per_s)
    if host_side(tier):
        whole = share_of(into, 1.0, "Written, copies or parity included", tier.protection_ratio)
        return TierTraffic(
            sum_of([whole, written], f"Written to the {tier.name}"),
            sum_of([out, rebuilt], f"Read from the {tier.name}"),
            NONE,
            NONE,
        )
    return TierTraffic(into, out, _back_end(tier, into), rebuilt)


def _back_end(tier: TierPlan, into: Quantity) -> Quantity:
    if into is NONE or tier.amplification_ratio.number <= 1:
        return NONE
    return derive(
        hops.back_end_bytes_per_s, write_bytes_per_s=into, amplification_ratio=tier.amplification_ratio
    )
