"""A Fibre Channel network beyond its links: zones, and ports that have to be licensed."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_TOLERANCE = 1e-9


@formula(
    r"z = n_i\,n_t / f",
    unit="count",
    label="Zoned pairs of an initiator and a target port",
    source="Brocade, SAN zoning: a zone for each initiator's port (single-initiator zoning); ports spread evenly",
    symbols={"initiator_port_count": "n_i", "target_port_count": "n_t", "fabric_count": "f"},
    validity="the zone of an initiator's port holds every target port of its own fabric",
)
def zone_pair_count(
    initiator_port_count: Number, *, target_port_count: Number, fabric_count: Number
) -> Number:
    """Pairs of an initiator's and a target's port that are zoned, over all fabrics together.

    Args:
        initiator_port_count: Ports of all GPU nodes.
        target_port_count: Ports of all targets.
        fabric_count: Fabrics that share them evenly: 2, A and B.

    Example:
        >>> float(zone_pair_count(128, target_port_count=8, fabric_count=2))
        512.0
    """
    return initiator_port_count * target_port_count / fabric_count


@formula(
    r"k = \max\!\left(\left\lceil \frac{n - n_0}{m} \right\rceil,\ 0\right)",
    unit="count",
    label="Packs of port licences of a switch",
    source="catalogue: ports on demand of Fibre Channel switches",
    symbols={"port_count": "n", "included_count": "n_0", "pack_count": "m"},
)
def licence_pack_count(port_count: Number, *, included_count: Number, pack_count: Number) -> Number:
    """Licences that a switch needs for the ports in use beyond those that it comes with.

    Args:
        port_count: Ports in use on the switch.
        included_count: Ports licensed as delivered.
        pack_count: Ports of one licence.

    Example:
        >>> float(licence_pack_count(37, included_count=24, pack_count=8)), float(licence_pack_count(20, included_count=24, pack_count=8))
        (2.0, 0.0)
    """
    packs: Number = elementwise.ceil((port_count - included_count) / pack_count - _TOLERANCE)
    return elementwise.maximum(packs, 0.0)
