"""What a GPU node's own drives can hold, and what it would mean to rely on them alone."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_SMALLEST = 1e-9
"""Bytes that stand for an empty dataset, of which any node holds all."""
_GUIDE = "the guide, 'Why Not Just Use Local NVMe?'"


@formula(
    r"F = \max(n\,c - o,\,0)",
    unit="bytes",
    label="Free local capacity per node",
    source=_GUIDE,
    symbols={"drive_count": "n", "drive_bytes": "c", "reserved_bytes": "o"},
)
def free_bytes(drive_count: Number, *, drive_bytes: Number, reserved_bytes: Number) -> Number:
    """Local capacity of a node that is left for data.

    Args:
        drive_count: Drives of a node.
        drive_bytes: Capacity of a drive.
        reserved_bytes: What is kept free for other uses.

    Example:
        >>> float(free_bytes(4.0, drive_bytes=3.84e12, reserved_bytes=0.5e12))
        14860000000000.0
    """
    return elementwise.maximum(drive_count * drive_bytes - reserved_bytes, 0.0)


@formula(
    r"K = \left\lfloor F / s \right\rfloor",
    unit="count",
    label="Checkpoints that fit on the local drives",
    source=_GUIDE,
    symbols={"free_bytes": "F", "shard_bytes": "s"},
)
def retained_local_count(free_bytes: Number, *, shard_bytes: Number) -> Number:
    """Whole checkpoints whose shards fit on every node's own drives.

    Args:
        free_bytes: What is free on the drives of a node.
        shard_bytes: Shard of a node.

    Example:
        >>> float(retained_local_count(1.0e12, shard_bytes=0.3e12))
        3.0
    """
    return elementwise.floor(free_bytes / shard_bytes + elementwise.TOLERANCE)


@formula(
    r"d = \min(F / D,\,1)",
    unit="fraction",
    label="Share of the dataset on one node",
    source=_GUIDE,
    symbols={"free_bytes": "F", "dataset_bytes": "D"},
)
def dataset_on_node_fraction(free_bytes: Number, *, dataset_bytes: Number) -> Number:
    """Share of the dataset that one node can hold by itself.

    Args:
        free_bytes: What is free on the drives of a node.
        dataset_bytes: Dataset as it is stored.

    Example:
        >>> float(dataset_on_node_fraction(10e12, dataset_bytes=50e12))
        0.2
    """
    share: Number = elementwise.minimum(free_bytes / elementwise.maximum(dataset_bytes, _SMALLEST), 1.0)
    return share


@formula(
    r"X = D\,(N - 1)",
    unit="bytes",
    label="Copies of the dataset beyond the first",
    source=_GUIDE,
    symbols={"dataset_bytes": "D", "node_count": "N"},
)
def duplicated_bytes(dataset_bytes: Number, *, node_count: Number) -> Number:
    """Bytes stored twice or more if each node held the whole dataset.

    Args:
        dataset_bytes: Dataset as it is stored.
        node_count: Nodes of the job.

    Example:
        >>> float(duplicated_bytes(50e12, node_count=64.0))
        3150000000000000.0
    """
    return dataset_bytes * (node_count - 1.0)


@formula(
    r"L = t / M",
    unit="count",
    label="Failures in the run that lose local checkpoints",
    source=_GUIDE,
    symbols={"run_s": "t", "interruption_s": "M"},
)
def failures_in_run_count(run_s: Number, *, interruption_s: Number) -> Number:
    """Interruptions expected in a run; each node loss makes its shards, and so the save, unreadable.

    Args:
        run_s: Length of the run.
        interruption_s: Mean time to interruption.

    Example:
        >>> float(failures_in_run_count(90 * 86400.0, interruption_s=712_777.0)) > 10
        True
    """
    return run_s / interruption_s


@formula(
    r"u = 1 - \frac{\min(x, F)}{F}",
    unit="fraction",
    label="Local capacity left unused",
    source=_GUIDE,
    symbols={"used_bytes": "x", "free_bytes": "F"},
)
def stranded_fraction(used_bytes: Number, *, free_bytes: Number) -> Number:
    """Share of a node's free local capacity that its own work leaves unused and no other node can use.

    Args:
        used_bytes: What its own work takes of it.
        free_bytes: What is free on its drives.

    Example:
        >>> float(stranded_fraction(2e12, free_bytes=8e12))
        0.75
    """
    unused = 1.0 - elementwise.minimum(used_bytes, free_bytes) / elementwise.maximum(free_bytes, 1.0)
    share: Number = elementwise.where(free_bytes == 0.0, 0.0, unused)
    return share


@formula(
    r"x = s\,K + D / N",
    unit="bytes",
    label="A node's share of checkpoints and dataset",
    source=_GUIDE,
    symbols={"shard_bytes": "s", "retained_count": "K", "dataset_bytes": "D", "node_count": "N"},
)
def node_use_bytes(
    shard_bytes: Number, *, retained_count: Number, dataset_bytes: Number, node_count: Number
) -> Number:
    """Bytes on a node if checkpoints and dataset were spread evenly over the nodes' own drives.

    Args:
        shard_bytes: What one node writes in a save.
        retained_count: Checkpoints kept.
        dataset_bytes: Dataset as it is stored.
        node_count: Nodes of the job.

    Example:
        >>> float(node_use_bytes(10e9, retained_count=6.0, dataset_bytes=6.4e12, node_count=64.0))
        160000000000.0
    """
    return shard_bytes * retained_count + dataset_bytes / node_count
