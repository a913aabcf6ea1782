"""Every hop between GPU nodes and storage: what it can carry, and what it has to in each case.

A hop is looked at where it is fullest: one node's ports, the uplinks of one leaf, one spine, one target. Links
carry both ways at once, so each hop has a load towards the targets and one towards the clients, and the larger
one counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.core.quantity import Quantity, derive
from planner.core.record import record
from planner.sections.leaves import LeafKind
from planner.sections.links import port_equivalents
from planner.sections.losses import Loss, nothing_lost
from planner.sections.network import NetworkPlan, ports_per_cage
from planner.sections.tiers import TierPlan, ports_per_unit
from planner.sections.traffic import CASES, NONE, TierTraffic, Traffic, share_of, sum_of, traffic_of
from planner.sizing import bandwidth, counts, fabric, hops, tier_rates, transport


@record(frozen=True, slots=True)
class HopLoad:
    """What a hop carries in one case.

    Attributes:
        to_targets_bytes_per_s: Payload towards the targets.
        to_clients_bytes_per_s: Payload the other way.
        bytes_per_s: The larger of both, which the links feel.
        fraction: Share of the hop's capacity; above 1 it cannot carry what is asked.
    """

    to_targets_bytes_per_s: Quantity
    to_clients_bytes_per_s: Quantity
    bytes_per_s: Quantity
    fraction: Quantity


@record(frozen=True, slots=True)
class Hop:
    """One stage of the way between a GPU node and a drive.

    Attributes:
        key: Stable name: "client port", "client links", "client uplinks", "spine", "target uplinks",
            "target links hot", "target port hot", "target writes hot", "target reads hot" (and the same with
            "file-system" and "object"), "back end hot".
        name: What it is called where it is shown.
        kind: "client", "leaf", "spine", "target" or "back end".
        count: Links that `capacity_bytes_per_s` stands for.
        link_bytes_per_s: Payload of one of them, one way.
        capacity_bytes_per_s: Payload of all of them, one way, after the losses of hashing.
        loads: By case, see `CASES`.
    """

    key: str
    name: str
    kind: str
    count: Quantity
    link_bytes_per_s: Quantity
    capacity_bytes_per_s: Quantity
    loads: dict[str, HopLoad]


def hops_in(network: NetworkPlan, tiers: tuple[TierPlan, ...], case: str) -> tuple[Hop, ...]:
    """Every hop with everything in place, with its load in one case alone: what the review asks of every plan.

    Args:
        network: The planned network.
        tiers: All tiers, as for `fabric_load`.
        case: One of `CASES`.
    """
    reached = reached_tiers(network, tiers)
    return hops_after(network, reached, nothing_lost(network, reached[0]), (case,))


def reached_tiers(network: NetworkPlan, tiers: tuple[TierPlan, ...]) -> tuple[TierPlan, ...]:
    """Tiers that the network reaches: over Fibre Channel or InfiniBand the hot one alone."""
    return tiers[:1] if network.option.hot_alone else tiers


def hops_after(
    network: NetworkPlan, tiers: tuple[TierPlan, ...], loss: Loss, cases: Sequence[str] = CASES
) -> tuple[Hop, ...]:
    """Every hop after a loss, from the GPU nodes to the drives.

    Args:
        network: The planned network.
        tiers: Tiers that it reaches, the hot one first.
        loss: What is lost, or nothing.
        cases: Which of `CASES` the loads are asked for.
    """
    traffic = {case: traffic_of(network, tiers, loss, case) for case in cases}
    own = [_client_port(network, loss, traffic), _client_links(network, loss, traffic)]
    if network.topology.value != "single-leaf" and network.switch_count.known:
        own += [
            _client_uplinks(network, loss, traffic),
            _spine(network, tiers, loss, traffic),
            _target_uplinks(network, tiers, loss, traffic),
        ]
    for place, tier in enumerate(tiers):
        mine = {case: each.tiers[place] for case, each in traffic.items()}
        own += _of_targets(network, tier, loss, mine)
    return tuple(own)


def _load(to_targets: Quantity, to_clients: Quantity, capacity: Quantity, *, both: bool = False) -> HopLoad:
    """A hop's load: its busier direction, or both together where one device takes them in."""
    felt = (
        sum_of([to_targets, to_clients], "Both ways together")
        if both
        else derive(
            bandwidth.larger_bytes_per_s,
            write_bytes_per_s=to_targets,
            read_bytes_per_s=to_clients,
            label="The busier direction",
        )
    )
    fraction = derive(hops.load_fraction, carried_bytes_per_s=felt, capacity_bytes_per_s=capacity)
    return HopLoad(to_targets, to_clients, felt, fraction)


def _left(capacity: Quantity, fraction: Quantity) -> Quantity:
    if fraction.number == 1:
        return capacity
    return derive(
        hops.left_bytes_per_s,
        capacity_bytes_per_s=capacity,
        left_fraction=fraction,
        label=f"{capacity.label}, what is left",
    )


def _links(count: Quantity, link: Quantity, label: str) -> Quantity:
    return derive(
        bandwidth.ecmp_bytes_per_s, link_count=count, link_bytes_per_s=link, loss_fraction=0.0, label=label
    )


def _client_port(network: NetworkPlan, loss: Loss, traffic: dict[str, Traffic]) -> Hop:
    capacity = _left(network.node_bytes_per_s, loss.node_fraction)
    return Hop(
        "client port",
        "Storage ports of a GPU node",
        "client",
        network.ports_per_node_count,
        network.link_payload_bytes_per_s,
        capacity,
        {case: _load(each.node_out, each.node_in, capacity) for case, each in traffic.items()},
    )


def _client_links(network: NetworkPlan, loss: Loss, traffic: dict[str, Traffic]) -> Hop:
    whole = _links(network.node_port_count, network.link_payload_bytes_per_s, "Links of all nodes")
    capacity = _left(whole, loss.node_fraction)
    return Hop(
        "client links",
        "Links from GPU nodes to leaves",
        "client",
        network.node_port_count,
        network.link_payload_bytes_per_s,
        capacity,
        {case: _load(each.clients_out, each.clients_in, capacity) for case, each in traffic.items()},
    )


def _uplink_capacity(network: NetworkPlan, leaves: LeafKind, loss: Loss) -> Quantity:
    whole = derive(
        bandwidth.ecmp_bytes_per_s,
        link_count=leaves.up_count,
        link_bytes_per_s=network.link_payload_bytes_per_s,
        loss_fraction=network.hash_loss_fraction,
        label="Uplinks of a leaf",
    )
    return _left(whole, loss.uplink_fraction)


def _client_uplinks(network: NetworkPlan, loss: Loss, traffic: dict[str, Traffic]) -> Hop:
    leaves = network.client_leaves
    share = _fullest_leaf(leaves, leaves.port_count, "Nodes' links on the fullest leaf")
    capacity = _uplink_capacity(network, leaves, loss)
    return Hop(
        "client uplinks",
        "Uplinks of the fullest leaf of nodes",
        "leaf",
        leaves.up_count,
        network.link_payload_bytes_per_s,
        capacity,
        {
            case: _load(
                share_of(each.clients_out, share, "Sent over these uplinks"),
                share_of(each.clients_in, share, "Received over these uplinks"),
                capacity,
            )
            for case, each in traffic.items()
        },
    )


def _fullest_leaf(leaves: LeafKind, ports: Quantity, label: str) -> Quantity:
    return derive(
        hops.fullest_leaf_fraction, link_count=ports, leaf_link_count=leaves.down_count, label=label
    )


def _crossing(leaves: LeafKind, tier: TierTraffic, ports: Quantity) -> Quantity:
    """Traffic among the targets of a tier that passes a spine."""
    share = _fullest_leaf(leaves, ports, "Links on the fullest leaf")
    away = derive(hops.between_leaves_fraction, leaf_fraction=share)
    return share_of(tier.between, away, "Traffic between targets on different leaves")


def _spine(network: NetworkPlan, tiers: tuple[TierPlan, ...], loss: Loss, traffic: dict[str, Traffic]) -> Hop:
    """One spine, which takes in all that passes between leaves, both ways."""
    each = derive(
        fabric.links_per_pair_count,
        up_count=network.uplink_count,
        spine_count=network.spine_count,
        label="Links of a spine",
    )
    capacity = _links(each, network.link_payload_bytes_per_s, "Links of a spine, one way")
    own = derive(hops.one_part_fraction, part_count=loss.spine_count, label="One of the spines")
    return Hop(
        "spine",
        "A spine",
        "spine",
        each,
        network.link_payload_bytes_per_s,
        capacity,
        {
            case: _load(
                share_of(
                    sum_of(_down(network, tiers, here), "To leaves of targets"), own, "To leaves of targets"
                ),
                share_of(here.clients_in, own, "To leaves of nodes"),
                capacity,
                both=True,
            )
            for case, here in traffic.items()
        },
    )


def _down(network: NetworkPlan, tiers: tuple[TierPlan, ...], traffic: Traffic) -> list[Quantity]:
    """What spines send to the leaves of targets."""
    pairs = list(zip(tiers, traffic.tiers, strict=True))
    among = [_crossing(network.target_leaves, own, _ports(network, tier)) for tier, own in pairs]
    return [own.into for _, own in pairs] + among


def _ports(network: NetworkPlan, tier: TierPlan) -> Quantity:
    """Ports of a tier's units, at the nodes' speed."""
    group = next(group for group in network.links if group.name == tier.name)
    per_cage = ports_per_cage(network.switch, network.switch_port_count)
    return port_equivalents(group, network.option.client_port_bytes_per_s, per_cage)


def _target_uplinks(
    network: NetworkPlan, tiers: tuple[TierPlan, ...], loss: Loss, traffic: dict[str, Traffic]
) -> Hop:
    """Uplinks of the leaf of targets that has most to carry: full of one tier's ports, or with some of each."""
    leaves = network.target_leaves
    capacity = _uplink_capacity(network, leaves, loss)
    loads: dict[str, HopLoad] = {}
    for case, here in traffic.items():
        parts = []
        for tier, own in zip(tiers, here.tiers, strict=True):
            ports = _ports(network, tier)
            among = _crossing(leaves, own, ports)
            parts.append((ports, sum_of([own.into, among], "Into it"), sum_of([own.out, among], "Out of it")))
        mixed = (
            leaves.port_count,
            sum_of([into for _, into, _ in parts], "Into all tiers"),
            sum_of([out for _, _, out in parts], "Out of all tiers"),
        )
        candidates = []
        for ports, into, out in (*parts, mixed):
            share = _fullest_leaf(leaves, ports, "Links on the fullest leaf")
            down, up = share_of(into, share, "Down these uplinks"), share_of(out, share, "Up these uplinks")
            candidates.append(_load(down, up, capacity))
        loads[case] = max(candidates, key=lambda load: load.bytes_per_s.number)
    return Hop(
        "target uplinks",
        "Uplinks of the fullest leaf of targets",
        "leaf",
        leaves.up_count,
        network.link_payload_bytes_per_s,
        capacity,
        loads,
    )


def _of_targets(
    network: NetworkPlan, tier: TierPlan, loss: Loss, traffic: dict[str, TierTraffic]
) -> list[Hop]:
    """The hops of one tier: its links, the ports of one target, what its targets take and give, traffic among them."""
    group = next(group for group in network.links if group.name == tier.name)
    link = derive(
        transport.path_bytes_per_s,
        path_count=1.0,
        port_bytes_per_s=group.speed_bytes_per_s,
        wire_fraction=network.option.wire_fraction,
        label="Payload of a target's port",
    )
    units = loss.unit_count if tier.role == "hot" else tier.unit_count
    ports = derive(
        counts.product_count,
        first_count=units,
        second_count=ports_per_unit(tier.platform),
        label=f"Ports of the {tier.name}",
    )
    links = _links(ports, link, f"Links to the {tier.name}")
    place = _Place(tier, units, ports, link, _left(links, loss.target_fraction))
    found = [_target_links(place, traffic), _target_port(place, loss, traffic)]
    found += _target_stack(place, loss, traffic)
    if any(own.between is not NONE for own in traffic.values()):
        found.append(_back_end(place, traffic))
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    """A tier at the network: its targets that are left, and their ports."""

    tier: TierPlan
    units: Quantity
    ports: Quantity
    link: Quantity
    capacity: Quantity

    def hop(
        self,
        key: str,
        name: str,
        count: Quantity,
        capacity: Quantity,
        loads: dict[str, HopLoad],
        kind: str = "target",
    ) -> Hop:
        """A hop of this tier."""
        return Hop(f"{key} {self.tier.role}", name, kind, count, self.link, capacity, loads)


def _target_links(place: _Place, traffic: dict[str, TierTraffic]) -> Hop:
    loads = {
        case: _load(
            sum_of([own.into, own.between], "Into its targets"),
            sum_of([own.out, own.between], "Out of its targets"),
            place.capacity,
        )
        for case, own in traffic.items()
    }
    return place.hop(
        "target links", f"Links from leaves to the {place.tier.name}", place.ports, place.capacity, loads
    )


def _target_port(place: _Place, loss: Loss, traffic: dict[str, TierTraffic]) -> Hop:
    """The ports of the busiest target: a drive's rebuild goes into one of them."""
    one = derive(hops.one_part_fraction, part_count=place.units, label="One of the targets")
    capacity = derive(
        hops.carried_bytes_per_s,
        traffic_bytes_per_s=place.capacity,
        share_fraction=one,
        label="Ports of one target",
    )
    loads = {}
    for case, own in traffic.items():
        even = share_of(sum_of([own.into, own.back_end], "Into its targets"), one, "Into a target")
        rebuilt = loss.rebuild_one_bytes_per_s if own.rebuild is not NONE else NONE
        out = share_of(sum_of([own.out, own.between], "Out of its targets"), one, "Out of a target")
        loads[case] = _load(sum_of([even, rebuilt], "Into the busiest target"), out, capacity)
    return place.hop(
        "target port",
        f"Ports of one target, {place.tier.name}",
        ports_per_unit(place.tier.platform),
        capacity,
        loads,
    )


def _target_stack(place: _Place, loss: Loss, traffic: dict[str, TierTraffic]) -> list[Hop]:
    """What the targets themselves take and give: by ports, by the maker's figure, and by the client stack."""
    tier = place.tier

    def able(rate: Quantity, label: str) -> Quantity:
        """What all units of the tier do at the rate of one, less what is lost."""
        whole = derive(
            tier_rates.units_bytes_per_s,
            unit_count=place.units,
            unit_bytes_per_s=rate,
            stack_fraction=tier.stack_fraction,
            label=label,
        )
        return _left(whole, loss.target_fraction)

    writes = able(tier.unit_write_bytes_per_s, f"Taken by the targets, {tier.name}")
    reads = able(tier.unit_read_bytes_per_s, f"Given by the targets, {tier.name}")
    taken = {
        case: _load(sum_of([own.into, own.between], "Into its targets"), NONE, writes)
        for case, own in traffic.items()
    }
    given_out = {case: _load(NONE, own.out, reads) for case, own in traffic.items()}
    return [
        place.hop("target writes", f"Targets writing, {tier.name}", place.ports, writes, taken),
        place.hop("target reads", f"Targets reading, {tier.name}", place.ports, reads, given_out),
    ]


def _back_end(place: _Place, traffic: dict[str, TierTraffic]) -> Hop:
    """Traffic among targets, on the ports that clients use as well."""
    loads = {case: _load(own.between, own.between, place.capacity) for case, own in traffic.items()}
    return place.hop(
        "back end", f"Between targets, {place.tier.name}", place.ports, place.capacity, loads, "back end"
    )
