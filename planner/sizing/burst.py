"""Bursts: how long a save takes on shared storage, who waits for whom, and what a lost path costs.

A save is as slow as its slowest stage. Jitter of the nodes lengthens the node's stage alone: an array
that is busy all the time does not care who is late.
"""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_B1 = "max-min fairness; reliability models, B1"
_B4 = "reliability models, B4"
_B5 = "reliability models, B5"
_B6 = "reliability models, B6"


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


# --- draining -----------------------------------------------------------------------------------------------


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
