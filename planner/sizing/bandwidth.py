"""Bandwidth of links: what a node asks for, what links and uplinks carry, and what is left of them."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import BITS_PER_BYTE, Number

_BANDWIDTH = "the guide, 'Bandwidth Planning'"
_PATHS = "the guide, 'Checkpoint Storage Design Pattern'"
_CLOS = "fabric facts, section 3: leaf and spine"
GUIDE_PATHS = 4.0
"""Most network paths per GPU server that the guide advises; its least is 2."""


# --- what a node needs --------------------------------------------------------------------------------------


@formula(
    r"n_l = \max\!\left(1,\ \left\lceil \frac{b^*}{p\,\eta} \right\rceil\right)",
    unit="count",
    label="Links that a node needs",
    source=_BANDWIDTH,
    symbols={"needed_bytes_per_s": "b^*", "link_bytes_per_s": "p", "efficiency_fraction": r"\eta"},
)
def links_per_node_count(
    needed_bytes_per_s: Number, *, link_bytes_per_s: Number, efficiency_fraction: Number
) -> Number:
    """Links with which a node meets its bandwidth; spare paths come on top.

    Args:
        needed_bytes_per_s: Bandwidth that the node needs.
        link_bytes_per_s: Line rate of a link.
        efficiency_fraction: Payload over line rate.

    Example:
        >>> float(links_per_node_count(30e9, link_bytes_per_s=25e9, efficiency_fraction=0.98))
        2.0
    """
    links: Number = elementwise.maximum(
        elementwise.ceil(
            needed_bytes_per_s / (link_bytes_per_s * efficiency_fraction) - elementwise.TOLERANCE
        ),
        1.0,
    )
    return links


@formula(
    r"k = \min(n_p,\ 4)",
    unit="count",
    label="Paths per node",
    source=_PATHS,
    symbols={"port_count": "n_p"},
    validity="one path for each port, up to the guide's four",
)
def paths_count(port_count: Number) -> Number:
    """Network paths that a node's storage ports give it.

    Args:
        port_count: Storage ports of the node.

    Example:
        >>> float(paths_count(2)), float(paths_count(8))
        (2.0, 4.0)
    """
    paths: Number = elementwise.minimum(port_count, GUIDE_PATHS)
    return paths


@formula(
    r"R = 8\,B",
    unit="bits/s",
    label="Fabric bandwidth to the storage tier",
    source=_BANDWIDTH,
    symbols={"aggregate_bytes_per_s": "B"},
)
def fabric_bits_per_s(aggregate_bytes_per_s: Number) -> Number:
    """Aggregate bandwidth in the unit of network equipment.

    Args:
        aggregate_bytes_per_s: All clients together.

    Example:
        >>> float(fabric_bits_per_s(200e9)) / 1e12
        1.6
    """
    return aggregate_bytes_per_s * BITS_PER_BYTE


@formula(
    r"B = \max(B_1, B_2)",
    unit="bytes/s",
    label="Bandwidth needed",
    source="rules of the calculation, 'The binding constraint is always named'",
    symbols={"write_bytes_per_s": "B_1", "read_bytes_per_s": "B_2"},
)
def larger_bytes_per_s(write_bytes_per_s: Number, *, read_bytes_per_s: Number) -> Number:
    """The larger of a write burst and of steady reads: links carry both ways at once.

    Args:
        write_bytes_per_s: Writes of a burst.
        read_bytes_per_s: Steady reads.

    Example:
        >>> float(larger_bytes_per_s(2.0, read_bytes_per_s=3.0))
        3.0
    """
    return elementwise.maximum(write_bytes_per_s, read_bytes_per_s)


# --- what links carry ---------------------------------------------------------------------------------------


@formula(
    r"o = d / u",
    unit="1",
    label="Oversubscription of a leaf",
    source=_CLOS,
    symbols={"down_bytes_per_s": "d", "up_bytes_per_s": "u"},
)
def oversubscription_ratio(down_bytes_per_s: Number, *, up_bytes_per_s: Number) -> Number:
    """Downward over upward bandwidth of a leaf; the guide wants 1 or less where targets are.

    Args:
        down_bytes_per_s: Bandwidth of the ports to endpoints.
        up_bytes_per_s: Bandwidth of the ports to spines.

    Example:
        >>> float(oversubscription_ratio(1200e9, up_bytes_per_s=400e9))
        3.0
    """
    return down_bytes_per_s / up_bytes_per_s


@formula(
    r"B = n\,p\,(1 - \ell)",
    unit="bytes/s",
    label="Bandwidth of the links after hashing",
    source="rules of the calculation, 'Never twice': ECMP",
    symbols={"link_count": "n", "link_bytes_per_s": "p", "loss_fraction": r"\ell"},
)
def ecmp_bytes_per_s(link_count: Number, *, link_bytes_per_s: Number, loss_fraction: Number) -> Number:
    """What parallel links carry when a hash spreads few large flows unevenly.

    Args:
        link_count: Links together.
        link_bytes_per_s: Payload of a link.
        loss_fraction: Share lost: 0.2 to 0.4 with static hashing, 0 with adaptive routing.

    Example:
        >>> float(ecmp_bytes_per_s(32, link_bytes_per_s=50e9, loss_fraction=0.25))
        1200000000000.0
    """
    return link_count * link_bytes_per_s * (1.0 - loss_fraction)
