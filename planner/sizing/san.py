"""A Fibre Channel network beyond its links: zones, and ports that have to be licensed."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number


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
    packs: Number = elementwise.ceil((port_count - included_count) / pack_count - elementwise.TOLERANCE)
    return elementwise.maximum(packs, 0.0)


@formula(
    r"p = \min(N,\ h) + u,\quad h = r - u",
    unit="count",
    label="Ports in use on the fullest edge switch",
    source="edge switches of a fabric are filled one after the other",
    symbols={"link_count": "N", "radix_count": "r", "up_count": "u"},
)
def fullest_port_count(link_count: Number, *, radix_count: Number, up_count: Number) -> Number:
    """Ports in use on the edge switch that is filled first.

    Args:
        link_count: Ports of nodes and targets on one fabric.
        radix_count: Ports of a switch.
        up_count: Links of a switch to the core.

    Example:
        >>> float(fullest_port_count(257.0, radix_count=64.0, up_count=32.0))
        64.0
    """
    first: Number = elementwise.minimum(link_count, radix_count - up_count) + up_count
    return first


@formula(
    r"k = \lfloor N/h \rfloor\,K(r) + K(N - h \lfloor N/h \rfloor + u) + (L - \lfloor N/h \rfloor - 1)\,K(u),\quad "
    r"K(n) = \max\!\left(\left\lceil \frac{n - n_0}{m} \right\rceil,\ 0\right),\ h = r - u",
    unit="count",
    label="Port licences of the edge switches of a fabric",
    source="catalogue: ports on demand of Fibre Channel switches; edge switches are filled one after the other",
    symbols={
        "link_count": "N",
        "leaf_count": "L",
        "radix_count": "r",
        "up_count": "u",
        "included_count": "n_0",
        "pack_count": "m",
    },
)
def edge_licence_count(
    link_count: Number,
    *,
    leaf_count: Number,
    radix_count: Number,
    up_count: Number,
    included_count: Number,
    pack_count: Number,
) -> Number:
    """Licences of all edge switches of one fabric: those that are full, the last one that is used, and empty ones.

    Args:
        link_count: Ports of nodes and targets on the fabric.
        leaf_count: Its edge switches.
        radix_count: Ports of a switch.
        up_count: Links of a switch to the core.
        included_count: Ports licensed as delivered.
        pack_count: Ports of one licence.

    Example:
        >>> kit = {"radix_count": 64.0, "up_count": 32.0, "included_count": 24.0, "pack_count": 8.0}
        >>> float(edge_licence_count(257.0, leaf_count=9.0, **kit))
        42.0
    """
    packs = {"included_count": included_count, "pack_count": pack_count}
    room = elementwise.maximum(radix_count - up_count, 1.0)  # a switch that is all uplinks would hold nobody
    full = elementwise.floor(link_count / room + elementwise.TOLERANCE)
    rest = link_count - full * room
    others = elementwise.maximum(leaf_count - full - 1.0, 0.0)
    last = elementwise.where(leaf_count > full + 0.5, licence_pack_count(rest + up_count, **packs), 0.0)
    licences: Number = (
        full * licence_pack_count(radix_count, **packs)
        + last
        + others * licence_pack_count(up_count, **packs)
    )
    return licences
