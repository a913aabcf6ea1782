"""Bursts: how long a save takes on shared storage, who waits for whom, and what a lost path costs.

A save is as slow as the slower of the shared array and the slowest node. Jitter of the nodes
lengthens the node's term alone: an array that is busy all the time does not care who is late.
"""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_B1 = "max-min fairness; reliability models, B1"
_B3 = "reliability models, B3"
_B4 = "reliability models, B4"
_B5 = "reliability models, B5"
_B6 = "reliability models, B6"


# --- the two terms of a save --------------------------------------------------------------------------------


@formula(
    r"t_a = \frac{C}{B\,\eta}",
    unit="s",
    label="Time on the array",
    source=_B5,
    symbols={"checkpoint_bytes": "C", "array_bytes_per_s": "B", "efficiency_fraction": r"\eta"},
)
def array_write_s(
    checkpoint_bytes: Number, *, array_bytes_per_s: Number, efficiency_fraction: Number = 1.0
) -> Number:
    """Time in which a shared array takes a checkpoint.

    Args:
        checkpoint_bytes: Whole checkpoint.
        array_bytes_per_s: Write bandwidth of the array.
        efficiency_fraction: Share of it that the clients' software reaches, in (0, 1].

    Example:
        >>> float(array_write_s(280e9, array_bytes_per_s=28e9))
        10.0
    """
    return checkpoint_bytes / (array_bytes_per_s * efficiency_fraction)


@formula(
    r"t_n = \frac{C}{N\,b}",
    unit="s",
    label="Time on a node's paths",
    source=_B5,
    symbols={"checkpoint_bytes": "C", "node_count": "N", "node_bytes_per_s": "b"},
)
def node_write_s(checkpoint_bytes: Number, *, node_count: Number, node_bytes_per_s: Number) -> Number:
    """Time in which a node sends its shard, all shards being equal.

    Args:
        checkpoint_bytes: Whole checkpoint.
        node_count: Nodes that write a shard each.
        node_bytes_per_s: Bandwidth of the node in question, the slowest one.

    Example:
        >>> float(node_write_s(280e9, node_count=256, node_bytes_per_s=109.375e6))
        10.0
    """
    return checkpoint_bytes / (node_count * node_bytes_per_s)


@formula(
    r"T = \max(t_a,\,t_n\,j)",
    unit="s",
    label="Save time",
    source=_B5,
    symbols={"array_s": "t_a", "node_s": "t_n", "jitter_ratio": "j"},
)
def save_s(array_s: Number, *, node_s: Number, jitter_ratio: Number) -> Number:
    """Save time: the slower of the array and the slowest node.

    Args:
        array_s: Time on everything that is shared.
        node_s: Time on what one node has alone, on average.
        jitter_ratio: Slowest node over the mean one, at least 1.

    Example:
        >>> float(save_s(10.0, node_s=8.0, jitter_ratio=1.5))
        12.0
    """
    slower: Number = elementwise.maximum(array_s, node_s * jitter_ratio)
    return slower


# --- sharing with reads -------------------------------------------------------------------------------------


@formula(
    r"x_i = \min\!\left(c_i,\ \max_j \frac{B - \sum_{l<j} c_{(l)}}{n - j + 1}\right)",
    unit="bytes/s",
    label="Fair shares of a pipe",
    source=_B1,
    symbols={"cap_bytes_per_s": "c", "pipe_bytes_per_s": "B"},
)
def max_min_allocation(cap_bytes_per_s: Number, *, pipe_bytes_per_s: Number) -> Number:
    """What each flow gets of a shared pipe under max-min fairness.

    The water level is the largest of the even shares of what the smaller flows leave, so no flow has
    to be frozen one after the other.

    Args:
        cap_bytes_per_s: What each flow could use; the flows lie on the last axis.
        pipe_bytes_per_s: Bandwidth of the pipe, one for each row of flows.

    Example:
        >>> max_min_allocation(np.array([2.0, 8.0, 10.0, 100.0]), pipe_bytes_per_s=30.0).tolist()
        [2.0, 8.0, 10.0, 10.0]
    """
    caps = np.asarray(cap_bytes_per_s, dtype=np.float64)
    ordered = np.sort(caps, axis=-1)
    smaller = np.cumsum(ordered, axis=-1) - ordered
    left = np.asarray(pipe_bytes_per_s)[..., None] - smaller
    level = np.max(left / np.arange(caps.shape[-1], 0, -1), axis=-1, keepdims=True)
    shares: Number = elementwise.minimum(caps, level)
    return shares


@formula(
    r"T = \frac{C}{\max\!\left(B - r,\ B\,\frac{n_w}{n_w + n_r}\right)}",
    unit="s",
    label="Save time beside reads",
    source=_B1,
    symbols={
        "checkpoint_bytes": "C",
        "pipe_bytes_per_s": "B",
        "read_bytes_per_s": "r",
        "writer_count": "n_w",
        "reader_count": "n_r",
    },
)
def burst_with_readers_s(
    checkpoint_bytes: Number,
    *,
    pipe_bytes_per_s: Number,
    read_bytes_per_s: Number,
    writer_count: Number,
    reader_count: Number,
) -> Number:
    """Save time on a pipe that readers use as well, all flows getting a fair share.

    Args:
        checkpoint_bytes: Whole checkpoint.
        pipe_bytes_per_s: Bandwidth of the pipe.
        read_bytes_per_s: What all readers together want.
        writer_count: Flows that write.
        reader_count: Flows that read.

    Example:
        >>> flows = {"writer_count": 32, "reader_count": 32}
        >>> float(burst_with_readers_s(280e9, pipe_bytes_per_s=28e9, read_bytes_per_s=20e9, **flows))
        20.0
    """
    fair = pipe_bytes_per_s * writer_count / (writer_count + reader_count)
    duration: Number = checkpoint_bytes / elementwise.maximum(pipe_bytes_per_s - read_bytes_per_s, fair)
    return duration


@formula(
    r"P = \max(r - x,\,0)\,T",
    unit="bytes",
    label="Prefetch that bridges a save",
    source=_B1,
    symbols={"save_s": "T", "wanted_bytes_per_s": "r", "given_bytes_per_s": "x"},
)
def prefetch_bytes(save_s: Number, *, wanted_bytes_per_s: Number, given_bytes_per_s: Number) -> Number:
    """Data to hold in memory so that readers do not starve during a save; the whole cluster.

    Args:
        save_s: Save time.
        wanted_bytes_per_s: What all readers together consume.
        given_bytes_per_s: What they get while the save goes on.

    Example:
        >>> float(prefetch_bytes(20.0, wanted_bytes_per_s=20e9, given_bytes_per_s=14e9))
        120000000000.0
    """
    missing: Number = elementwise.maximum(wanted_bytes_per_s - given_bytes_per_s, 0.0) * save_s
    return missing


@formula(
    r"w = W \max\!\left(u - r / R,\,0\right)",
    unit="bytes/s",
    label="Write bandwidth beside reads",
    source="reliability models, B2",
    symbols={
        "read_bytes_per_s": "r",
        "array_read_bytes_per_s": "R",
        "array_write_bytes_per_s": "W",
        "limit_fraction": "u",
    },
    validity="linear trade-off; drives of high density often do worse",
)
def mixed_array_write_bytes_per_s(
    read_bytes_per_s: Number,
    *,
    array_read_bytes_per_s: Number,
    array_write_bytes_per_s: Number,
    limit_fraction: Number = 1.0,
) -> Number:
    """Write bandwidth that an array has left while it also reads: its two ratings do not add.

    Args:
        read_bytes_per_s: Reads that go on meanwhile.
        array_read_bytes_per_s: Rated reads without writes.
        array_write_bytes_per_s: Rated writes without reads.
        limit_fraction: Load up to which the array is used, in (0, 1].

    Example:
        >>> rated = {"array_read_bytes_per_s": 60e9, "array_write_bytes_per_s": 28e9}
        >>> float(mixed_array_write_bytes_per_s(15e9, **rated))
        21000000000.0
    """
    free: Number = elementwise.maximum(limit_fraction - read_bytes_per_s / array_read_bytes_per_s, 0.0)
    return array_write_bytes_per_s * free


# --- retained, in flight, draining --------------------------------------------------------------------------


@formula(
    r"U = (K + f + d)\,C",
    unit="bytes",
    label="Checkpoints on the hot tier",
    source=_B3,
    symbols={
        "checkpoint_bytes": "C",
        "retained_count": "K",
        "in_flight_count": "f",
        "draining_count": "d",
    },
)
def retained_capacity_bytes(
    checkpoint_bytes: Number,
    *,
    retained_count: Number,
    in_flight_count: Number = 1,
    draining_count: Number = 0,
) -> Number:
    """Bytes that checkpoints take on the hot tier, before any reserve.

    Args:
        checkpoint_bytes: Whole checkpoint.
        retained_count: Complete checkpoints that are kept.
        in_flight_count: Checkpoints being written.
        draining_count: Older ones that still wait to be drained.

    Example:
        >>> float(retained_capacity_bytes(280e9, retained_count=5))
        1680000000000.0
    """
    return (retained_count + in_flight_count + draining_count) * checkpoint_bytes


@formula(
    r"d = \max\!\left(\lceil T_d / T \rceil - 1,\,0\right)",
    unit="count",
    label="Checkpoints that wait to drain",
    source=_B3,
    symbols={"drain_s": "T_d", "interval_s": "T"},
)
def draining_count(drain_s: Number, *, interval_s: Number) -> Number:
    """Checkpoints that are still draining when the next one has been written.

    Args:
        drain_s: Time to copy one checkpoint to the colder tier.
        interval_s: Time between copies.

    Example:
        >>> float(draining_count(4000.0, interval_s=1800.0)), float(draining_count(600.0, interval_s=1800.0))
        (2.0, 0.0)
    """
    waiting: Number = elementwise.maximum(elementwise.ceil(drain_s / interval_s) - 1.0, 0.0)
    return waiting


@formula(
    r"B_d = \frac{C}{T}\,(1 + \sigma)",
    unit="bytes/s",
    label="Drain bandwidth",
    source=_B4,
    symbols={"checkpoint_bytes": "C", "interval_s": "T", "slack_fraction": r"\sigma"},
)
def drain_bytes_per_s(
    checkpoint_bytes: Number, *, interval_s: Number, slack_fraction: Number = 0.0
) -> Number:
    """Least mean bandwidth of the drain: below it the backlog grows without bound.

    Args:
        checkpoint_bytes: Whole checkpoint.
        interval_s: Time between checkpoints that are drained.
        slack_fraction: Room to catch up after a stop.

    Example:
        >>> round(float(drain_bytes_per_s(980e9, interval_s=1800.0)) / 1e9, 3)
        0.544
    """
    return checkpoint_bytes * (1.0 + slack_fraction) / interval_s


# --- a path or a target is lost -----------------------------------------------------------------------------


@formula(
    r"b' = b\,\frac{\max(k - j,\,0)}{k}",
    unit="bytes/s",
    label="Node bandwidth with paths lost",
    source=_B6,
    symbols={"node_bytes_per_s": "b", "path_count": "k", "lost_count": "j"},
)
def path_loss_bytes_per_s(node_bytes_per_s: Number, *, path_count: Number, lost_count: Number = 1) -> Number:
    """Bandwidth of a node that has lost some of its equal paths; at a barrier all nodes wait for it.

    Args:
        node_bytes_per_s: Bandwidth with all paths.
        path_count: Paths of the node.
        lost_count: Paths lost.

    Example:
        >>> float(path_loss_bytes_per_s(5e9, path_count=2))
        2500000000.0
    """
    left: Number = node_bytes_per_s * elementwise.maximum(path_count - lost_count, 0.0) / path_count
    return left


@formula(
    r"B' = B\,\frac{\max(k - j,\,0)}{k}",
    unit="bytes/s",
    label="Array bandwidth with targets lost",
    source=_B6,
    symbols={"array_bytes_per_s": "B", "target_count": "k", "lost_count": "j"},
)
def target_loss_bytes_per_s(
    array_bytes_per_s: Number, *, target_count: Number, lost_count: Number = 1
) -> Number:
    """Bandwidth of an array that has lost some of its equal targets.

    Rebuild traffic, where there is any, has to be taken off as well.

    Args:
        array_bytes_per_s: Bandwidth with all targets.
        target_count: Targets of the array.
        lost_count: Targets lost.

    Example:
        >>> float(target_loss_bytes_per_s(80e9, target_count=4))
        60000000000.0
    """
    left: Number = array_bytes_per_s * elementwise.maximum(target_count - lost_count, 0.0) / target_count
    return left


@formula(
    r"t = t_n\,j",
    unit="s",
    label="Slowest node",
    source=_B5,
    symbols={"node_s": "t_n", "jitter_ratio": "j"},
)
def stretched_s(node_s: Number, *, jitter_ratio: Number) -> Number:
    """Time of the slowest node, from the mean node's.

    Args:
        node_s: Time of the mean node.
        jitter_ratio: Expected slowest over mean, at least 1.

    Example:
        >>> float(stretched_s(10.0, jitter_ratio=1.2))
        12.0
    """
    return node_s * jitter_ratio


@formula(
    r"T = \max(t_c,\ t_n,\ t_f,\ t_p,\ t_d)",
    unit="s",
    label="Save time",
    source="rules of the calculation, 'The binding constraint is always named'",
    symbols={"copy_s": "t_c", "node_s": "t_n", "fabric_s": "t_f", "ports_s": "t_p", "drives_s": "t_d"},
    validity="stages overlap: a save is as slow as its slowest stage",
)
def slowest_s(
    copy_s: Number, *, node_s: Number, fabric_s: Number, ports_s: Number, drives_s: Number
) -> Number:
    """Time of a save whose stages overlap; a stage that is not known is passed over.

    Args:
        copy_s: Copy out of GPU memory.
        node_s: Ports of the slowest node.
        fabric_s: Leaf and spine.
        ports_s: Ports of the targets.
        drives_s: Flash, with protection.

    Example:
        >>> float(slowest_s(1.0, node_s=2.0, fabric_s=3.0, ports_s=5.0, drives_s=4.0))
        5.0
    """
    return elementwise.known_maximum(
        elementwise.known_maximum(
            elementwise.known_maximum(copy_s, node_s), elementwise.known_maximum(fabric_s, ports_s)
        ),
        drives_s,
    )
