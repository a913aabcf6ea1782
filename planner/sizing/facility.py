"""Power, cooling, circuits and racks of the storage."""

from __future__ import annotations

import numpy as np

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import KW, YEAR_S, Number

_COLO = "the guide, 'Integration with Colocation Environments'"
_NODE = "power rules, 'node-w': base, drives, NICs and fans"
_COOLING = "power rules, 'btu', 'ton', 'cfm' and 'm3h'"
_CIRCUIT = "power rules, 'derate' and 'pdu-*'"
_RACK = "rules of the calculation, findings PWR-1 and PWR-2"
_TOLERANCE = 1e-9

BTU_PER_WATT_HOUR = 3.412142
BTU_PER_HOUR_PER_TON = 12_000.0
M3_KELVIN_PER_WATT_HOUR = 2.994
"""Air at sea level: cubic metres an hour that carry one watt at a rise of one kelvin."""
CFM_FAHRENHEIT_PER_WATT = 3.16
FAHRENHEIT_PER_KELVIN = 1.8
HOURS_PER_YEAR = YEAR_S / 3600.0


# --- watts --------------------------------------------------------------------------------------------------


@formula(
    r"W = (W_b + n_d W_d + n_n W_n)\,f",
    unit="W",
    label="Power of a storage node",
    source=_NODE,
    symbols={
        "base_w": "W_b",
        "drive_count": "n_d",
        "drive_w": "W_d",
        "nic_count": "n_n",
        "nic_w": "W_n",
        "fan_ratio": "f",
    },
)
def node_w(
    base_w: Number,
    *,
    drive_count: Number,
    drive_w: Number,
    nic_count: Number,
    nic_w: Number,
    fan_ratio: Number,
) -> Number:
    """Power of a storage node from its parts, typical or maximum as the parts' figures are.

    Args:
        base_w: Processors, memory and board: 400 to 650 W.
        drive_count: Drives in the node.
        drive_w: Power of a drive in the state in question.
        nic_count: Network cards.
        nic_w: Power of a card.
        fan_ratio: Factor for the fans: 1.1 where they take 10 percent of the rest.

    Example:
        >>> node = node_w(400.0, drive_count=24, drive_w=12.0, nic_count=2, nic_w=25.0, fan_ratio=1.1)
        >>> round(float(node), 1)
        811.8
    """
    return (base_w + drive_count * drive_w + nic_count * nic_w) * fan_ratio


@formula(
    r"\bar W = W_i + b_w\,(W_w - W_i) + b_r\,(W_r - W_i)",
    unit="W",
    label="Mean power over the duty cycle",
    source="the guide, 'Power Consumption': active and idle watts of a drive; reliability models, T2",
    symbols={
        "idle_w": "W_i",
        "write_w": "W_w",
        "read_w": "W_r",
        "write_fraction": "b_w",
        "read_fraction": "b_r",
    },
    validity="a drive writes or reads, never both: reads take at most the time that writes leave",
)
def duty_cycle_w(
    idle_w: Number, *, write_w: Number, read_w: Number, write_fraction: Number, read_fraction: Number
) -> Number:
    """Mean power of a part that writes in bursts, reads in between, and is idle for the rest of the time.

    Args:
        idle_w: Power while nothing is asked of it.
        write_w: Power while writing.
        read_w: Power while reading.
        write_fraction: Share of the time that it writes; above 1 it always does.
        read_fraction: Share of the time that it reads.

    Example:
        >>> float(duty_cycle_w(5.0, write_w=25.0, read_w=15.0, write_fraction=0.1, read_fraction=0.2))
        9.0
    """
    writes = elementwise.minimum(write_fraction, 1.0)
    reads = elementwise.minimum(read_fraction, 1.0 - writes)
    return idle_w + writes * (write_w - idle_w) + reads * (read_w - idle_w)


@formula(
    r"b_w = \min\!\left(\frac{T_w}{\tau},\ 1\right)",
    unit="fraction",
    label="Share of the time that a save writes",
    source="reliability models, 0.2, 'Duty-cycle law'",
    symbols={"save_s": "T_w", "interval_s": r"\tau"},
    validity="the drives count as busy for the whole save, whatever stage of it is the slowest",
)
def burst_fraction(save_s: Number, *, interval_s: Number) -> Number:
    """Share of the time that drives write the saves of a job.

    Args:
        save_s: Time that a save takes.
        interval_s: Time from the start of one save to the start of the next.

    Example:
        >>> float(burst_fraction(18.0, interval_s=1800.0))
        0.01
    """
    share: Number = elementwise.minimum(save_s / interval_s, 1.0)
    return share


@formula(
    r"b = \frac{R\,\rho}{n\,r}",
    unit="fraction",
    label="Share of the time that drives are busy",
    source="reliability models, 0.2, 'Duty-cycle law'",
    symbols={
        "traffic_bytes_per_s": "R",
        "protection_ratio": r"\rho",
        "drive_count": "n",
        "drive_bytes_per_s": "r",
    },
    validity="a drive is busy for as long as its share of the bytes takes at its full rate",
)
def busy_fraction(
    traffic_bytes_per_s: Number, *, protection_ratio: Number, drive_count: Number, drive_bytes_per_s: Number
) -> Number:
    """Share of the time that the drives of a pool need for a steady stream of bytes.

    Args:
        traffic_bytes_per_s: What clients read or write.
        protection_ratio: Bytes on drives for each of those: raw over usable for writes, 1 for reads.
        drive_count: Drives that share it.
        drive_bytes_per_s: Rate of one drive.

    Example:
        >>> float(busy_fraction(7e9, protection_ratio=1.0, drive_count=10, drive_bytes_per_s=7e9))
        0.1
    """
    return traffic_bytes_per_s * protection_ratio / (drive_count * drive_bytes_per_s)


@formula(
    r"W = n\,W_1",
    unit="W",
    label="Power of equal parts",
    source=_COLO,
    symbols={"part_count": "n", "part_w": "W_1"},
)
def parts_w(part_count: Number, *, part_w: Number) -> Number:
    """Power of a number of equal parts.

    Args:
        part_count: Parts.
        part_w: Power of one.

    Example:
        >>> float(parts_w(24.0, part_w=25.0))
        600.0
    """
    return part_count * part_w


@formula(
    r"n_d = n / N",
    unit="count",
    label="Drives per node",
    source=_COLO,
    symbols={"drive_count": "n", "unit_count": "N"},
    validity="a mean where drives do not divide evenly",
)
def drives_per_node_count(drive_count: Number, *, unit_count: Number) -> Number:
    """Drives in each node of a tier.

    Args:
        drive_count: Drives of the tier.
        unit_count: Nodes of the tier.

    Example:
        >>> float(drives_per_node_count(96.0, unit_count=4))
        24.0
    """
    return drive_count / unit_count


@formula(
    r"W_s = W_0 + n\,W_o",
    unit="W",
    label="Power of a switch with optics",
    source="power rules, 'optics-w'",
    symbols={"switch_w": "W_0", "port_count": "n", "optic_w": "W_o"},
)
def switch_with_optics_w(switch_w: Number, *, port_count: Number, optic_w: Number) -> Number:
    """Power of a switch whose figure excludes its optics.

    Args:
        switch_w: Power without optics.
        port_count: Cages that hold one.
        optic_w: Power of an optic: 16 to 20 W at 800 Gb/s.

    Example:
        >>> float(switch_with_optics_w(940.0, port_count=64, optic_w=16.0))
        1964.0
    """
    return switch_w + port_count * optic_w


@formula(
    r"W_f = W\,e",
    unit="W",
    label="Facility power",
    source="power rules, 'facility-kw'",
    symbols={"load_w": "W", "pue_ratio": "e"},
)
def facility_w(load_w: Number, *, pue_ratio: Number) -> Number:
    """Power at the utility meter, with cooling and distribution.

    Args:
        load_w: Power of the equipment.
        pue_ratio: Facility over equipment power.

    Example:
        >>> float(facility_w(10e3, pue_ratio=1.54))
        15400.0
    """
    return load_w * pue_ratio


@formula(
    r"E = \frac{W\,e}{1000} \cdot 8760",
    unit="kWh/year",
    label="Energy in a year",
    source="power rules, 'facility-kw'",
    symbols={"load_w": "W", "pue_ratio": "e"},
)
def energy_kwh_per_year(load_w: Number, *, pue_ratio: Number) -> Number:
    """Energy of a year of 365 days at the utility meter.

    Args:
        load_w: Mean power of the equipment.
        pue_ratio: Facility over equipment power; cooling is inside.

    Example:
        >>> round(float(energy_kwh_per_year(1000.0, pue_ratio=1.5)))
        13140
    """
    return load_w * pue_ratio / KW * HOURS_PER_YEAR


# --- cooling ------------------------------------------------------------------------------------------------


@formula(
    r"Q = 3.412142\,W",
    unit="BTU/h",
    label="Heat load",
    source=_COOLING,
    symbols={"load_w": "W"},
)
def btu_per_hour(load_w: Number) -> Number:
    """Heat of a load; all power of the equipment becomes heat.

    Args:
        load_w: Power of the equipment.

    Example:
        >>> round(float(btu_per_hour(1000.0)))
        3412
    """
    return load_w * BTU_PER_WATT_HOUR


@formula(
    r"Q_t = \frac{3.412142\,W}{12000}",
    unit="tons",
    label="Cooling",
    source=_COOLING,
    symbols={"load_w": "W"},
)
def cooling_tons(load_w: Number) -> Number:
    """Tons of cooling for a load.

    Args:
        load_w: Power of the equipment.

    Example:
        >>> round(float(cooling_tons(3517.0)), 3)
        1.0
    """
    return load_w * (BTU_PER_WATT_HOUR / BTU_PER_HOUR_PER_TON)


@formula(
    r"\dot V = \frac{2.994\,W}{\Delta T}",
    unit="m3/h",
    label="Airflow",
    source=_COOLING,
    symbols={"load_w": "W", "rise_kelvin": r"\Delta T"},
    validity="sea level; about 3.5 % more for each 300 m above it",
)
def airflow_m3_per_hour(load_w: Number, *, rise_kelvin: Number) -> Number:
    """Air that carries the heat of a load away.

    Args:
        load_w: Power of the equipment.
        rise_kelvin: Temperature rise of the air from inlet to outlet.

    Example:
        >>> round(float(airflow_m3_per_hour(10e3, rise_kelvin=12.0)))
        2495
    """
    return M3_KELVIN_PER_WATT_HOUR * load_w / rise_kelvin


@formula(
    r"\dot V = \frac{3.16\,W}{1.8\,\Delta T}",
    unit="CFM",
    label="Airflow in CFM",
    source=_COOLING,
    symbols={"load_w": "W", "rise_kelvin": r"\Delta T"},
    validity="sea level",
)
def airflow_cfm(load_w: Number, *, rise_kelvin: Number) -> Number:
    """Air that carries the heat of a load away, in cubic feet a minute.

    Args:
        load_w: Power of the equipment.
        rise_kelvin: Temperature rise of the air from inlet to outlet.

    Example:
        >>> round(float(airflow_cfm(10e3, rise_kelvin=12.0)))
        1463
    """
    return CFM_FAHRENHEIT_PER_WATT * load_w / (FAHRENHEIT_PER_KELVIN * rise_kelvin)


# --- circuits -----------------------------------------------------------------------------------------------


@formula(
    r"S = U\,I\,\sqrt{n_\varphi}\,c",
    unit="VA",
    label="Usable rating of a feed",
    source=_CIRCUIT,
    symbols={
        "feed_volts": "U",
        "feed_amps": "I",
        "phase_count": r"n_\varphi",
        "continuous_fraction": "c",
    },
    validity="1 or 3 phases",
)
def circuit_va(
    feed_volts: Number, *, feed_amps: Number, phase_count: Number, continuous_fraction: Number
) -> Number:
    """What a feed may carry continuously.

    Args:
        feed_volts: Voltage, line to line for three phases.
        feed_amps: Rating of the breaker.
        phase_count: 1 or 3.
        continuous_fraction: Share of the rating for continuous load: 0.8 in North America, else 1.

    Example:
        >>> round(float(circuit_va(208.0, feed_amps=30.0, phase_count=3.0, continuous_fraction=0.8)) / 1e3, 2)
        8.65
    """
    root: Number = np.sqrt(phase_count)
    return feed_volts * feed_amps * root * continuous_fraction


@formula(
    r"W = U\,I\,\sqrt{n_\varphi}\,c\,\cos\varphi",
    unit="W",
    label="Usable power of a feed",
    source=_CIRCUIT,
    symbols={
        "feed_volts": "U",
        "feed_amps": "I",
        "phase_count": r"n_\varphi",
        "continuous_fraction": "c",
        "power_factor_fraction": r"\cos\varphi",
    },
    validity="1 or 3 phases, evenly loaded",
)
def circuit_w(
    feed_volts: Number,
    *,
    feed_amps: Number,
    phase_count: Number,
    continuous_fraction: Number,
    power_factor_fraction: Number,
) -> Number:
    """Power that one feed may carry continuously; of a pair, one alone must carry the rack.

    Args:
        feed_volts: Voltage, line to line for three phases.
        feed_amps: Rating of the breaker.
        phase_count: 1 or 3.
        continuous_fraction: Share of the rating for continuous load.
        power_factor_fraction: Watts over volt-amperes: 0.95 to 0.99 for modern supplies.

    Example:
        >>> round(float(circuit_w(415.0, feed_amps=30.0, phase_count=3.0, continuous_fraction=0.8,
        ...     power_factor_fraction=0.95)))
        16389
    """
    root: Number = np.sqrt(phase_count)
    return feed_volts * feed_amps * root * continuous_fraction * power_factor_fraction


@formula(
    r"n = n_f \left\lceil W / W_c \right\rceil",
    unit="count",
    label="Circuits",
    source=_CIRCUIT,
    symbols={"load_w": "W", "circuit_w": "W_c", "feed_count": "n_f"},
    validity="each of the redundant feeds can carry the whole load",
)
def circuit_count(load_w: Number, *, circuit_w: Number, feed_count: Number) -> Number:
    """Circuits for a load on redundant feeds.

    Args:
        load_w: Largest power of the load.
        circuit_w: Usable power of one circuit.
        feed_count: 2 for A and B feeds, 1 for a single feed.

    Example:
        >>> float(circuit_count(20e3, circuit_w=8.2e3, feed_count=2))
        6.0
    """
    circuits: Number = elementwise.ceil(load_w / circuit_w - _TOLERANCE) * feed_count
    return circuits


# --- racks --------------------------------------------------------------------------------------------------


@formula(
    r"H = n\,h",
    unit="RU",
    label="Rack units of equal parts",
    source=_RACK,
    symbols={"part_count": "n", "part_ru": "h"},
)
def parts_ru(part_count: Number, *, part_ru: Number) -> Number:
    """Rack units of a number of equal parts.

    Args:
        part_count: Parts.
        part_ru: Height of one.

    Example:
        >>> float(parts_ru(12.0, part_ru=2))
        24.0
    """
    return part_count * part_ru


@formula(
    r"n = \max\!\left(\left\lceil \frac{H}{H_r - H_0} \right\rceil,"
    r"\ \left\lceil \frac{W}{W_r} \right\rceil\right)",
    unit="count",
    label="Racks",
    source=_RACK,
    symbols={
        "rack_units_ru": "H",
        "rack_height_ru": "H_r",
        "reserved_ru": "H_0",
        "load_w": "W",
        "rack_limit_w": "W_r",
    },
    validity="equipment spread evenly; see the units that fit in a rack for large ones",
)
def rack_count(
    rack_units_ru: Number,
    *,
    rack_height_ru: Number,
    reserved_ru: Number,
    load_w: Number,
    rack_limit_w: Number,
) -> Number:
    """Racks by height or by power, whichever is more.

    Args:
        rack_units_ru: Height of all equipment.
        rack_height_ru: Height of a rack.
        reserved_ru: Height kept for panels and management.
        load_w: Power of all equipment.
        rack_limit_w: Power that the site allows in a rack.

    Example:
        >>> float(rack_count(60.0, rack_height_ru=48, reserved_ru=4, load_w=40e3, rack_limit_w=17e3))
        3.0
    """
    by_height: Number = elementwise.ceil(rack_units_ru / (rack_height_ru - reserved_ru) - _TOLERANCE)
    by_power: Number = elementwise.ceil(load_w / rack_limit_w - _TOLERANCE)
    racks: Number = elementwise.maximum(by_height, by_power)
    return racks


@formula(
    r"n_r = \min\!\left(\left\lfloor \frac{H_r - H_0}{h} \right\rfloor,"
    r"\ \left\lfloor \frac{W_r}{W_1} \right\rfloor\right)",
    unit="count",
    label="Units that fit in a rack",
    source=_RACK,
    symbols={
        "unit_ru": "h",
        "rack_height_ru": "H_r",
        "reserved_ru": "H_0",
        "unit_w": "W_1",
        "rack_limit_w": "W_r",
    },
)
def units_per_rack_count(
    unit_ru: Number, *, rack_height_ru: Number, reserved_ru: Number, unit_w: Number, rack_limit_w: Number
) -> Number:
    """Equal units that one rack holds by height and by power.

    Args:
        unit_ru: Height of a unit.
        rack_height_ru: Height of a rack.
        reserved_ru: Height kept for panels and management.
        unit_w: Power of a unit.
        rack_limit_w: Power that the site allows in a rack.

    Example:
        >>> float(units_per_rack_count(2.0, rack_height_ru=48, reserved_ru=4, unit_w=1300, rack_limit_w=17e3))
        13.0
    """
    by_height: Number = elementwise.floor((rack_height_ru - reserved_ru) / unit_ru + _TOLERANCE)
    by_power: Number = elementwise.floor(rack_limit_w / unit_w + _TOLERANCE)
    units: Number = elementwise.minimum(by_height, by_power)
    return units


@formula(
    r"W_r = W / n",
    unit="W",
    label="Power of a rack",
    source=_RACK,
    symbols={"load_w": "W", "rack_count": "n"},
    validity="equipment spread evenly",
)
def rack_share_w(load_w: Number, *, rack_count: Number) -> Number:
    """Power of one of several evenly filled racks.

    Args:
        load_w: Power of all equipment.
        rack_count: Racks.

    Example:
        >>> float(rack_share_w(40e3, rack_count=4))
        10000.0
    """
    return load_w / rack_count


@formula(
    r"W_{max} = W\,\nu",
    unit="W",
    label="Maximum power",
    source="power rules, 'nameplate': 30 to 50 % above the measured draw",
    symbols={"typical_w": "W", "nameplate_ratio": r"\nu"},
    validity="where the maximum of a part is not published",
)
def nameplate_w(typical_w: Number, *, nameplate_ratio: Number) -> Number:
    """Maximum power of a part of which only the typical one is known.

    Args:
        typical_w: Typical power.
        nameplate_ratio: Maximum over typical, 1.3 to 1.5.

    Example:
        >>> float(nameplate_w(1000.0, nameplate_ratio=1.5))
        1500.0
    """
    return typical_w * nameplate_ratio


@formula(
    r"W = W_{max} / \nu",
    unit="W",
    label="Typical power",
    source="power rules, 'nameplate': 30 to 50 % above the measured draw",
    symbols={"max_w": "W_{max}", "nameplate_ratio": r"\nu"},
    validity="where the typical power of a part is not published",
)
def typical_of_nameplate_w(max_w: Number, *, nameplate_ratio: Number) -> Number:
    """Typical power of a part of which only the maximum is known.

    Args:
        max_w: Maximum power.
        nameplate_ratio: Maximum over typical, 1.3 to 1.5.

    Example:
        >>> float(typical_of_nameplate_w(1500.0, nameplate_ratio=1.5))
        1000.0
    """
    return max_w / nameplate_ratio


@formula(
    r"W_r = \min(W_s,\ W_c)",
    unit="W",
    label="Power to fill a rack to",
    source="power rules, 'ab': the whole load must fit on one feed",
    symbols={"rack_limit_w": "W_s", "circuit_w": "W_c"},
)
def rack_budget_w(rack_limit_w: Number, *, circuit_w: Number) -> Number:
    """Power to which a rack is filled: the site's limit, or one feed alone if that is less.

    Args:
        rack_limit_w: What the site allows in a rack.
        circuit_w: What one feed may carry continuously.

    Example:
        >>> float(rack_budget_w(17e3, circuit_w=16.4e3))
        16400.0
    """
    return elementwise.minimum(rack_limit_w, circuit_w)


@formula(
    r"W = \max(W_t / N,\ W_1)",
    unit="W",
    label="Power of a rack, maximum",
    source=_RACK,
    symbols={"load_w": "W_t", "rack_count": "N", "unit_w": "W_1"},
    validity="equipment spread evenly; a unit is never split",
)
def rack_load_w(load_w: Number, *, rack_count: Number, unit_w: Number) -> Number:
    """Power of the fullest rack: an equal share, and at least the largest single unit.

    Args:
        load_w: Power of all equipment.
        rack_count: Racks.
        unit_w: Power of the largest unit.

    Example:
        >>> float(rack_load_w(30e3, rack_count=2.0, unit_w=1.6e3))
        15000.0
    """
    return elementwise.maximum(load_w / rack_count, unit_w)


@formula(
    r"W_f = W_1 \max\!\left(\left\lfloor W_r / W_1 \right\rfloor,\ 1\right)",
    unit="W",
    label="Power of a full rack",
    source=_RACK,
    symbols={"budget_w": "W_r", "unit_w": "W_1"},
    validity="units about as large as the largest one; smaller ones fill the gaps",
)
def rack_fill_w(budget_w: Number, *, unit_w: Number) -> Number:
    """Power that whole units fill in a rack: as many of the largest as the budget holds, at least one.

    Args:
        budget_w: Power to fill a rack to.
        unit_w: Power of the largest unit.

    Example:
        >>> float(rack_fill_w(4000.0, unit_w=2200.0))
        2200.0
    """
    whole = elementwise.maximum(
        elementwise.floor(budget_w / elementwise.maximum(unit_w, 1.0) + _TOLERANCE), 1.0
    )
    filled: Number = elementwise.where(unit_w < 1.0, budget_w, whole * unit_w)
    return filled
