"""Lossless Ethernet: the buffer behind a pause, when to mark before pausing, and the storage's share of a port.

A paused sender goes on for a while: what is on the cable, in the packet under way and in the time that the
sender takes to stop still has to be stored. That is the headroom of a port and priority. Marking (ECN) has
to slow senders down before a pause is needed at all.
"""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import GBIT_PER_S, KIB, Number

_SPECTRUM = "fabric facts, section 2.1: headroom, the buffer manager of SONiC for NVIDIA Spectrum"
_BROADCOM = "fabric facts, section 2.1: published profiles of a Tomahawk 5 switch"
_ECN = "fabric facts, section 2.2: ECN and DCQCN"
_MARKING = "fabric facts, section 2.3: marking"

FIBRE_M_PER_S = 1.98e8
"""Signal speed in the cable."""
SMALLEST_PACKET_BYTES = 64.0
"""The smallest Ethernet frame, which takes a whole cell of a buffer, or two."""
INTERFACE_BYTES = 0.8 * KIB
"""Packet handling of both interfaces."""
PAUSE_UNIT_BYTES = 64.0
"""512 bits: what a pause is counted in."""
PAUSE_UNITS = ((10, 67.0), (25, 80.0), (40, 118.0), (50, 147.0), (100, 394.0), (200, 453.0), (400, 905.0))
"""Units of 512 bits that a sender may take to obey a pause, from each speed in Gb/s on."""
TILE_BYTES_PER_GBIT = 15.0
"""Pipeline of Spectrum-4 and later."""
ECN_SPEED_BYTES_PER_S = 25 * GBIT_PER_S
"""Speed for which the thresholds below were published."""
ECN_HIGH_BYTES, ECN_SPREAD_RATIO = 400e3, 4.0
"""Thresholds at 25 Gb/s grow with the speed; the lower one is a quarter of the upper one."""


def _by_speed(line_bytes_per_s: Number, rows: tuple[tuple[int, float], ...]) -> Number:
    """The value of the fastest row that the line reaches; slower lines take the first."""
    value: Number = line_bytes_per_s * 0.0 + rows[0][1]
    for gbps, above in rows[1:]:
        value = elementwise.where(
            line_bytes_per_s >= gbps * GBIT_PER_S * (1 - elementwise.TOLERANCE), above, value
        )
    return value


# --- headroom -----------------------------------------------------------------------------------------------


@formula(
    r"b_c = 2\,L\,r / v, \quad v = 1.98 \cdot 10^8\ \mathrm{m/s}",
    unit="bytes",
    label="Bytes on the cable, there and back",
    source=_SPECTRUM,
    symbols={"cable_m": "L", "line_bytes_per_s": "r"},
)
def cable_bytes(cable_m: Number, *, line_bytes_per_s: Number) -> Number:
    """What is under way while a pause travels to the sender and its last byte back.

    Args:
        cable_m: Length of the cable.
        line_bytes_per_s: Line rate.

    Example:
        >>> round(cable_bytes(40.0, line_bytes_per_s=50e9))
        20202
    """
    return 2.0 * cable_m * line_bytes_per_s / FIBRE_M_PER_S


@formula(
    r"b_p = 64\,q(r)",
    unit="bytes",
    label="Bytes until the sender obeys a pause",
    source="fabric facts, section 2.1: quanta of IEEE 802.3 31B.3.7",
    symbols={"line_bytes_per_s": "r"},
    validity="10 to 800 Gb/s; between listed speeds the next lower row",
)
def pause_response_bytes(line_bytes_per_s: Number) -> Number:
    """What a sender may still send after a pause has reached it.

    Args:
        line_bytes_per_s: Line rate.

    Example:
        >>> pause_response_bytes(12.5e9), pause_response_bytes(50e9)
        (25216.0, 57920.0)
    """
    return PAUSE_UNIT_BYTES * _by_speed(line_bytes_per_s, PAUSE_UNITS)


@formula(
    r"b_t = 15\,\mathrm{B} \cdot \frac{8\,r}{10^9}",
    unit="bytes",
    label="Bytes in the pipeline of the switch",
    source=_SPECTRUM,
    symbols={"line_bytes_per_s": "r"},
    validity="Spectrum-4 and later; earlier ones have none",
)
def tile_bytes(line_bytes_per_s: Number) -> Number:
    """What the pipeline of a tiled switch chip holds for a port.

    Args:
        line_bytes_per_s: Line rate.

    Example:
        >>> tile_bytes(50e9)
        6000.0
    """
    return TILE_BYTES_PER_GBIT * line_bytes_per_s / GBIT_PER_S


@formula(
    r"w = \begin{cases}\lceil c / 64 \rceil & c > 128\\ \lceil 2c / (1 + c) \rceil & \text{else}\end{cases}",
    unit="1",
    label="Cells of a small packet over its bytes",
    source=_SPECTRUM,
    symbols={"cell_bytes": "c"},
)
def cell_ratio(cell_bytes: Number) -> Number:
    """How much buffer a small packet takes for each of its bytes, because cells are not shared.

    Args:
        cell_bytes: Cell of the packet buffer: 96 on Spectrum-1, 144 on 2 and 3, 192 on 4 and 5.

    Example:
        >>> cell_ratio(96.0), cell_ratio(144.0), cell_ratio(192.0)
        (2.0, 3.0, 3.0)
    """
    large = elementwise.ceil(cell_bytes / SMALLEST_PACKET_BYTES - elementwise.TOLERANCE)
    small = elementwise.ceil(2.0 * cell_bytes / (1.0 + cell_bytes) - elementwise.TOLERANCE)
    return elementwise.where(cell_bytes > 2.0 * SMALLEST_PACKET_BYTES, large, small)


@formula(
    r"o = 1 + (w - 1)\,\frac{64}{64\,p + (1 - p)\,m}",
    unit="1",
    label="Buffer over bytes, small packets included",
    source=_SPECTRUM,
    symbols={"small_packet_fraction": "p", "lossless_mtu_bytes": "m", "cell_ratio": "w"},
    validity="as the switch software counts it; small packets are 64 bytes",
)
def occupancy_ratio(
    small_packet_fraction: Number, *, lossless_mtu_bytes: Number, cell_ratio: Number
) -> Number:
    """How much buffer arriving bytes take, with a share of small packets among them.

    Args:
        small_packet_fraction: Packets of 64 bytes among all.
        lossless_mtu_bytes: Size of the other packets.
        cell_ratio: Buffer that a small packet takes for each byte.

    Example:
        >>> round(occupancy_ratio(0.5, lossless_mtu_bytes=1024.0, cell_ratio=3.0), 4)
        1.2353
    """
    packet = (
        small_packet_fraction * SMALLEST_PACKET_BYTES + (1.0 - small_packet_fraction) * lossless_mtu_bytes
    )
    return 1.0 + (cell_ratio - 1.0) * SMALLEST_PACKET_BYTES / packet


@formula(
    r"h = \left\lceil m_l + (m_p + b_c + 0.8\,\mathrm{KiB} + b_p + b_t)\,o \right\rceil_{\mathrm{KiB}}",
    unit="bytes",
    label="Headroom of a port and priority",
    source=_SPECTRUM,
    symbols={
        "cable_bytes": "b_c",
        "pause_response_bytes": "b_p",
        "tile_bytes": "b_t",
        "port_mtu_bytes": "m_p",
        "lossless_mtu_bytes": "m_l",
        "occupancy_ratio": "o",
    },
    validity="NVIDIA Spectrum; reproduces the published profiles of an SN5600 within a KiB",
)
def headroom_bytes(
    cable_bytes: Number,
    *,
    pause_response_bytes: Number,
    tile_bytes: Number,
    port_mtu_bytes: Number,
    lossless_mtu_bytes: Number,
    occupancy_ratio: Number,
) -> Number:
    """Buffer that a port keeps free for what still arrives after it asked one priority to pause.

    Args:
        cable_bytes: Under way on the cable, there and back.
        pause_response_bytes: Sent before the peer obeys.
        tile_bytes: In the pipeline of the switch; 0 before Spectrum-4.
        port_mtu_bytes: MTU of the port: a packet may have just begun on each side.
        lossless_mtu_bytes: Largest packet of the lossless class.
        occupancy_ratio: Buffer taken for each byte.

    Example:
        >>> headroom_bytes(
        ...     cable_bytes(40.0, line_bytes_per_s=50e9),
        ...     pause_response_bytes=57920.0,
        ...     tile_bytes=6000.0,
        ...     port_mtu_bytes=9100.0,
        ...     lossless_mtu_bytes=1024.0,
        ...     occupancy_ratio=3.0,
        ... )
        283648.0
    """
    arriving = port_mtu_bytes + cable_bytes + INTERFACE_BYTES + pause_response_bytes + tile_bytes
    return (
        elementwise.ceil((lossless_mtu_bytes + arriving * occupancy_ratio) / KIB - elementwise.TOLERANCE)
        * KIB
    )


@formula(
    r"h = b_0 + o\,b_c",
    unit="bytes",
    label="Headroom from a published profile",
    source=_BROADCOM,
    symbols={"base_bytes": "b_0", "cable_bytes": "b_c", "occupancy_ratio": "o"},
    validity="between the lengths of the profile, 5 to 300 m",
)
def profile_headroom_bytes(base_bytes: Number, *, cable_bytes: Number, occupancy_ratio: Number) -> Number:
    """Headroom of a switch whose maker publishes profiles: what it needs without cable, and the cable.

    Args:
        base_bytes: Headroom of the speed at length zero.
        cable_bytes: Under way on the cable, there and back.
        occupancy_ratio: Buffer taken for each byte on the cable.

    Example:
        >>> round(profile_headroom_bytes(385_645.0, cable_bytes=20202.0, occupancy_ratio=2.989))
        446029
    """
    return base_bytes + occupancy_ratio * cable_bytes


@formula(
    r"H = n\,k\,h",
    unit="bytes",
    label="Headroom of a switch",
    source=_SPECTRUM,
    symbols={"headroom_bytes": "h", "port_count": "n", "priority_count": "k"},
    validity="ports of one speed and length; add the groups",
)
def switch_headroom_bytes(headroom_bytes: Number, *, port_count: Number, priority_count: Number) -> Number:
    """Buffer that a switch reserves for all ports of a kind.

    Args:
        headroom_bytes: Headroom of a port and priority.
        port_count: Ports of this speed and cable length.
        priority_count: Lossless priorities.

    Example:
        >>> switch_headroom_bytes(283648.0, port_count=128.0, priority_count=1.0)
        36306944.0
    """
    return headroom_bytes * port_count * priority_count


# --- marking before pausing ---------------------------------------------------------------------------------


@formula(
    r"x = \frac{\alpha\,(B - H)}{1 + \alpha\,n}",
    unit="bytes",
    label="Queue at which a port asks for a pause",
    source=_ECN,
    symbols={
        "buffer_bytes": "B",
        "reserved_bytes": "H",
        "threshold_ratio": r"\alpha",
        "busy_count": "n",
    },
    validity="dynamic threshold: a port may take alpha times what is free",
)
def pause_onset_bytes(
    buffer_bytes: Number, *, reserved_bytes: Number, threshold_ratio: Number, busy_count: Number
) -> Number:
    """Queue length at which a pause is sent while so many ports are congested at once.

    Args:
        buffer_bytes: Packet buffer of the switch.
        reserved_bytes: Headroom, which is not shared.
        threshold_ratio: What a port may take of the free buffer: 2 to the power of the configured number.
        busy_count: Ports congested at the same time.

    Example:
        >>> round(
        ...     pause_onset_bytes(160e6, reserved_bytes=36306944.0, threshold_ratio=1.0, busy_count=128.0)
        ... )
        958861
    """
    return threshold_ratio * (buffer_bytes - reserved_bytes) / (1.0 + threshold_ratio * busy_count)


@formula(
    r"K_{max} = \min\!\left(400\,\mathrm{KB} \cdot \frac{r}{25\,\mathrm{Gb/s}},\ (1 - \mu)\,x\right)",
    unit="bytes",
    label="Queue at which all packets are marked",
    source=_ECN,
    symbols={"onset_bytes": "x", "line_bytes_per_s": "r", "margin_fraction": r"\mu"},
    validity="grows with the speed, and stays below the onset of a pause",
)
def ecn_high_bytes(onset_bytes: Number, *, line_bytes_per_s: Number, margin_fraction: Number = 0.2) -> Number:
    """Upper marking threshold: it must be reached before a pause is.

    Args:
        onset_bytes: Queue at which a port asks for a pause.
        line_bytes_per_s: Line rate.
        margin_fraction: Distance kept from the onset.

    Example:
        >>> ecn_high_bytes(958861.0, line_bytes_per_s=50e9), ecn_high_bytes(1e9, line_bytes_per_s=50e9)
        (767088.8, 6400000.0)
    """
    scaled = ECN_HIGH_BYTES * line_bytes_per_s / ECN_SPEED_BYTES_PER_S
    return elementwise.minimum(scaled, (1.0 - margin_fraction) * onset_bytes)


@formula(
    r"K_{min} = K_{max} / 4",
    unit="bytes",
    label="Queue at which marking begins",
    source=_ECN,
    symbols={"high_bytes": "K_{max}"},
)
def ecn_low_bytes(high_bytes: Number) -> Number:
    """Lower marking threshold.

    Args:
        high_bytes: Upper marking threshold.

    Example:
        >>> ecn_low_bytes(6.4e6)
        1600000.0
    """
    return high_bytes / ECN_SPREAD_RATIO


# --- the storage's share of a port --------------------------------------------------------------------------


@formula(
    r"s = \min\!\left(\max\!\left(\frac{b}{p},\ s_0\right),\ s_1\right)",
    unit="fraction",
    label="Share of a port for the storage class",
    source=_MARKING,
    symbols={
        "needed_bytes_per_s": "b",
        "port_bytes_per_s": "p",
        "least_fraction": "s_0",
        "most_fraction": "s_1",
    },
    validity="between the usual half and what leaves control traffic alive",
)
def storage_share_fraction(
    needed_bytes_per_s: Number,
    *,
    port_bytes_per_s: Number,
    least_fraction: Number = 0.5,
    most_fraction: Number = 0.9,
) -> Number:
    """Bandwidth share (ETS) that the storage class gets when a port is contended.

    Args:
        needed_bytes_per_s: What the design needs over a port.
        port_bytes_per_s: Payload of the port.
        least_fraction: The usual share, given in any case.
        most_fraction: Largest share that leaves the other classes something.

    Example:
        >>> storage_share_fraction(10e9, port_bytes_per_s=50e9), storage_share_fraction(35e9, port_bytes_per_s=50e9)
        (0.5, 0.7)
    """
    asked = elementwise.maximum(needed_bytes_per_s / port_bytes_per_s, least_fraction)
    return elementwise.minimum(asked, most_fraction)
