"""Power and cooling of the storage: watts of parts and of the facility, heat and air."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import KW, YEAR_S, Number

_COLO = "the guide, 'Integration with Colocation Environments'"
_NODE = "power rules, power of a node: base, drives, NICs and fans"
_COOLING = "power rules, heat and airflow"

BTU_PER_WATT_HOUR = 3.412142
"""British thermal units in a watt-hour."""
BTU_PER_HOUR_PER_TON = 12_000.0
"""What a ton of cooling takes away: the heat that melts a short ton of ice in a day."""
M3_KELVIN_PER_WATT_HOUR = 2.994
"""Air at sea level: cubic metres an hour that carry one watt at a rise of one kelvin."""
CFM_FAHRENHEIT_PER_WATT = 3.16
"""The same in cubic feet a minute and degrees Fahrenheit."""
FAHRENHEIT_PER_KELVIN = 1.8
"""Degrees Fahrenheit in a kelvin."""
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
        base_w: Processors, memory and board: 525 W typically, 400 to 650 W.
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
    source="power rules, power of optics",
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
    source="power rules, power of a facility",
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
    source="power rules, power of a facility",
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


@formula(
    r"W_{max} = W\,\nu",
    unit="W",
    label="Maximum power",
    source="power rules, nameplate: 30 to 50 % above the measured draw",
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
    source="power rules, nameplate: 30 to 50 % above the measured draw",
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
