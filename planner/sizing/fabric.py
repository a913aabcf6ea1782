"""Switches of the storage network: ports, leaves, spines, and the links between them."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_TOPOLOGY = "the guide, 'Network Topology'"
_CLOS = "fabric facts, section 3: leaf and spine"
_MOST_UPLINKS = 512
"""Uplinks of a leaf up to which their divisors are kept in a table; no leaf has more."""
_UPLINKS_IN = 4.0
"""Uplinks are added in steps that two and four spines share evenly."""


# --- ports and leaves ---------------------------------------------------------------------------------------


@formula(
    r"E = N p + M q + r",
    unit="count",
    label="Ports for a single leaf tier",
    source=_CLOS,
    symbols={
        "node_count": "N",
        "node_link_count": "p",
        "target_count": "M",
        "target_link_count": "q",
        "spare_count": "r",
    },
)
def single_leaf_port_count(
    node_count: Number,
    *,
    node_link_count: Number,
    target_count: Number,
    target_link_count: Number,
    spare_count: Number = 0.0,
) -> Number:
    """Switch ports that nodes and targets take; one switch suffices if it has as many.

    Args:
        node_count: GPU nodes.
        node_link_count: Links of a node to this switch.
        target_count: Storage targets.
        target_link_count: Links of a target to this switch.
        spare_count: Ports to keep free.

    Example:
        >>> float(single_leaf_port_count(64, node_link_count=1, target_count=8, target_link_count=2))
        80.0
    """
    return node_count * node_link_count + target_count * target_link_count + spare_count


@formula(
    r"d = \left\lfloor \frac{R\,o}{1 + o} \right\rfloor",
    unit="count",
    label="Leaf ports to endpoints",
    source=_CLOS,
    symbols={"radix_count": "R", "oversubscription_ratio": "o"},
)
def leaf_down_ports_count(radix_count: Number, *, oversubscription_ratio: Number) -> Number:
    """Ports of a leaf that face nodes and targets.

    Args:
        radix_count: Ports of the switch at the endpoints' speed.
        oversubscription_ratio: Downward over upward bandwidth; 1 is non-blocking.

    Example:
        >>> float(leaf_down_ports_count(64, oversubscription_ratio=1))
        32.0
        >>> float(leaf_down_ports_count(64, oversubscription_ratio=3))
        48.0
    """
    share = oversubscription_ratio / (1.0 + oversubscription_ratio)
    down: Number = elementwise.floor(radix_count * share + elementwise.TOLERANCE)
    return down


@formula(
    r"u = R - d",
    unit="count",
    label="Leaf ports to spines",
    source=_CLOS,
    symbols={"radix_count": "R", "down_count": "d"},
)
def leaf_up_ports_count(radix_count: Number, *, down_count: Number) -> Number:
    """Ports of a leaf that face spines.

    Args:
        radix_count: Ports of the switch at the endpoints' speed.
        down_count: Ports to endpoints.

    Example:
        >>> float(leaf_up_ports_count(64, down_count=32))
        32.0
    """
    return radix_count - down_count


@formula(
    r"L = \lceil E / d \rceil",
    unit="count",
    label="Leaves",
    source=_CLOS,
    symbols={"endpoint_count": "E", "down_count": "d"},
)
def leaf_count(endpoint_count: Number, *, down_count: Number) -> Number:
    """Leaf switches for a number of endpoint links.

    Args:
        endpoint_count: Links of nodes and targets.
        down_count: Ports of a leaf to endpoints.

    Example:
        >>> float(leaf_count(512, down_count=32))
        16.0
    """
    leaves: Number = elementwise.ceil(endpoint_count / down_count - elementwise.TOLERANCE)
    return leaves


@formula(
    r"u' = 4 \lceil u / 4 \rceil",
    unit="count",
    label="Leaf ports to spines, in fours",
    source="decision: a count that many numbers of spines divide; 43 uplinks would need 43 spines",
    symbols={"up_count": "u"},
)
def even_up_count(up_count: Number) -> Number:
    """Uplinks of an oversubscribed leaf, rounded up so that two or four spines share them equally.

    Args:
        up_count: Uplinks that the oversubscription asks for at least.

    Example:
        >>> float(even_up_count(43)), float(even_up_count(8))
        (44.0, 8.0)
    """
    return _UPLINKS_IN * elementwise.ceil(up_count / _UPLINKS_IN - elementwise.TOLERANCE)


@formula(
    r"u' = u \left\lceil \frac{R}{(1 + o')\,u} \right\rceil",
    unit="count",
    label="Ports of a less oversubscribed leaf to spines",
    source=_CLOS,
    symbols={"up_count": "u", "radix_count": "R", "oversubscription_ratio": "o'"},
    validity="a multiple of the most oversubscribed leaf's, so that each leaf has equally many links to each spine",
)
def finer_leaf_up_count(up_count: Number, *, radix_count: Number, oversubscription_ratio: Number) -> Number:
    """Uplinks of a leaf in a fabric whose other leaves are oversubscribed more: of targets beside clients.

    Args:
        up_count: Ports to spines of the leaves that are oversubscribed most.
        radix_count: Ports of the switch at the endpoints' speed.
        oversubscription_ratio: Downward over upward bandwidth that this leaf may have.

    Example:
        >>> float(finer_leaf_up_count(8, radix_count=128, oversubscription_ratio=1))
        64.0
        >>> float(finer_leaf_up_count(52, radix_count=256, oversubscription_ratio=1))
        156.0
    """
    multiple: Number = elementwise.ceil(
        radix_count / ((1.0 + oversubscription_ratio) * up_count) - elementwise.TOLERANCE
    )
    return up_count * multiple


@formula(
    r"L' = n / u",
    unit="count",
    label="Leaves, as the most oversubscribed ones",
    source=_CLOS,
    symbols={"uplink_count": "n", "up_count": "u"},
)
def leaf_equivalent_count(uplink_count: Number, *, up_count: Number) -> Number:
    """Leaves of one kind that would have as many uplinks as leaves of two kinds together.

    Args:
        uplink_count: Uplinks of all leaves.
        up_count: Ports to spines of the leaves that are oversubscribed most.

    Example:
        >>> float(leaf_equivalent_count(152, up_count=8))
        19.0
    """
    return uplink_count / up_count


@formula(
    r"n_t = \begin{cases}1 & N \le N_1 \ \text{and}\ E \le R\\ 2 & \text{else}\end{cases}",
    unit="count",
    label="Switch tiers",
    source=_TOPOLOGY,
    symbols={"node_count": "N", "port_count": "E", "radix_count": "R", "single_tier_node_count": "N_1"},
)
def tier_count(
    node_count: Number, *, port_count: Number, radix_count: Number, single_tier_node_count: Number
) -> Number:
    """Tiers of switches by the guide's node limit and by the ports there are.

    Args:
        node_count: GPU nodes.
        port_count: Ports that nodes and targets take on one switch.
        radix_count: Ports of the switch.
        single_tier_node_count: Nodes up to which one tier is sufficient: 64 by the guide.

    Example:
        >>> float(tier_count(64, port_count=80, radix_count=128, single_tier_node_count=64))
        1.0
    """
    single = np.less_equal(node_count, single_tier_node_count) & np.less_equal(port_count, radix_count)
    tiers: Number = elementwise.where(single, 1.0, 2.0)
    return tiers


@formula(
    r"n = N \max(b / p,\ 1)",
    unit="count",
    label="Ports taken",
    source=_CLOS,
    symbols={"link_count": "N", "link_bytes_per_s": "b", "port_bytes_per_s": "p"},
)
def port_equivalent_count(
    link_count: Number, *, link_bytes_per_s: Number, port_bytes_per_s: Number
) -> Number:
    """Ports of one speed that links of another take: a faster link takes the place of several.

    Args:
        link_count: Links.
        link_bytes_per_s: Their line rate.
        port_bytes_per_s: Line rate of the ports that are counted.

    Example:
        >>> float(port_equivalent_count(6.0, link_bytes_per_s=50e9, port_bytes_per_s=25e9))
        12.0
    """
    return link_count * elementwise.maximum(link_bytes_per_s / port_bytes_per_s, 1.0)


@formula(
    r"p = R / C",
    unit="count",
    label="Ports in a cage",
    source="the switch's data sheet: ports of a speed by breakout",
    symbols={"radix_count": "R", "cage_count": "C"},
)
def port_per_cage_count(radix_count: Number, *, cage_count: Number) -> Number:
    """Ports of one speed that a cage of a switch gives.

    Args:
        radix_count: Ports of that speed of the switch.
        cage_count: Its cages.

    Example:
        >>> float(port_per_cage_count(128.0, cage_count=64.0))
        2.0
    """
    return radix_count / cage_count


@formula(
    r"n = \max\!\left(P,\ p \lceil N / b \rceil\right)",
    unit="count",
    label="Ports taken in whole cages",
    source="a cage is broken out one way, for one optic or cable",
    symbols={"port_count": "P", "link_count": "N", "lane_count": "b", "port_per_cage_count": "p"},
)
def whole_cages_port_count(
    port_count: Number, *, link_count: Number, lane_count: Number, port_per_cage_count: Number
) -> Number:
    """Ports of one speed that links of some kind take away on one side: a cage that is begun serves no others.

    Args:
        port_count: Ports of that speed which the links take by their own speed.
        link_count: Links of the kind.
        lane_count: Links that a cage serves.
        port_per_cage_count: Ports of the counted speed in a cage.

    Example:
        >>> float(whole_cages_port_count(5.0, link_count=5.0, lane_count=4.0, port_per_cage_count=4.0))
        8.0
    """
    cages: Number = elementwise.ceil(link_count / lane_count - elementwise.TOLERANCE)
    return elementwise.maximum(port_count, port_per_cage_count * cages)


@formula(
    r"n = \lceil E / L \rceil",
    unit="count",
    label="Endpoint ports of a switch",
    source=_CLOS,
    symbols={"port_count": "E", "switch_count": "L"},
    validity="ports spread evenly",
)
def ports_per_switch_count(port_count: Number, *, switch_count: Number) -> Number:
    """Ports in use on the fullest of some switches.

    Args:
        port_count: Ports of all endpoints, or of all links.
        switch_count: Switches that share them.

    Example:
        >>> float(ports_per_switch_count(137, switch_count=2))
        69.0
    """
    ports: Number = elementwise.ceil(port_count / switch_count - elementwise.TOLERANCE)
    return ports


@formula(
    r"L = k \left\lceil \frac{N + M\,q / k}{d} \right\rceil",
    unit="count",
    label="Leaves, rail-aligned",
    source="NVIDIA DGX SuperPOD reference architecture: port n of every node on the leaves of rail n",
    symbols={
        "node_count": "N",
        "target_port_count": r"M\,q",
        "rail_count": "k",
        "down_count": "d",
    },
    validity="targets' ports spread evenly over the rails",
)
def rail_leaf_count(
    node_count: Number, *, target_port_count: Number, rail_count: Number, down_count: Number
) -> Number:
    """Leaves if each storage port of a node has leaves of its own.

    Args:
        node_count: GPU nodes: one port of each on every rail.
        target_port_count: Ports of targets, at the endpoints' speed.
        rail_count: Rails, as many as a node has storage ports.
        down_count: Ports of a leaf to endpoints.

    Example:
        >>> float(rail_leaf_count(128, target_port_count=16, rail_count=4, down_count=64))
        12.0
    """
    each: Number = elementwise.ceil(
        (node_count + target_port_count / rail_count) / down_count - elementwise.TOLERANCE
    )
    return rail_count * each


# --- spines -------------------------------------------------------------------------------------------------


@formula(
    r"S = \min\left\{\, s : s \mid u,\ s \ge \frac{L\,u}{R} \,\right\}",
    unit="count",
    label="Spines",
    source=_CLOS,
    symbols={"leaf_count": "L", "up_count": "u", "radix_count": "R"},
    validity="two tiers and at most 512 uplinks; unknown where a third tier is needed",
)
def spine_count(leaf_count: Number, *, up_count: Number, radix_count: Number) -> Number:
    """Spines with which every leaf has equally many links to each.

    The number must divide a leaf's uplinks, hence 16 rather than 12 where 12 would carry the links.

    Args:
        leaf_count: Leaves.
        up_count: Ports of a leaf to spines, at least 1.
        radix_count: Ports of a spine at the same speed.

    Returns:
        The count, or NaN if no two-tier fabric connects so many leaves.

    Example:
        >>> float(spine_count(24, up_count=32, radix_count=64))
        16.0
    """
    least = elementwise.ceil(np.multiply(leaf_count, up_count) / radix_count - elementwise.TOLERANCE)
    # A comparison with NaN is false, so what is unknown or too large looks up NaN.
    column = np.where(np.less_equal(least, _MOST_UPLINKS), least, _MOST_UPLINKS + 1.0).astype(np.intp)
    row = np.where(np.less_equal(up_count, _MOST_UPLINKS), up_count, 0.0).astype(np.intp)
    spines: Number = _next_divisors()[row, column]
    return spines


@cache
def _next_divisors() -> NDArray[np.float64]:
    """Smallest divisor of the row's number that is no less than the column's; NaN if there is none.

    A table, because a search would need room for every candidate of every design of a sweep.
    """
    table = np.full((_MOST_UPLINKS + 1, _MOST_UPLINKS + 2), np.nan)
    for divisor in range(_MOST_UPLINKS, 0, -1):
        table[divisor::divisor, : divisor + 1] = divisor
    return table


@formula(
    r"n = L\,u",
    unit="count",
    label="Links between leaves and spines",
    source=_CLOS,
    symbols={"leaf_count": "L", "up_count": "u"},
)
def spine_link_count(leaf_count: Number, *, up_count: Number) -> Number:
    """Cables from leaves to spines.

    Args:
        leaf_count: Leaves.
        up_count: Ports of a leaf to spines.

    Example:
        >>> float(spine_link_count(16, up_count=32))
        512.0
    """
    return leaf_count * up_count


@formula(
    r"g = u / S",
    unit="count",
    label="Links between a leaf and a spine",
    source=_CLOS,
    symbols={"up_count": "u", "spine_count": "S"},
)
def links_per_pair_count(up_count: Number, *, spine_count: Number) -> Number:
    """Links that each leaf has to each spine.

    Args:
        up_count: Ports of a leaf to spines.
        spine_count: Spines.

    Example:
        >>> float(links_per_pair_count(32, spine_count=16))
        2.0
    """
    return up_count / spine_count


@formula(
    r"E_{max} = d\,R",
    unit="count",
    label="Most endpoints of two tiers",
    source=_CLOS,
    symbols={"down_count": "d", "radix_count": "R"},
)
def max_endpoint_count(down_count: Number, *, radix_count: Number) -> Number:
    """Endpoint links that a leaf-spine fabric can connect at all.

    Args:
        down_count: Ports of a leaf to endpoints.
        radix_count: Ports of a spine.

    Example:
        >>> float(max_endpoint_count(32, radix_count=64))
        2048.0
    """
    return down_count * radix_count
