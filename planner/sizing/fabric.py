"""Switches of the storage network: ports, leaves, spines, and the links between them."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_CLOS = "fabric facts, section 3: leaf and spine"
_MOST_UPLINKS = 512
"""Uplinks of a leaf up to which their divisors are kept in a table; no leaf has more."""
_UPLINKS_IN = 4.0
"""Uplinks are added in steps that two and four spines share evenly."""


# --- ports and leaves ---------------------------------------------------------------------------------------


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
    r"u' = c \left\lceil \frac{u}{c} \right\rceil,\quad c = \max(4,\ p)",
    unit="count",
    label="Leaf ports to spines, in fours",
    source="decision: a count that many numbers of spines divide; 43 uplinks would need 43 spines",
    symbols={"up_count": "u", "port_per_cage_count": "p"},
    validity="cages of 1, 2, 4 or 8 ports, so that uplinks fill whole ones",
)
def even_up_count(up_count: Number, *, port_per_cage_count: Number) -> Number:
    """Uplinks of an oversubscribed leaf, rounded up so that two or four spines share them equally, in whole cages.

    Args:
        up_count: Uplinks that the oversubscription asks for at least.
        port_per_cage_count: Ports of their speed in a cage.

    Example:
        >>> float(even_up_count(43.0, port_per_cage_count=2.0)), float(even_up_count(43.0, port_per_cage_count=8.0))
        (44.0, 48.0)
    """
    step = elementwise.maximum(_UPLINKS_IN, port_per_cage_count)
    return step * elementwise.ceil(up_count / step - elementwise.TOLERANCE)


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
    r"k = \max(p,\ b\,v / c)",
    unit="count",
    label="Ports in whose place a cage stands",
    source="a cage is broken out one way; a leaf that may not block has as much bandwidth to spines as below",
    symbols={
        "port_per_cage_count": "p",
        "lane_count": "b",
        "link_bytes_per_s": "v",
        "port_bytes_per_s": "c",
    },
)
def cage_port_count(
    port_per_cage_count: Number, *, lane_count: Number, link_bytes_per_s: Number, port_bytes_per_s: Number
) -> Number:
    """Ports of one speed that a cage of links of another takes away: those that it could be, or as many by speed.

    Args:
        port_per_cage_count: Ports of the counted speed in a cage.
        lane_count: Links that the cage serves.
        link_bytes_per_s: Their line rate.
        port_bytes_per_s: Line rate of the ports that are counted.

    Example:
        >>> rates = {"link_bytes_per_s": 50e9, "port_bytes_per_s": 12.5e9}
        >>> float(cage_port_count(4.0, lane_count=2.0, **rates))
        8.0
        >>> rates = {"link_bytes_per_s": 3.125e9, "port_bytes_per_s": 50e9}
        >>> float(cage_port_count(2.0, lane_count=1.0, **rates))
        2.0
    """
    return elementwise.maximum(port_per_cage_count, lane_count * link_bytes_per_s / port_bytes_per_s)


@formula(
    r"n = N\,k / b",
    unit="count",
    label="Ports taken",
    source=_CLOS,
    symbols={"link_count": "N", "lane_count": "b", "cage_port_count": "k"},
)
def port_equivalent_count(link_count: Number, *, lane_count: Number, cage_port_count: Number) -> Number:
    """Ports of one speed in whose place links of another stand: a faster link takes several.

    Args:
        link_count: Links.
        lane_count: Links that a cage serves.
        cage_port_count: Ports of the counted speed in whose place a cage of them stands.

    Example:
        >>> float(port_equivalent_count(6.0, lane_count=2.0, cage_port_count=4.0))
        12.0
    """
    return link_count * cage_port_count / lane_count


@formula(
    r"n = k \lceil N / b \rceil",
    unit="count",
    label="Ports taken in whole cages",
    source="a cage is broken out one way, for one optic or cable",
    symbols={"link_count": "N", "lane_count": "b", "cage_port_count": "k"},
)
def whole_cages_port_count(link_count: Number, *, lane_count: Number, cage_port_count: Number) -> Number:
    """Ports of one speed that links of some kind take away on one side: a cage that is begun serves no others.

    Args:
        link_count: Links of the kind.
        lane_count: Links that a cage serves.
        cage_port_count: Ports of the counted speed in whose place a cage of them stands.

    Example:
        >>> float(whole_cages_port_count(5.0, lane_count=4.0, cage_port_count=4.0))
        8.0
    """
    return cage_port_count * elementwise.ceil(link_count / lane_count - elementwise.TOLERANCE)


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
