"""From raw capacity to what may be filled, with each deduction; and protection schemes on the same drives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from planner.catalogue import ProtectionScheme
from planner.core.checks import Check
from planner.core.quantity import Quantity, derive, given
from planner.core.units import counted, format_value
from planner.sections.context import Context
from planner.sections.kit import CLIENT_SIDE, domains_of, drives_of_a_node, in_groups, made_inside
from planner.sections.protection import DETECT_S
from planner.sections.tiers import TierPlan, one_times
from planner.sizing import (
    degraded,
    durability,
    ladder,
    rebuilds,
    tier_capacity,
    tier_counts,
    tier_rates,
)

_CODE = re.compile(r"(\d+)\s*\+\s*(\d+)")
SCHEMES = ("8+2", "12+3", "raid-z2", "2-way", "3-way")
"""Schemes that are compared on the chosen drives, beside the chosen one."""
APPLICATION = "Copies by the application, 2"
_HEALS = "Room to rebuild a lost {}"


# --- the ladder ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One deduction.

    Attributes:
        name: What takes it: "protection", "spare", "metadata", "reserve".
        taken_bytes: How much.
        left_bytes: What is left after it.
        note: How it follows, in words.
    """

    name: str
    taken_bytes: Quantity
    left_bytes: Quantity
    note: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """From what is bought to what may be filled.

    Attributes:
        steps: Deductions from the top; the last leaves what is safe.
        heal: Whether the reserve has room to rebuild one lost domain; None for a platform of its own kind.
    """

    tier: str
    raw_bytes: Quantity
    steps: tuple[Step, ...]
    content_bytes: Quantity
    heal: Check | None


def ladder_plan(context: Context, tier: TierPlan) -> Ladder:
    """The ladder of a tier; its rungs are the tier's own raw, usable and safe capacity."""
    steps = list(_pool_steps(tier) if tier.scheme is not None else _unit_steps(tier))
    left = tier.safe_bytes
    reserve = derive(
        ladder.deduction_bytes, before_bytes=tier.usable_bytes, after_bytes=left, label="Reserve"
    )
    storage = context.scenario.storage
    words = (
        f"the guide's headroom of {format_value(storage.guide_headroom_ratio - 1, 'fraction')}"
        if context.guide
        else f"filled to {format_value(storage.fill_limit_fraction, 'fraction')} at most"
    )
    steps.append(Step("reserve", reserve, left, words))
    return Ladder(tier.name, tier.raw_bytes, tuple(steps), tier.demand.content_bytes, _heal(tier))


def _step(name: str, before: Quantity, after: Quantity, note: str) -> Step:
    taken = derive(ladder.deduction_bytes, before_bytes=before, after_bytes=after, label=name.capitalize())
    return Step(name, taken, after, note)


def _nothing(name: str, left: Quantity, note: str) -> Step:
    return Step(name, given(0.0, "bytes", name.capitalize(), source=note, grade="inferred"), left, note)


def _pool_steps(tier: TierPlan) -> Iterator[Step]:
    """A pool of drives: parity or copies, and drives that stand by; metadata are inside the reserve."""
    scheme = tier.scheme
    assert scheme is not None
    standing = tier.drive_count.number - tier.working_count.number
    if standing:
        verbs = ("fills", "stands") if standing == 1 else ("fill", "stand")
        note = f"{counted(standing, 'drive')} {verbs[0]} no group and {verbs[1]} by"
        yield _step("spare", tier.raw_bytes, tier.working_bytes, note)
    protected = derive(
        ladder.protected_bytes,
        raw_bytes=tier.working_bytes,
        data_count=float(scheme.data_chunk_count),
        parity_count=float(scheme.parity_chunk_count),
    )
    yield _step("protection", tier.working_bytes, protected, f"{scheme.label} over {tier.domain}s")
    if not standing:
        waits = "no drive stands by: a group is rebuilt when the lost drive is replaced"
        spreads = f"no {tier.domain} stands idle: a rebuild goes into the reserve"
        yield _nothing("spare", protected, spreads if tier.group_width_count is None else waits)
    yield _nothing(
        "metadata", protected, "namespaces are raw; a file system on them takes 1 to 3 % of the reserve"
    )
    if tier.usable_bytes.number < protected.number * (1 - 1e-9):
        note = "the architect states less than the drives hold"
        yield _step("not asked for", protected, tier.usable_bytes, note)


def _unit_steps(tier: TierPlan) -> Iterator[Step]:
    """A platform in whole units: its code where its row names one, and the rest of what the vendor takes."""
    raw, usable = tier.raw_bytes, _usable_of_units(tier)
    if not raw.known or raw.number < usable.number:
        note = "raw capacity is not in the catalogue; usable is the platform's figure or the architect's"
        yield Step("protection, spare and metadata", _unknown("Deductions"), usable, note)
    else:
        yield from _platform_steps(tier, raw, usable)
    if tier.usable_bytes.number < usable.number:
        yield _step(
            "not asked for", usable, tier.usable_bytes, "the architect states less than the units hold"
        )


def _usable_of_units(tier: TierPlan) -> Quantity:
    """What the units hold by the platform's own figure; what is stated where that is unknown or less."""
    each = tier.platform.usable_bytes_per_unit
    if each is None:
        return tier.usable_bytes
    whole = derive(tier_capacity.usable_of_units_bytes, unit_count=tier.unit_count, unit_usable_bytes=each)
    return whole if whole.number > tier.usable_bytes.number else tier.usable_bytes


def _platform_steps(tier: TierPlan, raw: Quantity, usable: Quantity) -> Iterator[Step]:
    code = _CODE.search(tier.platform.protection)
    protected = None
    if code is not None:
        data, parity = (float(part) for part in code.groups())
        protected = derive(ladder.protected_bytes, raw_bytes=raw, data_count=data, parity_count=parity)
    if protected is None or protected.number < usable.number:
        words = tier.platform.protection or "not described in the catalogue"
        yield _step("protection, spare and metadata", raw, usable, f"the platform's own: {words}")
        return
    yield _step("protection", raw, protected, tier.platform.protection)
    yield _step(
        "spare and metadata", protected, usable, f"the rest of what {tier.platform.name} takes for itself"
    )


def _unknown(label: str) -> Quantity:
    return given(None, "bytes", label, source="not in the catalogue", grade="unknown")


def _heal(tier: TierPlan) -> Check | None:
    """Room for one lost domain: what is raw and not needed by contents, against what the domain holds.

    Where nodes make groups of one width a lost drive needs one of its node that stands by: no room elsewhere serves.
    """
    if tier.scheme is None or not tier.scheme.parity_chunk_count:
        return None
    if tier.group_width_count is not None:
        standing = derive(
            tier_counts.left_over_drives_count,
            drive_count=drives_of_a_node(tier),
            width_count=tier.group_width_count,
        )
        provided = derive(
            tier_capacity.raw_of_drives_bytes,
            drive_count=standing,
            drive_bytes=tier.drive_bytes,
            label="Drives of a node that stand by",
        )
        return Check(_HEALS.format("drive"), provided, tier.drive_bytes, source="groups inside every server")
    filled = derive(
        tier_capacity.raw_bytes,
        usable_bytes=tier.demand.content_bytes,
        protection_ratio=tier.protection_ratio,
        label="Contents with protection",
    )
    free = derive(ladder.deduction_bytes, before_bytes=tier.raw_bytes, after_bytes=filled, label="Free, raw")
    need = derive(ladder.heal_bytes, raw_bytes=tier.raw_bytes, domain_count=domains_of(tier))
    return Check(_HEALS.format(tier.domain), provided=free, required=need, source="protection width")


# --- schemes on the same drives -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SchemeOnDrives:
    """One scheme on the drives that the tier has.

    Attributes:
        write_ratio: Bytes on drives for each byte written.
        failures_count: Domains that may be lost at once.
        domains_count: Domains that the scheme needs, one to heal in included.
        fits: Whether the tier has so many.
        degraded_write_bytes_per_s: Write bandwidth with one domain lost and its rebuild running.
        note: What is different about it.
    """

    label: str
    usable_bytes: Quantity
    write_ratio: Quantity
    failures_count: int
    domains_count: int
    fits: bool
    rebuild_s: Quantity
    write_bytes_per_s: Quantity
    degraded_write_bytes_per_s: Quantity
    loss_fraction: Quantity
    note: str


def schemes_plan(context: Context, tier: TierPlan, *, interval: Quantity) -> tuple[SchemeOnDrives, ...]:
    """Every compared scheme on the tier's drives, and copies made by the application.

    Args:
        context: Scenario and catalogue.
        tier: The hot tier.
        interval: Time between saves: after it copies by the application are whole again.
    """
    if tier.scheme is None:
        return ()
    names = dict.fromkeys((tier.scheme.id, *SCHEMES))
    made = [_scheme(context, tier, context.catalogue.protection[name]) for name in names]
    return (*made, _application(context, tier, interval))


def _scheme(
    context: Context,
    tier: TierPlan,
    scheme: ProtectionScheme,
    *,
    healed: Quantity | None = None,
    label: str = "",
    note: str = "",
) -> SchemeOnDrives:
    ratio = derive(
        tier_capacity.protection_ratio,
        data_count=float(scheme.data_chunk_count),
        parity_count=float(scheme.parity_chunk_count),
    )
    inside = not label and _inside(tier, scheme)
    working = _working(context, tier, scheme, inside=inside)
    usable = derive(
        tier_capacity.usable_of_drives_bytes,
        drive_count=working,
        drive_bytes=tier.drive_bytes,
        protection_ratio=ratio,
    )
    domain = "drive" if inside else tier.domain
    room = drives_of_a_node(tier) if inside else domains_of(tier)
    needed = scheme.width_count + (1 if scheme.parity_chunk_count else 0)
    rebuild = healed or _rebuild(context, tier)
    write, left = _rates(context, tier, scheme, ratio, working, inside=inside, of_client=bool(label))
    return SchemeOnDrives(
        label=label or scheme.label,
        usable_bytes=usable,
        write_ratio=ratio,
        failures_count=scheme.parity_chunk_count,
        domains_count=needed,
        fits=room.number >= needed,
        rebuild_s=rebuild,
        write_bytes_per_s=write,
        degraded_write_bytes_per_s=left,
        loss_fraction=_loss(context, tier, scheme, working, rebuild),
        note=note or _where(domain, room, inside=inside),
    )


def _inside(tier: TierPlan, scheme: ProtectionScheme) -> bool:
    """Whether nodes protect their own drives: with the tier's own scheme as it is, with another if it works in one."""
    other = tier.scheme is not None and scheme.id != tier.scheme.id
    return made_inside(tier.domain, tier.protection_at) or (other and scheme.local)


def _working(context: Context, tier: TierPlan, scheme: ProtectionScheme, *, inside: bool) -> Quantity:
    """Drives that hold data with this scheme: where nodes make groups of their own, those that fill one."""
    if not in_groups(context, tier.platform, scheme, inside=inside):
        return tier.drive_count
    return derive(
        tier_counts.grouped_drives_count,
        drive_count=tier.drive_count,
        unit_count=tier.unit_count,
        width_count=float(scheme.width_count),
    )


def _where(domain: str, room: Quantity, *, inside: bool) -> str:
    if inside:
        return f"inside each node, which has {counted(room.number, 'drive')}; a lost node is not survived"
    return f"over {domain}s, of which there are {room}"


def _rebuild(context: Context, tier: TierPlan) -> Quantity:
    storage = context.scenario.storage
    return derive(
        rebuilds.rebuild_s,
        drive_bytes=tier.drive_bytes,
        fill_fraction=storage.fill_limit_fraction,
        rebuild_bytes_per_s=storage.rebuild_bytes_per_s,
        detect_s=DETECT_S,
    )


def _amplification(
    tier: TierPlan, ratio: Quantity, units: Quantity, *, inside: bool, of_client: bool
) -> Quantity:
    """Bytes through the targets' ports for each client byte with this scheme in the place of the chosen one."""
    if of_client or tier.protection_at in CLIENT_SIDE:
        return ratio
    if inside or tier.protection_at == "controller":
        return one_times()
    return derive(tier_rates.server_side_amplification_ratio, unit_count=units, protection_ratio=ratio)


def _rates(
    context: Context,
    tier: TierPlan,
    scheme: ProtectionScheme,
    ratio: Quantity,
    working: Quantity,
    *,
    inside: bool,
    of_client: bool,
) -> tuple[Quantity, Quantity]:
    """Write bandwidth whole, and with one domain lost while its contents are rebuilt on what is left."""
    drive = tier.drive
    pool: dict[str, Any] = {
        "unit_bytes_per_s": tier.unit_write_bytes_per_s,
        "drive_bytes_per_s": drive.write_bytes_per_s if drive and drive.write_bytes_per_s else float("nan"),
        "protection_ratio": ratio,
        "stack_fraction": tier.stack_fraction,
    }
    reads = drive.read_bytes_per_s if drive and drive.read_bytes_per_s else float("nan")

    def written(units: Quantity, drives: Quantity) -> Quantity:
        """Write bandwidth of so many units and drives under the scheme."""
        return derive(
            tier_rates.pool_bytes_per_s,
            unit_count=units,
            drive_count=drives,
            amplification_ratio=_amplification(tier, ratio, units, inside=inside, of_client=of_client),
            **pool,
        )

    whole = written(tier.unit_count, working)
    on_drives = inside or tier.domain == "drive"
    count = tier.drive_count if on_drives else tier.unit_count
    if not scheme.parity_chunk_count or count.number <= 1:
        return whole, given(
            0.0, "bytes/s", "Write bandwidth, degraded", source="nothing survives the loss", grade="inferred"
        )
    if on_drives:
        return whole, derive(
            degraded.rebuilding_bytes_per_s,
            pool_bytes_per_s=whole,
            drive_count=working,
            read_chunk_count=float(scheme.data_chunk_count),
            rebuild_bytes_per_s=context.scenario.storage.rebuild_bytes_per_s,
            drive_read_bytes_per_s=reads,
        )
    left = derive(tier_counts.remaining_share_count, drive_count=working, unit_count=count, lost_count=1.0)
    units = derive(tier_counts.remaining_count, whole_count=count, lost_count=1.0)
    return whole, written(units, left)


def _loss(
    context: Context, tier: TierPlan, scheme: ProtectionScheme, working: Quantity, rebuild: Quantity
) -> Quantity:
    storage = context.scenario.storage
    mean = derive(
        durability.loss_time_s,
        failure_per_s=derive(durability.failure_per_s, failure_fraction=storage.annual_failure_fraction),
        width_count=float(scheme.width_count),
        parity_count=scheme.parity_chunk_count,
        rebuild_s=rebuild,
        hazard_ratio=storage.failure_hazard_ratio,
    )
    groups = derive(
        tier_capacity.group_count,
        raw_bytes=derive(
            tier_capacity.raw_of_drives_bytes, drive_count=working, drive_bytes=tier.drive_bytes
        ),
        drive_bytes=tier.drive_bytes,
        width_count=float(scheme.width_count),
    )
    return derive(durability.annual_loss_fraction, loss_time_s=mean, group_count=groups)


def _application(context: Context, tier: TierPlan, interval: Quantity) -> SchemeOnDrives:
    """Two copies that the job writes to two targets: the ports of its nodes carry both."""
    twice = context.catalogue.protection["2-way"]
    note = "the job writes to two targets: its nodes' ports and the save carry both; no rebuild, the next save heals"
    return _scheme(context, tier, twice, healed=interval, label=APPLICATION, note=note)
