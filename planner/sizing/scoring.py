"""Scores of the transports: weighted points, where a weight turns the choice, and what a transport carries."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_WEIGHTED = "definition: weighted sum, as for the architecture of the hot tier"
_CORES = "fabric facts, section 1.3: processor cores"


@formula(
    r"P = w\,p",
    unit="count",
    label="Weighted points",
    source=_WEIGHTED,
    symbols={"points_count": "p", "weight_count": "w"},
)
def weighted_points_count(points_count: Number, *, weight_count: Number) -> Number:
    """Points of one criterion times its weight.

    Args:
        points_count: Points of the transport under the criterion, from 0.
        weight_count: Weight of the criterion.

    Example:
        >>> float(weighted_points_count(2.0, weight_count=3.0))
        6.0
    """
    return points_count * weight_count


@formula(
    r"w^* = w - \frac{L}{p - q}",
    unit="count",
    label="Weight at which the choice turns",
    source="both sums are equal there: the sums differ by the weight times the difference in points",
    symbols={"weight_count": "w", "lead_count": "L", "points_count": "p", "other_points_count": "q"},
    validity="where the points differ; all other weights stay as they are",
)
def turning_weight_count(
    weight_count: Number, *, lead_count: Number, points_count: Number, other_points_count: Number
) -> Number:
    """Weight of a criterion at which two transports have equally many points.

    Args:
        weight_count: Weight of the criterion now.
        lead_count: Sum of the leading transport less that of the other.
        points_count: Points of the leading transport under the criterion.
        other_points_count: Points of the other one.

    Example:
        >>> float(turning_weight_count(3.0, lead_count=4.0, points_count=2.0, other_points_count=0.0))
        1.0
    """
    return weight_count - lead_count / (points_count - other_points_count)


@formula(
    r"B = n\,b_c",
    unit="bytes/s",
    label="Bandwidth that the cores move",
    source=_CORES,
    symbols={"core_count": "n", "bytes_per_s_per_core": "b_c"},
    validity="large blocks, per side",
)
def cores_bytes_per_s(core_count: Number, *, bytes_per_s_per_core: Number) -> Number:
    """What the cores that a node gives to storage traffic move.

    Args:
        core_count: Cores that the transport may take.
        bytes_per_s_per_core: What one core moves: 2.5 to 3.75 GB/s for TCP, many times that for RDMA.

    Example:
        >>> float(cores_bytes_per_s(8.0, bytes_per_s_per_core=3e9))
        24000000000.0
    """
    return core_count * bytes_per_s_per_core


@formula(
    r"n = \max\!\left(1,\ \left\lfloor \min\!\left(\frac{H}{h},\ \frac{P}{p}\right) \right\rfloor\right)",
    unit="count",
    label="Nodes in a rack",
    source="a rack is full by height or by power, whichever comes first",
    symbols={"rack_height_ru": "H", "node_height_ru": "h", "rack_limit_w": "P", "node_max_w": "p"},
    validity="a node that is higher, or draws more, than a rack allows counts as one",
)
def rack_nodes_count(
    rack_height_ru: Number, *, node_height_ru: Number, rack_limit_w: Number, node_max_w: Number
) -> Number:
    """GPU nodes that stand in one rack of the site.

    Args:
        rack_height_ru: Rack units for machines.
        node_height_ru: Rack units of a node.
        rack_limit_w: Power that a rack may draw.
        node_max_w: Highest power of a node.

    Example:
        >>> float(rack_nodes_count(44.0, node_height_ru=8.0, rack_limit_w=43e3, node_max_w=10.2e3))
        4.0
    """
    room: Number = elementwise.minimum(rack_height_ru / node_height_ru, rack_limit_w / node_max_w)
    fitting: Number = elementwise.maximum(elementwise.floor(room + elementwise.TOLERANCE), 1.0)
    return fitting


@formula(
    r"B_r = n\,B",
    unit="bytes/s",
    label="Bandwidth of a rack of nodes",
    source="definition: the nodes of a rack together",
    symbols={"node_bytes_per_s": "B", "node_count": "n"},
)
def rack_bytes_per_s(node_bytes_per_s: Number, *, node_count: Number) -> Number:
    """Storage bandwidth of the nodes of one rack together.

    Args:
        node_bytes_per_s: Of one node.
        node_count: Nodes in the rack.

    Example:
        >>> float(rack_bytes_per_s(10e9, node_count=4.0))
        40000000000.0
    """
    return node_bytes_per_s * node_count


@formula(
    r"t' = k\,t",
    unit="s",
    label="Save time without lossless set-up",
    source="the node and fabric stages slow down by what lost packets cost",
    symbols={"save_s": "t", "slowdown_ratio": "k"},
)
def lossy_save_s(save_s: Number, *, slowdown_ratio: Number) -> Number:
    """Time of a stage over RoCE whose switches drop packets.

    Args:
        save_s: The same on a lossless network.
        slowdown_ratio: How many times longer transfers take where packets are lost.

    Example:
        >>> float(lossy_save_s(10.0, slowdown_ratio=1.5))
        15.0
    """
    return save_s * slowdown_ratio
