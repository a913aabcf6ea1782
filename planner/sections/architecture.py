"""Which architecture serves the hot tier, scored in the open, and who mounts what."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given
from planner.core.units import scalar
from planner.scenario import ArchitectureName, Storage
from planner.sections.context import Choice, Context
from planner.sections.jobs import JobPlan
from planner.sections.shares import renamed
from planner.sizing import checkpoint

LABELS: dict[str, str] = {
    "all-flash-array": "all-flash NVMe array",
    "software-defined": "software-defined NVMe-oF target",
    "parallel-file-system": "parallel file system on NVMe-oF",
}
WEIGHTS = {"cost": 3, "operations": 2, "features": 2, "POSIX": 3}
"""Weight of each criterion; a score is 0, 1 or 2."""


@dataclass(frozen=True, slots=True)
class Score:
    """Points of one architecture under each criterion, with the reason of each."""

    architecture: str
    label: str
    points: dict[str, int]
    reasons: dict[str, str]

    @property
    def total(self) -> int:
        """Weighted sum of the points."""
        return sum(WEIGHTS[name] * points for name, points in self.points.items())


@dataclass(frozen=True, slots=True)
class Namespace:
    """A kind of namespace: how many, how large, who writes it and over how many paths."""

    purpose: str
    count: Quantity
    size_bytes: Quantity
    hosts: str
    file_system: str


@dataclass(frozen=True, slots=True)
class ArchitecturePlan:
    """The choice, the scores behind it and the access model."""

    choice: Choice
    scores: tuple[Score, ...]
    access: str
    namespaces: tuple[Namespace, ...]


def _scores(storage: Storage) -> tuple[tuple[Score, ...], Choice]:
    features = (
        ("snapshots", storage.needs_snapshots),
        ("replication", storage.needs_replication),
        ("encryption", storage.needs_encryption),
    )
    return _scored(
        tuple([name for name, wanted in features if wanted]),
        skilled=storage.operations_skill == "high",
        posix=storage.needs_posix,
    )


@functools.lru_cache(maxsize=64)
def _scored(features: tuple[str, ...], *, skilled: bool, posix: bool) -> tuple[tuple[Score, ...], Choice]:
    """Points for each combination of wishes, and the choice; there are few, and every plan asks for one."""
    wanted = ", ".join(features) or "none asked for"
    rows: dict[ArchitectureName, tuple[tuple[int, str], ...]] = {
        "all-flash-array": (
            (0, "highest price per TB"),
            (2, "simplest to run"),
            (2, f"snapshots, replication, encryption built in; wanted: {wanted}"),
            (1, "POSIX through its file front end, if it has one") if posix else (2, "no shared tree needed"),
        ),
        "software-defined": (
            (2, "standard servers and drives"),
            (
                1 if skilled else 0,
                "needs a team that runs Linux storage" + ("" if skilled else ", which is missing"),
            ),
            (0 if features else 2, f"lacks some enterprise features; wanted: {wanted}"),
            (0, "no shared tree by itself") if posix else (2, "no shared tree needed"),
        ),
        "parallel-file-system": (
            (1, "standard servers, plus the file system"),
            (1 if skilled else 0, "needs file-system skills" + ("" if skilled else ", which are missing")),
            (1, f"depends on the product; wanted: {wanted}"),
            (2, "one tree for all nodes") if posix else (1, "a shared tree that nobody asked for"),
        ),
    }
    scores = tuple(
        Score(
            name,
            LABELS[name],
            {criterion: cell[0] for criterion, cell in zip(WEIGHTS, cells, strict=True)},
            {criterion: cell[1] for criterion, cell in zip(WEIGHTS, cells, strict=True)},
        )
        for name, cells in rows.items()
    )
    best = max(scores, key=lambda score: (score.total, score.points["cost"]))
    second = sorted((score.total for score in scores), reverse=True)[1]
    reason = f"{best.total} points against {second} of the next"
    return scores, Choice(best.architecture, best.label, reason)


def choose_architecture(context: Context) -> tuple[Choice, tuple[Score, ...]]:
    """The architecture with the most points; ties go to the cheaper one."""
    storage = context.scenario.storage
    scores, auto = _scores(storage)
    context.auto["storage.hot.architecture"] = auto
    manual = storage.hot.architecture
    if manual is None:
        return auto, scores
    return Choice(manual, LABELS[manual], "stated by the architect"), scores


ACCESS = {
    "namespace-per-node": "One namespace for each node with a local file system; it is attached to the replacement "
    "node when a node fails.",
    "cluster-file-system": "All nodes mount one parallel or clustered file system.",
    "array-front-end": "Nodes use the array's NFS or S3 front end.",
    "shared-namespace": "Several nodes write one namespace.",
}


def architecture_plan(
    context: Context, choice: Choice, scores: tuple[Score, ...], jobs: tuple[JobPlan, ...]
) -> ArchitecturePlan:
    """The access model and the namespaces that it needs."""
    storage = context.scenario.storage
    access = storage.access
    namespaces = []
    for job in jobs:
        one_each = access == "namespace-per-node"
        size = (
            derive(
                checkpoint.retained_bytes,
                checkpoint_bytes=job.checkpoint.shard_bytes,
                retained_count=scalar(job.policy.retained_count),
                in_flight_count=scalar(job.policy.in_flight_count),
                label="Size of a namespace",
            )
            if one_each
            else renamed(job.checkpoint.retained_bytes, "Size of a namespace")
        )
        count = (
            job.node_count
            if one_each
            else given(1.0, "count", "Namespaces", source="one for all", grade="seen")
        )
        namespaces.append(
            Namespace(
                f"checkpoints of {job.name}",
                count,
                size,
                "the node it belongs to"
                if one_each
                else ("the one node" if job.node_count.number == 1 else f"all {job.node_count} nodes"),
                "XFS on the node"
                if one_each
                else {
                    "cluster-file-system": "the cluster file system",
                    "array-front-end": "NFS or S3",
                    "shared-namespace": "none: unsafe",
                }[access],
            )
        )
    return ArchitecturePlan(choice, scores, ACCESS[access], tuple(namespaces))
