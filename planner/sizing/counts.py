"""How many: parts of equal things, and the nodes that are left for a job."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number


@formula(
    r"n = a\,b",
    unit="count",
    label="Count",
    source="definition",
    symbols={"first_count": "a", "second_count": "b"},
)
def product_count(first_count: Number, *, second_count: Number) -> Number:
    """A number of things, each of which has the same number of parts.

    Args:
        first_count: One number.
        second_count: The other number.

    Example:
        >>> float(product_count(64.0, second_count=4.0))
        256.0
    """
    return first_count * second_count


@formula(
    r"n = \max\!\left(\left\lfloor \frac{N - s}{k} \right\rfloor,\ 1\right)",
    unit="count",
    label="Nodes of the job",
    source="what stated jobs leave of the cluster, shared evenly",
    symbols={"cluster_node_count": "N", "stated_node_count": "s", "sharing_job_count": "k"},
)
def remaining_node_count(
    cluster_node_count: Number, *, stated_node_count: Number, sharing_job_count: Number
) -> Number:
    """Nodes of each job that states none: what the others leave, shared evenly; one at least.

    Args:
        cluster_node_count: Nodes of the cluster.
        stated_node_count: Nodes that other jobs state.
        sharing_job_count: Jobs that state none.

    Example:
        >>> float(remaining_node_count(64.0, stated_node_count=24.0, sharing_job_count=2.0))
        20.0
    """
    left: Number = elementwise.floor(
        (cluster_node_count - stated_node_count) / sharing_job_count + elementwise.TOLERANCE
    )
    return elementwise.maximum(left, 1.0)
