"""The case for the chosen transport: scores with their weights, where they turn, what each transport carries.

Made for readers after the calculation: a sweep never asks for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import scalar
from planner.scenario import Network, TransportName
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Context, or_unknown, stated
from planner.sections.jobs import JobPlan
from planner.sections.saves import TransportRow
from planner.sections.transport import TransportOption
from planner.sections.transport_scores import (
    CORE_BYTES_PER_S,
    CRITERIA,
    ORDER,
    Amounts,
    barred,
    best_of,
    points_of,
    situation_of,
)
from planner.sizing import bandwidth, burst, scoring, tier_rates

MOST_WEIGHT = 10
LOSSY_RATIO = (1.5, 3.0)
"""How many times longer transfers take over RoCE whose switches drop packets."""
LOSSY_SOURCE = "Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018: 1.5 to 3 times without PFC in simulation"
LOSSY_RISK = (
    "one lost packet makes the adapter send again all that followed it; users report RoCE below TCP "
    "(bytedance/byteps #179) and down to a small part of the line rate (NVIDIA/nccl #378) where switches drop packets"
)
DIRECT: dict[str, tuple[bool, str]] = {
    "rdma": (True, "the adapter writes to GPU memory by RDMA"),
    "fc": (False, "data passes through host memory"),
    "tcp": (False, "data passes through host memory"),
}
"""GPUDirect Storage over each transport, and why."""
DIRECT_SOURCE = "NVIDIA GPUDirect Storage, requirements: remote storage needs an adapter that does RDMA"


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """Points of one transport under one criterion."""

    criterion: str
    points: Quantity
    weighted: Quantity
    reason: str


@dataclass(frozen=True, slots=True)
class TransportScore:
    """All points of a transport.

    Attributes:
        barred: Why the network does not allow it; empty if it does.
        direct: Whether GPUDirect Storage works over it.
    """

    name: TransportName
    label: str
    scores: tuple[CriterionScore, ...]
    total: Quantity
    barred: str
    direct: bool
    direct_reason: str

    def of(self, criterion: str) -> CriterionScore:
        """Its points under that criterion."""
        return next(score for score in self.scores if score.criterion == criterion)


@dataclass(frozen=True, slots=True)
class WeightTurn:
    """A weight at which another transport has as many points as the leading one.

    Attributes:
        below: The other leads below the threshold; else above it.
    """

    criterion: str
    label: str
    now: Quantity
    threshold: Quantity
    below: bool

    @property
    def words(self) -> str:
        """The turn as a sentence without its end."""
        side = "below" if self.below else "above"
        return f"{self.label} leads with a weight of {self.criterion.lower()} {side} {self.threshold}; it is {self.now}"


@dataclass(frozen=True, slots=True)
class Enough:
    """Up to which bandwidth a transport is enough.

    Attributes:
        node_bytes_per_s: The least of ports and cores of a node.
        rack_bytes_per_s: The same of the nodes of one rack.
        binding: "ports" or "processor cores".
        carries: Whether it is enough for what a node of this design needs.
    """

    name: TransportName
    label: str
    ports_bytes_per_s: Quantity
    left_bytes_per_s: Quantity
    cores_bytes_per_s: Quantity
    node_bytes_per_s: Quantity
    rack_bytes_per_s: Quantity
    binding: str
    carries: bool

    @property
    def words(self) -> str:
        """The threshold as a sentence without its end."""
        rack = f", {self.rack_bytes_per_s} a rack" if self.rack_bytes_per_s.known else ""
        return f"{self.label} is enough up to {self.node_bytes_per_s} a node{rack}: its {self.binding} carry no more"


@dataclass(frozen=True, slots=True)
class LossyCase:
    """RoCEv2 without lossless set-up on this design.

    Attributes:
        meets_target: Whether even the longer save meets the target.
        slower_than_tcp: Whether the longer save takes longer than over TCP.
    """

    slowdown_low: Quantity
    slowdown_high: Quantity
    save_low_s: Quantity
    save_high_s: Quantity
    meets_target: bool
    slower_than_tcp: bool
    risk: str
    source: str


@dataclass(frozen=True, slots=True)
class TransportCase:
    """Scores, turning weights, thresholds, and RoCEv2 without lossless set-up.

    Attributes:
        leading: The transport with the most points, whether or not another was stated.
        weights: Weight of each criterion.
        need_bytes_per_s: What a node writes.
        rack_nodes_count: GPU nodes in one rack of the site.
    """

    scores: tuple[TransportScore, ...]
    weights: dict[str, Quantity]
    leading: TransportName
    turns: tuple[WeightTurn, ...]
    enough: tuple[Enough, ...]
    lossy: LossyCase | None
    need_bytes_per_s: Quantity
    rack_nodes_count: Quantity

    def score(self, name: str) -> TransportScore:
        """The score of that transport."""
        return next(score for score in self.scores if score.name == name)


def transport_case(
    context: Context,
    cluster: ClusterPlan,
    options: Mapping[str, TransportOption],
    job: JobPlan,
    rows: tuple[TransportRow, ...],
) -> TransportCase:
    """The whole case on the design's ports, for the job with the largest checkpoint."""
    network = context.scenario.network
    need = job.checkpoint.node_write_bytes_per_s
    amounts = _amounts(network, cluster, options, need)
    weights = _weights(network)
    situation = situation_of(network, infiniband=options["rdma"].medium == "infiniband")
    out = barred(situation, amounts)
    scores = tuple(
        _score(options[name], points_of(situation, amounts), weights, out.get(name, "")) for name in ORDER
    )
    leading = best_of(situation, amounts, {name: weight.number for name, weight in weights.items()})
    nodes = _rack_nodes(context)
    return TransportCase(
        scores=scores,
        weights=weights,
        leading=leading,
        turns=tuple(_turns(scores, weights, leading)),
        enough=tuple(_enough(network, cluster, options[name], need, nodes) for name in ORDER),
        lossy=None if options["rdma"].medium == "infiniband" else _lossy(rows, job),
        need_bytes_per_s=need,
        rack_nodes_count=nodes,
    )


def _amounts(
    network: Network, cluster: ClusterPlan, options: Mapping[str, TransportOption], need: Quantity
) -> Amounts:
    paths = _paths(network, cluster).number
    return Amounts(
        need.number,
        {name: options[name].node_bytes_per_s.number for name in ORDER},
        max(paths - 1.0, 0.0) / paths,
        scalar(network.transport_core_count),
    )


def _paths(network: Network, cluster: ClusterPlan) -> Quantity:
    if network.path_count is not None:
        return stated(network.path_count, "path_count", "Paths per node", source="network.path_count")
    return derive(bandwidth.paths_count, port_count=cluster.port_count)


def _weights(network: Network) -> dict[str, Quantity]:
    """Weights as figures that say which input they are."""
    made = {}
    for name, label in CRITERIA.items():
        path = f"{name}_weight_count"
        weight = getattr(network.transport_weights, path)
        made[name] = stated(
            weight, path, f"Weight of {label.lower()}", source=f"network.transport_weights.{path}"
        )
    return made


def _score(
    option: TransportOption,
    points: Mapping[str, Mapping[TransportName, tuple[int, str]]],
    weights: Mapping[str, Quantity],
    out: str,
) -> TransportScore:
    name, words = option.name, option.label
    scores = []
    for criterion, label in CRITERIA.items():
        number, reason = points[criterion][name]
        own = given(float(number), "count", f"{label}, points", source=reason, grade="inferred")
        weighted = derive(
            scoring.weighted_points_count,
            points_count=own,
            weight_count=weights[criterion],
            label=f"{label}, weighted",
        )
        scores.append(CriterionScore(criterion, own, weighted, reason))
    every = total([score.weighted for score in scores], f"Points of {words}", unit="count")
    direct, why = DIRECT[name]
    return TransportScore(name, words, tuple(scores), every, out, direct, why)


def _turns(
    scores: tuple[TransportScore, ...], weights: Mapping[str, Quantity], leading: TransportName
) -> Iterator[WeightTurn]:
    """Weights between 0 and 10 at which one that the network allows would take the lead, one at a time."""
    first = next(score for score in scores if score.name == leading)
    for other in scores:
        if other is first or other.barred:
            continue
        lead = first.total.number - other.total.number
        for own, its in zip(first.scores, other.scores, strict=True):
            if own.points.number == its.points.number:
                continue
            threshold = derive(
                scoring.turning_weight_count,
                weight_count=weights[own.criterion],
                lead_count=lead,
                points_count=own.points,
                other_points_count=its.points,
            )
            if 0 <= threshold.number <= MOST_WEIGHT:
                yield WeightTurn(
                    CRITERIA[own.criterion],
                    other.label,
                    weights[own.criterion],
                    threshold,
                    own.points.number > its.points.number,
                )


def _rack_nodes(context: Context) -> Quantity:
    """How many GPU nodes one rack of the site takes, by height and by power."""
    cluster, site = context.scenario.cluster, context.scenario.site
    node = context.catalogue.find("gpu_nodes", cluster.node_id, field="cluster.node_id")
    room = scalar(site.rack_height_ru) - scalar(site.rack_reserved_ru)
    return derive(
        scoring.rack_nodes_count,
        rack_height_ru=stated(room, "rack_height_ru", "Rack units for machines"),
        node_height_ru=or_unknown(node.rack_units_ru, "RU", "Rack units of a node"),
        rack_limit_w=stated(site.rack_limit_w, "rack_limit_w", "Power limit of a rack"),
        node_max_w=or_unknown(node.max_w, "W", "Maximum power of a node"),
    )


def _enough(
    network: Network, cluster: ClusterPlan, option: TransportOption, need: Quantity, nodes: Quantity
) -> Enough:
    """What ports with one path lost, and cores, carry; with a single path, the whole of it."""
    paths = _paths(network, cluster)
    left = option.node_bytes_per_s
    if paths.number > 1:
        left = derive(
            burst.path_loss_bytes_per_s,
            node_bytes_per_s=option.node_bytes_per_s,
            path_count=paths,
            lost_count=1.0,
            label="Ports with one path lost",
        )
    cores = derive(
        scoring.cores_bytes_per_s,
        core_count=stated(
            scalar(network.transport_core_count),
            "transport_core_count",
            "Cores for storage traffic",
            source="network.transport_core_count",
        ),
        bytes_per_s_per_core=CORE_BYTES_PER_S[option.name],
    )
    node = derive(
        tier_rates.smaller_bytes_per_s,
        first_bytes_per_s=left,
        second_bytes_per_s=cores,
        label=f"{option.label} is enough up to, a node",
    )
    return Enough(
        name=option.name,
        label=option.label,
        ports_bytes_per_s=option.node_bytes_per_s,
        left_bytes_per_s=left,
        cores_bytes_per_s=cores,
        node_bytes_per_s=node,
        rack_bytes_per_s=derive(
            scoring.rack_bytes_per_s,
            node_bytes_per_s=node,
            node_count=nodes,
            label=f"{option.label} is enough up to, a rack",
        ),
        binding="ports" if left.number <= cores.number else "processor cores",
        carries=node.number >= need.number,
    )


def _lossy(rows: tuple[TransportRow, ...], job: JobPlan) -> LossyCase | None:
    """The save over RoCEv2 with every stage that crosses the network slowed down; None where it is unknown."""
    row = next((row for row in rows if row.name == "rdma" and row.stages), None)
    if row is None or not row.save_low_s.known:
        return None
    low, high = (
        given(
            ratio, "1", f"Slowdown without lossless set-up, {end}", source=LOSSY_SOURCE, grade="from memory"
        )
        for ratio, end in zip(LOSSY_RATIO, ("low", "high"), strict=True)
    )
    save_low, save_high = (_lossy_save(row, ratio) for ratio in (low, high))
    tcp = next((other.save_low_s.number for other in rows if other.name == "tcp"), math.nan)
    return LossyCase(
        low,
        high,
        save_low,
        save_high,
        meets_target=save_high.number <= job.checkpoint.target_s.number * (1 + 1e-9),
        slower_than_tcp=save_high.number > tcp,
        risk=LOSSY_RISK,
        source=LOSSY_SOURCE,
    )


CROSSING = ("node ports", "fabric", "target ports")
"""Stages of a save that the network is part of."""


def _lossy_save(row: TransportRow, ratio: Quantity) -> Quantity:
    stages = {
        name: derive(
            scoring.lossy_save_s, save_s=time, slowdown_ratio=ratio, label=f"{time.label}, with loss"
        )
        if name in CROSSING
        else time
        for name, time in row.stages.items()
    }
    names = ("copy_s", "node_s", "fabric_s", "ports_s", "drives_s")
    return derive(
        burst.slowest_s,
        label="Save over RoCEv2 without lossless set-up",
        **dict(zip(names, stages.values(), strict=True)),
    )
