"""Capacities of tiers, and what they cost."""

from __future__ import annotations

from planner.core.units import Number
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.published.subjects.sizes import size_of
from planner.sizing import checkpoint, cost, tier_capacity


@by(tier_capacity.usable_of_drives_bytes, tier_capacity.protection_ratio)
def mirrored_capacity(case: Case) -> Result:
    """Usable bytes of drives that hold several copies."""
    ratio = tier_capacity.protection_ratio(1.0, parity_count=0.0, copies_count=case.read("copies"))
    return tier_capacity.usable_of_drives_bytes(
        case.read("nodes") * case.read("drives"),
        drive_bytes=case.read("drive", "bytes"),
        protection_ratio=ratio,
    )


@by(tier_capacity.protection_ratio)
def code_overhead(case: Case) -> Result:
    """Raw over usable of a code."""
    return tier_capacity.protection_ratio(case.read("data"), parity_count=case.read("parity"))


@by(tier_capacity.protection_ratio)
def copies_overhead(case: Case) -> Result:
    """Raw over usable of copies."""
    return tier_capacity.protection_ratio(1.0, parity_count=0.0, copies_count=case.read("copies"))


@by(tier_capacity.usable_needed_bytes, checkpoint.retained_bytes, checkpoint.size_bytes)
def hot_tier(case: Case) -> Result:
    """Capacity for the checkpoints of a model, with a reserve."""
    kept = checkpoint.retained_bytes(size_of(case), retained_count=case.read("retained"), in_flight_count=0.0)
    return tier_capacity.usable_needed_bytes(kept, reserve_ratio=case.read("reserve", "1"))


@by(tier_capacity.usable_needed_bytes, checkpoint.retained_bytes, tier_capacity.reserve_of_fill_ratio)
def fast_tier(case: Case) -> Result:
    """Capacity for retained checkpoints and the one in flight, filled to a limit."""
    held = checkpoint.retained_bytes(
        case.read("checkpoint", "bytes"), retained_count=case.read("retained"), in_flight_count=1.0
    )
    reserve = tier_capacity.reserve_of_fill_ratio(case.read("fill", "fraction"))
    return tier_capacity.usable_needed_bytes(held, reserve_ratio=reserve)


@by(cost.tier_usd)
def media_cost(case: Case) -> Result:
    """Low and high price of one tier, or of several together."""
    capacities = case.several("capacity", "bytes")
    totals = []
    for column in ("low price", "high price"):
        prices = case.several(column, "USD/TB")
        parts: list[Number] = [
            cost.tier_usd(size, price_usd_per_tb=price)
            for size, price in zip(capacities, prices, strict=True)
        ]
        totals.append(float(sum(parts)))
    return totals
