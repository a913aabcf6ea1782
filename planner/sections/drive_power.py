"""What a drive of the hot tier draws: while it writes a save, while it reads, idle, and on average."""

from __future__ import annotations

from collections.abc import Sequence

from planner.catalogue import Drive
from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.sections.context import Context, or_unknown
from planner.sections.tiers import TierPlan
from planner.sizing import facility

OWN_DRIVES = "the drives of the platform are its own: its watts hold them"


@record(frozen=True, slots=True)
class DrivePower:
    """Watts of a drive by what it does, and the share of its time that it does it.

    Attributes:
        mean_w: Over the whole duty cycle: the typical power.
        max_w: The highest: never less than in the burst of a save.
        write_fraction: Share of the time that saves of all jobs, and staging, are written.
        read_fraction: Share of the time that it reads.
    """

    write_w: Quantity
    read_w: Quantity
    idle_w: Quantity
    mean_w: Quantity
    max_w: Quantity
    write_fraction: Quantity
    read_fraction: Quantity


def drive_power(context: Context, tier: TierPlan, saves: Sequence[tuple[Quantity, Quantity]]) -> DrivePower:
    """Power of a drive of the hot tier over its duty cycle.

    Args:
        context: Scenario and catalogue.
        tier: The hot tier.
        saves: Of each job, how long a save takes and the interval from save to save.
    """
    drive = tier.drive
    if drive is None:
        return _of_platform(context)
    write, read, peak, idle = watts_of(context, drive)
    writes, reads = _writes(context, tier, drive, saves), _reads(tier, drive)
    return DrivePower(
        write_w=write,
        read_w=read,
        idle_w=idle,
        mean_w=derive(
            facility.duty_cycle_w,
            idle_w=idle,
            write_w=write,
            read_w=read,
            write_fraction=writes,
            read_fraction=reads,
            label="Power of a drive over its duty cycle",
        ),
        max_w=peak,
        write_fraction=writes,
        read_fraction=reads,
    )


def watts_of(context: Context, drive: Drive) -> tuple[Quantity, Quantity, Quantity, Quantity]:
    """Watts of a drive while writing, while reading, its highest and idle; its class's where the row has none.

    A drive whose row has these four has the same four again.
    """
    write, read = _active(context, drive)
    typical = context.catalogue.assumptions["drive-idle-w"].typical
    return (
        write,
        read,
        _peak(context, drive, write, read),
        drive.idle_w or or_unknown(typical, "W", "Drive, idle"),
    )


def busy_w(context: Context, drive: Drive | None) -> tuple[Quantity, Quantity]:
    """Watts of a drive that works all day, as one of a metadata server does, and its highest; None is any drive."""
    if drive is None:
        return _class(context, None)
    write, read = _active(context, drive)
    return max((write, read), key=lambda watts: watts.number), _peak(context, drive, write, read)


def _peak(context: Context, drive: Drive, write: Quantity, read: Quantity) -> Quantity:
    """Its highest: never less than what it draws while it writes or reads."""
    return max((drive.max_w or _class(context, drive)[1], write, read), key=lambda watts: watts.number)


def _of_platform(context: Context) -> DrivePower:
    """Drives that a platform brings: watts of their class beside it, which no sum counts."""
    active, peak = _class(context, None)
    idle = or_unknown(context.catalogue.assumptions["drive-idle-w"].typical, "W", "Drive, idle")
    mean = given(None, "W", "Power of a drive over its duty cycle", source=OWN_DRIVES, grade="unknown")
    share = given(
        None, "fraction", "Share of its time that a drive writes", source=OWN_DRIVES, grade="unknown"
    )
    reads = given(
        None, "fraction", "Share of its time that a drive reads", source=OWN_DRIVES, grade="unknown"
    )
    return DrivePower(active, active, idle, mean, peak, share, reads)


def _active(context: Context, drive: Drive) -> tuple[Quantity, Quantity]:
    """Watts while writing and while reading; where a row has one of them it stands for both, else its class's."""
    write, read = drive.active_write_w, drive.active_read_w
    if write is not None and read is not None:
        return write, read
    one = write or read
    if one is None:
        one = _class(context, drive)[0]
        if drive.max_w is not None and one.number > drive.max_w.number:
            told = "no more than its maximum: the figure of its class is above it"
            one = given(drive.max_w.number, "W", one.label, source=told, grade="class assumption")
        return one, one
    words = "Drive power while " + ("reading" if write is not None else "writing")
    other = given(one.number, "W", words, source=f"taken as its other figure: {one.label}", grade="inferred")
    return (one, other) if write is not None else (other, one)


def _class(context: Context, drive: Drive | None) -> tuple[Quantity, Quantity]:
    """Typical and highest active watts of a drive's class: large QLC, else its PCIe generation."""
    if drive is None:
        name = "drive-gen4-active-w"
    elif drive.nand_class == "QLC":
        name = "drive-qlc-active-w"
    else:
        name = f"drive-gen{min(max(drive.pcie_gen, 3), 6)}-active-w"
    row = context.catalogue.assumptions[name]
    return or_unknown(row.typical, "W", row.label), or_unknown(row.high, "W", row.label)


def _always(label: str) -> Quantity:
    """Where the rate of a drive is not known it counts as busy all of the time."""
    told = "its rate is not in the catalogue: counted as busy all of the time"
    return given(1.0, "fraction", label, source=told, grade="class assumption")


def _writes(
    context: Context, tier: TierPlan, drive: Drive, saves: Sequence[tuple[Quantity, Quantity]]
) -> Quantity:
    """Share of the time that a drive writes: the saves of every job, and staging where the dataset lies here."""
    label = "Share of its time that a drive writes"
    shares = [derive(facility.burst_fraction, save_s=save, interval_s=interval) for save, interval in saves]
    if context.scenario.storage.dataset_on == "hot":
        rate = drive.write_bytes_per_s
        if rate is None:
            return _always(label)
        shares.append(
            derive(
                facility.busy_fraction,
                traffic_bytes_per_s=tier.demand.steady_write_bytes_per_s,
                protection_ratio=tier.protection_ratio,
                drive_count=tier.drive_count,
                drive_bytes_per_s=rate,
                label="Share of the time that staging writes",
            )
        )
    return total(shares, label, unit="fraction")


def _reads(tier: TierPlan, drive: Drive) -> Quantity:
    """Share of the time that a drive reads: drains, and the jobs' data where it lies here."""
    label = "Share of its time that a drive reads"
    rate = drive.read_bytes_per_s
    if rate is None:
        return _always(label)
    return derive(
        facility.busy_fraction,
        traffic_bytes_per_s=tier.demand.steady_read_bytes_per_s,
        protection_ratio=1.0,
        drive_count=tier.drive_count,
        drive_bytes_per_s=rate,
        label=label,
    )
