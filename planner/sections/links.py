"""The links of the storage network, group by group: how many, how fast, and with which optics."""

from __future__ import annotations

from dataclasses import dataclass

from planner.catalogue import Optic
from planner.core.quantity import Quantity, derive
from planner.core.tracing import decided
from planner.core.units import BITS_PER_BYTE, GIGA
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Context
from planner.sections.tiers import TierPlan, ports_per_unit
from planner.sections.transport import TransportOption
from planner.sizing import fabric, local


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """Links of one kind, with the same optic at both ends.

    Attributes:
        ends_count: Ends whose power is the storage's: both, or the switch's alone where a GPU node has
            the other.
        optic: The optic, or None where the catalogue has none of that speed.
    """

    name: str
    count: Quantity
    speed_bytes_per_s: Quantity
    ends_count: Quantity
    optic: Optic | None


def link_group(
    context: Context, name: str, count: Quantity, speed: Quantity, *, own_ends: float, fibre_channel: bool
) -> LinkGroup:
    """A group with its optic chosen by speed."""
    ends = derive(local.product_count, first_count=count, second_count=own_ends, label=f"Optics, {name}")

    def optic_at(speed_bytes_per_s: float) -> Optic | None:
        gbps = round(speed_bytes_per_s * BITS_PER_BYTE / GIGA)
        return context.catalogue.optic_for(gbps, fibre_channel=fibre_channel)

    optic = decided(optic_at, speed.number, key=("optic", fibre_channel))
    return LinkGroup(name, count, speed, ends, optic)


def endpoint_links(
    context: Context,
    cluster: ClusterPlan,
    tiers: tuple[TierPlan, ...],
    option: TransportOption,
) -> tuple[LinkGroup, ...]:
    """Links of GPU nodes and of each tier; on Fibre Channel the hot tier's alone, which it is for."""
    fibre_channel = option.name == "fc"
    nodes = derive(
        local.product_count,
        first_count=cluster.node_count,
        second_count=cluster.port_count,
        label="Ports of nodes",
    )
    own = option.client_port_bytes_per_s
    groups = [link_group(context, "GPU nodes", nodes, own, own_ends=1.0, fibre_channel=fibre_channel)]
    for tier in tiers[:1] if fibre_channel else tiers:
        ports = derive(
            local.product_count,
            first_count=tier.unit_count,
            second_count=ports_per_unit(tier.platform),
            label=f"Ports of the {tier.name}",
        )
        speed = own if fibre_channel else tier.platform.front_end_bytes_per_s or own
        groups.append(link_group(context, tier.name, ports, speed, own_ends=2.0, fibre_channel=fibre_channel))
    return tuple(groups)


def port_equivalents(group: LinkGroup, port_bytes_per_s: Quantity) -> Quantity:
    """Switch ports of the endpoints' speed that a group takes; a faster link takes several."""
    return derive(
        fabric.port_equivalent_count,
        link_count=group.count,
        link_bytes_per_s=group.speed_bytes_per_s,
        port_bytes_per_s=port_bytes_per_s,
    )
