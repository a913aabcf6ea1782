"""What a rack carries and asks for: current, apparent power, weight, floor load, cables and their lengths."""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_CIRCUIT = "power rules, continuous load, A+B feeds and power factor"
_PLACE = "geometry: 44.45 mm a rack unit, cables in an overhead tray"
_HIGHEST_DELTA_VOLTS = 300.0
"""Up to here machines are fed between two phases."""

RACK_UNIT_M = 0.04445
"""Height of a rack unit: EIA-310."""


# --- power --------------------------------------------------------------------------------------------------


@formula(
    r"S = W / \cos\varphi",
    unit="VA",
    label="Apparent power",
    source=_CIRCUIT,
    symbols={"load_w": "W", "power_factor_fraction": r"\cos\varphi"},
)
def apparent_va(load_w: Number, *, power_factor_fraction: Number) -> Number:
    """Volt-amperes of a load.

    Args:
        load_w: Power of the load.
        power_factor_fraction: Watts over volt-amperes.

    Example:
        >>> float(apparent_va(9500.0, power_factor_fraction=0.95))
        10000.0
    """
    return load_w / power_factor_fraction


@formula(
    r"I = \frac{W}{U\,\sqrt{n_\varphi}\,\cos\varphi}",
    unit="A",
    label="Current of a feed",
    source=_CIRCUIT,
    symbols={
        "load_w": "W",
        "feed_volts": "U",
        "phase_count": r"n_\varphi",
        "power_factor_fraction": r"\cos\varphi",
    },
    validity="1 or 3 phases, evenly loaded",
)
def feed_amps(
    load_w: Number, *, feed_volts: Number, phase_count: Number, power_factor_fraction: Number
) -> Number:
    """Current in each phase conductor of a feed.

    Args:
        load_w: Power that the feed carries; all of it with the other feed lost, else half.
        feed_volts: Voltage, line to line for three phases.
        phase_count: 1 or 3.
        power_factor_fraction: Watts over volt-amperes.

    Example:
        >>> round(float(feed_amps(8646.0, feed_volts=208.0, phase_count=3.0, power_factor_fraction=1.0)), 1)
        24.0
    """
    root: Number = np.sqrt(phase_count)
    return load_w / (feed_volts * root * power_factor_fraction)


@formula(
    r"W_0 = W\,\sigma",
    unit="W",
    label="Power at start-up",
    source="what colocation providers ask: transients of up to 1.4 times",
    symbols={"max_w": "W", "startup_ratio": r"\sigma"},
    validity="everything switched on at once; sequenced outlets need less",
)
def startup_w(max_w: Number, *, startup_ratio: Number) -> Number:
    """Power in the first moments after everything is switched on at once.

    Args:
        max_w: Highest power in operation.
        startup_ratio: Start-up over highest power.

    Example:
        >>> float(startup_w(10e3, startup_ratio=1.4))
        14000.0
    """
    return max_w * startup_ratio


@formula(
    r"W_f = W / 2",
    unit="W",
    label="Power of one of two feeds",
    source=_CIRCUIT,
    symbols={"load_w": "W"},
    validity="supplies share the load evenly between A and B",
)
def feed_share_w(load_w: Number) -> Number:
    """Power of each of two feeds while both are there.

    Args:
        load_w: Power of the rack.

    Example:
        >>> float(feed_share_w(12e3))
        6000.0
    """
    return load_w / 2.0


@formula(
    r"W_f = W\,\phi",
    unit="W",
    label="Heat to one medium",
    source="power rules: all electrical load becomes heat",
    symbols={"load_w": "W", "share_fraction": r"\phi"},
)
def heat_share_w(load_w: Number, *, share_fraction: Number) -> Number:
    """Part of the heat that goes to air, or to liquid.

    Args:
        load_w: Power of the equipment.
        share_fraction: Share of it that the medium takes.

    Example:
        >>> float(heat_share_w(120e3, share_fraction=0.85))
        102000.0
    """
    return load_w * share_fraction


@formula(
    r"W_u = \max(W - W_r,\ 0)",
    unit="W",
    label="Power that is not placed",
    source="definition",
    symbols={"load_w": "W", "placed_w": "W_r"},
)
def unplaced_w(load_w: Number, *, placed_w: Number) -> Number:
    """Power of what stands in no rack.

    Args:
        load_w: Power of the whole design.
        placed_w: Power of what is in racks.

    Example:
        >>> float(unplaced_w(10e3, placed_w=8e3))
        2000.0
    """
    return elementwise.maximum(load_w - placed_w, 0.0)


@formula(
    r"U_o = U / \sqrt{n_\varphi}\ \mathrm{above\ 300\ V,\ else}\ U",
    unit="V",
    label="Voltage of an outlet",
    source=_CIRCUIT,
    symbols={"feed_volts": "U", "phase_count": r"n_\varphi"},
    validity="400, 415 and 480 V are used between phase and neutral, 208 V between phases",
)
def outlet_volts(feed_volts: Number, *, phase_count: Number) -> Number:
    """Voltage that a rack PDU gives to a machine.

    Args:
        feed_volts: Voltage of the feed, line to line for three phases.
        phase_count: 1 or 3.

    Example:
        >>> round(float(outlet_volts(415.0, phase_count=3.0))), float(outlet_volts(208.0, phase_count=3.0))
        (240, 208.0)
    """
    root: Number = np.sqrt(phase_count)
    volts: Number = elementwise.where(feed_volts > _HIGHEST_DELTA_VOLTS, feed_volts / root, feed_volts)
    return volts


@formula(
    r"W = U_o\,I\,c",
    unit="W",
    label="Power that a cord carries",
    source="IEC 60320: 10 A through a C13, 16 A through a C19; the region's share for continuous load",
    symbols={"outlet_volts": "U_o", "cord_amps": "I", "continuous_fraction": "c"},
)
def cord_w(outlet_volts: Number, *, cord_amps: Number, continuous_fraction: Number) -> Number:
    """Power that may flow through one cord for long.

    Args:
        outlet_volts: Voltage of the outlet.
        cord_amps: Rating of its connector.
        continuous_fraction: Share of a rating for continuous load.

    Example:
        >>> round(float(cord_w(208.0, cord_amps=10.0, continuous_fraction=0.8)))
        1664
    """
    return outlet_volts * cord_amps * continuous_fraction


# --- weight and floor ---------------------------------------------------------------------------------------


@formula(
    r"M = n\,m",
    unit="kg",
    label="Weight of equal parts",
    source="definition",
    symbols={"part_count": "n", "part_kg": "m"},
)
def parts_kg(part_count: Number, *, part_kg: Number) -> Number:
    """Weight of a number of equal parts, or of rack units of equal weight.

    Args:
        part_count: Parts.
        part_kg: Weight of one.

    Example:
        >>> float(parts_kg(12.0, part_kg=32.0))
        384.0
    """
    return part_count * part_kg


@formula(
    r"M_r = \max(M_s - M_0,\ 0)",
    unit="kg",
    label="Weight that a rack takes beside itself",
    source="definition",
    symbols={"limit_kg": "M_s", "rack_kg": "M_0"},
)
def rack_room_kg(limit_kg: Number, *, rack_kg: Number) -> Number:
    """What is left of a site's weight limit for machines.

    Args:
        limit_kg: Weight that the site allows for a rack.
        rack_kg: Weight of the rack itself, with strips and cables.

    Example:
        >>> float(rack_room_kg(1000.0, rack_kg=160.0))
        840.0
    """
    return elementwise.maximum(limit_kg - rack_kg, 0.0)


@formula(
    r"q = M / (w\,d)",
    unit="kg/m2",
    label="Floor load",
    source="definition",
    symbols={"rack_kg": "M", "width_m": "w", "depth_m": "d"},
    validity="the load spread over the footprint; each of four feet carries a quarter",
)
def floor_kg_per_m2(rack_kg: Number, *, width_m: Number, depth_m: Number) -> Number:
    """Load of a rack on its own footprint.

    Args:
        rack_kg: Weight of the rack with all in it.
        width_m: Width of the footprint.
        depth_m: Depth of the footprint.

    Example:
        >>> round(float(floor_kg_per_m2(720.0, width_m=0.6, depth_m=1.2)))
        1000
    """
    return rack_kg / (width_m * depth_m)


# --- cables -------------------------------------------------------------------------------------------------


@formula(
    r"\ell = 0.04445\,h + x + 2 a",
    unit="m",
    label="Cable length",
    source=_PLACE,
    symbols={"vertical_ru": "h", "horizontal_m": "x", "slack_m": "a"},
)
def cable_m(vertical_ru: Number, *, horizontal_m: Number, slack_m: Number) -> Number:
    """Length that a cable needs.

    Args:
        vertical_ru: Rack units that it climbs and descends.
        horizontal_m: Way from rack to rack.
        slack_m: Way from the port to the side of the rack, at each end.

    Example:
        >>> round(float(cable_m(48.0, horizontal_m=0.0, slack_m=0.4)), 2)
        2.93
    """
    return RACK_UNIT_M * vertical_ru + horizontal_m + 2.0 * slack_m


@formula(
    r"n = L \left\lceil \frac{N}{L\,b} \right\rceil",
    unit="count",
    label="Breakout cables",
    source="each cable serves ports of one leaf",
    symbols={"link_count": "N", "leaf_count": "L", "lane_count": "b"},
    validity="links spread evenly over the leaves",
)
def breakout_cables_count(link_count: Number, *, leaf_count: Number, lane_count: Number) -> Number:
    """Cables for links of which several leave one cage of a switch.

    Args:
        link_count: Links.
        leaf_count: Switches that they go to.
        lane_count: Links that one cable carries; 1 without breakout.

    Example:
        >>> float(breakout_cables_count(6.0, leaf_count=2.0, lane_count=2.0))
        4.0
    """
    each: Number = elementwise.ceil(link_count / (leaf_count * lane_count) - elementwise.TOLERANCE)
    return leaf_count * each


@formula(
    r"n = \left\lceil A / b \right\rceil + \left\lceil B / b \right\rceil",
    unit="count",
    label="Parts that serve several links",
    source="ports of a machine take turns on side A and side B; a part serves links of one leaf",
    symbols={"first_count": "A", "second_count": "B", "lane_count": "b"},
    validity="leaves of a side are filled one after the other",
)
def sided_parts_count(first_count: Number, *, second_count: Number, lane_count: Number) -> Number:
    """Optics in split cages, or split fibres, for links that are dealt to two sides.

    Args:
        first_count: Links of side A.
        second_count: Links of side B.
        lane_count: Links that one part serves.

    Example:
        >>> float(sided_parts_count(3.0, second_count=3.0, lane_count=2.0))
        4.0
        >>> float(sided_parts_count(257.0, second_count=257.0, lane_count=2.0))
        258.0
    """
    parts: Number = elementwise.ceil(first_count / lane_count - elementwise.TOLERANCE) + elementwise.ceil(
        second_count / lane_count - elementwise.TOLERANCE
    )
    return parts


@formula(
    r"n = m \left\lceil \frac{q + 1}{b} \right\rceil + (k - m) \left\lceil \frac{q}{b} \right\rceil,\quad "
    r"q = \left\lfloor N / k \right\rfloor,\ m = N - k\,q",
    unit="count",
    label="Parts that serve several links, on rails",
    source="ports take turns on the rails; a part serves links of one rail",
    symbols={"link_count": "N", "side_count": "k", "lane_count": "b"},
    validity="one leaf for each rail; of several, the leaves are filled one after the other",
)
def dealt_parts_count(link_count: Number, *, side_count: Number, lane_count: Number) -> Number:
    """Optics in split cages, or split fibres, for links that are dealt to rails.

    Args:
        link_count: Links of all rails.
        side_count: Rails.
        lane_count: Links that one part serves.

    Example:
        >>> float(dealt_parts_count(6.0, side_count=4.0, lane_count=2.0))
        4.0
        >>> float(dealt_parts_count(6.0, side_count=8.0, lane_count=2.0))
        6.0
    """
    each = elementwise.floor(link_count / side_count + elementwise.TOLERANCE)
    more = link_count - side_count * each
    parts: Number = more * elementwise.ceil((each + 1.0) / lane_count - elementwise.TOLERANCE) + (
        side_count - more
    ) * elementwise.ceil(each / lane_count - elementwise.TOLERANCE)
    return parts


@formula(
    r"n = \left\lceil N\,s \right\rceil",
    unit="count",
    label="Spare parts",
    source="policy of the design: a share of the parts in use",
    symbols={"part_count": "N", "spare_fraction": "s"},
)
def spares_count(part_count: Number, *, spare_fraction: Number) -> Number:
    """Spare parts on site: a share of those in use, in whole parts.

    Args:
        part_count: Parts in use.
        spare_fraction: Share of them that is kept as spares; none if it is 0.

    Example:
        >>> float(spares_count(96.0, spare_fraction=0.03)), float(spares_count(96.0, spare_fraction=0.0))
        (3.0, 0.0)
    """
    spares: Number = elementwise.ceil(part_count * spare_fraction - elementwise.TOLERANCE)
    return spares


@formula(
    r"n = N \max\!\left(2,\ \left\lceil \frac{2\,s\,U}{N\,c} \right\rceil\right)",
    unit="count",
    label="Drives for metadata",
    source="share of a file system that metadata takes, mirrored; two drives a server at least",
    symbols={"usable_bytes": "U", "metadata_fraction": "s", "drive_bytes": "c", "unit_count": "N"},
)
def metadata_drive_count(
    usable_bytes: Number, *, metadata_fraction: Number, drive_bytes: Number, unit_count: Number
) -> Number:
    """Drives of the metadata servers of a file system, in mirrored pairs.

    Args:
        usable_bytes: Usable capacity of the file system.
        metadata_fraction: Share of it that metadata needs: 0.01 to 0.03.
        drive_bytes: Capacity of a drive.
        unit_count: Metadata servers.

    Example:
        >>> float(metadata_drive_count(1e15, metadata_fraction=0.02, drive_bytes=7.68e12, unit_count=2.0))
        6.0
    """
    each = elementwise.maximum(
        elementwise.ceil(
            2.0 * metadata_fraction * usable_bytes / (unit_count * drive_bytes) - elementwise.TOLERANCE
        ),
        2.0,
    )
    return unit_count * each
