"""The links of the storage network, group by group: how many, how fast, and with which optics."""

from __future__ import annotations

import functools
from dataclasses import replace

from planner.catalogue import Nic, Optic, Switch
from planner.catalogue.catalogue import SHORTEST_REACH_M
from planner.core.quantity import Quantity, derive, given
from planner.core.record import record
from planner.core.tracing import RUNNING, decided
from planner.core.units import BITS_PER_BYTE, GIGA, Number, scalar
from planner.sections.cluster import ClusterPlan
from planner.sections.context import Context
from planner.sections.tiers import TierPlan, metadata_name, ports_per_unit
from planner.sections.transport import TransportOption
from planner.sizing import counts, fabric
from planner.sizing import racks as geometry

FC_ADAPTER = "lpe36002"
"""Adapter of the hot tier and of GPU nodes on Fibre Channel."""
NODES = "GPU nodes"
"""Name of the links from GPU nodes to leaves."""
UPLINKS = "leaf to spine"
"""Name of the links between switches, both ends of which sit in cages."""
_GBPS = BITS_PER_BYTE / GIGA
NO_ENDS = given(0.0, "count", "Optics", source="all of them in split cages", grade="inferred")


@record(frozen=True, slots=True)
class LinkGroup:
    """Links of one kind, with the same optic at both ends, or one kind of copper cable.

    Attributes:
        ends_count: Ends whose power is the storage's, beside what sits in split cages: both, or the switch's
            alone where a GPU node has the other.
        optic: The optic or cable, or None where the catalogue has none of that speed; with split cages the
            optic at the far end.
        lane_count: Links in one copper cable, which is split where it is more than 1.
        cage_optic: What sits in a cage of the switch that serves several of the links; None where each link
            has a cage, or where the catalogue has no such optic.
        cage_lane_count: Links that one cage of the switch serves.
        fibre: Split fibre between both; None for straight ones.
    """

    name: str
    count: Quantity
    speed_bytes_per_s: Quantity
    ends_count: Quantity
    optic: Optic | None
    lane_count: int = 1
    cage_optic: Optic | None = None
    cage_lane_count: int = 1
    fibre: Optic | None = None

    @property
    def copper(self) -> bool:
        """Whether a copper cable connects both ends, without optics."""
        return self.optic is not None and bool(self.optic.cable)


def gbps_of(speed_bytes_per_s: float) -> int:
    """A line rate by its name in Gb/s."""
    return round(speed_bytes_per_s * _GBPS)


def gbps_text(speed_bytes_per_s: Number) -> str:
    """A line rate as optics are named by it: "400 Gb/s"."""
    rate = speed_bytes_per_s
    return _rate_text(rate) if isinstance(rate, float) else f"{rate * _GBPS:.0f} Gb/s"


@functools.lru_cache(maxsize=4096)
def _rate_text(speed_bytes_per_s: float) -> str:
    """The same of one number: there are few speeds, and every bill names them."""
    return f"{speed_bytes_per_s * _GBPS:.0f} Gb/s"


def named_gbps(group: LinkGroup) -> int:
    """Speed in the name of a group's links: the line rate in Gb/s, or on Fibre Channel that of the optic."""
    optic = _fibre_channel_optic(group)
    return gbps_of(group.speed_bytes_per_s.number if optic is None else optic.number)


def speed_text(group: LinkGroup) -> str:
    """Speed of a group's links as they are named: "400 Gb/s", or "64G FC", whose name is no rate."""
    optic = _fibre_channel_optic(group)
    return gbps_text(group.speed_bytes_per_s.number) if optic is None else f"{gbps_of(optic.number)}G FC"


def _fibre_channel_optic(group: LinkGroup) -> Quantity | None:
    """Speed of a group's optic where it is one of Fibre Channel: a port carries less than its name says."""
    optic = group.optic
    return optic.speed_bytes_per_s if optic is not None and optic.id.startswith("fc-") else None


def link_group(
    context: Context,
    name: str,
    count: Quantity,
    speed: Quantity,
    *,
    switch: Switch,
    own_ends: float,
    fibre_channel: bool,
    reach_m: float = SHORTEST_REACH_M,
) -> LinkGroup:
    """A group with its optics chosen by speed, by the switch's cages and by the length that they must reach."""
    catalogue = context.catalogue

    def optics_at(speed_bytes_per_s: float, length_m: float) -> tuple[Optic | None, Optic | None, int]:
        """The optic at the far end, the one in the switch's cage where that is split, and into how many lanes."""
        gbps, reach = gbps_of(speed_bytes_per_s), float(length_m)
        lanes = 1 if fibre_channel else _lanes(switch, gbps)
        if lanes > 1:
            cage = gbps_of(switch.port_bytes_per_s.number)
            split = catalogue.split_optic_for(gbps, cage_gbps=cage, lane_count=lanes, reach_m=reach)
            if split is not None:
                return catalogue.optics[split.far_end], split, lanes
        return catalogue.optic_for(gbps, fibre_channel=fibre_channel, reach_m=reach), None, lanes

    # Whatever the optics depend on is passed as a number: a sweep follows those.
    if RUNNING:
        optic, split, lanes = decided(
            optics_at, speed.number, reach_m, key=("optics", fibre_channel, switch.id)
        )
    else:
        optic, split, lanes = optics_at(speed.number, reach_m)
    if split is None:
        return LinkGroup(name, count, speed, _ends(name, count, own_ends), optic, 1, None, lanes)
    fibre = catalogue.optics[split.fibre] if split.fibre else None
    if name == UPLINKS:
        return LinkGroup(name, count, speed, NO_ENDS, split, 1, split, lanes, fibre)
    return LinkGroup(name, count, speed, NO_ENDS if own_ends == 1.0 else count, optic, 1, split, lanes, fibre)


def _ends(name: str, count: Quantity, own_ends: float) -> Quantity:
    if own_ends == 1.0:
        return count
    return derive(counts.product_count, first_count=count, second_count=own_ends, label=f"Optics, {name}")


def _lanes(switch: Switch, gbps: int) -> int:
    """Links of a speed that one cage of the switch serves; 1 where it is not split."""
    return max(switch.ports_by_gbps.get(gbps, 0) // int(switch.port_count.number), 1)


def endpoint_links(
    context: Context,
    cluster: ClusterPlan,
    tiers: tuple[TierPlan, ...],
    option: TransportOption,
    switch: Switch,
) -> tuple[LinkGroup, ...]:
    """Links of GPU nodes and of each tier; on Fibre Channel or InfiniBand the hot tier's alone, which it is for."""
    fibre_channel = option.name == "fc"
    nodes = derive(
        counts.product_count,
        first_count=cluster.node_count,
        second_count=cluster.port_count,
        label="Ports of nodes",
    )
    own = option.client_port_bytes_per_s
    far = max(context.scenario.site.gpu_distance_m, SHORTEST_REACH_M)
    groups = [
        link_group(
            context,
            NODES,
            nodes,
            own,
            switch=switch,
            own_ends=1.0,
            fibre_channel=fibre_channel,
            reach_m=far,
        )
    ]
    for tier in tiers[:1] if option.hot_alone else tiers:
        speed = own if fibre_channel else tier.platform.front_end_bytes_per_s or own
        each = ports_per_unit(tier.platform)
        for name, units in endpoint_units(tier):
            ports = derive(
                counts.product_count, first_count=units, second_count=each, label=f"Ports of the {name}"
            )
            groups.append(
                link_group(
                    context, name, ports, speed, switch=switch, own_ends=2.0, fibre_channel=fibre_channel
                )
            )
    return tuple(groups)


def endpoint_units(tier: TierPlan) -> tuple[tuple[str, Quantity], ...]:
    """Names and numbers of the machines of a tier that have ports: its units, and metadata servers if it has any."""
    metadata = tier.platform.metadata_units_count
    own = (tier.name, tier.unit_count)
    return (own,) if metadata is None else (own, (metadata_name(tier), metadata))


def machines(tiers: tuple[TierPlan, ...], node_count: int) -> dict[str, int]:
    """How many machines the group of links of each name has."""
    named = [pair for tier in tiers for pair in endpoint_units(tier)]
    return {name: int(count.number) for name, count in named} | {NODES: node_count}


def cage_ports(group: LinkGroup, port_bytes_per_s: Quantity, port_per_cage_count: Quantity) -> Quantity:
    """Switch ports of the nodes' speed in whose place a cage of a group's links stands.

    Args:
        group: The links.
        port_bytes_per_s: The nodes' speed.
        port_per_cage_count: Ports of that speed in one cage of the switch.
    """
    if group.speed_bytes_per_s is port_bytes_per_s:
        return port_per_cage_count
    return derive(
        fabric.cage_port_count,
        port_per_cage_count=port_per_cage_count,
        lane_count=float(group.cage_lane_count),
        link_bytes_per_s=group.speed_bytes_per_s,
        port_bytes_per_s=port_bytes_per_s,
    )


def port_equivalents(group: LinkGroup, port_bytes_per_s: Quantity, port_per_cage_count: Quantity) -> Quantity:
    """Switch ports of the nodes' speed in whose place all links of a group stand; as for `cage_ports`."""
    if group.speed_bytes_per_s is port_bytes_per_s:
        return group.count
    return derive(
        fabric.port_equivalent_count,
        link_count=group.count,
        lane_count=float(group.cage_lane_count),
        cage_port_count=cage_ports(group, port_bytes_per_s, port_per_cage_count),
    )


def card_of(context: Context, tier: TierPlan, *, fibre_channel: bool) -> Nic:
    """The stated card for the hot tier; for the others the plainest of their ports' speed that takes the fewest slots.

    Of equally many the newest: its cages take the optics of today's lanes.
    """
    nics = context.catalogue.nics
    stated: Nic = context.catalogue.find("nics", context.scenario.network.nic_id, field="network.nic_id")
    speed = tier.platform.front_end_bytes_per_s
    if tier.role == "hot" and fibre_channel:
        return nics[FC_ADAPTER]
    if tier.role == "hot" or speed is None:
        return stated
    ports = ports_per_unit(tier.platform).number

    def order(nic: Nic) -> tuple[float, float]:
        """How many of such cards a unit takes, then the newer generation first."""
        return -(-ports // nic.port_count.number), -nic.pcie_gen

    fitting = [
        nic for nic in nics.values() if nic.kind == "NIC" and nic.port_bytes_per_s.number == speed.number
    ]
    return min(fitting, key=order, default=stated)


def in_one_rack(context: Context, groups: tuple[LinkGroup, ...], switch: Switch) -> tuple[LinkGroup, ...]:
    """The same links where all storage stands in one rack with its leaves: copper where it is long enough.

    In more than one rack every group of links keeps one kind of optic, which its longest link needs.
    """
    slack = context.catalogue.assumptions["cable-slack"].typical
    length = geometry.cable_m(
        scalar(context.scenario.site.rack_height_ru),
        horizontal_m=0.0,
        slack_m=0.0 if slack is None else slack.number,
    )
    return tuple(
        group if group.name in (NODES, UPLINKS) else _by_copper(context, group, switch, length)
        for group in groups
    )


def _by_copper(context: Context, group: LinkGroup, switch: Switch, length_m: Number) -> LinkGroup:
    """A group over copper, or as it was where no cable fits."""

    def cable_at(speed_bytes_per_s: float, length_m: float) -> tuple[Optic | None, int]:
        """The cable for a speed and a length, None where none fits, and into how many lanes a cage is split."""
        gbps = gbps_of(speed_bytes_per_s)
        lanes = _lanes(switch, gbps)
        cage = gbps_of(switch.port_bytes_per_s.number)
        return (
            context.catalogue.copper_for(gbps, cage_gbps=cage, lane_count=lanes, length_m=scalar(length_m)),
            lanes,
        )

    cable, lanes = decided(cable_at, group.speed_bytes_per_s.number, length_m, key=("copper", switch.id))
    if cable is None:
        return group
    ends = _ends(group.name, group.count, 2.0)
    return replace(group, optic=cable, lane_count=lanes, ends_count=ends, cage_optic=None, fibre=None)
