"""Points of each transport under each criterion, and which of them has most by the stated weights.

What a network does not allow is left out first, by the guide's table of transports: RoCEv2 asks for lossless
Ethernet, Fibre Channel for a SAN whose ports carry a node's share. TCP is always possible. Of those left the one
with the most weighted points is chosen; of equal ones the one that the guide gives the lower latency.

The default weights follow the rules of the guide: RoCEv2 on lossless switches of its own; where switches are
shared or cannot be lossless, a SAN that is there, and TCP otherwise. Sharing weighs most because it is the
guide's own reason for TCP. Two corners are judged by points where the rules alone said RoCEv2: a SAN with
enough ports is preferred to Ethernet ports that cannot carry a node's share, and to RoCEv2 of which neither
PFC nor ECN nor DSCP is stated (the reviewers' NET-5).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from planner.core.units import counted
from planner.scenario import Network, TransportName, TransportWeights

ORDER: tuple[TransportName, ...] = ("rdma", "fc", "tcp")
"""Transports by the guide's latency, lowest first; of equal sums the first is chosen."""
CRITERIA = {
    "bandwidth": "Bandwidth",
    "latency": "Latency",
    "processor": "Processor cores",
    "lossless": "Lossless set-up",
    "sharing": "Sharing",
    "skills": "Skills",
    "cost": "Cost",
    "san": "Existing SAN",
}
"""Criteria by the names of their weights."""
MOST_POINTS = 2
CORE_BYTES_PER_S: dict[str, float] = {"rdma": 20e9, "tcp": 3.1e9, "fc": 20e9}
"""Large-block bandwidth that one core drives: TCP 2.5 to 3.75 GB/s, RDMA 0.1 to 0.2 cores for the same.

Inferred in the fabric facts, 1.3; an FC adapter offloads as an RDMA one does.
"""
FEW_CORES_FRACTION = 0.25
"""Share of the cores for storage traffic up to which they are no matter."""
LATENCY = {
    "rdma": (2, "10 to 30 µs by the guide, the lowest"),
    "fc": (1, "20 to 50 µs by the guide"),
    "tcp": (0, "40 to 80 µs by the guide"),
}
STATED = ("PFC", "ECN", "DSCP")
Points = Mapping[str, Mapping[TransportName, tuple[int, str]]]
"""Points and their reason, by criterion and transport."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the architect says of the network that points depend on, other than by amounts.

    Attributes:
        lossless: Lossless Ethernet is possible.
        shared: The switches carry other traffic too.
        san: A Fibre Channel SAN is there.
        missing: Which of PFC, ECN and DSCP are not stated.
        skilled: The team sets up and watches lossless Ethernet.
        infiniband: The stated switch carries InfiniBand, which is lossless by credits, and no Ethernet.
    """

    lossless: bool
    shared: bool
    san: bool
    missing: tuple[str, ...]
    skilled: bool
    infiniband: bool = False


@dataclass(frozen=True, slots=True)
class Amounts:
    """What points depend on by amount.

    Attributes:
        need_bytes_per_s: What a node writes.
        node_bytes_per_s: Payload of a node's ports over each transport.
        left_fraction: Share of it that is left with one path lost.
        core_count: Cores of a node that the transport may take.
    """

    need_bytes_per_s: float
    node_bytes_per_s: Mapping[TransportName, float]
    left_fraction: float
    core_count: float


def situation_of(network: Network, *, infiniband: bool = False) -> Situation:
    """The situation that a scenario states, on a switch of InfiniBand or not."""
    stated = (network.pfc, network.ecn, network.dscp)
    return Situation(
        lossless=network.lossless_possible,
        shared=network.switches_shared,
        san=network.fc_san_present,
        missing=tuple(name for name, done in zip(STATED, stated, strict=True) if not done),
        skilled=network.operations_skill == "high",
        infiniband=infiniband,
    )


_FIELDS = tuple((name, f"{name}_weight_count") for name in CRITERIA)


def weights_of(stated: TransportWeights) -> dict[str, int]:
    """Weight of each criterion, in their order."""
    return {name: getattr(stated, path) for name, path in _FIELDS}


def barred(situation: Situation, amounts: Amounts) -> dict[TransportName, str]:
    """Transports that the network does not allow, each with the reason."""
    found: dict[TransportName, str] = {}
    if situation.infiniband:
        found["tcp"] = "the stated switch carries InfiniBand, no Ethernet"
    elif not situation.lossless:
        found["rdma"] = "lossless Ethernet is not possible"
    if not situation.san:
        found["fc"] = "no SAN is there"
    elif not amounts.node_bytes_per_s["fc"] >= amounts.need_bytes_per_s:
        found["fc"] = "its ports do not carry what a node writes"
    return found


def best_of(situation: Situation, amounts: Amounts, weights: Mapping[str, float]) -> TransportName:
    """The transport with the most weighted points among those that the network allows.

    Every calculation asks for it, so it adds up points without making the table that `points_of` gives.
    """
    out = barred(situation, amounts)
    fixed = _fixed(situation)
    best: TransportName = "rdma" if situation.infiniband else "tcp"
    most = -1.0
    for name in ORDER:
        if name in out:
            continue
        total = weights["latency"] * LATENCY[name][0]
        total += weights["bandwidth"] * _bandwidth(amounts, name)[0]
        total += weights["processor"] * _processor(amounts, name)[0]
        for criterion, cells in fixed.items():
            total += weights[criterion] * cells[name][0]
        if total > most:
            best, most = name, total
    return best


def points_of(situation: Situation, amounts: Amounts) -> Points:
    """Points of every transport, from 0 to 2, each with its reason."""
    return {
        "bandwidth": {name: _bandwidth(amounts, name) for name in ORDER},
        "latency": {name: LATENCY[name] for name in ORDER},
        "processor": {name: _processor(amounts, name) for name in ORDER},
        **_fixed(situation),
    }


def _bandwidth(amounts: Amounts, name: TransportName) -> tuple[int, str]:
    ports = amounts.node_bytes_per_s[name]
    if ports * amounts.left_fraction >= amounts.need_bytes_per_s:
        return 2, "ports carry what a node writes, also with one path lost"
    if ports >= amounts.need_bytes_per_s:
        return 1, "ports carry what a node writes, but not with one path lost"
    return 0, "ports do not carry what a node writes"


def _processor(amounts: Amounts, name: TransportName) -> tuple[int, str]:
    cores = amounts.need_bytes_per_s / CORE_BYTES_PER_S[name]
    if cores <= FEW_CORES_FRACTION * amounts.core_count:
        return 2, "at most a quarter of the cores for storage traffic"
    if cores <= amounts.core_count:
        return 1, "within the cores for storage traffic"
    return 0, "more cores than storage traffic may take"


@functools.lru_cache(maxsize=128)
def _fixed(situation: Situation) -> Points:
    """Points that follow from the situation alone; there are few, and every plan asks for one."""
    return {
        "lossless": {
            "rdma": (2, "lossless by its own credits") if situation.infiniband else _lossless(situation),
            "fc": (2, "lossless by its own credits"),
            "tcp": (2, "needs none"),
        },
        "sharing": {
            "rdma": (0, "other traffic on its switches takes its buffers and its pauses")
            if situation.shared
            else (2, "its switches carry nothing else"),
            "fc": (2, "a network of its own"),
            "tcp": (2, "bears other traffic beside it"),
        },
        "skills": {
            "rdma": _skills(situation),
            "fc": (2, "the SAN is run already") if situation.san else (0, "nobody runs a SAN yet"),
            "tcp": (2, "plain Ethernet"),
        },
        "cost": {
            "rdma": (1, "switches and adapters of InfiniBand")
            if situation.infiniband
            else (1, "switches with buffer for a lossless class, adapters with RDMA"),
            "fc": (1, "adapters for the nodes") if situation.san else (0, "a second network"),
            "tcp": (2, "any Ethernet switch and adapter"),
        },
        "san": {
            "rdma": (1, "leaves a SAN as it is"),
            "fc": (2, "uses the SAN that is there") if situation.san else (0, "no SAN is there"),
            "tcp": (1, "leaves a SAN as it is"),
        },
    }


def _skills(situation: Situation) -> tuple[int, str]:
    task = "run a subnet manager" if situation.infiniband else "set up and watch PFC and ECN"
    if situation.skilled:
        return (
            2,
            f"the team can {task}" if situation.infiniband else "the team sets up and watches PFC and ECN",
        )
    return 0, f"nobody to {task}"


def _lossless(situation: Situation) -> tuple[int, str]:
    if not situation.lossless:
        return 0, "lossless Ethernet is not possible"
    missing = situation.missing
    if not missing:
        return 2, "PFC, ECN and DSCP are stated"
    names = " and ".join(part for part in (", ".join(missing[:-1]), missing[-1]) if part)
    told = f"{names} {'is' if len(missing) == 1 else 'are'} not stated"
    return (0 if len(missing) == len(STATED) else 1), f"{told} ({counted(len(missing), 'item')} of 3)"
