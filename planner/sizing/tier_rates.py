"""How fast a tier takes and gives data: drives, ports and units, protection on the way, and shares of a load."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_LEAST_LEFT_FRACTION = 1e-3
"""What is left for writes where reads take all: a save that takes a thousand times as long, not an endless one."""
_SMALLEST = 1e-300
"""Stands for nothing in a divisor, so that nothing of nothing is nothing."""


@formula(
    r"a = 1 + f\,\frac{n-1}{n}",
    unit="1",
    label="Load of a target's ports",
    source="rules of the calculation, 'Where protection is made'",
    symbols={"unit_count": "n", "protection_ratio": "f"},
)
def server_side_amplification_ratio(unit_count: Number, *, protection_ratio: Number) -> Number:
    """Bytes through the targets' ports for each client byte if servers spread chunks over nodes.

    Args:
        unit_count: Units of the tier.
        protection_ratio: Bytes on drives for each client byte.

    Example:
        >>> float(server_side_amplification_ratio(10.0, protection_ratio=1.25))
        2.125
    """
    return 1.0 + protection_ratio * (unit_count - 1.0) / unit_count


@formula(
    r"B = \min\!\left(\frac{N b}{a},\ \frac{n\,w}{f}\right)\eta",
    unit="bytes/s",
    label="Write bandwidth of the tier",
    source="rules of the calculation, 'The binding constraint is always named'",
    symbols={
        "unit_count": "N",
        "unit_bytes_per_s": "b",
        "amplification_ratio": "a",
        "drive_count": "n",
        "drive_bytes_per_s": "w",
        "protection_ratio": "f",
        "stack_fraction": r"\eta",
    },
)
def pool_bytes_per_s(
    unit_count: Number,
    *,
    unit_bytes_per_s: Number,
    amplification_ratio: Number,
    drive_count: Number,
    drive_bytes_per_s: Number,
    protection_ratio: Number,
    stack_fraction: Number,
) -> Number:
    """Bandwidth that clients get from a pool: the nodes' ports or the drives, whichever is less.

    Args:
        unit_count: Units of the tier.
        unit_bytes_per_s: What the ports of one unit carry.
        amplification_ratio: Bytes through the targets' ports for each client byte.
        drive_count: Drives of the tier.
        drive_bytes_per_s: Sequential rate of a drive.
        protection_ratio: Bytes on drives for each client byte.
        stack_fraction: Share of it that the clients' software reaches.

    Example:
        >>> float(pool_bytes_per_s(2.0, unit_bytes_per_s=45e9, amplification_ratio=1.0, drive_count=10.0,
        ...     drive_bytes_per_s=5e9, protection_ratio=1.25, stack_fraction=0.9))
        36000000000.0
    """
    ports = unit_count * unit_bytes_per_s / amplification_ratio
    return elementwise.minimum(ports, drive_count * drive_bytes_per_s / protection_ratio) * stack_fraction


@formula(
    r"B = N b\,\eta",
    unit="bytes/s",
    label="Bandwidth of the tier",
    source="catalogue figure of one unit",
    symbols={"unit_count": "N", "unit_bytes_per_s": "b", "stack_fraction": r"\eta"},
)
def units_bytes_per_s(unit_count: Number, *, unit_bytes_per_s: Number, stack_fraction: Number) -> Number:
    """Bandwidth that clients get from whole units of a platform.

    Args:
        unit_count: Units of the tier.
        unit_bytes_per_s: What the ports of one unit carry.
        stack_fraction: Share of it that the clients' software reaches.

    Example:
        >>> float(units_bytes_per_s(4.0, unit_bytes_per_s=20e9, stack_fraction=0.7))
        56000000000.0
    """
    return unit_count * unit_bytes_per_s * stack_fraction


@formula(
    r"V = 86400\,B",
    unit="bytes/day",
    label="Bytes per day",
    source="definition",
    symbols={"rate_bytes_per_s": "B"},
)
def per_day_bytes_per_day(rate_bytes_per_s: Number) -> Number:
    """Bytes that a steady rate moves in a day.

    Args:
        rate_bytes_per_s: Rate that goes on all day.

    Example:
        >>> float(per_day_bytes_per_day(1e9))
        86400000000000.0
    """
    return rate_bytes_per_s * 86_400.0


@formula(
    r"a = 1 + f",
    unit="1",
    label="Load of a target's ports, bound",
    source="rules of the calculation, 'Where protection is made'",
    symbols={"protection_ratio": r"f"},
)
def spread_amplification_ratio(protection_ratio: Number) -> Number:
    """Bytes through the targets' ports for each client byte, however many nodes there are.

    Args:
        protection_ratio: Bytes on drives for each client byte.

    Example:
        >>> float(spread_amplification_ratio(1.25))
        2.25
    """
    return 1.0 + protection_ratio


@formula(
    r"b = \min(b_1, b_2)",
    unit="bytes/s",
    label="Rate of one target",
    source="rules of the calculation, 'The binding constraint is always named'",
    symbols={"first_bytes_per_s": r"b_1", "second_bytes_per_s": r"b_2"},
)
def smaller_bytes_per_s(first_bytes_per_s: Number, *, second_bytes_per_s: Number) -> Number:
    """The smaller of two rates; an unknown one is passed over.

    Args:
        first_bytes_per_s: One rate.
        second_bytes_per_s: The other rate.

    Example:
        >>> float(smaller_bytes_per_s(2.0, second_bytes_per_s=1.0))
        1.0
    """
    return elementwise.known_minimum(first_bytes_per_s, second_bytes_per_s)


@formula(
    r"b = \alpha\,B",
    unit="bytes/s",
    label="Alarm threshold",
    source="the guide, 'Monitoring and Alerting'",
    symbols={"provisioned_bytes_per_s": "B", "alarm_fraction": r"\alpha"},
)
def alarm_bytes_per_s(provisioned_bytes_per_s: Number, *, alarm_fraction: Number) -> Number:
    """Steady rate at which more bandwidth is called for.

    Args:
        provisioned_bytes_per_s: What the tier is built for.
        alarm_fraction: Share of what is provisioned at which the alarm stands.

    Example:
        >>> float(alarm_bytes_per_s(100e9, alarm_fraction=0.8))
        80000000000.0
    """
    return provisioned_bytes_per_s * alarm_fraction


@formula(
    r"w = \frac{W}{A} \cdot \frac{365\ \mathrm{days}}{t_w}",
    unit="fraction",
    label="Endurance used per year",
    source="reliability models, E3",
    symbols={"drive_write_bytes_per_day": "W", "allowance_bytes_per_day": "A", "warranty_s": "t_w"},
)
def yearly_wear_fraction(
    drive_write_bytes_per_day: Number, *, allowance_bytes_per_day: Number, warranty_s: Number
) -> Number:
    """Share of the rated writes that a year uses.

    Args:
        drive_write_bytes_per_day: Bytes written to the drive in a day.
        allowance_bytes_per_day: Bytes that its rating allows in a day.
        warranty_s: Time of the rating.

    Example:
        >>> round(float(yearly_wear_fraction(9e12, allowance_bytes_per_day=9e12, warranty_s=5 * 365 * 86400.0)), 2)
        0.2
    """
    return drive_write_bytes_per_day / allowance_bytes_per_day * 365 * 86_400.0 / warranty_s


@formula(
    r"B = \frac{N b}{a}\,\eta",
    unit="bytes/s",
    label="Target ports",
    source="rules of the calculation, 'Where protection is made'",
    symbols={
        "unit_count": "N",
        "unit_bytes_per_s": "b",
        "amplification_ratio": "a",
        "stack_fraction": r"\eta",
    },
)
def ports_bytes_per_s(
    unit_count: Number, *, unit_bytes_per_s: Number, amplification_ratio: Number, stack_fraction: Number
) -> Number:
    """Client bandwidth that the targets' ports carry, with the back-end traffic that shares them.

    Args:
        unit_count: Units of the tier.
        unit_bytes_per_s: What the ports of one unit carry.
        amplification_ratio: Bytes through the targets' ports for each client byte.
        stack_fraction: Share of it that the clients' software reaches.

    Example:
        >>> float(ports_bytes_per_s(2.0, unit_bytes_per_s=90e9, amplification_ratio=2.0, stack_fraction=0.9))
        81000000000.0
    """
    return unit_count * unit_bytes_per_s / amplification_ratio * stack_fraction


@formula(
    r"B = \frac{n w}{f}\,\eta",
    unit="bytes/s",
    label="Drives",
    source="reliability models, E7",
    symbols={
        "drive_count": "n",
        "drive_bytes_per_s": "w",
        "protection_ratio": "f",
        "stack_fraction": r"\eta",
    },
)
def flash_bytes_per_s(
    drive_count: Number, *, drive_bytes_per_s: Number, protection_ratio: Number, stack_fraction: Number
) -> Number:
    """Client bandwidth that the drives take after protection.

    Args:
        drive_count: Drives of the tier.
        drive_bytes_per_s: Sequential rate of a drive.
        protection_ratio: Bytes on drives for each client byte.
        stack_fraction: Share of it that the clients' software reaches.

    Example:
        >>> float(flash_bytes_per_s(10.0, drive_bytes_per_s=5e9, protection_ratio=1.25, stack_fraction=0.9))
        36000000000.0
    """
    return drive_count * drive_bytes_per_s / protection_ratio * stack_fraction


@formula(
    r"B_{256} = B \cdot 256 / N",
    unit="bytes/s",
    label="Read demand of 256 GPUs",
    source="the guide, 'Data Ingestion Requirements'",
    symbols={"read_bytes_per_s": "B", "gpu_count": "N"},
)
def per_256_bytes_per_s(read_bytes_per_s: Number, *, gpu_count: Number) -> Number:
    """A cluster's read demand scaled to the 256 GPUs of which the guide speaks.

    Args:
        read_bytes_per_s: What clients read.
        gpu_count: GPUs of the job.

    Example:
        >>> float(per_256_bytes_per_s(2e9, gpu_count=512.0))
        1000000000.0
    """
    return read_bytes_per_s * 256.0 / gpu_count


@formula(
    r"b' = b / f",
    unit="bytes/s",
    label="Client bytes that a node sends",
    source="rules of the calculation, 'Where protection is made': with host-side mirroring the ports carry twice",
    symbols={"node_bytes_per_s": "b", "protection_ratio": "f"},
)
def client_share_bytes_per_s(node_bytes_per_s: Number, *, protection_ratio: Number) -> Number:
    """What is left of a node's ports for its own data if it makes the protection itself.

    Args:
        node_bytes_per_s: What the ports of a node carry.
        protection_ratio: Bytes on drives for each client byte.

    Example:
        >>> float(client_share_bytes_per_s(50e9, protection_ratio=2.0))
        25000000000.0
    """
    return node_bytes_per_s / protection_ratio


@formula(
    r"u = B_r / R + B_w / W",
    unit="fraction",
    label="Steady load",
    source="the guide, 'Monitoring and Alerting': 80 %; reliability models, B2",
    symbols={
        "read_bytes_per_s": "B_r",
        "write_bytes_per_s": "B_w",
        "tier_read_bytes_per_s": "R",
        "tier_write_bytes_per_s": "W",
    },
)
def steady_load_fraction(
    read_bytes_per_s: Number,
    *,
    write_bytes_per_s: Number,
    tier_read_bytes_per_s: Number,
    tier_write_bytes_per_s: Number,
) -> Number:
    """Share of a tier that steady reads and writes take together; no traffic is 0, also of nothing.

    Args:
        read_bytes_per_s: What clients read.
        write_bytes_per_s: What clients write.
        tier_read_bytes_per_s: What the tier reads when nothing is written.
        tier_write_bytes_per_s: What the tier writes when nothing is read.

    Example:
        >>> float(steady_load_fraction(8e9, write_bytes_per_s=1e9, tier_read_bytes_per_s=16e9,
        ...     tier_write_bytes_per_s=4e9))
        0.75
    """
    reading = read_bytes_per_s / elementwise.maximum(tier_read_bytes_per_s, _SMALLEST)
    load: Number = reading + write_bytes_per_s / elementwise.maximum(tier_write_bytes_per_s, _SMALLEST)
    return load


@formula(
    r"B = B_0 \max\!\left(1 - B_r / R,\ \epsilon\right)",
    unit="bytes/s",
    label="Drives beside reads",
    source="reliability models, B1 and B2: ratings of reads and writes do not add",
    symbols={"write_bytes_per_s": "B_0", "read_bytes_per_s": "B_r", "tier_read_bytes_per_s": "R"},
    validity="a thousandth is left where reads take all: the review stops such a design",
)
def flash_beside_reads_bytes_per_s(
    write_bytes_per_s: Number, *, read_bytes_per_s: Number, tier_read_bytes_per_s: Number
) -> Number:
    """Write bandwidth that drives have left while reads go on.

    Args:
        write_bytes_per_s: What the tier writes when nothing is read.
        read_bytes_per_s: What clients read meanwhile.
        tier_read_bytes_per_s: What the tier reads when nothing is written.

    Example:
        >>> float(flash_beside_reads_bytes_per_s(28e9, read_bytes_per_s=15e9, tier_read_bytes_per_s=60e9))
        21000000000.0
    """
    return write_bytes_per_s * elementwise.maximum(
        1.0 - read_bytes_per_s / tier_read_bytes_per_s, _LEAST_LEFT_FRACTION
    )


@formula(
    r"t = t_0\,q",
    unit="s",
    label="Latency of the tail",
    source="reliability models, Q2",
    symbols={"alone_s": "t_0", "quantile_ratio": "q"},
)
def tail_s(alone_s: Number, *, quantile_ratio: Number) -> Number:
    """Latency that a share of requests stays below, from the time of one alone.

    Args:
        alone_s: Latency of a request that waits for no other.
        quantile_ratio: Response of the slowest in that share over the service time.

    Example:
        >>> float(tail_s(1e-4, quantile_ratio=10.0))
        0.001
    """
    return alone_s * quantile_ratio
