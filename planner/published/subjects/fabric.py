"""Bandwidth and links of the storage network."""

from __future__ import annotations

from planner.core.units import Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import bandwidth, fabric


@by(bandwidth.fabric_bits_per_s)
def fabric_bandwidth(case: Case) -> Result:
    """Bits a second of a fabric that carries so many bytes."""
    return bandwidth.fabric_bits_per_s(case.read("aggregate", "bytes/s"))


def _half(case: Case) -> Number:
    """Ports of a leaf that face endpoints in a fabric that blocks nothing; as many face the spine."""
    return fabric.leaf_down_ports_count(case.read("ports of a switch"), oversubscription_ratio=1.0)


def _leaves(case: Case) -> Number:
    return fabric.leaf_count(case.read("endpoints"), down_count=_half(case))


@by(fabric.leaf_count, fabric.leaf_down_ports_count)
def leaves(case: Case) -> Result:
    """Leaves of a fabric that blocks nothing."""
    return _leaves(case)


@by(fabric.spine_count, fabric.leaf_count, fabric.leaf_down_ports_count, fabric.leaf_up_ports_count)
def spines(case: Case) -> Result:
    """Spines of a fabric that blocks nothing."""
    radix = case.read("ports of a switch")
    up = fabric.leaf_up_ports_count(radix, down_count=_half(case))
    return fabric.spine_count(_leaves(case), up_count=up, radix_count=radix)


@by(fabric.spine_link_count, fabric.leaf_count, fabric.leaf_down_ports_count, fabric.leaf_up_ports_count)
def spine_links(case: Case) -> Result:
    """Cables between the leaves and the spines of a fabric that blocks nothing."""
    up = fabric.leaf_up_ports_count(case.read("ports of a switch"), down_count=_half(case))
    return fabric.spine_link_count(_leaves(case), up_count=up)


@by(bandwidth.links_per_node_count)
def links_of_a_node(case: Case) -> Result:
    """Links that carry what a node needs."""
    return bandwidth.links_per_node_count(
        case.read("needed", "bytes/s"),
        link_bytes_per_s=case.read("link", "bytes/s"),
        efficiency_fraction=case.read("efficiency", "fraction"),
    )
