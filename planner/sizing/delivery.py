"""What was delivered against what was designed: how much is missing, and what it costs each save."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_RULE = "acceptance: what was measured over what the design promises"
_SLOWEST = "a synchronous save ends with its slowest writer"


@formula(
    r"m = \max(1 - B_m / B_d,\,0)",
    unit="fraction",
    label="Missing",
    source=_RULE,
    symbols={"measured_bytes_per_s": "B_m", "expected_bytes_per_s": "B_d"},
)
def missing_fraction(measured_bytes_per_s: Number, *, expected_bytes_per_s: Number) -> Number:
    """Share of a promised bandwidth that is not there; none where more was measured.

    Args:
        measured_bytes_per_s: Bandwidth as measured.
        expected_bytes_per_s: Bandwidth that the design needs, above zero.

    Example:
        >>> missing_fraction(3e9, expected_bytes_per_s=5e9)
        0.4
    """
    return elementwise.maximum(1.0 - measured_bytes_per_s / expected_bytes_per_s, 0.0)


@formula(
    r"t = \max(t_d,\; S / B_m)",
    unit="s",
    label="Save as measured",
    source=_SLOWEST,
    symbols={"shard_bytes": "S", "measured_bytes_per_s": "B_m", "designed_s": "t_d"},
)
def measured_save_s(shard_bytes: Number, *, measured_bytes_per_s: Number, designed_s: Number) -> Number:
    """Save time with the slowest node that was measured; everything behind the node stays as designed.

    Args:
        shard_bytes: What a node writes in a save.
        measured_bytes_per_s: Writes of the slowest node, above zero.
        designed_s: Save time of the design.

    Example:
        >>> measured_save_s(30e9, measured_bytes_per_s=1e9, designed_s=24.0)
        30.0
    """
    return elementwise.maximum(designed_s, shard_bytes / measured_bytes_per_s)


@formula(
    r"a = n\,\max(t - t_d,\,0)",
    unit="s",
    label="Longer saves in a day",
    source=_SLOWEST,
    symbols={"save_s": "t", "designed_s": "t_d", "saves_per_day": "n"},
)
def added_day_s(save_s: Number, *, designed_s: Number, saves_per_day: Number) -> Number:
    """Time by which all saves of a day together are longer than designed.

    Args:
        save_s: Save time as measured.
        designed_s: Save time of the design.
        saves_per_day: Saves in a day.

    Example:
        >>> added_day_s(30.0, designed_s=24.0, saves_per_day=48.0)
        288.0
    """
    return elementwise.maximum(save_s - designed_s, 0.0) * saves_per_day


@formula(
    r"\eta_m = \min(\eta\,B_m / B_d,\; 1)",
    unit="fraction",
    label="Client stack as measured",
    source="rules of the calculation: the client stack is one factor on the array's bandwidth",
    symbols={"stack_fraction": r"\eta", "measured_bytes_per_s": "B_m", "designed_bytes_per_s": "B_d"},
)
def measured_stack_fraction(
    stack_fraction: Number, *, measured_bytes_per_s: Number, designed_bytes_per_s: Number
) -> Number:
    """Client stack with which the design would come to the bandwidth that was measured.

    Args:
        stack_fraction: Client stack of the design.
        measured_bytes_per_s: Bandwidth of the array as clients measured it.
        designed_bytes_per_s: The same in the design, above zero.

    Example:
        >>> measured_stack_fraction(0.9, measured_bytes_per_s=50e9, designed_bytes_per_s=100e9)
        0.45
    """
    return elementwise.minimum(stack_fraction * measured_bytes_per_s / designed_bytes_per_s, 1.0)


@formula(
    r"t_t = \max(t_m - t_d - S / B,\,0)",
    unit="s",
    label="Added by the transport, as measured",
    source="rules of the calculation: a request takes its drive, its transport and its own transfer",
    symbols={"measured_s": "t_m", "media_s": "t_d", "io_bytes": "S", "bandwidth_bytes_per_s": "B"},
)
def measured_transport_s(
    measured_s: Number, *, media_s: Number, io_bytes: Number, bandwidth_bytes_per_s: Number
) -> Number:
    """What the transport adds to a small request, where the whole of it was measured.

    Args:
        measured_s: Latency of the request as measured.
        media_s: Latency of the drive alone.
        io_bytes: Size of the request.
        bandwidth_bytes_per_s: Payload rate of a port, above zero.

    Example:
        >>> measured_transport_s(0.75, media_s=0.25, io_bytes=4096.0, bandwidth_bytes_per_s=16384.0)
        0.25
    """
    return elementwise.maximum(measured_s - media_s - io_bytes / bandwidth_bytes_per_s, 0.0)


@formula(
    r"b = \frac{B_m}{N\,\eta}",
    unit="bytes/s",
    label="Rate of one unit as measured",
    source="rules of the calculation: units times their rate times the client stack",
    symbols={"measured_bytes_per_s": "B_m", "unit_count": "N", "stack_fraction": r"\eta"},
)
def measured_unit_bytes_per_s(
    measured_bytes_per_s: Number, *, unit_count: Number, stack_fraction: Number
) -> Number:
    """Rate of one storage unit, before the client stack, that a measurement of all of them comes to.

    Args:
        measured_bytes_per_s: Bandwidth of the array as clients measured it.
        unit_count: Storage units.
        stack_fraction: Client stack of the design, above zero.

    Example:
        >>> measured_unit_bytes_per_s(36e9, unit_count=2.0, stack_fraction=0.9)
        20000000000.0
    """
    return measured_bytes_per_s / (unit_count * stack_fraction)
