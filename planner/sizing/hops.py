"""What a hop of the storage network carries: the fullest leaf, back-end and rebuild traffic, and what a loss leaves."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_CLOS = "fabric facts, section 3: leaf and spine"
_WHERE = "rules of the calculation, 'Where protection is made'"
_ECMP = "rules of the calculation, 'Never twice': ECMP"
_PATHS = "the guide, 'Monitoring and Alerting': path health"
_LEAST_LEAVES = 2.0
"""Leaves that links are always spread over: at most half of them are on one."""


# --- what of the traffic is on one leaf ---------------------------------------------------------------------


@formula(
    r"s = \min\!\left(\frac{1}{2},\ \frac{d}{E}\right)",
    unit="fraction",
    label="Links on the fullest leaf",
    source=_CLOS,
    symbols={"link_count": "E", "leaf_link_count": "d"},
    validity="links are spread over two leaves at least; a leaf is filled before the next one of its side",
)
def fullest_leaf_fraction(link_count: Number, *, leaf_link_count: Number) -> Number:
    """Share of some endpoints' links, and so of their traffic, that the fullest leaf has.

    Args:
        link_count: Links of the endpoints, as ports of the leaf.
        leaf_link_count: Ports of a leaf to endpoints.

    Example:
        >>> float(fullest_leaf_fraction(512, leaf_link_count=64)), float(fullest_leaf_fraction(12, leaf_link_count=64))
        (0.125, 0.5)
    """
    share: Number = elementwise.minimum(leaf_link_count / link_count, 1.0 / _LEAST_LEAVES)
    return share


@formula(
    r"x = \max(1 - 2 s,\ 0)",
    unit="fraction",
    label="Traffic between targets that leaves a leaf",
    source=_CLOS,
    symbols={"leaf_fraction": "s"},
    validity="a path stays on its side, A or B; half of all links are on each",
)
def between_leaves_fraction(leaf_fraction: Number) -> Number:
    """Share of the traffic between targets that passes a spine: none while a pair of leaves holds them all.

    Args:
        leaf_fraction: Share of all targets' links that a leaf has.

    Example:
        >>> float(between_leaves_fraction(0.5)), float(between_leaves_fraction(0.125))
        (0.0, 0.75)
    """
    share: Number = elementwise.maximum(1.0 - _LEAST_LEAVES * leaf_fraction, 0.0)
    return share


@formula(
    r"r = 1 + (a - 1)\,x",
    unit="1",
    label="Load of target leaves' uplinks",
    source=_WHERE,
    symbols={"amplification_ratio": "a", "between_fraction": "x"},
    validity="protection made by the servers, whose traffic among themselves is the part above 1",
)
def target_uplink_ratio(amplification_ratio: Number, *, between_fraction: Number) -> Number:
    """Bytes through the uplinks of target leaves for each client byte.

    Args:
        amplification_ratio: Bytes through the targets' ports for each client byte.
        between_fraction: Share of the traffic between targets that leaves its leaf.

    Example:
        >>> float(target_uplink_ratio(2.125, between_fraction=0.75))
        1.84375
    """
    return 1.0 + (amplification_ratio - 1.0) * between_fraction


@formula(
    r"B = \frac{u\,p\,(1 - \ell)}{s\,r}",
    unit="bytes/s",
    label="Client bandwidth that a leaf's uplinks allow",
    source=_ECMP,
    symbols={
        "uplink_count": "u",
        "link_bytes_per_s": "p",
        "loss_fraction": r"\ell",
        "leaf_fraction": "s",
        "load_ratio": "r",
    },
    validity="all traffic of the fullest leaf passes its uplinks",
)
def uplink_limit_bytes_per_s(
    uplink_count: Number,
    *,
    link_bytes_per_s: Number,
    loss_fraction: Number,
    leaf_fraction: Number,
    load_ratio: Number,
) -> Number:
    """What all clients together may send before the uplinks of the fullest leaf are full.

    Args:
        uplink_count: Uplinks of that leaf.
        link_bytes_per_s: Payload of a link.
        loss_fraction: Share lost to uneven hashing: 0.2 to 0.4 with static hashing, 0 with adaptive routing.
        leaf_fraction: Share of the traffic that this leaf has.
        load_ratio: Bytes through the uplinks for each client byte.

    Example:
        >>> limit = uplink_limit_bytes_per_s(
        ...     32, link_bytes_per_s=50e9, loss_fraction=0.25, leaf_fraction=0.5, load_ratio=1.0
        ... )
        >>> float(limit) / 1e12
        2.4
    """
    return uplink_count * link_bytes_per_s * (1.0 - loss_fraction) / (leaf_fraction * load_ratio)


# --- what passes a hop --------------------------------------------------------------------------------------


@formula(
    r"b = B\,s\,r",
    unit="bytes/s",
    label="Carried by the hop",
    source=_WHERE,
    symbols={"traffic_bytes_per_s": "B", "share_fraction": "s", "load_ratio": "r"},
)
def carried_bytes_per_s(
    traffic_bytes_per_s: Number, *, share_fraction: Number, load_ratio: Number = 1.0
) -> Number:
    """What of a traffic passes one hop.

    Args:
        traffic_bytes_per_s: Client bytes of the whole traffic.
        share_fraction: Share of it that takes this hop.
        load_ratio: Bytes through the hop for each client byte: copies, parity or chunks passed on.

    Example:
        >>> float(carried_bytes_per_s(100e9, share_fraction=0.1, load_ratio=2.125))
        21250000000.0
    """
    return traffic_bytes_per_s * share_fraction * load_ratio


@formula(
    r"B_b = B\,(a - 1)",
    unit="bytes/s",
    label="Traffic between targets",
    source=_WHERE,
    symbols={"write_bytes_per_s": "B", "amplification_ratio": "a"},
    validity="protection made by the servers over the network",
)
def back_end_bytes_per_s(write_bytes_per_s: Number, *, amplification_ratio: Number) -> Number:
    """Chunks that the receiving targets pass on to others: 8+2 over 10 nodes moves 1.125 bytes for each client byte.

    Args:
        write_bytes_per_s: Client bytes.
        amplification_ratio: Bytes through the targets' ports for each of them.

    Example:
        >>> float(back_end_bytes_per_s(100e9, amplification_ratio=2.125)) / 1e9
        112.5
    """
    return write_bytes_per_s * (amplification_ratio - 1.0)


@formula(
    r"B_r = m\,k\,R",
    unit="bytes/s",
    label="Rebuild traffic between machines",
    source="reliability models, D4: a rebuild reads every surviving data chunk",
    symbols={"rebuild_bytes_per_s": "R", "drive_count": "m", "read_chunk_count": "k"},
    validity="each lost drive is rebuilt at the rebuild rate; chunks are in different machines",
)
def rebuild_traffic_bytes_per_s(
    rebuild_bytes_per_s: Number, *, drive_count: Number, read_chunk_count: Number
) -> Number:
    """What machines send each other while lost drives are rebuilt from chunks on others.

    Args:
        rebuild_bytes_per_s: Rate at which one drive is rebuilt.
        drive_count: Drives rebuilt at once: one, or all of a lost machine.
        read_chunk_count: Chunks read for one that is rebuilt: the data chunks of a code, 1 of copies.

    Example:
        >>> float(rebuild_traffic_bytes_per_s(0.5e9, drive_count=12, read_chunk_count=8)) / 1e9
        48.0
    """
    return rebuild_bytes_per_s * drive_count * read_chunk_count


@formula(
    r"f = b / C",
    unit="fraction",
    label="Load of the hop",
    source="rules of the calculation, 'The binding constraint is always named'",
    symbols={"carried_bytes_per_s": "b", "capacity_bytes_per_s": "C"},
    validity="above 1 the hop cannot carry it",
)
def load_fraction(carried_bytes_per_s: Number, *, capacity_bytes_per_s: Number) -> Number:
    """Share of a hop's capacity that its busier direction takes.

    Args:
        carried_bytes_per_s: What passes it.
        capacity_bytes_per_s: What it carries one way.

    Example:
        >>> float(load_fraction(30e9, capacity_bytes_per_s=40e9))
        0.75
    """
    return carried_bytes_per_s / capacity_bytes_per_s


# --- what a loss leaves -------------------------------------------------------------------------------------


@formula(
    r"\lambda = \lfloor n_p / 2 \rfloor / n_p",
    unit="fraction",
    label="Ports left with a leaf lost",
    source=_PATHS,
    symbols={"port_count": "n_p"},
    validity="ports are spread over two leaves, one of which is lost",
)
def leaf_loss_left_fraction(port_count: Number) -> Number:
    """Share of a machine's ports that goes on when the leaf with the larger half of them is lost.

    Args:
        port_count: Ports of the machine.

    Example:
        >>> float(leaf_loss_left_fraction(2)), round(float(leaf_loss_left_fraction(3)), 4), float(leaf_loss_left_fraction(1))
        (0.5, 0.3333, 0.0)
    """
    left: Number = elementwise.floor(port_count / 2.0 + elementwise.TOLERANCE) / port_count
    return left


@formula(
    r"s = 1 / n",
    unit="fraction",
    label="One of equal parts",
    source="definition",
    symbols={"part_count": "n"},
    validity="traffic is spread evenly",
)
def one_part_fraction(part_count: Number) -> Number:
    """Share of the traffic that one of equal parts has.

    Args:
        part_count: Parts that share it.

    Example:
        >>> float(one_part_fraction(4))
        0.25
    """
    return 1.0 / part_count


@formula(
    r"\lambda = (n - 1) / n",
    unit="fraction",
    label="Left with one lost",
    source="definition",
    symbols={"part_count": "n"},
)
def one_lost_left_fraction(part_count: Number) -> Number:
    """Share of equal parts that is left when one of them is lost.

    Args:
        part_count: Parts before.

    Example:
        >>> float(one_lost_left_fraction(4))
        0.75
    """
    return (part_count - 1.0) / part_count


@formula(
    r"C' = \lambda\,C",
    unit="bytes/s",
    label="Bandwidth left",
    source="definition",
    symbols={"capacity_bytes_per_s": "C", "left_fraction": r"\lambda"},
)
def left_bytes_per_s(capacity_bytes_per_s: Number, *, left_fraction: Number) -> Number:
    """What a hop still carries when part of it is lost.

    Args:
        capacity_bytes_per_s: What it carries whole.
        left_fraction: Share that is left.

    Example:
        >>> float(left_bytes_per_s(100e9, left_fraction=0.5)) / 1e9
        50.0
    """
    return capacity_bytes_per_s * left_fraction


@formula(
    r"1 - \lambda",
    unit="fraction",
    label="Ports lost with a leaf",
    source=_PATHS,
    symbols={"left_fraction": r"\lambda"},
)
def lost_fraction(left_fraction: Number) -> Number:
    """Share of a machine's ports that is gone.

    Args:
        left_fraction: Share that is left.

    Example:
        >>> float(lost_fraction(0.25))
        0.75
    """
    return 1.0 - left_fraction


@formula(
    r"m = \min(1,\ q / k)",
    unit="fraction",
    label="Met on its own rail",
    source=_CLOS,
    symbols={"port_count": "q", "rail_count": "k"},
    validity="a node spreads its traffic evenly over its rails; a target's ports are on different rails",
)
def met_fraction(port_count: Number, *, rail_count: Number) -> Number:
    """Share of a node's traffic that finds a port of the target on the rail on which it left.

    Args:
        port_count: Ports of a target.
        rail_count: Rails.

    Example:
        >>> float(met_fraction(2, rail_count=8))
        0.25
    """
    met: Number = elementwise.minimum(port_count / rail_count, 1.0)
    return met
