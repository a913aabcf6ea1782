"""The drives of a delivery: which tier each belongs to, what all its logs say of its wear, and which is odd."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from planner.core.quantity import Quantity, derive, given
from planner.core.units import format_number
from planner.plan import Plan
from planner.review.as_built import DriveState
from planner.sections.tiers import TierPlan
from planner.sizing import endurance, wear
from planner.telemetry.nodes import controller
from planner.telemetry.reading import Reading
from planner.telemetry.records import Record
from planner.telemetry.wear import (
    DriveWear,
    Rating,
    deviating,
    drive_wear,
    replacement_date,
    write_amplification,
)

SAME_CAPACITY_FRACTION = 0.05
"""A drive is a tier's if its capacity is the planned one within so much: 6.4 TB is sold as 6,401 GB."""
LEAST_USED_FRACTION = 0.05
"""Below it whole percents say too little of what a drive writes to its flash."""
_ROUNDED = f"less than {LEAST_USED_FRACTION * 100:g} % of its life is used, and whole percents say too little"
_LOGS = ("percentage_used", "power_on_time", "data_written")


@dataclass(slots=True)
class _Drive:
    """One drive with everything that the files say of it, by quantity; the newest file last."""

    node: str
    name: str
    source: str
    records: dict[str, Record] = field(default_factory=dict)
    media: tuple[Record, Record] | None = None


def drive_states(
    plan: Plan,
    readings: Mapping[str, Reading],
    nodes: Mapping[str, str],
    *,
    measured_on: date,
    days: Mapping[str, date],
) -> tuple[DriveState, ...]:
    """The wear of each drive, those due first at the top.

    Args:
        plan: The design.
        readings: What was read, by the name of the file.
        nodes: Machine by name of file.
        measured_on: Day on which the counters were read.
        days: The same by name of file, for those that were read on another day.
    """
    drives = list(_drives(readings, nodes))
    groups: dict[str, list[tuple[_Drive, DriveWear]]] = {}
    for drive in drives:
        tier = _tier(plan, drive)
        worn = drive_wear(drive.records.values(), rating=_rating(plan, tier))
        if worn:
            groups.setdefault(tier.name if tier else "other drives", []).append((drive, worn[0]))
    states = [
        _state(plan, drive, worn, group, odd, days.get(drive.source, measured_on))
        for group, own in groups.items()
        for drive, worn, odd in _with_oddity(own)
    ]
    return tuple(sorted(states, key=lambda s: (s.replace_by or date.max, s.node, s.drive)))


def _drives(readings: Mapping[str, Reading], nodes: Mapping[str, str]) -> Iterator[_Drive]:
    """Drives with a health log; sizes and writes to flash come from the other files of the same machine."""
    found: dict[tuple[str, str], _Drive] = {}
    sizes: dict[tuple[str, str], Record] = {}
    flash: dict[tuple[str, str], tuple[Record, Record]] = {}
    for name, reading in readings.items():
        for key, own in _of_one_drive(reading.records, nodes[name], name):
            if "media_written" in own and "data_written" in own:
                flash[key] = (own["media_written"], own["data_written"])
            if any(kind in own for kind in _LOGS) and "media_written" not in own:
                drive = found.setdefault(key, _Drive(nodes[name], key[1], name))
                drive.source = name
                drive.records |= own
            elif "capacity" in own:
                sizes[key] = own["capacity"]
    for key, drive in found.items():
        if "capacity" not in drive.records and key in sizes:
            drive.records["capacity"] = sizes[key]
        drive.media = flash.get(key)
        # One drive, whatever tool each figure is from.
        kept = {
            k: replace(r, tool="health log", host="", subject=drive.name, run=1)
            for k, r in drive.records.items()
        }
        drive.records = kept
        yield drive


def _of_one_drive(
    records: Iterable[Record], node: str, name: str
) -> Iterator[tuple[tuple[str, str], dict[str, Record]]]:
    """Records of a file by machine and drive."""
    groups: dict[tuple[str, str, int], dict[str, Record]] = {}
    for record in records:
        if record.quantity in _LOGS or record.quantity in ("media_written", "capacity"):
            groups.setdefault((record.tool, record.subject, record.run), {})[record.quantity] = record
    for (_, subject, _), own in groups.items():
        yield (node, controller(subject, name)), own


def _tier(plan: Plan, drive: _Drive) -> TierPlan | None:
    """The tier with drives of that capacity; the hot tier where the capacity is not known."""
    if "capacity" not in drive.records:
        return plan.hot if plan.hot.drive is not None else None
    size = drive.records["capacity"].value
    fitting = [
        (abs(size / tier.drive_bytes.number - 1.0), number)
        for number, tier in enumerate(plan.tiers)
        if tier.drive is not None and tier.drive_bytes.known and tier.drive_bytes.number > 0
    ]
    best = min(fitting, default=(math.inf, 0))
    return plan.tiers[best[1]] if best[0] <= SAME_CAPACITY_FRACTION else None


def _rating(plan: Plan, tier: TierPlan | None) -> Rating:
    """What the design knows of a tier's drive."""
    waf = plan.scenario.storage.actual_waf_ratio
    if tier is None or tier.drive is None:
        return Rating(design_waf_ratio=waf)
    dwpd, warranty = tier.drive.endurance_dwpd, tier.drive.warranty_s
    rated = math.nan
    if dwpd is not None and warranty is not None:
        rated = derive(
            endurance.rated_write_bytes,
            capacity_bytes=tier.drive_bytes,
            endurance_dwpd=dwpd,
            warranty_s=warranty,
        ).number
    return Rating(tier.drive_bytes.number, rated, waf)


def _with_oddity(own: list[tuple[_Drive, DriveWear]]) -> Iterator[tuple[_Drive, DriveWear, str]]:
    """Each drive of a group with what is odd about it, in words."""
    # Drives are told apart by their place in the group: two may have the same name.
    numbered = [replace(worn, run=number) for number, (_, worn) in enumerate(own)]
    odd = {item.drive.run: item for item in deviating(numbered)}
    for number, (drive, worn) in enumerate(own):
        found = odd.get(number)
        words = ""
        if found is not None and math.isfinite(found.ratio):
            words = f"wears {format_number(found.ratio)}× as fast as the median of its group"
        elif found is not None:
            words = "wears, while its group does not"
        yield drive, worn, words


def _state(plan: Plan, drive: _Drive, worn: DriveWear, group: str, odd: str, measured_on: date) -> DriveState:
    waf, over, origin = _waf(plan, drive, worn, group)
    return DriveState(
        node=drive.node,
        drive=drive.name,
        group=group,
        used_fraction=worn.used_fraction,
        written_bytes=worn.written_bytes,
        powered_s=worn.powered_s,
        write_bytes_per_day=worn.write_bytes_per_day,
        designed_write_bytes_per_day=_designed(plan, group),
        waf_ratio=waf,
        waf_over_design_ratio=over,
        waf_origin=origin,
        life_left_low_s=worn.life_left_low_s,
        life_left_s=worn.life_left_s,
        life_left_high_s=worn.life_left_high_s,
        rating_life_left_s=worn.rating_life_left_s,
        replace_from=replacement_date(worn.life_left_low_s.number, measured=measured_on),
        replace_by=replacement_date(worn.life_left_s.number, measured=measured_on),
        odd=odd,
        source=drive.source,
    )


def _waf(plan: Plan, drive: _Drive, worn: DriveWear, group: str) -> tuple[Quantity, Quantity, str]:
    """Write amplification in use and over the design's, and how it is known."""
    design = plan.scenario.storage.actual_waf_ratio
    if drive.media is not None:
        media, host = drive.media
        seen, over = write_amplification(host.value, media_write_bytes=media.value, design_waf_ratio=design)
        return seen, over, "writes to flash, counted by the drive"
    over_rating = worn.wear_over_rating_ratio
    rounded = over_rating.known and worn.used_fraction.number < LEAST_USED_FRACTION
    if rounded:
        over_rating = given(None, "1", over_rating.label, source=_ROUNDED, grade="")
    implied = derive(
        wear.implied_waf_ratio,
        wear_over_rating_ratio=over_rating,
        rated_waf_ratio=plan.scenario.storage.rated_waf_ratio,
    )
    over = derive(wear.waf_over_design_ratio, observed_waf_ratio=implied, design_waf_ratio=design)
    if not implied.known:
        return implied, over, _ROUNDED if rounded else ""
    sized = (
        ""
        if "capacity" in drive.records
        else f"; its log states no capacity, taken as a drive of the {group}"
    )
    return implied, over, f"from the share of its life that is used{sized}"


def _designed(plan: Plan, group: str) -> Quantity:
    """Writes a day to one drive of the hot tier, parity included; of other tiers the plan does not say."""
    if group != plan.hot.name or plan.hot.drive is None:
        return given(None, "bytes/day", "Designed writes of a drive", source="", grade="")
    return derive(
        wear.each_drive_bytes_per_day,
        pool_write_bytes_per_day=plan.endurance.drive_write_bytes_per_day,
        drive_count=plan.hot.working_count,
    )
